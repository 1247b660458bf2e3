/* SPDX-License-Identifier: Apache-2.0 */
/* Doing what a plan has no answer for. Each run is a process that simulates and then writes its result in one transaction; this
 * process has the database open only before the first of them and after the last. */
#include "cli/lab/plan.h"
#include "cli/lab/pool.h"
#include "cli/watch/interval.h"
#include "cli/watch/profile.h"
#include "cli/watch/trace_facts.h"

#include <signal.h>

struct todo {
    const struct plan *p;
    const struct plan_opts *o;
    VEC(uint32_t) jobs;   /* indices; traces behind them */
    VEC(uint64_t) weight; /* warp instructions */
    VEC(uint32_t) rank;   /* of facts and of runs in turn, as their jobs have it */
    uint32_t nruns;       /* of them: the others are facts of traces */
    uint32_t threads;     /* of each run: processors that jobs beside each other leave */
    bool failed;
};

/* ---- in the child ---- */

static void tell(void *ctx, uint64_t done, uint64_t of)
{
    (void)of;
    atomic_store_explicit((_Atomic uint64_t *)ctx, done, memory_order_relaxed);
}

static const char *first_message(const struct diag *d) { return d->n ? d->msg[0].text : "no reason given"; }

static int simulate(const struct plan *p, const struct plan_opts *o, const struct plan_job *j,
                    uint32_t threads, _Atomic uint64_t *done)
{
    struct diag why = {0}, d = {0};
    struct gpu_conf c;
    struct gpu_result r = {0};
    struct gpu_opts opts = {.threads = threads, .progress = tell, .ctx = done};
    const struct machine_opts *m = &p->machines.at[j->machine].opts;
    struct tr_reader *t = machine_load(m, &c, &d) ? tr_open(p->traces.at[j->trace].path, &d) : NULL;
    struct tr_reader *others[PLAN_OTHERS];
    struct gpu_tenant tenants[1 + PLAN_OTHERS] = {{.trace = t}};
    bool ok = t;
    uint32_t n = 0;
    for (; ok && n < j->nothers; n += ok) {
        others[n] = tr_open(p->traces.at[j->others[n]].path, &d);
        tenants[1 + n] = (struct gpu_tenant){.trace = others[n], .repeats = true};
        ok = others[n];
    }
    if (ok) {
        struct profile *profile = o->profile ? profile_new(t, 0) : NULL;
        struct interval_db *intervals = o->interval_cyc ? interval_db_new(o->interval_cyc, &c) : NULL;
        struct watch *watch = watch_new(c.gpu.sms);
        watch_add(watch, profile ? profile_observer(profile) : NULL);
        watch_add(watch, intervals ? interval_db_observer(intervals) : NULL);
        opts.watch = watch_observer(watch);
        enum gpu_status s = gpu_corun(&c, tenants, 1 + n, &opts, &r, &why);
        struct db_run run = {.point = j->point,
                             .key = j->key,
                             .trace = t,
                             .others = others,
                             .nothers = n,
                             .conf = &c,
                             .result = &r,
                             .status = s == GPU_OK         ? DB_OK
                                       : s == GPU_DEADLOCK ? DB_DEADLOCK
                                                           : DB_REFUSED,
                             .reason = s == GPU_OK ? "" : first_message(&why),
                             .version = BANKSHOT_VERSION};
        struct arena words = {0};
        if (o->advise && s == GPU_OK && !n)
            run.nadvice = o->advise(m, &c, t, &r, &words, &run.advice);
        struct db *db = db_open(o->db, DB_AGAIN, &d);
        ok = db && db_put_run(db, &run, &d);
        if (ok && profile && s == GPU_OK) {
            profile_end(profile, &r);
            ok = profile_put(profile, db, &run.key, &d);
        }
        if (ok && intervals && s == GPU_OK)
            ok = interval_db_put(intervals, &r, db, &run.key, &d);
        db_close(db);
        arena_free(&words);
        watch_free(watch);
        profile_free(profile);
        interval_db_free(intervals);
    }
    while (n)
        tr_free(others[--n]);
    if (t)
        tr_free(t);
    diag_print(&d, stderr);
    return ok ? CLI_OK : CLI_USAGE;
}

static int count_facts(const struct plan_opts *o, const struct plan_trace *t)
{
    struct diag d = {0};
    struct tr_reader *r = tr_open(t->path, &d);
    bool ok = r && trace_facts_put(o->db, r, &d);
    if (r)
        tr_free(r);
    diag_print(&d, stderr);
    return ok ? CLI_OK : CLI_USAGE;
}

static int work(void *ctx, uint32_t i, _Atomic uint64_t *done)
{
    const struct todo *t = ctx;
    uint32_t at = t->jobs.at[i];
    return i < t->nruns ? simulate(t->p, t->o, &t->p->jobs.at[at], t->threads, done)
                        : count_facts(t->o, &t->p->traces.at[at]);
}

/* ---- in this process ---- */

static void name_job(void *ctx, uint32_t i, FILE *to)
{
    const struct todo *t = ctx;
    if (i < t->nruns)
        plan_print_job(&t->p->jobs.at[t->jobs.at[i]], to);
    else
        fprintf(to, "%s facts", t->p->traces.at[t->jobs.at[i]].name);
}

static void ended(void *ctx, uint32_t i, int status)
{
    struct todo *t = ctx;
    if (status == CLI_OK)
        return;
    t->failed = true;
    fputs("bankshot: error: ", stderr);
    name_job(t, i, stderr);
    if (status > 128)
        fprintf(stderr, ": ended by signal %d (%s)\n", status - 128, strsignal(status - 128));
    else
        fprintf(stderr, ": no result, status %d\n", status);
}

/* Keys that are on the list: open addressing, by the digits they begin with. */
struct seen {
    const struct db_key **slot;
    size_t mask;
};

static bool see(struct seen *s, const struct db_key *key)
{
    size_t at = strtoull((char[]){key->text[0], key->text[1], key->text[2], key->text[3], key->text[4],
                                  key->text[5], key->text[6], 0},
                         NULL, 16);
    for (at &= s->mask; s->slot[at]; at = (at + 1) & s->mask)
        if (strcmp(s->slot[at]->text, key->text) == 0)
            return false;
    s->slot[at] = key;
    return true;
}

static bool find(struct plan *p, struct db *db, struct plan_job *j, struct diag *d)
{
    bool ok = db_find(db, &j->key, &j->answer, d);
    if (ok && (j->answer.status == DB_REFUSED || j->answer.status == DB_DEADLOCK))
        ok = db_find_reason(db, &j->key, &p->arena, &j->reason, d);
    return ok;
}

/* Is the run there, with everything that is asked for? */
static bool is_there(struct db *db, const struct plan_opts *o, const struct plan_job *j, bool *there,
                     struct diag *d)
{
    *there = j->answer.status != DB_MISSING;
    bool has = true, ok = true;
    if (j->answer.status != DB_OK)
        return true;
    if (o->profile)
        ok = db_has_profile(db, &j->key, &has, d);
    if (ok && has && o->interval_cyc)
        ok = db_has_intervals(db, &j->key, o->interval_cyc, &has, d);
    *there = has;
    return ok;
}

/* Ranks of both kinds: the facts of a trace come before the first of its runs. */
static uint32_t run_rank(const struct plan_job *j)
{
    return 2 * (j->rank < INT32_MAX ? j->rank : INT32_MAX) + 1;
}

static uint32_t facts_rank(const struct plan *p, uint32_t trace)
{
    uint32_t least = UINT32_MAX;
    vec_each (&p->jobs, j) {
        bool has = j->trace == trace;
        for (uint32_t i = 0; i < j->nothers; i++)
            has = has || j->others[i] == trace;
        if (has && run_rank(j) < least)
            least = run_rank(j);
    }
    return least - 1;
}

/* What is there gets its name; what is not is to be done, once for all who share it. */
static bool list_runs(struct plan *p, struct todo *t, struct db *db, struct diag *d)
{
    bool ok = true;
    struct seen seen = {.mask = 1};
    while (seen.mask < 2 * (size_t)p->jobs.n)
        seen.mask = 2 * seen.mask + 1;
    seen.slot = xcalloc(seen.mask + 1, sizeof *seen.slot);
    for (uint32_t i = 0; ok && i < p->jobs.n; i++) {
        struct plan_job *j = &p->jobs.at[i];
        if (j->left_out || !plan_has_traces(p, j))
            continue;
        bool there = false;
        ok = find(p, db, j, d) && is_there(db, t->o, j, &there, d);
        if (!ok)
            break;
        p->known += there;
        if (j->answer.status != DB_MISSING)
            ok = db_put_point(db, &j->point, &j->key, d);
        if (!there && see(&seen, &j->key)) {
            vec_push(&t->jobs, i);
            vec_push(&t->weight, p->traces.at[j->trace].warp_insts);
            vec_push(&t->rank, run_rank(j));
        }
    }
    free(seen.slot);
    t->nruns = t->jobs.n;
    return ok;
}

static bool list_facts(struct plan *p, struct todo *t, struct db *db, struct diag *d)
{
    enum { PASS_IS_FASTER = 20 }; /* than timing, about */
    bool ok = true, has;
    for (uint32_t i = 0; ok && t->o->facts && i < p->traces.n; i++) {
        if (!p->traces.at[i].path)
            continue;
        ok = db_has_facts(db, p->traces.at[i].identity, &has, d);
        if (ok && !has) {
            vec_push(&t->jobs, i);
            vec_push(&t->weight, p->traces.at[i].warp_insts / PASS_IS_FASTER);
            vec_push(&t->rank, facts_rank(p, i));
        }
    }
    return ok;
}

/* Under one transaction the names of thousands of points cost one write. */
static bool look_up(struct plan *p, struct todo *t, struct diag *d)
{
    struct db *db = db_open(t->o->db, DB_WRITE, d);
    bool ok = db && db_start(db, d);
    ok = ok && db_finish(db, list_runs(p, t, db, d) && list_facts(p, t, db, d), d);
    db_close(db);
    return ok;
}

static bool collect(struct plan *p, const struct plan_opts *o, struct diag *d)
{
    struct db *db = db_open(o->db, DB_AGAIN, d);
    bool ok = db && db_start(db, d);
    for (uint32_t i = 0; ok && i < p->jobs.n; i++) {
        struct plan_job *j = &p->jobs.at[i];
        if (j->answer.status != DB_MISSING || j->left_out || !plan_has_traces(p, j))
            continue;
        ok = find(p, db, j, d) && (j->answer.status == DB_MISSING || db_put_point(db, &j->point, &j->key, d));
    }
    ok = ok && db_finish(db, ok, d);
    db_close(db);
    return ok;
}

/* Jobs beside each other come first, since they never wait for each other; processors that they leave are threads of each. */
static uint32_t share(uint32_t at_once, uint32_t jobs)
{
    uint32_t processors = pool_processors(), beside = at_once ? at_once : processors;
    beside = jobs < beside ? jobs : beside;
    return beside && processors > beside ? processors / beside : 1;
}

bool plan_run(struct plan *p, const struct plan_opts *o, struct diag *d)
{
    struct todo t = {.p = p, .o = o};
    vec_each (&p->jobs, j)
        j->answer.status = DB_MISSING;
    bool ok = look_up(p, &t, d);
    struct pool pool = {.n = t.jobs.n,
                        .at_once = o->jobs,
                        .what = "runs",
                        .quiet = p->quiet,
                        .name = name_job,
                        .weight = t.weight.at,
                        .rank = o->limit_s > 0 ? t.rank.at : NULL,
                        .limit_s = o->limit_s,
                        .work = work,
                        .ended = ended,
                        .ctx = &t};
    t.threads = share(o->jobs, t.jobs.n);
    struct pool_end end = {0};
    ok = ok && pool_run(&pool, &end) && collect(p, o, d) && !t.failed;
    p->stopped = end.stopped;
    p->late = end.late;
    vec_free(&t.jobs);
    vec_free(&t.weight);
    vec_free(&t.rank);
    return ok;
}
