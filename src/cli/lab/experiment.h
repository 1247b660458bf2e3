/* SPDX-License-Identifier: Apache-2.0 */
/* An experiment is one figure or table of a paper, in home/experiments/PAPER/:
 *
 *   NAME.ini     what to measure: a specification as sweep's; its first line is a comment, the title
 *   NAME.sql     queries over the results: those with a first column `claim` (and `value`) answer claims, the others give data
 *   NAME.sh      instead of these two, for what needs no runs: a script that prints CSV; rows `claim,ID,VALUE` answer claims, the
 *                others are data, names of columns first. BANKSHOT is this program. Its first comment is the title
 *   NAME.gp      optional: a gnuplot script that draws the data
 *   analysis.md  optional, for all of a paper: what a person makes of it, under headings ## NAME
 *
 * Queries see the results database, and for this run: `asked` (the points of the specification), `uses` (workload, paper, class)
 * and `family` (workload, family). */
#ifndef CLI_LAB_EXPERIMENT_H
#define CLI_LAB_EXPERIMENT_H

#include "cli/lab/claims.h"
#include "cli/lab/spec.h"

/* Rows of one query, as text. */
struct table {
    VEC(const char *) names;
    VEC(const char *) cells; /* row by row; NULL: no value */
};

struct experiment {
    const char *paper, *name, *title;
    const char *ini, *sql, *gp; /* paths; gp NULL: none */
    const char *script;         /* path; NULL: ini and sql */
    const char *shown;          /* the queries' or the script's file, as messages name it */
    const char *text;           /* of the queries or the script: its claims are those that it names */
    /* Those of its paper (views.sql), and their file; NULL: there are none */
    const char *views, *views_shown;
    const char *analysis; /* "" where there is none */
    struct spec spec;
    uint32_t first_job, njobs; /* in the plan */
    struct spec_notes missing;
    VEC(struct table) tables;
    const char *svg; /* path, once it is drawn */
};

struct experiments {
    struct arena arena;
    VEC(struct experiment) all; /* by paper and name */
};

/* Those of a paper and name; NULL: all. False after reporting, with the nearest name. experiments_free in either case. */
bool experiments_find(struct experiments *e, const char *paper, const char *name, struct diag *d);
void experiments_free(struct experiments *e);

/* Asks the queries, in a database that has the results; measured values go into the claims. False after reporting. */
bool experiment_query(struct experiments *e, struct experiment *x, const struct plan *p, struct db *db,
                      struct claims *c, struct diag *d);
/* Reports what SQLite says of the statement at `at` in a file's text, with its line; at NULL: of none. False. */
bool experiment_complain(struct db *db, const char *shown, const char *text, const char *at, struct diag *d);
/* Makes the views of its paper, as temporary ones. False after reporting. */
bool experiment_views(struct db *db, const struct experiment *x, struct diag *d);
void experiment_drop_views(struct db *db);
/* experiment_query for a script. */
bool experiment_script(struct experiments *e, struct experiment *x, struct claims *c, struct diag *d);
/* Writes DIR/PAPER/NAME.dat, and draws NAME.svg and NAME.pdf of it where there is a script. False after a message. */
bool experiment_draw(struct experiments *e, struct experiment *x, const char *dir);

bool experiment_names(const struct experiment *x, const char *claim); /* its queries answer that claim */

#endif
