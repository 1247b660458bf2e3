/* SPDX-License-Identifier: Apache-2.0 */
/* What runs have cost: host time, for who has others to plan. */
#include "db/db.h"
#include "db/key.h"
#include "db/stmt.h"

static bool first_number(struct stmt *s, double *out, struct diag *d)
{
    *out = stmt_row(s) ? sqlite3_column_double(s->s, 0) : 0;
    return stmt_end(s, d);
}

bool db_seconds(struct db *db, uint64_t trace, const char *gpu, double *out, struct diag *d)
{
    struct stmt s = stmt_of(db, "SELECT avg(r.seconds) FROM trace t JOIN run r ON r.trace = t.id WHERE "
                                "t.identity = ? AND r.gpu = ? AND r.status = 'ok'");
    stmt_text(&s, db_identity(trace).text);
    stmt_text(&s, gpu);
    return first_number(&s, out, d);
}

bool db_seconds_per_inst(struct db *db, const char *gpu, const char *mechs, double *out, struct diag *d)
{
    struct stmt s = stmt_of(db, "SELECT sum(seconds) / sum(warp_insts) FROM run WHERE status = 'ok' AND "
                                "(?1 = '' OR gpu = ?1) AND (?2 = '' OR mechs = ?2)");
    stmt_text(&s, gpu);
    stmt_text(&s, mechs);
    return first_number(&s, out, d);
}
