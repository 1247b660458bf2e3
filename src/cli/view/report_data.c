/* SPDX-License-Identifier: Apache-2.0 */
/* The database as JSON for the page. Written as it is read: memory does not grow with the results. */
#include "cli/view/report.h"

#include "cli/shown.h"
#include "cli/view/report_put.h"
#include "gpu/gpu.h"

/* ---- what this program knows about names ---- */

static void put_help_row(FILE *to, const char *section, const char *name, const char *unit, const char *help)
{
    char full[96];
    snprintf(full, sizeof full, "%s.%s", section, name);
    fputs(",\n[", to);
    put_text(to, full);
    fputc(',', to);
    put_text(to, unit);
    fputc(',', to);
    put_text(to, help);
    fputc(']', to);
}

static void put_option_help(void *ctx, const char *section, const struct conf_opt *o, const char *value,
                            const char *source)
{
    (void)value;
    (void)source;
    put_help_row(ctx, section, o->name, "", o->help);
}

static void put_stat_help(FILE *to, const struct stat_table *t)
{
    for (uint32_t i = 0; i < t->n; i++)
        put_help_row(to, t->section, t->rows[i].name, t->rows[i].unit, t->rows[i].help);
}

static void put_help(FILE *to)
{
    struct gpu_conf c;
    fputs("[[\"\",\"\",\"\"]", to);
    const struct stat_table *t;
    for (uint32_t i = 0; (t = gpu_stats(i, NULL, NULL)); i++)
        put_stat_help(to, t);
    for (uint32_t i = 0; i < EP_COUNT; i++)
        put_help_row(to, "energy", energy_parts[i].name, "pJ", energy_parts[i].help);
    gpu_conf_init(&c);
    conf_each(&c.conf, put_option_help, to);
    conf_free(&c.conf);
    fputc(']', to);
}

static void put_causes(FILE *to)
{
    fputc('[', to);
    for (uint32_t i = SS_issued; i <= SS_stall_drained; i++) {
        fputs(i > SS_issued ? "," : "", to);
        put_text(to, sm_stats.rows[i].name);
    }
    fputc(']', to);
}

/* ---- profiles ---- */

/* Lines of code, as many runs have them; and their order, which is their number. */
#define CODE "ORDER BY line, text, source"

/* [insn, code, lanes, ..., [cause, cycles, ...]]: most causes have no cycles. */
static void put_insn(FILE *to, struct stmt *s, struct stmt *causes)
{
    fputs("\n[", to);
    for (int i = 2; i < 8; i++) {
        put_column(to, s, i);
        fputc(',', to);
    }
    fputc('[', to);
    for (int i = 0; i < 3; i++)
        stmt_int(causes, sqlite3_column_int64(s->s, i));
    for (bool first = true; stmt_row(causes);) {
        uint32_t c = SS_issued;
        while (c <= SS_stall_drained && strcmp(sm_stats.rows[c].name, stmt_column(causes, 0)) != 0)
            c++;
        if (c > SS_stall_drained)
            continue;
        fprintf(to, "%s%u,%lld", first ? "" : ",", c - SS_issued,
                (long long)sqlite3_column_int64(causes->s, 1));
        first = false;
    }
    stmt_run(causes);
    fputs("]]", to);
}

/* [{"run": id, "kernel": name, "insns": a table with a list of cycles by cause}, ...] */
static bool put_profiles(FILE *to, struct db *db, struct diag *d)
{
    struct stmt s =
        stmt_of(db, "SELECT p.run, p.kernel, p.insn, dense_rank() OVER (" CODE ") - 1, p.lanes, "
                    "p.bank_conflicts, p.read_wait, p.shared_conflicts, k.name FROM profile p JOIN run r ON "
                    "r.id = p.run LEFT JOIN trace_kernel k ON k.trace = r.trace AND k.kernel = p.kernel "
                    "WHERE p.run IN (SELECT run FROM point) ORDER BY p.run, p.kernel, p.insn");
    struct stmt causes =
        stmt_of(db, "SELECT cause, cycles FROM profile_stall WHERE run = ? AND kernel = ? AND insn = ? AND "
                    "cycles > 0");
    int64_t run = -1, kernel = -1;
    bool open = false;
    char name[1024];
    fputc('[', to);
    while (stmt_row(&s)) {
        bool other = !open || sqlite3_column_int64(s.s, 0) != run || sqlite3_column_int64(s.s, 1) != kernel;
        if (other) {
            run = sqlite3_column_int64(s.s, 0);
            kernel = sqlite3_column_int64(s.s, 1);
            fprintf(to, "%s{\"run\":%lld,\"kernel\":", open ? "]}},\n" : "\n", (long long)run);
            put_text(to, shown_kernel(name, sizeof name, stmt_column(&s, 8)));
            fputs(",\"insns\":{\"columns\":[\"insn\",\"code\",\"lanes\",\"bank_conflicts\",\"read_wait\","
                  "\"shared_conflicts\",\"causes\"],\"rows\":[",
                  to);
        } else {
            fputc(',', to);
        }
        open = true;
        put_insn(to, &s, &causes);
    }
    fputs(open ? "]}}]" : "]", to);
    bool ok = stmt_end(&s, d);
    return stmt_end(&causes, d) && ok;
}

/* ---- kernels ---- */

/* [[trace, kernel, name], ...] as people write them. */
static bool put_kernels(FILE *to, struct db *db, struct diag *d)
{
    struct stmt s = stmt_of(db, "SELECT trace, kernel, name FROM trace_kernel ORDER BY trace, kernel");
    char name[1024];
    fputc('[', to);
    for (bool first = true; stmt_row(&s); first = false) {
        fprintf(to, "%s[%lld,%lld,", first ? "" : ",\n", (long long)sqlite3_column_int64(s.s, 0),
                (long long)sqlite3_column_int64(s.s, 1));
        put_text(to, shown_kernel(name, sizeof name, stmt_column(&s, 2)));
        fputc(']', to);
    }
    fputc(']', to);
    return stmt_end(&s, d);
}

/* ---- everything ---- */

/* Of the first runs only: they would be most of a large page. */
#define INTERVALS                                                                                            \
    "(SELECT run, ends, max(1, iif(json_valid(ends), json_array_length(ends), 1)) AS n FROM interval "       \
    "WHERE run IN (SELECT run FROM point) ORDER BY run LIMIT 100)"

static const struct {
    const char *name, *query;
} tables[] = {
    {"points", "SELECT id, workload, size, max_regs, code_order, gpu, mechs, options, run FROM point "
               "ORDER BY workload, size, max_regs, code_order, gpu, options, mechs <> 'base', mechs"},
    {"runs", "SELECT id, trace, machine, version, model, status, reason, cycles, kernel_cycles, warp_insts, "
             "thread_insts, issue_cov, seconds, finished, (SELECT sum(pj) FROM energy WHERE energy.run = "
             "run.id) AS energy_pj "
             "FROM run WHERE id IN (SELECT run FROM point) ORDER BY id"},
    {"flops",
     "SELECT trace, sum(value * (name = 'flops.fp32')) AS fp32, sum(value * (name = 'flops.fp64')) AS fp64, "
     "sum(value * (name = 'flops.half')) AS half, sum(value * (name = 'flops.tensor')) AS tensor FROM "
     "trace_fact "
     "WHERE name GLOB 'flops.*' GROUP BY trace ORDER BY trace"},
    {"traces", "SELECT id, identity, program, maker, partial, warp_insts, (SELECT value FROM trace_fact f "
               "WHERE f.trace = "
               "trace.id AND f.name = 'code.sm') AS sm FROM trace ORDER BY id"},
    {"speedups", "SELECT point, speedup, program_speedup, energy_ratio FROM speedup ORDER BY point"},
    {"advice",
     "SELECT run, kernel, line, rule, gain, what, hint FROM advice WHERE run IN (SELECT run FROM point) "
     "ORDER BY run, at"},
    {"claims", "SELECT id, paper, text, size, unit, paper_value, lo, hi, measured, "
               "CASE size WHEN '' THEN measured BETWEEN lo AND hi END AS within, why FROM claim ORDER BY id"},
    {"pairs",
     "SELECT point, workload, size, gpu, mechs, share, target, cycles, speed, second_speed, met, parked, "
     "switch_b FROM corun ORDER BY workload, share, target, mechs, gpu, size"},
    {"ratios",
     "SELECT point, ipc, ipc_per_sm, issue_utilisation, simd_efficiency, issue_cov, reg_reads_per_inst, "
     "reg_reads_per_cycle, bank_conflicts_per_inst, bank_conflict_rate, operand_wait_per_inst, "
     "bank_utilisation, shared_conflicts_per_access, l1_hit_rate, l2_hit_rate, row_hit_rate, load_latency, "
     "dram_b FROM ratio ORDER BY point"},
    {"areas", "SELECT machine, sum(mm2) AS mm2 FROM area GROUP BY machine ORDER BY machine"},
    {"kernel_sums",
     "SELECT k.run, l.kernel, count(*) AS launches, sum(k.cycles) AS cycles, sum(k.kernel_cycles) AS "
     "kernel_cycles, "
     "sum(l.warp_insts) AS warp_insts FROM kernel k JOIN run r ON r.id = k.run "
     "JOIN trace_launch l ON l.trace = r.trace AND l.launch = k.launch "
     "WHERE k.run IN (SELECT run FROM point) GROUP BY k.run, l.kernel ORDER BY k.run, l.kernel"},
    /* Of a run with many launches neighbours are put together: 60 pieces are enough to see. */
    {"launches",
     "SELECT run, min(launch) AS launch, count(*) AS n, min(start) AS start, max(start + cycles) AS end, "
     "sum(kernel_cycles) AS kernel_cycles, sum(warp_insts) AS warp_insts, min(kernel) AS kernel, "
     "max(kernel) AS last FROM (SELECT k.*, l.kernel, l.warp_insts, count(*) OVER (PARTITION BY k.run) AS "
     "all_n "
     "FROM kernel k JOIN run r ON r.id = k.run "
     "JOIN trace_launch l ON l.trace = r.trace AND l.launch = k.launch WHERE k.run IN (SELECT run FROM "
     "point)) "
     "GROUP BY run, CASE WHEN all_n <= 60 THEN launch ELSE launch * 60 / all_n END ORDER BY run, launch"},
    /* The course of a run in at most 64 pieces: neighbours are put together. Text that is no list is none. */
    {"spans", "SELECT run, json_group_array(end) AS ends FROM (SELECT i.run, v.key * 64 / i.n AS piece, "
              "max(v.value) AS end FROM " INTERVALS
              " i, json_each(iif(json_valid(i.ends), i.ends, '[]')) v GROUP BY i.run, piece ORDER BY i.run, "
              "piece) GROUP BY run ORDER BY run"},
    {"courses",
     "SELECT run, name, json_group_array(value) AS list FROM (SELECT c.run, c.name, v.key * 64 / i.n AS "
     "piece, sum(v.value) AS value "
     "FROM " INTERVALS " i JOIN interval_counter c ON c.run = i.run, json_each(iif(json_valid(c.list), "
     "c.list, '[]')) v WHERE c.name = 'sm.issued' OR c.name GLOB 'sm.stall_*' OR c.name GLOB "
     "'energy.*' OR c.name = 'time.ps' OR c.name IN ("
     "'sm.warp_insts', 'sm.reg_reads', 'sm.bank_conflict', 'sm.cache_reads', 'sm.cache_hits', "
     "'sm.l1_reads', 'sm.l1_read_hits', 'mem.l2_reads', 'mem.l2_read_hits', 'mem.dram_reads', "
     "'mem.dram_writes') GROUP BY c.run, c.name, piece ORDER BY c.run, c.name, piece) GROUP BY "
     "run, name ORDER BY run, name"},
    {"code", "SELECT DISTINCT line, text, source FROM profile WHERE run IN (SELECT run FROM point) " CODE},
    /* Long lists would be most of the page. */
    {"distributions",
     "SELECT run, name, list FROM distribution WHERE run IN (SELECT run FROM point) AND "
     "length(list) < 4000 AND run IN (SELECT id FROM run ORDER BY id LIMIT 400) ORDER BY run, name"},
};

/* Who has set an option. */
#define LAYER(t) "CASE " t ".source WHEN '' THEN " t ".layer ELSE " t ".layer || ': ' || " t ".source END"

static bool put_options(FILE *to, struct db *db, const char *name, const char *mine, const char *first,
                        struct diag *d)
{
    struct arena a = {0};
    fprintf(to, ",\n\"%s\":", name);
    bool ok = put_sparse(
        to, db, "SELECT DISTINCT name FROM option ORDER BY name",
        arena_printf(&a,
                     "WITH n AS (SELECT name, row_number() OVER (ORDER BY name) - 1 AS at FROM (SELECT "
                     "DISTINCT name FROM option)), b AS (SELECT min(id) AS id FROM machine) "
                     "SELECT m.id, n.at, %s FROM machine m, b, n LEFT JOIN option o ON o.machine = m.id AND "
                     "o.name = n.name "
                     "LEFT JOIN option f ON f.machine = b.id AND f.name = n.name "
                     "WHERE m.id = b.id OR %s IS NOT %s ORDER BY m.id, n.at",
                     mine, mine, first),
        d);
    arena_free(&a);
    return ok;
}

static bool put_pivots(FILE *to, struct db *db, struct diag *d)
{
    fputs(",\n\"counters\":", to);
    bool ok = put_pivot(to, db, "SELECT DISTINCT name FROM counter ORDER BY name",
                        "SELECT run, name, value FROM counter WHERE run IN (SELECT run FROM point) ORDER BY "
                        "run, name",
                        d);
    fputs(",\n\"energy\":", to);
    ok = ok &&
         put_pivot(to, db, "SELECT DISTINCT name FROM energy ORDER BY name",
                   "SELECT run, name, pj FROM energy WHERE run IN (SELECT run FROM point) ORDER BY run, name",
                   d);
    return ok && put_options(to, db, "options", "o.value", "f.value", d) &&
           put_options(to, db, "layers", LAYER("o"), LAYER("f"), d);
}

bool report_data(struct db *db, const struct report_also *also, FILE *to, struct diag *d)
{
    const char *slash = strrchr(db_path(db), '/');
    bool ok = db_exec(db, "BEGIN", d); /* one state of a file that others may be writing to */
    fputs("{\"file\":", to);
    put_text(to, slash ? slash + 1 : db_path(db));
    fputs(",\n\"causes\":", to);
    put_causes(to);
    fputs(",\n\"help\":", to);
    put_help(to);
    for (size_t i = 0; ok && i < sizeof tables / sizeof *tables; i++) {
        fprintf(to, ",\n\"%s\":", tables[i].name);
        ok = put_rows(to, db, tables[i].query, d);
    }
    ok = ok && put_pivots(to, db, d);
    fputs(",\n\"kernels\":", to);
    ok = ok && put_kernels(to, db, d);
    fputs(",\n\"silicon\":", to);
    ok = ok && report_put_silicon(to, db, &also->silicon, d);
    fputs(",\n\"light\":", to);
    ok = ok && report_put_light(to, db, d);
    fputs(",\n\"pipelines\":", to);
    ok = ok && report_put_pipelines(to, also->pipelines, also->npipelines, d);
    fputs(",\n\"profiles\":", to);
    ok = ok && put_profiles(to, db, d);
    fputc('}', to);
    return ok && db_exec(db, "COMMIT", d);
}
