/* The table as CSV and JSON. */
#include "cli/compare.h"
#include "cli/csv.h"
#include "cli/json.h"

#include <errno.h>

static FILE *open_output(const char *path)
{
    FILE *f = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
    if (!f)
        cli_error("cannot write %s: %s", path, strerror(errno));
    return f;
}

static bool close_output(FILE *f, const char *path)
{
    bool ok = !ferror(f);
    if (f != stdout && fclose(f) != 0)
        ok = false;
    if (!ok)
        cli_error("cannot write %s", path);
    return ok;
}

static const char *status_name(enum db_status s)
{
    return s == DB_OK ? "ok" : s == DB_DEADLOCK ? "deadlock" : "refused";
}

/* The field that speedups and IPC are of. */
static const char *speedup_by(const struct compare_table *t)
{
    return t->program ? "cycles" : "kernel_cycles";
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
    fprintf(f, "%u,", j->point.max_regs);
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
    fprintf(f, ",%s\n", speedup_by(t));
}

bool compare_csv(const struct compare_table *t, const char *path)
{
    FILE *f = open_output(path);
    if (!f)
        return false;
    fputs("workload,size,max_regs,gpu,mechs,options,status,cycles,kernel_cycles,warp_insts,ipc,speedup,"
          "energy_pj,"
          "speedup_by\n",
          f);
    for (uint32_t i = 0; i < t->plan->jobs.n; i++)
        csv_row(t, i, f);
    return close_output(f, path);
}

static json_t *row_json(const struct compare_table *t, uint32_t i)
{
    const struct plan_job *j = &t->plan->jobs.at[i];
    const struct db_answer *a = &j->answer;
    double speedup = compare_speedup(t, i);
    json_t *o = json_object();
    json_object_set_new(o, "workload", cli_json_text(j->point.workload));
    json_object_set_new(o, "size", json_string(j->point.size));
    json_object_set_new(o, "max_regs", cli_json_number(j->point.max_regs));
    json_object_set_new(o, "mechs", cli_json_text(j->point.mechs));
    json_object_set_new(o, "key", json_string(j->key.text));
    json_object_set_new(o, "status", json_string(status_name(a->status)));
    if (a->status != DB_OK)
        return o;
    json_object_set_new(o, "cycles", cli_json_number(a->cycles));
    json_object_set_new(o, "kernel_cycles", cli_json_number(a->kernel_cycles));
    json_object_set_new(o, "warp_insts", cli_json_number(a->warp_insts));
    json_object_set_new(o, "ipc", json_real(compare_ipc(t, a)));
    if (speedup > 0)
        json_object_set_new(o, "speedup", json_real(speedup));
    if (a->energy_pj > 0)
        json_object_set_new(o, "energy_pj", json_real(a->energy_pj));
    return o;
}

static json_t *sum_json(const struct compare_table *t, uint32_t mech)
{
    struct compare_sum s = compare_sum(t, mech);
    json_t *o = json_object();
    json_object_set_new(o, "mechs", cli_json_text(t->plan->machines.at[mech].mechs));
    json_object_set_new(o, "workloads", cli_json_number(s.n));
    if (s.n) {
        json_object_set_new(o, "geomean", json_real(s.geomean));
        json_object_set_new(o, "mean", json_real(s.mean));
    }
    if (s.energy > 0)
        json_object_set_new(o, "energy", json_real(s.energy));
    return o;
}

bool compare_json(const struct compare_table *t, const char *path)
{
    FILE *f = open_output(path);
    if (!f)
        return false;
    json_t *o = json_object(), *rows = json_array(), *sums = json_array();
    json_object_set_new(o, "gpu", cli_json_text(t->gpu));
    json_object_set_new(o, "options", json_string(t->plan->machines.at[0].options));
    json_object_set_new(o, "version", json_string(BANKSHOT_VERSION));
    json_object_set_new(o, "model", json_string(db_model()));
    json_object_set_new(o, "speedup_by", json_string(speedup_by(t)));
    for (uint32_t i = 0; i < t->plan->jobs.n; i++)
        json_array_append_new(rows, row_json(t, i));
    for (uint32_t m = 1; m < t->nmechs; m++)
        json_array_append_new(sums, sum_json(t, m));
    json_object_set_new(o, "rows", rows);
    json_object_set_new(o, "speedups", sums);
    json_dumpf(o, f, JSON_INDENT(1) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(10));
    fputc('\n', f);
    json_decref(o);
    return close_output(f, path);
}
