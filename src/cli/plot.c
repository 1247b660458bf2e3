/* SPDX-License-Identifier: Apache-2.0 */
/* bankshot plot: a figure of a results database, drawn by gnuplot. */
#include "cli/view/plot.h"
#include "base/nearest.h"
#include "cli/lab/gnuplot.h"
#include "cli/output.h"
#include "cli/resource.h"

#include <sqlite3.h>
#include <unistd.h>

static const char help_text[] =
    "Draws one figure of a results database, for a paper: PDF or SVG, or its numbers as CSV, by the end of "
    "the\n"
    "file's name. Databases come from compare, sweep and repro with --db. bankshot report has the same "
    "charts\n"
    "on a page.\n\n";

static const char *story(struct arena *a)
{
    const char *text = help_text;
    for (uint32_t i = 0; i < plot_ncharts; i++)
        text = arena_printf(a, "%s  %-9s %s\n", text, plot_charts[i].name, plot_charts[i].help);
    return text;
}

static const struct plot_chart *find_chart(const char *name)
{
    const char *names[16];
    for (uint32_t i = 0; i < plot_ncharts; i++) {
        names[i] = plot_charts[i].name;
        if (strcmp(names[i], name) == 0)
            return &plot_charts[i];
    }
    const char *near = nearest_name(name, strlen(name), names, plot_ncharts);
    cli_error("unknown chart '%s'%s%s%s", name, near ? "; did you mean '" : "; see bankshot help plot",
              near ? near : "", near ? "'?" : "");
    return NULL;
}

/* Has the database runs of that option, and of more than one value? */
static bool check_option(struct db *db, const char *flag, const char *name, struct diag *d)
{
    struct sqlite3_stmt *s = NULL;
    bool ok = sqlite3_prepare_v2(db_sql(db), "SELECT count(DISTINCT value) FROM option WHERE name = ?", -1,
                                 &s, NULL) == SQLITE_OK &&
              sqlite3_bind_text(s, 1, name, -1, SQLITE_TRANSIENT) == SQLITE_OK &&
              sqlite3_step(s) == SQLITE_ROW;
    int n = ok ? sqlite3_column_int(s, 0) : 0;
    sqlite3_finalize(s);
    if (n < 2)
        diag_plain(d, "--%s %s: %s", flag, name,
                   n ? "all runs have the same value of it" : "no such option (bankshot list options)");
    return n >= 2;
}

/* Is there a run with that measure? */
static bool check_measure(struct db *db, const char *name, struct diag *d)
{
    static const char *const own[] = {"speed", "kernel_cycles", "cycles", "ipc", "energy_pj"};
    enum { OWN = sizeof own / sizeof *own };
    VEC(const char *) names = {0};
    struct arena a = {0};
    bool known = false;
    for (uint32_t i = 0; i < OWN; i++)
        vec_push(&names, own[i]);
    struct sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(db_sql(db), "SELECT DISTINCT name FROM counter", -1, &s, NULL) == SQLITE_OK)
        while (sqlite3_step(s) == SQLITE_ROW) {
            const char *counter = (const char *)sqlite3_column_text(s, 0);
            vec_push(&names, arena_strndup(&a, counter, strlen(counter)));
        }
    sqlite3_finalize(s);
    vec_each (&names, n)
        known |= strcmp(*n, name) == 0;
    const char *near = known ? NULL : nearest_name(name, strlen(name), names.at, names.n);
    if (!known)
        diag_plain(d,
                   "--measure %s: unknown measure%s%s%s; it is speed, kernel_cycles, cycles, ipc, energy_pj, "
                   "or a counter "
                   "(bankshot list stats)",
                   name, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    vec_free(&names);
    arena_free(&a);
    return known;
}

static const char *format_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    static const char *const known[] = {"pdf", "svg", "csv"};
    for (size_t i = 0; dot && i < sizeof known / sizeof *known; i++)
        if (strcmp(dot + 1, known[i]) == 0)
            return known[i];
    return NULL;
}

/* A folder's temporary files: data, script, log. */
struct draft {
    const char *data, *script, *log;
};

static bool write_text(const char *path, const char *text)
{
    struct output o = output_open(path);
    FILE *f = o.f;
    if (!f)
        return false;
    fputs(text, f);
    return output_close(&o);
}

static bool draw(struct arena *a, const struct plot_chart *c, const struct plot_opts *o,
                 const struct plot_data *p, const char *out, const char *format, const char *range)
{
    const char *style = cli_resource(a, "experiments/style.gp");
    const struct draft t = {arena_printf(a, "%s.%ld.dat", out, (long)getpid()),
                            arena_printf(a, "%s.%ld.gp", out, (long)getpid()),
                            arena_printf(a, "%s.%ld.log", out, (long)getpid())};
    struct output to = style ? output_open(t.data) : (struct output){0};
    if (!to.f)
        return false;
    plot_write(p, to.f, false);
    uint32_t longest = 0;
    vec_each (&p->labels, label) {
        size_t n = strlen(*label);
        longest = n > longest ? (n < 60 ? (uint32_t)n : 60) : longest;
    }
    uint32_t marks = 0;
    vec_each (&p->series, name)
        marks += !c->lines || strncmp(*name, c->lines, strlen(c->lines)) != 0;
    const char *more = arena_printf(
        a, "columns = %u; marks = %u; longest = %u; height = %u; %s; %s; %s; %s; %s; %s", p->series.n, marks,
        longest, 420 + 5 * longest * c->is_named,
        gnuplot_string(a, "cycles", o->program ? "program cycles" : "kernel cycles"),
        gnuplot_string(a, "x", o->x ? o->x : ""), gnuplot_string(a, "y", o->y ? o->y : ""),
        gnuplot_string(a, "measure",
                       strcmp(o->measure, "speed") == 0 ? "speed over the first value" : o->measure),
        gnuplot_string(a, "cost", o->cost), gnuplot_string(a, "memory", o->memory));
    const char *script = range ? arena_printf(a, "set yrange [%s]\n%s", range, c->script) : c->script;
    const struct gnuplot g = {.what = out,
                              .style = style,
                              .script = t.script,
                              .data = t.data,
                              .out = out,
                              .format = format,
                              .log = t.log,
                              .more = more,
                              .rows = c->lines ? 0 : p->keys.n}; /* marks want no room of their own */
    bool ok = output_close(&to) && write_text(t.script, script) && gnuplot_draw(a, &g);
    unlink(t.data);
    unlink(t.script);
    return ok;
}

static bool write_csv(const struct plot_data *p, const char *out)
{
    struct output o = output_open(out);
    if (!o.f)
        return false;
    plot_write(p, o.f, true);
    return output_close(&o);
}

/* LO:HI, two numbers. */
static bool is_range(const char *text)
{
    char *end;
    strtod(text, &end);
    if (end == text || *end != ':')
        return false;
    const char *second = end + 1;
    strtod(second, &end);
    return end != second && !*end;
}

static int plot(const char *file, const struct plot_chart *c, const struct plot_opts *o, const char *out,
                const char *range)
{
    struct diag d = {0};
    struct arena a = {0};
    struct plot_data p = {0};
    const char *format = format_of(out);
    struct db *db = db_open(file, DB_READ, &d);
    bool ok = db && (!o->x || check_option(db, "across", o->x, &d)) &&
              (!o->y || check_option(db, "up", o->y, &d)) && check_measure(db, o->measure, &d) &&
              plot_read(db, c, o, &p, &d);
    if (ok && !p.keys.n) {
        diag_plain(&d, "%s has nothing for the chart '%s'", file, c->name);
        ok = false;
    }
    ok = ok && (strcmp(format, "csv") == 0 ? write_csv(&p, out) : draw(&a, c, o, &p, out, format, range));
    if (ok)
        printf("%s: %s, %u row%s of %u\n", out, c->name, p.keys.n, cli_s(p.keys.n), p.series.n);
    plot_data_free(&p);
    db_close(db);
    arena_free(&a);
    diag_print(&d, stderr);
    diag_free(&d);
    return ok ? CLI_OK : CLI_USAGE;
}

/* NULL, or what is wrong with the options. */
static const char *mistake(const struct plot_chart *c, const struct plot_opts *o, const char *out,
                           const char *cycles, const char *range)
{
    if (c->needs_x && !o->x)
        return "--across OPTION is missing: what the chart is over, such as sm.banks";
    if (c->needs_y && !o->y)
        return "--up OPTION is missing: the second one, such as sm.collectors";
    if (!format_of(out))
        return "-o FILE must end in .pdf, .svg or .csv";
    if (strcmp(o->cost, "energy") != 0 && strcmp(o->cost, "area") != 0)
        return "--cost is energy or area";
    if (strcmp(o->memory, "DRAM") != 0 && strcmp(o->memory, "L2") != 0)
        return "--memory is DRAM or L2";
    if (strcmp(cycles, "kernel") != 0 && strcmp(cycles, "program") != 0)
        return "--cycles is kernel or program";
    if (range && !is_range(range))
        return "--range LO:HI: two numbers are expected";
    return NULL;
}

int cli_plot(int argc, char **argv)
{
    const char *file = NULL, *chart = "speedup", *out = "plot.pdf", *cycles = "kernel", *range = NULL;
    struct plot_opts o = {.measure = "speed", .cost = "energy", .memory = "DRAM"};
    struct arena a = {0};
    const struct cli_opt opts[] = {
        {"chart", CLI_STR, &chart, 0, 0, "NAME", "which figure (default speedup)"},
        {"o", CLI_OUT, &out, FILE_FIGURE, 0, "FILE", "the figure (default plot.pdf); .pdf, .svg or .csv"},
        {"across", CLI_STR, &o.x, 0, 0, "OPTION", "of lines and heat: the option along the axis"},
        {"up", CLI_STR, &o.y, 0, 0, "OPTION", "of heat: the other one"},
        {"measure", CLI_STR, &o.measure, 0, 0, "NAME",
         "of lines and heat: speed (default), kernel_cycles, cycles, ipc, energy_pj, or a counter"},
        {"cost", CLI_STR, &o.cost, 0, 0, "NAME", "of pareto: energy (default) or area"},
        {"memory", CLI_STR, &o.memory, 0, 0, "NAME", "of roofline: DRAM (default) or L2"},
        {"cycles", CLI_STR, &cycles, 0, 0, "KIND", "what speed is of: kernel (default) or program"},
        {"range", CLI_STR, &range, 0, 0, "LO:HI", "of the upright axis"},
        {"workload", CLI_LIST, &o.workloads, 0, 0, "NAME",
         "only this one; may be given several times, as all of these"},
        {"gpu", CLI_LIST, &o.gpus, 0, 0, "NAME", "only this preset"},
        {"mech", CLI_LIST, &o.mechs, 0, 0, "M,...", "only these mechanisms; base are the runs without any"},
        {"size", CLI_LIST, &o.sizes, 0, 0, "SIZE", "only workloads of this size"},
    };
    const struct cli_spec spec = {
        .usage = "plot RESULTS.db [--chart NAME] [-o FILE] [--across OPTION] [--up OPTION] [--measure NAME] "
                 "[--cost NAME] [--memory NAME] [--cycles KIND] "
                 "[--range LO:HI] [--workload NAME]... [--gpu NAME]... [--mech M,...]... [--size SIZE]...",
        .story = story(&a),
        .opts = opts,
        .nopts = sizeof opts / sizeof opts[0],
        .positional = &file,
        .npositional = 1,
        .nrequired = 1,
        .positional_name = "RESULTS.db",
    };
    int status;
    if (cli_parse(&spec, argc, argv, &status)) {
        const struct plot_chart *c = find_chart(chart);
        const char *wrong = c ? mistake(c, &o, out, cycles, range) : NULL;
        o.program = strcmp(cycles, "program") == 0;
        status = !c ? CLI_USAGE : wrong ? cli_error("%s", wrong) : plot(file, c, &o, out, range);
    }
    vec_free(&o.workloads.items);
    vec_free(&o.gpus.items);
    vec_free(&o.mechs.items);
    vec_free(&o.sizes.items);
    arena_free(&a);
    return status;
}
