/* SPDX-License-Identifier: Apache-2.0 */
/* bankshot report: a results database as one page. */
#include "cli/view/report.h"

#include "cli/cli.h"
#include "cli/files.h"
#include "cli/output.h"
#include "cli/resource.h"

static const char help_text[] =
    "Writes one HTML page with everything that a results database has: speedups, where the cycles went, any\n"
    "two measures against each other, tables of runs and ratios, each run's configuration and counters, "
    "their\n"
    "course over time, profiles and claims where they were stored. The page needs no network and no other "
    "file. Databases "
    "come\n"
    "from compare, sweep and repro with --db.\n";

/* The page with its three gaps filled. */
static bool write_page(struct db *db, const struct report_also *also, FILE *to, struct diag *d)
{
    const char *p = report_html;
    bool ok = true;
    while (ok && *p) {
        size_t n = strcspn(p, "@");
        fwrite(p, 1, n, to);
        p += n;
        if (strncmp(p, "@CSS@", 5) == 0) {
            fputs(report_css, to);
            p += 5;
        } else if (strncmp(p, "@JS@", 4) == 0) {
            fputs(report_js, to);
            p += 4;
        } else if (strncmp(p, "@DATA@", 6) == 0) {
            ok = report_data(db, also, to, d);
            p += 6;
        } else if (*p) {
            fputc(*p++, to);
        }
    }
    return ok;
}

static int write_file(struct db *db, const struct report_also *also, const char *path, struct diag *d)
{
    struct output to = output_open(path);
    if (!to.f)
        return CLI_USAGE;
    bool ok = write_page(db, also, to.f, d);
    long size_b = ftell(to.f);
    if (!ok)
        output_drop(&to);
    else
        ok = output_close(&to);
    if (ok && !output_is_stdout(path))
        printf("%s: %ld bytes\n", path, size_b);
    return ok ? CLI_OK : CLI_USAGE;
}

/* GPU=FILE, or the H200's figures that come with the program. False after printing why. */
static bool find_silicon(struct arena *a, const char *given, struct report_silicon *out)
{
    const char *eq = given ? strchr(given, '=') : NULL;
    if (given && (!eq || eq == given || !eq[1])) {
        cli_error("--silicon %s: it is GPU=FILE, a preset and cycles of the real one", given);
        return false;
    }
    out->gpu = given ? arena_strndup(a, given, (size_t)(eq - given)) : "hopper";
    out->path = given ? eq + 1 : cli_resource(a, "silicon/suite-h200.csv");
    return out->path;
}

int cli_report(int argc, char **argv)
{
    const char *file = NULL, *out = "report.html", *silicon = NULL;
    struct cli_list pipelines = {0};
    const struct cli_opt opts[] = {
        {"o", CLI_OUT, &out, FILE_PAGE, 0, "FILE", "the page (default report.html); - for standard output"},
        {"silicon", CLI_STR, &silicon, 0, 0, "GPU=FILE",
         "cycles of a real GPU for the workloads on that preset, as tools/suite-measure writes them "
         "(default: an "
         "H200's for hopper)"},
        {"pipeline", CLI_INS, &pipelines, 0, 0, "FILE",
         "show this pipeline as well, which run --pipeline FILE.json wrote"},
    };
    const struct cli_spec spec = {
        .usage = "report RESULTS.db [-o FILE] [--silicon GPU=FILE] [--pipeline FILE]...",
        .story = help_text,
        .opts = opts,
        .nopts = sizeof opts / sizeof opts[0],
        .positional = &file,
        .npositional = 1,
        .nrequired = 1,
        .positional_name = "RESULTS.db",
    };
    int status;
    struct diag d = {0};
    struct arena a = {0};
    struct report_also also = {0};
    if (cli_parse(&spec, argc, argv, &status)) {
        also.pipelines = pipelines.items.at;
        also.npipelines = pipelines.items.n;
        bool ok = find_silicon(&a, silicon, &also.silicon) &&
                  cli_files(&spec, &(struct cli_file){.option = "--silicon", .path = also.silicon.path}, 1);
        struct db *db = ok ? db_open(file, DB_READ, &d) : NULL;
        status = db ? write_file(db, &also, out, &d) : CLI_USAGE;
        db_close(db);
    }
    vec_free(&pipelines.items);
    arena_free(&a);
    diag_print(&d, stderr);
    diag_free(&d);
    return status;
}
