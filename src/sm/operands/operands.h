/* SPDX-License-Identifier: Apache-2.0 */
/* The seam `operands`: where the values of registers are, besides their banks. The collector engine (sm/registers/collect.h)
 * holds issued instructions and reads operands from the banks; a policy keeps values nearer to the units, reads some ahead, or
 * brings them from elsewhere. The partition decides who issues and what is written where. One state per partition.
 *
 * Everything that a policy leaves NULL is none of its business: plain collectors are a table with a name. Whoever keeps a value
 * proves under --check that it is the right one: check_read at delivery (sm/core.h). */
#ifndef SM_OPERANDS_OPERANDS_H
#define SM_OPERANDS_OPERANDS_H

#include "sm/control.h"
#include "sm/policy.h"

struct inext;
struct kinsn;
struct part;
struct sm;
struct stages;
struct tr_step;

struct operands_ops {
    struct policy is;

    /* ---- what it needs ---- */
    /* It works with latches beside the collectors, isolated schedulers and registers without a lock. */
    bool latched;
    /* ... and with sets of collectors that some kinds of instructions have to themselves. */
    bool sets;
    bool caches; /* `find` looks into a register cache: counted as such */
    /* What those who watch call the place of an operand that need not be read from its bank; NULL: "cache". */
    const char *found;
    /* State that the partitions of an SM have in common (sm_operands.shared), zero at first */
    size_t shared_b;
    /* How many instructions ahead the next read of a register counts as near. The policy is then told of every instruction that
     * is fetched whether the next reads of its registers are (ientry.near, sm/registers/ahead.h). 0: it does not want to know. */
    uint32_t (*near)(const struct sm_cfg *cfg);
    /* Collectors of a partition, at most 64; without it sm.collectors. */
    uint32_t (*units)(const struct sm_cfg *cfg);
    /* Cycles that a read from a bank takes beyond the first. */
    uint32_t (*late)(const struct sm_cfg *cfg);
    /* Stages of its own, for the features that machines with it have: they are faster, and do the same. NULL: those for all. */
    const struct stages *stages;

    /* ---- life ---- */
    void (*init)(void *st, struct part *p);
    void (*free)(void *st);
    /* Once for an SM, when all partitions are there: it may add a client of L1. */
    void (*attach)(struct sm *s);
    /* A warp has come to a slot, a new one or `again` one that was parked; it has nothing left to issue or to wait for. */
    void (*warp_begin)(void *st, uint32_t warp, bool again);
    void (*warp_end)(void *st, uint32_t warp);
    /* A controller of its own, and what gets its value before every interval. Both or neither. */
    const struct control_ops *control;
    void (*set)(void *st, uint32_t value);

    /* ---- an instruction on its way in, in this order ---- */
    /* It was fetched. `at`: its number among those of the warp, up to IBUF_MAX, as sm_warp.given has it when it issues. */
    void (*fetched)(void *st, uint32_t warp, uint32_t at, const struct tr_step *step);
    /* Asked in every cycle in which warps are ready and a unit is free, or the policy reserves (below). Returns those of the
     * ready warps that it has a place for, and in *holding those that have registers in one of its units. */
    uint64_t (*may)(void *st, uint64_t ready, uint64_t t, uint64_t *holding);
    /* Whether `may` lets a warp issue is not a matter of the others: one may be asked about alone, and all of them after that. */
    bool each;
    /* Whom `may` keeps back it keeps back until the partition ticks for another reason, or `next` wants it to: it may sleep. */
    bool stays;
    /* A scheduler has chosen the warp for its next instruction, in cycle t. False: it lacks something that the policy has begun
     * to bring; the scheduler's cycle is lost, and the policy may let the warp wait (BLOCK_PREFETCH, until an EV_UNHOLD). */
    bool (*prepare)(void *st, uint32_t warp, uint64_t t);
    /* Issued, whatever it is and even if a guard switches it off; it is still in the warp's buffer. */
    void (*issued)(void *st, uint32_t warp, const struct inext *e, uint64_t t);
    /* Issued: the unit for it, one that is free or was reserved for its warp, or COLLECT_ANY, which is what NULL means. Where a
     * latch is on the way, the unit is its own from here on. */
    uint32_t (*unit)(void *st, uint32_t flight);
    /* After that: which of its operands, by bit, need not be read from their banks. The unit has these in the next cycle. */
    uint32_t (*find)(void *st, uint32_t flight, uint32_t unit);
    /* Both or neither: instructions of units go past the collectors. Issued in cycle t: the cycle in which the instruction is
     * dispatched, for which `may` has seen a free unit; what it reads is read by then. And the banks that it has so taken from
     * others in cycle t. */
    uint64_t (*reserve)(void *st, uint32_t flight, uint64_t t);
    uint64_t (*taken)(void *st, uint64_t t);
    /* It has all operands and leaves its unit. */
    void (*left)(void *st, uint32_t flight, uint32_t unit);

    /* ---- its results ---- */
    /* Destination i of a flight is there: true if the policy takes it, and it does not go to its bank now. A policy that does so
     * hands it to banks_queue_register when it must. */
    bool (*result)(void *st, uint32_t flight, uint32_t i);
    /* Destination i of a flight reaches its bank in cycle t; before the warp's next instruction can see it. */
    void (*write)(void *st, uint32_t flight, uint32_t i, uint64_t t);
    /* It may be told of the writes of a cycle in any order, before the partition's turn. Else in the order of the banks. */
    bool any_order;

    /* ---- registers that go past it ---- */
    /* A product of a warp group issues: what it reads is read from the banks, and what it writes (k->def) written there, some
     * time from now on, and nobody tells the policy. It ends its copies of what is written; that no bank lacks a value is its
     * promise. NULL: it cannot promise that, and code with such products is refused. */
    void (*past)(void *st, uint32_t warp, const struct kinsn *k);

    /* ---- parking ---- */
    /* The warp is about to leave its slot, or its CTA may stay after all: it has nothing in flight, and will issue again under
     * another age. What no bank has must be queued for its bank now, what is reserved for the warp be given up. What is looked
     * up by the warp's age is lost by itself. */
    void (*park)(void *st, uint32_t warp);

    /* ---- schedulers ---- */
    /* Called before each issue of a scheduler that has an active set. `mine` are all slots of that scheduler, `active` those of
     * them that are active now. */
    void (*active)(void *st, uint64_t active, uint64_t mine);
    /* Policies that look ahead have both of these, the others neither. `runner_up` is called after scheduler n has issued in
     * cycle t, with the slot that lost against the one that issued, or -1. `forced` is asked before it issues: a slot that it
     * must issue now if that one is ready, whatever its own order and the units say, or -1. A unit is reserved for that slot. */
    void (*runner_up)(void *st, uint32_t n, int slot, uint64_t t);
    int (*forced)(void *st, uint32_t n);

    /* ---- time ---- */
    /* Each cycle that the partition is awake, after operands were read: banks_idle tells what is left of the banks. */
    void (*idle)(void *st, uint64_t t);
    /* After cycle t: the next cycle in which it must be awake for its own sake. UINT64_MAX: none is known. */
    uint64_t (*next)(const void *st, uint64_t t);
    /* Adds reads of its own that wait at each bank, for schedulers that look at them. */
    void (*queued)(const void *st, uint8_t *by_bank);
    /* Ready warps did not issue in cycle t. What that is charged to, if it was the policy's doing; else 0. */
    unsigned (*why)(const void *st, uint64_t t);
};

/* `past` of a policy that keeps no value beyond the instruction that it was read for. */
void operands_keep_nothing(void *st, uint32_t warp, const struct kinsn *k);

extern const struct operands_ops *const operands_list[]; /* NULL-terminated */
const struct operands_ops *operands_find(const char *name);

#endif
