/* Replies of the memory system on their way into the SM: in the order of their times, equal ones by tag. The port takes one after
 * the other. */
#ifndef SM_REPLIES_H
#define SM_REPLIES_H

#include "sm/core.h"

/* Those that sm_replies has got since the last call. */
void replies_sort(struct sm *s);

/* The cycle in which the port takes the next one. */
static inline uint64_t reply_next(const struct sm *s)
{
    const struct replies *q = &s->replies;
    return !q->n ? NEVER : q->at[q->head].at > s->port_free ? q->at[q->head].at : s->port_free;
}

/* All that the port takes in cycle t. */
void replies_take(struct sm *s, uint64_t t);
/* Those that come before cycle `until`, which have their cycles for themselves as long as nothing comes of them. False: something
 * has, in cycle s->now. */
bool replies_take_alone(struct sm *s, uint64_t until);
/* In L1's turn: the one that the port takes in cycle t, the next one, in which nobody else has anything to do. False: something
 * has come of it for that cycle. */
bool replies_take_early(struct sm *s, uint64_t t);

#endif
