/* SPDX-License-Identifier: Apache-2.0 */
/* Single precision arithmetic. The common forms (round to nearest) have one handler per combination of flush,
 * saturation and sign modifiers; the directed roundings are exact in double and rounded once (alu_fp.h). */
#include "exec/alu/alu_fp.h"

enum { K_FTZ = 1, K_SAT = 2, K_MOD = 4 };

static ALU_INLINE float f_in(uint32_t v, struct alu_mod m, unsigned k)
{
    if (k & K_MOD)
        v = alu_signed(v, m);
    if (k & K_FTZ)
        v = f32_flush(v);
    return as_f32(v);
}
static ALU_INLINE uint32_t f_out(float r, unsigned k)
{
    uint32_t v = k & K_SAT ? f32_bits(f32_sat(r)) : f32_canon(r);
    return k & K_FTZ ? f32_flush(v) : v;
}

/* One body per operation; k is constant in each instance. */
#define BODY(name, nsrc, expr)                                                                               \
    static ALU_INLINE void name(ALU_ARGS, const unsigned k)                                                  \
    {                                                                                                        \
        const uint32_t *pa = alu_src(w, x, 0), *pb = alu_src(w, x, 1), *pc = alu_src(w, x, (nsrc)-1);        \
        struct alu_mod ma = {0, 0}, mb = ma, mc = ma;                                                        \
        if (k & K_MOD) {                                                                                     \
            ma = alu_mod(x, 0, 0x80000000), mb = alu_mod(x, 1, 0x80000000);                                  \
            mc = alu_mod(x, (nsrc)-1, 0x80000000);                                                           \
        }                                                                                                    \
        ALU_OUT(1)                                                                                           \
        ALU_LANES(i)                                                                                         \
        {                                                                                                    \
            float a = f_in(pa[i], ma, k), b = f_in(pb[i], mb, k), c = f_in(pc[i], mc, k);                    \
            (void)c;                                                                                         \
            o[i] = f_out(expr, k);                                                                           \
        }                                                                                                    \
        ALU_DONE(1)                                                                                          \
    }
BODY(fadd, 2, a + b)
BODY(fmul, 2, a *b)
BODY(ffma, 3, fma_f32(a, b, c))

#define INSTANCE(name, k)                                                                                    \
    static void name##_##k(ALU_ARGS) { name(x, w, mask, k); }
/* clang-format off */
#define INSTANCES(name)                                                                                      \
    INSTANCE(name, 0) INSTANCE(name, 1) INSTANCE(name, 2) INSTANCE(name, 3)                                  \
    INSTANCE(name, 4) INSTANCE(name, 5) INSTANCE(name, 6) INSTANCE(name, 7)                                  \
    static const xfn name##_tab[8] = {                                                                       \
        name##_0, name##_1, name##_2, name##_3, name##_4, name##_5, name##_6, name##_7};
/* clang-format on */
INSTANCES(fadd)
INSTANCES(fmul)
INSTANCES(ffma)

/* p + c rounded in a direction. p and c are floats, or p an exact product of two: all fit a double. An exact zero from
 * operands that are not both +0 is -0 when rounding down. */
static ALU_INLINE float sum_directed(double p, double c, enum ir_rnd rnd)
{
    double s = add_odd(p, c);
    if (rnd == RND_RM)
        s = s == 0.0 && (f64_bits(p) | f64_bits(c)) ? -0.0 : s;
    return f32_directed(s, rnd);
}
static ALU_INLINE void directed(ALU_ARGS, enum ir_op op, enum ir_rnd rnd)
{
    bool fma = op == OP_FFMA, ftz = x->insn->flags & IRF_FTZ, sat = x->insn->flags & IRF_SAT;
    const uint32_t *pa = alu_src(w, x, 0), *pb = alu_src(w, x, 1), *pc = alu_src(w, x, fma ? 2 : 1);
    struct alu_mod ma = alu_mod(x, 0, 0x80000000), mb = alu_mod(x, 1, 0x80000000);
    struct alu_mod mc = alu_mod(x, fma ? 2 : 1, 0x80000000);
    ALU_OUT(1)
    ALU_LANES(i)
    {
        double a = f_in(ftz ? f32_flush(pa[i]) : pa[i], ma, K_MOD);
        double b = f_in(ftz ? f32_flush(pb[i]) : pb[i], mb, K_MOD);
        double c = f_in(ftz ? f32_flush(pc[i]) : pc[i], mc, K_MOD);
        float r = op == OP_FADD ? sum_directed(a, b, rnd)
                  : fma         ? sum_directed(a * b, c, rnd)
                                : f32_directed(a * b, rnd);
        uint32_t v = f_out(sat ? f32_sat(r) : r, 0);
        o[i] = ftz ? f32_flush(v) : v;
    }
    ALU_DONE(1)
}
#define DIRECTED(rnd)                                                                                        \
    static void fadd_##rnd(ALU_ARGS) { directed(x, w, mask, OP_FADD, RND_##rnd); }                           \
    static void fmul_##rnd(ALU_ARGS) { directed(x, w, mask, OP_FMUL, RND_##rnd); }                           \
    static void ffma_##rnd(ALU_ARGS) { directed(x, w, mask, OP_FFMA, RND_##rnd); }
DIRECTED(RZ)
DIRECTED(RM)
DIRECTED(RP)

static xfn pick_arith(const struct ir_insn *i, const xfn rn[8], xfn rz, xfn rm, xfn rp)
{
    switch (i->rnd) {
    case RND_NONE:
    case RND_RN: {
        unsigned k = (i->flags & IRF_FTZ ? K_FTZ : 0) | (i->flags & IRF_SAT ? K_SAT : 0);
        return rn[k | (alu_has_mod(i, i->op == OP_FFMA ? 3 : 2) ? K_MOD : 0)];
    }
    case RND_RZ: return rz;
    case RND_RM: return rm;
    case RND_RP: return rp;
    default: return NULL;
    }
}

/* Minimum and maximum, on the integers that order floats: -0 below +0. */
static ALU_INLINE int32_t f32_key(uint32_t v)
{
    return (int32_t)(v ^ (uint32_t)((int32_t)v >> 31 & 0x7fffffff));
}
static ALU_INLINE bool f32_isnan(uint32_t v) { return (v & 0x7fffffff) > 0x7f800000; }

static ALU_INLINE uint32_t f32_mnmx(uint32_t a, uint32_t b, bool max, bool nan)
{
    int32_t ka = f32_key(a), kb = f32_key(b);
    bool first = max ? ka > kb : ka < kb, na = f32_isnan(a), nb = f32_isnan(b);
    uint32_t r = first ? a : b;
    r = na ? b : nb ? a : r;
    return (nan ? na | nb : na & nb) ? F32_NAN : r;
}
BODY(fpmin, 2, as_f32(f32_mnmx(f32_bits(a), f32_bits(b), false, false)))
BODY(fpmax, 2, as_f32(f32_mnmx(f32_bits(a), f32_bits(b), true, false)))
INSTANCE(fpmin, 0)
INSTANCE(fpmin, 5)
INSTANCE(fpmax, 0)
INSTANCE(fpmax, 5)

/* Every flag at run time. IRF_XORSIGN orders magnitudes and takes the sign from the sources without their abs. */
static void fmnmx_any(ALU_ARGS)
{
    const uint32_t *pa = alu_src(w, x, 0), *pb = alu_src(w, x, 1);
    uint16_t flags = x->insn->flags;
    struct alu_mod ma = alu_mod(x, 0, 0x80000000), mb = alu_mod(x, 1, 0x80000000);
    bool max = x->insn->sub, ftz = flags & IRF_FTZ, nan = flags & IRF_NAN, xs = flags & IRF_XORSIGN;
    ALU_OUT(1)
    ALU_LANES(i)
    {
        uint32_t a = alu_signed(pa[i], ma), b = alu_signed(pb[i], mb), sign = (pa[i] ^ pb[i]) & 0x80000000;
        a = ftz ? f32_flush(a) : a;
        b = ftz ? f32_flush(b) : b;
        a = xs ? a & 0x7fffffff : a;
        b = xs ? b & 0x7fffffff : b;
        uint32_t r = f32_mnmx(a, b, max, nan);
        o[i] = xs && !f32_isnan(r) ? r | sign : r;
    }
    ALU_DONE(1)
}

static xfn pick_mnmx(const struct ir_insn *i)
{
    if (i->flags & (IRF_NAN | IRF_XORSIGN))
        return fmnmx_any;
    if (!(i->flags & IRF_FTZ) && !alu_has_mod(i, 2))
        return i->sub ? fpmax_0 : fpmin_0;
    return i->flags & IRF_FTZ ? (i->sub ? fpmax_5 : fpmin_5) : fmnmx_any;
}

/* FCHK. The division that it guards is
 *     r = rcp(b), r += r (1 - b r) once or twice, q = a r, then q += r (a - b q) once or twice      (each an fma)
 * and rounds correctly when nothing under- or overflows on the way. With a, b = [1, 2) 2^ea, 2^eb that is so for
 *     f32                      f64
 *     eb in [-125, 124]        [-1021, 1020]     r and its error are normal
 *     ea - eb in [-124, 125]   [-1020, 1021]     q is normal and rounding up does not overflow
 *     ea >= -100               -960              a - b q, a multiple of 2^(ea - 47), 2^(ea - 105), is exact */
static ALU_INLINE bool fchk_slow(uint32_t ea, uint32_t eb, uint32_t bias)
{
    uint32_t low = bias == 127 ? 27 : 63; /* biased ea */
    bool ok = (eb - 2 <= 2 * bias - 5) & (ea - low <= 2 * bias - low) & (ea - eb + bias - 3 <= 2 * bias - 5);
    return !ok;
}
static void fchk(ALU_ARGS)
{
    const uint32_t *a = alu_src(w, x, 0), *b = alu_src(w, x, 1);
    uint32_t r = 0;
    ALU_LANES(i) r |= fchk_slow(a[i] >> 23 & 0xff, b[i] >> 23 & 0xff, 127) ? alu_bit[i] : 0;
    x_pset(w, x->pdst[0], r, mask);
}
/* Of NVIDIA's code, whose division has other steps: 2.6 million pairs on an H200. Only exponents matter. */
static void fchk_theirs(ALU_ARGS)
{
    const uint32_t *a = alu_src(w, x, 0), *b = alu_src(w, x, 1);
    uint32_t r = 0;
    ALU_LANES(i)
    {
        uint32_t ea = a[i] >> 23 & 0xff, eb = b[i] >> 23 & 0xff;
        bool ok = (ea - 25 <= 254 - 25) & (eb - 2 <= 251 - 2) & (ea - eb + 124 <= 126 + 124);
        r |= ok ? 0 : alu_bit[i];
    }
    x_pset(w, x->pdst[0], r, mask);
}
static void fchk_f64(ALU_ARGS)
{
    const uint32_t *a = alu_src(w, x, 0) + LANES, *b = alu_src(w, x, 1) + LANES; /* high words */
    uint32_t r = 0;
    ALU_LANES(i) r |= fchk_slow(a[i] >> 20 & 0x7ff, b[i] >> 20 & 0x7ff, 1023) ? alu_bit[i] : 0;
    x_pset(w, x->pdst[0], r, mask);
}

xfn ALU_NAME(alu_float)(const struct ir_insn *i)
{
    switch (i->op) {
    case OP_FADD: return pick_arith(i, fadd_tab, fadd_RZ, fadd_RM, fadd_RP);
    case OP_FMUL: return pick_arith(i, fmul_tab, fmul_RZ, fmul_RM, fmul_RP);
    case OP_FFMA: return pick_arith(i, ffma_tab, ffma_RZ, ffma_RM, ffma_RP);
    case OP_FMNMX: return pick_mnmx(i);
    case OP_FCHK: return i->type == T_F64 ? fchk_f64 : i->sub ? fchk_theirs : fchk;
    default: return NULL;
    }
}
