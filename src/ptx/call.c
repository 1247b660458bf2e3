/* SPDX-License-Identifier: Apache-2.0 */
/* Calls, in every form they are written:
 *   call (ret), f, (args);    call f, (args);    call f;
 *   call (ret), %rd1, (args), prototype;    call %rd1, prototype;
 * All become ret list (or none), callee, argument list, and for an indirect call the table of what it may
 * reach. */
#include "ptx/parser.h"

static bool parse_callee(struct ptx_parser *p, struct ptx_opnd *o)
{
    struct ptx_tok t = p->t;
    *o = (struct ptx_opnd){.kind = PO_FUNC, .col = t.col};
    if (t.kind != TK_IDENT)
        return ptx_unexpected(p, "the function to call");
    struct ptx_sym *y = ptx_name_find(p, t.s, t.len);
    if ((y && y->kind != SY_FUNC) || (!y && t.s[0] == '%')) {
        if (!ptx_operand(p, P_call, o))
            return false;
        return o->kind == PO_REG ? true : ptx_err(p, &t, "'%.*s' cannot be called", PTX_TOK(&t));
    }
    ptx_next(p);
    o->func = ptx_func_named(p, &t);
    return true;
}

static bool parse_list(struct ptx_parser *p, struct ptx_opnd *o)
{
    *o = (struct ptx_opnd){.kind = PO_LIST, .col = p->t.col};
    ptx_next(p);
    return ptx_operand_list(p, P_call, ')', o);
}

bool ptx_call_operands(struct ptx_parser *p)
{
    struct ptx_opnd ret = {.kind = PO_NONE, .col = p->t.col}, callee, args, table;
    if (p->t.kind == '(' && (!parse_list(p, &ret) || !ptx_expect(p, ',', "',' behind the return value")))
        return false;
    if (!parse_callee(p, &callee))
        return false;
    args = (struct ptx_opnd){.kind = PO_LIST, .col = p->t.col};
    vec_push(&p->stack, ret);
    vec_push(&p->stack, callee);
    bool more = ptx_accept(p, ',');
    if (more && p->t.kind == '(') {
        if (!parse_list(p, &args))
            return false;
        more = ptx_accept(p, ',');
    }
    vec_push(&p->stack, args);
    if (!more)
        return true;
    if (!ptx_label_operand(p, true, &table))
        return false;
    vec_push(&p->stack, table);
    return true;
}
