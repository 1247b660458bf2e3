/* SPDX-License-Identifier: Apache-2.0 */
/* bankshot compare: workloads x mechanisms on one GPU. */
#include "cli/view/compare.h"
#include "cli/lab/workload.h"
#include "cli/output.h"
#include "cli/view/advice_rows.h"
#include "cli/whole.h"

static const char help_text[] =
    "Runs every workload with every mechanism and prints cycles, IPC and speedup over the first mechanism.\n"
    "Cycles are those in which a kernel runs; --cycles program adds the launches' latency.\n"
    "A workload is a bundled program (NAME[:SIZE]), family:NAME, all, or a trace file. Mechanisms that "
    "belong\n"
    "together are joined by commas: --mech base --mech rba --mech shuffle,rba. Runs that the database has\n"
    "already are not done again. The result does not depend on --jobs.\n";

enum { MAX_WORKLOADS = 1024 };

struct request {
    const char *workloads[MAX_WORKLOADS];
    const char *gpu;
    struct cli_list mechs, sets;
    const char *db, *csv, *json, *cycles;
    uint32_t jobs, interval_cyc;
    bool profile, quiet, partial_ok, sample;
};

static bool is_twice(const struct cli_list *l, struct diag *d)
{
    for (uint32_t i = 0; i < l->items.n; i++)
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(l->items.at[i], l->items.at[k]) == 0) {
                diag_plain(d, "--mech %s is there twice", l->items.at[i]);
                return true;
            }
    return false;
}

/* Jobs in the order of the table: workloads, and for each of them the mechanisms. */
static bool make_plan(const struct request *q, struct plan *p, struct diag *d)
{
    struct workload_list names = {0};
    bool ok = !is_twice(&q->mechs, d);
    for (uint32_t i = 0; ok && q->workloads[i]; i++)
        ok = workload_expand(&p->arena, q->workloads[i], &names, d);
    for (uint32_t i = 0; ok && i < q->mechs.items.n; i++) {
        struct machine_opts m = {.gpu = q->gpu, .mechs = q->mechs.items.at[i], .sets = q->sets};
        uint32_t at;
        ok = plan_machine(p, &m, &at, d);
    }
    vec_each (&names.names, w)
        for (uint32_t i = 0; ok && i < p->machines.n; i++)
            plan_add(p, *w, i);
    vec_free(&names.names);
    return ok;
}

static int status_of(const struct plan *p)
{
    int status = CLI_OK;
    vec_each (&p->jobs, j) {
        if (j->answer.status == DB_DEADLOCK)
            status = CLI_DEADLOCK;
        else if (j->answer.status == DB_REFUSED && status == CLI_OK)
            status = CLI_USAGE;
    }
    return status;
}

static int show(const struct request *q, const struct plan *p)
{
    struct compare_table t = {
        .plan = p, .gpu = q->gpu, .nmechs = p->machines.n, .program = strcmp(q->cycles, "program") == 0};
    if (!output_is_stdout(q->csv) && !output_is_stdout(q->json))
        compare_print(&t, stdout);
    compare_reasons(&t);
    bool ok = (!q->csv || compare_csv(&t, q->csv)) && (!q->json || compare_json(&t, q->json));
    return ok ? status_of(p) : CLI_USAGE;
}

static int compare(const struct request *q, struct diag *d)
{
    struct plan p = {.quiet = q->quiet, .partial_ok = q->partial_ok, .sample = q->sample};
    int status = CLI_USAGE;
    if ((!q->db || plan_check_db(q->db, d)) && make_plan(q, &p, d) && plan_prepare(&p, q->jobs, d)) {
        const char *scratch = q->db ? NULL : plan_scratch(&p.arena, d), *db = q->db ? q->db : scratch;
        struct plan_opts o = {.db = db,
                              .advise = q->db ? advice_rows : NULL,
                              .jobs = q->jobs,
                              .facts = q->db != NULL,
                              .profile = q->profile,
                              .interval_cyc = q->interval_cyc};
        bool ran = db && plan_run(&p, &o, d);
        if (scratch) /* before anything is printed: whoever reads that may go away, and this program with him */
            plan_forget(scratch);
        if (ran)
            status = show(q, &p);
    }
    plan_free(&p);
    return status;
}

int cli_compare(int argc, char **argv)
{
    struct request q = {.gpu = "volta", .cycles = "kernel"};
    const struct cli_opt opts[] = {
        {"gpu", CLI_IN, &q.gpu, 0, 0, "NAME", "preset (see bankshot list gpus), or a file (default volta)"},
        {"mech", CLI_LIST, &q.mechs, 0, 0, "NAME,...",
         "one more to compare (see bankshot list mechs); base: none"},
        {"set", CLI_LIST, &q.sets, 0, 0, "KEY=VALUE", "one option, for all (see bankshot list options)"},
        {"cycles", CLI_STR, &q.cycles, 0, 0, "WHICH",
         "what speedup and IPC are of: kernel (default) or program, with the launches' latency"},
        {"jobs", CLI_U32, &q.jobs, 1, 1024, "N", "runs at a time (default: as many as processors)"},
        {"db", CLI_DB, &q.db, 0, 0, "FILE", "results database to take from and add to"},
        {"profile", CLI_FLAG, &q.profile, 0, 0, NULL,
         "also keep a profile of every run in the database, for the report"},
        PLAN_INTERVAL_OPT(q.interval_cyc),
        MACHINE_SAMPLE_OPT(q.sample),
        CLI_QUIET(&q.quiet),
        {"csv", CLI_OUT, &q.csv, FILE_COMPARE_CSV, 0, "FILE",
         "write the table as CSV; - for standard output"},
        {"json", CLI_OUT, &q.json, FILE_ANSWER, 0, "FILE", "write it as JSON; - for standard output"},
        WHOLE_OPT(q.partial_ok),
    };
    const struct cli_spec spec = {
        .usage = "compare WORKLOAD... [--gpu G] --mech base --mech M,... [--set KEY=VALUE]... "
                 "[--sample] [--cycles program] [--jobs N] [--db FILE [--profile] [--interval N]] "
                 "[--csv FILE] [--json FILE] [--quiet] [--allow-partial]",
        .story = help_text,
        .opts = opts,
        .nopts = sizeof opts / sizeof opts[0],
        .positional = q.workloads,
        .npositional = MAX_WORKLOADS - 1,
        .nrequired = 1,
        .positional_name = "WORKLOAD",
    };
    int status;
    struct diag d = {0};
    if (cli_parse(&spec, argc, argv, &status)) {
        if (!q.mechs.items.n)
            vec_push(&q.mechs.items, "base");
        if (strcmp(q.cycles, "kernel") != 0 && strcmp(q.cycles, "program") != 0)
            status = cli_error("--cycles %s: it is kernel or program", q.cycles);
        else if (q.profile && q.sample)
            status = cli_error("--profile has every instruction, --sample does not simulate all of them");
        else if (q.profile && !q.db)
            status = cli_error(
                "--profile needs --db FILE: the report shows profiles; bankshot run --profile prints one");
        else if (q.interval_cyc && !q.db)
            status = cli_error(
                "--interval needs --db FILE: the report shows it; bankshot run --interval writes a file");
        else if (q.interval_cyc && q.sample)
            status = cli_error(PLAN_INTERVAL_NO_SAMPLE);
        else
            status = compare(&q, &d);
        diag_print(&d, stderr);
        diag_free(&d);
    }
    vec_free(&q.mechs.items);
    vec_free(&q.sets.items);
    return status;
}
