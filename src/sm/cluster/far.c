/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of the SMs of a cluster: accesses to shared memory of other CTAs on their way out and in, and what else is for a later
 * cycle of this or another SM.
 *
 * Hand count: a load of one word from another CTA that issues in cycle t has its result in t + 2 sm.far_cyc + sm.shared_cyc. Each
 * request and answer takes the port of its SM for its bytes: 8, and 32 for each segment of 32 bytes that has data (Hopper tuning
 * guide: such accesses are like those to global memory). */
#include "sm/async/async.h"
#include "sm/lsu/steps.h"

enum { HEADER_B = 8, WORDS = 2 };

/* What one CTA gets of an instruction, as it is kept in the block of its list: two words. */
struct share {
    uint32_t rank, passes, segments;
    uint32_t object, bytes; /* of a store that announces: 1 + address, or 0; what that gets */
};

static void put_share(uint64_t *to, const struct share *x)
{
    to[0] = x->rank | x->passes << 8 | x->segments << 16;
    to[1] = x->object | (uint64_t)x->bytes << 32;
}

static struct share get_share(const uint64_t *from)
{
    return (struct share){.rank = from[0] & 255,
                          .passes = from[0] >> 8 & 255,
                          .segments = from[0] >> 16 & 255,
                          .object = (uint32_t)from[1],
                          .bytes = (uint32_t)(from[1] >> 32)};
}

/* An address that names no CTA, or one that there is not, is of the CTA itself. */
uint32_t far_rank(const struct sm_cta *c, uint64_t addr)
{
    uint32_t rank1 = (uint32_t)(addr >> FAR_RANK_SHIFT & 255);
    return rank1 && c->cluster && rank1 <= c->cluster->n ? rank1 - 1 : far_own(c);
}

static uint32_t count_segments(const uint64_t *addr, uint32_t mask)
{
    uint64_t seen[TR_LANES];
    uint32_t n = 0;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint64_t x = addr[__builtin_ctz(m)] / SECTOR_B;
        uint32_t i = 0;
        while (i < n && seen[i] != x)
            i++;
        if (i == n)
            seen[n++] = x;
    }
    return n;
}

static bool names_others(const struct sm_cta *c, const uint64_t *addr, uint32_t mask)
{
    for (uint32_t m = mask; m; m &= m - 1)
        if (far_rank(c, addr[__builtin_ctz(m)]) != far_own(c))
            return true;
    return false;
}

bool far_of_step(struct sm *s, const struct part *p, uint32_t w, const struct tr_step *step, struct ientry *e)
{
    const struct sm_cta *c = &s->ctas.at[p->warps[w].cta];
    const struct kinsn *k = e->k;
    const struct tr_addr *a = &step->addr[0];
    uint64_t addr[TR_LANES], object[TR_LANES];
    if (a->form == TF_NONE || a->space != SPACE_SHARED)
        return false;
    tr_expand(a, step->mask, addr);
    if (!k->announces && !names_others(c, addr, step->mask))
        return false;
    if (k->announces)
        tr_expand(&step->addr[1], step->mask, object);
    uint64_t *to = lines_take_block(s, &e->lines);
    uint32_t n = 0, width = k->width_b ? k->width_b : 4;
    for (uint32_t left = step->mask; left; n++) {
        uint32_t first = (uint32_t)__builtin_ctz(left), same = 0;
        struct share x = {.rank = far_rank(c, addr[first])};
        if (k->announces)
            x.object = 1 + ((uint32_t)object[first] & FAR_OFFSET);
        for (uint32_t m = left; m; m &= m - 1) {
            uint32_t l = (uint32_t)__builtin_ctz(m);
            if (far_rank(c, addr[l]) == x.rank &&
                (!k->announces || 1 + ((uint32_t)object[l] & FAR_OFFSET) == x.object))
                same |= 1u << l;
        }
        left &= ~same;
        x.passes = passes_count(s->cfg->shared_banks, addr, same, width, k->mem & TM_ATOMIC);
        x.segments = count_segments(addr, same);
        x.bytes = width * (uint32_t)__builtin_popcount(same);
        put_share(to + (size_t)WORDS * n, &x);
    }
    e->space = SPACE_SHARED;
    e->lines.n = (uint8_t)n;
    e->passes = 1;
    e->rows = NONE16;
    return true;
}

/* ---- out ---- */

/* Cycle in which a message of so many bytes leaves. */
static uint64_t through_port(struct sm *s, uint32_t bytes, uint64_t t)
{
    uint64_t at = s->far.port > t ? s->far.port : t;
    s->stats[SS_far_wait] += at - t;
    s->stats[SS_far_b] += bytes;
    s->far.port = at + (bytes + s->cfg->far_b - 1) / s->cfg->far_b;
    return at;
}

static void hold(struct sm *s, const struct far_msg *m)
{
    uint32_t i = s->far.free;
    if (i == UINT32_MAX) {
        i = s->far.in.n;
        vec_resize(&s->far.in, i + 1);
    } else {
        s->far.free = s->far.in.at[i].next;
    }
    s->far.in.at[i].m = *m;
    event_at(s, m->at, EV_FAR, 0, i);
}

void far_send_to(struct sm *s, const struct far_cta *to, const struct far_msg *m)
{
    struct far_msg out = *m;
    out.from = (uint16_t)s->id;
    out.to = *to;
    if (to->sm == s->id)
        hold(s, &out);
    else
        vec_push(&s->far.out, out);
}

void far_send(struct sm *s, const struct sm_cta *c, uint32_t rank, const struct far_msg *m)
{
    struct far_cta self = sm_far_cta(s, (uint32_t)(c - s->ctas.at));
    far_send_to(s, c->cluster ? &c->cluster->at[rank] : &self, m);
}

/* Shared memory serves an access in cycle t or later; returns the first cycle in which it does something else. */
static uint64_t serve(struct sm *s, uint32_t passes, uint64_t t)
{
    s->stats[SS_shared_accesses]++;
    s->stats[SS_shared_conflicts] += passes - 1;
    return array_claim_all(s->lsu.shared_array, t, passes) + passes;
}

ASIDE uint64_t far_step(struct sm *s, uint32_t who, uint64_t t)
{
    struct flight *l = lsu_at(s, who);
    const struct sm_cta *c = &s->ctas.at[s->parts[lsu_part(who)].warps[l->warp].cta];
    const uint64_t *at = lines_at(s, &l->i.lines);
    bool wants = l->i.k->nwrite, atomic = l->i.k->mem & TM_ATOMIC;
    uint64_t until = t + 1;
    for (uint32_t i = 0; i < l->i.lines.n; i++) {
        struct share x = get_share(at + (size_t)WORDS * i);
        struct far_msg m = {.kind = wants ? FAR_READ : FAR_WRITE,
                            .passes = (uint8_t)x.passes,
                            .atomic = atomic,
                            .bytes = (uint16_t)(SECTOR_B * x.segments),
                            .who = who,
                            .object = x.object,
                            .value = x.bytes};
        uint64_t busy;
        l->lines_left += wants;
        if (x.rank == far_own(c)) {
            busy = serve(s, x.passes, t);
            if (x.object)
                async_object(s, (uint32_t)(c - s->ctas.at), x.object - 1, TMB_COMPLETE, x.bytes, t);
            m.kind = FAR_DATA;
            m.at = busy - 1 + lsu_shared_cyc(s, atomic);
        } else {
            s->stats[SS_far_accesses]++;
            m.at = through_port(s, HEADER_B + (wants && !atomic ? 0 : m.bytes), t) + s->cfg->far_cyc;
            busy = s->far.port;
        }
        if (m.kind != FAR_DATA || wants)
            far_send(s, c, x.rank, &m);
        until = busy > until ? busy : until;
    }
    lines_walked(s, &l->i.lines);
    if (!wants)
        event_at(s, t + 1, EV_RESULT, lsu_part(who), lsu_flight(who));
    return until;
}

/* ---- in ---- */

static bool is_there(const struct sm *s, const struct far_cta *c)
{
    return s->ctas.at[c->slot].used && s->ctas.at[c->slot].serial == c->serial;
}

/* The port is taken when the request comes, so that an answer does not keep back what is sent before it. */
static void answer(struct sm *s, const struct far_msg *m, uint64_t t)
{
    uint64_t done = serve(s, m->passes, t) - 1, leaves = through_port(s, HEADER_B + m->bytes, t);
    uint64_t at = (leaves > done ? leaves : done) + lsu_shared_cyc(s, m->atomic) + s->cfg->far_cyc;
    far_send_to(s, &(struct far_cta){.sm = m->from},
                &(struct far_msg){.at = at, .kind = FAR_DATA, .who = m->who});
}

static void data(struct sm *s, uint32_t who, uint64_t t)
{
    struct part *p = &s->parts[lsu_part(who)];
    struct flight *l = lsu_at(s, who);
    if (!l->lines_left) {
        if (!s->error[0])
            snprintf(s->error, sizeof s->error,
                     "cycle %llu, partition %u, warp %u: data of another CTA that nobody waits for",
                     (unsigned long long)t, p->id, l->warp);
        return;
    }
    if (--l->lines_left)
        return;
    flight_result(p, lsu_flight(who));
    part_wake(p, t);
}

void far_event(struct sm *s, uint32_t arg, uint64_t t)
{
    const struct far_msg m = s->far.in.at[arg].m;
    s->far.in.at[arg].next = s->far.free;
    s->far.free = arg;
    switch ((enum far_kind)m.kind) {
    case FAR_READ:
        s->stats[SS_far_served]++;
        answer(s, &m, t);
        break;
    case FAR_WRITE:
        s->stats[SS_far_served]++;
        serve(s, m.passes, t);
        if (m.object && is_there(s, &m.to))
            async_object(s, m.to.slot, m.object - 1, TMB_COMPLETE, m.value, t);
        break;
    case FAR_DATA: data(s, m.who, t); break;
    case FAR_OBJECT:
        if (is_there(s, &m.to))
            async_object(s, m.to.slot, m.object, m.op, m.value, t);
        break;
    case FAR_ARRIVED:
    case FAR_GONE:
    case FAR_ALONE: sm_cta_far_arrived(s, &m, is_there(s, &m.to)); break;
    }
}

/* ---- between windows ---- */

struct far_cta sm_far_cta(const struct sm *s, uint32_t slot)
{
    return (struct far_cta){.sm = (uint16_t)s->id, .slot = (uint16_t)slot, .serial = s->ctas.at[slot].serial};
}

void sm_far_join(struct sm *s, uint32_t rank, const struct far_cta *all, uint32_t n)
{
    struct sm_cluster *k = xcalloc(1, sizeof *k);
    k->n = n;
    k->rank = rank;
    memcpy(k->at, all, sizeof *all * n);
    s->ctas.at[all[rank].slot].cluster = k;
}

far_msgs *sm_far_sent(struct sm *s) { return &s->far.out; }

void sm_far_give(struct sm *s, uint64_t now, const struct far_msg *m)
{
    s->clock.now = now > s->clock.now ? now : s->clock.now; /* the wheel counts from its clock */
    hold(s, m);
}
