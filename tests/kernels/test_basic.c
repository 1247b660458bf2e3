/* SPDX-License-Identifier: Apache-2.0 */
/* Element-wise work, reductions, neighbourhoods: the common shapes of data-parallel kernels. */
#include "kt.h"

#include <string.h>

static void vectoradd(struct kt *t)
{
    enum { N = 1000 };
    struct {
        uint64_t a, b, c;
        int n;
    } p = {.n = N};
    float *a = KT_NEW(t, float, N, &p.a), *b = KT_NEW(t, float, N, &p.b), *c = KT_NEW(t, float, N, &p.c),
          want[N];
    for (int i = 0; i < N; i++) {
        a[i] = kt_f32(t, -100, 100);
        b[i] = kt_f32(t, -1, 1);
        want[i] = a[i] + b[i];
    }
    kt_launch(t, "vectoradd", KT_1(8), KT_1(128), &p, sizeof p);
    KT_SAME(t, c, want, N);
}
KT_TEST("vectoradd", vectoradd)

static void saxpy(struct kt *t)
{
    enum { N = 1000 };
    struct {
        float a;
        uint64_t x, y;
        int n;
    } p = {.a = 2.5f, .n = N};
    float *x = KT_NEW(t, float, N, &p.x), *y = KT_NEW(t, float, N, &p.y);
    double want[N];
    for (int i = 0; i < N; i++) {
        x[i] = kt_f32(t, -10, 10);
        y[i] = kt_f32(t, -10, 10);
        want[i] = 2.5 * (double)x[i] + (double)y[i];
    }
    kt_launch(t, "saxpy", KT_1(3), KT_1(96), &p, sizeof p);
    KT_NEAR(t, y, want, N, 1e-6, 1e-6);
    for (int i = 0; i < N; i++)
        want[i] = 2.5 * (double)x[i] + (double)y[i];
    p.n = N / 4;
    kt_launch(t, "saxpy4", KT_1(4), KT_1(64), &p, sizeof p);
    KT_NEAR(t, y, want, N, 1e-6, 1e-6);
}
KT_TEST("saxpy", saxpy)

static void reduce(struct kt *t)
{
    enum { N = 5000 };
    struct {
        uint64_t in, out;
        int n;
    } p = {.n = N};
    int *in = KT_NEW(t, int, N, &p.in), *out = KT_NEW(t, int, 1, &p.out), sum = 0;
    uint32_t best = 0;
    for (int i = 0; i < N; i++) {
        in[i] = (int)rng_u32(&t->rng);
        sum = (int)((uint32_t)sum + (uint32_t)in[i]);
        best = (uint32_t)in[i] > best ? (uint32_t)in[i] : best;
    }
    kt_launch(t, "reduce_sum", KT_1(4), KT_1(256), &p, sizeof p);
    KT_SAME(t, out, &sum, 1);
    *out = 0;
    kt_launch(t, "reduce_max", KT_1(4), KT_1(256), &p, sizeof p);
    KT_SAME(t, out, &best, 1);
}
KT_TEST("reduce", reduce)

static void dot(struct kt *t)
{
    enum { N = 5000 };
    struct {
        uint64_t a, b, out;
        int n;
    } p = {.n = N};
    float *a = KT_NEW(t, float, N, &p.a), *b = KT_NEW(t, float, N, &p.b), *out = KT_NEW(t, float, 1, &p.out);
    double want = 0;
    for (int i = 0; i < N; i++) {
        a[i] = kt_f32(t, 0, 1);
        b[i] = kt_f32(t, 0, 1);
        want += (double)a[i] * (double)b[i];
    }
    kt_launch(t, "dot", KT_1(4), KT_1(256), &p, sizeof p);
    KT_NEAR(t, out, &want, 1, 1e-5, 0);
}
KT_TEST("reduce", dot)

static void transpose(struct kt *t)
{
    enum { W = 70, H = 45 };
    struct {
        uint64_t in, out;
        int w, h;
    } p = {.w = W, .h = H};
    uint32_t *in = KT_NEW(t, uint32_t, W * H, &p.in), *out = KT_NEW(t, uint32_t, W * H, &p.out), want[W * H];
    for (int i = 0; i < W * H; i++) {
        in[i] = rng_u32(&t->rng);
        want[i % W * H + i / W] = in[i];
    }
    kt_launch(t, "transpose", KT_2((W + 31) / 32, (H + 31) / 32), KT_2(32, 8), &p, sizeof p);
    KT_SAME(t, out, want, W * H);
}
KT_TEST("transpose", transpose)

static void stencil2d(struct kt *t)
{
    enum { W = 50, H = 37 };
    struct {
        uint64_t in, out;
        int w, h;
    } p = {.w = W, .h = H};
    float *in = KT_NEW(t, float, W *H, &p.in), *out = KT_NEW(t, float, W *H, &p.out);
    double want[W * H];
    for (int i = 0; i < W * H; i++)
        in[i] = kt_f32(t, -1, 1);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            int i = y * W + x;
            want[i] = (double)in[i];
            if (x > 0 && y > 0 && x + 1 < W && y + 1 < H)
                want[i] = 0.5 * (double)in[i] + 0.125 * ((double)in[i - 1] + (double)in[i + 1] +
                                                         (double)in[i - W] + (double)in[i + W]);
        }
    kt_launch(t, "stencil2d", KT_2((W + 15) / 16, (H + 15) / 16), KT_2(16, 16), &p, sizeof p);
    KT_NEAR(t, out, want, W * H, 1e-6, 1e-6);
}
KT_TEST("stencil", stencil2d)

static void stencil3d(struct kt *t)
{
    enum { X = 20, Y = 11, Z = 7, N = X * Y * Z };
    struct {
        uint64_t in, out;
        int nx, ny, nz;
        float c0, c1;
    } p = {.nx = X, .ny = Y, .nz = Z, .c0 = 0.4f, .c1 = 0.1f};
    float *in = KT_NEW(t, float, N, &p.in), *out = KT_NEW(t, float, N, &p.out);
    double want[N];
    for (int i = 0; i < N; i++)
        in[i] = kt_f32(t, -1, 1);
    for (int i = 0; i < N; i++) {
        int x = i % X, y = i / X % Y, z = i / (X * Y);
        want[i] = (double)in[i];
        if (x > 0 && y > 0 && z > 0 && x < X - 1 && y < Y - 1 && z < Z - 1)
            want[i] = (double)0.4f * want[i] +
                      (double)0.1f * ((double)in[i - 1] + (double)in[i + 1] + (double)in[i - X] +
                                      (double)in[i + X] + (double)in[i - X * Y] + (double)in[i + X * Y]);
    }
    kt_launch(t, "stencil3d", KT_2(1, 3), KT_2(32, 4), &p, sizeof p);
    KT_NEAR(t, out, want, N, 1e-6, 1e-6);
}
KT_TEST("stencil", stencil3d)

static void histogram(struct kt *t)
{
    enum { N = 2000 };
    struct {
        uint64_t words, bins;
        int n;
    } p = {.n = N};
    uint32_t *w = KT_NEW(t, uint32_t, N, &p.words), *bins = KT_NEW(t, uint32_t, 256, &p.bins),
             want[256] = {0};
    for (int i = 0; i < N; i++) {
        w[i] = rng_u32(&t->rng) & rng_u32(&t->rng);
        for (int b = 0; b < 32; b += 8)
            want[w[i] >> b & 255]++;
    }
    kt_launch(t, "histogram", KT_1(3), KT_1(128), &p, sizeof p);
    KT_SAME(t, bins, want, 256);
}
KT_TEST("histogram", histogram)

static void mandelbrot(struct kt *t)
{
    enum { W = 64, H = 40, LIMIT = 64 };
    struct {
        uint64_t out;
        int w, h;
        float x0, y0, step;
        int limit;
    } p = {.w = W, .h = H, .x0 = -2.0f, .y0 = -1.2f, .step = 0.05f, .limit = LIMIT};
    int *out = KT_NEW(t, int, W *H, &p.out), differ = 0;
    kt_launch(t, "mandelbrot", KT_2(W / 32, H / 4), KT_2(32, 4), &p, sizeof p);
    for (int i = 0; i < W * H; i++) {
        float cx = -2.0f + 0.05f * (float)(i % W), cy = -1.2f + 0.05f * (float)(i / W), x = 0, y = 0;
        int n = 0;
        while (n < LIMIT && x * x + y * y <= 4.0f) {
            float u = x * x - y * y + cx;
            y = 2.0f * x * y + cy;
            x = u;
            n++;
        }
        differ += n != out[i];
    }
    /* Where the compiler fuses multiply and add decides a few points at the edge of the set. */
    assert_in_range(differ, 0, W * H / 50);
}
KT_TEST("mandelbrot", mandelbrot)

static void nbody(struct kt *t)
{
    enum { N = 256 };
    struct {
        uint64_t pos, acc;
        int n;
        float eps2;
    } p = {.n = N, .eps2 = 0.01f};
    float *pos = KT_NEW(t, float, 4 * N, &p.pos), *acc = KT_NEW(t, float, 4 * N, &p.acc);
    double want[4 * N] = {0};
    for (int i = 0; i < 4 * N; i++)
        pos[i] = kt_f32(t, -1, 1);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double d[3], r2 = (double)0.01f;
            for (int k = 0; k < 3; k++) {
                d[k] = (double)pos[4 * j + k] - (double)pos[4 * i + k];
                r2 += d[k] * d[k];
            }
            double inv = 1.0 / __builtin_sqrt(r2);
            for (int k = 0; k < 3; k++)
                want[4 * i + k] += d[k] * (double)pos[4 * j + 3] * inv * inv * inv;
        }
    kt_launch(t, "nbody", KT_1(2), KT_1(128), &p, sizeof p);
    KT_NEAR(t, acc, want, 4 * N, 1e-3, 1e-2);
}
KT_TEST("nbody", nbody)

static void kmeans(struct kt *t)
{
    enum { N = 300, K = 5, D = 4 };
    struct {
        uint64_t points, centres, member, count;
        int n, k, dims;
    } p = {.n = N, .k = K, .dims = D};
    float *pt = KT_NEW(t, float, N *D, &p.points), *c = KT_NEW(t, float, K *D, &p.centres);
    int *member = KT_NEW(t, int, N, &p.member), *count = KT_NEW(t, int, K, &p.count), want[N], sizes[K] = {0};
    for (int i = 0; i < K * D; i++)
        c[i] = (float)kt_int(t, -20, 20);
    for (int i = 0; i < N * D; i++)
        pt[i] = (float)kt_int(t, -20, 20);
    for (int i = 0; i < N; i++) {
        float best = 1e30f;
        for (int k = 0; k < K; k++) {
            float d = 0;
            for (int j = 0; j < D; j++)
                d += (pt[j * N + i] - c[k * D + j]) * (pt[j * N + i] - c[k * D + j]);
            if (d < best) {
                best = d;
                want[i] = k;
            }
        }
        sizes[want[i]]++;
    }
    kt_launch(t, "kmeans_assign", KT_1(3), KT_1(128), &p, sizeof p);
    KT_SAME(t, member, want, N);
    KT_SAME(t, count, sizes, K);
}
KT_TEST("kmeans", kmeans)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectoradd), cmocka_unit_test(test_saxpy),     cmocka_unit_test(test_reduce),
        cmocka_unit_test(test_dot),       cmocka_unit_test(test_transpose), cmocka_unit_test(test_stencil2d),
        cmocka_unit_test(test_stencil3d), cmocka_unit_test(test_histogram), cmocka_unit_test(test_mandelbrot),
        cmocka_unit_test(test_nbody),     cmocka_unit_test(test_kmeans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
