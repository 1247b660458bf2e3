/* SPDX-License-Identifier: Apache-2.0 */
/* CUDA arrays: device memory with a shape. Rows follow each other, then slices or layers; a cubemap has six layers each. */
#ifndef CUDART_ARRAY_H
#define CUDART_ARRAY_H

#include "cudart/rt.h"

struct exec_tex;

struct rt_array {
    struct rt_obj obj;
    struct cudaChannelFormatDesc desc;
    struct cudaExtent extent; /* as asked for: height, depth 0 where they do not exist */
    unsigned flags;
    uint32_t elem_b;
    uint64_t addr, pitch_b, rows, slices;
};

/* Elements with this channel description: sets their size and, unless NULL, the texture's format. False after telling what
 * is not supported, or if it is none (*e). */
bool array_format(struct rt *rt, const struct cudaChannelFormatDesc *d, uint32_t *elem_b, struct exec_tex *t,
                  cudaError_t *e);
cudaError_t array_new(struct rt *rt, cudaArray_t *out, const struct cudaChannelFormatDesc *desc,
                      struct cudaExtent x, unsigned flags);
void array_free(struct rt *rt, struct rt_array *a);

enum { TEXTURE_ALIGN_B = 512, TEXTURE_PITCH_ALIGN_B = 32, TEXTURE_1D_LINEAR_MAX = 1 << 28 }; /* H200 */

#endif
