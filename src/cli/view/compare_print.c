/* SPDX-License-Identifier: Apache-2.0 */
/* The table on a terminal. */
#include "cli/view/compare.h"

static int widest(const struct compare_table *t, bool mech)
{
    size_t n = 8;
    vec_each (&t->plan->jobs, j) {
        size_t k = strlen(mech ? j->point.mechs : j->name);
        n = k > n ? k : n;
    }
    return (int)(n > 60 ? 60 : n);
}

/* One unit for all, such that the smallest is at least 1 of it. name NULL: no energy is modelled. */
struct energy_unit {
    const char *name;
    double per_pj;
};

static struct energy_unit energy_unit(const struct compare_table *t)
{
    static const struct energy_unit units[] = {{"J", 1e-12}, {"mJ", 1e-9}, {"uJ", 1e-6}, {"nJ", 1e-3}};
    double least = 0;
    vec_each (&t->plan->jobs, j) {
        double pj = j->answer.energy_pj;
        least = pj > 0 && (pj < least || !(least > 0)) ? pj : least;
    }
    if (!(least > 0))
        return (struct energy_unit){0};
    uint32_t i = 0;
    while (i + 1 < sizeof units / sizeof *units && least * units[i].per_pj < 1)
        i++;
    return units[i];
}

static void print_row(const struct compare_table *t, uint32_t i, int names, int mechs,
                      const struct energy_unit *energy, FILE *to)
{
    const struct plan_job *j = &t->plan->jobs.at[i];
    const struct db_answer *a = &j->answer;
    fprintf(to, "%-*.*s  %-*.*s", names, names, i % t->nmechs ? "" : j->name, mechs, mechs, j->point.mechs);
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
    if (energy->name)
        fprintf(to, " %12.3f", a->energy_pj * energy->per_pj);
    if (a->sampled_insts)
        fprintf(to, "   +-%.1f%%, %.1f%% simulated",
                100.0 * (double)a->kernel_cycles_pm / (double)a->kernel_cycles,
                100.0 * (double)a->sampled_insts / (double)a->warp_insts);
    fputc('\n', to);
}

static void print_sums(const struct compare_table *t, int names, int mechs, bool energy, FILE *to)
{
    const char *base = t->plan->machines.at[0].mechs;
    fprintf(to, "\nspeedup over %s, by %s cycles\n", base, t->program ? "program" : "kernel");
    fprintf(to, "%-*s  %9s %9s %9s %9s%s\n", mechs, "", "geomean", "mean", "lowest", "highest",
            energy ? "    energy  energy*t    work/J" : "");
    for (uint32_t m = 1; m < t->nmechs; m++) {
        struct compare_sum s = compare_sum(t, m);
        fprintf(to, "%-*.*s  ", mechs, mechs, t->plan->machines.at[m].mechs);
        if (!s.n) {
            fprintf(to, "no workload ran with both\n");
            continue;
        }
        fprintf(to, "%9.4f %9.4f %9.4f %9.4f", s.geomean, s.mean, s.lowest, s.highest);
        if (energy)
            fprintf(to, " %9.4f %9.4f %9.4f", s.energy, s.edp, s.per_watt);
        fprintf(to, "  %.*s ... %.*s\n", names, s.lowest_of, names, s.highest_of);
    }
}

void compare_print(const struct compare_table *t, FILE *to)
{
    int names = widest(t, false), mechs = widest(t, true);
    struct energy_unit energy = energy_unit(t);
    char head[16] = "";
    if (energy.name)
        snprintf(head, sizeof head, "energy/%s", energy.name);
    const char *options = t->plan->machines.at[0].options;
    fprintf(to, "%s%s%s\n\n", t->gpu, *options ? ", " : "", options);
    fprintf(to, "%-*s  %-*s %14s %9s %9s%*s\n", names, "workload", mechs, "mechs",
            t->program ? "program cycles" : "kernel cycles", "IPC", "speedup", energy.name ? 13 : 0, head);
    for (uint32_t i = 0; i < t->plan->jobs.n; i++)
        print_row(t, i, names, mechs, &energy, to);
    if (t->nmechs > 1)
        print_sums(t, names, mechs, energy.name, to);
    plan_print_code(t->plan, to);
    if (energy.name)
        fprintf(to, "\nenergies %s\n", t->plan->machines.at[0].energy);
}

void compare_reasons(const struct compare_table *t)
{
    vec_each (&t->plan->jobs, j)
        if (j->reason)
            fprintf(stderr, "bankshot: %s, %s: %s\n", j->name, j->point.mechs, j->reason);
}
