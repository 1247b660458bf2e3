/* The database as JSON for the page. Written as it is read: memory does not grow with the results. */
#include "cli/view/report.h"

#include "cli/shown.h"
#include "db/stmt.h"
#include "gpu/gpu.h"

#include <math.h>

/* ---- values ---- */

/* A string that is safe inside a script element whatever the bytes: markup and what is no letter becomes an escape. */
static void put_text(FILE *to, const char *s)
{
    fputc('"', to);
    for (const unsigned char *p = (const unsigned char *)s; *p; p++) {
        bool plain = *p >= 0x20 && *p < 0x7f && !strchr("\"\\<>&", *p);
        uint32_t code = *p, more = *p >= 0xf0 ? 3 : *p >= 0xe0 ? 2 : *p >= 0xc0 ? 1 : 0;
        if (plain) {
            fputc(*p, to);
            continue;
        }
        if (*p >= 0x80) {
            code = more && *p < 0xf8 ? *p & (0x3fu >> more) : 0xfffd;
            uint32_t k = 0;
            for (; k < more && code != 0xfffd && (p[1] & 0xc0) == 0x80; k++)
                code = code << 6 | (*++p & 0x3f);
            if (k < more || code < 0x80 || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff)
                code = 0xfffd;
        }
        if (code > 0xffff)
            fprintf(to, "\\u%04x\\u%04x", 0xd800 + ((code - 0x10000) >> 10),
                    0xdc00 + ((code - 0x10000) & 0x3ff));
        else
            fprintf(to, "\\u%04x", code);
    }
    fputc('"', to);
}

static void put_column(FILE *to, struct stmt *s, int i)
{
    double v;
    switch (sqlite3_column_type(s->s, i)) {
    case SQLITE_INTEGER: fprintf(to, "%lld", (long long)sqlite3_column_int64(s->s, i)); break;
    case SQLITE_FLOAT:
        v = sqlite3_column_double(s->s, i);
        if (isfinite(v))
            fprintf(to, "%.10g", v);
        else
            fputs("null", to);
        break;
    case SQLITE_TEXT: put_text(to, stmt_column(s, i)); break;
    default: fputs("null", to); break;
    }
}

/* ---- tables ---- */

/* {"columns": [...], "rows": [[...], ...]} */
static bool put_rows(FILE *to, struct db *db, const char *query, struct diag *d)
{
    struct stmt s = stmt_of(db, query);
    int n = s.s ? sqlite3_column_count(s.s) : 0;
    fputs("{\"columns\":[", to);
    for (int i = 0; i < n; i++) {
        fputs(i ? "," : "", to);
        put_text(to, sqlite3_column_name(s.s, i));
    }
    fputs("],\"rows\":[", to);
    for (bool first = true; stmt_row(&s); first = false) {
        fputs(first ? "\n[" : ",\n[", to);
        for (int i = 0; i < n; i++) {
            fputs(i ? "," : "", to);
            put_column(to, &s, i);
        }
        fputc(']', to);
    }
    fputs("]}", to);
    return stmt_end(&s, d);
}

typedef VEC(const char *) name_list;

static bool read_names(struct arena *a, struct db *db, const char *query, name_list *out, struct diag *d)
{
    struct stmt s = stmt_of(db, query);
    while (stmt_row(&s)) {
        const char *text = stmt_column(&s, 0);
        vec_push(out, arena_strndup(a, text, strlen(text)));
    }
    return stmt_end(&s, d);
}

/* {"names": [...], "rows": [[key, [value by name]], ...]}: of rows (key, name, value) in the order of key and name. */
static bool put_pivot(FILE *to, struct db *db, const char *names_query, const char *query, struct diag *d)
{
    struct arena a = {0};
    name_list names = {0};
    bool ok = read_names(&a, db, names_query, &names, d);
    struct stmt s = stmt_of(db, query);
    int64_t key = 0;
    uint32_t at = 0;
    bool open = false;
    fputs("{\"names\":[", to);
    for (uint32_t i = 0; i < names.n; i++) {
        fputs(i ? "," : "", to);
        put_text(to, names.at[i]);
    }
    fputs("],\"rows\":[", to);
    while (stmt_row(&s)) {
        if (!open || sqlite3_column_int64(s.s, 0) != key) {
            fputs(open ? "]],\n" : "\n", to);
            key = sqlite3_column_int64(s.s, 0);
            fprintf(to, "[%lld,[", (long long)key);
            at = 0;
            open = true;
        }
        const char *name = stmt_column(&s, 1);
        for (; at < names.n && strcmp(names.at[at], name) != 0; at++)
            fputs(at ? ",null" : "null", to);
        if (at < names.n) {
            fputs(at++ ? "," : "", to);
            put_column(to, &s, 2);
        }
    }
    fputs(open ? "]]]}" : "]}", to);
    ok = stmt_end(&s, d) && ok;
    vec_free(&names);
    arena_free(&a);
    return ok;
}

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

static void put_insn(FILE *to, struct stmt *s, struct stmt *causes)
{
    uint64_t by[SS_stall_drained + 1] = {0}, all = 0;
    for (int i = 0; i < 3; i++)
        stmt_int(causes, sqlite3_column_int64(s->s, i));
    while (stmt_row(causes)) {
        const char *name = stmt_column(causes, 0);
        uint32_t c = SS_issued;
        while (c <= SS_stall_drained && strcmp(sm_stats.rows[c].name, name) != 0)
            c++;
        if (c <= SS_stall_drained)
            by[c] = (uint64_t)sqlite3_column_int64(causes->s, 1);
        all += c <= SS_stall_drained ? by[c] : 0;
    }
    stmt_run(causes);
    fputs("\n[", to);
    for (int i = 2; i < 10; i++) {
        put_column(to, s, i);
        fputc(',', to);
    }
    fprintf(to, "%llu,%llu,[", (unsigned long long)all, (unsigned long long)by[SS_issued]);
    for (uint32_t c = SS_issued; c <= SS_stall_drained; c++)
        fprintf(to, "%s%llu", c > SS_issued ? "," : "", (unsigned long long)by[c]);
    fputs("]]", to);
}

/* [{"run": id, "kernel": name, "insns": a table with a list of cycles by cause}, ...] */
static bool put_profiles(FILE *to, struct db *db, struct diag *d)
{
    struct stmt s =
        stmt_of(db, "SELECT p.run, p.kernel, p.insn, p.line, p.text, p.source, p.lanes, p.bank_conflicts, "
                    "p.read_wait, p.shared_conflicts, k.name FROM profile p JOIN run r ON r.id = p.run "
                    "LEFT JOIN trace_kernel k ON k.trace = r.trace AND k.kernel = p.kernel "
                    "WHERE p.run IN (SELECT run FROM point) ORDER BY p.run, p.kernel, p.insn");
    struct stmt causes =
        stmt_of(db, "SELECT cause, cycles FROM profile_stall WHERE run = ? AND kernel = ? AND insn = ?");
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
            put_text(to, shown_kernel(name, sizeof name, stmt_column(&s, 10)));
            fputs(
                ",\"insns\":{\"columns\":[\"insn\",\"line\",\"text\",\"source\",\"lanes\",\"bank_conflicts\","
                "\"read_wait\",\"shared_conflicts\",\"cycles\",\"issued\",\"causes\"],\"rows\":[",
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

/* ---- everything ---- */

static const struct {
    const char *name, *query;
} tables[] = {
    {"points", "SELECT id, workload, size, max_regs, code_order, gpu, mechs, options, run FROM point "
               "ORDER BY workload, size, max_regs, code_order, gpu, options, mechs <> 'base', mechs"},
    {"runs", "SELECT id, trace, machine, version, model, status, reason, cycles, kernel_cycles, warp_insts, "
             "thread_insts, issue_cov, seconds, finished, (SELECT sum(pj) FROM energy WHERE energy.run = "
             "run.id) AS energy_pj "
             "FROM run WHERE id IN (SELECT run FROM point) ORDER BY id"},
    {"traces", "SELECT id, identity, program, maker, partial, warp_insts FROM trace ORDER BY id"},
    {"speedups", "SELECT point, speedup, program_speedup, energy_ratio FROM speedup ORDER BY point"},
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
};

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
    const char *names = "SELECT DISTINCT name FROM option ORDER BY name";
    fputs(",\n\"options\":", to);
    ok = ok && put_pivot(to, db, names, "SELECT machine, name, value FROM option ORDER BY machine, name", d);
    fputs(",\n\"layers\":", to);
    return ok && put_pivot(to, db, names,
                           "SELECT machine, name, CASE source WHEN '' THEN layer ELSE layer || ': ' || "
                           "source END FROM option ORDER BY machine, name",
                           d);
}

bool report_data(struct db *db, FILE *to, struct diag *d)
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
    fputs(",\n\"profiles\":", to);
    ok = ok && put_profiles(to, db, d);
    fputc('}', to);
    return ok && db_exec(db, "COMMIT", d);
}
