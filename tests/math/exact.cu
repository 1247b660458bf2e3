/* Functions whose result is exact by definition: conversions, arithmetic with a rounding mode, parts of numbers, integers. */
#include "selfcheck.h"
#include <cfenv>

/* The host's own arithmetic in another rounding mode; volatile keeps it between the two calls. */
template <class R, class F> static R rounded(int mode, F f)
{
    fesetround(mode);
    volatile R r = f();
    fesetround(FE_TONEAREST);
    return r;
}
#define ROUNDED(R, mode, expr) rounded<R>(mode, [&]() -> R { return expr; })

/* To an integer type: saturates. NaN is 0 for 32 bits and the smallest number for 64 (unsigned: 2^63), as on the GPU. */
template <class I, class T> static I saturated(T whole, T x)
{
    if (x != x)
        return sizeof(I) == 4 && sizeof(T) == 4 ? (I)0 : (I)(1ull << (sizeof(I) * 8 - 1));
    const double lo = std::is_signed<I>::value ? -ldexp(1, sizeof(I) * 8 - 1) : 0;
    const double hi = ldexp(1, (int)sizeof(I) * 8 - (std::is_signed<I>::value ? 1 : 0));
    if ((double)whole < lo)
        return (I)(std::is_signed<I>::value ? 1ull << (sizeof(I) * 8 - 1) : 0);
    if ((double)whole >= hi)
        return (I)(std::is_signed<I>::value ? ~0ull >> (65 - sizeof(I) * 8) : ~0ull);
    return (I)whole;
}
#define TO_INT(name, I, T)                                                                                   \
    CASE1(name##_rn, I, T, name##_rn(x), saturated<I>((T)nearbyint(x), x))                                   \
    CASE1(name##_rz, I, T, name##_rz(x), saturated<I>((T)trunc(x), x))                                       \
    CASE1(name##_rd, I, T, name##_rd(x), saturated<I>((T)floor(x), x))                                       \
    CASE1(name##_ru, I, T, name##_ru(x), saturated<I>((T)ceil(x), x))
typedef unsigned int u32;
typedef long long i64;
typedef unsigned long long u64;
TO_INT(__float2int, int, float)
TO_INT(__float2uint, u32, float)
TO_INT(__float2ll, i64, float)
TO_INT(__float2ull, u64, float)
TO_INT(__double2int, int, double)
TO_INT(__double2uint, u32, double)
TO_INT(__double2ll, i64, double)
TO_INT(__double2ull, u64, double)
#define FROM(name, R, A)                                                                                     \
    CASE1(name##_rn, R, A, name##_rn(x), ROUNDED(R, FE_TONEAREST, (R) * (volatile A *)&x))                   \
    CASE1(name##_rz, R, A, name##_rz(x), ROUNDED(R, FE_TOWARDZERO, (R) * (volatile A *)&x))                  \
    CASE1(name##_rd, R, A, name##_rd(x), ROUNDED(R, FE_DOWNWARD, (R) * (volatile A *)&x))                    \
    CASE1(name##_ru, R, A, name##_ru(x), ROUNDED(R, FE_UPWARD, (R) * (volatile A *)&x))
FROM(__int2float, float, int)
FROM(__uint2float, float, u32)
FROM(__ll2float, float, i64)
FROM(__ull2float, float, u64)
FROM(__ll2double, double, i64)
FROM(__ull2double, double, u64)
FROM(__double2float, float, double)
CASE1(__int2double_rn, double, int, __int2double_rn(x), (double)x)
CASE1(__uint2double_rn, double, u32, __uint2double_rn(x), (double)x)

#define V(T, x) (*(volatile T *)&x)
#define ARITHMETIC(name, T, expr)                                                                            \
    CASE3(name##_rn, T, T, T, T, name(_rn), ROUNDED(T, FE_TONEAREST, expr))                                  \
    CASE3(name##_rz, T, T, T, T, name(_rz), ROUNDED(T, FE_TOWARDZERO, expr))                                 \
    CASE3(name##_rd, T, T, T, T, name(_rd), ROUNDED(T, FE_DOWNWARD, expr))                                   \
    CASE3(name##_ru, T, T, T, T, name(_ru), ROUNDED(T, FE_UPWARD, expr))
#define fadd(m) __fadd##m(x, y)
#define fsub(m) __fsub##m(x, y)
#define fmul(m) __fmul##m(x, y)
#define fdiv(m) __fdiv##m(x, y)
#define frcp(m) __frcp##m(x)
#define fsqrt(m) __fsqrt##m(x)
#define fmadd(m) __fmaf##m(x, y, z)
#define dadd(m) __dadd##m(x, y)
#define dsub(m) __dsub##m(x, y)
#define dmul(m) __dmul##m(x, y)
#define ddiv(m) __ddiv##m(x, y)
#define drcp(m) __drcp##m(x)
#define dsqrt(m) __dsqrt##m(x)
#define dmadd(m) __fma##m(x, y, z)
ARITHMETIC(fadd, float, V(float, x) + V(float, y))
ARITHMETIC(fsub, float, V(float, x) - V(float, y))
ARITHMETIC(fmul, float, V(float, x) * V(float, y))
ARITHMETIC(fdiv, float, V(float, x) / V(float, y))
ARITHMETIC(frcp, float, 1.0f / V(float, x))
ARITHMETIC(fsqrt, float, sqrtf(V(float, x)))
ARITHMETIC(fmadd, float, fmaf(V(float, x), V(float, y), V(float, z)))
ARITHMETIC(dadd, double, V(double, x) + V(double, y))
ARITHMETIC(dsub, double, V(double, x) - V(double, y))
ARITHMETIC(dmul, double, V(double, x) * V(double, y))
ARITHMETIC(ddiv, double, V(double, x) / V(double, y))
ARITHMETIC(drcp, double, 1.0 / V(double, x))
ARITHMETIC(dsqrt, double, sqrt(V(double, x)))
ARITHMETIC(dmadd, double, fma(V(double, x), V(double, y), V(double, z)))

/* Parts of numbers. */
__host__ __device__ static float frexp_mant(float x)
{
    int e;
    return frexpf(x, &e);
}
__host__ __device__ static double frexp_mant(double x)
{
    int e;
    return frexp(x, &e);
}
__host__ __device__ static int frexp_exp(float x)
{
    int e;
    frexpf(x, &e);
    return isfinite(x) ? e : 0;
}
__host__ __device__ static int frexp_exp(double x)
{
    int e;
    frexp(x, &e);
    return isfinite(x) ? e : 0;
}
__host__ __device__ static float modf_whole(float x)
{
    float w;
    modff(x, &w);
    return w;
}
__host__ __device__ static double modf_whole(double x)
{
    double w;
    modf(x, &w);
    return w;
}
__host__ __device__ static float modf_part(float x)
{
    float w;
    return modff(x, &w);
}
__host__ __device__ static double modf_part(double x)
{
    double w;
    return modf(x, &w);
}
__host__ __device__ static int quotient(float x, float y)
{
    int q = 0;
    float r = remquof(x, y, &q);
    return r == r && isfinite(y) ? (q < 0 ? -(-q & 7) : q & 7) : 0;
}
__host__ __device__ static int quotient(double x, double y)
{
    int q = 0;
    double r = remquo(x, y, &q);
    return r == r && isfinite(y) ? (q < 0 ? -(-q & 7) : q & 7) : 0;
}
static int ilogb_ref(double x)
{
    return x == 0 || x != x ? (int)0x80000000 : std::isinf(x) ? 0x7fffffff : ilogb(x);
}
/* Out of range lrint and lround differ between hosts; there the GPU saturates. */
static i64 ll_ref(double whole, double x) { return saturated<i64>(whole, x); }
#define BOTH(name, R, expr, host) CASE1(name##_f, R, float, expr, host) CASE1(name##_d, R, double, expr, host)
CASE1(frexp_f, float, float, frexp_mant(x), frexp_mant(x))
CASE1(frexp_d, double, double, frexp_mant(x), frexp_mant(x))
BOTH(frexp_e, int, frexp_exp(x), frexp_exp(x))
CASE1(modf_f, float, float, modf_part(x), modf_part(x))
CASE1(modf_d, double, double, modf_part(x), modf_part(x))
CASE1(modf_wf, float, float, modf_whole(x), modf_whole(x))
CASE1(modf_wd, double, double, modf_whole(x), modf_whole(x))
BOTH(ilogb, int, ilogb(x), ilogb_ref(x))
BOTH(llrint, i64, llrint(x), ll_ref(nearbyint((double)x), (double)x))
BOTH(llround, i64, llround(x), ll_ref(round((double)x), (double)x))
BOTH(classes, int, isnan(x) + 2 * isinf(x) + 4 * isfinite(x) + 8 * signbit(x),
     std::isnan(x) + 2 * std::isinf(x) + 4 * std::isfinite(x) + 8 * std::signbit(x))
CASE2(ldexp_f, float, float, short, ldexpf(x, y % 400), ldexpf(x, y % 400))
CASE2(ldexp_d, double, double, short, ldexp(x, y % 2500), ldexp(x, y % 2500))
CASE2(scalbn_f, float, float, int, scalbnf(x, y), scalbnf(x, y))
CASE2(scalbln_d, double, double, long, scalbln(x, y), scalbln(x, y))
CASE2(remquo_f, int, float, float, quotient(x, y), quotient(x, y))
CASE2(remquo_d, int, double, double, quotient(x, y), quotient(x, y))
CASE1(saturate, float, float, __saturatef(x), x > 0 ? (x < 1 ? x : 1) : 0)

/* Integers. */
CASE2(min_mixed, u32, int, u32, min(x, y), (u32)x < y ? (u32)x : y)
CASE2(max_ll, i64, i64, i64, max(x, y), x > y ? x : y)
CASE2(mulhi, int, int, int, __mulhi(x, y), (int)((i64)x *y >> 32))
CASE2(umulhi, u32, u32, u32, __umulhi(x, y), (u32)((u64)x *y >> 32))
CASE2(mul64hi, i64, i64, i64, __mul64hi(x, y), (i64)((__int128)x *y >> 64))
CASE2(umul64hi, u64, u64, u64, __umul64hi(x, y), (u64)((unsigned __int128)x *y >> 64))
CASE2(mul24, int, int, int, __mul24(x, y), (int)((i64)((int)((u32)x << 8) >> 8) * ((int)((u32)y << 8) >> 8)))
CASE2(hadd, int, int, int, __hadd(x, y), (int)(((i64)x + y) >> 1))
CASE2(rhadd, int, int, int, __rhadd(x, y), (int)(((i64)x + y + 1) >> 1))
CASE2(uhadd, u32, u32, u32, __uhadd(x, y), (u32)(((u64)x + y) >> 1))
CASE3(sad, u32, int, int, u32, __sad(x, y, z), (u32)llabs((i64)x - y) + z)
CASE3(usad, u32, u32, u32, u32, __usad(x, y, z), (x > y ? x - y : y - x) + z)
CASE1(clz, int, int, __clz(x), x ? __builtin_clz((u32)x) : 32)
CASE1(clzll, int, i64, __clzll(x), x ? __builtin_clzll((u64)x) : 64)
CASE1(ffsll, int, i64, __ffsll(x), __builtin_ffsll(x))
CASE1(popcll, int, u64, __popcll(x), __builtin_popcountll(x))
static u32 brev_ref(u32 x)
{
    u32 r = 0;
    for (int i = 0; i < 32; i++)
        r |= (x >> i & 1) << (31 - i);
    return r;
}
CASE1(brev, u32, u32, __brev(x), brev_ref(x))
static u32 perm_ref(u64 v, u32 s)
{
    u32 r = 0;
    for (int i = 0; i < 4; i++)
        r |= (u32)(v >> 8 * (s >> 4 * i & 7) & 0xff) << 8 * i;
    return r;
}
CASE3(byte_perm, u32, u32, u32, u32, __byte_perm(x, y, z), perm_ref((u64)y << 32 | x, z))

/* SIMD in a word: lane by lane on the host. */
template <int W, class F> static u32 lanes(u32 a, u32 b, bool is_signed, F f)
{
    u32 r = 0, mask = W == 2 ? 0xffff : 0xff;
    for (int i = 0; i < 32; i += 32 / W) {
        i64 x = a >> i & mask, y = b >> i & mask;
        if (is_signed) {
            x = x > mask / 2 ? x - mask - 1 : x;
            y = y > mask / 2 ? y - mask - 1 : y;
        }
        r |= ((u32)f(x, y) & mask) << i;
    }
    return r;
}
#define SIMD(name, sign, expr)                                                                               \
    CASE2(name##2, u32, u32, u32, __##name##2(x, y), (lanes<2>(x, y, sign, [](i64 p, i64 q) -> i64 {         \
              const i64 lo = -32768, hi = 32767, top = 65535;                                                \
              (void)lo, (void)hi, (void)top;                                                                 \
              return expr;                                                                                   \
          })))                                                                                               \
    CASE2(name##4, u32, u32, u32, __##name##4(x, y), (lanes<4>(x, y, sign, [](i64 p, i64 q) -> i64 {         \
              const i64 lo = -128, hi = 127, top = 255;                                                      \
              (void)lo, (void)hi, (void)top;                                                                 \
              return expr;                                                                                   \
          })))
static i64 clamped(i64 v, i64 lo, i64 hi) { return v < lo ? lo : v > hi ? hi : v; }
SIMD(vadd, false, p + q)
SIMD(vsub, false, p - q)
SIMD(vaddss, true, clamped(p + q, lo, hi))
SIMD(vaddus, false, clamped(p + q, 0, top))
SIMD(vsubss, true, clamped(p - q, lo, hi))
SIMD(vsubus, false, clamped(p - q, 0, top))
SIMD(vavgu, false, (p + q + 1) / 2)
SIMD(vhaddu, false, (p + q) / 2)
SIMD(vabsdiffu, false, llabs(p - q))
SIMD(vmaxs, true, p > q ? p : q)
SIMD(vminu, false, p < q ? p : q)
SIMD(vcmpgts, true, p > q ? -1 : 0)
SIMD(vcmpeq, false, p == q ? -1 : 0)
SIMD(vseteq, false, p == q)
SIMD(vsetltu, false, p < q)
CASE1(vabs4, u32, u32, __vabs4(x), (lanes<4>(x, 0, true, [](i64 p, i64) -> i64 { return llabs(p); })))
CASE1(vnegss2, u32, u32, __vnegss2(x),
      (lanes<2>(x, 0, true, [](i64 p, i64) -> i64 { return -p > 32767 ? 32767 : -p; })))

int main() { return run_all(); }
// SPDX-License-Identifier: Apache-2.0
