/* Everything that device code may use without a further header, in an order that clang's headers can live
 * with. */
#ifndef BANKSHOT_DEV_ALL_H
#define BANKSHOT_DEV_ALL_H

/* What a launch k<<<...>>>() becomes. */
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_b = 0, void *stream = 0);

/* Inlined always: a device function of these headers stands for one or a few instructions. */
#define __BANKSHOT_FN static __device__ __inline__ __attribute__((always_inline))

/* clang's headers ask which CUDA they serve; cuda.h, which programs include by themselves, defines
 * CUDA_VERSION too. */
#pragma push_macro("CUDA_VERSION")
#undef CUDA_VERSION
#define CUDA_VERSION CUDART_VERSION

#include "bankshot/dev/vars.h"

#include <__clang_cuda_libdevice_declares.h>

/* Old votes without a mask exist on no GPU that clang's builtins for them can be compiled for; warp.h has
 * others. */
#pragma push_macro("__all")
#pragma push_macro("__any")
#pragma push_macro("__ballot")
#define __all __bankshot_unused_all
#define __any __bankshot_unused_any
#define __ballot __bankshot_unused_ballot
#include <__clang_cuda_device_functions.h>
#pragma pop_macro("__all")
#pragma pop_macro("__any")
#pragma pop_macro("__ballot")
/* -use_fast_math: clang turns some functions into their fast versions, NVIDIA these too. */
extern "C" __device__ float __nv_fast_sqrtf(float);
extern "C" __device__ float __nv_fast_tanhf(float);
#if defined(__CLANG_GPU_APPROX_TRANSCENDENTALS__) || defined(__CLANG_CUDA_APPROX_TRANSCENDENTALS__)
#define __nv_expf __nv_fast_expf
#define __nv_exp10f __nv_fast_exp10f
#define __nv_log10f __nv_fast_log10f
#define __nv_powf __nv_fast_powf
#define __nv_tanf __nv_fast_tanf
#define __nv_sqrtf __nv_fast_sqrtf
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
#define __nv_tanhf __nv_fast_tanhf
#endif
#elif defined(__CUDA_PREC_SQRT) && !__CUDA_PREC_SQRT
#define __nv_sqrtf __nv_fast_sqrtf
#endif
#include <__clang_cuda_math.h>
#undef __nv_expf
#undef __nv_exp10f
#undef __nv_log10f
#undef __nv_powf
#undef __nv_tanhf
#undef __nv_tanf
#undef __nv_sqrtf

#include "bankshot/dev/managed.h"

#include "bankshot/dev/system.h"

/* clang's header of this name gives device code new and delete, over its malloc. */
#include <new>

#include "bankshot/dev/sync.h"

#include "bankshot/dev/cluster.h"

#include "bankshot/dev/atomic.h"
#include "bankshot/dev/nv_atomic.h"

#include "bankshot/dev/addr.h"

#include "bankshot/dev/cache.h"

#include "bankshot/dev/bits.h"

#include "bankshot/dev/simd.h"

#include "bankshot/dev/warp.h"

#include <__clang_cuda_cmath.h>
#include <__clang_cuda_complex_builtins.h>

#if __has_include("bankshot/math.h")
#include "bankshot/math.h"
#endif

#include "bankshot/dev/tex.h"

#include "bankshot/dev/surf.h"

#pragma pop_macro("CUDA_VERSION")
#endif
/* SPDX-License-Identifier: Apache-2.0 */
