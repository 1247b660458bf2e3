/* SPDX-License-Identifier: Apache-2.0 */
/* The blocks that a pass over the static code has yet to look at, each at most once in the list. At first these are all blocks,
 * in their order. A block that is added later comes next, so that a pass takes the same time however the blocks are ordered. */
#ifndef ANNOTATE_WORKLIST_H
#define ANNOTATE_WORKLIST_H

#include <stdbool.h>
#include <stdint.h>

struct worklist {
    uint32_t *at, n;
    bool *in;
};
void worklist_init(struct worklist *t, uint32_t nblocks);
void worklist_free(struct worklist *t);
void worklist_add(struct worklist *t, uint32_t block);
bool worklist_take(struct worklist *t, uint32_t *block); /* false: none is left */

#endif
