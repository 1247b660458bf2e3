/* 8-bit floating point: __nv_fp8_e4m3, __nv_fp8_e5m2, their vectors of two and four, and conversions from and to half precision,
 * bfloat16, float and double, on the host and on the device. What a format cannot hold saturates to its largest finite number
 * (__NV_SATFINITE), or becomes NaN (e4m3) or infinity (e5m2; __NV_NOSAT). */
#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"

__BANKSHOT_LINES_OFF

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#if defined(__cplusplus)
#define __FP8_FN static __inline__ __host__ __device__ __attribute__((always_inline, unused))

/* x to nearest, ties to even; sums are exact: a double holds every input and every step. */
__FP8_FN __nv_fp8_storage_t __bankshot_fp8_round(double x, __nv_saturation_t sat, bool wide)
{
    const int mbits = wide ? 2 : 3, bias = wide ? 15 : 7;
    const double max = wide ? 57344.0 : 448.0, beyond = wide ? 61440.0 : 464.0; /* half a unit further */
    unsigned long long u;
    __builtin_memcpy(&u, &x, 8);
    const unsigned char sign = (unsigned char)(u >> 63 << 7);
    double a = sign ? -x : x;
    if (x != x)
        return 0x7f;
    if (a > max) {
        const bool fits = sat == __NV_SATFINITE || a < beyond || (!wide && a == beyond);
        return (unsigned char)(sign | (fits ? (wide ? 0x7b : 0x7e) : wide ? 0x7c : 0x7f));
    }
    int e = (int)(u >> 52 & 0x7ff) - 1023;
    e = e < 1 - bias ? 1 - bias : e;
    /* The last place weighs 2^(e - mbits): adding and taking away 1.5 * 2^52 of it rounds. */
    unsigned long long weight = (unsigned long long)(e - mbits + 52 + 1023) << 52 | 1ull << 51;
    double magic;
    __builtin_memcpy(&magic, &weight, 8);
    volatile double sum = a + magic;
    a = sum - magic;
    __builtin_memcpy(&u, &a, 8);
    if (a == 0.0)
        return sign;
    e = (int)(u >> 52 & 0x7ff) - 1023;
    if (e < 1 - bias) { /* subnormal: a multiple of the smallest */
        unsigned long long one = (unsigned long long)(bias - 1 + mbits + 1023) << 52;
        double scale;
        __builtin_memcpy(&scale, &one, 8);
        return (unsigned char)(sign | (unsigned char)(a * scale));
    }
    return (unsigned char)(sign | (e + bias) << mbits | (int)(u >> (52 - mbits) & ((1u << mbits) - 1)));
}

__FP8_FN unsigned short __bankshot_fp8_half(__nv_fp8_storage_t x, bool wide)
{
    if (wide)
        return (unsigned short)((x & 0x7f) > 0x7c ? 0x7fff : x << 8);
    const unsigned short sign = (unsigned short)((x & 0x80) << 8);
    const unsigned e = x >> 3 & 15;
    unsigned m = x & 7;
    if ((x & 0x7f) == 0x7f)
        return 0x7fff;
    if (e)
        return (unsigned short)(sign | (e + 8) << 10 | m << 7);
    if (!m)
        return sign;
    unsigned shift = 0; /* subnormals are normal halves */
    while (!(m & 8)) {
        m <<= 1;
        shift++;
    }
    return (unsigned short)(sign | (9 - shift) << 10 | (m & 7) << 7);
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
#define __BANKSHOT_FP8_PTX 1
#endif

__FP8_FN __nv_fp8_storage_t __nv_cvt_double_to_fp8(const double x, const __nv_saturation_t sat,
                                                   const __nv_fp8_interpretation_t f)
{
    return __bankshot_fp8_round(x, sat, f == __NV_E5M2);
}

__FP8_FN __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(const float2 x, const __nv_saturation_t sat,
                                                       const __nv_fp8_interpretation_t f)
{
#if defined(__BANKSHOT_FP8_PTX)
    unsigned short r;
    if (sat == __NV_SATFINITE) {
        if (f == __NV_E5M2)
            __asm__("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(r) : "f"(x.y), "f"(x.x));
        else
            __asm__("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(r) : "f"(x.y), "f"(x.x));
        return r;
    }
#endif
    return (__nv_fp8x2_storage_t)(__nv_cvt_double_to_fp8(x.x, sat, f) | __nv_cvt_double_to_fp8(x.y, sat, f) << 8);
}

__FP8_FN __nv_fp8_storage_t __nv_cvt_float_to_fp8(const float x, const __nv_saturation_t sat,
                                                  const __nv_fp8_interpretation_t f)
{
    return (__nv_fp8_storage_t)__nv_cvt_float2_to_fp8x2(float2{x, 0.0f}, sat, f);
}

__FP8_FN __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(const double2 x, const __nv_saturation_t sat,
                                                        const __nv_fp8_interpretation_t f)
{
    return (__nv_fp8x2_storage_t)(__nv_cvt_double_to_fp8(x.x, sat, f) | __nv_cvt_double_to_fp8(x.y, sat, f) << 8);
}

__FP8_FN __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(const __half2_raw x, const __nv_saturation_t sat,
                                                         const __nv_fp8_interpretation_t f)
{
#if defined(__BANKSHOT_FP8_PTX)
    unsigned short r;
    unsigned w = x.x | (unsigned)x.y << 16;
    if (sat == __NV_SATFINITE) {
        if (f == __NV_E5M2)
            __asm__("cvt.rn.satfinite.e5m2x2.f16x2 %0, %1;" : "=h"(r) : "r"(w));
        else
            __asm__("cvt.rn.satfinite.e4m3x2.f16x2 %0, %1;" : "=h"(r) : "r"(w));
        return r;
    }
#endif
    return __nv_cvt_float2_to_fp8x2(
        float2{__half2float(__ushort_as_half(x.x)), __half2float(__ushort_as_half(x.y))}, sat, f);
}

__FP8_FN __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(const __half_raw x, const __nv_saturation_t sat,
                                                    const __nv_fp8_interpretation_t f)
{
    __half2_raw pair;
    pair.x = x.x;
    pair.y = 0;
    return (__nv_fp8_storage_t)__nv_cvt_halfraw2_to_fp8x2(pair, sat, f);
}

__FP8_FN __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(const __nv_bfloat16_raw x, const __nv_saturation_t sat,
                                                        const __nv_fp8_interpretation_t f)
{
    return __nv_cvt_float_to_fp8(__bfloat162float(__ushort_as_bfloat16(x.x)), sat, f);
}

__FP8_FN __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(const __nv_bfloat162_raw x,
                                                             const __nv_saturation_t sat,
                                                             const __nv_fp8_interpretation_t f)
{
    return __nv_cvt_float2_to_fp8x2(
        float2{__bfloat162float(__ushort_as_bfloat16(x.x)), __bfloat162float(__ushort_as_bfloat16(x.y))}, sat, f);
}

__FP8_FN __half2_raw __nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t x, const __nv_fp8_interpretation_t f)
{
    __half2_raw r;
#if defined(__BANKSHOT_FP8_PTX)
    unsigned w;
    if (f == __NV_E5M2)
        __asm__("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(w) : "h"(x));
    else
        __asm__("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(w) : "h"(x));
    r.x = (unsigned short)w;
    r.y = (unsigned short)(w >> 16);
#else
    r.x = __bankshot_fp8_half((__nv_fp8_storage_t)x, f == __NV_E5M2);
    r.y = __bankshot_fp8_half((__nv_fp8_storage_t)(x >> 8), f == __NV_E5M2);
#endif
    return r;
}

__FP8_FN __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t x, const __nv_fp8_interpretation_t f)
{
    __half_raw r;
    r.x = __nv_cvt_fp8x2_to_halfraw2(x, f).x;
    return r;
}

#define __FP8_FLOAT(code, kind) __half2float(__ushort_as_half(__nv_cvt_fp8_to_halfraw(code, kind).x))

/* name: e4m3 or e5m2, which = __NV_E4M3 or __NV_E5M2. Numbers saturate, as NVIDIA's constructors do. */
#define __FP8_TYPES(name, which)                                                                             \
    struct __nv_fp8_##name {                                                                                 \
        __nv_fp8_storage_t __x;                                                                              \
        __nv_fp8_##name() = default;                                                                         \
        __host__ __device__ explicit __nv_fp8_##name(float x)                                                \
            : __x(__nv_cvt_float_to_fp8(x, __NV_SATFINITE, which))                                           \
        {                                                                                                    \
        }                                                                                                    \
        __host__ __device__ explicit __nv_fp8_##name(double x)                                               \
            : __x(__nv_cvt_double_to_fp8(x, __NV_SATFINITE, which))                                          \
        {                                                                                                    \
        }                                                                                                    \
        __host__ __device__ explicit __nv_fp8_##name(int x)                                                  \
            : __x(__nv_cvt_double_to_fp8(x, __NV_SATFINITE, which))                                          \
        {                                                                                                    \
        }                                                                                                    \
        __host__ __device__ explicit __nv_fp8_##name(unsigned x)                                             \
            : __x(__nv_cvt_double_to_fp8(x, __NV_SATFINITE, which))                                          \
        {                                                                                                    \
        }                                                                                                    \
        __host__ __device__ explicit __nv_fp8_##name(const __half x)                                         \
            : __x(__nv_cvt_halfraw_to_fp8(static_cast<__half_raw>(x), __NV_SATFINITE, which))                \
        {                                                                                                    \
        }                                                                                                    \
        __host__ __device__ explicit __nv_fp8_##name(const __nv_bfloat16 x)                                  \
            : __x(__nv_cvt_bfloat16raw_to_fp8(static_cast<__nv_bfloat16_raw>(x), __NV_SATFINITE, which))     \
        {                                                                                                    \
        }                                                                                                    \
        __host__ __device__ explicit operator float() const { return __FP8_FLOAT(__x, which); }              \
        __host__ __device__ explicit operator double() const { return __FP8_FLOAT(__x, which); }             \
        __host__ __device__ explicit operator __half() const                                                 \
        {                                                                                                    \
            return __ushort_as_half(__nv_cvt_fp8_to_halfraw(__x, which).x);                                  \
        }                                                                                                    \
        __host__ __device__ explicit operator __nv_bfloat16() const                                          \
        {                                                                                                    \
            return __float2bfloat16(__FP8_FLOAT(__x, which));                                                \
        }                                                                                                    \
        __host__ __device__ explicit operator bool() const { return (__x & 0x7f) != 0; }                     \
    };                                                                                                       \
    struct __attribute__((aligned(2))) __nv_fp8x2_##name {                                                   \
        __nv_fp8x2_storage_t __x;                                                                            \
        __nv_fp8x2_##name() = default;                                                                       \
        __host__ __device__ explicit __nv_fp8x2_##name(const float2 x)                                       \
            : __x(__nv_cvt_float2_to_fp8x2(x, __NV_SATFINITE, which))                                        \
        {                                                                                                    \
        }                                                                                                    \
        __host__ __device__ explicit __nv_fp8x2_##name(const double2 x)                                      \
            : __x(__nv_cvt_double2_to_fp8x2(x, __NV_SATFINITE, which))                                       \
        {                                                                                                    \
        }                                                                                                    \
        __host__ __device__ explicit __nv_fp8x2_##name(const __half2 x)                                      \
            : __x(__nv_cvt_halfraw2_to_fp8x2(static_cast<__half2_raw>(x), __NV_SATFINITE, which))            \
        {                                                                                                    \
        }                                                                                                    \
        __host__ __device__ explicit __nv_fp8x2_##name(const __nv_bfloat162 x)                               \
            : __x(__nv_cvt_bfloat16raw2_to_fp8x2(static_cast<__nv_bfloat162_raw>(x), __NV_SATFINITE, which)) \
        {                                                                                                    \
        }                                                                                                    \
        __host__ __device__ explicit operator __half2() const                                                \
        {                                                                                                    \
            const __half2_raw r = __nv_cvt_fp8x2_to_halfraw2(__x, which);                                    \
            return __halves2half2(__ushort_as_half(r.x), __ushort_as_half(r.y));                             \
        }                                                                                                    \
        __host__ __device__ explicit operator float2() const                                                 \
        {                                                                                                    \
            return __half22float2(static_cast<__half2>(*this));                                              \
        }                                                                                                    \
    };                                                                                                       \
    struct __attribute__((aligned(4))) __nv_fp8x4_##name {                                                   \
        __nv_fp8x4_storage_t __x;                                                                            \
        __nv_fp8x4_##name() = default;                                                                       \
        __host__ __device__ explicit __nv_fp8x4_##name(const float4 v)                                       \
            : __x(__nv_cvt_float2_to_fp8x2(float2{v.x, v.y}, __NV_SATFINITE, which) |                        \
                  (unsigned)__nv_cvt_float2_to_fp8x2(float2{v.z, v.w}, __NV_SATFINITE, which) << 16)         \
        {                                                                                                    \
        }                                                                                                    \
        __host__ __device__ explicit __nv_fp8x4_##name(const __half2 lo, const __half2 hi)                   \
            : __x(__nv_fp8x2_##name(lo).__x | (unsigned)__nv_fp8x2_##name(hi).__x << 16)                     \
        {                                                                                                    \
        }                                                                                                    \
        __host__ __device__ explicit operator float4() const                                                 \
        {                                                                                                    \
            __nv_fp8x2_##name lo, hi;                                                                        \
            lo.__x = (__nv_fp8x2_storage_t)__x;                                                              \
            hi.__x = (__nv_fp8x2_storage_t)(__x >> 16);                                                      \
            const float2 a = static_cast<float2>(lo), b = static_cast<float2>(hi);                           \
            return float4{a.x, a.y, b.x, b.y};                                                               \
        }                                                                                                    \
    };
__FP8_TYPES(e4m3, __NV_E4M3)
__FP8_TYPES(e5m2, __NV_E5M2)
#undef __FP8_TYPES
#undef __FP8_FLOAT
#undef __FP8_FN
#endif
__BANKSHOT_LINES_ON
#endif
/* SPDX-License-Identifier: Apache-2.0 */
