/* SPDX-License-Identifier: Apache-2.0 */
/* Barrier objects in shared memory (mbarrier): arrivals and bytes that a phase waits for, and warps that sleep until a phase
 * is over.
 *
 * Hand count: an arrival that issues in cycle t counts from t + sm.object_cyc on, at an object of another CTA of the cluster
 * sm.far_cyc later; a warp that waits for that phase issues its next instruction sm.object_wake_cyc later. A wait for a phase
 * that is over already takes sm.object_cyc. */
#include "sm/async/inside.h"

static uint32_t slot_of(const struct async_cta *c, uint32_t at)
{
    uint32_t i = (at >> 3) * 2654435761u >> 16 & (c->slots - 1);
    while (c->objects[i].at && c->objects[i].at != at + 1)
        i = (i + 1) & (c->slots - 1);
    return i;
}

static void grow(struct async_cta *c)
{
    struct async_cta old = *c;
    c->slots = old.slots ? 2 * old.slots : OBJECT_SLOTS;
    c->objects = xcalloc(c->slots, sizeof *c->objects);
    for (uint32_t i = 0; i < old.slots; i++)
        if (old.objects[i].at)
            c->objects[slot_of(c, old.objects[i].at - 1)] = old.objects[i];
    free(old.objects);
}

/* One that nobody has initialised waits for one arrival. */
static struct object *object_at(struct async_cta *c, uint32_t at)
{
    if (2 * c->nobjects >= c->slots)
        grow(c);
    struct object *o = &c->objects[slot_of(c, at)];
    if (!o->at) {
        *o = (struct object){.at = at + 1, .count = 1, .pending = 1};
        c->nobjects++;
    }
    return o;
}

void objects_free(struct async_cta *c)
{
    free(c->objects);
    c->objects = NULL;
}

/* Are the phases over that the lanes wait for? Each lane names the parity of its phase, or how many phases. */
static bool satisfied(struct async_cta *c, const uint64_t *block, uint32_t mask)
{
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(m);
        uint64_t want = block[TR_LANES + l];
        uint32_t phase = object_at(c, (uint32_t)block[l] & FAR_OFFSET)->phase;
        if (want < TMB_PHASES ? (phase & 1) == want : phase < want - TMB_PHASES)
            return false;
    }
    return true;
}

/* A phase of the CTA's is over: whoever waits looks again. */
static void look_again(struct async *a, uint32_t slot, uint64_t t)
{
    struct sm *s = a->s;
    const struct sm_cta *c = &s->ctas.at[slot];
    for (uint32_t i = 0; c->used && i < c->need.warps; i++) {
        struct part *p = &s->parts[c->warps[i] >> 8];
        uint32_t n = c->warps[i] & 255;
        struct async_warp *w = async_warp(a, p, n);
        if (w->waits == NONE16 || !satisfied(&a->ctas[slot], s->lsu.blocks[w->waits], w->wait_mask))
            continue;
        struct lines l = {.n = 1, .block = w->waits};
        lines_free(s, &l);
        w->waits = NONE16;
        async_wake(p, n, s->cfg->object_wake_cyc, t);
    }
}

void object_apply(struct async *a, const struct later *l, uint64_t t)
{
    struct object *o = object_at(&a->ctas[l->slot], l->at);
    switch ((enum tr_mbar)l->op) {
    case TMB_INIT: *o = (struct object){.at = o->at, .count = l->value, .pending = (int32_t)l->value}; return;
    case TMB_DROP: o->count -= l->value < o->count ? l->value : o->count; /* fall through */
    case TMB_ARRIVE: o->pending -= (int32_t)l->value; break;
    case TMB_DROP_EXPECT: o->count -= o->count > 0; /* fall through */
    case TMB_ARRIVE_EXPECT:
        o->tx += (int32_t)l->value;
        o->pending--;
        break;
    case TMB_EXPECT: o->tx += (int32_t)l->value; break;
    case TMB_COMPLETE: o->tx -= (int32_t)l->value; break;
    default: return;
    }
    if (o->pending > 0 || o->tx)
        return;
    /* Arrivals that come early (of a trace whose waits are guesses) count for the phases that follow. */
    do {
        o->phase++;
        o->pending += (int32_t)o->count;
    } while (o->count && o->pending <= 0);
    look_again(a, l->slot, t);
}

void object_bytes(struct async *a, uint32_t slot, uint32_t at, uint32_t bytes, uint64_t t)
{
    object_apply(a, &(struct later){.op = TMB_COMPLETE, .slot = slot, .at = at, .value = bytes}, t);
}

/* Lanes that name one object act on it together. That of another CTA hears of it when the message is there. */
static void act(struct sm *s, uint32_t slot, const struct ientry *e, uint64_t t)
{
    const uint64_t *block = s->lsu.blocks[e->lines.block];
    const struct sm_cta *c = &s->ctas.at[slot];
    bool with_bytes = e->k->imm == TMB_ARRIVE_EXPECT || e->k->imm == TMB_DROP_EXPECT;
    for (uint32_t left = e->mask; left;) {
        uint32_t first = (uint32_t)__builtin_ctz(left), same = 0;
        uint32_t rank = far_rank(c, block[first]), at = (uint32_t)block[first] & FAR_OFFSET, value = 0;
        for (uint32_t m = left; m; m &= m - 1) {
            uint32_t n = (uint32_t)__builtin_ctz(m);
            if (((uint32_t)block[n] & FAR_OFFSET) != at || far_rank(c, block[n]) != rank ||
                (same && with_bytes))
                continue;
            same |= 1u << n;
            value =
                e->k->imm == TMB_INIT ? (uint32_t)block[TR_LANES + n] : value + (uint32_t)block[TR_LANES + n];
        }
        left &= ~same;
        if (rank == far_own(c))
            async_object(s, slot, at, e->k->imm, value, t);
        else
            far_send(s, c, rank,
                     &(struct far_msg){.at = t + s->cfg->far_cyc,
                                       .kind = FAR_OBJECT,
                                       .op = (uint8_t)e->k->imm,
                                       .object = at,
                                       .value = value});
    }
}

void object_issue(struct part *p, uint32_t w, struct ientry *e, uint64_t t)
{
    struct async *a = async_of(p->sm);
    struct sm *s = p->sm;
    uint32_t slot = p->warps[w].cta;
    s->stats[SS_object_ops]++;
    if (e->k->imm != TMB_WAIT && e->k->imm != TMB_TEST) {
        act(s, slot, e, t);
        return;
    }
    if (e->k->imm == TMB_TEST || satisfied(&a->ctas[slot], s->lsu.blocks[e->lines.block], e->mask)) {
        async_wake(p, w, s->cfg->object_cyc, t);
        return;
    }
    struct async_warp *x = async_warp(a, p, w);
    x->waits = e->lines.block;
    x->wait_mask = e->mask;
    e->lines = (struct lines){.block = NONE16}; /* it keeps the block */
    async_sleep(p, w);
}
