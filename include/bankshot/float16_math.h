/* SPDX-License-Identifier: Apache-2.0 */
/* Functions: in float, which has all the digits; on the device with the special function unit. */
#if defined(__CUDA_ARCH__)
#define __F16_MATH(name, dev, host)                                                                          \
    __F16_FN __F16_T h##name(const __F16_T v)                                                                \
    {                                                                                                        \
        const float a = __F16_FLOAT(v);                                                                      \
        return __F16_ROUND(dev);                                                                             \
    }                                                                                                        \
    __F16_FN float __F16_PASTE(__bankshot_##name##_, __F16_N, )(const float a) { return dev; }               \
    __F16_FN __F16_T2 h2##name(const __F16_T2 v)                                                             \
    {                                                                                                        \
        const float x = __F16_PASTE(__bankshot_##name##_, __F16_N, )(__F16_FLOAT(v.x));                      \
        const float y = __F16_PASTE(__bankshot_##name##_, __F16_N, )(__F16_FLOAT(v.y));                      \
        return __F16_PAIR(__F16_NEAR2(x, y));                                                                \
    }
#ifndef __F16_APPROX
#define __F16_APPROX(f) f##_approx_f
#define __F16_RCP(a) __frcp_rn(a)
#endif
#else
#define __F16_MATH(name, dev, host)                                                                          \
    __F16_FN __F16_T h##name(const __F16_T v)                                                                \
    {                                                                                                        \
        const double a = __F16_FLOAT(v);                                                                     \
        return __F16_FROM(__F16_BITS(host));                                                                 \
    }                                                                                                        \
    __F16_FN __F16_T2 h2##name(const __F16_T2 v) { return __F16_T2(h##name(v.x), h##name(v.y)); }
#endif
__F16_MATH(sqrt, __F16_APPROX(__nvvm_sqrt)(a), ::sqrt(a))
__F16_MATH(rsqrt, __F16_APPROX(__nvvm_rsqrt)(a), 1.0 / ::sqrt(a))
__F16_MATH(rcp, __F16_RCP(a), 1.0 / a)
__F16_MATH(exp, __F16_APPROX(__nvvm_ex2)(a * 1.44269502f), ::exp(a))
__F16_MATH(exp2, __F16_APPROX(__nvvm_ex2)(a), ::exp2(a))
__F16_MATH(exp10, __F16_APPROX(__nvvm_ex2)(a * 3.32192802f), ::pow(10.0, a))
__F16_MATH(log, __F16_APPROX(__nvvm_lg2)(a) * 0.693147182f, ::log(a))
__F16_MATH(log2, __F16_APPROX(__nvvm_lg2)(a), ::log2(a))
__F16_MATH(log10, __F16_APPROX(__nvvm_lg2)(a) * 0.301030010f, ::log10(a))
__F16_MATH(sin, ::sinf(a), ::sin(a))
__F16_MATH(cos, ::cosf(a), ::cos(a))
__F16_MATH(tanh, ::tanhf(a), ::tanh(a))
/* Whole numbers: one instruction, of bfloat16 from sm_90 on. */
#if defined(__CUDA_ARCH__) && (defined(__F16_SATURATES) || __CUDA_ARCH__ >= 900)
#define __F16_WHOLE(name, mode)                                                                              \
    __F16_FN __F16_T h##name(const __F16_T a)                                                                \
    {                                                                                                        \
        unsigned short r;                                                                                    \
        __asm__("cvt." mode "." __F16_PTX "." __F16_PTX " %0, %1;" : "=h"(r) : "h"(a.__x));                  \
        return __F16_FROM(r);                                                                                \
    }                                                                                                        \
    __F16_FN __F16_T2 h2##name(const __F16_T2 a) { return __F16_T2(h##name(a.x), h##name(a.y)); }
#else
#define __F16_WHOLE(name, mode) __F16_MATH(name, ::name##f(a), ::name(a))
#endif
__F16_WHOLE(floor, "rmi")
__F16_WHOLE(ceil, "rpi")
__F16_WHOLE(trunc, "rzi")
__F16_WHOLE(rint, "rni")
#undef __F16_WHOLE
#define __F16_UNARY_TANH(t) "tanh.approx." t " %0, %1;"
__F16_OP1(__bankshot_htanh, __F16_UNARY_TANH, ::tanhf(a))
__F16_FN __F16_T htanh_approx(const __F16_T a) { return __bankshot_htanh(a); }
__F16_FN __F16_T2 h2tanh_approx(const __F16_T2 a) { return __bankshot_htanh2(a); }
#undef __F16_MATH
#undef __F16_UNARY_TANH
#undef __F16_APPROX
#undef __F16_RCP
