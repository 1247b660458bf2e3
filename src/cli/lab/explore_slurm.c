/* SPDX-License-Identifier: Apache-2.0 */
/* A round of an exploration on a cluster: its runs are submitted as those of a sweep, and waited for. Killed and started
 * again, the exploration waits for the jobs that it finds, and goes on. */
#include "cli/lab/explore.h"
#include "cli/lab/split.h"
#include "cli/lab/sweep.h"
#include "cli/output.h"

#include <errno.h>
#include <unistd.h>

/* A specification of sweep with a block for each machine of the plan. Words stand on lines of their own: lines have a limit. */
static bool write_round(const char *path, const struct plan *p)
{
    FILE *f = fopen(path, "w");
    for (uint32_t m = 0; f && m < p->machines.n; m++) {
        const struct machine_opts *o = &p->machines.at[m].opts;
        fprintf(f, "[%u]\ngpus = %s\nmechs = %s\n", m, o->gpu, o->mechs ? o->mechs : "base");
        vec_each (&o->sets.items, set) {
            int n = (int)strcspn(*set, "=");
            fprintf(f, "%.*s = %s\n", n, *set, *set + n + 1);
        }
        const char *before = "workloads =";
        vec_each (&p->jobs, j)
            if (j->machine == m) {
                fprintf(f, "%s %s\n", before, j->name);
                before = " ";
            }
    }
    return output_end(f, path);
}

/* Jobs of the plan that the database has no answer to. */
static bool count_missing(const struct plan *p, const char *db, uint32_t *n, struct diag *d)
{
    struct split s = {0};
    bool ok = split_plan(p, db, 1, &s, d);
    for (uint32_t i = 0; ok && i < p->jobs.n; i++)
        *n += s.task[i] != 0;
    split_free(&s);
    return ok;
}

bool explore_submit(struct explore *x, const struct plan *p, uint32_t *ran, struct diag *d)
{
    struct arena a = {0};
    struct sweep_opts o = *x->slurm;
    o.spec = arena_printf(&a, "%s.round.ini", x->db);
    *ran = 0;
    bool ok = sweep_wait(&o, d) && count_missing(p, x->db, ran, d) && write_round(o.spec, p) &&
              sweep_submit(&o, p, d) != SWEEP_FAILED && sweep_wait(&o, d);
    unlink(o.spec);
    arena_free(&a);
    return ok;
}
