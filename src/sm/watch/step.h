/* SPDX-License-Identifier: Apache-2.0 */
/* The way of single instructions through a partition, for those who watch it (sm_observer.step): a pipeline view. Stages call
 * the functions below where something happens to an instruction, and ask s->trust.steps first; nothing here changes what
 * happens. An SM that is watched so has the feature STEPS (features.h), and the stages of other SMs do not even ask. */
#ifndef SM_STEP_H
#define SM_STEP_H

#include "base/hint.h"
#include "sm/sm.h"

enum sm_step_kind {
    SM_STEP_ASKED,    /* the warp asks for the code behind the newest instruction in its buffer */
    SM_STEP_FETCHED,  /* `n` instructions more are in its buffer: the first cycle in which one could issue */
    SM_STEP_ISSUED,   /* with all members below: whose instruction it is, and where */
    SM_STEP_COLLECTS, /* it takes collector `n` of its partition */
    SM_STEP_READ,     /* operand `reg` is there */
    SM_STEP_LEFT,     /* it leaves its collector with all operands */
    SM_STEP_STARTED,  /* its unit of execution, or the load-store unit, takes it */
    SM_STEP_RESULT,   /* its result is there */
    SM_STEP_WRITTEN,  /* result `reg` is in its bank, or kept by the policy of the operands */
    SM_STEP_OVER,     /* nothing of it is on its way any more */
};

#define SM_STEP_NONE UINT32_MAX

/* Steps come in the order in which the model makes them. One that is decided beforehand (an operand path that reserves its banks)
 * has a cycle to come in `at`. */
struct sm_step {
    uint64_t at;  /* cycle */
    uint64_t age; /* of the warp: its number among all that the SM has started */
    /* What the instruction is known by in its partition until it is over; SM_STEP_NONE: it has no unit */
    uint32_t flight;
    uint32_t n;       /* FETCHED, COLLECTS */
    uint32_t waited;  /* READ: cycles that it waited for its bank */
    uint32_t bank;    /* READ, WRITTEN; SM_STEP_NONE: it was not a bank */
    const char *from; /* READ, not from a bank: the kind of place (operands_ops.found) */
    uint8_t kind;     /* enum sm_step_kind */
    uint8_t part, slot;
    uint8_t reg; /* READ, WRITTEN */
    /* ISSUED. */
    struct sm_place place;
    uint32_t launch, cta, warp; /* of its program; of the launch; of the CTA */
    uint32_t mask;              /* lanes */
    const char *unit;           /* NULL: none */
    /* STARTED, of an access: lines of memory that it touches, and cycles that it takes in shared memory. */
    uint32_t lines, passes;
};

struct part;
struct inext;

SELDOM void step_asked(const struct part *p, uint32_t warp, uint64_t t);
SELDOM void step_fetched(const struct part *p, uint32_t warp, uint32_t n);
SELDOM void step_issued(const struct part *p, uint32_t warp, const struct inext *e, uint32_t flight,
                        uint64_t t);
SELDOM void step_collects(const struct part *p, uint32_t flight, uint32_t unit, uint64_t t);
/* Operands, by bit, that need not be read from a bank. */
SELDOM void step_found(const struct part *p, uint32_t flight, uint32_t operands, uint64_t t);
SELDOM void step_read(const struct part *p, uint32_t flight, uint32_t i, uint32_t bank, uint64_t t,
                      uint32_t waited);
/* Destination i: into its bank, or not. */
SELDOM void step_written(const struct part *p, uint32_t flight, uint32_t i, bool banked);
/* LEFT, STARTED, RESULT, OVER. */
SELDOM void step_at(const struct part *p, uint32_t flight, enum sm_step_kind kind, uint64_t t);

#endif
