/* SPDX-License-Identifier: Apache-2.0 */
/* Speed of light: operations of instructions, peaks of an H200 as its data sheet has them, and shares counted by hand. */
#include "mini.h"

#include "gpu/light.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "play.h"

#include <cmocka.h>

static void operations(void **state)
{
    (void)state;
    static const struct {
        uint8_t cls;
        const char *text;
        uint32_t lanes, imm;
        double flops;
    } rows[] = {
        {TC_FP32, "FFMA.FTZ", 32, 0, 64},
        {TC_FP32, "FADD", 7, 0, 7},
        {TC_FP32, "FFMA", 0, 0, 0},
        {TC_FCMP, "FMNMX", 32, 0, 0},
        {TC_INT, "IADD3", 32, 0, 0},
        {TC_FP64, "DFMA", 32, 0, 64},
        {TC_FP64, "DSETP.GT.AND", 32, 0, 0},
        {TC_HALF, "HFMA2.BF16", 32, 0, 128},
        {TC_HALF, "HADD2", 16, 0, 32},
        {TC_HMMA, "HMMA.16816.F32", 32, 0, 2 * 16 * 8 * 16},
        {TC_HMMA, "HMMA.1688.F32.TF32", 32, 0, 2 * 16 * 8 * 8},
        {TC_HMMA, "HMMA.884.F32.F32.STEP0", 32, 0, 2 * 8 * 8 * 4},
        {TC_IMMA, "IMMA.16832.S8.S8", 32, 0, 2 * 16 * 8 * 32},
        {TC_BMMA, "BMMA.168256.XOR.POPC", 32, 0, 2 * 16 * 8 * 256},
        {TC_DMMA, "DMMA.8x8x4", 32, 0, 2 * 8 * 8 * 4},
        {TC_GMMA, "HGMMA.64x128x16.F32", 32, 128, 2 * 16 * 128 * 16},
        {TC_GMMA, "WARPGROUP.DEPBAR", 32, TG_WAIT | 1, 0},
        {TC_HMMA, "HMMA", 32, 0, 0},
    };
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tr_insn in = {.cls = rows[i].cls, .text = rows[i].text, .imm = rows[i].imm};
        enum light_kind kind = LIGHT_KINDS;
        assert_true(light_flops(&in, rows[i].lanes, &kind) == rows[i].flops);
        assert_true(kind < LIGHT_KINDS || !rows[i].flops);
    }
}

static void near_to(double got, double want, double by) { assert_true(fabs(got / want - 1) < by); }

/* NVIDIA's data sheet of the H200 SXM, at its clock of 1830 to 1980 MHz: 67 and 34 TFLOP/s, 989 dense on tensor cores (which it
 * gives for the lower clock), 4.8 TB/s. */
static void peaks(void **state)
{
    (void)state;
    static const struct play_machine hopper = {"hopper", "hopper", {NULL}};
    struct gpu_conf c;
    struct diag d = {0};
    assert_true(play_load(&c, &hopper, NULL, &d));
    near_to(light_roof(&c, LIGHT_FP32), 67e12, 0.01);
    near_to(light_roof(&c, LIGHT_FP64), 34e12, 0.03);
    near_to(light_roof(&c, LIGHT_TENSOR) * 1830 / c.gpu.core_mhz, 989e12, 0.01);
    struct gpu_result r = {.kernel_cycles = 1000};
    struct light l = light_of(&c, &r, NULL);
    near_to(l.unit[LU_DRAM].peak, 4.8e12, 0.05);
    near_to(l.seconds, 1000 / (c.gpu.core_mhz * 1e6), 1e-9);
    assert_true(isnan(l.flops) && isnan(l.unit[LU_FP32].share));
    conf_free(&c.conf);
    diag_free(&d);
}

/* 100 FFMA, each of which takes the unit for its interval, on one of four partitions. */
static void by_hand(void **state)
{
    (void)state;
    static struct mini m;
    struct gpu_result r = {0};
    struct light_work w = {0};
    mini_init(&m);
    for (uint32_t k = 0; k < 100; k++)
        mini_op(&m, TC_FP32, 8, 8, 4, 5);
    m.insns[0].text = "FFMA";
    mini_run(&m, &r, 1);
    light_add(&w, &m.conf, &m.insns[0], 100, 3200);
    assert_true(w.flops[LIGHT_FP32] == 6400);
    assert_true(w.busy[UNIT_FP32] == 100.0 * m.conf.ii.FP32);
    struct light l = light_of(&m.conf, &r, &w);
    double room = (double)r.kernel_cycles * m.conf.sm.partitions * m.conf.count.FP32;
    near_to(l.unit[LU_FP32].share, 100.0 * m.conf.ii.FP32 / room, 1e-9);
    /* A unit that is always taken does what its roof says. */
    near_to(l.unit[LU_FP32].rate / l.unit[LU_FP32].share, light_roof(&m.conf, LIGHT_FP32), 1e-9);
    near_to(l.unit[LU_ISSUE].share,
            (double)r.sm[SS_issued] / ((double)r.kernel_cycles * m.conf.sm.partitions * m.conf.sm.schedulers),
            1e-9);
    assert_true(l.flops == 6400);
    gpu_result_free(&r);
    mini_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(operations), cmocka_unit_test(peaks),
                                       cmocka_unit_test(by_hand)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
