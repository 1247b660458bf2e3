/* SPDX-License-Identifier: Apache-2.0 */
/* What back-end passes do for ordinary code: small loops that count are unrolled, constants of loops move in front of them,
 * values that lowering makes twice are made once, and integer work goes to both pipes where the target has them. */
#include "one.h"

#define COUNT_DOWN(pragma, step)                                                                             \
    "LOOP:" pragma "add.f32 %f0, %f0, %f1; add.s32 %r0, %r0, -" step                                         \
    "; setp.ne.s32 %p0, %r0, 0; @%p0 bra LOOP;"                                                              \
    "st.global.f32 [%rd0], %f0;"

static void small_loops_are_unrolled(void **state)
{
    (void)state;
    assert_int_equal(count_in(COUNT_DOWN("", "4"), OP_FADD), 5); /* four rounds, and the loop for the rest */
    assert_int_equal(count_in(COUNT_DOWN("", "1"), OP_FADD), 5);
}

static void not_where_the_compiler_forbids_it(void **state)
{
    (void)state;
    assert_int_equal(count_in(COUNT_DOWN(".pragma \"nounroll\";", "4"), OP_FADD), 1);
}

static void up_to_a_bound(void **state)
{
    (void)state;
    assert_int_equal(
        count_in(
            "mov.u32 %r2, 0; LOOP: add.f32 %f0, %f0, %f1; add.s32 %r2, %r2, 1; setp.lt.s32 %p0, %r2, %r0;"
            "@%p0 bra LOOP; st.global.f32 [%rd0], %f0;",
            OP_FADD),
        5);
}

/* The bound changes in the loop; the counter is no constant's; lanes wait for each other. */
static void other_loops_are_not(void **state)
{
    (void)state;
    static const char *const bodies[] = {"mov.u32 %r2, 0; LOOP: add.f32 %f0, %f0, %f1; add.s32 %r2, %r2, 1; "
                                         "shr.u32 %r0, %r0, 1; setp.lt.s32 %p0, %r2, %r0;"
                                         "@%p0 bra LOOP; st.global.f32 [%rd0], %f0;",
                                         "LOOP: add.f32 %f0, %f0, %f1; sub.s32 %r0, %r0, %r1; setp.ne.s32 "
                                         "%p0, %r0, 0; @%p0 bra LOOP; st.global.f32 [%rd0], %f0;",
                                         "LOOP: add.f32 %f0, %f0, %f1; bar.sync 0; add.s32 %r0, %r0, -1; "
                                         "setp.ne.s32 %p0, %r0, 0; @%p0 bra LOOP;"
                                         "st.global.f32 [%rd0], %f0;"};
    for (unsigned k = 0; k < sizeof bodies / sizeof *bodies; k++)
        assert_int_equal(count_in(bodies[k], OP_FADD), 1);
}

/* Both words of a double, once for all rounds: each MOV of an immediate stands in front of the first product. */
static void doubles_move_in_front_of_the_loop(void **state)
{
    (void)state;
    struct code *c =
        one_kernel(".reg .f64 %d<4>; mov.f64 %d0, 0d3FF0000000000000;"
                   "LOOP: .pragma \"nounroll\"; fma.rn.f64 %d0, %d0, 0d3FEFF7CED916872B, 0d3F50624DD2F1A9FC;"
                   "add.s32 %r0, %r0, -1; setp.ne.s32 %p0, %r0, 0; @%p0 bra LOOP; st.global.f64 [%rd0], %d0;",
                   0);
    uint32_t product = find_op(c, OP_DFMA, 0);
    assert_true(product < c->n);
    for (uint32_t k = product; k < c->n; k++)
        assert_false(c->insns[k].op == OP_MOV && c->insns[k].src[0].kind == OPND_IMM &&
                     c->insns[k].src[0].val);
    code_free(c);
}

static void one_reciprocal_for_divisions_by_one_number(void **state)
{
    (void)state;
    assert_int_equal(
        count_in("div.u32 %r2, %r1, %r0; rem.u32 %r3, %r2, %r0; st.global.u32 [%rd0], %r3;", OP_MUFU), 1);
    assert_int_equal(
        count_in("div.u32 %r2, %r1, %r0; rem.u32 %r3, %r0, %r2; st.global.u32 [%rd0], %r3;", OP_MUFU), 2);
}

static uint32_t multiplications(const char *target)
{
    char head[sizeof ONE_HEAD];
    strcpy(head, ONE_HEAD);
    memcpy(strstr(head, "sm_80"), target, 5);
    struct code *c = kernel_of(
        head,
        "ld.global.u32 %r2, [%rd0]; shl.b32 %r3, %r2, 3; xor.b32 %r4, %r3, %r1; shl.b32 %r5, %r4, 7;"
        "xor.b32 %r6, %r5, %r2; shl.b32 %r7, %r6, 5; xor.b32 %r8, %r7, %r3; st.global.u32 [%rd0], %r8;",
        0);
    uint32_t n = count_op(c, OP_IMAD);
    code_free(c);
    return n;
}

static void integers_use_both_pipes(void **state)
{
    (void)state;
    assert_int_equal(multiplications("sm_80"), 0);
    assert_true(multiplications("sm_90") >= 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_loops_are_unrolled),
        cmocka_unit_test(not_where_the_compiler_forbids_it),
        cmocka_unit_test(up_to_a_bound),
        cmocka_unit_test(other_loops_are_not),
        cmocka_unit_test(doubles_move_in_front_of_the_loop),
        cmocka_unit_test(one_reciprocal_for_divisions_by_one_number),
        cmocka_unit_test(integers_use_both_pipes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
