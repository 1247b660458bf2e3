/* SPDX-License-Identifier: Apache-2.0 */
#include "annotate/worklist.h"

#include "base/arena.h"

#include <stdlib.h>

void worklist_init(struct worklist *t, uint32_t nblocks)
{
    *t = (struct worklist){.at = xcalloc(nblocks + 1, sizeof *t->at),
                           .in = xcalloc(nblocks + 1, sizeof *t->in)};
    for (uint32_t n = nblocks; n-- > 0;)
        worklist_add(t, n);
}

void worklist_free(struct worklist *t)
{
    free(t->at);
    free(t->in);
}

void worklist_add(struct worklist *t, uint32_t block)
{
    if (t->in[block])
        return;
    t->in[block] = true;
    t->at[t->n++] = block;
}

bool worklist_take(struct worklist *t, uint32_t *block)
{
    if (!t->n)
        return false;
    *block = t->at[--t->n];
    t->in[*block] = false;
    return true;
}
