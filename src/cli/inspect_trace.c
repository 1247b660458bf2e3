/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/inspect_trace.h"

#include "cli/cli.h"
#include "cli/shown.h"
#include "cli/whole.h"

#include <inttypes.h>

static double ratio(uint64_t a, uint64_t b) { return b ? (double)a / (double)b : 0; }
static double percent(uint64_t a, uint64_t b) { return 100.0 * ratio(a, b); }

static void print_copies(const struct tr_reader *r)
{
    static const char *const names[] = {"to the device", "to the host", "on the device", "fill"};
    enum { KINDS = sizeof names / sizeof names[0] };
    uint64_t n[KINDS] = {0}, bytes[KINDS] = {0};
    const char *sep = "  copies    ";
    for (uint32_t i = 0; i < tr_ncopies(r); i++) {
        const struct tr_copy *c = tr_copy(r, i);
        n[c->kind % KINDS]++;
        bytes[c->kind % KINDS] += c->bytes;
    }
    for (unsigned k = 0; k < KINDS; k++) {
        if (n[k])
            printf("%s%" PRIu64 " %s%s (%" PRIu64 " byte%s)", sep, n[k], names[k],
                   k + 1 == KINDS ? cli_s(n[k]) : "", bytes[k], cli_s(bytes[k])),
                sep = ", ";
    }
    if (tr_ncopies(r))
        putchar('\n');
}

static void print_head(const struct tr_reader *r, const char *path)
{
    const struct tr_info *info = tr_info(r);
    uint64_t winsts = 0, bytes = tr_file_bytes(r);
    for (uint32_t i = 0; i < tr_nlaunches(r); i++)
        winsts += tr_launch(r, i)->warp_insts;
    printf("%s\n", path);
    char program[1024], maker[128];
    printf("  program   %s\n  maker     %s\n  identity  %016" PRIx64 "\n",
           shown_text(program, sizeof program, info->command), shown_text(maker, sizeof maker, info->maker),
           tr_identity(r));
    struct arena a = {0};
    const char *lacks = whole_lacks(&a, r);
    printf("  state     %s%s\n", lacks ? "partial: " : "complete", lacks ? lacks : "");
    const char *code = whole_code(&a, r);
    if (*code)
        printf("  code      %s\n", code + 2);
    arena_free(&a);
    printf("  holds     %u kernel%s, %u launch%s, %u cop%s; %" PRIu64 " warp instruction%s in %" PRIu64
           " byte%s",
           tr_nkernels(r), cli_s(tr_nkernels(r)), tr_nlaunches(r), cli_es(tr_nlaunches(r)), tr_ncopies(r),
           tr_ncopies(r) == 1 ? "y" : "ies", winsts, cli_s(winsts), bytes, cli_s(bytes));
    printf(winsts ? ", %.3f bytes per warp instruction\n" : "\n", ratio(bytes, winsts));
    print_copies(r);
}

static void print_dim(const uint32_t d[3], int width)
{
    char text[40];
    snprintf(text, sizeof text, d[2] > 1 ? "%u,%u,%u" : d[1] > 1 ? "%u,%u" : "%u", d[0], d[1], d[2]);
    printf(" %*s", width, text);
}

/* The column of clusters is there if any launch has them. */
static bool has_clusters(const struct tr_reader *r)
{
    for (uint32_t i = 0; i < tr_nlaunches(r); i++)
        if (tr_cluster(&tr_launch(r, i)->l) > 1)
            return true;
    return false;
}

static void print_launches(const struct tr_reader *r, uint32_t only)
{
    bool clusters = has_clusters(r);
    printf("\n%6s %-32s %14s %12s%s %5s %8s %6s %10s %14s %16s %6s\n", "launch", "kernel", "grid", "block",
           clusters ? "  cluster" : "", "regs", "shared_b", "stream", "CTAs", "warp_insts", "thread_insts",
           "SIMD%");
    for (uint32_t i = 0; i < tr_nlaunches(r); i++) {
        const struct tr_launch_info *l = tr_launch(r, i);
        const struct tr_kernel *k = tr_kernel(r, l->l.kernel);
        if (only != UINT32_MAX && only != i)
            continue;
        char name[1024];
        printf("%6u %-32s", i, shown_kernel(name, sizeof name, k->name));
        print_dim(l->l.grid, 14);
        print_dim(l->l.block, 12);
        if (clusters)
            print_dim(l->l.cluster, 8);
        printf(" %5u %8u %6" PRIu64 " %10" PRIu64 " %14" PRIu64 " %16" PRIu64 " %6.1f%s\n", k->regs,
               k->shared_b + l->l.dyn_shared_b, l->l.stream, l->recorded, l->warp_insts, l->thread_insts,
               percent(l->thread_insts, l->warp_insts * TR_LANES),
               l->complete && l->recorded == l->nctas ? "" : "  incomplete");
    }
}

static void print_mix(const struct trace_stats *s)
{
    printf("\n%-10s %14s %7s %6s  %s\n", "class", "warp_insts", "share", "SIMD%", "");
    for (unsigned c = 0; c < TC_COUNT; c++) {
        if (s->by_class[c])
            printf("%-10s %14" PRIu64 " %6.2f%% %6.1f  %s\n", tr_classes[c].name, s->by_class[c],
                   percent(s->by_class[c], s->warp_insts),
                   percent(s->threads_by_class[c], s->by_class[c] * TR_LANES), tr_classes[c].what);
    }
}

static void print_memory(const struct trace_stats *s)
{
    bool sampled = false;
    printf("\n%-7s %12s %12s %12s %12s %10s %8s %8s %10s %14s\n", "space", "requests", "loads", "stores",
           "atomics", "lanes/req", "sect/req", "pass/req", "lines", "footprint_b");
    for (unsigned k = 0; k < STAT_SPACES; k++) {
        const struct space_stats *m = &s->space[k];
        if (!m->requests)
            continue;
        uint64_t lines = distinct_count(&m->lines);
        bool about = !distinct_exact(&m->lines);
        sampled |= about;
        printf("%-7s %12" PRIu64 " %12" PRIu64 " %12" PRIu64 " %12" PRIu64 " %10.1f %8.2f",
               trace_space_name(k), m->requests, m->loads, m->stores, m->atomics,
               ratio(m->lanes, m->requests), ratio(m->sectors, m->requests));
        if (k == SPACE_SHARED)
            printf(" %8.2f", ratio(m->passes, m->requests));
        else
            printf(" %8s", "-");
        printf(" %s%*" PRIu64 " %14" PRIu64 "\n", about ? "~" : "", about ? 9 : 10, lines, lines * LINE_B);
    }
    printf("sect/req: different sectors of 32 bytes per request (local memory interleaved by words); "
           "pass/req: most words in\n"
           "one of 32 banks. lines: different lines of 128 bytes, of shared and constant memory by offset "
           "over all CTAs.\n");
    if (sampled)
        printf("~: more than %d lines, estimated from a sample (about 0.1%%)\n", DISTINCT_MAX);
}

static void print_rest(const struct trace_stats *s)
{
    uint64_t words = 0;
    for (unsigned v = 0; v < TV_COUNT; v++)
        words += s->values[v];
    printf("\nactive lanes: all 32 %.2f%%, 17 to 31 %.2f%%, 1 to 16 %.2f%%, none %.2f%% of the warp "
           "instructions; SIMD "
           "efficiency %.1f%%\n",
           percent(s->by_active[3], s->warp_insts), percent(s->by_active[2], s->warp_insts),
           percent(s->by_active[1], s->warp_insts), percent(s->by_active[0], s->warp_insts),
           percent(s->thread_insts, s->warp_insts * TR_LANES));
    printf("conditional branches and exits: %" PRIu64 ", taken by a part of the lanes: %" PRIu64
           " (%.2f%%)\n",
           s->branches, s->split, percent(s->split, s->branches));
    printf("register words written: %" PRIu64, words);
    for (unsigned v = 1; v <= TV_COUNT; v++)
        printf(", %s %.2f%%", trace_value_names[v % TV_COUNT], percent(s->values[v % TV_COUNT], words));
    putchar('\n');
}

static void print_code(const struct tr_reader *r, uint32_t launch)
{
    for (uint32_t k = 0; k < tr_nkernels(r); k++) {
        if (launch == UINT32_MAX || tr_launch(r, launch)->l.kernel == k)
            tr_kernel_print(stdout, tr_kernel(r, k), NULL);
    }
}

static int print_stream(struct tr_reader *r, uint32_t launch, const char *spec)
{
    uint32_t at[3];
    if (!cli_dim3(spec, at) || !strchr(spec, ',') || at[2] != 1)
        return cli_error("--stream %s: expected CTA,WARP, two numbers", spec);
    if (launch == UINT32_MAX && tr_nlaunches(r) != 1)
        return cli_error("--stream needs --launch N: the trace has %u launches", tr_nlaunches(r));
    launch = launch == UINT32_MAX ? 0 : launch;
    const struct tr_launch_info *l = tr_launch(r, launch);
    if (!tr_has_cta(r, launch, at[0]))
        return cli_error("--stream %s: CTA %u of launch %u is not in the trace (%llu of %llu are)", spec,
                         at[0], launch, (unsigned long long)l->recorded, (unsigned long long)l->nctas);
    if (at[1] >= l->nwarps)
        return cli_error("--stream %s: the CTAs of launch %u have %u warp%s", spec, launch, l->nwarps,
                         cli_s(l->nwarps));
    return inspect_stream(r, launch, at[0], at[1]);
}

static int statistics(struct tr_reader *r, const char *path, uint32_t launch, bool json)
{
    struct trace_stats s;
    struct diag d = {0};
    int status = CLI_OK;
    bool ok = trace_stats_get(&s, r, launch, &d);
    if (!ok) {
        diag_print(&d, stderr);
        status = CLI_USAGE;
    } else if (json) {
        status = inspect_json(r, launch, &s);
    } else {
        print_head(r, path);
        print_launches(r, launch);
        print_mix(&s);
        print_memory(&s);
        print_rest(&s);
    }
    trace_stats_free(&s);
    diag_free(&d);
    return status;
}

/* Whoever only looks at the status must not take a partial trace for a whole one. */
static int tell_partial(const struct tr_reader *r, const char *path)
{
    struct arena a = {0};
    const char *lacks = whole_lacks(&a, r);
    fflush(stdout);
    if (lacks)
        cli_error("%s is partial: %s (--allow-partial: no failure)", path, lacks);
    arena_free(&a);
    return lacks ? CLI_USAGE : CLI_OK;
}

int cli_inspect_trace(const char *path, const struct inspect_trace_opts *o)
{
    struct diag d = {0};
    struct tr_reader *r = tr_open(path, &d);
    uint64_t launch = UINT32_MAX;
    int status;
    if (!r) {
        diag_print(&d, stderr);
        status = CLI_USAGE;
    } else if (o->launch && (!cli_u64(o->launch, &launch) || launch >= tr_nlaunches(r))) {
        status = cli_error("--launch %s: the trace has %u launch%s, numbered from 0", o->launch,
                           tr_nlaunches(r), cli_es(tr_nlaunches(r)));
    } else if (o->stream) {
        status = print_stream(r, (uint32_t)launch, o->stream);
    } else if (o->interwarp) {
        status = inspect_interwarp(r, (uint32_t)launch);
    } else if ((o->share || o->near) && !o->reuse) {
        status = cli_error("--%s is for --reuse", o->share ? "share" : "near");
    } else if (o->launches && !o->counts) {
        status = cli_error("--launches is for --counts");
    } else if (o->counts) {
        status = inspect_counts(r, (uint32_t)launch, o->launches);
    } else if (o->regions) {
        status = inspect_regions(r, (uint32_t)launch);
    } else if (o->reuse) {
        status = inspect_reuse(r, (uint32_t)launch, o->share, o->near ? o->near : 12);
    } else if (o->code) {
        print_code(r, (uint32_t)launch);
        status = CLI_OK;
    } else {
        status = statistics(r, path, (uint32_t)launch, o->json);
    }
    if (r && status == CLI_OK && !o->partial_ok)
        status = tell_partial(r, path);
    if (r)
        tr_free(r);
    diag_free(&d);
    return status;
}
