/* SPDX-License-Identifier: Apache-2.0 */
/* Divergence: branches, loops of different lengths, reconvergence, progress of lanes that wait for each other, calls. */
#include "rig.h"

#include <string.h>

/* if (lane & 1) x = 10 + lane; else x = 20 + lane; then everyone counts who is there. */
static void both_sides_and_back(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r, 128);
    rig_s2r(&r, 2, SR_LANEID);
    ADD(&r, .op = OP_LOP3, .type = T_B32, .lut = 0xc0, .dst = {R(3)}, .src = {R(2), I(1), I(0)}); /* and */
    rig_isetp(&r, 0, CMP_NE, R(3), I(0));
    rig_bssy(&r, 0);
    uint32_t odd = rig_bra(&r, P(0), 0);
    rig_iadd(&r, 4, R(2), I(20));
    uint32_t join = rig_bra(&r, ir_none(), 0);
    rig_land(&r, odd);
    rig_iadd(&r, 4, R(2), I(10));
    rig_land(&r, join);
    rig_bsync(&r, 0);
    ADD(&r, .op = OP_VOTE, .sub = VOTE_ACTIVE, .dst = {R(5)});
    rig_s2r(&r, 6, SR_TID_X);
    rig_addr(&r, 8, 0, R(6), 4);
    rig_stg(&r, 8, R(4));
    ADD(&r, .op = OP_STG, .type = T_B32, .vec = 1, .off = 256, .src = {RR(8), R(5)});
    rig_exit(&r);
    rig_ok(&r, 1, 64);
    for (uint32_t t = 0; t < 64; t++) {
        assert_int_equal(rig_out(&r)[t], t % 32 + (t & 1 ? 10 : 20));
        assert_int_equal(rig_out(&r)[64 + t], ~0u);
    }
    rig_close(&r);
}

/* Each lane loops lane + 1 times; the sum of 0..lane. */
static void loops_of_different_length(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r, 96);
    rig_s2r(&r, 2, SR_LANEID);
    rig_mov(&r, 3, I(0));
    rig_mov(&r, 4, I(0));
    rig_bssy(&r, 1);
    uint32_t top = rig_here(&r);
    rig_iadd(&r, 4, R(4), R(3));
    rig_iadd(&r, 3, R(3), I(1));
    rig_isetp(&r, 0, CMP_LE, R(3), R(2));
    rig_bra(&r, P(0), top);
    rig_bsync(&r, 1);
    ADD(&r, .op = OP_VOTE, .sub = VOTE_ACTIVE, .dst = {R(5)});
    ADD(&r, .op = OP_POPC, .type = T_U32, .dst = {R(5)}, .src = {R(5)});
    ADD(&r, .op = OP_IMAD, .type = T_U32, .dst = {R(4)}, .src = {R(5), I(1000), R(4)});
    rig_result(&r, R(4));
    rig_ok(&r, 1, 70); /* the last warp has 6 lanes */
    for (uint32_t t = 0; t < 70; t++) {
        uint32_t l = t % 32, there = t < 64 ? 32 : 6;
        assert_int_equal(rig_out(&r)[t], l * (l + 1) / 2 + 1000 * there);
    }
    rig_close(&r);
}

/* Lanes that exit inside a branch complete the reconvergence of the others. */
static void exit_completes_bsync(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r, 32);
    rig_s2r(&r, 2, SR_LANEID);
    rig_isetp(&r, 0, CMP_GE, R(2), I(8));
    rig_isetp(&r, 1, CMP_GE, R(2), I(20));
    rig_bssy(&r, 0);
    uint32_t skip = rig_bra(&r, P(0), 0);
    ADD(&r, .op = OP_NOP);
    rig_land(&r, skip);
    ADD(&r, .op = OP_EXIT, .guard = P(1));
    rig_bsync(&r, 0);
    ADD(&r, .op = OP_VOTE, .sub = VOTE_ACTIVE, .dst = {R(5)});
    rig_result(&r, R(5));
    rig_ok(&r, 1, 32);
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(rig_out(&r)[t], t < 20 ? 0xfffff : 0);
    rig_close(&r);
}

/* Every lane takes one lock, adds to an unprotected counter, releases it: while (atomicCAS(lock, 0, 1)); */
static void build_lock(struct rig *r, bool early)
{
    rig_addr(r, 2, 0, I(0), 4); /* lock at out[0], counter at out[1] */
    rig_mov(r, 8, I(0));
    rig_mov(r, 9, I(1));
    rig_bssy(r, 0);
    uint32_t top = rig_here(r);
    ADD(r, .op = OP_ATOM, .type = T_B32, .vec = 1, .aop = AOP_CAS, .space = SPACE_GLOBAL, .dst = {R(4)},
        .src = {RR(2), R(8), R(9)});
    rig_isetp(r, 0, CMP_NE, R(4), I(0));
    rig_bra(r, P(0), top);
    if (early)
        rig_bsync(r, 0);
    ADD(r, .op = OP_LDG, .type = T_U32, .vec = 1, .off = 4, .dst = {R(5)}, .src = {RR(2)});
    rig_iadd(r, 5, R(5), I(1));
    ADD(r, .op = OP_STG, .type = T_U32, .vec = 1, .off = 4, .src = {RR(2), R(5)});
    ADD(r, .op = OP_ATOM, .type = T_B32, .vec = 1, .aop = AOP_EXCH, .space = SPACE_GLOBAL,
        .src = {RR(2), R(8)});
    if (!early)
        rig_bsync(r, 0);
    rig_exit(r);
}

/* early: the owner would wait at the reconvergence point for lanes that wait for it. The work per thread must not grow
 * with the grid: a CTA that can go on by itself does not give way. */
static void spin_lock_between_lanes(void **state)
{
    (void)state;
    for (int early = 0; early < 2; early++) {
        for (uint32_t ctas = 1; ctas <= 64; ctas *= 8) {
            struct rig r;
            rig_open(&r, 2);
            build_lock(&r, early);
            rig_ok(&r, ctas, 256);
            assert_int_equal(rig_out(&r)[0], 0);
            assert_int_equal(rig_out(&r)[1], ctas * 256);
            assert_true(r.counts.warp_insts < ctas * 256 * 250);
            rig_close(&r);
        }
    }
}

/* A wait that reads a clock: it gives way like any other, and is no deadlock while its clock runs. */
static void wait_with_a_clock(void **state)
{
    (void)state;
    for (int set = 0; set < 2; set++) {
        struct rig r;
        rig_open(&r, 2);
        rig_addr(&r, 2, 0, I(0), 4);
        rig_s2r(&r, 4, SR_CTAID_X);
        rig_isetp(&r, 0, CMP_EQ, R(4), I(set));
        ADD(&r, .op = OP_STG, .type = T_U32, .vec = 1, .guard = P(0), .off = set ? 0 : 4,
            .src = {RR(2), I(1)});
        uint32_t top = rig_here(&r);
        ADD(&r, .op = OP_LDG, .type = T_U32, .vec = 1, .order = ORD_RELAXED, .dst = {R(5)}, .src = {RR(2)});
        rig_s2r(&r, 6, SR_CLOCK);
        rig_isetp(&r, 1, CMP_EQ, R(5), I(0));
        ADD(&r, .op = OP_ISETP, .type = T_U32, .cmp = CMP_LT, .bop = BOP_AND, .dst = {P(1)},
            .src = {R(6), I(22000000), P(1)});
        rig_bra(&r, P(1), top);
        rig_exit(&r);
        rig_ok(&r, set ? 2 : 1, 32);
        if (set)
            assert_true(r.counts.warp_insts < 10000);
        rig_close(&r);
    }
}

/* Lane 0 waits with plain loads, without a poll, for a flag that the others set only after the reconvergence point. */
static void waiting_before_reconvergence(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        struct rig r;
        rig_open(&r, 4);
        rig_addr(&r, 2, 0, I(0), 4);
        rig_s2r(&r, 4, SR_LANEID);
        rig_isetp(&r, 0, CMP_EQ, R(4), I(0));
        rig_mov(&r, 9, I(7));
        rig_bssy(&r, 0);
        uint32_t skip = rig_bra(&r, NP(0), 0);
        uint32_t top = rig_here(&r);
        ADD(&r, .op = OP_LDG, .type = T_U32, .vec = 1, .order = kind ? ORD_VOLATILE : ORD_RELAXED,
            .dst = {R(5)}, .src = {RR(2)});
        rig_isetp(&r, 1, CMP_EQ, R(5), I(0));
        rig_bra(&r, P(1), top);
        rig_land(&r, skip);
        rig_bsync(&r, 0);
        rig_stg(&r, 2, R(9));
        rig_exit(&r);
        rig_ok(&r, 1, 32);
        assert_int_equal(rig_out(&r)[0], 7);
        rig_close(&r);
    }
}

static void branch_table(void **state)
{
    (void)state;
    struct rig r;
    uint32_t table[3];
    rig_open(&r, 32);
    rig_s2r(&r, 2, SR_LANEID);
    ADD(&r, .op = OP_LOP3, .type = T_B32, .lut = 0xc0, .dst = {R(3)}, .src = {R(2), I(3), I(0)});
    rig_isetp(&r, 0, CMP_LT, R(3), I(3));
    rig_mov(&r, 4, I(99));
    rig_bssy(&r, 0);
    ADD(&r, .op = OP_BRX, .guard = P(0), .target = 0, .off = 3, .src = {R(3)});
    uint32_t none = rig_bra(&r, ir_none(), 0), out[3];
    for (uint32_t k = 0; k < 3; k++) {
        table[k] = rig_here(&r);
        rig_mov(&r, 4, I(100 + k));
        out[k] = rig_bra(&r, ir_none(), 0);
    }
    rig_land(&r, none);
    for (uint32_t k = 0; k < 3; k++)
        rig_land(&r, out[k]);
    rig_bsync(&r, 0);
    ADD(&r, .op = OP_VOTE, .sub = VOTE_ACTIVE, .dst = {R(5)});
    rig_isetp(&r, 1, CMP_EQ, R(5), I(~0u));
    ADD(&r, .op = OP_SEL, .type = T_B32, .dst = {R(4)}, .src = {R(4), I(0), P(1)});
    rig_result(&r, R(4));
    r.code.brx = table;
    r.code.nbrx = 3;
    rig_ok(&r, 1, 32);
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(rig_out(&r)[t], t % 4 == 3 ? 99 : 100 + t % 4);
    /* An index outside the table. */
    r.v.at[2].src[1].val = 4;
    rig_fails(&r, 1, 32, EXEC_BAD_CODE, "lane 3, test.ptx:6: indirect branch: index 3 into a table of 3");
    rig_close(&r);
}

/* f(x) = x + 1, g(x) = x + 2; odd lanes call g through its address, all call f directly; then one returns to nowhere. */
static void calls(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r, 64);
    r.code.nfuncs = 3;
    rig_s2r(&r, 2, SR_LANEID);
    rig_mov(&r, 10, R(2));
    ADD(&r, .op = OP_CALL, .src = {I(7)});
    ADD(&r, .op = OP_LOP3, .type = T_B32, .lut = 0xc0, .dst = {R(3)}, .src = {R(2), I(1), I(0)});
    ADD(&r, .op = OP_IMAD, .type = T_U32, .dst = {R(4)},
        .src = {R(3), I(16), I((uint32_t)FUNC_ADDR0 + 7 * 16)});
    rig_mov(&r, 5, I(FUNC_ADDR0 >> 32));
    rig_bssy(&r, 0);
    ADD(&r, .op = OP_CALL, .src = {RR(4)});
    rig_bsync(&r, 0);
    ADD(&r, .op = OP_VOTE, .sub = VOTE_ACTIVE, .dst = {R(5)});
    rig_isetp(&r, 1, CMP_EQ, R(5), I(~0u));
    ADD(&r, .op = OP_SEL, .type = T_B32, .dst = {R(10)}, .src = {R(10), I(0), P(1)});
    rig_result(&r, R(10));
    r.func[1] = (struct code_func){.name = "f", .id = 7, .entry = rig_here(&r)};
    rig_iadd(&r, 10, R(10), I(1));
    ADD(&r, .op = OP_RET, .src = {R(0)});
    r.func[2] = (struct code_func){.name = "g", .id = 8, .entry = rig_here(&r)};
    rig_iadd(&r, 10, R(10), I(2));
    ADD(&r, .op = OP_RET, .src = {R(0)});
    rig_ok(&r, 1, 64);
    for (uint32_t t = 0; t < 64; t++)
        assert_int_equal(rig_out(&r)[t], t % 32 + 1 + (t & 1 ? 2 : 1));
    r.v.at[5].src[0].val = 0; /* high word of the address */
    rig_fails(&r, 1, 64, EXEC_BAD_CODE, "which is no function");
    r.v.at[5].src[0].val = FUNC_ADDR0 >> 32;
    r.v.at[r.v.n - 1].src[0] = I(5000);
    rig_fails(&r, 1, 64, EXEC_BAD_CODE, "return to instruction 5000 of");
    rig_close(&r);
}

static void end_of_code(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r, 1);
    rig_mov(&r, 2, I(1));
    rig_fails(&r, 1, 32, EXEC_BAD_CODE, "ran past the end");
    rig_close(&r);
}

/* Counts: an instruction is one warp instruction also where its guard holds for nobody. */
static void counts(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r, 1);
    rig_s2r(&r, 2, SR_LANEID);
    rig_isetp(&r, 0, CMP_LT, R(2), I(5));
    ADD(&r, .op = OP_MOV, .type = T_B32, .guard = P(0), .dst = {R(3)}, .src = {I(1)});
    ADD(&r, .op = OP_MOV, .type = T_B32, .guard = NP(PRED_PT), .dst = {R(3)}, .src = {I(1)});
    rig_exit(&r);
    rig_ok(&r, 2, 40);
    assert_int_equal(r.counts.ctas, 2);
    assert_int_equal(r.counts.warp_insts, 2 * 2 * 5);
    assert_int_equal(r.counts.thread_insts, 2 * (3 * 40 + 10));
    rig_close(&r);
}

static void limit(void **state)
{
    (void)state;
    struct rig r;
    rig_open_cfg(&r, 1, (struct exec_cfg){.max_warp_insts = 1000});
    rig_mov(&r, 2, I(1));
    rig_bra(&r, ir_none(), 0);
    rig_fails(&r, 4, 64, EXEC_LIMIT,
              "kernel 'test', CTA (0,0,0), warp 0, test.ptx:1: stopped after 1000 warp instructions");
    assert_int_equal(r.counts.warp_insts, 1000);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_sides_and_back),
        cmocka_unit_test(loops_of_different_length),
        cmocka_unit_test(exit_completes_bsync),
        cmocka_unit_test(spin_lock_between_lanes),
        cmocka_unit_test(waiting_before_reconvergence),
        cmocka_unit_test(wait_with_a_clock),
        cmocka_unit_test(branch_table),
        cmocka_unit_test(calls),
        cmocka_unit_test(end_of_code),
        cmocka_unit_test(counts),
        cmocka_unit_test(limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
