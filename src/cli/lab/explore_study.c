/* SPDX-License-Identifier: Apache-2.0 */
/* What the runs of an exploration say: the front, what each change of an option does, which changes need or spoil each other, and
 * which programs decide. An effect is over all pairs of points that differ in that change and in nothing else, so that nothing is
 * mixed up with it; of two changes, over all fours. */
#include "cli/lab/explore.h"

#include <math.h>

/* Means of points that have whole runs, without one program (UINT32_MAX: with all). */
static void means_without(const struct explore *x, uint32_t point, uint32_t program, double *out)
{
    for (int g = 0; g < EG_COUNT; g++) {
        double sum = 0;
        uint32_t n = 0;
        for (uint32_t p = 0; p < x->programs.n; p++)
            if (p != program) {
                sum += explore_log(x, point, p, true, (enum explore_goal)g);
                n++;
            }
        out[g] = n ? exp(sum / n) : NAN;
    }
}

struct fronts {
    VEC(uint32_t) points; /* with whole runs, within the limits */
    bool *on;             /* by entry of points */
    int64_t best[EG_COUNT];
};

static bool is_known(const struct explore *x, const double *v)
{
    for (uint32_t k = 0; k < x->opts->ngoals; k++)
        if (!isfinite(v[x->opts->goals[k]]))
            return false;
    return true;
}

static void find_front(const struct explore *x, uint32_t without, struct fronts *f)
{
    *f = (struct fronts){0};
    double(*mean)[EG_COUNT] = xcalloc(x->points.n, sizeof *mean);
    for (uint32_t i = 0; i < x->points.n; i++) {
        double *v = mean[f->points.n];
        if (x->points.at[i].out)
            continue;
        means_without(x, i, without, v);
        if (is_known(x, v) && explore_excess(x, v) <= 0)
            vec_push(&f->points, i);
    }
    f->on = xcalloc(f->points.n + 1, sizeof *f->on);
    for (uint32_t k = 0; k < EG_COUNT; k++)
        f->best[k] = -1;
    double least[EG_COUNT];
    for (uint32_t i = 0; i < f->points.n; i++) {
        f->on[i] = true;
        for (uint32_t j = 0; f->on[i] && j < f->points.n; j++)
            f->on[i] = !explore_beats(x->opts, mean[j], mean[i]);
        for (uint32_t k = 0; k < x->opts->ngoals; k++) {
            double v = mean[i][x->opts->goals[k]];
            if (f->best[k] < 0 || v < least[k]) {
                f->best[k] = f->points.at[i];
                least[k] = v;
            }
        }
    }
    free(mean);
}

static void free_fronts(struct fronts *f)
{
    vec_free(&f->points);
    free(f->on);
}

static bool on_front(const struct fronts *f, uint32_t point)
{
    for (uint32_t i = 0; i < f->points.n; i++)
        if (f->points.at[i] == point)
            return f->on[i];
    return false;
}

/* ---- programs ---- */

/* Is another point really better, or as good as the one that is best anyway? */
static bool as_good(const struct explore *x, uint32_t a, uint32_t b, uint32_t without, enum explore_goal g)
{
    double u[EG_COUNT], v[EG_COUNT];
    means_without(x, a, without, u);
    means_without(x, b, without, v);
    return u[g] <= v[g];
}

static void find_deciders(const struct explore *x, const struct fronts *all, struct explore_study *out)
{
    for (uint32_t p = 0; x->programs.n > 1 && p < x->programs.n; p++) {
        struct fronts f;
        struct explore_decider row = {.program = p};
        find_front(x, p, &f);
        for (uint32_t i = 0; i < f.points.n; i++)
            row.comes += f.on[i] && !on_front(all, f.points.at[i]);
        for (uint32_t i = 0; i < all->points.n; i++)
            row.goes += all->on[i] && !on_front(&f, all->points.at[i]);
        for (uint32_t k = 0; k < EG_COUNT; k++) {
            bool other = k < x->opts->ngoals && f.best[k] >= 0 && all->best[k] >= 0 &&
                         !as_good(x, (uint32_t)all->best[k], (uint32_t)f.best[k], p, x->opts->goals[k]);
            row.best[k] = other ? f.best[k] : -1;
        }
        vec_push(&out->programs, row);
        free_fronts(&f);
    }
}

/* ---- effects ---- */

struct steps {
    const struct explore *x;
    bool whole;
    int64_t *to; /* by step, by point */
    double *log; /* by goal of the options, by point, by program; NaN: unknown */
};

static int64_t step_to(const struct steps *s, uint32_t step, int64_t point)
{
    return point < 0 ? -1 : s->to[(size_t)step * s->x->points.n + (size_t)point];
}

/* The change a alone, or what a and b do together beyond what each does alone; for a program, over all points. */
static double effect_on(const struct steps *s, uint32_t a, uint32_t b, uint32_t program, const double *log_of,
                        uint32_t *pairs)
{
    const struct explore *x = s->x;
    double sum = 0;
    uint32_t n = 0;
    const int64_t n_programs = x->programs.n;
    for (uint32_t i = 0; i < x->points.n; i++) {
        int64_t with_a = step_to(s, a, i), with_b = a == b ? 0 : step_to(s, b, i),
                both = a == b ? 0 : step_to(s, b, with_a);
        if (with_a < 0 || with_b < 0 || both < 0)
            continue;
        double v = log_of[with_a * n_programs + program] - log_of[i * n_programs + program];
        if (a != b)
            v = log_of[both * n_programs + program] - log_of[with_b * n_programs + program] - v;
        if (isnan(v))
            continue;
        sum += v;
        n++;
    }
    *pairs = n;
    return n ? sum / n : NAN;
}

static bool find_effect(const struct steps *s, uint32_t a, uint32_t b, struct explore_effect *out)
{
    const struct explore *x = s->x;
    double *logs = xcalloc(x->programs.n, sizeof *logs);
    *out = (struct explore_effect){.a = a, .b = b};
    bool any = false;
    for (uint32_t k = 0; k < x->opts->ngoals; k++) {
        uint32_t n = 0;
        for (uint32_t p = 0; p < x->programs.n; p++) {
            uint32_t pairs;
            double v = effect_on(s, a, b, p, &s->log[(size_t)k * x->points.n * x->programs.n], &pairs);
            if (isnan(v))
                continue;
            logs[n++] = v;
            out->pairs = pairs > out->pairs ? pairs : out->pairs;
        }
        out->by[k] = explore_bootstrap(logs, NULL, n, x->opts->seed);
        any |= n > 0;
    }
    free(logs);
    return any;
}

static bool differs(const struct explore *x, const struct explore_effect *e)
{
    bool any = false;
    for (uint32_t k = 0; k < x->opts->ngoals; k++)
        any |= !isnan(e->by[k].mean) && !explore_same(e->by[k]) && fabs(log(e->by[k].mean)) >= 0.001;
    return any;
}

static double size_of(const struct explore *x, const struct explore_effect *e)
{
    double most = 0;
    for (uint32_t k = 0; k < x->opts->ngoals; k++)
        if (!isnan(e->by[k].mean) && !explore_same(e->by[k]))
            most = fmax(most, fabs(log(e->by[k].mean)));
    return most;
}

static void find_effects(const struct explore *x, struct explore_study *out)
{
    struct steps s = {.x = x, .whole = out->whole};
    struct explore_effect e;
    s.to = xcalloc((size_t)x->steps.n * x->points.n + 1, sizeof *s.to);
    for (uint32_t k = 0; k < x->steps.n; k++)
        for (uint32_t i = 0; i < x->points.n; i++)
            s.to[(size_t)k * x->points.n + i] =
                x->points.at[i].out ? -1 : explore_step(x, i, &x->steps.at[k]);
    s.log = xcalloc((size_t)x->opts->ngoals * x->points.n * x->programs.n + 1, sizeof *s.log);
    double *log_of = s.log;
    for (uint32_t k = 0; k < x->opts->ngoals; k++)
        for (uint32_t i = 0; i < x->points.n; i++)
            for (uint32_t p = 0; p < x->programs.n; p++)
                *log_of++ = explore_log(x, i, p, s.whole, x->opts->goals[k]);
    for (uint32_t a = 0; a < x->steps.n; a++) {
        if (find_effect(&s, a, a, &e))
            vec_push(&out->effects, e);
        for (uint32_t b = a + 1; b < x->steps.n; b++) {
            bool one_option = x->steps.at[a].from && x->steps.at[a].factor == x->steps.at[b].factor;
            if (!one_option && find_effect(&s, a, b, &e) && differs(x, &e))
                vec_push(&out->pairs, e);
        }
    }
    for (uint32_t i = 1; i < out->pairs.n; i++) { /* the largest first; they are few */
        struct explore_effect p = out->pairs.at[i];
        uint32_t k = i;
        for (; k && size_of(x, &out->pairs.at[k - 1]) < size_of(x, &p); k--)
            out->pairs.at[k] = out->pairs.at[k - 1];
        out->pairs.at[k] = p;
    }
    free(s.to);
    free(s.log);
}

void explore_study(const struct explore *x, struct explore_study *out)
{
    struct fronts all;
    *out = (struct explore_study){.whole = x->all};
    find_front(x, UINT32_MAX, &all);
    memcpy(out->best, all.best, sizeof out->best);
    for (uint32_t i = 0; i < all.points.n; i++) {
        if (!all.on[i])
            continue;
        uint32_t k = out->front.n;
        double v = explore_geomean(x, all.points.at[i], true, x->opts->goals[0]);
        vec_push(&out->front, all.points.at[i]);
        for (; k && explore_geomean(x, out->front.at[k - 1], true, x->opts->goals[0]) > v; k--)
            out->front.at[k] = out->front.at[k - 1];
        out->front.at[k] = all.points.at[i];
    }
    find_deciders(x, &all, out);
    find_effects(x, out);
    free_fronts(&all);
}

void explore_study_free(struct explore_study *s)
{
    vec_free(&s->front);
    vec_free(&s->effects);
    vec_free(&s->pairs);
    vec_free(&s->programs);
}
