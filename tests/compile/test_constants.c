/* SPDX-License-Identifier: Apache-2.0 */
/* Constants of code for sm_90: what is loaded where, and how often. */
#include "one.h"

#define VERSION(target) ".version 7.8\n.target " target "\n.address_size 64\n"
#define KERNEL                                                                                               \
    ".visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n, .param .f32 f) {\n"                      \
    ".reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .pred %p<4>;\n"                                \
    "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u32 %r1, [n]; ld.param.f32 %f1, [f];\n"

static bool is_uldc(const struct ir_insn *i) { return i->op == OP_MOV && i->dst[0].val >= REG_U0; }

static unsigned count(const struct code *c, unsigned words)
{
    unsigned n = 0;
    for (uint32_t k = 0; k < c->n; k++)
        n += is_uldc(&c->insns[k]) && c->insns[k].dst[0].n == words;
    return n;
}

static unsigned constants(const struct code *c)
{
    unsigned n = 0;
    for (uint32_t k = 0; k < c->n; k++)
        for (unsigned s = 0; s < 6; s++)
            n += c->insns[k].src[s].kind == OPND_CONST && !is_uldc(&c->insns[k]);
    return n;
}

static const char line[] = "mov.u32 %r2, %tid.x; setp.ge.s32 %p1, %r2, %r1; @%p1 bra END;\n"
                           "mul.wide.s32 %rd3, %r2, 4; add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;\n"
                           "ld.global.f32 %f2, [%rd4]; fma.rn.f32 %f3, %f2, %f1, %f2;\n"
                           "st.global.f32 [%rd5], %f3;\nEND:\n";

/* Pointers into pairs of registers, the others into uniform registers, and the descriptor; sizes stay in the instruction. */
static void test_line(void **state)
{
    (void)state;
    struct code *c = kernel_of(VERSION("sm_90") KERNEL, line, 0);
    assert_int_equal(constants(c), 0);
    assert_int_equal(count_op(c, OP_LDC), 3); /* the stack pointer, a, b */
    assert_int_equal(count(c, 1), 2);         /* n, f */
    assert_int_equal(count(c, 2), 1);         /* the descriptor */
    for (uint32_t k = 0; k < c->n; k++)
        if (c->insns[k].op == OP_IMAD_WIDE)
            assert_int_equal(c->insns[k].src[1].val, 4);
    code_free(c);
}

/* Older GPUs name the constant in the instruction. */
static void test_older(void **state)
{
    (void)state;
    struct code *c = kernel_of(VERSION("sm_80") KERNEL, line, 0);
    assert_true(constants(c) >= 4);
    assert_int_equal(count_op(c, OP_LDC) + count(c, 1) + count(c, 2), 0);
    assert_int_equal(c->uregs, 0);
    code_free(c);
}

/* Nothing is loaded inside a loop, and each constant once. */
static void test_loop(void **state)
{
    (void)state;
    struct code *c =
        kernel_of(VERSION("sm_90") KERNEL,
                  "mov.u32 %r2, %tid.x; mov.f32 %f3, 0f00000000;\n.pragma \"nounroll\";\n"
                  "L: mul.wide.s32 %rd3, %r2, 4; add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;\n"
                  "ld.global.f32 %f2, [%rd4]; fma.rn.f32 %f3, %f2, %f1, %f3;\n"
                  "st.global.f32 [%rd5], %f3; add.s32 %r2, %r2, %r1;\n"
                  "setp.lt.s32 %p1, %r2, %r1; @%p1 bra L;\n",
                  0);
    uint32_t from = 0, to = 0;
    for (uint32_t k = 0; k < c->n; k++)
        if (c->insns[k].op == OP_BRA && c->insns[k].target < k)
            from = c->insns[k].target, to = k;
    assert_true(to > from);
    for (uint32_t k = from; k < to; k++)
        assert_false(is_uldc(&c->insns[k]) || c->insns[k].op == OP_LDC);
    assert_int_equal(count(c, 1), 2);
    assert_int_equal(count(c, 2), 1);
    code_free(c);
}

/* More constants than uniform registers: the rest pass through those kept for that. */
static void test_many(void **state)
{
    (void)state;
    char text[12000], *p = text;
    p += sprintf(p, "ld.param.u64 %%rd1, [a]; ld.global.u32 %%r0, [%%rd1];\n");
    for (unsigned k = 0; k < 100; k++)
        p += sprintf(p, "ld.param.u32 %%r1, [s+%u]; xor.b32 %%r0, %%r0, %%r1; mul.lo.u32 %%r0, %%r0, 5;\n",
                     4 * k);
    sprintf(p, "st.global.u32 [%%rd1], %%r0;\n");
    struct code *c =
        kernel_of(VERSION("sm_90") ".visible .entry k(.param .u64 a, .param .align 4 .b8 s[400]) {\n"
                                   ".reg .b64 %rd<2>; .reg .b32 %r<2>;\n",
                  text, 0);
    assert_int_equal(constants(c), 0);
    assert_int_equal(count(c, 1), 100);
    assert_true(c->uregs <= 62);
    code_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_line), cmocka_unit_test(test_older),
                                       cmocka_unit_test(test_loop), cmocka_unit_test(test_many)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
