// Start and stop of profiling under the driver interface's names; both are declared in cuda.h.
#ifndef __cuda_profiler_h__
#define __cuda_profiler_h__

#include "cuda.h"

#endif
/* SPDX-License-Identifier: Apache-2.0 */
