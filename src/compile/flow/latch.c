/* SPDX-License-Identifier: Apache-2.0 */
/* Loops with several ways back. Lanes that a branch sends back by different ones would go on without each other until the last of
 * them leaves the loop; compilers make such loops of every `continue`. NVIDIA's assembler leads all ways to one block in front of
 * the header, where lanes meet in each round (reconv.c), and so does this pass for branches whose lanes meet nowhere else in the
 * loop: read off nvcc 13's code for sm_90. */
#include "compile/flow/meet.h"
#include "compile/passes.h"

static bool is_way_back(const struct ir_cfg *c, const struct ir_fn *fn, uint32_t from, uint32_t h)
{
    if (c->rpo_of[from] == CFG_NONE || !ir_dominates(c, h, from))
        return false;
    vec_each (&fn->blocks.at[from].succ, s)
        if (*s == h)
            return true;
    return false;
}

static const struct ir_insn *last_of(const struct ir_block *b)
{
    return b->insns.n ? &b->insns.at[b->insns.n - 1] : NULL;
}

/* Do lanes of a branch in this loop itself go back by different ways? */
static bool lanes_part(struct meet *w, const bool *div, uint32_t h)
{
    const struct ir_cfg *c = w->c;
    for (uint32_t k = 0; k < c->nrpo; k++) {
        uint32_t x = c->rpo[k], y = c->ipdom[x];
        if (div[x] && c->loop[x] == h && (y == CFG_NONE || !meet_inside(c, h, y) || meet_is_late(w, x, y)))
            return true;
    }
    return false;
}

static bool has_several_ways(const struct ir_fn *fn, const struct ir_cfg *c, uint32_t h)
{
    uint32_t ways = 0;
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        if (is_way_back(c, fn, b, h)) {
            const struct ir_insn *last = last_of(&fn->blocks.at[b]);
            if (last && last->op == OP_BRX)
                return false;
            ways++;
        }
    return ways > 1;
}

/* Does block h - 1 run into h? */
static bool falls_in(const struct ir_fn *fn, uint32_t h)
{
    const struct ir_insn *last = h ? last_of(&fn->blocks.at[h - 1]) : NULL;
    return h && !(last && (last->op == OP_BRX || ir_is_terminator(last)));
}

/* Room for a block at k; branches to k and behind lead one further. */
static void insert_block(struct ir_fn *fn, uint32_t k)
{
    uint32_t line = fn->blocks.at[k].line;
    ir_block_new(fn, NULL, line);
    for (uint32_t b = fn->blocks.n - 1; b > k; b--)
        fn->blocks.at[b] = fn->blocks.at[b - 1];
    fn->blocks.at[k] = (struct ir_block){.line = line};
    vec_each (&fn->blocks, b) {
        vec_each (&b->insns, i)
            i->target += i->op == OP_BRA && i->target >= k;
        vec_each (&b->succ, s)
            *s += *s >= k;
    }
}

/* All ways back to h lead to a block of their own: in front of h, if one of them runs into h, else the last one. */
static void lead_together(struct ir_fn *fn, const struct ir_cfg *c, uint32_t h, struct arena *a)
{
    bool *back = ARENA_ARRAY(a, bool, c->n), front = falls_in(fn, h);
    for (uint32_t b = 0; b < c->n; b++)
        back[b] = is_way_back(c, fn, b, h);
    front = front && back[h - 1];
    uint32_t latch = front ? h : c->n;
    if (front)
        insert_block(fn, h);
    else
        ir_block_new(fn, NULL, fn->blocks.at[h].line);
    for (uint32_t b = 0; b < c->n; b++) {
        struct ir_block *from = &fn->blocks.at[b + (front && b >= h)];
        struct ir_insn *last = from->insns.n ? &from->insns.at[from->insns.n - 1] : NULL;
        if (back[b] && last && last->op == OP_BRA && last->target == h + front)
            last->target = latch;
    }
    if (!front)
        vec_push(&fn->blocks.at[latch].insns,
                 (struct ir_insn){.op = OP_BRA, .target = h, .line = fn->blocks.at[h].line});
}

void pass_latches(struct ir_fn *fn)
{
    for (bool more = true; more;) {
        struct arena a = {0};
        struct ir_cfg *c = ir_cfg_build(fn, &a);
        bool *div = find_divergent(fn, c, &a);
        struct meet w = {.fn = fn, .c = c, .seen = ARENA_ARRAY(&a, uint32_t, c->n + 1)};
        more = false;
        for (uint32_t k = 0; k < c->nrpo && !more; k++) {
            uint32_t h = c->rpo[k];
            more = c->loop[h] == h && has_several_ways(fn, c, h) && lanes_part(&w, div, h);
            if (more)
                lead_together(fn, c, h, &a);
        }
        arena_free(&a);
    }
    ir_cfg_link(fn);
}
