#include "sm/operands/active.h"

#include "sm/sm.h"
#include "sm/wsched/wsched.h"

const char *active_fits(const struct sm_cfg *cfg)
{
    if (cfg->bank_write_port)
        return "what leaves the cache must be in its bank before it is read there, and sm.bank_write_port "
               "lets "
               "reads pass";
    if (cfg->warp_pool && cfg->schedulers > 1 && wsched_find(cfg->wsched)->active)
        return "a warp of a pool (sm.warp_pool) would be in the active set of one scheduler and not of "
               "another";
    return NULL;
}

int64_t active_slots(const struct sm_cfg *cfg)
{
    int64_t warps = cfg->warps, active = (int64_t)cfg->active_warps * cfg->schedulers;
    return cfg->partitions * (wsched_find(cfg->wsched)->active && active < warps ? active : warps);
}
