/* Half precision: __half (IEEE binary16), __half2, their arithmetic, conversions and functions, on the host and on the device. */
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__

#include "host_defines.h"
__BANKSHOT_LINES_OFF

#include "vector_types.h"

typedef struct __attribute__((aligned(2))) {
    unsigned short x;
} __half_raw;
typedef struct __attribute__((aligned(4))) {
    unsigned short x, y;
} __half2_raw;

#if defined(__cplusplus)
#if defined(__CUDACC__)
#include "cuda_runtime.h"
#endif
#include "bankshot/float16_round.h"
#include <cmath>

static __inline__ __host__ __device__ __attribute__((unused)) float __bankshot_half_value(unsigned short h)
{
#if defined(__CUDA_ARCH__)
    float f;
    __asm__("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
    return f;
#else
    unsigned e = h >> 10 & 31, m = h & 0x3ff, u;
    float f;
    if (e == 0) {
        f = (float)m * 0x1p-24f;
        return h >> 15 ? -f : f;
    }
    u = (unsigned)(h >> 15) << 31 | (e == 31 ? (m ? 0x7fffffff : 0x7f800000) : (e + 112) << 23 | m << 13);
    __builtin_memcpy(&f, &u, 4);
    return f;
#endif
}
#if defined(__CUDA_ARCH__)
#define __BANKSHOT_HALF_CVT(name, rnd, type, c)                                                              \
    static __inline__ __device__ __attribute__((unused)) unsigned short __bankshot_half_##name(type f)       \
    {                                                                                                        \
        unsigned short h;                                                                                    \
        __asm__("cvt." rnd : "=h"(h) : c(f));                                                                \
        return h;                                                                                            \
    }
__BANKSHOT_HALF_CVT(near, "rn.f16.f32 %0, %1;", float, "f")
__BANKSHOT_HALF_CVT(rz, "rz.f16.f32 %0, %1;", float, "f")
__BANKSHOT_HALF_CVT(rm, "rm.f16.f32 %0, %1;", float, "f")
__BANKSHOT_HALF_CVT(rp, "rp.f16.f32 %0, %1;", float, "f")
__BANKSHOT_HALF_CVT(double, "rn.f16.f64 %0, %1;", double, "d")
#undef __BANKSHOT_HALF_CVT
static __inline__ __device__ __attribute__((unused)) unsigned __bankshot_half_near2(float a, float b)
{
#if __CUDA_ARCH__ >= 800
    unsigned w;
    __asm__("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(w) : "f"(b), "f"(a));
    return w;
#else
    return (unsigned)__bankshot_half_near(a) | (unsigned)__bankshot_half_near(b) << 16;
#endif
}
#define __F16_NEAR(x) __bankshot_half_near(x)
#define __F16_NEAR2(a, b) __bankshot_half_near2(a, b)
#define __F16_BITS(x) __bankshot_half_double(x)
#define __F16_DIRECTED(x, mode, ptx)                                                                         \
    (mode == 1 ? __bankshot_half_rz(x) : mode == 2 ? __bankshot_half_rm(x) : __bankshot_half_rp(x))
#else
#define __F16_NEAR(x) __bankshot_round16(x, 10, 15, 0)
#define __F16_NEAR2(a, b)                                                                                    \
    ((unsigned)__bankshot_round16(a, 10, 15, 0) | (unsigned)__bankshot_round16(b, 10, 15, 0) << 16)
#define __F16_BITS(x) __bankshot_round16(x, 10, 15, 0)
#define __F16_DIRECTED(x, mode, ptx) __bankshot_round16(x, 10, 15, mode)
#endif
#define __F16_BITS_R(x, mode) __bankshot_round16(x, 10, 15, mode)
#define __F16_VALUE(bits) __bankshot_half_value(bits)
#define __F16_T __half
#define __F16_T2 __half2
#define __F16_RAW __half_raw
#define __F16_RAW2 __half2_raw
#include "bankshot/float16_class.h"

#define __F16_N half
#define __F16_N2 half2
#define __F16_2N2 2half2
#define __F16_PTX "f16"
#define __F16_PTX2 "f16x2"
#define __F16_INF 0x7c00
#define __F16_ONE 0x3c00
#define __F16_ADD(t, b, hex) "add." t " %0, %1, %2;"
#define __F16_SUB(t, b, hex) "sub." t " %0, %1, %2;"
#define __F16_MUL(t, b, hex) "mul." t " %0, %1, %2;"
#if defined(__CUDA_ARCH__)
#define __F16_CONVERTS /* machines have conversions from and to integers */
#endif
#define __F16_SATURATES                  /* machines have sums and products that saturate */
#define __F16_APPROX(f) f##_approx_ftz_f /* no half is a subnormal float */
#define __F16_RCP(a) __nvvm_rcp_approx_ftz_f(a)
#include "bankshot/float16.h"

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;
#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00u)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFu)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001u)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFu)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000u)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000u)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00u)
#endif
__BANKSHOT_LINES_ON
#endif
/* SPDX-License-Identifier: Apache-2.0 */
