/* SPDX-License-Identifier: Apache-2.0 */
/* Tidies the control flow that lowering leaves: jumps to jumps, branches to a block that only exits,
 * unreachable blocks, blocks that always run one after the other. */
#include "compile/passes.h"

static bool only_jump(const struct ir_block *b)
{
    return b->insns.n == 1 && b->insns.at[0].op == OP_BRA && ir_is_terminator(&b->insns.at[0]);
}
static bool only_exit(const struct ir_block *b)
{
    return b->insns.n == 1 && b->insns.at[0].op == OP_EXIT && ir_is_terminator(&b->insns.at[0]);
}

static uint32_t final_target(const struct ir_fn *fn, uint32_t b)
{
    for (uint32_t hops = 0; hops < 64; hops++) {
        const struct ir_block *t = &fn->blocks.at[b];
        if (only_jump(t) && t->insns.at[0].target != b)
            b = t->insns.at[0].target;
        else if (!t->insns.n && b + 1 < fn->blocks.n)
            b++;
        else
            break;
    }
    return b;
}

static void thread_jumps(struct ir_fn *fn)
{
    vec_each (&fn->blocks, b)
        vec_each (&b->insns, i)
            if (i->op == OP_BRA)
                i->target = final_target(fn, i->target);
}

/* "@p BRA exit" becomes "@p EXIT"; "@p BRA x; EXIT" becomes "@!p EXIT; BRA x", unless the branch closes a loop: each round would
 * take one instruction more. */
static void predicate_exits(struct ir_fn *fn)
{
    for (uint32_t k = 0; k < fn->blocks.n; k++) {
        struct ir_block *b = &fn->blocks.at[k];
        struct ir_insn *i = b->insns.n ? &b->insns.at[b->insns.n - 1] : NULL;
        if (!i || i->op != OP_BRA)
            continue;
        if (only_exit(&fn->blocks.at[i->target])) {
            i->op = OP_EXIT;
            i->flags &= (uint16_t)~IRF_UNI;
            continue;
        }
        if (i->guard.kind == OPND_NONE || k + 1 == fn->blocks.n || i->target <= k)
            continue;
        uint32_t fall = final_target(fn, k + 1);
        if (!only_exit(&fn->blocks.at[fall]))
            continue;
        struct ir_insn jump = *i;
        jump.guard = ir_none();
        i->op = OP_EXIT;
        i->flags &= (uint16_t)~IRF_UNI;
        i->guard.neg ^= 1;
        vec_push(&b->insns, jump);
    }
}

/* "@p BRA x; BRA y" with x next becomes "@!p BRA y": clang closes loops that way. Jumps were threaded
 * before, so nothing but the block above leads to the second branch. */
static void invert_branches(struct ir_fn *fn)
{
    for (uint32_t k = 0; k + 2 < fn->blocks.n; k++) {
        struct ir_block *b = &fn->blocks.at[k], *jump = &fn->blocks.at[k + 1];
        struct ir_insn *i = b->insns.n ? &b->insns.at[b->insns.n - 1] : NULL;
        if (!i || i->op != OP_BRA || i->guard.kind == OPND_NONE || i->target != k + 2 || !only_jump(jump))
            continue;
        i->target = jump->insns.at[0].target;
        i->guard.neg ^= 1;
        jump->insns.n = 0;
    }
}

/* Keeps the blocks b with to[b] == b and renumbers; what led to another block b leads to block to[b] then. */
static void keep_blocks(struct ir_fn *fn, const uint32_t *to, struct arena *a)
{
    uint32_t n = fn->blocks.n, m = 0;
    uint32_t *num = ARENA_ARRAY(a, uint32_t, n + 1);
    for (uint32_t b = 0; b < n; b++)
        num[b] = to[b] == b ? m++ : 0;
    m = 0;
    for (uint32_t b = 0; b < n; b++) {
        struct ir_block *blk = &fn->blocks.at[b];
        if (to[b] != b) {
            vec_free(&blk->insns);
            vec_free(&blk->succ);
            vec_free(&blk->pred);
            continue;
        }
        vec_each (&blk->insns, i)
            if (i->op == OP_BRA)
                i->target = num[to[i->target]];
        vec_each (&blk->succ, s)
            *s = num[to[*s]];
        if (m != b) {
            fn->blocks.at[m] = *blk;
            *blk = (struct ir_block){0};
        }
        m++;
    }
    fn->blocks.n = m;
}

static void drop_unreachable(struct ir_fn *fn)
{
    struct arena a = {0};
    ir_cfg_link(fn);
    uint32_t n = fn->blocks.n;
    bool *seen = ARENA_ARRAY(&a, bool, n);
    uint32_t *to = ARENA_ARRAY(&a, uint32_t, n);
    VEC(uint32_t) work = {0};
    vec_push(&work, 0);
    while (work.n) {
        uint32_t b = work.at[--work.n];
        if (seen[b])
            continue;
        seen[b] = true;
        vec_each (&fn->blocks.at[b].succ, s)
            vec_push(&work, *s);
    }
    vec_free(&work);
    for (uint32_t b = 0; b < n; b++)
        to[b] = seen[b] ? b : 0; /* nothing that is kept leads to a dropped one */
    keep_blocks(fn, to, &a);
    arena_free(&a);
}

static void drop_jumps_to_next(struct ir_fn *fn)
{
    for (uint32_t k = 0; k + 1 < fn->blocks.n; k++) {
        struct ir_block *b = &fn->blocks.at[k];
        if (b->insns.n && b->insns.at[b->insns.n - 1].op == OP_BRA &&
            b->insns.at[b->insns.n - 1].target == k + 1)
            b->insns.n--; /* guarded or not: both ways lead there */
    }
}

/* Joins a block with the next one where that is its only way on and the next has no other way in. */
static void join_blocks(struct ir_fn *fn)
{
    ir_cfg_link(fn);
    for (uint32_t head = 0, k = 1; k < fn->blocks.n; k++) {
        struct ir_block *b = &fn->blocks.at[k], *p = &fn->blocks.at[head];
        const struct ir_insn *last = p->insns.n ? &p->insns.at[p->insns.n - 1] : NULL;
        bool falls = !last || (!ir_is_terminator(last) && last->op != OP_BRA);
        if (b->pred.n != 1 || b->pred.at[0] != k - 1 || !falls) {
            head = k;
            continue;
        }
        vec_each (&b->insns, i)
            vec_push(&p->insns, *i);
        p->succ.n = 0;
        vec_each (&b->succ, s)
            vec_push(&p->succ, *s);
        vec_free(&b->insns); /* stays as an empty block until the numbering is redone below */
    }
}

/* Removes empty blocks by letting branches point at what follows. */
static void drop_empty(struct ir_fn *fn)
{
    struct arena a = {0};
    /* Nothing leads to an empty last block: it was joined with the one before. */
    while (fn->blocks.n > 1 && !fn->blocks.at[fn->blocks.n - 1].insns.n) {
        struct ir_block *last = &fn->blocks.at[--fn->blocks.n];
        vec_free(&last->insns);
        vec_free(&last->succ);
        vec_free(&last->pred);
    }
    uint32_t n = fn->blocks.n;
    uint32_t *to = ARENA_ARRAY(&a, uint32_t, n + 1);
    for (uint32_t b = n; b-- > 0;)
        to[b] = fn->blocks.at[b].insns.n ? b : to[b + 1];
    keep_blocks(fn, to, &a);
    arena_free(&a);
    ir_cfg_link(fn);
}

void pass_cleanup(struct ir_fn *fn)
{
    for (int round = 0; round < 2; round++) {
        thread_jumps(fn);
        predicate_exits(fn);
        invert_branches(fn);
        drop_unreachable(fn);
        drop_jumps_to_next(fn);
        join_blocks(fn);
        drop_empty(fn);
    }
}
