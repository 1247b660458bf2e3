/* SPDX-License-Identifier: Apache-2.0 */
/* Floating point: library functions as the compilers expand them, approximations, 16-bit formats. */
#include "kt.h"

#include <math.h>

static double cdf(double d) { return 0.5 * erfc(-d / sqrt(2.0)); }

static void blackscholes(struct kt *t)
{
    enum { N = 200 };
    struct {
        uint64_t call, put, price, strike, years;
        float rate, vol;
        int n;
    } p = {.rate = 0.02f, .vol = 0.3f, .n = N};
    float *call = KT_NEW(t, float, N, &p.call), *put = KT_NEW(t, float, N, &p.put),
          *s = KT_NEW(t, float, N, &p.price);
    float *x = KT_NEW(t, float, N, &p.strike), *y = KT_NEW(t, float, N, &p.years);
    double wc[N], wp[N], r = (double)0.02f, v = (double)0.3f;
    for (int i = 0; i < N; i++) {
        s[i] = kt_f32(t, 5, 30);
        x[i] = kt_f32(t, 1, 100);
        y[i] = kt_f32(t, 0.25f, 10);
        double years = (double)y[i], root = sqrt(years),
               d1 = (log((double)s[i] / (double)x[i]) + (r + 0.5 * v * v) * years) / (v * root);
        double d2 = d1 - v * root, disc = exp(-r * years);
        wc[i] = (double)s[i] * cdf(d1) - (double)x[i] * disc * cdf(d2);
        wp[i] = (double)x[i] * disc * cdf(-d2) - (double)s[i] * cdf(-d1);
    }
    kt_launch(t, "blackscholes", KT_1(2), KT_1(128), &p, sizeof p);
    /* The polynomial for the normal distribution is good to 7.5e-8, times the price. */
    KT_NEAR(t, call, wc, N, 1e-5, 5e-5);
    KT_NEAR(t, put, wp, N, 1e-5, 5e-5);
}
KT_TEST("blackscholes", blackscholes)

static void haxpy2(struct kt *t)
{
    enum { N = 300 };
    struct {
        uint64_t x, y;
        float a;
        int n2;
    } p = {.a = 1.3f, .n2 = N / 2};
    uint16_t *x = KT_NEW(t, uint16_t, N, &p.x), *y = KT_NEW(t, uint16_t, N, &p.y), want[N],
             a = kt_to_half((double)1.3f);
    for (int i = 0; i < N; i++) {
        x[i] = kt_to_half((double)kt_f32(t, -100, 100));
        y[i] = kt_to_half((double)kt_f32(t, -1, 1));
        want[i] =
            kt_to_half((double)kt_from_half(a) * (double)kt_from_half(x[i]) + (double)kt_from_half(y[i]));
    }
    kt_launch(t, "haxpy2", KT_1(2), KT_1(96), &p, sizeof p);
    KT_SAME(t, y, want, N);
}
KT_TEST("half", haxpy2)

static void hclamp(struct kt *t)
{
    enum { N = 300 };
    struct {
        uint64_t x, y;
        int n;
    } p = {.n = N};
    uint16_t *x = KT_NEW(t, uint16_t, N, &p.x), *y = KT_NEW(t, uint16_t, N, &p.y), want[N];
    for (int i = 0; i < N; i++) {
        x[i] = kt_to_half((double)kt_f32(t, -300, 300));
        double v = (double)kt_from_half(x[i]) * 0.5;
        want[i] = kt_to_half((v > 100 ? 100 : v < -100 ? -100 : v) - 1);
    }
    kt_launch(t, "hclamp", KT_1(3), KT_1(128), &p, sizeof p);
    KT_SAME(t, y, want, N);
}
KT_TEST("half", hclamp)

static void bfaxpy(struct kt *t)
{
    enum { N = 300 };
    struct {
        uint64_t x, y, z, wide;
        int n;
    } p = {.n = N};
    uint16_t *x = KT_NEW(t, uint16_t, N, &p.x), *y = KT_NEW(t, uint16_t, N, &p.y),
             *z = KT_NEW(t, uint16_t, N, &p.z), wz[N];
    float *wide = KT_NEW(t, float, N, &p.wide), ww[N];
    for (int i = 0; i < N; i++) {
        x[i] = kt_to_bf16((double)kt_f32(t, -1e5f, 1e5f));
        y[i] = kt_to_bf16((double)kt_f32(t, -1e3f, 1e3f));
        wz[i] = kt_to_bf16((double)kt_from_bf16(x[i]) * 1.5 + (double)kt_from_bf16(y[i]));
        ww[i] = kt_from_bf16(x[i]) * kt_from_bf16(y[i]);
    }
    kt_launch(t, "bfaxpy", KT_1(3), KT_1(128), &p, sizeof p);
    KT_SAME(t, z, wz, N);
    KT_SAME(t, wide, ww, N);
}
KT_TEST("half", bfaxpy)

static void math_f32(struct kt *t)
{
    enum { N = 150, F = 13 };
    struct {
        uint64_t in, out;
        int n;
    } p = {.n = N};
    float *in = KT_NEW(t, float, N, &p.in), *out = KT_NEW(t, float, N *F, &p.out);
    static double want[F][N];
    for (int i = 0; i < N; i++) {
        float xf = in[i] = kt_f32(t, -3, 3);
        double x = (double)xf;
        want[0][i] = sin(x);
        want[1][i] = cos((double)(xf * 1000.0f));
        want[2][i] = tan(x);
        want[3][i] = exp(x);
        want[4][i] = log((double)(fabsf(xf) + 0.1f));
        want[5][i] = pow(fabs(x), (double)1.7f);
        want[6][i] = tanh(x);
        want[7][i] = atan2(x, 2);
        want[8][i] = erf(x);
        want[9][i] = cbrt(x);
        want[10][i] = fmod((double)(xf * 100.0f), 3);
        want[11][i] = floor(x) + rint(x) + trunc(x);
        want[12][i] = x / (double)3.7f + sqrt(fabs(x));
    }
    kt_launch(t, "math_f32", KT_1(3), KT_1(64), &p, sizeof p);
    kt_near(t, "math_f32", out, want[0], N * F, 1e-6, 2e-7);
}
KT_TEST("mathfun", math_f32)

static void math_fast(struct kt *t)
{
    enum { N = 150, F = 6 };
    struct {
        uint64_t in, out;
        int n;
    } p = {.n = N};
    float *in = KT_NEW(t, float, N, &p.in), *out = KT_NEW(t, float, N *F, &p.out);
    static double want[F][N];
    for (int i = 0; i < N; i++) {
        double x = (double)(in[i] = kt_f32(t, -3, 3));
        want[0][i] = sin(x) + cos(x);
        want[1][i] = exp(x);
        want[2][i] = log(fabs(x) + 0.1);
        want[3][i] = x / (double)3.7f;
        want[4][i] = 1 / sqrt(fabs(x) + 0.1);
        want[5][i] = x < 0 ? 0 : x > 1 ? 1 : x;
    }
    kt_launch(t, "math_fast", KT_1(3), KT_1(64), &p, sizeof p);
    /* __sinf, __cosf and __logf are good to 2^-21 near 1. */
    kt_near(t, "math_fast", out, want[0], N * F, 2e-6, 2e-6);
}
KT_TEST("mathfun", math_fast)

static void math_f64(struct kt *t)
{
    enum { N = 100, F = 7 };
    struct {
        uint64_t in, out;
        int n;
    } p = {.n = N};
    double *in = KT_NEW(t, double, N, &p.in), *out = KT_NEW(t, double, N *F, &p.out);
    static double want[F][N];
    for (int i = 0; i < N; i++) {
        double x = in[i] = (double)kt_f32(t, -30, 30) * 1.0123456789;
        want[0][i] = sin(x);
        want[1][i] = exp(x);
        want[2][i] = log(fabs(x) + 0.1);
        want[3][i] = pow(fabs(x), 1.7);
        want[4][i] = sqrt(fabs(x)) / 3.7;
        want[5][i] = floor(x) + rint(x * 10);
        want[6][i] = (double)(long long)(x * 1e6) + (double)(float)x;
    }
    kt_launch(t, "math_f64", KT_1(2), KT_1(64), &p, sizeof p);
    kt_near64(t, "math_f64", out, want[0], N * F, 1e-15, 1e-15);
}
KT_TEST("mathfun", math_f64)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blackscholes), cmocka_unit_test(test_haxpy2),
        cmocka_unit_test(test_hclamp),       cmocka_unit_test(test_bfaxpy),
        cmocka_unit_test(test_math_f32),     cmocka_unit_test(test_math_fast),
        cmocka_unit_test(test_math_f64),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
