/* SPDX-License-Identifier: Apache-2.0 */
/* What the code of a trace asks of a GPU that the preset's compute capability does not have. Such code is timed all the
 * same, with the latencies that the preset has for it: commands say so, since no such GPU would run it. */
#ifndef GPU_CAPABLE_H
#define GPU_CAPABLE_H

#include "gpu/gpu.h"

/* Calls f with a sentence for each class of instructions that a kernel of the trace has and the GPU has not. */
void gpu_each_lack(const struct gpu_conf *c, const struct tr_reader *t,
                   void (*f)(void *ctx, const char *text), void *ctx);

#endif
