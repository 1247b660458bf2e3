/* SPDX-License-Identifier: Apache-2.0 */
/* The simple memory: a fixed latency, and a share of the bandwidth for each SM. Internal to mem/. */
#ifndef MEM_SIMPLE_H
#define MEM_SIMPLE_H

#include "mem/mem.h"

struct simple {
    const struct mem_cfg *cfg;
    uint32_t nsm;
    mem_reqs *sent; /* by SM: in this window */
    uint64_t *free; /* by SM: its share of the bandwidth, in bytes delivered */
    uint64_t stats[MS_COUNT];
};

void simple_init(struct simple *s, const struct mem_cfg *cfg, uint32_t nsm);
void simple_free(struct simple *s);
/* Different SMs may send in parallel. */
void simple_send(struct simple *s, uint32_t sm, const struct mem_req *from, uint32_t n);
/* After the window: the replies to what was sent in it. */
void simple_give(struct simple *s, mem_replies *to_sm);

#endif
