/* SPDX-License-Identifier: Apache-2.0 */
/* Guarded writes that nevertheless end a live range.
 *
 * A guarded write keeps the old value in the other lanes, so plain liveness runs through it: in a loop
 *     @P LDG t        @P FADD acc, acc, t
 * would hold t alive around the whole loop. Walking a block backwards with, for each word, the lanes that still need
 * it (none, those of one guard, all) finds the writes after which none are left:
 *     use under g: need |= lanes(g)        write under g: need -= lanes(g)
 * A predicate's value changes when it is written, so lanes(g) is tied to a version of the predicate.
 * What lives out of the block is assumed optimistically to be what liveness finds with the marks set, and marks that
 * this contradicts are taken back until nothing changes. Every remaining mark is then sound: along any path from it,
 * a lane that kept the old value reaches another write or the end before it reaches a use. */
#include "ir/live.h"

#include "base/bitset.h"

enum { MAX_ROUNDS = 6 };

enum { NEED_NONE, NEED_GUARD, NEED_ALL };

struct need {
    uint8_t what, neg;
    uint32_t pred, version;
};

struct walk {
    struct ir_fn *fn;
    const struct ir_live *l;
    struct need *need; /* by bit; valid where stamp is the current block's */
    uint32_t *stamp;
    uint32_t *version; /* by predicate */
    uint32_t now;
    const uint64_t *out; /* NULL: nothing lives out */
};

static uint32_t bits_of(const struct ir_live *l, const struct ir_opnd *o, uint32_t *bit)
{
    if (o->kind == OPND_REG) {
        *bit = l->first[o->val] + o->sub;
        return o->n;
    }
    if (o->kind == OPND_PRED && o->val >= VPRED0) {
        *bit = ir_live_pred_bit(l, o->val);
        return 1;
    }
    return 0;
}

static struct need *need_at(struct walk *w, uint32_t bit)
{
    struct need *n = &w->need[bit];

    if (w->stamp[bit] != w->now) {
        w->stamp[bit] = w->now;
        n->what = w->out && bit_get(w->out, bit) ? NEED_ALL : NEED_NONE;
    }
    if (n->what == NEED_GUARD && n->version != w->version[n->pred - VPRED0])
        n->what = NEED_ALL;
    return n;
}

static void need_more(struct walk *w, uint32_t bit, const struct ir_opnd *g)
{
    struct need *n = need_at(w, bit);

    if (g->kind == OPND_NONE || g->val < VPRED0) {
        n->what = NEED_ALL;
    } else if (n->what == NEED_NONE) {
        *n = (struct need){NEED_GUARD, g->neg, g->val, w->version[g->val - VPRED0]};
    } else if (n->what == NEED_GUARD && (n->pred != g->val || n->neg != g->neg)) {
        n->what = NEED_ALL;
    }
}

static void need_less(struct walk *w, uint32_t bit, const struct ir_opnd *g)
{
    struct need *n = need_at(w, bit);

    if (g->kind == OPND_NONE)
        n->what = NEED_NONE;
    else if (g->val < VPRED0)
        return;
    else if (n->what == NEED_ALL)
        *n = (struct need){NEED_GUARD, !g->neg, g->val, w->version[g->val - VPRED0]};
    else if (n->what == NEED_GUARD && n->pred == g->val && n->neg == g->neg)
        n->what = NEED_NONE;
}

enum { KILLS = IRF_KILL0 | IRF_KILL1 };

/* One instruction backwards. Returns the marks it deserves. */
static uint16_t walk_insn(struct walk *w, const struct ir_insn *i)
{
    uint16_t kills = 0;
    uint32_t bit, n;

    for (int d = 0; d < 2; d++)
        if (i->dst[d].kind == OPND_PRED && i->dst[d].val >= VPRED0)
            w->version[i->dst[d].val - VPRED0]++;
    for (int d = 0; d < 2; d++) {
        bool none = true;
        n = bits_of(w->l, &i->dst[d], &bit);
        for (uint32_t k = 0; k < n; k++) {
            need_less(w, bit + k, &i->guard);
            none &= need_at(w, bit + k)->what == NEED_NONE;
        }
        if (n && none && i->guard.kind != OPND_NONE)
            kills |= d ? IRF_KILL1 : IRF_KILL0;
    }
    for (int s = 0; s < 7; s++) {
        const struct ir_opnd *o = s < 6 ? &i->src[s] : &i->guard;
        n = bits_of(w->l, o, &bit);
        for (uint32_t k = 0; k < n; k++)
            need_more(w, bit + k, s < 6 ? &i->guard : &(struct ir_opnd){0});
    }
    return kills;
}

static bool has_dst(const struct ir_insn *i)
{
    return i->dst[0].kind != OPND_NONE || i->dst[1].kind != OPND_NONE;
}

/* Sets the marks (set), or only takes some back. What lives out of a block is that of w->l, or nothing (blind).
 * Returns whether a mark changed. */
static bool mark(struct walk *w, const struct ir_cfg *c, bool set, bool blind)
{
    bool changed = false;

    for (uint32_t r = 0; r < c->nrpo; r++) {
        struct ir_block *b = &w->fn->blocks.at[c->rpo[r]];
        w->now++;
        w->out = blind ? NULL : w->l->out[c->rpo[r]];
        for (uint32_t k = b->insns.n; k-- > 0;) {
            struct ir_insn *i = &b->insns.at[k];
            uint16_t kills = walk_insn(w, i), had = i->flags & KILLS;
            if (!set)
                kills &= had;
            i->flags = (uint16_t)((i->flags & ~KILLS) | kills);
            changed |= kills != had;
        }
    }
    return changed;
}

/* Guarded writes before which no definition can have happened kill too: there is no old value. */
static void mark_first_defs(struct ir_fn *fn, const struct ir_cfg *c, const struct ir_live *l,
                            struct arena *a)
{
    uint64_t **out = ARENA_ARRAY(a, uint64_t *, fn->blocks.n + 1);
    uint64_t *set = ARENA_ARRAY(a, uint64_t, l->set_words + 1);
    bool changed = true;

    for (uint32_t b = 0; b < fn->blocks.n; b++) {
        out[b] = ARENA_ARRAY(a, uint64_t, l->set_words + 1);
        const struct ir_block *bl = &fn->blocks.at[b];
        for (uint32_t k = 0; k < bl->insns.n; k++)
            for (int d = 0; d < 2; d++) {
                uint32_t bit, n = bits_of(l, &bl->insns.at[k].dst[d], &bit);
                while (n--)
                    bit_set(out[b], bit + n);
            }
    }
    while (changed) {
        changed = false;
        for (uint32_t r = 0; r < c->nrpo; r++) {
            const struct ir_block *bl = &fn->blocks.at[c->rpo[r]];
            for (uint32_t k = 0; k < bl->pred.n; k++)
                changed |= bits_or(out[c->rpo[r]], out[bl->pred.at[k]], l->set_words);
        }
    }
    for (uint32_t r = 0; r < c->nrpo; r++) {
        struct ir_block *bl = &fn->blocks.at[c->rpo[r]];
        memset(set, 0, l->set_words * sizeof *set);
        for (uint32_t k = 0; k < bl->pred.n; k++)
            if (c->rpo_of[bl->pred.at[k]] != CFG_NONE)
                bits_or(set, out[bl->pred.at[k]], l->set_words);
        for (uint32_t k = 0; k < bl->insns.n; k++) {
            struct ir_insn *i = &bl->insns.at[k];
            for (int d = 0; d < 2; d++) {
                uint32_t bit, n = bits_of(l, &i->dst[d], &bit);
                bool fresh = n && i->guard.kind != OPND_NONE;
                while (n--) {
                    fresh &= !bit_get(set, bit + n);
                    bit_set(set, bit + n);
                }
                if (fresh)
                    i->flags |= d ? IRF_KILL1 : IRF_KILL0;
            }
        }
    }
}

/* Tells whether there is any guarded write. */
static bool clear_marks(struct ir_fn *fn)
{
    bool any = false;

    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t k = 0; k < fn->blocks.at[b].insns.n; k++) {
            struct ir_insn *i = &fn->blocks.at[b].insns.at[k];
            i->flags &= (uint16_t)~KILLS;
            any |= i->guard.kind != OPND_NONE && has_dst(i);
        }
    return any;
}

void ir_mark_kills(struct ir_fn *fn, const struct ir_cfg *c)
{
    if (!clear_marks(fn) || fn->allocated)
        return;

    struct arena tmp = {0};
    const struct ir_live *numbers = ir_live_number(fn, &tmp);
    struct walk w = {.fn = fn, .l = numbers};
    w.need = ARENA_ARRAY(&tmp, struct need, w.l->nbits + 1);
    w.stamp = ARENA_ARRAY(&tmp, uint32_t, w.l->nbits + 1);
    w.version = ARENA_ARRAY(&tmp, uint32_t, fn->npreds + 1);
    bool changed = mark(&w, c, true, true);
    for (int round = 0; changed; round++) {
        struct arena again = {0};
        if (round == MAX_ROUNDS)
            clear_marks(fn); /* slow to settle: start from plain liveness, which needs no further check */
        w.l = ir_live_build(fn, c, &again);
        changed = mark(&w, c, round == MAX_ROUNDS, false) && round < MAX_ROUNDS;
        arena_free(&again);
    }
    mark_first_defs(fn, c, numbers, &tmp);
    arena_free(&tmp);
}
