// The types of the CUDA runtime's interface, at the level of CUDA 12.8: sizes, offsets and numbers are those of
// NVIDIA's headers, so that code built with either can use either library.
#ifndef __DRIVER_TYPES_H__
#define __DRIVER_TYPES_H__

#include "bankshot/type_array.h"
#include "bankshot/type_device.h"
#include "bankshot/type_error.h"
#include "bankshot/type_graph.h"
#include "bankshot/type_interop.h"
#include "bankshot/type_launch.h"
#include "bankshot/type_memory.h"
#include "host_defines.h"
#include "vector_types.h"
#include <limits.h>
#include <stddef.h>

#endif
/* SPDX-License-Identifier: Apache-2.0 */
