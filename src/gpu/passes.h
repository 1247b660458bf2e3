/* SPDX-License-Identifier: Apache-2.0 */
/* A program over and over (gpu.passes): the launches of a trace again, with caches as the pass before left them, and a result of
 * the last pass alone. What the passes before it counted is noted where they end and taken off. */
#ifndef GPU_PASSES_H
#define GPU_PASSES_H

#include "gpu/gpu.h"

struct gpu;

struct passes {
    struct gpu_sample before; /* at the end of the last pass but one */
    uint64_t kernel_cycles, tenant[SM_STATS];
    uint64_t *arrays[SA_COUNT];
};

/* After a window: has the last pass but one ended in it? Then what was counted so far is noted. */
void passes_look(struct passes *p, struct gpu *g);
/* All was counted: what is told is of the last pass. Nothing, where there is only one. */
void passes_keep_last(const struct passes *p, const struct gpu *g, struct gpu_result *out);
void passes_free(struct passes *p);

#endif
