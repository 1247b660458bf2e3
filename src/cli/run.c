/* bankshot run: a trace on the timing model. */
#include "cli/lab/pool.h"
#include "cli/lab/workload.h"
#include "cli/output.h"
#include "cli/view/run_print.h"
#include "cli/watch/interval.h"
#include "cli/watch/profile.h"
#include "cli/watch/timeline.h"
#include "cli/watch/watch.h"
#include "cli/whole.h"

#include <time.h>
#include <unistd.h>

static const char help_text[] =
    "Replays a trace on a cycle-level model of a GPU: first what happened (the "
    "trace), then when (the model).\n"
    "The same trace and options give the same cycles on any number of threads.\n"
    "WORKLOAD is a bundled program (see bankshot list workloads), recorded on first use: NAME[:small|:large]"
    "[@REGISTERS]\n[@ptx: instructions in the order of the PTX].\n";

struct bar {
    time_t last;
};

static void show_bar(void *ctx, uint64_t done, uint64_t of)
{
    enum { WIDTH = 40 };
    struct bar *b = ctx;
    time_t now = time(NULL);
    if (now == b->last || !of)
        return;
    b->last = now;
    int n = (int)(done * WIDTH / of);
    fprintf(stderr, "\r[%.*s%*s] %5.1f%%", n, "########################################", WIDTH - n, "",
            100.0 * (double)done / (double)of);
    fflush(stderr);
}

/* What a user wants to see of a run, and those who watch it for that. */
struct wishes {
    const char *json;
    struct timeline_opts line;
    uint32_t interval_cyc; /* 0: none */
    const char *interval_csv;
    bool profile;
    const char *profile_csv;
    bool area, quiet, partial_ok;
};

struct watchers {
    struct watch *all;
    struct timeline *line;
    struct interval *interval;
    struct profile *profile;
};

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

static bool open_watchers(struct watchers *w, const struct wishes *u, const struct gpu_conf *c,
                          struct tr_reader *t)
{
    bool ok = true;
    w->all = watch_new(c->gpu.sms);
    if (u->line.path) {
        w->line = timeline_open(&u->line, c, t);
        ok = w->line;
        watch_add(w->all, ok ? timeline_observer(w->line) : NULL);
    }
    if (ok && u->interval_cyc) {
        w->interval = interval_open(u->interval_csv, u->interval_cyc, 1);
        ok = w->interval;
        watch_add(w->all, ok ? interval_observer(w->interval) : NULL);
    }
    if (ok && (u->profile || u->profile_csv)) {
        w->profile = profile_new(t, 0);
        watch_add(w->all, profile_observer(w->profile));
    }
    return ok;
}

/* Completes what they write. r is NULL for a run without a result. */
static bool close_watchers(struct watchers *w, const struct gpu_result *r)
{
    bool ok = !w->line || timeline_close(w->line);
    ok = (!w->interval || interval_close(w->interval, r)) && ok;
    if (w->profile && r)
        profile_end(w->profile, r);
    watch_free(w->all);
    return ok;
}

static bool tell(const struct run_story *s, const struct wishes *u)
{
    if (!output_is_stdout(u->json) && !output_is_stdout(u->profile_csv) &&
        !output_is_stdout(u->interval_csv)) {
        run_print(s, stdout);
        if (u->interval_cyc)
            printf("\nevery %u cycle%s: %s\n", u->interval_cyc, cli_s(u->interval_cyc), u->interval_csv);
        if (u->profile)
            profile_print(s->profile, stdout);
        if (u->area)
            run_print_area(s->conf, s->result, stdout);
    }
    bool ok = !u->json || run_json(s, u->json);
    return (!u->profile_csv || profile_csv(s->profile, u->profile_csv)) && ok;
}

static int simulate(const char *file, const struct machine_opts *m, const struct wishes *u,
                    const struct gpu_opts *given)
{
    struct gpu_opts o = *given;
    struct diag d = {0};
    struct gpu_conf c;
    struct gpu_result r = {0};
    struct bar bar = {0};
    int status = CLI_USAGE;
    bool tty = !u->quiet && isatty(STDERR_FILENO);
    if (tty) {
        o.progress = show_bar;
        o.ctx = &bar;
    }
    struct arena names = {0};
    struct watchers w = {0};
    bool loaded = machine_load(m, &c, &d);
    if (loaded)
        machine_warn(&c, NULL, NULL);
    const char *path = loaded ? workload_trace(&names, file, u->quiet, &d) : NULL;
    struct tr_reader *t = path ? whole_open(path, file, u->partial_ok, &d) : NULL;
    if (t && !open_watchers(&w, u, &c, t)) {
        close_watchers(&w, NULL);
    } else if (t) {
        o.watch = watch_observer(w.all);
        enum gpu_status s = gpu_run(&c, t, &o, &r, &d);
        bool drawn = close_watchers(&w, s == GPU_OK ? &r : NULL);
        if (tty && bar.last)
            fputs("\r\033[K", stderr);
        struct run_story story = {.trace = file,
                                  .gpu = m->gpu,
                                  .mechs = m->mechs,
                                  .reader = t,
                                  .conf = &c,
                                  .result = &r,
                                  .profile = w.profile,
                                  .threads = r.threads,
                                  .checked = o.check};
        if (s == GPU_OK)
            status = tell(&story, u) && drawn ? CLI_OK : CLI_USAGE;
        else
            status = s == GPU_DEADLOCK ? CLI_DEADLOCK : CLI_USAGE;
    }
    profile_free(w.profile);
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

/* What cannot be written is found before the work, not after it. */
static bool can_write(const struct wishes *u)
{
    return output_check(u->json) && output_check(u->line.path) && output_check(u->interval_csv) &&
           output_check(u->profile_csv);
}

/* The timeline's counters and the rows of intervals are the same samples. */
static bool wishes_agree(struct wishes *u, bool every_given)
{
    if (u->interval_csv && !u->interval_cyc) {
        cli_error("--interval-csv needs --interval N");
        return false;
    }
    if (u->interval_cyc && every_given && u->line.every != u->interval_cyc) {
        cli_error("--interval %u and --timeline-every %u: they must be the same", u->interval_cyc,
                  u->line.every);
        return false;
    }
    int outputs =
        output_is_stdout(u->json) + output_is_stdout(u->profile_csv) + output_is_stdout(u->interval_csv);
    if (outputs > 1) {
        cli_error("only one of --json, --profile-csv and --interval-csv can be - (standard output)");
        return false;
    }
    if (u->interval_cyc)
        u->line.every = u->interval_cyc;
    return true;
}

int cli_run(int argc, char **argv)
{
    const char *file = NULL;
    struct machine_opts m = {.gpu = "volta"};
    struct gpu_opts o = {.threads = 1};
    enum { EVERY = 500 };
    struct wishes u = {.line = {.sms = 4, .to = UINT64_MAX, .every = EVERY}};
    const struct cli_opt opts[] = {
        MACHINE_OPTS(m),
        {"threads", CLI_U32, &o.threads, 1, 256, "N",
         "host threads, at most one for each processor (default 1)"},
        {"check", CLI_FLAG, &o.check, 0, 0, NULL,
         "check that every operand is the one the program's order says"},
        {"json", CLI_STR, &u.json, 0, 0, "FILE",
         "write the result, all counters and options; - for standard output"},
        {"timeline", CLI_STR, &u.line.path, 0, 0, "FILE",
         "write what happened when, for Perfetto or chrome://tracing"},
        {"timeline-sms", CLI_U32, &u.line.sms, 0, 512, "N", "SMs that it shows (default 4)"},
        {"timeline-from", CLI_U64, &u.line.from, 0, 0, "CYCLE", "... from this cycle on"},
        {"timeline-to", CLI_U64, &u.line.to, 0, 0, "CYCLE", "... up to this cycle"},
        {"timeline-every", CLI_U32, &u.line.every, 1, 1000000, "N",
         "cycles between two samples of its counters (default 500)"},
        {"interval", CLI_U32, &u.interval_cyc, 1, 1000000000, "N",
         "write what the counters grew by in every N cycles; the timeline's are the same"},
        {"interval-csv", CLI_STR, &u.interval_csv, 0, 0, "FILE",
         "... to this file (default TRACE.intervals.csv); - for standard output"},
        {"profile", CLI_FLAG, &u.profile, 0, 0, NULL,
         "print the code with issues, causes of waiting and conflicts beside it; --json has them too"},
        {"profile-csv", CLI_STR, &u.profile_csv, 0, 0, "FILE",
         "write that, a row for each instruction; - for standard output"},
        {"area", CLI_FLAG, &u.area, 0, 0, NULL,
         "print the area of register access; without a trace, only that"},
        CLI_QUIET(&u.quiet),
        WHOLE_OPT(u.partial_ok),
    };
    const struct cli_spec spec = {
        .usage = "run TRACE|WORKLOAD [--gpu G] [--mech M,...] [--set KEY=VALUE]... [--threads N] [--check] "
                 "[--json FILE] [--timeline FILE] [--interval N] [--profile] [--area] [--quiet] "
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
        o.threads = o.threads < most ? o.threads : most;
        if (file && u.interval_cyc && !u.interval_csv)
            u.interval_csv = interval_name(&names, file);
        if (!file)
            status = u.area ? show_area(&m)
                            : cli_error("%s is missing: bankshot %s", spec.positional_name, spec.usage);
        else
            status = wishes_agree(&u, u.line.every != EVERY) && can_write(&u) ? simulate(file, &m, &u, &o)
                                                                              : CLI_USAGE;
    }
    arena_free(&names);
    vec_free(&m.sets.items);
    return status;
}
