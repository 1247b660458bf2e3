/* SPDX-License-Identifier: Apache-2.0 */
/* What instructions cost: two lengths of the same kernel, so that start and end fall out. */
#ifndef TESTS_GPU_COST_H
#define TESTS_GPU_COST_H

#include "mini.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { SHORT = 80, LONG = 240, STEPS = LONG - SHORT };

/* Fills the kernel with n instructions and returns its cycles. */
typedef void filler(struct mini *m, uint32_t i);

static inline uint64_t cost(filler *f, const char *const *sets, uint32_t warps)
{
    uint64_t c[2];
    for (uint32_t k = 0; k < 2; k++) {
        struct mini m;
        mini_init(&m);
        m.warps = warps;
        m.regs = 224;
        for (uint32_t i = 0; sets && sets[i]; i++)
            mini_set(&m, sets[i]);
        for (uint32_t i = 0; i < (k ? LONG : SHORT); i++)
            f(&m, i);
        c[k] = mini_cycles(&m);
        mini_free(&m);
    }
    return c[1] - c[0];
}

#endif
