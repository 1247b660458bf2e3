/* SPDX-License-Identifier: Apache-2.0 */
/* Units that work for a warp while it goes on (Hopper): barrier objects in shared memory that warps sleep at, the copy
 * engine, and the tensor cores' products of a warp group. An SM has this state from the first instruction of that kind on;
 * others do not pay for it.
 *
 * What such an instruction is asked to do comes with its step: parameters, or addresses and values by lane (trace/code/kernel.h).
 * They are kept in one of the SM's blocks from fetch to issue. */
#ifndef SM_ASYNC_ASYNC_H
#define SM_ASYNC_ASYNC_H

#include "sm/core.h"

struct async;

/* Before issue: the step's parameters go into a block of the entry. */
void async_fetched(struct sm *s, const struct tr_insn *i, const struct tr_step *step, struct ientry *e);
/* issue: ROUTE_OBJECT, ROUTE_COPY, ROUTE_PRODUCT. */
void async_issue(struct part *p, uint32_t w, struct ientry *e, uint64_t t);
/* EV_ASYNC */
void async_event(struct sm *s, uint32_t arg, uint64_t t);
/* A reply to the copy engine (L1_COPY). */
void async_reply(struct sm *s, uint32_t tag, uint64_t t);
/* A line of another SM's copy (L1_CAST). */
void async_cast_reply(struct sm *s, uint32_t tag, uint64_t t);
/* An operation on a barrier object of the CTA of a slot (enum tr_mbar) comes in cycle t; it counts sm.object_cyc later. */
void async_object(struct sm *s, uint32_t slot, uint32_t at, uint32_t op, uint32_t value, uint64_t t);
/* A CTA appears in a slot. */
void async_begin(struct sm *s, uint32_t slot);
void async_free(struct sm *s);

#endif
