/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/control.h"

static uint64_t interval_end(const struct control *c, uint64_t at)
{
    uint64_t end = at - at % c->cyc + c->cyc;
    return (end + c->grid - 1) / c->grid * c->grid;
}

void control_init(struct control *c, const struct sm_cfg *cfg, uint32_t window_cyc)
{
    const struct control_ops *o = sm_control(cfg);
    *c = (struct control){.grid = window_cyc, .end = UINT64_MAX};
    c->cyc = o ? o->interval(cfg) : 0;
    if (!c->cyc)
        return;
    c->ops = o;
    c->st = xcalloc(1, o->state_b);
    c->cfg = cfg;
    c->anew = o->anew && o->anew(cfg);
    c->end = c->anew ? UINT64_MAX : interval_end(c, 0);
    o->init(c->st, cfg);
}

void control_free(struct control *c) { free(c->st); }

static void set_all(struct sm **sms, uint32_t nsm, uint32_t value)
{
    for (uint32_t i = 0; i < nsm; i++)
        sm_set(sms[i], value);
}

void control_launch_ended(struct control *c, uint64_t insts, struct sm **sms, uint32_t nsm)
{
    if (!c->anew)
        return;
    c->end = UINT64_MAX;
    c->insts = insts;
    set_all(sms, nsm, c->ops->init(c->st, c->cfg));
}

void control_pass(struct control *c, uint64_t until, uint64_t now, uint64_t insts, struct sm **sms,
                  uint32_t nsm)
{
    if (c->anew && c->end == UINT64_MAX && insts != c->insts) {
        c->at = until;
        c->insts = insts;
        c->end = until + (c->cyc + c->grid - 1) / c->grid * c->grid;
    }
    for (; c->end <= now; c->end = interval_end(c, c->end)) {
        uint32_t value = c->ops->step(c->st, (double)(insts - c->insts) / (double)(c->end - c->at));
        c->insts = insts;
        c->at = c->end;
        set_all(sms, nsm, value);
    }
}
