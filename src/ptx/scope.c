/* SPDX-License-Identifier: Apache-2.0 */
/* Names and the scopes they live in. Both tables hold every visible symbol; the deepest of the same name
 * counts. */
#include "ptx/parser.h"

static void grow(struct ptx_symtab *tab)
{
    uint32_t cap = tab->cap ? tab->cap * 2 : 256;
    struct ptx_sym **bucket = xcalloc(cap, sizeof *bucket);
    for (uint32_t i = 0; i < tab->cap; i++)
        for (struct ptx_sym *s = tab->bucket[i], *next; s; s = next) {
            next = s->next;
            s->next = bucket[s->hash & (cap - 1)];
            bucket[s->hash & (cap - 1)] = s;
        }
    free(tab->bucket);
    tab->bucket = bucket;
    tab->cap = cap;
}

struct ptx_sym *ptx_sym_find(struct ptx_symtab *tab, const char *s, uint32_t len)
{
    if (!tab->cap)
        return NULL;
    uint32_t hash = ptx_hash(s, len);
    struct ptx_sym *best = NULL;
    for (struct ptx_sym *y = tab->bucket[hash & (tab->cap - 1)]; y; y = y->next)
        if (y->kind != SY_RANGE && y->hash == hash && y->len == len && memcmp(y->name, s, len) == 0 &&
            (!best || y->depth > best->depth))
            best = y;
    return best;
}

struct ptx_sym *ptx_sym_global(struct ptx_parser *p, const char *s, uint32_t len)
{
    uint32_t hash = ptx_hash(s, len);
    for (struct ptx_sym *y = p->names.cap ? p->names.bucket[hash & (p->names.cap - 1)] : NULL; y; y = y->next)
        if (!y->depth && y->hash == hash && y->len == len && memcmp(y->name, s, len) == 0)
            return y;
    return NULL;
}

/* The deepest range with this stem that reaches `number`. A stem is a name space of its own: %r may stand
 * beside %r<4>. */
static struct ptx_sym *stem_find(struct ptx_symtab *tab, const char *s, uint32_t len, uint32_t number)
{
    if (!tab->cap)
        return NULL;
    uint32_t hash = ptx_hash(s, len);
    struct ptx_sym *best = NULL;
    for (struct ptx_sym *y = tab->bucket[hash & (tab->cap - 1)]; y; y = y->next)
        if (y->kind == SY_RANGE && y->hash == hash && y->len == len && memcmp(y->name, s, len) == 0 &&
            number < y->index && (!best || y->depth > best->depth))
            best = y;
    return best;
}

struct ptx_sym *ptx_sym_add(struct ptx_parser *p, bool label, uint32_t depth, const char *s, uint32_t len,
                            enum ptx_sym_kind kind)
{
    struct ptx_symtab *tab = label ? &p->labels : &p->names;
    struct ptx_sym **list = label ? &p->scope[depth].labels : &p->scope[depth].names;
    if (tab->n >= tab->cap)
        grow(tab);
    struct ptx_sym *y = ARENA_NEW(&p->tmp, struct ptx_sym);
    *y = (struct ptx_sym){
        .name = s, .len = len, .hash = ptx_hash(s, len), .depth = (uint16_t)depth, .kind = (uint8_t)kind};
    struct ptx_sym **bucket = &tab->bucket[y->hash & (tab->cap - 1)];
    y->next = *bucket;
    *bucket = y;
    y->scope_next = *list;
    *list = y;
    tab->n++;
    if (kind == SY_RANGE && depth > 1)
        p->nested_ranges++;
    return y;
}

static void drop(struct ptx_symtab *tab, struct ptx_sym *list)
{
    for (struct ptx_sym *y = list; y; y = y->scope_next) {
        struct ptx_sym **at = &tab->bucket[y->hash & (tab->cap - 1)];
        while (*at != y)
            at = &(*at)->next;
        *at = y->next;
        tab->n--;
    }
}

void ptx_scope_push(struct ptx_parser *p)
{
    p->depth++;
    p->scope[p->depth] = (struct ptx_scope){.first_ref = p->label_refs.n, .line = p->t.line, .col = p->t.col};
}

void ptx_scope_pop(struct ptx_parser *p)
{
    struct ptx_scope *s = &p->scope[p->depth];
    ptx_labels_fix(p);
    if (p->depth > 1)
        for (struct ptx_sym *y = s->names; y; y = y->scope_next)
            p->nested_ranges -= y->kind == SY_RANGE;
    drop(&p->names, s->names);
    drop(&p->labels, s->labels);
    s->names = s->labels = NULL;
    p->depth--;
}

/* The range that declares %r12, if any: stem %r, number 12 without leading zeros, below the range's count. */
static struct ptx_sym *find_range(struct ptx_parser *p, const char *s, uint32_t len)
{
    uint32_t stem = len;
    while (stem > 0 && s[stem - 1] >= '0' && s[stem - 1] <= '9')
        stem--;
    uint32_t ndigits = len - stem;
    if (!stem || !ndigits || ndigits > 7 || (ndigits > 1 && s[stem] == '0'))
        return NULL;
    uint32_t number = 0;
    for (uint32_t i = stem; i < len; i++)
        number = number * 10 + (uint32_t)(s[i] - '0');
    return stem_find(&p->names, s, stem, number);
}

struct ptx_sym *ptx_name_find(struct ptx_parser *p, const char *s, uint32_t len)
{
    struct ptx_sym *y = ptx_sym_find(&p->names, s, len);
    if (!p->fn || (y && (y->depth == p->depth || !p->nested_ranges)))
        return y;
    struct ptx_sym *range = find_range(p, s, len);
    if (!range || (y && y->depth >= range->depth))
        return y;
    struct ptx_sym *reg = ptx_sym_add(p, false, range->depth, s, len, range->vec > 1 ? SY_VREG : SY_REG);
    reg->type = range->type;
    reg->vec = range->vec;
    reg->index = ptx_reg_new(p, arena_strndup(&p->m->arena, s, len), range->type, range->vec);
    return reg;
}

bool ptx_name_free(struct ptx_parser *p, const struct ptx_tok *t, bool range)
{
    struct ptx_sym *y = range ? stem_find(&p->names, t->s, t->len, 0) : ptx_sym_find(&p->names, t->s, t->len);
    if (!range && p->fn && (!y || y->depth != p->depth))
        y = find_range(p, t->s, t->len);
    if (!y || y->depth != p->depth)
        return true;
    return ptx_err(p, t, "'%.*s%s' is already declared", PTX_TOK(t), range ? "<>" : "");
}

uint32_t ptx_reg_new(struct ptx_parser *p, const char *name, uint8_t type, uint8_t vec)
{
    static const char component[] = "xyzw";
    uint32_t first = p->fn->regs.n;
    if (vec <= 1) {
        vec_push(&p->fn->regs, (struct ptx_reg){.name = name, .type = type, .vec = 1});
        return first;
    }
    for (unsigned i = 0; i < vec; i++)
        vec_push(&p->fn->regs,
                 (struct ptx_reg){.name = arena_printf(&p->m->arena, "%s.%c", name, component[i & 3]),
                                  .type = type,
                                  .vec = 1});
    return first;
}
