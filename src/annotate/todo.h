/* Blocks that a pass over the static code has yet to look at, each once; at first all, the first one first. What changes on the way goes
 * to the front, so that the time does not depend on the order in which blocks stand. */
#ifndef ANNOTATE_TODO_H
#define ANNOTATE_TODO_H

#include <stdbool.h>
#include <stdint.h>

struct todo {
    uint32_t *at, n;
    bool *in;
};
void todo_init(struct todo *t, uint32_t nblocks);
void todo_free(struct todo *t);
void todo_add(struct todo *t, uint32_t block);
bool todo_take(struct todo *t, uint32_t *block); /* false: none is left */

#endif
