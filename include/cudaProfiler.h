// Start and stop of profiling under the driver interface's names; both are declared in cuda.h.
#ifndef BANKSHOT_CUDA_PROFILER_H
#define BANKSHOT_CUDA_PROFILER_H

#include "cuda.h"

#endif
