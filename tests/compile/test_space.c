/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses through generic pointers: to one space where the code shows which, generic where it does not. */
#include "one.h"

#define HEAD                                                                                                 \
    ".version 7.0\n.target sm_80\n.address_size 64\n.shared .align 16 .b8 s[64];\n.global .align 16 .b8 "    \
    "g[64];\n"                                                                                               \
    ".visible .entry k(.param .u64 p, .param .u32 n) {\n.reg .b64 %rd<20>; .reg .b32 %r<20>; .reg .pred "    \
    "%p<4>;\n"                                                                                               \
    ".local .align 8 .b8 l[16];\nld.param.u64 %rd0, [p]; ld.param.u32 %r0, [n]; mov.u32 %r1, %tid.x;\n"

static uint32_t count(const char *body, enum ir_op op)
{
    struct code *c = kernel_of(HEAD, body, 0);
    uint32_t found = count_op(c, op);
    code_free(c);
    return found;
}

#define SHARED_POINTER "cvta.shared.u64 %rd1, s; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n"

static void straight(void **state)
{
    (void)state;
    assert_int_equal(count(SHARED_POINTER "ld.u32 %r2, [%rd3+4]; st.u32 [%rd3], %r2;", OP_LDS), 1);
    assert_int_equal(count(SHARED_POINTER "ld.u32 %r2, [%rd3+4]; st.u32 [%rd3], %r2;", OP_STS), 1);
    assert_int_equal(count("cvta.global.u64 %rd1, g; ld.u32 %r2, [%rd1]; st.global.u32 [%rd0], %r2;", OP_LDG),
                     1);
    assert_int_equal(
        count("cvta.local.u64 %rd1, l; st.u32 [%rd1], %r1; ld.u32 %r2, [%rd1+4]; st.global.u32 [%rd0], %r2;",
              OP_LDL),
        1);
    /* a parameter may point anywhere */
    assert_int_equal(count("ld.u32 %r2, [%rd0]; st.u32 [%rd0+4], %r2;", OP_LD), 1);
}

static void round_a_loop(void **state)
{
    (void)state;
    assert_int_equal(count(SHARED_POINTER "mov.u64 %rd4, %rd3; mov.u32 %r3, 0;\nL: ld.u32 %r2, [%rd4];\n"
                                          "add.s64 %rd4, %rd4, 4; add.s32 %r3, %r3, %r2;\n"
                                          "setp.lt.s32 %p1, %r3, %r0; @%p1 bra L; st.global.u32 [%rd0], %r3;",
                           OP_LDS),
                     1);
    /* the same loop, but on the way round the pointer may become another one */
    assert_int_equal(count(SHARED_POINTER "mov.u64 %rd4, %rd3; mov.u32 %r3, 0;\nL: ld.u32 %r2, [%rd4];\n"
                                          "mov.u64 %rd4, %rd0; add.s32 %r3, %r3, %r2;\n"
                                          "setp.lt.s32 %p1, %r3, %r0; @%p1 bra L; st.global.u32 [%rd0], %r3;",
                           OP_LD),
                     1);
}

static void either(void **state)
{
    (void)state;
#define CHOICE(a, b)                                                                                         \
    SHARED_POINTER "cvta.global.u64 %rd5, g; setp.eq.u32 %p1, %r0, 3; selp.b64 %rd6, " a ", " b ", %p1;\n"
    assert_int_equal(count(CHOICE("%rd1", "%rd3") "ld.u32 %r2, [%rd6]; st.global.u32 [%rd0], %r2;", OP_LDS),
                     1);
    assert_int_equal(count(CHOICE("%rd1", "%rd5") "ld.u32 %r2, [%rd6]; st.global.u32 [%rd0], %r2;", OP_LD),
                     1);
    assert_int_equal(count(CHOICE("%rd1", "%rd0") "ld.u32 %r2, [%rd6]; st.global.u32 [%rd0], %r2;", OP_LD),
                     1);
    /* the distance of two pointers is a number, but whose? */
    assert_int_equal(count(SHARED_POINTER
                           "sub.s64 %rd7, %rd0, %rd1; add.s64 %rd8, %rd1, %rd7; ld.u32 %r2, [%rd8];"
                           "st.global.u32 [%rd0], %r2;",
                           OP_LD),
                     1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight),
        cmocka_unit_test(round_a_loop),
        cmocka_unit_test(either),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
