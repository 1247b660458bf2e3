/* What the files of the device math library share. They are compiled as one unit (device.c) for the nvptx64 target into the
 * bitcode that `bankshot cc` links into every program; unused functions vanish there and the rest is inlined.
 *
 * Rules: every function is written for the GPU (fma everywhere, few branches, the special function unit where its error fits).
 * A kernel's compiler may contract a*b+c into fma behind our back: where the rounding of a product matters it is mul_rn(). */
#ifndef DEVICE_DEVICE_H
#define DEVICE_DEVICE_H

#include "coef.h"

#include <stdbool.h>

typedef unsigned int u32;
typedef int i32;
typedef unsigned long long u64;
typedef long long i64;

#define INLINE static inline __attribute__((always_inline))
#define OUTLINE static __attribute__((noinline))
#define INFF __builtin_inff()
#define INFD __builtin_inf()
#define NANF __builtin_nanf("")
#define NAND __builtin_nan("")
#define FMAX_FLT 0x1.fffffep127f
#define UNLIKELY(c) __builtin_expect(!!(c), 0)

INLINE u32 bitsf(float f) { return __builtin_bit_cast(u32, f); }
INLINE float asf(u32 u) { return __builtin_bit_cast(float, u); }
INLINE u64 bitsd(double d) { return __builtin_bit_cast(u64, d); }
INLINE double asd(u64 u) { return __builtin_bit_cast(double, u); }
/* High and low words: one register each, where 64-bit shifts would be several instructions. */
INLINE i32 hi_of(double d) { return (i32)(bitsd(d) >> 32); }
INLINE u32 lo_of(double d) { return (u32)bitsd(d); }
INLINE double hilo(i32 hi, u32 lo) { return asd((u64)(u32)hi << 32 | lo); }

INLINE float absf(float x) { return __builtin_fabsf(x); }
INLINE double absd(double x) { return __builtin_fabs(x); }
INLINE float fmaf_(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
INLINE double fma_(double a, double b, double c) { return __builtin_fma(a, b, c); }
INLINE float mul_rnf(float a, float b) { return __nvvm_mul_rn_f(a, b); }
INLINE double mul_rn(double a, double b) { return __nvvm_mul_rn_d(a, b); }
INLINE float add_rnf(float a, float b) { return __nvvm_add_rn_f(a, b); }
INLINE double add_rn(double a, double b) { return __nvvm_add_rn_d(a, b); }
INLINE float signf_of(float mag, float sign)
{
    return asf((bitsf(mag) & 0x7fffffff) | (bitsf(sign) & 0x80000000));
}
INLINE double sign_of(double mag, double sign)
{
    return hilo((hi_of(mag) & 0x7fffffff) | (hi_of(sign) & (i32)0x80000000), lo_of(mag));
}

/* The special function unit. */
INLINE float ex2f(float x) { return __nvvm_ex2_approx_f(x); }
INLINE float lg2f(float x) { return __nvvm_lg2_approx_f(x); }
/* ... where neither the argument nor the result is subnormal: without the care that those take. */
INLINE float ex2_normalf(float x) { return __nvvm_ex2_approx_ftz_f(x); }
INLINE float lg2_normalf(float x) { return __nvvm_lg2_approx_ftz_f(x); }
INLINE float rcpf(float x)
{
    float r;
    __asm__("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
}
INLINE float rsqf(float x) { return __nvvm_rsqrt_approx_f(x); }
INLINE float sqrf(float x) { return __nvvm_sqrt_approx_f(x); }

/* 1/x for normal x whose reciprocal is normal: the unit's 20 bits, then a step of third order. Error below 1 ulp. */
INLINE double rcpd(double x)
{
    double r = __nvvm_rcp_approx_ftz_d(x);
    double e = fma_(-x, r, 1.0);
    e = fma_(e, e, e);
    return fma_(e, r, r);
}

/* c[0] + c[1] x + ... */
INLINE float polyf(float x, const float *c, int n)
{
    float p = c[n - 1];
#pragma unroll
    for (int i = n - 2; i >= 0; i--)
        p = fmaf_(p, x, c[i]);
    return p;
}
INLINE double polyd(double x, const double *c, int n)
{
    double p = c[n - 1];
#pragma unroll
    for (int i = n - 2; i >= 0; i--)
        p = fma_(p, x, c[i]);
    return p;
}
#define POLYF(x, c) polyf(x, c, (int)(sizeof(c) / sizeof *(c)))
#define POLY(x, c) polyd(x, c, (int)(sizeof(c) / sizeof *(c)))

/* Adding these leaves the nearest integer in the low bits of the significand. */
#define ROUNDF 0x1.8p23f
#define ROUND 0x1.8p52

/* Constants in two parts: what float (double) holds, and the rest. */
#define L2EF 0x1.715476p+0f /* log2 e */
#define L2EF_LO 0x1.4ae0c0p-26f
#define LN2F 0x1.62e430p-1f
#define LN2F_LO -0x1.05c610p-29f
#define PIO2F 0x1.921fb6p+0f
#define PIO2F_LO -0x1.777a5cp-25f
#define PIO2F_LO2 -0x1.ee59dap-50f
#define L2E 0x1.71547652b82fep+0
#define L2E_LO 0x1.777d0ffda0d24p-56
#define LN2 0x1.62e42fefa39efp-1
#define LN2_LO 0x1.abc9e3b39803fp-56
#define PIO2 0x1.921fb54442d18p+0
#define PIO2_LO 0x1.1a62633145c07p-54
#define PIO2_LO2 -0x1.f1976b7ed8fbcp-110

#endif
/* SPDX-License-Identifier: Apache-2.0 */
