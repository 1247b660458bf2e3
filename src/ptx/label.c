/* SPDX-License-Identifier: Apache-2.0 */
/* Labels and the tables named like labels. A name is looked up when its scope ends, so it may be used
 * before it is defined; what the scope does not define is handed to the scope around it. */
#include "ptx/parser.h"

static bool define(struct ptx_parser *p, const struct ptx_tok *name, enum ptx_sym_kind kind, uint32_t index)
{
    struct ptx_sym *y = ptx_sym_find(&p->labels, name->s, name->len);
    if (y && y->depth == p->depth)
        return ptx_err(p, name, "label '%.*s' is already defined", PTX_TOK(name));
    y = ptx_sym_add(p, true, p->depth, name->s, name->len, kind);
    y->index = index;
    return true;
}

static uint32_t refer(struct ptx_parser *p, const struct ptx_tok *t, bool want_table)
{
    vec_push(&p->label_refs,
             (struct ptx_label_ref){
                 .name = t->s, .len = t->len, .line = t->line, .col = t->col, .want_table = want_table});
    return p->label_refs.n - 1;
}

bool ptx_label_operand(struct ptx_parser *p, bool want_table, struct ptx_opnd *o)
{
    struct ptx_tok t = p->t;
    if (t.kind != TK_IDENT || t.s[0] == '%')
        return ptx_unexpected(p, "a label");
    ptx_next(p);
    *o = (struct ptx_opnd){
        .kind = want_table ? PO_TABLE : PO_LABEL, .col = t.col, .label = refer(p, &t, want_table)};
    return true;
}

static void resolve(struct ptx_parser *p, const struct ptx_label_ref *r, const struct ptx_sym *y)
{
    if ((y->kind == SY_TABLE) != r->want_table) {
        ptx_err(p, r, "'%.*s' is %s", PTX_SLICE(r->len, r->name),
                r->want_table ? "a label, not a table" : "a table, not a label");
        return;
    }
    if (y->kind == SY_LABEL)
        p->fn->labels.at[y->index].used = true;
    if (r->in_table)
        p->fn->tables.at[r->table].labels.at[r->slot] = y->index;
    else if (r->opnd && r->want_table) {
        r->opnd->label = 0;
        r->opnd->table = y->index;
    } else if (r->opnd) {
        r->opnd->label = y->index;
    }
}

void ptx_labels_fix(struct ptx_parser *p)
{
    uint32_t keep = p->scope[p->depth].first_ref;
    for (uint32_t i = keep; i < p->label_refs.n; i++) {
        struct ptx_label_ref r = p->label_refs.at[i];
        struct ptx_sym *y = ptx_sym_find(&p->labels, r.name, r.len);
        if (y && y->depth == p->depth)
            resolve(p, &r, y);
        else if (p->depth > 1)
            p->label_refs.at[keep++] = r;
        else
            ptx_err(p, &r, "unknown label '%.*s'", PTX_SLICE(r.len, r.name));
    }
    p->label_refs.n = keep;
}

static bool branch_targets(struct ptx_parser *p, uint32_t table)
{
    do {
        struct ptx_tok t = p->t;
        if (!ptx_expect(p, TK_IDENT, "a label"))
            return false;
        uint32_t r = refer(p, &t, false);
        p->label_refs.at[r].in_table = true;
        p->label_refs.at[r].table = table;
        p->label_refs.at[r].slot = p->fn->tables.at[table].labels.n;
        vec_push(&p->fn->tables.at[table].labels, 0);
    } while (ptx_accept(p, ','));
    return ptx_expect_semicolon(p);
}

static bool call_targets(struct ptx_parser *p, uint32_t table)
{
    do {
        struct ptx_tok t = p->t;
        if (!ptx_expect(p, TK_IDENT, "a function"))
            return false;
        struct ptx_func *f = ptx_func_named(p, &t);
        vec_push(&p->fn->tables.at[table].funcs, f);
    } while (ptx_accept(p, ','));
    return ptx_expect_semicolon(p);
}

/* .callprototype [(ret)] _ (params) [.noreturn] [.abi_preserve n] ; */
static bool call_prototype(struct ptx_parser *p, uint32_t table)
{
    struct ptx_table *t = &p->fn->tables.at[table];
    if (p->t.kind == '(') {
        if (!ptx_param_list(p, false))
            return false;
        vec_each (&p->params, v)
            vec_push(&t->rets, *v);
    }
    if (!ptx_expect(p, TK_IDENT, "'_'"))
        return false;
    if (p->t.kind == '(') {
        if (!ptx_param_list(p, false))
            return false;
        vec_each (&p->params, v)
            vec_push(&t->params, *v);
    }
    while (p->t.kind == TK_DOT) {
        ptx_next(p);
        ptx_accept(p, TK_INT);
    }
    return ptx_expect_semicolon(p);
}

static bool table_stmt(struct ptx_parser *p, const struct ptx_tok *name, enum ptx_table_kind kind)
{
    uint32_t table = p->fn->tables.n;
    ptx_next(p);
    vec_push(&p->fn->tables, (struct ptx_table){.name = ptx_name(p, name), .kind = (uint8_t)kind});
    if (!define(p, name, SY_TABLE, table))
        return false;
    switch (kind) {
    case PT_BRANCHTARGETS: return branch_targets(p, table);
    case PT_CALLTARGETS: return call_targets(p, table);
    default: return call_prototype(p, table);
    }
}

bool ptx_label_stmt(struct ptx_parser *p)
{
    struct ptx_tok name = p->t;
    ptx_next(p);
    ptx_next(p);
    if (p->t.kind == TK_DOT) {
        static const char *const words[] = {"branchtargets", "calltargets", "callprototype"};
        for (int i = 0; i < 3; i++)
            if (ptx_tok_is(&p->t, words[i]))
                return table_stmt(p, &name, (enum ptx_table_kind)i);
    }
    /* A label defined twice is reported; the statement behind it is sound. */
    if (define(p, &name, SY_LABEL, p->fn->labels.n))
        vec_push(&p->fn->labels,
                 (struct ptx_label){.name = ptx_name(p, &name), .at = p->fn->insns.n, .line = name.line});
    return true;
}
