/* SPDX-License-Identifier: Apache-2.0 */
/* Where the lanes of a branch inside a loop meet again although some of them may leave the loop on the way. */
#ifndef COMPILE_MEET_H
#define COMPILE_MEET_H

#include "ir/cfg.h"

struct meet {
    const struct ir_fn *fn;
    const struct ir_cfg *c;
    uint32_t *seen, walk; /* by block: the walk that came by last */
};

/* The first block that every way from x passes which stays in the innermost loop around x, or CFG_NONE. */
uint32_t meet_in_loop(struct meet *w, uint32_t x);
/* Walks from x along ways that stay in its loop and do not pass m. Does one of them lead back to the header? */
bool meet_avoided(struct meet *w, uint32_t x, uint32_t m);
/* Is y, in the loop of x, reached by some lanes of a branch in x only rounds later than by others? */
bool meet_is_late(struct meet *w, uint32_t x, uint32_t y);
/* After a call that found one: is b on a way there? x is not. */
static inline bool meet_between(const struct meet *w, uint32_t b) { return w->seen[b] == w->walk; }
/* Is block b in the loop of that header? */
bool meet_inside(const struct ir_cfg *c, uint32_t header, uint32_t b);

#endif
