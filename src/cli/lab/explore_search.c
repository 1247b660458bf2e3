/* SPDX-License-Identifier: Apache-2.0 */
/* The search: which points are run on what, in which order.
 *
 * 1. Points are estimated (gpu.sample): all, or where there are more than may be, a random half of that many. They start on a
 *    part of the programs, and the better half goes on to more of them (successive halving; Jamieson, Talwalkar, AISTATS 2016),
 *    with those that their estimates' intervals do not tell from it.
 * 2. Neighbours of the best, the front at least, one coordinate away, are estimated on all programs until none is new: this is
 *    how a space that is too large to be estimated is walked, and a second chance for what the first programs were unkind to
 *    (Pareto local search; Paquete, Chiarandini and Stuetzle, 2004).
 * 3. What may be on the front has whole runs. How far whole runs are from estimates is learnt from the points that have both,
 *    most from those that are alike: it moves the estimates of the others. A point without whole runs may be better by the
 *    interval that its estimate states, or that the others predict for one more, whichever is wider. Points with the same
 *    estimates are the same machine as far as these programs go: one of them comes first, the others when nobody else is left.
 *    It ends when every such point is beaten even so, or when the budget is spent. */
#include "cli/lab/explore.h"
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
    vector *value;    /* by point: of whole runs, or what is expected of them */
    /* Half the interval that points with both predict for the log of whole over estimate of one more */
    double reach[EG_COUNT];
};

/* ---- telling ---- */

/* How long the rest takes at most: instructions to be simulated, at the speed so far. */
static void tell(const struct search *s, uint32_t n, uint32_t programs, bool whole, double later_insts)
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
    fprintf(stderr, "explore: %s of %u point%s on %u program%s%s\n", whole ? "whole runs" : "estimates", n,
            cli_s(n), programs, cli_s(programs), left);
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

static bool estimate(struct search *s, const uint32_t *points, uint32_t n, uint32_t from, uint32_t to,
                     double later)
{
    struct explore *x = s->x;
    tell(s, n, to - from, false, insts_of(x, false) * (double)n * (to - from) * x->nseeds + later);
    for (uint32_t i = 0; i < n; i++) {
        s->ntried += !s->tried[points[i]];
        s->tried[points[i]] = true;
    }
    return explore_measure(x, points, n, from * x->nseeds, to * x->nseeds, false, s->d) &&
           reference_is_there(s);
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

static bool is_whole(const struct explore *x, uint32_t point)
{
    for (uint32_t u = 0; u < x->nunits; u++)
        if (!x->points.at[point].full[u].ok)
            return false;
    return true;
}

/* Student's 97.5% point, within 2% from three degrees of freedom on; with fewer hardly anything is known. */
static double student(double df) { return 1.96 + 2.4 / df + 2.8 / (df * df); }

static void whole_means(const struct explore *x, uint32_t point, double *out)
{
    for (int g = 0; g < EG_COUNT; g++)
        out[g] = explore_geomean(x, point, true, (enum explore_goal)g);
}

static double off_by(const struct search *s, uint32_t point, int g)
{
    return log(explore_geomean(s->x, point, true, (enum explore_goal)g) / s->mean[point][g]);
}

/* Points with both: estimates and whole runs. The reference is 1 in both and tells nothing. */
static bool teaches(const struct search *s, uint32_t point) { return point && is_whole(s->x, point); }

static void learn_reach(struct search *s)
{
    for (int g = 0; g < EG_COUNT; g++) {
        double sum = 0, squares = 0, n = 0;
        vec_each (&s->alive, i) {
            double off = teaches(s, *i) ? off_by(s, *i, g) : NAN;
            if (!isfinite(off))
                continue;
            sum += off;
            squares += off * off;
            n++;
        }
        s->reach[g] = g == EG_area ? 0 : 1; /* nothing is known: anything may be */
        if (n > 1)
            s->reach[g] = student(n - 1) * sqrt(fmax(0, (squares - sum * sum / n) / (n - 1)) * (1 + 1 / n));
    }
}

/* What whole runs of the point will show. Estimates of machines that are alike are off alike: each coordinate that differs takes
 * a point's say to a quarter. (From a half to a sixteenth the search of tools/explore-known ends at the same point.) */
static void expect(const struct search *s, uint32_t point, double *out)
{
    const struct explore *x = s->x;
    double sum[EG_COUNT] = {0}, weights = 0;
    vec_each (&s->alive, i) {
        if (!teaches(s, *i))
            continue;
        double w = 1;
        for (uint32_t f = 0; f < x->factors.n; f++)
            w *= x->points.at[*i].level[f] != x->points.at[point].level[f] ? 0.25 : 1;
        for (int g = 0; g < EG_COUNT; g++)
            sum[g] += w * off_by(s, *i, g);
        weights += w;
    }
    for (int g = 0; g < EG_COUNT; g++)
        out[g] = s->mean[point][g] * (weights > 0 && isfinite(sum[g]) ? exp(sum[g] / weights) : 1);
}

static void learn(struct search *s)
{
    learn_reach(s);
    vec_each (&s->alive, i) {
        if (is_whole(s->x, *i))
            whole_means(s->x, *i, s->value[*i]);
        else
            expect(s, *i, s->value[*i]);
    }
    vec_each (&s->alive, i) {
        s->beaten[*i] = 0;
        vec_each (&s->alive, k)
            s->beaten[*i] += before(s->x, s->value[*k], s->value[*i]);
    }
}

/* The best that the point may be. */
static void hope(const struct search *s, uint32_t point, double *out)
{
    for (int g = 0; g < EG_COUNT; g++)
        out[g] = s->value[point][g] * exp(-fmax(s->reach[g], stated(s, point, g)));
}

/* May the point be on the front, for all that is known? */
static bool may_be_best(const struct search *s, uint32_t point, const vector *whole, const uint32_t *of,
                        uint32_t n)
{
    vector hoped;
    hope(s, point, hoped);
    if (explore_excess(s->x, hoped) > 0)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (of[i] != point && before(s->x, whole[i], hoped))
            return false;
    return true;
}

/* Do all runs of the two have the same estimates of what is asked for? */
static bool is_twin(const struct explore *x, uint32_t a, uint32_t b)
{
    bool asked[EG_COUNT] = {0};
    for (uint32_t k = 0; k < x->opts->ngoals; k++)
        asked[x->opts->goals[k]] = true;
    vec_each (&x->opts->limits, l)
        if (l->goal < EG_COUNT)
            asked[l->goal] = true;
    for (int g = 0; g < EG_COUNT; g++)
        for (uint32_t u = 0; asked[g] && u < x->nunits; u++)
            if (explore_of(x, a, u, false, g) != explore_of(x, b, u, false, g))
                return false;
    return true;
}

static bool has_whole_twin(const struct search *s, uint32_t point)
{
    vec_each (&s->alive, i)
        if (is_whole(s->x, *i) && is_twin(s->x, point, *i))
            return true;
    return false;
}

/* Orders candidates: fewest betters first, and in turn the best in each goal and in all of them together. */
static bool goes_before(const struct search *s, uint32_t a, uint32_t b, uint32_t turn)
{
    const struct explore_opts *o = s->x->opts;
    if (s->beaten[a] != s->beaten[b])
        return s->beaten[a] < s->beaten[b];
    double u = turn < o->ngoals ? s->value[a][o->goals[turn]] : score(s->x, s->value[a]);
    double v = turn < o->ngoals ? s->value[b][o->goals[turn]] : score(s->x, s->value[b]);
    return u != v ? u < v : a < b;
}

/* Puts the first `want` candidates in front, each the first of those that are left; twins when nobody else is. */
static void pick(const struct search *s, uint32_t *from, uint32_t n, uint32_t want)
{
    bool *twin = xcalloc(s->x->points.n, sizeof *twin);
    for (uint32_t i = 0; i < n; i++)
        twin[from[i]] = has_whole_twin(s, from[i]);
    for (uint32_t k = 0; k < want && k < n; k++) {
        uint32_t turn = k % (s->x->opts->ngoals + 1), best = k;
        for (uint32_t i = k + 1; i < n; i++)
            if (twin[from[i]] != twin[from[best]] ? twin[from[best]]
                                                  : goes_before(s, from[i], from[best], turn))
                best = i;
        uint32_t t = from[k];
        from[k] = from[best];
        from[best] = t;
        for (uint32_t i = k + 1; i < n; i++)
            twin[from[i]] |= is_twin(s->x, from[i], from[k]);
    }
    free(twin);
}

static uint32_t candidates(struct search *s, uint32_t *out)
{
    const struct explore *x = s->x;
    uint32_t n = 0, nwhole = 0;
    vector *whole = xcalloc(s->alive.n + 1, sizeof *whole);
    uint32_t *of = xcalloc(s->alive.n + 1, sizeof *of);
    vec_each (&s->alive, i)
        if (is_whole(x, *i)) {
            whole_means(x, *i, whole[nwhole]);
            of[nwhole++] = *i;
        }
    vec_each (&s->alive, i)
        if (!is_whole(x, *i) && !x->points.at[*i].out && may_be_best(s, *i, whole, of, nwhole))
            out[n++] = *i;
    free(whole);
    free(of);
    return n;
}

static bool run_whole(struct search *s)
{
    struct explore *x = s->x;
    uint64_t spent = 0;
    uint32_t *list = xcalloc(s->alive.n + 1, sizeof *list);
    /* The same on every host: what a batch teaches decides the next one. */
    uint32_t batch = (affordable(x) + 3) / 4;
    batch = batch < 3 ? 3 : batch;
    bool ok = explore_measure(x, (const uint32_t[]){0}, 1, 0, x->nunits, true, s->d) && reference_is_there(s);
    spent = x->nunits;
    while (ok) {
        learn(s);
        uint32_t n = candidates(s, list),
                 can = x->opts->whole > spent ? (uint32_t)((x->opts->whole - spent) / x->nunits) : 0;
        x->left = n;
        can = can < batch ? can : batch;
        can = can < n ? can : n;
        if (!can)
            break;
        pick(s, list, n, can);
        tell(s, can, x->programs.n, true, (double)(x->opts->whole - spent) * insts_of(x, true));
        ok = explore_measure(x, list, can, 0, x->nunits, true, s->d);
        spent += (uint64_t)can * x->nunits;
    }
    free(list);
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
    tell(s, list.n, x->programs.n, true, 0);
    bool ok = explore_measure(x, list.at, list.n, 0, x->nunits, true, s->d) && reference_is_there(s);
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
    s.value = xcalloc(x->points.n, sizeof *s.value);
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
    free(s.value);
    return ok;
}
