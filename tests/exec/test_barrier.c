/* SPDX-License-Identifier: Apache-2.0 */
/* CTA barriers and mbarriers: who waits, who is counted, what is delivered, and what can never end. */
#include "rig.h"

#include <string.h>

#define BAR(r, sub_, id, ...) ADD(r, .op = OP_BAR, .type = T_U32, .sub = (sub_), .src = {(id), __VA_ARGS__})

/* Each thread writes shared[t], waits, reads shared[n - 1 - t]. */
static void sync_all(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 1024; n = n < 64 ? n + 21 : n * 2) {
        struct rig r;
        rig_open(&r, 1024);
        r.code.shared_b = 4096;
        rig_s2r(&r, 2, SR_TID_X);
        ADD(&r, .op = OP_SHL, .type = T_U32, .dst = {R(3)}, .src = {R(2), I(2)});
        ADD(&r, .op = OP_STS, .type = T_B32, .vec = 1, .src = {R(3), R(2)});
        BAR(&r, BAR_SYNC, I(0), ir_none());
        rig_mov(&r, 4, I(4 * (n - 1)));
        struct ir_opnd minus = R(3);
        minus.neg = 1;
        ADD(&r, .op = OP_IADD3, .type = T_U32, .dst = {R(4)}, .src = {R(4), minus, I(0)});
        ADD(&r, .op = OP_LDS, .type = T_B32, .vec = 1, .dst = {R(5)}, .src = {R(4)});
        rig_result(&r, R(5));
        rig_ok(&r, 1, n);
        for (uint32_t t = 0; t < n; t++)
            assert_int_equal(rig_out(&r)[t], n - 1 - t);
        rig_close(&r);
    }
}

/* Half of a warp arrives from one branch, half from another; both forms of the same barrier. */
static void divergent_arrivals(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r, 64);
    rig_s2r(&r, 2, SR_LANEID);
    rig_isetp(&r, 0, CMP_LT, R(2), I(11));
    rig_bssy(&r, 0);
    uint32_t other = rig_bra(&r, P(0), 0);
    BAR(&r, BAR_SYNC, I(3), ir_none());
    uint32_t join = rig_bra(&r, ir_none(), 0);
    rig_land(&r, other);
    BAR(&r, BAR_SYNC, I(3), I(64));
    rig_land(&r, join);
    rig_bsync(&r, 0);
    ADD(&r, .op = OP_VOTE, .sub = VOTE_ACTIVE, .dst = {R(5)});
    rig_result(&r, R(5));
    rig_ok(&r, 1, 64);
    for (uint32_t t = 0; t < 64; t++)
        assert_int_equal(rig_out(&r)[t], ~0u);
    rig_close(&r);
}

/* Threads that have exited are not waited for. */
static void exited_threads(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r, 128);
    rig_s2r(&r, 2, SR_TID_X);
    rig_isetp(&r, 0, CMP_GE, R(2), I(40));
    ADD(&r, .op = OP_EXIT, .guard = P(0));
    BAR(&r, BAR_SYNC, I(0), ir_none());
    rig_result(&r, I(5));
    rig_ok(&r, 1, 128);
    for (uint32_t t = 0; t < 128; t++)
        assert_int_equal(rig_out(&r)[t], t < 40 ? 5 : 0);
    /* And with the last ones leaving only after the others wait. */
    vec_clear(&r.v);
    rig_s2r(&r, 2, SR_TID_X);
    rig_isetp(&r, 0, CMP_LT, R(2), I(96));
    rig_bssy(&r, 0);
    uint32_t go = rig_bra(&r, P(0), 0);
    rig_exit(&r);
    rig_land(&r, go);
    BAR(&r, BAR_SYNC, I(0), ir_none());
    rig_result(&r, I(6));
    rig_ok(&r, 1, 128);
    assert_int_equal(rig_out(&r)[95], 6);
    rig_close(&r);
}

/* Warp 0 produces and only arrives; warp 1 waits for both. Warps 2 and 3 never see barrier 5. */
static void arrive_and_count(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r, 128);
    r.code.shared_b = 64;
    rig_s2r(&r, 2, SR_WARPID);
    rig_isetp(&r, 0, CMP_EQ, R(2), I(1));
    rig_isetp(&r, 1, CMP_EQ, R(2), I(0));
    rig_mov(&r, 4, I(0));
    ADD(&r, .op = OP_BAR, .sub = BAR_SYNC, .guard = P(0), .src = {I(5), I(64)});
    ADD(&r, .op = OP_STS, .type = T_B32, .vec = 1, .guard = P(1), .src = {R(4), I(77)});
    ADD(&r, .op = OP_BAR, .sub = BAR_ARRIVE, .guard = P(1), .src = {I(5), I(64)});
    ADD(&r, .op = OP_LDS, .type = T_B32, .vec = 1, .guard = P(0), .dst = {R(4)}, .src = {ir_none()});
    rig_result(&r, R(4));
    rig_ok(&r, 1, 128);
    for (uint32_t t = 0; t < 128; t++)
        assert_int_equal(rig_out(&r)[t], t / 32 == 1 ? 77 : 0);
    rig_close(&r);
}

static void reductions(void **state)
{
    (void)state;
    for (uint32_t limit = 0; limit <= 100; limit += 50) {
        struct rig r;
        rig_open(&r, 100);
        rig_s2r(&r, 2, SR_TID_X);
        rig_isetp(&r, 0, CMP_LT, R(2), I(limit));
        ADD(&r, .op = OP_BAR, .sub = BAR_RED_POPC, .dst = {R(4)}, .src = {I(0), ir_none(), P(0)});
        ADD(&r, .op = OP_BAR, .sub = BAR_RED_AND, .dst = {ir_none(), P(1)}, .src = {I(1), ir_none(), P(0)});
        ADD(&r, .op = OP_BAR, .sub = BAR_RED_OR, .dst = {ir_none(), P(2)}, .src = {I(1), ir_none(), P(0)});
        ADD(&r, .op = OP_SEL, .type = T_B32, .dst = {R(5)}, .src = {I(1000), I(0), P(1)});
        ADD(&r, .op = OP_SEL, .type = T_B32, .dst = {R(6)}, .src = {I(10000), I(0), P(2)});
        ADD(&r, .op = OP_IADD3, .type = T_U32, .dst = {R(4)}, .src = {R(4), R(5), R(6)});
        rig_result(&r, R(4));
        rig_ok(&r, 1, 100);
        for (uint32_t t = 0; t < 100; t++)
            assert_int_equal(rig_out(&r)[t], limit + (limit == 100 ? 1000 : 0) + (limit ? 10000 : 0));
        rig_close(&r);
    }
}

static void deadlocks(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r, 4);
    rig_s2r(&r, 2, SR_WARPID);
    rig_isetp(&r, 0, CMP_EQ, R(2), I(0));
    ADD(&r, .op = OP_BAR, .sub = BAR_SYNC, .guard = P(0), .src = {I(4), I(64)});
    BAR(&r, BAR_SYNC, I(9), ir_none());
    rig_exit(&r);
    rig_fails(&r, 2, 64, EXEC_DEADLOCK, "deadlock: every warp of the CTA waits");
    assert_non_null(strstr(r.err.text, "warp 0 lanes ffffffff line 3: barrier 4, 32 of 64 threads"));
    assert_non_null(strstr(r.err.text, "warp 1 lanes ffffffff line 4: barrier 9, 32 of 64 threads"));
    assert_int_equal(r.err.cta[0], 0);
    /* A collective that misses a lane which waits elsewhere. */
    vec_clear(&r.v);
    rig_s2r(&r, 2, SR_LANEID);
    rig_isetp(&r, 0, CMP_EQ, R(2), I(3));
    uint32_t other = rig_bra(&r, P(0), 0);
    ADD(&r, .op = OP_VOTE, .sub = VOTE_BALLOT, .dst = {R(3)}, .src = {P(PRED_PT), I(~0u)});
    rig_exit(&r);
    rig_land(&r, other);
    ADD(&r, .op = OP_VOTE, .sub = VOTE_ANY, .dst = {ir_none(), P(1)}, .src = {P(PRED_PT), I(~0u)});
    rig_exit(&r);
    rig_fails(&r, 1, 32, EXEC_DEADLOCK, "lanes fffffff7 line 4: VOTE waits for lanes 00000008");
    rig_close(&r);
}

/* A lock that nobody releases. */
static void spinning_for_ever(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r, 1);
    rig_out(&r)[0] = 1;
    rig_addr(&r, 2, 0, I(0), 4);
    uint32_t top = rig_here(&r);
    ADD(&r, .op = OP_ATOM, .type = T_B32, .vec = 1, .aop = AOP_CAS, .space = SPACE_GLOBAL, .dst = {R(4)},
        .src = {RR(2), I(0), I(1)});
    rig_isetp(&r, 0, CMP_NE, R(4), I(0));
    rig_bra(&r, P(0), top);
    rig_exit(&r);
    rig_fails(&r, 3, 64, EXEC_DEADLOCK, "every warp of the grid spins or waits and nothing changes");
    rig_close(&r);
}

static void bad_operands(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r, 1);
    BAR(&r, BAR_SYNC, I(16), ir_none());
    rig_exit(&r);
    rig_fails(&r, 1, 32, EXEC_BAD_CODE, "barrier 16: there are 16");
    r.v.at[0].src[0] = I(1);
    r.v.at[0].src[1] = I(33);
    rig_fails(&r, 1, 64, EXEC_BAD_CODE, "barrier 1: thread count 33 is not a multiple of 32");
    rig_close(&r);
}

#define MBAR(r, sub_, ...) ADD(r, .op = OP_MBAR, .sub = (sub_), __VA_ARGS__)

/* 64 threads arrive twice and wait for each phase by its state, then by parity. */
static void mbarrier_phases(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r, 64);
    r.code.shared_b = 16;
    rig_s2r(&r, 2, SR_TID_X);
    rig_isetp(&r, 0, CMP_EQ, R(2), I(0));
    rig_mov(&r, 3, I(8));
    MBAR(&r, MBAR_INIT, .guard = P(0), .src = {R(3), I(64)});
    BAR(&r, BAR_SYNC, I(0), ir_none());
    for (uint32_t phase = 0; phase < 2; phase++) {
        MBAR(&r, MBAR_ARRIVE, .dst = {RR(4)}, .src = {R(3), ir_none()});
        uint32_t top = rig_here(&r);
        MBAR(&r, MBAR_TEST_WAIT, .dst = {P(1)}, .src = {R(3), RR(4)});
        rig_bra(&r, NP(1), top);
        top = rig_here(&r);
        MBAR(&r, MBAR_TEST_PARITY, .dst = {P(1)}, .src = {R(3), I(phase)});
        rig_bra(&r, NP(1), top);
    }
    MBAR(&r, MBAR_PENDING, .dst = {R(6)}, .src = {RR(4)});
    rig_result(&r, R(6));
    rig_ok(&r, 1, 64);
    for (uint32_t t = 0; t < 64; t++)
        /* Lanes arrive in order: what was pending before this one. */
        assert_int_equal(rig_out(&r)[t], 64 - t);
    /* An object nobody initialised. */
    r.v.at[3] = (struct ir_insn){.op = OP_NOP};
    rig_fails(&r, 1, 64, EXEC_BAD_CODE, "mbarrier: the object is not initialised");
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sync_all),          cmocka_unit_test(divergent_arrivals),
        cmocka_unit_test(exited_threads),    cmocka_unit_test(arrive_and_count),
        cmocka_unit_test(reductions),        cmocka_unit_test(deadlocks),
        cmocka_unit_test(spinning_for_ever), cmocka_unit_test(bad_operands),
        cmocka_unit_test(mbarrier_phases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
