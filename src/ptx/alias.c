/* SPDX-License-Identifier: Apache-2.0 */
/* .alias a, b; : every use of the function a means b. */
#include "ptx/parser.h"

bool ptx_alias(struct ptx_parser *p)
{
    struct ptx_tok name, target;
    ptx_next(p);
    name = p->t;
    if (!ptx_expect(p, TK_IDENT, "a function") || !ptx_expect(p, ',', "','"))
        return false;
    target = p->t;
    if (!ptx_expect(p, TK_IDENT, "a function"))
        return false;
    struct ptx_sym *y = ptx_sym_find(&p->names, name.s, name.len);
    if (!y || y->kind != SY_FUNC || y->func->has_body || y->func->is_entry)
        return ptx_err(p, &name, "'%.*s' is not a declared function without a body", PTX_TOK(&name));
    vec_push(&p->aliases, (struct ptx_alias_pair){.from = y->func, .to = ptx_func_named(p, &target)});
    return ptx_expect_semicolon(p);
}

/* target[f->index]: what f stands for. */
static void rewrite(struct ptx_func *const *target, struct ptx_func *f)
{
    vec_each (&f->insns, in)
        for (unsigned i = 0; i < in->nops; i++)
            if (in->ops[i].kind == PO_FUNC)
                in->ops[i].func = target[in->ops[i].func->index];
    vec_each (&f->tables, t)
        vec_each (&t->funcs, g)
            *g = target[(*g)->index];
}

void ptx_aliases_fix(struct ptx_parser *p)
{
    if (!p->aliases.n)
        return;
    struct ptx_func **target = xcalloc(p->m->funcs.n, sizeof *target);
    vec_each (&p->m->funcs, f)
        target[(*f)->index] = *f;
    vec_each (&p->aliases, a)
        target[a->from->index] = a->to;
    vec_each (&p->m->funcs, f)
        rewrite(target, *f);
    vec_each (&p->m->vars, v)
        vec_each (&(*v)->init, in)
            if (in->func)
                in->func = target[in->func->index];
    free(target);
}
