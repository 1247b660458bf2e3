/* SPDX-License-Identifier: Apache-2.0 */
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

static uint32_t place_known(void *st, const uint32_t *room, uint32_t nsm)
{
    uint32_t *next = &((struct alone *)st)->next;
    for (uint32_t tried = 0; tried < nsm; tried++) {
        uint32_t sm = *next;
        *next = sm + 1 < nsm ? sm + 1 : 0;
        if (room[sm])
            return sm;
    }
    return SHARE_NOWHERE;
}

const struct share_ops share_alone = {.name = "alone",
                                      .help =
                                          "CTAs of the oldest kernel first, each to the next SM with room",
                                      .state_b = sizeof(struct alone),
                                      .clusters = true,
                                      .place = place,
                                      .place_known = place_known};
