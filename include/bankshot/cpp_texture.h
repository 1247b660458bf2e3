// Texture and surface references of CUDA 11 and before, bound by their typed names.
#ifndef BANKSHOT_CPP_TEXTURE_H
#define BANKSHOT_CPP_TEXTURE_H

#include "../cuda_runtime_api.h"
#include "../cuda_surface_types.h"
#include "../cuda_texture_types.h"

#define BANKSHOT_HOST static inline __host__

template <class T, int dim, enum cudaTextureReadMode mode>
BANKSHOT_HOST cudaError_t cudaBindTexture(size_t *offset, const struct texture<T, dim, mode> &tex,
                                          const void *ptr, const struct cudaChannelFormatDesc &desc,
                                          size_t size = UINT_MAX)
{
    return ::cudaBindTexture(offset, (const textureReference *)&tex, ptr, &desc, size);
}

template <class T, int dim, enum cudaTextureReadMode mode>
BANKSHOT_HOST cudaError_t cudaBindTexture(size_t *offset, const struct texture<T, dim, mode> &tex,
                                          const void *ptr, size_t size = UINT_MAX)
{
    return cudaBindTexture(offset, tex, ptr, tex.channelDesc, size);
}

template <class T, int dim, enum cudaTextureReadMode mode>
BANKSHOT_HOST cudaError_t cudaBindTexture2D(size_t *offset, const struct texture<T, dim, mode> &tex,
                                            const void *ptr, const struct cudaChannelFormatDesc &desc,
                                            size_t width, size_t height, size_t pitch)
{
    return ::cudaBindTexture2D(offset, (const textureReference *)&tex, ptr, &desc, width, height, pitch);
}

template <class T, int dim, enum cudaTextureReadMode mode>
BANKSHOT_HOST cudaError_t cudaBindTexture2D(size_t *offset, const struct texture<T, dim, mode> &tex,
                                            const void *ptr, size_t width, size_t height, size_t pitch)
{
    return cudaBindTexture2D(offset, tex, ptr, tex.channelDesc, width, height, pitch);
}

template <class T, int dim, enum cudaTextureReadMode mode>
BANKSHOT_HOST cudaError_t cudaBindTextureToArray(const struct texture<T, dim, mode> &tex, cudaArray_const_t array,
                                                 const struct cudaChannelFormatDesc &desc)
{
    return ::cudaBindTextureToArray((const textureReference *)&tex, array, &desc);
}

template <class T, int dim, enum cudaTextureReadMode mode>
BANKSHOT_HOST cudaError_t cudaBindTextureToArray(const struct texture<T, dim, mode> &tex, cudaArray_const_t array)
{
    struct cudaChannelFormatDesc desc;
    cudaError_t err = ::cudaGetChannelDesc(&desc, array);
    return err == cudaSuccess ? cudaBindTextureToArray(tex, array, desc) : err;
}

template <class T, int dim, enum cudaTextureReadMode mode>
BANKSHOT_HOST cudaError_t cudaBindTextureToMipmappedArray(const struct texture<T, dim, mode> &tex,
                                                          cudaMipmappedArray_const_t mipmap,
                                                          const struct cudaChannelFormatDesc &desc)
{
    return ::cudaBindTextureToMipmappedArray((const textureReference *)&tex, mipmap, &desc);
}

template <class T, int dim, enum cudaTextureReadMode mode>
BANKSHOT_HOST cudaError_t cudaBindTextureToMipmappedArray(const struct texture<T, dim, mode> &tex,
                                                          cudaMipmappedArray_const_t mipmap)
{
    struct cudaChannelFormatDesc desc;
    cudaArray_t level0;
    cudaError_t err = ::cudaGetMipmappedArrayLevel(&level0, mipmap, 0);
    if (err == cudaSuccess)
        err = ::cudaGetChannelDesc(&desc, level0);
    return err == cudaSuccess ? cudaBindTextureToMipmappedArray(tex, mipmap, desc) : err;
}

template <class T, int dim, enum cudaTextureReadMode mode>
BANKSHOT_HOST cudaError_t cudaUnbindTexture(const struct texture<T, dim, mode> &tex)
{
    return ::cudaUnbindTexture((const textureReference *)&tex);
}

template <class T, int dim, enum cudaTextureReadMode mode>
BANKSHOT_HOST cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct texture<T, dim, mode> &tex)
{
    return ::cudaGetTextureAlignmentOffset(offset, (const textureReference *)&tex);
}

template <class T, int dim>
BANKSHOT_HOST cudaError_t cudaBindSurfaceToArray(const struct surface<T, dim> &surf, cudaArray_const_t array,
                                                 const struct cudaChannelFormatDesc &desc)
{
    return ::cudaBindSurfaceToArray((const surfaceReference *)&surf, array, &desc);
}

template <class T, int dim>
BANKSHOT_HOST cudaError_t cudaBindSurfaceToArray(const struct surface<T, dim> &surf, cudaArray_const_t array)
{
    struct cudaChannelFormatDesc desc;
    cudaError_t err = ::cudaGetChannelDesc(&desc, array);
    return err == cudaSuccess ? cudaBindSurfaceToArray(surf, array, desc) : err;
}

#undef BANKSHOT_HOST

#endif
/* SPDX-License-Identifier: Apache-2.0 */
