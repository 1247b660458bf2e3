/* SPDX-License-Identifier: Apache-2.0 */
/* Who comes after whom: clocks of warps, lanes that have met, and what CTAs tell each other through memory. */
#include "exec/sanitize/san_inside.h"

/* ---- a CTA's place ---- */

struct san_cta *san_cta_new(struct san *k)
{
    struct run *r = k->r;
    uint32_t n = r->nwarps, sets = 2 * n + NBARRIERS;
    struct san_cta *p = xcalloc(1, sizeof *p);
    p->warps = xcalloc(n, sizeof *p->warps);
    p->local = xcalloc(n, sizeof *p->local);
    p->clocks = xcalloc((size_t)sets * n, sizeof *p->clocks);
    uint32_t *at = p->clocks;
    for (uint32_t w = 0; w < n; w++, at += 2 * (size_t)n) {
        p->warps[w].now.clock = at;
        p->warps[w].fence.clock = at + n;
    }
    for (uint32_t b = 0; b < NBARRIERS; b++, at += n)
        p->bars[b].clock = at;
    p->cells = xcalloc(r->shared_b / 4 * 4 + 16, sizeof *p->cells);
    p->written = xcalloc(r->shared_b / 64 + 2, sizeof *p->written);
    return p;
}

void san_cta_free(const struct san *k, struct san_cta *p)
{
    for (uint32_t w = 0; w < k->r->nwarps; w++)
        free(p->local[w]);
    vec_each (&p->objects, o)
        free(o->s.clock);
    vec_free(&p->objects);
    free(p->warps);
    free(p->local);
    free(p->clocks);
    free(p->cells);
    free(p->written);
    free(p);
}

void san_cta_start(struct san *k, struct san_cta *p, struct cta *c)
{
    struct run *r = k->r;
    uint32_t n = r->nwarps, sets = 2 * n + NBARRIERS;
    p->cta = c;
    p->unit0 = k->past.at[k->past.n - 1].unit0 + (uint32_t)c->index * n;
    p->floor = k->next_id << LANE_BITS;
    memset(p->clocks, 0, sizeof *p->clocks * (size_t)sets * n);
    for (uint32_t w = 0; w < n; w++) {
        struct warp_order *o = &p->warps[w];
        struct seen now = o->now, fence = o->fence;
        now.time = fence.time = 0;
        *o = (struct warp_order){.clock = 1, .now = now, .fence = fence};
        if (p->local[w])
            memset(p->local[w], 0, r->local_b);
    }
    for (uint32_t b = 0; b < NBARRIERS; b++)
        p->bars[b].time = 0;
    vec_each (&p->objects, o)
        free(o->s.clock);
    vec_clear(&p->objects);
    memset(p->written, 0, r->shared_b / 8 + 8);
}

/* ---- sets of what was seen ---- */

static void seen_add(const struct san *k, struct seen *to, const struct seen *from)
{
    for (uint32_t u = 0; u < k->r->nwarps; u++)
        to->clock[u] = from->clock[u] > to->clock[u] ? from->clock[u] : to->clock[u];
    to->time = from->time > to->time ? from->time : to->time;
}

/* All that the warp has done and seen goes into the set; what it does from now on does not. */
static void hand_over(const struct san *k, struct san_cta *p, uint32_t warp, struct seen *to)
{
    struct warp_order *o = &p->warps[warp];
    seen_add(k, to, &o->now);
    to->clock[warp] = ++o->clock;
}

void san_order_lanes(struct san *k, uint32_t warp, uint32_t lanes)
{
    struct warp_order *o = &k->cur->warps[warp];
    uint32_t live = k->cur->cta->warps[warp].live;
    o->clock++;
    if (!(live & ~lanes)) {
        o->synced = o->clock;
        return;
    }
    lanes_each (lanes, l) {
        o->part[l] = lanes;
        o->part_clock[l] = o->clock;
    }
}

/* NVIDIA's assembler leaves __syncwarp out where lanes are together anyway: what its machine code does is in order. */
static bool lanes_before(const struct san *k, const struct warp_order *o, const struct record *rec,
                         uint32_t other, uint32_t lane)
{
    return k->r->code->sass || other == lane || rec->clock < o->synced ||
           (o->part[lane] >> other & 1 && rec->clock < o->part_clock[lane]);
}

static bool launch_before(const struct san *k, uint32_t unit)
{
    uint32_t n = k->past.n, now = k->past.at[n - 1].number;
    for (uint32_t i = n - 1; i-- > 0;) {
        if (unit < k->past.at[i].unit0)
            continue;
        uint32_t back = now - k->past.at[i].number - 1;
        return back > 63 || k->past.at[n - 1].before >> back & 1;
    }
    return true;
}

/* Was what the warp did at that clock released, and has the set seen it? */
static bool released(const struct san *k, uint32_t unit, uint32_t clock, uint64_t time)
{
    if (!k->releases || !time)
        return false;
    const struct releases *l = &k->releases[unit - k->past.at[k->past.n - 1].unit0];
    uint32_t lo = 0, hi = l->list.n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (l->list.at[mid].clock > clock)
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo < l->list.n && l->list.at[lo].time <= time;
}

/* Does the access of that stamp come before what the lane does now? */
bool san_order_before(const struct san *k, uint32_t stamp, uint32_t warp, uint32_t lane)
{
    const struct san_cta *p = k->cur;
    const struct warp_order *o = &p->warps[warp];
    const struct record *rec = &k->records.at[(stamp >> LANE_BITS) - k->record0];
    uint32_t u = rec->unit - p->unit0;
    if (u == warp)
        return lanes_before(k, o, rec, stamp & (LANES - 1), lane);
    if (u < k->r->nwarps)
        return rec->clock < o->now.clock[u];
    if (rec->unit < k->past.at[k->past.n - 1].unit0)
        return launch_before(k, rec->unit);
    return released(k, rec->unit, rec->clock, o->now.time);
}

/* ---- CTA barriers ---- */

void san_arrive(struct san *k, const struct warp *w, uint32_t id, uint32_t lanes)
{
    san_order_lanes(k, w->id, lanes);
    hand_over(k, k->cur, w->id, &k->cur->bars[id]);
}

/* Those who wait at one barrier should wait at one instruction. */
static void same_place(struct san *k, const struct cta *c, uint32_t id)
{
    const struct warp *first = NULL;
    const struct split *at = NULL;
    for (uint32_t n = 0; n < k->r->nwarps; n++) {
        const struct warp *w = &c->warps[n];
        for (uint32_t i = 0; i < w->nsplit; i++) {
            const struct split *s = &w->split[i];
            if (s->state != SPLIT_BAR || s->key != id)
                continue;
            if (!at) {
                at = s;
                first = w;
            } else if (s->pc != at->pc && (!k->r->code->insns[s->pc].line ||
                                           k->r->code->insns[s->pc].line != k->r->code->insns[at->pc].line)) {
                san_find_barrier(k, id, first->id, at->mask, at->pc, w->id, s->mask, s->pc);
            }
        }
    }
}

void san_release(struct san *k, const struct cta *c, uint32_t id)
{
    struct san_cta *p = k->cur;
    struct seen *b = &p->bars[id];
    /* A count in the instruction is how warps with different roles meet: at different places, on purpose. */
    if (k->cfg.sync && !c->bars[id].expected)
        same_place(k, c, id);
    bool all = true;
    for (uint32_t n = 0; n < k->r->nwarps; n++) {
        const struct warp *w = &c->warps[n];
        uint32_t waits = 0;
        for (uint32_t i = 0; i < w->nsplit; i++)
            waits |= w->split[i].state == SPLIT_BAR && w->split[i].key == id ? w->split[i].mask : 0;
        if (waits)
            seen_add(k, &p->warps[n].now, b);
        all &= waits == w->live;
    }
    /* All that the CTA did so far comes before all that it will do. */
    if (all)
        p->floor = k->next_id << LANE_BITS;
    memset(b->clock, 0, sizeof *b->clock * k->r->nwarps);
    b->time = 0;
}

/* ---- barrier objects, clusters ---- */

static struct seen *object_at(const struct san *k, struct san_cta *p, uint32_t at)
{
    vec_each (&p->objects, o)
        if (o->at == at)
            return &o->s;
    struct object o = {.at = at, .s = {.clock = xcalloc(k->r->nwarps, sizeof *o.s.clock)}};
    vec_push(&p->objects, o);
    return &p->objects.at[p->objects.n - 1].s;
}

void san_order_mbar(struct san *k, uint32_t warp, const struct exec_step *s, enum ir_mbar sub)
{
    bool waits =
        sub == MBAR_TEST_WAIT || sub == MBAR_TEST_PARITY || sub == MBAR_TRY_WAIT || sub == MBAR_TRY_PARITY;
    if (sub == MBAR_PENDING || !s->active)
        return;
    struct seen *o =
        object_at(k, k->cur, (uint32_t)exec_step_addr(s, 0, lane_first(s->active)) & SHARED_OFFSET);
    san_order_lanes(k, warp, s->active);
    if (waits)
        seen_add(k, &k->cur->warps[warp].now, o);
    else
        hand_over(k, k->cur, warp, o);
}

/* Who waits has seen all that was released, and all of its own CTA: who has not arrived has not passed either. */
void san_order_cluster(struct san *k, uint32_t warp, bool wait)
{
    struct san_cta *p = k->cur;
    struct warp_order *o = &p->warps[warp];
    san_order_lanes(k, warp, p->cta->warps[warp].live);
    if (!wait) {
        san_order_release(k, warp, 0, true);
        return;
    }
    for (uint32_t u = 0; u < k->r->nwarps; u++)
        o->now.clock[u] = p->warps[u].clock;
    o->now.time = k->serial;
}

/* ---- memory ---- */

void san_order_fence(struct san *k, uint32_t warp)
{
    struct warp_order *o = &k->cur->warps[warp];
    memcpy(o->fence.clock, o->now.clock, sizeof *o->now.clock * k->r->nwarps);
    o->fence.clock[warp] = ++o->clock;
    o->fence.time = o->now.time;
    o->fenced = true;
}

static uint64_t *word_time(struct san *k, uint64_t word, bool make)
{
    if (make && 2 * k->words_n >= k->words_cap) {
        uint32_t cap = k->words_cap;
        __typeof__(k->words) old = k->words;
        k->words_cap = cap ? 2 * cap : 64;
        k->words = xcalloc(k->words_cap, sizeof *k->words);
        k->words_n = 0;
        for (uint32_t i = 0; i < cap; i++)
            if (old[i].addr)
                *word_time(k, old[i].addr, true) = old[i].time;
        free(old);
    }
    if (!k->words_cap)
        return NULL;
    uint32_t i = (uint32_t)(word * 0x9e3779b97f4a7c15ull >> 40) & (k->words_cap - 1);
    while (k->words[i].addr && k->words[i].addr != word)
        i = (i + 1) & (k->words_cap - 1);
    if (!k->words[i].addr && !make)
        return NULL;
    k->words_n += !k->words[i].addr;
    k->words[i].addr = word;
    return &k->words[i].time;
}

/* A strong write of the word: of what came before the last fence, or before it (now). */
void san_order_release(struct san *k, uint32_t warp, uint64_t word, bool now)
{
    struct san_cta *p = k->cur;
    struct warp_order *o = &p->warps[warp];
    uint32_t n = k->r->nwarps, first = p->unit0 - k->past.at[k->past.n - 1].unit0;
    if (now)
        san_order_fence(k, warp);
    if (!o->fenced)
        return;
    if (!k->releases)
        k->releases = xcalloc(k->r->ncta * n, sizeof *k->releases);
    for (uint32_t u = 0; u < n; u++) {
        struct releases *l = &k->releases[first + u];
        uint32_t clock = o->fence.clock[u];
        if (clock && (!l->list.n || l->list.at[l->list.n - 1].clock < clock))
            vec_push(&l->list, (__typeof__(*l->list.at)){clock, k->serial});
    }
    if (word)
        *word_time(k, word, true) = k->serial;
}

void san_order_acquire(struct san *k, uint32_t warp, uint64_t word)
{
    uint64_t *time = k->words_cap ? word_time(k, word, false) : NULL;
    struct seen *s = &k->cur->warps[warp].now;
    if (time && *time > s->time)
        s->time = *time;
}

void san_order_forget(struct san *k)
{
    for (uint64_t i = 0; k->releases && i < k->r->ncta * k->r->nwarps; i++)
        vec_free(&k->releases[i].list);
    free(k->releases);
    k->releases = NULL;
    free(k->words);
    k->words = NULL;
    k->words_cap = k->words_n = 0;
}
