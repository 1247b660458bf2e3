/* SPDX-License-Identifier: Apache-2.0 */
/* Tensor instructions, D = A B + C in the layout of ops.def, one block of 8 rows at a time. Lanes outside the mask contribute
 * their registers and keep their destination. Float: products are exact in double, added with k ascending from 0, C last, then
 * one rounding to nearest; with IRF_CHOP as alu_chop.h says. */
#include "exec/alu/alu_chop.h"

/* 8 rows with their operands taken apart: a[j * per + e] is element e of their A register j in each lane, b[k] row k of B. */
struct f_tile {
    double a[4][LANES] ALU_ROW, b[16][8] ALU_ROW;
};
struct i_tile {
    int32_t a[16][LANES] ALU_ROW, b[64][8] ALU_ROW;
};

static ALU_INLINE unsigned k_regs(const struct xop *x) { return x->insn->src[1].n; }
static ALU_INLINE unsigned row_blocks(const struct xop *x) { return x->insn->src[0].n / x->insn->src[1].n; }

/* Register j of block rb's rows of A, and of B. */
static ALU_INLINE const uint32_t *a_reg(struct xwarp *w, const struct xop *x, unsigned rb, unsigned j)
{
    return alu_src(w, x, 0) + (j * row_blocks(x) + rb) * LANES;
}
static ALU_INLINE const uint32_t *b_reg(struct xwarp *w, const struct xop *x, unsigned j)
{
    return alu_src(w, x, 1) + j * LANES;
}

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
#define UNPACK(m, rb, per, ELEM_A, ELEM_B)                                                                   \
    for (unsigned j = 0; j < k_regs(x); j++) {                                                               \
        const uint32_t *ra = a_reg(w, x, rb, j), *rows_b = b_reg(w, x, j);                                   \
        for (unsigned e = 0; e < (per); e++) {                                                               \
            __typeof__((m)->b[0][0]) col[LANES] ALU_ROW;                                                     \
            ALU_LANES(i)                                                                                     \
            {                                                                                                \
                uint32_t v = ra[i];                                                                          \
                (m)->a[j * (per) + e][i] = ELEM_A;                                                           \
                v = rows_b[i];                                                                               \
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

/* Results are written once all blocks have read: D may lie on A, B or C. */
static ALU_INLINE void put_regs(ALU_ARGS, const uint32_t (*r)[LANES], unsigned n)
{
    for (unsigned k = 0; k < n; k++)
        alu_merge(alu_dst(w, x, 0) + k * LANES, r[k], mask);
}

static ALU_INLINE void hmma(ALU_ARGS, uint8_t t)
{
    const unsigned per = t == T_TF32 ? 1 : 2, blocks = row_blocks(x);
    uint32_t r[4][LANES] ALU_ROW;
    bool half = x->insn->type == T_F16;
    for (unsigned rb = 0; rb < blocks; rb++) {
        struct f_tile m;
        double d[8][8];
        UNPACK(&m, rb, per, f_element(v, t, e), f_element(v, t, e))
        MULTIPLY(&m, per, f_mac, d)
        const uint32_t *c = alu_src(w, x, 2) + rb * (half ? 1 : 2) * LANES;
        for (unsigned l = 0; l < LANES; l++) {
            const double *p = &d[l / 4][2 * (l % 4)];
            if (half) {
                uint32_t lo = f16_from_f32(half_round(p[0] + f16_to_f32(c[l] & 0xffff), false));
                r[rb][l] = lo | f16_from_f32(half_round(p[1] + f16_to_f32(c[l] >> 16), false)) << 16;
            } else {
                r[2 * rb][l] = f32_canon((float)(p[0] + as_f32(c[l])));
                r[2 * rb + 1][l] = f32_canon((float)(p[1] + as_f32(c[LANES + l])));
            }
        }
    }
    put_regs(x, w, mask, r, half ? blocks : 2 * blocks);
}
/* Row g of a tile, k ascending: its elements and their exponents. */
static ALU_INLINE void chop_row(const struct f_tile *m, unsigned g, unsigned regs, unsigned per, int least,
                                double *a, int *e)
{
    unsigned k = 0;
    for (unsigned j = 0; j < regs; j++)
        for (unsigned q = 0; q < 4; q++)
            for (unsigned i = 0; i < per; i++, k++) {
                a[k] = m->a[j * per + i][4 * g + q];
                e[k] = chop_exponent(a[k], least);
            }
}

static void hmma_chop(ALU_ARGS)
{
    uint8_t t = x->insn->stype;
    const unsigned per = t == T_TF32 ? 1 : 2, blocks = row_blocks(x), nk = 4 * per * k_regs(x);
    uint32_t r[4][LANES] ALU_ROW;
    bool half = x->insn->type == T_F16;
    int least = chop_least(t);
    for (unsigned rb = 0; rb < blocks; rb++) {
        struct f_tile m;
        int eb[16][8];
        UNPACK(&m, rb, per, f_element(v, t, e), f_element(v, t, e))
        for (unsigned k = 0; k < nk; k++)
            for (unsigned n = 0; n < 8; n++)
                eb[k][n] = chop_exponent(m.b[k][n], least);
        const uint32_t *c = alu_src(w, x, 2) + rb * (half ? 1 : 2) * LANES;
        for (unsigned g = 0; g < 8; g++) {
            double a[16];
            int ea[16];
            chop_row(&m, g, k_regs(x), per, least, a, ea);
            double add[8], sum[8];
            for (unsigned n = 0; n < 8; n++) {
                unsigned l = 4 * g + n / 2, i = n % 2;
                add[n] = half ? f16_to_f32(c[l] >> 16 * i & 0xffff) : as_f32(c[i * LANES + l]);
            }
            chop_sums(a, ea, (const double(*)[8])m.b, (const int(*)[8])eb, nk, add, CHOP_BITS, sum);
            for (unsigned n = 0; n < 8; n += 2) {
                unsigned l = 4 * g + n / 2;
                if (half) {
                    r[rb][l] = f16_from_f32(half_round(sum[n], false)) |
                               f16_from_f32(half_round(sum[n + 1], false)) << 16;
                } else {
                    r[2 * rb][l] = chop_f32(sum[n]);
                    r[2 * rb + 1][l] = chop_f32(sum[n + 1]);
                }
            }
        }
    }
    put_regs(x, w, mask, r, half ? blocks : 2 * blocks);
}

static void hmma_f16(ALU_ARGS) { hmma(x, w, mask, T_F16); }
static void hmma_bf16(ALU_ARGS) { hmma(x, w, mask, T_BF16); }
static void hmma_tf32(ALU_ARGS) { hmma(x, w, mask, T_TF32); }

/* Integers: at most 64 products of 16 bits, exact in 32; with C in 64, then wrapped or clamped. */
static ALU_INLINE void sum_s32(struct xwarp *w, const struct xop *x, unsigned rb, const int32_t d[8][8],
                               uint32_t (*r)[LANES])
{
    bool sat = x->insn->flags & IRF_SAT;
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t *c = alu_src(w, x, 2) + (2 * rb + i) * LANES;
        for (unsigned l = 0; l < LANES; l++) {
            int64_t sum = (int64_t)d[l / 4][2 * (l % 4) + i] + (int32_t)c[l];
            int64_t lim = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
            r[i][l] = (uint32_t)(sat ? lim : sum);
        }
    }
}

static ALU_INLINE void imma(ALU_ARGS, const unsigned bits)
{
    const unsigned per = 32 / bits;
    uint32_t r[4][LANES] ALU_ROW;
    bool sa = x->insn->bop & 1, sb = x->insn->bop & 2;
    for (unsigned rb = 0; rb < row_blocks(x); rb++) {
        struct i_tile m;
        int32_t d[8][8];
        UNPACK(&m, rb, per, i_element(v, bits, e, sa), i_element(v, bits, e, sb))
        MULTIPLY(&m, per, i_mac, d)
        sum_s32(w, x, rb, d, &r[2 * rb]);
    }
    put_regs(x, w, mask, r, 2 * row_blocks(x));
}
static void imma_8(ALU_ARGS) { imma(x, w, mask, 8); }
static void imma_4(ALU_ARGS) { imma(x, w, mask, 4); }

static void bmma(ALU_ARGS)
{
    uint32_t r[4][LANES] ALU_ROW;
    for (unsigned rb = 0; rb < row_blocks(x); rb++) {
        int32_t d[8][8] = {0};
        for (unsigned j = 0; j < k_regs(x); j++) {
            const uint32_t *a = a_reg(w, x, rb, j), *b = b_reg(w, x, j);
            for (unsigned g = 0; g < 8; g++)
                for (unsigned c = 0; c < 8; c++)
                    for (unsigned t = 0; t < 4; t++) {
                        uint32_t p = a[4 * g + t], q = b[4 * c + t];
                        d[g][c] += __builtin_popcount(x->insn->sub ? p & q : p ^ q);
                    }
        }
        sum_s32(w, x, rb, d, &r[2 * rb]);
    }
    put_regs(x, w, mask, r, 2 * row_blocks(x));
}

/* Doubles: a chain of fused multiply-adds from C, k ascending, as the hardware rounds after each. */
static void dmma(ALU_ARGS)
{
    const uint32_t *a = alu_src(w, x, 0), *b = alu_src(w, x, 1), *c = alu_src(w, x, 2);
    uint32_t r[4][LANES] ALU_ROW;
    double sign = x->src[0].neg != x->src[1].neg ? -1 : 1;
    for (unsigned l = 0; l < LANES; l++)
        for (unsigned i = 0; i < 2; i++) {
            unsigned g = l / 4, col = 2 * (l % 4) + i;
            double acc = f64_at(c + 2 * i * LANES, l);
            for (unsigned k = 0; k < 4; k++)
                acc = __builtin_fma(sign * f64_at(a, 4 * g + k), f64_at(b, 4 * col + k), acc);
            uint64_t bits = f64_canon(acc);
            r[2 * i][l] = (uint32_t)bits;
            r[2 * i + 1][l] = (uint32_t)(bits >> 32);
        }
    put_regs(x, w, mask, r, 4);
}

xfn ALU_NAME(alu_mma)(const struct ir_insn *i)
{
    if (i->op < OP_COUNT && ir_ops[i->op].unit == UNIT_TENSOR && !ir_tensor_acc(i))
        return NULL;
    switch (i->op) {
    case OP_HMMA:
        if (i->type != T_F32 && (i->type != T_F16 || i->stype != T_F16))
            return NULL;
        if (i->flags & IRF_CHOP && (i->stype == T_F16 || i->stype == T_BF16 || i->stype == T_TF32))
            return hmma_chop;
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
