/* SPDX-License-Identifier: Apache-2.0 */
/* Counters over time in the results database: lists that add up, rows of the view, replacing, merging; and a file that was made
 * before they existed. */
#include "rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <sqlite3.h>
#include <unistd.h>

static const char *const names[] = {"sm.issued", "mem.dram_reads", "sm.never"};
static const uint64_t ends[] = {100, 200, 250};
static const int64_t values[] = {10, 0, 0, /* */ 20, 7, 0, /* */ 5, -1, 0};

static void put(struct rig *r, struct db *db, uint32_t every, uint32_t n)
{
    struct diag d = {0};
    struct db_key key = rig_key(r, 0);
    struct db_intervals v = {
        .every_cyc = every, .n = n, .ends = ends, .ncounters = 3, .names = names, .values = values};
    assert_true(db_put_intervals(db, &key, &v, &d));
    diag_free(&d);
}

static void test_rows(void **state)
{
    struct rig r;
    struct diag d = {0};
    bool has;
    (void)state;
    rig_start(&r);
    struct db *db = rig_open(&r);
    struct db_key key = rig_key(&r, 0), other = rig_key(&r, 7);
    struct db_intervals none = {.every_cyc = 1, .ncounters = 3, .names = names};
    assert_false(db_put_intervals(db, &other, &none, &d));
    assert_non_null(strstr(d.msg[0].text, "has no run"));
    rig_put(&r, db, "w", "base", NULL);
    put(&r, db, 100, 3);
    assert_int_equal((int)rig_ask(db, "SELECT count(*) FROM interval_counter"), 2); /* without sm.never */
    assert_int_equal((int)rig_ask(db, "SELECT sum(value) FROM over_time WHERE name = 'sm.issued'"), 35);
    assert_int_equal((int)rig_ask(db, "SELECT sum(value) FROM over_time WHERE name = 'mem.dram_reads'"), 6);
    assert_int_equal((int)rig_ask(db, "SELECT sum(end - start) FROM over_time WHERE name = 'sm.issued'"),
                     250);
    assert_int_equal(
        (int)rig_ask(db, "SELECT value FROM over_time WHERE name = 'mem.dram_reads' AND start = 200"), -1);
    assert_true(db_has_intervals(db, &key, 100, &has, &d) && has);
    assert_true(db_has_intervals(db, &key, 50, &has, &d) && !has);
    put(&r, db, 50, 2);
    assert_int_equal((int)rig_ask(db, "SELECT count(*) FROM interval"), 1);
    assert_int_equal((int)rig_ask(db, "SELECT sum(value) FROM over_time WHERE name = 'sm.issued'"), 30);
    put(&r, db, 50, 0);
    assert_int_equal((int)rig_ask(db, "SELECT count(*) FROM over_time"), 0);
    db_close(db);
    diag_free(&d);
    rig_stop(&r);
}

static void test_merge(void **state)
{
    struct rig r;
    struct diag d = {0};
    char path[128];
    (void)state;
    rig_start(&r);
    struct db *theirs = rig_open(&r);
    rig_put(&r, theirs, "w", "base", NULL);
    put(&r, theirs, 100, 3);
    db_close(theirs);
    snprintf(path, sizeof path, "%s/other.db", r.dir);
    struct db *db = db_open(path, DB_WRITE, &d);
    rig_put(&r, db, "another name", "base", NULL);
    assert_true(db_merge(db, r.db, &d));
    assert_true(db_merge(db, r.db, &d));
    assert_int_equal((int)rig_ask(db, "SELECT sum(value) FROM over_time WHERE name = 'sm.issued'"), 35);
    db_close(db);
    unlink(path);
    diag_free(&d);
    rig_stop(&r);
}

/* A file of the version before has no such tables. Whoever reads says what to do; whoever writes adds them. */
static void test_upgrade(void **state)
{
    struct rig r;
    char text[512];
    sqlite3 *sql;
    (void)state;
    rig_start(&r);
    struct db *db = rig_open(&r);
    rig_put(&r, db, "w", "base", NULL);
    db_close(db);
    assert_int_equal(sqlite3_open(r.db, &sql), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(
            sql,
            "DROP VIEW over_time; DROP TABLE interval_counter; DROP TABLE interval; DROP TABLE advice; "
            "DROP VIEW speedup; CREATE VIEW speedup AS SELECT 1 AS speedup; "
            "PRAGMA user_version = 6",
            NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(sql);
    assert_non_null(strstr(rig_refusal(r.db, text, sizeof text), "whoever adds to it"));
    db = rig_open(&r);
    put(&r, db, 100, 3);
    assert_int_equal((int)rig_ask(db, "SELECT count(*) FROM over_time"), 6);
    assert_int_equal((int)rig_ask(db, "SELECT count(*) FROM run"), 1);
    assert_int_equal((int)rig_ask(db, "SELECT count(*) FROM speedup WHERE base = point"), 1);
    assert_int_equal((int)rig_ask(db, "SELECT count(*) FROM advice"), 0);
    db_close(db);
    assert_string_equal(rig_refusal(r.db, text, sizeof text), "");
    rig_stop(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_merge),
                                       cmocka_unit_test(test_upgrade)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
