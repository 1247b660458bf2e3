/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/lab/split.h"

#include <unistd.h>

/* What a warp instruction and a run take where nothing was measured: about a core of these years. Only the proportions count. */
static const double GUESS_S = 1e-6, START_S = 0.05;

/* ---- costs ---- */

struct costs {
    struct db *db; /* NULL: none yet */
    double per_inst_s;
    /* By machine of the plan: of an instruction on that preset with those mechanisms; below 0: not asked yet */
    double *machine_s;
};

static bool costs_read(struct costs *c, const struct plan *p, bool *measured, struct diag *d)
{
    c->per_inst_s = 0;
    bool ok = !c->db || db_seconds_per_inst(c->db, "", "", &c->per_inst_s, d);
    *measured = c->per_inst_s > 0;
    if (!*measured)
        c->per_inst_s = GUESS_S;
    c->machine_s = xcalloc(p->machines.n + 1, sizeof *c->machine_s);
    for (uint32_t i = 0; i < p->machines.n; i++)
        c->machine_s[i] = c->db ? -1 : c->per_inst_s;
    return ok;
}

/* Of runs with the same mechanisms; else on the same preset; else of all. */
static bool machine_cost(const struct costs *c, const struct plan *p, uint32_t machine, double *out,
                         struct diag *d)
{
    const struct plan_machine *m = &p->machines.at[machine];
    double *s = &c->machine_s[machine];
    bool ok = true;
    if (*s < 0)
        ok = db_seconds_per_inst(c->db, m->opts.gpu, m->mechs, s, d) &&
             (*s > 0 || db_seconds_per_inst(c->db, m->opts.gpu, "", s, d));
    if (*s <= 0)
        *s = c->per_inst_s;
    *out = *s;
    return ok;
}

/* As long as runs of that trace on that GPU took, whatever the mechanisms; else by its instructions. */
static bool cost_of(const struct costs *c, const struct plan *p, const struct plan_job *j, double *out,
                    struct diag *d)
{
    double before_s = 0, per_inst_s;
    if (c->db && !j->nothers &&
        !db_seconds(c->db, p->traces.at[j->trace].identity, j->point.gpu, &before_s, d))
        return false;
    if (!machine_cost(c, p, j->machine, &per_inst_s, d))
        return false;
    uint64_t insts = p->traces.at[j->trace].warp_insts;
    for (uint32_t i = 0; i < j->nothers; i++)
        insts += p->traces.at[j->others[i]].warp_insts;
    *out = START_S + (before_s > 0 ? before_s : (double)insts * per_inst_s);
    return true;
}

/* ---- dealing ---- */

struct run {
    const char *key;
    uint32_t job; /* the first that asks for it */
    double cost_s;
};

static int by_key(const void *x, const void *y)
{
    const struct run *a = x, *b = y;
    int order = strcmp(a->key, b->key);
    return order ? order : (a->job > b->job) - (a->job < b->job);
}

static int by_cost(const void *x, const void *y)
{
    const struct run *a = x, *b = y;
    return a->cost_s != b->cost_s ? (a->cost_s < b->cost_s) - (a->cost_s > b->cost_s)
                                  : (a->job > b->job) - (a->job < b->job);
}

struct load {
    double s;
    uint32_t task;
};

static bool is_less(const struct load *a, const struct load *b)
{
    return a->s != b->s ? a->s < b->s : a->task < b->task;
}

/* The least loaded task is at the front of a heap. */
static void sink(struct load *heap, uint32_t n)
{
    for (uint32_t at = 0, least;; at = least) {
        least = at;
        for (uint32_t k = 2 * at + 1; k <= 2 * at + 2 && k < n; k++)
            if (is_less(&heap[k], &heap[least]))
                least = k;
        if (least == at)
            return;
        struct load t = heap[at];
        heap[at] = heap[least];
        heap[least] = t;
    }
}

static void deal(struct split *s, struct run *runs, uint32_t n)
{
    struct load *heap = xcalloc(s->tasks + 1, sizeof *heap);
    for (uint32_t i = 0; i < s->tasks; i++)
        heap[i].task = i + 1;
    qsort(runs, n, sizeof *runs, by_cost);
    for (uint32_t i = 0; i < n; i++) {
        s->task[runs[i].job] = heap[0].task;
        s->cost_s[runs[i].job] = runs[i].cost_s;
        s->total_s += runs[i].cost_s;
        heap[0].s += runs[i].cost_s;
        if (heap[0].s > s->longest_s)
            s->longest_s = heap[0].s;
        sink(heap, s->tasks);
    }
    free(heap);
}

typedef VEC(struct run) run_list;

static bool list_missing(const struct plan *p, struct db *db, run_list *out, struct diag *d)
{
    bool ok = true;
    struct db_answer answer = {.status = DB_MISSING};
    for (uint32_t i = 0; ok && i < p->jobs.n; i++) {
        const struct plan_job *j = &p->jobs.at[i];
        ok = !db || db_find(db, &j->key, &answer, d);
        if (ok && answer.status == DB_MISSING)
            vec_push(out, (struct run){.key = j->key.text, .job = i});
    }
    return ok;
}

bool split_plan(const struct plan *p, const char *path, uint32_t tasks, struct split *out, struct diag *d)
{
    *out = (struct split){.task = xcalloc(p->jobs.n + 1, sizeof *out->task),
                          .cost_s = xcalloc(p->jobs.n + 1, sizeof *out->cost_s)};
    struct costs c = {0};
    bool ok = access(path, F_OK) != 0 || (c.db = db_open(path, DB_WRITE, d));
    run_list all = {0}, first = {0};
    ok = ok && costs_read(&c, p, &out->is_measured, d) && list_missing(p, c.db, &all, d);
    if (all.n)
        qsort(all.at, all.n, sizeof *all.at, by_key);
    for (uint32_t i = 0; ok && i < all.n; i++) {
        if (i && strcmp(all.at[i].key, all.at[i - 1].key) == 0)
            continue;
        ok = cost_of(&c, p, &p->jobs.at[all.at[i].job], &all.at[i].cost_s, d);
        vec_push(&first, all.at[i]);
    }
    if (ok && first.n) {
        out->runs = first.n;
        out->tasks = tasks < first.n ? tasks : first.n;
        deal(out, first.at, first.n);
        for (uint32_t i = 1; i < all.n; i++)
            if (strcmp(all.at[i].key, all.at[i - 1].key) == 0)
                out->task[all.at[i].job] = out->task[all.at[i - 1].job];
    }
    vec_free(&all);
    vec_free(&first);
    free(c.machine_s);
    db_close(c.db);
    return ok;
}

void split_free(struct split *s)
{
    free(s->task);
    free(s->cost_s);
}
