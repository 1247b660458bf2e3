/* SPDX-License-Identifier: Apache-2.0 */
/* bankshot record: runs a CUDA program on the runtime stand-in, which writes the trace. */
#include "base/file.h"
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/host.h"
#include "cli/output.h"
#include "cli/program.h"
#include "cli/whole.h"
#include "trace/trace.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

struct record_opts {
    const char *out, *values;
    struct host_opts host;
};

/* The program's name without folder, and .bst, in the current folder. */
static const char *default_out(struct arena *a, const char *program)
{
    const char *slash = strrchr(program, '/');
    return arena_printf(a, "%s.bst", slash ? slash + 1 : program);
}

/* The program may change its folder before it writes. */
static const char *absolute(struct arena *a, const char *path)
{
    if (path[0] == '/')
        return path;
    char *cwd = getcwd(NULL, 0);
    const char *full = cwd ? arena_printf(a, "%s/%s", cwd, path) : NULL;
    free(cwd);
    return full;
}

static int run_program(const struct record_opts *o, struct arena *a, char *const *argv, const char *out,
                       double *seconds)
{
    const struct child_env record[HOST_MORE] = {{"BANKSHOT_RECORD", out}, {"BANKSHOT_CHECK", NULL}};
    return host_run(a, argv, &o->host, record, seconds);
}

static void summary(const struct tr_reader *r, const char *out, double seconds)
{
    uint64_t winsts = 0, bytes = tr_file_bytes(r);
    uint32_t n = tr_nlaunches(r);
    for (uint32_t i = 0; i < n; i++)
        winsts += tr_launch(r, i)->warp_insts;
    struct arena a = {0};
    fprintf(stderr,
            "bankshot: %s%s: %u launch%s%s, %llu warp instructions, %llu bytes, %.3f bytes per instruction, "
            "%.2f Mwinst/s\n",
            out, tr_partial(r) ? " (partial)" : "", n, n == 1 ? "" : "es", whole_code(&a, r),
            (unsigned long long)winsts, (unsigned long long)bytes,
            winsts ? (double)bytes / (double)winsts : 0, seconds > 0 ? (double)winsts / seconds / 1e6 : 0);
    arena_free(&a);
}

/* A trace that can be read. Its status, where the program's own is 0. */
static int judge(const struct record_opts *o, const struct tr_reader *r, const char *program,
                 const char *shown, double seconds)
{
    struct arena a = {0};
    const char *lacks = whole_lacks(&a, r);
    int status = CLI_OK;
    if (!o->host.quiet)
        summary(r, shown, seconds);
    if (lacks) {
        cli_error("%s is partial: %s", shown, lacks);
        status = tr_closed(r) && !tr_missing(r) ? CLI_FAILED : CLI_USAGE;
    } else if (!tr_nlaunches(r)) {
        status = cli_error("%s launched no kernel: the trace is empty", program);
    }
    arena_free(&a);
    return status;
}

/* The program has ended with `status`. What there is to say of the trace, and the status of the command. out: NULL, there is
 * none. */
static int report(const struct record_opts *o, const char *program, const char *shown, const char *out,
                  int status, double seconds)
{
    if (!out) {
        fprintf(stderr, "bankshot: no trace: %s\n", program_no_trace(program));
        return status ? status : CLI_USAGE;
    }
    struct diag d = {0};
    struct tr_reader *r = tr_open(out, &d);
    int own = r ? judge(o, r, program, shown, seconds) : CLI_USAGE;
    if (r && !file_sync(out, &d) && own == CLI_OK)
        own = CLI_USAGE;
    diag_print(&d, stderr);
    if (r)
        tr_free(r);
    diag_free(&d);
    return status ? status : own;
}

/* What values toggled gets its name, if the program has written it. */
static bool take_values(const struct record_opts *o, const char *out)
{
    return !o->host.values || access(o->host.values, F_OK) != 0 || output_take(o->host.values, out);
}

/* The program writes NAME.part, and what there is in the end gets the name: also a partial trace, which says so. */
static int record(struct record_opts *o, char *const *argv, const char *shown)
{
    struct arena a = {0};
    const char *out = absolute(&a, shown), *part = out ? output_part(&a, out) : NULL;
    const char *values = o->values ? absolute(&a, o->values) : NULL;
    o->host.values = values ? output_part(&a, values) : NULL;
    int status = CLI_USAGE;
    double seconds = 0;
    if (!out) {
        cli_error("the current folder is gone: %s", strerror(errno));
    } else if (unlink(part) != 0 && errno != ENOENT) {
        cli_error("%s: %s", part, strerror(errno));
    } else {
        status = run_program(o, &a, argv, part, &seconds);
        bool made = access(part, F_OK) == 0;
        if (!take_values(o, values) || (made && !output_take(part, out)))
            status = CLI_USAGE;
        else
            status = status < 0 ? CLI_USAGE : report(o, argv[0], shown, made ? out : NULL, status, seconds);
    }
    arena_free(&a);
    return status;
}

/* Names that are made of others have not been looked at yet, nor beside what the program may read. */
static bool check_names(const struct record_opts *o, const struct cli_spec *s, char *const *argv,
                        const char *out, const char *part)
{
    VEC(struct cli_file) all = {0};
    if (!o->out)
        vec_push(&all, (struct cli_file){"-o", out, FILE_OUTPUT, FILE_TRACE});
    vec_push(&all, (struct cli_file){"-o", part, FILE_OUTPUT, FILE_TRACE});
    struct arena a = {0};
    if (o->values)
        vec_push(&all, (struct cli_file){"--values", output_part(&a, o->values), FILE_OUTPUT, FILE_VALUES});
    for (; *argv; argv++)
        vec_push(&all, (struct cli_file){.option = s->positional_name, .path = *argv});
    bool ok = cli_files(s, all.at, all.n);
    vec_free(&all);
    arena_free(&a);
    return ok;
}

static const char story[] =
    "Runs a CUDA program without a GPU and writes what its kernels did to a trace. "
    "The program is built by\n"
    "bankshot cc or by nvcc. Its input, output and exit status "
    "are its own (128 + signal if a\n"
    "signal ends it). Where it would be 0, it is 2 if there is no trace, an empty one, "
    "or one that is partial (the\n"
    "disk is full, a launch could not be recorded, the program ended without an exit), "
    "and 1 if a kernel failed;\n"
    "stderr says why. On a terminal a line shows how far long work has come.\n";

int cli_record(int argc, char **argv)
{
    struct record_opts o = {0};
    int rest = 0, status = CLI_OK;
    const struct cli_opt opts[] = {
        {"o", CLI_OUT, &o.out, FILE_TRACE, 0, "FILE", "the trace (default: the program's name and .bst)"},
        HOST_OPTS(&o.host),
        {"short-addresses", CLI_FLAG, &o.host.short_addr, 0, 0, NULL,
         "global addresses of one register, as in machine code of sm_1x (4 GiB of device memory)"},
        {"nvtx", CLI_STR, &o.host.nvtx, 0, 0, "NAME",
         "launches in NVTX ranges of this name are the region of gpu.region; * for any range"},
        {"values", CLI_OUT, &o.values, FILE_VALUES, 0, "FILE",
         "how much values toggle, as an overlay for --mech of run: for the energy of chips that were "
         "measured"},
        CLI_QUIET(&o.host.quiet),
    };
    const struct cli_spec spec = {
        .usage = "record [-o T.bst] [--values FILE] [--max-regs N] [--no-schedule] [--short-addresses] "
                 "[--code sass|ptx|auto] [--cubin FILE] "
                 "[--memory MIB] [--nvtx NAME] "
                 "[--verbose] [--quiet] "
                 "-- PROGRAM [ARGUMENTS]",
        .story = story,
        .opts = opts,
        .nopts = sizeof opts / sizeof opts[0],
        .positional_name = "PROGRAM",
        .rest = &rest,
    };
    if (!cli_parse(&spec, argc, argv, &status))
        return status;
    struct arena a = {0};
    const char *out = o.out ? o.out : default_out(&a, argv[rest]);
    status = check_names(&o, &spec, argv + rest, out, output_part(&a, out)) ? record(&o, argv + rest, out)
                                                                            : CLI_USAGE;
    arena_free(&a);
    return status;
}
