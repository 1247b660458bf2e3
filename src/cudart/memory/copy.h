/* SPDX-License-Identifier: Apache-2.0 */
/* Copies and fills: checks and execution, for op.c and for what builds such operations. */
#ifndef CUDART_COPY_H
#define CUDART_COPY_H

#include "cudart/rt.h"

cudaError_t copy_check(struct rt *rt, const struct rt_op *op);
cudaError_t copy_execute(struct rt *rt, struct rt_stream *s, const struct rt_op *op);
cudaError_t set_check(struct rt *rt, const struct rt_op *op);
cudaError_t set_execute(struct rt *rt, struct rt_stream *s, const struct rt_op *op);

/* The operation of cudaMemcpy3D. */
cudaError_t copy_op_3d(struct rt *rt, struct rt_op *op, const struct cudaMemcpy3DParms *p);
/* Rows of linear memory; height 1: a plain copy. */
struct rt_op copy_op_rows(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                          size_t height, enum cudaMemcpyKind kind);
/* To (or from) a variable, from byte `offset` of it on. */
cudaError_t copy_op_symbol(struct rt *rt, struct rt_op *op, const void *symbol, const void *ptr, size_t size,
                           size_t offset, enum cudaMemcpyKind kind, bool to);
/* Submits a copy or a fill and leaves the runtime. `wait`: the call is not an ...Async one. */
cudaError_t copy_submit(struct rt *rt, cudaStream_t stream, struct rt_op *op, bool wait);

#endif
