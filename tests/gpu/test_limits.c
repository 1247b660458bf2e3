/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of tenants that change all the time: whatever they are, every run executes what the traces say, ends and checks clean,
 * and is the same on two threads and if partitions never sleep. */
#include "mini.h"
#include "wild.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu/share/share.h"
#include "play.h"
#include "sm/tenant/tenant.h"

#include <cmocka.h>

enum { PAIR = 2, RUNS = 3, CTAS = 128 };

/* ---- policies ---- */

static uint32_t interval(const struct sm_cfg *cfg)
{
    (void)cfg;
    return 37;
}

/* Any limits, drawn from all that it is shown: what it sees must not depend on who sleeps. */
static void decide(void *st, uint64_t t, uint32_t n, const struct tenant_seen *seen,
                   struct tenant_limit *limits)
{
    static const uint32_t warps[] = {0, 1, 3, TENANT_ALL}, requests[] = {0, 1, 5, TENANT_ALL};
    struct rng r = {.s = t};
    (void)st;
    for (uint32_t i = 0; i < n; i++) {
        r.s += seen[i].warps * 3 + seen[i].requests * 5;
        for (uint32_t k = SS_issued; k <= SS_stall_drained; k++)
            r.s += seen[i].stats[k] * k;
    }
    for (uint32_t i = 0; i < n; i++)
        limits[i] =
            (struct tenant_limit){.warps = warps[rng_below(&r, 4)], .requests = requests[rng_below(&r, 4)]};
}

static const struct tenant_ops moody = {.is = {.name = "moody"}, .interval = interval, .decide = decide};

static uint32_t place(void *st, uint32_t tenant, const struct sm_need *need, struct sm *const *sms,
                      uint32_t nsm)
{
    (void)st, (void)tenant;
    for (uint32_t i = 0; i < nsm; i++)
        if (sm_has_room(sms[i], need))
            return i;
    return SHARE_NOWHERE;
}

/* Parks in every fourth window, and asks back in the others. In a long run it becomes slower: where a warp's registers must come
 * from memory before it goes on, three windows may never be enough. */
static void turn(void *st, const struct share_view *v)
{
    struct sm_cta_info all[CTAS];
    uint32_t *windows = st;
    uint32_t every = *windows < 2000 ? 4 : 64;
    bool park = ++*windows % every == 0;
    for (uint32_t i = 0; i < v->nsm; i++)
        for (uint32_t n = sm_ctas(v->sms[i], all, CTAS), k = *windows / every % 2; k < n; k += 2)
            (void)(park ? sm_park(v->sms[i], v->now, all[k].id) : sm_resume(v->sms[i], v->now, all[k].id));
}

static const struct share_ops restless = {
    .name = "restless", .state_b = sizeof(uint32_t), .place = place, .turn = turn};

/* ---- runs ---- */

static void check(const struct play_machine *m, uint64_t seed, const char *wsched, bool parks)
{
    char path[PAIR][256];
    struct gpu_tenant t[PAIR];
    struct play_want want[PAIR];
    struct gpu_result r[RUNS];
    struct diag d = {0};
    for (uint32_t i = 0; i < PAIR; i++) {
        play_path(path[i]);
        wild_write(path[i], seed + i, (seed + i) % 3 ? i ? WILD_BLOCKS : WILD_MEMORY : WILD_CODE);
        t[i] = (struct gpu_tenant){.trace = tr_open(path[i], &d)};
        want[i] = play_count(t[i].trace);
    }
    for (uint32_t i = 0; i < RUNS; i++) {
        struct gpu_conf c;
        assert_true(play_load(&c, m, wsched, &d));
        c.sm.sleep = i != 1;
        struct gpu_opts o = {
            .threads = i == 2 ? 2 : 1, .check = true, .tenant = &moody, .share = parks ? &restless : NULL};
        enum gpu_status s = gpu_corun(&c, t, PAIR, &o, &r[i], &d);
        diag_print(&d, stderr);
        if (s != GPU_OK || memcmp(r[i].sm, r->sm, sizeof r->sm) != 0)
            fprintf(stderr, "seed %llu on %s, %s: %s\n", (unsigned long long)seed, m->name,
                    wsched ? wsched : "its own scheduler",
                    s != GPU_OK ? "it does not end"
                    : i == 1    ? "it is another without sleep"
                                : "it is another on two threads");
        assert_int_equal(s, GPU_OK);
        assert_memory_equal(r[i].sm, r->sm, sizeof r->sm);
        for (uint32_t k = 0; k < PAIR; k++) {
            assert_int_equal(r[i].tenants.at[k].sm[SS_warp_insts], want[k].insts);
            assert_int_equal(r[i].tenants.at[k].sm[SS_thread_insts], want[k].threads);
            assert_int_equal(r[i].tenants.at[k].sm[SS_ctas], want[k].ctas);
        }
        uint64_t sum = 0;
        for (uint32_t k = SS_issued; k <= SS_stall_drained; k++)
            sum += r[i].sm[k];
        assert_int_equal(sum, r[i].sm[SS_cycles]);
        assert_int_equal(r[i].sm[SS_loads_done], want[0].loads + want[1].loads);
        assert_true(r[i].sm[SS_stall_tenant] > 0);
        conf_free(&c.conf);
    }
    for (uint32_t i = 0; i < RUNS; i++)
        gpu_result_free(&r[i]);
    for (uint32_t i = 0; i < PAIR; i++) {
        tr_free(t[i].trace);
        unlink(path[i]);
    }
    diag_free(&d);
}

static void every_machine(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < PLAY_MACHINES - 2; i += TEST_EACH) /* the last two take as long as all others */
        check(&play_machines[i], 8000 + 10 * i, NULL, i % 3 == 0);
}

/* A CTA ends while all others sleep: the next one starts in the next window all the same. */
static void next_cta(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < PLAY_MACHINES; i++)
        if (!strcmp(play_machines[i].name, "no L1"))
            check(&play_machines[i], 8020, NULL, false);
}

static void every_scheduler(void **state)
{
    (void)state;
    static const char *const operands[] = {"sm.operands=rfc", "sm.operands=ltrf", "sm.operands=swrfc",
                                           "sm.operands=stealing", "sm.operands=ccu"};
    for (uint32_t i = 0; i < sizeof operands / sizeof operands[0]; i++) {
        const struct play_machine m = {
            "turing", "turing", {"gpu.sms=2", operands[i], "active.warps=2", "sm.warp_limit=3"}};
        for (uint32_t k = 0; wsched_name(k); k++)
            check(&m, 8500 + 10 * (6 * i + k), wsched_name(k), k % 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_machine), cmocka_unit_test(next_cta),
                                       cmocka_unit_test(every_scheduler)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
