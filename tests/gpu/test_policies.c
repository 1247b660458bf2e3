/* SPDX-License-Identifier: Apache-2.0 */
/* What assignments and schedulers promise by themselves, every registered one, without an SM around them (test_contract.c has
 * the SM). */
#include "mini.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "gpu/gpu.h"
#include "sm/core.h"
#include "sm/wsched/gto.h"

#include <cmocka.h>

/* In range; the same answer however often it is asked and whatever was asked before; no partition is forgotten. */
static void assign_alone(void **state)
{
    (void)state;
    struct gpu_conf c;
    gpu_conf_init(&c);
    for (uint32_t i = 0; assign_list[i]; i++) {
        const struct assign_ops *a = assign_list[i];
        for (uint32_t parts = 1; parts <= 16; parts++) {
            enum { WARPS = 64 };
            uint32_t first[WARPS * 16], count[16] = {0};
            c.sm.partitions = parts;
            if (!mini_fits(&a->is, &c.sm))
                continue; /* refused before a run begins */
            void *st = policy_state(&a->is);
            if (a->init)
                a->init(st, &c.sm, parts % 3);
            for (uint32_t n = 0; n < WARPS * parts; n++) {
                first[n] = a->pick(st, n);
                assert_true(first[n] < parts);
                count[first[n]]++;
            }
            for (uint32_t n = WARPS * parts; n-- > 0;)
                assert_int_equal(a->pick(st, n), first[n]);
            assert_true(a->pick(st, UINT64_MAX) < parts);
            for (uint32_t p = 0; p < parts; p++)
                assert_true(count[p] >= WARPS / 2 && count[p] <= 2 * WARPS);
            free(st);
        }
    }
    conf_free(&c.conf);
}

/* Warps that come, issue, wait for this and that, and end: every instruction is issued some day, whoever has the slot. */
static void wsched_alone(void **state)
{
    (void)state;
    enum { SLOTS = 12, WARPS = 60, INSTS = 40, MOST = 20000 };
    struct gpu_conf c;
    gpu_conf_init(&c);
    for (uint32_t k = 0; wsched_list[k]; k++) {
        for (uint32_t active = 1; active <= 8; active += 3) {
            char text[32];
            struct diag d = {0};
            snprintf(text, sizeof text, "active.warps=%u", active);
            assert_true(conf_set(&c.conf, text, CONF_USER, &d));
            const struct wsched_ops *w = wsched_list[k];
            uint64_t age[64] = {0}, until[64] = {0}, waiting = 0;
            uint32_t left[64] = {0}, next = 0, ended = 0, t = 0;
            struct rng r = {k * 8 + active};
            void *st = policy_state(&w->is);
            if (w->init)
                w->init(st, &c.sm);
            for (; ended < WARPS && t < MOST; t++) {
                uint8_t score[64];
                for (uint32_t i = 0; i < 64; i++)
                    score[i] = (uint8_t)rng_below(&r, 32);
                struct wsched_view v = {.age = age, .score = w->score_late ? score : NULL};
                for (uint32_t i = 0; i < SLOTS; i++) {
                    uint64_t bit = 1ull << (i * 5 % 64);
                    uint32_t slot = i * 5 % 64;
                    if (!left[slot] && next < WARPS) {
                        age[slot] = next++;
                        left[slot] = INSTS;
                    }
                    v.slots |= bit;
                    v.resident |= left[slot] ? bit : 0;
                    if (until[slot] <= t)
                        waiting &= ~bit;
                    v.ready |= left[slot] && until[slot] <= t ? bit : 0;
                }
                v.waiting = waiting & v.resident;
                int p = v.ready ? w->pick(st, &v) : WSCHED_NONE;
                if (p == WSCHED_NONE)
                    continue;
                assert_true(p >= 0 && p < 64 && v.ready >> p & 1);
                wsched_issued(w, st, (uint32_t)p);
                uint32_t wait = rng_below(&r, 4) ? rng_below(&r, 6) : 40;
                until[p] = t + 1 + wait;
                if (wait == 40)
                    waiting |= 1ull << p;
                ended += --left[p] == 0;
            }
            assert_int_equal(ended, WARPS);
            free(st);
        }
    }
    conf_free(&c.conf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(assign_alone), cmocka_unit_test(wsched_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
