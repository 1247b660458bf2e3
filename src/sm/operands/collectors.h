/* Inside the collector units: for collectors.c, and for policies that do more with the same units and queues. Their state begins with
 * a struct collectors. */
#ifndef SM_OPERANDS_COLLECTORS_H
#define SM_OPERANDS_COLLECTORS_H

#include "sm/core.h"

enum {
    OPERAND_SLOTS = 6
}; /* registers that a plain collector can hold: a tensor core's sources (Malekeh paper, section III-C) */

struct read {
    uint32_t since; /* cycle, its low bits */
    uint16_t unit;  /* collector */
    uint8_t operand;
};

struct bankq {
    struct read *q; /* ring, one entry per operand of every collector */
    uint32_t head, n;
};

struct unit {
    uint64_t ready; /* cycle it may leave, once its reads are done */
    uint32_t flight;
    uint8_t left; /* reads */
    uint8_t got;  /* operands in this cycle, where that is limited */
};

struct collectors {
    struct part *p;
    struct unit *units;
    struct bankq *banks;
    uint32_t n, cap;  /* collectors; ring capacity */
    bool limited;     /* the banks can deliver more in a cycle than a collector can take */
    uint64_t used;    /* collectors with an instruction, or reserved for one */
    uint64_t full;    /* of these: with all operands */
    uint64_t waiting; /* banks with reads */
    uint32_t next;    /* collector that dispatches first: rotates, so that none starves */
};

void collectors_init(void *st, struct part *p);
void collectors_init_n(struct collectors *c, struct part *p,
                       uint32_t n); /* n units, whatever is configured */
void collectors_free(void *st);
bool collectors_room(void *st, uint32_t warp);
void collectors_issue(void *st, uint32_t flight, uint64_t t);
void collectors_dispatch(void *st, uint64_t t);
void collectors_collect(void *st, uint64_t t);
uint64_t collectors_serve(struct collectors *c, uint64_t t); /* collect; the banks that were read */
uint64_t collectors_next(const void *st, uint64_t t);
void collectors_queued(const void *st, uint8_t *by_bank);
unsigned collectors_why(const void *st, uint64_t t);

/* Storage of `units` collectors per partition that keep `entries` registers each, instead of the plain ones' operands; `bits` more for each
 * entry. Two rows and one for these. */
uint32_t collectors_storage(const struct sm_cfg *cfg, uint64_t units, uint64_t entries, uint64_t bits,
                            struct storage_row *rows);

/* A unit that is free; there must be one. It is not taken. */
uint32_t collectors_free_unit(const struct collectors *c);
/* Takes unit u for an instruction, or reserves it. */
void collectors_put(struct collectors *c, uint32_t u, struct unit what);
uint64_t collectors_free_units(const struct collectors *c); /* by bit */
/* Takes unit u for an instruction issued in cycle t whose operands `hits`, by bit, are in a register cache: the others are queued, and all are
 * counted. With nothing to read from a bank it has no cycle of reading. */
void collectors_take_cached(struct collectors *c, uint32_t u, uint32_t flight, uint32_t hits, uint64_t t);
/* Queues a read of operand i of the instruction in unit u, which may be served after cycle t. */
void collectors_queue(struct collectors *c, uint32_t u, uint32_t i, uint64_t t);

#endif
