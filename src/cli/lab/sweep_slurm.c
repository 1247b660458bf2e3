/* SPDX-License-Identifier: Apache-2.0 */
/* A sweep on a cluster: what is missing is dealt to an array of tasks, each with a database of its own, and a last job merges
 * these and does what a failed task has left. */
#include "base/arena.h"
#include "cli/cli.h"
#include "cli/lab/parts.h"
#include "cli/lab/sweep.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* A word for the shell. */
static const char *quote(struct arena *a, const char *text)
{
    const char *out = "'";
    for (const char *p = text; *p;) {
        size_t n = strcspn(p, "'");
        out = arena_printf(a, "%s%.*s%s", out, (int)n, p, p[n] ? "'\\''" : "");
        p += n + (p[n] != 0);
    }
    return arena_printf(a, "%s'", out);
}

static const char *absolute(struct arena *a, const char *path)
{
    char *real = realpath(path, NULL);
    if (!real) {
        cli_error("%s: %s", path, strerror(errno));
        return NULL;
    }
    const char *copy = arena_strndup(a, real, strlen(real));
    free(real);
    return copy;
}

/* sbatch --parsable prints ID[;CLUSTER]. */
static bool submit(struct arena *a, const char *command, const char **id)
{
    FILE *f = popen(command, "r");
    char line[200] = "";
    if (f && !fgets(line, sizeof line, f))
        line[0] = 0;
    int rc = f ? pclose(f) : -1;
    line[strcspn(line, ";\n")] = 0;
    *id = arena_strndup(a, line, strlen(line));
    if (rc == 0 && *line)
        return true;
    if (rc != -1 && rc >> 8 == 127)
        cli_error("--slurm: there is no sbatch here; it is in the package slurm-client");
    else
        cli_error("--slurm: sbatch refused the job");
    return false;
}

/* ---- submissions before this one ---- */

enum { SLURM_WAIT_S = 2 }; /* between two looks at the queue, which all users share */

struct before {
    const struct sweep_opts *o;
    struct diag *d;
};

/* Does squeue know it, and does it list anything? */
static bool squeue(const char *words, bool *listed)
{
    struct arena a = {0};
    FILE *f = popen(arena_printf(&a, "squeue --noheader %s 2>/dev/null", words), "r");
    *listed = f && fgetc(f) != EOF;
    while (f && fgetc(f) != EOF) {
    }
    arena_free(&a);
    return f && pclose(f) == 0;
}

/* Are the jobs in Slurm's queue still? squeue fails for numbers that it has forgotten, and also where Slurm does not answer: then
 * nobody knows, and what tasks have written must not be touched. */
enum queued { ENDED, QUEUED, UNKNOWN };
static enum queued ask_queue(const char *jobs)
{
    struct arena a = {0};
    bool listed = false, others;
    enum queued is = ENDED;
    if (*jobs && !squeue(arena_printf(&a, "--jobs=%s", jobs), &listed) && !squeue("", &others))
        is = UNKNOWN;
    arena_free(&a);
    return listed ? QUEUED : is;
}

static bool take_over(void *ctx, const char *dir, const char *jobs)
{
    const struct before *b = ctx;
    enum queued is = ask_queue(jobs);
    if (is == QUEUED)
        cli_error("jobs %s are at work for %s (see squeue); wait, or scancel them", jobs, b->o->db);
    if (is == UNKNOWN)
        cli_error("jobs %s may be at work for %s: squeue does not answer", jobs, b->o->db);
    return is == ENDED && parts_merge(dir, b->o->db, b->d);
}

static bool wait_and_take_over(void *ctx, const char *dir, const char *jobs)
{
    struct arena a = {0};
    const struct before *b = ctx;
    while (ask_queue(jobs) != ENDED)
        sleep(SLURM_WAIT_S);
    /* The last job has merged it, as a rule. */
    bool ok = access(arena_printf(&a, "%s/tasks", dir), F_OK) != 0 || parts_merge(dir, b->o->db, b->d);
    arena_free(&a);
    return ok;
}

bool sweep_wait(const struct sweep_opts *o, struct diag *d)
{
    struct before before = {o, d};
    return parts_pending(o->db, wait_and_take_over, &before);
}

/* ---- this one ---- */

/* How sbatch is called for both jobs. */
static const char *sbatch(struct arena *a, const struct sweep_opts *o, const char *name, const char *log)
{
    const char *out = arena_printf(a, "sbatch --parsable --job-name=%s --cpus-per-task=%u --output=%s", name,
                                   o->jobs ? o->jobs : 1, quote(a, log));
    const struct {
        const char *flag, *value;
    } given[] = {{"partition", o->partition}, {"time", o->time}, {"mem", o->memory}};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (given[i].value)
            out = arena_printf(a, "%s --%s=%s", out, given[i].flag, quote(a, given[i].value));
    vec_each (&o->sbatch.items, word)
        out = arena_printf(a, "%s %s", out, quote(a, *word));
    return out;
}

static bool submit_both(struct arena *a, const struct sweep_opts *o, const struct split *s, const char *dir,
                        const char *head)
{
    const char *task =
        arena_printf(a, "%s --db %s/$SLURM_ARRAY_TASK_ID.db --part $SLURM_ARRAY_TASK_ID/%u --parts %s", head,
                     quote(a, dir), s->tasks, quote(a, dir));
    const char *last = arena_printf(a, "%s --db %s --parts %s", head, quote(a, o->db), quote(a, dir));
    const char *id, *last_id;
    if (!submit(a,
                arena_printf(a, "%s --array=1-%u --wrap=%s",
                             sbatch(a, o, "bankshot", arena_printf(a, "%s/%%a.log", dir)), s->tasks,
                             quote(a, task)),
                &id) ||
        !parts_add_job(dir, id))
        return false;
    const char *merge = sbatch(a, o, "bankshot-merge", arena_printf(a, "%s/merge.log", dir));
    if (!submit(a, arena_printf(a, "%s --dependency=afterany:%s --wrap=%s", merge, id, quote(a, last)),
                &last_id)) {
        cli_error("job %s is at work and nobody merges it; when it has ended, submit again", id);
        return false;
    }
    if (access(dir, F_OK) == 0) /* it may have ended already */
        parts_add_job(dir, last_id);
    if (o->say)
        fprintf(o->say, "submitted %u run%s in %u task%s as job %s; job %s merges them into %s\n", s->runs,
                cli_s(s->runs), s->tasks, cli_s(s->tasks), id, last_id, o->db);
    if (o->say && s->is_measured)
        fprintf(o->say, "the longest task is thought to take %.0f s, all together %.0f s\n", s->longest_s,
                s->total_s);
    return true;
}

const char *sweep_slurm_wrong(const struct sweep_opts *s)
{
    if (!s->tasks && (s->partition || s->time || s->memory || s->sbatch.items.n))
        return "--partition, --time, --memory and --sbatch are for --slurm N";
    return NULL;
}

enum sweep_submitted sweep_submit(const struct sweep_opts *o, const struct plan *p, struct diag *d)
{
    struct arena a = {0};
    struct split s = {0};
    struct before before = {o, d};
    enum sweep_submitted result = SWEEP_FAILED;
    const char *me = absolute(&a, "/proc/self/exe"), *spec = me ? absolute(&a, o->spec) : NULL, *dir = NULL;
    if (spec && parts_pending(o->db, take_over, &before) && split_plan(p, o->db, o->tasks, &s, d))
        result = s.runs ? SWEEP_SUBMITTED : SWEEP_NOTHING_LEFT;
    if (result == SWEEP_SUBMITTED) {
        const char *size = o->size ? arena_printf(&a, " --size %s", quote(&a, o->size)) : "";
        const char *quiet = o->quiet ? " --quiet" : "", *partial = o->partial_ok ? " --allow-partial" : "";
        const char *sample = o->sample ? " --sample" : "";
        const char *head = arena_printf(&a, "%s sweep %s%s --jobs %u%s%s%s", quote(&a, me), quote(&a, spec),
                                        size, o->jobs ? o->jobs : 1, quiet, partial, sample);
        dir = parts_new(&a, o->db);
        if (!dir || !parts_write_tasks(dir, p, &s) || !submit_both(&a, o, &s, dir, head))
            result = SWEEP_FAILED;
        if (dir && result == SWEEP_FAILED)
            parts_drop(dir);
    }
    split_free(&s);
    arena_free(&a);
    return result;
}
