/* SPDX-License-Identifier: Apache-2.0 */
/* What the SMs of a cluster tell each other: accesses to each other's shared memory, operations on each other's barrier objects,
 * arrivals at the cluster's barrier, and bulk copies that several of them receive.
 *
 * An SM leaves messages while it runs, each with the cycle in which it is there; the GPU takes them between windows and gives
 * each to its SM before the window of that cycle (gpu/net.h). None takes less than a window. */
#ifndef SM_FAR_H
#define SM_FAR_H

#include "sm/sm.h"

/* A CTA of a cluster. */
struct far_cta {
    uint16_t sm, slot;
    /* Of all that the SM has started: what comes late for an earlier one of the slot is dropped */
    uint32_t serial;
};

enum far_kind {
    FAR_READ,    /* a load, or an atomic whose old value somebody wants */
    FAR_WRITE,   /* a store or another atomic */
    FAR_DATA,    /* the answer to FAR_READ */
    FAR_OBJECT,  /* an operation on a barrier object */
    FAR_ARRIVED, /* all threads of a CTA at the cluster's barrier */
    FAR_GONE,    /* all of them have exited */
    FAR_ALONE,   /* as FAR_ARRIVED, of a CTA that has no others, to itself */
};

struct far_msg {
    uint64_t at; /* cycle in which it is there */
    uint16_t from;
    struct far_cta to; /* FAR_DATA: no CTA, only its SM */
    uint8_t kind;      /* enum far_kind */
    uint8_t op;        /* FAR_OBJECT: enum tr_mbar */
    uint8_t passes;    /* READ, WRITE: cycles of shared memory */
    uint8_t rank;      /* ARRIVED, GONE: whose */
    bool atomic;       /* READ */
    uint16_t bytes;    /* READ: of the answer */
    uint32_t who; /* READ, DATA: the instruction, by the name that the load-store unit of its SM has for it */
    uint32_t object; /* WRITE: 1 + address of the object that gets the bytes, 0: none; OBJECT: address */
    uint32_t value;  /* WRITE, OBJECT: what the object gets */
};
typedef VEC(struct far_msg) far_msgs;

/* The CTAs of a cluster have their places, which are `all`; s has the one of this rank. */
void sm_far_join(struct sm *s, uint32_t rank, const struct far_cta *all, uint32_t n);
/* What others of its cluster call the CTA of a slot. */
struct far_cta sm_far_cta(const struct sm *s, uint32_t slot);
far_msgs *sm_far_sent(struct sm *s); /* since they were last taken; the caller empties it */
/* A message for the window that begins in cycle `now`. */
void sm_far_give(struct sm *s, uint64_t now, const struct far_msg *m);

/* A bulk copy whose lines several SMs receive: of each reply of memory to one of its lines the others get theirs. */
struct far_cast {
    struct far_cta to[TR_CLUSTER_MAX]; /* but for the SM that asks */
    uint32_t entry[TR_CLUSTER_MAX];    /* 1 + what these know it by; 0: it has had no line yet */
    uint32_t n;
    uint32_t object, bytes; /* the object of each, and what it gets at the end */
    uint32_t lines;         /* replies that have come so far */
};
/* The copy that a reply belongs to; NULL: none that others receive. *last: there will be no other reply. *own: its SM is one of
 * those that receive it. */
struct far_cast *sm_cast(struct sm *s, const struct mem_reply *r, bool *last, bool *own);
/* Such a reply as the SM of c->to[i] gets it. */
struct mem_reply sm_cast_give(struct sm *s, struct far_cast *c, uint32_t i, const struct mem_reply *r,
                              bool last);

#endif
