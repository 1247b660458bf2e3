/* SPDX-License-Identifier: Apache-2.0 */
/* Scavenger (thesis, chapter 5): two programs on every SM. The first keeps share.target of its speed alone, which is found out
 * as it runs; the second has what is left. Each SM decides by itself.
 *
 *   idle      no CTA of the first program is here, and none waits: the second has the SM
 *   fill      the second leaves, the first fills the SM
 *   profile   the first runs alone: what its speed is, and what its instructions are like (profile.c)
 *   run       both run. Controllers divide warps and requests (control.c) and CTAs (ctas.c) so that the first keeps its goal; a
 *             new phase of its instructions (phase.c) or the longest time ends the interval, and the next profile follows
 *   alone     the goal was out of reach: the second leaves for a while
 *
 * What is computed lies in functions without state of the SM, for hand counts. */
#ifndef SM_TENANT_SCAVENGER_SCAVENGER_H
#define SM_TENANT_SCAVENGER_SCAVENGER_H

#include "base/vec.h"
#include "sm/tenant/share.h"
#include "sm/tenant/tenant.h"

enum { FIRST, SECOND, BOTH };

/* Of the first program, up to some cycle. */
struct sc_count {
    uint64_t cyc;            /* where it is kept: that cycle */
    uint64_t insts, threads; /* warp and thread instructions */
    uint64_t accesses, lines;
};

/* Cycles here are those of the first program's own clock: it stands while the SM has nothing of it, and none of its CTAs waits.
 * GPGPU-Sim, which the thesis extends, gives such an SM no cycle either. */

/* ---- profile.c ---- */

enum { SC_SNAPS = 64 };

struct sc_profile {
    uint64_t from;              /* cycle */
    uint64_t since;             /* cycle since which training and validation agree; UINT64_MAX: they do not */
    VEC(struct sc_count) at;    /* at every tick from the first on */
    uint32_t snaps, snap_ticks; /* histograms that are kept, ticks from one to the next */
    uint32_t snap[SC_SNAPS][TENANT_PCS];
    /* Once it has ended: means, how far the halves were apart, instructions. */
    uint64_t cyc;
    double ipc, lanes, lines; /* thread instructions per cycle; ... */
    double lanes_apart, lines_apart;
    uint32_t pcs_apart, pcs[TENANT_PCS];
};

void sc_profile_begin(struct sc_profile *p, uint64_t t, const struct sc_count *n, const uint32_t *pcs);
/* The next tick. True: it has come to its end. */
bool sc_profile_tick(struct sc_profile *p, const struct share_cfg *c, uint64_t t, const struct sc_count *n,
                     const uint32_t *pcs);
/* Distance of two histograms, 0 to 65536: the one with less in it is shifted left until the totals are as near as they come, then
 * the differences are added up, over both totals. Equal shapes are up to 11,244 apart: totals in a ratio of the root of 2. */
uint32_t sc_distance(const uint32_t a[TENANT_PCS], const uint32_t b[TENANT_PCS]);

/* ---- phase.c ---- */

enum sc_cause {
    SC_LAUNCH,
    SC_LANES,
    SC_LINES,
    SC_PCS,
    SC_LENGTH,
    SC_RESTART,
    SC_GAVE_UP,
    SC_CAUSES,
    SC_NONE
};

struct sc_phase {
    VEC(struct sc_count) ring; /* share.window + 1 of them, at ticks */
    uint32_t n, next;
    uint64_t lanes_since, lines_since; /* cycle since which they are off; UINT64_MAX: they are not */
    uint64_t pcs_at;                   /* of the next comparison */
    uint32_t pcs[TENANT_PCS];          /* at the last one */
};

void sc_phase_begin(struct sc_phase *f, const struct share_cfg *c, uint64_t t, const struct sc_count *n,
                    const uint32_t *pcs);
/* The next tick. SC_NONE: it is the profile's phase. */
enum sc_cause sc_phase_tick(struct sc_phase *f, const struct share_cfg *c, const struct sc_profile *p,
                            uint64_t t, const struct sc_count *n, const uint32_t *pcs);

/* ---- control.c ---- */

/* What has come together at a step. */
struct sc_sums {
    uint64_t insts;           /* of the first: thread instructions, as GPGPU-Sim's IPC counts */
    uint64_t ready_cyc;       /* of the first */
    uint64_t request_cyc;     /* of both */
    uint64_t stalled_request; /* of both, in stalled cycles */
    uint64_t stalled_cyc;
};

struct sc_at {
    uint64_t cyc, insts; /* of the first */
};

struct sc_control {
    double warps, requests; /* x of both controllers */
    uint32_t active;        /* warps of the first that could be, over the last interval */
    /* Requests of both, when the load-store unit was stalled last; those that are divided until then */
    double most;
    uint64_t at; /* cycle of the last step */
    struct sc_sums before;
    VEC(struct sc_at) ring; /* the last steps */
    uint32_t n, next;
};

void sc_control_begin(struct sc_control *k, const struct share_cfg *c, uint64_t t, uint32_t first_warps,
                      const struct sc_sums *sums);
/* The first has nothing here: what comes together meanwhile belongs to no step. */
void sc_control_stand(struct sc_control *k, const struct sc_sums *sums);
/* A step of both, for these warps of both programs. */
void sc_control_step(struct sc_control *k, const struct share_cfg *c, double goal, uint64_t t,
                     const uint32_t warps[BOTH], const struct sc_sums *sums);
/* x after one step: e is the weighted error, in instructions per cycle. */
double sc_step(double x, double gain, double slack, double e, double lo, double hi);
void sc_limits(const struct sc_control *k, const struct share_cfg *c, const uint32_t warps[BOTH],
               struct tenant_limit *limits);

/* ---- ctas.c ---- */

struct sc_split {
    uint32_t n[BOTH]; /* CTAs */
};

/* Do so many CTAs of both fit into an SM? (The SM's partitions may have less room: those that find none do not come.) */
bool sc_fits(const struct sm_cfg *cfg, const struct sm_need need[BOTH], struct sc_split s);
/* `n` CTAs of one program, and of the other as many as fit beside them, then as many of the first as still do; at least one of
 * each, at most most[i]. n is {0, 0} where there is no such split. */
struct sc_split sc_split_with(const struct sm_cfg *cfg, const struct sm_need need[BOTH],
                              const uint32_t most[BOTH], uint32_t who, uint32_t n);
/* The next split, from the warps that did not issue in the last window. */
struct sc_split sc_move(const struct sm_cfg *cfg, const struct share_cfg *c, const struct sm_need need[BOTH],
                        const uint32_t most[BOTH], struct sc_split now, const uint32_t idle[BOTH]);

#endif
