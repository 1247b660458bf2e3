/* SPDX-License-Identifier: Apache-2.0 */
/* bankshot corun: programs that have a GPU together, and each alone. */
#include "cli/view/corun.h"
#include "cli/lab/pool.h"
#include "cli/lab/workload.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/watch/wishes.h"
#include "cli/whole.h"
#include "sm/tenant/share.h"

static const char help_text[] = "Replays several programs on one GPU, then each alone on the same machine, "
                                "and prints how fast each was beside\n"
                                "its speed alone. The run ends with the first program; the others begin "
                                "again as often as they end before.\n"
                                "A program is what bankshot run takes; - is nobody. --share scavenger is for "
                                "two, with the overlay of that name;\n"
                                "--mech scavenger gives the other ways of sharing the same machine.\n";

/* Ways of sharing, as options. */
static const struct way {
    const char *name, *share, *tenant;
} ways[] = {
    {"alone", "gpu.share=alone", "sm.tenant=free"},
    {"temporal", "gpu.share=temporal", "sm.tenant=free"},
    {"spatial", "gpu.share=spatial", "sm.tenant=free"},
    {"smk", "gpu.share=smk", "sm.tenant=free"},
    {"scavenger", "gpu.share=quota", "sm.tenant=scavenger"},
};
enum { WAYS = sizeof ways / sizeof ways[0] };

struct request {
    const char *names[CORUN_MOST + 2];
    const char *share, *target, *json;
    struct wishes see;
    struct machine_opts m;
    struct gpu_opts o;
    uint64_t insts;
    bool quiet, partial_ok;
};

struct corun {
    const struct request *q;
    struct arena arena;
    struct corun_program programs[CORUN_MOST];
    struct watched watched[CORUN_MOST]; /* the same */
    struct watchers watchers;
    uint32_t n;
    struct diag d;
};

static const struct way *find_way(const char *name)
{
    for (uint32_t i = 0; i < WAYS; i++)
        if (strcmp(ways[i].name, name) == 0)
            return &ways[i];
    return NULL;
}

/* The machine, shared in a way. insts: 0 as the user says. */
static bool load(struct corun *x, const struct way *w, uint64_t insts, struct gpu_conf *c)
{
    struct machine_opts m = x->q->m;
    struct cli_list sets = {0};
    vec_each (&m.sets.items, s)
        vec_push(&sets.items, *s);
    if (w) {
        vec_push(&sets.items, w->share);
        vec_push(&sets.items, w->tenant);
    }
    if (x->q->target)
        vec_push(&sets.items, arena_printf(&x->arena, "share.target=%s", x->q->target));
    insts = insts ? insts : x->q->insts;
    if (insts)
        vec_push(&sets.items, arena_printf(&x->arena, "gpu.insts=%llu", (unsigned long long)insts));
    m.sets = sets;
    bool ok = machine_load(&m, c, &x->d);
    vec_free(&sets.items);
    return ok;
}

static enum gpu_status run_alone(struct corun *x, uint32_t i, uint64_t insts)
{
    struct corun_program *p = &x->programs[i];
    struct gpu_conf c;
    struct gpu_result r = {0};
    enum gpu_status s = GPU_REFUSED;
    if (load(x, &ways[0], insts, &c)) {
        if (i)
            c.gpu.insts = insts;
        s = gpu_run(&c, p->trace, &x->q->o, &r, &x->d);
    }
    if (s == GPU_OK) {
        p->alone_cycles = r.tenants.at[0].cycles;
        p->alone_thread_insts = r.tenants.at[0].sm[SS_thread_insts];
    }
    gpu_result_free(&r);
    conf_free(&c.conf);
    return s;
}

/* Programs but the first have the whole run, however often they begin again. */
static void note(struct corun *x, const struct gpu_result *r)
{
    for (uint32_t i = 0; i < x->n; i++) {
        x->programs[i].cycles = i ? r->cycles : r->tenants.at[0].cycles;
        x->programs[i].thread_insts = r->tenants.at[i].sm[SS_thread_insts];
    }
}

static int status_of(enum gpu_status s)
{
    return s == GPU_OK ? CLI_OK : s == GPU_DEADLOCK ? CLI_DEADLOCK : CLI_USAGE;
}

/* All of them together; what happens over time is written as it does. */
static enum gpu_status run_together(struct corun *x, const struct gpu_conf *c, struct gpu_result *r)
{
    struct gpu_opts o = x->q->o;
    struct gpu_tenant t[CORUN_MOST];
    for (uint32_t i = 0; i < x->n; i++)
        t[i] = (struct gpu_tenant){.trace = x->programs[i].trace, .repeats = i > 0};
    enum gpu_status s = GPU_REFUSED;
    if (watchers_open(&x->watchers, &x->q->see, &(struct pipeline_head){x->q->m.gpu, x->q->m.mechs}, c,
                      x->watched, x->n)) {
        o.watch = watchers_observer(&x->watchers);
        s = gpu_corun(c, t, x->n, &o, r, &x->d);
    }
    if (!watchers_close(&x->watchers, s == GPU_OK ? r : NULL))
        s = s == GPU_OK ? GPU_REFUSED : s;
    return s;
}

static bool tell(struct corun *x, const struct corun_story *s)
{
    const struct request *q = x->q;
    const struct wishes *u = &q->see;
    if (!output_is_stdout(q->json) && !wishes_take_stdout(u)) {
        corun_print(s, stdout);
        for (uint32_t i = 0; u->profile && i < x->n; i++) {
            printf("\n%s", x->programs[i].name);
            profile_print(x->programs[i].profile, stdout);
        }
    }
    bool ok = !q->json || corun_json(s, q->json);
    return (!u->profile_csv || profile_csv(x->watchers.profiles, x->watched, x->n, u->profile_csv)) && ok;
}

static int simulate(struct corun *x, const struct way *w)
{
    const struct request *q = x->q;
    struct gpu_conf c;
    struct gpu_result r = {0};
    enum gpu_status s = GPU_REFUSED;
    if (load(x, w, 0, &c)) {
        machine_warn(&c, NULL, NULL);
        for (uint32_t i = 0; i < x->n; i++)
            machine_warn_code(&c, x->programs[i].trace, x->programs[i].name, NULL);
        s = run_together(x, &c, &r);
    }
    if (s == GPU_OK)
        note(x, &r);
    for (uint32_t i = 0; i < x->n && s == GPU_OK; i++) {
        bool part = i ? !r.tenants.at[i].passes : r.cut;
        s = run_alone(x, i, part ? x->programs[i].thread_insts : 0);
    }
    int status = status_of(s);
    if (s == GPU_OK) {
        struct corun_story story = {.gpu = q->m.gpu,
                                    .mechs = q->m.mechs,
                                    .share = c.gpu.share,
                                    .target = share_cfg_of(&c.sm)->target,
                                    .conf = &c,
                                    .result = &r,
                                    .programs = x->programs,
                                    .n = x->n,
                                    .checked = q->o.check};
        for (uint32_t i = 0; i < x->n; i++)
            x->programs[i].profile = x->watchers.profiles[i];
        status = tell(x, &story) ? status : CLI_USAGE;
    }
    gpu_result_free(&r);
    conf_free(&c.conf);
    return status;
}

static bool open_programs(struct corun *x)
{
    for (uint32_t i = 0; x->q->names[i]; i++) {
        const char *name = x->q->names[i];
        if (strcmp(name, "-") == 0 && i)
            continue;
        const char *path = workload_trace(&x->arena, name, x->q->quiet, &x->d);
        struct tr_reader *t = path ? whole_open(path, name, x->q->partial_ok, &x->d) : NULL;
        if (!t)
            return false;
        x->watched[x->n] = (struct watched){name, t};
        x->programs[x->n++] = (struct corun_program){.name = name, .trace = t};
    }
    return true;
}

static int corun(const struct request *q, const struct way *w)
{
    struct corun x = {.q = q};
    int status = open_programs(&x) ? simulate(&x, w) : CLI_USAGE;
    watchers_free(&x.watchers);
    for (uint32_t i = 0; i < x.n; i++)
        tr_free(x.programs[i].trace);
    diag_print(&x.d, stderr);
    diag_free(&x.d);
    arena_free(&x.arena);
    return status;
}

/* --share scavenger is the overlay of that name, too. */
static const char *with_overlay(struct arena *a, const struct request *q)
{
    static const char name[] = "scavenger";
    const char *mechs = q->m.mechs;
    if (!q->share || strcmp(q->share, name) != 0 || (mechs && strstr(mechs, name)))
        return mechs;
    return mechs && *mechs ? arena_printf(a, "%s,%s", mechs, name) : name;
}

static int unknown_way(const char *name)
{
    return cli_error("--share %s: it is alone, temporal, spatial, smk or scavenger", name);
}

int cli_corun(int argc, char **argv)
{
    struct request q = {.m = {.gpu = "maxwell"}, .see = WISHES_DEFAULT};
    const struct cli_opt opts[] = {
        {"share", CLI_STR, &q.share, 0, 0, "WAY",
         "alone (default: what the machine says), temporal, spatial, smk or scavenger"},
        {"target", CLI_STR, &q.target, 0, 0, "SHARE",
         "of its speed alone that the first is to keep (default 0.9)"},
        {"insts", CLI_U64, &q.insts, 1, UINT32_MAX, "N",
         "thread instructions of the first after which the run ends"},
        MACHINE_OPTS(q.m),
        {"threads", CLI_U32, &q.o.threads, 1, 256, "N",
         "host threads, at most one for each processor (default: as many as pay)"},
        {"check", CLI_FLAG, &q.o.check, 0, 0, NULL,
         "check that every operand is the one the program's order says"},
        {"json", CLI_OUT, &q.json, FILE_ANSWER, 0, "FILE",
         "write the result, all counters and options; - for standard output"},
        WISHES_OPTS(q.see),
        CLI_QUIET(&q.quiet),
        WHOLE_OPT(q.partial_ok),
    };
    const struct cli_spec spec = {
        .usage =
            "corun PROGRAM PROGRAM|-... [--share WAY] [--target SHARE] [--insts N] [--gpu G] [--mech M,...] "
            "[--set KEY=VALUE]... [--threads N] [--check] [--json FILE] [--timeline FILE] [--interval N] "
            "[--profile] "
            "[--quiet] [--allow-partial]",
        .story = help_text,
        .opts = opts,
        .nopts = sizeof opts / sizeof opts[0],
        .positional = q.names,
        .npositional = CORUN_MOST,
        .nrequired = 2,
        .positional_name = "PROGRAM",
    };
    int status;
    struct arena names = {0};
    if (cli_parse(&spec, argc, argv, &status)) {
        uint32_t most = pool_processors();
        const struct way *w = q.share ? find_way(q.share) : NULL;
        q.o.threads = q.o.threads && q.o.threads < most ? q.o.threads : most;
        q.m.mechs = with_overlay(&names, &q);
        status = q.share && !w                                        ? unknown_way(q.share)
                 : wishes_check(&q.see, "corun.intervals.csv", &spec) ? corun(&q, w)
                                                                      : CLI_USAGE;
    }
    arena_free(&names);
    vec_free(&q.m.sets.items);
    return status;
}
