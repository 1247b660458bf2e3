/* bankshot sweep: all points of a specification, as far as the database does not have them. */
#include "cli/lab/spec.h"
#include "cli/output.h"
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

static int sweep(const struct sweep_opts *s, struct plan_opts *o, bool dry, const struct cli_list *others)
{
    struct diag d = {0};
    struct spec spec;
    struct plan p = {.quiet = s->quiet, .partial_ok = s->partial_ok, .sample = s->sample};
    int status = CLI_USAGE;
    bool ok = spec_read(&spec, s->spec, &d) && spec_plan(&spec, s->size, NULL, &p, &d);
    if (ok && s->of)
        plan_part(&p, s->part, s->of);
    if (ok && dry) {
        print_points(&p);
        status = CLI_OK;
    } else if (ok && s->tasks) {
        status = sweep_submit(s);
    } else if (ok && output_check(s->json) && plan_check_db(o->db, &d) && merge(o->db, others, &d) &&
               plan_prepare(&p, o->jobs, &d) && plan_run(&p, o, &d)) {
        status = summary(&p, s);
    }
    plan_free(&p);
    spec_free(&spec);
    diag_print(&d, stderr);
    diag_free(&d);
    return status;
}

int cli_sweep(int argc, char **argv)
{
    struct sweep_opts s = {0};
    struct plan_opts o = {.facts = true};
    struct cli_list others = {0};
    const char *part = NULL;
    bool dry = false;
    const struct cli_opt opts[] = {
        {"db", CLI_STR, &s.db, 0, 0, "FILE", "results database, made where it is missing"},
        {"jobs", CLI_U32, &s.jobs, 1, 1024, "N", "runs at a time (default: as many as processors)"},
        {"size", CLI_STR, &s.size, 0, 0, "SIZE", "of all workloads, whatever SPEC says"},
        {"dry-run", CLI_FLAG, &dry, 0, 0, NULL, "print the points and do nothing"},
        {"part", CLI_STR, &part, 0, 0, "K/N", "only the K-th of N parts"},
        {"merge", CLI_LIST, &others, 0, 0, "FILE", "first take over the results of another database"},
        {"json", CLI_STR, &s.json, 0, 0, "FILE", "write the points and their results; - for standard output"},
        MACHINE_SAMPLE_OPT(s.sample),
        CLI_QUIET(&s.quiet),
        {"slurm", CLI_U32, &s.tasks, 1, 10000, "N", "submit it to Slurm, as N tasks and a merge"},
        WHOLE_OPT(s.partial_ok),
    };
    const struct cli_spec spec = {
        .usage = "sweep SPEC --db FILE [--jobs N] [--size SIZE] [--sample] [--dry-run] [--part K/N] [--merge "
                 "FILE]... "
                 "[--slurm N] [--json FILE] [--quiet] [--allow-partial]",
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
        if (!s.db && !dry)
            status = cli_error("--db FILE is missing: where to keep the results");
        else if (s.json && (dry || s.tasks))
            status = cli_error("--json has results: it does not go with --dry-run or --slurm");
        else if (part && !parse_part(part, &s))
            status = CLI_USAGE;
        else
            status = sweep(&s, &o, dry, &others);
    }
    vec_free(&others.items);
    return status;
}
