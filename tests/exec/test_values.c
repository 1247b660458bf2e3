/* SPDX-License-Identifier: Apache-2.0 */
/* What values toggle: constants of all threads nothing, values of each thread what differs between neighbours, by kind of
 * unit; all words that loads and stores move; nothing is counted unless somebody asks, and what a kernel computes stays. */
#include "rig.h"

static void on_insn(void *ctx, const struct exec_step *s)
{
    (void)ctx;
    (void)s;
}

static const struct exec_obs watcher = {.insn = on_insn};

/* The same constant again and again, or the lane's number, which differs from its neighbour's. */
static void program(struct rig *r, bool lanes)
{
    rig_s2r(r, 2, SR_LANEID);
    rig_addr(r, 4, 0, R(2), 4);
    for (int i = 0; i < 4; i++)
        ADD(r, .op = OP_LOP3, .type = T_B32, .lut = 0xf0, .dst = {R(6)},
            .src = {lanes ? R(2) : I(0), I(0), I(0)});
    ADD(r, .op = OP_FADD, .type = T_F32, .dst = {R(7)}, .src = {I(0x3f800000), I(0x3f800000)});
    ADD(r, .op = OP_FADD, .type = T_F32, .dst = {R(7)}, .src = {I(0x3f800000), I(0x3f800000)});
    rig_stg(r, 4, R(6));
    rig_exit(r);
}

static struct exec_values run(bool lanes, bool count)
{
    struct rig r;
    struct exec_values v = {0};
    rig_open(&r, 32);
    program(&r, lanes);
    if (count)
        exec_values_start(r.dev);
    r.obs = &watcher;
    rig_ok(&r, 1, 32);
    for (uint32_t l = 0; l < 32; l++)
        assert_int_equal(rig_out(&r)[l], lanes ? l : 0);
    assert_true((exec_values(r.dev) != NULL) == count);
    if (count)
        v = *exec_values(r.dev);
    rig_close(&r);
    return v;
}

static void kinds(void **state)
{
    (void)state;
    struct exec_values same = run(false, true), other = run(true, true);
    /* Both have the same instructions; three of the four LOP3s meet lane numbers in source and result. */
    assert_int_equal(same.random[EV_INT], other.random[EV_INT]);
    uint32_t between = 0;
    for (uint32_t l = 0; l < 32; l++)
        between += (uint32_t)__builtin_popcount(l ^ (l + 1) % 32);
    assert_true(other.flips[EV_INT] - same.flips[EV_INT] >= 2 * 2 * 3 * (uint64_t)between);
    /* The first addition meets nothing that was there before: both sources and the result. The second meets the same. */
    uint64_t once =
        2 * 32 * (2 * (uint64_t)__builtin_popcount(0x3f800000) + (uint64_t)__builtin_popcount(0x40000000));
    assert_int_equal(same.flips[EV_FLOAT], once);
    assert_int_equal(same.random[EV_FLOAT], 2 * 3 * 32 * 23);
    /* The store: lanes' numbers meet zeros, which were there before. */
    assert_int_equal(same.random[EV_MEMORY], 32 * 32);
    assert_int_equal(same.flips[EV_MEMORY], 0);
    uint64_t numbers = 0;
    for (uint32_t l = 0; l < 32; l++)
        numbers += 2 * (uint32_t)__builtin_popcount(l);
    assert_int_equal(other.flips[EV_MEMORY], numbers);
    assert_int_equal(same.random[EV_SHARED] + same.random[EV_TENSOR], 0);
    /* Registers: four sources more, and whatever else has lanes' numbers in it. */
    assert_int_equal(other.random[EV_REGS] - same.random[EV_REGS], 4 * 32 * 32);
    assert_true(other.flips[EV_REGS] - same.flips[EV_REGS] >= 2 * 2 * 3 * (uint64_t)between);
    assert_string_equal(exec_value_name(EV_TENSOR), "tensor");
}

/* Four words of a load and two bytes of two stores count, the second of nothing but zeros; a constant does not. */
static void moved(void **state)
{
    (void)state;
    struct rig r;
    struct exec_values v;
    rig_open(&r, 4 * 32);
    rig_s2r(&r, 2, SR_LANEID);
    rig_addr(&r, 4, 0, R(2), 16);
    ADD(&r, .op = OP_LDG, .type = T_B32, .vec = 4, .space = SPACE_GLOBAL, .dst = {ir_reg(8, 0, 4)},
        .src = {ir_reg(4, 0, 2)});
    ADD(&r, .op = OP_LDC, .type = T_B32, .vec = 1, .dst = {R(7)}, .src = {ir_none()}, .off = 0);
    ADD(&r, .op = OP_LOP3, .type = T_B32, .lut = 0xf0, .dst = {R(6)}, .src = {I(0xffffffff), I(0), I(0)});
    ADD(&r, .op = OP_STG, .type = T_U16, .vec = 1, .space = SPACE_GLOBAL, .src = {ir_reg(4, 0, 2), R(6)});
    ADD(&r, .op = OP_STG, .type = T_U16, .vec = 1, .space = SPACE_GLOBAL, .src = {ir_reg(4, 0, 2), I(0)});
    rig_exit(&r);
    exec_values_start(r.dev);
    r.obs = &watcher;
    rig_ok(&r, 1, 32);
    v = *exec_values(r.dev);
    rig_close(&r);
    assert_int_equal(v.random[EV_MEMORY], 4 * 32 * 32 + 2 * 32 * 16);
    assert_int_equal(v.flips[EV_MEMORY], 2 * 2 * 32 * 16);
}

static void unasked(void **state)
{
    (void)state;
    run(true, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds),
        cmocka_unit_test(moved),
        cmocka_unit_test(unasked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
