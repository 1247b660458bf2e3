// What C++ programs see of the runtime beyond its C interface: typed pointers, symbols by name, kernels as functions.
// Each overload only converts and calls the C function.
#ifndef BANKSHOT_RUNTIME_CPP_H
#define BANKSHOT_RUNTIME_CPP_H

#ifdef __cplusplus

#include "cpp_graph.h"
#include "cpp_launch.h"
#include "cpp_memory.h"
#include "cpp_texture.h"

#endif

#endif
/* SPDX-License-Identifier: Apache-2.0 */
