/* SPDX-License-Identifier: Apache-2.0 */
/* A part of a program that is replayed without the rest: one launch, or some of its CTAs, or parts of their streams. It
 * finds the caches as if what lies before it had run: L2 is played (play.c), instruction caches have the code of a kernel that
 * has run before. */
#ifndef GPU_EXCERPT_H
#define GPU_EXCERPT_H

#include "gpu/gpu.h"

struct gpu_ctas {
    uint64_t from, to; /* numbers [from, to) */
};

struct gpu_excerpt {
    uint32_t launch;
    const struct gpu_ctas *ctas; /* in order, apart from each other; n 0: all of the launch */
    uint32_t n;
    double share; /* of the CTAs' streams, their beginning; 1: all */
    /* That its warps make; NULL: none. The result is what the launch would have then */
    const struct sm_jumps *jumps;
    /* CTAs that the GPU holds at a time, of which the excerpt has twice as many: what happens while so many end counts for those
     * CTAs of the launch too that are not in it (gpu/weigh.h); 0: it counts for itself. */
    uint64_t wave;
    const uint8_t *has_code; /* by SM: its kernel has run there before; NULL: nowhere */
};

/* The first CTA from `from` on that is in the trace and in the excerpt. False: none. */
bool excerpt_cta_from(const struct gpu_excerpt *e, const struct tr_reader *t, uint32_t from, uint32_t *cta);
uint64_t excerpt_ctas(const struct gpu_excerpt *e, const struct tr_reader *t);

/* CTAs of the launch that the GPU holds at a time, by the SMs' plain limits. */
uint64_t gpu_wave(const struct tr_reader *t, uint32_t launch, const struct gpu_conf *c);
/* What the CTAs before this one, of its launch and of those before it, used last is in L2. False after reporting a stream that
 * cannot be read. */
bool play_before(struct tr_reader *t, uint32_t launch, uint64_t cta, const struct gpu_conf *c,
                 struct memsys *mem, struct diag *d);

double gpu_seconds(void); /* of the host's clock */
/* A replay of all that the tenants have, or of their excerpts, whatever gpu.sample says. */
enum gpu_status gpu_replay(const struct gpu_conf *c, const struct gpu_tenant *tenants, uint32_t n,
                           const struct gpu_opts *o, struct gpu_result *out, struct diag *d);

#endif
