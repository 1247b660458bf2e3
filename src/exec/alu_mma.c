/* Tensor steps, D[8][8] = A[8][k] B[k][8] + C, in the layout of ops.def. Lanes outside the mask contribute their
 * registers and keep their destination.
 * Float: products are exact in double, added with k ascending from 0, C last, then one rounding to nearest. */
#include "exec/alu_fp.h"

/* A step with its operands taken apart: a[j * per + e] is element e of A register j in each lane, b[k] row k of B. */
struct f_tile {
    double a[4][LANES] ALU_ROW, b[16][8] ALU_ROW;
};
struct i_tile {
    int32_t a[16][LANES] ALU_ROW, b[64][8] ALU_ROW;
};

static ALU_INLINE unsigned k_regs(const struct xop *x) { return x->insn->src[1].kind == OPND_NONE ? 1 : 2; }

static ALU_INLINE double f_element(uint32_t v, uint8_t t, unsigned e)
{
    if (t == T_F16)
        return f16_to_f32(v >> 16 * e & 0xffff);
    if (t == T_BF16)
        return bf16_to_f32(v >> 16 * e & 0xffff);
    return as_f32(v & 0xffffe000); /* tf32: the low bits do not count */
}
static ALU_INLINE int32_t i_element(uint32_t v, unsigned bits, unsigned e, bool s)
{
    uint32_t up = v << (32 - bits - bits * e);
    return s ? (int32_t)up >> (32 - bits) : (int32_t)(up >> (32 - bits));
}

/* Fills a tile; ELEM of a register word v and e, for A and for B. */
#define UNPACK(m, per, ELEM_A, ELEM_B)                                                                       \
    for (unsigned j = 0; j < k_regs(x); j++) {                                                               \
        const uint32_t *ra = alu_src(w, x, j), *rb = alu_src(w, x, 2 + j);                                   \
        for (unsigned e = 0; e < (per); e++) {                                                               \
            __typeof__((m)->b[0][0]) col[LANES] ALU_ROW;                                                     \
            ALU_LANES(i)                                                                                     \
            {                                                                                                \
                uint32_t v = ra[i];                                                                          \
                (m)->a[j * (per) + e][i] = ELEM_A;                                                           \
                v = rb[i];                                                                                   \
                col[i] = ELEM_B;                                                                             \
            }                                                                                                \
            for (unsigned i = 0; i < LANES; i++)                                                             \
                (m)->b[(per) * (4 * j + i % 4) + e][i / 4] = col[i];                                         \
        }                                                                                                    \
    }

/* d = A B, k ascending; two rows at a time, which keeps the multipliers busy. */
#define MULTIPLY(m, per, MAC, d)                                                                             \
    for (unsigned g = 0; g < 8; g += 2) {                                                                    \
        __typeof__((m)->b[0][0]) lo[8] = {0}, hi[8] = {0};                                                   \
        unsigned k = 0;                                                                                      \
        for (unsigned j = 0; j < k_regs(x); j++)                                                             \
            for (unsigned q = 0; q < 4; q++)                                                                 \
                for (unsigned e = 0; e < (per); e++, k++) {                                                  \
                    __typeof__((m)->b[0][0]) a0 = (m)->a[j * (per) + e][4 * g + q];                          \
                    __typeof__((m)->b[0][0]) a1 = (m)->a[j * (per) + e][4 * g + 4 + q];                      \
                    for (unsigned c = 0; c < 8; c++) {                                                       \
                        lo[c] = MAC(a0, (m)->b[k][c], lo[c]);                                                \
                        hi[c] = MAC(a1, (m)->b[k][c], hi[c]);                                                \
                    }                                                                                        \
                }                                                                                            \
        memcpy(d[g], lo, sizeof lo);                                                                         \
        memcpy(d[g + 1], hi, sizeof hi);                                                                     \
    }

/* The product of two elements is exact, so fusing it into the sum changes nothing but the speed. */
static ALU_INLINE double f_mac(double a, double b, double c)
{
#if defined(__FMA__) || defined(__aarch64__)
    return __builtin_fma(a, b, c);
#else
    return a * b + c;
#endif
}
static ALU_INLINE int32_t i_mac(int32_t a, int32_t b, int32_t c) { return a * b + c; }

static ALU_INLINE void put_row(struct xwarp *w, const struct xop *x, unsigned k, const uint32_t *r,
                               uint32_t mask)
{
    alu_merge(alu_dst(w, x, k), r, mask);
}

static ALU_INLINE void hmma(ALU_ARGS, uint8_t t)
{
    const unsigned per = t == T_TF32 ? 1 : 2;
    struct f_tile m;
    double d[8][8];
    UNPACK(&m, per, f_element(v, t, e), f_element(v, t, e))
    MULTIPLY(&m, per, f_mac, d)
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

static ALU_INLINE void imma(ALU_ARGS, const unsigned bits)
{
    const unsigned per = 32 / bits;
    struct i_tile m;
    int32_t d[8][8];
    bool sa = x->insn->bop & 1, sb = x->insn->bop & 2;
    UNPACK(&m, per, i_element(v, bits, e, sa), i_element(v, bits, e, sb))
    MULTIPLY(&m, per, i_mac, d)
    put_s32(x, w, mask, d);
}
static void imma_8(ALU_ARGS) { imma(x, w, mask, 8); }
static void imma_4(ALU_ARGS) { imma(x, w, mask, 4); }

static void bmma(ALU_ARGS)
{
    int32_t d[8][8] = {0};
    for (unsigned j = 0; j < k_regs(x); j++) {
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
