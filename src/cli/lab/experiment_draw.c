/* Data for gnuplot, and the figures it makes of them. */
#include "cli/child.h"
#include "cli/cli.h"
#include "cli/lab/experiment.h"
#include "cli/resource.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static bool make_folder(const char *path)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return true;
    cli_error("cannot make the folder %s: %s", path, strerror(errno));
    return false;
}

/* Tables one after the other, two blank lines between them: gnuplot's index. Cells are separated by tabs, "?" is no value. */
static bool write_data(const struct experiment *x, const char *path)
{
    FILE *f = fopen(path, "w");
    if (!f) {
        cli_error("cannot write %s: %s", path, strerror(errno));
        return false;
    }
    vec_each (&x->tables, t) {
        if (t != x->tables.at)
            fputs("\n\n", f);
        fputs("#", f);
        vec_each (&t->names, n)
            fprintf(f, "%s%s", n == t->names.at ? " " : "\t", *n);
        for (uint32_t i = 0; i < t->cells.n; i++)
            fprintf(f, "%s%s", i % t->names.n ? "\t" : "\n",
                    t->cells.at[i] && *t->cells.at[i] ? t->cells.at[i] : "?");
        fputc('\n', f);
    }
    bool ok = !ferror(f);
    if (fclose(f) != 0 || !ok)
        cli_error("cannot write %s", path);
    return ok;
}

/* A string of gnuplot's. */
static char *string(struct arena *a, const char *name, const char *value)
{
    const char *out = "";
    for (const char *p = value; *p;) {
        size_t n = strcspn(p, "'");
        out = arena_printf(a, "%s%.*s%s", out, (int)n, p, p[n] ? "''" : "");
        p += n + (p[n] != 0);
    }
    return arena_printf(a, "%s = '%s'", name, out);
}

static bool plot(struct arena *a, const struct experiment *x, const char *style, const char *base,
                 const char *format)
{
    char e[] = "-e", program[] = "gnuplot";
    char *argv[] = {program,
                    e,
                    string(a, "format", format),
                    e,
                    string(a, "data", arena_printf(a, "%s.dat", base)),
                    e,
                    string(a, "out", arena_printf(a, "%s.%s", base, format)),
                    e,
                    arena_printf(a, "rows = %u", x->tables.at[0].cells.n / x->tables.at[0].names.n),
                    arena_strndup(a, style, strlen(style)),
                    arena_strndup(a, x->gp, strlen(x->gp)),
                    NULL};
    const char *log = arena_printf(a, "%s.log", base);
    struct child c = {.argv = argv, .output = log};
    int status = cli_child_run(&c);
    if (status == 0)
        unlink(log);
    else
        cli_error("gnuplot could not draw %s/%s.gp (status %d)%s%s", x->paper, x->name, status,
                  status == 127 || status < 0 ? ": it is in the package gnuplot-nox" : "; see ",
                  status == 127 || status < 0 ? "" : log);
    return status == 0;
}

bool experiment_draw(struct experiments *e, struct experiment *x, const char *dir)
{
    struct arena *a = &e->arena;
    const char *folder = arena_printf(a, "%s/%s", dir, x->paper),
               *base = arena_printf(a, "%s/%s", folder, x->name);
    bool rows = false;
    vec_each (&x->tables, t)
        rows |= t->cells.n > 0;
    if (!make_folder(dir) || !make_folder(folder) || !write_data(x, arena_printf(a, "%s.dat", base)))
        return false;
    if (!x->gp || !rows)
        return true;
    const char *style = cli_resource(a, "experiments/style.gp");
    if (!style || !plot(a, x, style, base, "svg") || !plot(a, x, style, base, "pdf"))
        return false;
    x->svg = arena_printf(a, "%s.svg", base);
    return true;
}
