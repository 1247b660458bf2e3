/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/lab/order.h"

#include "cli/lab/split.h"

struct ordering {
    const struct experiments *e;
    struct plan *p;
    uint32_t *first; /* by job: the first job with the same run */
    /* By such a first job; 0: the database has it, or an experiment that comes earlier asks for it */
    double *cost_s;
    uint32_t *claims; /* by experiment */
    bool *done;       /* by experiment */
    uint32_t *seen;   /* by first job: the experiment that counted it last, and one */
};

/* Jobs with the same key have the same run; which is found by sorting them. */
struct keyed {
    const char *key;
    uint32_t job;
};

static int by_key(const void *x, const void *y)
{
    const struct keyed *a = x, *b = y;
    int order = strcmp(a->key, b->key);
    return order ? order : (a->job > b->job) - (a->job < b->job);
}

static void find_firsts(struct ordering *o)
{
    uint32_t n = o->p->jobs.n;
    struct keyed *all = xcalloc(n + 1, sizeof *all);
    for (uint32_t i = 0; i < n; i++)
        all[i] = (struct keyed){o->p->jobs.at[i].key.text, i};
    qsort(all, n, sizeof *all, by_key);
    for (uint32_t i = 0; i < n; i++)
        o->first[all[i].job] =
            i && strcmp(all[i].key, all[i - 1].key) == 0 ? o->first[all[i - 1].job] : all[i].job;
    free(all);
}

static double cost_of(struct ordering *o, uint32_t experiment)
{
    const struct experiment *x = &o->e->all.at[experiment];
    double sum = 0;
    for (uint32_t i = x->first_job; i < x->first_job + x->njobs; i++) {
        uint32_t f = o->first[i];
        if (o->seen[f] != experiment + 1)
            sum += o->cost_s[f];
        o->seen[f] = experiment + 1;
    }
    return sum;
}

/* The cheapest of those that are left, for each claim; those without one after all others. */
static uint32_t cheapest(struct ordering *o)
{
    uint32_t best = UINT32_MAX;
    double least = 0;
    for (uint32_t i = 0; i < o->e->all.n; i++) {
        if (o->done[i])
            continue;
        bool has = o->claims[i], best_has = best != UINT32_MAX && o->claims[best];
        double cost = cost_of(o, i) / (has ? o->claims[i] : 1);
        if (best == UINT32_MAX || (has && !best_has) || (has == best_has && cost < least)) {
            best = i;
            least = cost;
        }
    }
    return best;
}

static void rank_all(struct ordering *o)
{
    vec_each (&o->p->jobs, j)
        j->rank = UINT32_MAX;
    for (uint32_t rank = 0; rank < o->e->all.n; rank++) {
        uint32_t at = cheapest(o);
        const struct experiment *x = &o->e->all.at[at];
        o->done[at] = true;
        for (uint32_t i = x->first_job; i < x->first_job + x->njobs; i++) {
            struct plan_job *j = &o->p->jobs.at[o->first[i]];
            j->rank = rank < j->rank ? rank : j->rank;
            o->cost_s[o->first[i]] = 0;
        }
    }
    /* The plan does a run for the first job that asks for it. */
    for (uint32_t i = 0; i < o->p->jobs.n; i++)
        o->p->jobs.at[i].rank = o->p->jobs.at[o->first[i]].rank;
}

/* split_plan gives the seconds to the first job of those that share a run, in the same order as find_firsts. */
bool order_plan(const struct experiments *e, const struct claims *c, struct plan *p, const char *db,
                struct diag *d)
{
    struct split s;
    bool ok = split_plan(p, db, 1, &s, d);
    uint32_t n = p->jobs.n + 1, nx = e->all.n + 1;
    struct ordering o = {.e = e,
                         .p = p,
                         .first = xcalloc(n, sizeof *o.first),
                         .cost_s = s.cost_s,
                         .claims = xcalloc(nx, sizeof *o.claims),
                         .done = xcalloc(nx, sizeof *o.done),
                         .seen = xcalloc(n, sizeof *o.seen)};
    if (ok) {
        find_firsts(&o);
        for (uint32_t i = 0; i < e->all.n; i++)
            vec_each (&c->rows, claim)
                o.claims[i] += experiment_names(&e->all.at[i], claim->id);
        rank_all(&o);
        if (!p->quiet)
            fprintf(stderr, "bankshot: %u runs are missing, about %.0f seconds of one processor%s\n", s.runs,
                    s.total_s, s.is_measured ? "" : " (a guess: the database has no run)");
    }
    free(o.first);
    free(o.claims);
    free(o.done);
    free(o.seen);
    split_free(&s);
    return ok;
}
