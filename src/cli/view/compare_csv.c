/* SPDX-License-Identifier: Apache-2.0 */
/* The table as CSV. */
#include "cli/csv.h"
#include "cli/output.h"
#include "cli/view/compare.h"

static const char *status_name(enum db_status s)
{
    return s == DB_OK ? "ok" : s == DB_DEADLOCK ? "deadlock" : "refused";
}

static void csv_row(const struct compare_table *t, uint32_t i, FILE *f)
{
    const struct plan_job *j = &t->plan->jobs.at[i];
    const struct db_answer *a = &j->answer;
    double speedup = compare_speedup(t, i);
    const char *words[] = {j->point.workload, j->point.size};
    for (size_t k = 0; k < 2; k++) {
        csv_cell(f, words[k]);
        fputc(',', f);
    }
    fprintf(f, "%u,%s,", j->point.max_regs, db_code_order(&j->point));
    csv_cell(f, t->gpu);
    fputc(',', f);
    csv_cell(f, j->point.mechs);
    fputc(',', f);
    csv_cell(f, j->point.options);
    fprintf(f, ",%s,", status_name(a->status));
    if (a->status == DB_OK)
        fprintf(f, "%llu,%llu,%llu,%.6f,", (unsigned long long)a->cycles,
                (unsigned long long)a->kernel_cycles, (unsigned long long)a->warp_insts, compare_ipc(t, a));
    else
        fputs(",,,,", f);
    if (speedup > 0)
        fprintf(f, "%.6f", speedup);
    fputc(',', f);
    if (a->energy_pj > 0)
        fprintf(f, "%.9g", a->energy_pj);
    fprintf(f, ",%s,", compare_by(t));
    if (a->sampled_insts)
        fprintf(f, "%llu,%llu", (unsigned long long)a->sampled_insts,
                (unsigned long long)a->kernel_cycles_pm);
    else
        fputc(',', f);
    fprintf(f, ",%s\n", t->plan->traces.at[j->trace].code);
}

bool compare_csv(const struct compare_table *t, const char *path)
{
    struct output o = output_open(path);
    FILE *f = o.f;
    if (!f)
        return false;
    fputs("workload,size,max_regs,code_order,gpu,mechs,options,status,cycles,kernel_cycles,warp_insts,ipc,"
          "speedup,"
          "energy_pj,speedup_by,sampled_insts,kernel_cycles_pm,code\n",
          f);
    for (uint32_t i = 0; i < t->plan->jobs.n; i++)
        csv_row(t, i, f);
    return output_close(&o);
}
