// Words that CUDA source puts in front of functions, variables and types.
// Clang's CUDA mode gives them their meaning; for any other compiler they vanish, so that host code in C
// and C++ can include the runtime's headers.
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__

#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB

#if defined(__CUDA__)
#define BANKSHOT_ATTR(a) __attribute__((a))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
// CTAs of a cluster. Clang has no such attribute; bankshot cc finds the annotation and writes it into the PTX.
#define __cluster_dims__(...) __attribute__((annotate("bankshot cluster", __VA_ARGS__)))
#else
#define BANKSHOT_ATTR(a)
#endif

#ifndef __host__
#define __host__ BANKSHOT_ATTR(host)
#endif
#ifndef __device__
#define __device__ BANKSHOT_ATTR(device)
#endif
#ifndef __global__
#define __global__ BANKSHOT_ATTR(global)
#endif
#ifndef __shared__
#define __shared__ BANKSHOT_ATTR(shared)
#endif
#ifndef __constant__
#define __constant__ BANKSHOT_ATTR(constant)
#endif
// Clang has no managed variables for NVIDIA targets. The runtime makes a variable of this section the same memory
// for host and device.
#ifndef __managed__
#ifdef __CUDA__
#define __managed__ __attribute__((device, section("bankshot_managed")))
#else
#define __managed__
#endif
#endif

// A keyword of clang since 16; elsewhere a macro of this name would break __attribute__((__noinline__)) of the
// system's headers.
#if defined(__CUDA__) && __clang_major__ < 16
#undef __noinline__
#define __noinline__ __attribute__((noinline))
#endif
#undef __forceinline__
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __inline_hint__
#define __no_return__ __attribute__((noreturn))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __thread__ __thread
#define __import__
#define __export__
#define __annotate__(a) BANKSHOT_ATTR(a)
#define __location__(a) __annotate__(a)
#define __device_builtin__
#define __cudart_builtin__
#define __device_builtin_texture_type__ BANKSHOT_ATTR(device_builtin_texture_type)
#define __device_builtin_surface_type__ BANKSHOT_ATTR(device_builtin_surface_type)
#define __specialization_static
#define __nv_pure__
// A promise that a kernel never writes its parameter: with a back end of LLVM 19 or later its address is taken without a copy.
#define __grid_constant__ BANKSHOT_ATTR(annotate("bankshot grid constant"))

// Default arguments exist in C++ only.
#ifdef __cplusplus
#define CUDART_DEFAULT(value) = value
#define BANKSHOT_C_BEGIN extern "C" {
#define BANKSHOT_C_END }
#else
#define CUDART_DEFAULT(value)
#define BANKSHOT_C_BEGIN
#define BANKSHOT_C_END
#endif

// Around the device functions of these headers: they have no lines of their own, their instructions belong to the line of
// the program that calls them.
#if defined(__CUDA_ARCH__)
#define __BANKSHOT_LINES_OFF \
    _Pragma("clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))")
#define __BANKSHOT_LINES_ON _Pragma("clang attribute pop")
#else
#define __BANKSHOT_LINES_OFF
#define __BANKSHOT_LINES_ON
#endif

#endif
/* SPDX-License-Identifier: Apache-2.0 */
