/* SPDX-License-Identifier: Apache-2.0 */
/* bankshot exec: one kernel, functionally, on buffers described on the command line. */
#include "exec/exec.h"
#include "cli/argspec.h"
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/load.h"
#include "cli/output.h"
#include "compile/compile.h"
#include "trace/write/record.h"

#include <time.h>

struct exec_opts {
    const char *file, *kernel, *isa, *record;
    uint32_t grid[3], block[3], cluster[3], shared_b;
    uint64_t max_warp_insts, show;
    struct cli_list args;
    struct compile_opts compile;
};

/* Everything a run owns; released at the end, whatever of it is there. */
struct exec_run {
    struct cli_ptx ptx;
    struct code *code;
    struct exec_dev *dev;
    struct exec_module *module;
    struct arg *args;
    uint64_t *addrs; /* device addresses of the buffers */
    unsigned char *params;
};

static void run_free(struct exec_run *r)
{
    free(r->params);
    free(r->addrs);
    free(r->args);
    if (r->module)
        exec_module_free(r->module);
    if (r->dev)
        exec_dev_free(r->dev);
    if (r->code)
        code_free(r->code);
    cli_ptx_close(&r->ptx);
}

static int wrong_args(const struct code *c, uint32_t given)
{
    cli_error("%s takes %u argument%s, %u given; its parameters:", c->name, c->nparams, cli_s(c->nparams),
              given);
    for (uint32_t i = 0; i < c->nparams; i++)
        fprintf(stderr, "    %2u  %4u byte%s  %s\n", i + 1, c->params[i].size_b, cli_s(c->params[i].size_b),
                c->params[i].name);
    return CLI_USAGE;
}

static int parse_args(struct exec_run *r, const struct exec_opts *o)
{
    const struct code *c = r->code;
    uint32_t n = o->args.items.n;
    if (n != c->nparams)
        return wrong_args(c, n);
    r->args = xcalloc(n ? n : 1, sizeof *r->args);
    for (uint32_t i = 0; i < n; i++) {
        struct arg *a = &r->args[i];
        char why[256];
        if (arg_parse(a, o->args.items.at[i], why, sizeof why))
            return cli_error("--arg %s: %s", o->args.items.at[i], why);
        uint64_t size_b = a->kind == ARG_BUF || a->kind == ARG_OUT ? 8 : a->size_b;
        if (size_b != c->params[i].size_b)
            return cli_error("--arg %s: %llu byte%s, but parameter %u (%s) of %s has %u", o->args.items.at[i],
                             (unsigned long long)size_b, cli_s(size_b), i + 1, c->params[i].name, c->name,
                             c->params[i].size_b);
    }
    return CLI_OK;
}

static int make_device(struct exec_run *r, const struct exec_opts *o)
{
    const struct exec_cfg cfg = {.isa = o->isa, .max_warp_insts = o->max_warp_insts};
    r->dev = exec_dev_new(&cfg);
    if (!r->dev) {
        cli_error("--isa %s: not available here; one of:", o->isa ? o->isa : "");
        for (const char *const *n = exec_isa_list(); *n; n++)
            fprintf(stderr, "    %s\n", *n);
        return CLI_USAGE;
    }
    r->module = exec_module_load(r->dev, r->ptx.m, &r->ptx.diag);
    return r->module ? CLI_OK : cli_ptx_report(&r->ptx);
}

static int place_args(struct exec_run *r)
{
    const struct code *c = r->code;
    r->addrs = xcalloc(c->nparams ? c->nparams : 1, sizeof *r->addrs);
    r->params = xcalloc(1, c->param_b ? c->param_b : 1);
    for (uint32_t i = 0; i < c->nparams; i++) {
        const struct arg *a = &r->args[i];
        unsigned char *to = r->params + c->params[i].off_b;
        if (a->kind != ARG_BUF && a->kind != ARG_OUT) {
            arg_bytes(a, to);
            continue;
        }
        r->addrs[i] = exec_alloc(r->dev, a->size_b);
        void *mem = r->addrs[i] ? exec_ptr(r->dev, r->addrs[i], a->size_b) : NULL;
        if (!mem)
            return cli_error("argument %u: no room for %llu bytes in the device's memory", i + 1,
                             (unsigned long long)a->size_b);
        arg_fill(a, mem);
        memcpy(to, &r->addrs[i], 8);
    }
    return CLI_OK;
}

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void show_results(const struct exec_run *r, const struct exec_opts *o, const struct exec_counts *n,
                         double s)
{
    const struct code *c = r->code;
    printf("%s  grid %u,%u,%u  block %u,%u,%u  %u register%s  isa %s\n", c->name, o->grid[0], o->grid[1],
           o->grid[2], o->block[0], o->block[1], o->block[2], c->regs, cli_s(c->regs), exec_isa(r->dev));
    for (uint32_t i = 0; i < c->nparams; i++) {
        const struct arg *a = &r->args[i];
        if (a->kind == ARG_OUT)
            arg_show(stdout, a, c->params[i].name, exec_ptr(r->dev, r->addrs[i], a->size_b), o->show);
    }
    printf("%llu CTA%s  %llu warp instruction%s  %llu thread instruction%s  %.3f s  %.2f Mwinst/s\n",
           (unsigned long long)n->ctas, cli_s(n->ctas), (unsigned long long)n->warp_insts,
           cli_s(n->warp_insts), (unsigned long long)n->thread_insts, cli_s(n->thread_insts), s,
           s > 0 ? (double)n->warp_insts / s / 1e6 : 0.0);
}

static int launch_status(enum exec_status st)
{
    switch (st) {
    case EXEC_OK: return CLI_OK;
    case EXEC_BAD_LAUNCH: return CLI_USAGE;
    case EXEC_DEADLOCK: return CLI_DEADLOCK;
    default: return CLI_FAILED;
    }
}

static int launch(struct exec_run *r, const struct exec_opts *o, struct tr_recorder *rec)
{
    const struct exec_launch l = {
        .code = r->code,
        .module = r->module,
        .grid = {o->grid[0], o->grid[1], o->grid[2]},
        .block = {o->block[0], o->block[1], o->block[2]},
        .cluster = {o->cluster[0], o->cluster[1], o->cluster[2]},
        .dyn_shared_b = o->shared_b,
        .params = r->params,
        .params_b = r->code->param_b,
        .cooperative = r->code->grid_sync,
    };
    struct exec_counts counts = {0};
    struct exec_error err = {0};
    double start = seconds_now();
    enum exec_status st = tr_record_launch(rec, r->dev, &l, NULL, NULL, &counts, &err);
    if (st == EXEC_OK) {
        show_results(r, o, &counts, seconds_now() - start);
    } else {
        fflush(stdout); /* what the kernel printed comes first */
        cli_error("%s", err.text);
    }
    return launch_status(st);
}

static int launch_recorded(struct exec_run *r, const struct exec_opts *o)
{
    if (!o->record)
        return launch(r, o, NULL);
    const char *slash = strrchr(o->file, '/'), *name = slash ? slash + 1 : o->file;
    const struct tr_info info = {.program = arena_printf(&r->ptx.diag.arena, "%s %s", name, r->code->name),
                                 .maker = "bankshot " BANKSHOT_VERSION,
                                 .command =
                                     arena_printf(&r->ptx.diag.arena, "%s %s", o->file, r->code->name)};
    const char *part = output_part(&r->ptx.diag.arena, o->record);
    struct tr_recorder *rec = tr_recorder_new(part, &info, &r->ptx.diag);
    if (!rec)
        return cli_ptx_report(&r->ptx);
    int status = launch(r, o, rec);
    bool whole = tr_recorder_close(rec, &r->ptx.diag);
    if (!whole)
        cli_ptx_report(&r->ptx);
    /* What there is of a trace that could not be completed stays, as a partial one. */
    if (!output_take(part, o->record) || !whole)
        status = status ? status : CLI_USAGE;
    return status;
}

static int run(const struct exec_opts *o)
{
    struct exec_run r = {0};
    int status = CLI_USAGE;
    const struct ptx_func *f = cli_ptx_open(&r.ptx, o->file) ? cli_ptx_kernel(&r.ptx, o->kernel) : NULL;
    if (f) {
        r.code = compile_kernel(r.ptx.m, f, &o->compile, &r.ptx.diag);
        status = r.code ? parse_args(&r, o) : cli_ptx_report(&r.ptx);
        if (!status)
            status = make_device(&r, o);
        if (!status)
            status = place_args(&r);
        if (!status)
            status = launch_recorded(&r, o);
    }
    run_free(&r);
    return status;
}

static bool check_part(const struct cli_spec *s, const char *record)
{
    struct arena a = {0};
    bool ok =
        !record ||
        cli_files(s, &(struct cli_file){"--record", output_part(&a, record), FILE_OUTPUT, FILE_TRACE}, 1);
    arena_free(&a);
    return ok;
}

static const char story[] =
    "Compiles one kernel of a PTX file and executes it; prints the out: buffers and how much was executed.\n"
    "Nothing is timed but the simulator itself: the executor decides what happens, not when.\n\n";

int cli_exec(int argc, char **argv)
{
    struct exec_opts o = {.show = 8, .compile = {.verify = true}};
    const struct cli_opt opts[] = {
        {"kernel", CLI_STR, &o.kernel, 0, 0, "NAME", "which kernel (default: the only one)"},
        {"grid", CLI_DIM3, o.grid, 1, INT32_MAX, "X[,Y[,Z]]", "CTAs (required)"},
        {"block", CLI_DIM3, o.block, 1, 1024, "X[,Y[,Z]]", "threads of a CTA (required)"},
        {"cluster", CLI_DIM3, o.cluster, 1, 16, "X[,Y[,Z]]",
         "CTAs of a cluster (default: as the kernel says)"},
        {"arg", CLI_LIST, &o.args, 0, 0, "SPEC", "the next kernel argument, see above"},
        {"shared", CLI_U32, &o.shared_b, 0, 227 << 10, "BYTES", "dynamic shared memory"},
        {"show", CLI_U64, &o.show, 0, 0, "N", "elements of each out: buffer to print (default 8)"},
        {"max-regs", CLI_U32, &o.compile.max_regs, 16, 255, "N", "registers per thread, 16 to 255"},
        {"no-schedule", CLI_FLAG, &o.compile.no_schedule, 0, 0, NULL,
         "keep the order of instructions inside blocks"},
        {"max-warp-insts", CLI_U64, &o.max_warp_insts, 1, UINT64_MAX, "N",
         "stop with an error after N warp instructions"},
        {"record", CLI_OUT, &o.record, FILE_TRACE, 0, "FILE", "write a trace (.bst) of the launch"},
        {"isa", CLI_STR, &o.isa, 0, 0, "NAME", "vector code of the host: plain, avx2, avx512, neon, sve"},
    };
    char help[2048];
    snprintf(help, sizeof help, "%s%s", story, arg_help);
    const struct cli_spec spec = {
        .usage = "exec FILE.ptx --grid X[,Y,Z] --block X[,Y,Z] [--kernel NAME] [--arg SPEC]...",
        .story = help,
        .opts = opts,
        .nopts = sizeof opts / sizeof opts[0],
        .positional = &o.file,
        .npositional = 1,
        .nrequired = 1,
        .positional_name = "FILE.ptx",
    };
    int status = CLI_OK;
    if (cli_parse(&spec, argc, argv, &status)) {
        if (!o.grid[0] || !o.block[0])
            status = cli_error("%s is missing: bankshot %s", o.grid[0] ? "--block" : "--grid", spec.usage);
        else if (check_part(&spec, o.record))
            status = run(&o);
        else
            status = CLI_USAGE;
    }
    vec_free(&o.args.items);
    return status;
}
