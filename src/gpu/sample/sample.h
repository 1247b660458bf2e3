/* SPDX-License-Identifier: Apache-2.0 */
/* Sampling: a long program is estimated from excerpts (gpu.sample, run --sample). Four steps, one file each:
 *
 *   sign.c      what each launch executes: kernel, size, instructions, basic blocks of a few of its CTAs
 *   plan.c      launches that are alike make a stratum; how many of it are simulated, and how much of each. A pure function
 *   run.c       replays the excerpts, each on a GPU of its own whose caches are warmed (gpu/excerpt.h)
 *   estimate.c  results are added up with their weights, all counters alike, and get an interval
 *
 * docs/sampling.md tells why, and how far it is off. Nothing here is random: same trace and configuration, same estimate, on any
 * number of threads. */
#ifndef GPU_SAMPLE_SAMPLE_H
#define GPU_SAMPLE_SAMPLE_H

#include "gpu/excerpt.h"

enum { SAMPLE_DIMS = 32, SAMPLE_EARLY = 16 };

/* Instructions by basic block, as shares of all; blocks share a dimension beyond SAMPLE_DIMS. One that goes to memory counts as
 * often as memory is asked for it: passes of shared memory, lines' worth of sectors, and more for sectors not used before. */
struct sample_blocks {
    float at[SAMPLE_DIMS];
};
/* 0: equal, 1: nothing in common */
double sample_distance(const struct sample_blocks *a, const struct sample_blocks *b);

/* What a launch executes. */
struct sample_launch {
    uint32_t kernel, threads, shared_b; /* of a CTA */
    uint32_t nwarps;
    uint64_t ctas, insts;
    uint64_t wave;    /* CTAs that the GPU holds at a time */
    bool whole_only;  /* CTAs of it are missing, or come in clusters: it is not to be thinned */
    bool no_jumps;    /* its warps wait for what others might have jumped over */
    bool no_cut;      /* ... or not have come to */
    double per_bar;   /* instructions of a warp for each barrier; 0: none, or warps of a CTA differ in them */
    uint64_t between; /* the same of the warp that has most; all, if it has none */
    bool shares;      /* CTAs use the same data: all of them together many times what there is */
    bool misses;      /* the host has given the program more data by then than half of L2 holds */
    bool apart; /* warps of a CTA have very different lengths, or barriers at different shares of them */
    /* CTA with a warp that is much longer than others, which the launch may wait for; UINT64_MAX: none */
    uint64_t longest;
    /* early: of each warp's stream, from a third of the first 1 / SAMPLE_EARLY of it on. */
    struct sample_blocks all, early;
};
/* False after reporting a stream that cannot be read. `to` has tr_nlaunches of them, whose `longest` is not looked for. */
bool sample_sign(struct tr_reader *t, const struct gpu_conf *c, struct sample_launch *to, struct diag *d);
bool sample_find_longest(struct tr_reader *t, uint32_t launch, struct sample_launch *to, struct diag *d);

/* Which SMs have the code of the launch's kernel from before, counted from the SM that its first CTA goes to. */
void sample_code(const struct sample_launch *l, uint32_t launch, uint32_t nsm, uint8_t *has);

/* ---- the plan ---- */

enum sample_how {
    SAMPLE_WHOLE,
    SAMPLE_WAVES,   /* so many waves of its CTAs, and what remains of the last one */
    SAMPLE_STREAMS, /* all CTAs, and a share of their streams, from the beginning */
    SAMPLE_JUMPS    /* all CTAs, whose warps jump over parts of their streams */
};

/* A launch to be simulated: whole, in some of its waves, with jumps, or cut at two sizes, from which its full size is
 * extrapolated. */
struct sample_pick {
    uint32_t launch;
    uint8_t how;           /* enum sample_how */
    uint32_t waves;        /* WAVES: how many, two at least */
    double share[2];       /* STREAMS: the smaller and the larger one */
    struct sm_jumps jumps; /* JUMPS */
};

struct sample_stratum {
    uint32_t leader;        /* launch that the others are like */
    uint32_t n;             /* members */
    uint64_t insts;         /* of all of them */
    bool differ;            /* by more than launches that are taken for identical */
    uint32_t first, npicks; /* of the plan's picks */
};

struct sample_plan {
    uint32_t *of; /* stratum of each launch */
    VEC(struct sample_stratum) strata;
    VEC(struct sample_pick) picks; /* stratum by stratum, in the order of their size */
    double share;                  /* of all instructions, as planned */
};

struct sample_budget {
    double share;   /* of all instructions */
    uint64_t least; /* instructions of a launch thinned to waves that are worth a measurement */
};
void sample_plan_make(const struct sample_launch *l, uint32_t n, const struct sample_budget *b,
                      struct sample_plan *out);
void sample_plan_free(struct sample_plan *p);
/* CTAs of a launch that is thinned to `waves` of its waves: as many from places all over the grid, the longest one, and what the
 * last wave lacks of a whole one. */
typedef VEC(struct gpu_ctas) sample_ranges;
void sample_waves(const struct sample_launch *l, uint32_t waves, sample_ranges *to);

/* ---- the estimate ---- */

/* What has been measured of a pick: one result, or those of the smaller and the larger size. */
struct sample_measured {
    struct gpu_result r[2];
    uint32_t n;
};
/* Instructions: of a launch with waves or jumps the result has those that they stand for. */
static inline uint64_t sample_insts(const struct gpu_result *r)
{
    return r->sample[SAM_insts] ? r->sample[SAM_insts] : r->sm[SS_warp_insts];
}
/* Fills in the result of the whole program. seconds and threads are left alone. */
void sample_estimate(const struct gpu_conf *c, const struct sample_launch *l, uint32_t n,
                     const struct sample_plan *p, const struct sample_measured *m, struct gpu_result *out);

/* As gpu_corun. Refuses, with the reason, what it cannot estimate. */
enum gpu_status sample_run(const struct gpu_conf *c, const struct gpu_tenant *tenants, uint32_t n,
                           const struct gpu_opts *o, struct gpu_result *out, struct diag *d);

#endif
