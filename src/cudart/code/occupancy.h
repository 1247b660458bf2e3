/* SPDX-License-Identifier: Apache-2.0 */
/* How many CTAs of a kernel fit on a multiprocessor. */
#ifndef CUDART_OCCUPANCY_H
#define CUDART_OCCUPANCY_H

#include "cudart/rt.h"

/* 0: such a CTA does not fit at all. max_dyn_b: what the kernel may ask for (cudaFuncSetAttribute). */
uint32_t occupancy_ctas(const struct code *c, uint32_t max_dyn_b, uint32_t threads, uint64_t dyn_shared_b);
/* Of all multiprocessors together: what a cooperative grid may have. */
uint64_t occupancy_device(const struct code *c, uint32_t max_dyn_b, uint32_t threads, uint64_t dyn_shared_b);

#endif
