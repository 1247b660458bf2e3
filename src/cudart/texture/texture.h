/* SPDX-License-Identifier: Apache-2.0 */
/* Textures and surfaces: descriptors for the executor (exec/tex/tex.h) out of the structures of the API. */
#ifndef CUDART_TEXTURE_H
#define CUDART_TEXTURE_H

#include "cudart/texture/array.h"
#include "exec/tex/tex.h"

/* How a texture is read, common to objects and references. */
struct tex_mode {
    const enum cudaTextureAddressMode *address; /* [3] */
    enum cudaTextureFilterMode filter;
    bool normalized, read_normalized, srgb;
    const float *border; /* [4] or NULL */
};

/* Where it lies. Each false with *e set. */
bool tex_from_array(struct rt *rt, struct exec_tex *t, const struct rt_array *a, cudaError_t *e);
/* The base is aligned downwards, *offset_b tells by how much (NULL: must be aligned); the size is cut to the allocation. */
bool tex_from_linear(struct rt *rt, struct exec_tex *t, const void *ptr,
                     const struct cudaChannelFormatDesc *d, uint64_t size_b, size_t *offset_b,
                     cudaError_t *e);
bool tex_from_pitch2d(struct rt *rt, struct exec_tex *t, const void *ptr,
                      const struct cudaChannelFormatDesc *d, uint64_t width, uint64_t height,
                      uint64_t pitch_b, size_t *offset_b, cudaError_t *e);
/* How it is read; then the handle of the executor, or 0 with *e. */
uint64_t tex_make(struct rt *rt, struct exec_tex *t, const struct tex_mode *m, cudaError_t *e);

#endif
