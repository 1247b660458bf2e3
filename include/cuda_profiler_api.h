// Where the part of a program begins and ends that is worth measuring.
#ifndef __CUDA_PROFILER_API_H__
#define __CUDA_PROFILER_API_H__

#include "driver_types.h"

BANKSHOT_C_BEGIN

extern __host__ cudaError_t CUDARTAPI cudaProfilerStart(void);
extern __host__ cudaError_t CUDARTAPI cudaProfilerStop(void);

BANKSHOT_C_END

#endif
/* SPDX-License-Identifier: Apache-2.0 */
