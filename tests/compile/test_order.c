/* SPDX-License-Identifier: Apache-2.0 */
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

#define HOPPER_HEAD                                                                                          \
    ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 n) {\n"     \
    ".reg .b64 %rd<40>; .reg .b32 %r<60>; .reg .f32 %f<60>; .reg .pred %p<8>;\n"                             \
    "ld.param.u64 %rd0, [p]; ld.param.u32 %r0, [n]; mov.u32 %r1, %tid.x;\n"

/* An order that is made for all warps of an SM leaves room for R1, too. */
static void as_many_as_all_warps_have(void **state)
{
    (void)state;
    struct code *c = kernel_of(HOPPER_HEAD, sum_of(50), 0);
    assert_int_equal(c->regs, 32);
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

/* Two sums over a warp, written one behind the other: with lanes at 16, 8, 4 and with lanes at 2, 1. */
static struct code *two_sums(const char *mask)
{
    char body[1024];
    int n = snprintf(body, sizeof body, "ld.global.u32 %%r2, [%%rd0]; ld.global.u32 %%r4, [%%rd0+4];\n");
    for (unsigned k = 0, lanes = 16; lanes; k++, lanes /= 2)
        n += snprintf(body + n, sizeof body - (size_t)n,
                      "shfl.sync.bfly.b32 %%r%u, %%r%u, %u, 31, %s; add.s32 %%r%u, %%r%u, %%r%u;\n",
                      k < 3 ? 3u : 5u, k < 3 ? 2u : 4u, lanes, mask, k < 3 ? 2u : 4u, k < 3 ? 2u : 4u,
                      k < 3 ? 3u : 5u);
    snprintf(body + n, sizeof body - (size_t)n,
             "st.global.u32 [%%rd0], %%r2; st.global.u32 [%%rd0+4], %%r4;");
    return one_kernel(body, 0);
}

/* The shuffle over so many lanes. */
static uint32_t shuffle_of(const struct code *c, uint32_t lanes)
{
    for (uint32_t k = 0; k < c->n; k++)
        if (c->insns[k].op == OP_SHFL && c->insns[k].src[1].val == lanes)
            return k;
    fail_msg("no shuffle over %u lanes", lanes);
    return 0;
}

/* Shuffles of whole warps wait for what they read; others also for the one before. */
static void shuffles(void **state)
{
    (void)state;
    struct code *c = two_sums("0xffffffff");
    assert_true(shuffle_of(c, 2) < shuffle_of(c, 8));
    assert_true(shuffle_of(c, 1) < shuffle_of(c, 4));
    code_free(c);
    c = two_sums("%r1");
    for (uint32_t lanes = 16; lanes > 1; lanes /= 2)
        assert_true(shuffle_of(c, lanes) < shuffle_of(c, lanes / 2));
    code_free(c);
}

/* Bodies that pull at one: each is four words of shared memory, and what is made of them is added to the same sums. Most are read
 * before the body in front of them is done, also where orders need more words than they were made for. */
static void bodies(void **state)
{
    (void)state;
    enum { BODIES = 16, OF_ONE = 12 };
    static char body[16384];
    int n = snprintf(
        body, sizeof body,
        ".shared .align 16 .b8 tile[4096]; .reg .f32 %%g<%u>;\n"
        "ld.global.v4.f32 {%%f0, %%f1, %%f2, %%f6}, [%%rd0]; mov.u32 %%r2, tile; shl.b32 %%r3, %%r1, 4;\n"
        "add.u32 %%r2, %%r2, %%r3; mov.f32 %%f3, 0f00000000; mov.f32 %%f4, 0f00000000; mov.f32 %%f5, "
        "0f00000000; mov.u32 %%r4, 0;\nL:\n",
        BODIES * OF_ONE);
    for (unsigned k = 0; k < BODIES; k++) {
        unsigned g = k * OF_ONE;
        n += snprintf(body + n, sizeof body - (size_t)n,
                      "ld.shared.v4.f32 {%%g%u, %%g%u, %%g%u, %%g%u}, [%%r2+%u];\n"
                      "sub.f32 %%g%u, %%g%u, %%f0; sub.f32 %%g%u, %%g%u, %%f1; sub.f32 %%g%u, %%g%u, %%f2;\n"
                      "mul.f32 %%g%u, %%g%u, %%g%u; fma.rn.f32 %%g%u, %%g%u, %%g%u, %%g%u;\n"
                      "rsqrt.approx.f32 %%g%u, %%g%u; mul.f32 %%g%u, %%g%u, %%g%u;\n",
                      g, g + 1, g + 2, g + 3, 16 * k, g + 4, g, g + 5, g + 1, g + 6, g + 2, g + 7, g + 4,
                      g + 4, g + 8, g + 5, g + 6, g + 7, g + 9, g + 8, g + 10, g + 9, g + 3);
        for (unsigned x = 0; x < 3; x++)
            n += snprintf(body + n, sizeof body - (size_t)n, "fma.rn.f32 %%f%u, %%g%u, %%g%u, %%f%u;\n",
                          3 + x, g + 4 + x, g + 10, 3 + x);
    }
    snprintf(body + n, sizeof body - (size_t)n,
             "add.s32 %%r4, %%r4, 1; setp.lt.s32 %%p0, %%r4, %%r0; @%%p0 bra L;\n"
             "st.global.v4.f32 [%%rd0], {%%f3, %%f4, %%f5, %%f6};");
    struct code *c = one_kernel(body, 0);
    uint32_t at_once = 0;
    for (uint32_t k = 0; k + 1 < c->n; k++)
        if (c->insns[k].op == OP_LDS)
            for (unsigned o = 0; o < 3; o++) {
                const struct ir_opnd *s = &c->insns[k + 1].src[o], *d = &c->insns[k].dst[0];
                at_once += s->kind == OPND_REG && s->val >= d->val && s->val < d->val + d->n;
            }
    assert_true(count_op(c, OP_LDS) >= BODIES);
    assert_true(at_once <= BODIES / 2);
    code_free(c);
}

/* Products of two fragments each, in two halves: those of the second are read while the tensor core has the first's. */
static void fragments(void **state)
{
    (void)state;
    char body[8192];
    int n = 0;
    for (unsigned f = 0; f < 32; f++)
        n += snprintf(body + n, sizeof body - (size_t)n, "ld.global.f32 %%f%u, [%%rd0+%u];\n", f, 4 * f);
    for (unsigned half = 0; half < 2; half++) {
        unsigned r = 10 + half * 6;
        n += snprintf(body + n, sizeof body - (size_t)n,
                      "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%%r%u,%%r%u,%%r%u,%%r%u}, [%%r1+%u];\n"
                      "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%%r%u,%%r%u}, [%%r1+%u];\n",
                      r, r + 1, r + 2, r + 3, half * 1024, r + 4, r + 5, half * 1024 + 512);
        for (unsigned f = 0; f < 32; f += 4)
            n += snprintf(body + n, sizeof body - (size_t)n,
                          "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%%f%u,%%f%u,%%f%u,%%f%u}, "
                          "{%%r%u,%%r%u,%%r%u,%%r%u}, {%%r%u,%%r%u}, {%%f%u,%%f%u,%%f%u,%%f%u};\n",
                          f, f + 1, f + 2, f + 3, r, r + 1, r + 2, r + 3, r + 4, r + 5, f, f + 1, f + 2,
                          f + 3);
    }
    for (unsigned f = 0; f < 32; f++)
        n += snprintf(body + n, sizeof body - (size_t)n, "st.global.f32 [%%rd0+%u], %%f%u;\n", 4 * f, f);
    struct code *c = one_kernel(body, 0);
    uint32_t loads = 0, products = 0;
    for (uint32_t k = 0; k < c->n && loads < 4; k++) {
        loads += c->insns[k].op == OP_LDSM;
        products += c->insns[k].op == OP_HMMA;
    }
    assert_int_equal(loads, 4);
    assert_true(products < 6);
    code_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_together),
        cmocka_unit_test(registers_limit_them),
        cmocka_unit_test(as_many_as_all_warps_have),
        cmocka_unit_test(not_before_an_exit),
        cmocka_unit_test(stores),
        cmocka_unit_test(no_copies_in_loops),
        cmocka_unit_test(shuffles),
        cmocka_unit_test(bodies),
        cmocka_unit_test(fragments),
    };
    return cmocka_run_group_tests_name("compile/order", tests, NULL, NULL);
}
