/* SPDX-License-Identifier: Apache-2.0 */
/* Approximate functions, within the error the PTX manual states for each, and their exact special cases. */
#include "form.h"
#include "fp.h"

#include <math.h>

enum { FN, FTZ, FMT, KIND, X2 };
enum { RCP, SQRT, RSQRT, SIN, COS, EX2, LG2, TANH, DIV };
/* What the bound limits: units in the last place, relative error, absolute error, or as lg2 says. */
enum { ULP, REL, ABS, LG2_ERR, TRIG_ERR };

static const struct fp_fmt *const fmts[] = {&fp_f32, &fp_f64, &fp_f16, &fp_bf16};

static double exact(int fn, double x, double y)
{
    switch (fn) {
    case RCP: return 1 / x;
    case SQRT: return sqrt(x);
    case RSQRT: return 1 / sqrt(x);
    case SIN: return sin(x);
    case COS: return cos(x);
    case EX2: return exp2(x);
    case LG2: return log2(x);
    case TANH: return tanh(x);
    default: return x / y;
    }
}

static bool close_enough(const struct form *f, const struct fp_fmt *fmt, double x, double want, uint64_t got)
{
    double err = fabs(fp_value(fmt, got) - want);
    switch (f->k[KIND]) {
    case ULP: return fp_ulps(fmt, want, got) <= f->bound;
    case REL: return err <= f->bound * fabs(want) || fp_ulps(fmt, want, got) <= 1; /* of a subnormal result */
    case ABS: return err <= f->bound;
    case LG2_ERR: return err <= 0x1p-22 * (x > 0.5 && x < 2 ? 1 : fabs(want));
    default:
        return fabs(x) > 314 ? fabs(fp_value(fmt, got)) <= 1
                             : err <= exp2(fabs(x) <= 6.2831853 ? -20.5 : -14.7);
    }
}

/* Compares the value and not the reference's rounding of it: sees the operands again. */
static bool one_ok(const struct form *f, const struct fp_fmt *fmt, uint64_t a, uint64_t b, uint64_t got)
{
    if (f->k[FTZ])
        a = fp_flush(fmt, a), b = fp_flush(fmt, b);
    double x = fp_value(fmt, a), y = fp_value(fmt, b), want = exact(f->k[FN], x, y);
    if (isnan(want))
        return fp_is_nan(fmt, got);
    uint64_t rounded = fp_round(fmt, want, FP_RN);
    /* Either side of the smallest normal number, within the bound. */
    if (f->k[FTZ] && fp_is_subnormal(fmt, rounded))
        return got == fp_flush(fmt, rounded) || close_enough(f, fmt, x, want, got);
    if (f->k[FTZ] && (rounded & ~fp_sign_bit(fmt)) <= 1ull << fmt->mbits &&
        got == (rounded & fp_sign_bit(fmt)))
        return true;
    if (isinf(want) || want == 0 || fp_is_inf(fmt, rounded) || rounded == 0)
        return got == rounded || (f->k[FN] == DIV && close_enough(f, fmt, x, want, got)) ||
               (fp_is_inf(fmt, rounded) && !isinf(want) && f->bound > 0 && got == rounded - 1);
    if (fp_is_inf(fmt, got)) /* the largest number may round up */
        return fabs(want) >= fp_value(fmt, fp_round(fmt, INFINITY, FP_RN) - 1) * (1 - 0x1p-7);
    return close_enough(f, fmt, x, want, got);
}

static bool ok(const struct form *f, const uint64_t *in, uint64_t want, uint64_t got)
{
    (void)want;
    const struct fp_fmt *fmt = fmts[f->k[FMT]];
    if (fmt == &fp_f64 && f->k[FTZ]) /* these see the upper word only */
        return one_ok(f, fmt, in[0] >> 32 << 32, 0, got);
    if (!f->k[X2])
        return one_ok(f, fmt, in[0], in[1], got);
    return one_ok(f, fmt, in[0] & 0xffff, 0, got & 0xffff) && one_ok(f, fmt, in[0] >> 16, 0, got >> 16);
}

static bool ref_any(const struct form *f, const uint64_t *in, uint64_t *out)
{
    (void)f;
    (void)in;
    out[0] = 0;
    return true;
}

/* A divisor above 2^126 makes no promise; nor does a subnormal one that .ftz flushes. */
static bool ref_div_approx(const struct form *f, const uint64_t *in, uint64_t *out)
{
    double y = fabs(fp_value(&fp_f32, in[1]));
    out[0] = 0;
    return !(y > 0x1p126 || (f->k[1] && y > 0 && y < 0x1p-126));
}

static void test_f32(void **state)
{
    struct isa *t = *state;
    const struct {
        const char *name;
        int fn, kind;
        double bound;
    } rows[] = {{"rcp", RCP, ULP, 1},      {"sqrt", SQRT, REL, 0x1p-23}, {"rsqrt", RSQRT, REL, exp2(-22.9)},
                {"sin", SIN, TRIG_ERR, 0}, {"cos", COS, TRIG_ERR, 0},    {"ex2", EX2, REL, 0x1p-22},
                {"lg2", LG2, LG2_ERR, 0},  {"tanh", TANH, REL, 0x1p-11}};
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int ftz = 0; ftz <= (rows[i].fn != TANH); ftz++)
            form_check(t,
                       &(struct form){.name = isa_fmt(t, "%s.approx%s.f32", rows[i].name, ftz ? ".ftz" : ""),
                                      .sig = "f32:f32",
                                      .ref = ref_any,
                                      .ok = ok,
                                      .bound = rows[i].bound,
                                      .k = {rows[i].fn, ftz, 0, rows[i].kind}});
    ISA_DONE(t);
}

static void test_div(void **state)
{
    struct isa *t = *state;
    static const char *const name[] = {"div.approx.f32", "div.approx.ftz.f32", "div.full.f32",
                                       "div.full.ftz.f32"};
    for (int i = 0; i < 4; i++)
        form_check(t, &(struct form){name[i], "f32:f32,f32", .ref = i < 2 ? ref_div_approx : ref_any,
                                     .ok = ok, .bound = 2, .k = {DIV, i & 1, 0, ULP}, .nimm = 4});
    ISA_DONE(t);
}

/* The .ftz.f64 forms work on the upper word alone: at least 20 bits. */
static void test_f64(void **state)
{
    struct isa *t = *state;
    form_check(t, &(struct form){"rcp.approx.ftz.f64", "f64:f64", .ref = ref_any, .ok = ok, .bound = 0x1p-19,
                                 .k = {RCP, 1, 1, REL}});
    form_check(t, &(struct form){"rsqrt.approx.ftz.f64", "f64:f64", .ref = ref_any, .ok = ok,
                                 .bound = 0x1p-19, .k = {RSQRT, 1, 1, REL}});
    form_check(t, &(struct form){"rsqrt.approx.f64", "f64:f64", .ref = ref_any, .ok = ok, .bound = 0x1p-51,
                                 .k = {RSQRT, 0, 1, REL}});
    ISA_DONE(t);
}

static void test_half(void **state)
{
    struct isa *t = *state;
    const double ex2_f16 = exp2(-9.9), ex2_bf16 = 0x1p-7, tanh_f16 = exp2(-10.987), tanh_bf16 = 0x1p-8;
    const struct {
        const char *name, *type;
        int fn, ftz, fmt, kind, x2;
        double bound;
    } rows[] = {
        {"ex2.approx.f16", "f16", EX2, 0, 2, REL, 0, ex2_f16},
        {"ex2.approx.f16x2", "f16x2", EX2, 0, 2, REL, 1, ex2_f16},
        {"ex2.approx.ftz.bf16", "bf16", EX2, 1, 3, REL, 0, ex2_bf16},
        {"ex2.approx.ftz.bf16x2", "bf16x2", EX2, 1, 3, REL, 1, ex2_bf16},
        {"tanh.approx.f16", "f16", TANH, 0, 2, ABS, 0, tanh_f16},
        {"tanh.approx.f16x2", "f16x2", TANH, 0, 2, ABS, 1, tanh_f16},
        {"tanh.approx.bf16", "bf16", TANH, 0, 3, ABS, 0, tanh_bf16},
        {"tanh.approx.bf16x2", "bf16x2", TANH, 0, 3, ABS, 1, tanh_bf16},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        form_check(t, &(struct form){.name = rows[i].name,
                                     .sig = isa_fmt(t, "%s:%s", rows[i].type, rows[i].type),
                                     .ref = ref_any,
                                     .ok = ok,
                                     .bound = rows[i].bound,
                                     .k = {rows[i].fn, rows[i].ftz, rows[i].fmt, rows[i].kind, rows[i].x2}});
    ISA_DONE(t);
}

ISA_MAIN(cmocka_unit_test(test_f32), cmocka_unit_test(test_div), cmocka_unit_test(test_f64),
         cmocka_unit_test(test_half))
