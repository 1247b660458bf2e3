/* SPDX-License-Identifier: Apache-2.0 */
/* bankshot repro: figures and claims of papers, theirs beside ours. */
#include "cli/view/repro.h"
#include "cli/files.h"
#include "cli/lab/order.h"
#include "cli/lab/pool.h"
#include "cli/lab/stored.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static const char help_text[] =
    "Runs the experiments of experiments/PAPER/, draws their figures, and prints for each claim of the "
    "papers what\n"
    "they report, what was measured, and whether that is in the accepted range. Runs that the database has "
    "are not\n"
    "done again. DIR.md and DIR/index.html tell everything; DIR/PAPER/ has the figures and their data.\n"
    "NAME is an experiment (fig12) or a claim's id (partition.fig12.cu4). Speedups and IPC are of kernel "
    "cycles.\n";

/* ---- what belongs to whom ---- */

/* Ranges belong to the sizes that the experiments name. Scripts choose theirs themselves. */
static const char *size_of(const struct repro *r, const struct claim *c)
{
    vec_each (&r->experiments.all, x)
        if (r->size && !x->script && experiment_names(x, c->id))
            return r->size;
    return "";
}

static const char *reason(struct repro *r, const struct claim *c)
{
    vec_each (&r->experiments.all, x) {
        if (!experiment_names(x, c->id))
            continue;
        uint32_t n = x->missing.texts.n;
        if (n < 2)
            return n ? x->missing.texts.at[0] : "no result";
        return arena_printf(&r->claims.arena, "%s and %u more", x->missing.texts.at[0], n - 1);
    }
    return "no experiment yet";
}

/* ---- PAPER, PAPER/NAME, or a claim's id ---- */

static bool take_target(struct repro *r, const char *text)
{
    struct arena *a = &r->claims.arena;
    struct claim *c = text ? claims_find(&r->claims, text) : NULL;
    const char *slash = text ? strchr(text, '/') : NULL;
    if (c) { /* by its id: the experiment that names it */
        r->paper = arena_strndup(a, text, strcspn(text, "."));
        struct experiments all = {0};
        struct diag d = {0};
        if (experiments_find(&all, r->paper, NULL, &d))
            vec_each (&all.all, x)
                if (experiment_names(x, text))
                    r->name = arena_strndup(a, x->name, strlen(x->name));
        diag_free(&d);
        experiments_free(&all);
        if (!r->name)
            cli_error("no experiment answers claim %s yet", text);
        return r->name;
    }
    r->paper = slash ? arena_strndup(a, text, (size_t)(slash - text)) : text;
    r->name = slash && slash[1] ? slash + 1 : NULL;
    return true;
}

/* ---- the work ---- */

static bool answers_claim(const struct repro *r, const struct experiment *x)
{
    bool any = false;
    vec_each (&r->claims.rows, c)
        any = any || experiment_names(x, c->id);
    return any;
}

/* The experiments that were asked for. */
static bool find_all(struct repro *r, struct diag *d)
{
    bool ok = experiments_find(&r->experiments, r->paper, r->name, d);
    uint32_t n = 0;
    vec_each (&r->experiments.all, x)
        if (!r->claims_only || answers_claim(r, x))
            r->experiments.all.at[n++] = *x;
    r->experiments.all.n = n;
    return ok;
}

static bool plan_all(struct repro *r, struct plan *p, struct diag *d)
{
    bool ok = true;
    vec_each (&r->experiments.all, x) {
        x->first_job = p->jobs.n;
        ok = ok && (x->script ||
                    (spec_read(&x->spec, x->ini, d) && spec_plan(&x->spec, r->size, &x->missing, p, d)));
        x->njobs = p->jobs.n - x->first_job;
    }
    return ok;
}

/* Into the database, for bankshot report: those that this call is about. */
static bool keep_claims(const struct repro *r, struct db *db, struct diag *d)
{
    VEC(struct db_claim) rows = {0};
    vec_each (&r->claims.rows, c)
        if (repro_covers(r, c))
            vec_push(&rows, (struct db_claim){.id = c->id,
                                              .paper = c->paper,
                                              .text = c->text,
                                              .size = c->size,
                                              .unit = c->unit,
                                              .value = c->value,
                                              .lo = c->lo,
                                              .hi = c->hi,
                                              .has_measured = c->has_measured,
                                              .measured = c->measured,
                                              .why = c->why});
    bool ok = db_put_claims(db, rows.at, rows.n, d);
    vec_free(&rows);
    return ok;
}

/* Queries and figures; a broken one does not stop the others. */
static bool evaluate(struct repro *r, struct plan *p, const char *path, struct diag *d)
{
    struct db *db = db_open(path, DB_AGAIN, d);
    bool ok = db;
    vec_each (&r->experiments.all, x) {
        /* A script keeps nothing in the database, and may take hours: with --stored or --limit it is run where its
         * paper was asked for, or where it answers a claim. */
        bool left_out = x->script && !r->paper && (r->stored || r->limit_s) && !answers_claim(r, x);
        if (left_out)
            vec_push(&x->missing.texts, "a script: name its paper");
        bool may_lack = r->stored || r->carry || p->late;
        if (left_out || (may_lack && !x->script && db && !stored_find(x, p, db, d))) {
            ok = false;
            continue;
        }
        bool asked = x->script ? experiment_script(&r->experiments, x, &r->claims, d)
                               : db && experiment_query(&r->experiments, x, p, db, &r->claims, d);
        ok = asked && experiment_draw(&r->experiments, x, r->out) && ok;
    }
    if ((r->stored || r->carry) && db)
        r->carried = stored_carried(db, &r->claims.arena);
    vec_each (&r->claims.rows, c) {
        c->why = c->has_measured ? "" : reason(r, c);
        c->size = size_of(r, c);
    }
    ok = db && keep_claims(r, db, d) && ok;
    db_close(db);
    return ok;
}

static bool write_all(const struct repro *r, const char *csv)
{
    struct arena a = {0};
    bool ok = repro_md(r, arena_printf(&a, "%s.md", r->out));
    ok = repro_html(r, arena_printf(&a, "%s/index.html", r->out)) && ok;
    ok = (!csv || repro_csv(r, csv)) && ok;
    arena_free(&a);
    return ok;
}

static int answer(struct repro *r, struct plan *p, const char *db, const char *csv, bool ran, struct diag *d)
{
    bool drawn = d->errors == 0 && evaluate(r, p, db, d);
    if (!csv || strcmp(csv, "-") != 0)
        repro_print(r, stdout);
    return !write_all(r, csv) ? CLI_USAGE : ran && drawn ? CLI_OK : CLI_FAILED;
}

static void foretell(const struct repro *r, const struct experiment *x)
{
    printf("%s/%s: %s\n  %u point%s; claims:", x->paper, x->name, x->title, x->njobs, cli_s(x->njobs));
    vec_each (&r->claims.rows, c)
        if (experiment_names(x, c->id))
            printf(" %s", c->id);
    putchar('\n');
    vec_each (&x->missing.texts, t)
        printf("  does without: %s\n", *t);
}

/* What would be done; the queries are asked of an empty database, so that mistakes in them come out before hours of runs. */
static int rehearse(struct repro *r, struct diag *d)
{
    struct plan p = {0};
    const char *path = NULL;
    bool ok = find_all(r, d) && plan_all(r, &p, d) && (path = plan_scratch(&p.arena, d));
    struct db *db = ok ? db_open(path, DB_WRITE, d) : NULL;
    ok = db;
    vec_each (&r->experiments.all, x) {
        if (!db)
            break;
        foretell(r, x);
        ok = (x->script || experiment_query(&r->experiments, x, &p, db, &r->claims, d)) && ok;
    }
    db_close(db);
    if (path)
        plan_forget(path);
    plan_free(&p);
    return ok ? CLI_OK : CLI_USAGE;
}

/* The programs that the runs need, for a machine without a compiler. */
static int compile(struct repro *r, uint32_t jobs, struct diag *d)
{
    struct plan p = {.lenient = true, .quiet = r->quiet};
    bool ok = find_all(r, d) && plan_all(r, &p, d) && plan_compile(&p, jobs);
    plan_free(&p);
    return ok ? CLI_OK : CLI_USAGE;
}

/* What is written beside the options' files; the database where no option names it. */
static bool check_files(const struct repro *r, const struct cli_spec *s, const char *db)
{
    struct arena a = {0};
    VEC(struct cli_file) all = {0};
    const struct cli_file out = {.option = "--out", .role = FILE_OUTPUT};
    struct cli_file f = out;
    f.path = arena_printf(&a, "%s.md", r->out);
    f.kind = FILE_REPRO_TEXT;
    vec_push(&all, f);
    f.path = arena_printf(&a, "%s/index.html", r->out);
    f.kind = FILE_REPRO_PAGE;
    vec_push(&all, f);
    vec_each (&r->experiments.all, x) {
        static const char *const ends[] = {"dat", "svg", "pdf"};
        const char *folder = arena_printf(&a, "%s/%s", r->out, x->paper);
        for (uint32_t i = 0; access(folder, F_OK) == 0 && i < 3; i++) {
            f.path = arena_printf(&a, "%s/%s.%s", folder, x->name, ends[i]);
            f.kind = i ? FILE_FIGURE : FILE_FIGURE_DATA;
            vec_push(&all, f);
        }
    }
    if (db)
        vec_push(&all, (struct cli_file){"--out", db, FILE_STORE, FILE_DATABASE});
    bool ok = cli_files(s, all.at, all.n);
    vec_free(&all);
    arena_free(&a);
    return ok;
}

/* The runs, in the order and for the time that the options say. */
static bool measure(const struct repro *r, struct plan *p, struct plan_opts *o, double begun_s,
                    struct diag *d)
{
    uint32_t carried = 0;
    if (r->carry && !stored_leave_out(p, o->db, &carried, d))
        return false;
    if (carried && !p->quiet)
        fprintf(stderr, "bankshot: %u points have results that were carried over\n", carried);
    if (r->limit_s) {
        if (!order_plan(&r->experiments, &r->claims, p, o->db, d))
            return false;
        double spent_s = pool_now_s() - begun_s;
        o->limit_s = spent_s < r->limit_s ? r->limit_s - spent_s : 1e-9; /* nothing is begun any more */
    }
    bool ok = plan_run(p, o, d);
    if (p->late && !p->quiet)
        fprintf(stderr, "bankshot: %u seconds are over; the same command goes on with what is missing\n",
                r->limit_s);
    return ok && !p->late;
}

static int reproduce(struct repro *r, const struct cli_spec *s, const char *csv, const char *db,
                     uint32_t jobs, struct diag *d)
{
    double begun_s = pool_now_s();
    struct plan p = {.lenient = true, .quiet = r->quiet};
    struct plan_opts o = {.db = db, .jobs = jobs, .facts = true};
    int status = CLI_USAGE;
    if (mkdir(r->out, 0777) != 0 && errno != EEXIST) {
        cli_error("cannot make the folder %s: %s", r->out, strerror(errno));
        return status;
    }
    if (!o.db)
        o.db = arena_printf(&p.arena, "%s/results.db", r->out);
    if (find_all(r, d) && check_files(r, s, db ? NULL : o.db) && plan_check_db(o.db, d) &&
        plan_all(r, &p, d) && (r->stored || plan_prepare(&p, jobs, d))) {
        bool ran = r->stored || measure(r, &p, &o, begun_s, d);
        if (!p.stopped)
            status = answer(r, &p, o.db, csv, ran, d);
    }
    plan_free(&p);
    return status;
}

int cli_repro(int argc, char **argv)
{
    struct repro r = {.out = "reproduction"};
    const char *target = NULL, *csv = NULL, *db = NULL;
    uint32_t jobs = 0;
    bool dry = false, programs = false;
    const struct cli_opt opts[] = {
        {"out", CLI_STR, &r.out, 0, 0, "DIR", "where figures go; the text is DIR.md (default reproduction)"},
        {"csv", CLI_OUT, &csv, FILE_CLAIMS_CSV, 0, "FILE",
         "write id,paper,measured,lo,hi,within; - for standard output"},
        {"db", CLI_DB, &db, 0, 0, "FILE", "results database (default DIR/results.db)"},
        {"jobs", CLI_U32, &jobs, 1, 1024, "N", "runs at a time (default: as many as processors)"},
        {"size", CLI_STR, &r.size, 0, 0, "SIZE",
         "of all workloads: small for a quick look, which decides no claim"},
        {"stored", CLI_FLAG, &r.stored, 0, 0, NULL,
         "answer from what the database has, by this program's model, and run nothing but scripts of a "
         "PAPER and those that answer a claim; status 1 if points are missing"},
        {"limit", CLI_U32, &r.limit_s, 1, 10000000, "SECONDS",
         "end then: the claims that take the least time come first, those whose runs are not all there stay "
         "open, and the same command goes on; status 1 if runs are missing"},
        {"carry", CLI_FLAG, &r.carry, 0, 0, NULL,
         "do not measure again what tools/repro-model --carry has found equal in another model's results"},
        CLI_QUIET(&r.quiet),
        {"claims", CLI_FLAG, &r.claims_only, 0, 0, NULL, "only the experiments that answer a claim"},
        {"programs", CLI_FLAG, &programs, 0, 0, NULL,
         "compile the programs into the cache ($BANKSHOT_CACHE) and end: a machine without clang records and "
         "runs them"},
        {"dry-run", CLI_FLAG, &dry, 0, 0, NULL, "say what would be measured, check the queries, run nothing"},
    };
    const struct cli_spec spec = {
        .usage =
            "repro [PAPER[/NAME]] [--out DIR] [--csv FILE] [--db FILE] [--jobs N] [--size SIZE] [--stored] "
            "[--limit SECONDS] [--carry] [--claims] [--programs] [--dry-run] [--quiet]",
        .story = help_text,
        .opts = opts,
        .nopts = sizeof opts / sizeof opts[0],
        .positional = &target,
        .npositional = 1,
        .positional_name = "PAPER",
    };
    int status;
    struct diag d = {0};
    if (cli_parse(&spec, argc, argv, &status)) {
        bool clash = r.stored && (r.limit_s || r.carry);
        if (clash)
            cli_error("--stored runs nothing: it does not go with --limit or --carry");
        bool ok = !clash && claims_load(&r.claims, &d) && take_target(&r, target);
        status = !ok        ? CLI_USAGE
                 : dry      ? rehearse(&r, &d)
                 : programs ? compile(&r, jobs, &d)
                            : reproduce(&r, &spec, csv, db, jobs, &d);
        diag_print(&d, stderr);
        diag_free(&d);
    }
    experiments_free(&r.experiments);
    claims_free(&r.claims);
    return status;
}
