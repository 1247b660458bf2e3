/* SPDX-License-Identifier: Apache-2.0 */
/* Dead code: what a function does stays, what only feeds itself goes. */
#include "rig.h"

#define NONE ir_none()

/* for (p = 0; ; p += 128) store(low word of p): the upper words are added up round the loop and never read. */
static void upper_words_round_a_loop(void **state)
{
    struct arena a = {0};
    struct ir_fn fn;

    (void)state;
    ir_fn_init(&fn, &a, "loop");
    fn.is_entry = true;
    ir_block_new(&fn, NULL, 0);
    uint32_t p = ir_vreg(&fn, 2, "p"), t = ir_vreg(&fn, 2, "t"), carry = ir_vpred(&fn), more = ir_vpred(&fn);
    rig_emit(&fn, OP_MOV, ir_reg(p, 0, 1), ir_imm(0), NONE, NONE);
    rig_emit(&fn, OP_MOV, ir_reg(p, 1, 1), ir_imm(0), NONE, NONE);
    ir_block_new(&fn, NULL, 0);
    rig_emit(&fn, OP_STS, NONE, ir_reg(p, 0, 1), ir_reg(p, 0, 1), NONE);
    rig_emit(&fn, OP_IADD3, ir_reg(t, 0, 1), ir_reg(p, 0, 1), ir_imm(128), ir_imm(0))->dst[1] =
        ir_pred(carry, false);
    struct ir_insn *hi = rig_emit(&fn, OP_IADD3, ir_reg(t, 1, 1), ir_reg(p, 1, 1), ir_imm(0), ir_imm(0));
    hi->src[3] = ir_pred(carry, false);
    hi->flags = IRF_X;
    rig_emit(&fn, OP_MOV, ir_reg(p, 0, 2), ir_reg(t, 0, 2), NONE, NONE);
    rig_emit(&fn, OP_ISETP, ir_pred(more, false), ir_reg(p, 0, 1), ir_imm(1000), NONE)->cmp = CMP_LT;
    struct ir_insn *bra = rig_emit(&fn, OP_BRA, NONE, NONE, NONE, NONE);
    bra->guard = ir_pred(more, false);
    bra->target = 1;
    ir_block_new(&fn, NULL, 0);
    rig_emit(&fn, OP_EXIT, NONE, NONE, NONE, NONE);

    assert_true(pass_dead(&fn));
    assert_int_equal(fn.blocks.at[0].insns.n, 1);
    assert_int_equal(fn.blocks.at[1].insns.n, 5);
    assert_int_equal(fn.blocks.at[1].insns.at[2].op, OP_MOV);
    assert_int_equal(fn.blocks.at[1].insns.at[2].dst[0].n, 1);
    assert_false(pass_dead(&fn));
    ir_fn_free(&fn);
    arena_free(&a);
}

static void same_effects(void **state)
{
    (void)state;
    uint32_t dropped = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        struct arena a = {0}, b = {0};
        struct rng r = {seed};
        struct ir_fn fn, less;
        struct gen_opts o = {
            .insns = 150, .values = 12, .preds = 3, .loops = seed & 1, .calls = (seed & 6) == 6};
        gen_function(&fn, &a, &r, &o);
        rig_clone(&less, &fn, &b);
        if (pass_dead(&less))
            dropped++;
        assert_null(ir_verify(&less, "dead"));
        struct rig_result x = rig_run(&fn, false, 100000), y = rig_run(&less, false, 100000);
        if (!x.error && (y.error || !rig_same(&x, &y)))
            fail_msg("seed %llu", (unsigned long long)seed);
        rig_free(&x);
        rig_free(&y);
        ir_fn_free(&fn);
        ir_fn_free(&less);
        arena_free(&a);
        arena_free(&b);
    }
    assert_true(dropped > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(upper_words_round_a_loop),
        cmocka_unit_test(same_effects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
