/* SPDX-License-Identifier: Apache-2.0 */
/* Which whole runs come next, and what may still be on the front. */
#ifndef CLI_LAB_EXPLORE_PICK_H
#define CLI_LAB_EXPLORE_PICK_H

#include "cli/lab/explore_guess.h"

/* At most `want` runs, which are not there yet, of what may be on the front; `left`: that the budget has. 0: nothing that it is
 * enough for. out has room for `left`. */
uint32_t explore_pick(const struct explore_guess *g, uint32_t want, uint32_t left, struct explore_run *out);
/* Points that lack whole runs and may be on the front, for all that is known. */
uint32_t explore_open(const struct explore_guess *g);

#endif
