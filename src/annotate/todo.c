#include "annotate/todo.h"

#include "base/arena.h"

#include <stdlib.h>

void todo_init(struct todo *t, uint32_t nblocks)
{
    *t = (struct todo){.at = xcalloc(nblocks + 1, sizeof *t->at), .in = xcalloc(nblocks + 1, sizeof *t->in)};
    for (uint32_t n = nblocks; n-- > 0;)
        todo_add(t, n);
}

void todo_free(struct todo *t)
{
    free(t->at);
    free(t->in);
}

void todo_add(struct todo *t, uint32_t block)
{
    if (t->in[block])
        return;
    t->in[block] = true;
    t->at[t->n++] = block;
}

bool todo_take(struct todo *t, uint32_t *block)
{
    if (!t->n)
        return false;
    *block = t->at[--t->n];
    t->in[*block] = false;
    return true;
}
