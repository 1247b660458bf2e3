/* SPDX-License-Identifier: Apache-2.0 */
#include "sm/core.h"

#include "ir/ir.h"
#include "trace/code/facts.h"

enum { LOOK_CYC = 4 }; /* A waiting fence looks at the epochs this often. */

uint8_t fence_scope(const struct tr_insn *i, uint32_t facts)
{
    return i->cls != TC_MEMBAR || !(facts & TF_FENCE) ? FENCE_NEAR
           : facts & TF_SCOPE_SYS                     ? FENCE_SYS
           : facts & TF_SCOPE_GPU                     ? FENCE_GPU
                                                      : FENCE_NEAR;
}

void fence_store(struct sm *s, struct flight *l)
{
    if (!s->cfg->fence_cyc || l->epoch)
        return;
    struct fences *f = &s->fences;
    l->epoch = 1 + (f->epoch & 1);
    f->out[f->epoch & 1]++;
}

void fence_stored(struct sm *s, struct flight *l)
{
    if (!l->epoch)
        return;
    s->fences.out[l->epoch - 1]--;
    l->epoch = 0;
}

/* Is epoch e over? It can be closed when the one before it is. */
static bool is_over(struct fences *f, uint64_t e)
{
    if (f->asked && !f->out[(f->epoch + 1) & 1]) {
        f->epoch++;
        f->asked = false;
    }
    return f->epoch > e + 1 || (f->epoch == e + 1 && !f->out[e & 1]);
}

/* The warp's own accesses may still wait for L1, where no epoch counts them: nothing of the warp may be under way. */
void fence_event(struct part *p, uint32_t warp, uint64_t t)
{
    struct sm *s = p->sm;
    struct sm_warp *w = &p->warps[warp];
    if (!is_over(&s->fences, w->fence.epoch) || w->in_flight) {
        event_at(s, t + LOOK_CYC, EV_FENCE, p->id, warp);
        return;
    }
    uint64_t least = w->fence.at + w->fence.cyc, answered = t > w->fence.at ? t + s->cfg->fence_after_cyc : 0;
    uint64_t from = s->fences.free > t ? s->fences.free : t;
    s->fences.free = from + s->cfg->fence_ii;
    event_at(s, (answered > least ? answered : least) + (from - t), EV_UNHOLD, p->id, warp);
}

void fence_issue(struct part *p, uint32_t warp, uint8_t scope, uint64_t t)
{
    struct sm *s = p->sm;
    struct sm_warp *w = &p->warps[warp];
    w->held = BLOCK_BARRIER;
    w->fence = (struct fence){.epoch = s->fences.epoch,
                              .at = t,
                              .cyc = scope == FENCE_SYS ? s->cfg->fence_sys_cyc : s->cfg->fence_cyc};
    s->fences.asked = true;
    fence_event(p, warp, t);
}
