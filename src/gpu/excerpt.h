/* A part of a program that is replayed without the rest: one launch, or some of its CTAs, or parts of their streams. It finds the
 * caches as if what lies before it had run: L2 is played (play.c), instruction caches have the code of a kernel that has run before. */
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
    struct tr_cut cut;
    bool again; /* its kernel has run before */
};

/* The first CTA from `from` on that is in the trace and in the excerpt. False: none. */
bool excerpt_cta_from(const struct gpu_excerpt *e, const struct tr_reader *t, uint32_t from, uint32_t *cta);
uint64_t excerpt_ctas(const struct gpu_excerpt *e, const struct tr_reader *t);

/* What the last part of the launches before this one used is in L2, in the order of their CTAs. What the host copied before them
 * is there already. False after reporting a stream that cannot be read. */
bool play_before(struct tr_reader *t, uint32_t launch, uint64_t l2_b, struct memsys *mem, struct diag *d);

/* A replay of all that the tenants have, or of their excerpts, whatever gpu.sample says. */
enum gpu_status gpu_replay(const struct gpu_conf *c, const struct gpu_tenant *tenants, uint32_t n,
                           const struct gpu_opts *o, struct gpu_result *out, struct diag *d);

#endif
