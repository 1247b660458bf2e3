/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are no results database, or a damaged one: refused with a reason, or read, never a crash. */
#include "base/file.h"
#include "base/rng.h"
#include "rig.h"

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

static void write_file(const char *path, const void *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    fclose(f);
}

/* A database of its own making. */
static void sql(const char *path, const char *text)
{
    sqlite3 *db;
    char *why = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, text, NULL, NULL, &why) != SQLITE_OK)
        fail_msg("%s: %s", text, why);
    sqlite3_close(db);
}

static void refused(const char *path, const char *why)
{
    char buf[400];
    if (!strstr(rig_refusal(path, buf, sizeof buf), why))
        fail_msg("%s: expected '%s', got '%s'", path, why, buf);
}

static void filled(struct rig *r)
{
    rig_start(r);
    struct db *db = rig_open(r);
    rig_put(r, db, "adds", "base", NULL);
    rig_put(r, db, "adds", "cu5", "sm.collectors=5");
    db_close(db);
}

static void test_foreign(void **state)
{
    (void)state;
    struct rig r;
    char path[200];
    filled(&r);
    snprintf(path, sizeof path, "%s/x", r.dir);
    refused(path, "No such file");
    refused(r.dir, "not a file");
    write_file(path,
               "hello, this is a text file of some length that has no header at all......................",
               85);
    refused(path, "is no results database");
    write_file(path, "", 0);
    refused(path, "another program");
    unlink(path);
    sql(path, "CREATE TABLE run (id INTEGER)");
    refused(path, "another program");
    struct diag d = {0};
    assert_null(db_open(path, DB_WRITE, &d));
    diag_free(&d);
    assert_null(db_open("/nowhere/x.db", DB_WRITE, &d));
    assert_null(db_open(":memory:", DB_READ, &d));
    diag_free(&d);
    rig_stop(&r);
}

static void test_other_versions(void **state)
{
    (void)state;
    struct rig r;
    filled(&r);
    sql(r.db, "PRAGMA user_version = 11");
    refused(r.db, "a newer bankshot made it");
    sql(r.db, "PRAGMA user_version = 0");
    refused(r.db, "version 0");
    sql(r.db, "PRAGMA user_version = 2; PRAGMA application_id = 7");
    refused(r.db, "another program");
    rig_stop(&r);
}

static void test_other_tables(void **state)
{
    (void)state;
    struct rig r;
    char buf[400];
    filled(&r);
    sql(r.db, "CREATE TABLE mine (x); CREATE VIEW also_mine AS SELECT * FROM mine;"
              "CREATE TRIGGER bad AFTER INSERT ON run BEGIN DELETE FROM run; END");
    assert_string_equal(rig_refusal(r.db, buf, sizeof buf), "");
    struct db *db = rig_open(&r);
    rig_put(&r, db, "adds", "cu6", "sm.collectors=6");
    assert_int_equal((int)rig_ask(db, "SELECT count(*) FROM run"), 3);
    db_close(db);
    sql(r.db, "DROP VIEW speedup; CREATE VIEW speedup AS SELECT 1 AS speedup");
    refused(r.db, "its view 'speedup' is missing or different");
    sql(r.db, "DROP TABLE energy");
    refused(r.db, "is missing or different");
    rig_stop(&r);
}

/* Every view and table, to the last row. */
static void read_all(struct db *db)
{
    static const char *const names[] = {"trace",  "trace_kernel", "trace_launch", "trace_fact",   "machine",
                                        "option", "run",          "counter",      "distribution", "kernel",
                                        "energy", "point",        "result",       "speedup",      "stall",
                                        "wide",   "ratio",        "area"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[64];
        sqlite3_stmt *s = NULL;
        snprintf(text, sizeof text, "SELECT * FROM %s LIMIT 5000", names[i]);
        if (sqlite3_prepare_v2(db_sql(db), text, -1, &s, NULL) == SQLITE_OK)
            while (sqlite3_step(s) == SQLITE_ROW)
                for (int c = 0; c < sqlite3_column_count(s); c++)
                    (void)sqlite3_column_text(s, c);
        sqlite3_finalize(s);
    }
}

static void test_damage(void **state)
{
    (void)state;
    struct rig r;
    struct diag d = {0};
    struct file_text whole;
    char path[200], wal[220];
    filled(&r);
    snprintf(path, sizeof path, "%s/bad.db", r.dir);
    snprintf(wal, sizeof wal, "%s-wal", path);
    assert_true(file_read(r.db, 1 << 24, &whole, &d));
    assert_true(whole.n > 20000);
    struct rng rng = {7};
    unsigned opened = 0, refusals = 0;
    for (unsigned k = 0; k < 400; k++) {
        struct diag messages = {0};
        char *copy = xmalloc(whole.n);
        memcpy(copy, whole.at, whole.n);
        /* Headers of pages are where it hurts: half of the damage goes there. */
        for (unsigned i = 0; i <= k % 4; i++) {
            size_t at = rng_below(&rng, (uint32_t)whole.n);
            if (k & 1)
                at = at / 4096 * 4096 + rng_below(&rng, 100);
            copy[at % whole.n] ^= (char)(1 + rng_below(&rng, 255));
        }
        write_file(path, copy, k % 10 == 9 ? rng_below(&rng, (uint32_t)whole.n) : whole.n);
        unlink(wal);
        struct db *db = db_open(path, k & 2 ? DB_WRITE : DB_READ, &messages);
        if (db) {
            struct db_answer a;
            struct db_key key = rig_key(&r, 0);
            read_all(db);
            db_find(db, &key, &a, &messages);
            struct db_run run = {.point = {"adds", "", 0, "volta", "again", "", false, false},
                                 .key = key,
                                 .trace = r.reader,
                                 .conf = &r.conf,
                                 .result = &r.result,
                                 .version = "1"};
            db_put_run(db, &run, &messages);
            opened++;
        } else {
            assert_true(messages.n > 0);
            refusals++;
        }
        db_close(db);
        diag_free(&messages);
        free(copy);
    }
    assert_true(refusals > 50 && opened > 5);
    file_free(&whole);
    diag_free(&d);
    rig_stop(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_foreign),
        cmocka_unit_test(test_other_versions),
        cmocka_unit_test(test_other_tables),
        cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
