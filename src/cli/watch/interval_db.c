/* SPDX-License-Identifier: Apache-2.0 */
/* Counters over time, kept until the run is in a results database. */
#include "cli/watch/interval.h"
#include "db/db.h"

#include <math.h>

/* Rows; when there would be more, neighbours are joined. A run of any length stays small. */
enum { MOST = 1024 };

struct interval_db {
    struct interval *rows; /* NULL: ended */
    uint32_t every;
    uint32_t per, in_last; /* intervals in a row, and in the last one so far (0: it is complete) */
    VEC(uint64_t) ends;
    VEC(int64_t) values; /* all that is kept of the first row, then of the second, ... */
    const struct gpu_conf *c;
};

/* Of a row are kept the counters, then the energies by part in picojoules, then the time that it took in picoseconds. */
static uint32_t kept(void) { return interval_counters() + EP_COUNT + 1; }

static const char *kept_name(uint32_t i, char *out, size_t n)
{
    uint32_t counters = interval_counters();
    if (i < counters)
        return interval_counter_name(i, out, n);
    snprintf(out, n, "%s%s", i < counters + EP_COUNT ? "energy." : "time.ps",
             i < counters + EP_COUNT ? energy_parts[i - counters].name : "");
    return out;
}

/* Two rows become one. */
static void join(struct interval_db *v)
{
    uint32_t n = kept();
    for (uint32_t i = 0; i < MOST / 2; i++) {
        v->ends.at[i] = v->ends.at[2 * i + 1];
        for (uint32_t c = 0; c < n; c++)
            v->values.at[i * n + c] = v->values.at[2 * i * n + c] + v->values.at[(2 * i + 1) * n + c];
    }
    v->ends.n = MOST / 2;
    v->values.n = MOST / 2 * n;
    v->per *= 2;
}

static void begin_row(struct interval_db *v)
{
    if (v->ends.n == MOST)
        join(v);
    vec_push(&v->ends, 0);
    for (uint32_t i = 0; i < kept(); i++)
        vec_push(&v->values, 0);
}

static void keep_row(void *ctx, const struct gpu_sample *from, const struct gpu_sample *to)
{
    struct interval_db *v = ctx;
    uint32_t n = kept();
    if (!v->in_last)
        begin_row(v);
    v->ends.at[v->ends.n - 1] = to->at;
    int64_t *row = &v->values.at[v->values.n - n];
    struct energy_out e;
    gpu_energy_between(v->c, from, to, &e);
    for (uint32_t i = 0; i < interval_counters(); i++)
        *row++ += interval_growth(i, from, to);
    for (uint32_t i = 0; i < EP_COUNT; i++)
        *row++ += llround(e.pj[i]);
    *row += llround(e.seconds * 1e12);
    v->in_last = (v->in_last + 1) % v->per;
}

struct interval_db *interval_db_new(uint32_t every, const struct gpu_conf *c)
{
    struct interval_db *v = xcalloc(1, sizeof *v);
    v->every = every;
    v->c = c;
    v->per = 1;
    v->rows = interval_new(every, keep_row, v);
    return v;
}

const struct gpu_observer *interval_db_observer(const struct interval_db *v)
{
    return interval_observer(v->rows);
}

static int64_t sum_of(const struct interval_db *v, uint32_t column)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < v->ends.n; i++)
        sum += v->values.at[i * kept() + column];
    return sum;
}

/* Do the rows have all that the result counts? Those of a region or of several passes do not. */
static bool covers(const struct interval_db *v, const struct gpu_result *r)
{
    for (uint32_t i = 0; i < interval_counters(); i++) {
        char name[96];
        if (strcmp(interval_counter_name(i, name, sizeof name), "sm.reg_reads") == 0)
            return sum_of(v, i) == (int64_t)r->sm[SS_reg_reads];
    }
    return false;
}

/* The operand path is priced by the mean of the lanes that execute, and a row's mean is not the run's. So that parts add up
 * to what the run's summary says, the rows of such a part are scaled by one number. */
static void agree(struct interval_db *v, const struct gpu_result *r)
{
    static const enum energy_part by_lanes[] = {EP_rf_banks, EP_rf_crossbar, EP_rf_arbiter, EP_collectors};
    struct energy_out run;
    if (!covers(v, r))
        return;
    gpu_energy(v->c, r, &run);
    for (uint32_t p = 0; p < sizeof by_lanes / sizeof by_lanes[0]; p++) {
        uint32_t column = interval_counters() + by_lanes[p];
        double sum = (double)sum_of(v, column), by = sum > 0 ? run.pj[by_lanes[p]] / sum : 1;
        for (uint32_t i = 0; i < v->ends.n; i++) {
            int64_t *pj = &v->values.at[i * kept() + column];
            *pj = llround((double)*pj * by);
        }
    }
}

bool interval_db_put(struct interval_db *v, const struct gpu_result *r, struct db *db,
                     const struct db_key *run, struct diag *d)
{
    struct arena a = {0};
    uint32_t n = kept();
    const char **names = ARENA_ARRAY(&a, const char *, n);
    interval_end(v->rows, r);
    v->rows = NULL;
    agree(v, r);
    for (uint32_t i = 0; i < n; i++) {
        char name[96];
        names[i] = arena_printf(&a, "%s", kept_name(i, name, sizeof name));
    }
    struct db_intervals all = {.every_cyc = v->every,
                               .n = v->ends.n,
                               .ends = v->ends.at,
                               .ncounters = n,
                               .names = names,
                               .values = v->values.at};
    bool ok = db_put_intervals(db, run, &all, d);
    arena_free(&a);
    return ok;
}

void interval_db_free(struct interval_db *v)
{
    if (!v)
        return;
    if (v->rows)
        interval_end(v->rows, NULL);
    vec_free(&v->ends);
    vec_free(&v->values);
    free(v);
}
