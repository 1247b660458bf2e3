/* SPDX-License-Identifier: Apache-2.0 */
/* bankshot diff: two runs beside each other. */
#include "cli/view/diff.h"
#include "cli/lab/workload.h"
#include "cli/output.h"
#include "cli/view/run_print.h"
#include "cli/watch/census.h"
#include "cli/whole.h"

static const char help_text[] =
    "Shows two runs beside each other: cycles, kernels, causes of waiting, speed of light, counters and "
    "options.\n"
    "A and B are each what run --json has written (FILE.json), or a trace or bundled program, which is run: "
    "A on\n"
    "--gpu with --mech, B on --gpu2 with --mech2 where these are given, else as A.\n";

struct request {
    struct machine_opts first, second;
    const char *json;
    uint32_t threads;
    bool quiet, partial_ok;
};

static bool is_json(const char *name)
{
    size_t n = strlen(name);
    return n > 5 && strcmp(name + n - 5, ".json") == 0;
}

static json_t *read_answer(const char *path, struct diag *d)
{
    json_error_t e;
    json_t *o = json_load_file(path, 0, &e);
    const char *why = !o ? e.text : diff_refuses(o);
    if (!why)
        return o;
    diag_plain(d, "%s: %s", path, why);
    json_decref(o);
    return NULL;
}

/* NULL after reporting, or *deadlock. */
static json_t *run_it(const char *name, const struct machine_opts *m, const struct request *q, bool *deadlock,
                      struct diag *d)
{
    struct gpu_conf c;
    struct arena names = {0};
    struct gpu_result r = {0};
    json_t *answer = NULL;
    bool ok = machine_load(m, &c, d);
    const char *path = ok ? workload_trace(&names, name, q->quiet, d) : NULL;
    struct tr_reader *t = path ? whole_open(path, name, q->partial_ok, d) : NULL;
    enum gpu_status s = t ? gpu_run(&c, t, &(struct gpu_opts){.threads = q->threads}, &r, d) : GPU_REFUSED;
    *deadlock = s == GPU_DEADLOCK;
    if (s == GPU_OK) {
        struct census *census = c.gpu.sample > 0 || r.cut ? NULL : census_new(t, &c, &r, d);
        answer = run_answer(&(struct run_story){.trace = name,
                                                .gpu = m->gpu,
                                                .mechs = m->mechs,
                                                .reader = t,
                                                .conf = &c,
                                                .result = &r,
                                                .census = census,
                                                .threads = r.threads});
        census_free(census);
    }
    if (t)
        tr_free(t);
    gpu_result_free(&r);
    arena_free(&names);
    conf_free(&c.conf);
    return answer;
}

static int compare(const char *const names[2], const struct request *q)
{
    struct diag d = {0};
    json_t *of[2] = {NULL, NULL};
    bool deadlock = false, ok = true;
    for (uint32_t i = 0; ok && i < 2; i++) {
        of[i] = is_json(names[i]) ? read_answer(names[i], &d)
                                  : run_it(names[i], i ? &q->second : &q->first, q, &deadlock, &d);
        ok = of[i];
    }
    if (ok && !output_is_stdout(q->json))
        diff_print(of[0], of[1], stdout);
    if (ok && q->json)
        ok = json_write(diff_answer(of[0], of[1]), q->json);
    json_decref(of[0]);
    json_decref(of[1]);
    diag_print(&d, stderr);
    diag_free(&d);
    return ok ? CLI_OK : deadlock ? CLI_DEADLOCK : CLI_USAGE;
}

int cli_diff(int argc, char **argv)
{
    const char *names[2] = {NULL, NULL}, *gpu2 = NULL, *mech2 = NULL;
    struct request q = {.first = {.gpu = "volta"}, .threads = 1};
    const struct cli_opt opts[] = {
        MACHINE_OPTS(q.first),
        {"gpu2", CLI_STR, &gpu2, 0, 0, "NAME", "preset of B (default: that of A)"},
        {"mech2", CLI_STR, &mech2, 0, 0, "NAME,...", "mechanisms of B (default: those of A; base: none)"},
        {"threads", CLI_U32, &q.threads, 1, 256, "N", "host threads (default 1)"},
        {"json", CLI_OUT, &q.json, FILE_ANSWER, 0, "FILE", "write the comparison; - for standard output"},
        CLI_QUIET(&q.quiet),
        WHOLE_OPT(q.partial_ok),
    };
    const struct cli_spec spec = {
        .usage =
            "diff A B [--gpu G] [--mech M,...] [--gpu2 G] [--mech2 M,...] [--set KEY=VALUE]... [--threads N] "
            "[--json FILE] [--quiet] [--allow-partial]",
        .story = help_text,
        .opts = opts,
        .nopts = sizeof opts / sizeof opts[0],
        .positional = names,
        .npositional = 2,
        .nrequired = 2,
        .positional_name = "A and B",
    };
    int status;
    if (cli_parse(&spec, argc, argv, &status)) {
        q.second = q.first;
        q.second.gpu = gpu2 ? gpu2 : q.first.gpu;
        q.second.mechs = mech2 ? mech2 : q.first.mechs;
        bool ran = !is_json(names[0]) || !is_json(names[1]);
        status = !ran && (gpu2 || mech2 || q.first.mechs || q.first.sets.items.n)
                     ? cli_error("both are results already: --gpu, --mech and --set are for what is run")
                     : compare(names, &q);
    }
    vec_free(&q.first.sets.items);
    return status;
}
