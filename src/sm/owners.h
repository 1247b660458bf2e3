/* SPDX-License-Identifier: Apache-2.0 */
/* The state of an SM, by owner. A struct here belongs to the files named above it: they alone change its members; others read
 * them. struct sm (core.h) is these structs side by side, what is touched in every cycle first. */
#ifndef SM_OWNERS_H
#define SM_OWNERS_H

#include "sm/assign/assign.h"
#include "sm/l1/array.h"
#include "sm/l1/l1.h"
#include "sm/l1/passes.h"
#include "sm/lsu/lsu.h"
#include "sm/operands/operands.h"
#include "sm/part.h"
#include "sm/warps/cta.h"
#include "sm/watch/window.h"

#define NEVER UINT64_MAX

struct parked;
struct switcher;

/* The clock: which cycle it is, how far the SM may run, and which partitions tick next (run.c, wake.h). Masks of partitions have
 * a bit for each. */
struct sm_clock {
    uint64_t now;   /* the current cycle */
    uint64_t until; /* the SM does not run beyond this cycle for now */
    uint64_t must;  /* the SM must reach this cycle; later ones up to `until` it may (sm_run_on) */
    uint64_t known; /* sm_run_on: nothing comes from outside of the SM before this cycle */
    uint64_t next;  /* the next cycle in which the SM has something to do, after it has run (sm_ran) */
    /* Partitions that tick in the next cycle; until the ticks of a cycle begin, in that cycle */
    uint32_t awake;
    uint32_t turns; /* partitions whose tick of this cycle is still to come */
    uint32_t again; /* partitions that tick in this cycle and will tick in the next one, too */
    /* The partition that ticks; as many as there are: all have; -1: events of the cycle are taken, no partition ticks */
    int32_t ticking;
    uint64_t wake;   /* no partition that sleeps has anything to do before this cycle */
    uint64_t *wakes; /* by partition that sleeps: cycle of its next tick; NEVER: only an event will wake it */
    uint32_t first;  /* the partition that has the first turn of this cycle */
    bool ahead;      /* before cycle `until` nobody but the load-store unit and replies see L1 */
};

/* The operand path: what all partitions share of it (sm.c, collect.c, window.c). */
struct sm_operands {
    const struct operands_ops *ops;
    void *shared;          /* the policy's state that all partitions have in common (operands_ops.shared_b) */
    const uint32_t *units; /* by execution unit: how many of it a partition has */
    /* ... and how many each isolated scheduler has to itself; 0: they share all */
    uint8_t own_units[UNIT_COUNT];
    uint64_t across_free; /* the next shuffle's turn (sm.shfl_cyc) */
    /* Schedulers ask about the warp that issued last first: they stay with it (wsched_ops.sticks), whether it can issue is no
     * matter of the others, and to ask about all of them costs more. */
    bool last_first;
    uint32_t reads_now;        /* registers that were read in this cycle */
    uint32_t reads_most;       /* the last index of reads_per_cycle, which counts that many reads and more */
    uint64_t *reads_per_cycle; /* cycles by registers read in them; entry 0 is what the others leave */
    struct reg_window window;
};

/* Replies that have not come through the port yet, in the order of their times (replies.h). */
struct replies {
    uint64_t next;         /* cycle in which the port takes the first reply; NEVER: there is none */
    struct mem_reply *at;  /* one behind the last is at NEVER */
    uint32_t head, n, cap; /* index of the first reply; how many there are; places */
};

/* The memory port: requests to the interconnect, replies from it (replies.c, l1.c). */
struct sm_port {
    struct replies replies;
    uint64_t free;         /* cycle in which the port can take another reply */
    mem_replies in;        /* replies that have come since sm_run was called last */
    uint8_t reply_cyc[16]; /* by sectors: cycles that a reply takes in the port; [0]: a reply without data */
    uint8_t copy_cyc[16];  /* ... one to a bulk copy */
    mem_reqs out;
    uint64_t out_free;    /* cycle in which the port can send another request */
    uint32_t out_seen;    /* sm_run_on: requests of `out` whose answers are taken into account */
    uint32_t answer_cyc;  /* sm_run_on: least cycles from a request to its answer */
    uint8_t plain_misses; /* sectors whose replies may be plain (replies.h): all or none */
};

/* The L1 data cache and its clients (l1.c, l1_run.c, l1_reply.c, mshr.c). */
struct sm_l1 {
    uint64_t due; /* no client has work before this cycle; 0: the clients have to be asked */
    struct cache cache;
    struct mshrs mshrs;
    struct array *array; /* where the data is: one of arrays, perhaps that of shared memory as well */
    struct array arrays[2];
    VEC(struct l1_client) clients; /* in the order of their turns */
    VEC(uint8_t) client_at;        /* by a client's number: its place in `clients` */
    bool lsu_alone;                /* the load-store unit is the only client, and can tell when it has work */
    bool refused;      /* L1 has refused a client something since the clients were last told of a reply */
    bool lacks_port;   /* ... and last it was for the port alone, which was full */
    bool mixed;        /* others than clients touch L1, or a client may be added in the midst of a window */
    bool stale;        /* L1 is to be emptied before anything happens: by the thread that runs the SM */
    uint64_t expected; /* the line that L1 will be asked for next (l1_expect) */
    struct cache_at expected_at;
};

/* The load-store unit, and what accesses hold on their way through it (lsu/, lines.c, far.c, async/). */
struct sm_lsu {
    const struct lsu_ops *ops;
    void *st;                   /* the policy's state */
    uint32_t last;              /* the partition whose instruction the unit took last */
    struct array *shared_array; /* where shared memory is: one of sm_l1.arrays */
    /* Of the lanes of an access only the lines are asked for, or the cycles that shared memory needs. */
    bool plain_lines;
    uint64_t (*blocks)[MAX_LINES]; /* pool of long line lists */
    uint32_t nblocks;
    uint16_t free_block;
    struct passes_cache passes;
    uint64_t served;     /* cycle in which a load was last handed what it had waited for */
    uint64_t const_free; /* cycle from which the constant cache gives out words of another load */
};

/* CTAs that have a place here or had one and will come back, and how new warps are placed (cta.c, park.c, switch.c). */
struct sm_ctas {
    struct sm_cta *at; /* by CTA slot */
    uint32_t n;        /* CTAs that have a place */
    uint32_t started;  /* CTAs that have ever had one */
    uint32_t leaving;  /* CTAs that are about to be parked */
    const struct assign_ops *assign_ops;
    void *assign;           /* the policy's state */
    uint64_t assigned;      /* the policy's count of warps (assign_ops.pick) */
    uint64_t warps_started; /* warps that have ever started: the next one's age */
    uint64_t bar_free;      /* cycle in which the next warp may arrive at a barrier */
    uint32_t tenant;        /* the tenant of the last CTA */
    uint64_t launch;        /* the launch of the last CTA, as cta_launch has it; 0: there was no CTA */
    sm_done_list done;
    bool unheard; /* CTAs in `done` ended beyond the window: their places are taken until the list is empty */
    VEC(struct parked *) parked; /* parked CTAs, in the order in which they left */
    uint32_t parked_warps;       /* warps of parked CTAs and of those that are about to be parked */
    struct switcher *switcher;   /* NULL: moving CTAs costs nothing, or none was moved yet */
    uint32_t contexts;           /* places in memory that were given to parked CTAs */
    uint32_t locals; /* regions of local memory that were given out beyond those of the warp slots */
};

/* Warps that jump over parts of their streams (jump.c). */
struct sm_jumped {
    sm_touches touched; /* lines that are to be in L2 */
    uint64_t executed;  /* instructions that were executed */
    double stands_for;  /* instructions that the executed ones stand for */
};

/* Those who look on: --check, observers, profiles (check.c, step.c, tally.c, blame.c). */
struct sm_trust {
    bool check;                      /* --check */
    bool places;                     /* somebody wants to know whose instruction a cycle is charged to */
    const struct sm_observer *watch; /* NULL: nobody */
    const struct sm_observer *steps; /* the same observer if it follows single instructions; else NULL */
    struct tally *tally;             /* sums for the observer by instruction; NULL: it does not ask */
};

#endif
