/* bankshot report: a results database as one page. */
#include "cli/view/report.h"

#include "cli/cli.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static const char help_text[] =
    "Writes one HTML page with everything that a results database has: speedups, where the cycles went, any\n"
    "two measures against each other, tables of runs and ratios, each run's configuration and counters, and\n"
    "profiles and claims where they were stored. The page needs no network and no other file. Databases "
    "come\n"
    "from compare, sweep and repro with --db.\n";

/* The page with its three gaps filled. */
static bool write_page(struct db *db, FILE *to, struct diag *d)
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
            ok = report_data(db, to, d);
            p += 6;
        } else if (*p) {
            fputc(*p++, to);
        }
    }
    return ok;
}

/* A page that is half written is never seen under its name. */
static int write_file(struct db *db, const char *path, struct diag *d)
{
    if (strcmp(path, "-") == 0)
        return write_page(db, stdout, d) ? CLI_OK : CLI_USAGE;
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
        bool ok = write_page(db, f, d), written = !ferror(f);
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

int cli_report(int argc, char **argv)
{
    const char *file = NULL, *out = "report.html";
    const struct cli_opt opts[] = {
        {"o", CLI_STR, &out, 0, 0, "FILE", "the page (default report.html); - for standard output"},
    };
    const struct cli_spec spec = {
        .usage = "report RESULTS.db [-o FILE]",
        .story = help_text,
        .opts = opts,
        .nopts = sizeof opts / sizeof opts[0],
        .positional = &file,
        .npositional = 1,
        .nrequired = 1,
        .positional_name = "RESULTS.db",
    };
    int status;
    if (!cli_parse(&spec, argc, argv, &status))
        return status;
    struct diag d = {0};
    struct db *db = db_open(file, DB_READ, &d);
    status = db ? write_file(db, out, &d) : CLI_USAGE;
    db_close(db);
    diag_print(&d, stderr);
    diag_free(&d);
    return status;
}
