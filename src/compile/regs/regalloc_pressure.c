/* SPDX-License-Identifier: Apache-2.0 */
/* What to spill. Before colouring: enough that no point holds more values than there are registers, ranked by
 * relief (crowded points a class covers, by frequency) over cost (reloads and stores, by frequency). After a failed
 * colouring: for each failed class itself, or what stands at the place that is cheapest to clear for it. */
#include "compile/regs/regalloc.h"

#include "base/bitset.h"

enum { MAX_ROOM = 64 }; /* words left free at a point at most */
enum { PATIENCE = 3 };  /* failed rounds after which more than the room for the failed classes is cleared */
#define NEVER 1e30f
enum { DEPTHS = 8 }; /* loop depths that are told apart */

/* Live classes while walking a block backwards: positions of classes count once however many members live there. */
struct crowd {
    struct ra *r;
    uint16_t *live;    /* by root and position (first + position): live words */
    uint32_t *first;   /* by root */
    uint32_t *list, n; /* roots with something alive, unordered, and their places in it */
    uint32_t *place;
    uint8_t *held;     /* by root: live positions */
    uint32_t words[2]; /* registers, predicates */
};

static void crowd_add(struct crowd *c, uint32_t w)
{
    uint32_t root = c->r->root_of[w];
    const struct ra_ent *e = &c->r->ent[root];

    if ((e->fixed && e->phys == REG_SP) || c->live[c->first[root] + c->r->pos_of[w]]++)
        return;
    c->words[e->pred]++;
    if (!c->held[root]++) {
        c->place[root] = c->n;
        c->list[c->n++] = root;
    }
}

static void crowd_drop(struct crowd *c, uint32_t w)
{
    uint32_t root = c->r->root_of[w];
    const struct ra_ent *e = &c->r->ent[root];

    if ((e->fixed && e->phys == REG_SP) || --c->live[c->first[root] + c->r->pos_of[w]])
        return;
    c->words[e->pred]--;
    if (!--c->held[root]) {
        uint32_t last = c->list[--c->n];
        c->list[c->place[root]] = last;
        c->place[last] = c->place[root];
    }
}

static struct crowd *crowd_new(struct ra *r)
{
    struct crowd *c = ARENA_NEW(&r->mem, struct crowd);

    c->r = r;
    c->first = ARENA_ARRAY(&r->mem, uint32_t, r->nents + 1);
    uint32_t words = 0;
    for (uint32_t e = 0; e < r->nents; e++) {
        c->first[e] = words;
        words += r->ent[e].width > 4 ? r->ent[e].width : 4;
    }
    c->live = ARENA_ARRAY(&r->mem, uint16_t, words + 1);
    c->list = ARENA_ARRAY(&r->mem, uint32_t, r->nents + 1);
    c->place = ARENA_ARRAY(&r->mem, uint32_t, r->nents + 1);
    c->held = ARENA_ARRAY(&r->mem, uint8_t, r->nents + 1);
    return c;
}

/* Adds bits that were not in the set; the set and the crowd stay the same thing. */
static void enter(struct crowd *c, uint64_t *set, const struct ir_opnd *o)
{
    uint32_t w, n = ra_opnd_words(c->r, o, &w);

    for (uint32_t k = 0; k < n; k++)
        if (!bit_get(set, w + k)) {
            bit_set(set, w + k);
            crowd_add(c, w + k);
        }
}

static void leave(struct crowd *c, uint64_t *set, const struct ir_opnd *o)
{
    uint32_t w, n = ra_opnd_words(c->r, o, &w);

    for (uint32_t k = 0; k < n; k++)
        if (bit_get(set, w + k)) {
            bit_clear(set, w + k);
            crowd_drop(c, w + k);
        }
}

typedef void point_fn(struct crowd *c, const struct ir_insn *i, double weight, void *arg);

/* Calls f at every instruction twice: with all that lives after it and its destinations, and with what lives before. */
static void each_point(struct crowd *c, uint32_t b, uint64_t *set, point_fn *f, void *arg)
{
    struct ra *r = c->r;
    const struct ir_block *bl = &r->fn->blocks.at[b];
    double weight = ra_block_weight(r, b);

    memcpy(set, r->live->out[b], r->live->set_words * sizeof *set);
    bits_each (set, w, r->nbits)
        crowd_add(c, w);
    for (uint32_t k = bl->insns.n; k-- > 0;) {
        const struct ir_insn *i = &bl->insns.at[k];
        for (int d = 0; d < 2; d++)
            enter(c, set, &i->dst[d]);
        f(c, i, weight, arg);
        for (int d = 0; d < 2; d++)
            if (ir_kills(i, d))
                leave(c, set, &i->dst[d]);
        for (int s = 0; s < 6; s++)
            enter(c, set, &i->src[s]);
        enter(c, set, &i->guard);
        f(c, i, weight, arg);
    }
    bits_each (set, w, r->nbits)
        crowd_drop(c, w);
}

struct pick {
    uint32_t limit[2];
    const uint8_t *hard; /* by root, or NULL: room to leave where it lives */
    double *relief;      /* by root */
    uint8_t *spill;
    uint8_t *busy; /* by root: an operand of the instruction at hand */
    uint32_t picked, worst;
};

static uint32_t limit_at(const struct crowd *c, const struct pick *p, const struct ir_insn *i, int pred)
{
    uint32_t limit = p->limit[pred], room = 0;

    /* Only callee-saved registers hold values across a call. */
    if (i->op == OP_CALL) {
        uint32_t saved = c->r->limit > CALLER_SAVED ? c->r->limit - CALLER_SAVED : 0;
        return pred ? 0 : saved < limit ? saved : limit;
    }
    if (!p->hard || c->words[pred] + MAX_ROOM <= limit)
        return limit;
    for (uint32_t k = 0; k < c->n; k++)
        if (c->r->ent[c->list[k]].pred == pred && p->hard[c->list[k]] > room)
            room = p->hard[c->list[k]];
    return limit > room ? limit - room : 0;
}

static void measure(struct crowd *c, const struct ir_insn *i, double weight, void *arg)
{
    struct pick *p = arg;

    if (c->words[0] > p->worst)
        p->worst = c->words[0];
    for (int pred = 0; pred < 2; pred++)
        if (c->words[pred] > limit_at(c, p, i, pred))
            for (uint32_t k = 0; k < c->n; k++) {
                uint32_t root = c->list[k];
                if (c->r->ent[root].pred == pred)
                    p->relief[root] += weight * c->held[root];
            }
}

static bool is_remat(const struct ra *r, uint32_t root)
{
    if (r->ent[root].pred || r->ent[root].next != RA_NONE)
        return false;
    for (uint32_t k = 0; k < r->ent[root].n; k++)
        if (!r->remat[ra_first_word(r, root) + k].ok)
            return false;
    return true;
}

static double score(const struct ra *r, const struct pick *p, uint32_t root)
{
    double cost = r->ent[root].cost;

    if (is_remat(r, root))
        cost *= 0.25;
    return p->relief[root] / (cost + 1e-3);
}

static void mark_busy(struct crowd *c, struct pick *p, const struct ir_insn *i, uint8_t value)
{
    for (int k = 0; k < 9; k++) {
        uint32_t w;
        if (ra_opnd_words(c->r, k < 2 ? &i->dst[k] : k < 8 ? &i->src[k - 2] : &i->guard, &w))
            p->busy[c->r->root_of[w]] = value;
    }
}

/* Spilled classes still stand in the crowd; what they hold is taken off the count here. */
static void relieve(struct crowd *c, const struct ir_insn *i, double weight, void *arg)
{
    struct pick *p = arg;
    const struct ra *r = c->r;

    (void)weight;
    uint32_t limit[2] = {limit_at(c, p, i, 0), limit_at(c, p, i, 1)};
    if (c->words[0] <= limit[0] && c->words[1] <= limit[1])
        return;
    uint32_t left[2] = {c->words[0], c->words[1]};
    mark_busy(c, p, i, 1);
    for (uint32_t k = 0; k < c->n; k++)
        if (p->spill[c->list[k]] && !p->busy[c->list[k]])
            left[r->ent[c->list[k]].pred] -= c->held[c->list[k]];
    for (int pred = 0; pred < 2; pred++)
        while (left[pred] > limit[pred]) {
            uint32_t best = RA_NONE;
            for (uint32_t k = 0; k < c->n; k++) {
                uint32_t root = c->list[k];
                const struct ra_ent *e = &r->ent[root];
                if (e->pred == pred && e->spillable && !p->spill[root] && !p->busy[root] &&
                    (best == RA_NONE || score(r, p, root) > score(r, p, best)))
                    best = root;
            }
            if (best == RA_NONE)
                break;
            p->spill[best] = 1;
            p->picked++;
            left[pred] -= c->held[best];
        }
    mark_busy(c, p, i, 0);
}

/* Values that live across a call and cannot have a callee-saved register: predicates, or all if there are none. */
static uint32_t pick_calls(struct ra *r, uint8_t *spill)
{
    uint32_t picked = 0;

    for (uint32_t e = 0; e < r->nents; e++) {
        const struct ra_ent *n = &r->ent[e];
        if (n->parent == e && n->call && n->spillable && !spill[e] &&
            (n->pred || r->limit < (uint32_t)CALLER_SAVED + n->width)) {
            spill[e] = 1;
            picked++;
        }
    }
    return picked;
}

static uint32_t pick_points(struct ra *r, struct pick *p)
{
    struct crowd *c = crowd_new(r);
    uint64_t *set = ARENA_ARRAY(&r->mem, uint64_t, r->live->set_words + 1);

    p->relief = ARENA_ARRAY(&r->mem, double, r->nents + 1);
    p->busy = ARENA_ARRAY(&r->mem, uint8_t, r->nents + 1);
    for (uint32_t k = 0; k < r->cfg->nrpo; k++)
        each_point(c, r->cfg->rpo[k], set, measure, p);
    r->pressure = p->worst;
    /* Inner loops first: what is chosen there relieves the outer ones too. */
    for (uint32_t depth = DEPTHS; depth-- > 0;)
        for (uint32_t k = 0; k < r->cfg->nrpo; k++) {
            uint32_t b = r->cfg->rpo[k], d = r->cfg->depth[b];
            if ((d < DEPTHS ? d : DEPTHS - 1) == depth)
                each_point(c, b, set, relieve, p);
        }
    return p->picked;
}

uint32_t ra_pick_pressure(struct ra *r, uint32_t regs, uint32_t preds, uint8_t *spill)
{
    struct pick p = {.limit = {regs, preds}, .spill = spill};

    p.picked = pick_calls(r, spill);
    return pick_points(r, &p);
}

/* What must leave to make room for a failed class at each register: the sum of costs of those that are there. */
static void room_costs(struct ra *r, const struct ra_colours *c, const uint8_t *spill, uint32_t x,
                       float cost[256], uint32_t *seen, uint8_t *met)
{
    for (uint32_t m = x; m != RA_NONE; m = r->ent[m].next) {
        uint32_t first = ra_first_word(r, m);
        for (uint32_t w = first; w < first + r->ent[m].n; w++)
            for (uint32_t a = r->adj_off[w]; a < r->adj_off[w + 1]; a++) {
                uint32_t u = r->adj[a], y = r->root_of[u];
                int at = c->phys[y] + r->pos_of[u] - r->pos_of[w];
                if (c->phys[y] == RA_UNCOLOURED || at < 0 || spill[y])
                    continue;
                if (r->ent[y].acc) {
                    cost[at] = NEVER;
                    continue;
                }
                uint8_t rel = (uint8_t)(1u << (r->pos_of[u] + 3 - r->pos_of[w]));
                if (seen[y] != x + 1)
                    met[y] = 0;
                seen[y] = x + 1;
                if (!(met[y] & rel))
                    cost[at] += r->ent[y].spillable ? r->ent[y].cost : NEVER;
                met[y] |= rel;
            }
    }
}

static uint32_t clear_room(struct ra *r, const struct ra_colours *c, uint32_t x, uint32_t at, uint8_t *spill)
{
    uint32_t picked = 0;

    for (uint32_t m = x; m != RA_NONE; m = r->ent[m].next) {
        uint32_t first = ra_first_word(r, m);
        for (uint32_t w = first; w < first + r->ent[m].n; w++)
            for (uint32_t a = r->adj_off[w]; a < r->adj_off[w + 1]; a++) {
                uint32_t u = r->adj[a], y = r->root_of[u];
                if (c->phys[y] == RA_UNCOLOURED || c->phys[y] + r->pos_of[u] != at + r->pos_of[w] || spill[y])
                    continue;
                spill[y] = 1;
                picked++;
            }
    }
    return picked;
}

/* For each failed class the cheapest: itself, or what stands at one of its possible places. */
static uint32_t pick_rooms(struct ra *r, const struct ra_colours *c, uint8_t *spill)
{
    uint32_t picked = 0, *seen = ARENA_ARRAY(&r->mem, uint32_t, r->nents + 1);
    uint8_t *met = ARENA_ARRAY(&r->mem, uint8_t, r->nents + 1);

    for (uint32_t k = 0; k < c->nfailed; k++) {
        uint32_t x = c->failed[k], best = RA_NONE;
        float cost[256] = {0};
        uint64_t never[4];
        if (spill[x])
            continue;
        room_costs(r, c, spill, x, cost, seen, met);
        ra_never(r, x, r->limit, never);
        for (uint32_t reg = 0; reg < 256; reg++)
            if (!bit_get(never, reg) && cost[reg] < NEVER && (best == RA_NONE || cost[reg] < cost[best]))
                best = reg;
        if (r->ent[x].spillable && (best == RA_NONE || r->ent[x].cost <= cost[best])) {
            spill[x] = 1;
            picked++;
        } else if (best != RA_NONE) {
            picked += clear_room(r, c, x, best, spill);
        }
    }
    return picked;
}

uint32_t ra_pick_failed(struct ra *r, const struct ra_colours *c, uint32_t failures, uint8_t *spill)
{
    uint8_t *hard = ARENA_ARRAY(&r->mem, uint8_t, r->nents + 1);
    struct pick p = {.limit = {r->limit - 1, MAX_PREDS}, .spill = spill, .hard = hard};

    p.picked = pick_rooms(r, c, spill);
    if (p.picked && failures < PATIENCE)
        return p.picked;
    for (uint32_t k = 0; k < c->nfailed; k++) {
        uint32_t more = failures > PATIENCE ? failures - PATIENCE : 0, room = r->ent[c->failed[k]].width;
        room += more < 6 ? 1u << more : MAX_ROOM;
        hard[c->failed[k]] = (uint8_t)(room < MAX_ROOM ? room : MAX_ROOM);
    }
    return pick_points(r, &p);
}
