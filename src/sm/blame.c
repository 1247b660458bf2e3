/* Which instruction a scheduler's cycle is charged to, for those who watch and for the counters of its tenant. A cycle that
 * issued: the instruction that did. A cycle in which warps waited: the next instruction of the warp that the cause was taken
 * from (issue.c), so a wait for a result stands beside the instruction that needs it. Where a warp waits after an instruction,
 * for what that has begun (a branch, a barrier, the code behind it, the end of its CTA), it is that one. Of warps that were
 * ready and found no collector: the oldest. */
#include "sm/core.h"

static void set_place(struct part *p, uint32_t n, uint32_t w, bool next)
{
    const struct sm_warp *v = &p->warps[w];
    const struct ientry *e = &v->ibuf[v->head];
    uint32_t last = v->last_at ? v->last_at - 1 : 0;
    next = next && v->n;
    const struct sm_kernel_id *k = &p->sm->ctas[v->cta].k->id;
    p->place[n] = (struct sm_place){.tenant = k->tenant,
                                    .kernel = k->index,
                                    .insn = next ? e->at : last,
                                    .mask = next ? e->mask : 0,
                                    .computes = next && e->k->route == ROUTE_UNIT};
}

void blame_warp(struct part *p, uint32_t n, uint32_t w) { set_place(p, n, w, true); }

void blame_wait(struct part *p, uint32_t n, enum sm_stat cause, uint64_t done)
{
    uint64_t mine = p->sched_mask[n];
    p->place[n].kernel = SM_NOWHERE;
    if (cause == SS_stall_no_warp)
        return;
    for (uint32_t b = BLOCK_NOT; b < BLOCK_COUNT; b++) {
        uint64_t some = p->blocked[b] & mine & (b == BLOCK_NOT ? ~done : ~0ull);
        if (!some)
            continue;
        set_place(p, n, b == BLOCK_NOT ? wsched_oldest(some, p->age) : (uint32_t)__builtin_ctzll(some),
                  b != BLOCK_BRANCH && b != BLOCK_FETCH && b != BLOCK_BARRIER && b != BLOCK_DRAINED);
        return;
    }
}

void blame_tell(const struct part *p, uint32_t n, enum sm_stat cause, uint64_t cycles)
{
    const struct sm_observer *o = p->sm->watch;
    const struct sm_place *at = &p->place[n];
    uint64_t *stats =
        p->sm->tenants.stats && at->kernel != SM_NOWHERE ? p->sm->tenants.stats[at->tenant] : NULL;
    if (o && o->blame)
        o->blame(o->ctx, cause, cycles, at);
    if (stats)
        stats[cause] += cycles;
    if (stats && cause == SS_issued) {
        stats[SS_warp_insts] += cycles;
        stats[SS_thread_insts] += (uint64_t)__builtin_popcount(at->mask);
    }
}

static void tell_event(const struct part *p, uint32_t warp, uint32_t insn, enum sm_stat counter, uint64_t n)
{
    const struct sm_observer *o = p->sm->watch;
    const struct sm_kernel_id *k = &p->sm->ctas[p->warps[warp].cta].k->id;
    struct sm_place at = {.tenant = k->tenant, .kernel = k->index, .insn = insn};
    if (o->event)
        o->event(o->ctx, counter, n, &at);
}

void blame_event(const struct part *p, uint32_t flight, enum sm_stat counter, uint64_t n)
{
    const struct flight *l = &p->flights[flight];
    tell_event(p, l->warp, l->i.at, counter, n);
}

void blame_warp_event(const struct part *p, uint32_t w, enum sm_stat counter, uint64_t n)
{
    tell_event(p, w, p->warps[w].ibuf[p->warps[w].head].at, counter, n);
}
