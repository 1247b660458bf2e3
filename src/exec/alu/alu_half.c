/* SPDX-License-Identifier: Apache-2.0 */
/* Half precision: f16 and bf16, one value or two in a register. Sums and products of two halves are computed in float,
 * which has enough bits that the second rounding changes nothing (24 >= 2 * 11 + 2, Figueroa 1995). A fused multiply-add
 * is computed in double and rounded once: with f16 the sum of product and addend is exact wherever it is near a tie
 * (both are multiples of 2^-48 below 2^17, or the smaller is far from half a unit of the larger); with bf16, whose
 * exponents reach further, it is rounded to odd first. */
#include "exec/alu/alu_fp.h"

/* Flags of one instruction, as words: 0 or all ones, so that they mix with lanes. */
struct half_ctl {
    uint32_t ftz; /* the exponent bits when flushing, else 0 */
    uint32_t sat, relu, nan, xorsign, max;
};

static ALU_INLINE uint32_t half_flush(uint32_t h, uint32_t exp)
{
    uint32_t keep = (h & exp) || !exp ? 0xffff : 0x8000;
    return h & keep;
}
static ALU_INLINE float half_in(uint32_t h, bool bf) { return bf ? bf16_to_f32(h) : f16_to_f32(h); }
static ALU_INLINE uint32_t half_out(float r, bool bf) { return bf ? bf16_from_f32(r) : f16_from_f32(r); }

/* As FMNMX, on halves that became floats. */
static ALU_INLINE float half_mnmx(float fa, float fb, const struct half_ctl *c)
{
    uint32_t a = f32_bits(fa), b = f32_bits(fb), sign = (a ^ b) & c->xorsign & 0x80000000;
    a &= ~(c->xorsign & 0x80000000);
    b &= ~(c->xorsign & 0x80000000);
    int32_t ka = (int32_t)(a ^ (uint32_t)((int32_t)a >> 31 & 0x7fffffff) ^ c->max);
    int32_t kb = (int32_t)(b ^ (uint32_t)((int32_t)b >> 31 & 0x7fffffff) ^ c->max);
    uint32_t na = fa != fa ? ~0u : 0, nb = fb != fb ? ~0u : 0;
    uint32_t r = ka < kb ? a : b;
    r = alu_pick(na, b, alu_pick(nb, a, r)) | sign;
    return as_f32(alu_pick((na & nb) | ((na | nb) & c->nan), F32_NAN, r));
}

/* One half of each source; c NULL: no flags. */
static ALU_INLINE uint32_t half_op(enum ir_op op, bool bf, uint32_t h0, uint32_t h1, uint32_t h2,
                                   const struct half_ctl *c)
{
    h0 &= 0xffff, h1 &= 0xffff, h2 &= 0xffff;
    if (c)
        h0 = half_flush(h0, c->ftz), h1 = half_flush(h1, c->ftz), h2 = half_flush(h2, c->ftz);
    float f0 = half_in(h0, bf), f1 = half_in(h1, bf), r;
    if (op == OP_HADD2) {
        r = f0 + f1;
    } else if (op == OP_HMUL2) {
        r = f0 * f1;
    } else if (op == OP_HFMA2) {
        double p = (double)f0 * f1, add = half_in(h2, bf);
        r = half_round(bf ? add_odd(p, add) : p + add, bf);
    } else {
        r = half_mnmx(f0, f1, c);
    }
    if (!c)
        return half_out(r, bf);
    uint32_t u = f32_bits(r), nonneg = r > 0.0f || r != r ? ~0u : 0;
    u = alu_pick(c->sat, f32_bits(f32_sat(r)), u);
    u &= nonneg | ~c->relu; /* zero and below: +0; NaN stays */
    return half_flush(half_out(as_f32(u), bf), c->ftz);
}

static ALU_INLINE void half_fast(ALU_ARGS, enum ir_op op, bool bf, bool two)
{
    const uint32_t *pa = alu_src(w, x, 0), *pb = alu_src(w, x, 1),
                   *pc = alu_src(w, x, op == OP_HFMA2 ? 2 : 1);
    ALU_OUT(1)
    ALU_LANES(i)
    {
        uint32_t a = pa[i], b = pb[i], c = pc[i];
        uint32_t r = half_op(op, bf, a, b, c, NULL);
        o[i] = two ? r | half_op(op, bf, a >> 16, b >> 16, c >> 16, NULL) << 16 : r;
    }
    ALU_DONE(1)
}

static ALU_INLINE uint32_t all_if(bool b) { return b ? ~0u : 0; }

static ALU_INLINE void half_any(ALU_ARGS, enum ir_op op, bool bf)
{
    const unsigned third = op == OP_HFMA2 ? 2 : 1;
    const uint32_t *pa = alu_src(w, x, 0), *pb = alu_src(w, x, 1), *pc = alu_src(w, x, third);
    struct alu_mod ma = alu_mod(x, 0, 0x80008000), mb = alu_mod(x, 1, 0x80008000),
                   mc = alu_mod(x, third, 0x80008000);
    uint16_t flags = x->insn->flags;
    uint32_t high = x->insn->type == T_F16X2 || x->insn->type == T_BF16X2 ? 0xffff0000 : 0;
    const struct half_ctl ctl = {
        .ftz = !(flags & IRF_FTZ) ? 0
               : bf               ? 0x7f80
                                  : 0x7c00,
        .sat = all_if(flags & IRF_SAT),
        .relu = all_if(flags & IRF_RELU),
        .nan = all_if(flags & IRF_NAN),
        .xorsign = all_if(flags & IRF_XORSIGN),
        .max = all_if(x->insn->sub & 1),
    };
    if (op == OP_HMNMX2 && ctl.xorsign)
        ma = mb = (struct alu_mod){~0u, 0}; /* the signs count as they are */
    ALU_OUT(1)
    ALU_LANES(i)
    {
        uint32_t a = alu_signed(pa[i], ma), b = alu_signed(pb[i], mb), c = alu_signed(pc[i], mc);
        uint32_t r = half_op(op, bf, a, b, c, &ctl);
        o[i] = r | (half_op(op, bf, a >> 16, b >> 16, c >> 16, &ctl) << 16 & high);
    }
    ALU_DONE(1)
}

#define FORMS(op)                                                                                            \
    static void op##_f16(ALU_ARGS) { half_fast(x, w, mask, OP_##op, false, false); }                         \
    static void op##_bf16(ALU_ARGS) { half_fast(x, w, mask, OP_##op, true, false); }                         \
    static void op##_f16x2(ALU_ARGS) { half_fast(x, w, mask, OP_##op, false, true); }                        \
    static void op##_bf16x2(ALU_ARGS) { half_fast(x, w, mask, OP_##op, true, true); }                        \
    static void op##_f16_any(ALU_ARGS) { half_any(x, w, mask, OP_##op, false); }                             \
    static void op##_bf16_any(ALU_ARGS) { half_any(x, w, mask, OP_##op, true); }                             \
    static const xfn op##_tab[6] = {op##_f16,    op##_bf16,    op##_f16x2,                                   \
                                    op##_bf16x2, op##_f16_any, op##_bf16_any};
FORMS(HADD2)
FORMS(HMUL2)
FORMS(HFMA2)
static void hmnmx_f16(ALU_ARGS) { half_any(x, w, mask, OP_HMNMX2, false); }
static void hmnmx_bf16(ALU_ARGS) { half_any(x, w, mask, OP_HMNMX2, true); }
static const xfn HMNMX2_tab[6] = {hmnmx_f16, hmnmx_bf16, hmnmx_f16, hmnmx_bf16, hmnmx_f16, hmnmx_bf16};

static xfn pick(const struct ir_insn *i, const xfn tab[6])
{
    unsigned form;
    switch (i->type) {
    case T_F16: form = 0; break;
    case T_BF16: form = 1; break;
    case T_F16X2: form = 2; break;
    case T_BF16X2: form = 3; break;
    default: return NULL;
    }
    bool plain = !(i->flags & (IRF_FTZ | IRF_SAT | IRF_RELU | IRF_NAN | IRF_XORSIGN)) && !alu_has_mod(i, 3);
    return plain ? tab[form] : tab[4 + (form & 1)];
}

xfn ALU_NAME(alu_half)(const struct ir_insn *i)
{
    switch (i->op) {
    case OP_HADD2: return pick(i, HADD2_tab);
    case OP_HMUL2: return pick(i, HMUL2_tab);
    case OP_HFMA2: return pick(i, HFMA2_tab);
    case OP_HMNMX2: return pick(i, HMNMX2_tab);
    default: return NULL;
    }
}
