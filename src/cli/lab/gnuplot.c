/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/lab/gnuplot.h"

#include "cli/child.h"
#include "cli/cli.h"
#include "cli/output.h"

#include <unistd.h>

char *gnuplot_string(struct arena *a, const char *name, const char *value)
{
    const char *out = "";
    for (const char *p = value; *p;) {
        size_t n = strcspn(p, "'");
        out = arena_printf(a, "%s%.*s%s", out, (int)n, p, p[n] ? "''" : "");
        p += n + (p[n] != 0);
    }
    return arena_printf(a, "%s = '%s'", name, out);
}

static char *copy(struct arena *a, const char *text) { return arena_strndup(a, text, strlen(text)); }

bool gnuplot_draw(struct arena *a, const struct gnuplot *g)
{
    const char *draft = output_draft(a, g->out);
    if (!draft)
        return false;
    char e[] = "-e", program[] = "gnuplot";
    char *argv[] = {program,
                    e,
                    gnuplot_string(a, "format", g->format),
                    e,
                    gnuplot_string(a, "data", g->data),
                    e,
                    gnuplot_string(a, "out", draft),
                    e,
                    arena_printf(a, "rows = %u", g->rows),
                    e,
                    copy(a, g->more ? g->more : ""),
                    copy(a, g->style),
                    copy(a, g->script),
                    NULL};
    struct child c = {.argv = argv, .output = g->log};
    int status = cli_child_run(&c);
    if (status == 0)
        unlink(g->log);
    else
        cli_error("gnuplot could not draw %s (status %d)%s%s", g->what, status,
                  status == 127 || status < 0 ? ": it is in the package gnuplot-nox" : "; see ",
                  status == 127 || status < 0 ? "" : g->log);
    if (status == 0)
        return output_take(draft, g->out);
    if (strcmp(draft, g->out) != 0)
        unlink(draft);
    return false;
}
