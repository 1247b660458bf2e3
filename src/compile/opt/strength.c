/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions that do less than they could: an atomic whose old value nobody wants, a product with zero, a 64-bit shift of a
 * number that was widened, which is one multiplication, and a half that is shifted down only to be converted. */
#include "compile/opt/defs.h"

static bool unused(const struct defs *d, const struct ir_opnd *o)
{
    const struct def *x = defs_info(d, o);
    for (unsigned w = 0; w < o->n; w++)
        if (x[w].nuses)
            return false;
    return true;
}

static bool atom_to_red(const struct defs *d, struct ir_insn *i)
{
    if (i->op != OP_ATOM || i->aop == AOP_CAS || i->aop == AOP_EXCH || i->dst[0].kind != OPND_REG ||
        !unused(d, &i->dst[0]))
        return false;
    i->op = OP_RED;
    i->dst[0] = ir_none();
    return true;
}

/* A product with zero: the high words of 64-bit products of small numbers. */
static bool multiply_by_zero(struct ir_insn *i)
{
    bool word = i->op == OP_IMAD && !i->flags && !i->dst[1].kind,
         zero = opnd_is_zero(&i->src[0]) || opnd_is_zero(&i->src[1]);
    if (!word || !zero || i->src[2].neg || i->src[2].abs || i->src[2].n > 1)
        return false;
    struct ir_insn m = {.op = OP_MOV,
                        .type = T_U32,
                        .guard = i->guard,
                        .line = i->line,
                        .dst = {i->dst[0]},
                        .src = {i->src[2]}};
    if (m.src[0].kind == OPND_NONE)
        m.src[0] = ir_imm(0);
    *i = m;
    return true;
}

/* Is the word the sign of `low`, or zero? */
static bool widened(const struct defs *d, const struct ir_opnd *high, const struct ir_opnd *low,
                    uint32_t block, uint32_t at, enum ir_type *type)
{
    *type = T_U32;
    if (opnd_is_zero(high))
        return true;
    const struct ir_insn *s = high->kind == OPND_REG ? defs_of(d, high, block, at) : NULL;
    *type = T_S32;
    return s && s->op == OP_SHR && s->type == T_S32 && s->src[1].kind == OPND_IMM && s->src[1].val == 31 &&
           s->src[0].kind == OPND_REG && s->src[0].val == low->val && s->src[0].sub == low->sub &&
           defs_stable(d, low, block, at);
}

/* high = SHF.L (sign:x) << k, low = x << k: x times 2^k as a 64-bit number. */
static bool shift_to_wide(const struct defs *d, struct ir_block *b, uint32_t block, uint32_t at)
{
    struct ir_insn *hi = &b->insns.at[at], *lo = hi + 1;
    if (at + 1 >= b->insns.n || hi->op != OP_SHF_L || hi->sub != SHF_CLAMP64 || lo->op != OP_SHL ||
        hi->guard.kind || lo->guard.kind || hi->src[1].kind != OPND_IMM || lo->src[1].kind != OPND_IMM ||
        hi->src[1].val != lo->src[1].val || hi->src[1].val > 30)
        return false;
    const struct ir_opnd *x = &lo->src[0];
    enum ir_type type;
    if (x->kind != OPND_REG || hi->src[0].kind != OPND_REG || hi->src[0].val != x->val ||
        hi->src[0].sub != x->sub || hi->dst[0].val != lo->dst[0].val || hi->dst[0].sub != 1 ||
        lo->dst[0].sub != 0 || hi->dst[0].val == x->val || !widened(d, &hi->src[2], x, block, at, &type))
        return false;
    struct ir_insn wide = {.op = OP_IMAD_WIDE, .type = (uint8_t)type, .line = hi->line};
    wide.dst[0] = ir_reg(lo->dst[0].val, 0, 2);
    wide.src[0] = *x;
    wide.src[1] = ir_imm(1u << hi->src[1].val);
    wide.src[2] = ir_imm(0);
    *hi = wide;
    *lo = (struct ir_insn){.op = OP_NOP, .line = wide.line};
    return true;
}

/* x >> 16 as a number of half precision: conversion takes either half of a register (SASS: HADD2.F32 d, -RZ, x.H1_H1). */
static bool convert_upper(const struct defs *d, struct ir_insn *i, uint32_t block, uint32_t at)
{
    if (i->op != OP_F2F || i->type != T_F32 || i->stype != T_F16 || i->sub || i->flags || i->src[0].neg ||
        i->src[0].abs)
        return false;
    const struct ir_insn *s = defs_of(d, &i->src[0], block, at);
    if (!s || s->op != OP_SHR || s->type != T_U32 || s->src[1].kind != OPND_IMM || s->src[1].val != 16 ||
        s->src[0].kind != OPND_REG || !defs_stable(d, &s->src[0], block, at))
        return false;
    i->src[0] = s->src[0];
    i->sub = 1;
    return true;
}

bool pass_strength(struct ir_fn *fn)
{
    struct defs d;
    bool any = false;
    defs_build(&d, fn);
    for (uint32_t r = 0; r < d.c->nrpo; r++) {
        uint32_t b = d.c->rpo[r];
        struct ir_block *bl = &fn->blocks.at[b];
        for (uint32_t k = 0; k < bl->insns.n; k++)
            any |= atom_to_red(&d, &bl->insns.at[k]) || multiply_by_zero(&bl->insns.at[k]) ||
                   shift_to_wide(&d, bl, b, k) || convert_upper(&d, &bl->insns.at[k], b, k);
    }
    defs_free(&d);
    return any;
}
