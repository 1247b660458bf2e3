/* SPDX-License-Identifier: Apache-2.0 */
/* Values that are quick to make: made again behind the points where most words are alive, left alone where nothing is won. */
#include "one.h"

/* A loop that sums up `loads` words, all alive at a time, between two pieces of code. */
static struct code *around(const char *before, unsigned loads, const char *behind)
{
    char body[8192];
    int n = snprintf(body, sizeof body, "ld.global.u64 %%rd2, [%%rd0]; mov.f32 %%f0, 0f00000000;\n%s\nSUM:\n",
                     before);
    for (unsigned k = 1; k <= loads; k++)
        n += snprintf(body + n, sizeof body - (size_t)n, "ld.volatile.global.f32 %%f%u, [%%rd2+%u];\n", k,
                      4 * k);
    for (unsigned k = 1; k <= loads; k++)
        n += snprintf(body + n, sizeof body - (size_t)n, "fma.rn.f32 %%f0, %%f%u, %%f%u, %%f0;\n", k, k);
    snprintf(body + n, sizeof body - (size_t)n,
             "add.s32 %%r1, %%r1, 1; setp.lt.s32 %%p0, %%r1, %%r0; @%%p0 bra SUM;\n%s", behind);
    return one_kernel(body, 0);
}

/* Moves of the low word of p. */
static uint32_t moves_of_p(const struct code *c)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < c->n; k++) {
        const struct ir_opnd *s = &c->insns[k].src[0];
        n += c->insns[k].op == OP_MOV && s->kind == OPND_CONST && s->val == CB_PARAM + c->params[0].off_b;
    }
    return n;
}

static const char *const last = "st.global.f32 [%rd0+8], %f0;";

static void made_again_behind_the_peak(void **state)
{
    (void)state;
    struct code *c = around("", 40, last);
    assert_int_equal(moves_of_p(c), 2);
    code_free(c);
}

static void kept_where_all_warps_fit(void **state)
{
    (void)state;
    struct code *c = around("", 12, last);
    assert_int_equal(moves_of_p(c), 1);
    code_free(c);
}

/* There it would be made in every round. */
static void not_in_a_loop_that_uses_it(void **state)
{
    (void)state;
    struct code *c =
        around("", 40,
               "AGAIN: st.volatile.global.f32 [%rd0+8], %f0; add.s32 %r2, %r1, %r0; add.s32 %r1, %r2, 1;\n"
               "setp.lt.s32 %p0, %r1, %r0; @%p0 bra AGAIN;");
    assert_int_equal(moves_of_p(c), 1);
    code_free(c);
}

/* The first row of a CTA comes from a special register, what was loaded from memory: nobody knows whether it is there still. */
static void from_special_registers_not_from_memory(void **state)
{
    (void)state;
    const char *first = "mov.u32 %r2, %ctaid.x; shl.b32 %r3, %r2, 6; st.global.u32 [%rd2], %r3;",
               *loaded = "ld.global.u32 %r2, [%rd2]; shl.b32 %r3, %r2, 6; st.global.u32 [%rd2], %r3;",
               *end = "st.global.u32 [%rd2+4], %r3; st.global.f32 [%rd2+8], %f0;";
    struct code *c = around(first, 40, end);
    assert_int_equal(count_op(c, OP_SHL), 2);
    code_free(c);
    c = around(loaded, 40, end);
    assert_int_equal(count_op(c, OP_SHL), 1);
    code_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(made_again_behind_the_peak),
        cmocka_unit_test(kept_where_all_warps_fit),
        cmocka_unit_test(not_in_a_loop_that_uses_it),
        cmocka_unit_test(from_special_registers_not_from_memory),
    };
    return cmocka_run_group_tests_name("compile/remat", tests, NULL, NULL);
}
