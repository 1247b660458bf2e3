/* SPDX-License-Identifier: Apache-2.0 */
/* Stages for fewer features (sm/features.h) have the same result as stages for all of them: counters, kernels' times, accesses of
 * each bank, and what observers are told of each instruction. A machine that never sleeps runs those for all. */
#include "mini.h"
#include "wild.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "play.h"

#include <cmocka.h>

#include "same.h"
#include "sm/core.h"

static const struct play_machine machines[] = {
    {"volta", "volta", {"gpu.sms=2"}},
    {"one bank, one collector", "volta", {"gpu.sms=2", "sm.banks=1", "sm.collectors=1"}},
    {"eight banks, four collectors", "volta", {"gpu.sms=2", "sm.banks=8", "sm.collectors=4"}},
    {"three banks, sixteen collectors", "volta", {"gpu.sms=2", "sm.banks=3", "sm.collectors=16"}},
    {"a narrow fetch",
     "volta",
     {"gpu.sms=2", "sm.ibuffer=1", "sm.fetch_width=1", "sm.l0i_b=0", "sm.fetch_cyc=3"}},
    {"a wide fetch", "volta", {"gpu.sms=2", "sm.ibuffer=8", "sm.fetch_width=8"}},
    {"a short queue", "volta", {"gpu.sms=2", "sm.lsu_queue=1"}},
    {"round robin", "volta", {"gpu.sms=2", "sm.wsched=lrr"}},
    {"collectors that fetch when empty",
     "volta",
     {"gpu.sms=2", "sm.fetch_empty=true", "sm.bank_swizzle=false"}},
};
enum { MACHINES = sizeof machines / sizeof machines[0], INSNS = 4096 };

/* ... with features; and what these are. */
static const struct play_machine others[] = {
    {"hopper", "hopper", {"gpu.sms=2"}},
    {"volta-accelsim", "volta-accelsim", {"gpu.sms=2"}},
    {"fermi", "fermi", {"gpu.sms=2"}},
    {"fermi-gpgpusim3", "fermi-gpgpusim3", {"gpu.sms=2"}},
    {"turing", "turing", {"gpu.sms=2"}},
    {"throughput", "throughput", {"gpu.sms=2"}},
    {"thirty-two banks of two reads", "volta", {"gpu.sms=2", "sm.banks=32", "sm.bank_reads=2"}},
    {"two fetches", "volta", {"gpu.sms=2", "sm.ibuffer=8", "sm.fetch_width=8", "sm.fetches=2"}},
    {"few ports", "volta", {"gpu.sms=2", "sm.banks=8", "sm.collector_ports=2", "sm.collectors=40"}},
    {"scores", "volta", {"gpu.sms=2", "sm.wsched=rba"}},
    {"no read lock", "volta", {"gpu.sms=2", "sm.read_lock=false"}},
    {"four schedulers that fetch",
     "volta20",
     {"gpu.sms=2", "sm.partitions=1", "sm.schedulers=4", "sm.fetches=4", "sm.ibuffer=2"}},
    {"stealing", "volta", {"gpu.sms=2", "sm.operands=stealing"}},
    {"caches with a write port",
     "volta",
     {"gpu.sms=2", "sm.operands=rfc", "sm.wsched=two-level", "sm.bank_write_port=true"}},
    {"late guards", "volta", {"gpu.sms=2", "sm.guard_cyc=3", "sm.cross_cyc=2"}},
};
enum { OTHERS = sizeof others / sizeof others[0] };

static const struct {
    bool sleeps, checks, watched;
} ways[] = {{true, false, false}, {true, true, false}, {false, false, false}, {false, true, false},
            {true, false, true},  {true, true, true},  {false, false, true}};
enum { WAYS = sizeof ways / sizeof ways[0], FIRST_WATCHED = 4 };

/* By the number of an instruction, and by none: kernels have their sums together. */
struct seen {
    struct sm_observer sm;
    struct sm_charged insns[INSNS], nowhere;
};

static void on_begin(void *ctx, uint32_t slot, uint64_t at, uint32_t tenant, uint32_t launch, uint32_t cta)
{
    (void)ctx, (void)slot, (void)at, (void)tenant, (void)launch, (void)cta;
}
static void on_end(void *ctx, uint32_t slot, uint64_t at) { (void)ctx, (void)slot, (void)at; }
static void on_load(void *ctx, const struct sm_load *l) { (void)ctx, (void)l; }
static void on_kernel(void *ctx, const struct gpu_kernel_result *k) { (void)ctx, (void)k; }
static void on_window(void *ctx, uint64_t until) { (void)ctx, (void)until; }
static const struct sm_observer *on_sm(void *ctx, uint32_t sm)
{
    (void)sm;
    return &((struct seen *)ctx)->sm;
}

static void on_charged(void *ctx, const struct sm_charged *sum, const struct sm_place *at)
{
    struct seen *s = ctx;
    assert_true(at->kernel == SM_NOWHERE || at->insn < INSNS);
    struct sm_charged *to = at->kernel == SM_NOWHERE ? &s->nowhere : &s->insns[at->insn];
    stat_add(to->causes, sum->causes, SM_CAUSES);
    to->lanes += sum->lanes;
    to->bank_conflicts += sum->bank_conflicts;
    to->read_wait += sum->read_wait;
    to->shared_conflicts += sum->shared_conflicts;
}

static enum gpu_status watched(const struct gpu_conf *c, struct tr_reader *t, bool check, struct seen *s,
                               struct gpu_result *r, struct diag *d)
{
    const struct gpu_observer o = {
        .ctx = s, .sample_cyc = UINT32_MAX, .sm = on_sm, .kernel = on_kernel, .window = on_window};
    s->sm = (struct sm_observer){
        .ctx = s, .cta_begin = on_begin, .cta_end = on_end, .load = on_load, .charged = on_charged};
    return gpu_run(c, t, &(struct gpu_opts){.check = check, .watch = &o}, r, d);
}

static features features_with(const struct gpu_conf *c, bool check, bool watch)
{
    struct sm_timing tm = {.lat = &c->lat, .ii = &c->ii, .unit = &c->unit, .count = &c->count};
    struct sm *s = sm_new(&c->sm, &tm, 0, check);
    sm_observe(s, watch ? &(struct sm_observer){0} : NULL);
    features f = s->features;
    sm_free(s);
    return f;
}

static void same_arrays(const struct gpu_conf *c, const struct gpu_result *a, const struct gpu_result *b)
{
    static const enum sm_array arrays[] = {SA_bank_reads, SA_bank_writes, SA_bank_conflicts,
                                           SA_reads_per_cycle};
    for (uint32_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        assert_memory_equal(a->arrays[arrays[i]], b->arrays[arrays[i]],
                            sm_array_n(&c->sm, arrays[i]) * sizeof *a->arrays[0]);
}

/* `least`: the machine has no feature of its own. */
static void check(const char *path, const struct play_machine *m, bool least)
{
    struct diag d = {0};
    struct gpu_conf c;
    struct gpu_result r[WAYS];
    struct tr_reader *t = tr_open(path, &d);
    struct seen *seen = xcalloc(WAYS, sizeof *seen);
    assert_true(t && play_load(&c, m, NULL, &d));
    for (uint32_t i = 0; i < WAYS; i++) {
        bool checks = ways[i].checks, watch = ways[i].watched;
        c.sm.sleep = ways[i].sleeps;
        features f = features_with(&c, checks, watch);
        assert_int_equal(f & (F_CHECKED | F_WATCHED | F_AWAKE),
                         (checks ? F_CHECKED : 0) | (watch ? F_WATCHED : 0) | (ways[i].sleeps ? 0 : F_AWAKE));
        assert_int_equal((f & ~(features)(F_CHECKED | F_WATCHED | F_AWAKE)) == 0, least);
        if ((watch ? watched(&c, t, checks, &seen[i], &r[i], &d)
                   : gpu_run(&c, t, &(struct gpu_opts){.check = checks}, &r[i], &d)) != GPU_OK)
            fail_msg("%s: %s", m->name, d.n ? d.msg[0].text : "no message");
        same(&r[0], &r[i], m->name);
        same_arrays(&c, &r[0], &r[i]);
        if (watch)
            assert_memory_equal(seen[i].insns, seen[FIRST_WATCHED].insns, sizeof seen[i].insns);
    }
    assert_int_equal(r[1].checked.operands, r[5].checked.operands);
    assert_int_equal(r[1].checked.lines, r[5].checked.lines);
    assert_int_equal(r[1].checked.operands, r[3].checked.operands);
    assert_int_equal(r[1].checked.lines, r[3].checked.lines);
    for (uint32_t i = 0; i < WAYS; i++)
        gpu_result_free(&r[i]);
    free(seen);
    conf_free(&c.conf);
    tr_free(t);
    diag_free(&d);
}

static void random_programs(void **state)
{
    static const enum wild_kind kinds[] = {WILD_ANY, WILD_MEMORY, WILD_ATOMICS, WILD_BLOCKS};
    (void)state;
    for (uint64_t seed = 0; seed < 4 * MACHINES; seed++) {
        char path[256];
        play_path(path);
        wild_write(path, 5000 + seed, kinds[seed % 4]);
        check(path, &machines[seed / 4], true);
        unlink(path);
    }
    for (uint64_t seed = 0; seed < 2 * OTHERS; seed++) {
        char path[256];
        play_path(path);
        wild_write(path, 6000 + seed, kinds[seed % 4]);
        check(path, &others[seed / 2], false);
        unlink(path);
    }
}

/* An option that is not at its default gives the SM the feature that its row names. */
static void rows_name_features(void **state)
{
    (void)state;
    static const struct {
        const char *set;
        features f;
    } rows[] = {{"sm.guard_cyc=1", F_DELAYS},
                {"sm.cross_cyc=1", F_DELAYS},
                {"sm.all_collect=true", F_ALL_COLLECT},
                {"sm.unit_latch=true", F_LATCHES | F_UNIT_LATCH},
                {"sm.issue_latch=true", F_LATCHES | F_ISSUE_LATCH},
                {"sm.read_lock=false", F_UNLOCKED},
                {"sm.dispatch_ports=1", F_LATCHES},
                {"sm.part_turns=true", F_TURNS},
                {"sm.schedulers=2", F_SCHEDULERS},
                {"sm.bank_write_port=true", F_WRITES},
                {"sm.banks=9", F_BANKS},
                {"sm.warp_limit=3", F_CHOICE},
                {"sm.wsched=rba", F_CHOICE},
                {"sm.operands=bow", F_POLICY},
                {"sm.reg_window=5", F_FOLLOWED},
                {"sm.lsu=mrpb", F_HOLDS},
                {"sm.banks=8", 0},
                {"sm.wsched=lrr", 0}};
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct mini m;
        mini_init(&m);
        mini_set(&m, rows[i].set);
        if (features_with(&m.conf, false, false) != rows[i].f)
            fail_msg("%s: %" PRIx64, rows[i].set, features_with(&m.conf, false, false));
        mini_free(&m);
    }
}

/* A warp ends with two results, of which only the first has a register. In one of these they come in the same cycle, and the
 * CTA ends with the write of it: not before the partition of the other warp, which has ended, was charged for the cycle. */
static void a_warp_ends_with_its_write(void **state)
{
    (void)state;
    for (uint32_t cyc = 16; cyc < 28; cyc++) {
        struct gpu_result r[2];
        for (uint32_t i = 0; i < 2; i++) {
            struct mini m;
            char set[32];
            mini_init(&m);
            m.warps = 2;
            mini_set(&m, "latency.int=20");
            snprintf(set, sizeof set, "latency.fp32=%u", cyc);
            mini_set(&m, set);
            m.warps_mask[mini_op(&m, TC_FP32, 1, 2, 3, MINI_NONE)] = 2;
            m.warps_mask[mini_op(&m, TC_INT, MINI_NONE, 4, 5, MINI_NONE)] = 2;
            m.conf.sm.sleep = !i;
            assert_int_equal(features_with(&m.conf, false, false), i ? F_AWAKE : 0);
            mini_run(&m, &r[i], 1);
            mini_free(&m);
        }
        same(&r[0], &r[1], "a warp's end");
        for (uint32_t i = 0; i < 2; i++)
            gpu_result_free(&r[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs),
                                       cmocka_unit_test(rows_name_features),
                                       cmocka_unit_test(a_warp_ends_with_its_write)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
