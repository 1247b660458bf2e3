/* SPDX-License-Identifier: Apache-2.0 */
/* The collector engine: units that hold an instruction each until all its operands are there, a queue of reads before every
 * register bank, dispatch to the units of execution. It is the same for every policy of the seam `operands`
 * (sm/operands/operands.h): the engine knows when an operand arrives from a bank, the policy where values are besides.
 *
 * The partition calls these functions; a policy may look at the units and reserve one. */
#ifndef SM_COLLECT_H
#define SM_COLLECT_H

#include "base/hint.h"
#include "sm/registers/latch.h"

struct part;
struct sm_cfg;

/* Kinds of instructions (kinsn.kind) where those of units go past the collectors (operands_ops.reserve): one for each unit, and
 * this one for all that go to memory. */
enum { KIND_MEMORY = LATCH_UNITS - 1 };
enum { COLLECT_ANY = 255 }; /* of a unit: whichever is free */

/* A unit of collection. */
struct unit {
    uint16_t found;  /* operands that were found elsewhere than in their banks, by bit */
    uint8_t runs_on; /* the execution unit of its instruction, where `busy` is kept */
    uint32_t flight; /* its instruction */
    uint32_t since;  /* cycle in which its reads could be served first, its low bits */
    uint64_t ready;  /* cycle it may leave, once its reads are done */
    uint64_t need;   /* reads by bank, a byte for each of the first eight (stages/need.h) */
};

enum { NEED_WORDS = 8 }; /* of needs: 64 banks */

struct collect {
    struct unit *units;
    uint64_t all;        /* units, by bit */
    uint64_t used;       /* units with an instruction, or reserved for one */
    uint64_t full;       /* of these: with all operands */
    uint64_t refused;    /* of these: waits for room in the load-store unit, or in the latch before its own */
    uint64_t behind;     /* of these: an access that waits for its turn among those of its warp */
    uint64_t busy;       /* of these: no unit of execution takes the instruction before cycle busy_until */
    uint64_t busy_until; /* NEVER: `busy` is empty */
    uint64_t ready_by;   /* from this cycle on all of `full` are ready; kept where `busy` is */
    uint32_t nreading;   /* units with reads */
    uint32_t next;       /* unit that dispatches first: rotates, so that none starves */
    uint8_t order[64];   /* units with reads, in the order in which they came */
    uint32_t n;          /* units */
    uint32_t words;      /* of needs: one for eight banks */
    uint64_t *wide;      /* by unit: the words of needs behind the first */
    uint32_t late;       /* cycles that a read takes beyond the one of its bank */
    uint32_t schedulers;
    uint8_t scheduler[64]; /* by warp slot, where the schedulers do not share all of them */
    uint64_t issued;       /* instructions that have come here, ever: their age, where there are latches */
    bool limited;          /* the banks can deliver more in a cycle than a unit can take */
    uint64_t own[LATCH_SLOTS]; /* by scheduler: units that its instructions may take */
    bool sets;                 /* some kinds of instructions have units to themselves */
    bool by_latch;             /* whether an instruction issues depends on the latch before them alone */
    bool each; /* ... or latches stand before them: whether there is room depends on the instruction */
    uint64_t of[LATCH_UNITS]; /* by kind (kinsn.latch): units that such instructions may take */
    uint64_t port[16];        /* by port of dispatch: units that it serves */
    uint8_t last[16];         /* by port of dispatch: the unit that it served last */
    uint8_t after[64];        /* by unit: the one that a port looks at first when it has served this one */
    struct latches front, back;
    /* Where there are latches, or instructions that go past the collectors. By kind (kinsn.kind): warp slots whose next
     * instruction is of it, or was when the warp was ready last; and the kind by slot. */
    uint64_t wants[LATCH_UNITS + 1];
    uint8_t kind[64];
    /* No instruction in `front` finds a unit: not before one is free, or another instruction comes */
    bool crowded;
    /* By execution unit: units of collection whose instruction it runs, or ran last; kept where `busy` is */
    uint64_t runs_on[LATCH_UNITS];
    uint64_t behind_of[64]; /* by warp slot: its part of `behind`, and units that were in it */
    /* Where instructions issue into latches: 1 + the cycle in which it was asked last why no unit is free; the answer */
    uint64_t why_of;
    uint8_t why;
    uint8_t held_up; /* slots of `back`, by bit: an access waits for room in the load-store unit */
};

void collect_init(struct part *p);

static inline uint64_t collect_free_units(const struct collect *c) /* by bit */ { return c->all & ~c->used; }
/* Free for instructions of this kind from the scheduler's warps. */
static inline uint64_t collect_units_of(const struct collect *c, uint32_t scheduler, uint32_t kind)
{
    return c->own[scheduler] & c->of[kind] & ~c->used;
}
/* The unit of a warp slot, where a policy has one for each: those of a scheduler lie together. */
static inline uint32_t collect_unit_of_slot(const struct collect *c, uint32_t slot)
{
    return c->front.isolated ? slot % c->schedulers * (c->n / c->schedulers) + slot / c->schedulers : slot;
}
/* Reads that wait at a bank. */
uint32_t collect_reads(const struct collect *c, uint32_t bank);
/* A unit is taken, and cannot leave before its instruction has come. */
static inline void collect_reserve_this(struct collect *c, uint32_t unit) { c->used |= 1ull << unit; }
/* Reserves a unit that is free for this kind of instructions; there must be one. It stays so until its warp issues into it. */
uint32_t collect_reserve(struct collect *c, uint32_t kind);
void collect_unreserve(struct collect *c, uint32_t unit); /* or until nobody wants it any more */

/* Of the warps `ready` of scheduler n: those whose next instruction finds a unit, or the latch before them, free. */
uint64_t collect_room(const struct part *p, uint32_t n, uint64_t ready);
/* latched.c. Is a unit left for this kind when all that wait for one have theirs? */
ASIDE bool collect_spare(const struct part *p, uint32_t scheduler, uint32_t kind);
/* The banks that will be read in cycle t, of those with reads now, if no result comes to them. */
uint64_t collect_grants(const struct part *p, uint64_t t);
/* The operands, by bit, that a unit gets when each bank gives it so many, a byte each (stages/need.h): those of a bank come in
 * their order. Its needs are as before. */
uint32_t collect_operands(const struct part *p, uint32_t unit, const uint64_t *got);
/* Reads that wait at each bank. */
void collect_queued(const struct part *p, uint8_t *by_bank);
/* Why no unit is free: SS_stall_collector, SS_stall_bank, SS_stall_unit or SS_stall_lsu, or what the policy says. */
unsigned collect_why(const struct part *p, uint64_t t);

#endif
