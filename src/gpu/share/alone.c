/* For a GPU that a program has for itself: each CTA goes to the next SM in turn that has room, whosever it is. Where there are
 * other tenants the first is served first, and they get what it leaves. */
#include "gpu/share/share.h"

struct alone {
    uint32_t next; /* SM */
};

static uint32_t place(void *st, uint32_t tenant, const struct sm_need *need, struct sm *const *sms,
                      uint32_t nsm)
{
    (void)tenant;
    return share_next(&((struct alone *)st)->next, need, sms, nsm, NULL, NULL);
}

const struct share_ops share_alone = {.name = "alone",
                                      .help =
                                          "CTAs of the oldest kernel first, each to the next SM with room",
                                      .state_b = sizeof(struct alone),
                                      .clusters = true,
                                      .place = place};
