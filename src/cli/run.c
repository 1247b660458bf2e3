/* bankshot run: a trace on the timing model. */
#include "cli/run_print.h"
#include "cli/timeline.h"
#include "cli/workload.h"

#include <time.h>
#include <unistd.h>

static const char help_text[] =
    "Replays a trace on a cycle-level model of a GPU: first what happened (the "
    "trace), then when (the model).\n"
    "The same trace and options give the same cycles on any number of threads.\n"
    "WORKLOAD is a bundled program (see bankshot list workloads), recorded on first use: NAME[:small|:large]"
    "[@REGISTERS].\n";

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

static int simulate(const char *file, const struct machine_opts *m, const char *json,
                    const struct timeline_opts *line, struct gpu_opts *o)
{
    struct diag d = {0};
    struct gpu_conf c;
    struct gpu_result r = {0};
    struct bar bar = {0};
    int status = CLI_USAGE;
    bool tty = isatty(STDERR_FILENO);
    if (tty) {
        o->progress = show_bar;
        o->ctx = &bar;
    }
    struct arena names = {0};
    const char *path = machine_load(m, &c, &d) ? workload_trace(&names, file, false, &d) : NULL;
    struct tr_reader *t = path ? tr_open(path, &d) : NULL;
    struct timeline *picture = t && line->path ? timeline_open(line, &c, t) : NULL;
    if (t && (picture || !line->path)) {
        o->watch = picture ? timeline_observer(picture) : NULL;
        enum gpu_status s = gpu_run(&c, t, o, &r, &d);
        bool drawn = !picture || timeline_close(picture);
        if (tty && bar.last)
            fputs("\r\033[K", stderr);
        struct run_story story = {.trace = file,
                                  .gpu = m->gpu,
                                  .mechs = m->mechs,
                                  .reader = t,
                                  .conf = &c,
                                  .result = &r,
                                  .threads = o->threads};
        if (s == GPU_OK) {
            if (!json || strcmp(json, "-") != 0)
                run_print(&story, stdout);
            status = (!json || run_json(&story, json)) && drawn ? CLI_OK : CLI_USAGE;
        } else {
            status = s == GPU_DEADLOCK ? CLI_DEADLOCK : CLI_USAGE;
        }
    }
    if (t)
        tr_free(t);
    diag_print(&d, stderr);
    diag_free(&d);
    gpu_result_free(&r);
    arena_free(&names);
    conf_free(&c.conf);
    return status;
}

int cli_run(int argc, char **argv)
{
    const char *file = NULL, *json = NULL;
    struct machine_opts m = {.gpu = "volta"};
    struct gpu_opts o = {.threads = 1};
    struct timeline_opts line = {.sms = 4, .to = UINT64_MAX, .every = 500};
    const struct cli_opt opts[] = {
        MACHINE_OPTS(m),
        {"threads", CLI_U32, &o.threads, 1, 256, "N", "host threads (default 1)"},
        {"check", CLI_FLAG, &o.check, 0, 0, NULL,
         "check that every operand is the one the program's order says"},
        {"json", CLI_STR, &json, 0, 0, "FILE",
         "write the result, all counters and options; - for standard output"},
        {"timeline", CLI_STR, &line.path, 0, 0, "FILE",
         "write what happened when, for Perfetto or chrome://tracing"},
        {"timeline-sms", CLI_U32, &line.sms, 0, 512, "N", "SMs that it shows (default 4)"},
        {"timeline-from", CLI_U64, &line.from, 0, 0, "CYCLE", "... from this cycle on"},
        {"timeline-to", CLI_U64, &line.to, 0, 0, "CYCLE", "... up to this cycle"},
        {"timeline-every", CLI_U32, &line.every, 1, 1000000, "N",
         "cycles between two samples of its counters (default 500)"},
    };
    const struct cli_spec spec = {
        .usage = "run TRACE|WORKLOAD [--gpu G] [--mech M,...] [--set KEY=VALUE]... [--threads N] [--check] "
                 "[--json FILE] "
                 "[--timeline FILE]",
        .story = help_text,
        .opts = opts,
        .nopts = sizeof opts / sizeof opts[0],
        .positional = &file,
        .npositional = 1,
        .nrequired = 1,
        .positional_name = "TRACE or WORKLOAD",
    };
    int status;
    if (cli_parse(&spec, argc, argv, &status))
        status = simulate(file, &m, json, &line, &o);
    vec_free(&m.sets.items);
    return status;
}
