/* SPDX-License-Identifier: Apache-2.0 */
/* Same trace and configuration, same result: every counter and every kernel's times, twice in a row, on one, two and more
 * threads, and if partitions that can do nothing are visited all the same. */
#include "mini.h"
#include "wild.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "play.h"

#include <cmocka.h>

#include "same.h"

static void check(const char *path, const struct play_machine *m, const char *wsched, bool many)
{
    enum { RUNS = 5 };
    static const uint32_t some_threads[RUNS] = {1, 1, 2, 4, 1}, many_threads[RUNS] = {1, 2, 8, 16, 1};
    const uint32_t *threads = many ? many_threads : some_threads;
    struct gpu_result r[RUNS];
    struct play_machine awake = *m;
    uint32_t sets = 0;
    char buf[400];
    while (awake.sets[sets])
        sets++;
    awake.sets[sets] = "sm.sleep=false";
    for (uint32_t i = 0; i < RUNS; i++) {
        const char *bad = play(path, i == RUNS - 1 ? &awake : m, wsched, threads[i], &r[i], buf, sizeof buf);
        if (bad)
            fail_msg("%s, %s, %u threads: %s", m->name, wsched, threads[i], bad);
        if (i)
            same(&r[0], &r[i], m->name);
    }
    for (uint32_t i = 0; i < RUNS; i++)
        gpu_result_free(&r[i]);
}

/* Enough SMs for four threads. */
static const struct play_machine machines[] = {
    {"eight SMs", "volta", {"gpu.sms=8", "mem.slices=12", "mem.channels=6", "mem.l2_kb=192"}},
    {"undivided", "fermi", {"gpu.sms=8"}},
    {"simple", "throughput", {"gpu.sms=8"}},
    {"malekeh", "turing", {"gpu.sms=8", "sm.operands=ccu", "ccu.sthld_cyc=150"}},
    {"malekeh, private", "turing", {"gpu.sms=8", "sm.operands=ccu", "ccu.private=true"}},
    {"bow", "turing", {"gpu.sms=8", "sm.operands=bow"}},
    {"rfc", "turing", {"gpu.sms=8", "sm.operands=rfc", "active.warps=2"}},
    {"ltrf", "turing", {"gpu.sms=8", "sm.operands=ltrf", "active.warps=2"}},
    {"swrfc", "turing", {"gpu.sms=8", "sm.operands=swrfc", "active.warps=2"}},
    {"unified", "throughput", {"gpu.sms=8", "sm.onchip=unified", "sm.onchip_kb=256"}},
    {"unified by cycle",
     "throughput",
     {"gpu.sms=8", "sm.onchip=unified", "sm.conflicts=cycle", "sm.onchip_scope=kernel", "sm.onchip_kb=100"}},
};
enum { MACHINES = sizeof machines / sizeof machines[0] };

static void check_wild(enum wild_kind kind, uint64_t seeds)
{
    for (uint64_t seed = 0; seed < seeds; seed++) {
        char path[256];
        play_path(path);
        wild_write(path, 1000 + seed, kind);
        uint32_t n = 0;
        while (wsched_name(n))
            n++;
        check(path, &machines[seed % MACHINES], wsched_name((uint32_t)((seed + kind) % n)), false);
        unlink(path);
    }
}

static void anything(void **state)
{
    (void)state;
    check_wild(WILD_ANY, MACHINES);
}

static void memory_bound(void **state)
{
    (void)state;
    check_wild(WILD_MEMORY, 4);
}

/* Two SMs for each of 16 threads, and channels that have their own work. */
static void many_threads(void **state)
{
    (void)state;
    const struct play_machine m = {"32 SMs", "hopper", {"gpu.sms=32"}};
    static const enum wild_kind kinds[] = {WILD_ANY, WILD_MEMORY, WILD_BLOCKS};
    for (uint64_t seed = 0; seed < 3; seed++) {
        char path[256];
        play_path(path);
        wild_write(path, 3000 + seed, kinds[seed]);
        check(path, &m, NULL, true);
        unlink(path);
    }
}

static void atomics(void **state)
{
    (void)state;
    check_wild(WILD_ATOMICS, 2);
}

static void blocks(void **state)
{
    (void)state;
    check_wild(WILD_BLOCKS, MACHINES);
}

/* Every policy of the load-store unit; and partitions that never sleep see the same. */
static void load_store_units(void **state)
{
    (void)state;
    for (uint32_t i = 0; lsu_name(i); i++) {
        char lsu[64];
        snprintf(lsu, sizeof lsu, "sm.lsu=%s", lsu_name(i));
        for (uint64_t seed = 0; seed < 3; seed++) {
            const char *tight = seed % 2 ? "sm.l1_mshrs=2" : "sm.warp_limit=3";
            const struct play_machine awake = {"awake", "fermi", {"gpu.sms=3", lsu, tight, "sm.sleep=false"}};
            const struct play_machine asleep = {lsu, "fermi", {"gpu.sms=3", lsu, tight}};
            struct gpu_result r[3];
            char path[256], buf[400];
            play_path(path);
            wild_write(path, 2000 + seed, seed % 2 ? WILD_MEMORY : WILD_ANY);
            for (uint32_t k = 0; k < 3; k++) {
                const char *bad =
                    play(path, k == 1 ? &awake : &asleep, NULL, k == 2 ? 2 : 1, &r[k], buf, sizeof buf);
                if (bad)
                    fail_msg("%s: %s", lsu, bad);
                same(&r[0], &r[k], lsu);
            }
            for (uint32_t k = 0; k < 3; k++)
                gpu_result_free(&r[k]);
            unlink(path);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(anything),     cmocka_unit_test(memory_bound),
                                       cmocka_unit_test(many_threads), cmocka_unit_test(atomics),
                                       cmocka_unit_test(blocks),       cmocka_unit_test(load_store_units)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
