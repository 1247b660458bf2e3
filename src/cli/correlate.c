/* SPDX-License-Identifier: Apache-2.0 */
/* bankshot correlate: a program beside a real GPU, kernel by kernel. The options and the files are looked at here; the
 * comparison, most of which is reading a profiler's tables, is a script in Python (tools/correlate). */
#include "cli/child.h"
#include "cli/cli.h"
#include "cli/filekind.h"
#include "cli/resource.h"

#include <unistd.h>

struct request {
    const char *csv, *gpu, *arch, *html, *out;
    struct cli_list sets;
};

struct words {
    VEC(char *) at;
};

static void add(struct arena *a, struct words *v, const char *text)
{
    if (text)
        vec_push(&v->at, arena_strndup(a, text, strlen(text)));
    else
        vec_push(&v->at, NULL);
}

static void add_option(struct arena *a, struct words *v, const char *name, const char *value)
{
    if (value)
        add(a, v, arena_printf(a, "--%s=%s", name, value));
}

static int start(const struct request *q, char *const *program)
{
    struct arena a = {0};
    struct words v = {0};
    int status = CLI_USAGE;
    const char *home = cli_home(&a), *script = home ? arena_printf(&a, "%s/correlate", home) : NULL;
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (script && n > 0) {
        self[n] = 0;
        add(&a, &v, "python3");
        add(&a, &v, script);
        add(&a, &v, self);
        add_option(&a, &v, "csv", q->csv);
        add_option(&a, &v, "gpu", q->gpu);
        add_option(&a, &v, "arch", q->arch);
        vec_each (&q->sets.items, s)
            add_option(&a, &v, "set", *s);
        add_option(&a, &v, "html", q->html);
        add_option(&a, &v, "out", q->out);
        for (; *program; program++)
            add(&a, &v, *program);
        add(&a, &v, NULL);
        struct child c = {.argv = v.at.at};
        status = cli_child_run(&c);
        status = status < 0 ? CLI_USAGE : status;
    }
    vec_free(&v.at);
    arena_free(&a);
    return status;
}

static const char story[] = "Holds a program beside a real GPU, kernel by kernel: cycles, instructions, DRAM "
                            "bytes, hit rates and what warps wait for.\n"
                            "PROGRAM is a CUDA source (built by bankshot cc for the simulator and by nvcc "
                            "for the GPU), a program that nvcc built with\n"
                            "-cudart shared (both run that), or a trace. The GPU's side is a profiler's "
                            "table (--csv, what `ncu --csv` printed\n"
                            "anywhere, of whatever sets and metrics), or the program is run under ncu here, "
                            "which takes a GPU. The profiler fixes the clocks and\n"
                            "empties caches before each launch; so does the model: for hopper at 1.5 GHz. "
                            "The n-th launch of a kernel is held against\n"
                            "the n-th of that name. Needs python3.\n";

int cli_correlate(int argc, char **argv)
{
    struct request q = {0};
    int rest = 0, status = CLI_OK;
    const struct cli_opt opts[] = {
        {"csv", CLI_IN, &q.csv, 0, 0, "FILE", "the GPU's side: what ncu --csv printed"},
        {"gpu", CLI_STR, &q.gpu, 0, 0, "NAME", "the preset (default hopper)"},
        {"set", CLI_LIST, &q.sets, 0, 0, "KEY=VALUE",
         "an option of the simulator; may be given several times; the first one replaces the profiler's "
         "clocks"},
        {"arch", CLI_STR, &q.arch, 0, 0, "sm_NN", "what a source is compiled for (default sm_90)"},
        {"html", CLI_OUT, &q.html, FILE_CORRELATE_PAGE, 0, "FILE", "write the table as a page as well"},
        {"out", CLI_OUT, &q.out, FILE_CORRELATE_CSV, 0, "FILE", "... and as CSV"},
    };
    const struct cli_spec spec = {
        .usage = "correlate [--csv FILE] [--gpu NAME] [--set KEY=VALUE]... [--arch sm_NN] [--html FILE] "
                 "[--out FILE] "
                 "PROGRAM|SOURCE.cu|T.bst [ARGUMENTS]",
        .story = story,
        .opts = opts,
        .nopts = sizeof opts / sizeof opts[0],
        .positional_name = "PROGRAM",
        .rest = &rest,
    };
    if (cli_parse(&spec, argc, argv, &status))
        status = start(&q, argv + rest);
    vec_free(&q.sets.items);
    return status;
}
