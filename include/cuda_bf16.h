/* bfloat16: __nv_bfloat16 (the upper half of a float), __nv_bfloat162, their arithmetic, conversions and functions, on the host and
 * on the device. */
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__

#include "host_defines.h"
__BANKSHOT_LINES_OFF

#include "vector_types.h"

typedef struct __attribute__((aligned(2))) {
    unsigned short x;
} __nv_bfloat16_raw;
typedef struct __attribute__((aligned(4))) {
    unsigned short x, y;
} __nv_bfloat162_raw;

#if defined(__cplusplus)
#if defined(__CUDACC__)
#include "cuda_runtime.h"
#endif
#include "bankshot/float16_round.h"
#include <cmath>

static __inline__ __host__ __device__ __attribute__((unused)) float __bankshot_bf16_value(unsigned short h)
{
    unsigned u = (unsigned)h << 16;
    float f;
    __builtin_memcpy(&f, &u, 4);
    return f;
}
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
static __inline__ __device__ __attribute__((unused)) unsigned short __bankshot_bf16_near(float f)
{
    unsigned short h;
    __asm__("cvt.rn.bf16.f32 %0, %1;" : "=h"(h) : "f"(f));
    return h;
}
static __inline__ __device__ __attribute__((unused)) unsigned __bankshot_bf16_near2(float a, float b)
{
    unsigned w;
    __asm__("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(w) : "f"(b), "f"(a));
    return w;
}
#define __F16_NEAR(x) __bankshot_bf16_near(x)
#define __F16_NEAR2(a, b) __bankshot_bf16_near2(a, b)
#else
#define __F16_NEAR(x) __bankshot_round16(x, 7, 127, 0)
#define __F16_NEAR2(a, b)                                                                                    \
    ((unsigned)__bankshot_round16(a, 7, 127, 0) | (unsigned)__bankshot_round16(b, 7, 127, 0) << 16)
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
static __inline__ __device__ __attribute__((unused)) unsigned short __bankshot_bf16_double(double f)
{
    unsigned short h;
    __asm__("cvt.rn.bf16.f64 %0, %1;" : "=h"(h) : "d"(f));
    return h;
}
static __inline__ __device__ __attribute__((unused)) unsigned short __bankshot_bf16_rz(float f)
{
    unsigned short h;
    __asm__("cvt.rz.bf16.f32 %0, %1;" : "=h"(h) : "f"(f));
    return h;
}
#define __F16_CONVERTS /* from and to integers */
#define __F16_BITS(x) __bankshot_bf16_double(x)
#define __F16_DIRECTED(x, mode, ptx) (mode == 1 ? __bankshot_bf16_rz(x) : __bankshot_round16(x, 7, 127, mode))
#else
#define __F16_BITS(x) __bankshot_round16(x, 7, 127, 0)
#define __F16_DIRECTED(x, mode, ptx) __bankshot_round16(x, 7, 127, mode)
#endif
#define __F16_BITS_R(x, mode) __bankshot_round16(x, 7, 127, mode)
#define __F16_VALUE(bits) __bankshot_bf16_value(bits)
#define __F16_T __nv_bfloat16
#define __F16_T2 __nv_bfloat162
#define __F16_RAW __nv_bfloat16_raw
#define __F16_RAW2 __nv_bfloat162_raw
#include "bankshot/float16_class.h"

#define __F16_N bfloat16
#define __F16_N2 bfloat162
#define __F16_2N2 2bfloat162
#define __F16_PTX "bf16"
#define __F16_PTX2 "bf16x2"
#define __F16_INF 0x7f80
#define __F16_ONE 0x3f80
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define __F16_ADD(t, b, hex) "add." t " %0, %1, %2;"
#define __F16_SUB(t, b, hex) "sub." t " %0, %1, %2;"
#define __F16_MUL(t, b, hex) "mul." t " %0, %1, %2;"
#else
/* GPUs before 9.0 have the fused operation only: a 1 + b, b (-1) + a, a b + -0. */
#define __F16_ADD(t, b, hex) "{.reg " b " k;\n\tmov" b " k, " hex("3f80") ";\n\tfma.rn." t " %0, %1, k, %2;}"
#define __F16_SUB(t, b, hex) "{.reg " b " k;\n\tmov" b " k, " hex("bf80") ";\n\tfma.rn." t " %0, %2, k, %1;}"
#define __F16_MUL(t, b, hex) "{.reg " b " k;\n\tmov" b " k, " hex("8000") ";\n\tfma.rn." t " %0, %1, %2, k;}"
#endif
#include "bankshot/float16.h"

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80u)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFu)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001u)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7Fu)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000u)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000u)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80u)
#endif
__BANKSHOT_LINES_ON
#endif
/* SPDX-License-Identifier: Apache-2.0 */
