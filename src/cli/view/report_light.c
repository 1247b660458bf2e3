/* SPDX-License-Identifier: Apache-2.0 */
/* Speed of light and occupancy of a database's runs, for the page: the machine is made anew from its options, and asked what run
 * asks it. A machine that is not whole (of another version, or damaged) has no rows. */
#include "cli/cli.h"
#include "cli/view/occupancy_tell.h"
#include "cli/view/report_put.h"
#include "gpu/light.h"

#include <math.h>

enum { KERNELS = 3 }; /* of a run: those with the most cycles */

static bool make_machine(struct db *db, int64_t machine, struct gpu_conf *c)
{
    struct diag mine = {0};
    struct stmt s = stmt_of(db, "SELECT name || '=' || value FROM option WHERE machine = ?");
    bool ok = true;
    gpu_conf_init(c);
    stmt_int(&s, machine);
    while (ok && stmt_row(&s))
        ok = conf_set(&c->conf, stmt_column(&s, 0), CONF_USER, &mine);
    ok = stmt_end(&s, &mine) && ok && gpu_conf_check(c, &mine);
    diag_free(&mine); /* it has no rows: the page says so */
    return ok;
}

/* The counters that light_of reads, by name. */
static void read_counters(struct db *db, int64_t run, struct gpu_result *r, struct diag *d)
{
    struct stmt s = stmt_of(db, "SELECT name, value FROM counter WHERE run = ?");
    stmt_int(&s, run);
    while (stmt_row(&s)) {
        const char *name = stmt_column(&s, 0);
        uint64_t v = (uint64_t)sqlite3_column_int64(s.s, 1);
        for (uint32_t i = 0; strncmp(name, "sm.", 3) == 0 && i < sm_stats.n; i++)
            if (strcmp(name + 3, sm_stats.rows[i].name) == 0)
                r->sm[i] = v;
        for (uint32_t i = 0; strncmp(name, "mem.", 4) == 0 && i < mem_stats.n; i++)
            if (strcmp(name + 4, mem_stats.rows[i].name) == 0)
                r->mem[i] = v;
    }
    stmt_end(&s, d);
}

static void put_number(FILE *to, double v)
{
    if (isfinite(v))
        fprintf(to, ",%.6g", v);
    else
        fputs(",null", to);
}

/* [kernel, CTAs, CTAs of an SM, warps of an SM, slots, what limits them, waves, idle SMs], those with the most cycles first. */
static void put_kernels(FILE *to, struct db *db, int64_t run, const struct gpu_conf *c, struct diag *d)
{
    struct occupancy_of *of = occupancy_open(c);
    struct stmt s =
        stmt_of(db, "SELECT l.kernel, l.ctas, l.threads, l.shared_b, t.regs FROM kernel k JOIN run r ON "
                    "r.id = k.run JOIN trace_launch l ON l.trace = r.trace AND l.launch = k.launch JOIN "
                    "trace_kernel t ON t.trace = r.trace AND t.kernel = l.kernel WHERE k.run = ? GROUP BY "
                    "l.kernel, l.ctas, l.threads, l.shared_b ORDER BY sum(k.kernel_cycles) DESC, l.kernel "
                    "LIMIT ?");
    bool first = true;
    stmt_int(&s, run);
    stmt_int(&s, KERNELS);
    fputs(",[", to);
    while (stmt_row(&s)) {
        int64_t v[5];
        for (int i = 0; i < 5; i++)
            v[i] = sqlite3_column_int64(s.s, i);
        if (v[1] < 0 || v[2] < 1 || v[2] > 1024 || v[3] < 0 || v[3] > UINT32_MAX || v[4] < 0 || v[4] > 255)
            continue;
        struct occupancy o = occupancy_get(of, &(struct occupancy_ask){.threads = (uint32_t)v[2],
                                                                       .regs = (uint32_t)v[4],
                                                                       .shared_b = (uint32_t)v[3],
                                                                       .ctas = (uint64_t)v[1]});
        char by[128];
        fprintf(to, "%s[%lld,%lld,%u,%u,%u,", first ? "" : ",", (long long)v[0], (long long)v[1], o.ctas,
                o.warps, o.slots);
        put_text(to, occupancy_limited_by(&o, by, sizeof by));
        put_number(to, o.ctas ? o.waves : NAN);
        fprintf(to, ",%u]", o.idle_sms);
        first = false;
    }
    fputc(']', to);
    stmt_end(&s, d);
    occupancy_close(of);
}

static void put_run(FILE *to, struct db *db, int64_t run, uint64_t kernel_cycles, const struct gpu_conf *c,
                    struct diag *d)
{
    struct gpu_result r = {.kernel_cycles = kernel_cycles};
    read_counters(db, run, &r, d);
    struct light l = light_of(c, &r, NULL);
    fprintf(to, "[%lld", (long long)run);
    put_number(to, l.seconds);
    for (uint32_t i = 0; i < LU_COUNT; i++)
        put_number(to, l.unit[i].share);
    put_number(to, l.unit[LU_DRAM].rate);
    fputs(",[", to); /* operations in a cycle */
    for (uint32_t i = 0; i < LIGHT_KINDS; i++)
        fprintf(to, "%s%.6g", i ? "," : "", light_roof(c, (enum light_kind)i) / (c->gpu.core_mhz * 1e6));
    fputc(']', to);
    put_kernels(to, db, run, c, d);
    fputc(']', to);
}

/* {"units": [name, ...], "rows": [[run, seconds, share of each unit, ...,
 * bytes of DRAM in a second, [operations in a cycle by kind],
 * kernels], ...], "kinds": [name, ...]} */
bool report_put_light(FILE *to, struct db *db, struct diag *d)
{
    struct stmt s = stmt_of(
        db, "SELECT id, machine, kernel_cycles FROM run WHERE status = 'ok' AND id IN (SELECT run FROM "
            "point) ORDER BY machine, id");
    struct gpu_conf c;
    int64_t machine = -1;
    bool whole = false, first = true;
    fputs("{\"units\":[", to);
    for (uint32_t i = 0; i < LU_COUNT; i++) {
        fputs(i ? ",[" : "[", to);
        put_text(to, light_units[i].name);
        fputc(',', to);
        put_text(to, light_units[i].what);
        fputc(']', to);
    }
    fputs("],\"kinds\":[", to);
    for (uint32_t i = 0; i < LIGHT_KINDS; i++) {
        fputs(i ? "," : "", to);
        put_text(to, light_kinds[i]);
    }
    fputs("],\"rows\":[", to);
    while (stmt_row(&s)) {
        int64_t of = sqlite3_column_int64(s.s, 1), cycles = sqlite3_column_int64(s.s, 2);
        if (of != machine && machine != -1)
            conf_free(&c.conf);
        if (of != machine)
            whole = make_machine(db, of, &c);
        machine = of;
        if (!whole || cycles <= 0)
            continue;
        fputs(first ? "\n" : ",\n", to);
        put_run(to, db, sqlite3_column_int64(s.s, 0), (uint64_t)cycles, &c, d);
        first = false;
    }
    if (machine != -1)
        conf_free(&c.conf);
    fputs("]}", to);
    return stmt_end(&s, d);
}
