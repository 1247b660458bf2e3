/* SPDX-License-Identifier: Apache-2.0 */
/* For a GPU that a program has for itself: each CTA goes to the next SM in turn that has room, whosever it is. Where there are
 * other tenants the first is served first, and they get what it leaves. */
#include "gpu/cluster.h"
#include "gpu/share/share.h"

struct alone {
    uint32_t next;   /* turn */
    uint32_t *turns; /* SMs; NULL: by number */
};

static void init(void *st, const struct gpu_conf *c, uint32_t ntenants)
{
    struct alone *a = st;
    struct gpcs g;
    (void)ntenants;
    if (!c->gpu.gpc_turns || !c->gpu.gpc_sms)
        return;
    gpcs_init(&g, &c->gpu);
    a->turns = xmalloc(c->gpu.sms * sizeof *a->turns);
    for (uint32_t gpc = 0, n = 0; gpc < g.n; gpc++)
        for (uint32_t sm = 0; sm < c->gpu.sms; sm++)
            if (g.of[sm] == gpc)
                a->turns[n++] = sm;
    gpcs_free(&g);
}

static void release(void *st) { free(((struct alone *)st)->turns); }

/* GPC by GPC a launch begins where the one before it began. */
static void first(void *st)
{
    struct alone *a = st;
    if (a->turns)
        a->next = 0;
}

static uint32_t place(void *st, uint32_t tenant, const struct sm_need *need, struct sm *const *sms,
                      uint32_t nsm)
{
    struct alone *a = st;
    (void)tenant;
    return share_next(&a->next, a->turns, need, sms, nsm, NULL, NULL);
}

static uint32_t place_known(void *st, const uint32_t *room, uint32_t nsm)
{
    struct alone *a = st;
    for (uint32_t tried = 0; tried < nsm; tried++) {
        uint32_t sm = share_turn(&a->next, a->turns, nsm);
        if (room[sm])
            return sm;
    }
    return SHARE_NOWHERE;
}

const struct share_ops share_alone = {.name = "alone",
                                      .help =
                                          "CTAs of the oldest kernel first, each to the next SM with room",
                                      .state_b = sizeof(struct alone),
                                      .init = init,
                                      .free = release,
                                      .clusters = true,
                                      .place = place,
                                      .first = first,
                                      .place_known = place_known};
