/* SPDX-License-Identifier: Apache-2.0 */
/* The network between the SMs of clusters: messages on their way, each with the cycle in which it is there (sm/cluster/far.h).
 * The GPU takes what SMs have left behind after a window and gives out what is for the next one before it; in which order
 * depends on cycles and SMs only. */
#ifndef GPU_NET_H
#define GPU_NET_H

#include "sm/cluster/far.h"

struct net_msg {
    struct far_msg m;
    uint64_t number; /* of all that were taken */
};

struct net {
    VEC(struct net_msg) heap; /* by cycle, then in the order in which they were taken */
    uint64_t taken;
};

void net_free(struct net *n);
/* What an SM has sent. Call for the SMs in order, after each window. */
void net_take(struct net *n, struct sm *from);
/* The next message that is there before cycle `until`. False: none. */
bool net_pop(struct net *n, uint64_t until, struct far_msg *m);
uint64_t net_next(const struct net *n); /* cycle of the next message; UINT64_MAX: none */
/* The replies of memory to all SMs in a window: those to copies that others receive go to these, too. */
void net_cast(struct sm **sms, uint32_t nsm, mem_replies *replies);

#endif
