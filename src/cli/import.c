/* SPDX-License-Identifier: Apache-2.0 */
/* bankshot import accelsim, bankshot export accelsim: other simulators' traces in and out. */
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/lab/pool.h"
#include "cli/whole.h"
#include "trace/accelsim/accelsim.h"

#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#define MOST_TENSOR_B (64ull << 30)

static void print_report(const struct accelsim_report *r, bool sized, const char *out, double seconds)
{
    vec_each (&r->unknown, u) {
        fprintf(stderr, "bankshot: unknown opcode %s, %llu time%s: taken for class %s\n", u->opcode,
                (unsigned long long)u->count, cli_s(u->count), tr_classes[u->cls].name);
    }
    if (r->missing_warps)
        fprintf(stderr, "bankshot: %llu warp%s without instructions in the trace\n",
                (unsigned long long)r->missing_warps, cli_s(r->missing_warps));
    if (r->copies)
        fprintf(
            stderr, "bankshot: %llu bulk cop%s: the trace lacks where from, each tensor is read from %s\n",
            (unsigned long long)r->copies, r->copies == 1 ? "y" : "ies",
            sized ? "its begin to its end, in turn" : "1 MiB of its own (--tensors says how large they are)");
    if (r->released)
        fprintf(
            stderr,
            "bankshot: %llu wait%s for barrier objects that no recorded arrival of the CTA ends: taken for "
            "over\n",
            (unsigned long long)r->released, cli_s(r->released));
    if (r->unnumbered)
        fprintf(stderr,
                "bankshot: %u instruction%s at barriers whose numbers the trace lacks: these are not waited "
                "for\n",
                r->unnumbered, cli_s(r->unnumbered));
    fprintf(stderr,
            "bankshot: %s: %u launch%s of %u kernel%s, %llu warp instruction%s, %.1f MB of text, %.1f MB/s\n",
            out, r->launches, cli_es(r->launches), r->kernels, cli_s(r->kernels),
            (unsigned long long)r->warp_insts, cli_s(r->warp_insts), (double)r->text_b / 1e6,
            (double)r->text_b / 1e6 / seconds);
}

static bool known_format(const char *format)
{
    if (strcmp(format, "accelsim") == 0)
        return true;
    cli_error("unknown format '%s'; there is accelsim", format);
    return false;
}

/* A number of bytes, with k or m behind it. NULL: it is none. */
static const char *read_bytes(const char *s, uint64_t *out)
{
    char *end;
    if (*s < '1' || *s > '9')
        return NULL;
    uint64_t v = strtoull(s, &end, 10), unit = *end == 'k' ? 1 << 10 : *end == 'm' ? 1 << 20 : 1;
    *out = v * unit;
    return v <= MOST_TENSOR_B / unit ? end + (unit > 1) : NULL;
}

/* "16m/4096,128k": tensors with their rows. */
static bool read_tensors(const char *s, struct accelsim_import *o)
{
    while (s && o->ntensors < ACCELSIM_TENSORS) {
        uint64_t *size = &o->tensors[o->ntensors].size_b, *row = &o->tensors[o->ntensors].row_b;
        s = read_bytes(s, size);
        if (s && *s == '/')
            s = read_bytes(s + 1, row);
        if (!s || (*s && *s != ',') || *row > *size)
            return false;
        o->ntensors++;
        if (!*s++)
            return true;
    }
    return !s;
}

int cli_import(int argc, char **argv)
{
    const char *sizes = NULL;
    struct accelsim_import o = {.maker = "bankshot " BANKSHOT_VERSION};
    const char *args[2] = {NULL, NULL};
    bool quiet = false;
    int status = CLI_OK;
    const struct cli_opt opts[] = {
        {"o", CLI_OUT, &o.out, FILE_TRACE, 0, "FILE", "the trace that is written"},
        {"strict", CLI_FLAG, &o.strict, 0, 0, NULL, "refuse unknown opcodes"},
        {"missing-warps", CLI_FLAG, &o.allow_missing, 0, 0, NULL,
         "take thread blocks that lack warps; those do nothing"},
        {"tensors", CLI_STR, &sizes, 0, 0, "BYTES[/ROW],...",
         "tensors that bulk copies read, in the order of the kernel's parameters, and their rows "
         "(16m/4096,128k; "
         "default 1m each)"},
        {"threads", CLI_U32, &o.threads, 1, 256, "N",
         "files that are read at the same time, at most one for each processor (default 1)"},
        CLI_QUIET(&quiet),
    };
    const struct cli_spec spec = {
        .usage = "import accelsim DIR -o T.bst [--strict] [--missing-warps] [--tensors BYTES[/ROW],...] "
                 "[--threads "
                 "N] [--quiet]",
        .story = "Makes a trace of SASS traces that were recorded on a GPU for Accel-Sim: DIR holds "
                 "kernelslist.g and\n"
                 "the .traceg files it names, plain or packed (xz, gzip, zstd).\n",
        .opts = opts,
        .nopts = sizeof opts / sizeof opts[0],
        .positional = args,
        .npositional = 2,
        .nrequired = 2,
        .positional_name = "accelsim DIR",
    };
    if (!cli_parse(&spec, argc, argv, &status))
        return status;
    if (!known_format(args[0]))
        return CLI_USAGE;
    if (!o.out)
        return cli_error("no output; give -o T.bst");
    if (!read_tensors(sizes, &o))
        return cli_error("--tensors %s: expected at most %u sizes up to 64 GiB, as 16m or 16m/4096 (with the "
                         "bytes of a row)",
                         sizes, (unsigned)ACCELSIM_TENSORS);
    o.dir = args[1];
    uint32_t most = pool_processors();
    o.threads = o.threads < most ? o.threads : most;
    struct accelsim_report r = {0};
    struct diag d = {0};
    double start = now();
    bool ok = accelsim_import(&o, &r, &d);
    diag_print(&d, stderr);
    if (ok && !quiet)
        print_report(&r, o.ntensors, o.out, now() - start);
    accelsim_report_free(&r);
    diag_free(&d);
    return ok ? CLI_OK : CLI_USAGE;
}

/* Of the files that are to be written those that are there. */
static bool check_folder(const struct accelsim_export *o, const struct cli_spec *s)
{
    struct arena a = {0};
    VEC(struct cli_file) all = {0};
    struct cli_file f = {.option = "-o", .role = FILE_OUTPUT, .kind = FILE_ACCELSIM};
    for (uint32_t i = 0; i < tr_nlaunches(o->from); i++) {
        f.path = arena_printf(&a, "%s/" ACCELSIM_KERNEL, o->dir, i + 1);
        if (access(f.path, F_OK) == 0)
            vec_push(&all, f);
    }
    f.path = arena_printf(&a, "%s/" ACCELSIM_LIST, o->dir);
    f.kind = FILE_ACCELSIM_LIST;
    if (access(f.path, F_OK) == 0)
        vec_push(&all, f);
    bool ok = cli_files(s, all.at, all.n);
    vec_free(&all);
    arena_free(&a);
    return ok;
}

static bool write_out(const char *trace, struct accelsim_export *o, bool partial_ok, const struct cli_spec *s)
{
    struct diag d = {0};
    o->from = whole_open(trace, trace, partial_ok, &d);
    bool ok = o->from && check_folder(o, s) && accelsim_export(o, &d);
    diag_print(&d, stderr);
    diag_free(&d);
    if (o->from)
        tr_free(o->from);
    return ok;
}

int cli_export(int argc, char **argv)
{
    struct accelsim_export o = {0};
    bool partial_ok = false;
    const char *args[2] = {NULL, NULL};
    int status = CLI_OK;
    const struct cli_opt opts[] = {
        {"o", CLI_STR, &o.dir, 0, 0, "DIR", "the folder that is written"},
        {"plain", CLI_FLAG, &o.plain, 0, 0, NULL, "without the header lines that only bankshot reads"},
        WHOLE_OPT(partial_ok),
    };
    const struct cli_spec spec = {
        .usage = "export accelsim T.bst -o DIR [--plain] [--allow-partial]",
        .story = "Writes a trace as Accel-Sim reads it: kernelslist.g and one .traceg file per launch. What "
                 "the form\n"
                 "has no place for (predicates, constants, barriers, blocks) goes into header lines that "
                 "Accel-Sim\n"
                 "ignores, so that bankshot import gets the same trace back.\n",
        .opts = opts,
        .nopts = sizeof opts / sizeof opts[0],
        .positional = args,
        .npositional = 2,
        .nrequired = 2,
        .positional_name = "accelsim T.bst",
    };
    if (!cli_parse(&spec, argc, argv, &status))
        return status;
    if (!known_format(args[0]))
        return CLI_USAGE;
    if (!o.dir)
        return cli_error("no output; give -o DIR");
    return write_out(args[1], &o, partial_ok, &spec) ? CLI_OK : CLI_USAGE;
}
