/* Half precision: f16 and bf16, one value or two in a register. Computed in float or double and rounded once: the sum
 * and product of two halves keep enough bits in float that the second rounding changes nothing (24 >= 2 * 11 + 2,
 * Figueroa 1995); a fused multiply-add goes through round-to-odd. */
#include "exec/alu_fp.h"

struct half_ctl {
    struct alu_mod m[3];
    uint32_t ftz; /* exponent bits to look at when flushing; 0: do not */
    bool sat, relu, nan, xorsign, max;
};

static ALU_INLINE uint32_t half_flush(uint32_t h, uint32_t exp) { return exp && !(h & exp) ? h & 0x8000 : h; }

static ALU_INLINE float half_in(uint32_t h, bool bf) { return bf ? bf16_to_f32(h) : f16_to_f32(h); }
static ALU_INLINE uint32_t half_out(float r, bool bf) { return bf ? bf16_from_f32(r) : f16_from_f32(r); }

static ALU_INLINE uint32_t half_mnmx(float fa, float fb, bool max, bool nan)
{
    uint32_t a = f32_bits(fa), b = f32_bits(fb);
    int32_t ka = (int32_t)(a ^ (uint32_t)((int32_t)a >> 31 & 0x7fffffff));
    int32_t kb = (int32_t)(b ^ (uint32_t)((int32_t)b >> 31 & 0x7fffffff));
    bool na = fa != fa, nb = fb != fb;
    uint32_t r = (max ? ka > kb : ka < kb) ? a : b;
    r = na ? b : nb ? a : r;
    return (nan ? na | nb : na & nb) ? F32_NAN : r;
}

/* One half; h[] are the sources' halves with modifiers applied, c NULL: no flags. */
static ALU_INLINE uint32_t half_op(enum ir_op op, bool bf, const uint32_t h[3], const struct half_ctl *c)
{
    uint32_t v[3] = {h[0] & 0xffff, h[1] & 0xffff, h[2] & 0xffff};
    if (c)
        for (unsigned k = 0; k < 3; k++)
            v[k] = half_flush(v[k], c->ftz);
    float f0 = half_in(v[0], bf), f1 = half_in(v[1], bf), r;
    if (op == OP_HADD2) {
        r = f0 + f1;
    } else if (op == OP_HMUL2) {
        r = f0 * f1;
    } else if (op == OP_HFMA2) {
        r = f32_odd(add_odd((double)f0 * f1, half_in(v[2], bf)));
    } else {
        bool xs = c && c->xorsign;
        float a = xs ? __builtin_fabsf(f0) : f0, b = xs ? __builtin_fabsf(f1) : f1;
        uint32_t u = half_mnmx(a, b, c && c->max, c && c->nan);
        uint32_t sign = xs && u != F32_NAN ? (v[0] ^ v[1]) << 16 & 0x80000000 : 0;
        r = as_f32(u | sign);
    }
    if (c && c->sat)
        r = f32_sat(r);
    if (c && c->relu)
        r = r <= 0.0f ? 0.0f : r;
    uint32_t out = half_out(r, bf);
    return c ? half_flush(out, c->ftz) : out;
}

static ALU_INLINE void half_fast(ALU_ARGS, enum ir_op op, bool bf, bool two)
{
    const uint32_t *pa = alu_src(w, x, 0), *pb = alu_src(w, x, 1),
                   *pc = alu_src(w, x, op == OP_HFMA2 ? 2 : 1);
    ALU_OUT(1)
    ALU_LANES(i)
    {
        uint32_t lo[3] = {pa[i], pb[i], pc[i]}, hi[3] = {pa[i] >> 16, pb[i] >> 16, pc[i] >> 16};
        uint32_t r = half_op(op, bf, lo, NULL);
        o[i] = two ? r | half_op(op, bf, hi, NULL) << 16 : r;
    }
    ALU_DONE(1)
}

static ALU_INLINE void half_any(ALU_ARGS, enum ir_op op, bool bf)
{
    const uint32_t *p[3] = {alu_src(w, x, 0), alu_src(w, x, 1), alu_src(w, x, op == OP_HFMA2 ? 2 : 1)};
    uint16_t flags = x->insn->flags;
    bool two = x->insn->type == T_F16X2 || x->insn->type == T_BF16X2;
    struct half_ctl c = {
        .ftz = !(flags & IRF_FTZ) ? 0
               : bf               ? 0x7f80
                                  : 0x7c00,
        .sat = flags & IRF_SAT,
        .relu = flags & IRF_RELU,
        .nan = flags & IRF_NAN,
        .xorsign = flags & IRF_XORSIGN,
        .max = op == OP_HMNMX2 && x->insn->sub,
    };
    for (unsigned k = 0; k < 3; k++) {
        c.m[k] = alu_mod(x, op == OP_HFMA2 || k < 2 ? k : 1, 0x80008000);
        if (c.xorsign)
            c.m[k] = (struct alu_mod){~0u, 0};
    }
    ALU_OUT(1)
    ALU_LANES(i)
    {
        uint32_t lo[3], hi[3];
        for (unsigned k = 0; k < 3; k++) {
            lo[k] = alu_signed(p[k][i], c.m[k]);
            hi[k] = lo[k] >> 16;
        }
        uint32_t r = half_op(op, bf, lo, &c), r1 = half_op(op, bf, hi, &c);
        o[i] = two ? r | r1 << 16 : r;
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
FORMS(HMNMX2)

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
    bool plain = !(i->flags & (IRF_FTZ | IRF_SAT | IRF_RELU | IRF_NAN | IRF_XORSIGN)) && !alu_has_mod(i, 3) &&
                 !(i->op == OP_HMNMX2 && i->sub);
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
