/* SPDX-License-Identifier: Apache-2.0 */
/* What happens at a known later cycle: a wheel with a list of events for each of the next WHEEL cycles (event.c), and lists of
 * flights whose results come within DUE cycles. All of a cycle comes in the order in which it was made, the latter first. */
#ifndef SM_WHEEL_H
#define SM_WHEEL_H

#include "base/hint.h"
#include "base/vec.h"

#include <stdint.h>

struct sm;

enum {
    WHEEL = 2048, /* cycles an event may lie ahead: a constant miss of 1000, then an instruction of 1000 */
};
enum { DUE = 64 }; /* struct due: cycles that lie ahead */

enum event_kind {
    EV_RESULT,
    EV_COPIED,
    EV_UNHOLD,
    EV_FETCHED,
    EV_GUARD,
    EV_READ,
    EV_BARRIER,
    EV_START,
    EV_DECIDE,
    EV_ASYNC,
    EV_FAR,
    EV_FENCE
};
struct event {
    uint32_t next;
    uint8_t kind, part;
    uint32_t arg;
};

/* Flights whose results come within DUE cycles: a list for each of these. */
struct due {
    uint64_t bits;                  /* cycles whose lists are not empty, by the low bits of the cycle */
    uint32_t first[DUE], last[DUE]; /* flights (put_due, lsu_pack) */
};

/* The calendar of an SM: what happens at a known later cycle. */
struct calendar {
    struct due due;      /* results and ends of branches that come soon */
    uint32_t words;      /* words of `bits` that are not 0 */
    uint32_t free_event; /* first of the unused places in `events`; UINT32_MAX: none */
    VEC(struct event) events;
    uint64_t bits[WHEEL / 64]; /* cycles that have events */
    /* Nobody reads the following before it is written: sm_new does not clear it. */
    uint32_t first[WHEEL], last[WHEEL]; /* first and last event of a cycle that has some */
};

void event_at(struct sm *s, uint64_t t, enum event_kind kind, uint32_t part, uint32_t arg);
uint64_t event_next(const struct sm *s);
ASIDE void event_one(struct sm *s, const struct event *e, uint64_t t); /* it has come */

#endif
