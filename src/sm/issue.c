/* SPDX-License-Identifier: Apache-2.0 */
/* Issue beside the common case: effects of instructions that no unit executes, and machines where more than the scheduler's order
 * decides. */
#include "sm/stages/issue.h"
#include "sm/async/async.h"

const uint8_t issue_blame[BLOCK_COUNT] = {
#define BLOCK(name, cause, text) [BLOCK_##name] = SS_##cause,
#include "sm/blocks.def"
#undef BLOCK
};

void sm_warp_hold(struct part *p, uint32_t i, enum block why, uint32_t cyc, uint64_t t)
{
    if (cyc <= 1)
        return;
    p->warps[i].held = (uint8_t)why;
    if (why == BLOCK_BRANCH)
        p->warps[i].turns = t + cyc;
    event_at(p->sm, t + cyc, EV_UNHOLD, p->id, i);
}

ASIDE void async_done(struct part *p, uint32_t i, uint32_t group)
{
    if (!groups_done(&p->warps[i].async, group))
        return;
    p->warps[i].at_groups = false;
    sm_warp_refresh(p, i);
}

void issue_effect(struct part *p, uint32_t i, struct inext e, uint64_t t)
{
    struct sm *s = p->sm;
    struct sm_warp *w = &p->warps[i];
    const struct kinsn *k = e.k;
    struct ientry own = {.k = k, .mask = e.mask};
    if (!e.mask) {
        sm_warp_hold(p, i, BLOCK_BRANCH, k->pass_cyc, t);
        return;
    }
    if (k->has_data && k->route != ROUTE_MEMORY && k->route != ROUTE_UNIT)
        fetch_data(p, i, &own);
    switch ((enum route)k->route) {
    case ROUTE_UNIT:
    case ROUTE_MEMORY: break;
    case ROUTE_HOLD:
        if (k->fence) {
            fence_issue(p, i, k->fence, t);
            break;
        }
        sm_warp_hold(p, i, BLOCK_BRANCH,
                     !s->cfg->all_collect  ? k->exec_cyc
                     : k->cls == TC_BRANCH ? s->cfg->taken_cyc
                                           : 1,
                     t);
        break;
    case ROUTE_BARRIER: sm_cta_arrive(p, i, &own, t); break;
    case ROUTE_ASYNC:
        if (k->imm == TA_COMMIT)
            groups_commit(&w->async);
        else
            w->at_groups = groups_wait(&w->async, k->imm);
        break;
    case ROUTE_OBJECT:
    case ROUTE_COPY:
    case ROUTE_PRODUCT: async_issue(p, i, &own, t); break;
    case ROUTE_NONE:
        if (k->cls == TC_EXIT)
            sm_cta_exit(p, i, e.mask, t);
        break;
    }
}

void issue_branch(struct part *p, uint32_t i, struct inext e, uint64_t t)
{
    uint32_t cyc = e.mask ? e.k->exec_cyc : e.k->pass_cyc;
    if (cyc <= 1)
        return;
    uint32_t f = take_flight(p);
    p->flights[f].i.k = e.k;
    p->flights[f].warp = (uint8_t)i;
    p->warps[i].held = BLOCK_BRANCH;
    p->warps[i].turns = t + cyc;
    put_due(p, f, t, t + cyc);
}

void issue_odd(struct part *p, struct flight *l)
{
    if (l->i.k->cls == TC_LDGSTS)
        l->group = groups_add(&p->warps[l->warp].async);
    else if (l->i.mask)
        fetch_data(p, l->warp, &l->i);
}

bool issue_constant(struct part *p, uint32_t i, uint64_t t)
{
    struct sm *s = p->sm;
    struct sm_warp *w = &p->warps[i];
    w->konst = w->next.k->konst; /* it goes to the warp, even if others evict the line meanwhile */
    uint32_t wait = konst_wait(s, w->konst, w->next.k->konst_table ? KONST_OPERAND : KONST_PARAMETER, t);
    if (!wait)
        return true;
    sm_warp_hold(p, i, BLOCK_CONST, wait, t);
    sm_warp_refresh(p, i);
    return false;
}

/* The warp that a selection tree's last comparison has dropped: the best of the other half of the scheduler's slots. Even and odd
 * ones are the halves, so that both have warps however few there are. */
int issue_runner_up(struct part *p, uint32_t n, struct wsched_view *v, uint32_t winner)
{
    uint64_t half = p->sched_half[n];
    v->ready &= half >> winner & 1 ? ~half : half;
    v->computing = false; /* of the winner, which has issued last now */
    return v->ready ? p->sm->sched->pick(p->sched[n], v) : WSCHED_NONE;
}

/* Static warp limiting: the oldest warps of a scheduler. Those at a barrier do not count, since they may wait for younger ones,
 * nor those whose tenant must wait. */
uint64_t issue_limited(const struct part *p, uint64_t mine)
{
    uint64_t left = p->used & mine & ~p->blocked[BLOCK_DRAINED] & ~p->blocked[BLOCK_BARRIER] &
                    ~p->blocked[BLOCK_TENANT],
             may = 0;
    for (uint32_t n = p->sm->cfg->warp_limit; n && left; n--) {
        uint64_t bit = 1ull << wsched_oldest(left, p->age);
        may |= bit;
        left &= ~bit;
    }
    return may;
}

/* A warp that waits within a strand is not put aside. At a barrier a strand has ended; how long a tenant waits, or a warp for the
 * registers that others have, nobody knows. */
uint64_t issue_between_strands(const struct part *p, uint64_t waiting)
{
    uint64_t always = p->blocked[BLOCK_BARRIER] | p->blocked[BLOCK_TENANT] | p->blocked[BLOCK_CAPACITY];
    for (uint64_t m = waiting & ~always; m; m &= m - 1) {
        const struct sm_warp *w = &p->warps[__builtin_ctzll(m)];
        if (w->n && !(w->next.k->marks & KM_STARTS))
            waiting &= ~(m & -m);
    }
    return waiting;
}

/* Does the scheduler's last warp wait for a result, and not for shared memory, special functions or whatever else tells when
 * it is done? */
static bool computing(const struct part *p, const struct gto *sched)
{
    uint32_t i = sched->last;
    if (i >= 64 || !(p->blocked[BLOCK_ALU] >> i & 1))
        return false;
    const struct sm_warp *w = &p->warps[i];
    const struct kinsn *last = &w->insns[w->last];
    return last->coded ? last->yields : sm_warp_blame(p, i) == SS_stall_alu;
}

void issue_see(struct part *p, uint32_t n, struct wsched_view *v)
{
    const struct wsched_ops *sched = p->sm->sched;
    if (sched->asks)
        v->computing = computing(p, p->sched[n]);
    if (p->score)
        v->score = score_warps(p, v->ready, p->sm->clock.now);
}

int issue_wrong_pick(struct sm *s, const struct part *p, uint32_t n, int w)
{
    if (!s->error[0])
        snprintf(s->error, sizeof s->error,
                 "cycle %llu, partition %u, scheduler %u: sm.wsched = %s picked slot %d, which is not ready",
                 (unsigned long long)s->clock.now, p->id, n, s->sched->is.name, w);
    return WSCHED_NONE;
}
