/* SPDX-License-Identifier: Apache-2.0 */
/* Copies and constants are propagated to their uses, small patterns are folded (peep.c), and what nobody reads any more
 * is dropped. No SSA: only values with one unguarded definition take part, which in compiler-made PTX are nearly all. */
#include "compile/opt/defs.h"
#include "compile/opt/legal.h"
#include "compile/opt/local.h"
#include "compile/opt/peep.h"

enum { ROUNDS = 5 };

/* May a source of several words be zero in all of them, which is one immediate? */
static bool takes_zero(const struct ir_insn *i, unsigned k)
{
    return i->op == OP_IMAD_WIDE || (ir_ops[i->op].unit == UNIT_TENSOR && i->op != OP_HGMMA && k == 2);
}

static bool all_zero(const struct ir_opnd *w, unsigned n)
{
    for (unsigned k = 0; k < n; k++)
        if (!opnd_is_zero(&w[k]))
            return false;
    return true;
}

/* Joins the origins of n words to one operand; false: they do not lie next to each other. */
static bool join(const struct ir_opnd *w, unsigned n, bool is_double, struct ir_opnd *out)
{
    if (w[0].kind == OPND_REG) {
        if (w[0].sub % (n == 3 ? 4 : n))
            return false;
        for (unsigned k = 1; k < n; k++)
            if (w[k].kind != OPND_REG || w[k].val != w[0].val || w[k].sub != w[0].sub + k)
                return false;
        *out = ir_reg(w[0].val, w[0].sub, n);
        return true;
    }
    if (n != 2 || w[0].kind != w[1].kind)
        return false;
    if (w[0].kind == OPND_CONST) {
        *out = ir_const(w[0].sub, w[0].val, 2);
        return w[0].sub == w[1].sub && w[1].val == w[0].val + 4 && w[0].val % 8 == 0;
    }
    if (w[0].kind != OPND_IMM || w[0].val)
        return false;
    if (!is_double) {
        *out = ir_imm(0);
        return w[1].val == 0;
    }
    *out = ir_imm(w[1].val);
    out->n = 2;
    return true;
}

static bool takes_double(const struct ir_insn *i, unsigned k)
{
    switch (i->op) {
    case OP_DADD:
    case OP_DMUL:
    case OP_DFMA:
    case OP_DSETP:
    case OP_DMNMX: return k < 3;
    default: return false;
    }
}

/* The comparison with its sides exchanged; false: it has none, or they cannot be. */
static bool mirror(struct ir_insn *i)
{
    static const uint8_t other[][2] = {
        {CMP_LT, CMP_GT}, {CMP_LE, CMP_GE}, {CMP_LTU, CMP_GTU}, {CMP_LEU, CMP_GEU}};
    static const uint8_t same[] = {CMP_EQ, CMP_NE, CMP_EQU, CMP_NEU};
    if ((i->op != OP_ISETP && i->op != OP_FSETP) || i->flags & IRF_X)
        return false;
    for (unsigned k = 0; k < sizeof same; k++)
        if (i->cmp == same[k])
            return true;
    for (unsigned k = 0; k < sizeof other / sizeof *other; k++)
        for (unsigned side = 0; side < 2; side++)
            if (i->cmp == other[k][side]) {
                i->cmp = other[k][1 - side];
                return true;
            }
    return false;
}

static void propagate_src(const struct defs *d, struct ir_insn *i, unsigned k, uint32_t block, uint32_t at)
{
    struct ir_opnd *s = &i->src[k], to, w[4];
    if (s->kind != OPND_REG || s->n > 4 || d->fn->vregs.at[s->val].fixed)
        return;
    for (unsigned x = 0; x < s->n; x++)
        w[x] = defs_origin(d, ir_reg(s->val, s->sub + x, 1), block, at);
    if (s->n == 1) {
        to = w[0];
    } else if (takes_zero(i, k) && all_zero(w, s->n)) {
        to = ir_imm(0);
    } else if (!join(w, s->n, takes_double(i, k), &to) || (to.kind == OPND_IMM && to.n == 1)) {
        return;
    }
    bool nothing = d->fn->hopper && i->op == OP_IADD3 && opnd_is_zero(&to) && !s->abs; /* RZ or -RZ */
    if (to.kind == OPND_IMM && (s->neg || s->abs) && !nothing &&
        !(ir_ops[i->op].unit == UNIT_FP32 || takes_double(i, k)))
        return; /* a sign on an integer immediate is not folded */
    if (i->op == OP_MOV && to.kind != OPND_REG && s->n > 1)
        return;
    to.neg = s->neg;
    to.abs = s->abs;
    if (legal_src(i, k, &to)) {
        *s = to;
        return;
    }
    struct ir_insn swapped = *i;
    /* A constant first operand changes sides if the second is a register. */
    if (k == 0 && (legal_commutes(i) || mirror(&swapped))) {
        swapped.src[0] = i->src[1];
        swapped.src[1] = i->src[0];
        if (swapped.src[0].kind == OPND_REG && legal_src(&swapped, 1, &to)) {
            swapped.src[1] = to;
            *i = swapped;
        }
    }
}

static void propagate(const struct defs *d)
{
    for (uint32_t r = 0; r < d->c->nrpo; r++) {
        uint32_t b = d->c->rpo[r];
        struct ir_block *blk = &d->fn->blocks.at[b];
        for (uint32_t at = 0; at < blk->insns.n; at++)
            for (unsigned k = 0; k < 6; k++)
                propagate_src(d, &blk->insns.at[at], k, b, at);
    }
}

void pass_opt(struct ir_fn *fn)
{
    for (int round = 0; round < ROUNDS; round++) {
        struct defs d;
        defs_build(&d, fn);
        propagate(&d);
        bool more = local_constants(&d);
        defs_free(&d);
        more |= pass_params(fn);
        more |= pass_strength(fn);
        more |= peephole(fn);
        more |= pass_dead(fn);
        if (!more)
            break;
    }
    pass_dead(fn);
}
