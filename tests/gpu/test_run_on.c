/* SPDX-License-Identifier: Apache-2.0 */
/* An SM that runs ahead of the others stops where one of its CTAs ends: the next one starts as early as without. */
#include "mini.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { CTAS = 64, LINES = 32, LINE = 128 };

/* CTAs of which some end soon, and the others store lane by lane, which nobody waits for. */
static uint64_t cycles(uint32_t threads, uint32_t seed)
{
    static struct mini m;
    struct gpu_result r = {0};
    mini_init(&m);
    mini_set(&m, "gpu.sms=4");
    mini_set(&m, "sm.ctas=2");
    mini_set(&m, "mem.icnt_cyc=40");
    m.ctas = CTAS;
    for (uint32_t i = 0; i < 40; i++) {
        mini_op(&m, TC_FP32, 1, 2, 3, MINI_NONE);
        m.ctas_mask[m.n - 1] = seed * 2654435761u >> i % 7;
    }
    for (uint32_t i = 0; i < 6; i++) {
        mini_mem(&m, TC_STG, MINI_NONE, 4, 4, 0x200000000000ull + (uint64_t)i * LINES * LINE, LINE);
        m.ctas_mask[m.n - 1] = seed * 0x9e3779b9u;
    }
    uint64_t t = mini_run(&m, &r, threads);
    gpu_result_free(&r);
    mini_free(&m);
    return t;
}

static void cta_ends(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed < 40; seed++)
        assert_int_equal(cycles(1, seed), cycles(2, seed));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cta_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
