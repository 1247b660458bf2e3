/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of code that comes from other files. Where a function of a header was inlined, clang's PTX tells the line in the header
 * but not which line of the program called it. Compiled once more, with all that is inlined charged to its caller
 * (-gno-inline-line-tables), the code is the same and only its lines differ: those of the program's own functions are taken from
 * the first PTX, and for the rest those of the second. */
#include "base/file.h"
#include "cli/cc/cc.h"

#include <errno.h>

enum { PTX_LIMIT_B = 1 << 28 };

/* A walk over the lines of a PTX file. Files are numbers of .file directives, 0: none yet. */
struct walk {
    const char *p, *end;
    uint32_t own;             /* file of the function: that of its first .loc */
    uint32_t file, line, col; /* the .loc in force */
};

static bool starts(const char *line, const char *end, const char *word)
{
    size_t n = strlen(word);
    return (size_t)(end - line) >= n && memcmp(line, word, n) == 0;
}

static const char *line_end(const struct walk *w)
{
    const char *nl = memchr(w->p, '\n', (size_t)(w->end - w->p));
    return nl ? nl + 1 : w->end;
}

static bool is_loc(const struct walk *w) { return starts(w->p, w->end, "\t.loc\t"); }

/* What two compilations of the same code may differ in, but for .loc. */
static bool is_note(const struct walk *w)
{
    return starts(w->p, w->end, "$L__tmp") || starts(w->p, w->end, "\t.file\t");
}

static void enter_loc(struct walk *w)
{
    char *at;
    w->file = (uint32_t)strtoul(w->p + strlen("\t.loc\t"), &at, 10);
    w->line = (uint32_t)strtoul(at, &at, 10);
    w->col = (uint32_t)strtoul(at, NULL, 10);
    w->own = w->own ? w->own : w->file;
}

/* Behind the line at p, which may open a function: a line that holds "{" alone does. */
static void step(struct walk *w)
{
    const char *end = line_end(w);
    if (is_loc(w))
        enter_loc(w);
    else if (starts(w->p, w->end, "{\n"))
        w->own = w->file = 0;
    w->p = end;
}

static bool is_foreign(const struct walk *w) { return w->file && w->file != w->own; }

static bool has_foreign(const struct file_text *t)
{
    struct walk w = {.p = t->at, .end = t->at + t->n};
    while (w.p < w.end && !is_foreign(&w))
        step(&w);
    return is_foreign(&w);
}

/* Writes the lines of one with the places of the other where its own are of another file. False: the code is not the same. */
static bool merge(FILE *f, const struct file_text *ours, const struct file_text *callers)
{
    struct walk a = {.p = ours->at, .end = ours->at + ours->n};
    struct walk b = {.p = callers->at, .end = callers->at + callers->n};
    uint32_t file = 0, line = 0, col = 0; /* last written */
    while (a.p < a.end) {
        const char *end = line_end(&a);
        size_t n = (size_t)(end - a.p);
        if (is_loc(&a)) {
            step(&a);
            continue;
        }
        if (!is_note(&a)) {
            while (b.p < b.end && (is_loc(&b) || is_note(&b)))
                step(&b);
            if ((size_t)(line_end(&b) - b.p) != n || memcmp(a.p, b.p, n) != 0)
                return false;
            const struct walk *w = is_foreign(&a) ? &b : &a;
            if (w->file && !is_foreign(w) && (file != a.own || line != w->line || col != w->col)) {
                file = a.own; /* the same file has another number in the other PTX */
                line = w->line;
                col = w->col;
                fprintf(f, "\t.loc\t%u %u %u\n", file, line, col);
            }
            step(&b);
        }
        fwrite(a.p, 1, n, f);
        step(&a);
        file = a.file ? file : 0; /* a function begins */
    }
    return true;
}

bool cc_has_foreign_lines(const char *path)
{
    struct diag d = {0};
    struct file_text t;
    bool found = false;
    if (file_read(path, PTX_LIMIT_B, &t, &d)) {
        found = has_foreign(&t);
        file_free(&t);
    }
    diag_free(&d);
    return found;
}

bool cc_take_caller_lines(const char *path, const char *callers)
{
    struct diag d = {0};
    struct file_text ours, theirs;
    char *text = NULL;
    size_t n = 0;
    bool ok = true;
    if (!file_read(path, PTX_LIMIT_B, &ours, &d)) {
        diag_free(&d);
        return false;
    }
    if (file_read(callers, PTX_LIMIT_B, &theirs, &d)) {
        FILE *f = open_memstream(&text, &n);
        bool same = f && merge(f, &ours, &theirs);
        same = f && fclose(f) == 0 && same;
        f = same ? fopen(path, "w") : NULL;
        ok = !same || (f && fwrite(text, 1, n, f) == n);
        ok = (!f || fclose(f) == 0) && ok;
        if (!ok)
            cli_error("cannot write %s: %s", path, strerror(errno));
        free(text);
        file_free(&theirs);
    }
    file_free(&ours);
    diag_free(&d);
    return ok;
}
