/* SPDX-License-Identifier: Apache-2.0 */
/* Two results are one: every counter and every kernel's times. For tests that have included cmocka.h. */
#ifndef TESTS_GPU_SAME_H
#define TESTS_GPU_SAME_H

#include "gpu/gpu.h"

static inline void same(const struct gpu_result *a, const struct gpu_result *b, const char *what)
{
    for (uint32_t i = 0; i < SS_COUNT; i++)
        if (a->sm[i] != b->sm[i])
            fail_msg("%s: sm.%s is %llu and %llu", what, sm_stats.rows[i].name, (unsigned long long)a->sm[i],
                     (unsigned long long)b->sm[i]);
    for (uint32_t i = 0; i < MS_COUNT; i++)
        if (a->mem[i] != b->mem[i])
            fail_msg("%s: mem.%s is %llu and %llu", what, mem_stats.rows[i].name,
                     (unsigned long long)a->mem[i], (unsigned long long)b->mem[i]);
    assert_int_equal(a->cycles, b->cycles);
    assert_int_equal(a->kernel_cycles, b->kernel_cycles);
    assert_int_equal(a->kernels.n, b->kernels.n);
    for (uint32_t i = 0; i < a->kernels.n; i++) {
        assert_int_equal(a->kernels.at[i].launch, b->kernels.at[i].launch);
        assert_int_equal(a->kernels.at[i].start, b->kernels.at[i].start);
        assert_int_equal(a->kernels.at[i].begin, b->kernels.at[i].begin);
        assert_int_equal(a->kernels.at[i].end, b->kernels.at[i].end);
    }
}

#endif
