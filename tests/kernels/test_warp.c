/* SPDX-License-Identifier: Apache-2.0 */
/* Warp-wide operations, barriers, atomics. */
#include "kt.h"

static void warp_want(const int *v, int lane, uint32_t w[16])
{
    uint32_t odd = 0, same = 0, any3 = 0, all_pos = 1, all_eq = 1, sum = 0, xr = 0, omax = 0, eor = 0;
    int min = v[0];
    for (int j = 0; j < 32; j++) {
        odd |= (uint32_t)(v[j] & 1) << j;
        same |= (uint32_t)((v[j] & 7) == (v[lane] & 7)) << j;
        any3 |= v[j] == 3;
        all_pos &= v[j] >= 0;
        all_eq &= v[j] >> 8 == v[0] >> 8;
        sum += (uint32_t)v[j];
        xr ^= (uint32_t)v[j];
        min = v[j] < min ? v[j] : min;
        if (j & 1)
            omax = (uint32_t)v[j] > omax ? (uint32_t)v[j] : omax;
        else
            eor |= (uint32_t)v[j];
    }
    w[0] = odd;
    w[1] = any3 | all_pos << 1;
    w[2] = same;
    w[3] = all_eq ? 0xffffffffu : 0;
    w[4] = all_eq;
    w[5] = (uint32_t)v[(lane & ~7) | (lane * 5 & 7)];
    w[6] = (uint32_t)v[lane % 16 >= 3 ? lane - 3 : lane];
    w[7] = (uint32_t)v[lane < 30 ? lane + 2 : lane];
    w[8] = (uint32_t)v[lane ^ 9];
    w[9] = sum;
    w[10] = (uint32_t)min;
    w[11] = xr;
    w[12] = (uint32_t)__builtin_popcount(odd & ((1u << lane) - 1));
    w[13] = odd;
    w[14] = lane & 1 ? omax : eor;
    w[15] =
        (uint32_t)__builtin_ffs(v[lane]) + 100u * (uint32_t)(v[lane] ? __builtin_clz((unsigned)v[lane]) : 32);
}

static void warp_ops(struct kt *t)
{
    enum { WARPS = 6 };
    struct {
        uint64_t in, out;
    } p;
    int *in = KT_NEW(t, int, 32 * WARPS, &p.in);
    uint32_t *out = KT_NEW(t, uint32_t, 512 * WARPS, &p.out);
    static uint32_t want[512 * WARPS];
    for (int i = 0; i < 32 * WARPS; i++)
        in[i] = i < 32 ? kt_int(t, 0, 20) : i < 64 ? 0x300 + i % 32 : i < 96 ? 4 : (int)rng_u32(&t->rng);
    for (int i = 0; i < 32 * WARPS; i++) {
        uint32_t w[16];
        warp_want(in + i / 32 * 32, i % 32, w);
        for (int j = 0; j < 16; j++)
            want[i / 32 * 512 + j * 32 + i % 32] = w[j];
    }
    kt_launch(t, "warp_ops", KT_1(WARPS), KT_1(32), &p, sizeof p);
    KT_SAME(t, out, want, 512 * WARPS);
}
KT_TEST("warp", warp_ops)

static int by_int(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static void compact(struct kt *t)
{
    enum { N = 500 };
    struct {
        uint64_t in, out, count;
        int n;
    } p = {.n = N};
    int *in = KT_NEW(t, int, N, &p.in), *out = KT_NEW(t, int, N, &p.out),
        *count = KT_NEW(t, int, 1, &p.count), want[N], n = 0;
    for (int i = 0; i < N; i++) {
        in[i] = kt_int(t, -1000, 1000);
        if (in[i] % 3 == 0)
            want[n++] = in[i];
    }
    kt_launch(t, "compact", KT_1(4), KT_1(128), &p, sizeof p);
    KT_SAME(t, count, &n, 1);
    qsort(want, (size_t)n, sizeof *want, by_int);
    qsort(out, (size_t)n, sizeof *out, by_int);
    KT_SAME(t, out, want, (size_t)n);
}
KT_TEST("warp", compact)

static void bar_red(struct kt *t)
{
    enum { B = 96, CTAS = 4 };
    struct {
        uint64_t in, out;
    } p;
    int *in = KT_NEW(t, int, B *CTAS, &p.in), *out = KT_NEW(t, int, CTAS, &p.out), want[CTAS];
    for (int c = 0; c < CTAS; c++) {
        int n = 0, any = 0, all = 1;
        for (int i = c * B; i < (c + 1) * B; i++) {
            in[i] = kt_int(t, -50, c == 2 ? 7 : 100) + (c == 1 && i == B + 40 ? 2000 : 0);
            n += in[i] > 0;
            any |= in[i] == 7;
            all &= in[i] < 1000;
        }
        want[c] = n + any * 10000 + all * 100000;
    }
    kt_launch(t, "bar_red", KT_1(CTAS), KT_1(B), &p, sizeof p);
    KT_SAME(t, out, want, CTAS);
}
KT_TEST("barrier", bar_red)

static void bar_named(struct kt *t)
{
    enum { ROUNDS = 5 };
    struct {
        uint64_t in, out;
        int rounds;
    } p = {.rounds = ROUNDS};
    int *in = KT_NEW(t, int, 64 * ROUNDS, &p.in), *out = KT_NEW(t, int, 64 * ROUNDS, &p.out),
        want[64 * ROUNDS];
    for (int i = 0; i < 64 * ROUNDS; i++)
        in[i] = kt_int(t, -999, 999);
    for (int i = 0; i < 64 * ROUNDS; i++)
        want[i] = 2 * in[i / 64 * 64 + 63 - i % 64];
    kt_launch(t, "bar_named", KT_1(1), KT_1(128), &p, sizeof p);
    KT_SAME(t, out, want, 64 * ROUNDS);
}
KT_TEST("barrier", bar_named)

static void atomics(struct kt *t)
{
    enum { N = 150, CTAS = 3, B = 64 };
    struct {
        uint64_t i, u, l, f, d;
        int n;
    } p = {.n = N};
    int *i = KT_NEW(t, int, 8, &p.i), wi[8] = {0};
    uint32_t *u = KT_NEW(t, uint32_t, 5, &p.u), wu[5] = {0, 5, 0xffffffffu, 0, 0};
    uint64_t *l = KT_NEW(t, uint64_t, 2, &p.l), wl[2] = {0, 0};
    float *f = KT_NEW(t, float, 2, &p.f);
    double *d = KT_NEW(t, double, 1, &p.d), wf[2] = {N * 0.5, 1}, wd = N * 0.25;
    u[1] = 5;
    u[2] = 0xffffffffu;
    f[1] = 1.0f;
    for (int t0 = 0; t0 < N; t0++) {
        wi[0] += t0;
        wi[1] -= 2 * t0;
        wi[2] = -t0 < wi[2] ? -t0 : wi[2];
        wi[3] = t0 * 7 % 101 > wi[3] ? t0 * 7 % 101 : wi[3];
        wu[0] = wu[0] >= 16 ? 0 : wu[0] + 1;
        wu[1] = wu[1] == 0 || wu[1] > 9 ? 9 : wu[1] - 1;
        wu[2] &= ~(1u << (t0 & 15));
        wu[3] |= 1u << (t0 & 31);
        wu[4] ^= (uint32_t)t0 * 2654435761u;
        wl[0] += (uint64_t)t0 << 33;
        uint64_t m = (uint64_t)(t0 * 13 % 97) << 40;
        wl[1] = m > wl[1] ? m : wl[1];
    }
    for (int c = 0; c < CTAS; c++) {
        int s[4] = {0, 0, 0, 77};
        for (int k = c * B; k < (c + 1) * B && k < N; k++) {
            s[0]++;
            s[1] = k;
            s[2] |= k;
        }
        for (int k = 0; k < 4; k++)
            wi[4 + k] += s[k];
    }
    for (int k = 0; k < 8; k++)
        wf[1] *= 1 + 1.0 / (2 << k);
    kt_launch(t, "atomics", KT_1(CTAS), KT_1(B), &p, sizeof p);
    KT_SAME(t, i, wi, 8);
    KT_SAME(t, u, wu, 5);
    KT_SAME(t, l, wl, 2);
    KT_NEAR(t, f, wf, 2, 1e-6, 0);
    kt_near64(t, "d", d, &wd, 1, 0, 0);
}
KT_TEST("atomics", atomics)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_warp_ops),  cmocka_unit_test(test_compact), cmocka_unit_test(test_bar_red),
        cmocka_unit_test(test_bar_named), cmocka_unit_test(test_atomics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
