/* SPDX-License-Identifier: Apache-2.0 */
/* The verifier names each kind of broken code. */
#include "irt.h"

struct broken {
    struct arena a;
    struct ir_fn fn;
    uint32_t one, two, four, p;
};

static void begin(struct broken *t)
{
    memset(t, 0, sizeof *t);
    ir_fn_init(&t->fn, &t->a, "broken");
    t->fn.is_entry = true;
    ir_block_new(&t->fn, NULL, 0);
    t->one = ir_vreg(&t->fn, 1, NULL);
    t->two = ir_vreg(&t->fn, 2, NULL);
    t->four = ir_vreg(&t->fn, 4, NULL);
    t->p = ir_vpred(&t->fn);
}

/* Closes the function, expects a message with `want` in it (NULL: none). */
static void expect(struct broken *t, const char *want)
{
    irt_emit(&t->fn, t->fn.blocks.n - 1, OP_EXIT, NONE, NONE, NONE, NONE);
    const char *got = ir_verify(&t->fn, "test");
    if (!want)
        assert_null(got);
    else if (!got || !strstr(got, want) || !strstr(got, "broken"))
        fail_msg("wanted '%s', got '%s'", want, got ? got : "nothing");
    ir_fn_free(&t->fn);
    arena_free(&t->a);
}

static struct ir_insn *emit(struct broken *t, enum ir_op op, struct ir_opnd d, struct ir_opnd x,
                            struct ir_opnd y, struct ir_opnd z)
{
    return irt_emit(&t->fn, t->fn.blocks.n - 1, op, d, x, y, z);
}

#define R1W ir_reg(t.one, 0, 1)

static void operands(void **state)
{
    struct broken t;

    (void)state;
    begin(&t);
    emit(&t, OP_IADD3, R1W, R1W, ir_imm(1), ir_imm(0));
    expect(&t, NULL);
    begin(&t);
    emit(&t, OP_IMAD, R1W, R1W, ir_imm(1), ir_imm(2));
    expect(&t, "immediates or constants");
    begin(&t);
    emit(&t, OP_IMAD, R1W, R1W, ir_imm(1), ir_const(0, 0x160, 1));
    expect(&t, "immediates or constants");
    begin(&t);
    emit(&t, OP_IMAD, R1W, R1W, R1W, NONE);
    expect(&t, "source 2 is missing");
    begin(&t);
    emit(&t, OP_FADD, R1W, R1W, R1W, R1W);
    expect(&t, "source 2 must be absent");
    begin(&t);
    emit(&t, OP_IADD3, ir_imm(3), R1W, R1W, ir_imm(0));
    expect(&t, "destination 0 is an immediate");
    begin(&t);
    emit(&t, OP_SEL, R1W, R1W, R1W, R1W);
    expect(&t, "source 2 is not a predicate");
    begin(&t);
    emit(&t, OP_MOV, R1W, ir_const(0, 0x162, 1), NONE, NONE);
    expect(&t, "not a word's");
}

/* An opcode that our compiler does not know: a form of NVIDIA's own code, or one whose row was forgotten. */
static void without_row(void **state)
{
    (void)state;
    struct broken t;
    begin(&t);
    emit(&t, OP_IADD3C, R1W, R1W, R1W, R1W);
    expect(&t, "has no row");
}

static void widths(void **state)
{
    struct broken t;

    (void)state;
    begin(&t);
    emit(&t, OP_LDG, ir_reg(t.four, 0, 4), ir_reg(t.two, 0, 2), NONE, NONE)->vec = 4;
    emit(&t, OP_DADD, ir_reg(t.two, 0, 2), ir_reg(t.two, 0, 2), ir_reg(t.four, 2, 2), NONE)->type = T_F64;
    expect(&t, NULL);
    begin(&t);
    emit(&t, OP_LDG, ir_reg(t.two, 0, 2), ir_reg(t.two, 0, 2), NONE, NONE)->vec = 4;
    expect(&t, "has 2 words, not 4");
    begin(&t);
    emit(&t, OP_LD, R1W, R1W, NONE, NONE);
    expect(&t, "source 0 has 1 words, not 2");
    begin(&t);
    emit(&t, OP_LDG, R1W, R1W, NONE, NONE); /* code with 32-bit addresses */
    expect(&t, NULL);
    begin(&t);
    emit(&t, OP_DADD, ir_reg(t.two, 0, 2), ir_reg(t.two, 0, 2), R1W, NONE);
    expect(&t, "source 1 has 1 words");
    begin(&t);
    emit(&t, OP_MOV, ir_reg(t.two, 0, 2), ir_reg(t.four, 1, 2), NONE, NONE);
    expect(&t, "not aligned");
    begin(&t);
    emit(&t, OP_MOV, ir_reg(t.two, 0, 2), R1W, NONE, NONE);
    expect(&t, "copies 1 words to 2");
    begin(&t);
    emit(&t, OP_MOV, R1W, ir_reg(t.two, 2, 1), NONE, NONE);
    expect(&t, "takes words 2..2");
    begin(&t);
    emit(&t, OP_MOV, R1W, ir_reg(99, 0, 1), NONE, NONE);
    expect(&t, "virtual register 99");
    begin(&t);
    emit(&t, OP_LDG, ir_reg(t.four, 0, 4), ir_reg(t.two, 0, 2), NONE, NONE)->vec = 8;
    expect(&t, "vector of 8");
}

static void predicates(void **state)
{
    struct broken t;

    (void)state;
    begin(&t);
    emit(&t, OP_ISETP, ir_pred(t.p, false), R1W, R1W, ir_pred(PRED_PT, false))->guard = ir_pred(t.p, true);
    expect(&t, NULL);
    begin(&t);
    emit(&t, OP_ISETP, ir_pred(t.p + 1, false), R1W, R1W, NONE);
    expect(&t, "names predicate");
    begin(&t);
    emit(&t, OP_ISETP, ir_pred(3, false), R1W, R1W, NONE);
    expect(&t, "names predicate 3");
    begin(&t);
    emit(&t, OP_MOV, R1W, R1W, NONE, NONE)->guard = R1W;
    expect(&t, "guard is not a predicate");
}

static void control(void **state)
{
    struct broken t;

    (void)state;
    begin(&t);
    emit(&t, OP_BRA, NONE, NONE, NONE, NONE)->target = 0;
    expect(&t, "before the end");
    begin(&t);
    ir_block_new(&t.fn, NULL, 0);
    irt_emit(&t.fn, 0, OP_BRA, NONE, NONE, NONE, NONE)->target = 7;
    expect(&t, "branch to block 7");
    begin(&t);
    ir_block_new(&t.fn, NULL, 0);
    irt_emit(&t.fn, 0, OP_BRX, NONE, R1W, NONE, NONE);
    expect(&t, "indexed branch");
    begin(&t);
    ir_block_new(&t.fn, NULL, 0);
    irt_emit(&t.fn, 0, OP_BRX, NONE, R1W, NONE, NONE);
    vec_push(&t.fn.blocks.at[0].succ, 5);
    expect(&t, "table names block 5");
    begin(&t);
    ir_block_new(&t.fn, NULL, 0);
    irt_emit(&t.fn, 0, OP_RET, NONE, R1W, NONE, NONE);
    expect(&t, "does not return");
    begin(&t);
    emit(&t, OP_BSSY, NONE, ir_imm(0), NONE, NONE);
    expect(&t, "barrier 0 of 0");
    begin(&t);
    ir_block_new(&t.fn, NULL, 0);
    irt_emit(&t.fn, 0, OP_EXIT, NONE, NONE, NONE, NONE);
    irt_emit(&t.fn, 1, OP_NOP, NONE, NONE, NONE, NONE);
    assert_non_null(strstr(ir_verify(&t.fn, "test"), "falls off"));
    expect(&t, NULL);
}

static void allocated(void **state)
{
    struct broken t;

    (void)state;
    begin(&t);
    t.fn.allocated = true;
    t.fn.regs_used = 8;
    emit(&t, OP_DADD, ir_reg(2, 0, 2), ir_reg(4, 0, 2), ir_reg(6, 0, 2), NONE);
    expect(&t, NULL);
    begin(&t);
    t.fn.allocated = true;
    t.fn.regs_used = 8;
    emit(&t, OP_DADD, ir_reg(3, 0, 2), ir_reg(4, 0, 2), ir_reg(6, 0, 2), NONE);
    expect(&t, "R3 is not aligned");
    begin(&t);
    t.fn.allocated = true;
    t.fn.regs_used = 8;
    emit(&t, OP_IADD3, ir_reg(8, 0, 1), ir_reg(4, 0, 1), ir_reg(6, 0, 1), ir_imm(0));
    expect(&t, "beyond the 8 registers");
    begin(&t);
    t.fn.allocated = true;
    t.fn.regs_used = 8;
    emit(&t, OP_MOV, ir_reg(2, 0, 2), ir_reg(4, 0, 2), NONE, NONE);
    expect(&t, "copy of 2 words is left");
    begin(&t);
    t.fn.allocated = true;
    t.fn.regs_used = 8;
    emit(&t, OP_MOV, ir_reg(2, 0, 1), ir_reg(4, 1, 1), NONE, NONE);
    expect(&t, "part of a virtual register");
}

/* A million declared registers cost nothing once the unused ones are gone. */
static void compacting(void **state)
{
    struct broken t;

    (void)state;
    begin(&t);
    for (int k = 0; k < 100000; k++) {
        ir_vreg(&t.fn, 2, NULL);
        ir_vpred(&t.fn);
    }
    uint32_t last = ir_vreg(&t.fn, 2, "last"), q = ir_vpred(&t.fn);
    emit(&t, OP_MOV, ir_reg(last, 1, 1), R1W, NONE, NONE)->guard = ir_pred(q, true);
    ir_compact(&t.fn);
    assert_int_equal(t.fn.vregs.n, 2);
    assert_int_equal(t.fn.npreds, 1);
    const struct ir_insn *i = &t.fn.blocks.at[0].insns.at[0];
    assert_string_equal(t.fn.vregs.at[i->dst[0].val].name, "last");
    assert_int_equal(i->guard.val, VPRED0);
    assert_null(ir_too_large(&t.fn));
    expect(&t, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(operands),   cmocka_unit_test(widths),
                                       cmocka_unit_test(predicates), cmocka_unit_test(control),
                                       cmocka_unit_test(allocated),  cmocka_unit_test(compacting),
                                       cmocka_unit_test(without_row)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
