/* SPDX-License-Identifier: Apache-2.0 */
/* Register intervals of small graphs of blocks, worked out by hand. */
#include "annotate/intervals.h"

#include "code.h"

#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* d = f(a, b); -1: none. */
static struct tr_insn *op(struct code *c, int d, int a, int b) { return code_op(c, TC_FP32, d, a, b); }

static void stop(struct code *c) { op(c, -1, -1, -1)->cls = TC_EXIT; }

static struct intervals *make(struct code *c, uint32_t limit) { return intervals_new(&c->k, limit); }

/* By instruction the number of its interval, and by interval the registers, ended by -1. */
static void check(struct code *c, uint32_t limit, const uint32_t *of, const int (*regs)[8])
{
    struct intervals *v = make(c, limit);
    uint32_t most = 0;
    for (uint32_t i = 0; i < c->k.n; i++) {
        assert_int_equal(v->of[i], of[i]);
        most = of[i] > most ? of[i] : most;
    }
    assert_int_equal(v->n, most + 1);
    for (uint32_t i = 0; i < v->n; i++) {
        regset want = {{0}};
        for (uint32_t j = 0; regs[i][j] >= 0; j++)
            regset_add(&want, (uint32_t)regs[i][j]);
        assert_memory_equal(&v->at[i].regs, &want, sizeof want);
        assert_int_equal(v->of[v->at[i].entry], i);
    }
    intervals_free(v);
}

/* Cut where a fifth register would come in. An instruction without registers stays where it is. */
static void straight(void **state)
{
    (void)state;
    struct code c = {0};
    op(&c, 1, 2, 3);
    op(&c, 4, 1, 2);
    op(&c, 3, 4, 1);
    op(&c, 5, 1, 2); /* R1 to R5 */
    op(&c, 6, 5, 2);
    op(&c, -1, 7, -1); /* R1, R2, R5, R6, R7 */
    stop(&c);
    code_end(&c, -1, -1);
    check(&c, 4, (const uint32_t[]){0, 0, 0, 1, 1, 2, 2},
          (const int[][8]){{1, 2, 3, 4, -1}, {1, 2, 5, 6, -1}, {7, -1}});
}

/* A loop joins the code before it, in the second pass, and the code behind it too. */
static void loop(void **state)
{
    (void)state;
    struct code c = {0};
    op(&c, 1, -1, -1);
    code_end(&c, 1, -1);
    op(&c, 1, 1, 2); /* block 1 goes to itself */
    code_end(&c, 1, 2);
    op(&c, -1, 1, 3);
    stop(&c);
    code_end(&c, -1, -1);
    check(&c, 3, (const uint32_t[]){0, 0, 0, 0}, (const int[][8]){{1, 2, 3, -1}});
    /* With room for two registers what is behind it does not. */
    check(&c, 2, (const uint32_t[]){0, 0, 1, 1}, (const int[][8]){{1, 2, -1}, {1, 3, -1}});
}

/* Two loops, one in the other: 0 -> 1 -> 2 (to itself) -> 3 -> 1 or 4. All of it fits. */
static void nest(void **state)
{
    (void)state;
    struct code c = {0};
    op(&c, 1, -1, -1);
    code_end(&c, 1, -1);
    op(&c, 2, 1, -1);
    code_end(&c, 2, -1);
    op(&c, 2, 2, 1);
    code_end(&c, 2, 3);
    op(&c, 1, 2, -1);
    code_end(&c, 1, 4);
    stop(&c);
    code_end(&c, -1, -1);
    check(&c, 2, (const uint32_t[]){0, 0, 0, 0, 0}, (const int[][8]){{1, 2, -1}});
}

/* A loop with more registers than fit is cut, and both parts are entered in each turn: its head has two ways in. */
static void large_loop(void **state)
{
    (void)state;
    struct code c = {0};
    op(&c, 1, -1, -1);
    code_end(&c, 1, -1);
    op(&c, 1, 1, 2);
    op(&c, 3, 1, 2);
    op(&c, 4, 3, 5);
    code_end(&c, 1, 2);
    stop(&c);
    code_end(&c, -1, -1);
    check(&c, 3, (const uint32_t[]){0, 1, 1, 2, 2}, (const int[][8]){{1, -1}, {1, 2, 3, -1}, {3, 4, 5, -1}});
}

/* Both sides and the place where they meet; or a side that is too large, which then is not alone: the meeting place has two ways
 * in. */
static void diamond(void **state)
{
    (void)state;
    struct code c = {0};
    op(&c, 1, -1, -1);
    code_end(&c, 1, 2);
    op(&c, 2, 1, -1);
    code_end(&c, 3, -1);
    op(&c, 3, 1, 4);
    code_end(&c, 3, -1);
    op(&c, -1, 1, -1);
    stop(&c);
    code_end(&c, -1, -1);
    check(&c, 4, (const uint32_t[]){0, 0, 0, 0, 0}, (const int[][8]){{1, 2, 3, 4, -1}});
    check(&c, 3, (const uint32_t[]){0, 0, 1, 2, 2}, (const int[][8]){{1, 2, -1}, {1, 3, 4, -1}, {1, -1}});
}

/* Two blocks that lead to each other and are both entered from outside: neither may join what is before it. */
static void irreducible(void **state)
{
    (void)state;
    struct code c = {0};
    op(&c, 1, -1, -1);
    code_end(&c, 1, 2);
    op(&c, 1, 1, -1);
    code_end(&c, 2, 3);
    op(&c, 1, 1, -1);
    code_end(&c, 1, -1);
    stop(&c);
    code_end(&c, -1, -1);
    check(&c, 4, (const uint32_t[]){0, 1, 2, 1}, (const int[][8]){{1, -1}, {1, -1}, {1, -1}});
}

/* What only an indirect branch leads to begins an interval; everything is live before the branch. */
static void indirect(void **state)
{
    (void)state;
    struct code c = {0};
    op(&c, 1, 2, -1);
    op(&c, -1, 3, -1)->cls = TC_BRANCH;
    code_end(&c, -1, -1);
    op(&c, 4, -1, -1);
    stop(&c);
    code_end(&c, -1, -1);
    check(&c, 8, (const uint32_t[]){0, 0, 1, 1}, (const int[][8]){{1, 2, 3, -1}, {4, -1}});
    struct intervals *v = make(&c, 8);
    assert_true(regset_has(&v->live[1], 77) && regset_has(&v->live[0], 77));
    assert_false(regset_has(&v->live[0], 1));
    assert_true(regset_empty(&v->live[2]));
    intervals_free(v);
}

/* A call in the middle of a block: what is behind it is entered by the return. Everything is live at the call, arguments too. */
static void call(void **state)
{
    (void)state;
    struct code c = {0};
    op(&c, 4, 1, -1);
    struct tr_insn *i = op(&c, 0, -1, -1);
    i->cls = TC_BRANCH;
    i->target = 4;
    op(&c, 1, 2, -1);
    stop(&c);
    code_end(&c, -1, -1);
    op(&c, -1, 4, -1);
    op(&c, -1, 0, -1)->cls = TC_BRANCH;
    code_end(&c, -1, -1);
    check(&c, 8, (const uint32_t[]){0, 0, 1, 1, 2, 2},
          (const int[][8]){{0, 1, 4, -1}, {1, 2, -1}, {0, 4, -1}});
    struct intervals *v = make(&c, 8);
    assert_true(regset_has(&v->live[1], 4) && regset_has(&v->live[1], 77) && !regset_has(&v->live[0], 4));
    assert_int_equal(regset_count(&v->live[2]), 1);
    intervals_free(v);
}

/* The entry of the kernel may be a loop's head: nothing is before it, and it joins nothing. */
static void head_first(void **state)
{
    (void)state;
    struct code c = {0};
    op(&c, 1, 1, -1);
    code_end(&c, 1, -1);
    op(&c, 2, -1, -1);
    code_end(&c, 0, 2);
    stop(&c);
    code_end(&c, -1, -1);
    check(&c, 8, (const uint32_t[]){0, 0, 0}, (const int[][8]){{1, 2, -1}});
}

/* More registers than fit in one instruction: alone, with the first of its sources, or all of these and the first of its
 * results. */
static void wide(void **state)
{
    (void)state;
    struct code c = {0};
    op(&c, 1, -1, -1);
    struct tr_insn *i = op(&c, -1, -1, -1);
    i->src[i->nsrc++] = code_reg(8, 4);
    i->src[i->nsrc++] = code_reg(2, 1);
    i->dst[i->ndst++] = code_reg(16, 4);
    op(&c, 1, 16, -1);
    stop(&c);
    code_end(&c, -1, -1);
    check(&c, 3, (const uint32_t[]){0, 1, 2, 2}, (const int[][8]){{1, -1}, {2, 8, 9, -1}, {1, 16, -1}});
    check(&c, 6, (const uint32_t[]){0, 1, 2, 2},
          (const int[][8]){{1, -1}, {2, 8, 9, 10, 11, 16, -1}, {1, 16, -1}});
}

/* Any graph: working sets are no larger than the limit and hold what the instructions name (or that one is alone), and an
 * interval is entered at its first instruction only. */
static void any_graph(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        struct rng r = {seed};
        struct code c = {0};
        uint32_t nblocks = 1 + rng_below(&r, CODE_BLOCKS), limit = 1 + rng_below(&r, 10);
        for (uint32_t b = 0; b < nblocks; b++) {
            for (uint32_t n = 1 + rng_below(&r, 2); n; n--)
                op(&c, (int)rng_below(&r, 13) - 1, (int)rng_below(&r, 13) - 1, (int)rng_below(&r, 13) - 1);
            code_end(&c, rng_below(&r, 8) ? (int)rng_below(&r, nblocks) : -1,
                     rng_below(&r, 2) ? (int)rng_below(&r, nblocks) : -1);
        }
        struct intervals *v = make(&c, limit);
        for (uint32_t i = 0; i < c.k.n; i++) {
            const struct interval *x = &v->at[v->of[i]];
            regset all = {{0}};
            for (uint32_t j = 0; j < c.insns[i].nsrc; j++)
                regset_set(&all, &c.insns[i].src[j], true);
            for (uint32_t j = 0; j < c.insns[i].ndst; j++)
                regset_set(&all, &c.insns[i].dst[j], true);
            regset rest = regset_without(&all, &x->regs);
            assert_true(regset_empty(&rest) || regset_count(&all) > limit);
            assert_true(regset_count(&x->regs) <= limit);
        }
        for (uint32_t b = 0; b < nblocks; b++) {
            const struct tr_block *x = &c.blocks[b];
            for (uint32_t i = x->start; i + 1 < x->start + x->n; i++)
                assert_true(v->of[i] == v->of[i + 1] || v->at[v->of[i + 1]].entry == i + 1);
            for (uint32_t s = 0; s < x->nsucc; s++) {
                uint32_t to = c.blocks[x->succ[s]].start;
                if (v->of[x->start + x->n - 1] != v->of[to])
                    assert_int_equal(v->at[v->of[to]].entry, to);
            }
        }
        intervals_free(v);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight),   cmocka_unit_test(loop),       cmocka_unit_test(nest),
        cmocka_unit_test(large_loop), cmocka_unit_test(diamond),    cmocka_unit_test(irreducible),
        cmocka_unit_test(indirect),   cmocka_unit_test(head_first), cmocka_unit_test(call),
        cmocka_unit_test(wide),       cmocka_unit_test(any_graph),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
