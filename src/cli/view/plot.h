/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of a results database: which there are, and their numbers. A chart is a query and a few lines of gnuplot.
 *
 * A query sees `chosen` (the points that the user left in, with a name that tells them apart), `given` (x, y, measure, cost,
 * memory and cycles as the user has them), and everything of the database. Its rows are key, label, series, value: those of one
 * key are one row of the data, with a column for each series. */
#ifndef CLI_VIEW_PLOT_H
#define CLI_VIEW_PLOT_H

#include "cli/cli.h"
#include "db/db.h"

struct plot_chart {
    const char *name, *help;
    bool needs_x, needs_y;
    bool is_named;     /* runs are named below the axis */
    const char *lines; /* series whose names begin so are lines among marks, and come last */
    const char *query;
    const char *script;
};

extern const struct plot_chart plot_charts[];
extern const uint32_t plot_ncharts;

struct plot_opts {
    const char *x, *y, *measure, *cost, *memory;
    bool program; /* the program's cycles, not the kernels' */
    struct cli_list workloads, gpus, mechs, sizes;
};

/* A table: the label of each row, and its values; NULL where there is none. */
struct plot_data {
    struct arena arena;
    VEC(const char *) series;
    VEC(const char *) keys;
    VEC(const char *) labels;
    VEC(const char *) cells; /* rows * series */
};

/* False after reporting. plot_data_free in either case. */
bool plot_read(struct db *db, const struct plot_chart *c, const struct plot_opts *o, struct plot_data *out,
               struct diag *d);
void plot_data_free(struct plot_data *p);
/* With the names first; separated by tabs, "?" for nothing, as gnuplot is told; or as CSV. */
void plot_write(const struct plot_data *p, FILE *to, bool csv);

#endif
