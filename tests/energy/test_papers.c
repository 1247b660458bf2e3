/* SPDX-License-Identifier: Apache-2.0 */
/* Papers' machines keep the papers' energies, event by event, whatever is measured on a chip: papers.csv has what an event of
 * each counter takes, on every preset with basis = paper and with every overlay of a claim about energy, and in its last column
 * what it took before the model knew any chip, where that was something else (docs/energy.md has the reasons). Where a price is
 * from stands in energy.def.
 *   test_energy_papers --print     the table as the model has it now */
#include "energy/rf.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include "stat_at.h"

#include <cmocka.h>

/* Preset, overlays, options on top of them. Of claims.csv throughput has unified.fig7 and fig9, fermi-stealing stealing.fig11,
 * maxwell regless.fig4_14 and fig4_15 (cells; experiments/regless/energy_sram.ini the others), turing-accelsim malekeh.fig15. */
static const struct {
    const char *preset, *mech, *set;
} machines[] = {
    {"fermi", "", ""},
    {"fermi-gpgpusim3", "", ""},
    {"fermi-warppool", "", ""},
    {"fermi-stealing", "", ""},
    {"fermi-stealing", "banks8", ""},
    {"fermi-stealing", "steal", ""},
    {"fermi-stealing", "steal-idle", ""},
    {"throughput", "", ""},
    {"throughput", "unified", ""},
    {"throughput", "unified-256", ""},
    {"throughput", "unified-128", ""},
    {"maxwell", "", ""},
    {"maxwell", "regless", ""},
    {"maxwell", "rfv", ""},
    {"maxwell", "rfh", ""},
    {"maxwell", "", "energy.rf_model=cells"},
    {"maxwell", "regless", "energy.rf_model=cells"},
    {"maxwell", "rfv", "energy.rf_model=cells"},
    {"maxwell", "rfh", "energy.rf_model=cells"},
    {"turing-accelsim", "", ""},
    {"turing-accelsim", "bow", ""},
    {"turing-accelsim", "malekeh", ""},
    {"turing-accelsim", "malekeh-pr", ""},
    {"turing-accelsim", "ccu-lru", ""},
    {"volta-accelsim", "", ""},
    {"volta-fc", "", ""},
    {"volta20", "", ""},
    {"volta20-accelsim", "", ""},
};
enum { MACHINES = sizeof machines / sizeof machines[0], LINE = 512, CYCLES = 1000000 };

struct machine {
    struct conf conf;
    struct energy_cfg energy;
    struct sm_cfg sm;
    struct mem_cfg mem;
    double sms, mhz;
};

static void set(struct machine *m, const char *section, const char *option, const char *value)
{
    char text[LINE];
    struct diag d = {0};
    snprintf(text, sizeof text, "%s.%s=%s", section, option, value);
    for (uint32_t i = 0; i < m->conf.n; i++)
        if (strcmp(m->conf.sec[i].name, section) == 0 && !conf_set(&m->conf, text, CONF_USER, &d)) {
            fprintf(stderr, "%s is refused\n", text);
            abort();
        }
    diag_free(&d);
    if (strcmp(section, "gpu") == 0 && strcmp(option, "sms") == 0)
        m->sms = atof(value);
    if (strcmp(section, "gpu") == 0 && strcmp(option, "core_mhz") == 0)
        m->mhz = atof(value);
}

/* A preset's file, after that of its base; or an overlay's. Sections that no price depends on are passed over. */
static void read_file(struct machine *m, const char *folder, const char *name)
{
    char path[LINE], line[LINE], section[64] = "", option[64], value[64];
    snprintf(path, sizeof path, "%s/../conf/%s/%s.ini", TEST_DATA_DIR, folder, name);
    FILE *f = fopen(path, "r");
    if (!f) {
        fprintf(stderr, "%s cannot be read\n", path);
        abort();
    }
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "[%63[a-z0-9_]]", section) != 1 &&
            sscanf(line, "%63[a-z0-9_] = %63[^ ;\n]", option, value) == 2) {
            if (strcmp(section, "preset") == 0)
                read_file(m, folder, value);
            else
                set(m, section, option, value);
        }
    fclose(f);
}

static void machine(struct machine *m, uint32_t which)
{
    char option[64] = "", value[64] = "";
    memset(m, 0, sizeof *m);
    conf_add(&m->conf, "energy", energy_opts, energy_nopts, &m->energy);
    conf_add(&m->conf, "sm", sm_opts, sm_nopts, &m->sm);
    conf_add(&m->conf, "mem", mem_opts, mem_nopts, &m->mem);
    policies_add(&m->conf, &m->sm);
    read_file(m, "gpus", machines[which].preset);
    if (*machines[which].mech)
        read_file(m, "mechs", machines[which].mech);
    if (sscanf(machines[which].set, "energy.%63[a-z_]=%63s", option, value) == 2)
        set(m, "energy", option, value);
    if (m->sms == 0 || m->mhz == 0) {
        fprintf(stderr, "%s says neither SMs nor clock\n", machines[which].preset);
        abort();
    }
}

typedef void each_price(void *to, uint32_t which, const char *counter, double pj);

static double price(struct machine *m, const uint64_t *n, const uint64_t *mem, uint64_t cycles)
{
    struct energy_out e;
    struct energy_in in = {
        .of = {.cfg = &m->energy, .sm = &m->sm, .mem = &m->mem, .sms = (uint32_t)m->sms, .core_mhz = m->mhz},
        .cycles = cycles,
        .sm = n,
        .mem = mem};
    energy_of(&in, &e);
    return e.total_pj;
}

/* Counters that are a part of another: these events are counted there, too. */
static void count(uint64_t *n, uint32_t at, const char *name, uint64_t events)
{
    static const struct {
        const char *part;
        enum sm_stat of;
    } parts[] = {{"sm.l1_read_hits", SS_l1_reads},
                 {"sm.l1_read_merged", SS_l1_reads},
                 {"sm.cache_prefetches", SS_reg_reads},
                 {"swrfc.lrf_reads", SS_cache_hits},
                 {"swrfc.lrf_writes", SS_cache_writes}};
    n[at] = events;
    for (uint32_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (strcmp(parts[i].part, name) == 0)
            n[parts[i].of] = events;
}

/* What an event of every counter takes. */
static void prices(uint32_t which, each_price *f, void *to)
{
    struct machine m;
    uint64_t n[SM_STATS] = {0}, mem[MS_COUNT] = {0};
    char name[LINE];
    machine(&m, which);
    for (uint32_t i = 0, at; sm_stat_table(i, &at); i++)
        for (uint32_t k = 0; k < sm_stat_table(i, &at)->n; k++) {
            const struct stat_table *t = sm_stat_table(i, &at);
            snprintf(name, sizeof name, "%s.%s", t->section, t->rows[k].name);
            count(n, at + k, name, 1);
            f(to, which, name, price(&m, n, mem, 0));
            count(n, at + k, name, 0);
        }
    for (uint32_t i = 0; i < MS_COUNT; i++) {
        mem[i] = 1;
        snprintf(name, sizeof name, "mem.%s", mem_stats.rows[i].name);
        f(to, which, name, price(&m, n, mem, 0));
        mem[i] = 0;
    }
    f(to, which, "cycles", price(&m, n, mem, CYCLES) / CYCLES);
    conf_free(&m.conf);
}

static void print_one(void *to, uint32_t which, const char *counter, double pj)
{
    if (pj != 0)
        fprintf(to, "%s,%s,%s,%s,%.9g\n", machines[which].preset, machines[which].mech, machines[which].set,
                counter, pj);
}

struct table {
    char *text;
    uint32_t used, found, wrong;
};

/* What the table says; nothing where it has no row. */
static double told(struct table *t, uint32_t which, const char *counter)
{
    char key[LINE];
    int n = snprintf(key, sizeof key, "\n%s,%s,%s,%s,", machines[which].preset, machines[which].mech,
                     machines[which].set, counter);
    const char *at = strstr(t->text, key);
    t->used += at != NULL;
    return at ? atof(at + n) : 0;
}

static void check_one(void *to, uint32_t which, const char *counter, double pj)
{
    struct table *t = to;
    double was = told(t, which, counter);
    t->found++;
    if (fabs(pj - was) <= 1e-7 * fabs(was))
        return;
    t->wrong++;
    fprintf(stderr, "%s %s %s: %s takes %.9g pJ, not %.9g\n", machines[which].preset, machines[which].mech,
            machines[which].set, counter, pj, was);
}

static char *read_table(uint32_t *rows)
{
    enum { MOST = 1 << 18 };
    char *text = calloc(1, MOST);
    FILE *f = fopen(TEST_DATA_DIR "/energy/papers.csv", "r");
    assert_non_null(text);
    assert_non_null(f);
    size_t n = fread(text, 1, MOST - 1, f);
    assert_true(n < MOST - 1);
    fclose(f);
    *rows = 0;
    for (const char *c = text; (c = strchr(c, '\n')) != NULL; c++)
        ++*rows;
    return text;
}

/* Every counter of every machine takes what the table says, and the table has no row that nothing takes. */
static void stay(void **state)
{
    (void)state;
    uint32_t rows;
    struct table t = {.text = read_table(&rows)};
    for (uint32_t i = 0; i < MACHINES; i++)
        prices(i, check_one, &t);
    assert_int_equal(t.wrong, 0);
    assert_int_equal(t.used, rows - 1); /* its first line has the names of the columns */
    assert_true(t.found > t.used);
    free(t.text);
}

/* The presets that the table has not rest on no paper, so it has all that do. */
static void no_other(void **state)
{
    (void)state;
    static const char *const others[] = {"ada", "ampere", "hopper", "turing", "volta"};
    struct machine m;
    for (uint32_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        memset(&m, 0, sizeof m);
        conf_add(&m.conf, "energy", energy_opts, energy_nopts, &m.energy);
        read_file(&m, "gpus", others[i]);
        assert_string_not_equal(m.energy.basis, "paper");
        conf_free(&m.conf);
    }
    for (uint32_t i = 0; i < MACHINES; i++) {
        machine(&m, i);
        assert_string_equal(m.energy.basis, "paper");
        conf_free(&m.conf);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stay), cmocka_unit_test(no_other)};
    if (argc == 2 && strcmp(argv[1], "--print") == 0) {
        printf("preset,mech,set,counter,pj\n");
        for (uint32_t i = 0; i < MACHINES; i++)
            prices(i, print_one, stdout);
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
