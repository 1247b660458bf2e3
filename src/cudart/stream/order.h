/* SPDX-License-Identifier: Apache-2.0 */
/* Who waits for whom: the order that CUDA promises among kernel launches, as the trace keeps it.
 *
 * A frontier is a minimal set of launches that must have ended before something may start: none of them is known to come
 * before another. Streams, events, graph nodes and the host itself each have one; waiting is taking over the other's
 * frontier. Work is executed at the call, so nothing here decides what happens, only what a timing model may overlap. */
#ifndef CUDART_ORDER_H
#define CUDART_ORDER_H

#include "base/vec.h"

#include <stdbool.h>

struct rt_front {
    VEC(uint32_t) launches; /* ascending */
};

struct rt_order {
    uint64_t tick; /* counts changes of frontiers */
    /* after-lists of all launches, by number: after.at[first.at[i]] up to first.at[i + 1] */
    VEC(uint32_t) first;
    VEC(uint32_t) after;
    VEC(uint32_t) mark; /* of a search: its number, by launch */
    VEC(uint32_t) todo;
    uint32_t search;
    struct rt_front joined; /* what the host has waited for */
    uint64_t joined_tick;
    /* What destroyed streams have left to wait for: [0] those that the legacy stream waits for, [1] non-blocking ones. */
    struct rt_front lost[2];
    uint64_t lost_tick;
};

void rt_order_free(struct rt_order *o);
/* dst takes over src: afterwards it is the minimal frontier of both. True if dst changed. */
bool front_merge(struct rt_order *o, struct rt_front *dst, const struct rt_front *src);
void front_copy(struct rt_front *dst, const struct rt_front *src);
void front_free(struct rt_front *f);
/* A launch that comes after f has run. Its number: as given, or the next one for UINT32_MAX. f becomes the launch. */
uint32_t rt_order_launch(struct rt_order *o, struct rt_front *f, uint32_t launch);
/* What a launch came after. */
const uint32_t *rt_order_after(const struct rt_order *o, uint32_t launch, uint32_t *n);

#endif
