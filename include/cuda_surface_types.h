// surface<void, dimensions>: the surface references of CUDA 11 and before.
#ifndef __CUDA_SURFACE_TYPES_H__
#define __CUDA_SURFACE_TYPES_H__

#include "channel_descriptor.h"
#include "surface_types.h"

#ifdef __cplusplus

template <class T, int dim = cudaSurfaceType1D>
struct __device_builtin_surface_type__ surface : public surfaceReference {
#ifndef __CUDA_ARCH__
    surface() { channelDesc = cudaCreateChannelDesc<T>(); }
#endif
};

template <int dim> struct __device_builtin_surface_type__ surface<void, dim> : public surfaceReference {
#ifndef __CUDA_ARCH__
    surface() { channelDesc = cudaCreateChannelDesc<void>(); }
#endif
};

#endif

#endif
/* SPDX-License-Identifier: Apache-2.0 */
