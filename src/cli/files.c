/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/files.h"

#include "base/aside.h"
#include "base/place.h"
#include "cli/cli.h"
#include "cli/output.h"

#include <errno.h>
#include <unistd.h>

struct seen {
    const struct cli_file *is;
    struct place at;
    bool to_stdout; /* "-" */
};

static const char *called(enum file_role r)
{
    return r == FILE_INPUT ? "read" : r == FILE_STORE ? "the results database" : "written, too";
}

/* Two outputs, or an output and what is read. What is no regular file (/dev/null) may be named twice. */
static bool collide(const struct seen *a, const struct seen *b)
{
    if (a->to_stdout || b->to_stdout) {
        if (!a->to_stdout || !b->to_stdout || b->is->role == FILE_INPUT)
            return false;
        cli_error("%s and %s: only one of them can be - (standard output)", b->is->option, a->is->option);
        return true;
    }
    if (!place_same(&a->at, &b->at) || (a->at.exists && !S_ISREG(a->at.st.st_mode)))
        return false;
    const char *note = strcmp(a->is->path, b->is->path) != 0 ? b->is->path : "";
    cli_error("%s %s is the same file as %s%s%s, which is %s: nothing is written; give %s another name",
              a->is->option, a->is->path, b->is->option, *note ? " " : "", note, called(b->is->role),
              a->is->option);
    return true;
}

static int obstacle(const struct seen *s)
{
    if (s->at.exists && S_ISDIR(s->at.st.st_mode))
        return EISDIR;
    if (s->at.exists && access(s->at.path, W_OK) != 0)
        return errno;
    if (s->at.exists && (!S_ISREG(s->at.st.st_mode) || aside_is_ours(&s->at)))
        return 0;
    /* It is written beside the place that it will have. */
    char *slash = s->at.path ? strrchr(s->at.path, '/') : NULL;
    if (!slash)
        return ENOENT;
    size_t n = (size_t)(slash - s->at.path);
    char *folder = xstrdup(n ? s->at.path : "/");
    folder[n ? n : 1] = 0;
    int why = access(folder, W_OK | X_OK) == 0 ? 0 : errno;
    free(folder);
    return why;
}

static bool may_replace(const struct seen *s)
{
    if (!s->at.exists || !S_ISREG(s->at.st.st_mode) || aside_is_ours(&s->at) ||
        file_is_kind(s->at.path, s->is->kind))
        return true;
    cli_error("%s %s: the file exists and is not %s: it is not overwritten; give another name, or remove it",
              s->is->option, s->is->path, file_kind_what(s->is->kind));
    return false;
}

/* One output beside the files named before it; inputs are all before it. */
static bool may_write(const struct seen *s, const struct seen *before, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (collide(s, &before[i]))
            return false;
    if (s->to_stdout)
        return true;
    int why = obstacle(s);
    if (why)
        cli_error("%s: cannot write %s: %s", s->is->option, s->is->path, strerror(why));
    return !why && may_replace(s);
}

/* What is written as it comes, and read by people or through a pipe. */
static bool goes_to_stdout(enum file_kind k)
{
    return k != FILE_TRACE && k != FILE_DATABASE && k != FILE_TIMELINE && k != FILE_FIGURE;
}

static bool look_at(const struct cli_file *f, struct seen *s)
{
    *s = (struct seen){.is = f, .to_stdout = output_is_stdout(f->path)};
    if (s->to_stdout && f->role != FILE_INPUT && !goes_to_stdout(f->kind)) {
        cli_error("%s -: %s needs a file, it does not go to standard output", f->option,
                  file_kind_what(f->kind));
        return false;
    }
    if (s->to_stdout)
        return true;
    int why = place_find(f->path, &s->at);
    if (f->role == FILE_INPUT)
        return !why && s->at.exists; /* what cannot be read is for its reader to say */
    if (why)
        cli_error("%s: cannot write %s: %s", f->option, *f->path ? f->path : "a file without a name",
                  strerror(why));
    return !why;
}

bool files_check(const struct cli_file *files, uint32_t n)
{
    static const enum file_role order[] = {FILE_INPUT, FILE_STORE, FILE_OUTPUT};
    struct seen *all = xcalloc(n + 1, sizeof *all);
    uint32_t m = 0;
    bool ok = true;
    for (uint32_t r = 0; ok && r < sizeof order / sizeof *order; r++)
        for (uint32_t i = 0; ok && i < n; i++) {
            if (files[i].role != order[r] || !files[i].path)
                continue;
            bool there = look_at(&files[i], &all[m]);
            if (order[r] != FILE_INPUT)
                ok = there && may_write(&all[m], all, m);
            if (there || order[r] != FILE_INPUT)
                m++;
            else
                place_free(&all[m].at);
        }
    for (uint32_t i = 0; i < m; i++)
        place_free(&all[i].at);
    free(all);
    return ok;
}
