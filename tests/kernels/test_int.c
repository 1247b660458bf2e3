/* SPDX-License-Identifier: Apache-2.0 */
/* Integer kernels: exact results. */
#include "kt.h"

#include <string.h>

static void cipher(struct kt *t)
{
    enum { N = 200, ROUNDS = 10 };
    static const uint8_t rot[8] = {7, 13, 3, 29, 11, 17, 23, 5};
    struct {
        uint64_t in, out, keys;
        int rounds, n;
    } p = {.rounds = ROUNDS, .n = N};
    uint32_t *in = KT_NEW(t, uint32_t, 4 * N, &p.in), *out = KT_NEW(t, uint32_t, 4 * N, &p.out);
    uint32_t *key = KT_NEW(t, uint32_t, 4 * ROUNDS, &p.keys), subst[256], want[4 * N];
    for (int i = 0; i < 256; i++)
        subst[i] = rng_u32(&t->rng);
    for (int i = 0; i < 4 * ROUNDS; i++)
        key[i] = rng_u32(&t->rng);
    for (int i = 0; i < 4 * N; i++)
        in[i] = rng_u32(&t->rng);
    for (int i = 0; i < N; i++) {
        uint32_t *s = want + 4 * i;
        memcpy(s, in + 4 * i, 16);
        for (int r = 0; r < ROUNDS; r++) {
            uint32_t k = rot[r & 7];
            uint32_t a =
                subst[s[0] & 255] ^ subst[s[1] >> 8 & 255] ^ subst[s[2] >> 16 & 255] ^ subst[s[3] >> 24];
            uint32_t b =
                subst[s[1] & 255] ^ subst[s[2] >> 8 & 255] ^ subst[s[3] >> 16 & 255] ^ subst[s[0] >> 24];
            s[0] = a ^ key[4 * r];
            s[1] = b + key[4 * r + 1];
            s[2] = (s[2] << k | s[2] >> (32 - k)) ^ a;
            s[3] = (s[3] >> k | s[3] << (32 - k)) + b;
        }
    }
    assert_true(exec_module_const_write(t->mod, "subst", 0, subst, sizeof subst));
    kt_launch(t, "cipher", KT_1(2), KT_1(128), &p, sizeof p);
    KT_SAME(t, out, want, 4 * N);
}
KT_TEST("tables", cipher)

static void smooth(struct kt *t)
{
    enum { N = 130 };
    static const double w[5] = {0.0625, 0.25, 0.375, 0.25, 0.0625};
    struct {
        uint64_t in, out;
        int n;
    } p = {.n = N};
    float *in = KT_NEW(t, float, N, &p.in), *out = KT_NEW(t, float, N, &p.out);
    double want[N] = {0};
    for (int i = 0; i < N; i++)
        in[i] = kt_f32(t, 0, 1);
    for (int i = 2; i < N - 2; i++)
        for (int j = 0; j < 5; j++)
            want[i] += w[j] * (double)in[i + j - 2];
    kt_launch(t, "smooth", KT_1(2), KT_1(96), &p, sizeof p);
    KT_NEAR(t, out, want, N, 1e-6, 0);
}
KT_TEST("tables", smooth)

static uint64_t rotl(uint64_t v, int s) { return v << s | v >> (64 - s); }

static void hash64(struct kt *t)
{
    enum { N = 150, WORDS = 4 };
    struct {
        uint64_t in, out;
        int words, n;
    } p = {.words = WORDS, .n = N};
    uint64_t *in = KT_NEW(t, uint64_t, N * WORDS, &p.in), *out = KT_NEW(t, uint64_t, N, &p.out), want[N];
    for (int i = 0; i < N * WORDS; i++)
        in[i] = rng_u64(&t->rng);
    for (int i = 0; i < N; i++) {
        uint64_t h = 0x27d4eb2f165667c5ull + (uint64_t)i;
        for (int w = 0; w < WORDS; w++) {
            h ^= rotl(in[w * N + i] * 0xc2b2ae3d27d4eb4full, 31) * 0x9e3779b185ebca87ull;
            h = rotl(h, 27) * 0x9e3779b185ebca87ull + 0x85ebca77c2b2ae63ull;
        }
        h = (h ^ h >> 33) * 0xc2b2ae3d27d4eb4full;
        want[i] = h ^ h >> 29;
    }
    kt_launch(t, "hash64", KT_1(3), KT_1(64), &p, sizeof p);
    KT_SAME(t, out, want, N);
}
KT_TEST("hash", hash64)

static void crc32(struct kt *t)
{
    enum { N = 40, LEN = 21 };
    struct {
        uint64_t data, out;
        int len, n;
    } p = {.len = LEN, .n = N};
    uint8_t *data = KT_NEW(t, uint8_t, N * LEN, &p.data);
    uint32_t *out = KT_NEW(t, uint32_t, N, &p.out), want[N];
    for (int i = 0; i < N * LEN; i++)
        data[i] = (uint8_t)rng_u32(&t->rng);
    for (int i = 0; i < N; i++) {
        want[i] = 0xffffffffu;
        for (int b = 0; b < 8 * LEN; b++) {
            uint32_t in = (want[i] ^ data[i * LEN + b / 8] >> b % 8) & 1;
            want[i] = want[i] >> 1 ^ (in ? 0xedb88320u : 0);
        }
        want[i] = ~want[i];
    }
    kt_launch(t, "crc32", KT_1(1), KT_1(64), &p, sizeof p);
    KT_SAME(t, out, want, N);
}
KT_TEST("hash", crc32)

static void powmod(struct kt *t)
{
    enum { N = 70 };
    struct {
        uint64_t base, exp, out;
        int n;
    } p = {.n = N};
    uint64_t *base = KT_NEW(t, uint64_t, N, &p.base), *out = KT_NEW(t, uint64_t, N, &p.out), want[N];
    uint32_t *exp = KT_NEW(t, uint32_t, N, &p.exp);
    const uint64_t m = (1ull << 61) - 1;
    for (int i = 0; i < N; i++) {
        base[i] = rng_u64(&t->rng) % m;
        exp[i] = rng_u32(&t->rng) >> (i & 31);
        unsigned __int128 b = base[i], r = 1;
        for (uint32_t e = exp[i]; e; e >>= 1, b = b * b % m)
            r = e & 1 ? r * b % m : r;
        want[i] = (uint64_t)r;
    }
    kt_launch(t, "powmod", KT_1(2), KT_1(64), &p, sizeof p);
    KT_SAME(t, out, want, N);
}
KT_TEST("hash", powmod)

static void intdiv(struct kt *t)
{
    enum { N = 200 };
    struct {
        uint64_t a, b, q, r, uq, ur, by_const;
        int n;
    } p = {.n = N};
    int *a = KT_NEW(t, int, N, &p.a), *b = KT_NEW(t, int, N, &p.b), *q = KT_NEW(t, int, N, &p.q),
        *r = KT_NEW(t, int, N, &p.r);
    uint32_t *uq = KT_NEW(t, uint32_t, N, &p.uq), *ur = KT_NEW(t, uint32_t, N, &p.ur),
             *bc = KT_NEW(t, uint32_t, N, &p.by_const);
    int wq[N], wr[N];
    uint32_t wuq[N], wur[N], wbc[N];
    static const int edge[8] = {1, 2, INT32_MAX, INT32_MIN, -2, 7, 0x10000, -0x10001};
    for (int i = 0; i < N; i++) {
        a[i] = i < 64 ? edge[i / 8] : (int)rng_u32(&t->rng) >> (i & 15);
        b[i] = i < 64 ? edge[i % 8] : (int)(rng_u32(&t->rng) >> (i * 3 & 31)) | 1;
        wq[i] = a[i] / b[i];
        wr[i] = a[i] % b[i];
        uint32_t ua = (uint32_t)a[i], ub = (uint32_t)b[i];
        wuq[i] = ua / ub;
        wur[i] = ua % ub;
        wbc[i] = ua / 10 + ua % 7 + (uint32_t)(a[i] / 12345) + (uint32_t)(a[i] % 1000);
    }
    kt_launch(t, "intdiv", KT_1(4), KT_1(64), &p, sizeof p);
    KT_SAME(t, q, wq, N);
    KT_SAME(t, r, wr, N);
    KT_SAME(t, uq, wuq, N);
    KT_SAME(t, ur, wur, N);
    KT_SAME(t, bc, wbc, N);
}
KT_TEST("intdiv", intdiv)

static void intdiv64(struct kt *t)
{
    enum { N = 200 };
    struct {
        uint64_t a, b, q, r, uq, ur;
        int n;
    } p = {.n = N};
    int64_t *a = KT_NEW(t, int64_t, N, &p.a), *b = KT_NEW(t, int64_t, N, &p.b),
            *q = KT_NEW(t, int64_t, N, &p.q);
    int64_t *r = KT_NEW(t, int64_t, N, &p.r), wq[N], wr[N];
    uint64_t *uq = KT_NEW(t, uint64_t, N, &p.uq), *ur = KT_NEW(t, uint64_t, N, &p.ur), wuq[N], wur[N];
    static const int64_t edge[8] = {1, 2, INT64_MAX, INT64_MIN, -2, 7, 0x100000000, -0x100000001};
    for (int i = 0; i < N; i++) {
        a[i] = i < 64 ? edge[i / 8] : (int64_t)rng_u64(&t->rng) >> (i & 31);
        b[i] = i < 64 ? edge[i % 8] : (int64_t)(rng_u64(&t->rng) >> (i * 3 & 63)) | 1;
        wq[i] = a[i] / b[i];
        wr[i] = a[i] % b[i];
        wuq[i] = (uint64_t)a[i] / (uint64_t)b[i];
        wur[i] = (uint64_t)a[i] % (uint64_t)b[i];
    }
    kt_launch(t, "intdiv64", KT_1(4), KT_1(64), &p, sizeof p);
    KT_SAME(t, q, wq, N);
    KT_SAME(t, r, wr, N);
    KT_SAME(t, uq, wuq, N);
    KT_SAME(t, ur, wur, N);
}
KT_TEST("intdiv", intdiv64)

static void gcd(struct kt *t)
{
    enum { N = 100 };
    struct {
        uint64_t a, b, out;
        int n;
    } p = {.n = N};
    uint32_t *a = KT_NEW(t, uint32_t, N, &p.a), *b = KT_NEW(t, uint32_t, N, &p.b),
             *out = KT_NEW(t, uint32_t, N, &p.out), want[N];
    for (int i = 0; i < N; i++) {
        uint32_t x = a[i] = rng_u32(&t->rng) >> (i & 15), y = b[i] = i % 9 ? rng_u32(&t->rng) >> 8 : 0;
        for (uint32_t u; y; u = x % y, x = y, y = u)
            ;
        want[i] = x;
    }
    kt_launch(t, "gcd", KT_1(2), KT_1(64), &p, sizeof p);
    KT_SAME(t, out, want, N);
}
KT_TEST("intdiv", gcd)

static void dp4a(struct kt *t)
{
    enum { N = 70, TAPS = 5 };
    struct {
        uint64_t in, filter, out;
        int taps, n;
    } p = {.taps = TAPS, .n = N};
    int8_t *in = KT_NEW(t, int8_t, 4 * (N + TAPS), &p.in), *filter = KT_NEW(t, int8_t, 4 * TAPS, &p.filter);
    int *out = KT_NEW(t, int, N, &p.out), want[N] = {0};
    for (int i = 0; i < 4 * (N + TAPS); i++)
        in[i] = (int8_t)rng_u32(&t->rng);
    for (int i = 0; i < 4 * TAPS; i++)
        filter[i] = (int8_t)rng_u32(&t->rng);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < 4 * TAPS; j++)
            want[i] += in[4 * i + j] * filter[j];
    kt_launch(t, "conv_s8", KT_1(2), KT_1(64), &p, sizeof p);
    KT_SAME(t, out, want, N);

    struct {
        uint64_t a, b, dot, sad;
        int n;
    } u = {.n = N};
    uint8_t *a = KT_NEW(t, uint8_t, 4 * N, &u.a), *b = KT_NEW(t, uint8_t, 4 * N, &u.b);
    uint32_t *dot = KT_NEW(t, uint32_t, N, &u.dot), *sad = KT_NEW(t, uint32_t, N, &u.sad), wd[N], ws[N];
    for (int i = 0; i < 4 * N; i++) {
        a[i] = (uint8_t)rng_u32(&t->rng);
        b[i] = (uint8_t)rng_u32(&t->rng);
        wd[i / 4] = (i % 4 ? wd[i / 4] : 5u) + (uint32_t)a[i] * b[i];
        ws[i / 4] = (i % 4 ? ws[i / 4] : 0u) + (uint32_t)(a[i] > b[i] ? a[i] - b[i] : b[i] - a[i]);
    }
    kt_launch(t, "conv_u8", KT_1(2), KT_1(64), &u, sizeof u);
    KT_SAME(t, dot, wd, N);
    KT_SAME(t, sad, ws, N);
}
KT_TEST("dp4a", dp4a)

static uint32_t perm(uint32_t x, uint32_t y, uint32_t sel)
{
    uint64_t both = (uint64_t)y << 32 | x;
    uint32_t r = 0;
    for (int i = 0; i < 4; i++)
        r |= (uint32_t)(both >> (sel >> 4 * i & 7) * 8 & 255) << 8 * i;
    return r;
}

static void bit_want(uint32_t x, uint32_t y, uint32_t w[12])
{
    uint32_t len = y >> 8 & 31, pos = y & 31, rev = 0, s = y & 31, sc = (y & 63) > 32 ? 32 : y & 63;
    uint64_t both = (uint64_t)y << 32 | x, add4 = 0;
    for (int i = 0; i < 32; i++)
        rev |= (x >> i & 1) << (31 - i);
    w[0] = (uint32_t)__builtin_popcount(x) + 100u * (uint32_t)(y ? __builtin_clz(y) : 32) +
           10000u * (uint32_t)__builtin_ffs((int)x);
    w[1] = rev;
    w[2] = (uint32_t)(both << s >> 32);
    w[3] = (uint32_t)(both >> sc);
    w[4] = perm(x, y, y & 0x7777);
    /* bfe.s32: bits above the word repeat the sign of the topmost bit that exists. */
    uint32_t top = pos + len - 1 < 31 ? pos + len - 1 : 31, sign = len ? x >> top & 1 : 0;
    w[5] = 0;
    for (uint32_t i = 0; i < 32; i++)
        w[5] |= (i < len && pos + i < 32 ? x >> (pos + i) & 1 : sign) << i;
    w[6] = y;
    for (uint32_t i = 0; i < len && (x & 31) + i < 32; i++)
        w[6] = (w[6] & ~(1u << ((x & 31) + i))) | (x >> i & 1) << ((x & 31) + i);
    w[7] = (x & y) | (~x & 0x0f0f0f0fu) | (y ^ x >> 3);
    uint64_t prod = (uint64_t)x * y;
    w[8] = (uint32_t)__builtin_popcountll(both) + (uint32_t)(prod ? __builtin_clzll(prod) : 64);
    w[9] = (uint32_t)(((int64_t)(int32_t)x * (int32_t)y) >> 32) + (uint32_t)(((uint64_t)x * y) >> 32) +
           (x & 0xffffff) * (y & 0xffffff);
    for (int i = 0; i < 32; i += 8)
        add4 |= (uint64_t)(((x >> i) + (y >> i)) & 255) << i;
    uint32_t lo = (x & 0xffff) > (y & 0xffff) ? x & 0xffff : y & 0xffff,
             hi = x >> 16 > y >> 16 ? x >> 16 : y >> 16;
    w[10] = (uint32_t)add4 ^ (hi << 16 | lo);
    int64_t d = (int64_t)(int32_t)x - (int32_t)y;
    w[11] = (uint32_t)(d < 0 ? -d : d) + 3 + (uint32_t)(((int64_t)(int32_t)x + (int32_t)y) >> 1);
}

static void bits(struct kt *t)
{
    enum { N = 300 };
    struct {
        uint64_t a, b, out;
        int n;
    } p = {.n = N};
    uint32_t *a = KT_NEW(t, uint32_t, 8 * N, &p.a), *b = KT_NEW(t, uint32_t, 8 * N, &p.b),
             *out = KT_NEW(t, uint32_t, 12 * N, &p.out);
    static uint32_t want[12 * N];
    for (int i = 0; i < 8 * N; i++) {
        a[i] = i % 17 ? rng_u32(&t->rng) >> (i & 7) : i % 2 ? 0 : 0xffffffffu;
        b[i] = i % 19 ? rng_u32(&t->rng) >> (i & 15) : 0x80000000u * (i & 1);
    }
    for (int i = 0; i < N; i++) {
        uint32_t w[12];
        bit_want(a[i], b[i], w);
        for (int j = 0; j < 12; j++)
            want[j * N + i] = w[j];
    }
    kt_launch(t, "bit_ops", KT_1(3), KT_1(128), &p, sizeof p);
    KT_SAME(t, out, want, 12 * N);
    for (int i = 0; i < N; i++) {
        uint64_t carry = 0;
        for (int w = 8 * i; w < 8 * i + 8; w++) {
            carry += (uint64_t)a[w] + b[w];
            want[w] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    kt_launch(t, "add256", KT_1(3), KT_1(128), &p, sizeof p);
    KT_SAME(t, out, want, 8 * N);
}
KT_TEST("bits", bits)

static int by_byte(const void *a, const void *b) { return *(const uint8_t *)a - *(const uint8_t *)b; }

static void image(struct kt *t)
{
    enum { W = 45, H = 13, N = W * H };
    struct {
        uint64_t in, out;
        int n;
    } p = {.n = N};
    uint8_t *in = KT_NEW(t, uint8_t, 4 * N, &p.in), *out = KT_NEW(t, uint8_t, N, &p.out), want[N];
    for (int i = 0; i < 4 * N; i++)
        in[i] = (uint8_t)rng_u32(&t->rng);
    for (int i = 0; i < N; i++)
        want[i] = (uint8_t)((77 * in[4 * i] + 150 * in[4 * i + 1] + 29 * in[4 * i + 2] + 128) >> 8);
    kt_launch(t, "grey", KT_1(5), KT_1(128), &p, sizeof p);
    KT_SAME(t, out, want, N);

    struct {
        uint64_t in, out;
        int w, h;
    } m = {.in = p.in, .out = p.out, .w = W, .h = H};
    for (int i = 0; i < N; i++) {
        uint8_t v[9];
        for (int j = 0; j < 9; j++) {
            int x = i % W + j % 3 - 1, y = i / W + j / 3 - 1;
            x = x < 0 ? 0 : x >= W ? W - 1 : x;
            y = y < 0 ? 0 : y >= H ? H - 1 : y;
            v[j] = in[y * W + x];
        }
        qsort(v, 9, 1, by_byte);
        want[i] = v[4];
    }
    kt_launch(t, "median3x3", KT_2(2, 4), KT_2(32, 4), &m, sizeof m);
    KT_SAME(t, out, want, N);

    struct {
        uint64_t in, out;
        short gain;
        int n;
    } g = {.gain = -77, .n = N};
    int16_t *s = KT_NEW(t, int16_t, N, &g.in), *d = KT_NEW(t, int16_t, N, &g.out), ws[N];
    for (int i = 0; i < N; i++) {
        s[i] = (int16_t)rng_u32(&t->rng);
        int v = s[i] * -77 >> 4;
        ws[i] = (int16_t)(v > 32767 ? 32767 : v < -32768 ? -32768 : v);
    }
    kt_launch(t, "gain16", KT_1(5), KT_1(128), &g, sizeof g);
    KT_SAME(t, d, ws, N);
}
KT_TEST("image", image)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cipher),   cmocka_unit_test(test_smooth), cmocka_unit_test(test_hash64),
        cmocka_unit_test(test_crc32),    cmocka_unit_test(test_powmod), cmocka_unit_test(test_intdiv),
        cmocka_unit_test(test_intdiv64), cmocka_unit_test(test_gcd),    cmocka_unit_test(test_dp4a),
        cmocka_unit_test(test_bits),     cmocka_unit_test(test_image),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
