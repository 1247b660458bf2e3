/* SPDX-License-Identifier: Apache-2.0 */
/* Things that happen at a known later cycle: a wheel of lists, one per cycle. */
#include "sm/async/async.h"
#include "sm/stages/flight.h"

void event_more(struct sm *s)
{
    uint32_t n = s->calendar.events.n;
    vec_resize(&s->calendar.events, n ? 2 * n : 64);
    for (uint32_t i = s->calendar.events.n; i-- > n;) {
        s->calendar.events.at[i].next = s->calendar.free_event;
        s->calendar.free_event = i;
    }
}

void event_at(struct sm *s, uint64_t t, enum event_kind kind, uint32_t part, uint32_t arg)
{
    put_event(s, t, kind, part, arg);
}

/* Events lie less than WHEEL cycles ahead, so the first occupied slot from now on is the next one. */
static uint64_t wheel_next(const struct sm *s)
{
    _Static_assert(WHEEL / 64 == 32, "wheel_words has a bit for every word");
    if (!s->calendar.words)
        return NEVER;
    uint32_t from = s->clock.now % WHEEL, w = from / 64;
    uint64_t bits = s->calendar.bits[w] & ~0ull << from % 64;
    if (!bits) {
        /* The next word that is not 0; the first one again comes last. */
        uint32_t after = w == 31 ? 0 : s->calendar.words & ~0u << (w + 1);
        w = (uint32_t)__builtin_ctz(after ? after : s->calendar.words);
        bits = s->calendar.bits[w];
    }
    return s->clock.now + (w * 64 + (uint32_t)__builtin_ctzll(bits) - from) % WHEEL;
}

uint64_t event_next(const struct sm *s)
{
    uint64_t wheel = wheel_next(s), bits = s->calendar.due.bits;
    if (!bits)
        return wheel;
    uint32_t from = s->clock.now % DUE;
    uint64_t due = s->clock.now + (uint32_t)__builtin_ctzll(bits >> from | bits << (DUE - from) % DUE);
    return due < wheel ? due : wheel;
}

void event_one(struct sm *s, const struct event *e, uint64_t t)
{
    struct part *p = &s->parts[e->part];
    switch ((enum event_kind)e->kind) {
    case EV_COPIED: async_done(p, p->flights[e->arg].warp, p->flights[e->arg].group); /* fall through */
    case EV_RESULT: flight_result(p, e->arg); break;
    case EV_UNHOLD:
    case EV_GUARD:
    case EV_READ: return; /* take_event */
    case EV_FETCHED: fetch_arrived(p, e->arg); break;
    case EV_BARRIER: sm_cta_release(s, e->arg / BARRIERS, e->arg % BARRIERS); return;
    case EV_START: sm_cta_begin(s, e->arg); return;
    case EV_DECIDE: tenants_decide(s, t); return;
    case EV_ASYNC: async_event(s, e->arg, t); return;
    case EV_FAR: far_event(s, e->arg, t); return;
    case EV_FENCE: fence_event(p, e->arg, t); return;
    }
    part_wake(p, t);
}
