/* The seam `lsu`: in which order warps' memory accesses reach L1, shared memory and constants, and how they are merged on the
 * way. The cache, its misses and replies are the SM's (l1.c); a policy calls l1_load, l1_store and l1_atomic line by line,
 * and makes the events that complete an instruction. One state per SM. */
#ifndef SM_LSU_LSU_H
#define SM_LSU_LSU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sm;

struct lsu_ops {
    const char *name, *help;
    size_t state_b;
    void (*init)(void *st, struct sm *s);
    void (*free)(void *st);
    /* Before dispatch: is there a place for one more instruction? */
    bool (*room)(const void *st);
    void (*push)(void *st, uint32_t part, uint32_t flight);
    /* Once per cycle, after the partitions. When a full queue has room again: lsu_freed. */
    void (*tick)(void *st, uint64_t t);
    uint64_t (*next)(const void *st);      /* cycle it has work; UINT64_MAX: none, or it waits for a reply */
    void (*replied)(void *st, uint64_t t); /* a reply has freed a miss entry */
};

extern const struct lsu_ops *const lsu_list[]; /* NULL-terminated */
const struct lsu_ops *lsu_find(const char *name);

#endif
