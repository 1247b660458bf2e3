/* SPDX-License-Identifier: Apache-2.0 */
/* The search: which points are run on what, in which order.
 *
 * 1. Points are estimated (gpu.sample): all, or where there are more than may be, a random half of that many. They start on a
 *    part of the programs, and the better half goes on to more of them (successive halving; Jamieson, Talwalkar, AISTATS 2016),
 *    with those that their estimates' intervals do not tell from it.
 * 2. Neighbours of the best, the front at least, one coordinate away, are estimated on all programs until none is new: this is
 *    how a space that is too large to be estimated is walked, and a second chance for what the first programs were unkind to
 *    (Pareto local search; Paquete, Chiarandini and Stuetzle, 2004).
 * 3. Whole runs, a few at a time, each of one point on one program (lab/explore_pick.h), of what may be on the front: a Gaussian
 *    process (lab/explore_guess.h) learns from them what estimates of other points are off by. The points of the front get
 *    all programs. It ends when no other may be on it, or when the budget is spent. */
#include "cli/lab/explore_pick.h"
#include "cli/progress.h"

#include "base/rng.h"

#include <math.h>

typedef double vector[EG_COUNT];

struct search {
    struct explore *x;
    struct diag *d;
    VEC(uint32_t) alive; /* points that have estimates of all programs so far */
    uint32_t programs;   /* so many */
    bool *tried;         /* by point: estimated on something */
    uint32_t ntried;
    vector *mean;     /* by point: where it was asked for */
    uint32_t *beaten; /* by point: by how many others */
};

/* ---- telling ---- */

/* How long the rest takes at most: instructions to be simulated, at the speed so far. */
static void tell(const struct search *s, const char *what, double later_insts)
{
    const struct explore *x = s->x;
    char left[64] = "";
    if (x->quiet)
        return;
    if (x->run_insts > 0 && x->spent_s > 1) {
        double to_go = x->spent_s * later_insts / x->run_insts;
        unsigned long t = (unsigned long)(to_go < 1e8 ? to_go : 1e8);
        snprintf(left, sizeof left, ", %lu:%02lu:%02lu left at most", t / 3600, t / 60 % 60, t % 60);
    }
    fprintf(stderr, "explore: %s%s\n", what, left);
}

/* Instructions of an average run so far: estimates, or whole ones, which these stand for. */
static double insts_of(const struct explore *x, bool whole)
{
    return x->estimates ? (double)(whole ? x->est_of : x->est_insts) / (double)x->estimates : 0;
}

/* ---- ranks ---- */

static double score(const struct explore *x, const double *v)
{
    double sum = 0;
    for (uint32_t k = 0; k < x->opts->ngoals; k++)
        sum += log(v[x->opts->goals[k]]);
    return sum;
}

/* The mean over the first programs, from estimates. */
static void mean_of(const struct search *s, uint32_t point, double *out)
{
    const struct explore *x = s->x;
    for (int g = 0; g < EG_COUNT; g++) {
        double sum = 0;
        for (uint32_t p = 0; p < s->programs; p++)
            sum += explore_log(x, point, p, false, (enum explore_goal)g);
        out[g] = exp(sum / s->programs);
    }
}

/* A point within the limits comes before one that is not. */
static bool before(const struct explore *x, const double *a, const double *b)
{
    double over_a = explore_excess(x, a), over_b = explore_excess(x, b);
    if (over_a > 0 || over_b > 0)
        return over_a < over_b;
    return explore_beats(x->opts, a, b);
}

static void rank(struct search *s)
{
    vec_each (&s->alive, i)
        mean_of(s, *i, s->mean[*i]);
    vec_each (&s->alive, i) {
        s->beaten[*i] = 0;
        vec_each (&s->alive, k)
            s->beaten[*i] += before(s->x, s->mean[*k], s->mean[*i]);
    }
}

static bool comes_first(const struct search *s, uint32_t a, uint32_t b)
{
    if (s->beaten[a] != s->beaten[b])
        return s->beaten[a] < s->beaten[b];
    double u = score(s->x, s->mean[a]), v = score(s->x, s->mean[b]);
    return u != v ? u < v : a < b;
}

static void sort_alive(struct search *s)
{
    for (uint32_t gap = s->alive.n / 2; gap; gap /= 2)
        for (uint32_t i = gap; i < s->alive.n; i++) {
            uint32_t p = s->alive.at[i], k = i;
            for (; k >= gap && comes_first(s, p, s->alive.at[k - gap]); k -= gap)
                s->alive.at[k] = s->alive.at[k - gap];
            s->alive.at[k] = p;
        }
}

static void drop_out(struct search *s)
{
    uint32_t n = 0;
    vec_each (&s->alive, i)
        if (!s->x->points.at[*i].out)
            s->alive.at[n++] = *i;
    s->alive.n = n;
}

/* ---- estimates ---- */

static bool reference_is_there(struct search *s)
{
    if (!s->x->points.at[0].out)
        return true;
    diag_plain(s->d, "the first point is what all others are compared with, and has no result: %s",
               s->x->points.at[0].out);
    return false;
}

/* Runs of these points on units [first, last). */
static bool measure(struct explore *x, const uint32_t *points, uint32_t n, uint32_t first, uint32_t last,
                    bool whole, struct diag *d)
{
    VEC(struct explore_run) runs = {0};
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t u = first; u < last; u++)
            vec_push(&runs, (struct explore_run){.point = points[i], .unit = u});
    bool ok = explore_measure(x, runs.at, runs.n, whole, d);
    vec_free(&runs);
    return ok;
}

static bool estimate(struct search *s, const uint32_t *points, uint32_t n, uint32_t from, uint32_t to,
                     double later)
{
    struct explore *x = s->x;
    char what[96];
    snprintf(what, sizeof what, "estimates of %u point%s on %u program%s", n, cli_s(n), to - from,
             cli_s(to - from));
    tell(s, what, insts_of(x, false) * (double)n * (to - from) * x->nseeds + later);
    for (uint32_t i = 0; i < n; i++) {
        s->ntried += !s->tried[points[i]];
        s->tried[points[i]] = true;
    }
    return measure(x, points, n, from * x->nseeds, to * x->nseeds, false, s->d) && reference_is_there(s);
}

/* Whole points that the budget has, and so how many are worth having estimates of all programs. */
static uint32_t affordable(const struct explore *x)
{
    uint32_t n = x->opts->whole / x->nunits;
    return n ? n : 1;
}

/* Half the interval that the point's estimates state, of the log of a goal, over the programs so far. Energy times time is off
 * by what both are. */
static double stated(const struct search *s, uint32_t point, int g)
{
    double own = 1.96 * explore_doubt(s->x, point, s->programs);
    return g == EG_area ? 0 : g == EG_edp ? 2 * own : own;
}

/* Keeps the first `keep` of those that are sorted, and whoever may be as good as the last of them. */
static void keep_better(struct search *s, uint32_t keep)
{
    const struct explore *x = s->x;
    if (keep >= s->alive.n)
        return;
    uint32_t last = s->beaten[s->alive.at[keep - 1]], n = 0, *kept = xcalloc(s->alive.n, sizeof *kept);
    bool has_ref = false;
    for (uint32_t i = 0; i < s->alive.n; i++) {
        uint32_t p = s->alive.at[i], betters = 0;
        vector hoped;
        for (int g = 0; g < EG_COUNT; g++)
            hoped[g] = s->mean[p][g] * exp(-stated(s, p, g));
        for (uint32_t k = 0; i >= keep && k < keep && betters <= last; k++)
            betters += before(x, s->mean[s->alive.at[k]], hoped);
        if (i >= keep && betters > last)
            continue;
        kept[n++] = p;
        has_ref |= !p;
    }
    memcpy(s->alive.at, kept, n * sizeof *kept);
    s->alive.n = n;
    free(kept);
    if (!has_ref)
        vec_push(&s->alive, 0);
}

static bool halve(struct search *s)
{
    const struct explore *x = s->x;
    uint32_t least = 4 * affordable(x), all = x->programs.n;
    uint32_t first = s->alive.n > least && all >= 8   ? (all + 3) / 4
                     : s->alive.n > least && all >= 4 ? (all + 1) / 2
                                                      : all;
    for (uint32_t from = 0, to = first; from < all; from = to, to = to * 2 < all ? to * 2 : all) {
        double later = 0.5 * s->alive.n * (all - to) * x->nseeds * insts_of(x, false) +
                       x->opts->whole * insts_of(x, true);
        if (!estimate(s, s->alive.at, s->alive.n, from, to, later))
            return false;
        s->programs = to;
        drop_out(s);
        rank(s);
        sort_alive(s);
        if (to == all)
            break;
        keep_better(s, s->alive.n / 2 > least ? s->alive.n / 2 : least);
    }
    return true;
}

static bool is_alive(const struct search *s, uint32_t point)
{
    vec_each (&s->alive, i)
        if (*i == point)
            return true;
    return false;
}

/* Points one coordinate away from the best by the estimates, the front at least, that do not have all programs. */
static bool climb(struct search *s)
{
    struct explore *x = s->x;
    bool ok = true;
    /* As many as have whole runs at a time: estimates do not know the very best */
    uint32_t few = (affordable(x) + 3) / 4;
    for (;;) {
        VEC(uint32_t) next = {0};
        bool *listed = xcalloc(x->points.n, sizeof *listed);
        sort_alive(s);
        for (const uint32_t *i = s->alive.at; i < s->alive.at + s->alive.n; i++) {
            if (s->beaten[*i] && i >= s->alive.at + few)
                break;
            for (uint32_t f = 0; f < x->factors.n; f++)
                for (uint32_t l = 0; l < x->factors.at[f].levels.n; l++) {
                    int64_t p = explore_with(x, *i, f, l);
                    bool new = p >= 0 && !listed[p] && !is_alive(s, (uint32_t)p);
                    if (new && (s->tried[p] || s->ntried + next.n < x->opts->screen)) {
                        listed[p] = true;
                        vec_push(&next, (uint32_t)p);
                    }
                }
        }
        free(listed);
        if (next.n) {
            ok = estimate(s, next.at, next.n, 0, x->programs.n, x->opts->whole * insts_of(x, true));
            vec_each (&next, p)
                if (!x->points.at[*p].out)
                    vec_push(&s->alive, *p);
            if (ok)
                rank(s);
        }
        bool more = next.n;
        vec_free(&next);
        if (!ok || !more)
            return ok;
    }
}

static void shuffle(uint32_t *at, uint32_t n, struct rng *r)
{
    for (uint32_t i = n; i > 1; i--) {
        uint32_t k = rng_below(r, i), t = at[i - 1];
        at[i - 1] = at[k];
        at[k] = t;
    }
}

/* ---- whole runs ---- */

/* One round of whole runs; false: there is none to do, or it went wrong. */
static bool run_round(struct search *s, struct explore_guess *g, uint32_t *spent, bool *ok)
{
    struct explore *x = s->x;
    char what[64];
    /* The same on every host: what a round teaches decides the next one. */
    uint32_t want = (x->opts->whole + 9) / 10, left = x->opts->whole > *spent ? x->opts->whole - *spent : 0;
    struct explore_run *runs = xcalloc(left + 1, sizeof *runs);
    explore_guess_learn(g);
    x->left = explore_open(g);
    uint32_t n = x->left ? explore_pick(g, want < 3 ? 3 : want, left, runs) : 0;
    snprintf(what, sizeof what, "%u whole run%s, %u point%s may be on the front", n, cli_s(n), x->left,
             cli_s(x->left));
    if (n)
        tell(s, what, left * insts_of(x, true));
    *ok = !n || explore_measure(x, runs, n, true, s->d);
    *spent += n;
    free(runs);
    return n && *ok;
}

static bool run_whole(struct search *s)
{
    struct explore *x = s->x;
    uint32_t spent = 0;
    for (uint32_t u = 0; u < x->nunits; u++)
        spent += !x->points.at[0].full[u].ok;
    bool ok = measure(x, (const uint32_t[]){0}, 1, 0, x->nunits, true, s->d) && reference_is_there(s);
    if (!ok)
        return false;
    struct explore_guess *g = explore_guess_new(x, s->alive.at, s->alive.n);
    while (run_round(s, g, &spent, &ok))
        ;
    explore_guess_free(g);
    return ok;
}

/* ---- all of it ---- */

static bool run_all(struct search *s)
{
    struct explore *x = s->x;
    VEC(uint32_t) list = {0};
    for (uint32_t i = 0; i < x->points.n; i++)
        if (!x->points.at[i].out)
            vec_push(&list, i);
    tell(s, "whole runs of all points", 0);
    bool ok = measure(x, list.at, list.n, 0, x->nunits, true, s->d) && reference_is_there(s);
    vec_free(&list);
    return ok;
}

/* The reference and a random choice of the others. */
static void choose(struct search *s, struct rng *r)
{
    struct explore *x = s->x;
    for (uint32_t i = 1; i < x->points.n; i++)
        if (!x->points.at[i].out)
            vec_push(&s->alive, i);
    shuffle(s->alive.at, s->alive.n, r);
    if (s->alive.n + 1 > x->opts->screen)
        s->alive.n = (x->opts->screen + 1) / 2;
    vec_push(&s->alive, 0);
}

bool explore_search(struct explore *x, struct diag *d)
{
    struct search s = {.x = x, .d = d};
    uint64_t runs = (uint64_t)(x->points.n - x->over_limits) * x->nunits;
    x->all = runs <= x->opts->whole;
    s.tried = xcalloc(x->points.n, sizeof *s.tried);
    s.mean = xcalloc(x->points.n, sizeof *s.mean);
    s.beaten = xcalloc(x->points.n, sizeof *s.beaten);
    struct rng r = {.s = x->opts->seed};
    bool ok;
    if (x->all) {
        ok = run_all(&s);
    } else {
        for (uint32_t i = x->programs.n; i > 1; i--) { /* which programs come first is chance, too */
            uint32_t k = rng_below(&r, i);
            const char *t = x->programs.at[i - 1];
            x->programs.at[i - 1] = x->programs.at[k];
            x->programs.at[k] = t;
        }
        choose(&s, &r);
        ok = halve(&s) && climb(&s) && run_whole(&s);
    }
    vec_free(&s.alive);
    free(s.tried);
    free(s.mean);
    free(s.beaten);
    return ok;
}
