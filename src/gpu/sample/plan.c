/* SPDX-License-Identifier: Apache-2.0 */
/* Which launches are simulated, and how much of each. */
#include "gpu/sample/sample.h"

#include <math.h>

/* A launch that would be simulated to more than this share is simulated whole: nothing is extrapolated then. */
static const double most_thinned = 0.6;
/* The smaller and the larger size of a launch whose streams are cut have these shares of what may be spent on it. A third of the
 * larger one leaves a long lever for the line through both, and still has several times the cost that every launch has once. */
static const double size_part[2] = {0.25, 0.75};
/* Instructions of a warp that the smaller size has at least: fewer are all start. */
enum { LEAST_OF_WARP = 32 };
/* Streams whose beginning does other things than the rest, by so much, are not cut: nothing would tell of the rest. */
static const double early_differs = 0.1;
/* One run tells more than two sizes, and the start of the launch is in it once: this part of what those need is enough. */
static const double jumps_least = 0.25;
enum {
    RUN = 300,    /* instructions of a warp between two jumps: the loads at its ends wait for nothing */
    ENDS = 200,   /* ... at the beginning of a stream and at its end, which are not like what is between */
    SHORT = 1000, /* barriers nearer than that are jumped over */
    PARTS = 8,    /* a loop that has fewer times RUN is not jumped through */
    MANY = 32,    /* parts of a stream are enough: they are longer then */
};
static const double ends_most = 1.0 / 40; /* of a stream, each */
/* Launches of more waves than that have CTAs side by side of which some begin and others end: no part of a stream is special. */
static const double mixed_waves = 1.2;
/* The waves of a thinned launch are taken from so many places of its grid. Two are the fewest that have a time in between in
 * which as many CTAs end as the GPU holds, while others take their places. */
enum { PLACES = 16, LEAST_WAVES = 2 };
/* At least one in so many instructions is executed; where warps wait often for each other, whose barriers cannot be jumped over,
 * one in fewer. */
static const double most_jumped = 25, most_waiting = 6;
/* Launches that differ by less are taken for identical: one of them tells of all. */
static const double identical_within = 0.01;

/* ---- strata ---- */

static bool near(double a, double b, double tolerance) { return fabs(a - b) <= tolerance * (a > b ? a : b); }

static bool alike(const struct sample_launch *a, const struct sample_launch *b, double tolerance)
{
    return a->kernel == b->kernel && a->threads == b->threads && a->shared_b == b->shared_b &&
           near((double)a->ctas, (double)b->ctas, tolerance) &&
           near((double)a->insts, (double)b->insts, tolerance) &&
           sample_distance(&a->all, &b->all) <= tolerance;
}

static void stratify(const struct sample_launch *l, uint32_t n, double tolerance, struct sample_plan *p)
{
    p->strata.n = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t s = 0;
        while (s < p->strata.n && !alike(&l[i], &l[p->strata.at[s].leader], tolerance))
            s++;
        if (s == p->strata.n)
            vec_push(&p->strata, (struct sample_stratum){.leader = i});
        p->strata.at[s].n++;
        p->strata.at[s].insts += l[i].insts;
        p->of[i] = s;
    }
}

/* ---- one launch ---- */

static struct sample_pick whole(uint32_t launch) { return (struct sample_pick){.launch = launch}; }

/* Whole waves, with the remainder that the full launch ends with. 0: not worth it. */
static double by_waves(const struct sample_launch *l, double spend, struct sample_pick *to)
{
    double all = (double)l->ctas / (double)l->wave, rest = (double)(l->ctas % l->wave) / (double)l->wave;
    double want = floor(all * spend - rest + 0.5);
    to->waves = want > LEAST_WAVES ? (uint32_t)want : LEAST_WAVES;
    to->how = SAMPLE_WAVES;
    return (to->waves + rest) / all;
}

static double by_streams(const struct sample_launch *l, double spend, struct sample_pick *to)
{
    double of_warp = (double)l->insts / ((double)l->ctas * l->nwarps), least = LEAST_OF_WARP / of_warp;
    if (spend * size_part[0] < least)
        spend = least / size_part[0];
    for (uint32_t k = 0; k < 2; k++)
        to->share[k] = spend * size_part[k];
    to->how = SAMPLE_STREAMS;
    return spend;
}

/* Streams of `all` units each: instructions, or what lies between two barriers, `of` instructions. One in `most` at least is
 * executed; where all warps have the same period, and CTAs begin it at different places, one of them tells of another. */
static double jump(double all, double of, double most, double spend, bool same, struct sm_jumps *to)
{
    double ends = 2 * (double)to->ends / all, run = ceil(RUN / of), loop = 1 - ends;
    if (loop * all < PARTS * run)
        return 1;
    double twice = loop * all / run / 2; /* on average: there are shorter streams */
    if (!same || to->together)
        most = most < twice ? most : twice;
    to->one_in = (spend - ends) * most > loop ? loop / (spend - ends) : most;
    double longer = floor(loop * all / to->one_in / MANY);
    to->run = (uint64_t)(run > longer ? run : longer);
    double periods = floor(loop * all / ((double)to->run * to->one_in) + 0.5);
    to->period = same ? loop * all / (periods > 1 ? periods : 1) : 0;
    return ends + loop / to->one_in;
}

static double by_jumps(const struct sample_launch *l, double spend, struct sample_pick *to)
{
    double of_warp = (double)l->insts / ((double)l->ctas * l->nwarps), ends = of_warp * ends_most;
    bool mixed = (double)l->ctas > mixed_waves * (double)l->wave;
    struct sm_jumps *j = &to->jumps;
    to->how = SAMPLE_JUMPS;
    *j = (struct sm_jumps){.ends_most = ends_most, .together = l->shares};
    if (l->no_jumps || (l->per_bar <= 0 && l->between < RUN))
        return 1;
    if (l->per_bar <= 0 || l->per_bar > SHORT) {
        j->ends = mixed ? 0 : (uint64_t)(ends < ENDS ? ends : ENDS);
        return jump(of_warp, 1, l->between < 2 * SHORT ? most_waiting : most_jumped, spend,
                    mixed || l->shares, j);
    }
    j->per_bar = l->per_bar;
    j->ends = of_warp / l->per_bar < 16 ? 1 : 2;
    return jump(of_warp / l->per_bar, l->per_bar, most_jumped, spend, false, j);
}

/* A launch of which `spend` may be simulated, and `least` where warps do not jump. Streams are cut where their
 * beginning tells of the rest, and warps jump where it does not, or may hit in L2 what the rest does not. Returns what share of
 * it is simulated. */
static double thin(const struct sample_launch *l, uint32_t launch, double spend, double least,
                   struct sample_pick *to)
{
    *to = whole(launch);
    if (l->whole_only || !l->insts)
        return 1;
    struct sample_pick w = *to, s = *to, j = *to;
    double twice = spend > least ? spend : least,
           once = spend > jumps_least * least ? spend : jumps_least * least;
    bool differs = l->apart || l->no_cut || sample_distance(&l->all, &l->early) > early_differs;
    double waves = by_waves(l, twice, &w), streams = differs ? 1 : by_streams(l, twice, &s),
           jumps = differs || l->misses ? by_jumps(l, once, &j) : 1;
    if (jumps < most_thinned) {
        streams = jumps;
        s = j;
    }
    bool take = waves <= 2 * twice || waves <= streams;
    if ((take ? waves : streams) >= most_thinned)
        return 1;
    *to = take ? w : s;
    return take ? waves : streams;
}

/* ---- all of them ---- */

static bool identical(const struct sample_launch *l, uint32_t n, const struct sample_plan *p, uint32_t s)
{
    const struct sample_launch *a = &l[p->strata.at[s].leader];
    for (uint32_t i = 0; i < n; i++)
        if (p->of[i] == s && !alike(&l[i], a, identical_within))
            return false;
    return true;
}

struct member {
    uint64_t insts;
    uint32_t launch;
};

static int by_size(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    return x->insts != y->insts ? (x->insts > y->insts) - (x->insts < y->insts)
                                : (x->launch > y->launch) - (x->launch < y->launch);
}

/* The members that are simulated lie evenly among all by size, so that short and long ones are there. Returns instructions. */
static double pick(const struct sample_launch *l, uint32_t n, const struct sample_budget *b,
                   struct sample_plan *p, uint32_t s)
{
    struct sample_stratum *h = &p->strata.at[s];
    double mean = (double)h->insts / h->n, may = b->share * (double)h->insts, cost = 0;
    h->differ = h->n > 1 && !identical(l, n, p, s);
    uint32_t fewest = h->n > 2 && h->differ ? 2 : 1, /* of two one is half */
        want = mean > 0 ? (uint32_t)(may / mean) : 1, at = 0;
    struct member *m = xcalloc(h->n, sizeof *m);
    want = want < fewest ? fewest : want;
    for (uint32_t i = 0; i < n; i++)
        if (p->of[i] == s)
            m[at++] = (struct member){l[i].insts, i};
    qsort(m, h->n, sizeof *m, by_size);
    h->first = p->picks.n;
    h->npicks = want;
    for (uint32_t k = 0; k < want; k++) {
        struct sample_pick to;
        uint32_t i = m[(uint64_t)h->n * (2 * k + 1) / (2 * want)].launch;
        cost += (double)l[i].insts *
                thin(&l[i], i, mean > 0 ? may / want / mean : 1, mean > 0 ? (double)b->least / mean : 1, &to);
        vec_push(&p->picks, to);
    }
    free(m);
    return cost;
}

void sample_plan_make(const struct sample_launch *l, uint32_t n, const struct sample_budget *b,
                      struct sample_plan *p)
{
    double all = 0, cost;
    *p = (struct sample_plan){.of = xcalloc(n ? n : 1, sizeof *p->of)};
    for (uint32_t i = 0; i < n; i++)
        all += (double)l[i].insts;
    /* As narrow as what may be spent allows. */
    for (double tolerance = 0.025; tolerance < 0.5; tolerance *= 2) {
        stratify(l, n, tolerance, p);
        p->picks.n = 0;
        cost = 0;
        for (uint32_t s = 0; s < p->strata.n; s++)
            cost += pick(l, n, b, p, s);
        p->share = all > 0 ? cost / all : 1;
        if (p->share <= 1.25 * b->share)
            break;
    }
}

void sample_plan_free(struct sample_plan *p)
{
    free(p->of);
    vec_free(&p->strata);
    vec_free(&p->picks);
}

static void add_range(sample_ranges *to, uint64_t from, uint64_t end)
{
    if (to->n && to->at[to->n - 1].to == from)
        to->at[to->n - 1].to = end;
    else if (end > from)
        vec_push(to, (struct gpu_ctas){from, end});
}

/* [from, end), with one CTA before it that is at `from` at the latest, if it has not been. */
static void add_with(sample_ranges *to, uint64_t from, uint64_t end, uint64_t *with)
{
    if (*with < from)
        add_range(to, *with, *with + 1);
    if (*with < end)
        *with = UINT64_MAX;
    add_range(to, from, end);
}

void sample_waves(const struct sample_launch *l, uint32_t waves, sample_ranges *to)
{
    uint64_t whole = l->ctas / l->wave * l->wave, want = waves * l->wave, with = l->longest;
    uint64_t places = want < PLACES ? want : PLACES;
    vec_clear(to);
    for (uint64_t k = 0; k < places; k++) {
        uint64_t n = want * (k + 1) / places - want * k / places, begin = whole * k / places,
                 room = whole * (k + 1) / places - begin;
        uint64_t from = begin + (room > n ? (room - n) / 2 : 0);
        add_with(to, from, from + (n < room ? n : room), &with);
    }
    add_with(to, whole, l->ctas, &with);
}
