/* SPDX-License-Identifier: Apache-2.0 */
/* Functions: header, performance directives, and the statements of the body. */
#include "ptx/parser.h"

/* What a header says besides names and parameters. */
struct header {
    struct ptx_tok name;
    bool is_entry, noreturn;
    unsigned link;
    uint32_t maxntid[3], reqntid[3], minnctapersm, maxnreg, cluster[3], maxclusterrank;
    bool explicitcluster;
};

struct ptx_func *ptx_func_named(struct ptx_parser *p, const struct ptx_tok *t)
{
    struct ptx_sym *y = ptx_sym_global(p, t->s, t->len);
    if (y && y->kind == SY_FUNC)
        return y->func;
    struct ptx_func *f = ARENA_NEW(&p->m->arena, struct ptx_func);
    f->name = ptx_name(p, t);
    f->index = p->m->funcs.n;
    f->line = t->line;
    f->is_extern = 1;
    vec_push(&p->m->funcs, f);
    if (y) { /* a variable */
        ptx_err(p, t, "'%.*s' is not a function", PTX_TOK(t));
        return f;
    }
    y = ptx_sym_add(p, false, 0, t->s, t->len, SY_FUNC);
    y->func = f;
    vec_push(&p->name_refs,
             (struct ptx_name_ref){.name = t->s, .len = t->len, .line = t->line, .col = t->col});
    return f;
}

static bool parse_triple(struct ptx_parser *p, uint32_t v[3])
{
    uint32_t t[3] = {1, 1, 1};
    for (int i = 0; i < 3; i++) {
        uint64_t n;
        if (!ptx_expect_int(p, "a number", 1u << 20, &n))
            return false;
        t[i] = (uint32_t)n;
        if (!ptx_accept(p, ','))
            break;
    }
    memcpy(v, t, sizeof t);
    return true;
}

static bool parse_count(struct ptx_parser *p, uint32_t *v)
{
    uint64_t n;
    if (!ptx_expect_int(p, "a number", 1u << 20, &n))
        return false;
    *v = (uint32_t)n;
    return true;
}

/* A size of 0 CTAs means none as well as one that is not given. */
static bool parse_cluster(struct ptx_parser *p, const struct ptx_tok *word, uint32_t v[3])
{
    uint64_t n = 1;
    if (!parse_triple(p, v))
        return false;
    for (unsigned i = 0; i < 3 && n <= PTX_MAX_CLUSTER; i++)
        n *= v[i];
    if (!n || n > PTX_MAX_CLUSTER)
        return ptx_err(p, word, "a cluster of %u x %u x %u CTAs: 1 to %d are possible", v[0], v[1], v[2],
                       PTX_MAX_CLUSTER);
    return true;
}

/* One directive between the parameters and the body. */
static bool header_directive(struct ptx_parser *p, struct header *h)
{
    struct ptx_tok word = p->t;
    bool ok;
    uint32_t ignored;
    if (ptx_common_directive(p, &ok))
        return ok;
    ptx_next(p);
    if (ptx_tok_is(&word, "maxntid"))
        return parse_triple(p, h->maxntid);
    if (ptx_tok_is(&word, "reqntid"))
        return parse_triple(p, h->reqntid);
    if (ptx_tok_is(&word, "minnctapersm"))
        return parse_count(p, &h->minnctapersm);
    if (ptx_tok_is(&word, "maxnreg"))
        return parse_count(p, &h->maxnreg);
    if (ptx_tok_is(&word, "maxclusterrank"))
        return parse_count(p, &h->maxclusterrank);
    if (ptx_tok_is(&word, "maxnctapersm") || ptx_tok_is(&word, "abi_preserve") ||
        ptx_tok_is(&word, "abi_preserve_control"))
        return parse_count(p, &ignored);
    if (ptx_tok_is(&word, "reqnctapercluster"))
        return parse_cluster(p, &word, h->cluster);
    if (ptx_tok_is(&word, "attribute"))
        return ptx_attribute(p);
    if (ptx_tok_is(&word, "noreturn")) {
        h->noreturn = true;
        return true;
    }
    if (ptx_tok_is(&word, "explicitcluster")) {
        h->explicitcluster = true;
        return true;
    }
    if (ptx_tok_is(&word, "noinline"))
        return true;
    return ptx_err(p, &word, "unknown directive '.%.*s' of a function", PTX_TOK(&word));
}

static bool header_directives(struct ptx_parser *p, struct header *h)
{
    while (p->t.kind == TK_DOT)
        if (!header_directive(p, h))
            return false;
    return true;
}

/* Return values go to p->rets, parameters to p->params. */
static bool parse_header(struct ptx_parser *p, struct header *h)
{
    vec_clear(&p->rets);
    vec_clear(&p->params);
    if (!header_directives(p, h))
        return false;
    if (p->t.kind == '(') {
        if (h->is_entry)
            return ptx_err(p, &p->t, "a kernel returns nothing");
        if (!ptx_param_list(p, true))
            return false;
        vec_each (&p->params, v)
            vec_push(&p->rets, *v);
        vec_clear(&p->params);
    }
    h->name = p->t;
    if (!ptx_expect(p, TK_IDENT, "a function's name") || !header_directives(p, h))
        return false;
    if (p->t.kind == '(' && !ptx_param_list(p, true))
        return false;
    if (!header_directives(p, h))
        return false;
    return p->t.kind == '{' || p->t.kind == ';' ? true : ptx_unexpected(p, "'{' or ';'");
}

static void take_lists(struct ptx_parser *p, struct ptx_func *f)
{
    vec_clear(&f->rets);
    vec_clear(&f->params);
    vec_each (&p->rets, v)
        vec_push(&f->rets, *v);
    vec_each (&p->params, v)
        vec_push(&f->params, *v);
    vec_each (&f->rets, v)
        (*v)->owner = f;
    vec_each (&f->params, v)
        (*v)->owner = f;
}

/* Finds or makes the function of a header. Declarations of one name merge; NULL: they contradict each
 * other. */
static struct ptx_func *declare(struct ptx_parser *p, const struct header *h, bool body)
{
    const struct ptx_tok *name = &h->name;
    struct ptx_sym *y = ptx_sym_global(p, name->s, name->len);
    if (y && y->kind != SY_FUNC) {
        ptx_err(p, name, "'%.*s' is already declared", PTX_TOK(name));
        return NULL;
    }
    struct ptx_func *f = ptx_func_named(p, name);
    bool again = y && y->index;
    if (again && body && f->has_body) {
        ptx_err(p, name, "function '%.*s' is already defined", PTX_TOK(name));
        return NULL;
    }
    if (again && (f->params.n != p->params.n || f->rets.n != p->rets.n || f->is_entry != h->is_entry)) {
        ptx_err(p, name, "'%.*s' is declared differently in line %u", PTX_TOK(name), f->line);
        return NULL;
    }
    ptx_sym_global(p, name->s, name->len)->index = 1;
    f->is_entry = h->is_entry;
    f->noreturn |= h->noreturn;
    f->is_visible |= (h->link & PTX_LINK_VISIBLE) != 0;
    f->is_weak |= (h->link & PTX_LINK_WEAK) != 0;
    if (!again || body) {
        take_lists(p, f);
        f->line = name->line;
        memcpy(f->maxntid, h->maxntid, sizeof f->maxntid);
        memcpy(f->reqntid, h->reqntid, sizeof f->reqntid);
        f->minnctapersm = h->minnctapersm;
        f->maxnreg = h->maxnreg;
        memcpy(f->cluster, h->cluster, sizeof f->cluster);
        f->maxclusterrank = h->maxclusterrank;
        f->explicitcluster = h->explicitcluster;
    }
    f->has_body |= body;
    f->is_extern = !f->has_body;
    return f;
}

/* Parameters declared as .reg are registers of the function as well. */
static void bind_reg_params(struct ptx_parser *p, struct ptx_var *const *at, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct ptx_sym *y = at[i]->space == SPACE_REG
                                ? ptx_sym_find(&p->names, at[i]->name, (uint32_t)strlen(at[i]->name))
                                : NULL;
        if (!y || y->var != at[i])
            continue;
        y->kind = at[i]->vec > 1 ? SY_VREG : SY_REG;
        y->type = at[i]->type;
        y->vec = at[i]->vec;
        y->var = NULL;
        y->index = ptx_reg_new(p, at[i]->name, at[i]->type, at[i]->vec);
    }
}

static bool is_statement_directive(const struct ptx_tok *t)
{
    return t->kind == TK_DOT && (ptx_space_word(t) >= 0 || ptx_tok_is(t, "loc") || ptx_tok_is(t, "pragma"));
}

/* After an error: behind the next ';', or before a label, a directive, a scope or the scope's end. */
static void recover(struct ptx_parser *p, const char *start)
{
    if (p->t.s == start) /* the statement's first token was refused: it must not be met again */
        ptx_next(p);
    for (; p->t.kind != TK_EOF; ptx_next(p)) {
        if (p->t.kind == ';') {
            ptx_next(p);
            return;
        }
        if (p->t.kind == '}' && !p->braces)
            return;
        if (p->t.bol && (p->t.kind == '{' || is_statement_directive(&p->t)))
            return;
        if (p->t.bol && p->t.kind == TK_IDENT && ptx_peek(p)->kind == ':')
            return;
    }
}

static bool body_directive(struct ptx_parser *p)
{
    bool ok;
    int space = ptx_space_word(&p->t);
    if (space == SPACE_REG)
        return ptx_decl_regs(p);
    if (space >= 0)
        return ptx_decl_vars(p, 0);
    if (ptx_common_directive(p, &ok))
        return ok;
    return ptx_err(p, &p->t, "unknown directive '.%.*s' in a function", PTX_TOK(&p->t));
}

static bool open_scope(struct ptx_parser *p)
{
    if (p->depth == PTX_MAX_DEPTH) {
        ptx_err(p, &p->t, "scopes are nested more than %d deep", PTX_MAX_DEPTH);
        ptx_skip_braces(p);
        return true;
    }
    ptx_scope_push(p);
    ptx_next(p);
    return true;
}

static bool statement(struct ptx_parser *p)
{
    p->braces = 0;
    switch (p->t.kind) {
    case '{': return open_scope(p);
    case ';': ptx_next(p); return true;
    case TK_DOT: return body_directive(p);
    case TK_IDENT:
        if (ptx_peek(p)->kind == ':')
            return ptx_label_stmt(p);
        return ptx_instruction(p);
    case '@': return ptx_instruction(p);
    default: return ptx_unexpected(p, "an instruction");
    }
}

/* At the '{' of the body. */
static bool parse_body(struct ptx_parser *p)
{
    struct ptx_tok open = p->t;
    ptx_next(p);
    for (;;) {
        if (p->t.kind == '}') {
            if (p->depth == 1)
                break;
            ptx_scope_pop(p);
            ptx_next(p);
        } else if (p->t.kind == TK_EOF) {
            ptx_err(p, &open, "the body of '%s' is not closed", p->fn->name);
            for (; p->depth > 1; ptx_scope_pop(p))
                p->label_refs.n = p->scope[p->depth].first_ref;
            p->label_refs.n = 0;
            return true;
        } else {
            const char *start = p->t.s;
            if (!statement(p))
                recover(p, start);
        }
    }
    ptx_next(p);
    return true;
}

bool ptx_function(struct ptx_parser *p, unsigned link)
{
    struct header h = {.is_entry = ptx_tok_is(&p->t, "entry"), .link = link};
    ptx_scope_push(p);
    ptx_next(p);
    bool ok = parse_header(p, &h);
    struct ptx_func *f = ok ? declare(p, &h, p->t.kind == '{') : NULL;
    if (f && f->has_body && p->t.kind == '{') {
        p->fn = f;
        p->regs_declared = 0;
        p->loc = 0;
        bind_reg_params(p, f->rets.at, f->rets.n);
        bind_reg_params(p, f->params.at, f->params.n);
        ok = parse_body(p);
    } else if (f) {
        ok = ptx_expect_semicolon(p);
    }
    ptx_scope_pop(p);
    p->fn = NULL;
    return ok && f;
}
