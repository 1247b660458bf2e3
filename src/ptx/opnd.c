/* SPDX-License-Identifier: Apache-2.0 */
/* Operands. An operand is built on p->stack or in a local and moves to the arena once its instruction is
 * complete. */
#include "ptx/parser.h"

/* Points the references that wait for an operand at its final place. */
static void settle(struct ptx_parser *p, struct ptx_opnd *o)
{
    if (o->kind == PO_LABEL || o->kind == PO_TABLE)
        p->label_refs.at[o->label].opnd = o;
    else if (o->kind == PO_PENDING)
        p->name_refs.at[o->table].opnd = o;
}

struct ptx_opnd *ptx_take_operands(struct ptx_parser *p, uint32_t from)
{
    uint32_t n = p->stack.n - from;
    struct ptx_opnd *ops = ARENA_ARRAY(&p->m->arena, struct ptx_opnd, n);
    if (n)
        memcpy(ops, p->stack.at + from, sizeof *ops * n);
    for (uint32_t i = 0; i < n; i++)
        settle(p, &ops[i]);
    p->stack.n = from;
    return ops;
}

void ptx_names_fix(struct ptx_parser *p)
{
    vec_each (&p->name_refs, r) {
        struct ptx_sym *y = ptx_sym_find(&p->names, r->name, r->len);
        if (!y || (y->kind == SY_FUNC && !y->index)) {
            ptx_err(p, r, "'%.*s' is not declared", PTX_SLICE(r->len, r->name));
        } else if (r->opnd) {
            r->opnd->kind = y->var ? PO_VAR : PO_FUNC;
            r->opnd->table = 0;
            r->opnd->var = y->var;
            r->opnd->func = y->func;
        } else if (r->var) {
            struct ptx_init *in = &r->var->init.at[r->slot];
            in->generic &= 1;
            in->sym = y->var;
            in->func = y->func;
        }
    }
}

static void set_reg(struct ptx_opnd *o, uint32_t index)
{
    o->kind = PO_REG;
    o->reg = index;
}

/* A register, or behind a vector register its component (.x or .r first). */
static bool reg_operand(struct ptx_parser *p, const struct ptx_sym *y, struct ptx_opnd *o)
{
    static const char names[] = "xyzwrgba";
    bool dotted = p->t.kind == TK_DOT && p->t.glued;
    if (y->kind == SY_REG) {
        if (dotted && y->bad)
            ptx_next(p);
        else if (dotted)
            return ptx_err(p, &p->t, "selector '.%.*s' of a register is not supported", PTX_TOK(&p->t));
        set_reg(o, y->index);
        return true;
    }
    if (dotted) {
        const char *c = p->t.len == 1 ? strchr(names, p->t.s[0]) : NULL;
        uint32_t i = c ? (uint32_t)(c - names) & 3 : 4;
        if (i >= y->vec)
            return ptx_err(p, &p->t, "a .v%u register has no component '.%.*s'", y->vec, PTX_TOK(&p->t));
        ptx_next(p);
        set_reg(o, y->index + i);
        return true;
    }
    uint32_t base = p->stack.n;
    for (uint32_t i = 0; i < y->vec; i++) {
        struct ptx_opnd e = {.col = o->col};
        set_reg(&e, y->index + i);
        vec_push(&p->stack, e);
    }
    o->kind = PO_VEC;
    o->n = y->vec;
    o->sub = ptx_take_operands(p, base);
    return true;
}

/* x[3] names the address of an element; everywhere but in a mov it is the memory there. */
static bool array_element(struct ptx_parser *p, enum ptx_op op, struct ptx_opnd *o)
{
    uint64_t index;
    ptx_next(p);
    if (!ptx_starts_const(&p->t))
        return ptx_unexpected(p, "a constant index");
    if (!ptx_int_expr(p, &index) || !ptx_expect(p, ']', "']'"))
        return false;
    o->off = (int64_t)(index * type_bytes(o->var->type) * o->var->vec);
    if (op == P_mov || op == P_cvta)
        return true;
    uint32_t base = p->stack.n;
    struct ptx_opnd var = *o;
    var.off = 0;
    vec_push(&p->stack, var);
    o->kind = PO_ADDR;
    o->var = NULL;
    o->n = 1;
    o->sub = ptx_take_operands(p, base);
    return true;
}

static struct ptx_sym *undeclared(struct ptx_parser *p, const struct ptx_tok *name)
{
    ptx_err(p, name, "register '%.*s' is not declared", PTX_TOK(name));
    struct ptx_sym *y = ptx_sym_add(p, false, 1, name->s, name->len, SY_REG);
    y->bad = true;
    y->type = T_B32;
    y->vec = 1;
    y->index = ptx_reg_new(p, ptx_name(p, name), T_B32, 1);
    return y;
}

struct ptx_sym *ptx_reg_named(struct ptx_parser *p, const struct ptx_tok *name)
{
    struct ptx_sym *y = ptx_name_find(p, name->s, name->len);
    if (!y)
        return undeclared(p, name);
    return y->kind == SY_REG ? y : NULL;
}

/* A name that nothing declares yet: resolved at the end of the module. */
static bool pending(struct ptx_parser *p, const struct ptx_tok *name, struct ptx_opnd *o)
{
    o->kind = PO_PENDING;
    o->table = p->name_refs.n;
    vec_push(&p->name_refs,
             (struct ptx_name_ref){.name = name->s, .len = name->len, .line = name->line, .col = name->col});
    return ptx_offset(p, &o->off);
}

static bool name_operand(struct ptx_parser *p, enum ptx_op op, struct ptx_opnd *o)
{
    struct ptx_tok name = p->t;
    bool failed = false;
    ptx_next(p);
    struct ptx_sym *y = ptx_name_find(p, name.s, name.len);
    if (y && (y->kind == SY_REG || y->kind == SY_VREG))
        return reg_operand(p, y, o);
    if (y && y->kind == SY_FUNC) {
        o->kind = PO_FUNC;
        o->func = y->func;
        return true;
    }
    if (y) {
        o->kind = PO_VAR;
        o->var = y->var;
        return p->t.kind == '[' ? array_element(p, op, o) : ptx_offset(p, &o->off);
    }
    if (name.s[0] == '%') {
        if (!ptx_special(p, &name, &o->sreg, &failed))
            return failed ? false : reg_operand(p, undeclared(p, &name), o);
        o->kind = PO_SREG;
        return true;
    }
    return pending(p, &name, o);
}

static bool const_operand(struct ptx_parser *p, struct ptx_opnd *o)
{
    struct ptx_const c;
    if (!ptx_const_expr(p, &c))
        return false;
    o->kind = c.kind == TK_INT ? PO_IMM : PO_FIMM;
    o->is_f32 = c.kind == TK_SINGLE;
    o->imm = c.value;
    return true;
}

/* The base of an address and its offset: [%r1+4], [x-4], [16]. */
static bool address_base(struct ptx_parser *p, struct ptx_opnd *base, int64_t *off)
{
    struct ptx_tok at = p->t;
    *base = (struct ptx_opnd){.col = at.col};
    if (ptx_starts_const(&at)) {
        if (!const_operand(p, base))
            return false;
        return base->kind == PO_IMM ? true : ptx_err(p, &at, "an address must be an integer");
    }
    if (at.kind != TK_IDENT)
        return ptx_unexpected(p, "an address");
    if (!name_operand(p, P_mov, base))
        return false;
    if (base->kind != PO_REG && base->kind != PO_VAR && base->kind != PO_PENDING)
        return ptx_err(p, &at, "'%.*s' cannot be an address", PTX_TOK(&at));
    *off = base->off;
    base->off = 0;
    return base->kind == PO_REG ? ptx_offset(p, off) : true;
}

/* '[' was seen: an address, or with commas a texture or surface and its coordinates. */
static bool bracket_operand(struct ptx_parser *p, enum ptx_op op, struct ptx_opnd *o)
{
    struct ptx_opnd base;
    uint32_t from = p->stack.n;
    ptx_next(p);
    if (!address_base(p, &base, &o->off))
        return false;
    vec_push(&p->stack, base);
    o->kind = PO_ADDR;
    while (ptx_accept(p, ',')) {
        struct ptx_opnd e;
        if (p->stack.n - from == 3)
            return ptx_err(p, &p->t, "too many operands in brackets");
        if (p->t.kind == '[')
            return ptx_unexpected(p, "a register or vector");
        if (!ptx_operand(p, op, &e))
            return false;
        vec_push(&p->stack, e);
        o->kind = PO_TEX;
    }
    o->n = (uint8_t)(p->stack.n - from);
    o->sub = ptx_take_operands(p, from);
    return ptx_expect(p, ']', "']'");
}

bool ptx_operand_list(struct ptx_parser *p, enum ptx_op op, int close, struct ptx_opnd *o)
{
    uint32_t from = p->stack.n;
    while (p->t.kind != close) {
        struct ptx_opnd e;
        if (p->stack.n - from == PTX_MAX_ARGS)
            return ptx_err(p, &p->t, "more than %d operands in a list", PTX_MAX_ARGS);
        if (p->t.kind == '{' || p->t.kind == '[')
            return ptx_unexpected(p, "a register, name or constant");
        if (!ptx_operand(p, op, &e))
            return false;
        vec_push(&p->stack, e);
        if (!ptx_accept(p, ','))
            break;
    }
    o->n = (uint8_t)(p->stack.n - from);
    o->sub = ptx_take_operands(p, from);
    return ptx_expect(p, close, close == '}' ? "',' or '}'" : "',' or ')'");
}

static bool vector_operand(struct ptx_parser *p, enum ptx_op op, struct ptx_opnd *o)
{
    struct ptx_tok at = p->t;
    ptx_next(p);
    o->kind = PO_VEC;
    if (!ptx_operand_list(p, op, '}', o))
        return false;
    return o->n ? true : ptx_err(p, &at, "empty vector");
}

static bool not_operand(struct ptx_parser *p, enum ptx_op op, struct ptx_opnd *o)
{
    ptx_next(p);
    struct ptx_tok at = p->t;
    if (!name_operand(p, op, o))
        return false;
    if (o->kind != PO_REG)
        return ptx_err(p, &at, "'!' takes a predicate register");
    o->neg = 1;
    return true;
}

static bool single_operand(struct ptx_parser *p, enum ptx_op op, struct ptx_opnd *o)
{
    *o = (struct ptx_opnd){.col = p->t.col};
    switch (p->t.kind) {
    case '[': return bracket_operand(p, op, o);
    case '{': return vector_operand(p, op, o);
    case '!':
        if (ptx_peek(p)->kind == TK_IDENT)
            return not_operand(p, op, o);
        break;
    case TK_IDENT:
        if (ptx_tok_is(&p->t, "_")) {
            ptx_next(p);
            o->kind = PO_NONE;
            return true;
        }
        if (!ptx_starts_const(&p->t))
            return name_operand(p, op, o);
        break;
    default: break;
    }
    return ptx_starts_const(&p->t) ? const_operand(p, o) : ptx_unexpected(p, "an operand");
}

/* What stands behind the '|' of a pair: a register or '_'. */
static bool second_operand(struct ptx_parser *p, struct ptx_opnd *o)
{
    struct ptx_tok name = p->t;
    *o = (struct ptx_opnd){.kind = PO_NONE, .col = name.col};
    if (!ptx_expect(p, TK_IDENT, "a register behind '|'"))
        return false;
    if (ptx_tok_is(&name, "_"))
        return true;
    struct ptx_sym *y = ptx_reg_named(p, &name);
    if (!y)
        return ptx_err(p, &name, "expected a register behind '|'");
    set_reg(o, y->index);
    return true;
}

bool ptx_operand(struct ptx_parser *p, enum ptx_op op, struct ptx_opnd *o)
{
    if (!single_operand(p, op, o))
        return false;
    if (!ptx_accept(p, '|'))
        return true;
    struct ptx_opnd second;
    uint32_t from = p->stack.n, col = o->col;
    if (!second_operand(p, &second))
        return false;
    vec_push(&p->stack, *o);
    vec_push(&p->stack, second);
    *o = (struct ptx_opnd){.kind = PO_PAIR, .col = col, .n = 2};
    o->sub = ptx_take_operands(p, from);
    return true;
}
