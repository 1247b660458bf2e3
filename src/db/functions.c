/* SPDX-License-Identifier: Apache-2.0 */
/* Aggregates that results ask for and SQLite does not have. */
#include "db/functions.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

struct logs {
    double sum;
    int64_t n;
    int bad; /* a value that has no logarithm */
};

static void geomean_step(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
    (void)argc;
    struct logs *l = sqlite3_aggregate_context(ctx, sizeof *l);
    if (!l || sqlite3_value_type(argv[0]) == SQLITE_NULL)
        return;
    double v = sqlite3_value_double(argv[0]);
    l->bad |= !(v > 0);
    l->sum += v > 0 ? log(v) : 0;
    l->n++;
}

static void geomean_final(sqlite3_context *ctx)
{
    struct logs *l = sqlite3_aggregate_context(ctx, 0);
    if (!l || !l->n || l->bad)
        sqlite3_result_null(ctx);
    else
        sqlite3_result_double(ctx, exp(l->sum / (double)l->n));
}

int db_add_functions(sqlite3 *sql)
{
    return sqlite3_create_function(sql, "geomean", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                                   NULL, NULL, geomean_step, geomean_final);
}
