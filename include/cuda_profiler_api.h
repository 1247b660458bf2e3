// Where the part of a program begins and ends that is worth measuring.
#ifndef BANKSHOT_CUDA_PROFILER_API_H
#define BANKSHOT_CUDA_PROFILER_API_H

#include "driver_types.h"

BANKSHOT_C_BEGIN

extern __host__ cudaError_t CUDARTAPI cudaProfilerStart(void);
extern __host__ cudaError_t CUDARTAPI cudaProfilerStop(void);

BANKSHOT_C_END

#endif
