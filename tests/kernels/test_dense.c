/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix products in every form the bundle has: naive, tiled, register-tiled, f64, asynchronous copies,
 * tensor cores. */
#include "kt.h"

#include <string.h>

enum { MAXN = 128 };

/* want = A B, row-major, in double. */
static void product(double *want, const float *a, const float *b, int m, int n, int k)
{
    for (int r = 0; r < m; r++)
        for (int c = 0; c < n; c++) {
            double s = 0;
            for (int i = 0; i < k; i++)
                s += (double)a[r * k + i] * (double)b[i * n + c];
            want[r * n + c] = s;
        }
}

static void fill(struct kt *t, float *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = kt_f32(t, -1, 1);
}

static void sgemm_naive(struct kt *t)
{
    enum { M = 37, N = 45, K = 29 };
    struct {
        int m, n, k;
        float alpha;
        uint64_t a, b;
        float beta;
        uint64_t c;
    } p = {.m = M, .n = N, .k = K, .alpha = 1.5f, .beta = -0.5f};
    float *a = KT_NEW(t, float, M *K, &p.a), *b = KT_NEW(t, float, K *N, &p.b),
          *c = KT_NEW(t, float, M *N, &p.c);
    double want[M * N];
    fill(t, a, M * K);
    fill(t, b, K * N);
    fill(t, c, M * N);
    product(want, a, b, M, N, K);
    for (int i = 0; i < M * N; i++)
        want[i] = 1.5 * want[i] - 0.5 * (double)c[i];
    kt_launch(t, "sgemm_naive", KT_2(2, 3), KT_2(32, 16), &p, sizeof p);
    KT_NEAR(t, c, want, M * N, 1e-5, 1e-5);
}
KT_TEST("sgemm_naive", sgemm_naive)

/* The kernels that take (n, k, a, b, c) and whole tiles. */
static void gemm_tiles(struct kt *t, const char *kernel, int m, int n, int k, const uint32_t grid[2],
                       const uint32_t block[2])
{
    struct {
        int n, k;
        uint64_t a, b, c;
    } p = {.n = n, .k = k};
    float *a = KT_NEW(t, float, m *k, &p.a), *b = KT_NEW(t, float, k *n, &p.b),
          *c = KT_NEW(t, float, m *n, &p.c);
    static double want[MAXN * MAXN];
    fill(t, a, m * k);
    fill(t, b, k * n);
    product(want, a, b, m, n, k);
    kt_launch(t, kernel, grid, block, &p, sizeof p);
    KT_NEAR(t, c, want, (size_t)(m * n), 1e-5, 1e-5);
}

static void sgemm_tiled(struct kt *t) { gemm_tiles(t, "sgemm_tiled", 48, 32, 64, KT_2(2, 3), KT_2(16, 16)); }
KT_TEST("sgemm_tiled", sgemm_tiled)

static void sgemm_reg(struct kt *t) { gemm_tiles(t, "sgemm_reg", 64, 128, 24, KT_2(2, 1), KT_2(8, 8)); }
KT_TEST("sgemm_reg", sgemm_reg)

static void sgemm_async(struct kt *t) { gemm_tiles(t, "sgemm_async", 64, 32, 96, KT_2(1, 2), KT_2(16, 16)); }
KT_TEST("cpasync", sgemm_async)

static void mbar_double(struct kt *t)
{
    struct {
        uint64_t in, out;
    } p;
    int *in = KT_NEW(t, int, 256, &p.in), *out = KT_NEW(t, int, 256, &p.out), want[256];
    for (int i = 0; i < 256; i++)
        in[i] = kt_int(t, -1000, 1000);
    for (int i = 0; i < 256; i++)
        want[i] = 2 * in[255 - i];
    kt_launch(t, "mbar_double", KT_1(1), KT_1(64), &p, sizeof p);
    KT_SAME(t, out, want, 256);
}
KT_TEST("cpasync", mbar_double)

static void dgemm(struct kt *t)
{
    enum { M = 32, N = 48, K = 32 };
    struct {
        int n, k;
        uint64_t a, b, c;
    } p = {.n = N, .k = K};
    double *a = KT_NEW(t, double, M *K, &p.a), *b = KT_NEW(t, double, K *N, &p.b),
           *c = KT_NEW(t, double, M *N, &p.c);
    double want[M * N];
    for (int i = 0; i < M * K; i++)
        a[i] = (double)kt_f32(t, -1, 1) * 1.1;
    for (int i = 0; i < K * N; i++)
        b[i] = (double)kt_f32(t, -1, 1) / 3.0;
    for (int i = 0; i < M * N; i++) {
        want[i] = 0;
        for (int j = 0; j < K; j++)
            want[i] += a[i / N * K + j] * b[j * N + i % N];
    }
    kt_launch(t, "dgemm", KT_2(3, 2), KT_2(16, 16), &p, sizeof p);
    kt_near64(t, "c", c, want, M * N, 1e-13, 1e-13);
}
KT_TEST("dgemm", dgemm)

static void jacobi(struct kt *t)
{
    enum { N = 60 };
    struct {
        uint64_t a, b, x, next, change;
        int n;
    } p = {.n = N};
    double *a = KT_NEW(t, double, N *N, &p.a), *b = KT_NEW(t, double, N, &p.b),
           *x = KT_NEW(t, double, N, &p.x);
    double *next = KT_NEW(t, double, N, &p.next), *change = KT_NEW(t, double, 1, &p.change), want[N], sum = 0;
    for (int i = 0; i < N * N; i++)
        a[i] = i / N == i % N ? 100.0 + i : (double)kt_f32(t, -1, 1);
    for (int i = 0; i < N; i++) {
        b[i] = (double)kt_f32(t, -9, 9);
        x[i] = (double)kt_f32(t, -1, 1);
    }
    for (int i = 0; i < N; i++) {
        want[i] = b[i];
        for (int j = 0; j < N; j++)
            want[i] -= j == i ? 0 : a[i * N + j] * x[j];
        want[i] /= a[i * N + i];
        sum += (want[i] - x[i]) * (want[i] - x[i]);
    }
    kt_launch(t, "jacobi", KT_1(1), KT_1(64), &p, sizeof p);
    kt_near64(t, "next", next, want, N, 1e-13, 1e-14);
    kt_near64(t, "change", change, &sum, 1, 1e-12, 0);
}
KT_TEST("dgemm", jacobi)

/* 16-bit inputs as floats of the same value, for the reference. */
static float *fill16(struct kt *t, uint16_t *to, int n, bool bf16)
{
    float *f = xmalloc(sizeof *f * (size_t)n);
    for (int i = 0; i < n; i++) {
        float v = kt_f32(t, -1, 1);
        to[i] = bf16 ? kt_to_bf16(v) : kt_to_half(v);
        f[i] = bf16 ? kt_from_bf16(to[i]) : kt_from_half(to[i]);
    }
    return f;
}

static void transpose_f32(float *a, int rows, int cols)
{
    float *b = xmalloc(sizeof *b * (size_t)(rows * cols));
    for (int i = 0; i < rows * cols; i++)
        b[i % cols * rows + i / cols] = a[i];
    memcpy(a, b, sizeof *b * (size_t)(rows * cols));
    free(b);
}

static void tensor16(struct kt *t, const char *kernel, bool bf16, bool b_by_columns, bool add)
{
    enum { M = 32, N = 48, K = 64 };
    struct {
        uint64_t a, b, c;
        int n, k;
    } p = {.n = N, .k = K};
    uint16_t *a = KT_NEW(t, uint16_t, M * K, &p.a), *b = KT_NEW(t, uint16_t, K * N, &p.b);
    float *c = KT_NEW(t, float, M *N, &p.c), *fa = fill16(t, a, M * K, bf16), *fb = fill16(t, b, K * N, bf16);
    double want[M * N];
    if (b_by_columns)
        transpose_f32(fb, N, K);
    product(want, fa, fb, M, N, K);
    if (add) {
        fill(t, c, M * N);
        for (int i = 0; i < M * N; i++)
            want[i] += (double)c[i];
    }
    free(fa);
    free(fb);
    kt_launch(t, kernel, KT_2(N / 16, M / 16), KT_1(32), &p, sizeof p);
    KT_NEAR(t, c, want, M * N, 1e-5, 1e-5);
}

static void wmma_f16(struct kt *t) { tensor16(t, "wmma_f16", false, false, false); }
KT_TEST("wmma", wmma_f16)
static void wmma_bf16(struct kt *t) { tensor16(t, "wmma_bf16", true, true, true); }
KT_TEST("wmma", wmma_bf16)
static void mma_f16(struct kt *t) { tensor16(t, "mma_f16", false, false, false); }
KT_TEST("mma", mma_f16)

static void product_s8(int *want, const int8_t *a, const int8_t *b, int m, int n, int k)
{
    for (int i = 0; i < m * n; i++) {
        want[i] = 0;
        for (int j = 0; j < k; j++)
            want[i] += a[i / n * k + j] * b[i % n * k + j];
    }
}

static void wmma_s8(struct kt *t)
{
    enum { M = 32, N = 32, K = 48 };
    struct {
        uint64_t a, b, c;
        int n, k;
    } p = {.n = N, .k = K};
    int8_t *a = KT_NEW(t, int8_t, M * K, &p.a), *b = KT_NEW(t, int8_t, N * K, &p.b);
    int *c = KT_NEW(t, int, M *N, &p.c), want[M * N];
    for (int i = 0; i < M * K; i++)
        a[i] = (int8_t)kt_int(t, -128, 128);
    for (int i = 0; i < N * K; i++)
        b[i] = (int8_t)kt_int(t, -128, 128);
    product_s8(want, a, b, M, N, K);
    kt_launch(t, "wmma_s8", KT_2(2, 2), KT_1(32), &p, sizeof p);
    KT_SAME(t, c, want, M * N);
}
KT_TEST("wmma", wmma_s8)

static void mma_s8(struct kt *t)
{
    struct {
        uint64_t a, b, c;
    } p;
    int8_t *a = KT_NEW(t, int8_t, 16 * 32, &p.a), *b = KT_NEW(t, int8_t, 8 * 32, &p.b);
    int *c = KT_NEW(t, int, 16 * 8, &p.c), want[16 * 8];
    for (int i = 0; i < 16 * 32; i++)
        a[i] = (int8_t)kt_int(t, -128, 128);
    for (int i = 0; i < 8 * 32; i++)
        b[i] = (int8_t)kt_int(t, -128, 128);
    product_s8(want, a, b, 16, 8, 32);
    kt_launch(t, "mma_s8", KT_1(1), KT_1(32), &p, sizeof p);
    KT_SAME(t, c, want, 16 * 8);
}
KT_TEST("mma", mma_s8)

static void mma_tf32(struct kt *t)
{
    struct {
        uint64_t a, b, c;
    } p;
    float *a = KT_NEW(t, float, 16 * 8, &p.a), *b = KT_NEW(t, float, 8 * 8, &p.b),
          *c = KT_NEW(t, float, 16 * 8, &p.c);
    double want[16 * 8];
    fill(t, a, 16 * 8);
    fill(t, b, 8 * 8);
    product(want, a, b, 16, 8, 8);
    kt_launch(t, "mma_tf32", KT_1(1), KT_1(32), &p, sizeof p);
    /* tf32 keeps 10 bits of mantissa: half an ulp of each factor, eight terms. */
    KT_NEAR(t, c, want, 16 * 8, 0, 8 * 0x1p-10);
}
KT_TEST("mma", mma_tf32)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sgemm_naive), cmocka_unit_test(test_sgemm_tiled),
        cmocka_unit_test(test_sgemm_reg),   cmocka_unit_test(test_sgemm_async),
        cmocka_unit_test(test_mbar_double), cmocka_unit_test(test_dgemm),
        cmocka_unit_test(test_jacobi),      cmocka_unit_test(test_wmma_f16),
        cmocka_unit_test(test_wmma_bf16),   cmocka_unit_test(test_mma_f16),
        cmocka_unit_test(test_wmma_s8),     cmocka_unit_test(test_mma_s8),
        cmocka_unit_test(test_mma_tf32),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
