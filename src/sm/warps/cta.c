/* SPDX-License-Identifier: Apache-2.0 */
/* CTAs: their warps' places, barriers, the end. What room they have is the seam sm/onchip's. */
#include "sm/async/async.h"
#include "sm/stages/probe.h"
#include "sm/warps/jump.h"
#include "sm/warps/park.h"
#include "sm/watch/tally.h"

const char *sm_fits_never(const struct sm_cfg *c, const struct sm_need *n, struct arena *a)
{
    return onchip_find(c->onchip)->cta_fits(c, n, a);
}

/* Where each warp of a CTA would go: by the policy, or the next partition with room. False: they do not all fit. */
static bool place_from(const struct sm *s, uint64_t assigned, const struct onchip *o, const struct sm_need *n,
                       uint8_t *where)
{
    for (uint32_t w = 0; w < n->warps; w++)
        where[w] = (uint8_t)s->ctas.assign_ops->pick(s->ctas.assign, assigned + w);
    return onchip_place(o, n, where);
}

static bool place(const struct sm *s, const struct onchip *o, const struct sm_need *n, uint8_t *where)
{
    return place_from(s, s->ctas.assigned, o, n, where);
}

/* What the assignment of warps counts for a CTA. */
static uint32_t assigns(const struct sm *s, const struct sm_need *n)
{
    return n->warps + (s->ctas.assign_ops->skips && n->warps % s->cfg->partitions == 0);
}

void sm_plan(struct sm *s, const struct onchip_split *plan)
{
    onchip_keep(&s->onchip, plan);
    l1_resize(s);
}

bool sm_has_room(const struct sm *s, const struct sm_need *n)
{
    uint8_t where[TR_WARPS];
    if (s->ctas.n >= s->cfg->ctas || (s->ctas.unheard && s->ctas.done.n))
        return false;
    if (!s->ctas.n && s->onchip.ops->pool) { /* it would be divided for this one */
        struct onchip o = s->onchip;
        onchip_divide(&o, n);
        return place(s, &o, n, where);
    }
    return onchip_may(&s->onchip, n->threads, n->shared_b) && place(s, &s->onchip, n, where);
}

uint32_t sm_room(const struct sm *s, const struct sm_need *n)
{
    struct onchip o = s->onchip;
    uint64_t assigned = s->ctas.assigned;
    uint32_t k = 0, warps[TR_WARPS];
    uint8_t where[TR_WARPS];
    for (bool may = sm_has_room(s, n); may;
         may = s->ctas.n + k < s->cfg->ctas && onchip_may(&o, n->threads, n->shared_b)) {
        if (!(s->ctas.n + k))
            onchip_divide(&o, n);
        if (!place_from(s, assigned, &o, n, where))
            break;
        onchip_take(&o, n, where, warps);
        assigned += assigns(s, n);
        k++;
    }
    return k;
}

static struct ahead *read_ahead(struct sm *s, const struct sm_cta *c)
{
    struct diag d = {0};
    struct tr_cta *stream = tr_open_again(c->stream, &d);
    if (!stream && !s->error[0])
        snprintf(s->error, sizeof s->error, "%s", d.n ? d.msg[0].text : "the stream cannot be read twice");
    diag_free(&d);
    return stream ? ahead_new(stream, c->k, c->need.warps, s->operands.ops->near(s->cfg)) : NULL;
}

/* A number from 1 on that no other launch of its program has, nor the same launch in another pass. */
static uint64_t cta_launch(const struct sm_cta *c) { return ((uint64_t)c->from.pass << 32) + c->launch + 1; }

void sm_cta_take(struct sm *s, uint32_t slot)
{
    struct sm_cta *c = &s->ctas.at[slot];
    const struct sm_need *n = &c->need;
    uint32_t tenant = c->k->id.tenant;
    uint8_t where[TR_WARPS] = {0};
    if (!s->ctas.n) {
        if (onchip_divide(&s->onchip, n)) {
            s->stats[SS_repartitions] += s->onchip.follows && s->ctas.launch;
            if (s->trust.check && s->onchip.ops->pool)
                rows_check_empty(s);
            l1_resize(s);
        }
        if (s->cfg->l1_flush && (s->ctas.launch != cta_launch(c) || s->ctas.tenant != tenant))
            s->l1.stale = true;
    }
    s->ctas.tenant = tenant;
    s->ctas.launch = cta_launch(c);
    place(s, &s->onchip, n, where);
    c->used = true;
    s->ctas.n++;
    onchip_take(&s->onchip, n, where, c->warps);
    for (uint32_t w = 0; w < n->warps; w++)
        s->parts[c->warps[w] >> 8].age[c->warps[w] & 255] = s->ctas.warps_started + w;
    s->ctas.warps_started += n->warps;
    s->ctas.assigned += assigns(s, n);
}

uint32_t sm_start_cta(struct sm *s, uint64_t now, uint64_t at, const struct sm_kernel *k,
                      const struct sm_need *n, uint32_t launch, uint32_t cta, const struct sm_source *from)
{
    uint32_t slot = 0;
    while (s->ctas.at[slot].used)
        slot++;
    struct sm_cta *c = &s->ctas.at[slot];
    *c = (struct sm_cta){.releases = c->releases,
                         .k = k,
                         .from = *from,
                         .need = *n,
                         .launch = launch,
                         .cta = cta,
                         .serial = ++s->ctas.started,
                         .live = n->warps,
                         .threads = n->threads};
    sm_cta_take(s, slot);
    s->l1.mixed |= k->copies || from->jumps;
    if (s->trust.tally)
        tally_expect(s->trust.tally, k, s->trust.watch);
    /* The SM may have slept long; the wheel counts from its clock. */
    s->clock.now = now > s->clock.now ? now : s->clock.now;
    event_at(s, at > s->clock.now ? at : s->clock.now, EV_START, 0, slot);
    return slot;
}

/* False: they cannot be read, and the SM's error says why. */
static bool open_streams(struct sm *s, struct sm_cta *c)
{
    struct diag d = {0};
    c->stream = tr_open_cta(c->from.trace, c->launch, c->cta, &d);
    if (!c->stream && !s->error[0])
        snprintf(s->error, sizeof s->error, "%s%s%s", d.n && d.msg->file ? d.msg->file : "",
                 d.n && d.msg->file ? ": " : "", d.n ? d.msg->text : "the stream cannot be read");
    diag_free(&d);
    if (!c->stream)
        return false;
    tr_cut_cta(c->stream, c->from.share);
    if (s->operands.ops->near && s->operands.ops->near(s->cfg))
        c->ahead = read_ahead(s, c);
    if (!s->operands.ops->fetched)
        tr_drop_values(c->stream);
    if (c->from.jumps)
        c->jump = jump_new(c->from.jumps, c->stream, c->cta, &c->need);
    return true;
}

void sm_cta_begin(struct sm *s, uint32_t slot)
{
    struct sm_cta *c = &s->ctas.at[slot];
    if (!open_streams(s, c))
        return;
    c->begun = true;
    fetch_launch(s, c->k, cta_launch(c), tr_launch(c->from.trace, c->launch)->nctas);
    for (uint32_t i = 0; i < c->need.warps; i++) {
        struct part *p = &s->parts[c->warps[i] >> 8];
        uint32_t n = c->warps[i] & 255, left = c->need.threads - i * TR_LANES;
        struct sm_warp *w = &p->warps[n];
        sm_warp_clear(w);
        w->used = true;
        w->insns = w->behind = c->k->insns;
        w->by_step = c->ahead || c->k->words || s->operands.ops->fetched || s->onchip.follows;
        w->cta = (uint16_t)slot;
        w->index = (uint16_t)i;
        w->bank0 = (uint8_t)banks_first(s->cfg, n);
        w->local = local_take(s, p, n);
        w->limits = tenant_limits(s, c->k->id.tenant);
        w->live = left >= TR_LANES ? ~0u : (1u << left) - 1;
        if (p->check)
            check_start(p, n);
        if (s->operands.ops->warp_begin)
            s->operands.ops->warp_begin(p->operands, n, false);
        part_take_slot(p, n, c->k->id.tenant);
        p->used |= 1ull << n;
        p->want_fetch |= 1ull << n;
        part_block(p, n, BLOCK_NOT);
        sm_warp_refresh(p, n);
        part_wake(p, s->clock.now);
    }
    if (s->async)
        async_begin(s, slot);
    probe_cta_came(s, slot);
}

/* ---- barriers ---- */

static void check_barrier(struct sm *s, uint32_t slot, uint32_t bar, uint64_t t)
{
    struct sm_cta *c = &s->ctas.at[slot];
    uint32_t need = c->expect[bar] ? c->expect[bar] : c->threads;
    if (!c->arrived[bar] || c->arrived[bar] < need)
        return;
    c->arrived[bar] = c->expect[bar] = 0;
    c->open &= ~(1u << bar);
    c->releases++;
    event_at(s, t + s->cfg->barrier_cyc, EV_BARRIER, 0, slot * BARRIERS + bar);
}

/* The warps of an SM arrive one after the other. */
static uint64_t its_turn(struct sm *s, uint64_t t)
{
    uint64_t at = s->cfg->barrier_warp_cyc && s->ctas.bar_free > t ? s->ctas.bar_free : t;
    s->ctas.bar_free = at + s->cfg->barrier_warp_cyc;
    return at;
}

/* All CTAs of its cluster hear of it at once, itself too. */
static void tell_cluster(struct sm *s, const struct sm_cta *c, enum far_kind what, uint64_t t)
{
    struct far_msg m = {.at = t + s->cfg->cluster_cyc, .kind = (uint8_t)what, .rank = (uint8_t)far_own(c)};
    for (uint32_t r = 0; r < (c->cluster ? c->cluster->n : 1); r++)
        far_send(s, c, r, &m);
}

static void check_cluster(struct sm *s, uint32_t slot, uint64_t t)
{
    struct sm_cta *c = &s->ctas.at[slot];
    uint32_t *arrived = &c->arrived[CLUSTER_BARRIER];
    if (!*arrived || *arrived < c->threads)
        return;
    *arrived = 0;
    c->announced = true;
    c->releases += !c->cluster;
    tell_cluster(s, c, c->cluster ? FAR_ARRIVED : FAR_ALONE, t);
}

/* Lanes that wait have arrived before, and only the others in their phase hold them. */
static void cluster_barrier(struct part *p, uint32_t i, const struct kinsn *k, uint32_t mask, uint64_t t)
{
    struct sm_warp *w = &p->warps[i];
    if (k->imm & TB_ARRIVE) {
        p->sm->ctas.at[w->cta].arrived[CLUSTER_BARRIER] += tr_lanes(mask);
        w->due |= mask;
        check_cluster(p->sm, w->cta, its_turn(p->sm, t));
    } else if (w->due & mask) {
        w->arrived |= w->due & mask;
        w->bar_id = CLUSTER_BARRIER;
        w->at_barrier = (w->live & ~w->arrived) == 0;
    }
}

void sm_cta_arrive(struct part *p, uint32_t i, struct ientry *e, uint64_t t)
{
    struct sm_warp *w = &p->warps[i];
    struct sm_cta *c = &p->sm->ctas.at[w->cta];
    const struct kinsn *k = e->k;
    uint32_t mask = e->mask, bar = k->imm & 0xff, count = k->count;
    if (k->asks) {
        const uint64_t *params = p->sm->lsu.blocks[e->lines.block];
        bar = (uint32_t)params[0];
        count = (uint32_t)params[1];
        lines_free(p->sm, &e->lines);
    }
    bar = bar < CLUSTER_BARRIER ? bar : 0;
    if (k->imm & TB_CLUSTER) {
        cluster_barrier(p, i, k, mask, t);
        return;
    }
    /* How many it waits for was in a register, which traces of other makers do not have: it waits for nobody. */
    if (count == TB_DYNAMIC_COUNT)
        return;
    c->arrived[bar] += tr_lanes(mask);
    c->open |= 1u << bar;
    if (count)
        c->expect[bar] = count;
    if (!(k->imm & TB_ARRIVE)) {
        w->arrived |= mask;
        w->bar_id = (uint8_t)bar;
        /* Lanes that have yet to come follow in the stream. */
        w->at_barrier = (w->live & ~w->arrived) == 0;
    }
    check_barrier(p->sm, w->cta, bar, its_turn(p->sm, t));
}

static void let_go(struct sm *s, uint32_t slot, uint32_t bar)
{
    struct sm_cta *c = &s->ctas.at[slot];
    if (bar == CLUSTER_BARRIER)
        c->announced = false;
    for (uint32_t i = 0; c->used && i < c->need.warps; i++) {
        struct part *p = &s->parts[c->warps[i] >> 8];
        uint32_t n = c->warps[i] & 255;
        struct sm_warp *w = &p->warps[n];
        if (bar == CLUSTER_BARRIER && w->used && w->cta == slot)
            w->due = 0;
        if (!w->used || w->cta != slot || w->bar_id != bar || !w->arrived)
            continue;
        w->arrived = 0;
        w->at_barrier = false;
        sm_warp_refresh(p, n);
        part_wake(p, s->clock.now);
    }
}

void sm_cta_release(struct sm *s, uint32_t slot, uint32_t bar)
{
    s->ctas.at[slot].releases--;
    let_go(s, slot, bar);
}

void sm_cta_far_arrived(struct sm *s, const struct far_msg *m, bool there)
{
    struct sm_cta *c = &s->ctas.at[m->to.slot];
    struct sm_cluster *k = c->cluster;
    c->releases -= m->kind == FAR_ALONE;
    if (!there)
        return;
    if (k) {
        *(m->kind == FAR_GONE ? &k->gone : &k->arrived) |= 1u << m->rank;
        if ((k->arrived | k->gone) != (1u << k->n) - 1)
            return;
        k->arrived = 0;
    }
    let_go(s, m->to.slot, CLUSTER_BARRIER);
}

/* Lanes that have exited count as arrived in every phase: once, not beside what they did before. */
static void leave_cluster(struct part *p, struct sm_warp *w, uint32_t mask, uint64_t t)
{
    struct sm_cta *c = &p->sm->ctas.at[w->cta];
    if (w->due && !c->announced)
        c->arrived[CLUSTER_BARRIER] -= tr_lanes(mask & w->due);
    w->due &= ~mask;
    if (c->cluster && !c->threads)
        tell_cluster(p->sm, c, FAR_GONE, t);
    else
        check_cluster(p->sm, w->cta, t);
}

void sm_cta_exit(struct part *p, uint32_t i, uint32_t mask, uint64_t t)
{
    struct sm_warp *w = &p->warps[i];
    struct sm_cta *c = &p->sm->ctas.at[w->cta];
    c->threads -= tr_lanes(mask & w->live);
    w->live &= ~mask;
    /* The lanes that are left may have arrived before. */
    w->at_barrier |= w->arrived && !(w->live & ~w->arrived);
    for (uint32_t left = c->open; left; left &= left - 1)
        check_barrier(p->sm, w->cta, (uint32_t)__builtin_ctz(left), t);
    leave_cluster(p, w, mask, t);
}

void sm_cta_warp_ended(struct part *p, uint32_t i, uint64_t t)
{
    struct sm *s = p->sm;
    struct sm_warp *w = &p->warps[i];
    uint32_t slot = w->cta;
    struct sm_cta *c = &s->ctas.at[slot];
    struct tr_step none;
    if (w->live)
        sm_cta_exit(p, i, w->live, t); /* a stream without its EXIT */
    if (tr_next(c->stream, w->index, &none) == TR_BAD)
        fetch_failed(s, c->stream); /* what was read of it is not all that it has */
    if (s->operands.ops->warp_end)
        s->operands.ops->warp_end(p->operands, i);
    p->blocked[w->block] &= ~(1ull << i);
    part_block(p, i, BLOCK_DRAINED);
    p->want_fetch &= ~(1ull << i);
    if (--c->live)
        return;
    if (c->leaves || c->moved)
        park_ended(s, c);
    for (uint32_t k = 0; k < c->need.warps; k++) {
        struct part *q = &s->parts[c->warps[k] >> 8];
        uint32_t n = c->warps[k] & 255;
        q->blocked[BLOCK_DRAINED] &= ~(1ull << n);
        q->used &= ~(1ull << n);
        q->warps[n].used = false;
        part_wake(q, t);
    }
    onchip_give(&s->onchip, &c->need, c->warps);
    s->ctas.n--;
    s->stats[SS_ctas]++;
    if (s->tenants.stats)
        s->tenants.stats[c->k->id.tenant][SS_ctas]++;
    tr_close_cta(c->stream);
    ahead_free(c->ahead);
    free(c->jump);
    c->jump = NULL;
    free(c->cluster);
    c->cluster = NULL;
    c->used = false;
    probe_cta_left(s, slot, t + 1);
    vec_push(&s->ctas.done,
             (struct sm_cta_done){.at = t, .tenant = c->k->id.tenant, .launch = c->launch, .cta = c->cta});
}
