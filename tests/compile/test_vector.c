/* SPDX-License-Identifier: Apache-2.0 */
/* What a loop's round saves: neighbours in shared memory that travel together, sizes that stay in a register, a branch back that
 * needs no second one, bits that are tested where they are made, lanes that meet before the next round. */
#include "one.h"

#define SHARED ".shared .align 16 .b8 tile[4096];\n"
#define ROW "shl.b32 %r2, %r1, 6; mov.u32 %r3, tile; add.s32 %r4, %r3, %r2;\n" /* 64 bytes a thread */

static struct code *shared_kernel(const char *body)
{
    static char head[4096];
    snprintf(head, sizeof head, "%s%s", ONE_HEAD, SHARED);
    return kernel_of(head, body, 0);
}

/* Accesses of an operation that move that many words. */
static uint32_t count_wide(const char *body, enum ir_op op, unsigned words)
{
    struct code *c = shared_kernel(body);
    uint32_t n = 0;
    for (uint32_t k = 0; k < c->n; k++) {
        const struct ir_insn *i = &c->insns[k];
        n += i->op == op && (op == OP_LDS ? i->dst[0].n : i->src[1].n) == words;
    }
    code_free(c);
    return n;
}

#define LOAD4                                                                                                \
    "ld.shared.f32 %f1, [%r4]; ld.shared.f32 %f3, [%r4+8]; ld.shared.f32 %f2, [%r4+4]; ld.shared.f32 %f4, "  \
    "[%r4+12];\n"
#define SUM "add.f32 %f5, %f1, %f2; add.f32 %f6, %f3, %f4; add.f32 %f7, %f5, %f6; st.global.f32 [%rd0], %f7;"

static void loads(void **state)
{
    (void)state;
    assert_int_equal(count_wide(ROW LOAD4 SUM, OP_LDS, 4), 1);
    assert_int_equal(count_wide(ROW LOAD4 SUM, OP_LDS, 1), 0);
    /* Eight bytes a thread: pairs. Four: each by itself. */
    assert_int_equal(
        count_wide("shl.b32 %r2, %r1, 3; mov.u32 %r3, tile; add.s32 %r4, %r3, %r2;\n" LOAD4 SUM, OP_LDS, 2),
        2);
    assert_int_equal(
        count_wide("shl.b32 %r2, %r1, 2; mov.u32 %r3, tile; add.s32 %r4, %r3, %r2;\n" LOAD4 SUM, OP_LDS, 1),
        4);
    /* Words 1 and 2 lie in different pairs. */
    assert_int_equal(
        count_wide(ROW "ld.shared.f32 %f1, [%r4+4]; ld.shared.f32 %f2, [%r4+8]; add.f32 %f7, %f1, %f2; "
                       "st.global.f32 [%rd0], %f7;",
                   OP_LDS, 1),
        2);
}

static void not_over_what_writes(void **state)
{
    (void)state;
    const char *const between[] = {"st.shared.u32 [%r3], %r1;", "bar.sync 0;", "st.u32 [%rd0], %r1;",
                                   "add.s32 %r4, %r4, 16;", "atom.shared.add.u32 %r9, [%r3], 1;"};
    for (unsigned k = 0; k < sizeof between / sizeof *between; k++) {
        char body[1024];
        snprintf(body, sizeof body, "%s ld.shared.f32 %%f1, [%%r4];\n%s\nld.shared.f32 %%f2, [%%r4+4];\n%s",
                 ROW, between[k], "add.f32 %f7, %f1, %f2; st.global.f32 [%rd0], %f7;");
        assert_int_equal(count_wide(body, OP_LDS, 1), 2);
    }
    /* Volatile ones are as many as are written. */
    assert_int_equal(
        count_wide(ROW "ld.volatile.shared.f32 %f1, [%r4]; ld.volatile.shared.f32 %f2, [%r4+4]; add.f32 "
                       "%f7, %f1, %f2; st.global.f32 [%rd0], %f7;",
                   OP_LDS, 1),
        2);
}

static void stores(void **state)
{
    (void)state;
    const char *const head =
        ROW "ld.global.f32 %f1, [%rd0]; ld.global.f32 %f2, [%rd0+4]; ld.global.f32 %f3, [%rd0+8]; "
            "ld.global.f32 %f4, [%rd0+12];\n";
    char body[2048];
    snprintf(body, sizeof body, "%s%s", head,
             "st.shared.f32 [%r4], %f1; st.shared.f32 [%r4+4], %f2; st.shared.f32 [%r4+8], %f3; "
             "st.shared.f32 [%r4+12], %f4;");
    assert_int_equal(count_wide(body, OP_STS, 4), 1);
    /* A load in between sees the first one. */
    snprintf(body, sizeof body, "%s%s", head,
             "st.shared.f32 [%r4], %f1; ld.shared.f32 %f5, [%r3]; st.shared.f32 [%r4+4], %f2; st.global.f32 "
             "[%rd0], %f5;");
    assert_int_equal(count_wide(body, OP_STS, 1), 2);
}

#define LOOP                                                                                                 \
    "mov.u32 %r2, 0; mov.f32 %f1, 0f00000000;\n"                                                             \
    "L: mul.wide.s32 %rd1, %r2, 4; add.s64 %rd2, %rd0, %rd1; ld.global.f32 %f2, [%rd2]; add.f32 %f1, %f1, "  \
    "%f2;\n"                                                                                                 \
    "add.s32 %r2, %r2, %r1; setp.lt.s32 %p0, %r2, %r0;\n"                                                    \
    "st.global.f32 [%rd2+8], %f1; @%p0 bra L;\n"

static void sizes_before_loops(void **state)
{
    (void)state;
    struct code *c = one_kernel(LOOP, 0);
    uint32_t load = find_op(c, OP_LDG, 0), back = find_op(c, OP_BRA, 0);
    assert_true(load < back && back < c->n);
    for (uint32_t k = c->insns[back].target; k < back; k++)
        assert_int_not_equal(c->insns[k].op, OP_MOV);
    code_free(c);
}

static void loops_end_in_one_branch(void **state)
{
    (void)state;
    struct code *c = one_kernel(LOOP, 0);
    uint32_t back = find_op(c, OP_BRA, 0);
    assert_int_equal(c->insns[back].guard.kind, OPND_PRED);
    assert_int_equal(count_op(c, OP_EXIT), 1);
    assert_int_equal(c->insns[back + 1].op, OP_EXIT);
    code_free(c);
}

/* (x & 4) == 0: the logic itself tells, and its readers turn round. */
static void tests_of_bits(void **state)
{
    (void)state;
    struct code *c =
        one_kernel("and.b32 %r2, %r1, 4; setp.eq.s32 %p0, %r2, 0; @%p0 st.global.u32 [%rd0], %r1;", 0);
    assert_int_equal(count_op(c, OP_ISETP), 0);
    const struct ir_insn *l = &c->insns[find_op(c, OP_LOP3, 0)], *st = &c->insns[find_op(c, OP_STG, 0)];
    assert_int_equal(l->dst[1].kind, OPND_PRED);
    assert_int_equal(st->guard.val, l->dst[1].val);
    assert_true(st->guard.neg);
    code_free(c);
    /* The value is wanted as well. */
    assert_int_equal(
        count_in("and.b32 %r2, %r1, 4; setp.eq.s32 %p0, %r2, 0; @%p0 st.global.u32 [%rd0], %r2;", OP_ISETP),
        1);
}

/* if (a) { if (b) break; ... } in a loop: those that stay meet inside it. */
static void meets_inside_loops(void **state)
{
    (void)state;
    const char *body = "mov.u32 %r2, %r1;\n"
                       "L: ld.global.u32 %r3, [%rd0]; setp.lt.s32 %p0, %r3, %r1; @%p0 bra M;\n"
                       "ld.global.u32 %r4, [%rd0+4]; setp.eq.s32 %p1, %r4, %r1; @%p1 bra OUT;\n"
                       "atom.global.add.u32 %r5, [%rd0+8], %r4; add.s32 %r2, %r2, %r5;\n"
                       "M: add.s32 %r2, %r2, 1; setp.lt.s32 %p2, %r2, %r0; @%p2 bra L;\n"
                       "OUT: st.global.u32 [%rd0+12], %r2;";
    struct code *c = one_kernel(body, 0);
    assert_int_equal(count_op(c, OP_BSYNC), 2);
    assert_int_equal(count_op(c, OP_BREAK), 1);
    uint32_t leave = find_op(c, OP_BREAK, 0), bar = c->insns[leave].src[0].val;
    assert_int_equal(c->insns[leave].guard.kind, OPND_PRED);
    uint32_t meet = find_op(c, OP_BSYNC, leave), back = find_op(c, OP_BSYNC, meet + 1);
    assert_int_equal(c->insns[meet].src[0].val, bar); /* inside */
    assert_true(back < c->n && c->insns[back].src[0].val != bar);
    code_free(c);
    /* Without a way out there is nothing to leave. */
    assert_int_equal(
        count_in("mov.u32 %r2, %r1;\n"
                 "L: ld.global.u32 %r3, [%rd0]; setp.lt.s32 %p0, %r3, %r1; @%p0 bra M;\n"
                 "atom.global.add.u32 %r5, [%rd0+8], %r3; add.s32 %r2, %r2, %r5; bar.warp.sync -1;\n"
                 "M: add.s32 %r2, %r2, 1; setp.lt.s32 %p2, %r2, %r0; @%p2 bra L;\n"
                 "st.global.u32 [%rd0+12], %r2;",
                 OP_BREAK),
        0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads),
        cmocka_unit_test(not_over_what_writes),
        cmocka_unit_test(stores),
        cmocka_unit_test(sizes_before_loops),
        cmocka_unit_test(loops_end_in_one_branch),
        cmocka_unit_test(tests_of_bits),
        cmocka_unit_test(meets_inside_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
