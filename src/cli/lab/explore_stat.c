/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of an exploration: ratios to the reference, geometric means, intervals by bootstrap, limits, who beats whom. */
#include "cli/lab/explore.h"

#include "base/rng.h"

#include <math.h>

enum { RESAMPLES = 2000 }; /* the ends of the interval are the 50th of either side */

double explore_of(const struct explore *x, uint32_t point, uint32_t unit, bool whole, enum explore_goal g)
{
    const struct explore_point *p = &x->points.at[point];
    const struct explore_value *v = whole ? &p->full[unit] : &p->est[unit];
    if (g == EG_area)
        return p->area_mm2;
    if (!v->ok)
        return 0;
    switch (g) {
    case EG_cycles: return v->cycles;
    case EG_time: return v->cycles / p->mhz;
    case EG_rf_energy: return v->rf_pj;
    case EG_energy: return v->energy_pj;
    case EG_edp: return v->energy_pj * v->cycles / p->mhz;
    case EG_area:
    case EG_COUNT: break;
    }
    return 0;
}

double explore_log(const struct explore *x, uint32_t point, uint32_t program, bool whole, enum explore_goal g)
{
    double sum = 0;
    for (uint32_t s = 0; s < x->nseeds; s++) {
        uint32_t unit = program * x->nseeds + s;
        double v = explore_of(x, point, unit, whole, g), r = explore_of(x, 0, unit, whole, g);
        if (!(v > 0 && r > 0))
            return NAN;
        sum += log(v / r);
    }
    return sum / x->nseeds;
}

double explore_geomean(const struct explore *x, uint32_t point, bool whole, enum explore_goal g)
{
    double sum = 0;
    for (uint32_t p = 0; p < x->programs.n; p++)
        sum += explore_log(x, point, p, whole, g);
    return exp(sum / x->programs.n);
}

static int ascending(const void *a, const void *b)
{
    double u = *(const double *)a, v = *(const double *)b;
    return (u > v) - (u < v);
}

/* About normal, of variance 1: twelve uniform ones, so that + and - are enough and every machine has the same. */
static double normal(struct rng *r)
{
    double sum = -6;
    for (uint32_t i = 0; i < 12; i++)
        sum += (double)rng_u32(r) / 4294967296.0;
    return sum;
}

struct explore_mean explore_bootstrap(const double *logs, const double *sd, uint32_t n, uint32_t seed)
{
    double mean = 0, drawn[RESAMPLES];
    struct rng r = {.s = seed};
    for (uint32_t i = 0; i < n; i++)
        mean += logs[i];
    if (!n || isnan(mean))
        return (struct explore_mean){NAN, NAN, NAN};
    if (n == 1) /* one program says nothing about others */
        return (struct explore_mean){exp(mean), NAN, NAN};
    for (uint32_t k = 0; k < RESAMPLES; k++) {
        drawn[k] = 0;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t at = rng_below(&r, n);
            drawn[k] += logs[at] + (sd && sd[at] > 0 ? sd[at] * normal(&r) : 0);
        }
    }
    qsort(drawn, RESAMPLES, sizeof *drawn, ascending);
    return (struct explore_mean){.mean = exp(mean / n),
                                 .lo = exp(drawn[RESAMPLES / 40] / n),
                                 .hi = exp(drawn[RESAMPLES - 1 - RESAMPLES / 40] / n)};
}

/* Standard deviation of the log of the ratio, from the intervals of both estimates. Those of two machines are off in the same
 * direction, mostly, since the same excerpts were simulated; that is not counted on. */
static double doubt_of(const struct explore *x, uint32_t point, uint32_t program)
{
    double sum = 0;
    for (uint32_t s = 0; s < x->nseeds; s++) {
        const struct explore_value *v = &x->points.at[point].est[program * x->nseeds + s],
                                   *r = &x->points.at[0].est[program * x->nseeds + s];
        double a = v->ok ? v->pm / 1.96 / v->cycles : 0, b = r->ok ? r->pm / 1.96 / r->cycles : 0;
        sum += a * a + b * b;
    }
    return sqrt(sum) / x->nseeds;
}

double explore_doubt(const struct explore *x, uint32_t point, uint32_t programs)
{
    double sum = 0;
    for (uint32_t p = 0; p < programs; p++) {
        double sd = doubt_of(x, point, p);
        sum += sd * sd;
    }
    return sqrt(sum) / programs;
}

struct explore_mean explore_mean(const struct explore *x, uint32_t point, bool whole, enum explore_goal g)
{
    double *logs = xcalloc(x->programs.n, sizeof *logs), *sd = xcalloc(x->programs.n, sizeof *sd);
    for (uint32_t p = 0; p < x->programs.n; p++) {
        logs[p] = explore_log(x, point, p, whole, g);
        sd[p] = whole || g == EG_area || point == 0 ? 0 : doubt_of(x, point, p);
    }
    struct explore_mean m = explore_bootstrap(logs, sd, x->programs.n, x->opts->seed);
    free(logs);
    free(sd);
    return m;
}

bool explore_as_good(const struct explore *x, uint32_t point, uint32_t other, enum explore_goal g)
{
    double *logs = xcalloc(x->programs.n, sizeof *logs);
    bool equal = true;
    for (uint32_t p = 0; p < x->programs.n; p++) {
        logs[p] = explore_log(x, point, p, true, g) - explore_log(x, other, p, true, g);
        equal &= !(fabs(logs[p]) > 0);
    }
    struct explore_mean m = explore_bootstrap(logs, NULL, x->programs.n, x->opts->seed);
    free(logs);
    return isfinite(m.mean) && (equal || (isfinite(m.lo) && explore_same(m)));
}

double explore_excess(const struct explore *x, const double *value)
{
    double sum = 0;
    vec_each (&x->opts->limits, l)
        if (l->goal < EG_COUNT && !(value[l->goal] <= l->most))
            sum += isnan(value[l->goal]) ? 0 : value[l->goal] / l->most - 1;
    return sum;
}

bool explore_beats(const struct explore_opts *o, const double *a, const double *b)
{
    bool better = false;
    for (uint32_t k = 0; k < o->ngoals; k++) {
        if (!(a[o->goals[k]] <= b[o->goals[k]]))
            return false;
        better |= a[o->goals[k]] < b[o->goals[k]];
    }
    return better;
}
