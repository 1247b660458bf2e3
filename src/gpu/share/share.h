/* SPDX-License-Identifier: Apache-2.0 */
/* The seam `gpu/share`: which SM a CTA goes to, and whether it stays there. Before each window the GPU goes through the
 * tenants, and for each through the launches whose turn it is, oldest first. It asks the policy for an SM for one CTA after the
 * other, as many as gpu.dispatch lets it start. One state per run; one thread asks. */
#ifndef GPU_SHARE_SHARE_H
#define GPU_SHARE_SHARE_H

#include "sm/sm.h"

struct gpu_conf;

#define SHARE_NOWHERE UINT32_MAX

/* A tenant at the beginning of a window. */
struct share_tenant {
    bool runs;           /* one of its launches does */
    bool waits;          /* ... and has CTAs that have not started */
    struct sm_need need; /* of the oldest of these; of the last ones, where there are none */
};

struct share_view {
    uint64_t now;
    struct sm *const *sms;
    uint32_t nsm;
    const struct share_tenant *tenants;
    uint32_t n;
};

struct share_ops {
    const char *name, *help;
    size_t state_b;                                                      /* zeroed before the first call */
    void (*init)(void *st, const struct gpu_conf *c, uint32_t ntenants); /* may be NULL */
    void (*free)(void *st); /* what init has taken; may be NULL */
    /* The SM for the next CTA of a launch of a tenant, one that has room for it; the CTA starts there before the next call.
     * SHARE_NOWHERE: none now, and the next launch has its turn. */
    uint32_t (*place)(void *st, uint32_t tenant, const struct sm_need *need, struct sm *const *sms,
                      uint32_t nsm);
    void (*first)(void *st); /* the next CTA comes to a GPU that has none; may be NULL */
    /* The same where it is known how many such CTAs each SM has room for: none of them is asked. NULL: the policy asks. */
    uint32_t (*place_known)(void *st, const uint32_t *room, uint32_t nsm);
    /* Before that, at the beginning of each window: it may have CTAs parked and brought back (sm_park, sm_resume). With it no
     * window is skipped, also where nothing happens in it. NULL: CTAs stay where they are. */
    void (*turn)(void *st, const struct share_view *v);
    bool by_sm;    /* every tenant needs SMs of its own */
    bool clusters; /* CTAs of a cluster may be placed past it, all at once (gpu/cluster.h) */
    bool obeys;    /* as many CTAs of each tenant as the SM's policy wants (tenant_ops.ctas) */
};

const struct share_ops *share_find(const char *name);

/* The SM whose turn it is: `next` counts turns, in the order `turns` (NULL: by number); the next one has it then. */
static inline uint32_t share_turn(uint32_t *next, const uint32_t *turns, uint32_t nsm)
{
    uint32_t i = *next;
    *next = i + 1 < nsm ? i + 1 : 0;
    return turns ? turns[i] : i;
}

/* The next SM in turn (share_turn) that has room and may have it. Those that come back to an SM go before new ones. */
static inline uint32_t share_next(uint32_t *next, const uint32_t *turns, const struct sm_need *need,
                                  struct sm *const *sms, uint32_t nsm,
                                  bool (*may)(const void *ctx, uint32_t sm), const void *ctx)
{
    for (uint32_t tried = 0; tried < nsm; tried++) {
        uint32_t sm = share_turn(next, turns, nsm);
        if (!sm_awaits(sms[sm]) && (!may || may(ctx, sm)) && sm_has_room(sms[sm], need))
            return sm;
    }
    return SHARE_NOWHERE;
}

#endif
