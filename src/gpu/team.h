/* SPDX-License-Identifier: Apache-2.0 */
/* A few threads that do the items of lists together, again and again. The GPU has one team for its SMs and memory channels, and
 * calls it once per window. Which thread does an item never decides a result. */
#ifndef GPU_TEAM_H
#define GPU_TEAM_H

#include <stdbool.h>
#include <stdint.h>

struct team;
struct team *team_new(uint32_t threads); /* the caller is one of them */
void team_free(struct team *t);
/* A list of n items that do not depend on each other, nor on those of another list. */
struct team_list {
    void (*f)(void *ctx, uint32_t i);
    uint32_t n;
    /* By thread: the end of its share, which begins where that of the thread before it ends. NULL: shares of the same size. */
    const uint32_t *ends;
};
enum { TEAM_LISTS = 3 };
/* Calls f(ctx, i) for every i < n of all lists, in any order and thread, but the last lists' at last: small items there make up
 * for large ones before. Returns when all are done. `worth`: how many threads there is work for; below two the caller does it all
 * and nobody is woken. */
void team_run(struct team *t, const struct team_list *lists, uint32_t nlists, uint32_t worth, void *ctx);
/* A chore for a helper that waits for the next round; it misses rounds meanwhile. Until it is done no other is taken; that may be
 * never. */
void team_offer(struct team *t, void (*f)(void *ctx), void *ctx);
bool team_busy(const struct team *t); /* a chore is offered or done */
uint32_t team_threads(const struct team *t);
/* Where the share of the i-th of so many threads begins, of n items. */
static inline uint32_t team_share(uint32_t n, uint32_t threads, uint32_t i)
{
    return (uint32_t)((uint64_t)n * i / threads);
}
uint64_t team_shared(const struct team *t); /* calls for which helpers were called */

#endif
