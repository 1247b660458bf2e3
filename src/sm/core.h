/* Inside an SM: the structures that its stages share. Stages are walked back to front each cycle (sm.c): events and
 * write-back, dispatch, operand collection, issue, fetch; then the load-store unit.
 *
 * Hand count of an instruction without conflicts, issued in cycle t: it has a collector and its reads are queued at t, the
 * banks are read at t+1, it leaves for its unit at t+2, and its result is written, and a user may issue, at t + latency of
 * its class. */
#ifndef SM_CORE_H
#define SM_CORE_H

#include "annotate/regset.h"
#include "sm/array.h"
#include "sm/assign/assign.h"
#include "sm/blame.h"
#include "sm/board.h"
#include "sm/cta.h"
#include "sm/far_inside.h"
#include "sm/features.h"
#include "sm/ibuf.h"
#include "sm/icache.h"
#include "sm/l1.h"
#include "sm/lines.h"
#include "sm/lsu/lsu.h"
#include "sm/onchip/onchip.h"
#include "sm/onchip/rows.h"
#include "sm/operands/operands.h"
#include "sm/part.h"
#include "sm/passes.h"
#include "sm/score.h"
#include "sm/step.h"
#include "sm/tenant/tenant.h"
#include "sm/wheel.h"
#include "sm/window.h"
#include "sm/wsched/wsched.h"

#define NEVER UINT64_MAX

struct parked;
struct switcher;
struct async;

struct sm {
    /* What each window touches, side by side in the host's cache. */
    const struct sm_cfg *cfg;
    uint64_t now, until; /* until: it does not run beyond this cycle for now */
    uint64_t must;       /* ... which it must reach; later ones it may (sm_run_on) */
    uint64_t known;      /* of sm_run_on: before this cycle nothing comes from outside */
    uint64_t l1_due;     /* no client of L1 has work before this cycle; 0: they have to be asked */
    uint64_t next;       /* sm_ran */
    /* Partitions, by bit. */
    uint32_t awake;  /* have something to look at in the next cycle; before the ticks of one, in this */
    uint32_t turns;  /* ... during these: yet in this cycle, by turn */
    uint32_t again;  /* of those with a tick in this cycle: have another one in the next */
    uint64_t wake;   /* nobody but those who are awake has anything to look at before this cycle */
    uint64_t *wakes; /* by partition: cycle of its next tick, unless it is awake; NEVER: an event sets it */
    struct part *parts;
    /* Registers read in this cycle; the last entry of the histogram, which counts that many and more. */
    uint32_t reads_now, reads_most;
    uint64_t *reads_per_cycle; /* entry 0 is what the others leave */
    struct replies {           /* has not come through the port yet, in the order of its times (replies.h) */
        uint64_t next;         /* cycle in which the port takes the first; NEVER: there is none */
        struct mem_reply *at;
        uint32_t head, n, cap; /* the first; how many; places. One behind the last is at NEVER */
    } replies;
    uint64_t port_free;    /* the port from the interconnect */
    mem_replies in;        /* has come since sm_run was called last */
    uint8_t reply_cyc[16]; /* by sectors: cycles that a reply takes it; [0]: one without data */
    mem_reqs out;
    uint64_t out_free; /* cycle the port into the interconnect is free */
    struct mshrs mshrs;
    struct cache l1;
    /* Where shared memory and the data of L1 are: in an array each, unless both pointers are to the same one. */
    struct array arrays[2];
    struct array *shared_array, *l1_array;
    const struct lsu_ops *lsu_ops;
    void *lsu;                 /* policy state */
    features features;         /* that it has */
    void (*run)(struct sm *s); /* the stages, instantiated for these */
    int32_t ticking;           /* how many have had their turn, less one; -1: none, in the phase of events */
    uint32_t nclients;
    uint32_t lsu_last; /* partition whose instruction the load-store unit took last */
    uint32_t leaving;  /* CTAs that are about to be parked */
    bool ahead;        /* before cycle `until` nobody but the load-store unit and replies see L1 */
    bool lsu_alone;    /* nobody but the load-store unit asks L1, and that one can tell when */
    bool refused;      /* L1 has refused a client something since it has told of a reply */
    bool mixed; /* others than L1's clients touch it, or such clients may come in the midst of a window */
    uint8_t plain_misses; /* sectors whose replies may be plain (replies.h): all or none */
    uint32_t wheel_words; /* words of wheel_bits that are not 0 */
    VEC(struct event) events;
    uint32_t free_event;
    /* Of sm_run_on: requests that were looked at; cycles until one is answered */
    uint32_t out_seen, answer_cyc;
    struct due due;                       /* results and ends of branches that come soon */
    struct l1_client clients[L1_CLIENTS]; /* in the order of their turns */
    /* The rest. */
    struct arena arena;    /* what has its size from the configuration, here and in the partitions */
    const uint32_t *units; /* by unit: how many a partition has */
    const struct operands_ops *ops;
    const struct wsched_ops *sched;
    const struct assign_ops *asg;
    uint8_t client_at[L1_CLIENTS]; /* by number */
    uint32_t id;
    uint32_t fetch_below; /* a warp with fewer instructions in its buffer fetches */
    uint32_t fetch_full;  /* ... and has so many then, in the same cycle if it hits; 0: it takes longer */
    bool check;
    /* Which lines an access touches, or how long it takes in shared memory, is all that is asked of its lanes */
    bool plain_lines;
    const struct sm_observer *watch; /* NULL: nobody */
    /* The same, if it wants to be told of the way of instructions; else NULL */
    const struct sm_observer *steps;
    struct tally *tally; /* what it is told by instruction; NULL: it does not ask */
    bool places;         /* somebody wants to know whose instruction a cycle is charged to */
    uint32_t first;      /* partition that comes first in this cycle */
    struct sm_cta *ctas;
    uint32_t nctas;
    uint32_t started; /* CTAs, ever */
    struct far far;
    struct fences fences;
    VEC(struct parked *) parked; /* CTAs, in the order in which they left */
    uint32_t parked_warps;       /* of these, and of those that are about to */
    struct switcher *switcher;   /* NULL: moving them costs nothing, or none was moved yet */
    struct async *async;         /* NULL: nobody has used these units yet */
    uint32_t contexts;           /* places in memory that were given to them */
    uint32_t locals;             /* regions of local memory that were given out beyond those of the slots */
    struct onchip onchip;        /* what is free */
    struct rows rows;            /* what accesses touch of it, where that is followed */
    void *shared;                /* state that the operands' policy has once for all partitions */
    uint64_t warps_started;      /* ever: their age */
    uint64_t assigned;           /* the assignment's counter */
    void *assign;
    struct tenants tenants;

    uint64_t wheel_bits[WHEEL / 64]; /* cycles that have events */

    struct code code;
    bool l1_stale;     /* L1 is to be emptied before anything happens: by the thread that runs the SM */
    uint64_t expected; /* line that L1 will be asked for next, and its place */
    struct cache_at expected_at;
    uint64_t bar_free;             /* cycle in which the next warp may arrive at a barrier */
    uint64_t const_free;           /* cycle from which the constant cache gives out words of another load */
    uint32_t tenant;               /* of the last CTA */
    uint64_t launch;               /* ... as cta_launch has it; 0: there was none */
    uint64_t (*blocks)[MAX_LINES]; /* pool of long line lists */
    uint32_t nblocks;
    uint16_t free_block;
    struct passes_cache passes;

    uint64_t served; /* cycle in which a load was handed what it had waited for last */
    sm_done_list done;
    bool unheard; /* ... of cycles beyond the window: their places are taken until the list is empty */
    /* Where warps jump (jump.h): what is to be in L2, instructions executed, and how many these stand for. */
    sm_touches touched;
    uint64_t executed;
    double stands_for;
    char error[256];
    uint64_t stats[SM_STATS];
    struct reg_window window;
    /* From here on what nobody reads before it is written: sm_new does not clear it. */
    uint32_t wheel[WHEEL], wheel_last[WHEEL]; /* first and last event of a cycle that has some */
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

/* Sets the scheduler's bit of p->pending_ready, after its cause. For schedulers with an active set. */
void issue_note_pending(struct part *p, uint32_t scheduler);

/* flight.c */
void flight_result(struct part *p, uint32_t flight);
uint32_t flight_new(struct part *p);

void async_done(struct part *p, uint32_t warp, uint32_t group); /* issue.c */

/* run.c: cycles before this one, after the current one, have nothing for anybody but the load-store unit and replies: it may take
 * them at once, setting s->now, and the replies with them (replies_take_early). The current one is the last of them if that
 * cannot be said. */
uint64_t sm_quiet(const struct sm *s);

#include "sm/wake.h"

/* May the warp fetch, as far as its buffer goes? */
static inline bool fetch_room(const struct sm *s, const struct sm_warp *w)
{
    return !w->ended && w->n < s->fetch_below;
}

static inline const uint64_t *lines_at(const struct sm *s, const struct lines *l)
{
    return l->block == NONE16 ? l->at : s->blocks[l->block];
}

/* A policy of the load-store unit has taken an instruction from its queue in cycle t. */
static inline void lsu_freed(struct sm *s, uint64_t t)
{
    for (uint32_t i = 0; i < s->cfg->partitions; i++) {
        struct part *p = &s->parts[i];
        if (!p->collect.refused)
            continue;
        p->collect.refused = 0;
        part_wake(p, t + 1);
    }
}

#endif
