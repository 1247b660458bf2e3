/* The seam `assign`: the partition of a new warp. A policy proposes; where the proposed partition has no slot or registers
 * left, the next one that has takes the warp. One state per SM. */
#ifndef SM_ASSIGN_ASSIGN_H
#define SM_ASSIGN_ASSIGN_H

#include <stddef.h>
#include <stdint.h>

struct sm_cfg;

struct assign_ops {
    const char *name, *help;
    size_t state_b;
    void (*init)(void *st, const struct sm_cfg *cfg, uint32_t sm);
    /* Why it cannot serve such an SM; NULL: it can. The function may be NULL: it always can. */
    const char *(*fits)(const struct sm_cfg *cfg);
    /* nth: warps that this SM has been given before, ever. */
    uint32_t (*pick)(void *st, uint64_t nth);
};

extern const struct assign_ops *const assign_list[]; /* NULL-terminated */
const struct assign_ops *assign_find(const char *name);

#endif
