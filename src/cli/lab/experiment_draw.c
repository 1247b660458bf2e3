/* SPDX-License-Identifier: Apache-2.0 */
/* Data for gnuplot, and the figures it makes of them. */
#include "cli/cli.h"
#include "cli/lab/experiment.h"
#include "cli/lab/gnuplot.h"
#include "cli/output.h"
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
    struct output o = output_open(path);
    FILE *f = o.f;
    if (!f)
        return false;
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
    return output_close(&o);
}

static bool plot(struct arena *a, const struct experiment *x, const char *style, const char *base,
                 const char *format)
{
    const struct gnuplot g = {.what = arena_printf(a, "%s/%s.gp", x->paper, x->name),
                              .style = style,
                              .script = x->gp,
                              .data = arena_printf(a, "%s.dat", base),
                              .out = arena_printf(a, "%s.%s", base, format),
                              .format = format,
                              .log = arena_printf(a, "%s.%ld.log", base, (long)getpid()),
                              .rows = x->tables.at[0].cells.n / x->tables.at[0].names.n};
    return gnuplot_draw(a, &g);
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
