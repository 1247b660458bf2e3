/* SPDX-License-Identifier: Apache-2.0 */
/* bankshot occupancy: how many CTAs of a kernel an SM of a machine holds, and what limits them. */
#include "base/demangle.h"
#include "cli/lab/workload.h"
#include "cli/machine.h"
#include "cli/shown.h"
#include "cli/view/json_schema.h"
#include "cli/view/occupancy_tell.h"
#include "cli/whole.h"

static const char help_text[] = "Says how many CTAs and warps an SM holds, what limits them, and how a grid "
                                "fills the GPU: of every kernel\n"
                                "of a trace or bundled program, or of numbers (--block, --regs, --shared, "
                                "--grid). Nothing is simulated.\n"
                                "A table shows other sizes of CTAs with the same registers and shared "
                                "memory; * marks the one asked for.\n";

struct request {
    uint32_t block, regs, grid;
    uint32_t shared_b;
    const char *json;
    bool quiet;
};

/* clang-format off */
#define ASKED(X, T)                                                                                          \
    X(T, TEXT, NULLABLE, kernel, "its name, as the linker has it; null: numbers were given")                  \
    X(T, TEXT, NULLABLE, name, "the same as people write it: without parameters, demangled")                 \
    X(T, COUNT, OPEN, launches, "of the trace that are so")                                                  \
    X(T, ROW, OPEN, occupancy, "of its launches", .shape = &occupancy_shape)                                 \
    X(T, ROWS, OPEN, blocks, "of other sizes of CTAs, as many of them as have as many threads",              \
      .shape = &occupancy_shape)
#define ANSWER(X, T)                                                                                         \
    X(T, TEXT, OPEN, gpu, "preset, or the file, as it was given")                                            \
    X(T, ROWS, OPEN, kernels, "different launches of kernels", .shape = &asked_shape)
/* clang-format on */
struct asked_row {
    ASKED(JSON_FIELD, )
};
static const struct json_member asked_members[] = {ASKED(JSON_MEMBER, struct asked_row)};
static const struct json_shape asked_shape = {.name = "occupancy_kernel",
                                              .parts = {JSON_PART(asked_members, 0)}};
struct answer {
    struct json_head head;
    ANSWER(JSON_FIELD, )
};
static const struct json_member members[] = {ANSWER(JSON_MEMBER, struct answer)};
const struct json_shape occupancy_answer = {
    .name = "occupancy_answer", .command = "occupancy", .parts = {JSON_HEAD_PART, JSON_PART(members, 0)}};

/* What is asked: of the launches of a kernel that are alike. */
struct asked {
    struct occupancy_ask ask;
    const char *kernel; /* NULL: numbers */
    uint64_t launches;
};
typedef VEC(struct asked) asked_list;

static void add_launch(asked_list *all, const struct tr_reader *t, uint32_t launch)
{
    struct occupancy_ask a = occupancy_of_launch(t, launch);
    const char *name = tr_kernel(t, tr_launch(t, launch)->l.kernel)->name;
    vec_each (all, o)
        if (o->kernel == name && occupancy_same(&o->ask, &a)) {
            o->launches++;
            return;
        }
    vec_push(all, ((struct asked){a, name, 1}));
}

/* Other sizes, with as many threads in all. */
static struct occupancy_ask with_block(const struct occupancy_ask *a, uint32_t threads)
{
    struct occupancy_ask b = *a;
    uint64_t all = a->ctas * a->threads;
    b.threads = threads;
    b.ctas = (all + threads - 1) / threads;
    return b;
}

enum { STEP = 64 };
/* 32, 64, 128, 192, ... up to what a CTA may have. */
static uint32_t next_block(uint32_t threads) { return threads < STEP ? threads * 2 : threads + STEP; }
/* CUDA programming guide, technical specifications: all compute capabilities */
static const uint32_t block_most = 1024;

static void print_table(const struct occupancy_of *of, const struct occupancy_ask *a)
{
    char by[128];
    bool seen = false;
    printf("\n  %7s %6s %6s %7s  %s\n", "threads", "CTAs", "warps", "of all", "limited by");
    for (uint32_t t = 32; t <= block_most;) {
        bool mark = a->threads == t || (!seen && a->threads < t);
        struct occupancy_ask b = with_block(a, mark ? a->threads : t);
        struct occupancy o = occupancy_get(of, &b);
        seen |= mark;
        printf("%c %7u %6u %6u %6.1f%%  %s\n", mark ? '*' : ' ', b.threads, o.ctas, o.warps,
               100.0 * o.warps / o.slots, o.ctas ? occupancy_limited_by(&o, by, sizeof by) : o.why);
        t = mark && b.threads != t ? t : next_block(t);
    }
}

static void print_asked(const struct occupancy_of *of, const struct gpu_conf *c, const struct asked *k)
{
    struct occupancy o = occupancy_get(of, &k->ask);
    char name[256];
    printf("\n%s%s%u threads, %u registers each, %u bytes of shared memory",
           k->kernel ? shown_kernel(name, sizeof name, k->kernel) : "", k->kernel ? ": " : "", k->ask.threads,
           k->ask.regs, k->ask.shared_b);
    if (k->launches > 1)
        printf(" (%llu launches)", (unsigned long long)k->launches);
    printf("\n  ");
    occupancy_print_sm(&o, stdout);
    putchar('\n');
    if (k->ask.ctas && o.ctas) {
        printf("  ");
        occupancy_print_grid(c, &o, k->ask.ctas, stdout);
        putchar('\n');
    }
    for (uint32_t i = 0; o.ctas && i < OCC_LIMITS; i++)
        if (o.by[i] != UINT32_MAX)
            printf("  %8u CTA%s by %s\n", o.by[i], o.by[i] == 1 ? " " : "s", occupancy_limits[i].what);
    print_table(of, &k->ask);
}

static json_t *asked_json(const struct occupancy_of *of, const struct gpu_conf *c, const struct asked *k)
{
    struct occupancy o = occupancy_get(of, &k->ask);
    char name[256] = "";
    if (k->kernel)
        demangle(k->kernel, name, sizeof name);
    struct asked_row row = {.kernel = k->kernel,
                            .name = k->kernel ? name : NULL,
                            .launches = k->launches,
                            .occupancy = occupancy_json(c, &k->ask, &o, NULL),
                            .blocks = json_array()};
    for (uint32_t t = 32; t <= block_most; t = next_block(t)) {
        struct occupancy_ask b = with_block(&k->ask, t);
        o = occupancy_get(of, &b);
        json_array_append_new(row.blocks, occupancy_json(c, &b, &o, NULL));
    }
    return json_of(&asked_shape, &row);
}

static bool tell(const struct gpu_conf *c, const struct machine_opts *m, const asked_list *all,
                 const struct request *q)
{
    struct occupancy_of *of = occupancy_open(c);
    struct answer answer = {.head = json_head(&occupancy_answer), .gpu = m->gpu, .kernels = json_array()};
    bool ok = true;
    if (!q->json || strcmp(q->json, "-") != 0) {
        printf(
            "%s: %u SMs, each with %u warp slots, %u threads, %u CTAs, %u registers, %u KiB of shared memory "
            "at most\n",
            m->gpu, c->gpu.sms, c->sm.partitions * c->sm.warps, c->sm.threads, c->sm.ctas, c->sm.registers,
            c->sm.shared_kb);
        vec_each (all, k)
            print_asked(of, c, k);
    }
    vec_each (all, k)
        if (q->json)
            json_array_append_new(answer.kernels, asked_json(of, c, k));
    if (q->json)
        ok = json_write(json_of(&occupancy_answer, &answer), q->json);
    else
        json_decref(answer.kernels);
    occupancy_close(of);
    return ok;
}

/* The launches of a trace, or the numbers. */
static bool gather(const char *file, const struct request *q, struct arena *names, struct tr_reader **t,
                   asked_list *all, struct diag *d)
{
    if (!file) {
        vec_push(all, ((struct asked){{q->block, q->regs, q->shared_b, q->grid}, NULL, 1}));
        return true;
    }
    const char *path = workload_trace(names, file, q->quiet, d);
    *t = path ? whole_open(path, file, true, d) : NULL;
    for (uint32_t i = 0; *t && i < tr_nlaunches(*t); i++)
        add_launch(all, *t, i);
    return *t;
}

static int answer(const char *file, const struct machine_opts *m, const struct request *q)
{
    struct diag d = {0};
    struct gpu_conf c;
    struct arena names = {0};
    struct tr_reader *t = NULL;
    asked_list all = {0};
    bool ok = machine_load(m, &c, &d) && gather(file, q, &names, &t, &all, &d) && tell(&c, m, &all, q);
    if (t)
        tr_free(t);
    vec_free(&all);
    diag_print(&d, stderr);
    diag_free(&d);
    arena_free(&names);
    conf_free(&c.conf);
    return ok ? CLI_OK : CLI_USAGE;
}

int cli_occupancy(int argc, char **argv)
{
    const char *file = NULL;
    struct machine_opts m = {.gpu = "volta"};
    struct request q = {.regs = 32};
    const struct cli_opt opts[] = {
        MACHINE_OPTS(m),
        {"block", CLI_U32, &q.block, 1, 1024, "N", "threads of a CTA"},
        {"regs", CLI_U32, &q.regs, 0, 255, "N", "registers of a thread (default 32)"},
        {"shared", CLI_U32, &q.shared_b, 0, 1 << 20, "BYTES", "shared memory of a CTA (default 0)"},
        {"grid", CLI_U32, &q.grid, 1, 0, "N", "CTAs of the grid: waves and idle SMs"},
        {"json", CLI_OUT, &q.json, FILE_ANSWER, 0, "FILE", "write the answer; - for standard output"},
        CLI_QUIET(&q.quiet),
    };
    const struct cli_spec spec = {
        .usage = "occupancy [TRACE|WORKLOAD] [--block N [--regs N] [--shared BYTES] [--grid N]] [--gpu G] "
                 "[--mech M,...] [--set KEY=VALUE]... [--json FILE] [--quiet]",
        .story = help_text,
        .opts = opts,
        .nopts = sizeof opts / sizeof opts[0],
        .positional = &file,
        .npositional = 1,
        .positional_name = "TRACE or WORKLOAD",
    };
    int status;
    if (cli_parse(&spec, argc, argv, &status))
        status =
            !file && !q.block
                ? cli_error("a TRACE, a WORKLOAD or --block is missing: bankshot %s", spec.usage)
            : file && (q.block || q.grid || q.shared_b)
                ? cli_error("%s has its own CTAs: --block, --regs, --shared and --grid go without it", file)
                : answer(file, &m, &q);
    vec_free(&m.sets.items);
    return status;
}
