/* Inside an SM: the structures that its stages share. Stages are walked back to front each cycle (sm.c): events and
 * write-back, dispatch, operand collection, issue, fetch; then the load-store unit.
 *
 * Hand count of an instruction without conflicts, issued in cycle t: it has a collector and its reads are queued at t, the
 * banks are read at t+1, it leaves for its unit at t+2, and its result is written, and a user may issue, at t + latency of
 * its class. */
#ifndef SM_CORE_H
#define SM_CORE_H

#include "mem/cache.h"
#include "sm/ahead.h"
#include "sm/banks.h"
#include "sm/collect.h"
#include "sm/l1.h"
#include "sm/score.h"
#include "sm/sm.h"

enum {
    COLLECT_CYC = 2, /* issue to dispatch */
    SB_WORDS = 6,    /* scoreboard: R0..R255, then P and UP, then UR */
    MAX_OPERANDS = 16,
    OPERAND_SLOTS =
        6, /* registers that a plain collector can hold: a tensor core's sources (Malekeh paper, section III-C) */
    MAX_LINES = 64, /* that one warp access can touch: 32 lanes, each over a line's edge */
    INLINE_LINES = 4,
    WHEEL = 2048, /* cycles an event may lie ahead: a constant miss of 1000, then an instruction of 1000 */
    MAX_UNITS = UNIT_COUNT,
    MAX_COPIES = 8, /* of one unit in a partition */
    COLLECTED = 4,  /* instructions of one warp in collectors that are told apart */
    NONE16 = 0xffff,
};
#define NEVER UINT64_MAX

/* How an instruction goes through the SM. */
enum route { ROUTE_UNIT, ROUTE_MEMORY, ROUTE_HOLD, ROUTE_BARRIER, ROUTE_ASYNC, ROUTE_NONE };

/* Marks of a scheduler that puts warps aside between strands (annotate/strands.h): one starts at the instruction, and does so when all
 * results from memory are there. */
enum { KM_STARTS = 1, KM_WAITS = 2 };

/* A static instruction, prepared. */
struct kinsn {
    uint64_t any[SB_WORDS];                  /* read or written: what it must not issue before */
    uint64_t def[SB_WORDS];                  /* written */
    uint8_t any_words, def_words, use_words; /* which words of these and of `use` are not 0, by bit */
    uint8_t cls, unit, route, space, mem, width_b, naddr, bypass;
    uint8_t nread, nwrite;
    uint8_t read[MAX_OPERANDS], write[MAX_OPERANDS]; /* registers, each once */
    uint8_t read_bank[MAX_OPERANDS],
        write_bank[MAX_OPERANDS]; /* their banks in a warp slot that shifts none */
    uint16_t mark_read,
        mark_write;      /* of these, by bit: what the operands' policy notes of them (policy.annotate) */
    uint8_t self_wait;   /* cycles that its operands wait for each other: those in one bank */
    uint8_t marks;       /* KM_* */
    uint8_t from_memory; /* its result comes from memory, for accounting */
    uint8_t blame;       /* what waiting for its result is charged to (enum sm_stat) */
    uint32_t exec_cyc;   /* dispatch to result; ROUTE_HOLD: issue to the warp's next issue */
    uint32_t ii;         /* cycles until the unit takes another one */
    uint32_t imm, count;
    uint32_t konst;         /* 1 + line of the constant banks that it reads as an operand; 0: none */
    uint64_t use[SB_WORDS]; /* read */
};

/* Loads; asynchronous copies are such, atomics are not. */
static inline bool is_load(const struct kinsn *k) { return (k->mem & (TM_LOAD | TM_ATOMIC)) == TM_LOAD; }

/* Does an operand name the register? */
bool kernel_names(const struct tr_opnd *o, uint32_t reg);

/* Cycles that `operands` (by bit) of it wait for each other. */
uint32_t kinsn_self_wait(const struct kinsn *k, uint32_t operands, uint32_t ports);

struct sm_kernel {
    const struct tr_kernel *tr;
    struct kinsn *insns;
    void *note[SEAMS]; /* of the policies (policy.annotate), and what takes it back */
    void (*forget[SEAMS])(void *note);
    struct sm_kernel_id id;
    uint64_t space;     /* of its program's addresses (mem_space) */
    uint64_t code_addr; /* for the instruction caches */
    uint32_t insn_b;
};

/* Lines a warp access touches: address with the sector mask in its low bits. */
struct lines {
    uint8_t n;
    uint16_t block; /* of the pool; NONE16: all are inline */
    uint64_t at[INLINE_LINES];
};

static inline uint64_t line_addr(uint64_t at) { return at & ~(uint64_t)(LINE_B - 1); }
static inline uint8_t line_sectors(uint64_t at) { return at & 15; }

/* How the words of a line belong to the lanes of a load, where the load-store unit asks (lsu_ops.maps): in bits 4 to 6 of a line. */
enum line_map { MAP_NONE, MAP_CONSECUTIVE, MAP_BROADCAST, MAP_SINGLE, MAP_RANGE, MAP_OTHER };
enum { MAP_SHIFT = 4 };
static inline enum line_map line_map(uint64_t at) { return (enum line_map)(at >> MAP_SHIFT & 7); }

/* An instruction in a warp's buffer, and from issue on in flight. */
struct ientry {
    const struct kinsn *k;
    uint32_t at, mask;
    uint8_t space;
    uint8_t passes;        /* shared memory: cycles for all lanes */
    struct near_bits near; /* where the CTA has an `ahead` */
    struct lines lines;
};

enum { IBUF_MAX = 8 };

/* Why a warp cannot issue; the order is that of blame. */
enum block {
    BLOCK_NOT, /* it can */
    BLOCK_ALU,
    BLOCK_BRANCH,
    BLOCK_PREFETCH,
    BLOCK_CONST,
    BLOCK_FETCH,
    BLOCK_ORDER,
    BLOCK_MEMORY,
    BLOCK_BARRIER,
    BLOCK_DRAINED,
    BLOCK_COUNT
};

enum { ASYNC_GROUPS = 8, BARRIERS = 16 };
enum { HOLD_FENCES = 1, HOLD_STORES = 2, HOLD_LOADS = 4 }; /* stores: and atomics */

struct warp {
    uint8_t head, n;
    uint8_t block;   /* enum block */
    bool overwrites; /* BLOCK_ALU: it waits for a read of what it writes */
    bool used, ended, at_barrier, fetching;
    uint8_t held;     /* until an event: enum block tells for what; 0: it is not */
    uint16_t cta;     /* slot */
    uint16_t index;   /* in the CTA */
    uint32_t last_at; /* instruction after the last one issued */
    uint32_t konst;   /* constant line of the last instruction that had one */
    uint64_t line;    /* of code, that the last fetch was from, + 1 */
    uint32_t in_flight, in_collector;
    uint32_t mem_issued,
        mem_left; /* memory instructions: issued, and dispatched, ever. They are dispatched in their order */
    uint32_t mem_before;           /* of those to lines: have not reached L1; kept where lsu_ops.holds */
    uint8_t lsu_hold;              /* HOLD_*: what must not issue before these have */
    uint64_t pend[SB_WORDS];       /* results on their way */
    uint64_t pend_mem[SB_WORDS];   /* of these: from memory */
    uint64_t reading[4];           /* registers that instructions in collectors have yet to read */
    uint32_t collected[COLLECTED]; /* the flights in collectors, the first few */
    uint32_t bank0;                /* bank of R0 */
    /* Asynchronous copies outstanding by group, oldest first; the last one is not committed yet. */
    uint32_t async[ASYNC_GROUPS];
    uint8_t nasync;
    uint8_t async_wait;  /* 1 + groups it may leave pending; 0: does not wait */
    uint32_t async_base; /* number of the oldest group */
    uint8_t bar_id;
    uint32_t live;    /* lanes that have not exited */
    uint32_t arrived; /* of these: at the barrier. Lanes of one warp may arrive one after the other */
    struct ientry ibuf[IBUF_MAX];
};

/* Everything it has was issued, and has come to its end. */
static inline bool warp_over(const struct warp *w) { return w->ended && !w->n && !w->in_flight && !w->held; }

struct flight {
    struct ientry i;
    uint64_t issued;
    uint8_t warp, part;
    uint8_t bank0; /* of its warp */
    bool in_collector;
    uint8_t reads_left, writes_left;
    uint16_t lines_left; /* memory: lines that are on their way */
    uint16_t next_line;  /* of the access that is looked up next */
    uint16_t queued;     /* lines in a policy's queues */
    uint32_t group;      /* asynchronous copy */
    uint32_t turn;       /* memory: how many its warp has issued before */
    uint32_t next;       /* free list, queues */
};

struct cta_slot {
    bool used;
    const struct sm_kernel *k;
    struct tr_cta *stream;
    struct ahead *ahead; /* NULL: the operands' policy does not ask for exact reuse distances */
    struct sm_need need;
    uint32_t launch, cta;
    uint32_t live;              /* warps not ended */
    uint32_t threads;           /* not exited */
    uint32_t arrived[BARRIERS]; /* threads, by barrier */
    uint32_t expect[BARRIERS];  /* threads; 0: all that have not exited */
    uint32_t warps[TR_WARPS];   /* partition << 8 | slot, by index in the CTA */
};

struct part;
#include "sm/assign/assign.h"
#include "sm/lsu/lsu.h"
#include "sm/onchip/onchip.h"
#include "sm/operands/operands.h"
#include "sm/wsched/wsched.h"

/* --check: versions of register contents. A version is a count of the writes to a register in the order of issue. */
struct check {
    uint32_t (*issued)[256]; /* by warp slot: version that an instruction issuing now reads */
    uint32_t (*banks)[256];  /* by warp slot: version that the banks hold */
    uint32_t (*lanes)[256];  /* ... and the lanes that it is complete for */
    uint32_t (*reads)[MAX_OPERANDS], (*writes)[MAX_OPERANDS]; /* by flight: versions to be read and written */
    uint32_t nflights;
    struct order *order; /* by warp slot (order.c) */
    struct sm_checked n; /* compared so far */
};

struct part {
    struct sm *sm;
    struct check *check; /* NULL: off */
    uint32_t id;
    struct warp *warps;
    uint64_t *age;                 /* by slot */
    uint64_t used;                 /* warp slots with a warp, by bit */
    uint64_t blocked[BLOCK_COUNT]; /* by reason; [BLOCK_NOT]: ready */
    uint64_t want_fetch;           /* have room in their buffer */
    uint64_t *sched_mask;          /* by scheduler: its slots */
    uint64_t issued_now;           /* warps that have issued in this cycle: one instruction each */
    void **sched;                  /* by scheduler: policy state */
    struct banks banks;
    struct collect collect;
    void *operands;                            /* policy state */
    struct score *score;                       /* NULL: the scheduler does not look at the banks */
    uint64_t unit_free[MAX_UNITS][MAX_COPIES]; /* cycle each unit takes the next instruction */
    struct flight *flights;
    uint32_t nflights, free_flight;
    uint32_t fetch_last;
    struct cache l0i;
    uint64_t wake;          /* cycle of the next tick; NEVER: an event will set it */
    uint64_t counted;       /* cycles before this are charged */
    uint8_t *cause;         /* by scheduler: what an idle cycle is charged to (enum sm_stat) */
    struct sm_place *place; /* by scheduler: who is to blame for it; kept while somebody watches */
    uint64_t issued_insts;  /* for imbalance */
    uint8_t (*producer)[SB_WORDS * 64]; /* by warp slot and bit of the scoreboard: blame of its last writer */
};

enum event_kind { EV_RESULT, EV_COPIED, EV_UNHOLD, EV_FETCHED, EV_BARRIER, EV_START };
struct event {
    uint32_t next;
    uint8_t kind, part;
    uint32_t arg;
};

struct sm {
    const struct sm_cfg *cfg;
    const uint32_t *units; /* by unit: how many a partition has */
    const struct operands_ops *ops;
    const struct wsched_ops *sched;
    const struct assign_ops *asg;
    const struct lsu_ops *lsu_ops;
    struct l1_client clients[L1_CLIENTS]; /* in the order of their turns */
    uint32_t nclients;
    uint8_t client_at[L1_CLIENTS]; /* by number */
    uint32_t lookups;              /* of a cycle, for all clients */
    uint64_t lookups_left;
    uint32_t id;
    bool check;
    const struct sm_observer *watch; /* NULL: nobody */
    uint64_t now;
    int32_t ticking; /* partition whose turn it is; -1: before the first, in the phase of events */
    struct part *parts;
    struct cta_slot *ctas;
    uint32_t nctas;
    struct onchip onchip;   /* what is free */
    void *shared;           /* state that the operands' policy has once for all partitions */
    uint64_t warps_started; /* ever: age, and the assignment's counter */
    void *assign;

    uint32_t wheel[WHEEL], wheel_last[WHEEL]; /* first and last event of a cycle */
    uint64_t wheel_bits[WHEEL / 64];
    uint32_t wheel_words; /* words of wheel_bits that are not 0 */
    VEC(struct event) events;
    uint32_t free_event;

    void *lsu; /* policy state */
    /* Caches. */
    struct cache l1, l1i, konst;
    uint32_t tenant, launch; /* of the last CTA; 1 + launch */
    struct mshrs mshrs;
    uint64_t (*blocks)[MAX_LINES]; /* pool of long line lists */
    uint32_t nblocks;
    uint16_t free_block;

    mem_reqs out;
    uint64_t out_free;  /* cycle the port into the interconnect is free */
    mem_replies in;     /* a heap by time, then order of arrival */
    uint32_t in_heap;   /* the first of these are a heap; the rest was appended since */
    uint64_t port_free; /* the port from the interconnect */
    sm_done_list done;
    char error[256];
    uint64_t stats[SM_STATS];
    uint32_t reads_now,
        reads_most; /* registers read in this cycle; the histogram's last entry, for that many and more */
    uint64_t *reads_per_cycle; /* entry 0 is what the others leave */
};

const char *unit_name(uint32_t i); /* enum ir_unit; NULL after the last */

/* warp.c: re-evaluates whether a warp can issue, after anything that may have changed it. */
void warp_refresh(struct part *p, uint32_t w);
uint8_t warp_blame(const struct part *p, uint32_t w); /* BLOCK_ALU: what that is charged to (enum sm_stat) */
/* Lets an instruction's effects on the scoreboard begin and end. */
void warp_issued(struct part *p, uint32_t w, const struct kinsn *k);
void warp_result(struct part *p, uint32_t w, const struct kinsn *k);
void warp_operands_read(struct part *p, uint32_t w, uint32_t flight);
/* Where lsu_ops.holds: an access to lines issues, and all of its lines have reached L1. */
void lsu_issued(struct part *p, uint32_t flight);
void lsu_reached(struct part *p, uint32_t flight, uint64_t t);

/* sm.c: charges the cycles before `until` in which the partition slept. */
void part_charge(struct part *p, uint64_t until);

/* fetch.c */
void fetch_tick(struct part *p, uint64_t t);
void fetch_arrived(struct part *p, uint32_t w);

/* issue.c */
void issue_tick(struct part *p, uint64_t t);
uint8_t issue_idle_cause(const struct part *p, uint32_t scheduler,
                         uint64_t t); /* of cycles that are slept through */

/* blame.c. Callers ask s->watch first. */
void blame_warp(struct part *p, uint32_t scheduler, uint32_t w); /* the next instruction of a warp */
/* Of a cycle that issued nothing; `done` are warps that have issued in it for another scheduler. */
void blame_wait(struct part *p, uint32_t scheduler, enum sm_stat cause, uint64_t done);
void blame_tell(const struct part *p, uint32_t scheduler, enum sm_stat cause, uint64_t cycles);
void blame_event(const struct part *p, uint32_t flight, enum sm_stat counter, uint64_t n);
/* The same for the next instruction of a warp. */
void blame_warp_event(const struct part *p, uint32_t w, enum sm_stat counter, uint64_t n);

/* Do these lanes make up the warp: all that have not exited? What is written to them leaves no old value to others. */
static inline bool warp_is_whole(const struct part *p, uint32_t warp, uint32_t mask)
{
    return !(p->warps[warp].live & ~mask);
}

/* exec.c: a flight whose operands are complete goes to its unit. False: the unit is busy. */
bool exec_dispatch(struct part *p, uint32_t flight, uint64_t t);
uint64_t exec_next(const struct part *p,
                   uint32_t flight); /* earliest cycle it could; NEVER: the load-store unit is full */
void exec_result(struct part *p, uint32_t flight);
void exec_written(struct part *p, uint32_t flight, uint32_t i); /* destination i has come to its bank */
uint32_t flight_new(struct part *p);
void flight_free(struct part *p, uint32_t f);

/* check.c. All do nothing unless the run checks; callers ask p->check first. */
struct check *check_new(uint32_t warps);
void check_free(struct check *c, uint32_t warps);
void check_start(struct part *p, uint32_t warp);
void check_issue(struct part *p, uint32_t flight);
void check_write(struct part *p, uint32_t flight, uint32_t i); /* destination i reaches its bank */
void check_write_kept(struct part *p, uint32_t warp, uint8_t reg,
                      uint32_t version); /* ... or what a policy had kept, all lanes */
#define CHECK_GONE UINT32_MAX            /* for `version`: it was there, and is not any more */
/* Source i arrives with `version`; the banks' own is check_bank. */
void check_read(struct part *p, uint32_t flight, uint32_t i, uint32_t version);
void check_read_bank(struct part *p, uint32_t flight,
                     uint32_t i); /* ... from its bank, with the lanes it has there */
/* The version that a policy keeps destination i under: in an entry that has the register (`old`: its version), or in a new one (NULL). A
 * new one that not all lanes were written to is no version of the register: whoever reads it fails. */
uint32_t check_kept_version(const struct part *p, uint32_t flight, uint32_t i, const uint32_t *old);
static inline uint32_t check_bank(const struct part *p, uint32_t warp, uint32_t reg)
{
    return p->check->banks[warp][reg];
}

/* order.c. As above. */
struct order *order_new(uint32_t warps);
void order_free(struct order *o, uint32_t warps);
void order_issue(struct part *p, uint32_t flight);
void order_line(struct part *p, uint32_t flight, uint64_t line); /* reaches L1 */
void order_back(struct part *p, uint32_t flight,
                uint64_t line);                   /* its data is given out, by a policy that does it itself */
void order_done(struct part *p, uint32_t flight); /* the result is there */

void async_done(struct part *p, uint32_t warp, uint32_t group); /* issue.c */

/* lines.c: what the lanes of a step touch. */
void lines_of_step(struct sm *s, struct part *p, uint32_t w, const struct tr_step *step, struct ientry *e);
void lines_free(struct sm *s, struct lines *l);
/* mapping.c: marks the lines with how the lanes' words lie in them (enum line_map). */
void lines_map(struct sm *s, struct lines *l, const uint64_t *addr, uint32_t mask, uint32_t width);
/* All were looked up: the list is not needed any more, only how many they were. Instructions may wait for memory in any
 * number, those whose lists are held are few. */
void lines_walked(struct sm *s, struct lines *l);
static inline const uint64_t *lines_at(const struct sm *s, const struct lines *l)
{
    return l->block == NONE16 ? l->at : s->blocks[l->block];
}

/* cta.c */
void cta_arrive(struct part *p, uint32_t w, const struct kinsn *k, uint32_t mask, uint64_t t);
void cta_exit(struct part *p, uint32_t w, uint32_t mask, uint64_t t); /* lanes */
void cta_release(struct sm *s, uint32_t slot, uint32_t bar);
void cta_begin(struct sm *s, uint32_t slot); /* its warps appear */
void cta_warp_ended(struct part *p, uint32_t w, uint64_t t);

/* event.c */
void event_at(struct sm *s, uint64_t t, enum event_kind kind, uint32_t part, uint32_t arg);
uint64_t event_next(const struct sm *s);
void event_run(struct sm *s, uint64_t t);

/* The partition has something to look at in cycle t, which is the current one or later: if its turn in this cycle is over, in
 * the next one. */
static inline void part_wake(struct part *p, uint64_t t)
{
    if (t == p->sm->now && (int32_t)p->id <= p->sm->ticking)
        t++;
    if (t < p->wake)
        p->wake = t;
}

/* Entry i of a warp's instruction buffer, i <= ibuffer. The ring is no longer than the buffer, for the host's cache. */
static inline struct ientry *ibuf_at(const struct part *p, struct warp *w, uint32_t i)
{
    uint32_t at = w->head + i, n = p->sm->cfg->ibuffer;
    return &w->ibuf[at < n ? at : at - n];
}

/* A policy of the load-store unit has taken an instruction from its queue in cycle t. */
static inline void lsu_freed(struct sm *s, uint64_t t)
{
    for (uint32_t i = 0; i < s->cfg->partitions; i++)
        part_wake(&s->parts[i], t + 1);
}

/* A register's bank in a warp: `bank` as prepared, shifted by the bank of its R0. */
static inline uint32_t bank_of(const struct part *p, uint32_t bank, uint32_t bank0)
{
    uint32_t b = bank + bank0, n = p->banks.n;
    return b < n ? b : b - n;
}

#endif
