/* SPDX-License-Identifier: Apache-2.0 */
/* Messages between the SMs of a cluster, as an SM sends and takes them (far.c). */
#ifndef SM_FAR_INSIDE_H
#define SM_FAR_INSIDE_H

#include "sm/part.h"

struct far_held {
    struct far_msg m;
    uint32_t next; /* free list */
};
struct far {
    far_msgs out;
    VEC(struct far_held) in; /* for cycles to come */
    uint32_t free;
    uint64_t port;      /* cycle in which the next message may leave */
    uint64_t copy_port; /* ... line of a bulk copy to another CTA */
};

/* A step whose lanes name CTAs of the cluster, or barrier objects that their stores count at: what each of these gets is
 * noted. False: it is neither. Only for CTAs that have a cluster, and for instructions that announce. */
bool far_of_step(struct sm *s, const struct part *p, uint32_t w, const struct tr_step *step,
                 struct ientry *e);
uint64_t far_step(struct sm *s, uint32_t who, uint64_t t); /* as lsu_aside */
/* The CTA that a shared address names: its rank. That of c itself, where it has no cluster. */
uint32_t far_rank(const struct sm_cta *c, uint64_t addr);
static inline uint32_t far_own(const struct sm_cta *c) { return c->cluster ? c->cluster->rank : 0; }
/* A message to a CTA of c's cluster, or to any, that is there in cycle m->at; the network's latency is the caller's to add. */
void far_send(struct sm *s, const struct sm_cta *c, uint32_t rank, const struct far_msg *m);
void far_send_to(struct sm *s, const struct far_cta *to, const struct far_msg *m);
void far_event(struct sm *s, uint32_t arg, uint64_t t); /* EV_FAR */
enum { FAR_OFFSET = 0xffffff, FAR_RANK_SHIFT = 24 };    /* of a shared address */

#endif
