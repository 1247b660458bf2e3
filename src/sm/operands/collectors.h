/* Inside the collector units: for collectors.c, and for policies that do more with the same units and queues. Their state begins with
 * a struct collectors. */
#ifndef SM_OPERANDS_COLLECTORS_H
#define SM_OPERANDS_COLLECTORS_H

#include "sm/core.h"

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
    bool used;
    uint8_t got; /* operands in this cycle */
};

struct collectors {
    struct part *p;
    struct unit *units;
    struct bankq *banks;
    uint32_t n, cap; /* collectors; ring capacity */
    uint32_t used;
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

/* A unit that is free; there must be one. It is not taken. */
uint32_t collectors_free_unit(const struct collectors *c);
uint64_t collectors_free_units(const struct collectors *c); /* by bit */
/* Puts an instruction into unit u, which is free: `left` operands come from the banks, and it does not leave before cycle `ready`. */
void collectors_take(struct collectors *c, uint32_t u, uint32_t flight, uint32_t left, uint64_t ready);
/* The same for an instruction issued in cycle t whose operands `hits`, by bit, are in a register cache: the others are queued, and all are
 * counted. With nothing to read from a bank it has no cycle of reading. */
void collectors_take_cached(struct collectors *c, uint32_t u, uint32_t flight, uint32_t hits, uint64_t t);
/* Queues a read of operand i of the instruction in unit u, which may be served after cycle t. */
void collectors_queue(struct collectors *c, uint32_t u, uint32_t i, uint64_t t);

#endif
