/* SPDX-License-Identifier: Apache-2.0 */
/* What a warp does of wgmma: 16 rows by n columns, 8 columns at a time. The arithmetic is that of alu_mma.c: products are exact,
 * added in double with k ascending from 0, C last, then one rounding to nearest; integers are exact. */
#include "base/fp8.h"
#include "exec/alu/alu_chop.h"
#include "exec/warp/gmma.h"

enum {
    BLOCK = 8,
    MOST_K = 32,
    TOGETHER = 4
}; /* columns, elements along k, rows that are multiplied together */

/* A taken apart once, B by blocks of columns. */
struct f_tile {
    double a[MOST_K][GMMA_ROWS] ALU_ROW, b[MOST_K][BLOCK] ALU_ROW, d[GMMA_ROWS][BLOCK] ALU_ROW;
};
struct i_tile {
    int32_t a[MOST_K][GMMA_ROWS] ALU_ROW, b[MOST_K][BLOCK] ALU_ROW, d[GMMA_ROWS][BLOCK] ALU_ROW;
};

static ALU_INLINE uint32_t u16_at(const unsigned char *p, unsigned k)
{
    uint16_t v;
    memcpy(&v, p + 2 * k, 2);
    return v;
}
static ALU_INLINE uint32_t u32_at(const unsigned char *p, unsigned k)
{
    uint32_t v;
    memcpy(&v, p + 4 * k, 4);
    return v;
}

/* to[k][line] = element k of each of n lines. */
#define UNPACK(to, lines, n, nk, ELEMENT)                                                                    \
    for (unsigned line = 0; line < (n); line++)                                                              \
        for (unsigned k = 0; k < (nk); k++) {                                                                \
            const unsigned char *p = (lines)[line];                                                          \
            (to)[k][line] = ELEMENT;                                                                         \
        }
#define UNPACK_FLOATS(to, lines, n, t)                                                                       \
    switch (t) {                                                                                             \
    case T_F16: UNPACK(to, lines, n, 16, f16_to_f32(u16_at(p, k))) break;                                    \
    case T_BF16: UNPACK(to, lines, n, 16, bf16_to_f32(u16_at(p, k))) break;                                  \
    case T_E4M3: UNPACK(to, lines, n, 32, e4m3_to_f32(p[k])) break;                                          \
    case T_E5M2: UNPACK(to, lines, n, 32, e5m2_to_f32(p[k])) break;                                          \
    default: UNPACK(to, lines, n, 8, as_f32(u32_at(p, k) & 0xffffe000)) break; /* tf32 */                    \
    }
#define UNPACK_INTS(to, lines, n, is_signed)                                                                 \
    if (is_signed)                                                                                           \
        UNPACK(to, lines, n, 32, (p[k] ^ 128) - 128)                                                         \
    else                                                                                                     \
        UNPACK(to, lines, n, 32, p[k])

/* m->d = m->a m->b over nk, k ascending. */
#define MULTIPLY(m, nk, MAC)                                                                                 \
    for (unsigned r = 0; r < GMMA_ROWS; r += TOGETHER) {                                                     \
        __typeof__((m)->d[0][0]) s0[BLOCK] = {0}, s1[BLOCK] = {0}, s2[BLOCK] = {0}, s3[BLOCK] = {0};         \
        for (unsigned k = 0; k < (nk); k++) {                                                                \
            __typeof__((m)->d[0][0]) a0 = (m)->a[k][r], a1 = (m)->a[k][r + 1], a2 = (m)->a[k][r + 2],        \
                                     a3 = (m)->a[k][r + 3];                                                  \
            for (unsigned n = 0; n < BLOCK; n++) {                                                           \
                s0[n] = MAC(a0, (m)->b[k][n], s0[n]);                                                        \
                s1[n] = MAC(a1, (m)->b[k][n], s1[n]);                                                        \
                s2[n] = MAC(a2, (m)->b[k][n], s2[n]);                                                        \
                s3[n] = MAC(a3, (m)->b[k][n], s3[n]);                                                        \
            }                                                                                                \
        }                                                                                                    \
        memcpy((m)->d[r], s0, sizeof s0);                                                                    \
        memcpy((m)->d[r + 1], s1, sizeof s1);                                                                \
        memcpy((m)->d[r + 2], s2, sizeof s2);                                                                \
        memcpy((m)->d[r + 3], s3, sizeof s3);                                                                \
    }

/* Lane l has elements 2 (l mod 4) and the next one of rows l / 4 and l / 4 + 8; registers in this order. c: NULL for 0. */
static ALU_INLINE void put_f32(const double (*d)[BLOCK], const uint32_t *c, uint32_t *to)
{
    for (unsigned i = 0; i < 4; i++)
        for (unsigned l = 0; l < LANES; l++) {
            double v = d[l / 4 + i / 2 * 8][2 * (l % 4) + i % 2];
            to[i * LANES + l] = f32_canon((float)(c ? v + as_f32(c[i * LANES + l]) : v));
        }
}

static ALU_INLINE uint32_t half_of(double v) { return f16_from_f32(half_round(v, false)); }

static ALU_INLINE void put_f16(const double (*d)[BLOCK], const uint32_t *c, uint32_t *to)
{
    for (unsigned i = 0; i < 2; i++)
        for (unsigned l = 0; l < LANES; l++) {
            const double *v = &d[l / 4 + i * 8][2 * (l % 4)];
            uint32_t o = c ? c[i * LANES + l] : 0;
            to[i * LANES + l] = half_of(v[0] + f16_to_f32(o & 0xffff)) | half_of(v[1] + f16_to_f32(o >> 16))
                                                                             << 16;
        }
}

static ALU_INLINE void put_s32(const int32_t (*d)[BLOCK], const uint32_t *c, uint32_t *to, bool sat)
{
    for (unsigned i = 0; i < 4; i++)
        for (unsigned l = 0; l < LANES; l++) {
            int64_t sum = d[l / 4 + i / 2 * 8][2 * (l % 4) + i % 2];
            sum += c ? (int32_t)c[i * LANES + l] : 0;
            int64_t lim = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
            to[i * LANES + l] = (uint32_t)(sat ? lim : sum);
        }
}

static void negate(struct f_tile *m)
{
    for (unsigned k = 0; k < MOST_K; k++)
        for (unsigned r = 0; r < GMMA_ROWS; r++)
            m->a[k][r] = -m->a[k][r];
}

/* The block's columns: m->d is the sum with c (NULL: 0). */
static void multiply_chopped(struct f_tile *m, unsigned nk, const struct ir_insn *i, const uint32_t *c)
{
    int eb[MOST_K][BLOCK], bits = nk == 32 ? CHOP_BITS_FP8 : CHOP_BITS;
    for (unsigned k = 0; k < nk; k++)
        for (unsigned n = 0; n < BLOCK; n++)
            eb[k][n] = chop_exponent(m->b[k][n], chop_least(i->lut));
    for (unsigned r = 0; r < GMMA_ROWS; r++) {
        double a[MOST_K];
        int ea[MOST_K];
        for (unsigned k = 0; k < nk; k++) {
            a[k] = m->a[k][r];
            ea[k] = chop_exponent(a[k], chop_least(i->stype));
        }
        double add[BLOCK];
        for (unsigned n = 0; n < BLOCK; n++) {
            unsigned l = r % 8 * 4 + n / 2, half = r / 8;
            add[n] = !c                 ? 0
                     : i->type == T_F16 ? f16_to_f32(c[half * LANES + l] >> 16 * (n % 2) & 0xffff)
                                        : as_f32(c[(2 * half + n % 2) * LANES + l]);
        }
        chop_sums(a, ea, (const double(*)[BLOCK])m->b, (const int(*)[BLOCK])eb, nk, add, bits, m->d[r]);
    }
}

/* As put_f32, of sums that have all of it. */
static void put_chopped(const double (*d)[BLOCK], uint32_t *to, bool eight)
{
    for (unsigned i = 0; i < 4; i++)
        for (unsigned l = 0; l < LANES; l++) {
            uint32_t v = chop_f32(d[l / 4 + i / 2 * 8][2 * (l % 4) + i % 2]);
            to[i * LANES + l] =
                eight && (v & 0x7f800000) != 0x7f800000 ? v & ~((1u << (23 - CHOP_BITS_FP8)) - 1) : v;
        }
}

static void gmma_float(const struct xop *x, struct xwarp *w, const struct gmma *g)
{
    const struct ir_insn *i = x->insn;
    const uint32_t *c = alu_src(w, x, 2);
    uint32_t *to = alu_dst(w, x, 0);
    unsigned nk = 256 / type_bits(i->stype), step = i->type == T_F16 ? 2 * LANES : 4 * LANES;
    struct f_tile m = {0};
    UNPACK_FLOATS(m.a, g->a, GMMA_ROWS, i->stype)
    if (!(i->sub & GMMA_NEG_A) != !(i->sub & GMMA_NEG_B))
        negate(&m);
    for (unsigned j = 0; j < ir_gmma_cols(i); j += BLOCK, to += step, c += step) {
        UNPACK_FLOATS(m.b, g->b + j, BLOCK, i->lut)
        if (i->flags & IRF_CHOP) {
            multiply_chopped(&m, nk, i, g->add_c ? c : NULL);
            if (i->type == T_F16)
                put_f16(m.d, NULL, to);
            else
                put_chopped(m.d, to, nk == 32);
            continue;
        }
        MULTIPLY(&m, nk, f_mac)
        if (i->type == T_F16)
            put_f16(m.d, g->add_c ? c : NULL, to);
        else
            put_f32(m.d, g->add_c ? c : NULL, to);
    }
}

static void gmma_int(const struct xop *x, struct xwarp *w, const struct gmma *g)
{
    const struct ir_insn *i = x->insn;
    const uint32_t *c = alu_src(w, x, 2);
    uint32_t *to = alu_dst(w, x, 0);
    struct i_tile m;
    UNPACK_INTS(m.a, g->a, GMMA_ROWS, i->stype == T_S8)
    for (unsigned j = 0; j < ir_gmma_cols(i); j += BLOCK, to += 4 * LANES, c += 4 * LANES) {
        UNPACK_INTS(m.b, g->b + j, BLOCK, i->lut == T_S8)
        MULTIPLY(&m, MOST_K, i_mac)
        put_s32(m.d, g->add_c ? c : NULL, to, i->flags & IRF_SAT);
    }
}

static void gmma_bits(const struct xop *x, struct xwarp *w, const struct gmma *g)
{
    const struct ir_insn *i = x->insn;
    const uint32_t *c = alu_src(w, x, 2);
    uint32_t *to = alu_dst(w, x, 0);
    for (unsigned j = 0; j < ir_gmma_cols(i); j += BLOCK, to += 4 * LANES, c += 4 * LANES) {
        int32_t d[GMMA_ROWS][BLOCK] = {0};
        for (unsigned r = 0; r < GMMA_ROWS; r++)
            for (unsigned n = 0; n < BLOCK; n++)
                for (unsigned k = 0; k < GMMA_LINE_B / 4; k++)
                    d[r][n] += __builtin_popcount(u32_at(g->a[r], k) & u32_at(g->b[j + n], k));
        put_s32(d, g->add_c ? c : NULL, to, false);
    }
}

void ALU_NAME(alu_gmma)(const struct xop *x, struct xwarp *w, const struct gmma *g)
{
    if (x->insn->type != T_S32)
        gmma_float(x, w, g);
    else if (x->insn->stype == T_B1)
        gmma_bits(x, w, g);
    else
        gmma_int(x, w, g);
}
