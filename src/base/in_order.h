/* SPDX-License-Identifier: Apache-2.0 */
/* Items that several threads work on at once, and whose results are taken one after the other, in the order of the items: what
 * comes out does not depend on the number of threads. Importers use it; it knows nothing about what an item is. */
#ifndef BASE_IN_ORDER_H
#define BASE_IN_ORDER_H

#include <stdbool.h>
#include <stdint.h>

struct in_order;

struct in_order_ops {
    /* By any thread, which has the number `self` below `threads`: the result of item i. */
    void *(*work)(void *ctx, struct in_order *o, uint32_t self, uint32_t i);
    /* By one thread at a time, for item 0, 1, ...: takes the result. False: no further item counts. */
    bool (*finish)(void *ctx, uint32_t i, void *result);
    /* A result that does not count any more. */
    void (*drop)(void *ctx, void *result);
};

/* False if an item was not finished. The caller's thread works, too; no more threads than items. */
bool in_order_run(uint32_t n, uint32_t threads, const struct in_order_ops *ops, void *ctx);

/* For `work` on item i: waits until all items before it are finished. What it does then is in order, and no `finish` runs at
 * the same time. False: that will never be. */
bool in_order_turn(struct in_order *o, uint32_t i);
bool in_order_over(struct in_order *o); /* does no further item count? */

#endif
