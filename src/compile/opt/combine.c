/* SPDX-License-Identifier: Apache-2.0 */
/* Two instructions that the target has one for, where the second alone reads what the first made:
 *   - the minimum or maximum of a sum and a value (SASS: VIADDMNMX), or of three values (VIMNMX3),
 *   - two floats converted to half precision, which then make a pair (F2FP.PACK_AB),
 *   - a float rounded to an integral one and converted to an integer (F2I.FLOOR, .CEIL); here others may read the rounded float
 *     as well, which F2I then does not wait for.
 * NVIDIA's assembler does exactly these (ptxas 13 on eighteen small kernels). Only for sm_90: the first two are instructions that
 * older GPUs do not have, and the stored figures of the suite rest on code for sm_80. */
#include "compile/opt/defs.h"
#include "compile/opt/legal.h"

enum { OF_SUM = 1 << 1, OF_THREE = 2 << 1 }; /* VMNMX, beside bit 0 for the maximum */

static bool is_word(const struct ir_insn *i) { return i->type == T_U32 || i->type == T_S32; }

static bool is_sum(const struct ir_insn *m)
{
    return m->op == OP_IADD3 && !m->flags && !m->dst[1].kind && opnd_is_zero(&m->src[2]) && !m->src[0].neg &&
           !m->src[1].neg;
}

static bool is_same_choice(const struct ir_insn *m, const struct ir_insn *i)
{
    return m->op == OP_IMNMX && m->sub == i->sub && m->type == i->type;
}

/* The instruction in this block whose only reader is i, by its operand k; NULL: there is none. */
static const struct ir_insn *made_for(const struct defs *d, const struct ir_insn *i, unsigned k,
                                      uint32_t block, uint32_t at)
{
    const struct ir_opnd *o = &i->src[k];
    if (o->kind != OPND_REG || o->n != 1 || o->neg || o->abs)
        return NULL;
    const struct ir_insn *m = defs_of(d, o, block, at);
    const struct def *x = defs_info(d, o);
    if (!m || m->guard.kind || x->block != block || x->nuses != 1)
        return NULL;
    for (unsigned s = 0; s < 2; s++)
        if (!defs_stable(d, &m->src[s], x->block, x->at))
            return NULL;
    return m;
}

static bool choose_of_three(const struct defs *d, struct ir_insn *i, unsigned k, uint32_t block, uint32_t at)
{
    const struct ir_insn *m = made_for(d, i, k, block, at);
    if (!m || i->src[1 - k].neg || !(is_sum(m) || is_same_choice(m, i)))
        return false;
    struct ir_insn n = *i;
    bool swap = m->src[0].kind != OPND_REG;
    n.op = OP_VMNMX;
    n.sub = (uint8_t)(i->sub | (is_sum(m) ? OF_SUM : OF_THREE));
    n.src[0] = m->src[swap];
    n.src[1] = m->src[!swap];
    n.src[2] = i->src[1 - k];
    for (unsigned s = 0; s < 3; s++)
        if (!legal_src(&n, s, &n.src[s]))
            return false;
    *i = n;
    return true;
}

/* PRMT's selector of the low halves of both sources. */
enum { LOW_HALVES = 0x5410 };

static bool convert_pair(const struct defs *d, struct ir_insn *i, uint32_t block, uint32_t at)
{
    const struct ir_insn *m[2];
    if (i->src[2].kind != OPND_IMM || i->src[2].val != LOW_HALVES)
        return false;
    for (unsigned k = 0; k < 2; k++) {
        m[k] = made_for(d, i, k, block, at);
        if (!m[k] || m[k]->op != OP_F2F || m[k]->stype != T_F32 || m[k]->flags || m[k]->sub ||
            m[k]->rnd != RND_RN || m[k]->src[0].kind != OPND_REG || m[k]->src[0].neg || m[k]->src[0].abs ||
            (m[k]->type != T_F16 && m[k]->type != T_BF16))
            return false;
    }
    if (m[0]->type != m[1]->type)
        return false;
    struct ir_insn n = {.op = OP_F2FP, .stype = T_F32, .rnd = RND_RN, .guard = i->guard, .line = i->line};
    n.type = m[0]->type == T_F16 ? T_F16X2 : T_BF16X2;
    n.dst[0] = i->dst[0];
    n.src[0] = m[1]->src[0]; /* the upper one first */
    n.src[1] = m[0]->src[0];
    *i = n;
    return true;
}

static bool convert_unrounded(const struct defs *d, struct ir_insn *i, uint32_t block, uint32_t at)
{
    const struct ir_opnd *o = &i->src[0];
    if (o->kind != OPND_REG || o->neg || o->abs || i->rnd != RND_RZI ||
        (i->stype != T_F32 && i->stype != T_F64))
        return false;
    struct ir_opnd word = ir_reg(o->val, o->sub, 1);
    const struct ir_insn *m = defs_of(d, &word, block, at);
    if (!m || m->op != OP_FRND || m->type != i->stype || m->guard.kind || m->flags & ~IRF_FTZ ||
        m->dst[0].val != o->val || m->dst[0].sub != o->sub || m->dst[0].n != o->n)
        return false;
    const struct def *x = defs_info(d, &word);
    if (!defs_stable(d, &m->src[0], x->block, x->at))
        return false;
    i->src[0] = m->src[0];
    i->rnd = m->rnd;
    i->flags = (uint16_t)((i->flags & ~IRF_FTZ) | (m->flags & IRF_FTZ));
    return true;
}

bool pass_combine(struct ir_fn *fn)
{
    struct defs d;
    bool any = false;
    defs_build(&d, fn);
    for (uint32_t r = 0; r < d.c->nrpo; r++)
        for (uint32_t b = d.c->rpo[r], at = 0; at < fn->blocks.at[b].insns.n; at++) {
            struct ir_insn *i = &fn->blocks.at[b].insns.at[at];
            if (i->op == OP_IMNMX && is_word(i) && !i->flags)
                any |= choose_of_three(&d, i, 0, b, at) || choose_of_three(&d, i, 1, b, at);
            else if (i->op == OP_PRMT)
                any |= convert_pair(&d, i, b, at);
            else if (i->op == OP_F2I)
                any |= convert_unrounded(&d, i, b, at);
        }
    defs_free(&d);
    return any;
}
