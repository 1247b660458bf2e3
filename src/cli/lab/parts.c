/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/lab/parts.h"

#include "cli/cli.h"
#include "cli/output.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the folder ---- */

const char *parts_new(struct arena *a, const char *db)
{
    const char *all = arena_printf(a, "%s.parts", db);
    if (mkdir(all, 0777) != 0 && errno != EEXIST) {
        cli_error("cannot make the folder %s: %s", all, strerror(errno));
        return NULL;
    }
    for (uint32_t i = 1; i < 1000000; i++) {
        const char *dir = arena_printf(a, "%s/%u", all, i);
        if (mkdir(dir, 0777) == 0)
            return dir;
        if (errno != EEXIST) {
            cli_error("cannot make the folder %s: %s", dir, strerror(errno));
            return NULL;
        }
    }
    cli_error("%s is full", all);
    return NULL;
}

static bool ends_in(const char *name, const char *end)
{
    size_t n = strlen(name), k = strlen(end);
    return n > k && strcmp(name + n - k, end) == 0;
}

/* Names in the folder that end so, in the arena. None where there is no such folder. */
typedef VEC(const char *) name_list;
static int by_name(const void *x, const void *y) { return strcmp(*(char *const *)x, *(char *const *)y); }

static void list_names(struct arena *a, const char *dir, const char *end, name_list *out)
{
    DIR *d = opendir(dir);
    for (struct dirent *e; d && (e = readdir(d));)
        if (e->d_name[0] != '.' && (!*end || ends_in(e->d_name, end)))
            vec_push(out, arena_strndup(a, e->d_name, strlen(e->d_name)));
    if (d)
        closedir(d);
    if (out->n)
        qsort(out->at, out->n, sizeof *out->at, by_name);
}

/* ---- its lists ---- */

bool parts_write_tasks(const char *dir, const struct plan *p, const struct split *s)
{
    struct arena a = {0};
    const char *path = arena_printf(&a, "%s/tasks", dir);
    FILE *f = fopen(path, "w");
    for (uint32_t i = 0; f && i < p->jobs.n; i++)
        if (s->task[i])
            fprintf(f, "%u\t%.3f\t%s\n", s->task[i], s->cost_s[i], plan_job_text(&a, &p->jobs.at[i]));
    bool ok = output_end(f, path);
    arena_free(&a);
    return ok;
}

bool parts_add_job(const char *dir, const char *id)
{
    struct arena a = {0};
    const char *path = arena_printf(&a, "%s/jobs", dir);
    FILE *f = fopen(path, "a");
    if (f)
        fprintf(f, "%s\n", id);
    bool ok = output_end(f, path);
    arena_free(&a);
    return ok;
}

struct named {
    const char *text;
    uint32_t job;
};

static int by_text(const void *x, const void *y)
{
    return strcmp(((const struct named *)x)->text, ((const struct named *)y)->text);
}

/* One line of the list. False after reporting. */
static bool keep_line(char *line, const struct named *names, uint32_t n, uint32_t task, bool *keep,
                      const char *path, uint32_t at, struct diag *d)
{
    char *cost = strchr(line, '\t'), *text = cost ? strchr(cost + 1, '\t') : NULL;
    uint64_t of = 0;
    if (cost)
        *cost = 0;
    if (!text || !cli_u64(line, &of)) {
        diag_error(d, path, NULL, 0, at, 0, "task, cost and point are expected, with tabs between them");
        return false;
    }
    if (of != task)
        return true;
    struct named want = {.text = text + 1};
    const struct named *found = n ? bsearch(&want, names, n, sizeof *names, by_text) : NULL;
    if (!found) {
        diag_error(d, path, NULL, 0, at, 0, "the specification has no such point (any more): %s", text + 1);
        return false;
    }
    while (found > names && by_text(found - 1, &want) == 0)
        found--;
    for (; found < names + n && by_text(found, &want) == 0; found++)
        keep[found->job] = true;
    return true;
}

bool parts_keep(const char *dir, struct plan *p, uint32_t task, struct diag *d)
{
    struct arena a = {0};
    const char *path = arena_printf(&a, "%s/tasks", dir);
    FILE *f = fopen(path, "r");
    if (!f)
        diag_plain(d, "cannot read %s: %s", path, strerror(errno));
    bool ok = f, *keep = xcalloc(p->jobs.n + 1, sizeof *keep);
    struct named *names = xcalloc(p->jobs.n + 1, sizeof *names);
    for (uint32_t i = 0; i < p->jobs.n; i++)
        names[i] = (struct named){plan_job_text(&a, &p->jobs.at[i]), i};
    qsort(names, p->jobs.n, sizeof *names, by_text);
    char *line = NULL;
    size_t cap = 0;
    for (uint32_t at = 1; ok && getline(&line, &cap, f) > 0; at++) {
        line[strcspn(line, "\n")] = 0;
        ok = keep_line(line, names, p->jobs.n, task, keep, path, at, d);
    }
    if (ok)
        plan_keep(p, keep);
    if (f)
        fclose(f);
    free(line);
    free(names);
    free(keep);
    arena_free(&a);
    return ok;
}

/* ---- merging ---- */

static void remove_all(struct arena *a, const char *dir)
{
    name_list names = {0};
    list_names(a, dir, "", &names);
    vec_each (&names, name)
        if (!ends_in(*name, ".log"))
            unlink(arena_printf(a, "%s/%s", dir, *name));
    vec_free(&names);
    rmdir(dir); /* where no task has printed anything */
}

void parts_drop(const char *dir)
{
    struct arena a = {0};
    if (access(arena_printf(&a, "%s/jobs", dir), F_OK) != 0)
        remove_all(&a, dir);
    arena_free(&a);
}

/* A task that was killed as it began may have left a file without tables: opened for writing it gets them. */
static bool merge_one(struct db *to, const char *path, struct diag *d)
{
    struct db *part = db_open(path, DB_WRITE, d);
    db_close(part);
    return part && db_merge(to, path, d);
}

bool parts_merge(const char *dir, const char *db, struct diag *d)
{
    struct arena a = {0};
    name_list names = {0};
    list_names(&a, dir, ".db", &names);
    struct db *to = db_open(db, DB_WRITE, d);
    bool ok = to;
    for (uint32_t i = 0; ok && i < names.n; i++)
        ok = merge_one(to, arena_printf(&a, "%s/%s", dir, names.at[i]), d);
    db_close(to);
    if (ok)
        remove_all(&a, dir);
    vec_free(&names);
    arena_free(&a);
    return ok;
}

/* Numbers of jobs, commas between them: for squeue, so nothing else gets through. */
static const char *read_jobs(struct arena *a, const char *dir)
{
    FILE *f = fopen(arena_printf(a, "%s/jobs", dir), "r");
    char line[64];
    const char *out = "";
    while (f && fgets(line, sizeof line, f)) {
        size_t n = 0;
        while (isdigit((unsigned char)line[n]))
            n++;
        if (n)
            out = arena_printf(a, "%s%s%.*s", out, *out ? "," : "", (int)n, line);
    }
    if (f)
        fclose(f);
    return out;
}

bool parts_pending(const char *db, bool (*each)(void *ctx, const char *dir, const char *jobs), void *ctx)
{
    struct arena a = {0};
    name_list names = {0};
    const char *all = arena_printf(&a, "%s.parts", db);
    bool ok = true;
    list_names(&a, all, "", &names);
    for (uint32_t i = 0; ok && i < names.n; i++) {
        const char *dir = arena_printf(&a, "%s/%s", all, names.at[i]);
        if (access(arena_printf(&a, "%s/tasks", dir), F_OK) == 0)
            ok = each(ctx, dir, read_jobs(&a, dir));
    }
    vec_free(&names);
    arena_free(&a);
    return ok;
}
