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
#include "sm/features.h"
#include "sm/l1.h"
#include "sm/lsu/lsu.h"
#include "sm/onchip/onchip.h"
#include "sm/onchip/rows.h"
#include "sm/operands/operands.h"
#include "sm/part.h"
#include "sm/passes.h"
#include "sm/score.h"
#include "sm/step.h"
#include "sm/tenant/tenant.h"
#include "sm/wsched/wsched.h"

enum {
    WHEEL = 2048, /* cycles an event may lie ahead: a constant miss of 1000, then an instruction of 1000 */
};
#define NEVER UINT64_MAX
enum { DUE = 64 }; /* struct due: cycles that lie ahead */

struct parked;
struct switcher;
struct async;

/* window.c */
struct reg_window {
    uint32_t cyc, n; /* cycles; warp slots */
    bool busy;
    uint64_t index;
    regset *touched; /* by slot of the SM; NULL: nobody asks */
};

enum event_kind {
    EV_RESULT,
    EV_COPIED,
    EV_UNHOLD,
    EV_FETCHED,
    EV_GUARD,
    EV_BARRIER,
    EV_START,
    EV_DECIDE,
    EV_ASYNC,
    EV_FAR
};
/* Messages of a cluster's SMs (far.c). */
struct far_held {
    struct far_msg m;
    uint32_t next; /* free list */
};
struct far {
    far_msgs out;
    VEC(struct far_held) in; /* for cycles to come */
    uint32_t free;
    uint64_t port;      /* cycle in which the next message may leave */
    uint64_t copy_port; /* ... line of a bulk copy to another CTA */
};

struct event {
    uint32_t next;
    uint8_t kind, part;
    uint32_t arg;
};

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
    uint32_t out_seen,
        answer_cyc; /* of sm_run_on: requests that were looked at; cycles until one is answered */
    struct due {    /* results and ends of branches, by cycle: lists of flights (put_due, lsu_pack) */
        uint64_t bits;
        uint32_t first[DUE], last[DUE];
    } due;
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
    bool
        plain_lines; /* which lines an access touches, or how long it takes in shared memory, is all that is asked of its lanes */
    const struct sm_observer *watch; /* NULL: nobody */
    const struct sm_observer
        *steps;          /* the same, if it wants to be told of the way of instructions; else NULL */
    struct tally *tally; /* what it is told by instruction; NULL: it does not ask */
    bool places;         /* somebody wants to know whose instruction a cycle is charged to */
    uint32_t first;      /* partition that comes first in this cycle */
    struct sm_cta *ctas;
    uint32_t nctas;
    uint32_t started; /* CTAs, ever */
    struct far far;
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

    struct cache l1i, konst;
    uint64_t konst_last; /* line of constants that was asked for last */
    bool l1_stale;       /* L1 is to be emptied before anything happens: by the thread that runs the SM */
    uint64_t expected;   /* line that L1 will be asked for next, and its place */
    struct cache_at expected_at;
    uint64_t code_line, code_at;   /* line of code that missed L1 last, and the cycle it comes */
    uint32_t code_launch;          /* 1 + launch whose code was brought */
    uint64_t code_begins;          /* cycle from which its first instruction is there */
    uint64_t bar_free;             /* cycle in which the next warp may arrive at a barrier */
    uint64_t const_free;           /* cycle from which the constant cache gives out words of another load */
    uint32_t tenant, launch;       /* of the last CTA; 1 + launch */
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

/* warp.c: re-evaluates whether a warp can issue, after anything that may have changed it. */
void sm_warp_refresh(struct part *p, uint32_t w);
/* What a warp that is blocked by BLOCK_ALU is charged to (enum sm_stat). */
uint8_t sm_warp_blame(const struct part *p, uint32_t w);
void sm_warp_guards(struct part *p, uint32_t i, uint64_t t); /* EV_GUARD */
/* Has an instruction of the warp in the collectors yet to read one of these registers? `words`: those of regs that are not 0. */
bool sm_warp_reads(const struct part *p, uint32_t w, const uint64_t *regs, unsigned words);
bool sm_warp_uses(const struct part *p, uint32_t w,
                  uint32_t reg); /* ... or this one, or is it to be written? */
/* Are registers among these bits of the warp's scoreboard? */
bool sm_warp_has_regs(const struct part *p, uint32_t w, const uint64_t *bits);
/* Where lsu_ops.holds: an access to lines issues, and all of its lines have reached L1. */
void lsu_issued(struct part *p, uint32_t flight);
void lsu_reached(struct part *p, uint32_t flight, uint64_t t);

/* run.c: the SM's features, and the stages for these. After whatever may change them; it has no CTA. */
void run_choose(struct sm *s);
/* Charges the cycles before `until` in which the partition slept. */
void part_charge(struct part *p, uint64_t until);

/* window.c: callers ask s->window.touched first, but for the first. */
void window_init(struct sm *s);
void window_begin(struct sm *s); /* it has a CTA */
void window_end(struct sm *s);   /* it has none */
void window_touch(struct part *p, uint32_t warp, const struct kinsn *k);

/* fetch.c */
void fetch_arrived(struct part *p, uint32_t w);
void fetch_failed(struct sm *s, const struct tr_cta *stream); /* it is damaged: the SM's error */
/* The first CTA of a launch comes to the SM: the beginning of its code is in the L1 instruction cache (sm.code_kb). */
void fetch_launch(struct sm *s, const struct sm_kernel *k, uint32_t launch);

/* What is known of the lanes' data when an instruction issues: for each that has some and is not switched off by its guard. The
 * rest of e, of which k, at and mask are there; nothing, if it neither goes to memory nor asks. */
ASIDE void fetch_data(struct part *p, uint32_t w, struct ientry *e);
/* Does the warp's next instruction go to lines of memory? It is not taken. */
ASIDE bool fetch_sees_lines(const struct part *p, uint32_t w);

/* The instruction's line of code is in the caches as if the warp had fetched it. */
void fetch_touch(struct part *p, struct sm_warp *w, const struct kinsn *k);

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

/* blame.c. Callers ask s->places first, for events s->watch. */
ASIDE void blame_warp(struct part *p, uint32_t scheduler, uint32_t w); /* the next instruction of a warp */
/* Of a cycle that issued nothing; `done` are warps that have issued in it for another scheduler. */
ASIDE void blame_wait(struct part *p, uint32_t scheduler, enum sm_stat cause, uint64_t done);
ASIDE void blame_tell(const struct part *p, uint32_t scheduler, enum sm_stat cause, uint64_t cycles);
/* A cycle of a scheduler that issued nothing: of whoever p->blamed says wanted to; else of whom a wait is charged to. */
ASIDE void blame_cycle(struct part *p, uint32_t scheduler, enum sm_stat cause, uint64_t t);
/* Of a tenant, where these are counted apart: an instruction has issued. */
ASIDE void blame_tenant(const struct part *p, uint32_t warp, uint32_t lanes);
/* Of an instruction in flight, or of the next one of a warp: n of its reads waited for their banks, so many cycles together. */
ASIDE void blame_reads(const struct part *p, uint32_t flight, uint32_t n, uint64_t waited);
ASIDE void blame_warp_reads(const struct part *p, uint32_t w, uint32_t n, uint64_t waited);
ASIDE void blame_shared(const struct part *p, uint32_t flight,
                        uint64_t n); /* extra cycles in shared memory */

/* flight.c */
void flight_result(struct part *p, uint32_t flight);
uint32_t flight_new(struct part *p);

void async_done(struct part *p, uint32_t warp, uint32_t group); /* issue.c */

/* lines.c: what the lanes of a step touch. */
void lines_of_step(struct sm *s, const struct part *p, uint32_t w, const struct tr_step *step,
                   struct ientry *e);
/* Of these only lines of memory: global, local. */
void lines_of_memory(struct sm *s, const struct part *p, uint32_t w, const struct tr_step *step,
                     const struct kinsn *k, struct lines *l);
void lines_free(struct sm *s, struct lines *l);
uint64_t *lines_take_block(struct sm *s, struct lines *l); /* for MAX_LINES words; lines_free gives it back */
/* Local memory: the region of a new warp, that of its slot unless a CTA that has left the slot keeps it; that CTA leaves; it
 * ends. */
uint64_t local_take(struct sm *s, struct part *p, uint32_t slot);
void local_keep(struct sm *s, uint64_t region);
void local_release(struct sm *s, uint64_t region);
/* mapping.c: marks the lines with how the lanes' words lie in them (enum line_map). */
void lines_map(struct sm *s, struct lines *l, const uint64_t *addr, uint32_t mask, uint32_t width);
/* All were looked up: the list is not needed any more, only how many they were. Instructions may wait for memory in any
 * number, those whose lists are held are few. */
void lines_walked(struct sm *s, struct lines *l);
uint64_t local_word(const struct part *p, uint32_t w, uint64_t addr, uint32_t lane);
static inline const uint64_t *lines_at(const struct sm *s, const struct lines *l)
{
    return l->block == NONE16 ? l->at : s->blocks[l->block];
}

/* far.c. A step whose lanes name CTAs of the cluster, or barrier objects that their stores count at: what each of these gets is
 * noted. False: it is neither. Only for CTAs that have a cluster, and for instructions that announce. */
bool far_of_step(struct sm *s, const struct part *p, uint32_t w, const struct tr_step *step,
                 struct ientry *e);
uint64_t far_step(struct sm *s, uint32_t who, uint64_t t); /* as lsu_aside */
/* The CTA that a shared address names: its rank. That of c itself, where it has no cluster. */
uint32_t far_rank(const struct sm_cta *c, uint64_t addr);
static inline uint32_t far_own(const struct sm_cta *c) { return c->cluster ? c->cluster->rank : 0; }
/* A message to a CTA of c's cluster, or to any, that is there in cycle m->at; the network's latency is the caller's to add. */
void far_send(struct sm *s, const struct sm_cta *c, uint32_t rank, const struct far_msg *m);
void far_send_to(struct sm *s, const struct far_cta *to, const struct far_msg *m);
void far_event(struct sm *s, uint32_t arg, uint64_t t); /* EV_FAR */
enum { FAR_OFFSET = 0xffffff, FAR_RANK_SHIFT = 24 };    /* of a shared address */

/* cta.c */
/* FAR_ARRIVED, FAR_GONE, FAR_ALONE; there: so is still the CTA that it is for. */
void sm_cta_far_arrived(struct sm *s, const struct far_msg *m, bool there);
void sm_cta_arrive(struct part *p, uint32_t w, struct ientry *e, uint64_t t);
void sm_cta_exit(struct part *p, uint32_t w, uint32_t mask, uint64_t t); /* lanes */
void sm_cta_release(struct sm *s, uint32_t slot, uint32_t bar);
void sm_cta_begin(struct sm *s, uint32_t slot); /* its warps appear */
/* The CTA of a slot, of which nothing but its need and names are looked at, gets places for its warps. There is room. */
void sm_cta_take(struct sm *s, uint32_t slot);
void sm_cta_warp_ended(struct part *p, uint32_t w, uint64_t t);

/* run.c: cycles before this one, after the current one, have nothing for anybody but the load-store unit and replies: it may take
 * them at once, setting s->now, and the replies with them (replies_take_early). The current one is the last of them if that
 * cannot be said. */
uint64_t sm_quiet(const struct sm *s);

/* event.c */
void event_at(struct sm *s, uint64_t t, enum event_kind kind, uint32_t part, uint32_t arg);
uint64_t event_next(const struct sm *s);
ASIDE void event_one(struct sm *s, const struct event *e, uint64_t t); /* it has come */

/* Which turn of a cycle the partition has. */
static inline uint32_t part_turn(const struct part *p)
{
    uint32_t first = p->sm->first;
    return p->id >= first ? p->id - first : p->id + p->sm->cfg->partitions - first;
}

/* The partition has something to look at in cycle t, which is the current one or later: if its turn in this cycle is over, in
 * the next one. */
static inline void part_wake(struct part *p, uint64_t t)
{
    struct sm *s = p->sm;
    uint32_t bit = 1u << p->id;
    bool ticks = s->ticking >= 0;
    p->stirred = true;
    if (ticks && t <= s->now && (int32_t)part_turn(p) > s->ticking) {
        s->turns |= 1u << part_turn(p);
        s->again |= bit;
    } else if (t <= s->now + ticks) {
        s->awake |= bit;
    } else {
        s->wakes[p->id] = t < s->wakes[p->id] ? t : s->wakes[p->id];
        s->wake = t < s->wake ? t : s->wake;
    }
}

/* A slot has a new warp. */
static inline void part_take_slot(struct part *p, uint32_t slot, uint32_t tenant)
{
    p->first = (p->first & ~(1ull << slot)) | (uint64_t)!tenant << slot;
    p->issued_at[slot] = 0;
    p->oldest_of = 0;
}

/* The first of its runs is that of its next instruction. */
static inline void ibuf_enter(struct sm_warp *w)
{
    const struct tr_run *r = &w->runs[w->run_head];
    w->next = (struct inext){w->insns + r->at, r->mask};
    w->lanes = (uint8_t)r->lanes;
    w->left = r->n;
    w->run_head = (w->run_head + 1) % RUNS_MAX;
    w->nruns--;
}
/* Its next instruction is taken; `replaced`: another one has come to the buffer. */
static inline void ibuf_pop(struct sm_warp *w, bool replaced)
{
    if (!replaced)
        w->n--;
    w->next.k++;
    if (!--w->left && w->nruns > w->ahead)
        ibuf_enter(w);
}
/* The place in the code of the one behind the next, where there are two. */
static inline uint32_t ibuf_second(const struct sm_warp *w)
{
    return w->left > 1 ? w->next.k->at + 1 : w->runs[w->run_head].at;
}

/* May the warp fetch, as far as its buffer goes? */
static inline bool fetch_room(const struct sm *s, const struct sm_warp *w)
{
    return !w->ended && w->n < s->fetch_below;
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
