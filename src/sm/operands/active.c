/* SPDX-License-Identifier: Apache-2.0 */
#include "sm/operands/active.h"

#include "sm/sm.h"
#include "sm/wsched/active.h"
#include "sm/wsched/wsched.h"

const char *active_fits(const struct sm_cfg *cfg, struct arena *a)
{
    (void)a;
    if (cfg->warp_pool && cfg->schedulers > 1 && wsched_of(cfg)->active)
        return "a warp of a pool (sm.warp_pool) would be in the active set of one scheduler and not of "
               "another";
    return NULL;
}

uint32_t active_warps(const struct sm_cfg *cfg)
{
    return ((const struct active_cfg *)policy_options(cfg, &active_options))->warps;
}

double active_price(const struct sm_cfg *cfg, uint32_t entries, const uint64_t *n, const struct price *p)
{
    double rows = (double)entries * active_warps(cfg), found = (double)n[SS_cache_hits];
    double out = found + (double)n[SS_cache_writebacks];
    double into = (double)n[SS_cache_writes] + (double)n[SS_cache_prefetches];
    return out * p->sram_pj(p->tech, rows, false) + into * p->sram_pj(p->tech, rows, true) +
           found * p->latch_pj;
}

int64_t active_slots(const struct sm_cfg *cfg)
{
    int64_t warps = cfg->warps, active = (int64_t)active_warps(cfg) * cfg->schedulers;
    return cfg->partitions * (wsched_of(cfg)->active && active < warps ? active : warps);
}
