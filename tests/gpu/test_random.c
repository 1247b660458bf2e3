/* Random traces on the timing model: under every scheduler, on presets and on machines of odd sizes, every run ends, checks
 * clean, issues all that the trace has and charges every scheduler cycle once.
 *
 *   test_gpu_random              some traces (part of `make test`)
 *   test_gpu_random FROM TO      those seeds, on four machines each
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
    return (enum wild_kind)(seed % 4 == 3 ? 1 + seed / 4 % 3 : 0);
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
    for (uint64_t seed = 0; seed < QUICK_SEEDS; seed++)
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
    static const char *const names[] = {"core_mhz",   "dram_mhz", "stuck_cyc", "sms",           "simple_cyc",
                                        "launch_cyc", "slices",   "channels",  "partitions",    "registers",
                                        "warps",      "threads",  "shared_kb", "shared_cta_kb", "schedulers",
                                        "l1_unified", "reg_unit", "rf_ref_kb", "rf_ref_mm2",    "cell_um2"};
    for (uint32_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static void put(struct dice *d, const char *name, uint32_t value)
{
    char text[128];
    snprintf(text, sizeof text, "%s=%u", name, value);
    conf_set(&d->c->conf, text, CONF_USER, d->d);
    snprintf(d->said + strlen(d->said), sizeof d->said - strlen(d->said), " --set %s", text);
}

static void roll_together(struct dice *d)
{
    uint32_t parts = 1 + rng_below(&d->r, 16), channels = 1 + rng_below(&d->r, 9);
    uint32_t warps = (8 + parts - 1) / parts + rng_below(&d->r, 30);
    put(d, "sm.partitions", parts);
    put(d, "sm.warps", warps);
    put(d, "sm.schedulers", 1 + rng_below(&d->r, warps < 8 ? warps : 8));
    put(d, "sm.registers", parts * warps * 2048);
    put(d, "mem.channels", channels);
    put(d, "mem.slices", channels * (1 + rng_below(&d->r, 5)));
    if (rng_below(&d->r, 2)) {
        put(d, "sm.l1_unified", 0);
        put(d, "sm.shared_kb", 16 + rng_below(&d->r, 100));
    }
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
        snprintf(text, sizeof text, "%s.%s=%.0f", section, o->name, v);
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
    for (uint64_t seed = 0; seed < QUICK_CONFS; seed++) {
        int r = check_conf(seed);
        assert_true(r >= 0);
        refused += (uint32_t)r;
    }
    assert_true(refused < QUICK_CONFS / 2);
}

int main(int argc, char **argv)
{
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_traces), cmocka_unit_test(random_machines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
