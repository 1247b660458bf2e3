/* SPDX-License-Identifier: Apache-2.0 */
/* Events of the wheel (event.c), where stages make them. */
#ifndef SM_STAGES_EVENT_H
#define SM_STAGES_EVENT_H

#include "sm/stages/probe.h"

SELDOM void event_more(struct sm *s); /* places for events */

/* Has the wheel anything for the cycle? */
STAGE bool event_any(const struct sm *s, uint64_t t)
{
    return s->calendar.bits[t % WHEEL / 64] >> t % 64 & 1;
}

/* As event_at. */
STAGE void put_event(struct sm *s, uint64_t t, enum event_kind kind, uint32_t part, uint32_t arg)
{
    uint32_t slot = t % WHEEL;
    uint64_t *bits = &s->calendar.bits[slot / 64], bit = 1ull << slot % 64;
    if (RARE(s->calendar.free_event == UINT32_MAX))
        event_more(s);
    uint32_t i = s->calendar.free_event;
    struct event *e = &s->calendar.events.at[i];
    s->calendar.free_event = e->next;
    *e = (struct event){.next = UINT32_MAX, .kind = (uint8_t)kind, .part = (uint8_t)part, .arg = arg};
    /* Appended: events of one cycle run in the order they were made. */
    if (*bits & bit)
        s->calendar.events.at[s->calendar.last[slot]].next = i;
    else
        s->calendar.first[slot] = i;
    s->calendar.last[slot] = i;
    if (!*bits)
        s->calendar.words |= 1u << slot / 64;
    *bits |= bit;
}

#endif
