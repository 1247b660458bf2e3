/* SPDX-License-Identifier: Apache-2.0 */
/* The SMs and the memory system through one window after the other, by a team of threads. What the run must know of an SM between
 * two windows is kept beside the others' in one place: an SM lies in the cache of the processor that stepped it, and to ask all
 * of them would take as long as a good part of the window. */
#ifndef GPU_WINDOWS_H
#define GPU_WINDOWS_H

#include "gpu/net.h"
#include "gpu/team.h"
#include "mem/mem.h"
#include "sm/sm.h"

/* An SM after its last step. */
struct sm_seen {
    uint64_t next;    /* cycle of its next event */
    uint64_t request; /* of its first request that has not left; UINT64_MAX: none */
    uint64_t issued;
    uint64_t work; /* how many of them in its last step */
    /* When the first request that it sent in the last window reaches its channel; UINT64_MAX: it sent none */
    uint64_t arrives;
    uint32_t sent;      /* how many those were */
    uint64_t asked;     /* requests that memory has, and has not answered */
    bool ended, failed; /* CTAs have ended; sm_error says why */
};

/* A CTA that is to start on an SM. */
struct cta_start {
    uint64_t at; /* cycle */
    const struct sm_kernel *kernel;
    const struct sm_need *need;
    uint32_t launch, cta;
    struct sm_source from;
};
typedef VEC(struct cta_start) cta_starts;

struct windows {
    struct sm **sms;
    uint32_t nsm;
    struct memsys *mem;
    struct team *team;
    bool alone;           /* the team is one thread, and there are no clusters */
    bool back;            /* ... and steps SMs from the last to the first */
    struct sm_seen *seen; /* by SM */
    /* By SM, until it is stepped: what it does not take itself from the channels (memsys_take) */
    mem_replies *replies;
    uint32_t *active, nactive; /* SMs with something to do: those with much of it first */
    uint32_t nbusy;            /* how many these are */
    uint32_t *small;           /* the others, while they are listed */
    uint32_t *ends[2];         /* of both, by thread: each has SMs of its own, whose state is in its caches */
    uint64_t mean;             /* warp instructions that an active SM issued in the last window */
    /* CTAs that start in this window, by SM: the thread that steps it starts them. While `need` is set, `room` has how many more
     * such CTAs each SM has room for after its last step: who places them need not touch the SMs, which lie in others' caches. */
    cta_starts *starts;
    const struct sm_need *need;
    uint32_t *room;
    uint64_t now, until;
    uint64_t known;    /* SMs may run on to this cycle: all that comes to them before it is there */
    uint32_t requests; /* that were sent in the last window */
    uint32_t waiting;  /* SMs that were stepped in it and then waited for memory */
    /* SMs may run on beyond a window as long as they hear nothing from outside: the caller has nothing for them */
    bool ahead;
    bool clusters; /* there are some, or were: SMs have messages for each other */
    struct net net;
};

/* How many threads there is work for on so many SMs, of those that are wanted. */
uint32_t windows_threads(uint32_t nsm, uint32_t threads);
/* sms, mem and the team are the caller's. */
void windows_init(struct windows *w, struct sm **sms, uint32_t nsm, struct memsys *mem, struct team *team);
void windows_free(struct windows *w);
/* After the caller has changed an SM, or all of them. */
void windows_look(struct windows *w, uint32_t sm);
void windows_look_all(struct windows *w);
/* From now on it is known how many CTAs with this need each SM has room for; NULL: no more. */
void windows_need(struct windows *w, const struct sm_need *need);
/* ... whose room is known; it starts when its SM is stepped. */
void windows_start(struct windows *w, uint32_t sm, const struct cta_start *cta);
/* CTAs that have ended there were noted: their room is free. */
void windows_heard(struct windows *w, uint32_t sm);
/* All SMs and channels from cycle `now` to `until`. False: an SM failed. */
bool windows_step(struct windows *w, uint64_t now, uint64_t until);
/* The next cycle at which an SM, a channel or a message has something to do; UINT64_MAX: never. */
uint64_t windows_next(const struct windows *w);
uint64_t windows_issued(const struct windows *w); /* warp instructions, of all SMs */

#endif
