/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a run. */
#include "db/generated.h"
#include "db/key.h"
#include "db/stmt.h"
#include "gpu/gpu.h"

static const char *const status_names[] = {
    [DB_OK] = "ok", [DB_REFUSED] = "refused", [DB_DEADLOCK] = "deadlock"};
static const char *const layer_names[] = {
    [CONF_DEFAULT] = "default", [CONF_PRESET] = "preset", [CONF_MECH] = "mech", [CONF_USER] = "user"};

struct option_rows {
    struct stmt s;
    int64_t machine;
    const struct conf *conf;
};

static uint8_t layer_of(const struct conf *c, const char *section, const struct conf_opt *o)
{
    for (uint32_t i = 0; i < c->n; i++)
        if (strcmp(c->sec[i].name, section) == 0)
            return c->sec[i].layer[o - c->sec[i].opts];
    return CONF_DEFAULT;
}

/* Of a source's path only the name: the same results in every folder. */
static void put_option(void *ctx, const char *section, const struct conf_opt *o, const char *value,
                       const char *source)
{
    struct option_rows *r = ctx;
    char name[96];
    uint8_t layer = layer_of(r->conf, section, o);
    const char *slash = strrchr(source, '/');
    snprintf(name, sizeof name, "%s.%s", section, o->name);
    stmt_int(&r->s, r->machine);
    stmt_text(&r->s, name);
    stmt_text(&r->s, value);
    stmt_text(&r->s, layer_names[layer]);
    stmt_text(&r->s, layer == CONF_DEFAULT ? "" : slash ? slash + 1 : source);
    stmt_run(&r->s);
}

/* Rows of (id, name, value). */
static bool put_parts(struct db *db, const char *insert, int64_t id, const struct energy_part_info *parts,
                      const double *values, uint32_t n, struct diag *d)
{
    struct stmt s = stmt_of(db, insert);
    for (uint32_t i = 0; i < n; i++) {
        stmt_int(&s, id);
        stmt_text(&s, parts[i].name);
        stmt_real(&s, values[i]);
        stmt_run(&s);
    }
    return stmt_end(&s, d);
}

static bool put_area(struct db *db, int64_t machine, const struct gpu_conf *c, struct diag *d)
{
    struct area_out a;
    struct energy_machine of = gpu_machine(c);
    area_of(&of, &a);
    return put_parts(db, "INSERT INTO area VALUES (?,?,?)", machine, area_parts, a.mm2, AP_COUNT, d);
}

/* 0 after reporting. */
static int64_t machine_row(struct db *db, struct gpu_conf *c, struct diag *d)
{
    struct db_key digest = db_machine_key(c);
    struct stmt s = stmt_of(db, "SELECT id FROM machine WHERE digest = ?");
    stmt_text(&s, digest.text);
    int64_t id = stmt_row(&s) ? sqlite3_column_int64(s.s, 0) : 0;
    if (!stmt_end(&s, d) || id)
        return id;
    s = stmt_of(db, "INSERT INTO machine VALUES (NULL,?)");
    stmt_text(&s, digest.text);
    stmt_run(&s);
    if (!stmt_end(&s, d))
        return 0;
    struct option_rows r = {.machine = sqlite3_last_insert_rowid(db->sql), .conf = &c->conf};
    r.s = stmt_of(db, "INSERT INTO option VALUES (?,?,?,?,?)");
    conf_each(&c->conf, put_option, &r);
    return stmt_end(&r.s, d) && put_area(db, r.machine, c, d) ? r.machine : 0;
}

static void put_table(struct stmt *s, int64_t run, const struct stat_table *t, const uint64_t *v)
{
    char name[96];
    for (uint32_t i = 0; i < t->n; i++) {
        snprintf(name, sizeof name, "%s.%s", t->section, t->rows[i].name);
        stmt_int(s, run);
        stmt_text(s, name);
        stmt_int(s, (int64_t)v[i]);
        stmt_run(s);
    }
}

static bool put_counters(struct db *db, int64_t run, const struct gpu_result *r, struct diag *d)
{
    struct stmt s = stmt_of(db, "INSERT INTO counter VALUES (?,?,?)");
    const struct stat_table *t;
    const uint64_t *values;
    for (uint32_t i = 0; (t = gpu_stats(i, r, &values)); i++)
        put_table(&s, run, t, values);
    return stmt_end(&s, d);
}

static bool put_energy(struct db *db, int64_t run, const struct db_run *r, struct diag *d)
{
    struct energy_out e;
    gpu_energy(r->conf, r->result, &e);
    return put_parts(db, "INSERT INTO energy VALUES (?,?,?)", run, energy_parts, e.pj, EP_COUNT, d);
}

static void print_list(FILE *to, const uint64_t *v, uint32_t n)
{
    fputc('[', to);
    for (uint32_t i = 0; i < n; i++)
        fprintf(to, "%s%llu", i ? "," : "", (unsigned long long)v[i]);
    fputc(']', to);
}

static void print_array(FILE *to, const struct db_run *r, enum sm_array a)
{
    uint32_t n = sm_array_n(&r->conf->sm, a), sms = r->conf->gpu.sms;
    const uint64_t *v = r->result->arrays[a];
    if (!sm_arrays.rows[a].by_sm) {
        print_list(to, v, n);
        return;
    }
    for (uint32_t i = 0; i < sms; i++) {
        fputc(i ? ',' : '[', to);
        print_list(to, v + (size_t)i * n, n);
    }
    fputc(']', to);
}

static bool put_distributions(struct db *db, int64_t run, const struct db_run *r, struct diag *d)
{
    struct stmt s = stmt_of(db, "INSERT INTO distribution VALUES (?,?,?)");
    for (uint32_t i = 0; i < SA_COUNT; i++) {
        char name[96], *text = NULL;
        size_t n = 0;
        FILE *f = open_memstream(&text, &n);
        if (f) {
            print_array(f, r, (enum sm_array)i);
            fclose(f);
        }
        snprintf(name, sizeof name, "%s.%s", sm_arrays.section, sm_arrays.rows[i].name);
        stmt_int(&s, run);
        stmt_text(&s, name);
        stmt_text(&s, text);
        stmt_run(&s);
        free(text);
    }
    return stmt_end(&s, d);
}

static bool put_kernels(struct db *db, int64_t run, const struct gpu_result *r, struct diag *d)
{
    struct stmt s = stmt_of(db, "INSERT INTO kernel VALUES (?,?,?,?,?)");
    vec_each (&r->kernels, k) {
        if (k->tenant)
            continue;
        stmt_int(&s, run);
        stmt_int(&s, k->launch);
        stmt_int(&s, (int64_t)k->start);
        stmt_int(&s, (int64_t)(k->end - k->start));
        stmt_int(&s, (int64_t)gpu_kernel_cycles(k));
        stmt_run(&s);
    }
    return stmt_end(&s, d);
}

static bool put_tenant(struct db *db, struct stmt *s, int64_t run, const struct db_run *r, uint32_t i,
                       struct diag *d)
{
    const struct gpu_tenant_result *t = &r->result->tenants.at[i];
    int64_t trace = db_trace_row(db, i ? r->others[i - 1] : r->trace, d);
    const uint64_t of[] = {t->cycles,          t->sm[SS_warp_insts],  t->sm[SS_thread_insts],
                           t->passes,          t->sm[SS_ctas],        t->sm[SS_ctas_parked],
                           t->sm[SS_switch_b], t->sm[SS_stall_tenant]};
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    if (f) {
        print_list(f, t->progress.at, t->progress.n);
        fclose(f);
    }
    stmt_int(s, run);
    stmt_int(s, i);
    stmt_int(s, trace);
    for (uint32_t k = 0; k < sizeof of / sizeof of[0]; k++)
        stmt_int(s, (int64_t)of[k]);
    stmt_text(s, text ? text : "[]");
    stmt_run(s);
    free(text);
    return trace;
}

static bool put_tenants(struct db *db, int64_t run, const struct db_run *r, struct diag *d)
{
    struct stmt s = stmt_of(db, "INSERT INTO tenant VALUES (?,?,?,?,?,?,?,?,?,?,?,?)");
    bool ok = true;
    for (uint32_t i = 0; ok && i < r->result->tenants.n && i <= r->nothers; i++)
        ok = put_tenant(db, &s, run, r, i, d);
    return stmt_end(&s, d) && ok;
}

const char *db_code_order(const struct db_point *p)
{
    if (p->sm75)
        return "sm75";
    if (p->ptx_order)
        return p->short_addr ? "ptx-sm1x" : "ptx";
    return p->short_addr ? "sm1x" : *p->size ? "scheduled" : "";
}

static void put_labels(struct stmt *s, const struct db_point *p)
{
    stmt_text(s, p->workload);
    stmt_text(s, p->size);
    stmt_int(s, p->max_regs);
    stmt_text(s, db_code_order(p));
    stmt_text(s, p->gpu);
    stmt_text(s, p->mechs);
    stmt_text(s, p->options);
}

/* -1 after reporting, 0 where the run is there already. */
static int64_t run_row(struct db *db, const struct db_run *r, int64_t trace, int64_t machine, struct diag *d)
{
    const struct gpu_result *v = r->result;
    bool ok = r->status == DB_OK;
    struct stmt s =
        stmt_of(db, "INSERT OR IGNORE INTO run VALUES "
                    "(NULL,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,strftime('%Y-%m-%dT%H:%M:%SZ','now'))");
    stmt_text(&s, r->key.text);
    stmt_int(&s, trace);
    stmt_int(&s, machine);
    put_labels(&s, &r->point);
    stmt_text(&s, r->version);
    stmt_text(&s, db_model_digest);
    stmt_text(&s, status_names[r->status]);
    stmt_text(&s, r->reason);
    stmt_int(&s, ok ? (int64_t)v->cycles : 0);
    stmt_int(&s, ok ? (int64_t)v->kernel_cycles : 0);
    stmt_int(&s, ok ? (int64_t)v->sm[SS_warp_insts] : 0);
    stmt_int(&s, ok ? (int64_t)v->sm[SS_thread_insts] : 0);
    stmt_real(&s, ok ? gpu_issue_cov(r->conf, v) : 0);
    stmt_real(&s, v->seconds);
    stmt_run(&s);
    if (!stmt_end(&s, d))
        return -1;
    return sqlite3_changes(db->sql) ? sqlite3_last_insert_rowid(db->sql) : 0;
}

static bool point_row(struct db *db, const struct db_point *p, const struct db_key *key, struct diag *d)
{
    struct stmt s = stmt_of(db, "INSERT INTO point SELECT NULL,?,?,?,?,?,?,?,id FROM run WHERE key = ? "
                                "ON CONFLICT (workload, size, max_regs, code_order, gpu, mechs, options) DO "
                                "UPDATE SET run = excluded.run "
                                "WHERE run <> excluded.run");
    put_labels(&s, p);
    stmt_text(&s, key->text);
    stmt_run(&s);
    return stmt_end(&s, d);
}

static bool put_advice(struct db *db, int64_t run, const struct db_run *r, struct diag *d)
{
    struct stmt s = stmt_of(db, "INSERT INTO advice VALUES (?,?,?,?,?,?,?,?)");
    for (uint32_t i = 0; i < r->nadvice; i++) {
        const struct db_advice *a = &r->advice[i];
        stmt_int(&s, run);
        stmt_int(&s, i);
        stmt_int(&s, a->kernel);
        stmt_int(&s, a->line);
        stmt_text(&s, a->rule);
        stmt_real(&s, a->gain);
        stmt_text(&s, a->what);
        stmt_text(&s, a->hint);
        stmt_run(&s);
    }
    return stmt_end(&s, d);
}

static bool put(struct db *db, const struct db_run *r, struct diag *d)
{
    int64_t trace = db_trace_row(db, r->trace, d);
    int64_t machine = trace ? machine_row(db, r->conf, d) : 0;
    int64_t run = machine ? run_row(db, r, trace, machine, d) : -1;
    if (run < 0)
        return false;
    if (run && r->status == DB_OK &&
        !(put_counters(db, run, r->result, d) && put_distributions(db, run, r, d) &&
          put_kernels(db, run, r->result, d) && put_tenants(db, run, r, d) && put_energy(db, run, r, d) &&
          put_advice(db, run, r, d)))
        return false;
    return point_row(db, &r->point, &r->key, d);
}

bool db_put_run(struct db *db, const struct db_run *r, struct diag *d)
{
    return db_start(db, d) && db_finish(db, put(db, r, d), d);
}

bool db_put_point(struct db *db, const struct db_point *p, const struct db_key *key, struct diag *d)
{
    return point_row(db, p, key, d);
}

bool db_find(struct db *db, const struct db_key *key, struct db_answer *out, struct diag *d)
{
    struct stmt s = stmt_of(
        db,
        "SELECT status, cycles, kernel_cycles, warp_insts, thread_insts, "
        "(SELECT sum(pj) FROM energy WHERE run = id), "
        "(SELECT value FROM counter WHERE run = id AND name = 'sample.insts'), "
        "(SELECT value FROM counter WHERE run = id AND name = 'sample.cycles_pm') FROM run WHERE key = ?");
    *out = (struct db_answer){.status = DB_MISSING};
    stmt_text(&s, key->text);
    if (stmt_row(&s)) {
        const char *status = stmt_column(&s, 0);
        out->status = strcmp(status, "ok") == 0         ? DB_OK
                      : strcmp(status, "deadlock") == 0 ? DB_DEADLOCK
                                                        : DB_REFUSED;
        out->cycles = (uint64_t)sqlite3_column_int64(s.s, 1);
        out->kernel_cycles = (uint64_t)sqlite3_column_int64(s.s, 2);
        out->warp_insts = (uint64_t)sqlite3_column_int64(s.s, 3);
        out->thread_insts = (uint64_t)sqlite3_column_int64(s.s, 4);
        out->energy_pj = sqlite3_column_double(s.s, 5);
        out->sampled_insts = (uint64_t)sqlite3_column_int64(s.s, 6);
        out->kernel_cycles_pm = (uint64_t)sqlite3_column_int64(s.s, 7);
    }
    return stmt_end(&s, d);
}

bool db_find_reason(struct db *db, const struct db_key *key, struct arena *a, const char **out,
                    struct diag *d)
{
    struct stmt s = stmt_of(db, "SELECT reason FROM run WHERE key = ?");
    stmt_text(&s, key->text);
    *out = "";
    if (stmt_row(&s)) {
        const char *text = stmt_column(&s, 0);
        *out = arena_strndup(a, text, strlen(text));
    }
    return stmt_end(&s, d);
}
