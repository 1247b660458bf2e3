/* SPDX-License-Identifier: Apache-2.0 */
/* What load-store units have in common: a queue of instructions, one line of an access, the end of an access, shared memory,
 * constants. */
#ifndef SM_LSU_STEPS_H
#define SM_LSU_STEPS_H

#include "sm/core.h"
#include "sm/lsu/ring.h"

/* The name of a flight in the SM, as policies have it in their queues: partition and flight in one word. */
static inline uint32_t lsu_pack(uint32_t part, uint32_t flight) { return part << 24 | flight; }
static inline uint32_t lsu_part(uint32_t who) { return who >> 24; }
static inline uint32_t lsu_flight(uint32_t who) { return who & 0xffffff; }
static inline struct flight *lsu_at(const struct sm *s, uint32_t who)
{
    return &s->parts[lsu_part(who)].flights[lsu_flight(who)];
}

/* The number of a warp in its SM: slots of the partitions in turn. */
static inline uint32_t lsu_warp(const struct sm *s, uint32_t who)
{
    return lsu_at(s, who)->warp * s->cfg->partitions + lsu_part(who);
}

/* Memory instructions in the order they come, sm.lsu_queue of them at most. A policy whose state begins with one has `room` and
 * `push` of lsu_ops from here. */
struct lsu_queue {
    struct sm *s;
    struct ring ring;
    uint32_t *who;
};
void lsu_queue_init(struct lsu_queue *q, struct sm *s);
void lsu_queue_free(struct lsu_queue *q);
bool lsu_queue_room(const void *st, uint32_t part, uint32_t flight);
void lsu_queue_push(void *st, uint32_t part, uint32_t flight);
static inline uint32_t lsu_queue_first(const struct lsu_queue *q) { return q->who[q->ring.head]; }
void lsu_queue_pop(struct lsu_queue *q, uint64_t t); /* the first, in cycle t */

/* L1 is asked for some sectors of a line, as the instruction wants them. False: ask again. */
bool lsu_ask(struct sm *s, uint32_t who, struct flight *l, uint64_t line, uint8_t sectors, uint64_t t);
/* A line of an access goes to L1, as its list has it. False: it must wait (sm/l1/l1.h). The caller moves next_line on. */
bool lsu_line(struct sm *s, uint32_t who, struct flight *l, uint64_t at, uint64_t t);
/* The access is counted and its list given back. */
void lsu_counted(struct sm *s, uint32_t who);
/* All lines have gone to L1: the access is counted, its list given back, and it is complete if nothing is on its way. */
void lsu_lines_done(struct sm *s, uint32_t who, uint64_t t);
/* Cycles from lookup to result, for a load whose lines are all there. */
uint32_t lsu_hit_cyc(const struct sm *s, const struct kinsn *k);

/* An access without lines, which claims the array of shared memory, here or in other SMs of the cluster, or one to constants.
 * Returns the cycle from which the unit can take another instruction. */
uint64_t lsu_aside(struct sm *s, uint32_t who, uint64_t t);
static inline bool lsu_is_aside(const struct flight *l) { return !ientry_has_lines(&l->i); }
/* From the access to shared memory to its result. */
uint32_t lsu_shared_cyc(const struct sm *s, bool atomic);

#endif
