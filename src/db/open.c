/* Opening a file that somebody else may have made: what it must be before anything is read from it. */
#include "db/db.h"
#include "db/functions.h"
#include "db/generated.h"
#include "db/stmt.h"

#include <errno.h>
#include <sys/stat.h>

/* "BKST", in the file's header: what SQLite calls the application id. */
#define APPLICATION 0x424b5354
enum { VERSION = 4, BUSY_MS = 60000, MAX_VALUE_B = 64 << 20 };

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

static bool is_ours(struct db *db, struct diag *d)
{
    int64_t app, version;
    if (!ask(db, "PRAGMA application_id", &app, d) || !ask(db, "PRAGMA user_version", &version, d))
        return false;
    if (app != APPLICATION) {
        diag_plain(d, "%s is a database of another program", db->path);
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
static bool harden(struct db *db, struct diag *d)
{
    sqlite3_busy_timeout(db->sql, BUSY_MS);
    sqlite3_limit(db->sql, SQLITE_LIMIT_LENGTH, MAX_VALUE_B);
    sqlite3_db_config(db->sql, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db->sql, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(db->sql, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    return db_add_functions(db->sql) == SQLITE_OK &&
           db_exec(db, "PRAGMA cell_size_check = ON; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY",
                   d);
}

/* SQLite takes some names for more than a file's (":memory:", "file:..."): a path never looks like these. */
static char *plain_path(const char *path)
{
    struct arena a = {0};
    char *p = xstrdup(arena_printf(&a, "%s%s", path[0] == '/' ? "" : "./", path));
    arena_free(&a);
    return p;
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

struct db *db_open(const char *path, enum db_mode mode, struct diag *d)
{
    if (!is_there(path, mode, d))
        return NULL;
    struct db *db = xcalloc(1, sizeof *db);
    char *plain = plain_path(path);
    db->path = xstrdup(path);
    int flags = mode != DB_READ ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    int rc = sqlite3_open_v2(plain, &db->sql, flags | SQLITE_OPEN_NOMUTEX, NULL);
    free(plain);
    bool ok = rc == SQLITE_OK;
    if (!ok)
        db_complain(db, rc, d);
    bool empty = false;
    ok = ok && harden(db, d) && is_empty(db, &empty, d);
    if (ok && empty && mode != DB_READ)
        ok = create(db, d);
    if (ok && is_ours(db, d) && (mode == DB_AGAIN || is_sound(db, d)))
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
