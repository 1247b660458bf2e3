/* SPDX-License-Identifier: Apache-2.0 */
/* bankshot sweep: all points of a specification, as far as the database does not have them. */
#include "cli/lab/sweep.h"
#include "cli/lab/parts.h"
#include "cli/lab/spec.h"
#include "cli/output.h"
#include "cli/view/advice_rows.h"
#include "cli/view/sweep_json.h"
#include "cli/whole.h"

static const char help_text[] =
    "Measures every point of SPEC that the database does not have yet. Killed at any moment and started "
    "again, it\n"
    "goes on where it was. SPEC is an INI file; each block is the cross product of what it lists:\n\n"
    "  [collectors]\n"
    "  workloads = family:general sgemm:small     ; also all, uses:PAPER/CLASS, trace files\n"
    "  sizes     = default                        ; for names without one of their own\n"
    "  gpus      = volta turing\n"
    "  mechs     = base rba shuffle,rba\n"
    "  sm.collectors = 2 4 8                      ; any option, its values\n";

static bool parse_part(const char *text, struct sweep_opts *o)
{
    uint64_t part, of;
    struct arena a = {0};
    const char *slash = strchr(text, '/');
    bool ok = slash && cli_u64(arena_strndup(&a, text, (size_t)(slash - text)), &part) &&
              cli_u64(slash + 1, &of) && part && part <= of && of <= 100000;
    if (ok) {
        o->part = (uint32_t)part;
        o->of = (uint32_t)of;
    } else {
        cli_error("--part %s: K/N is expected, K from 1 to N", text);
    }
    arena_free(&a);
    return ok;
}

static bool merge(const char *db_path, const struct cli_list *others, struct diag *d)
{
    struct db *db = others->items.n ? db_open(db_path, DB_WRITE, d) : NULL;
    bool ok = !others->items.n || db;
    vec_each (&others->items, path)
        ok = ok && db_merge(db, *path, d);
    db_close(db);
    return ok;
}

static void print_points(const struct plan *p)
{
    vec_each (&p->jobs, j) {
        plan_print_job(j, stdout);
        putchar('\n');
    }
    printf("%u point%s of %u workload%s on %u machine%s\n", p->jobs.n, cli_s(p->jobs.n), p->traces.n,
           cli_s(p->traces.n), p->machines.n, cli_s(p->machines.n));
}

static int summary(const struct plan *p, const struct sweep_opts *s)
{
    uint32_t count[DB_MISSING + 1] = {0}, all = 0;
    vec_each (&p->jobs, j)
        count[j->answer.status]++;
    for (uint32_t i = 0; i < DB_MISSING; i++)
        all += count[i];
    if (s->json && !sweep_json(s, p))
        return CLI_USAGE;
    if (output_is_stdout(s->json))
        return count[DB_DEADLOCK] ? CLI_DEADLOCK : CLI_OK;
    printf("%s: %u point%s, %llu of them from before", s->db, all, cli_s(all), (unsigned long long)p->known);
    if (count[DB_REFUSED])
        printf(", %u refused", count[DB_REFUSED]);
    if (count[DB_DEADLOCK])
        printf(", %u deadlocked", count[DB_DEADLOCK]);
    putchar('\n');
    return count[DB_DEADLOCK] ? CLI_DEADLOCK : CLI_OK;
}

/* The part that is asked for, as its folder lists it or by counting. */
static bool choose_part(struct plan *p, const struct sweep_opts *s, struct diag *d)
{
    if (s->of && s->parts)
        return parts_keep(s->parts, p, s->part, d);
    if (s->of)
        plan_part(p, s->part, s->of);
    return true;
}

static int measure(struct plan *p, const struct sweep_opts *s, const struct plan_opts *o, struct diag *d)
{
    return plan_run(p, o, d) ? summary(p, s) : CLI_USAGE;
}

static int submit(struct plan *p, const struct sweep_opts *s, const struct plan_opts *o, struct diag *d)
{
    switch (sweep_submit(s, p, d)) {
    case SWEEP_SUBMITTED: return CLI_OK;
    case SWEEP_NOTHING_LEFT: return measure(p, s, o, d); /* names what is there */
    case SWEEP_FAILED: break;
    }
    return CLI_USAGE;
}

static int sweep(const struct sweep_opts *s, struct plan_opts *o, bool dry, const struct cli_list *others)
{
    struct diag d = {0};
    struct spec spec;
    struct plan p = {.quiet = s->quiet, .partial_ok = s->partial_ok, .sample = s->sample};
    int status = CLI_USAGE;
    bool ok =
        spec_read(&spec, s->spec, &d) && spec_plan(&spec, s->size, NULL, &p, &d) && choose_part(&p, s, &d);
    if (ok && dry) {
        print_points(&p);
        status = CLI_OK;
    } else if (ok && plan_check_db(o->db, &d) && merge(o->db, others, &d) &&
               (s->of || !s->parts || parts_merge(s->parts, o->db, &d)) && plan_prepare(&p, o->jobs, &d)) {
        status = s->tasks ? submit(&p, s, o, &d) : measure(&p, s, o, &d);
    }
    plan_free(&p);
    spec_free(&spec);
    diag_print(&d, stderr);
    diag_free(&d);
    return status;
}

/* NULL, or what two options do not do together. */
static const char *contradiction(const struct sweep_opts *s, bool dry, bool part)
{
    if (!s->db && !dry)
        return "--db FILE is missing: where to keep the results";
    if (s->json && (dry || s->tasks))
        return "--json has results: it does not go with --dry-run or --slurm";
    if (s->tasks && (part || s->parts))
        return "--slurm makes the parts: --part and --parts are for its tasks";
    return sweep_slurm_wrong(s);
}

int cli_sweep(int argc, char **argv)
{
    struct sweep_opts s = {.say = stdout};
    struct plan_opts o = {.facts = true, .advise = advice_rows};
    struct cli_list others = {0};
    const char *part = NULL;
    bool dry = false;
    const struct cli_opt opts[] = {
        {"db", CLI_DB, &s.db, 0, 0, "FILE", "results database, made where it is missing"},
        {"jobs", CLI_U32, &s.jobs, 1, 1024, "N", "runs at a time (default: as many as processors)"},
        {"size", CLI_STR, &s.size, 0, 0, "SIZE", "of all workloads, whatever SPEC says"},
        {"dry-run", CLI_FLAG, &dry, 0, 0, NULL, "print the points and do nothing"},
        {"part", CLI_STR, &part, 0, 0, "K/N", "only the K-th of N parts"},
        {"parts", CLI_STR, &s.parts, 0, 0, "DIR",
         "parts as --slurm has dealt them; without --part: merge them"},
        {"merge", CLI_INS, &others, 0, 0, "FILE", "first take over the results of another database"},
        {"json", CLI_OUT, &s.json, FILE_ANSWER, 0, "FILE",
         "write the points and their results; - for standard output"},
        PLAN_INTERVAL_OPT(o.interval_cyc),
        MACHINE_SAMPLE_OPT(s.sample),
        CLI_QUIET(&s.quiet),
        SWEEP_SLURM_OPTS(s),
        WHOLE_OPT(s.partial_ok),
    };
    const struct cli_spec spec = {
        .usage =
            "sweep SPEC --db FILE [--jobs N] [--size SIZE] [--interval N] [--sample] [--dry-run] [--part "
            "K/N] [--merge "
            "FILE]... " SWEEP_SLURM_USAGE " [--json FILE] "
            "[--quiet] [--allow-partial]",
        .story = help_text,
        .opts = opts,
        .nopts = sizeof opts / sizeof opts[0],
        .positional = &s.spec,
        .npositional = 1,
        .nrequired = 1,
        .positional_name = "SPEC",
    };
    int status;
    if (cli_parse(&spec, argc, argv, &status)) {
        o.db = s.db;
        o.jobs = s.jobs;
        const char *wrong = contradiction(&s, dry, part);
        if (wrong)
            status = cli_error("%s", wrong);
        else if (o.interval_cyc && s.sample)
            status = cli_error(PLAN_INTERVAL_NO_SAMPLE);
        else if (o.interval_cyc && s.tasks)
            status = cli_error("--interval is for runs on this machine: it does not go with --slurm");
        else if (part && !parse_part(part, &s))
            status = CLI_USAGE;
        else
            status = sweep(&s, &o, dry, &others);
    }
    vec_free(&others.items);
    vec_free(&s.sbatch.items);
    return status;
}
