/* SPDX-License-Identifier: Apache-2.0 */
/* setmaxnreg: code may use the most that it names anywhere, a launch starts with what its bounds leave. */
#include "one.h"

enum { LIVE = 190 };

#define HEAD(bounds)                                                                                         \
    ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p)" bounds                \
    " {\n.reg .b64 %rd<2>; .reg .f32 %f<200>;\nld.param.u64 %rd0, [p];\n"

/* `first`, then LIVE values at once: loaded all, then stored all. */
static struct code *many(const char *head, const char *first, uint32_t max_regs)
{
    static char body[16000];
    int n = snprintf(body, sizeof body, "%s", first);
    for (int k = 0; k < LIVE; k++)
        n += snprintf(body + n, sizeof body - (size_t)n, "ld.volatile.f32 %%f%d,[%%rd0+%d];\n", k, 4 * k);
    n += snprintf(body + n, sizeof body - (size_t)n, "bar.sync 0;\n");
    for (int k = 0; k < LIVE; k++)
        n += snprintf(body + n, sizeof body - (size_t)n, "st.volatile.f32 [%%rd0],%%f%d;\n", k);
    return kernel_of(head, body, max_regs);
}

static const char pair[] = "setmaxnreg.dec.sync.aligned.u32 40;\nsetmaxnreg.inc.sync.aligned.u32 240;\n";

static void bounded(void **state)
{
    (void)state;
    struct code *c = many(HEAD(".maxntid 384,1,1"), pair, 0);
    assert_int_equal(c->regs, 168); /* 65536 / 384, in steps of 8 */
    assert_int_equal(c->spill_b, 0);
    assert_in_range(c->regs_later, LIVE, 240);
    assert_int_equal(count_op(c, OP_USETMAXREG), 2);
    uint32_t at = find_op(c, OP_USETMAXREG, 0), next = find_op(c, OP_USETMAXREG, at + 1);
    assert_int_equal(c->insns[at].src[0].val, 40);
    assert_int_equal(c->insns[next].src[0].val, 240);
    code_free(c);
}

/* The same bounds without it: 168 registers and spills. */
static void plain(void **state)
{
    (void)state;
    struct code *c = many(HEAD(".maxntid 384,1,1"), "", 0);
    assert_in_range(c->regs, 100, 168);
    assert_int_equal(c->regs_later, 0);
    assert_true(c->spill_b > 0);
    code_free(c);
}

/* Nobody says how many registers a thread starts with, or the user says it: left out, as by NVIDIA's assembler. */
static void left_out(void **state)
{
    (void)state;
    struct code *c = many(HEAD(""), pair, 0);
    assert_in_range(c->regs, LIVE, 255);
    assert_int_equal(count_op(c, OP_USETMAXREG), 0);
    code_free(c);
    c = many(HEAD(".maxntid 384,1,1"), pair, 64);
    assert_in_range(c->regs, 16, 64);
    assert_int_equal(count_op(c, OP_USETMAXREG), 0);
    code_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounded),
        cmocka_unit_test(plain),
        cmocka_unit_test(left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
