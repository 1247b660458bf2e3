/* SPDX-License-Identifier: Apache-2.0 */
/* Better colourings by search. Tuples that need aligned neighbours leave gaps in a greedy colouring; here classes above
 * a smaller limit are taken out and put back one at a time where they evict the least, and what they evict is put back
 * in turn (Blöchliger and Zufferey: PartialCol, a tabu search over partial colourings). A class may not return at once to
 * the place it was evicted from. The number of steps is bounded, and random choices are the same in every run. */
#include "compile/regs/regalloc.h"

#include "base/bitset.h"
#include "base/rng.h"

/* Neighbours visited before giving up (about 1 ms; 5 ms where classes have no register at all), and classes that may
 * be without a place at a time. */
enum { VISITS = 250000, VISITS_FAILED = 1000000, MAX_OUT = 32 };
#define FOREVER (1u << 20) /* what evicting a class with a fixed place costs */

/* A neighbour of a class, where its word 0 lies from that of the class if both stand at one register. */
struct beside {
    uint32_t of; /* root */
    int16_t rel;
    uint8_t width;
    bool fixed;
};

/* The neighbours of one class, each position once, as far as the search has asked for them. */
struct around {
    struct beside *at;
    uint32_t n, visits; /* n is 0 and visits is not: none; visits 0: not asked yet */
};

struct search {
    struct ra *r;
    struct around *around; /* by root */
    VEC(struct beside) found;
    uint8_t *phys;
    uint32_t limit; /* of general registers */
    uint32_t *out, nout;
    uint32_t *tabu_until;
    uint8_t *tabu_at;
    uint32_t *seen; /* by root: the class, + 1, whose neighbours last met it ... */
    uint8_t *met;   /* ... and at which relative positions */
    uint32_t step;
    int64_t visits;
    struct rng g;
};

/* A position of a fixed class may be met again: it counts once anyway. */
static bool is_met(struct search *s, uint32_t x, uint32_t y, int rel)
{
    if (s->r->ent[y].fixed)
        return false;
    if (s->seen[y] != x + 1) {
        s->seen[y] = x + 1;
        s->met[y] = 0;
    }
    uint8_t bit = (uint8_t)(1u << (rel + 3)), before = s->met[y];
    s->met[y] |= bit;
    return before & bit;
}

/* The graph has its edges by words, and more than once; the search meets most classes many times. */
static const struct around *around(struct search *s, uint32_t x)
{
    struct ra *r = s->r;
    struct around *l = &s->around[x];

    if (l->visits)
        return l;
    vec_clear(&s->found);
    l->visits = 1;
    for (uint32_t m = x; m != RA_NONE; m = r->ent[m].next) {
        uint32_t first = ra_first_word(r, m);
        for (uint32_t w = first; w < first + r->ent[m].n; w++)
            for (uint32_t a = r->adj_off[w]; a < r->adj_off[w + 1]; a++) {
                uint32_t u = r->adj[a], y = r->root_of[u];
                int rel = r->pos_of[u] - r->pos_of[w];
                l->visits++;
                if (!is_met(s, x, y, rel))
                    vec_push(&s->found, (struct beside){y, (int16_t)rel, r->ent[y].width, r->ent[y].fixed});
            }
    }
    l->n = s->found.n;
    l->at = ARENA_ARRAY(&r->mem, struct beside, l->n + 1);
    if (l->n)
        memcpy(l->at, s->found.at, l->n * sizeof *l->at);
    return l;
}

/* What placing x at each register would evict, in words. */
static void eviction_costs(struct search *s, uint32_t x, uint32_t cost[256])
{
    const struct around *l = around(s, x);

    memset(cost, 0, 256 * sizeof *cost);
    s->visits -= l->visits - 1;
    for (const struct beside *y = l->at; y < l->at + l->n; y++) {
        int at = s->phys[y->of] + y->rel;
        if (s->phys[y->of] == RA_UNCOLOURED || at < 0)
            continue;
        cost[at] += !y->fixed ? y->width : cost[at] < FOREVER ? FOREVER : 0;
    }
}

static void evict(struct search *s, uint32_t x, uint32_t at)
{
    const struct around *l = around(s, x);

    for (const struct beside *y = l->at; y < l->at + l->n; y++) {
        if (s->phys[y->of] == RA_UNCOLOURED || s->phys[y->of] + y->rel != (int)at)
            continue;
        s->tabu_at[y->of] = s->phys[y->of];
        s->tabu_until[y->of] = s->step + 1 + rng_below(&s->g, 10) + s->nout * 6 / 10;
        s->phys[y->of] = RA_UNCOLOURED;
        s->out[s->nout++] = y->of;
    }
}

/* Places one class; false: it cannot be placed anywhere. */
static bool place_one(struct search *s)
{
    uint32_t pick = rng_below(&s->g, s->nout), x = s->out[pick], cost[256], best = RA_NONE, ties = 0,
             tabu = RA_NONE;
    uint64_t never[4];

    s->step++;
    s->out[pick] = s->out[--s->nout];
    eviction_costs(s, x, cost);
    ra_never(s->r, x, s->limit, never);
    s->visits -= 64;
    for (uint32_t reg = 0; reg < s->limit; reg++) {
        if (bit_get(never, reg) || cost[reg] >= FOREVER)
            continue;
        if (s->tabu_until[x] > s->step && s->tabu_at[x] == reg && cost[reg]) {
            tabu = reg;
            continue;
        }
        if (best == RA_NONE || cost[reg] < cost[best])
            best = reg, ties = 1;
        else if (cost[reg] == cost[best] && rng_below(&s->g, ++ties) == 0)
            best = reg;
    }
    if (best == RA_NONE)
        best = tabu;
    if (best == RA_NONE)
        return false;
    if (cost[best])
        evict(s, x, best);
    s->phys[x] = (uint8_t)best;
    return true;
}

/* Tries to colour everything below `limit`, starting from `from`. */
static bool search(struct search *s, const uint8_t *from, uint32_t limit)
{
    struct ra *r = s->r;

    memcpy(s->phys, from, r->nents);
    s->limit = limit;
    s->nout = 0;
    for (uint32_t e = 0; e < r->nents; e++) {
        const struct ra_ent *n = &r->ent[e];
        if (n->parent != e || n->fixed || n->cost <= 0)
            continue;
        if (s->phys[e] == RA_UNCOLOURED || (!n->pred && s->phys[e] + n->width > limit)) {
            s->phys[e] = RA_UNCOLOURED;
            s->out[s->nout++] = e;
        }
        s->tabu_until[e] = 0;
    }
    s->step++;
    while (s->nout && s->nout < MAX_OUT && s->visits > 0)
        if (!place_one(s))
            return false;
    return s->nout == 0;
}

static void accept(struct search *s, struct ra_colours *c)
{
    const struct ra *r = s->r;

    memcpy(c->phys, s->phys, r->nents);
    c->regs = c->preds = c->nfailed = 0;
    for (uint32_t e = 0; e < r->nents; e++) {
        const struct ra_ent *n = &r->ent[e];
        if (n->parent != e || n->fixed || c->phys[e] == RA_UNCOLOURED)
            continue;
        uint32_t *top = n->pred ? &c->preds : &c->regs;
        if (c->phys[e] + n->width > *top)
            *top = c->phys[e] + n->width;
    }
}

static void improve(struct search *s, struct ra_colours *c, uint32_t bound)
{
    if (c->nfailed) {
        if (!search(s, c->phys, s->r->limit))
            return;
        accept(s, c);
    }
    while (c->regs > bound && s->visits > 0) {
        if (!search(s, c->phys, c->regs - 1))
            break;
        accept(s, c);
    }
}

void ra_improve(struct ra *r, struct ra_colours *c, uint32_t bound)
{
    if (c->nfailed > MAX_OUT / 2 || (!c->nfailed && c->regs <= bound))
        return;
    struct search s = {.r = r, .visits = c->nfailed ? VISITS_FAILED : VISITS, .g = {1}};
    s.around = ARENA_ARRAY(&r->mem, struct around, r->nents + 1);
    s.phys = ARENA_ARRAY(&r->mem, uint8_t, r->nents + 1);
    s.out = ARENA_ARRAY(&r->mem, uint32_t, r->nents + 1);
    s.tabu_until = ARENA_ARRAY(&r->mem, uint32_t, r->nents + 1);
    s.tabu_at = ARENA_ARRAY(&r->mem, uint8_t, r->nents + 1);
    s.seen = ARENA_ARRAY(&r->mem, uint32_t, r->nents + 1);
    s.met = ARENA_ARRAY(&r->mem, uint8_t, r->nents + 1);
    improve(&s, c, bound);
    vec_free(&s.found);
}
