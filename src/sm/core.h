/* SPDX-License-Identifier: Apache-2.0 */
/* Inside an SM: the structures that its stages share. Stages are walked back to front each cycle (sm.c): events and
 * write-back, dispatch, operand collection, issue, fetch; then the load-store unit.
 *
 * Hand count of an instruction without conflicts, issued in cycle t: it has a collector and its reads are queued at t, the
 * banks are read at t+1, it leaves for its unit at t+2, and its result is written, and a user may issue, at t + latency of
 * its class. */
#ifndef SM_CORE_H
#define SM_CORE_H

#include "annotate/regset.h"
#include "sm/cluster/far_inside.h"
#include "sm/code/ibuf.h"
#include "sm/code/icache.h"
#include "sm/features.h"
#include "sm/l1/lines.h"
#include "sm/onchip/onchip.h"
#include "sm/onchip/rows.h"
#include "sm/owners.h"
#include "sm/registers/score.h"
#include "sm/tenant/tenant.h"
#include "sm/warps/board.h"
#include "sm/watch/blame.h"
#include "sm/watch/step.h"
#include "sm/wheel.h"
#include "sm/wsched/wsched.h"

struct async;

struct sm {
    const struct sm_cfg *cfg;
    struct sm_clock clock;
    struct part *parts; /* partitions */
    features features;  /* that the SM has */
    const struct stages *stages;
    struct sm_port port;
    struct sm_l1 l1;
    struct sm_lsu lsu;
    struct sm_operands operands;
    struct sm_trust trust;
    struct sm_ctas ctas;
    const struct wsched_ops *sched;
    struct code code;
    struct onchip onchip; /* what of the SM's memory is free */
    struct rows rows;     /* what accesses touch of the SM's memory, where that is followed */
    struct far far;
    struct fences fences; /* fences of wide scope that warps wait for */
    struct async *async;  /* NULL: nobody has used the asynchronous units yet */
    struct tenants tenants;
    struct sm_jumped jumped;
    struct arena arena; /* what has its size from the configuration, here and in the partitions */
    uint32_t id;
    char error[256];
    uint64_t stats[SM_STATS];
    struct calendar calendar; /* the last member: sm_new leaves its end as it finds it */
};

const char *unit_name(uint32_t i); /* enum ir_unit; NULL after the last */

/* run.c: the SM's features, and the stages for these. After whatever may change them; it has no CTA. */
void run_choose(struct sm *s);
/* Charges the cycles before `until` in which the partition slept. */
void part_charge(struct part *p, uint64_t until);

/* issue.c */
/* The warp issues nothing for some cycles from t on. */
void sm_warp_hold(struct part *p, uint32_t i, enum block why, uint32_t cyc, uint64_t t);

/* Does it take a collector and go to a unit? Where all do (sm.all_collect), even what a guard has switched off writes a register,
 * of no lane. */
static inline bool inext_flies(const struct part *p, const struct inext *e)
{
    return p->sm->cfg->all_collect || (e->mask && e->k->collects);
}

/* flight.c */
void flight_result(struct part *p, uint32_t flight);
uint32_t flight_new(struct part *p);

void async_done(struct part *p, uint32_t warp, uint32_t group); /* issue.c */

/* run.c: cycles before this one, after the current one, have nothing for anybody but the load-store unit and replies: it may take
 * them at once, setting s->clock.now, and the replies with them (replies_take_early). The current one is the last of them if that
 * cannot be said. */
uint64_t sm_quiet(const struct sm *s);

#include "sm/wake.h"

/* May the warp fetch, as far as its buffer goes? */
static inline bool fetch_room(const struct sm *s, const struct sm_warp *w)
{
    return !w->ended && w->n < s->code.fetch_below;
}

static inline const uint64_t *lines_at(const struct sm *s, const struct lines *l)
{
    return l->block == NONE16 ? l->at : s->lsu.blocks[l->block];
}

/* A policy of the load-store unit has taken an instruction from its queue in cycle t. */
static inline void lsu_freed(struct sm *s, uint64_t t)
{
    for (uint32_t i = 0; i < s->cfg->partitions; i++) {
        struct part *p = &s->parts[i];
        if (!p->collect.refused && !p->collect.held_up)
            continue;
        p->collect.refused = 0;
        p->collect.held_up = 0;
        part_wake(p, t + 1);
    }
}

#endif
