/* Conversions and arithmetic with a rounding mode: one PTX instruction each. rn: to nearest, rz: to zero, rd: down, ru: up. */
#include "device.h"

#define PTX1(name, to, tc, from, fc, op)                                                                     \
    to __nv_##name(from x)                                                                                   \
    {                                                                                                        \
        to r;                                                                                                \
        __asm__(op " %0, %1;" : "=" tc(r) : fc(x));                                                          \
        return r;                                                                                            \
    }
/* name_rn ... name_ru from float or double to an integer, and back */
#define TO_INT(name, to, tc, from, fc, types)                                                                \
    PTX1(name##_rn, to, tc, from, fc, "cvt.rni." types)                                                      \
    PTX1(name##_rz, to, tc, from, fc, "cvt.rzi." types)                                                      \
    PTX1(name##_rd, to, tc, from, fc, "cvt.rmi." types)                                                      \
    PTX1(name##_ru, to, tc, from, fc, "cvt.rpi." types)
#define FROM(name, to, tc, from, fc, types)                                                                  \
    PTX1(name##_rn, to, tc, from, fc, "cvt.rn." types)                                                       \
    PTX1(name##_rz, to, tc, from, fc, "cvt.rz." types)                                                       \
    PTX1(name##_rd, to, tc, from, fc, "cvt.rm." types)                                                       \
    PTX1(name##_ru, to, tc, from, fc, "cvt.rp." types)
TO_INT(float2int, int, "r", float, "f", "s32.f32")
TO_INT(float2uint, u32, "r", float, "f", "u32.f32")
TO_INT(float2ll, i64, "l", float, "f", "s64.f32")
TO_INT(float2ull, u64, "l", float, "f", "u64.f32")
TO_INT(double2int, int, "r", double, "d", "s32.f64")
TO_INT(double2uint, u32, "r", double, "d", "u32.f64")
TO_INT(double2ll, i64, "l", double, "d", "s64.f64")
TO_INT(double2ull, u64, "l", double, "d", "u64.f64")
FROM(int2float, float, "f", int, "r", "f32.s32")
FROM(uint2float, float, "f", u32, "r", "f32.u32")
FROM(ll2float, float, "f", i64, "l", "f32.s64")
FROM(ull2float, float, "f", u64, "l", "f32.u64")
FROM(ll2double, double, "d", i64, "l", "f64.s64")
FROM(ull2double, double, "d", u64, "l", "f64.u64")
FROM(double2float, float, "f", double, "d", "f32.f64")
double __nv_int2double_rn(int x) { return x; }
double __nv_uint2double_rn(u32 x) { return x; }

unsigned short __nv_float2half_rn(float x)
{
    unsigned short r;
    __asm__("cvt.rn.f16.f32 %0, %1;" : "=h"(r) : "f"(x));
    return r;
}
float __nv_half2float(unsigned short x)
{
    float r;
    __asm__("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"(x));
    return r;
}

int __nv_float_as_int(float x) { return (int)bitsf(x); }
u32 __nv_float_as_uint(float x) { return bitsf(x); }
float __nv_int_as_float(int x) { return asf((u32)x); }
float __nv_uint_as_float(u32 x) { return asf(x); }
i64 __nv_double_as_longlong(double x) { return (i64)bitsd(x); }
double __nv_longlong_as_double(i64 x) { return asd((u64)x); }
int __nv_double2hiint(double x) { return hi_of(x); }
int __nv_double2loint(double x) { return (int)lo_of(x); }
double __nv_hiloint2double(int hi, int lo) { return hilo(hi, (u32)lo); }

/* Arithmetic. Named builtins where there are some, so that constants fold; the rest as PTX. */
#define PTX2(name, type, c, op)                                                                              \
    type __nv_##name(type x, type y)                                                                         \
    {                                                                                                        \
        type r;                                                                                              \
        __asm__(op " %0, %1, %2;" : "=" c(r) : c(x), c(y));                                                  \
        return r;                                                                                            \
    }
#define PTX3(name, type, c, op)                                                                              \
    type __nv_##name(type x, type y, type z)                                                                 \
    {                                                                                                        \
        type r;                                                                                              \
        __asm__(op " %0, %1, %2, %3;" : "=" c(r) : c(x), c(y), c(z));                                        \
        return r;                                                                                            \
    }
#define ROUNDED2(name, type, c, op, t)                                                                       \
    PTX2(name##_rn, type, c, op ".rn." t)                                                                    \
    PTX2(name##_rz, type, c, op ".rz." t)                                                                    \
    PTX2(name##_rd, type, c, op ".rm." t)                                                                    \
    PTX2(name##_ru, type, c, op ".rp." t)
#define ROUNDED1(name, type, c, op, t)                                                                       \
    PTX1(name##_rn, type, c, type, c, op ".rn." t)                                                           \
    PTX1(name##_rz, type, c, type, c, op ".rz." t)                                                           \
    PTX1(name##_rd, type, c, type, c, op ".rm." t)                                                           \
    PTX1(name##_ru, type, c, type, c, op ".rp." t)
#define ROUNDED3(name, type, c, op, t)                                                                       \
    PTX3(name##_rn, type, c, op ".rn." t)                                                                    \
    PTX3(name##_rz, type, c, op ".rz." t)                                                                    \
    PTX3(name##_rd, type, c, op ".rm." t)                                                                    \
    PTX3(name##_ru, type, c, op ".rp." t)
ROUNDED2(fadd, float, "f", "add", "f32")
ROUNDED2(fsub, float, "f", "sub", "f32")
ROUNDED2(fmul, float, "f", "mul", "f32")
ROUNDED2(fdiv, float, "f", "div", "f32")
ROUNDED3(fmaf, float, "f", "fma", "f32")
ROUNDED3(fmaf_ieee, float, "f", "fma", "f32")
ROUNDED1(frcp, float, "f", "rcp", "f32")
ROUNDED1(fsqrt, float, "f", "sqrt", "f32")
ROUNDED2(dadd, double, "d", "add", "f64")
ROUNDED2(dsub, double, "d", "sub", "f64")
ROUNDED2(dmul, double, "d", "mul", "f64")
ROUNDED2(ddiv, double, "d", "div", "f64")
ROUNDED3(fma, double, "d", "fma", "f64")
ROUNDED1(drcp, double, "d", "rcp", "f64")
ROUNDED1(dsqrt, double, "d", "sqrt", "f64")
double __nv_rcp64h(double x) { return __nvvm_rcp_approx_ftz_d(x); }

/* 1/sqrt(x) rounded to nearest: in double, where twice the digits leave no doubt. */
float __nv_frsqrt_rn(float x)
{
    double r = __nv_rsqrt((double)x);
    return (float)r;
}

/* The fast versions of -use_fast_math: what the special function unit gives. */
float __nv_saturatef(float x) { return __nvvm_saturate_f(x); }
float __nv_fast_sqrtf(float x) { return sqrf(x); } /* ours; -prec-sqrt=false too */
float __nv_fast_expf(float x) { return ex2f(x * L2EF); }
float __nv_fast_exp10f(float x) { return ex2f(x * 0x1.a934f0p+1f); }
float __nv_fast_logf(float x) { return lg2f(x) * LN2F; }
float __nv_fast_log2f(float x) { return lg2f(x); }
float __nv_fast_log10f(float x) { return lg2f(x) * 0x1.344136p-2f; }
float __nv_fast_sinf(float x) { return __nvvm_sin_approx_f(x); }
float __nv_fast_cosf(float x) { return __nvvm_cos_approx_f(x); }
void __nv_fast_sincosf(float x, float *s, float *c)
{
    *s = __nvvm_sin_approx_f(x);
    *c = __nvvm_cos_approx_f(x);
}
float __nv_fast_fdividef(float x, float y) { return __nvvm_div_approx_f(x, y); }
float __nv_fast_tanf(float x) { return __nvvm_div_approx_f(__nvvm_sin_approx_f(x), __nvvm_cos_approx_f(x)); }
float __nv_fast_tanhf(float x) /* ours; from sm_75 on */
{
    float r;
    __asm__("tanh.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
}
float __nv_fast_powf(float x, float y) { return ex2f(y * lg2f(x)); }
/* SPDX-License-Identifier: Apache-2.0 */
