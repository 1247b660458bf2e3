// Kernels cannot launch kernels here: there is no runtime on the device, and this file only keeps the name.
#ifndef BANKSHOT_CUDA_DEVICE_RUNTIME_API_H
#define BANKSHOT_CUDA_DEVICE_RUNTIME_API_H

#include "builtin_types.h"

#endif
