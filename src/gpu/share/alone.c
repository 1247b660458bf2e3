/* A GPU that a program has for itself: each CTA goes to the next SM in turn that has room. */
#include "gpu/share/share.h"

struct alone {
    uint32_t next; /* SM */
};

static uint32_t place(void *st, const struct sm_need *need, struct sm *const *sms, uint32_t nsm)
{
    struct alone *a = st;
    for (uint32_t tried = 0; tried < nsm; tried++) {
        uint32_t sm = a->next;
        a->next = sm + 1 < nsm ? sm + 1 : 0;
        if (sm_has_room(sms[sm], need))
            return sm;
    }
    return SHARE_NOWHERE;
}

const struct share_ops share_alone = {.name = "alone",
                                      .help =
                                          "CTAs of the oldest kernel first, each to the next SM with room",
                                      .state_b = sizeof(struct alone),
                                      .place = place};
