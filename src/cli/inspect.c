/* SPDX-License-Identifier: Apache-2.0 */
/* bankshot inspect: what a trace holds, or what the compiler makes of a PTX file. The file's first bytes decide. */
#include "cli/cli.h"
#include "cli/filekind.h"
#include "cli/inspect_trace.h"
#include "cli/lab/workload.h"
#include "cli/load.h"
#include "cli/program.h"
#include "cli/sass_file.h"
#include "compile/compile.h"

#include <unistd.h>

static const char story[] =
    "Of a trace (.bst): the launches, what they executed by class, memory, divergence and register "
    "values.\n"
    "Of a partial one what there is, and the status is 2 unless --allow-partial is given.\n"
    "A program of the suite will do by its name, as for run: it is recorded on first use.\n\n"
    "Compiles the kernels of a PTX file (- reads standard input). Without a stage option it prints a table:\n"
    "registers per thread, instructions of the linked code, spill loads and stores among them, and bytes of\n"
    "static shared memory, local memory (stack) per thread and parameters.\n\n"
    "Of a cubin or a program with NVIDIA's machine code: its kernels and what they take; --code as bankshot "
    "sass.\n";

static void print_header(void)
{
    printf("%-40s %5s %7s %7s %8s %8s %7s\n", "kernel", "regs", "insns", "spills", "shared_b", "local_b",
           "param_b");
}

static void print_row(const struct code *c)
{
    printf("%-40s %5u %7u %7u %8u %8u %7u\n", c->name, c->regs, c->static_insns,
           c->spill_loads + c->spill_stores, c->shared_b, c->local_b, c->param_b);
}

/* Compiles one kernel after the other, so a large file never holds more than one. */
static int inspect_all(struct cli_ptx *ptx, const struct ptx_func *chosen, const struct compile_opts *o,
                       bool stages)
{
    int status = CLI_OK;
    uint32_t n = 0;
    vec_each (&ptx->m->funcs, f) {
        if (!(*f)->is_entry || !(*f)->has_body || (chosen && *f != chosen))
            continue;
        if (!stages && n == 0)
            print_header();
        n++;
        struct code *c = compile_kernel(ptx->m, *f, o, &ptx->diag);
        if (!c) {
            fflush(stdout);
            status = cli_ptx_report(ptx);
            continue;
        }
        if (!stages)
            print_row(c);
        code_free(c);
    }
    if (n == 0)
        return cli_error("%s: no kernel (.entry) in the file", ptx->m->file);
    return status;
}

static int inspect_ptx(const char *file, const char *kernel, const struct compile_opts *o)
{
    bool stages = o->dump_code || o->dump_cfg || o->dump_live || o->dump_regs;
    struct cli_ptx ptx;
    int status = CLI_USAGE;
    if (cli_ptx_open(&ptx, file)) {
        const struct ptx_func *chosen = kernel ? cli_ptx_kernel(&ptx, kernel) : NULL;
        if (!kernel || chosen)
            status = inspect_all(&ptx, chosen, o, stages);
    }
    cli_ptx_close(&ptx);
    return status;
}

/* An option that the kind of file does not have is an error, not ignored. */
static const char *misplaced(bool trace, const struct compile_opts *o, const char *kernel,
                             const struct inspect_trace_opts *t)
{
    const struct {
        const char *name;
        bool given, for_trace;
    } rows[] = {
        {"--cfg", o->dump_cfg, false},
        {"--live", o->dump_live, false},
        {"--regs", o->dump_regs, false},
        {"--kernel", kernel != NULL, false},
        {"--max-regs", o->max_regs, false},
        {"--no-schedule", o->no_schedule, false},
        {"--json", t->json, true},
        {"--launch", t->launch != NULL, true},
        {"--stream", t->stream != NULL, true},
        {"--interwarp", t->interwarp, true},
        {"--counts", t->counts, true},
        {"--launches", t->launches != 0, true},
        {"--regions", t->regions, true},
        {"--reuse", t->reuse, true},
        {"--share", t->share != NULL, true},
        {"--near", t->near != 0, true},
        {"--allow-partial", t->partial_ok, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].given && rows[i].for_trace != trace)
            return rows[i].name;
    }
    return NULL;
}

/* A name of the suite, hotspot:small, and no path? What only traces have is asked of nothing else. */
static bool is_workload(const char *name, const struct inspect_trace_opts *t)
{
    return access(name, R_OK) != 0 && (!strpbrk(name, "./-") || t->interwarp || t->counts || t->regions);
}

static int workload_by_name(const char *name, const struct inspect_trace_opts *t)
{
    struct arena a = {0};
    struct diag d = {0};
    const char *path = workload_trace(&a, name, false, &d);
    int status = path ? cli_inspect_trace(path, t) : CLI_USAGE;
    diag_print(&d, stderr);
    diag_free(&d);
    arena_free(&a);
    return status;
}

int cli_inspect(int argc, char **argv)
{
    const char *file = NULL, *kernel = NULL;
    struct compile_opts o = {.verify = true, .dump = stdout};
    struct inspect_trace_opts t = {0};
    const struct cli_opt opts[] = {
        {"code", CLI_FLAG, &o.dump_code, 0, 0, NULL, "the machine code"},
        {"json", CLI_FLAG, &t.json, 0, 0, NULL, "trace: everything as JSON"},
        {"launch", CLI_STR, &t.launch, 0, 0, "N", "trace: only this launch, numbered from 0"},
        {"stream", CLI_STR, &t.stream, 0, 0, "CTA,WARP", "trace: every instruction of one warp"},
        {"interwarp", CLI_FLAG, &t.interwarp, 0, 0, NULL,
         "trace: load requests left if warps' could be merged, by window"},
        {"counts", CLI_FLAG, &t.counts, 0, 0, NULL,
         "trace: the code with how often warps executed each instruction"},
        {"launches", CLI_U32, &t.launches, 1, UINT32_MAX, "N",
         "trace: with --counts, only the first N launches"},
        {"regions", CLI_FLAG, &t.regions, 0, 0, NULL,
         "trace: the code in regions for staged operands (RegLess), with what is brought and given up"},
        {"reuse", CLI_FLAG, &t.reuse, 0, 0, NULL,
         "trace: near or far, votes and mean reuse distance of every register operand"},
        {"share", CLI_STR, &t.share, 0, 0, "PERCENT",
         "trace: with --reuse, the first warps of each kernel that are profiled (default: 100)"},
        {"near", CLI_U32, &t.near, 1, 1000, "N",
         "trace: with --reuse, distances up to N are near (default: 12)"},
        {"allow-partial", CLI_FLAG, &t.partial_ok, 0, 0, NULL, "trace: a partial one is no failure"},
        {"cfg", CLI_FLAG, &o.dump_cfg, 0, 0, NULL, "PTX: blocks, dominators, post-dominators, loops"},
        {"live", CLI_FLAG, &o.dump_live, 0, 0, NULL, "PTX: live registers of every block, and the pressure"},
        {"regs", CLI_FLAG, &o.dump_regs, 0, 0, NULL, "PTX: the register allocation"},
        {"kernel", CLI_STR, &kernel, 0, 0, "NAME", "PTX: only this kernel"},
        {"max-regs", CLI_U32, &o.max_regs, 16, 255, "N",
         "PTX: registers per thread, 16 to 255 (default: 255, or what the PTX bounds)"},
        {"no-schedule", CLI_FLAG, &o.no_schedule, 0, 0, NULL,
         "PTX: keep the order of instructions inside blocks"},
    };
    const struct cli_spec spec = {
        .usage =
            "inspect T.bst|WORKLOAD [--json] [--code] [--launch N] [--stream CTA,WARP] [--interwarp] "
            "[--counts [--launches N]] [--regions] [--reuse [--share PERCENT] [--near N]] [--allow-partial]\n"
            "       bankshot inspect FILE.ptx [--code] [--cfg] [--live] [--regs] [--kernel NAME] "
            "[--max-regs N] [--no-schedule]\n"
            "       bankshot inspect FILE.cubin|PROGRAM [--code] [--kernel NAME]",
        .story = story,
        .opts = opts,
        .nopts = sizeof opts / sizeof opts[0],
        .positional = &file,
        .npositional = 1,
        .nrequired = 1,
        .positional_name = "FILE",
    };
    int status;
    if (!cli_parse(&spec, argc, argv, &status))
        return status;
    bool named = is_workload(file, &t);
    if (!named && strcmp(file, "-") != 0 && program_is_elf(file))
        return sass_print_file(
            &(struct sass_file_opts){.path = file, .kernel = kernel, .list = !o.dump_code});
    bool trace = named || (strcmp(file, "-") != 0 && cli_is_trace(file));
    const char *wrong = misplaced(trace, &o, kernel, &t);
    if (wrong && (trace || access(file, R_OK) == 0))
        return cli_error("%s: %s is a %s", wrong, file,
                         trace ? "trace; that is for PTX files" : "PTX file; that is for traces");
    t.code = o.dump_code;
    if (named)
        return workload_by_name(file, &t);
    return trace ? cli_inspect_trace(file, &t) : inspect_ptx(file, kernel, &o);
}
