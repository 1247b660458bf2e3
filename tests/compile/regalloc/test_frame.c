/* SPDX-License-Identifier: Apache-2.0 */
/* Prologues, epilogues and arguments. */
#include "rig.h"

#define NONE ir_none()
#define ZERO ir_imm(0)

static void entry_frame(void **state)
{
    struct arena a = {0};
    struct ir_fn fn;

    (void)state;
    ir_fn_init(&fn, &a, "entry");
    fn.is_entry = true;
    fn.frame_b = 20;
    ir_block_new(&fn, NULL, 0);
    rig_emit(&fn, OP_EXIT, NONE, NONE, NONE, NONE);
    assert_null(pass_regalloc(&fn, 32, 2, true));
    pass_frame(&fn);
    const struct ir_insn *i = fn.blocks.at[0].insns.at;
    assert_int_equal(fn.blocks.at[0].insns.n, 3);
    assert_int_equal(i[0].op, OP_MOV);
    assert_int_equal(i[0].dst[0].val, REG_SP);
    assert_int_equal(i[0].src[0].val, CB_STACK);
    assert_int_equal(i[1].op, OP_IADD3);
    assert_int_equal((int32_t)i[1].src[1].val, -32);
    assert_int_equal(fn.frame_b, 32);
    ir_fn_free(&fn);
    arena_free(&a);
}

/* A first block that is a loop's head must not run the prologue again. */
static void first_block_in_a_loop(void **state)
{
    struct arena a = {0};
    struct ir_fn fn;

    (void)state;
    ir_fn_init(&fn, &a, "loop");
    fn.is_entry = true;
    ir_block_new(&fn, NULL, 0);
    uint32_t p = ir_vpred(&fn);
    struct ir_insn *bra = rig_emit(&fn, OP_BRA, NONE, NONE, NONE, NONE);
    bra->guard = ir_pred(p, false);
    bra->target = 0;
    ir_block_new(&fn, NULL, 0);
    rig_emit(&fn, OP_EXIT, NONE, NONE, NONE, NONE);
    assert_null(pass_regalloc(&fn, 32, 2, true));
    pass_frame(&fn);
    assert_null(ir_verify(&fn, "frame"));
    assert_int_equal(fn.blocks.n, 3);
    assert_int_equal(fn.blocks.at[0].insns.n, 1);
    assert_int_equal(fn.blocks.at[1].insns.at[0].target, 1);
    ir_fn_free(&fn);
    arena_free(&a);
}

/* A device function with a call: its link lives across, in a saved register, and arguments lie behind the frame. */
static void device_function(void **state)
{
    struct arena a = {0};
    struct ir_fn fn;

    (void)state;
    ir_fn_init(&fn, &a, "device");
    fn.has_calls = true;
    fn.frame_b = 16;
    ir_block_new(&fn, NULL, 0);
    uint32_t r0 = ir_vreg_fixed(&fn, 1, REG_LINK), sp = ir_vreg_fixed(&fn, 1, REG_SP),
             link = ir_vreg(&fn, 1, "link");
    uint32_t arg = ir_vreg(&fn, 1, NULL), addr = ir_vreg(&fn, 1, NULL);
    rig_emit(&fn, OP_MOV, ir_reg(link, 0, 1), ir_reg(r0, 0, 1), NONE, NONE);
    struct ir_insn *i = rig_emit(&fn, OP_LDL, ir_reg(arg, 0, 1), ir_reg(sp, 0, 1), NONE, NONE);
    i->off = 8;
    i->flags |= IRF_ARG;
    rig_emit(&fn, OP_IADD3, ir_reg(addr, 0, 1), ir_reg(sp, 0, 1), ir_imm(12), ZERO)->flags |= IRF_ARG;
    rig_emit(&fn, OP_CALL, NONE, ir_imm(1), NONE, NONE);
    rig_emit(&fn, OP_STL, NONE, ir_reg(addr, 0, 1), ir_reg(arg, 0, 1), NONE);
    rig_emit(&fn, OP_RET, NONE, ir_reg(link, 0, 1), NONE, NONE);
    assert_null(ir_verify(&fn, "test"));
    assert_null(pass_regalloc(&fn, 32, 2, true));
    pass_frame(&fn);
    assert_null(ir_verify(&fn, "frame"));
    assert_int_equal(fn.frame_b, 32); /* 16 declared, three saved registers */
    const struct ir_block *b = &fn.blocks.at[0];
    for (uint32_t k = 0; k < b->insns.n; k++) {
        const struct ir_insn *n = &b->insns.at[k];
        if (n->op == OP_LDL && n->dst[0].val < CALLER_SAVED)
            assert_int_equal(n->off, 8 + 32);
        if (n->op == OP_IADD3 && n->dst[0].val != REG_SP)
            assert_int_equal(n->src[1].val, 12 + 32);
        if (n->op == OP_RET)
            assert_int_equal(n->src[0].val, REG_LINK);
    }
    struct rig_result r = rig_run(&fn, true, 1000);
    assert_null(r.error);
    assert_int_equal(r.log.at[r.log.n - 1], RIG_LINK);
    rig_free(&r);
    ir_fn_free(&fn);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(entry_frame), cmocka_unit_test(first_block_in_a_loop),
                                       cmocka_unit_test(device_function)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
