/* bankshot report: a results database as one page. */
#include "cli/view/report.h"

#include "cli/cli.h"
#include "cli/resource.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* A page that is half written is never seen under its name. */
static int write_file(struct db *db, const struct report_also *also, const char *path, struct diag *d)
{
    if (strcmp(path, "-") == 0)
        return write_page(db, also, stdout, d) ? CLI_OK : CLI_USAGE;
    struct arena a = {0};
    struct stat st;
    /* What is no file (a device, a pipe) cannot be replaced. */
    bool direct = stat(path, &st) == 0 && !S_ISREG(st.st_mode);
    const char *draft = direct ? path : arena_printf(&a, "%s.%ld.tmp", path, (long)getpid());
    FILE *f = fopen(draft, "w");
    int status = CLI_USAGE;
    if (!f) {
        cli_error("cannot write %s: %s", path, strerror(errno));
    } else {
        bool ok = write_page(db, also, f, d), written = !ferror(f);
        long size_b = ftell(f);
        int failed = fclose(f) != 0 || !written ? errno : 0;
        if (ok && !failed && !direct && rename(draft, path) != 0)
            failed = errno;
        if (failed)
            cli_error("cannot write %s: %s", path, strerror(failed));
        status = ok && !failed ? CLI_OK : CLI_USAGE;
        if (status == CLI_OK)
            printf("%s: %ld bytes\n", path, size_b);
        if (status != CLI_OK && !direct)
            unlink(draft);
    }
    arena_free(&a);
    return status;
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
        {"o", CLI_STR, &out, 0, 0, "FILE", "the page (default report.html); - for standard output"},
        {"silicon", CLI_STR, &silicon, 0, 0, "GPU=FILE",
         "cycles of a real GPU for the workloads on that preset, as tools/suite-measure writes them "
         "(default: an "
         "H200's for hopper)"},
        {"pipeline", CLI_LIST, &pipelines, 0, 0, "FILE",
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
        struct db *db = find_silicon(&a, silicon, &also.silicon) ? db_open(file, DB_READ, &d) : NULL;
        status = db ? write_file(db, &also, out, &d) : CLI_USAGE;
        db_close(db);
    }
    vec_free(&pipelines.items);
    arena_free(&a);
    diag_print(&d, stderr);
    diag_free(&d);
    return status;
}
