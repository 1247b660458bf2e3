/* SPDX-License-Identifier: Apache-2.0 */
/* f16, f16x2, bf16, bf16x2: exact arithmetic on each half with one rounding. */
#include "form.h"
#include "fp.h"

enum { FMT, OP, FTZ, SAT, RELU, X2 };

static const struct fp_fmt *const fmts[] = {&fp_f16, &fp_bf16};
static const char *const type_name[2][2] = {{"f16", "f16x2"}, {"bf16", "bf16x2"}};

typedef uint64_t (*half_fn)(const struct form *f, const struct fp_fmt *fmt, uint64_t a, uint64_t b,
                            uint64_t c);

static bool each_half(const struct form *f, const uint64_t *in, uint64_t *out, half_fn fn)
{
    for (unsigned h = 0; h < (f->k[X2] ? 32u : 16u); h += 16) {
        uint64_t r = fn(f, fmts[f->k[FMT]], in[0] >> h & 0xffff, in[1] >> h & 0xffff, in[2] >> h & 0xffff);
        out[0] |= r << h;
    }
    return true;
}

static uint64_t half_arith(const struct form *f, const struct fp_fmt *fmt, uint64_t a, uint64_t b, uint64_t c)
{
    if (f->k[FTZ])
        a = fp_flush(fmt, a), b = fp_flush(fmt, b), c = fp_flush(fmt, c);
    uint64_t r = fp_op(fmt, (enum fp_op)f->k[OP], FP_RN, a, b, c);
    if (f->k[FTZ])
        r = fp_flush(fmt, r);
    if (f->k[SAT])
        r = fp_saturate(fmt, r);
    if (f->k[RELU] && !fp_is_nan(fmt, r) && r & fp_sign_bit(fmt))
        r = 0;
    return r;
}
static bool ref_arith(const struct form *f, const uint64_t *in, uint64_t *out)
{
    const struct fp_fmt *fmt = fmts[f->k[FMT]];
    for (unsigned h = 0; f->k[FTZ] && h < 32; h += 16) {
        uint64_t v[3], r;
        for (unsigned i = 0; i < 3; i++)
            v[i] = fp_flush(fmt, in[i] >> h & 0xffff);
        r = fp_op(fmt, (enum fp_op)f->k[OP], FP_RN, v[0], v[1], v[2]);
        if (fp_flush_unclear(fmt, (enum fp_op)f->k[OP], v[0], v[1], v[2], r))
            return false;
    }
    return each_half(f, in, out, half_arith);
}

static void check(struct isa *t, const char *stem, const char *mods, unsigned nsrc, int fmt, int x2,
                  struct form f)
{
    const char *ty = type_name[fmt][x2];
    f.name = isa_fmt(t, "%s%s.%s", stem, mods, ty);
    f.sig = isa_fmt(t, nsrc == 1 ? "%s:%s" : nsrc == 2 ? "%s:%s,%s" : "%s:%s,%s,%s", ty, ty, ty, ty);
    f.k[FMT] = fmt;
    f.k[X2] = x2;
    form_check(t, &f);
}

static void test_arith(void **state)
{
    struct isa *t = *state;
    static const struct {
        const char *name;
        int op;
    } ops[] = {{"add", FP_ADD}, {"sub", FP_SUB}, {"mul", FP_MUL}};
    static const char *const mods[] = {"", ".ftz", ".sat", ".ftz.sat"};
    for (unsigned o = 0; o < 3; o++)
        for (int x2 = 0; x2 < 2; x2++)
            for (int rn = 0; rn < 2; rn++) {
                const char *stem = isa_fmt(t, "%s%s", ops[o].name, rn ? ".rn" : "");
                for (int m = 0; m < 4; m++)
                    check(t, stem, mods[m], 2, 0, x2,
                          (struct form){.ref = ref_arith, .k = {0, ops[o].op, m & 1, m >> 1}});
                check(t, stem, "", 2, 1, x2, (struct form){.ref = ref_arith, .k = {0, ops[o].op}});
            }
    ISA_DONE(t);
}

static void test_fma(void **state)
{
    struct isa *t = *state;
    static const struct {
        const char *mods;
        int ftz, sat, relu;
        bool bf;
    } rows[] = {{"", 0, 0, 0, true},          {".ftz", 1, 0, 0, false}, {".sat", 0, 1, 0, false},
                {".ftz.sat", 1, 1, 0, false}, {".relu", 0, 0, 1, true}, {".ftz.relu", 1, 0, 1, false}};
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int x2 = 0; x2 < 2; x2++)
            for (int fmt = 0; fmt <= rows[i].bf; fmt++)
                check(t, "fma.rn", rows[i].mods, 3, fmt, x2,
                      (struct form){.ref = ref_arith,
                                    .k = {0, FP_FMA, rows[i].ftz, rows[i].sat, rows[i].relu}});
    ISA_DONE(t);
}

enum { MAX = 1, NAN_WINS = 2, XORSIGN = 4 };

static uint64_t half_minmax(const struct form *f, const struct fp_fmt *fmt, uint64_t a, uint64_t b,
                            uint64_t c)
{
    (void)c;
    uint64_t sb = fp_sign_bit(fmt), sign = (a ^ b) & sb;
    if (f->k[FTZ])
        a = fp_flush(fmt, a), b = fp_flush(fmt, b);
    if (f->k[OP] & XORSIGN)
        a &= ~sb, b &= ~sb;
    double x = fp_value(fmt, a), y = fp_value(fmt, b);
    bool less = x < y || (x == y && a & sb && !(b & sb));
    uint64_t r = (f->k[OP] & MAX) != 0 ? (less ? b : a) : (less ? a : b);
    bool na = fp_is_nan(fmt, a), nb = fp_is_nan(fmt, b);
    if ((na && nb) || ((na || nb) && f->k[OP] & NAN_WINS))
        return fp_nan(fmt);
    if (na || nb)
        r = na ? b : a;
    return f->k[OP] & XORSIGN ? (r & ~sb) | sign : r;
}
static bool ref_minmax(const struct form *f, const uint64_t *in, uint64_t *out)
{
    return each_half(f, in, out, half_minmax);
}

static void test_minmax(void **state)
{
    struct isa *t = *state;
    for (int op = 0; op < 8; op++)
        for (int x2 = 0; x2 < 2; x2++)
            for (int ftz = 0; ftz < 2; ftz++)
                for (int fmt = 0; fmt <= !ftz; fmt++)
                    check(t, op & MAX ? "max" : "min",
                          isa_fmt(t, "%s%s%s", ftz ? ".ftz" : "", op & NAN_WINS ? ".NaN" : "",
                                  op & XORSIGN ? ".xorsign.abs" : ""),
                          2, fmt, x2, (struct form){.ref = ref_minmax, .k = {0, op, ftz}});
    ISA_DONE(t);
}

static uint64_t half_sign(const struct form *f, const struct fp_fmt *fmt, uint64_t a, uint64_t b, uint64_t c)
{
    (void)b;
    (void)c;
    a = f->k[FTZ] ? fp_flush(fmt, a) : a;
    return f->k[OP] ? a ^ fp_sign_bit(fmt) : a & ~fp_sign_bit(fmt);
}
static bool ref_sign(const struct form *f, const uint64_t *in, uint64_t *out)
{
    return each_half(f, in, out, half_sign);
}

static void test_sign(void **state)
{
    struct isa *t = *state;
    for (int op = 0; op < 2; op++)
        for (int x2 = 0; x2 < 2; x2++)
            for (int ftz = 0; ftz < 2; ftz++)
                for (int fmt = 0; fmt <= !ftz; fmt++)
                    check(t, op ? "neg" : "abs", ftz ? ".ftz" : "", 1, fmt, x2,
                          (struct form){.ref = ref_sign, .k = {0, op, ftz}});
    ISA_DONE(t);
}

ISA_MAIN(cmocka_unit_test(test_arith), cmocka_unit_test(test_fma), cmocka_unit_test(test_minmax),
         cmocka_unit_test(test_sign))
