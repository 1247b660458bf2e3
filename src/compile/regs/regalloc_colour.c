/* SPDX-License-Identifier: Apache-2.0 */
/* Colours for classes: greedy, lowest register first, in a few orders; the best result is kept and handed to the search
 * of regalloc_improve.c.
 *
 * In order of first definition greedy colouring is optimal for straight live ranges (Hack: interference graphs of SSA
 * programs are chordal); tuples and joined ranges disturb that, so wide-first is tried too. */
#include "compile/regs/regalloc.h"

#include "base/bitset.h"

static void shift_right(const uint64_t in[4], unsigned by, uint64_t out[4])
{
    for (int k = 0; k < 4; k++)
        out[k] |= by ? in[k] >> by | (k < 3 ? in[k + 1] << (64 - by) : 0) : in[k];
}

/* Reserved registers and what does not exist, for a word of a class. */
static void reserved(const struct ra_ent *n, uint32_t limit, uint64_t f[4])
{
    if (n->pred)
        limit = MAX_PREDS;
    for (uint32_t k = 0; k < 4; k++)
        f[k] = limit >= (k + 1) * 64 ? 0 : limit <= k * 64 ? ~0ull : ~0ull << limit % 64;
    if (!n->pred)
        bit_set(f, REG_SP);
    if (n->call)
        f[0] |= n->pred ? ~0ull : (1ull << CALLER_SAVED) - 1;
}

static uint8_t used_positions(const struct ra *r, uint32_t root)
{
    uint8_t used = 0;

    for (uint32_t m = root; m != RA_NONE; m = r->ent[m].next)
        for (uint32_t k = 0; k < r->ent[m].n; k++)
            used |= (uint8_t)(1u << r->pos_of[ra_first_word(r, m) + k]);
    return used;
}

/* Turns registers forbidden by position into registers forbidden for word 0, and adds what is never allowed. */
static void combine(const struct ra *r, uint32_t root, uint32_t limit, uint64_t f[4][4],
                    uint64_t forbidden[4])
{
    static const uint64_t misaligned[5] = {0, 0, 0xaaaaaaaaaaaaaaaaull, 0, 0xeeeeeeeeeeeeeeeeull};
    uint8_t used = used_positions(r, root);
    uint64_t res[4];

    reserved(&r->ent[root], limit, res);
    for (int k = 0; k < 4; k++)
        forbidden[k] = misaligned[r->ent[root].align];
    for (unsigned pos = 0; pos < 4; pos++)
        if (used >> pos & 1) {
            for (int k = 0; k < 4; k++)
                f[pos][k] |= res[k];
            shift_right(f[pos], pos, forbidden);
        }
}

void ra_never(const struct ra *r, uint32_t root, uint32_t limit, uint64_t forbidden[4])
{
    uint64_t f[4][4] = {{0}};

    combine(r, root, limit, f, forbidden);
}

void ra_forbidden(const struct ra *r, const uint8_t *phys, uint32_t root, uint64_t forbidden[4])
{
    uint64_t f[4][4] = {{0}};

    for (uint32_t m = root; m != RA_NONE; m = r->ent[m].next) {
        uint32_t first = ra_first_word(r, m);
        for (uint32_t w = first; w < first + r->ent[m].n; w++)
            for (uint32_t a = r->adj_off[w]; a < r->adj_off[w + 1]; a++) {
                uint32_t u = r->adj[a], c = phys[r->root_of[u]];
                if (c != RA_UNCOLOURED)
                    bit_set(f[r->pos_of[w]], c + r->pos_of[u]);
            }
    }
    combine(r, root, r->limit, f, forbidden);
}

bool ra_is_free(const struct ra *r, const uint8_t *phys, uint32_t root, uint32_t reg)
{
    uint64_t never[4];

    ra_never(r, root, r->limit, never);
    if (bit_get(never, reg))
        return false;
    for (uint32_t m = root; m != RA_NONE; m = r->ent[m].next) {
        uint32_t first = ra_first_word(r, m);
        for (uint32_t w = first; w < first + r->ent[m].n; w++)
            for (uint32_t a = r->adj_off[w]; a < r->adj_off[w + 1]; a++) {
                uint32_t u = r->adj[a], c = phys[r->root_of[u]];
                if (c != RA_UNCOLOURED && c + r->pos_of[u] == reg + r->pos_of[w])
                    return false;
            }
    }
    return true;
}

static uint32_t lowest_free(const uint64_t f[4])
{
    for (uint32_t k = 0; k < 4; k++)
        if (~f[k])
            return k * 64 + (uint32_t)__builtin_ctzll(~f[k]);
    return RA_UNCOLOURED;
}

/* A single word rather fills a broken pair below the registers in use than breaks a new one. */
static uint32_t snug_free(const uint64_t f[4], uint32_t regs)
{
    for (uint32_t k = 0; k * 64 < regs; k++) {
        uint64_t odd = 0xaaaaaaaaaaaaaaaaull, buddy = (f[k] & odd) >> 1 | (f[k] & ~odd) << 1;
        uint64_t m = ~f[k] & buddy;
        if (m) {
            uint32_t reg = k * 64 + (uint32_t)__builtin_ctzll(m);
            return reg < regs ? reg : lowest_free(f);
        }
    }
    return lowest_free(f);
}

static bool is_used(const struct ra_ent *n) { return n->cost > 0; }

/* Colours in the given order. Failed classes stay uncoloured and are listed. */
static void greedy(struct ra *r, const uint32_t *order, uint32_t n, bool snug, struct ra_colours *c)
{
    c->regs = c->preds = c->nfailed = 0;
    for (uint32_t e = 0; e < r->nents; e++)
        c->phys[e] = r->ent[e].parent == e && r->ent[e].fixed ? r->ent[e].phys : RA_UNCOLOURED;
    for (uint32_t k = 0; k < n; k++) {
        const struct ra_ent *e = &r->ent[order[k]];
        uint64_t f[4];
        ra_forbidden(r, c->phys, order[k], f);
        uint32_t reg = snug && e->width == 1 && !e->pred ? snug_free(f, c->regs) : lowest_free(f);
        if (reg == RA_UNCOLOURED) {
            c->failed[c->nfailed++] = order[k];
            continue;
        }
        c->phys[order[k]] = (uint8_t)reg;
        uint32_t *top = e->pred ? &c->preds : &c->regs;
        if (reg + e->width > *top)
            *top = reg + e->width;
    }
}

struct rank {
    uint64_t key;
    uint32_t e;
};

static int by_key(const void *pa, const void *pb)
{
    const struct rank *a = pa, *b = pb;

    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->e < b->e ? -1 : a->e > b->e;
}

enum order { ORDER_FIRST, ORDER_WIDE, ORDER_CALL_WIDE };

static uint64_t key_of(const struct ra_ent *n, enum order o)
{
    uint64_t wide = (uint64_t)(4 - n->align) << 40, call = (uint64_t)!n->call << 48;

    switch (o) {
    case ORDER_FIRST: return n->first;
    case ORDER_WIDE: return wide | n->first;
    default: return call | wide | n->first;
    }
}

static uint32_t make_order(struct ra *r, enum order o, struct rank *rank, uint32_t *order)
{
    uint32_t n = 0;

    for (uint32_t e = 0; e < r->nents; e++)
        if (r->ent[e].parent == e && !r->ent[e].fixed && is_used(&r->ent[e]))
            rank[n++] = (struct rank){key_of(&r->ent[e], o), e};
    qsort(rank, n, sizeof *rank, by_key);
    for (uint32_t k = 0; k < n; k++)
        order[k] = rank[k].e;
    return n;
}

static bool better(const struct ra_colours *a, const struct ra_colours *b)
{
    if (a->nfailed != b->nfailed)
        return a->nfailed < b->nfailed;
    return a->regs < b->regs;
}

static struct ra_colours colours_new(struct ra *r)
{
    return (struct ra_colours){.phys = ARENA_ARRAY(&r->mem, uint8_t, r->nents + 1),
                               .failed = ARENA_ARRAY(&r->mem, uint32_t, r->nents + 1)};
}

bool ra_colour(struct ra *r, struct ra_colours *c)
{
    uint32_t *order = ARENA_ARRAY(&r->mem, uint32_t, r->nents + 1);
    struct rank *rank = ARENA_ARRAY(&r->mem, struct rank, r->nents + 1);
    uint32_t bound = r->pressure + (r->pressure > 1); /* R1 lies among them */
    struct ra_colours best = colours_new(r), now = colours_new(r);

    best.nfailed = UINT32_MAX;
    for (int o = 0; o < (r->fn->has_calls ? 6 : 4) && (best.nfailed || best.regs > bound); o++) {
        uint32_t n = make_order(r, (enum order)(ORDER_FIRST + o / 2), rank, order);
        greedy(r, order, n, o % 2 == 0, &now);
        if (better(&now, &best)) {
            struct ra_colours t = best;
            best = now;
            now = t;
        }
    }
    ra_improve(r, &best, bound);
    *c = best;
    return best.nfailed == 0;
}
