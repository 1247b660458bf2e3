/* SPDX-License-Identifier: Apache-2.0 */
/* What is put in comes out: runs, points that share one, options, counters, facts; nothing is stored twice. */
#include "rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_one_run(void **state)
{
    (void)state;
    struct rig r;
    rig_start(&r);
    struct db *db = rig_open(&r);
    rig_put(&r, db, "adds", "base", NULL);
    assert_int_equal((int)rig_ask(db, "SELECT count(*) FROM run"), 1);
    assert_true(rig_ask(db, "SELECT cycles FROM result WHERE workload = 'adds' AND size = 'small'") ==
                (double)r.result.cycles);
    assert_int_equal((int)rig_ask(db, "SELECT warp_insts FROM result"), 16);
    assert_int_equal((int)rig_ask(db, "SELECT speedup FROM speedup"), 1);
    assert_int_equal((int)rig_ask(db, "SELECT value FROM counter WHERE name = 'sm.warp_insts'"), 16);
    assert_int_equal((int)rig_ask(db, "SELECT count(*) FROM counter"),
                     (int)sm_nstats() + MS_COUNT + SAM_COUNT);
    assert_true(rig_ask(db, "SELECT abs(sum(share) - 1) FROM stall") < 1e-9);
    assert_int_equal((int)rig_ask(db, "SELECT regs FROM trace_kernel WHERE name = 'adds'"), 17);
    assert_int_equal((int)rig_ask(db, "SELECT shared_b FROM trace_launch"), 356);
    assert_int_equal((int)rig_ask(db, "SELECT cycles FROM kernel") > 0, 1);
    assert_int_equal(
        (int)rig_ask(db,
                     "SELECT json_array_length(list) FROM distribution WHERE name = 'sm.partition_issued'"),
        2);
    assert_int_equal((int)rig_ask(db, "SELECT value FROM option WHERE name = 'gpu.sms' AND layer = 'preset'"),
                     2);
    assert_int_equal(
        (int)rig_ask(
            db, "SELECT count(*) FROM option WHERE name = 'sm.banks' AND layer = 'default' AND source = ''"),
        1);
    assert_true(rig_ask(db, "SELECT ipc_per_sm FROM ratio") > 0);
    assert_int_equal((int)rig_ask(db, "SELECT count(*) FROM trace WHERE program = 'adds --odd ?'"), 1);
    db_close(db);
    rig_stop(&r);
}

/* Speed is of kernel cycles in every view, and of the program's where it says so. */
static void test_kernel_cycles(void **state)
{
    (void)state;
    struct rig r;
    rig_start(&r);
    struct db *db = rig_open(&r);
    rig_put(&r, db, "adds", "base", NULL);
    double cycles = (double)r.result.cycles, kernel = (double)r.result.kernel_cycles;
    assert_true(kernel > 0 && kernel < cycles);
    assert_true(rig_ask(db, "SELECT kernel_cycles FROM result") == kernel);
    assert_true(rig_ask(db, "SELECT ipc * kernel_cycles FROM result") == 16);
    assert_true(rig_ask(db, "SELECT program_ipc * cycles FROM result") == 16);
    assert_true(rig_ask(db, "SELECT kernel_cycles FROM kernel WHERE kernel_cycles < cycles") == kernel);
    assert_int_equal((int)rig_ask(db, "SELECT count(*) FROM stall WHERE cause = 'stall_launch'"), 0);
    assert_true(rig_ask(db, "SELECT sched_cycles FROM wide") == kernel * 2 * 4);
    assert_true(rig_ask(db, "SELECT abs(ipc_per_sm - issue_utilisation * 4) FROM ratio") < 1e-9);
    /* A mechanism that takes twice the kernel cycles, after the same latency. */
    r.result.kernel_cycles *= 2;
    r.result.cycles += (uint64_t)kernel;
    rig_put(&r, db, "adds", "slow", "sm.collectors=5");
    assert_true(rig_ask(db, "SELECT speedup FROM speedup WHERE mechs = 'slow'") == 0.5);
    assert_true(rig_ask(db, "SELECT base_kernel_cycles FROM speedup WHERE mechs = 'slow'") == kernel);
    assert_true(rig_ask(db, "SELECT program_speedup FROM speedup WHERE mechs = 'slow'") ==
                cycles / (cycles + kernel));
    db_close(db);
    rig_stop(&r);
}

static void test_points_share_runs(void **state)
{
    (void)state;
    struct rig r;
    rig_start(&r);
    struct db *db = rig_open(&r);
    rig_put(&r, db, "adds", "base", NULL);
    rig_put(&r, db, "adds", "base", NULL);
    rig_put(&r, db, "adds", "twin", NULL);
    assert_int_equal((int)rig_ask(db, "SELECT count(*) FROM run"), 1);
    assert_int_equal((int)rig_ask(db, "SELECT count(*) FROM point"), 2);
    /* Another option is another run; the name moves to it. */
    rig_put(&r, db, "adds", "twin", "sm.collectors=5");
    assert_int_equal((int)rig_ask(db, "SELECT count(*) FROM run"), 2);
    assert_int_equal((int)rig_ask(db, "SELECT count(*) FROM machine"), 2);
    assert_int_equal((int)rig_ask(db, "SELECT count(*) FROM point"), 2);
    assert_int_equal((int)rig_ask(db, "SELECT count(DISTINCT run) FROM point"), 2);
    assert_int_equal((int)rig_ask(db, "SELECT count(*) FROM trace"), 1);
    db_close(db);
    rig_stop(&r);
}

static void test_find(void **state)
{
    (void)state;
    struct rig r;
    struct diag d = {0};
    struct db_answer a;
    rig_start(&r);
    struct db *db = rig_open(&r);
    struct db_key key = rig_key(&r, 0);
    assert_true(db_find(db, &key, &a, &d));
    assert_int_equal(a.status, DB_MISSING);
    rig_put(&r, db, "adds", "base", NULL);
    db_close(db);
    db = rig_open(&r);
    assert_true(db_find(db, &key, &a, &d));
    assert_int_equal(a.status, DB_OK);
    assert_int_equal(a.cycles, r.result.cycles);
    assert_int_equal(a.kernel_cycles, r.result.kernel_cycles);
    assert_int_equal(a.warp_insts, 16);
    struct db_key other = rig_key(&r, 1);
    assert_string_not_equal(other.text, key.text);
    assert_true(conf_set(&r.conf.conf, "sm.banks=4", CONF_USER, &d));
    other = rig_key(&r, 0);
    assert_string_not_equal(other.text, key.text);
    assert_int_equal(strlen(key.text), 32);
    db_close(db);
    diag_free(&d);
    rig_stop(&r);
}

static void test_failures_are_kept(void **state)
{
    (void)state;
    struct rig r;
    struct diag d = {0};
    struct gpu_result none = {0};
    struct db_answer a;
    rig_start(&r);
    struct db *db = rig_open(&r);
    struct db_run run = {.point = {"adds", "", 24, "volta", "base", "", .ptx_order = true},
                         .key = rig_key(&r, 0),
                         .trace = r.reader,
                         .conf = &r.conf,
                         .result = &none,
                         .status = DB_DEADLOCK,
                         .reason = "it waits",
                         .version = "1"};
    assert_true(db_put_run(db, &run, &d));
    assert_true(db_find(db, &run.key, &a, &d));
    assert_int_equal(a.status, DB_DEADLOCK);
    assert_int_equal((int)rig_ask(db, "SELECT count(*) FROM result"), 0);
    assert_int_equal((int)rig_ask(db, "SELECT max_regs FROM point"), 24);
    assert_int_equal((int)rig_ask(db, "SELECT count(*) FROM point WHERE code_order = 'ptx'"), 1);
    assert_int_equal((int)rig_ask(db, "SELECT count(*) FROM run WHERE reason = 'it waits'"), 1);
    db_close(db);
    rig_stop(&r);
}

static void test_facts(void **state)
{
    (void)state;
    struct rig r;
    struct diag d = {0};
    bool has;
    struct db_fact facts[] = {{"class.FP32", 12}, {"class.EXIT", 4}};
    rig_start(&r);
    struct db *db = rig_open(&r);
    assert_true(db_has_facts(db, tr_identity(r.reader), &has, &d));
    assert_false(has);
    assert_true(db_put_facts(db, r.reader, facts, 2, &d));
    assert_true(db_put_facts(db, r.reader, facts, 2, &d));
    assert_true(db_has_facts(db, tr_identity(r.reader), &has, &d));
    assert_true(has);
    assert_int_equal((int)rig_ask(db, "SELECT sum(value) FROM trace_fact"), 16);
    rig_put(&r, db, "adds", "base", NULL);
    assert_int_equal((int)rig_ask(db, "SELECT count(*) FROM trace"), 1);
    db_close(db);
    rig_stop(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_run),           cmocka_unit_test(test_kernel_cycles),
        cmocka_unit_test(test_points_share_runs), cmocka_unit_test(test_find),
        cmocka_unit_test(test_failures_are_kept), cmocka_unit_test(test_facts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
