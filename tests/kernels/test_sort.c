/* SPDX-License-Identifier: Apache-2.0 */
/* Scans, sorts, sparse and graph steps, transforms: irregular data movement. */
#include "kt.h"

#include <math.h>

static void scan_blelloch(struct kt *t)
{
    struct {
        uint64_t in, out;
    } p;
    int *in = KT_NEW(t, int, 512, &p.in), *out = KT_NEW(t, int, 512, &p.out), want[512], sum = 0;
    for (int i = 0; i < 512; i++) {
        in[i] = kt_int(t, -1000, 1000);
        want[i] = sum;
        sum += in[i];
    }
    kt_launch(t, "scan_blelloch", KT_1(1), KT_1(256), &p, sizeof p);
    KT_SAME(t, out, want, 512);
}
KT_TEST("scan", scan_blelloch)

static void scan_lookback(struct kt *t)
{
    enum { N = 5000, PARTS = (N + 255) / 256 };
    struct {
        uint64_t in, out, flags, sums, prefixes, ticket;
        int n;
    } p = {.n = N};
    int *in = KT_NEW(t, int, N, &p.in), *out = KT_NEW(t, int, N, &p.out), want[N], sum = 0;
    KT_NEW(t, int, PARTS, &p.flags);
    KT_NEW(t, int, PARTS, &p.sums);
    KT_NEW(t, int, PARTS, &p.prefixes);
    KT_NEW(t, int, 1, &p.ticket);
    for (int i = 0; i < N; i++) {
        in[i] = kt_int(t, -1000, 1000);
        sum += in[i];
        want[i] = sum;
    }
    kt_launch(t, "scan_lookback", KT_1(PARTS), KT_1(256), &p, sizeof p);
    KT_SAME(t, out, want, N);
}
KT_TEST("scan", scan_lookback)

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void bitonic(struct kt *t)
{
    enum { N = 1024 };
    struct {
        uint64_t keys;
        uint32_t size, gap;
    } p;
    uint32_t *keys = KT_NEW(t, uint32_t, N, &p.keys), want[N];
    for (int i = 0; i < N; i++)
        want[i] = keys[i] = rng_u32(&t->rng) >> (i % 3 * 10);
    kt_launch(t, "bitonic_block", KT_1(2), KT_1(256), &p.keys, sizeof p.keys);
    qsort(want, 512, sizeof *want, by_value);
    qsort(want + 512, 512, sizeof *want, by_value);
    KT_SAME(t, keys, want, N);
    for (p.size = 2; p.size <= N; p.size *= 2)
        for (p.gap = p.size / 2; p.gap > 0; p.gap /= 2)
            kt_launch(t, "bitonic_step", KT_1(N / 256), KT_1(256), &p, sizeof p);
    qsort(want, N, sizeof *want, by_value);
    KT_SAME(t, keys, want, N);
}
KT_TEST("bitonic", bitonic)

static void spmv(struct kt *t)
{
    enum { ROWS = 100, MAX = 100 * 40 };
    struct {
        uint64_t start, col, val, x, y;
        int rows;
    } p = {.rows = ROWS};
    int *start = KT_NEW(t, int, ROWS + 1, &p.start), *col = KT_NEW(t, int, MAX, &p.col), n = 0;
    float *val = KT_NEW(t, float, MAX, &p.val), *x = KT_NEW(t, float, ROWS, &p.x),
          *y = KT_NEW(t, float, ROWS, &p.y);
    double want[ROWS] = {0};
    for (int r = 0; r < ROWS; r++)
        x[r] = kt_f32(t, -1, 1);
    for (int r = 0; r < ROWS; r++) {
        start[r] = n;
        for (int k = kt_int(t, 0, r % 7 == 0 ? 40 : 6); k > 0; k--, n++) {
            col[n] = kt_int(t, 0, ROWS);
            val[n] = kt_f32(t, -1, 1);
            want[r] += (double)val[n] * (double)x[col[n]];
        }
    }
    start[ROWS] = n;
    kt_launch(t, "spmv_scalar", KT_1(2), KT_1(64), &p, sizeof p);
    KT_NEAR(t, y, want, ROWS, 1e-5, 1e-5);
    for (int r = 0; r < ROWS; r++)
        y[r] = -1;
    kt_launch(t, "spmv_vector", KT_1(26), KT_1(128), &p, sizeof p);
    KT_NEAR(t, y, want, ROWS, 1e-5, 1e-5);
}
KT_TEST("spmv", spmv)

/* Level by level, as a host program drives it; the order of a frontier is free, the levels are not. */
static void bfs(struct kt *t)
{
    enum { N = 400, DEGREE = 3 };
    struct {
        uint64_t start, edge, level, frontier;
        int nfrontier;
        uint64_t next, nnext;
        int depth;
    } p;
    int *start = KT_NEW(t, int, N + 1, &p.start), *edge = KT_NEW(t, int, N *DEGREE, &p.edge);
    int *level = KT_NEW(t, int, N, &p.level), *nnext = KT_NEW(t, int, 1, &p.nnext), want[N], queue[N],
        head = 0, tail = 1;
    int *front[2] = {KT_NEW(t, int, N, &p.frontier), KT_NEW(t, int, N, &p.next)};
    for (int i = 0; i < N; i++) {
        start[i] = i * DEGREE;
        for (int j = 0; j < DEGREE; j++)
            edge[i * DEGREE + j] = kt_int(t, 0, N);
        level[i] = want[i] = -1;
    }
    start[N] = N * DEGREE;
    for (level[0] = want[0] = queue[0] = 0; head < tail; head++)
        for (int e = start[queue[head]]; e < start[queue[head] + 1]; e++)
            if (want[edge[e]] < 0) {
                want[edge[e]] = want[queue[head]] + 1;
                queue[tail++] = edge[e];
            }
    front[0][0] = 0;
    for (p.depth = 1, p.nfrontier = 1; p.nfrontier > 0; p.depth++) {
        assert_in_range(p.depth, 1, N);
        *nnext = 0;
        kt_launch(t, "bfs_step", KT_1((p.nfrontier + 63) / 64), KT_1(64), &p, sizeof p);
        p.nfrontier = *nnext;
        uint64_t swap = p.frontier;
        p.frontier = p.next;
        p.next = swap;
    }
    KT_SAME(t, level, want, N);
}
KT_TEST("bfs", bfs)

static void fft(struct kt *t)
{
    enum { N = 256, BATCH = 2 };
    struct {
        uint64_t in, out;
    } p;
    float *in = KT_NEW(t, float, 2 * N * BATCH, &p.in), *out = KT_NEW(t, float, 2 * N * BATCH, &p.out);
    double want[2 * N * BATCH];
    for (int i = 0; i < 2 * N * BATCH; i++)
        in[i] = kt_f32(t, -1, 1);
    for (int b = 0; b < BATCH; b++)
        for (int k = 0; k < N; k++) {
            double re = 0, im = 0;
            for (int j = 0; j < N; j++) {
                double a = -2 * M_PI * (double)(j * k % N) / N, c = cos(a), s = sin(a);
                double x = (double)in[2 * (b * N + j)], y = (double)in[2 * (b * N + j) + 1];
                re += x * c - y * s;
                im += x * s + y * c;
            }
            want[2 * (b * N + k)] = re;
            want[2 * (b * N + k) + 1] = im;
        }
    kt_launch(t, "fft256", KT_1(BATCH), KT_1(128), &p, sizeof p);
    KT_NEAR(t, out, want, 2 * N * BATCH, 1e-4, 1e-4);
}
KT_TEST("fft", fft)

static void align(struct kt *t)
{
    enum { LEN = 60, PAIRS = 3, GAP = 1 };
    struct {
        uint64_t a, b, score;
        int len, gap;
    } p = {.len = LEN, .gap = GAP};
    char *a = KT_NEW(t, char, LEN *PAIRS, &p.a), *b = KT_NEW(t, char, LEN *PAIRS, &p.b);
    int *score = KT_NEW(t, int, PAIRS, &p.score), want[PAIRS] = {0};
    for (int i = 0; i < LEN * PAIRS; i++) {
        a[i] = "ACGT"[kt_int(t, 0, 4)];
        b[i] = kt_int(t, 0, 4) ? a[i] : "ACGT"[kt_int(t, 0, 4)];
    }
    for (int k = 0; k < PAIRS; k++) {
        static int h[LEN + 1][LEN + 1];
        for (int i = 1; i <= LEN; i++)
            for (int j = 1; j <= LEN; j++) {
                int s = h[i - 1][j - 1] + (a[k * LEN + i - 1] == b[k * LEN + j - 1] ? 3 : -2);
                s = s > h[i - 1][j] - GAP ? s : h[i - 1][j] - GAP;
                s = s > h[i][j - 1] - GAP ? s : h[i][j - 1] - GAP;
                h[i][j] = s > 0 ? s : 0;
                want[k] = h[i][j] > want[k] ? h[i][j] : want[k];
            }
    }
    t->dyn_shared_b = 3 * (LEN + 1) * sizeof(int);
    kt_launch(t, "align_score", KT_1(PAIRS), KT_1(LEN), &p, sizeof p);
    KT_SAME(t, score, want, PAIRS);
}
KT_TEST("align", align)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scan_blelloch), cmocka_unit_test(test_scan_lookback),
        cmocka_unit_test(test_bitonic),       cmocka_unit_test(test_spmv),
        cmocka_unit_test(test_bfs),           cmocka_unit_test(test_fft),
        cmocka_unit_test(test_align),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
