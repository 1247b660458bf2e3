/* SPDX-License-Identifier: Apache-2.0 */
/* The launches of a tenant: which of them may start, which CTA comes next, when one has begun and ended. What happens to them is
 * noted in a ledger that all tenants have together. The GPU asks and tells between windows; nothing here knows of SMs. */
#ifndef GPU_LAUNCH_H
#define GPU_LAUNCH_H

#include "gpu/excerpt.h"
#include "gpu/spans.h"

enum launch_state { LAUNCH_WAITS, LAUNCH_RUNS, LAUNCH_DONE };

struct launch {
    bool flush; /* L2 is emptied before its first CTA */
    bool first; /* nothing else ran when it came, and none of its CTAs has started */
    uint8_t state;
    const struct tr_launch_info *info;
    const struct sm_kernel *kernel;
    struct sm_need need;
    uint32_t cluster; /* CTAs that start together; more than 1: what follows are clusters */
    uint64_t units;   /* how many */
    uint64_t next;    /* CTA to start */
    uint64_t left;    /* CTAs not finished */
    uint64_t ready;   /* cycle its first CTA may start */
    uint32_t result;  /* index */
};

/* What a CTA needs of an SM. */
struct sm_need launch_need(const struct sm_cfg *c, uint32_t threads, uint32_t regs, uint32_t shared_b,
                           uint64_t ctas);

struct launches {
    uint32_t tenant;
    struct tr_reader *trace;
    const struct gpu_excerpt *only; /* NULL: all launches */
    struct sm_kernel **kernels;
    struct launch *at;
    uint32_t n;
    uint32_t first; /* that is not done */
    /* None from here on has begun to run: programs may have launches by the hundred thousand */
    uint32_t upto;
    uint64_t scanned;    /* the ledger's `ended` when it was last seen who may start */
    uint32_t priorities; /* bits: those that its launches have */
    uint32_t next_copy;  /* of the trace, to be in L2 */
    bool repeats;
    uint32_t skipped; /* launches that are not timed: of an excerpt, or outside of the region */
    bool region;      /* gpu.region */
    uint32_t passes;  /* gpu.passes */
    uint32_t pass;    /* times that it came to its end */
};

struct ledger {
    struct gpu_result *out;
    const struct gpu_observer *watch; /* NULL: nobody */
    uint32_t running;                 /* launches of all tenants */
    uint32_t left;                    /* launches that have not ended, of tenants that do not repeat */
    uint64_t ended;                   /* launches of all tenants; from 1, so that nobody has seen any */
    struct spans spans;
};

/* The tenant's kernels get the numbers from *id on. False after reporting a launch that fits no SM. Freed in any case. */
bool launches_init(struct launches *q, struct ledger *b, uint32_t tenant, const struct gpu_tenant *of,
                   uint32_t *id, const struct gpu_conf *c, const struct share_ops *share,
                   const struct sm_timing *t, struct diag *d);
void launches_free(struct launches *q);
/* Of an excerpt: L2 is as what lies before it would leave it. False after reporting. */
bool launches_warm(struct launches *q, const struct gpu_conf *c, struct memsys *mem, struct diag *d);
uint64_t launches_insts(const struct launches *q); /* warp instructions of all of them */

/* The launches whose turn has come by cycle `now` begin to run. */
void launches_start(struct launches *q, struct ledger *b, const struct gpu_cfg *c, struct memsys *mem,
                    uint64_t now);
/* Has a launch that runs another CTA, or cluster, to start? It is number `next`. */
bool launch_has_cta(struct launches *q, uint32_t launch);
/* Takes CTA number `next`, or the one of this rank of that cluster, for an SM where it starts in cycle `at`; returns its number
 * in the grid. Ranks are taken in order. */
uint32_t launch_take_cta(struct launches *q, uint32_t launch, uint32_t rank, struct ledger *b, uint64_t at);
/* A CTA has ended, in cycle `at`. */
void launch_cta_ended(struct launches *q, uint32_t launch, struct ledger *b, uint64_t at);

/* The cycle of the next turn of a launch or of its first CTA, after a window [now, until); UINT64_MAX: none is known. */
uint64_t launches_next(const struct launches *q, const struct ledger *b, uint64_t now, uint64_t until);
/* Has any launch that runs a CTA that was not started yet? */
bool launches_wait(const struct launches *q);
/* The run is over in cycle `until`: what runs ends there. */
void launches_cut(struct launches *q, struct ledger *b, uint64_t until);
/* Those that run, for a policy of gpu/share. */
struct share_tenant;
void launches_view(struct launches *q, struct share_tenant *to);

#endif
