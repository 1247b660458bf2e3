/* Blocks that a pass over the static code has yet to look at, each once; at first all, the first one first. What changes on the
 * way goes to the front, so that the time does not depend on the order in which blocks stand. */
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
