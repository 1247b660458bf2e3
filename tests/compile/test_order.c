/* The order of instructions: loads of a block together and early, as far as registers go; nothing before a way out that it stood
 * behind. */
#include "one.h"

/* Loads, each multiplied and added to a sum before the next: what a loop looks like that was unrolled. */
static const char *sum_of(unsigned loads)
{
    static char body[8192];
    int n = snprintf(body, sizeof body, "mov.f32 %%f0, 0f00000000;\n");
    for (unsigned k = 0; k < loads; k++)
        n += snprintf(body + n, sizeof body - (size_t)n,
                      "ld.global.f32 %%f%u, [%%rd0+%u]; fma.rn.f32 %%f0, %%f%u, %%f%u, %%f0;\n", k + 1, 4 * k,
                      k + 1, k + 1);
    snprintf(body + n, sizeof body - (size_t)n, "st.global.f32 [%%rd0], %%f0;");
    return body;
}

/* Loads that are issued before the first instruction that reads one of them. */
static uint32_t in_flight(const struct code *c)
{
    uint32_t first = find_op(c, OP_FFMA, 0), n = 0;
    for (uint32_t k = 0; k < first; k++)
        n += c->insns[k].op == OP_LDG;
    return n;
}

static void loads_together(void **state)
{
    (void)state;
    struct code *c = one_kernel(sum_of(12), 0);
    assert_int_equal(in_flight(c), 12);
    assert_true(c->regs <= 24);
    code_free(c);
}

static void registers_limit_them(void **state)
{
    (void)state;
    struct code *c = one_kernel(sum_of(40), 24);
    uint32_t few = in_flight(c);
    assert_true(few >= 8 && few < 24);
    assert_int_equal(c->spill_b, 0);
    code_free(c);
    c = one_kernel(sum_of(40), 64);
    assert_true(in_flight(c) > few);
    code_free(c);
}

static void not_before_an_exit(void **state)
{
    (void)state;
    struct code *c =
        one_kernel("setp.ge.s32 %p0, %r1, %r0; @%p0 ret;\n"
                   "ld.global.f32 %f1, [%rd0]; ld.global.f32 %f2, [%rd0+4]; add.f32 %f3, %f1, %f2;\n"
                   "st.global.f32 [%rd0+8], %f3;",
                   0);
    uint32_t out = find_op(c, OP_EXIT, 0);
    assert_true(out < c->n && c->insns[out].guard.kind == OPND_PRED);
    assert_true(find_op(c, OP_LDG, 0) > out);
    code_free(c);
}

/* A load that nobody writes to passes a store; one that somebody might does not. */
static void stores(void **state)
{
    (void)state;
    for (int nc = 0; nc < 2; nc++) {
        char body[512];
        snprintf(body, sizeof body,
                 "ld.global.u64 %%rd1, [%%rd0]; ld.global.u32 %%r2, [%%rd0+8]; add.s32 %%r3, %%r2, 1; "
                 "st.global.u32 [%%rd0+16], %%r3;\n"
                 "ld.global%s.u32 %%r4, [%%rd1]; st.global.u32 [%%rd1+4], %%r4;",
                 nc ? ".nc" : "");
        struct code *c = one_kernel(body, 0);
        uint32_t store = find_op(c, OP_STG, 0), loads = 0;
        for (uint32_t k = 0; k < store; k++)
            loads += c->insns[k].op == OP_LDG;
        assert_int_equal(loads, nc ? 3 : 2);
        code_free(c);
    }
}

/* A counter of a loop has one register however early its next value could be made. */
static void no_copies_in_loops(void **state)
{
    (void)state;
    struct code *c = one_kernel(
        "mov.u32 %r2, 0; mov.u64 %rd1, %rd0; mov.f32 %f1, 0f00000000;\n"
        "L: ld.global.f32 %f2, [%rd1]; ld.global.f32 %f3, [%rd1+4096]; add.s32 %r3, %r2, 1;\n"
        "add.s64 %rd2, %rd1, 4; fma.rn.f32 %f1, %f2, %f3, %f1; mov.u32 %r2, %r3; mov.u64 %rd1, %rd2;\n"
        "setp.lt.s32 %p0, %r3, %r0; @%p0 bra L;\nst.global.f32 [%rd0], %f1;",
        0);
    for (uint32_t k = find_op(c, OP_LDG, 0); k < c->n; k++)
        assert_false(c->insns[k].op == OP_MOV && c->insns[k].src[0].kind == OPND_REG);
    code_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_together),     cmocka_unit_test(registers_limit_them),
        cmocka_unit_test(not_before_an_exit), cmocka_unit_test(stores),
        cmocka_unit_test(no_copies_in_loops),
    };
    return cmocka_run_group_tests_name("compile/order", tests, NULL, NULL);
}
