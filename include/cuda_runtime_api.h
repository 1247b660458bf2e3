// The CUDA runtime's interface at the level of CUDA 12.8, for C, for C++ and for clang's CUDA mode, with the old
// names that programs still use. The C++ overloads are in cuda_runtime.h.
// The guards have the names of NVIDIA's: helper code that comes with programs asks for them.
#ifndef __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_API_H__

#define CUDART_VERSION 12080
#define __CUDART_API_VERSION CUDART_VERSION

// First: it renames what the others declare.
#include "bankshot/api_per_thread.h"

#include "bankshot/api_array.h"
#include "bankshot/api_device.h"
#include "bankshot/api_graph.h"
#include "bankshot/api_launch.h"
#include "bankshot/api_memory.h"
#include "bankshot/api_old.h"
#include "bankshot/api_stream.h"
#include "builtin_types.h"
#include "cuda_device_runtime_api.h"
#include "cuda_profiler_api.h"
#include "driver_functions.h"
#include "host_defines.h"

#endif
/* SPDX-License-Identifier: Apache-2.0 */
