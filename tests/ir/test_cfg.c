/* SPDX-License-Identifier: Apache-2.0 */
/* Dominators, post-dominators and loops on graphs whose answers are known. */
#include "irt.h"

#define N CFG_NONE

static void check(const char *edges, uint32_t n, const uint32_t *idom, const uint32_t *ipdom,
                  const uint32_t *loop, const uint32_t *depth)
{
    struct arena a = {0};
    struct ir_fn fn;

    irt_graph(&fn, &a, n, edges);
    assert_null(ir_verify(&fn, "test"));
    struct ir_cfg *c = ir_cfg_build(&fn, &a);
    for (uint32_t b = 0; b < n; b++) {
        assert_int_equal(c->idom[b], idom[b]);
        assert_int_equal(c->ipdom[b], ipdom[b]);
        if (loop)
            assert_int_equal(c->loop[b], loop[b]);
        if (depth)
            assert_int_equal(c->depth[b], depth[b]);
    }
    ir_fn_free(&fn);
    arena_free(&a);
}

static void diamond(void **state)
{
    (void)state;
    check("0-2 0-1 1-3 2-3", 4, (uint32_t[]){0, 0, 0, 0}, (uint32_t[]){3, 3, 3, N}, (uint32_t[]){N, N, N, N},
          NULL);
}

static void nested_loops(void **state)
{
    (void)state;
    /* 1 outer header, 2 inner header and latch, 3 outer latch, 4 exit */
    check("0-1 1-2 2-2 2-3 3-1 3-4", 5, (uint32_t[]){0, 0, 1, 2, 3}, (uint32_t[]){1, 2, 3, 4, N},
          (uint32_t[]){N, 1, 2, 1, N}, (uint32_t[]){0, 1, 2, 1, 0});
}

static void two_latches(void **state)
{
    (void)state;
    check("0-1 1-3 1-2 2-1 3-1 3-4", 5, (uint32_t[]){0, 0, 1, 1, 3}, (uint32_t[]){1, 3, 1, 4, N},
          (uint32_t[]){N, 1, 1, 1, N}, (uint32_t[]){0, 1, 1, 1, 0});
}

/* A loop with two entries: no natural loop, and both its blocks are dominated only from outside. */
static void irreducible(void **state)
{
    (void)state;
    check("0-2 0-1 1-2 2-1 2-3", 4, (uint32_t[]){0, 0, 0, 2}, (uint32_t[]){2, 2, 3, N},
          (uint32_t[]){N, N, N, N}, NULL);
}

static void early_exit(void **state)
{
    (void)state;
    /* 1 may leave the function: the branch at 0 has no post-dominator but the end. */
    check("0-2 0-1 2-3", 4, (uint32_t[]){0, 0, 0, 2}, (uint32_t[]){N, N, 3, N}, NULL, NULL);
}

static void endless(void **state)
{
    (void)state;
    /* 1..4 never exit; inside, the branch at 1 still meets again in 4, the latch. */
    check("0-1 1-3 1-2 2-4 3-4 4-1", 5, (uint32_t[]){0, 0, 1, 1, 1}, (uint32_t[]){1, 4, 4, 4, N},
          (uint32_t[]){N, 1, 1, 1, 1}, (uint32_t[]){0, 1, 1, 1, 1});
    check("0-0", 1, (uint32_t[]){0}, (uint32_t[]){N}, (uint32_t[]){0}, (uint32_t[]){1});
}

static void unreachable(void **state)
{
    (void)state;
    check("0-2 1-2", 3, (uint32_t[]){0, N, 0}, (uint32_t[]){2, N, N}, (uint32_t[]){N, N, N}, NULL);
}

static void dominance_queries(void **state)
{
    struct arena a = {0};
    struct ir_fn fn;

    (void)state;
    irt_graph(&fn, &a, 5, "0-1 1-2 2-2 2-3 3-1 3-4");
    struct ir_cfg *c = ir_cfg_build(&fn, &a);
    assert_true(ir_dominates(c, 1, 4));
    assert_true(ir_dominates(c, 2, 2));
    assert_false(ir_dominates(c, 3, 2));
    assert_true(ir_postdominates(c, 4, 0));
    assert_false(ir_postdominates(c, 2, 4));
    assert_int_equal(c->loop_parent[2], 1);
    ir_fn_free(&fn);
    arena_free(&a);
}

static void branch_tables(void **state)
{
    struct arena a = {0};
    struct ir_fn fn;

    (void)state;
    ir_fn_init(&fn, &a, "brx");
    fn.is_entry = true;
    uint32_t v = ir_vreg(&fn, 1, NULL);
    for (int b = 0; b < 3; b++)
        ir_block_new(&fn, NULL, 0);
    irt_emit(&fn, 0, OP_BRX, NONE, ir_reg(v, 0, 1), NONE, NONE);
    static const uint32_t table[] = {1, 2, 1, 1};
    for (int k = 0; k < 4; k++)
        vec_push(&fn.blocks.at[0].succ, table[k]);
    irt_emit(&fn, 1, OP_EXIT, NONE, NONE, NONE, NONE);
    irt_emit(&fn, 2, OP_EXIT, NONE, NONE, NONE, NONE);
    ir_cfg_link(&fn);
    ir_cfg_link(&fn);
    assert_int_equal(fn.blocks.at[0].succ.n, 4);
    assert_int_equal(fn.blocks.at[2].pred.n, 1);
    assert_null(ir_verify(&fn, "test"));
    ir_fn_free(&fn);
    arena_free(&a);
}

/* Nothing may recurse: a long chain with a back edge from every block. */
static void long_chain(void **state)
{
    enum { LEN = 20000 };
    struct arena a = {0};
    struct ir_fn fn;

    (void)state;
    ir_fn_init(&fn, &a, "chain");
    fn.is_entry = true;
    struct ir_opnd p = ir_pred(ir_vpred(&fn), false);
    for (uint32_t b = 0; b < LEN; b++)
        ir_block_new(&fn, NULL, 0);
    for (uint32_t b = 0; b + 1 < LEN; b++) {
        struct ir_insn *bra = irt_emit(&fn, b, OP_BRA, NONE, NONE, NONE, NONE);
        bra->guard = p;
        bra->target = b ? b - b % 16 : 0;
    }
    irt_emit(&fn, LEN - 1, OP_EXIT, NONE, NONE, NONE, NONE);
    struct ir_cfg *c = ir_cfg_build(&fn, &a);
    assert_int_equal(c->nrpo, LEN);
    assert_int_equal(c->idom[LEN - 1], LEN - 2);
    ir_fn_free(&fn);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(diamond),     cmocka_unit_test(nested_loops),      cmocka_unit_test(two_latches),
        cmocka_unit_test(irreducible), cmocka_unit_test(early_exit),        cmocka_unit_test(endless),
        cmocka_unit_test(unreachable), cmocka_unit_test(dominance_queries), cmocka_unit_test(branch_tables),
        cmocka_unit_test(long_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
