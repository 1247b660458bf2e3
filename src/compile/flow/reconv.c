/* SPDX-License-Identifier: Apache-2.0 */
/* Reconvergence: a branch that may diverge meets again at its immediate post-dominator Y. BSSY registers the lanes in a
 * barrier before the branch, BSYNC at the start of Y waits for them. Branches that share Y share the barrier. Inside a loop
 * that does not contain Y (a loop exit) the BSSY moves before the loop, as long as Y still post-dominates the place; joining
 * a barrier again is harmless, so a place inside the loop is right too, only slower.
 *
 * A branch in a loop that some lanes leave before the others meet (if (a) { if (b) break; ... }) has its Y behind the loop. Those
 * that stay meet inside it, at M, and those that leave say so to its barrier (BREAK). For sm_90 that is so, too, where Y is in
 * the loop and some lanes reach it rounds later (latch.c). */
#include "compile/flow/meet.h"
#include "compile/passes.h"

struct place {
    uint32_t block, at; /* BSSY goes to the end of block, for barrier of Y = at */
};

/* Where the lanes of a branch in x join the barrier of y. */
static uint32_t hoist(const struct ir_cfg *c, uint32_t x, uint32_t y)
{
    uint32_t p = x;
    for (;;) {
        uint32_t h = c->loop[p];
        if (h == CFG_NONE)
            return p;
        /* is y in the loop of h? walk y's loops outwards */
        uint32_t ly = c->loop[y];
        while (ly != CFG_NONE && ly != h)
            ly = c->loop_parent[ly];
        if (ly == h)
            return p;
        uint32_t before = c->idom[h];
        if (before == CFG_NONE || before == h || !ir_postdominates(c, y, before))
            return p;
        p = before;
    }
}

/* A block that only ends the thread needs no meeting. */
static bool only_exits(const struct ir_block *b) { return b->insns.n == 1 && b->insns.at[0].op == OP_EXIT; }

static void insert_bssy(struct ir_fn *fn, uint32_t block, uint32_t bar)
{
    struct ir_block *b = &fn->blocks.at[block];
    uint32_t at = b->insns.n;
    if (at && (b->insns.at[at - 1].op == OP_BRA || b->insns.at[at - 1].op == OP_BRX))
        at--;
    uint32_t line = b->insns.n ? b->insns.at[b->insns.n - 1].line : b->line;
    vec_insert(&b->insns, at, (struct ir_insn){.op = OP_BSSY, .src = {ir_imm(bar)}, .line = line});
}

static void insert_bsync(struct ir_fn *fn, uint32_t block, uint32_t bar)
{
    struct ir_block *b = &fn->blocks.at[block];
    uint32_t line = b->insns.n ? b->insns.at[0].line : 0;
    vec_insert(&b->insns, 0, (struct ir_insn){.op = OP_BSYNC, .src = {ir_imm(bar)}, .line = line});
}

/* Lanes that leave the loop of that header from block b are no longer waited for at the barrier. */
static void insert_break(struct ir_fn *fn, const struct ir_cfg *c, uint32_t header, uint32_t block,
                         uint32_t bar)
{
    struct ir_block *b = &fn->blocks.at[block];
    bool in = false, out = false;
    vec_each (&b->succ, s) {
        in |= meet_inside(c, header, *s);
        out |= !meet_inside(c, header, *s);
    }
    struct ir_insn *last = b->insns.n ? &b->insns.at[b->insns.n - 1] : NULL;
    bool branches = last && last->op == OP_BRA;
    if (!out)
        return;
    struct ir_insn n = {.op = OP_BREAK, .src = {ir_imm(bar)}, .line = last ? last->line : b->line};
    if (in && branches) {
        n.guard = last->guard;
        n.guard.neg ^= meet_inside(c, header, last->target);
    }
    vec_insert(&b->insns, b->insns.n - branches, n);
}

/* Does an indexed branch leave the loop on the way? Its lanes could not say which of them do. */
static bool leaves_by_index(const struct meet *w)
{
    for (uint32_t b = 0; b < w->fn->blocks.n; b++) {
        const struct ir_block *k = &w->fn->blocks.at[b];
        if (meet_between(w, b) && k->insns.n && k->insns.at[k->insns.n - 1].op == OP_BRX)
            return true;
    }
    return false;
}

struct inner {
    uint32_t branch, meet;
};

/* One barrier for all branches whose lanes meet there. */
static void meet_at(struct ir_fn *fn, struct meet *w, uint32_t m, const struct inner *x, uint32_t n,
                    bool *done)
{
    uint32_t bar = fn->nbars++;
    memset(done, 0, w->c->n * sizeof *done);
    for (uint32_t k = 0; k < n; k++) {
        if (x[k].meet != m)
            continue;
        meet_in_loop(w, x[k].branch);
        for (uint32_t b = 0; b < w->c->n; b++)
            if (meet_between(w, b) && !done[b]) {
                done[b] = true;
                insert_break(fn, w->c, w->c->loop[m], b, bar);
            }
        insert_bssy(fn, x[k].branch, bar);
    }
    insert_bsync(fn, m, bar);
}

typedef VEC(struct inner) inner_list;

/* Meetings inside loops. All of them are found before any instruction is inserted. */
static void find_inner(const struct ir_fn *fn, struct meet *w, const bool *div, inner_list *found)
{
    const struct ir_cfg *c = w->c;
    for (uint32_t k = 0; k < c->nrpo; k++) {
        uint32_t x = c->rpo[k], y = c->ipdom[x];
        if (!div[x] || c->loop[x] == CFG_NONE)
            continue;
        bool inside = y != CFG_NONE && meet_inside(c, c->loop[x], y);
        if (inside && !(fn->hopper && meet_is_late(w, x, y)))
            continue;
        uint32_t m = meet_in_loop(w, x);
        if (m != CFG_NONE && !leaves_by_index(w))
            vec_push(found, (struct inner){x, m});
    }
}

static void meet_inside_loops(struct ir_fn *fn, struct meet *w, const inner_list *found, struct arena *a)
{
    bool *done = ARENA_ARRAY(a, bool, w->c->n + 1), *met = ARENA_ARRAY(a, bool, w->c->n + 1);
    vec_each (found, f)
        if (!met[f->meet]) {
            met[f->meet] = true;
            meet_at(fn, w, f->meet, found->at, found->n, done);
        }
}

/* Does the branch's Y inside its loop give way to an M? */
static bool has_earlier(const struct ir_cfg *c, const inner_list *found, uint32_t x, uint32_t y)
{
    vec_each (found, f)
        if (f->branch == x)
            return meet_inside(c, c->loop[x], y);
    return false;
}

void pass_reconv(struct ir_fn *fn)
{
    struct arena a = {0};
    struct ir_cfg *c = ir_cfg_build(fn, &a);
    bool *div = find_divergent(fn, c, &a);
    uint32_t *bar = ARENA_ARRAY(&a, uint32_t, c->n); /* barrier + 1 by Y */
    VEC(struct place) places = {0};
    inner_list found = {0};
    struct meet w = {.fn = fn, .c = c, .seen = ARENA_ARRAY(&a, uint32_t, c->n + 1)};
    find_inner(fn, &w, div, &found);
    for (uint32_t k = 0; k < c->nrpo; k++) {
        uint32_t x = c->rpo[k], y = c->ipdom[x];
        if (!div[x] || y == CFG_NONE || only_exits(&fn->blocks.at[y]) || has_earlier(c, &found, x, y))
            continue;
        if (!bar[y])
            bar[y] = ++fn->nbars;
        uint32_t p = hoist(c, x, y);
        bool have = false;
        vec_each (&places, q)
            have |= q->block == p && q->at == y;
        if (!have)
            vec_push(&places, (struct place){p, y});
    }
    vec_each (&places, q)
        insert_bssy(fn, q->block, bar[q->at] - 1);
    for (uint32_t y = 0; y < c->n; y++)
        if (bar[y])
            insert_bsync(fn, y, bar[y] - 1);
    meet_inside_loops(fn, &w, &found, &a);
    vec_free(&places);
    vec_free(&found);
    ir_cfg_link(fn);
    arena_free(&a);
}
