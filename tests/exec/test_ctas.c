/* SPDX-License-Identifier: Apache-2.0 */
/* CTAs that wait for each other, cooperative launches, the order of execution, what a recorder sees. */
#include "rig.h"

#include <string.h>

/* CTA c waits until out[n + step] says so, then releases its neighbour: a chain through the whole grid, from its end if
 * backwards. */
static void chain(uint32_t ctas, bool backwards)
{
    struct rig r;
    rig_open(&r, ctas + 1);
    rig_out(&r)[backwards ? ctas : 0] = 1;
    rig_s2r(&r, 2, SR_CTAID_X);
    rig_addr(&r, 4, 0, R(2), 4);
    rig_bssy(&r, 0);
    uint32_t top = rig_here(&r);
    ADD(&r, .op = OP_LDG, .type = T_U32, .vec = 1, .order = ORD_ACQUIRE, .off = backwards ? 4 : 0,
        .dst = {R(6)}, .src = {RR(4)});
    rig_isetp(&r, 0, CMP_EQ, R(6), I(0));
    rig_bra(&r, P(0), top);
    rig_bsync(&r, 0);
    rig_iadd(&r, 6, R(6), I(1));
    ADD(&r, .op = OP_STG, .type = T_U32, .vec = 1, .order = ORD_RELEASE, .off = backwards ? 0 : 4,
        .src = {RR(4), R(6)});
    rig_exit(&r);
    rig_ok(&r, ctas, 64);
    for (uint32_t c = 0; c <= ctas; c++)
        assert_int_equal(rig_out(&r)[c], backwards ? ctas - c + 1 : c + 1);
    assert_int_equal(r.counts.ctas, ctas);
    rig_close(&r);
}

static void chains(void **state)
{
    (void)state;
    chain(1, false);
    chain(50, false);
    chain(2, true);
    chain(300, true);
}

/* The same with loads that are not marked: found by the quantum only. */
static void weak_flag(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r, 1);
    rig_s2r(&r, 2, SR_CTAID_X);
    rig_addr(&r, 4, 0, I(0), 4);
    rig_isetp(&r, 0, CMP_EQ, R(2), I(1));
    ADD(&r, .op = OP_STG, .type = T_U32, .vec = 1, .guard = P(0), .src = {RR(4), I(1)});
    uint32_t top = rig_here(&r);
    ADD(&r, .op = OP_LDG, .type = T_U32, .vec = 1, .dst = {R(6)}, .src = {RR(4)});
    rig_isetp(&r, 0, CMP_EQ, R(6), I(0));
    rig_bra(&r, P(0), top);
    rig_exit(&r);
    rig_ok(&r, 2, 32);
    rig_close(&r);
}

/* What cooperative_groups emits for grid.sync(): the barrier word is 4 bytes into the workspace. */
static void grid_sync(struct rig *r)
{
    ADD(r, .op = OP_BAR, .sub = BAR_SYNC, .src = {I(0)});
    rig_bssy(r, 0);
    rig_isetp(r, 0, CMP_NE, R(2), I(0)); /* R2 = tid */
    uint32_t skip = rig_bra(r, P(0), 0);
    rig_s2r(r, 10, SR_ENVREG2);
    rig_s2r(r, 11, SR_ENVREG1);
    rig_isetp(r, 1, CMP_EQ, R(3), I(0)); /* R3 = ctaid */
    struct ir_opnd minus = R(12);
    minus.neg = 1;
    rig_mov(r, 12, ir_const(0, CB_NCTAID_X, 1));
    ADD(r, .op = OP_IADD3, .type = T_U32, .dst = {R(12)}, .src = {I(0x80000001u), minus, I(0)});
    ADD(r, .op = OP_SEL, .type = T_B32, .dst = {R(12)}, .src = {R(12), I(1), P(1)});
    ADD(r, .op = OP_ATOM, .type = T_U32, .vec = 1, .aop = AOP_ADD, .space = SPACE_GLOBAL, .off = 4,
        .dst = {R(13)}, .src = {RR(10), R(12)});
    uint32_t top = rig_here(r);
    ADD(r, .op = OP_LDG, .type = T_U32, .vec = 1, .order = ORD_ACQUIRE, .off = 4, .dst = {R(14)},
        .src = {RR(10)});
    ADD(r, .op = OP_LOP3, .type = T_B32, .lut = 0x3c, .dst = {R(14)}, .src = {R(14), R(13), I(0)}); /* xor */
    ADD(r, .op = OP_ISETP, .type = T_S32, .cmp = CMP_GT, .bop = BOP_AND, .dst = {P(2)},
        .src = {R(14), I(-1), P(PRED_PT)});
    rig_bra(r, P(2), top);
    rig_land(r, skip);
    rig_bsync(r, 0);
    ADD(r, .op = OP_BAR, .sub = BAR_SYNC, .src = {I(0)});
}

/* out[g] = g; sync; sum of a neighbour CTA's; sync; written back. */
static void cooperative(void **state)
{
    (void)state;
    enum { CTAS = 200, THREADS = 64, N = CTAS * THREADS };
    struct rig r;
    rig_open(&r, N);
    r.cooperative = true;
    rig_s2r(&r, 2, SR_TID_X);
    rig_s2r(&r, 3, SR_CTAID_X);
    ADD(&r, .op = OP_IMAD, .type = T_U32, .dst = {R(4)}, .src = {R(3), I(THREADS), R(2)});
    rig_addr(&r, 6, 0, R(4), 4);
    rig_stg(&r, 6, R(4));
    grid_sync(&r);
    rig_iadd(&r, 5, R(3), I(1));
    rig_isetp(&r, 0, CMP_EQ, R(5), I(CTAS));
    ADD(&r, .op = OP_MOV, .type = T_B32, .guard = P(0), .dst = {R(5)}, .src = {I(0)});
    ADD(&r, .op = OP_IMAD, .type = T_U32, .dst = {R(5)}, .src = {R(5), I(THREADS), R(2)});
    rig_addr(&r, 8, 0, R(5), 4);
    ADD(&r, .op = OP_LDG, .type = T_U32, .vec = 1, .dst = {R(16)}, .src = {RR(8)});
    grid_sync(&r);
    rig_iadd(&r, 16, R(16), R(4));
    rig_stg(&r, 6, R(16));
    rig_exit(&r);
    rig_ok(&r, CTAS, THREADS);
    for (uint32_t g = 0; g < N; g++)
        assert_int_equal(rig_out(&r)[g], g + (g + THREADS) % N);
    /* More than the device holds at once. */
    rig_fails(&r, 132 * 32 + 1, THREADS, EXEC_BAD_LAUNCH, "cooperative launch of 4225 CTAs: 4224 fit");
    rig_close(&r);
}

static void no_workspace_without_cooperation(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r, 32);
    rig_s2r(&r, 2, SR_ENVREG1);
    rig_s2r(&r, 3, SR_ENVREG2);
    rig_iadd(&r, 2, R(2), R(3));
    rig_result(&r, R(2));
    rig_ok(&r, 1, 32);
    assert_int_equal(rig_out(&r)[0], 0);
    rig_close(&r);
}

/* CTAs and warps run in order where nobody waits. */
static void launch_order(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r, 1 + 24);
    r.params[1] = r.out + 4;
    r.grid[1] = 3;
    r.grid[2] = 2;
    rig_addr(&r, 4, 0, I(0), 4);
    rig_s2r(&r, 2, SR_TID_X);
    ADD(&r, .op = OP_LOP3, .type = T_B32, .lut = 0xc0, .dst = {R(3)}, .src = {R(2), I(31), I(0)});
    rig_isetp(&r, 0, CMP_NE, R(3), I(0));
    ADD(&r, .op = OP_EXIT, .guard = P(0));
    ADD(&r, .op = OP_ATOM, .type = T_U32, .vec = 1, .aop = AOP_ADD, .space = SPACE_GLOBAL, .dst = {R(6)},
        .src = {RR(4), I(1)});
    rig_addr(&r, 8, 1, R(6), 4);
    rig_s2r(&r, 10, SR_CTAID_X);
    rig_s2r(&r, 11, SR_CTAID_Y);
    rig_s2r(&r, 12, SR_CTAID_Z);
    rig_s2r(&r, 13, SR_WARPID);
    ADD(&r, .op = OP_IMAD, .type = T_U32, .dst = {R(11)}, .src = {R(12), I(3), R(11)});
    ADD(&r, .op = OP_IMAD, .type = T_U32, .dst = {R(10)}, .src = {R(11), I(2), R(10)});
    ADD(&r, .op = OP_IMAD, .type = T_U32, .dst = {R(10)}, .src = {R(10), I(2), R(13)});
    rig_stg(&r, 8, R(10));
    rig_exit(&r);
    rig_ok(&r, 2, 64);
    for (uint32_t k = 0; k < 24; k++)
        assert_int_equal(rig_out(&r)[1 + k], k);
    rig_close(&r);
}

struct seen {
    uint32_t begins, ends, switches, insns, cta, open, last_pc;
    uint32_t active_lanes;
    bool addr_ok;
    uint64_t out;
};

static void on_begin(void *ctx, uint32_t cta, const uint32_t idx[3], uint32_t nwarps)
{
    struct seen *s = ctx;
    assert_int_equal(idx[0], cta);
    assert_int_equal(nwarps, 2);
    s->begins++;
    s->open++;
}

static void on_switch(void *ctx, uint32_t cta)
{
    struct seen *s = ctx;
    s->switches++;
    s->cta = cta;
}

static void on_end(void *ctx, uint32_t cta)
{
    struct seen *s = ctx;
    assert_int_equal(cta, s->cta);
    s->ends++;
    s->open--;
}

static void on_insn(void *ctx, const struct exec_step *e)
{
    struct seen *s = ctx;
    s->insns++;
    s->active_lanes += (uint32_t)__builtin_popcount(e->active);
    assert_int_equal(e->exist, e->warp ? 0xff : ~0u); /* 40 threads */
    assert_null(e->addrs[1]);
    if (e->at == 0) { /* S2R: the row is written when the observer looks */
        for (uint32_t l = 0; l < 32; l++)
            assert_true(!(e->active >> l & 1) || e->regs[2 * 32 + l] == e->warp * 32 + l);
    }
    if (e->at == 4) { /* STG out[tid] */
        assert_int_equal(e->space, SPACE_GLOBAL);
        for (uint32_t l = 0; l < 32; l++)
            assert_true(!(e->active >> l & 1) || exec_step_addr(e, 0, l) == s->out + 4 * (e->warp * 32 + l));
        s->addr_ok = true;
    } else if (e->at == 5) { /* generic load from shared */
        assert_int_equal(e->space, SPACE_SHARED);
        assert_int_equal(exec_step_addr(e, 0, 0), 8);
    } else {
        assert_null(e->addrs[0]);
    }
}

static void observer(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r, 40);
    r.code.shared_b = 16;
    struct seen s = {.out = r.out};
    struct exec_obs obs = {
        .ctx = &s, .cta_begin = on_begin, .cta_switch = on_switch, .cta_end = on_end, .insn = on_insn};
    rig_s2r(&r, 2, SR_TID_X);
    rig_addr(&r, 4, 0, R(2), 4);
    rig_mov(&r, 9, I(WINDOW_SHARED >> 32));
    rig_stg(&r, 4, R(2));
    rig_mov(&r, 8, I(4));
    rig_exit(&r);
    r.v.at[r.v.n - 2] =
        (struct ir_insn){.op = OP_LD, .type = T_U32, .vec = 1, .off = 8, .dst = {R(10)}, .src = {RR(8)}};
    r.obs = &obs;
    rig_ok(&r, 3, 40);
    assert_int_equal(s.begins, 3);
    assert_int_equal(s.ends, 3);
    assert_int_equal(s.switches, 3);
    assert_int_equal(s.insns, r.counts.warp_insts);
    assert_int_equal(s.active_lanes, r.counts.thread_insts);
    assert_true(s.addr_ok);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains),       cmocka_unit_test(weak_flag),
        cmocka_unit_test(cooperative),  cmocka_unit_test(no_workspace_without_cooperation),
        cmocka_unit_test(launch_order), cmocka_unit_test(observer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
