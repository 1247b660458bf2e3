/* What happens at a known later cycle: a wheel with a list of events for each of the next WHEEL cycles (event.c), and lists of
 * flights whose results come within DUE cycles. All of a cycle comes in the order in which it was made, the latter first. */
#ifndef SM_WHEEL_H
#define SM_WHEEL_H

#include "base/hint.h"

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

struct due {
    uint64_t bits;                  /* cycles that have some, by their low bits */
    uint32_t first[DUE], last[DUE]; /* flights (put_due, lsu_pack) */
};

void event_at(struct sm *s, uint64_t t, enum event_kind kind, uint32_t part, uint32_t arg);
uint64_t event_next(const struct sm *s);
ASIDE void event_one(struct sm *s, const struct event *e, uint64_t t); /* it has come */

#endif
