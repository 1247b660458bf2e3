/* The table on a terminal. */
#include "cli/compare.h"

#include <sqlite3.h>

static int widest(const struct compare_table *t, bool mech)
{
    size_t n = 8;
    vec_each (&t->plan->jobs, j) {
        size_t k = strlen(mech ? j->point.mechs : t->plan->traces.at[j->trace].name);
        n = k > n ? k : n;
    }
    return (int)(n > 60 ? 60 : n);
}

static bool has_energy(const struct compare_table *t)
{
    vec_each (&t->plan->jobs, j)
        if (j->answer.energy_pj > 0)
            return true;
    return false;
}

static void print_row(const struct compare_table *t, uint32_t i, int names, int mechs, bool energy, FILE *to)
{
    const struct plan_job *j = &t->plan->jobs.at[i];
    const struct db_answer *a = &j->answer;
    fprintf(to, "%-*.*s  %-*.*s", names, names, i % t->nmechs ? "" : t->plan->traces.at[j->trace].name, mechs,
            mechs, j->point.mechs);
    if (a->status != DB_OK) {
        fprintf(to, " %14s\n", a->status == DB_DEADLOCK ? "deadlock" : "refused");
        return;
    }
    double speedup = compare_speedup(t, i);
    fprintf(to, " %14llu %9.3f", (unsigned long long)compare_cycles(t, a), compare_ipc(t, a));
    if (speedup > 0)
        fprintf(to, " %9.4f", speedup);
    else
        fprintf(to, " %9s", "-");
    if (energy)
        fprintf(to, " %12.4g", a->energy_pj * 1e-6);
    fputc('\n', to);
}

static void print_sums(const struct compare_table *t, int names, int mechs, bool energy, FILE *to)
{
    const char *base = t->plan->machines.at[0].mechs;
    fprintf(to, "\nspeedup over %s, by %s cycles\n", base, t->program ? "program" : "kernel");
    fprintf(to, "%-*s  %9s %9s %9s %9s%s\n", mechs, "", "geomean", "mean", "lowest", "highest",
            energy ? "    energy" : "");
    for (uint32_t m = 1; m < t->nmechs; m++) {
        struct compare_sum s = compare_sum(t, m);
        fprintf(to, "%-*.*s  ", mechs, mechs, t->plan->machines.at[m].mechs);
        if (!s.n) {
            fprintf(to, "no workload ran with both\n");
            continue;
        }
        fprintf(to, "%9.4f %9.4f %9.4f %9.4f", s.geomean, s.mean, s.lowest, s.highest);
        if (energy)
            fprintf(to, " %9.4f", s.energy);
        fprintf(to, "  %.*s ... %.*s\n", names, s.lowest_of, names, s.highest_of);
    }
}

void compare_print(const struct compare_table *t, FILE *to)
{
    int names = widest(t, false), mechs = widest(t, true);
    bool energy = has_energy(t);
    const char *options = t->plan->machines.at[0].options;
    fprintf(to, "%s%s%s\n\n", t->gpu, *options ? ", " : "", options);
    fprintf(to, "%-*s  %-*s %14s %9s %9s%s\n", names, "workload", mechs, "mechs",
            t->program ? "program cycles" : "kernel cycles", "IPC", "speedup", energy ? "    energy/uJ" : "");
    for (uint32_t i = 0; i < t->plan->jobs.n; i++)
        print_row(t, i, names, mechs, energy, to);
    if (t->nmechs > 1)
        print_sums(t, names, mechs, energy, to);
}

bool compare_reasons(const struct compare_table *t, const char *path, struct diag *d)
{
    struct db *db = NULL;
    vec_each (&t->plan->jobs, j) {
        if (j->answer.status == DB_OK)
            continue;
        if (!db && !(db = db_open(path, DB_AGAIN, d)))
            return false;
        sqlite3_stmt *s;
        if (sqlite3_prepare_v2(db_sql(db), "SELECT reason FROM run WHERE key = ?", -1, &s, NULL) != SQLITE_OK)
            continue;
        sqlite3_bind_text(s, 1, j->key.text, -1, SQLITE_STATIC);
        if (sqlite3_step(s) == SQLITE_ROW)
            fprintf(stderr, "bankshot: %s, %s: %s\n", t->plan->traces.at[j->trace].name, j->point.mechs,
                    (const char *)sqlite3_column_text(s, 0));
        sqlite3_finalize(s);
    }
    db_close(db);
    return true;
}
