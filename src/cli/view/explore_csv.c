/* SPDX-License-Identifier: Apache-2.0 */
/* Every point with the means of its goals, whole where it has whole runs, else estimated. */
#include "cli/csv.h"
#include "cli/output.h"
#include "cli/view/explore.h"

#include <math.h>

static void csv_number(FILE *f, double v)
{
    fputc(',', f);
    if (isfinite(v))
        fprintf(f, "%.6f", v);
}

static void csv_row(const struct explore_found *f, uint32_t i, FILE *to)
{
    const struct explore *x = f->x;
    const struct explore_point *p = &x->points.at[i];
    const struct plan_machine *m = &x->plan.machines.at[p->machine];
    const char *state = explore_state(f, i);
    bool whole = strcmp(state, "front") == 0 || strcmp(state, "whole") == 0;
    fprintf(to, "%u,", i);
    csv_cell(to, m->opts.gpu);
    fputc(',', to);
    csv_cell(to, m->mechs);
    fputc(',', to);
    csv_cell(to, m->options);
    fprintf(to, ",%s,%.6f,%lld", state, p->area_mm2, (long long)p->storage_bits);
    for (uint32_t k = 0; k < x->opts->ngoals; k++) {
        struct explore_mean mean = {NAN, NAN, NAN};
        if (!p->out)
            mean = explore_mean(x, i, whole, x->opts->goals[k]);
        csv_number(to, mean.mean);
        csv_number(to, mean.lo);
        csv_number(to, mean.hi);
    }
    fputc('\n', to);
}

bool explore_csv(const struct explore_found *f, const char *path)
{
    struct output o = output_open(path);
    if (!o.f)
        return false;
    fputs("point,gpu,mechs,options,state,area_mm2,storage_bits", o.f);
    for (uint32_t k = 0; k < f->x->opts->ngoals; k++) {
        const char *g = explore_goal_name[f->x->opts->goals[k]];
        fprintf(o.f, ",%s,%s_lo,%s_hi", g, g, g);
    }
    fputc('\n', o.f);
    for (uint32_t i = 0; i < f->x->points.n; i++)
        csv_row(f, i, o.f);
    return output_close(&o);
}
