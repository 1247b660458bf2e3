/* SPDX-License-Identifier: Apache-2.0 */
/* Inside sm/async: the state of an SM, shared by its files. */
#ifndef SM_ASYNC_INSIDE_H
#define SM_ASYNC_INSIDE_H

#include "sm/async/async.h"

enum {
    OBJECT_SLOTS = 128, /* of a CTA's table to begin with: a power of two, at most half full */
    PRODUCT_GROUPS = 8, /* groups of products that a warp's waits tell apart */
};

/* A barrier object: what the phase still waits for. */
struct object {
    uint32_t at; /* 1 + shared address; 0: free */
    uint32_t count;
    int32_t pending; /* arrivals; those of later phases make it negative */
    int32_t tx;      /* bytes; those that come before they are expected make it negative */
    uint32_t phase;
};

struct async_cta {
    struct object *objects;
    uint32_t nobjects, slots;
    uint32_t serial; /* sm_cta's: what comes late for an earlier one of the slot is dropped */
};

struct async_warp {
    uint16_t waits; /* block of a wait that it sleeps in; NONE16: none */
    uint32_t wait_mask;
    bool for_queue;                 /* it sleeps until the copy engine has room */
    uint64_t last;                  /* cycle its last product is done */
    uint64_t group[PRODUCT_GROUPS]; /* cycles in which committed groups are done, oldest first */
    uint8_t ngroups;
    struct groups stores; /* in bulk */
};

/* Something that takes effect later. */
enum later_kind { LATER_OBJECT, LATER_COPIED, LATER_CAST };
struct later {
    uint32_t next; /* free list */
    uint8_t kind, op;
    uint32_t slot, serial;
    /* LATER_OBJECT: address, and enum tr_mbar's value; LATER_COPIED: job; LATER_CAST: of casts */
    uint32_t at, value;
};

/* A copy of rows: the next line to ask for, and what is on its way. */
struct job {
    uint32_t next;
    uint8_t op; /* enum tr_bulk */
    bool asked; /* for all of it */
    uint16_t part, warp;
    uint32_t slot, serial, group;
    uint64_t from, row, off; /* first byte; the row that is walked; how far in it */
    uint64_t row_b;
    uint64_t n[4], stride[4], at[4];
    uint32_t object; /* address of the barrier object, of loads */
    uint32_t bytes, outstanding;
    bool own;              /* it is one of those that receive it */
    uint32_t sent;         /* lines that were asked for, of loads */
    struct far_cast *cast; /* NULL: nobody else does */
};

/* A copy of another SM that comes here. */
struct casted {
    uint32_t next;
    uint32_t slot, serial, object, bytes;
    uint32_t left; /* lines that memory has sent and that are not there yet */
    bool closed;   /* there will be no other */
};

struct async {
    struct sm *s;
    struct async_cta *ctas;   /* by slot */
    struct async_warp *warps; /* by partition and slot */
    VEC(struct later) later;
    uint32_t free_later;
    VEC(struct job) jobs;
    uint32_t free_job;
    VEC(uint32_t) queue; /* jobs that have lines to ask for, in order */
    uint64_t at;         /* when the engine may ask for the next one, in fractions */
    VEC(struct casted) casts;
    uint32_t free_cast;
};

struct async *async_of(struct sm *s);
static inline struct async_warp *async_warp(struct async *a, const struct part *p, uint32_t w)
{
    return &a->warps[p->id * a->s->cfg->warps + w];
}
void async_later(struct async *a, uint64_t t, struct later l);
/* The warp sleeps; it goes on. */
void async_sleep(struct part *p, uint32_t w);
void async_wake(struct part *p, uint32_t w, uint32_t cyc, uint64_t t);

/* object.c */
void object_issue(struct part *p, uint32_t w, struct ientry *e, uint64_t t);
void object_apply(struct async *a, const struct later *l, uint64_t t);
void object_bytes(struct async *a, uint32_t slot, uint32_t at, uint32_t bytes, uint64_t t); /* have come */
void objects_free(struct async_cta *c);

/* copy.c */
void copy_issue(struct part *p, uint32_t w, const struct ientry *e, uint64_t t);
void copy_reply(struct async *a, uint32_t job, uint64_t t);
void copy_finish(struct async *a, uint32_t job, uint64_t t);
void copy_init(struct async *a);
void copy_free(struct async *a);

/* cast.c */
/* The CTAs that receive a load of c's: those of a mask of ranks, or the one whose object it names. */
void cast_receivers(struct job *j, const struct sm_cta *c, uint32_t ranks);
/* A copy to shared memory of another CTA leaves; nobody here waits for it. */
void cast_between(struct sm *s, const struct sm_cta *c, const struct job *j, uint64_t t);
/* Nothing of a copy is in memory: its bytes count at the objects of others all the same. */
void cast_nothing(struct sm *s, const struct job *j, uint64_t t);
void cast_finish(struct async *a, uint32_t n, uint64_t t);

/* product.c */
void product_issue(struct part *p, uint32_t w, const struct ientry *e, uint64_t t);

#endif
