/* A few threads that do the items of a list together, again and again. The GPU has one team for its SMs and memory channels, and
 * calls it once or twice per window. Which thread does an item never decides a result. */
#ifndef GPU_TEAM_H
#define GPU_TEAM_H

#include <stdint.h>

struct team;
struct team *team_new(uint32_t threads); /* the caller is one of them */
void team_free(struct team *t);
/* Calls f(ctx, i) for every i < n, in any order and thread; returns when all are done. `worth`: how many threads there is work
 * for; below two the caller does it all and nobody is woken. */
void team_run(struct team *t, uint32_t n, uint32_t worth, void (*f)(void *ctx, uint32_t i), void *ctx);
uint32_t team_threads(const struct team *t);
uint64_t team_shared(const struct team *t); /* calls for which helpers were called */

#endif
