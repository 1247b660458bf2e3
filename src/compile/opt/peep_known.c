/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions whose result is known without them, as 64-bit arithmetic leaves them behind: PTX has a number of two words as one,
 * of which one word is often zero or a copy. Only for sm_90: the stored figures of the suite rest on code for sm_80. */
#include "compile/lower/lower.h"
#include "compile/opt/legal.h"
#include "compile/opt/peep_room.h"

static void become_move(struct ir_insn *i, struct ir_opnd s)
{
    *i = (struct ir_insn){
        .op = OP_MOV, .type = T_U32, .guard = i->guard, .dst = {i->dst[0]}, .src = {s}, .line = i->line};
}

/* A choice between equals. */
static bool choose_same(struct ir_insn *i)
{
    if (i->op != OP_SEL || i->dst[0].n != 1 || !peep_same(&i->src[0], &i->src[1]) ||
        !peep_plain(&i->src[0]) || !peep_plain(&i->src[1]))
        return false;
    become_move(i, i->src[0]);
    return true;
}

/* Logic whose table, with the bits that are the same in all of a source, copies another source, or is always 0 or 1. */
static bool copy_by_logic(struct ir_insn *i)
{
    if (i->op != OP_LOP3 || i->dst[1].kind || i->dst[0].n != 1)
        return false;
    unsigned ones = 0, all = 0, rows = 0, same = 7, zeros = 0;
    for (unsigned k = 0; k < 3; k++) {
        const struct ir_opnd *o = &i->src[k];
        bool none = !o->kind || opnd_is_zero(o), full = o->kind == OPND_IMM && o->val == UINT32_MAX;
        zeros |= (unsigned)none << (2 - k);
        ones |= (unsigned)full << (2 - k);
    }
    for (unsigned row = 0; row < 8; row++) {
        if (row & zeros || ~row & ones)
            continue; /* never read */
        unsigned bit = i->lut >> row & 1;
        rows++;
        all += bit;
        for (unsigned k = 0; k < 3; k++)
            if ((row >> (2 - k) & 1) != bit)
                same &= ~(1u << k);
    }
    if (all == 0 || all == rows) {
        become_move(i, ir_imm(all ? UINT32_MAX : 0));
        return true;
    }
    for (unsigned k = 0; k < 3; k++)
        if (same >> k & 1 && peep_plain(&i->src[k])) {
            become_move(i, i->src[k]);
            return true;
        }
    return false;
}

/* The sign of a constant, and its like. */
static bool shift_constant(const struct peep *p, struct ir_insn *i)
{
    if ((i->op != OP_SHR && i->op != OP_SHL) || i->dst[0].n != 1 || i->src[0].kind != OPND_REG ||
        !peep_plain(&i->src[0]) || i->src[1].kind != OPND_IMM || i->src[1].val > 31)
        return false;
    struct ir_opnd o = defs_origin(&p->d, i->src[0], p->block, p->at);
    if (o.kind != OPND_IMM || o.n != 1)
        return false;
    uint32_t k = i->src[1].val;
    become_move(i, ir_imm(i->op == OP_SHL    ? o.val << k
                          : i->type == T_S32 ? (uint32_t)((int32_t)o.val >> k)
                                             : o.val >> k));
    return true;
}

/* The absolute value of a constant: clang divides constants in a register. */
static bool abs_constant(const struct peep *p, struct ir_insn *i)
{
    if (i->op != OP_IABS || !peep_plain(&i->src[0]))
        return false;
    struct ir_opnd o = defs_origin(&p->d, i->src[0], p->block, p->at);
    if (o.kind != OPND_IMM || o.n != 1)
        return false;
    become_move(i, ir_imm((int32_t)o.val < 0 ? -o.val : o.val));
    return true;
}

static bool holds(const struct ir_insn *i, uint32_t a, uint32_t b)
{
    int64_t x = i->type == T_S32 ? (int32_t)a : (int64_t)a, y = i->type == T_S32 ? (int32_t)b : (int64_t)b;
    switch (i->cmp) {
    case CMP_EQ: return x == y;
    case CMP_NE: return x != y;
    case CMP_LT: return x < y;
    case CMP_LE: return x <= y;
    case CMP_GT: return x > y;
    default: return x >= y;
    }
}

/* A comparison of two constants is the predicate that always holds, or its inverse. */
static bool compare_constants(const struct peep *p, struct ir_insn *i)
{
    if (i->op != OP_ISETP || i->flags || i->guard.kind || i->dst[1].kind || i->src[2].kind ||
        i->cmp == CMP_NONE || i->cmp > CMP_GE || i->src[1].kind != OPND_IMM || i->src[0].kind != OPND_REG ||
        !peep_plain(&i->src[0]) || !peep_plain(&i->src[1]))
        return false;
    struct ir_opnd o = defs_origin(&p->d, i->src[0], p->block, p->at), pt = ir_pred(PRED_PT, false);
    if (o.kind != OPND_IMM || o.n != 1)
        return false;
    *i = (struct ir_insn){.op = OP_PLOP3,
                          .type = T_PRED,
                          .lut = holds(i, o.val, i->src[1].val) ? LUT_A : LUT_NOT_A,
                          .dst = {i->dst[0]},
                          .src = {pt, pt, pt},
                          .line = i->line};
    return true;
}

/* An instruction under a guard that always or never holds. */
static bool guard_is_known(struct ir_insn *i)
{
    if (i->guard.kind != OPND_PRED || i->guard.val != PRED_PT || ir_ops[i->op].flags & OPF_CTL)
        return false;
    if (i->guard.neg)
        *i = (struct ir_insn){.op = OP_NOP, .line = i->line};
    else
        i->guard = ir_none();
    return true;
}

/* The carry of x + 0 is 0, that of x - 0 is 1. */
static bool carry_is_known(const struct peep *p, const struct ir_opnd *carry, bool *is)
{
    if (carry->kind != OPND_PRED || carry->val < VPRED0 || carry->neg)
        return false;
    const struct ir_insn *a = peep_def(p, carry);
    if (!a || a->op != OP_IADD3 || a->flags || a->dst[1].kind != OPND_PRED || a->dst[1].val != carry->val)
        return false;
    unsigned zeros = 0, minus = 0, negative = 0;
    for (unsigned k = 0; k < 3; k++) {
        bool zero = opnd_is_zero(&a->src[k]) || !a->src[k].kind;
        zeros += zero;
        minus += zero && a->src[k].neg;
        negative += !zero && (a->src[k].neg || a->src[k].abs);
    }
    *is = minus == 1;
    return zeros >= 2 && minus <= 1 && !negative;
}

/* A sum with a carry that is known is one without: as ~b + 1 is -b, with one source that is taken away the carry has to be 1. */
static bool drop_carry(const struct peep *p, struct ir_insn *i)
{
    bool is;
    if (i->op != OP_IADD3 || i->flags != IRF_X || i->dst[1].kind || !carry_is_known(p, &i->src[3], &is))
        return false;
    unsigned minus = 0;
    for (unsigned k = 0; k < 3; k++)
        minus += i->src[k].neg;
    if (minus != is)
        return false;
    i->flags = 0;
    i->src[3] = ir_none();
    return true;
}

/* Is the comparison of the low words always false (nothing is below 0, nothing above all ones), or always true? */
static bool low_is_known(const struct peep *p, const struct ir_opnd *low, bool *is)
{
    if (low->kind != OPND_PRED || low->val < VPRED0 || low->neg)
        return false;
    const struct ir_insn *c = peep_def(p, low);
    if (!c || c->op != OP_ISETP || c->flags || c->type != T_U32 || c->src[2].kind ||
        c->dst[0].val != low->val || c->src[1].kind != OPND_IMM)
        return false;
    *is = c->cmp == CMP_GE || c->cmp == CMP_LE;
    return c->src[1].val == (c->cmp == CMP_LT || c->cmp == CMP_GE   ? 0
                             : c->cmp == CMP_GT || c->cmp == CMP_LE ? UINT32_MAX
                                                                    : ~c->src[1].val);
}

/* A number of two words beside one whose low word decides nothing: its high word is compared alone. */
static bool compare_high(const struct peep *p, struct ir_insn *i)
{
    bool is;
    if (i->op != OP_ISETP || i->flags != IRF_X || !low_is_known(p, &i->src[3], &is))
        return false;
    bool strict = i->cmp == CMP_LT || i->cmp == CMP_GT, weak = i->cmp == CMP_LE || i->cmp == CMP_GE;
    if (is ? !weak : !strict)
        return false;
    i->flags = 0;
    i->src[3] = ir_none();
    return true;
}

/* High words that are equal, zero in numbers that were widened: the low words decide. */
static bool compare_low(struct ir_insn *i)
{
    if (i->op != OP_ISETP || i->flags != IRF_X || i->guard.kind || i->dst[1].kind || i->src[2].kind ||
        !peep_same(&i->src[0], &i->src[1]) || !peep_plain(&i->src[0]) || !peep_plain(&i->src[1]) ||
        i->src[3].kind != OPND_PRED)
        return false;
    struct ir_opnd pt = ir_pred(PRED_PT, false);
    *i = (struct ir_insn){.op = OP_PLOP3,
                          .type = T_PRED,
                          .lut = LUT_A,
                          .dst = {i->dst[0]},
                          .src = {i->src[3], pt, pt},
                          .line = i->line};
    return true;
}

/* (a + carry) + c: one sum of both with the carry. */
static bool fuse_carry(const struct peep *p, struct ir_insn *i)
{
    if (!peep_is_add2(i))
        return false;
    for (unsigned side = 0; side < 2; side++) {
        const struct ir_opnd *s = &i->src[side], *c = &i->src[1 - side];
        if (!peep_takes_in(s, c) || !peep_one_use(p, s))
            continue;
        const struct ir_insn *a = peep_def(p, s);
        if (!a || a->op != OP_IADD3 || a->flags != IRF_X || a->dst[1].kind || a->guard.kind ||
            !opnd_is_zero(&a->src[1]) || !opnd_is_zero(&a->src[2]) || !peep_plain(&a->src[0]) ||
            a->src[0].kind != OPND_REG || !peep_stable_srcs(p, a))
            continue;
        struct ir_insn n = *a;
        n.dst[0] = i->dst[0];
        n.line = i->line;
        n.src[1] = *c;
        if (!legal_src(&n, 1, c))
            continue;
        *i = n;
        return true;
    }
    return false;
}

/* A predicate that became a number and is tested: C has no predicates, so inline assembly gives them as 0 and 1. */
static bool test_choice(const struct peep *p, struct ir_insn *i)
{
    if (i->op != OP_ISETP || i->flags || i->guard.kind || i->dst[1].kind || i->src[2].kind ||
        i->cmp == CMP_NONE || i->cmp > CMP_GE || i->src[0].kind != OPND_REG || !peep_plain(&i->src[0]) ||
        i->src[1].kind != OPND_IMM)
        return false;
    const struct ir_insn *c = peep_def(p, &i->src[0]);
    if (!c || c->op != OP_SEL || c->dst[0].n != 1 || c->src[0].kind != OPND_IMM ||
        c->src[1].kind != OPND_IMM || !peep_plain(&c->src[0]) || !peep_plain(&c->src[1]) ||
        !peep_stable_src(p, c, &c->src[2]))
        return false;
    bool yes = holds(i, c->src[0].val, i->src[1].val), no = holds(i, c->src[1].val, i->src[1].val);
    if (yes == no)
        return false;
    struct ir_opnd pt = ir_pred(PRED_PT, false);
    *i = (struct ir_insn){.op = OP_PLOP3,
                          .type = T_PRED,
                          .lut = yes ? LUT_A : LUT_NOT_A,
                          .dst = {i->dst[0]},
                          .src = {c->src[2], pt, pt},
                          .line = i->line};
    return true;
}

/* A shift that pushes out whatever a mask has cut: the upper half of a word from a number of 16 bits. */
static bool shift_unmasked(const struct peep *p, struct ir_insn *i)
{
    if (i->op != OP_SHL || i->dst[0].n != 1 || i->src[0].kind != OPND_REG || !peep_plain(&i->src[0]) ||
        i->src[1].kind != OPND_IMM || i->src[1].val > 31)
        return false;
    const struct ir_insn *m = peep_def(p, &i->src[0]);
    if (!m || m->op != OP_LOP3 || m->lut != LUT_AND || m->dst[1].kind || m->src[1].kind != OPND_IMM ||
        !opnd_is_zero(&m->src[2]) || m->src[0].kind != OPND_REG || !peep_plain(&m->src[0]) ||
        m->src[1].val << i->src[1].val != UINT32_MAX << i->src[1].val || !peep_stable_src(p, m, &m->src[0]))
        return false;
    i->src[0] = m->src[0];
    return true;
}

bool peep_known(struct peep *p, struct ir_insn *i)
{
    return p->d.fn->hopper &&
           (guard_is_known(i) || abs_constant(p, i) || compare_constants(p, i) || choose_same(i) ||
            test_choice(p, i) || shift_unmasked(p, i) || copy_by_logic(i) || shift_constant(p, i) ||
            drop_carry(p, i) || compare_high(p, i) || compare_low(i) || fuse_carry(p, i));
}
