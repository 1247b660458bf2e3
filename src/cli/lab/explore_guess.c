/* SPDX-License-Identifier: Apache-2.0 */
/* What whole runs will show: regression of what estimates are off by. */
#include "cli/lab/explore_guess.h"

#include <math.h>

/* Before whole runs say anything, estimates are taken to be off by a fifth of what machines differ by, and that says as much as
 * two runs. */
#define PRIOR 0.2
#define PRIOR_RUNS 2
#define OWN 0.1 /* of what a point is off by is its own, and like no other's */
/* Where two runs are as far apart as this, in the spread of their kind, half of what they have in common is gone and more. */
#define REACH_VALUES 1.0
#define REACH_LEVELS 0.5
#define NUGGET 1e-4 /* of the variance: keeps matrices of twins regular */

enum { LEVELS_MAX = 64 }; /* of a coordinate: beyond, one number is for all of its pairs */

struct explore_field {
    double *log;    /* by entry: of the estimate */
    double spread;  /* of it */
    double **jump;  /* by coordinate, two levels: what estimates differ by, in reaches */
    uint32_t *seen; /* entries that have the whole run */
    uint32_t nseen;
    double *factor;          /* Cholesky's, of the correlations of what was seen */
    double *one, *off, one2; /* factor^-1 of ones, of what was seen less its mean */
    double base, variance;
};

static struct explore_field *field_of(const struct explore_guess *g, int goal, uint32_t unit)
{
    return &g->fields[(size_t)goal * g->x->nunits + unit];
}

static double log_of(const struct explore *x, uint32_t point, uint32_t unit, bool whole, int goal)
{
    double v = explore_of(x, point, unit, whole, (enum explore_goal)goal);
    return v > 0 ? log(v) : -690; /* less than any run has */
}

static bool is_seen(const struct explore_guess *g, uint32_t entry, uint32_t unit)
{
    return g->x->points.at[g->of[entry]].full[unit].ok;
}

bool explore_settled(const struct explore *x, uint32_t point)
{
    const struct explore_point *p = &x->points.at[point];
    bool all = true;
    for (uint32_t u = 0; u < x->nunits; u++)
        all &= p->full[u].ok;
    return p->out || all;
}

static bool same_estimate(const struct explore_guess *g, uint32_t a, uint32_t b, uint32_t unit)
{
    const struct explore_value *v = &g->x->points.at[g->of[a]].est[unit],
                               *w = &g->x->points.at[g->of[b]].est[unit];
    return v->cycles == w->cycles && v->energy_pj == w->energy_pj && v->rf_pj == w->rf_pj;
}

/* ---- what is alike ---- */

static uint32_t cells_of(const struct explore *x, uint32_t factor)
{
    uint32_t n = x->factors.at[factor].levels.n;
    return n <= LEVELS_MAX ? n : 1;
}

static uint32_t cell_of(const struct explore *x, uint32_t factor, uint32_t a, uint32_t b)
{
    uint32_t n = cells_of(x, factor);
    return n == 1 ? 0 : a * n + b;
}

/* Two entries that differ in one coordinate alone. */
struct pair {
    uint32_t a, b, factor, cell;
};
typedef VEC(struct pair) pairs;

static void find_pairs(const struct explore_guess *g, pairs *out)
{
    const struct explore *x = g->x;
    uint32_t *entry = xcalloc(x->points.n, sizeof *entry); /* 1 + it, by point */
    for (uint32_t i = 0; i < g->n; i++)
        entry[g->of[i]] = i + 1;
    for (uint32_t i = 0; i < g->n; i++)
        for (uint32_t f = 0; f < x->factors.n; f++) {
            uint32_t from = x->points.at[g->of[i]].level[f];
            for (uint32_t l = 0; l < x->factors.at[f].levels.n; l++) {
                int64_t p = l != from ? explore_with(x, g->of[i], f, l) : -1;
                if (p >= 0 && entry[p])
                    vec_push(out, (struct pair){i, entry[p] - 1, f, cell_of(x, f, from, l)});
            }
        }
    free(entry);
}

/* What values of a coordinate are apart, root mean square over all pairs; of values that no pair has, as far as any machines. */
static void find_jumps(const struct explore_guess *g, struct explore_field *f, const pairs *all)
{
    const struct explore *x = g->x;
    uint32_t **count = xcalloc(x->factors.n, sizeof *count);
    f->jump = xcalloc(x->factors.n, sizeof *f->jump);
    for (uint32_t k = 0; k < x->factors.n; k++) {
        uint32_t n = cells_of(x, k);
        f->jump[k] = xcalloc((size_t)n * n, sizeof *f->jump[k]);
        count[k] = xcalloc((size_t)n * n, sizeof *count[k]);
    }
    vec_each (all, p) {
        double d = f->log[p->a] - f->log[p->b];
        f->jump[p->factor][p->cell] += d * d;
        count[p->factor][p->cell]++;
    }
    for (uint32_t k = 0; k < x->factors.n; k++) {
        uint32_t n = cells_of(x, k);
        for (uint32_t c = 0; c < n * n; c++) {
            double apart = count[k][c] ? sqrt(f->jump[k][c] / count[k][c]) : f->spread;
            f->jump[k][c] = apart / (REACH_LEVELS * f->spread);
        }
        free(count[k]);
    }
    free(count);
}

static void describe_field(const struct explore_guess *g, struct explore_field *f, int goal, uint32_t unit)
{
    double sum = 0, squares = 0;
    f->log = xcalloc(g->n, sizeof *f->log);
    f->seen = xcalloc(g->n, sizeof *f->seen);
    for (uint32_t i = 0; i < g->n; i++) {
        f->log[i] = log_of(g->x, g->of[i], unit, false, goal);
        sum += f->log[i];
    }
    for (uint32_t i = 0; i < g->n; i++)
        squares += (f->log[i] - sum / g->n) * (f->log[i] - sum / g->n);
    f->spread = fmax(sqrt(squares / g->n), 1e-9);
}

/* How much what two entries are off by has in common: half goes by their estimates, half by their coordinates. 1: all. */
static double likeness(const struct explore_guess *g, int goal, uint32_t unit, uint32_t a, uint32_t b)
{
    const struct explore *x = g->x;
    const struct explore_field *f = field_of(g, goal, unit), *cycles = field_of(g, EG_cycles, unit);
    const uint32_t *at = x->points.at[g->of[a]].level, *to = x->points.at[g->of[b]].level;
    double d = (f->log[a] - f->log[b]) / f->spread, e = (cycles->log[a] - cycles->log[b]) / cycles->spread,
           values = goal == EG_cycles ? fabs(d) : sqrt(d * d + e * e), levels = 0;
    for (uint32_t k = 0; k < x->factors.n; k++)
        levels += at[k] != to[k] ? f->jump[k][cell_of(x, k, at[k], to[k])] : 0;
    return OWN * same_estimate(g, a, b, unit) +
           (1 - OWN) * (0.5 * exp(-values / REACH_VALUES) + 0.5 * exp(-levels));
}

/* ---- the regression ---- */

/* factor^-1 v, in place. */
static void solve(const struct explore_field *f, double *v)
{
    for (uint32_t i = 0; i < f->nseen; i++) {
        const double *row = &f->factor[(size_t)i * f->nseen];
        for (uint32_t k = 0; k < i; k++)
            v[i] -= row[k] * v[k];
        v[i] /= row[i];
    }
}

static double dot(const double *a, const double *b, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void factorize(const struct explore_guess *g, struct explore_field *f, int goal, uint32_t unit)
{
    uint32_t n = f->nseen;
    f->factor = xrealloc(f->factor, sizeof *f->factor * n * n);
    for (uint32_t i = 0; i < n; i++) {
        double *row = &f->factor[(size_t)i * n];
        for (uint32_t k = 0; k <= i; k++) {
            const double *other = &f->factor[(size_t)k * n];
            double v =
                likeness(g, goal, unit, f->seen[i], f->seen[k]) + (i == k ? NUGGET : 0) - dot(row, other, k);
            row[k] = i == k ? sqrt(fmax(v, NUGGET / 16)) : v / other[k];
        }
    }
}

/* Student's 97.5% point, within 2% from three degrees of freedom on; with fewer hardly anything is known. */
static double student(double df) { return 1.96 + 2.4 / df + 2.8 / (df * df); }

static void learn_field(const struct explore_guess *g, struct explore_field *f, int goal, uint32_t unit)
{
    f->nseen = 0;
    for (uint32_t i = 0; i < g->n; i++)
        if (is_seen(g, i, unit))
            f->seen[f->nseen++] = i;
    uint32_t n = f->nseen;
    factorize(g, f, goal, unit);
    f->one = xrealloc(f->one, sizeof *f->one * n);
    f->off = xrealloc(f->off, sizeof *f->off * n);
    for (uint32_t i = 0; i < n; i++) {
        f->one[i] = 1;
        f->off[i] = log_of(g->x, g->of[f->seen[i]], unit, true, goal) - f->log[f->seen[i]];
    }
    solve(f, f->one);
    solve(f, f->off);
    f->one2 = dot(f->one, f->one, n);
    f->base = dot(f->one, f->off, n) / f->one2;
    for (uint32_t i = 0; i < n; i++)
        f->off[i] -= f->base * f->one[i];
    double prior = PRIOR * f->spread;
    double df = PRIOR_RUNS + n - 1.0, wide = student(df) / student(INFINITY);
    f->variance = wide * wide * (dot(f->off, f->off, n) + PRIOR_RUNS * prior * prior) / df;
}

/* Fills `way`, as solve leaves it, and says how far the entry's share of the unknown mean goes. */
static double way_to(const struct explore_guess *g, int goal, uint32_t unit, uint32_t entry, double *way)
{
    const struct explore_field *f = field_of(g, goal, unit);
    for (uint32_t i = 0; i < f->nseen; i++)
        way[i] = likeness(g, goal, unit, entry, f->seen[i]);
    solve(f, way);
    return 1 - dot(way, f->one, f->nseen);
}

/* An entry that is seen, or has the estimate of one that is; -1: there is none. */
static int64_t seen_as(const struct explore_guess *g, const struct explore_field *f, uint32_t entry,
                       uint32_t unit)
{
    if (is_seen(g, entry, unit))
        return entry;
    for (uint32_t i = 0; i < f->nseen; i++)
        if (same_estimate(g, entry, f->seen[i], unit))
            return f->seen[i];
    return -1;
}

/* Adds what one unit says of an entry. */
static void add_unit(struct explore_guess *g, uint32_t entry, int goal, uint32_t unit, double *way)
{
    const struct explore_field *f = field_of(g, goal, unit);
    int64_t as = seen_as(g, f, entry, unit);
    double *mean = &g->mean[entry][goal], *squares = &g->sd[entry][goal];
    *mean += f->log[entry] - log_of(g->x, 0, unit, true, goal);
    if (as >= 0)
        *mean += log_of(g->x, g->of[as], unit, true, goal) - f->log[as];
    if (as == (int64_t)entry)
        return;
    double rest = way_to(g, goal, unit, entry, way);
    if (as < 0)
        *mean += f->base + dot(way, f->off, f->nseen);
    *squares += f->variance * fmax(NUGGET, 1 - dot(way, way, f->nseen) + rest * rest / f->one2);
}

void explore_guess_learn(struct explore_guess *g)
{
    const struct explore *x = g->x;
    double *way = xcalloc(g->n + 1, sizeof *way);
    for (int goal = 0; goal < EG_COUNT; goal++) {
        for (uint32_t u = 0; g->asked[goal] && u < x->nunits; u++)
            learn_field(g, field_of(g, goal, u), goal, u);
        for (uint32_t i = 0; i < g->n; i++) {
            g->mean[i][goal] = g->sd[i][goal] = 0;
            for (uint32_t u = 0; g->asked[goal] && u < x->nunits; u++)
                add_unit(g, i, goal, u, way);
            g->mean[i][goal] = goal == EG_area
                                   ? log(x->points.at[g->of[i]].area_mm2 / x->points.at[0].area_mm2)
                                   : g->mean[i][goal] / x->nunits;
            g->sd[i][goal] = sqrt(g->sd[i][goal]) / x->nunits;
        }
    }
    free(way);
}

void explore_guess_between(const struct explore_guess *g, enum explore_goal goal, uint32_t unit,
                           const uint32_t *entries, uint32_t n, double *out)
{
    const struct explore_field *f = field_of(g, goal, unit);
    uint32_t m = f->nseen;
    double *ways = xcalloc((size_t)n * m + 1, sizeof *ways), *rest = xcalloc(n + 1, sizeof *rest);
    for (uint32_t i = 0; i < n; i++)
        rest[i] = way_to(g, goal, unit, entries[i], &ways[(size_t)i * m]);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k <= i; k++) {
            bool known = is_seen(g, entries[i], unit) || is_seen(g, entries[k], unit);
            double v = known ? 0
                             : likeness(g, goal, unit, entries[i], entries[k]) -
                                   dot(&ways[(size_t)i * m], &ways[(size_t)k * m], m) +
                                   rest[i] * rest[k] / f->one2;
            out[(size_t)i * n + k] = out[(size_t)k * n + i] =
                f->variance * (i == k && !known ? fmax(NUGGET, v) : v);
        }
    free(ways);
    free(rest);
}

struct explore_guess *explore_guess_new(const struct explore *x, const uint32_t *of, uint32_t n)
{
    struct explore_guess *g = xcalloc(1, sizeof *g);
    pairs all = {0};
    *g = (struct explore_guess){.x = x, .of = of, .n = n};
    for (uint32_t k = 0; k < x->opts->ngoals; k++)
        g->asked[x->opts->goals[k]] = x->opts->goals[k] != EG_area;
    vec_each (&x->opts->limits, l)
        if (l->goal < EG_COUNT && l->goal != EG_area)
            g->asked[l->goal] = true;
    g->mean = xcalloc(n, sizeof *g->mean);
    g->sd = xcalloc(n, sizeof *g->sd);
    g->fields = xcalloc((size_t)EG_COUNT * x->nunits, sizeof *g->fields);
    find_pairs(g, &all);
    for (int goal = 0; goal < EG_COUNT; goal++)
        for (uint32_t u = 0; u < x->nunits; u++) {
            struct explore_field *f = field_of(g, goal, u);
            if (g->asked[goal] || goal == EG_cycles)
                describe_field(g, f, goal, u);
            if (g->asked[goal])
                find_jumps(g, f, &all);
        }
    vec_free(&all);
    return g;
}

static void free_field(const struct explore *x, struct explore_field *f)
{
    for (uint32_t k = 0; f->jump && k < x->factors.n; k++)
        free(f->jump[k]);
    free(f->jump);
    free(f->log);
    free(f->seen);
    free(f->factor);
    free(f->one);
    free(f->off);
}

void explore_guess_free(struct explore_guess *g)
{
    if (!g)
        return;
    for (uint32_t i = 0; i < EG_COUNT * g->x->nunits; i++)
        free_field(g->x, &g->fields[i]);
    free(g->fields);
    free(g->mean);
    free(g->sd);
    free(g);
}
