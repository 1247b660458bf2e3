/* SPDX-License-Identifier: Apache-2.0 */
/* Flights for those beside the stages. */
#include "sm/stages/flight.h"

void flight_more(struct part *p)
{
    uint32_t n = p->nflights ? p->nflights * 2 : 32;
    struct flight *all = xraw_lines(n, sizeof *all);
    memset(all + p->nflights, 0, sizeof *all * (n - p->nflights));
    if (p->nflights)
        memcpy(all, p->flights, sizeof *all * p->nflights);
    free(p->flights);
    p->flights = all;
    for (uint32_t i = n; i-- > p->nflights;) {
        p->flights[i].i.lines.block = NONE16; /* a list without lines has no block */
        p->flights[i].next = p->free_flight;
        p->free_flight = i;
    }
    p->nflights = n;
}

/* As EV_UNHOLD. */
void flight_unhold(struct part *p, uint32_t f)
{
    struct flight *l = &p->flights[f];
    give_flight(p, l, f);
    unhold_warp(p, l->warp, FEATURES_ALL);
}

uint32_t flight_new(struct part *p) { return take_flight(p); }

void flight_result(struct part *p, uint32_t f) { p->sm->stages->result(p, f); }
