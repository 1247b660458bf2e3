/* SPDX-License-Identifier: Apache-2.0 */
/* The choice of whole runs. A point falls short of the front by what it would have to be better by in all goals (the additive
 * epsilon of Zitzler and others, 2003), and is hoped to get over it by so much (expected improvement; Jones and others, 1998).
 * The next run is the one, on any program, that leaves the least unknown about the hopeful: it tells of all points that are
 * like its own (truncated variance reduction; Bogunovic and others, 2016). The end of the budget completes what is on the
 * front by then. */
#include "cli/lab/explore_pick.h"

#include <math.h>

enum { HOPEFUL = 40 }; /* points whose unknowns count */

/* How far an entry is from the front, in the goal that this hangs on. */
struct shortfall {
    double by, hope;
    enum explore_goal goal;
};

struct picking {
    const struct explore_guess *g;
    bool *done; /* by entry, by unit: seen, or picked */
    bool *front;
    struct shortfall *of; /* by entry */
    uint32_t hopeful[HOPEFUL], nhopeful;
    double *between; /* by goal, by unit: covariances of the hopeful */
    struct explore_run *out;
    uint32_t n, left;
};

/* ---- the front, as far as it is known ---- */

static double over_limits(const struct explore_guess *g, const double *mean, enum explore_goal *goal)
{
    double most = 0;
    vec_each (&g->x->opts->limits, l) {
        if (l->goal >= EG_COUNT || mean[l->goal] - log(l->most) <= most + 1e-12)
            continue;
        most = mean[l->goal] - log(l->most);
        *goal = (enum explore_goal)l->goal;
    }
    return most;
}

static bool is_gone(const struct explore_guess *g, uint32_t entry)
{
    return g->x->points.at[g->of[entry]].out;
}

/* a is as good as b in all goals, and better or first. */
static bool covers(const struct explore_guess *g, uint32_t a, uint32_t b)
{
    const struct explore_opts *o = g->x->opts;
    bool better = false;
    for (uint32_t k = 0; k < o->ngoals; k++) {
        if (g->mean[a][o->goals[k]] > g->mean[b][o->goals[k]])
            return false;
        better |= g->mean[a][o->goals[k]] < g->mean[b][o->goals[k]];
    }
    if (better)
        return true;
    bool whole_a = explore_settled(g->x, g->of[a]), whole_b = explore_settled(g->x, g->of[b]);
    return whole_a != whole_b ? whole_a : a < b;
}

static void find_front(struct picking *k)
{
    const struct explore_guess *g = k->g;
    enum explore_goal any;
    for (uint32_t i = 0; i < g->n; i++) {
        k->front[i] = !is_gone(g, i) && over_limits(g, g->mean[i], &any) <= 0;
        for (uint32_t j = 0; k->front[i] && j < i; j++)
            if (k->front[j] && covers(g, j, i))
                k->front[i] = false;
        for (uint32_t j = 0; k->front[i] && j < i; j++)
            if (k->front[j] && covers(g, i, j))
                k->front[j] = false;
    }
}

/* What a has to gain on b in every goal that is not certain; at most 0 where its area is less. */
static double behind(const struct explore_guess *g, uint32_t a, uint32_t b, enum explore_goal *goal)
{
    const struct explore_opts *o = g->x->opts;
    double least = INFINITY;
    for (uint32_t k = 0; k < o->ngoals; k++) {
        double d = g->mean[a][o->goals[k]] - g->mean[b][o->goals[k]];
        if (o->goals[k] == EG_area) {
            least = d < 0 ? fmin(least, 0) : least;
        } else if (d < least) {
            least = d;
            *goal = o->goals[k];
        }
    }
    return isfinite(least) ? least : 0;
}

/* Expected improvement of something normal that is short of it by so much. */
static double hope_of(double by, double sd)
{
    double z = by / sd;
    return sd > 0 ? sd * exp(-z * z / 2) / 2.5066282746310002 - by * 0.5 * erfc(z / 1.4142135623730951) : 0;
}

static void find_shortfall(struct picking *k, uint32_t entry)
{
    const struct explore_guess *g = k->g;
    struct shortfall s = {.goal = EG_COUNT};
    for (uint32_t i = 0; i < EG_COUNT && s.goal == EG_COUNT; i++)
        if (g->asked[i])
            s.goal = (enum explore_goal)i;
    for (uint32_t i = 0; i < g->n; i++) {
        enum explore_goal goal = s.goal;
        double by = k->front[i] && i != entry ? behind(g, entry, i, &goal) : 0;
        if (by > s.by)
            s = (struct shortfall){.by = by, .goal = goal};
    }
    enum explore_goal limit = s.goal;
    double over = over_limits(g, g->mean[entry], &limit);
    if (over > 0 && over / g->sd[entry][limit] > s.by / g->sd[entry][s.goal])
        s = (struct shortfall){.by = over, .goal = limit};
    s.hope = hope_of(s.by, g->sd[entry][s.goal]);
    k->of[entry] = s;
}

/* ---- runs ---- */

static bool *is_done(const struct picking *k, uint32_t entry, uint32_t unit)
{
    return &k->done[(size_t)entry * k->g->x->nunits + unit];
}

static uint32_t lacks(const struct picking *k, uint32_t entry)
{
    uint32_t n = 0;
    for (uint32_t u = 0; u < k->g->x->nunits; u++)
        n += !*is_done(k, entry, u);
    return n;
}

static double *between(const struct picking *k, int goal, uint32_t unit)
{
    size_t n = k->nhopeful;
    return &k->between[((size_t)goal * k->g->x->nunits + unit) * n * n];
}

/* What is unknown of the hopeful, once the run is there. */
static void account(struct picking *k, uint32_t at, uint32_t unit)
{
    uint32_t n = k->nhopeful;
    for (int goal = 0; goal < EG_COUNT; goal++) {
        if (!k->g->asked[goal])
            continue;
        double *c = between(k, goal, unit), own = c[at * n + at];
        double row[HOPEFUL];
        memcpy(row, &c[at * n], n * sizeof *row);
        for (uint32_t i = 0; own > 0 && i < n; i++)
            for (uint32_t j = 0; j < n; j++)
                c[i * n + j] -= row[i] * row[j] / own;
        for (uint32_t i = 0; i < n; i++)
            c[at * n + i] = c[i * n + at] = 0;
    }
}

static void take(struct picking *k, uint32_t entry, uint32_t unit)
{
    *is_done(k, entry, unit) = true;
    k->out[k->n++] = (struct explore_run){.point = k->g->of[entry], .unit = unit};
    for (uint32_t i = 0; i < k->nhopeful; i++)
        if (k->hopeful[i] == entry)
            account(k, i, unit);
}

static double unknown(const struct picking *k, uint32_t at)
{
    enum explore_goal goal = k->of[k->hopeful[at]].goal;
    double sum = 0;
    for (uint32_t u = 0; u < k->g->x->nunits; u++)
        sum += fmax(0, between(k, goal, u)[at * k->nhopeful + at]);
    return sum;
}

/* How much less the hopeful would be unsure of, each counted by its hope. */
static double gain_of(const struct picking *k, uint32_t at, uint32_t unit, const double *sum,
                      const double *hope)
{
    double gain = 0;
    for (uint32_t i = 0; i < k->nhopeful; i++) {
        const double *c = between(k, k->of[k->hopeful[i]].goal, unit);
        double own = c[at * k->nhopeful + at], both = c[at * k->nhopeful + i];
        double after = own > 0 ? fmax(0, sum[i] - both * both / own) : sum[i];
        gain += hope[i] * (sqrt(sum[i]) - sqrt(after));
    }
    return gain;
}

/* False: no run tells anything. */
static bool take_best_run(struct picking *k)
{
    const struct explore *x = k->g->x;
    double sum[HOPEFUL], hope[HOPEFUL], most = 0;
    uint32_t best = 0, of = 0;
    for (uint32_t i = 0; i < k->nhopeful; i++) {
        sum[i] = unknown(k, i);
        hope[i] = fmax(1e-12, hope_of(k->of[k->hopeful[i]].by, sqrt(sum[i]) / x->nunits));
    }
    for (uint32_t u = 0; u < x->nunits; u++)
        for (uint32_t i = 0; i < k->nhopeful; i++) {
            double gain = *is_done(k, k->hopeful[i], u) ? 0 : gain_of(k, i, u, sum, hope);
            if (gain > most) {
                most = gain;
                best = i;
                of = u;
            }
        }
    if (most > 0)
        take(k, k->hopeful[best], of);
    return most > 0;
}

/* How far behind an entry the nearest is that lacks nothing. */
static double bare(const struct picking *k, uint32_t entry)
{
    const struct explore_guess *g = k->g;
    double least = INFINITY;
    for (uint32_t i = 0; i < g->n; i++) {
        double most = -INFINITY;
        for (uint32_t goal = 0; goal < g->x->opts->ngoals; goal++) {
            enum explore_goal of = g->x->opts->goals[goal];
            most = fmax(most, g->mean[i][of] - g->mean[entry][of]);
        }
        least = most < least && !is_gone(g, i) && !lacks(k, i) ? most : least;
    }
    return least;
}

/* Everything that one point lacks, if that is within the budget: of the front, where it is barest; else the nearest to it. False:
 * there is none. */
static bool complete_one(struct picking *k)
{
    const struct explore_guess *g = k->g;
    uint32_t best = UINT32_MAX;
    double best_bare = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        uint32_t n = is_gone(g, i) ? 0 : lacks(k, i);
        if (!n || n > k->left - k->n)
            continue;
        double of = k->front[i] ? bare(k, i) : 0;
        bool nearer = best == UINT32_MAX              ? true
                      : k->front[i] || k->front[best] ? k->front[i] && (!k->front[best] || of > best_bare)
                      : k->of[i].by != k->of[best].by ? k->of[i].by < k->of[best].by
                                                      : k->of[i].hope > k->of[best].hope;
        best = nearer ? i : best;
        best_bare = nearer ? of : best_bare;
    }
    for (uint32_t u = 0; best != UINT32_MAX && u < g->x->nunits; u++)
        if (!*is_done(k, best, u))
            take(k, best, u);
    return best != UINT32_MAX;
}

/* Runs that the front lacks: so much is put by, half of the budget at most but for one point. */
static uint32_t owed(const struct picking *k)
{
    const struct explore *x = k->g->x;
    uint32_t n = 0, most = x->opts->whole / 2;
    for (uint32_t i = 0; i < k->g->n; i++)
        n += k->front[i] ? lacks(k, i) : 0;
    most = most < x->nunits ? x->nunits : most;
    return n < most ? n : most;
}

static void find_hopeful(struct picking *k)
{
    const struct explore_guess *g = k->g;
    for (uint32_t i = 0; i < g->n; i++) {
        if (is_gone(g, i) || !lacks(k, i) || !(k->of[i].hope > 0))
            continue;
        uint32_t at = k->nhopeful;
        for (; at && k->of[k->hopeful[at - 1]].hope < k->of[i].hope; at--)
            if (at < HOPEFUL)
                k->hopeful[at] = k->hopeful[at - 1];
        if (at < HOPEFUL)
            k->hopeful[at] = i;
        k->nhopeful += k->nhopeful < HOPEFUL;
    }
    size_t n = k->nhopeful;
    k->between = xcalloc((size_t)EG_COUNT * g->x->nunits * n * n + 1, sizeof *k->between);
    for (int goal = 0; goal < EG_COUNT; goal++)
        for (uint32_t u = 0; g->asked[goal] && u < g->x->nunits; u++)
            explore_guess_between(g, (enum explore_goal)goal, u, k->hopeful, k->nhopeful,
                                  between(k, goal, u));
}

uint32_t explore_pick(const struct explore_guess *g, uint32_t want, uint32_t left, struct explore_run *out)
{
    struct picking k = {.g = g, .out = out, .left = left};
    k.done = xcalloc((size_t)g->n * g->x->nunits, sizeof *k.done);
    k.front = xcalloc(g->n, sizeof *k.front);
    k.of = xcalloc(g->n, sizeof *k.of);
    for (uint32_t i = 0; i < g->n; i++)
        for (uint32_t u = 0; u < g->x->nunits; u++)
            *is_done(&k, i, u) = g->x->points.at[g->of[i]].full[u].ok;
    find_front(&k);
    for (uint32_t i = 0; i < g->n; i++)
        if (!is_gone(g, i))
            find_shortfall(&k, i);
    find_hopeful(&k);
    while (k.n < want && k.n < left) {
        /* A front is found out point by point: from half of the budget on, what is on it comes first. */
        uint32_t due = owed(&k);
        bool half = g->x->opts->ngoals > 1 && left - k.n <= g->x->opts->whole / 2;
        bool saving = due >= left - k.n || (due && half);
        if (saving ? !complete_one(&k) : !take_best_run(&k) && !complete_one(&k))
            break;
    }
    free(k.done);
    free(k.front);
    free(k.of);
    free(k.between);
    return k.n;
}

/* ---- what is open ---- */

/* Half the interval that estimates state where there are no whole runs, of the log of a goal. Energy times time is off by what
 * both are. */
static double stated(const struct explore_guess *g, uint32_t entry, int goal)
{
    const struct explore *x = g->x;
    double sum = 0;
    for (uint32_t u = 0; u < x->nunits; u++) {
        const struct explore_point *p = &x->points.at[g->of[entry]];
        double pm = p->full[u].ok ? 0 : p->est[u].pm / p->est[u].cycles;
        sum += pm * pm;
    }
    return (goal == EG_area ? 0 : goal == EG_edp ? 2 : 1) * sqrt(sum) / x->nunits;
}

static bool is_beaten(const struct explore_guess *g, const double *mean)
{
    const struct explore_opts *o = g->x->opts;
    enum explore_goal any;
    for (uint32_t i = 0; i < g->n; i++) {
        bool better = false, nowhere_worse = true;
        if (is_gone(g, i) || !explore_settled(g->x, g->of[i]) || over_limits(g, g->mean[i], &any) > 0)
            continue;
        for (uint32_t k = 0; k < o->ngoals; k++) {
            nowhere_worse &= g->mean[i][o->goals[k]] <= mean[o->goals[k]];
            better |= g->mean[i][o->goals[k]] < mean[o->goals[k]];
        }
        if (better && nowhere_worse)
            return true;
    }
    return false;
}

uint32_t explore_open(const struct explore_guess *g)
{
    uint32_t n = 0;
    enum explore_goal any;
    for (uint32_t i = 0; i < g->n; i++) {
        double best[EG_COUNT];
        if (explore_settled(g->x, g->of[i]))
            continue;
        for (int goal = 0; goal < EG_COUNT; goal++)
            best[goal] = g->mean[i][goal] - fmax(1.96 * g->sd[i][goal], stated(g, i, goal));
        n += over_limits(g, best, &any) <= 0 && !is_beaten(g, best);
    }
    return n;
}
