/* SPDX-License-Identifier: Apache-2.0 */
/* The order in which lanes of NVIDIA's code go on where they part, against what an H200 did (docs/sass.md). Masks of the jumps
 * by register are those of a recorded warp of HeCBench's jenkins-hash. */
#include "exec/exec.h"
#include "sass/sass.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_STEPS = 64, MAX_WORDS = 64 };

struct step {
    uint32_t at, mask;
};
struct seen {
    uint32_t n, from; /* instructions before `from` are left out */
    struct step at[MAX_STEPS];
};

static void see(void *ctx, const struct exec_step *s)
{
    struct seen *seen = ctx;
    if (s->at < seen->from)
        return;
    assert_true(seen->n < MAX_STEPS);
    seen->at[seen->n++] = (struct step){.at = s->at, .mask = s->active};
}

#define EXIT 0x000000000000794d, 0x000fea0003800000
#define NOP 0x0000000000007918, 0x000fc00000000000
#define BSYNC 0x0000000000007941, 0x000fea0003800000
#define BRA(skips) 0x0000000000007947 | (uint64_t)(skips) << 18, 0x000fea0003800000
#define IF_P0_BRA(skips) 0x0000000000000947 | (uint64_t)(skips) << 18, 0x000fea0003800000
#define BSSY(skips) 0x0000000000007945 | (uint64_t)(skips) << 36, 0x000fe20003800000

/* Runs a warp; words of the lanes are what R8 and R10 hold at the start of programs that load them. */
static uint64_t run(const uint64_t *words, uint32_t n, const uint32_t *in, struct seen *seen)
{
    char why[256];
    struct sass_kernel k = {
        .name = "order", .arch = 90, .words = words, .n = n, .regs = 24, .param_off = 0x210, .param_b = 8};
    struct code *code = sass_translate(&k, why, sizeof why);
    if (!code)
        fail_msg("%s", why);
    struct exec_dev *d = exec_dev_new(&(struct exec_cfg){0});
    uint64_t arg = exec_alloc(d, 1024);
    if (in)
        memcpy(exec_ptr(d, arg, 1024), in, 1024);
    struct exec_obs obs = {.ctx = seen, .insn = see};
    struct exec_launch l = {.code = code,
                            .grid = {1, 1, 1},
                            .block = {32, 1, 1},
                            .params = &arg,
                            .params_b = sizeof arg,
                            .obs = &obs};
    struct exec_counts counts = {0};
    struct exec_error e;
    if (exec_launch(d, &l, &counts, &e) != EXEC_OK)
        fail_msg("%s", e.text);
    exec_dev_free(d);
    code_free(code);
    return counts.warp_insts;
}

static void expect(const struct seen *got, const struct step *want, uint32_t n)
{
    for (uint32_t i = 0; i < n || i < got->n; i++) {
        if (i < n && i < got->n && got->at[i].at == want[i].at && got->at[i].mask == want[i].mask)
            continue;
        fail_msg("step %u: instruction %u, lanes %08x; to be: %u, %08x", i, i < got->n ? got->at[i].at : 0,
                 i < got->n ? got->at[i].mask : 0, i < n ? want[i].at : 0, i < n ? want[i].mask : 0);
    }
}

/* Lanes above the limit branch. */
static void sides(uint32_t limit, struct seen *seen)
{
    const uint64_t words[] = {
        0x0000000000007919,
        0x000e240000002100, /* S2R R0, SR_TID.X */
        0x000000000000780c | (uint64_t)limit << 32,
        0x000fda0003f04070, /* ISETP.GT.U32.AND P0, PT, R0, limit, PT */
        BSSY(3),
        IF_P0_BRA(1),
        BRA(1),
        NOP,
        BSYNC,
        EXIT,
    };
    *seen = (struct seen){.from = 4};
    run(words, sizeof words / 16, NULL, seen);
}

static void the_smaller_side_goes_first(void **state)
{
    struct seen seen;
    (void)state;
    sides(7, &seen);
    expect(&seen, (struct step[]){{4, 0xff}, {6, 0xff}, {5, 0xffffff00}, {6, 0xffffff00}, {7, 0xffffffff}},
           5);
    sides(23, &seen);
    expect(&seen,
           (struct step[]){{5, 0xff000000}, {6, 0xff000000}, {4, 0xffffff}, {6, 0xffffff}, {7, 0xffffffff}},
           5);
    sides(15, &seen); /* on a tie those that do not branch */
    expect(&seen,
           (struct step[]){{4, 0xffff}, {6, 0xffff}, {5, 0xffff0000}, {6, 0xffff0000}, {7, 0xffffffff}}, 5);
}

/* Two branches before any lanes meet: what was set aside last goes on first. Lanes 0 to 7 fall through at both, 8 to 15 at the
 * first. */
static void the_last_set_aside_goes_on_first(void **state)
{
    const uint64_t words[] = {
        0x0000000000007919,
        0x000e240000002100, /* S2R R0, SR_TID.X */
        0x0000000f0000780c,
        0x000fda0003f04070, /* ISETP.GT.U32.AND P0, PT, R0, 0xf, PT */
        BSSY(6),
        IF_P0_BRA(4),
        0x000000070000780c,
        0x000fda0003f04070, /* ISETP.GT.U32.AND P0, PT, R0, 0x7, PT */
        IF_P0_BRA(1),
        BRA(2),
        BRA(1), /* 7 */
        NOP,    /* 8 */
        BSYNC,  /* 9 */
        EXIT,
    };
    struct seen seen = {.from = 6};
    (void)state;
    run(words, sizeof words / 16, NULL, &seen);
    expect(&seen,
           (struct step[]){{6, 0xff},
                           {9, 0xff},
                           {7, 0xff00},
                           {9, 0xff00},
                           {8, 0xffff0000},
                           {9, 0xffff0000},
                           {10, 0xffffffff}},
           7);
}

/* A jump by register: instructions 9, 11 and 13 for the lanes of three masks. */
static void jumps(const uint32_t to[3], struct seen *seen, uint32_t want)
{
    const uint64_t words[] = {
        0x0000000000007919,
        0x000e240000002100, /* S2R R0, SR_TID.X */
        0x00008400ff027b82,
        0x000e620000000a00, /* LDC.64 R2, c[0x0][0x210] */
        0x0000002000027825,
        0x000fe200078e0002, /* IMAD.WIDE.U32 R2, R0, 0x20, R2 */
        0x0000000402087981,
        0x000ea2000c1e1d00, /* LDG.E.128 R8, desc[UR4][R2.64] */
        0x000000000a00780c,
        0x000fda0003f04070, /* ISETP.GT.U32.AND P0, PT, R10, RZ, PT */
        0x000000000000094d,
        0x000fea0003800000, /* @P0 EXIT */
        BSSY(6),
        NOP,
        0x0000000008007949,
        0x000fea0003800000, /* BRX R8 */
        NOP,                /* 9 */
        BRA(3),
        NOP, /* 11 */
        BRA(1),
        NOP, /* 13 */
        BSYNC,
        EXIT,
    };
    uint32_t in[256] = {0};
    for (uint32_t l = 0; l < 32; l++) {
        in[l * 8 + 2] = !((to[0] | to[1] | to[2]) >> l & 1);
        in[l * 8] = to[0] >> l & 1 ? 0 : to[1] >> l & 1 ? 0x20 : 0x40;
    }
    *seen = (struct seen){.from = 8};
    assert_int_equal(want, run(words, sizeof words / 16, in, seen));
}

static void jumps_by_register_execute_once(void **state)
{
    struct seen seen;
    (void)state;
    /* The lowest lane's target first; then the smaller part of the others. */
    jumps((const uint32_t[]){0x80004040, 0x50200000, 0x02000000}, &seen, 18);
    expect(&seen,
           (struct step[]){{8, 0xd2204040},
                           {9, 0x80004040},
                           {10, 0x80004040},
                           {14, 0x80004040},
                           {13, 0x02000000},
                           {14, 0x02000000},
                           {11, 0x50200000},
                           {12, 0x50200000},
                           {14, 0x50200000},
                           {15, 0xd2204040}},
           10);
    /* More than half go to the lowest lane's target: last; the next lowest lane's first. */
    jumps((const uint32_t[]){0x208010c0, 0x80004000, 0x00400000}, &seen, 18);
    expect(&seen,
           (struct step[]){{8, 0xa0c050c0},
                           {11, 0x80004000},
                           {12, 0x80004000},
                           {14, 0x80004000},
                           {13, 0x00400000},
                           {14, 0x00400000},
                           {9, 0x208010c0},
                           {10, 0x208010c0},
                           {14, 0x208010c0},
                           {15, 0xa0c050c0}},
           10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_smaller_side_goes_first),
        cmocka_unit_test(the_last_set_aside_goes_on_first),
        cmocka_unit_test(jumps_by_register_execute_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
