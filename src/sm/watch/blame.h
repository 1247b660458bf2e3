/* SPDX-License-Identifier: Apache-2.0 */
/* Which instruction a scheduler's cycle is charged to (blame.c): for those who watch, and for the counters of tenants. */
#ifndef SM_BLAME_H
#define SM_BLAME_H

#include "sm/part.h"

/* blame.c. Callers ask s->trust.places first, for events s->trust.watch. */
ASIDE void blame_warp(struct part *p, uint32_t scheduler, uint32_t w); /* the next instruction of a warp */
/* Of a cycle that issued nothing; `done` are warps that have issued in it for another scheduler. */
ASIDE void blame_wait(struct part *p, uint32_t scheduler, enum sm_stat cause, uint64_t done);
ASIDE void blame_tell(const struct part *p, uint32_t scheduler, enum sm_stat cause, uint64_t cycles);
/* A cycle of a scheduler that issued nothing: of whoever p->blamed says wanted to; else of whom a wait is charged to. */
ASIDE void blame_cycle(struct part *p, uint32_t scheduler, enum sm_stat cause, uint64_t t);
/* Of a tenant, where these are counted apart: an instruction has issued. */
ASIDE void blame_tenant(const struct part *p, uint32_t warp, uint32_t lanes);
/* Of an instruction in flight, or of the next one of a warp: n of its reads waited for their banks, so many cycles together. */
ASIDE void blame_reads(const struct part *p, uint32_t flight, uint32_t n, uint64_t waited);
ASIDE void blame_warp_reads(const struct part *p, uint32_t w, uint32_t n, uint64_t waited);
/* Extra cycles in shared memory */
ASIDE void blame_shared(const struct part *p, uint32_t flight, uint64_t n);

#endif
