/* Tensor steps, D[8][8] = A[8][k] B[k][8] + C, in the layout of ops.def. Lanes outside the mask contribute their
 * registers and keep their destination.
 * Float: products are exact in double, added with k ascending from 0, C last, then one rounding to nearest. */
#include "exec/alu_fp.h"

enum { MAXK = 16 };

struct hm_tile {
    double a[8][MAXK], b[MAXK][8];
};

static ALU_INLINE double element(uint32_t v, uint8_t t, unsigned e)
{
    if (t == T_F16)
        return f16_to_f32(v >> 16 * e & 0xffff);
    if (t == T_BF16)
        return bf16_to_f32(v >> 16 * e & 0xffff);
    return as_f32(v & 0xffffe000); /* tf32: the low bits do not count */
}

static ALU_INLINE unsigned unpack(ALU_ARGS, struct hm_tile *m, uint8_t t)
{
    (void)mask;
    unsigned per = t == T_TF32 ? 1 : 2, regs = x->insn->src[1].kind == OPND_NONE ? 1 : 2;
    for (unsigned j = 0; j < regs; j++) {
        const uint32_t *ra = alu_src(w, x, j), *rb = alu_src(w, x, 2 + j);
        for (unsigned l = 0; l < LANES; l++)
            for (unsigned e = 0; e < per; e++) {
                unsigned k = per * (4 * j + l % 4) + e;
                m->a[l / 4][k] = element(ra[l], t, e);
                m->b[k][l / 4] = element(rb[l], t, e);
            }
    }
    return 4 * per * regs;
}

/* The product is exact, so fusing it into the sum changes nothing but the speed. */
static ALU_INLINE double mac(double a, double b, double c)
{
#if defined(__FMA__) || defined(__aarch64__)
    return __builtin_fma(a, b, c);
#else
    return a * b + c;
#endif
}

static ALU_INLINE void multiply(const struct hm_tile *m, unsigned n, double d[8][8])
{
    for (unsigned g = 0; g < 8; g++) {
        double acc[8] = {0};
        for (unsigned k = 0; k < n; k++)
            for (unsigned c = 0; c < 8; c++)
                acc[c] = mac(m->a[g][k], m->b[k][c], acc[c]);
        for (unsigned c = 0; c < 8; c++)
            d[g][c] = acc[c];
    }
}

static ALU_INLINE void put_row(struct xwarp *w, const struct xop *x, unsigned k, const uint32_t *r,
                               uint32_t mask)
{
    alu_merge(alu_dst(w, x, k), r, mask);
}

static ALU_INLINE void hmma(ALU_ARGS, uint8_t t)
{
    struct hm_tile m;
    double d[8][8];
    unsigned n = unpack(x, w, mask, &m, t);
    multiply(&m, n, d);
    uint32_t r[2][LANES] ALU_ROW;
    const uint32_t *c0 = alu_src(w, x, 4), *c1 = alu_src(w, x, 5);
    if (x->insn->type == T_F16) {
        for (unsigned l = 0; l < LANES; l++) {
            const double *p = &d[l / 4][2 * (l % 4)];
            uint32_t lo = f16_from_f32(half_round(p[0] + f16_to_f32(c0[l] & 0xffff), false));
            r[0][l] = lo | f16_from_f32(half_round(p[1] + f16_to_f32(c0[l] >> 16), false)) << 16;
        }
        put_row(w, x, 0, r[0], mask);
        return;
    }
    for (unsigned l = 0; l < LANES; l++) {
        const double *p = &d[l / 4][2 * (l % 4)];
        r[0][l] = f32_canon((float)(p[0] + as_f32(c0[l])));
        r[1][l] = f32_canon((float)(p[1] + as_f32(c1[l])));
    }
    put_row(w, x, 0, r[0], mask);
    put_row(w, x, 1, r[1], mask);
}
static void hmma_f16(ALU_ARGS) { hmma(x, w, mask, T_F16); }
static void hmma_bf16(ALU_ARGS) { hmma(x, w, mask, T_BF16); }
static void hmma_tf32(ALU_ARGS) { hmma(x, w, mask, T_TF32); }

/* Integers: at most 64 products of 16 bits, exact in 32; with C in 64, then wrapped or clamped. */
static ALU_INLINE int32_t int_element(uint32_t v, unsigned bits, unsigned e, bool s)
{
    uint32_t up = v << (32 - bits - bits * e);
    return s ? (int32_t)up >> (32 - bits) : (int32_t)(up >> (32 - bits));
}

static ALU_INLINE void imma_dot(ALU_ARGS, unsigned bits, int32_t d[8][8])
{
    (void)mask;
    unsigned per = 32 / bits, regs = x->insn->src[1].kind == OPND_NONE ? 1 : 2;
    bool sa = x->insn->bop & 1, sb = x->insn->bop & 2;
    int32_t a[8][64], b[8][64];
    for (unsigned j = 0; j < regs; j++) {
        const uint32_t *ra = alu_src(w, x, j), *rb = alu_src(w, x, 2 + j);
        for (unsigned l = 0; l < LANES; l++)
            for (unsigned e = 0; e < per; e++) {
                unsigned k = per * (4 * j + l % 4) + e;
                a[l / 4][k] = int_element(ra[l], bits, e, sa);
                b[l / 4][k] = int_element(rb[l], bits, e, sb);
            }
    }
    for (unsigned g = 0; g < 8; g++)
        for (unsigned c = 0; c < 8; c++) {
            int32_t sum = 0;
            for (unsigned k = 0; k < 4 * per * regs; k++)
                sum += a[g][k] * b[c][k];
            d[g][c] = sum;
        }
}

/* Both rows are computed before either is written: a destination may be the register of the other accumulator. */
static ALU_INLINE void put_s32(ALU_ARGS, const int32_t d[8][8])
{
    bool sat = x->insn->flags & IRF_SAT;
    uint32_t r[2][LANES] ALU_ROW;
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t *c = alu_src(w, x, 4 + i);
        for (unsigned l = 0; l < LANES; l++) {
            int64_t sum = (int64_t)d[l / 4][2 * (l % 4) + i] + (int32_t)c[l];
            int64_t lim = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
            r[i][l] = (uint32_t)(sat ? lim : sum);
        }
    }
    for (unsigned i = 0; i < 2; i++)
        put_row(w, x, i, r[i], mask);
}

static void imma_8(ALU_ARGS)
{
    int32_t d[8][8];
    imma_dot(x, w, mask, 8, d);
    put_s32(x, w, mask, d);
}
static void imma_4(ALU_ARGS)
{
    int32_t d[8][8];
    imma_dot(x, w, mask, 4, d);
    put_s32(x, w, mask, d);
}

static void bmma(ALU_ARGS)
{
    int32_t d[8][8] = {0};
    unsigned regs = x->insn->src[1].kind == OPND_NONE ? 1 : 2;
    for (unsigned j = 0; j < regs; j++) {
        const uint32_t *a = alu_src(w, x, j), *b = alu_src(w, x, 2 + j);
        for (unsigned g = 0; g < 8; g++)
            for (unsigned c = 0; c < 8; c++)
                for (unsigned t = 0; t < 4; t++) {
                    uint32_t p = a[4 * g + t], q = b[4 * c + t];
                    d[g][c] += __builtin_popcount(x->insn->sub ? p & q : p ^ q);
                }
    }
    put_s32(x, w, mask, d);
}

/* Doubles: a chain of fused multiply-adds from C, k ascending, as the hardware rounds after each. */
static void dmma(ALU_ARGS)
{
    const uint32_t *a = alu_src(w, x, 0), *b = alu_src(w, x, 2), *c = alu_src(w, x, 4);
    uint64_t r[LANES];
    for (unsigned l = 0; l < LANES; l++) {
        unsigned g = l / 4, col = 2 * (l % 4) + (x->insn->sub & 1);
        double acc = f64_at(c, l);
        for (unsigned k = 0; k < 4; k++)
            acc = __builtin_fma(f64_at(a, 4 * g + k), f64_at(b, 4 * col + k), acc);
        r[l] = f64_canon(acc);
    }
    alu_put64(x, w, mask, r);
}

xfn ALU_NAME(alu_mma)(const struct ir_insn *i)
{
    switch (i->op) {
    case OP_HMMA:
        if (i->type != T_F32 && (i->type != T_F16 || i->stype != T_F16))
            return NULL;
        return i->stype == T_F16    ? hmma_f16
               : i->stype == T_BF16 ? hmma_bf16
               : i->stype == T_TF32 ? hmma_tf32
                                    : NULL;
    case OP_IMMA:
        if (i->stype == T_S8 || i->stype == T_U8 || i->stype == T_B8)
            return imma_8;
        return i->stype == T_S4 || i->stype == T_U4 ? imma_4 : NULL;
    case OP_BMMA: return i->stype == T_B1 ? bmma : NULL;
    case OP_DMMA: return i->type == T_F64 ? dmma : NULL;
    default: return NULL;
    }
}
