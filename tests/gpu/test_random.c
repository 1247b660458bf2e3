/* SPDX-License-Identifier: Apache-2.0 */
/* Random traces on the timing model: under every scheduler, on presets and on machines of odd sizes, every run ends, checks
 * clean, issues all that the trace has and charges every scheduler cycle once.
 *
 *   test_gpu_random              some traces (part of `make test`)
 *   test_gpu_random FROM TO      those seeds, on four machines each
 *   test_gpu_random --mech MECH GPU FROM TO [OPTION=VALUE...]   those seeds, on one SM of a preset with a mechanism
 *   test_gpu_random --keep SEED FILE   writes a trace */
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

enum { QUICK_SEEDS = 32, QUICK_MACHINES = 3, QUICK_CONFS = 60, LONG_MACHINES = 4 };

static enum wild_kind kind_of(uint64_t seed)
{
    switch (seed % 4) {
    case 1: return WILD_CODE;
    case 2: return seed / 4 % 2 ? WILD_CODE : WILD_BLOCKS;
    case 3: return seed / 4 % 2 ? WILD_ATOMICS : WILD_MEMORY;
    default: return WILD_ANY;
    }
}

/* `most` machines, from another one on for each seed. */
static bool check(uint64_t seed, uint32_t most)
{
    char path[256], buf[400];
    bool ok = true;
    play_path(path);
    wild_write(path, seed, kind_of(seed));
    for (uint32_t i = 0; i < most; i++) {
        const struct play_machine *m = &play_machines[(seed * most + i) % PLAY_MACHINES];
        for (uint32_t k = 0; wsched_name(k); k++) {
            const char *bad = play(path, m, wsched_name(k), 1, NULL, buf, sizeof buf);
            if (bad)
                fprintf(stderr, "seed %llu on %s, %s: %s\n", (unsigned long long)seed, m->name,
                        wsched_name(k), bad);
            ok &= !bad;
        }
    }
    unlink(path);
    return ok;
}

static void random_traces(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < QUICK_SEEDS; seed += TEST_EACH)
        assert_true(check(seed, QUICK_MACHINES));
}

/* ---- random machines ---- */

struct dice {
    struct rng r;
    struct gpu_conf *c;
    struct diag *d;
    char said[8000];
};

/* Clocks and limits decide how long a run takes or when it is given up, not whether it is right; the others depend on each
 * other, and are set together. */
static bool leave(const char *name)
{
    static const char *const names[] = {
        "insts",     "tenant",    "share",      "most_cyc",   "core_mhz",      "dram_mhz",     "l2_mhz",
        "stuck_cyc", "sms",       "simple_cyc", "launch_cyc", "slices",        "channels",     "partitions",
        "registers", "warps",     "threads",    "shared_kb",  "shared_cta_kb", "schedulers",   "onchip",
        "reg_unit",  "rf_ref_kb", "rf_ref_mm2", "cell_um2",   "passes",        "const_line_b", "region"};
    for (uint32_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static void put_text(struct dice *d, const char *text)
{
    conf_set(&d->c->conf, text, CONF_USER, d->d);
    snprintf(d->said + strlen(d->said), sizeof d->said - strlen(d->said), " --set %s", text);
}

static void put(struct dice *d, const char *name, uint32_t value)
{
    char text[128];
    snprintf(text, sizeof text, "%s=%u", name, value);
    put_text(d, text);
}

static void roll_together(struct dice *d)
{
    /* Every other machine has as many partitions as the tables of srr and shuffle are for. */
    uint32_t parts = rng_below(&d->r, 2) ? 1u << rng_below(&d->r, 3) : 1 + rng_below(&d->r, 16);
    uint32_t channels = 1 + rng_below(&d->r, 9);
    uint32_t warps = (8 + parts - 1) / parts + rng_below(&d->r, 30);
    put(d, "sm.partitions", parts);
    put(d, "sm.warps", warps);
    put(d, "sm.schedulers", 1 + rng_below(&d->r, warps < 8 ? warps : 8));
    put(d, "sm.registers", parts * warps * 2048);
    put(d, "mem.channels", channels);
    put(d, "mem.slices", channels * (1 + rng_below(&d->r, 5)));
    put(d, "sm.const_line_b", 64u << rng_below(&d->r, 2));
    if (rng_below(&d->r, 2)) {
        put_text(d, "sm.onchip=partitioned");
        put(d, "sm.shared_kb", 16 + rng_below(&d->r, 100));
    }
}

static double power_below(double most)
{
    double v = 1;
    while (2 * v <= most)
        v *= 2;
    return v;
}

static void roll(void *ctx, const char *section, const struct conf_opt *o, const char *value,
                 const char *source)
{
    struct dice *d = ctx;
    char text[128];
    (void)value;
    (void)source;
    if (leave(o->name) || rng_below(&d->r, 4))
        return;
    if (o->type == CONF_NAME) {
        uint32_t n = 0;
        while (o->names(n))
            n++;
        snprintf(text, sizeof text, "%s.%s=%s", section, o->name, o->names(rng_below(&d->r, n)));
    } else {
        double hi = o->hi < 4 * o->def + 4 ? o->hi : 4 * o->def + 4, v = o->lo;
        if (rng_below(&d->r, 3))
            v += (double)rng_below(&d->r, (uint32_t)(hi - o->lo) + 1);
        v = v < o->hi ? v : o->hi;
        snprintf(text, sizeof text, "%s.%s=%.10g", section, o->name,
                 o->type == CONF_POW2 ? power_below(v) : v);
    }
    conf_set(&d->c->conf, text, CONF_USER, d->d);
    snprintf(d->said + strlen(d->said), sizeof d->said - strlen(d->said), " --set %s", text);
}

/* 1: refused, for a reason. */
static int check_conf(uint64_t seed)
{
    char path[256], buf[400];
    struct gpu_conf c;
    struct gpu_result r = {0};
    struct diag d = {0};
    const char *bad = NULL;
    gpu_conf_init(&c);
    conf_set(&c.conf, "gpu.sms=2", CONF_USER, &d);
    struct dice dice = {.r = {seed}, .c = &c, .d = &d};
    conf_each(&c.conf, roll, &dice);
    diag_print(&d, stderr);
    roll_together(&dice);
    assert_int_equal(d.errors, 0);
    play_path(path);
    wild_write(path, seed, kind_of(seed));
    struct tr_reader *t = tr_open(path, &d);
    assert_non_null(t);
    enum gpu_status s = gpu_run(&c, t, &(struct gpu_opts){.threads = 1, .check = true}, &r, &d);
    struct play_want w = play_count(t);
    if (s == GPU_OK)
        bad = play_check(&w, &c, t, &r, buf, sizeof buf);
    else if (s == GPU_DEADLOCK || !d.errors || strncmp(d.msg[0].text, "SM ", 3) == 0)
        bad = d.errors ? d.msg[0].text : "refused without a word";
    if (bad)
        fprintf(stderr, "machine %llu: %s\n%s\n", (unsigned long long)seed, bad, dice.said);
    int result = bad ? -1 : s != GPU_OK;
    gpu_result_free(&r);
    tr_free(t);
    conf_free(&c.conf);
    diag_free(&d);
    unlink(path);
    return result;
}

static void random_machines(void **state)
{
    (void)state;
    uint32_t refused = 0;
    for (uint64_t seed = 0; seed < QUICK_CONFS; seed += TEST_EACH) {
        int r = check_conf(seed);
        assert_true(r >= 0);
        refused += (uint32_t)r;
    }
    assert_true(refused < QUICK_CONFS / 2);
}

/* ---- one mechanism ---- */

struct sums {
    uint64_t traces, kernels, failed;
    struct play_want want;
    uint64_t sm[SM_STATS];
};

static bool load_mech(struct gpu_conf *c, const char *mech, const char *gpu, char **sets)
{
    struct diag d = {0};
    char path[2][512];
    snprintf(path[0], sizeof path[0], "%s/../conf/gpus/%s.ini", TEST_DATA_DIR, gpu);
    snprintf(path[1], sizeof path[1], "%s/../conf/mechs/%s.ini", TEST_DATA_DIR, mech);
    gpu_conf_init(c);
    bool ok = conf_read(&c->conf, path[0], CONF_PRESET, &d) && conf_read(&c->conf, path[1], CONF_MECH, &d) &&
              conf_set(&c->conf, "gpu.sms=1", CONF_USER, &d);
    for (; ok && *sets; sets++)
        ok = conf_set(&c->conf, *sets, CONF_USER, &d);
    ok = ok && gpu_conf_check(c, &d);
    diag_print(&d, stderr);
    diag_free(&d);
    return ok;
}

static void check_mech(const struct gpu_conf *c, uint64_t seed, struct sums *sum)
{
    char path[256], buf[400];
    struct gpu_result r = {0};
    struct diag d = {0};
    play_path(path);
    wild_write(path, seed, kind_of(seed));
    struct tr_reader *t = tr_open(path, &d);
    struct play_want w = play_count(t);
    enum gpu_status s = gpu_run(c, t, &(struct gpu_opts){.threads = 1, .check = true}, &r, &d);
    const char *bad =
        s != GPU_OK ? d.n ? d.msg[0].text : "no message" : play_check(&w, c, t, &r, buf, sizeof buf);
    if (bad)
        printf("seed %llu: %s\n", (unsigned long long)seed, bad);
    sum->failed += bad != NULL;
    sum->traces++;
    sum->kernels += tr_nkernels(t);
    sum->want.insts += w.insts;
    sum->want.tensor += w.tensor;
    sum->want.partial += w.partial;
    for (uint32_t i = 0; i < SS_COUNT; i++)
        sum->sm[i] += r.sm[i];
    gpu_result_free(&r);
    tr_free(t);
    diag_free(&d);
    unlink(path);
}

/* Warps beyond a limit that stood within a strand held all places of the active set; these traces did not end. */
static void limited_strands(void **state)
{
    (void)state;
    static const uint64_t seeds[] = {86, 101};
    char *none = NULL;
    struct gpu_conf c;
    struct sums sum = {0};
    assert_true(load_mech(&c, "swl", "throughput", &none));
    for (uint32_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++)
        check_mech(&c, seeds[i], &sum);
    assert_int_equal(sum.failed, 0);
    conf_free(&c.conf);
}

/* Slots take turns in the active set: one whose warp stood at a barrier had its registers on the way when it left again. */
static void turned_sets(void **state)
{
    (void)state;
    char turn[] = "active.turn=true", *sets[] = {turn, NULL};
    struct gpu_conf c;
    struct sums sum = {0};
    assert_true(load_mech(&c, "ltrf", "volta", sets));
    for (uint64_t seed = 0; seed < 6; seed++)
        check_mech(&c, seed, &sum);
    assert_int_equal(sum.failed, 0);
    conf_free(&c.conf);
}

static int run_mech(const char *mech, const char *gpu, uint64_t from, uint64_t to, char **sets)
{
    static const enum sm_stat shown[] = {SS_reg_reads,        SS_cache_reads,    SS_cache_hits,
                                         SS_cache_writes,     SS_cache_filtered, SS_cache_lost,
                                         SS_cache_writebacks, SS_cache_dead,     SS_cache_flushes};
    struct gpu_conf c;
    struct sums sum = {0};
    bool ok = load_mech(&c, mech, gpu, sets);
    for (uint64_t seed = from; ok && seed <= to; seed++)
        check_mech(&c, seed, &sum);
    printf("%s on %s: %llu traces, %llu kernels, %llu failed; %llu instructions, %llu of tensor cores, "
           "%llu by some lanes\n",
           mech, gpu, (unsigned long long)sum.traces, (unsigned long long)sum.kernels,
           (unsigned long long)sum.failed, (unsigned long long)sum.want.insts,
           (unsigned long long)sum.want.tensor, (unsigned long long)sum.want.partial);
    for (uint32_t i = 0; i < sizeof shown / sizeof shown[0]; i++)
        if (sum.sm[shown[i]])
            printf("%s%s %llu", i ? ", " : "  ", sm_stats.rows[shown[i]].name,
                   (unsigned long long)sum.sm[shown[i]]);
    printf("\n");
    conf_free(&c.conf);
    return !ok || sum.failed;
}

int main(int argc, char **argv)
{
    if (argc >= 6 && strcmp(argv[1], "--mech") == 0)
        return run_mech(argv[2], argv[3], strtoull(argv[4], NULL, 0), strtoull(argv[5], NULL, 0), argv + 6);
    if (argc == 4 && strcmp(argv[1], "--keep") == 0) {
        uint64_t seed = strtoull(argv[2], NULL, 0);
        wild_write(argv[3], seed, kind_of(seed));
        return 0;
    }
    if (argc == 3) {
        unsigned failed = 0, refused = 0;
        uint64_t from = strtoull(argv[1], NULL, 0), to = strtoull(argv[2], NULL, 0);
        for (uint64_t seed = from; seed <= to; seed++) {
            failed += !check(seed, LONG_MACHINES);
            int r = check_conf(seed);
            failed += r < 0;
            refused += r > 0;
        }
        printf("%llu traces, %u failed; %u random machines refused\n", (unsigned long long)(to - from + 1),
               failed, refused);
        return failed != 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_traces), cmocka_unit_test(random_machines),
                                       cmocka_unit_test(limited_strands), cmocka_unit_test(turned_sets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
