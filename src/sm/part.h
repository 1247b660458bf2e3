/* SPDX-License-Identifier: Apache-2.0 */
/* A partition of an SM: schedulers, warp slots, banks, collectors, units. A policy of the operands is given its partition: the
 * policy may look at everything here, changes nothing but through functions, and proves what it delivers (the checks below). */
#ifndef SM_PART_H
#define SM_PART_H

#include "base/hint.h"
#include "mem/cache.h"
#include "sm/registers/banks.h"
#include "sm/registers/collect.h"
#include "sm/warps/warp.h"

enum {
    MAX_UNITS = UNIT_COUNT,
    MAX_COPIES = 8,     /* of one unit in a partition */
    MAX_SCHEDULERS = 8, /* of a partition */
};

/* --check: versions of register contents. A version is a count of the writes to a register in the order of issue. */
struct check_reg {
    uint32_t issued; /* version that an instruction issuing now reads */
    uint32_t bank;   /* version that the register's bank holds */
    uint32_t lanes;  /* lanes whose values of that version are there */
};
/* Versions of a warp's registers while nothing can be wrong: a bank holds the newest version of all lanes, or the one before. */
struct check_warp {
    /* Registers whose banks hold the version before the newest, by bit */
    _Alignas(HOST_LINE_B) uint64_t coming[4];
    uint32_t issued[256]; /* by register: the newest version */
};
struct check {
    struct check_warp *warps;      /* by warp slot */
    bool exact;                    /* `regs`, `reads` and `writes` are kept, not `warps` */
    bool always;                   /* they are kept from the beginning: operands are counted one by one */
    struct check_reg (*regs)[256]; /* by warp slot */
    uint32_t (*reads)[MAX_OPERANDS], (*writes)[MAX_OPERANDS]; /* by flight: versions to be read and written */
    uint32_t nflights, nwarps;
    struct order *order; /* of accesses to memory (order.c) */
    struct sm_checked n; /* what was compared so far; reads from banks are among it where `always` */
};

/* The versions of one warp's registers while it is parked. */
struct check_regs {
    struct check_reg of[256];
};

/* An instruction that a scheduler's cycle is charged to (blame.c). */
struct blamed {
    const struct sm_kernel *kernel; /* NULL: none */
    const struct kinsn *k;
    uint32_t mask; /* its lanes, if it is the next instruction of a warp */
};

struct part {
    /* What every tick touches comes first, by lines of the host's cache. */
    _Alignas(HOST_LINE_B) struct check *check; /* NULL: the run does not check */
    struct sm *sm;
    struct sm_warp *warps;
    struct flight *flights;
    uint64_t counted;              /* cycles before this one were charged to a cause */
    uint64_t want_fetch;           /* slots whose warps have room in their buffers */
    uint8_t cause[MAX_SCHEDULERS]; /* by scheduler: what an idle cycle is charged to (enum sm_stat) */
    uint32_t free_flight;
    uint16_t id;
    bool stirred; /* warps have changed: the next tick looks at them; otherwise it moves operands alone */
    /* By reason: slots whose warps are blocked for it; [BLOCK_NOT]: ready ones */
    uint64_t blocked[BLOCK_COUNT];
    uint64_t used; /* warp slots with a warp, by bit */
    /* Reasons (enum block, by bit) that warps may be blocked for; `blocked` of others is 0 */
    uint32_t reasons;
    uint32_t fetched; /* the slot that fetched last */
    _Alignas(HOST_LINE_B) struct banks banks;
    _Alignas(HOST_LINE_B) struct collect collect; /* a tick touches its beginning alone */
    /* Instructions issued here, for the imbalance of partitions */
    _Alignas(HOST_LINE_B) uint64_t issued_insts;
    /* The state of the first scheduler, if all are greedy, then oldest (wsched_ops.greedy); else NULL */
    struct gto *greedy;
    uint64_t *age; /* by slot: the warp's age; less is older */
    /* By warp slot and bit of the scoreboard: what waiting for that result is charged to, if it does not come from memory. */
    uint8_t (*producer)[SB_WORDS * 64];
    /* By copy and execution unit: the cycle in which it takes the next instruction. */
    _Alignas(HOST_LINE_B) uint64_t unit_free[MAX_COPIES][MAX_UNITS];
    /* The rest. */
    uint32_t nflights;
    uint64_t *issued_at; /* by slot: 1 + cycle of the last issue; kept where a policy decides about tenants */
    uint64_t first;      /* slots whose last warp was of the first tenant */
    /* Ready warps of the first tenant when the partition fell asleep; kept where a policy decides about tenants */
    uint32_t asleep;
    uint64_t local_kept;  /* slots whose local memory belongs to a CTA that was parked */
    uint64_t *sched_mask; /* by scheduler: its slots */
    uint64_t *sched_half; /* by scheduler: every second of its slots, from the first on */
    /* Slots whose warps have issued in this cycle, and had their next instruction at hand (fetch_at_hand); kept where there are
     * several schedulers */
    uint64_t at_hand;
    uint64_t issued_now; /* slots whose warps have issued in this cycle: one instruction each */
    /* Slots whose warps were ready in this cycle, and cannot issue before something happens to the operands */
    uint64_t stuck;
    void **sched;        /* by scheduler: policy state */
    void *operands;      /* state of the operands' policy */
    struct score *score; /* NULL: the scheduler does not look at the banks */
    struct cache l0i;
    uint64_t *l0i_at;  /* by line of l0i: the cycle it is there; kept where code streams */
    uint64_t l0i_free; /* from then on another line can come from L1 */
    /* 1 + the line that a warp went to last, if that and those that come with it were there by that cycle; 0: were not */
    uint64_t l0i_last, l0i_by;
    /* Schedulers, by bit, that issue nothing while a warp outside of their active set is ready */
    uint8_t pending_ready;
    struct blamed *blamed; /* by scheduler: what its cycle is charged to; kept while somebody watches */
    /* The set of slots whose oldest warp was asked for last; 0: warps have changed since */
    uint64_t oldest_of;
    uint32_t oldest; /* the slot of that warp */
};

/* Are all lanes of the warp that have not exited in the mask? Then a write to these lanes replaces the whole register. */
static inline bool sm_warp_is_whole(const struct part *p, uint32_t warp, uint32_t mask)
{
    return !(p->warps[warp].live & ~mask);
}

/* Puts the slot's warp, which is in none of the masks of p->blocked, into that of the reason. */
static inline void part_block(struct part *p, uint32_t slot, enum block why)
{
    p->warps[slot].block = (uint8_t)why;
    p->blocked[why] |= 1ull << slot;
    p->reasons |= 1u << why;
}

/* The scheduler of a warp slot, where the schedulers do not share all of them. */
static inline uint32_t part_scheduler(const struct part *p, uint32_t slot)
{
    return p->collect.scheduler[slot];
}

/* A register's bank in a warp: `bank` as prepared, shifted by the bank of its R0. */
static inline uint32_t bank_of(const struct part *p, uint32_t bank, uint32_t bank0)
{
    uint32_t b = bank + bank0;
    return b < p->banks.end[bank0] ? b : b - p->banks.group;
}

/* check.c. All do nothing unless the run checks; callers ask p->check first. */
struct check *check_new(uint32_t warps);
void check_free(struct check *c);
void check_start(struct part *p, uint32_t warp);
struct check_regs *check_save(const struct part *p, uint32_t warp); /* freed by the caller */
void check_restore(struct part *p, uint32_t warp, const struct check_regs *from);
ASIDE void check_issue(struct part *p, uint32_t flight);
ASIDE void check_write(struct part *p, uint32_t flight, uint32_t i); /* destination i reaches its bank */
/* A value that a policy had kept reaches its bank, with all lanes. */
SELDOM void check_write_kept(struct part *p, uint32_t warp, uint8_t reg, uint32_t version);
#define CHECK_GONE UINT32_MAX /* for `version`: the value was there, and was lost */
/* A product of a warp group issues: what it reads past the policy is in its bank, what it writes will be. */
SELDOM void check_past(struct part *p, uint32_t warp, const struct kinsn *k);
/* Source i arrives with `version`; the banks' own is check_bank. */
ASIDE void check_read(struct part *p, uint32_t flight, uint32_t i, uint32_t version);
/* Source i arrives from its bank, with the lanes it has there. */
ASIDE void check_read_bank(struct part *p, uint32_t flight, uint32_t i);
/* Where check.exact: so many operands of a unit arrive from each bank, a byte each (stages/need.h), which its needs still
 * have. */
ASIDE void check_read_banks(struct part *p, uint32_t unit, const uint64_t *got);
/* The version that a policy keeps destination i under: in an entry that has the register (`old`: its version), or in a new one
 * (NULL). A new one that not all lanes were written to is no version of the register: whoever reads it fails. */
uint32_t check_kept_version(const struct part *p, uint32_t flight, uint32_t i, const uint32_t *old);
static inline uint32_t check_bank(const struct part *p, uint32_t warp, uint32_t reg)
{
    return p->check->regs[warp][reg].bank;
}

/* order.c. As above. */
struct order *order_new(void);
void order_free(struct order *o);
ASIDE void order_issue(struct part *p, uint32_t flight);
ASIDE void order_line(struct part *p, uint32_t flight, uint64_t line); /* reaches L1 */
/* n of its lines do, one after the other (struct lines). */
ASIDE void order_lines(struct part *p, uint32_t flight, const uint64_t *at, uint32_t n);
/* The data of a line is given out, by a policy that does it itself. */
ASIDE void order_back(struct part *p, uint32_t flight, uint64_t line);
ASIDE void order_done(struct part *p, uint32_t flight); /* the result is there */

#endif
