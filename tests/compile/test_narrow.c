/* SPDX-License-Identifier: Apache-2.0 */
/* Global addresses of one register (compile_opts.short_addr): accesses take the low word, what made the upper one is gone, and
 * stays where somebody still wants it. */
#include "one.h"

static struct code *kernel(const char *body, bool short_addr)
{
    return kernel_with(ONE_HEAD, body, &(struct compile_opts){.verify = true, .short_addr = short_addr});
}

/* Words of the address of the kernel's only access of that kind. */
static unsigned words_of(const struct code *c, enum ir_op op)
{
    uint32_t at = find_op(c, op, 0);
    assert_true(at < c->n);
    return c->insns[at].src[0].n;
}

#define ELEMENT "mul.wide.s32 %rd1, %r1, 4; add.s64 %rd2, %rd0, %rd1;\n"

static void loads_and_stores(void **state)
{
    (void)state;
    static const char body[] = ELEMENT "ld.global.f32 %f1, [%rd2+64]; st.global.f32 [%rd2], %f1;";
    struct code *wide = kernel(body, false), *narrow = kernel(body, true);
    assert_int_equal(words_of(wide, OP_LDG), 2);
    assert_int_equal(words_of(narrow, OP_LDG), 1);
    assert_int_equal(words_of(narrow, OP_STG), 1);
    assert_int_equal(count_op(narrow, OP_IMAD_WIDE), 0);
    assert_true(narrow->n <= wide->n);
    code_free(wide);
    code_free(narrow);
}

/* A pointer that walks through memory in a loop: its upper word only feeds itself. */
static void round_a_loop(void **state)
{
    (void)state;
    static const char body[] =
        "mov.u32 %r5, 0;\nL: ld.global.u32 %r6, [%rd0]; add.s32 %r7, %r6, %r5; st.global.u32 "
        "[%rd0+4], %r7;\nadd.s64 %rd0, %rd0, 4096; add.s32 %r5, %r5, 1; setp.lt.s32 %p1, %r5, "
        "%r0; @%p1 bra L;";
    struct code *wide = kernel(body, false), *narrow = kernel(body, true);
    assert_int_equal(words_of(narrow, OP_LDG), 1);
    assert_true(narrow->n < wide->n);
    code_free(wide);
    code_free(narrow);
}

/* Atomics and generic accesses keep both words, and so does what is compared. */
static void where_it_stays(void **state)
{
    (void)state;
    struct code *c = kernel(ELEMENT "atom.global.add.u32 %r5, [%rd2], 1; st.global.u32 [%rd2], %r5;", true);
    assert_int_equal(words_of(c, OP_ATOM), 2);
    assert_int_equal(words_of(c, OP_STG), 1);
    code_free(c);
    c = kernel(ELEMENT "ld.global.u64 %rd3, [%rd0]; setp.lt.u64 %p1, %rd2, %rd3; selp.u32 %r5, 1, 0, %p1; "
                       "st.global.u32 [%rd2], %r5;",
               true);
    assert_int_equal(words_of(c, OP_STG), 1);
    assert_int_equal(count_op(c, OP_ISETP), 2);
    code_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(loads_and_stores), cmocka_unit_test(round_a_loop),
                                       cmocka_unit_test(where_it_stays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
