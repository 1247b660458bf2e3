/* SPDX-License-Identifier: Apache-2.0 */
#include "cached.h"

#include "sm/operands/operands.h"

#include <assert.h>
#include <stdlib.h>

int cached_setup(void **state)
{
    *state = calloc(1, sizeof(struct cached));
    return !*state;
}

static void shut(struct cached *x)
{
    gpu_result_free(&x->r);
    x->r = (struct gpu_result){0};
    if (x->open)
        mini_free(&x->m);
    x->open = false;
}

int cached_teardown(void **state)
{
    shut(*state);
    free(*state);
    return 0;
}

void cached_set(struct cached *x, const char *assignment) { mini_set(&x->m, assignment); }

void cached_open(struct cached *x, const char *operands)
{
    char set[64];
    shut(x);
    mini_init(&x->m);
    x->open = true;
    snprintf(set, sizeof set, "sm.operands=%s", operands);
    cached_set(x, set);
    cached_set(x, "sm.partitions=1");
    cached_set(x, "sm.warps=4");
    cached_set(x, "sm.registers=16384");
}

uint32_t fp32(struct cached *x, int d, int a, int b, int c) { return mini_op(&x->m, TC_FP32, d, a, b, c); }

uint32_t load(struct cached *x, int d, int addr) { return mini_mem(&x->m, TC_LDG, d, addr, 4, FAR, 4); }

void lanes(struct cached *x, uint32_t insn, uint32_t mask) { x->m.mask[insn] = mask; }

uint64_t cached_run(struct cached *x)
{
    bool caches = operands_find(x->m.conf.sm.operands)->caches;
    uint64_t cycles = mini_run(&x->m, &x->r, 1);
    if (caches)
        assert_int_equal(count_of(x, cache_reads) + count_of(x, cache_prefetches),
                         count_of(x, cache_hits) + count_of(x, reg_reads));
    return cycles;
}

const char *cached_refusal(struct cached *x)
{
    struct diag d = {0};
    enum gpu_status s = mini_try(&x->m, &x->r, 1, &d);
    snprintf(x->refusal, sizeof x->refusal, "%s",
             s == GPU_REFUSED && d.n ? d.msg[0].text : "it was not refused");
    diag_free(&d);
    return x->refusal;
}

void cached_swap(struct cached *x, const char *wsched)
{
    cached_set(x, wsched);
    cached_set(x, "active.warps=1");
    x->m.warps = 2;
    fp32(x, 1, none, none, none);
    fp32(x, none, 1, none, none); /* R1 is there */
    load(x, 2, none);
    fp32(x, 3, 2, 1, none);
    cached_run(x);
}

void cached_three_states(struct cached *x, uint32_t active)
{
    assert(active == 1 || active == 2);
    cached_set(x, "sm.wsched=two-level");
    cached_set(x, active == 1 ? "active.warps=1" : "active.warps=2");
    x->m.warps = 2;
    for (uint32_t i = 0; i < 8; i++)
        fp32(x, 1, 1, none, none);
    cached_run(x);
    assert_int_equal(count_of(x, stall_policy) != 0, active == 1);
    uint64_t rest = 0;
    for (uint32_t i = SS_issued + 1; i <= SS_stall_drained; i++)
        rest += i == SS_stall_policy ? 0 : x->r.sm[i];
    assert_int_equal(count_of(x, issued) + count_of(x, stall_policy) + rest, count_of(x, cycles));
}
