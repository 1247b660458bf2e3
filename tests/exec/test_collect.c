/* SPDX-License-Identifier: Apache-2.0 */
/* Warp collectives: who is waited for, groups with masks of their own, lanes that leave; matrices and asynchronous copies. */
#include "rig.h"

#include <string.h>

/* Lanes arrive at one ballot from two sides of a branch, without a BSYNC. */
static void meets_at_the_instruction(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r, 32);
    rig_s2r(&r, 2, SR_LANEID);
    rig_isetp(&r, 0, CMP_LT, R(2), I(9));
    uint32_t low = rig_bra(&r, P(0), 0);
    rig_mov(&r, 3, I(1));
    rig_land(&r, low);
    ADD(&r, .op = OP_VOTE, .sub = VOTE_BALLOT, .dst = {R(4)}, .src = {P(0), I(~0u)});
    ADD(&r, .op = OP_VOTE, .sub = VOTE_ACTIVE, .dst = {R(5)});
    rig_isetp(&r, 1, CMP_EQ, R(5), I(~0u)); /* they stay together */
    ADD(&r, .op = OP_SEL, .type = T_B32, .dst = {R(4)}, .src = {R(4), I(0), P(1)});
    rig_result(&r, R(4));
    rig_ok(&r, 1, 32);
    for (uint32_t l = 0; l < 32; l++)
        assert_int_equal(rig_out(&r)[l], 0x1ff);
    rig_close(&r);
}

/* A warp barrier is met at two different instructions. */
static void warpsync_anywhere(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r, 32);
    r.code.shared_b = 128;
    rig_s2r(&r, 2, SR_LANEID);
    ADD(&r, .op = OP_SHL, .type = T_U32, .dst = {R(3)}, .src = {R(2), I(2)});
    rig_isetp(&r, 0, CMP_LT, R(2), I(16));
    rig_bssy(&r, 0);
    uint32_t low = rig_bra(&r, P(0), 0);
    ADD(&r, .op = OP_WARPSYNC, .src = {I(~0u)}); /* 16..31 read what 0..15 write */
    ADD(&r, .op = OP_LDS, .type = T_U32, .vec = 1, .off = -64, .dst = {R(4)}, .src = {R(3)});
    uint32_t join = rig_bra(&r, ir_none(), 0);
    rig_land(&r, low);
    rig_iadd(&r, 4, R(2), I(100));
    ADD(&r, .op = OP_STS, .type = T_U32, .vec = 1, .src = {R(3), R(4)});
    ADD(&r, .op = OP_WARPSYNC, .src = {I(~0u)});
    rig_land(&r, join);
    rig_bsync(&r, 0);
    rig_result(&r, R(4));
    rig_ok(&r, 1, 32);
    for (uint32_t l = 0; l < 32; l++)
        assert_int_equal(rig_out(&r)[l], 100 + l % 16);
    rig_close(&r);
}

/* After match.any every lane reduces over its own group; the last lanes of each group have exited. */
static void groups_of_their_own(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r, 32);
    rig_s2r(&r, 2, SR_LANEID);
    ADD(&r, .op = OP_LOP3, .type = T_B32, .lut = 0xc0, .dst = {R(3)}, .src = {R(2), I(3), I(0)});
    ADD(&r, .op = OP_MATCH, .sub = 0, .dst = {R(4)}, .src = {R(3), I(~0u)});
    rig_isetp(&r, 0, CMP_GE, R(2), I(28));
    ADD(&r, .op = OP_EXIT, .guard = P(0));
    ADD(&r, .op = OP_REDUX, .type = T_U32, .aop = AOP_ADD, .dst = {R(5)}, .src = {R(2), R(4)});
    rig_result(&r, R(5));
    rig_ok(&r, 1, 32);
    for (uint32_t l = 0; l < 28; l++) {
        uint32_t sum = 0;
        for (uint32_t k = l % 4; k < 28; k += 4)
            sum += k;
        assert_int_equal(rig_out(&r)[l], sum);
    }
    rig_close(&r);
}

/* Lanes wait in a shuffle for some that then exit instead. */
static void exit_releases_waiters(void **state)
{
    (void)state;
    for (int sync = 0; sync < 2; sync++) {
        struct rig r;
        rig_open(&r, 32);
        rig_s2r(&r, 2, SR_LANEID);
        rig_isetp(&r, 0, CMP_GE, R(2), I(24));
        rig_isetp(&r, 1, CMP_GE, R(2), I(4));
        uint32_t gone = rig_bra(&r, P(0), 0);
        uint32_t other = rig_bra(&r, P(1), 0);
        rig_mov(&r, 6, I(1));
        rig_land(&r, other);
        if (sync)
            ADD(&r, .op = OP_WARPSYNC, .src = {I(~0u)});
        ADD(&r, .op = OP_SHFL, .sub = SHFL_IDX, .dst = {R(4), P(2)}, .src = {R(2), I(3), I(31), I(~0u)});
        rig_result(&r, R(4));
        rig_land(&r, gone);
        rig_exit(&r);
        rig_ok(&r, 1, 32);
        for (uint32_t l = 0; l < 32; l++)
            assert_int_equal(rig_out(&r)[l], l < 24 ? 3 : 0);
        rig_close(&r);
    }
}

static void guarded(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r, 32);
    rig_s2r(&r, 2, SR_LANEID);
    rig_isetp(&r, 0, CMP_LT, R(2), I(8));
    rig_mov(&r, 4, I(77));
    ADD(&r, .op = OP_VOTE, .sub = VOTE_BALLOT, .guard = P(0), .dst = {R(4)}, .src = {P(PRED_PT), I(0xff)});
    rig_result(&r, R(4));
    rig_ok(&r, 1, 32);
    for (uint32_t l = 0; l < 32; l++)
        assert_int_equal(rig_out(&r)[l], l < 8 ? 0xff : 77);
    /* A member mask without the lane itself. */
    r.v.at[3].guard = ir_none();
    rig_fails(&r, 1, 32, EXEC_BAD_CODE,
              "lane 8, test.ptx:4: VOTE: the executing lane is not in its member mask 000000ff");
    rig_close(&r);
}

/* Shared memory holds halves 0, 1, 2, ...; four matrices of 8 rows of 16 bytes. */
static void matrices(void **state)
{
    (void)state;
    for (int trans = 0; trans < 2; trans++) {
        struct rig r;
        rig_open(&r, 512);
        r.code.shared_b = 1024;
        rig_s2r(&r, 2, SR_LANEID);
        ADD(&r, .op = OP_SHL, .type = T_U32, .dst = {R(3)}, .src = {R(2), I(4)}); /* lane's row */
        for (uint32_t k = 0; k < 8; k++) {
            rig_mov(&r, 21, I(8));
            ADD(&r, .op = OP_IMAD, .type = T_U32, .dst = {R(20)}, .src = {R(2), R(21), I(k)});
            ADD(&r, .op = OP_STS, .type = T_U16, .vec = 1, .off = (int32_t)(2 * k), .src = {R(3), R(20)});
        }
        ADD(&r, .op = OP_LDSM, .type = T_B16, .vec = 4, .flags = trans ? IRF_TRANS : 0, .dst = {R4(8)},
            .src = {R(3)});
        /* Stored elsewhere the same way, and back again as plain words: the roundtrip must be the identity. */
        ADD(&r, .op = OP_STSM, .type = T_B16, .vec = 4, .off = 512, .flags = trans ? IRF_TRANS : 0,
            .src = {R(3), R4(8)});
        ADD(&r, .op = OP_LDS, .type = T_U32, .vec = 4, .off = 512, .dst = {R4(12)}, .src = {R(3)});
        rig_addr(&r, 4, 0, R(3), 1);
        ADD(&r, .op = OP_STG, .type = T_U32, .vec = 4, .src = {RR(4), R4(8)});
        ADD(&r, .op = OP_STG, .type = T_U32, .vec = 4, .off = 512, .src = {RR(4), R4(12)});
        rig_exit(&r);
        rig_ok(&r, 1, 32);
        for (uint32_t l = 0; l < 32; l++) {
            for (uint32_t j = 0; j < 4; j++) {
                uint32_t row = l / 4, col = 2 * (l % 4);
                uint32_t lo = 64 * j + (trans ? 8 * col + row : 8 * row + col);
                uint32_t hi = 64 * j + (trans ? 8 * (col + 1) + row : 8 * row + col + 1);
                assert_int_equal(rig_out(&r)[4 * l + j], lo | hi << 16);
                assert_int_equal(rig_out(&r)[128 + 4 * l + j], (8 * l + 2 * j) | (8 * l + 2 * j + 1) << 16);
            }
        }
        r.v.at[1].src[1] = I(3); /* rows 8 bytes apart */
        r.code.shared_b = 1024;
        rig_fails(&r, 1, 32, EXEC_MISALIGNED, "shared ldmatrix of 16 bytes at 0x8: not a multiple of 16");
        rig_close(&r);
    }
}

/* cp.async of 16 bytes with 0, 4, 8, ... source bytes. */
static void copies(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r, 128);
    r.code.shared_b = 512;
    r.params[1] = exec_alloc(r.dev, 512);
    uint32_t *src = exec_ptr(r.dev, r.params[1], 512);
    for (uint32_t k = 0; k < 128; k++)
        src[k] = k + 1;
    rig_s2r(&r, 2, SR_LANEID);
    ADD(&r, .op = OP_SHL, .type = T_U32, .dst = {R(3)}, .src = {R(2), I(4)});
    rig_addr(&r, 4, 1, R(3), 1);
    ADD(&r, .op = OP_SHL, .type = T_U32, .dst = {R(6)}, .src = {R(2), I(2)});
    ADD(&r, .op = OP_LDGSTS, .vec = 16, .src = {R(3), RR(4), R(6)});
    ADD(&r, .op = OP_LDGDEPBAR);
    ADD(&r, .op = OP_DEPBAR);
    ADD(&r, .op = OP_LDS, .type = T_U32, .vec = 4, .dst = {R4(8)}, .src = {R(3)});
    rig_addr(&r, 4, 0, R(3), 1);
    ADD(&r, .op = OP_STG, .type = T_U32, .vec = 4, .src = {RR(4), R4(8)});
    rig_exit(&r);
    rig_ok(&r, 1, 32);
    for (uint32_t k = 0; k < 128; k++)
        assert_int_equal(rig_out(&r)[k], k % 4 < k / 4 ? k + 1 : 0);
    exec_free(r.dev, r.params[1]);
    /* Lane 0 copies nothing. */
    rig_fails(&r, 1, 32, EXEC_BAD_ADDRESS, "lane 1, test.ptx:6: global copy of 16 bytes at");
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meets_at_the_instruction),
        cmocka_unit_test(warpsync_anywhere),
        cmocka_unit_test(groups_of_their_own),
        cmocka_unit_test(exit_releases_waiters),
        cmocka_unit_test(guarded),
        cmocka_unit_test(matrices),
        cmocka_unit_test(copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
