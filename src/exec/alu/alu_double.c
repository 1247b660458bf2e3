/* SPDX-License-Identifier: Apache-2.0 */
/* Double precision, round to nearest. Values are pairs of rows. */
#include "exec/alu/alu_fp.h"

#define DEF(name, nsrc, LOAD, expr)                                                                          \
    static void name(ALU_ARGS)                                                                               \
    {                                                                                                        \
        const uint32_t *pa = alu_src(w, x, 0), *pb = alu_src(w, x, 1), *pc = alu_src(w, x, (nsrc)-1);        \
        struct alu_mod m[3] = {alu_mod(x, 0, 0x80000000), alu_mod(x, 1, 0x80000000),                         \
                               alu_mod(x, (nsrc)-1, 0x80000000)};                                            \
        (void)m;                                                                                             \
        ALU_OUT(2)                                                                                           \
        ALU_LANES(i)                                                                                         \
        {                                                                                                    \
            double a = LOAD(pa, i, m[0]), b = LOAD(pb, i, m[1]), c = LOAD(pc, i, m[2]);                      \
            (void)c;                                                                                         \
            uint64_t r = expr;                                                                               \
            o[i] = (uint32_t)r;                                                                              \
            o[LANES + i] = (uint32_t)(r >> 32);                                                              \
        }                                                                                                    \
        ALU_DONE(2)                                                                                          \
    }
#define PLAIN(row, i, mod) f64_at(row, i)

/* Sums and products: NaNs are rare and looked at afterwards. */
#define SUM(name, nsrc, LOAD, expr)                                                                          \
    static void name(ALU_ARGS)                                                                               \
    {                                                                                                        \
        const uint32_t *pa = alu_src(w, x, 0), *pb = alu_src(w, x, 1), *pc = alu_src(w, x, (nsrc)-1);        \
        struct alu_mod m[3] = {alu_mod(x, 0, 0x80000000), alu_mod(x, 1, 0x80000000),                         \
                               alu_mod(x, (nsrc)-1, 0x80000000)};                                            \
        uint64_t r[LANES] ALU_ROW, nan = 0;                                                                  \
        (void)m;                                                                                             \
        ALU_LANES(i)                                                                                         \
        {                                                                                                    \
            double a = LOAD(pa, i, m[0]), b = LOAD(pb, i, m[1]), c = LOAD(pc, i, m[2]), v = expr;            \
            (void)c;                                                                                         \
            r[i] = f64_bits(v);                                                                              \
            nan |= v != v;                                                                                   \
        }                                                                                                    \
        for (unsigned i = 0; nan && i < LANES; i++) {                                                        \
            if (f64_is_nan(r[i]))                                                                            \
                r[i] = f64_nan_of(alu_pair(pa, i), alu_pair(pb, i), alu_pair(pc, i));                        \
        }                                                                                                    \
        alu_put64(x, w, mask, r);                                                                            \
    }
SUM(dadd, 2, PLAIN, a + b)
SUM(dmul, 2, PLAIN, a *b)
SUM(dfma, 3, PLAIN, __builtin_fma(a, b, c))
SUM(dadd_mod, 2, f64_mod_at, a + b)
SUM(dmul_mod, 2, f64_mod_at, a *b)
SUM(dfma_mod, 3, f64_mod_at, __builtin_fma(a, b, c))

/* As FMNMX: NaN loses, -0 is below +0. */
static ALU_INLINE uint64_t f64_mnmx(double a, double b, bool max, bool nan)
{
    uint64_t ua = f64_bits(a), ub = f64_bits(b), sign = 1ull << 63;
    int64_t ka = (int64_t)(ua & sign ? ~ua | sign : ua), kb = (int64_t)(ub & sign ? ~ub | sign : ub);
    bool na = a != a, nb = b != b;
    uint64_t r = (max ? ka > kb : ka < kb) ? ua : ub;
    r = na ? ub : nb ? ua : r;
    return (nan ? na | nb : na & nb) ? F64_NAN : r;
}
DEF(dmin, 2, f64_mod_at, f64_mnmx(a, b, false, false))
DEF(dmax, 2, f64_mod_at, f64_mnmx(a, b, true, false))
DEF(dmin_nan, 2, f64_mod_at, f64_mnmx(a, b, false, true))
DEF(dmax_nan, 2, f64_mod_at, f64_mnmx(a, b, true, true))

xfn ALU_NAME(alu_double)(const struct ir_insn *i)
{
    bool rn = i->rnd == RND_NONE || i->rnd == RND_RN, mod = alu_has_mod(i, 3), nan = i->flags & IRF_NAN;
    switch (i->op) {
    case OP_DADD: return !rn ? NULL : mod ? dadd_mod : dadd;
    case OP_DMUL: return !rn ? NULL : mod ? dmul_mod : dmul;
    case OP_DFMA: return !rn ? NULL : mod ? dfma_mod : dfma;
    case OP_DMNMX:
        if (nan)
            return i->sub ? dmax_nan : dmin_nan;
        return i->sub ? dmax : dmin;
    default: return NULL;
    }
}
