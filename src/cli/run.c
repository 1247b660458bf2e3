/* SPDX-License-Identifier: Apache-2.0 */
/* bankshot run: a trace on the timing model. */
#include "api/guest.h"
#include "cli/lab/pool.h"
#include "cli/lab/workload.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/view/run_print.h"
#include "cli/waits.h"
#include "cli/watch/census.h"
#include "cli/watch/wishes.h"
#include "cli/whole.h"

#include <time.h>
#include <unistd.h>

static const char help_text[] =
    "Replays a trace on a cycle-level model of a GPU: first what happened (the "
    "trace), then when (the model).\n"
    "The same trace and options give the same cycles on any number of threads.\n"
    "WORKLOAD is a bundled program (see bankshot list workloads), recorded on first use: NAME[:small|:large]"
    "[@REGISTERS]\n[@ptx: instructions in the order of the PTX][@sm1x: addresses of one register], or "
    "NAME[:SIZE]@sm75:\nNVIDIA's machine code for sm_75.\n";

struct bar {
    time_t first, last;
};

static void show_bar(void *ctx, uint64_t done, uint64_t of)
{
    enum { WIDTH = 40 };
    struct bar *b = ctx;
    time_t now = time(NULL);
    if (now == b->last || !of)
        return;
    b->first = b->first ? b->first : now;
    b->last = now;
    char left[32];
    int n = (int)(done * WIDTH / of);
    fprintf(stderr, "\r[%.*s%*s] %5.1f%%  %s\033[K", n, "########################################", WIDTH - n,
            "", 100.0 * (double)done / (double)of,
            progress_left(left, sizeof left, (double)(now - b->first), done, of));
    fflush(stderr);
}

struct request {
    const char *json;
    struct wishes see;
    const char *plugin;
    bool area, quiet, partial_ok;
};

/* The machine, with the plug-in's scheduler in it. */
static bool load(const struct machine_opts *m, const struct request *q, struct gpu_conf *c, struct guest *g,
                 struct diag *d)
{
    if (!machine_load(m, c, d))
        return false;
    if (!q->plugin)
        return true;
    const struct bankshot_scheduler *s = guest_load(q->plugin, d);
    return s && guest_put(g, s, &c->sm, d) && gpu_conf_check(c, d);
}

/* bench.bst becomes bench.intervals.csv, in the current folder; hotspot:small hotspot-small.intervals.csv. */
static const char *interval_name(struct arena *a, const char *trace)
{
    const char *slash = strrchr(trace, '/'), *name = slash ? slash + 1 : trace;
    size_t n = strlen(name);
    n -= n > 4 && strcmp(name + n - 4, ".bst") == 0 ? 4 : 0;
    char *out = arena_printf(a, "%.*s.intervals.csv", (int)n, name);
    for (char *p = out; *p; p++)
        *p = *p == ':' || *p == '@' ? '-' : *p;
    return out;
}

static bool tell(const struct run_story *s, const struct request *q)
{
    const struct wishes *u = &q->see;
    if (!output_is_stdout(q->json) && !wishes_take_stdout(u)) {
        run_print(s, stdout);
        if (q->plugin)
            printf("\nplug-in    %s: sm.wsched = %s, %s\n", q->plugin, s->conf->sm.guest->is.name,
                   s->conf->sm.guest->is.help);
        if (u->interval_cyc)
            printf("\nevery %u cycle%s: %s\n", u->interval_cyc, cli_s(u->interval_cyc), u->interval_csv);
        if (u->profile)
            profile_print(s->profile, stdout);
        if (q->area)
            run_print_area(s->conf, s->result, stdout);
    }
    bool ok = !q->json || run_json(s, q->json);
    const struct watched program = {s->trace, s->reader};
    return (!u->profile_csv || profile_csv(&s->profile, &program, 1, u->profile_csv)) && ok;
}

static int simulate(const char *file, const struct machine_opts *m, const struct request *q,
                    const struct gpu_opts *given)
{
    struct gpu_opts o = *given;
    struct diag d = {0};
    struct gpu_conf c;
    struct gpu_result r = {0};
    struct bar bar = {0};
    int status = CLI_USAGE;
    bool tty = !q->quiet && isatty(STDERR_FILENO);
    if (tty) {
        o.progress = show_bar;
        o.ctx = &bar;
    }
    struct arena names = {0};
    struct watchers w = {0};
    struct guest guest;
    bool loaded = load(m, q, &c, &guest, &d);
    if (loaded)
        machine_warn(&c, NULL, NULL);
    const char *path = loaded ? workload_trace(&names, file, q->quiet, &d) : NULL;
    struct tr_reader *t = path ? whole_open(path, file, q->partial_ok, &d) : NULL;
    const struct watched program = {file, t};
    if (t)
        machine_warn_code(&c, t, NULL, NULL);
    bool waits = !t || !o.check || cli_waits_ok(&c, t, &d);
    if (!waits) {
        status = CLI_FAILED;
    } else if (t && !watchers_open(&w, &q->see, &(struct pipeline_head){m->gpu, m->mechs}, &c, &program, 1)) {
        watchers_close(&w, NULL);
    } else if (t) {
        o.watch = watchers_observer(&w);
        enum gpu_status s = gpu_run(&c, t, &o, &r, &d);
        bool drawn = watchers_close(&w, s == GPU_OK ? &r : NULL);
        if (tty && bar.last)
            fputs("\r\033[K", stderr);
        /* Of an estimate most of the streams were never read, and a run that was cut did not come to their ends. */
        struct census *census =
            s == GPU_OK && !(c.gpu.sample > 0) && !r.cut ? census_new(t, &c, &r, &d) : NULL;
        struct run_story story = {.trace = file,
                                  .gpu = m->gpu,
                                  .mechs = m->mechs,
                                  .reader = t,
                                  .conf = &c,
                                  .result = &r,
                                  .profile = w.profiles[0],
                                  .census = census,
                                  .threads = r.threads,
                                  .checked = o.check};
        if (s == GPU_OK)
            status = tell(&story, q) && drawn ? CLI_OK : CLI_USAGE;
        else
            status = s == GPU_DEADLOCK ? CLI_DEADLOCK : CLI_USAGE;
        census_free(census);
    }
    watchers_free(&w);
    if (t)
        tr_free(t);
    diag_print(&d, stderr);
    diag_free(&d);
    gpu_result_free(&r);
    arena_free(&names);
    conf_free(&c.conf);
    return status;
}

/* Area needs no trace. */
static int show_area(const struct machine_opts *m)
{
    struct diag d = {0};
    struct gpu_conf c;
    bool ok = machine_load(m, &c, &d);
    if (ok) {
        machine_warn(&c, NULL, NULL);
        run_print_area(&c, NULL, stdout);
    }
    diag_print(&d, stderr);
    diag_free(&d);
    conf_free(&c.conf);
    return ok ? CLI_OK : CLI_USAGE;
}

int cli_run(int argc, char **argv)
{
    const char *file = NULL;
    struct machine_opts m = {.gpu = "volta"};
    struct gpu_opts o = {0};
    struct request q = {.see = WISHES_DEFAULT};
    const struct cli_opt opts[] = {
        MACHINE_OPTS(m),
        {"threads", CLI_U32, &o.threads, 1, 256, "N",
         "host threads, at most one for each processor (default: as many as pay)"},
        {"check", CLI_FLAG, &o.check, 0, 0, NULL,
         "check that every operand is the one the program's order says"},
        {"json", CLI_OUT, &q.json, FILE_ANSWER, 0, "FILE",
         "write the result, all counters and options; - for standard output"},
        MACHINE_SAMPLE_OPT(m.sample),
        WISHES_OPTS(q.see),
        {"plugin", CLI_IN, &q.plugin, 0, 0, "FILE",
         "shared object with a warp scheduler that takes the place of sm.wsched (docs/c-library.md)"},
        {"area", CLI_FLAG, &q.area, 0, 0, NULL,
         "print the area of register access; without a trace, only that"},
        CLI_QUIET(&q.quiet),
        WHOLE_OPT(q.partial_ok),
    };
    const struct cli_spec spec = {
        .usage = "run TRACE|WORKLOAD [--gpu G] [--mech M,...] [--set KEY=VALUE]... [--threads N] [--check] "
                 "[--sample] "
                 "[--json FILE] [--timeline FILE] [--pipeline FILE] [--interval N] [--profile] [--plugin "
                 "FILE] [--area] [--quiet] "
                 "[--allow-partial]",
        .story = help_text,
        .opts = opts,
        .nopts = sizeof opts / sizeof opts[0],
        .positional = &file,
        .npositional = 1,
        .positional_name = "TRACE or WORKLOAD",
    };
    int status;
    struct arena names = {0};
    if (cli_parse(&spec, argc, argv, &status)) {
        uint32_t most = pool_processors();
        o.threads = o.threads && o.threads < most ? o.threads : most;
        if (!file)
            status = q.area ? show_area(&m)
                            : cli_error("%s is missing: bankshot %s", spec.positional_name, spec.usage);
        else
            status = wishes_check(&q.see, interval_name(&names, file), &spec) ? simulate(file, &m, &q, &o)
                                                                              : CLI_USAGE;
    }
    arena_free(&names);
    vec_free(&m.sets.items);
    return status;
}
