/* SPDX-License-Identifier: Apache-2.0 */
/* Copies are removed by giving both sides the same register: their entities become one class (union-find with word
 * offsets). Lowering copies generously (parts of tuples, tuples from parts), so most copies vanish here.
 *
 * Classes nest: a narrower class lies inside a wider one, aligned to its own size, so a class never spans more than
 * its widest member (three words count as four), and the widest member's word 0 is the class's word 0. */
#include "compile/regs/regalloc.h"

uint32_t ra_find(struct ra *r, uint32_t e, uint8_t *off)
{
    uint8_t sum = 0;

    while (r->ent[e].parent != e) {
        struct ra_ent *n = &r->ent[e], *p = &r->ent[n->parent];
        if (p->parent != n->parent) { /* path halving */
            n->off = (uint8_t)(n->off + p->off);
            n->parent = p->parent;
        }
        sum = (uint8_t)(sum + n->off);
        e = n->parent;
    }
    *off = sum;
    return e;
}

/* Would word positions of `inner`, placed at `shift` of `outer`, meet a neighbour at the same position? Walks the
 * neighbours of `walk`, one of the two. */
static bool meets(struct ra *r, uint32_t walk, uint32_t other, int shift)
{
    for (uint32_t m = walk; m != RA_NONE; m = r->ent[m].next) {
        uint8_t off, uoff;
        ra_find(r, m, &off);
        uint32_t first = ra_first_word(r, m);
        for (uint32_t k = 0; k < r->ent[m].n; k++)
            for (uint32_t a = r->adj_off[first + k]; a < r->adj_off[first + k + 1]; a++) {
                uint32_t u = r->adj[a], e = r->ent_of[u];
                if (ra_find(r, e, &uoff) == other &&
                    (int)(off + k) + shift == (int)(uoff + u - ra_first_word(r, e)))
                    return true;
            }
    }
    return false;
}

/* A class that becomes precoloured must not neighbour another class that is fixed to one of its registers. */
static bool meets_fixed(struct ra *r, uint32_t cls, unsigned base)
{
    for (uint32_t m = cls; m != RA_NONE; m = r->ent[m].next) {
        uint8_t off, uoff;
        ra_find(r, m, &off);
        uint32_t first = ra_first_word(r, m);
        for (uint32_t k = 0; k < r->ent[m].n; k++)
            for (uint32_t a = r->adj_off[first + k]; a < r->adj_off[first + k + 1]; a++) {
                uint32_t u = r->adj[a], e = r->ent_of[u], f = ra_find(r, e, &uoff);
                if (r->ent[f].fixed && r->ent[f].phys + uoff + u - ra_first_word(r, e) == base + off + k)
                    return true;
            }
    }
    return false;
}

static bool fixed_allows(struct ra *r, uint32_t inner, uint32_t outer, uint32_t shift)
{
    const struct ra_ent *in = &r->ent[inner], *out = &r->ent[outer];

    if (!in->fixed && !out->fixed)
        return true;
    if (in->fixed || out->phys == REG_SP)
        return false;
    if ((in->call || out->call) && out->phys < CALLER_SAVED)
        return false;
    return !meets_fixed(r, inner, out->phys + shift);
}

/* Briggs: the merged class is surely colourable if fewer than `limit` words of neighbours are themselves hard. */
static bool is_safe(struct ra *r, uint32_t a, uint32_t b)
{
    uint32_t limit = r->ent[a].pred ? MAX_PREDS : r->limit - 1;

    return r->ent[a].degree + r->ent[b].degree < limit;
}

static void join(struct ra *r, uint32_t inner, uint32_t outer, uint32_t shift)
{
    struct ra_ent *in = &r->ent[inner], *out = &r->ent[outer];

    in->parent = outer;
    in->off = (uint8_t)shift;
    r->ent[out->tail].next = inner;
    out->tail = in->tail;
    out->call |= in->call;
    out->acc |= in->acc;
    out->spillable = (out->spillable || in->spillable) && !out->acc;
    out->degree += in->degree;
    out->cost += in->cost;
    if (in->first < out->first)
        out->first = in->first;
    if (in->width + shift > out->width)
        out->width = (uint8_t)(in->width + shift);
}

/* Words that a class has room for. */
static int room(const struct ra_ent *e) { return e->width > e->align ? e->width : e->align; }

/* Which of the two goes inside the other: the narrower one, or the one that may have any register. */
static bool is_outer(const struct ra_ent *d, const struct ra_ent *s)
{
    if (d->align != s->align)
        return d->align > s->align;
    if (room(d) != room(s))
        return room(d) > room(s);
    return !s->fixed;
}

/* Joins the two sides of a copy, if they can be. */
static bool try_copy(struct ra *r, const struct ra_copy *c, enum ra_coalescing how)
{
    uint8_t doff, soff;
    uint32_t de = r->ent_of[c->dst], se = r->ent_of[c->src];
    uint32_t d = ra_find(r, de, &doff), s = ra_find(r, se, &soff);
    int dpos = (int)(doff + c->dst - ra_first_word(r, de)),
        spos = (int)(soff + c->src - ra_first_word(r, se));

    if (d == s || (how == COALESCE_ACC && !r->ent[d].acc && !r->ent[s].acc))
        return false;
    bool d_outer = is_outer(&r->ent[d], &r->ent[s]);
    uint32_t outer = d_outer ? d : s, inner = d_outer ? s : d;
    int shift = d_outer ? dpos - spos : spos - dpos;
    const struct ra_ent *in = &r->ent[inner], *out = &r->ent[outer];

    if (shift < 0 || shift % in->align || shift + in->width > room(out))
        return false;
    if (out->fixed && shift + in->width > out->width)
        return false;
    if (!fixed_allows(r, inner, outer, (uint32_t)shift) ||
        (how == COALESCE_SAFE && !out->acc && !is_safe(r, d, s)))
        return false;
    if (in->degree <= out->degree ? meets(r, inner, outer, shift) : meets(r, outer, inner, -shift))
        return false;
    join(r, inner, outer, (uint32_t)shift);
    return true;
}

void ra_coalesce(struct ra *r, enum ra_coalescing how)
{
    bool more = how != COALESCE_NONE;
    while (more) {
        bool any = false;
        for (uint32_t k = 0; k < r->copies.n; k++)
            any |= try_copy(r, &r->copies.at[k], how);
        /* What has become part of accumulators may have copies of its own */
        more = any && how == COALESCE_ACC;
    }
    r->root_of = ARENA_ARRAY(&r->mem, uint32_t, r->nbits + 1);
    r->pos_of = ARENA_ARRAY(&r->mem, uint8_t, r->nbits + 1);
    for (uint32_t e = 0; e < r->nents; e++) {
        uint8_t off;
        uint32_t root = ra_find(r, e, &off), first = ra_first_word(r, e);
        for (uint32_t k = 0; k < r->ent[e].n; k++) {
            r->root_of[first + k] = root;
            r->pos_of[first + k] = (uint8_t)(off + k);
        }
    }
}
