// texture<type, dimensions, read mode>: the texture references of CUDA 11 and before. The host sets its members and
// binds it; in kernels the name stands for what is bound.
#ifndef __CUDA_TEXTURE_TYPES_H__
#define __CUDA_TEXTURE_TYPES_H__

#include "channel_descriptor.h"
#include "texture_types.h"

#ifdef __cplusplus

template <class T, int texType = cudaTextureType1D, enum cudaTextureReadMode mode = cudaReadModeElementType>
struct __device_builtin_texture_type__ texture : public textureReference {
#ifndef __CUDA_ARCH__
    texture(int norm = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
            enum cudaTextureAddressMode address = cudaAddressModeClamp)
    {
        *this = texture(norm, filter, address, cudaCreateChannelDesc<T>());
    }
    texture(int norm, enum cudaTextureFilterMode filter, enum cudaTextureAddressMode address,
            struct cudaChannelFormatDesc desc)
        : textureReference()
    {
        normalized = norm;
        filterMode = filter;
        for (int i = 0; i < 3; i++)
            addressMode[i] = address;
        channelDesc = desc;
        mipmapFilterMode = cudaFilterModePoint;
    }
#endif
};

#endif

#endif
/* SPDX-License-Identifier: Apache-2.0 */
