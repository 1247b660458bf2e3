/* SPDX-License-Identifier: Apache-2.0 */
/* The accumulators of warp groups get their registers before all others: as many next to each other as they are leave the least
 * choice. From R24 on, as NVIDIA's assembler has them, or further down where that is too high; those that live at the same time
 * apart. To the rounds of the allocator they are fixed. */
#include "compile/regs/regalloc.h"

enum { ACC_ALIGN = 8 };

struct accs {
    struct ra *r;
    uint32_t *at, n; /* entities, in the order of their first definitions */
};

static void add(struct accs *s, uint32_t e)
{
    uint32_t k = s->n++;
    for (; k && s->r->ent[s->at[k - 1]].first > s->r->ent[e].first; k--)
        s->at[k] = s->at[k - 1];
    s->at[k] = e;
}

static bool neighbours(const struct ra *r, uint32_t e, uint32_t other)
{
    uint32_t first = ra_first_word(r, e);
    for (uint32_t a = r->adj_off[first]; a < r->adj_off[first + r->ent[e].n]; a++)
        if (r->ent_of[r->adj[a]] == other)
            return true;
    return false;
}

/* Those before k of which some register is among the ones from `base` on that k would have, while both live; NULL: none. */
static const struct ra_ent *in_the_way(const struct accs *s, uint32_t k, uint32_t base)
{
    const struct ra_ent *e = &s->r->ent[s->at[k]];
    for (uint32_t x = 0; x < k; x++) {
        const struct ra_ent *o = &s->r->ent[s->at[x]];
        if (base < (uint32_t)o->phys + o->n && o->phys < base + e->n && neighbours(s->r, s->at[k], s->at[x]))
            return o;
    }
    return NULL;
}

/* All of them from `base` on; returns the first register behind them, or more than `limit`. */
static uint32_t place_all(const struct accs *s, uint32_t base, uint32_t limit)
{
    uint32_t top = 0;
    for (uint32_t k = 0; k < s->n; k++) {
        struct ra_ent *e = &s->r->ent[s->at[k]];
        uint32_t at = base;
        for (const struct ra_ent *o; (o = in_the_way(s, k, at));)
            at = ((uint32_t)o->phys + o->n + ACC_ALIGN - 1) / ACC_ALIGN * ACC_ALIGN;
        if (at + e->n > top)
            top = at + e->n;
        if (top > limit)
            break;
        e->phys = (uint8_t)at;
    }
    return top;
}

static const char *place(struct ra *r, uint32_t limit)
{
    static const uint8_t bases[] = {24, 16, 8};
    struct accs s = {.r = r, .at = ARENA_ARRAY(&r->mem, uint32_t, r->nvregs + 1)};
    uint32_t top = UINT32_MAX;
    for (uint32_t e = 0; e < r->nvregs; e++)
        if (r->ent[e].acc)
            add(&s, e);
    for (unsigned k = 0; k < sizeof bases && top > limit; k++)
        if (bases[k] >= CALLER_SAVED || !r->fn->has_calls)
            top = place_all(&s, bases[k], limit);
    if (top > limit)
        return arena_printf(r->fn->arena, "the accumulators of wgmma do not fit into %u registers", limit);
    for (uint32_t k = 0; k < s.n; k++) {
        r->fn->vregs.at[s.at[k]].fixed = 1;
        r->fn->vregs.at[s.at[k]].phys = r->ent[s.at[k]].phys;
    }
    return NULL;
}

const char *ra_place_acc(struct ir_fn *fn, uint32_t limit)
{
    struct ra r = {.fn = fn, .limit = limit};
    const char *why = NULL;
    bool any = false;
    for (uint32_t v = 0; v < fn->vregs.n; v++)
        any |= fn->vregs.at[v].acc;
    if (!any)
        return NULL;
    ra_build(&r);
    if (r.no_graph)
        why = "too many values live beside the accumulators of wgmma";
    else
        why = place(&r, limit);
    arena_free(&r.mem);
    vec_free(&r.copies);
    vec_free(&r.pred_nospill);
    return why;
}
