/* SPDX-License-Identifier: Apache-2.0 */
/* mma.sync: every shape and type, fragments laid out by the manual's rule, checked exactly on small integers and within
 * the accumulator's precision on random values. One rule covers all shapes: with E elements per register, g = lane/4,
 * t = lane%4, register r of A holds A[g + 8 (r mod M/8)][4E (r div M/8) + E t + e], register r of B holds
 * B[4E r + E t + e][g], accumulator i is C[g + 8 (i/2)][2t + i mod 2]. */
#include "form.h"
#include "fp.h"
#include "run.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_M = 16, MAX_K = 256, COLS = 8, MAX_REGS = 16 };

enum kind { F16, BF16, TF32, F64, S8, U8, S4, U4, B1, F32, S32, E4M3, E5M2, KINDS };
static const struct kind_info {
    const char *name;
    unsigned bits;
    const struct fp_fmt *fmt;
    bool sgn;
} kinds[KINDS] = {
    {"f16", 16, &fp_f16, 1},  {"bf16", 16, &fp_bf16, 1}, {"tf32", 32, &fp_f32, 1}, {"f64", 64, &fp_f64, 1},
    {"s8", 8, NULL, 1},       {"u8", 8, NULL, 0},        {"s4", 4, NULL, 1},       {"u4", 4, NULL, 0},
    {"b1", 1, NULL, 0},       {"f32", 32, &fp_f32, 1},   {"s32", 32, NULL, 1},     {"e4m3", 8, &fp_e4m3, 1},
    {"e5m2", 8, &fp_e5m2, 1},
};

struct shape {
    unsigned m, k;
    enum kind a, b, acc; /* the type of C and D */
    const char *mods;    /* before the shape's types, and after */
    const char *tail;
};

struct problem {
    double a[MAX_M][MAX_K], b[MAX_K][COLS], c[MAX_M][COLS];
};

static uint64_t encode(enum kind k, double v)
{
    return kinds[k].fmt ? fp_round(kinds[k].fmt, v, FP_RN) : trunc_to((uint64_t)(int64_t)v, kinds[k].bits);
}

/* The words of lane's fragments, registers of 32 bits (64 for f64). */
static unsigned pack_a(const struct shape *s, const struct problem *p, unsigned lane, uint64_t *w)
{
    unsigned bits = kinds[s->a].bits, word = bits == 64 ? 64 : 32, e = word / bits, rows = s->m / 8,
             n = s->m * s->k / 32 / e;
    for (unsigned r = 0; r < n; r++) {
        w[r] = 0;
        for (unsigned i = 0; i < e; i++)
            w[r] |= encode(s->a, p->a[lane / 4 + 8 * (r % rows)][4 * e * (r / rows) + e * (lane % 4) + i])
                    << (bits * i);
    }
    return n;
}

static unsigned pack_b(const struct shape *s, const struct problem *p, unsigned lane, uint64_t *w)
{
    unsigned bits = kinds[s->b].bits, word = bits == 64 ? 64 : 32, e = word / bits, n = s->k * 8 / 32 / e;
    for (unsigned r = 0; r < n; r++) {
        w[r] = 0;
        for (unsigned i = 0; i < e; i++)
            w[r] |= encode(s->b, p->b[4 * e * r + e * (lane % 4) + i][lane / 4]) << (bits * i);
    }
    return n;
}

static unsigned pack_c(const struct shape *s, const double (*c)[COLS], unsigned lane, uint64_t *w)
{
    unsigned n = s->m / 4, half = s->acc == F16;
    for (unsigned i = 0; i < n; i++) {
        uint64_t v = encode(s->acc, c[lane / 4 + 8 * (i / 2)][2 * (lane % 4) + i % 2]);
        if (!half)
            w[i] = v;
        else
            w[i / 2] = i % 2 ? w[i / 2] | v << 16 : v;
    }
    return half ? n / 2 : n;
}

static double product(const struct shape *s, double a, double b)
{
    if (s->a != B1)
        return a * b;
    return strstr(s->tail, "xor") ? a != b : a != 0 && b != 0;
}

/* Small integers: every sum is exact in every accumulator. */
static void fill_small(struct isa *t, const struct shape *s, struct problem *p)
{
    double amax = s->a == B1 ? 1 : 3;
    for (unsigned i = 0; i < s->m; i++)
        for (unsigned k = 0; k < s->k; k++)
            p->a[i][k] = (double)rng_below(&t->rng, (uint32_t)amax + 1) - (kinds[s->a].sgn ? 2 : 0);
    for (unsigned k = 0; k < s->k; k++)
        for (unsigned j = 0; j < COLS; j++)
            p->b[k][j] = (double)rng_below(&t->rng, (uint32_t)amax + 1) - (kinds[s->b].sgn ? 1 : 0);
    for (unsigned i = 0; i < s->m; i++)
        for (unsigned j = 0; j < COLS; j++)
            p->c[i][j] = (double)rng_below(&t->rng, 64) - 32;
}

static double random_value(struct isa *t, enum kind k)
{
    if (kinds[k].fmt) {
        double v = (double)(int32_t)rng_u32(&t->rng) * 0x1p-31;
        const struct fp_fmt *fmt = k == TF32 ? &fp_tf32 : kinds[k].fmt;
        return fp_value(fmt, fp_round(fmt, v, FP_RN));
    }
    uint64_t bits = rng_u64(&t->rng);
    return kinds[k].sgn ? (double)sign_of(bits, kinds[k].bits) : (double)trunc_to(bits, kinds[k].bits);
}

static void fill_random(struct isa *t, const struct shape *s, struct problem *p)
{
    for (unsigned i = 0; i < s->m; i++)
        for (unsigned k = 0; k < s->k; k++)
            p->a[i][k] = random_value(t, s->a);
    for (unsigned k = 0; k < s->k; k++)
        for (unsigned j = 0; j < COLS; j++)
            p->b[k][j] = random_value(t, s->b);
    for (unsigned i = 0; i < s->m; i++)
        /* Near the limit in one row, so that saturation and wrapping show. */
        for (unsigned j = 0; j < COLS; j++)
            p->c[i][j] = s->acc == S32 && i == 1   ? 2147483647.0
                         : s->acc == S32 && i == 2 ? -2147483648.0
                                                   : random_value(t, s->acc);
}

/* The exact result of integers wraps, or stops with .satfinite. */
static uint64_t int_result(const struct shape *s, double v)
{
    if (strstr(s->mods, "satfinite"))
        v = v > 2147483647.0 ? 2147483647.0 : v < -2147483648.0 ? -2147483648.0 : v;
    return trunc_to((uint64_t)(int64_t)v, 32);
}

static bool result_ok(const struct shape *s, const struct problem *p, unsigned row, unsigned col,
                      uint64_t got, double *want)
{
    double sum = p->c[row][col], size = fabs(sum);
    for (unsigned k = 0; k < s->k; k++) {
        double x = product(s, p->a[row][k], p->b[k][col]);
        sum += x;
        size += fabs(x);
    }
    *want = sum;
    if (s->acc == S32)
        return int_result(s, sum) == got;
    /* Terms are aligned and cut at 24 or more bits (11 for a half result) in tensor cores: a few units per step. */
    double unit = s->acc == F16 ? 0x1p-10 : s->acc == F64 ? 0x1p-50 : 0x1p-21;
    return fabs(fp_value(kinds[s->acc].fmt, got) - sum) <= size * unit;
}

static const char *regs(struct isa *t, const char *stem, unsigned first, unsigned n)
{
    const char *list = "";
    for (unsigned i = 0; i < n; i++)
        list = isa_fmt(t, "%s%s%s%u", list, i ? ", " : "", stem, first + i);
    return isa_fmt(t, "{%s}", list);
}

static const char *loads(struct isa *t, const char *ty, const char *stem, unsigned first, unsigned n,
                         unsigned off)
{
    const char *list = "";
    for (unsigned i = 0; i < n; i++)
        list = isa_fmt(t, "%s ld.global.%s %s%u, [%%rd31+%u];", list, ty, stem, first + i, off + 8 * i);
    return list;
}

static void run_shape(struct isa *t, const struct shape *s, const char *name, const struct problem *p,
                      bool exact)
{
    static const char *const stem_of[KINDS] = {
        [F16] = "%r", [BF16] = "%r", [TF32] = "%r", [F64] = "%fd", [S8] = "%r",   [U8] = "%r",  [S4] = "%r",
        [U4] = "%r",  [B1] = "%r",   [F32] = "%f",  [S32] = "%r",  [E4M3] = "%r", [E5M2] = "%r"};
    uint64_t in[32][3][MAX_REGS] = {0}, got[32][MAX_REGS];
    unsigned na = 0, nb = 0, nc = 0;
    for (unsigned l = 0; l < 32; l++) {
        na = pack_a(s, p, l, in[l][0]);
        nb = pack_b(s, p, l, in[l][1]);
        nc = pack_c(s, p->c, l, in[l][2]);
    }
    const char *st = stem_of[s->a], *acc = s->acc == F16 ? "%r" : stem_of[s->acc],
               *ty = s->a == F64 ? "f64" : "b32";
    const char *cty = s->acc == F64 ? "f64" : s->acc == F32 ? "f32" : "b32", *stores = "";
    unsigned base_c = s->acc == F64 ? 16 : 32, base_d = s->acc == F64 ? 24 : 48;
    for (unsigned i = 0; i < nc; i++)
        stores = isa_fmt(t, "%s st.global.%s [%%out+%u], %s%u;", stores, cty, 8 * i, acc, base_d + i);
    struct kern k = {.name = name, .slots = MAX_REGS, .block = {32}, .in = {{in, sizeof in}}};
    k.body =
        isa_fmt(t, "mad.wide.u32 %%rd31, %%tx, %u, %%in0;\n%s\n%s\n%s\n%s %s, %s, %s, %s;\n%s",
                (unsigned)sizeof in[0], loads(t, ty, st, 0, na, 0), loads(t, ty, st, 8, nb, sizeof in[0][0]),
                loads(t, cty, acc, base_c, nc, 2 * sizeof in[0][0]), name, regs(t, acc, base_d, nc),
                regs(t, st, 0, na), regs(t, st, 8, nb), regs(t, acc, base_c, nc), stores);
    for (unsigned config = 0; config < ISA_CONFIGS; config++) {
        memset(got, 0, sizeof got);
        struct isa_launch l = kern_launch(t, &k, &got[0][0]);
        if (!isa_run(t, config, &l, name))
            return;
        for (unsigned i = 0; i < 32 * s->m / 4; i++) {
            unsigned lane = i % 32, at = i / 32, row = lane / 4 + 8 * (at / 2), col = 2 * (lane % 4) + at % 2;
            uint64_t v = s->acc == F16 ? got[lane][at / 2] >> (16 * (at % 2)) & 0xffff : got[lane][at];
            double want;
            t->checks++;
            bool ok = result_ok(s, p, row, col, v, &want);
            if (exact && s->acc != S32)
                ok = fp_value(kinds[s->acc].fmt, v) == want;
            if (!ok) {
                isa_fail(t, "%s [%u] D[%u][%u]: want %.9g, got %#llx", name, config, row, col, want,
                         (unsigned long long)v);
                break;
            }
        }
    }
}

static void check(struct isa *t, const struct shape *s)
{
    struct problem *p = xcalloc(1, sizeof *p);
    const char *d = kinds[s->acc].name;
    const char *name = isa_fmt(t, "mma.sync.aligned.m%un8k%u.row.col%s.%s.%s.%s.%s%s", s->m, s->k, s->mods, d,
                               kinds[s->a].name, kinds[s->b].name, d, s->tail);
    isa_count(t, name);
    for (unsigned i = 0; i < 3; i++) {
        fill_small(t, s, p);
        run_shape(t, s, name, p, true);
        fill_random(t, s, p);
        run_shape(t, s, name, p, false);
    }
    free(p);
}

static void test_float(void **state)
{
    struct isa *t = *state;
    static const struct shape shapes[] = {
        {16, 8, F16, F16, F32, "", ""},    {16, 16, F16, F16, F32, "", ""},
        {16, 8, F16, F16, F16, "", ""},    {16, 16, F16, F16, F16, "", ""},
        {16, 8, BF16, BF16, F32, "", ""},  {16, 16, BF16, BF16, F32, "", ""},
        {16, 4, TF32, TF32, F32, "", ""},  {16, 8, TF32, TF32, F32, "", ""},
        {8, 4, F64, F64, F64, "", ""},     {16, 4, F64, F64, F64, "", ""},
        {16, 8, F64, F64, F64, "", ""},    {16, 16, F64, F64, F64, "", ""},
        {16, 32, E4M3, E4M3, F32, "", ""}, {16, 32, E4M3, E5M2, F32, "", ""},
        {16, 32, E5M2, E4M3, F32, "", ""}, {16, 32, E5M2, E5M2, F16, "", ""},
        {16, 16, E4M3, E4M3, F32, "", ""}, {16, 16, E5M2, E4M3, F16, "", ""},
    };
    for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        check(t, &shapes[i]);
    ISA_DONE(t);
}

static void test_int(void **state)
{
    struct isa *t = *state;
    static const struct {
        unsigned m, k;
        bool four;
    } sizes[] = {{8, 16, 0}, {16, 16, 0}, {16, 32, 0}, {8, 32, 1}, {16, 32, 1}, {16, 64, 1}};
    static const enum kind eight[] = {S8, U8}, four[] = {S4, U4};
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (unsigned j = 0; j < 4; j++)
            for (unsigned sat = 0; sat < 2; sat++) {
                const enum kind *k = sizes[i].four ? four : eight;
                check(t, &(struct shape){sizes[i].m, sizes[i].k, k[j & 1], k[j >> 1], S32,
                                         sat ? ".satfinite" : "", ""});
            }
    ISA_DONE(t);
}

static void test_bit(void **state)
{
    struct isa *t = *state;
    static const struct {
        unsigned m, k;
    } sizes[] = {{8, 128}, {16, 128}, {16, 256}};
    for (unsigned i = 0; i < 3; i++) {
        check(t, &(struct shape){sizes[i].m, sizes[i].k, B1, B1, S32, "", ".xor.popc"});
        check(t, &(struct shape){sizes[i].m, sizes[i].k, B1, B1, S32, "", ".and.popc"});
    }
    ISA_DONE(t);
}

ISA_MAIN(cmocka_unit_test(test_float), cmocka_unit_test(test_int), cmocka_unit_test(test_bit))
