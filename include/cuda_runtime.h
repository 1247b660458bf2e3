/* The header of every CUDA program. `bankshot cc` includes it before the first line of a source file, in
 * the host pass and in the device pass alike; a C or C++ file that the host compiler sees alone gets types
 * and functions only.
 *
 * clang's own CUDA headers give the device functions that become calls of __nv_* (device.bc has those);
 * the rest, that NVIDIA's toolkit would bring, is in bankshot/. The order is clang's: what stands before
 * <cmath> must. */
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#include "host_defines.h"
__BANKSHOT_LINES_OFF

#if defined(__CUDA__) && defined(__clang__)
#define __CUDACC__ 1
#define __NVCC__ 1
#include <__clang_cuda_math_forward_declares.h>
#include <cmath>
#include <cstdlib>
#include <cstring>
/* The C names too, before device functions of these names come: <stdlib.h> of libstdc++ says "using
 * std::free". */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#endif

#include "cuda_runtime_api.h"
#include "vector_functions.h"

#if defined(__cplusplus)
#include "channel_descriptor.h"
#include "cuda_surface_types.h"
#include "cuda_texture_types.h"
#endif

#if defined(__CUDACC__)
#define __CUDACC_VER_MAJOR__ (CUDART_VERSION / 1000)
#define __CUDACC_VER_MINOR__ (CUDART_VERSION % 1000 / 10)
#define __CUDACC_VER_BUILD__ 0
#include "bankshot/dev/all.h"
#endif

#if defined(__cplusplus) && __has_include("bankshot/runtime_cpp.h")
#include "bankshot/runtime_cpp.h"
#endif

__BANKSHOT_LINES_ON
#endif
/* SPDX-License-Identifier: Apache-2.0 */
