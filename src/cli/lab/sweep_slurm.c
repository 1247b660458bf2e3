/* A sweep on a cluster. Nodes share files but not SQLite's locks: every task writes a database of its own, and the last job
 * merges them and does what a failed task has left. */
#include "base/arena.h"
#include "cli/cli.h"
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

int sweep_submit(const struct sweep_opts *o)
{
    struct arena a = {0};
    const char *me = absolute(&a, "/proc/self/exe"), *spec = me ? absolute(&a, o->spec) : NULL;
    int status = CLI_USAGE;
    if (spec) {
        const char *size = o->size ? arena_printf(&a, " --size %s", quote(&a, o->size)) : "";
        const char *jobs = o->jobs ? arena_printf(&a, " --jobs %u", o->jobs) : "";
        const char *quiet = o->quiet ? " --quiet" : "", *partial = o->partial_ok ? " --allow-partial" : "";
        const char *sample = o->sample ? " --sample" : "";
        const char *head = arena_printf(&a, "%s sweep %s%s%s%s%s%s", quote(&a, me), quote(&a, spec), size,
                                        jobs, quiet, partial, sample);
        const char *task =
            arena_printf(&a, "%s --db %s.part-$SLURM_ARRAY_TASK_ID --part $SLURM_ARRAY_TASK_ID/%u", head,
                         quote(&a, o->db), o->tasks);
        /* Tasks that failed may have left nothing. */
        const char *last =
            arena_printf(&a,
                         "for f in %s.part-*; do [ -f \"$f\" ] && set -- \"$@\" --merge \"$f\"; done; "
                         "%s --db %s \"$@\"",
                         quote(&a, o->db), head, quote(&a, o->db));
        const char *id, *last_id;
        if (submit(&a,
                   arena_printf(&a, "sbatch --parsable --job-name=bankshot --array=1-%u --wrap=%s", o->tasks,
                                quote(&a, task)),
                   &id) &&
            submit(&a,
                   arena_printf(
                       &a, "sbatch --parsable --job-name=bankshot-merge --dependency=afterany:%s --wrap=%s",
                       id, quote(&a, last)),
                   &last_id)) {
            printf("submitted %u task%s as job %s; job %s merges them into %s\n", o->tasks, cli_s(o->tasks),
                   id, last_id, o->db);
            status = CLI_OK;
        }
    }
    arena_free(&a);
    return status;
}
