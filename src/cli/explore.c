/* SPDX-License-Identifier: Apache-2.0 */
/* bankshot explore: machines that are best in several goals at once. */
#include "cli/view/explore.h"
#include "cli/lab/sweep.h"
#include "cli/output.h"
#include "cli/whole.h"

static const char help_text[] =
    "Searches the machines of SPEC for those that no other beats in all goals. Killed and started again, it "
    "goes on where it\n"
    "was: every run is in the database. SPEC is one of sweep, with a section for the search:\n\n"
    "  [explore]\n"
    "  goals  = cycles rf_energy area              ; also time, energy, edp; less is better\n"
    "  limits = area<=1.1 storage<=65536           ; over the first point's; storage: bits of an SM\n"
    "  whole  = 60                                 ; whole runs at most\n\n"
    "  [space]\n"
    "  workloads = family:general\n"
    "  gpus      = volta\n"
    "  mechs     = base rba\n"
    "  mechs2    = base shuffle                    ; each with each of mechs\n"
    "  sm.collectors = 2 4 8\n\n"
    "Where whole runs of all points are no more than that, all have them. Else points are estimated first "
    "(gpu.sample).\n";

struct request {
    const char *spec, *db, *size, *json, *csv;
    uint32_t whole, seed;
    /* Its db, size and what else a submission takes are filled in when all is read */
    struct sweep_opts slurm;
    bool dry, quiet, partial_ok;
};

static int answer(const struct request *q, const struct explore *x)
{
    struct explore_study study;
    explore_study(x, &study);
    const struct explore_found f = {.x = x, .study = &study, .spec = q->spec, .db = q->db};
    if (!output_is_stdout(q->csv) && !output_is_stdout(q->json))
        explore_print(&f, stdout);
    bool ok = (!q->csv || explore_csv(&f, q->csv)) && (!q->json || explore_json(&f, q->json));
    bool deadlock = false;
    vec_each (&x->points, p)
        deadlock |= p->out && strncmp(p->out, "deadlock", 8) == 0;
    explore_study_free(&study);
    return !ok ? CLI_USAGE : deadlock ? CLI_DEADLOCK : CLI_OK;
}

static void print_points(const struct explore *x)
{
    struct arena a = {0};
    for (uint32_t i = 0; i < x->points.n; i++)
        printf("%s%s%s\n", explore_point_text(&a, x, i), x->points.at[i].out ? "  " : "",
               x->points.at[i].out ? x->points.at[i].out : "");
    vec_each (&x->notes.texts, t)
        printf("not taken: %s\n", *t);
    printf("%u point%s by %u program%s", x->points.n, cli_s(x->points.n), x->programs.n,
           cli_s(x->programs.n));
    if (x->nseeds > 1)
        printf(" by %u seeds", x->nseeds);
    printf("; %u over the limits, %llu that the preset does not take\n", x->over_limits,
           (unsigned long long)x->notes.refused);
    arena_free(&a);
}

static int explore(const struct request *q, struct diag *d)
{
    struct spec spec;
    struct explore_opts o = {0};
    struct explore x = {
        .opts = &o, .db = q->db, .jobs = q->slurm.jobs, .quiet = q->quiet, .partial_ok = q->partial_ok};
    struct sweep_opts slurm = q->slurm;
    slurm.db = q->db;
    slurm.quiet = true; /* its tasks have nobody to tell how far they are */
    slurm.partial_ok = q->partial_ok;
    slurm.say = q->quiet ? NULL : stderr;
    x.slurm = slurm.tasks ? &slurm : NULL;
    int status = CLI_USAGE;
    if (spec_read(&spec, q->spec, d) && explore_read(&spec, &o, d)) {
        o.whole = q->whole ? q->whole : o.whole;
        o.seed = q->seed ? q->seed : o.seed;
        bool ok = explore_space(&x, &spec, q->size, d);
        if (ok && q->dry) {
            print_points(&x);
            status = CLI_OK;
        } else if (ok && plan_check_db(q->db, d) && explore_search(&x, d)) {
            status = answer(q, &x);
        }
    }
    explore_opts_free(&o);
    explore_free(&x);
    spec_free(&spec);
    return status;
}

/* NULL, or what two options do not do together. */
static const char *contradiction(const struct request *q)
{
    if (!q->db && !q->dry)
        return "--db FILE is missing: where to keep the results";
    if (q->dry && (q->csv || q->json))
        return "--csv and --json have results: they do not go with --dry-run";
    if (q->dry && q->slurm.tasks)
        return "--slurm has something done: it does not go with --dry-run";
    return sweep_slurm_wrong(&q->slurm);
}

int cli_explore(int argc, char **argv)
{
    struct request q = {0};
    const struct cli_opt opts[] = {
        {"db", CLI_DB, &q.db, 0, 0, "FILE", "results database, made where it is missing"},
        {"jobs", CLI_U32, &q.slurm.jobs, 1, 1024, "N", "runs at a time (default: as many as processors)"},
        {"whole", CLI_U32, &q.whole, 1, 1000000, "N", "whole runs at most, whatever SPEC says"},
        {"seed", CLI_U32, &q.seed, 1, UINT32_MAX, "N", "of choices and of intervals, whatever SPEC says"},
        {"size", CLI_STR, &q.size, 0, 0, "SIZE", "of all workloads, whatever SPEC says"},
        {"dry-run", CLI_FLAG, &q.dry, 0, 0, NULL, "print the points and do nothing"},
        {"csv", CLI_OUT, &q.csv, FILE_EXPLORE_CSV, 0, "FILE",
         "write all points as CSV; - for standard output"},
        {"json", CLI_OUT, &q.json, FILE_ANSWER, 0, "FILE", "write the answer as JSON; - for standard output"},
        CLI_QUIET(&q.quiet),
        SWEEP_SLURM_OPTS(q.slurm),
        WHOLE_OPT(q.partial_ok),
    };
    const struct cli_spec spec = {
        .usage =
            "explore SPEC --db FILE [--jobs N] [--whole N] [--seed N] [--size SIZE] [--dry-run] [--csv FILE] "
            "[--json FILE] " SWEEP_SLURM_USAGE " [--quiet] [--allow-partial]",
        .story = help_text,
        .opts = opts,
        .nopts = sizeof opts / sizeof opts[0],
        .positional = &q.spec,
        .npositional = 1,
        .nrequired = 1,
        .positional_name = "SPEC",
    };
    int status;
    struct diag d = {0};
    if (!cli_parse(&spec, argc, argv, &status))
        return status;
    const char *wrong = contradiction(&q);
    status = wrong ? cli_error("%s", wrong) : explore(&q, &d);
    vec_free(&q.slurm.sbatch.items);
    diag_print(&d, stderr);
    diag_free(&d);
    return status;
}
