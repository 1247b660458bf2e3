/* SPDX-License-Identifier: Apache-2.0 */
/* Top-level directives, the module's life, and its end. */
#include "ptx/parser.h"

static bool parse_version(struct ptx_parser *p)
{
    struct ptx_tok t = p->t;
    uint32_t part[2] = {0, 0};
    int dots = 0;
    if (t.kind != TK_DOUBLE)
        return ptx_unexpected(p, "a version like 8.0");
    for (uint32_t i = 0; i < t.len; i++) {
        dots += t.s[i] == '.';
        if (t.s[i] == '.')
            continue;
        if (t.s[i] < '0' || t.s[i] > '9' || dots > 1 || part[dots] > 9)
            return ptx_err(p, &t, "bad version '%.*s'", PTX_TOK(&t));
        part[dots] = part[dots] * 10 + (uint32_t)(t.s[i] - '0');
    }
    if (!part[0] || part[1] > 9)
        return ptx_err(p, &t, "bad version '%.*s'", PTX_TOK(&t));
    p->m->version = 10 * part[0] + part[1];
    ptx_next(p);
    return true;
}

static uint32_t sm_number(const struct ptx_tok *t)
{
    uint32_t n = 0, i = 3;
    if (t->len < 5 || memcmp(t->s, "sm_", 3) != 0)
        return 0;
    for (; i < t->len && t->s[i] >= '0' && t->s[i] <= '9' && n < 1000; i++)
        n = n * 10 + (uint32_t)(t->s[i] - '0');
    bool suffix = i + 1 == t->len && (t->s[i] == 'a' || t->s[i] == 'f'); /* sm_90a, sm_100f */
    return i == t->len || suffix ? n : 0;
}

static bool parse_target(struct ptx_parser *p)
{
    static const char *const options[] = {
        "debug", "texmode_unified", "texmode_independent", "texmode_raw", "map_f64_to_f32",
    };
    do {
        struct ptx_tok t = p->t;
        if (!ptx_expect(p, TK_IDENT, "a target like sm_80"))
            return false;
        uint32_t sm = sm_number(&t);
        bool known = sm != 0;
        for (size_t i = 0; i < sizeof options / sizeof *options; i++)
            known |= ptx_tok_is(&t, options[i]);
        if (!known)
            return ptx_err(p, &t, "unknown target '%.*s'", PTX_TOK(&t));
        if (sm) {
            p->m->sm = sm;
            p->m->target = ptx_name(p, &t);
        }
    } while (ptx_accept(p, ','));
    return true;
}

static bool parse_address_size(struct ptx_parser *p)
{
    struct ptx_tok t = p->t;
    uint64_t n;
    if (!ptx_expect_int(p, "32 or 64", UINT64_MAX, &n))
        return false;
    if (n != 32 && n != 64)
        return ptx_err(p, &t, "address size must be 32 or 64");
    if (n == 32)
        return ptx_err(p, &t, "an address size of 32 bits is not supported");
    p->m->address_size = (uint32_t)n;
    return true;
}

/* The linkage words before a declaration. */
static unsigned parse_linkage(struct ptx_parser *p)
{
    static const struct {
        const char *word;
        unsigned link;
    } words[] = {
        {"extern", PTX_LINK_EXTERN},
        {"visible", PTX_LINK_VISIBLE},
        {"weak", PTX_LINK_WEAK | PTX_LINK_VISIBLE},
        {"common", PTX_LINK_WEAK | PTX_LINK_VISIBLE},
    };
    unsigned link = 0;
    for (bool found = true; found && p->t.kind == TK_DOT;) {
        found = false;
        for (size_t i = 0; i < sizeof words / sizeof *words && !found; i++)
            if (ptx_tok_is(&p->t, words[i].word)) {
                link |= words[i].link;
                found = true;
            }
        if (found)
            ptx_next(p);
    }
    return link;
}

static bool is_top_directive(const struct ptx_tok *t)
{
    static const char *const words[] = {"entry",  "func",    "extern", "visible", "weak",
                                        "common", "section", "file",   "target",  "address_size"};
    if (t->kind != TK_DOT)
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (ptx_tok_is(t, words[i]))
            return true;
    int space = ptx_space_word(t);
    return space == SPACE_GLOBAL || space == SPACE_CONST || space == SPACE_SHARED;
}

static bool top_directive(struct ptx_parser *p)
{
    bool ok;
    if (p->t.kind != TK_DOT)
        return ptx_unexpected(p, "a directive");
    if (ptx_common_directive(p, &ok))
        return ok;
    if (ptx_tok_is(&p->t, "version"))
        return ptx_next(p), parse_version(p);
    if (ptx_tok_is(&p->t, "target"))
        return ptx_next(p), parse_target(p);
    if (ptx_tok_is(&p->t, "address_size"))
        return ptx_next(p), parse_address_size(p);
    struct ptx_tok first = p->t;
    unsigned link = parse_linkage(p);
    if (ptx_tok_is(&p->t, "entry") || ptx_tok_is(&p->t, "func"))
        return ptx_function(p, link);
    int space = ptx_space_word(&p->t);
    if (space == SPACE_REG)
        return ptx_decl_regs(p);
    if (space >= 0)
        return ptx_decl_vars(p, link);
    if (ptx_tok_is(&p->t, "alias"))
        return ptx_alias(p);
    return link ? ptx_unexpected(p, "a function or variable")
                : ptx_err(p, &first, "unknown directive '.%.*s'", PTX_TOK(&first));
}

/* After an error: behind the next ';' or block, or before a line that begins a declaration. */
static void recover(struct ptx_parser *p, const char *start)
{
    if (p->t.s == start && p->t.kind != '{') /* refused: it must not be met again */
        ptx_next(p);
    for (; p->t.kind != TK_EOF; ptx_next(p)) {
        if (p->t.kind == ';' && !p->braces) {
            ptx_next(p);
            return;
        }
        if (p->t.kind == '{' && !p->braces) {
            ptx_skip_braces(p);
            ptx_accept(p, ';');
            return;
        }
        if (p->t.bol && !p->braces && is_top_directive(&p->t))
            return;
    }
}

/* Reports once if something stands before the .target. */
static void check_target(struct ptx_parser *p, const struct ptx_tok *first, bool *told)
{
    bool is_target = ptx_tok_is(first, "target");
    if (p->m->sm || *told || ptx_tok_is(first, "version"))
        return;
    if (!is_target)
        ptx_err(p, first, "expected '.target' before this");
    *told = true;
}

static void parse_module(struct ptx_parser *p)
{
    bool told = false;
    if (p->t.kind != TK_DOT || !ptx_tok_is(&p->t, "version")) {
        ptx_err(p, &p->t, "expected '.version' at the beginning of the module");
        if (p->t.kind != TK_DOT) /* no PTX at all */
            return;
    }
    while (p->t.kind != TK_EOF) {
        p->braces = 0;
        struct ptx_tok first = p->t;
        if (!top_directive(p))
            recover(p, first.s);
        check_target(p, &first, &told);
    }
    if (!p->m->sm && !told)
        ptx_err(p, &p->t, "the module has no '.target'");
    ptx_names_fix(p);
    ptx_aliases_fix(p);
}

static void free_parser(struct ptx_parser *p)
{
    arena_free(&p->tmp);
    free(p->names.bucket);
    free(p->labels.bucket);
    vec_free(&p->label_refs);
    vec_free(&p->name_refs);
    vec_free(&p->stack);
    vec_free(&p->params);
    vec_free(&p->rets);
    vec_free(&p->aliases);
    free(p);
}

struct ptx_module *ptx_parse(const char *file, const char *src, size_t len, struct diag *d)
{
    struct ptx_module *m = xcalloc(1, sizeof *m);
    struct ptx_parser *p = xcalloc(1, sizeof *p);
    uint32_t before = d->errors;
    while (len && !src[len - 1]) /* PTX inside programs ends with a NUL, or several */
        len--;
    m->file = arena_strndup(&m->arena, file, strlen(file));
    m->src = arena_strndup(&m->arena, src, len);
    m->src_len = len;
    m->address_size = 64; /* what every current compiler writes; the manual's default of 32 is long gone */
    p->m = m;
    p->d = d;
    ptx_words_init(&p->words);
    ptx_lex_init(&p->lx, m->file, m->src, len, d);
    ptx_next(p);
    parse_module(p);
    free_parser(p);
    if (d->errors == before)
        return m;
    ptx_module_free(m);
    return NULL;
}

static void free_func(struct ptx_func *f)
{
    vec_each (&f->tables, t) {
        vec_free(&t->labels);
        vec_free(&t->funcs);
        vec_free(&t->rets);
        vec_free(&t->params);
    }
    vec_free(&f->params);
    vec_free(&f->rets);
    vec_free(&f->regs);
    vec_free(&f->vars);
    vec_free(&f->labels);
    vec_free(&f->tables);
    vec_free(&f->insns);
}

void ptx_module_free(struct ptx_module *m)
{
    if (!m)
        return;
    vec_each (&m->vars, v)
        vec_free(&(*v)->init);
    vec_each (&m->funcs, f)
        free_func(*f);
    vec_free(&m->vars);
    vec_free(&m->funcs);
    vec_free(&m->files);
    vec_free(&m->locs);
    arena_free(&m->arena);
    free(m);
}

struct ptx_func *ptx_find_func(const struct ptx_module *m, const char *name)
{
    vec_each (&m->funcs, f)
        if (strcmp((*f)->name, name) == 0)
            return *f;
    return NULL;
}
