/* Constants in registers: made again behind the points where most words are alive, left alone where nothing is won by it. */
#include "one.h"

/* The pointer p is used in front of a block that sums up `loads` words, all alive at a time, and behind it: two
 * instructions more, among two hundred. */
static struct code *around(unsigned loads)
{
    char body[16000];
    int n = snprintf(body, sizeof body,
                     "ld.global.u64 %%rd2, [%%rd0]; setp.eq.s32 %%p0, %%r0, 0; mov.f32 %%f0, 0f00000000;\n"
                     "@%%p0 bra LAST;\n");
    for (unsigned k = 1; k <= loads; k++)
        n += snprintf(body + n, sizeof body - (size_t)n, "ld.volatile.global.f32 %%f%u, [%%rd2+%u];\n", k,
                      4 * k);
    for (unsigned k = 0; k < 5 * loads; k++)
        n += snprintf(body + n, sizeof body - (size_t)n, "fma.rn.f32 %%f0, %%f%u, %%f%u, %%f0;\n",
                      k % loads + 1, k % loads + 1);
    snprintf(body + n, sizeof body - (size_t)n, "LAST:\nst.global.f32 [%%rd0+8], %%f0;");
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

static void made_again_behind_the_peak(void **state)
{
    (void)state;
    struct code *c = around(40);
    assert_int_equal(moves_of_p(c), 2);
    code_free(c);
}

static void kept_where_all_warps_fit(void **state)
{
    (void)state;
    struct code *c = around(12);
    assert_int_equal(moves_of_p(c), 1);
    code_free(c);
}

/* In a loop it would be made in every round: one instruction more for ten. */
static void not_in_the_loop_that_uses_it(void **state)
{
    (void)state;
    char body[8192];
    int n = snprintf(body, sizeof body, "ld.global.u64 %%rd2, [%%rd0]; mov.f32 %%f0, 0f00000000;\n");
    for (unsigned k = 1; k <= 40; k++)
        n += snprintf(body + n, sizeof body - (size_t)n, "ld.volatile.global.f32 %%f%u, [%%rd2+%u];\n", k,
                      4 * k);
    for (unsigned k = 1; k <= 40; k++)
        n += snprintf(body + n, sizeof body - (size_t)n, "fma.rn.f32 %%f0, %%f%u, %%f%u, %%f0;\n", k, k);
    snprintf(body + n, sizeof body - (size_t)n,
             "ROUND:\nst.volatile.global.f32 [%%rd0+8], %%f0; add.s32 %%r1, %%r1, 1;\n"
             "setp.lt.s32 %%p0, %%r1, %%r0; @%%p0 bra ROUND;");
    struct code *c = one_kernel(body, 0);
    assert_int_equal(moves_of_p(c), 1);
    code_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(made_again_behind_the_peak),
        cmocka_unit_test(kept_where_all_warps_fit),
        cmocka_unit_test(not_in_the_loop_that_uses_it),
    };
    return cmocka_run_group_tests_name("compile/remat", tests, NULL, NULL);
}
