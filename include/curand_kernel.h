/* cuRAND's device interface: the XORWOW and Philox4_32_10 generators, with the same streams as NVIDIA's library. */
#ifndef BANKSHOT_CURAND_KERNEL_H
#define BANKSHOT_CURAND_KERNEL_H

#include "host_defines.h"
__BANKSHOT_LINES_OFF

#include <cuda_runtime.h>

#if defined(__cplusplus) && defined(__CUDA__)
#include <bankshot/curand_dist.h>
#include <bankshot/curand_poisson.h>
#undef __CURAND_FN
#endif

__BANKSHOT_LINES_ON
#endif
/* SPDX-License-Identifier: Apache-2.0 */
