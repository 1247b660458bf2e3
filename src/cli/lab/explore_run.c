/* SPDX-License-Identifier: Apache-2.0 */
/* One round of an exploration: points by programs, as a plan of its own. */
#include "cli/lab/explore.h"
#include "cli/progress.h"

#include <sqlite3.h>
#include <time.h>

/* Parts of energy_parts.def that store or move operands; experiments/regless and malekeh add up the same ones, without
 * products. */
#define OPERAND_PARTS                                                                                        \
    "'rf_banks', 'rf_crossbar', 'rf_arbiter', 'collectors', 'rf_cache', 'osu_tags', 'compressor', "          \
    "'product_rf', 'leak_rf'"

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The point's machine with what a round adds: its share of the instructions, its seed. */
static bool round_machine(struct explore *x, struct plan *p, uint32_t point, uint32_t seed, bool whole,
                          uint32_t *out, struct diag *d)
{
    struct machine_opts m = x->plan.machines.at[x->points.at[point].machine].opts;
    const char **sets = ARENA_ARRAY(&p->arena, const char *, m.sets.items.n + 2);
    uint32_t n = 0;
    vec_each (&m.sets.items, set)
        sets[n++] = *set;
    if (!whole)
        sets[n++] = arena_printf(&p->arena, "gpu.sample=%s", x->opts->sample);
    if (x->opts->seeds.n)
        sets[n++] = arena_printf(&p->arena, "sm.seed=%s", x->opts->seeds.at[seed]);
    m.sets.items.at = sets;
    m.sets.items.n = m.sets.items.cap = n;
    return plan_machine(p, &m, out, d);
}

/* What the answer does not tell. */
static bool find_operand_energy(struct db *db, sqlite3_stmt *s, const struct db_key *key, double *out,
                                struct diag *d)
{
    sqlite3_reset(s);
    sqlite3_bind_text(s, 1, key->text, -1, SQLITE_STATIC);
    if (sqlite3_step(s) == SQLITE_ROW) {
        *out = sqlite3_column_double(s, 0);
        return true;
    }
    diag_plain(d, "%s: %s", db_path(db), sqlite3_errmsg(db_sql(db)));
    return false;
}

static void count_run(struct explore *x, const struct db_answer *a, const struct explore_value *v)
{
    if (v->whole) {
        x->whole++;
        x->run_insts += (double)a->warp_insts;
        return;
    }
    x->estimates++;
    x->est_insts += a->sampled_insts;
    x->est_of += a->warp_insts;
    x->run_insts += (double)a->sampled_insts;
}

/* An estimate that had to simulate everything is a whole run, and is counted as one. */
static void take(struct explore *x, struct explore_point *p, uint32_t unit, const struct plan_job *j,
                 double rf_pj, bool whole)
{
    const struct db_answer *a = &j->answer;
    struct explore_value v = {.ok = a->status == DB_OK,
                              .whole = whole || !a->sampled_insts || a->sampled_insts >= a->warp_insts,
                              .cycles = (double)a->kernel_cycles,
                              .energy_pj = a->energy_pj,
                              .rf_pj = rf_pj,
                              .pm = (double)a->kernel_cycles_pm};
    if (!v.ok) {
        if (!p->out)
            p->out = arena_printf(&x->arena, "%s: %s", a->status == DB_DEADLOCK ? "deadlock" : "refused",
                                  j->reason ? j->reason : "no reason given");
        return;
    }
    count_run(x, a, &v);
    x->whole_estimates += v.whole && !whole;
    if (!whole)
        p->est[unit] = v;
    if (v.whole)
        p->full[unit] = v;
}

static bool collect(struct explore *x, const struct plan *p, const struct explore_run *runs, bool whole,
                    struct diag *d)
{
    struct db *db = db_open(x->db, DB_AGAIN, d);
    sqlite3_stmt *s = NULL;
    bool ok = db && sqlite3_prepare_v2(db_sql(db),
                                       "SELECT coalesce(sum(pj), 0) FROM energy WHERE name IN (" OPERAND_PARTS
                                       ") AND run = (SELECT id FROM run WHERE key = ?)",
                                       -1, &s, NULL) == SQLITE_OK;
    if (db && !ok)
        diag_plain(d, "%s: %s", db_path(db), sqlite3_errmsg(db_sql(db)));
    for (uint32_t i = 0; ok && i < p->jobs.n; i++) {
        double rf = 0;
        ok = find_operand_energy(db, s, &p->jobs.at[i].key, &rf, d);
        if (ok)
            take(x, &x->points.at[runs[i].point], runs[i].unit, &p->jobs.at[i], rf, whole);
    }
    sqlite3_finalize(s);
    db_close(db);
    return ok;
}

static bool is_measured(const struct explore_point *p, uint32_t unit, bool whole)
{
    return whole ? p->full[unit].ok : p->est[unit].ok;
}

static int in_order(const void *a, const void *b)
{
    const struct explore_run *u = a, *v = b;
    return u->point != v->point ? (u->point > v->point) - (u->point < v->point)
                                : (u->unit > v->unit) - (u->unit < v->unit);
}

bool explore_measure(struct explore *x, const struct explore_run *runs, uint32_t n, bool whole,
                     struct diag *d)
{
    struct plan p = {.quiet = x->quiet, .partial_ok = x->partial_ok};
    VEC(struct explore_run) list = {0};
    bool ok = true;
    double start = now_s();
    uint32_t *machine = xcalloc(x->nseeds, sizeof *machine);
    for (uint32_t i = 0; i < n; i++) {
        const struct explore_point *at = &x->points.at[runs[i].point];
        if (!at->out && !is_measured(at, runs[i].unit, whole))
            vec_push(&list, runs[i]);
    }
    if (list.n)
        qsort(list.at, list.n, sizeof *list.at, in_order);
    for (uint32_t i = 0; ok && i < list.n; i++) {
        uint32_t point = list.at[i].point, unit = list.at[i].unit, seed = unit % x->nseeds;
        if (!i || point != list.at[i - 1].point)
            memset(machine, 0xff, x->nseeds * sizeof *machine);
        ok = machine[seed] != UINT32_MAX || round_machine(x, &p, point, seed, whole, &machine[seed], d);
        if (ok)
            plan_add(&p, x->programs.at[unit / x->nseeds], machine[seed]);
    }
    free(machine);
    if (ok && p.jobs.n) {
        double before = x->run_insts;
        struct plan_opts o = {.db = x->db, .jobs = x->jobs};
        uint32_t away = 0; /* runs done by a cluster, which plan_run finds in the database */
        ok = plan_prepare(&p, x->jobs, d) && (!x->slurm || explore_submit(x, &p, &away, d)) &&
             plan_run(&p, &o, d) && collect(x, &p, list.at, whole, d);
        uint64_t known = p.known > away ? p.known - away : 0;
        x->known += known;
        /* What was in the database took no time, and says nothing about what is to come. */
        double fresh = (double)(p.jobs.n - known) / p.jobs.n;
        x->spent_s += fresh > 0 ? now_s() - start : 0;
        x->run_insts = before + (x->run_insts - before) * fresh;
    }
    x->stopped = p.stopped;
    p.stopped = 0;
    vec_free(&list);
    plan_free(&p);
    return ok;
}
