/* SPDX-License-Identifier: Apache-2.0 */
/* Which instruction a scheduler's cycle is charged to, for those who watch and for the counters of its tenant. A cycle that
 * issued: the instruction that did. A cycle in which warps waited: the next instruction of the warp that the cause was taken
 * from (issue.c), so a wait for a result stands beside the instruction that needs it. Where a warp waits after an instruction,
 * for what that has begun (a branch, a barrier, the code behind it, the end of its CTA), it is that one. Of warps that were
 * ready and found no collector: the oldest. */
#include "sm/core.h"
#include "sm/watch/tally.h"

static inline struct blamed of_warp(const struct part *p, uint32_t w, bool next)
{
    const struct sm_warp *v = &p->warps[w];
    const struct inext *e = &v->next;
    const struct sm_kernel *kernel = p->sm->ctas.at[v->cta].k;
    if (next && v->n)
        return (struct blamed){kernel, e->k, e->mask};
    return (struct blamed){kernel, &kernel->insns[v->last], 0};
}

void blame_warp(struct part *p, uint32_t n, uint32_t w) { p->blamed[n] = of_warp(p, w, true); }

/* Of ready warps, who are mostly those of the cycle before. */
static inline uint32_t oldest(struct part *p, uint64_t some)
{
    if (p->oldest_of != some) {
        p->oldest_of = some;
        p->oldest = wsched_oldest(some, p->age);
    }
    return p->oldest;
}

/* `mine`: the scheduler's slots. */
INTO struct blamed of_wait(struct part *p, uint64_t mine, enum sm_stat cause, uint64_t done)
{
    for (uint32_t left = cause == SS_stall_no_warp ? 0 : p->reasons; left; left &= left - 1) {
        uint32_t b = (uint32_t)__builtin_ctz(left);
        uint64_t some = p->blocked[b] & mine & (b == BLOCK_NOT ? ~done : ~0ull);
        if (some)
            return of_warp(p, b == BLOCK_NOT ? oldest(p, some) : (uint32_t)__builtin_ctzll(some),
                           b != BLOCK_BRANCH && b != BLOCK_FETCH && b != BLOCK_BARRIER && b != BLOCK_DRAINED);
    }
    return (struct blamed){0};
}

void blame_wait(struct part *p, uint32_t n, enum sm_stat cause, uint64_t done)
{
    p->blamed[n] = of_wait(p, p->sched_mask[n], cause, done);
}

/* Cycles in which nothing was issued. */
static inline void charge(const struct sm *s, const struct blamed *at, enum sm_stat cause, uint64_t cycles)
{
    struct sm_charged *sum =
        at->kernel ? tally_of(s->trust.tally, at->kernel, at->k, s->trust.watch) : &s->trust.tally->nowhere;
    sum->causes[cause - SS_issued] += cycles;
}

void blame_tell(const struct part *p, uint32_t n, enum sm_stat cause, uint64_t cycles)
{
    const struct sm *s = p->sm;
    const struct blamed *at = &p->blamed[n];
    if (s->trust.tally)
        charge(s, at, cause, cycles);
    if (s->tenants.stats && at->kernel)
        s->tenants.stats[at->kernel->id.tenant][cause] += cycles;
}

void blame_tenant(const struct part *p, uint32_t w, uint32_t lanes)
{
    uint64_t *stats = p->sm->tenants.stats[p->sm->ctas.at[p->warps[w].cta].k->id.tenant];
    stats[SS_issued]++;
    stats[SS_warp_insts]++;
    stats[SS_thread_insts] += lanes;
}

/* Somebody wants to see each cycle, or it is not that of a warp that was ready: seldom in a run that issues much. */
ASIDE static void blame_other(struct part *p, uint32_t n, enum sm_stat cause, uint64_t t)
{
    const struct sm_observer *o = p->sm->trust.watch;
    struct blamed *at = &p->blamed[n];
    if (o && o->cycles)
        o->cycles(o->ctx, p->id * p->sm->cfg->schedulers + n, t, t + 1, cause);
    if (!at->kernel)
        *at = of_wait(p, p->sched_mask[n], cause, p->issued_now);
    blame_tell(p, n, cause, 1);
}

void blame_cycle(struct part *p, uint32_t n, enum sm_stat cause, uint64_t t)
{
    const struct sm *s = p->sm;
    uint64_t ready = p->blocked[BLOCK_NOT];
    if (!ready || RARE(s->cfg->schedulers > 1 || p->blamed[n].kernel || !s->trust.watch ||
                       s->trust.watch->cycles || !s->trust.tally || s->tenants.stats || p->issued_now)) {
        blame_other(p, n, cause, t);
        return;
    }
    const struct inext *e = &p->warps[oldest(p, ready)].next;
    struct tally_row *r = tally_row(s->trust.tally, e->k->at);
    if (RARE(r->k != e->k))
        blame_other(p, n, cause, t);
    else
        r->sum.causes[cause - SS_issued]++;
}

/* It becomes the row of this warp's instruction. */
SELDOM static void turn(const struct part *p, uint32_t warp, const struct kinsn *k)
{
    const struct sm *s = p->sm;
    tally_turn(s->trust.tally, s->ctas.at[p->warps[warp].cta].k, k, s->trust.watch);
}

/* The reads of an instruction of a warp. */
static inline void late(const struct part *p, uint32_t warp, const struct kinsn *k, uint32_t n,
                        uint64_t waited)
{
    struct tally *t = p->sm->trust.tally;
    if (!t)
        return;
    if (RARE(tally_head(t, k->at)->k != k))
        turn(p, warp, k);
    tally_late(t, k->at, n, waited);
}

void blame_reads(const struct part *p, uint32_t flight, uint32_t n, uint64_t waited)
{
    const struct flight *l = &p->flights[flight];
    late(p, l->warp, l->i.k, n, waited);
}

void blame_warp_reads(const struct part *p, uint32_t w, uint32_t n, uint64_t waited)
{
    const struct inext *e = &p->warps[w].next;
    late(p, w, e->k, n, waited);
}

ASIDE void blame_shared(const struct part *p, uint32_t flight, uint64_t n)
{
    const struct flight *l = &p->flights[flight];
    const struct sm *s = p->sm;
    if (s->trust.tally)
        tally_of(s->trust.tally, s->ctas.at[p->warps[l->warp].cta].k, l->i.k, s->trust.watch)
            ->shared_conflicts += n;
}
