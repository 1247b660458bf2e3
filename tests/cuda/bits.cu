// Integer intrinsics, each against a plain computation on the host.
#include "check.h"

#include <cstdint>
#include <type_traits>

enum { N = 64 };
static uint32_t a[N], b[N], c[N];
__device__ uint32_t da[N], db[N], dc[N];

// One expression over x, y, z (32 bits each) on the device, and the same in plain C on the host.
#define BOTH(name, type, device_expr, ...)                                                                   \
    static __global__ void name(type *out)                                                                   \
    {                                                                                                        \
        uint32_t x = da[threadIdx.x], y = db[threadIdx.x], z = dc[threadIdx.x];                              \
        (void)x, (void)y, (void)z;                                                                           \
        out[threadIdx.x] = (device_expr);                                                                    \
    }                                                                                                        \
    static type name##_host(uint32_t x, uint32_t y, uint32_t z)                                              \
    {                                                                                                        \
        (void)x, (void)y, (void)z;                                                                           \
        __VA_ARGS__;                                                                                         \
    }

static int64_t s(uint32_t x) { return (int32_t)x; }
static uint64_t wide(uint32_t x, uint32_t y) { return (uint64_t)x << 32 | y; }
static int byte_of(uint32_t x, int i) { return (int8_t)(x >> 8 * i); }
static int ubyte_of(uint32_t x, int i) { return x >> 8 * i & 0xff; }
static uint32_t reversed(uint64_t v, int bits, int word)
{
    uint64_t r = 0;
    for (int i = 0; i < bits; i++)
        r |= (v >> i & 1) << (bits - 1 - i);
    return (uint32_t)(r >> 32 * word);
}

BOTH(popc, int, __popc(x), return __builtin_popcount(x))
BOTH(popcll, int, __popcll((unsigned long long)x << 32 | y), return __builtin_popcountll(wide(x, y)))
BOTH(clz, int, __clz((int)x), return x ? __builtin_clz(x) : 32)
BOTH(clzll, int, __clzll((long long)((unsigned long long)z << 32 | y)),
     return wide(z, y) ? __builtin_clzll(wide(z, y)) : 64)
BOTH(ffs_, int, __ffs((int)x), return __builtin_ffs((int)x))
BOTH(ffsll_, int, __ffsll((long long)((unsigned long long)y << 32 | z)), return __builtin_ffsll((long long)wide(y, z)))
BOTH(brev, uint32_t, __brev(x), return reversed(x, 32, 0))
BOTH(brevll, uint32_t, (uint32_t)(__brevll((unsigned long long)x << 32 | y) >> 32),
     return reversed(wide(x, y), 64, 1))
BOTH(byte_perm, uint32_t, __byte_perm(x, y, z), {
    uint64_t v = wide(y, x);
    uint32_t r = 0;
    for (int i = 0; i < 4; i++) {
        uint32_t byte = v >> 8 * (z >> 4 * i & 7) & 0xff;
        r |= byte << 8 * i;
    }
    return r;
})
BOTH(mul24, int, __mul24((int)x, (int)y),
     return (int)(uint32_t)((int64_t)((int32_t)(x << 8) >> 8) * ((int32_t)(y << 8) >> 8)))
BOTH(umul24, uint32_t, __umul24(x, y), return (uint32_t)((uint64_t)(x & 0xffffff) * (y & 0xffffff)))
BOTH(mulhi, int, __mulhi((int)x, (int)y), return (int)(s(x) * s(y) >> 32))
BOTH(umulhi, uint32_t, __umulhi(x, y), return (uint32_t)((uint64_t)x * y >> 32))
BOTH(mul64hi, uint64_t, (uint64_t)__mul64hi((long long)((unsigned long long)x << 32 | y), (long long)z * (int)y),
     return (uint64_t)((__int128)(int64_t)wide(x, y) * (int64_t)((uint64_t)z * (uint64_t)s(y)) >> 64))
BOTH(umul64hi, uint64_t, __umul64hi((unsigned long long)x << 32 | y, (unsigned long long)z << 32 | x),
     return (uint64_t)((unsigned __int128)wide(x, y) * wide(z, x) >> 64))
BOTH(sad, uint32_t, __sad((int)x, (int)y, z), return (uint32_t)((s(x) > s(y) ? s(x) - s(y) : s(y) - s(x)) + z))
BOTH(usad, uint32_t, __usad(x, y, z), return (x > y ? x - y : y - x) + z)
BOTH(hadd, int, __hadd((int)x, (int)y), return (int)((s(x) + s(y)) >> 1))
BOTH(rhadd, int, __rhadd((int)x, (int)y), return (int)((s(x) + s(y) + 1) >> 1))
BOTH(uhadd, uint32_t, __uhadd(x, y), return (uint32_t)(((uint64_t)x + y) >> 1))
BOTH(urhadd, uint32_t, __urhadd(x, y), return (uint32_t)(((uint64_t)x + y + 1) >> 1))
BOTH(funnel_l, uint32_t, __funnelshift_l(x, y, z), return (uint32_t)(wide(y, x) << (z & 31) >> 32))
BOTH(funnel_lc, uint32_t, __funnelshift_lc(x, y, z), return z >= 32 ? x : (uint32_t)(wide(y, x) << z >> 32))
BOTH(funnel_r, uint32_t, __funnelshift_r(x, y, z), return (uint32_t)(wide(y, x) >> (z & 31)))
BOTH(funnel_rc, uint32_t, __funnelshift_rc(x, y, z), return z >= 32 ? y : (uint32_t)(wide(y, x) >> z))
BOTH(dp4a_s, int, __dp4a((int)x, (int)y, (int)z), {
    uint32_t r = z;
    for (int i = 0; i < 4; i++)
        r += (uint32_t)(byte_of(x, i) * byte_of(y, i));
    return (int)r;
})
BOTH(dp4a_u, uint32_t, __dp4a(x, y, z), {
    uint32_t r = z;
    for (int i = 0; i < 4; i++)
        r += (uint32_t)(ubyte_of(x, i) * ubyte_of(y, i));
    return r;
})
BOTH(dp2a_lo, int, __dp2a_lo((int)x, (int)y, (int)z),
     return (int)(z + (uint32_t)((int16_t)x * byte_of(y, 0) + (int16_t)(x >> 16) * byte_of(y, 1))))
BOTH(dp2a_hi, uint32_t, __dp2a_hi(x, y, z),
     return z + (x & 0xffff) * (uint32_t)ubyte_of(y, 2) + (x >> 16) * (uint32_t)ubyte_of(y, 3))
// The lowest place from base on (upwards) or down to 0 (downwards) that holds the n-th set bit.
BOTH(fns, uint32_t, __fns(x, z & 31, (int)(y & 7) - 3), {
    int base = z & 31, n = (int)(y & 7) - 3;
    if (n == 0)
        return x >> base & 1 ? (uint32_t)base : ~0u;
    for (int i = base; i >= 0 && i < 32; i += n > 0 ? 1 : -1)
        if ((x >> i & 1) && (n > 0 ? --n : ++n) == 0)
            return (uint32_t)i;
    return ~0u;
})
BOTH(as_double, uint64_t,
     (uint64_t)__double_as_longlong(__hiloint2double((int)(x & 0x7fefffff), (int)y)) ^
         (uint64_t)(uint32_t)__double2loint(__longlong_as_double((long long)z)),
     return wide(x & 0x7fefffff, y) ^ z)

// Functions on the halves and bytes of a word, by their definition on one part.
#define PARTS(name, bits, signed_type, expr)                                                                 \
    BOTH(name##bits, uint32_t, __##name##bits(x, y), {                                                       \
        uint32_t r = 0;                                                                                      \
        const int64_t lo = std::is_signed<signed_type>::value ? -(1ll << (bits - 1)) : 0,                    \
                      hi = std::is_signed<signed_type>::value ? (1ll << (bits - 1)) - 1 : (1ll << bits) - 1; \
        (void)lo, (void)hi;                                                                                  \
        for (int i = 0; i < 32; i += bits) {                                                                 \
            int64_t p = (signed_type)(x >> i), q = (signed_type)(y >> i);                                    \
            (void)q;                                                                                         \
            r |= ((uint32_t)(int64_t)(expr) & ((1u << bits) - 1)) << i;                                      \
        }                                                                                                    \
        return r;                                                                                            \
    })
#define CLAMP(v) ((v) < lo ? lo : (v) > hi ? hi : (v))
#define __vadd16 __vadd2
#define __vadd8 __vadd4
#define __vsub16 __vsub2
#define __vsub8 __vsub4
#define __vaddus16 __vaddus2
#define __vaddus8 __vaddus4
#define __vaddss16 __vaddss2
#define __vaddss8 __vaddss4
#define __vsubss8 __vsubss4
#define __vsubus16 __vsubus2
#define __vabsdiffu8 __vabsdiffu4
#define __vabsdiffs16 __vabsdiffs2
#define __vmaxs8 __vmaxs4
#define __vmaxu16 __vmaxu2
#define __vmins16 __vmins2
#define __vminu8 __vminu4
#define __vavgu8 __vavgu4
#define __vavgs16 __vavgs2
#define __vcmpeq8 __vcmpeq4
#define __vcmpgts16 __vcmpgts2
#define __vcmpltu8 __vcmpltu4
#define __vseteq8 __vseteq4
#define __vsetges16 __vsetges2
PARTS(vadd, 16, uint16_t, p + q)
PARTS(vadd, 8, uint8_t, p + q)
PARTS(vsub, 16, uint16_t, p - q)
PARTS(vsub, 8, uint8_t, p - q)
PARTS(vaddus, 16, uint16_t, CLAMP(p + q))
PARTS(vaddus, 8, uint8_t, CLAMP(p + q))
PARTS(vaddss, 16, int16_t, CLAMP(p + q))
PARTS(vaddss, 8, int8_t, CLAMP(p + q))
PARTS(vsubss, 8, int8_t, CLAMP(p - q))
PARTS(vsubus, 16, uint16_t, CLAMP(p - q))
PARTS(vabsdiffu, 8, uint8_t, p > q ? p - q : q - p)
PARTS(vabsdiffs, 16, int16_t, p > q ? p - q : q - p)
PARTS(vmaxs, 8, int8_t, p > q ? p : q)
PARTS(vmaxu, 16, uint16_t, p > q ? p : q)
PARTS(vmins, 16, int16_t, p < q ? p : q)
PARTS(vminu, 8, uint8_t, p < q ? p : q)
PARTS(vavgu, 8, uint8_t, (p + q + 1) >> 1)
PARTS(vavgs, 16, int16_t, (p + q + (p + q >= 0)) >> 1)
PARTS(vcmpeq, 8, uint8_t, p == q ? -1 : 0)
PARTS(vcmpgts, 16, int16_t, p > q ? -1 : 0)
PARTS(vcmpltu, 8, uint8_t, p < q ? -1 : 0)
PARTS(vseteq, 8, uint8_t, p == q)
PARTS(vsetges, 16, int16_t, p >= q)
BOTH(vsadu4, uint32_t, __vsadu4(x, y), {
    uint32_t r = 0;
    for (int i = 0; i < 4; i++)
        r += (uint32_t)abs(ubyte_of(x, i) - ubyte_of(y, i));
    return r;
})

template <class T> static bool same(const char *name, void (*kernel)(T *), T (*host)(uint32_t, uint32_t, uint32_t))
{
    T *out, h[N];
    OK(cudaMalloc((void **)&out, sizeof h));
    kernel<<<1, N>>>(out);
    RAN();
    OK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    OK(cudaFree(out));
    for (int i = 0; i < N; i++)
        if (h[i] != host(a[i], b[i], c[i])) {
            printf("%s(%08x, %08x, %08x) is %llx, not %llx\n", name, a[i], b[i], c[i], (unsigned long long)h[i],
                   (unsigned long long)host(a[i], b[i], c[i]));
            return false;
        }
    return true;
}
#define SAME(name) ok &= same(#name, name, name##_host)

int main()
{
    static const uint32_t edge[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x80808080, 0x7f7f7f7f, 0x8000ffff};
    uint64_t seed = 7;
    for (int i = 0; i < N; i++) {
        uint32_t *v[3] = {&a[i], &b[i], &c[i]};
        for (int k = 0; k < 3; k++) {
            seed = seed * 6364136223846793005ull + 1442695040888963407ull;
            uint32_t r = (uint32_t)(seed >> 32);
            *v[k] = r % 4 == 0 ? edge[r / 4 % 8] : r;
        }
        if (i % 2)
            c[i] &= 63; /* shifts that matter */
        if (i % 3 == 0)
            b[i] = a[i] ^ (1u << (i % 32)); /* parts that are equal */
    }
    OK(cudaMemcpyToSymbol(da, a, sizeof a));
    OK(cudaMemcpyToSymbol(db, b, sizeof b));
    OK(cudaMemcpyToSymbol(dc, c, sizeof c));
    bool ok = true;
    SAME(popc), SAME(popcll), SAME(clz), SAME(clzll), SAME(ffs_), SAME(ffsll_), SAME(brev), SAME(brevll);
    SAME(byte_perm), SAME(mul24), SAME(umul24), SAME(mulhi), SAME(umulhi), SAME(mul64hi), SAME(umul64hi);
    SAME(sad), SAME(usad), SAME(hadd), SAME(rhadd), SAME(uhadd), SAME(urhadd);
    SAME(funnel_l), SAME(funnel_lc), SAME(funnel_r), SAME(funnel_rc);
    SAME(dp4a_s), SAME(dp4a_u), SAME(dp2a_lo), SAME(dp2a_hi), SAME(fns), SAME(as_double);
    SAME(vadd16), SAME(vadd8), SAME(vsub16), SAME(vsub8), SAME(vaddus16), SAME(vaddus8), SAME(vaddss16);
    SAME(vaddss8), SAME(vsubss8), SAME(vsubus16), SAME(vabsdiffu8), SAME(vabsdiffs16), SAME(vmaxs8);
    SAME(vmaxu16), SAME(vmins16), SAME(vminu8), SAME(vavgu8), SAME(vavgs16), SAME(vcmpeq8), SAME(vcmpgts16);
    SAME(vcmpltu8), SAME(vseteq8), SAME(vsetges16), SAME(vsadu4);
    CHECK(ok);
    return passed();
}
// SPDX-License-Identifier: Apache-2.0
