/* SPDX-License-Identifier: Apache-2.0 */
/* Energy is a function of what the database has of a run: its options, its cycles and its counters give the stored values again,
 * to the last bit. */
#include "rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <sqlite3.h>

/* A configuration with the options of the only machine, as texts. */
static void read_options(struct db *db, struct gpu_conf *c)
{
    struct diag d = {0};
    sqlite3_stmt *s;
    uint32_t n = 0;
    gpu_conf_init(c);
    assert_int_equal(sqlite3_prepare_v2(db_sql(db), "SELECT name || '=' || value FROM option", -1, &s, NULL),
                     SQLITE_OK);
    for (; sqlite3_step(s) == SQLITE_ROW; n++)
        assert_true(conf_set(&c->conf, (const char *)sqlite3_column_text(s, 0), CONF_USER, &d));
    sqlite3_finalize(s);
    assert_true(n > 100);
}

static void read_counters(struct db *db, const struct stat_table *t, uint64_t *v)
{
    for (uint32_t i = 0; i < t->n; i++) {
        char sql[160];
        snprintf(sql, sizeof sql, "SELECT value FROM counter WHERE name = '%s.%s'", t->section,
                 t->rows[i].name);
        v[i] = (uint64_t)rig_ask(db, sql);
    }
}

static void again(const char *set)
{
    struct rig r;
    struct gpu_conf c;
    struct gpu_result result = {0};
    struct energy_out e;
    rig_start(&r);
    /* Counters of a run that had to do with everything. */
    for (uint32_t i = 0; i < sm_nstats(); i++)
        r.result.sm[i] += 1000003 * (i + 1);
    for (uint32_t i = 0; i < MS_COUNT; i++)
        r.result.mem[i] += 999983 * (i + 1);
    r.result.sm[SS_l1_read_hits] = r.result.sm[SS_l1_reads] / 3;
    r.result.sm[SS_l1_read_merged] = r.result.sm[SS_l1_reads] / 7;
    r.result.sm[SS_cache_prefetches] = r.result.sm[SS_reg_reads] / 5;
    r.result.sm[SS_cycles] *= 1000; /* more than of all causes of waiting */
    struct db *db = rig_open(&r);
    rig_put(&r, db, "adds", "base", set);
    read_options(db, &c);
    result.cycles = (uint64_t)rig_ask(db, "SELECT cycles FROM run");
    for (uint32_t i = 0, at; sm_stat_table(i, &at); i++)
        read_counters(db, sm_stat_table(i, &at), result.sm + at);
    read_counters(db, &mem_stats, result.mem);
    gpu_energy(&c, &result, &e);
    bool paper = strcmp(c.energy.basis, "paper") == 0;
    for (uint32_t i = 0; i < EP_COUNT; i++) {
        char sql[128];
        snprintf(sql, sizeof sql, "SELECT pj FROM energy WHERE name = '%s'", energy_parts[i].name);
        double stored = rig_ask(db, sql);
        assert_memory_equal(&stored, &e.pj[i], sizeof stored);
        /* Parts that only some machines have. */
        assert_true(stored > 0 || i == EP_rf_arbiter || i == EP_rf_cache || i == EP_osu_tags ||
                    i == EP_compressor || i == EP_onchip_wire || i == EP_tensor ||
                    (paper ? i == EP_active || i == EP_idle : i == EP_product_shared));
    }
    const struct policy *p = policy_of(&c.sm, SEAM_OPERANDS);
    assert_true((e.pj[EP_rf_arbiter] > 0) == (p->logic != NULL));
    assert_true((e.pj[EP_rf_cache] > 0) == (p->price != NULL));
    assert_int_equal((int)rig_ask(db, "SELECT count(*) FROM energy"), EP_COUNT);
    struct area_out a;
    struct energy_machine of = gpu_machine(&c);
    area_of(&of, &a);
    for (uint32_t i = 0; i < AP_COUNT; i++) {
        char sql[128];
        snprintf(sql, sizeof sql, "SELECT mm2 FROM area WHERE name = '%s'", area_parts[i].name);
        assert_true(rig_ask(db, sql) == a.mm2[i]);
    }
    double sum = rig_ask(db, "SELECT energy_pj FROM result");
    assert_true(sum > e.total_pj * (1 - 1e-12) && sum < e.total_pj * (1 + 1e-12));
    db_close(db);
    conf_free(&c.conf);
    rig_stop(&r);
}

static void test_again(void **state)
{
    (void)state;
    again(NULL);
    again("sm.operands=stealing");
    again("sm.collectors=7"); /* not banks: the rig's distributions are of its own */
    again("energy.lane_pj=0.12345678901234567");
    again("gpu.core_mhz=1234.5678901234567");
    again("energy.basis=measured");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
