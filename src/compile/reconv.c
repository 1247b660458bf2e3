/* Reconvergence: a branch that may diverge meets again at its immediate post-dominator Y. BSSY registers the lanes in a
 * barrier before the branch, BSYNC at the start of Y waits for them. Branches that share Y share the barrier. Inside a loop
 * that does not contain Y (a loop exit) the BSSY moves before the loop, as long as Y still post-dominates the place; joining
 * a barrier again is harmless, so a place inside the loop is right too, only slower. */
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

void pass_reconv(struct ir_fn *fn)
{
    struct arena a = {0};
    struct ir_cfg *c = ir_cfg_build(fn, &a);
    bool *div = find_divergent(fn, c, &a);
    uint32_t *bar = ARENA_ARRAY(&a, uint32_t, c->n); /* barrier + 1 by Y */
    VEC(struct place) places = {0};
    for (uint32_t k = 0; k < c->nrpo; k++) {
        uint32_t x = c->rpo[k], y = c->ipdom[x];
        if (!div[x] || y == CFG_NONE || only_exits(&fn->blocks.at[y]))
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
            vec_insert(
                &fn->blocks.at[y].insns, 0,
                (struct ir_insn){.op = OP_BSYNC,
                                 .src = {ir_imm(bar[y] - 1)},
                                 .line = fn->blocks.at[y].insns.n ? fn->blocks.at[y].insns.at[0].line : 0});
    vec_free(&places);
    ir_cfg_link(fn);
    arena_free(&a);
}
