/* Round robin: a counter modulo the number of partitions, as in current GPUs (partition paper, section III-B). */
#include "sm/assign/assign.h"

#include "sm/sm.h"

struct rr {
    uint32_t n;
};

static void rr_init(void *st, const struct sm_cfg *cfg, uint32_t sm)
{
    (void)sm;
    ((struct rr *)st)->n = cfg->partitions;
}

static uint32_t rr_pick(void *st, uint64_t nth) { return (uint32_t)(nth % ((struct rr *)st)->n); }

const struct assign_ops assign_rr = {
    .is = {.name = "rr", .help = "round robin", .state_b = sizeof(struct rr)},
    .init = rr_init,
    .pick = rr_pick};
