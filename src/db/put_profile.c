/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a profile, and of claims. */
#include "db/key.h"
#include "db/stmt.h"

bool db_renew(struct db *db, const struct db_key *key, const char *const *deletes, int64_t *run,
              struct diag *d)
{
    struct stmt s = stmt_of(db, "SELECT id FROM run WHERE key = ?");
    stmt_text(&s, key->text);
    *run = stmt_row(&s) ? sqlite3_column_int64(s.s, 0) : 0;
    bool ok = stmt_end(&s, d);
    if (ok && !*run)
        diag_plain(d, "%s has no run %s", db->path, key->text);
    ok = ok && *run;
    for (; ok && *deletes; deletes++) {
        s = stmt_of(db, *deletes);
        stmt_int(&s, *run);
        stmt_run(&s);
        ok = stmt_end(&s, d);
    }
    return ok;
}

bool db_has_profile(struct db *db, const struct db_key *key, bool *has, struct diag *d)
{
    struct stmt s =
        stmt_of(db, "SELECT 1 FROM profile WHERE run = (SELECT id FROM run WHERE key = ?) LIMIT 1");
    stmt_text(&s, key->text);
    *has = stmt_row(&s);
    return stmt_end(&s, d);
}

static void put_insn(struct stmt *s, int64_t run, const struct db_insn *i)
{
    stmt_int(s, run);
    stmt_int(s, i->kernel);
    stmt_int(s, i->insn);
    stmt_int(s, i->line);
    stmt_text(s, i->text);
    stmt_text(s, i->source);
    stmt_int(s, (int64_t)i->lanes);
    stmt_int(s, (int64_t)i->bank_conflicts);
    stmt_int(s, (int64_t)i->read_wait);
    stmt_int(s, (int64_t)i->shared_conflicts);
    stmt_run(s);
}

static void put_causes(struct stmt *s, int64_t run, const struct db_insn *i, const struct db_profile *p)
{
    for (uint32_t c = 0; c < p->ncauses; c++) {
        if (!i->causes[c])
            continue;
        stmt_int(s, run);
        stmt_int(s, i->kernel);
        stmt_int(s, i->insn);
        stmt_text(s, p->causes[c]);
        stmt_int(s, (int64_t)i->causes[c]);
        stmt_run(s);
    }
}

static bool put(struct db *db, const struct db_key *key, const struct db_profile *p, struct diag *d)
{
    static const char *const old[] = {"DELETE FROM profile WHERE run = ?",
                                      "DELETE FROM profile_stall WHERE run = ?", NULL};
    int64_t run;
    if (!db_renew(db, key, old, &run, d))
        return false;
    struct stmt s = stmt_of(db, "INSERT INTO profile VALUES (?,?,?,?,?,?,?,?,?,?)");
    struct stmt c = stmt_of(db, "INSERT INTO profile_stall VALUES (?,?,?,?,?)");
    for (uint32_t i = 0; i < p->n; i++) {
        put_insn(&s, run, &p->insns[i]);
        put_causes(&c, run, &p->insns[i], p);
    }
    bool ok = stmt_end(&s, d);
    return stmt_end(&c, d) && ok;
}

bool db_put_profile(struct db *db, const struct db_key *key, const struct db_profile *p, struct diag *d)
{
    return db_start(db, d) && db_finish(db, put(db, key, p, d), d);
}

static bool put_claims(struct db *db, const struct db_claim *c, uint32_t n, struct diag *d)
{
    struct stmt s = stmt_of(db, "INSERT OR REPLACE INTO claim VALUES (?,?,?,?,?,?,?,?,?,?)");
    struct stmt none = stmt_of(db, "UPDATE claim SET measured = NULL WHERE id = ?");
    for (uint32_t i = 0; i < n; i++) {
        stmt_text(&s, c[i].id);
        stmt_text(&s, c[i].paper);
        stmt_text(&s, c[i].text);
        stmt_text(&s, c[i].size);
        stmt_text(&s, c[i].unit);
        stmt_real(&s, c[i].value);
        stmt_real(&s, c[i].lo);
        stmt_real(&s, c[i].hi);
        stmt_real(&s, c[i].measured);
        stmt_text(&s, c[i].why);
        stmt_run(&s);
        if (c[i].has_measured)
            continue;
        stmt_text(&none, c[i].id);
        stmt_run(&none);
    }
    bool ok = stmt_end(&s, d);
    return stmt_end(&none, d) && ok;
}

bool db_put_claims(struct db *db, const struct db_claim *c, uint32_t n, struct diag *d)
{
    return db_start(db, d) && db_finish(db, put_claims(db, c, n, d), d);
}
