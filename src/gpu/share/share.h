/* The seam `gpu/share`: which SM a CTA goes to, and whether it stays there. Before each window the GPU goes through the
 * tenants, and for each through the launches whose turn it is, oldest first. It asks the policy for an SM for one CTA after the
 * other, as many as gpu.dispatch lets it start. One state per run; one thread asks. */
#ifndef GPU_SHARE_SHARE_H
#define GPU_SHARE_SHARE_H

#include "sm/sm.h"

#define SHARE_NOWHERE UINT32_MAX

struct share_ops {
    const char *name, *help;
    size_t state_b; /* zeroed before the first call */
    /* The SM for the next CTA of a launch of a tenant, one that has room for it; the CTA starts there before the next call.
     * SHARE_NOWHERE: none now, and the next launch has its turn. */
    uint32_t (*place)(void *st, uint32_t tenant, const struct sm_need *need, struct sm *const *sms,
                      uint32_t nsm);
    /* Before that, at the beginning of each window, in cycle `now`: it may have CTAs parked and brought back (sm_park,
     * sm_resume). With it no window is skipped, also where nothing happens in it. NULL: CTAs stay where they are. */
    void (*turn)(void *st, uint64_t now, struct sm *const *sms, uint32_t nsm);
};

const struct share_ops *share_find(const char *name);

#endif
