/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of 32 bits: accesses by the low word alone, in a device whose memory lies in one span of 4 GiB. */
#include "rig.h"

static void by_the_low_word(void **state)
{
    (void)state;
    struct rig r;
    rig_open_cfg(&r, 64, (struct exec_cfg){.short_addr = true});
    rig_s2r(&r, 2, SR_TID_X);
    rig_mov(&r, 4, ir_const(BANK_LAUNCH, CB_PARAM, 1));
    ADD(&r, .op = OP_LEA, .type = T_U32, .dst = {R(6)}, .src = {R(2), R(4), I(2)});
    ADD(&r, .op = OP_STG, .type = T_U32, .vec = 1, .src = {R(6), R(2)});
    ADD(&r, .op = OP_LDG, .type = T_U32, .vec = 1, .dst = {R(8)}, .src = {R(6)});
    rig_iadd(&r, 9, R(8), I(1000));
    /* Backwards from the end, so that no lane's address is its neighbour's plus four. */
    ADD(&r, .op = OP_IADD3, .type = T_U32, .dst = {R(10)}, .src = {R(4), I(63 * 4), ir_imm(0)});
    ADD(&r, .op = OP_SHL, .type = T_U32, .dst = {R(11)}, .src = {R(2), I(2)});
    ADD(&r, .op = OP_LOP3, .type = T_U32, .lut = 0x0f, .dst = {R(12)}, .src = {R(11), ir_imm(0), ir_imm(0)});
    ADD(&r, .op = OP_IADD3, .type = T_U32, .dst = {R(13)}, .src = {R(10), R(12), I(1)});
    ADD(&r, .op = OP_STG, .type = T_U32, .vec = 1, .src = {R(13), R(9)});
    ADD(&r, .op = OP_EXIT);
    rig_ok(&r, 1, 32);
    const uint32_t *out = rig_out(&r);
    for (uint32_t i = 0; i < 32; i++) {
        assert_int_equal(out[i], i);
        assert_int_equal(out[63 - i], 1000 + i);
    }
    rig_close(&r);
}

/* What lies beyond could not be named. */
static void no_more_than_the_span(void **state)
{
    (void)state;
    struct exec_dev *d = exec_dev_new(&(struct exec_cfg){.short_addr = true, .mem_limit_b = 16ull << 30});
    assert_non_null(d);
    assert_int_equal(exec_alloc(d, 5ull << 30), 0);
    uint64_t a = exec_alloc(d, 1 << 20);
    assert_int_not_equal(a, 0);
    assert_int_equal(a >> 32, 0x2000);
    exec_dev_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_the_low_word),
                                       cmocka_unit_test(no_more_than_the_span)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
