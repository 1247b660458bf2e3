/* What every header of our CUB begins with. The interface is NVIDIA's (CUB of CUDA 12), the code is not. */
#ifndef BANKSHOT_CUB_CONFIG
#define BANKSHOT_CUB_CONFIG

/* Some of these are for programs that have them from NVIDIA's. */
#include <cassert>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>
#include <iterator>
#include <type_traits>

#define CUB_VERSION 200800
#define CUB_MAJOR_VERSION 2
#define CUB_MINOR_VERSION 8
#define CUB_SUBMINOR_VERSION 0
#define CUB_PTX_ARCH 800
#define CUB_PTX_WARP_THREADS 32
#define CUB_PTX_LOG_WARP_THREADS 5
#define CUB_RUNTIME_FUNCTION __host__
#define CUB_NS_PREFIX
#define CUB_NS_POSTFIX
#define CUB_NAMESPACE_BEGIN namespace cub {
#define CUB_NAMESPACE_END }
#define CUB_MIN(a, b) ((b) < (a) ? (b) : (a))
#define CUB_MAX(a, b) ((a) < (b) ? (b) : (a))
#define CUB_QUOTIENT_FLOOR(a, b) ((a) / (b))
#define CUB_QUOTIENT_CEILING(a, b) (((a) + (b)-1) / (b))
#define CUB_ROUND_UP_NEAREST(a, b) (CUB_QUOTIENT_CEILING(a, b) * (b))

#define __CUB_DEVICE __device__ __forceinline__
#define __CUB_BOTH __host__ __device__ __forceinline__
#define __CUB_KERNEL(threads) static __global__ void __launch_bounds__(threads)

#endif
// SPDX-License-Identifier: Apache-2.0
