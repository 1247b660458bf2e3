/* SPDX-License-Identifier: Apache-2.0 */
/* Tensor cores. */
#include "sass/lower.h"

static void product(struct lower *l, enum ir_op op, unsigned a, unsigned b, unsigned c)
{
    l->out->op = (uint8_t)op;
    l->out->dst[0] = lower_dst(l, 0, c);
    l->out->src[0] = lower_src(l, 1, a);
    l->out->src[1] = lower_src(l, 2, b);
    l->out->src[2] = lower_src(l, 3, c);
}

/* Sums of tensor cores whose way of adding is known. */
static uint16_t chops(const struct lower *l) { return l->k->arch == 90 ? IRF_CHOP : 0; }

/* Registers of A and B by shape: 16x8 times k of 16, 8 or 4; elements of 16 bits are two to a register, of 32 bits one. */
static bool hmma(struct lower *l)
{
    static const uint8_t k_of[] = {8, 16, 4}, types[] = {T_F16, T_BF16, T_TF32};
    unsigned src = lower_mod(l, SM_hmsrc), k = k_of[lower_mod(l, SM_hmshape)], f32 = lower_mod(l, SM_hmdst);
    unsigned b = src == 2 ? k / 4 : k / 8;
    if (b != 1 && b != 2)
        return lower_refuse(l, "a product of this shape");
    product(l, OP_HMMA, 2 * b, b, f32 ? 4 : 2);
    l->out->type = f32 ? T_F32 : T_F16;
    l->out->stype = types[src];
    l->out->flags = chops(l);
    return true;
}

static bool imma(struct lower *l)
{
    static const uint8_t types[] = {T_U8, T_S8, T_U4, T_S4};
    /* shape: registers of A, B, C */
    static const uint8_t regs[7][3] = {{1, 1, 2}, {0}, {1, 1, 2}, {0}, {2, 1, 4}, {4, 2, 4}, {4, 2, 4}};
    const uint8_t *n = regs[lower_mod(l, SM_imshape)];
    unsigned a = lower_mod(l, SM_ima), b = lower_mod(l, SM_imb);
    if (a / 2 != b / 2)
        return lower_refuse(l, "factors of different sizes");
    product(l, OP_IMMA, n[0], n[1], n[2]);
    l->out->type = T_S32;
    l->out->stype = types[a];
    l->out->bop = (uint8_t)((a & 1) | (b & 1) << 1);
    l->out->flags = lower_mod(l, SM_sat) ? IRF_SAT : 0;
    return true;
}

/* d, descriptors or A and a descriptor, C, predicate (counted from UPT downwards), group. The descriptors of A and B have four
 * uniform registers, and B's are the last two of them whether A has any or is in registers. */
static bool hgmma(struct lower *l)
{
    static const uint8_t types[] = {T_F16, T_BF16, T_TF32};
    struct ir_insn *o = l->out;
    bool in_regs = l->in->row->code >= 0xd00, eight = l->in->row->op == S_QGMMA, f32 = lower_mod(l, SM_hmdst);
    unsigned cols = 8 * (lower_mod(l, SM_hgn) + 1), n = f32 ? cols / 2 : cols / 4, k = in_regs ? 3 : 2;
    const struct sass_opnd *desc = &l->in->opnd[in_regs ? 2 : 1];
    if (desc->reg == SASS_RZ && l->in->opnd[0].reg == SASS_RZ) { /* multiplies nothing: it ends a group */
        o->op = OP_WARPGROUP;
        o->sub = WG_COMMIT;
        return l->in->opnd[k + 2].imm == 0 || lower_refuse(l, "a product without a group");
    }
    o->op = OP_HGMMA;
    o->type = f32 ? T_F32 : T_F16;
    o->stype = o->lut = types[lower_mod(l, SM_hmsrc)];
    if (eight) {
        o->stype = sass_bits(l->in, 76, 1) ? T_E5M2 : T_E4M3;
        o->lut = sass_bits(l->in, 77, 1) ? T_E5M2 : T_E4M3;
    }
    o->sub = (uint8_t)((desc->imm & 16 || (in_regs && l->in->opnd[1].neg) ? GMMA_NEG_A : 0) |
                       (desc->imm & 8 ? GMMA_NEG_B : 0) | (desc->imm & 2 ? GMMA_TRANS_A : 0) |
                       (desc->imm & 4 ? GMMA_TRANS_B : 0));
    if (desc->reg > 59)
        return lower_refuse(l, "descriptors outside of the uniform registers");
    o->dst[0] = lower_dst(l, 0, n);
    o->src[0] = in_regs ? ir_reg(l->in->opnd[1].reg, 0, 4) : ir_reg(REG_U0 + desc->reg, 0, 2);
    o->src[1] = ir_reg(REG_U0 + desc->reg + 2u, 0, 2);
    o->src[2] = lower_src(l, k, n);
    o->src[3] = lower_src(l, k + 1, 1);
    o->flags = (uint16_t)(chops(l) | (l->in->opnd[k + 2].imm == 0 ? IRF_X : 0));
    return true;
}

bool lower_tensor(struct lower *l)
{
    switch ((enum sass_op)l->in->row->op) {
    case S_HMMA: return hmma(l);
    case S_IMMA: return imma(l);
    case S_QGMMA:
    case S_HGMMA: return hgmma(l);
    case S_BMMA:
        product(l, OP_BMMA, lower_mod(l, SM_bmshape) == 2 ? 4 : 2, lower_mod(l, SM_bmshape) == 2 ? 2 : 1, 4);
        l->out->type = T_S32;
        l->out->stype = T_B1;
        l->out->sub = 1;
        return true;
    case S_DMMA:
        if (lower_mod(l, SM_dmshape90))
            return lower_refuse(l, "a product of this shape");
        product(l, OP_DMMA, 2, 2, 4);
        l->out->type = l->out->stype = T_F64;
        return true;
    default: return false;
    }
}
