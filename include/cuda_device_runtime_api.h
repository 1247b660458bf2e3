// Kernels cannot launch kernels here: there is no runtime on the device, and this file only keeps the name.
#ifndef __CUDA_DEVICE_RUNTIME_API_H__
#define __CUDA_DEVICE_RUNTIME_API_H__

#include "builtin_types.h"

#endif
