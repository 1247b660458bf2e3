/* SPDX-License-Identifier: Apache-2.0 */
#include "rig.h"

#include <dirent.h>
#include <sqlite3.h>
#include <unistd.h>

/* Two CTAs of two warps: three dependent additions and the end. */
static void write_trace(const char *path)
{
    struct diag d = {0};
    struct tr_insn insns[4];
    for (uint32_t i = 0; i < 4; i++) {
        struct tr_opnd reg = {.kind = TO_REG, .n = 1, .val = 2};
        insns[i] = (struct tr_insn){
            .cls = i < 3 ? TC_FP32 : TC_EXIT, .target = TR_NO_TARGET, .pc = 16 * i, .text = "X"};
        if (i < 3) {
            insns[i].src[insns[i].nsrc++] = reg;
            insns[i].dst[insns[i].ndst++] = reg;
        }
    }
    struct tr_kernel *k = xcalloc(1, sizeof *k);
    *k = (struct tr_kernel){
        .name = "adds", .file = "", .n = 4, .insns = insns, .regs = 17, .shared_b = 256, .nblocks = 1};
    k->blocks = ARENA_NEW(&k->arena, struct tr_block);
    *k->blocks = (struct tr_block){.n = 4, .ipdom = UINT32_MAX};
    struct tr_info info = {.program = "adds --odd \xff", .maker = "test"};
    struct tr_writer *w = tr_create(path, &info, &d);
    tr_add_kernel(w, k);
    struct tr_launch l = {.grid = {2, 1, 1}, .block = {64, 1, 1}, .dyn_shared_b = 100};
    tr_begin_launch(w, &l);
    for (uint32_t c = 0; c < 2; c++) {
        tr_begin_cta(w, c);
        for (uint32_t i = 0; i < 8; i++) {
            uint8_t values[TR_DSTS * 4] = {0};
            tr_insn(w, c, i & 1, i / 2, ~0u, SPACE_NONE, NULL, values);
        }
        tr_end_cta(w, c);
    }
    tr_end_launch(w, true);
    bool ok = tr_close(w, &d);
    if (!ok)
        abort();
    tr_kernel_free(k);
}

void rig_start(struct rig *r)
{
    struct diag d = {0};
    memset(r, 0, sizeof *r);
    strcpy(r->dir, "/tmp/bankshot-db-XXXXXX");
    if (!mkdtemp(r->dir))
        abort();
    snprintf(r->db, sizeof r->db, "%s/results.db", r->dir);
    snprintf(r->trace, sizeof r->trace, "%s/adds.bst", r->dir);
    write_trace(r->trace);
    gpu_conf_init(&r->conf);
    bool ok = conf_set(&r->conf.conf, "gpu.sms=2", CONF_PRESET, &d) &&
              conf_set(&r->conf.conf, "gpu.launch_cyc=1000", CONF_PRESET, &d);
    r->reader = tr_open(r->trace, &d);
    if (!ok || !r->reader)
        abort();
    struct gpu_opts o = {.threads = 1};
    enum gpu_status s = gpu_run(&r->conf, r->reader, &o, &r->result, &d);
    if (s != GPU_OK)
        abort();
    diag_free(&d);
}

void rig_stop(struct rig *r)
{
    tr_free(r->reader);
    gpu_result_free(&r->result);
    conf_free(&r->conf.conf);
    DIR *dir = opendir(r->dir);
    for (struct dirent *e; (e = readdir(dir));) {
        char path[400];
        snprintf(path, sizeof path, "%s/%s", r->dir, e->d_name);
        unlink(path);
    }
    closedir(dir);
    rmdir(r->dir);
}

struct db *rig_open(struct rig *r)
{
    struct diag d = {0};
    struct db *db = db_open(r->db, DB_WRITE, &d);
    diag_print(&d, stderr);
    if (!db)
        abort();
    diag_free(&d);
    return db;
}

struct db_key rig_key(struct rig *r, uint64_t other)
{
    struct db_key machine = db_machine_key(&r->conf);
    uint64_t trace = tr_identity(r->reader) + other;
    return db_run_key(&trace, 1, &machine);
}

void rig_put(struct rig *r, struct db *db, const char *workload, const char *mechs, const char *set)
{
    struct diag d = {0};
    if (set && !conf_set(&r->conf.conf, set, CONF_USER, &d))
        abort();
    struct db_run run = {.point = {workload, "small", 0, "volta", mechs, "", false, false},
                         .key = rig_key(r, 0),
                         .trace = r->reader,
                         .conf = &r->conf,
                         .result = &r->result,
                         .version = "1"};
    bool ok = db_put_run(db, &run, &d);
    diag_print(&d, stderr);
    if (!ok)
        abort();
    diag_free(&d);
}

double rig_ask(struct db *db, const char *sql)
{
    sqlite3_stmt *s = NULL;
    double v = -1;
    if (sqlite3_prepare_v2(db_sql(db), sql, -1, &s, NULL) != SQLITE_OK)
        fprintf(stderr, "%s: %s\n", sql, sqlite3_errmsg(db_sql(db)));
    else if (sqlite3_step(s) == SQLITE_ROW && sqlite3_column_type(s, 0) != SQLITE_NULL)
        v = sqlite3_column_double(s, 0);
    sqlite3_finalize(s);
    return v;
}

const char *rig_refusal(const char *path, char *buf, size_t cap)
{
    struct diag d = {0};
    struct db *db = db_open(path, DB_READ, &d);
    snprintf(buf, cap, "%s", d.n ? d.msg[0].text : "");
    if (!db && !d.n)
        snprintf(buf, cap, "refused without a message");
    db_close(db);
    diag_free(&d);
    return buf;
}
