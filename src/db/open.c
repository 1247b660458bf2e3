/* SPDX-License-Identifier: Apache-2.0 */
/* Opening a file that somebody else may have made: what it must be before anything is read from it. */
#include "db/db.h"
#include "db/functions.h"
#include "db/generated.h"
#include "db/stmt.h"

#include <errno.h>
#include <sys/stat.h>

/* "BKST", in the file's header: what SQLite calls the application id. */
#define APPLICATION 0x424b5354
enum { VERSION = 10, UPGRADES = 6, BUSY_MS = 60000, MAX_VALUE_B = 64 << 20 };

static bool ask(struct db *db, const char *text, int64_t *out, struct diag *d)
{
    struct stmt s = stmt_of(db, text);
    *out = stmt_row(&s) ? sqlite3_column_int64(s.s, 0) : 0;
    return stmt_end(&s, d);
}

/* The tables and views that the file must have, as the schema text makes them in memory. */
static bool make_model(struct db *mem, struct diag *d)
{
    if (sqlite3_open_v2(":memory:", &mem->sql, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK)
        return db_exec(mem, db_schema_sql, d);
    db_complain(mem, SQLITE_NOMEM, d);
    return false;
}

/* Views hold nothing: those of an older version are made anew. */
static bool drop_views(struct db *db, struct diag *d)
{
    struct arena a = {0};
    VEC(const char *) drop = {0};
    struct stmt s =
        stmt_of(db, "SELECT printf('DROP VIEW \"%w\"', name) FROM sqlite_schema WHERE type = 'view'");
    while (stmt_row(&s))
        vec_push(&drop, arena_printf(&a, "%s", stmt_column(&s, 0)));
    bool ok = stmt_end(&s, d);
    vec_each (&drop, text)
        ok = ok && db_exec(db, *text, d);
    vec_free(&drop);
    arena_free(&a);
    return ok;
}

/* A file of a version from UPGRADES on has all tables but those that are new since, and gets these. */
static bool upgrade(struct db *db, struct diag *d)
{
    struct db mem = {.path = db->path};
    bool ok = make_model(&mem, d) && db_start(db, d);
    if (ok) {
        ok = drop_views(db, d);
        struct stmt want = stmt_of(&mem, "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL");
        struct stmt have = stmt_of(db, "SELECT 1 FROM sqlite_schema WHERE name = ?");
        while (ok && stmt_row(&want) && have.rc == SQLITE_OK) {
            stmt_text(&have, stmt_column(&want, 0));
            bool there = stmt_row(&have);
            stmt_run(&have);
            if (have.rc == SQLITE_DONE)
                have.rc = SQLITE_OK;
            ok = there || db_exec(db, stmt_column(&want, 1), d);
        }
        ok = stmt_end(&have, d) && ok;
        ok = stmt_end(&want, d) && ok;
        char text[64];
        snprintf(text, sizeof text, "PRAGMA user_version = %d", VERSION);
        ok = db_finish(db, ok && db_exec(db, text, d), d);
    }
    sqlite3_close(mem.sql);
    return ok;
}

/* More tables and views than ours may be there; triggers are off. */
static bool same_schema(struct db *db, struct diag *d)
{
    struct db mem = {.path = db->path};
    bool same = make_model(&mem, d), ok = same;
    if (ok) {
        struct stmt want = stmt_of(&mem, "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL");
        struct stmt have = stmt_of(db, "SELECT 1 FROM sqlite_schema WHERE type = ? AND name = ? AND sql = ?");
        while (same && stmt_row(&want) && have.rc == SQLITE_OK) {
            for (int i = 0; i < 3; i++)
                stmt_text(&have, stmt_column(&want, i));
            same = stmt_row(&have);
            if (!same && have.rc == SQLITE_DONE)
                diag_plain(d, "%s is no results database of version %d: its %s '%s' is missing or different",
                           db->path, VERSION, stmt_column(&want, 0), stmt_column(&want, 1));
            stmt_run(&have);
            if (have.rc == SQLITE_DONE)
                have.rc = SQLITE_OK;
        }
        ok = stmt_end(&have, d);
        ok = stmt_end(&want, d) && ok;
    }
    sqlite3_close(mem.sql);
    return ok && same;
}

static bool is_empty(struct db *db, bool *empty, struct diag *d)
{
    int64_t tables, app;
    bool ok = ask(db, "SELECT count(*) FROM sqlite_schema", &tables, d) &&
              ask(db, "PRAGMA application_id", &app, d);
    *empty = ok && tables == 0 && app == 0;
    return ok;
}

/* Two processes may find the file empty; the first one fills it. */
static bool create(struct db *db, struct diag *d)
{
    if (!db_exec(db, "PRAGMA journal_mode = WAL", d) || !db_start(db, d))
        return false;
    bool empty, ok = is_empty(db, &empty, d);
    if (ok && empty) {
        char text[96];
        snprintf(text, sizeof text, "PRAGMA application_id = %d; PRAGMA user_version = %d", APPLICATION,
                 VERSION);
        ok = db_exec(db, db_schema_sql, d) && db_exec(db, text, d);
    }
    return db_finish(db, ok, d);
}

static bool is_sound(struct db *db, struct diag *d)
{
    struct stmt s = stmt_of(db, "PRAGMA quick_check(1)");
    bool ok = true;
    if (stmt_row(&s) && strcmp(stmt_column(&s, 0), "ok") != 0) {
        diag_plain(d, "%s is damaged: %s", db->path, stmt_column(&s, 0));
        ok = false;
    }
    return stmt_end(&s, d) && ok;
}

static bool is_ours(struct db *db, enum db_mode mode, struct diag *d)
{
    int64_t app, version;
    if (!ask(db, "PRAGMA application_id", &app, d) || !ask(db, "PRAGMA user_version", &version, d))
        return false;
    if (app != APPLICATION) {
        diag_plain(d, "%s is a database of another program", db->path);
        return false;
    }
    bool older = version >= UPGRADES && version < VERSION;
    if (older && mode != DB_READ)
        return upgrade(db, d) && same_schema(db, d);
    if (older) {
        diag_plain(
            d,
            "%s has version %lld of the results database; whoever adds to it (compare, sweep, repro with "
            "--db) makes it version %d",
            db->path, (long long)version, VERSION);
        return false;
    }
    if (version != VERSION) {
        diag_plain(d, "%s has version %lld of the results database; this program reads %d%s", db->path,
                   (long long)version, VERSION, version > VERSION ? ": a newer bankshot made it" : "");
        return false;
    }
    return same_schema(db, d);
}

/* What a file may make SQLite do is what this program asks of it: no triggers, no functions of the schema's own choice, no
 * values without bound. */
static int harden(struct db *db)
{
    sqlite3_busy_timeout(db->sql, BUSY_MS);
    sqlite3_limit(db->sql, SQLITE_LIMIT_LENGTH, MAX_VALUE_B);
    sqlite3_db_config(db->sql, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db->sql, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(db->sql, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    int rc = db_add_functions(db->sql);
    return rc != SQLITE_OK ? rc
                           : sqlite3_exec(db->sql,
                                          "PRAGMA cell_size_check = ON; PRAGMA synchronous = NORMAL; "
                                          "PRAGMA temp_store = MEMORY; SELECT 1 FROM sqlite_schema",
                                          NULL, NULL, NULL);
}

char *db_address(const char *path, bool frozen)
{
    struct arena a = {0};
    const char *text = "";
    for (const char *p = path; *p; p++)
        text = arena_printf(&a, strchr("%?#", *p) ? "%s%%%02x" : "%s%c", text, (unsigned char)*p);
    char *address = xstrdup(
        arena_printf(&a, "file:%s%s%s", path[0] == '/' ? "" : "./", text, frozen ? "?immutable=1" : ""));
    arena_free(&a);
    return address;
}

static bool is_there(const char *path, enum db_mode mode, struct diag *d)
{
    struct stat st;
    bool found = stat(path, &st) == 0;
    if (found ? S_ISREG(st.st_mode) : mode != DB_READ && errno == ENOENT)
        return true;
    diag_plain(d, "cannot open %s: %s", path, found ? "not a file" : strerror(errno));
    return false;
}

static int open_file(struct db *db, enum db_mode mode)
{
    char *address = db_address(db->path, db->frozen);
    int flags = mode != DB_READ ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    int rc = sqlite3_open_v2(address, &db->sql, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, NULL);
    free(address);
    return rc == SQLITE_OK ? harden(db) : rc;
}

/* Whoever reads a database makes a file of shared memory beside it. In a folder where that cannot be made nobody writes the
 * database either, and it can be read as it is, unless a writer that died has left results in the log beside it. */
static bool open_frozen(struct db *db, struct diag *d)
{
    struct arena a = {0};
    struct stat st;
    const char *log = arena_printf(&a, "%s-wal", db->path);
    int rc = SQLITE_CANTOPEN;
    if (stat(log, &st) == 0 && st.st_size > 0) {
        diag_plain(
            d, "cannot open %s: there is %s with more results, and the folder cannot be written; copy both",
            db->path, log);
    } else {
        sqlite3_close(db->sql);
        db->sql = NULL;
        db->frozen = true;
        rc = open_file(db, DB_READ);
        if (rc != SQLITE_OK)
            db_complain(db, rc, d);
    }
    arena_free(&a);
    return rc == SQLITE_OK;
}

struct db *db_open(const char *path, enum db_mode mode, struct diag *d)
{
    if (!is_there(path, mode, d))
        return NULL;
    struct db *db = xcalloc(1, sizeof *db);
    db->path = xstrdup(path);
    int rc = open_file(db, mode);
    bool ok = rc == SQLITE_OK, empty = false;
    if (!ok && mode == DB_READ && ((rc & 0xff) == SQLITE_CANTOPEN || (rc & 0xff) == SQLITE_READONLY))
        ok = open_frozen(db, d);
    else if (!ok)
        db_complain(db, rc, d);
    ok = ok && is_empty(db, &empty, d);
    if (ok && empty && mode != DB_READ)
        ok = create(db, d);
    if (ok && is_ours(db, mode, d) && (mode == DB_AGAIN || is_sound(db, d)))
        return db;
    db_close(db);
    return NULL;
}

void db_close(struct db *db)
{
    if (!db)
        return;
    sqlite3_close(db->sql);
    free(db->path);
    free(db);
}

sqlite3 *db_sql(struct db *db) { return db->sql; }
const char *db_path(const struct db *db) { return db->path; }
const char *db_model(void) { return db_model_digest; }
