/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a results database: refused with a message, or read to the last row of every table and view, made a page of and
 * written to; no crash, no hang, and no markup from the file in the page. Input: bytes of a file, or, after a first byte of 1,
 * changes of a sound one: page, offset (2 bytes), value. Tables that pass the checks of their shape are far more often reached
 * that way. */
#include "cli/view/report.h"
#include "db/db.h"
#include "gpu/gpu.h"

#include <sqlite3.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PAGE_B = 4096, MAX_ROWS = 2000, MAX_STEPS = 2000000 };

static struct {
    char dir[64], path[96];
    struct gpu_conf conf;
    struct tr_reader *trace;
    struct gpu_result result;
    uint8_t *image; /* of a sound database */
    size_t n;
} rig;

static void write_trace(const char *path)
{
    struct diag d = {0};
    struct tr_insn end = {.cls = TC_EXIT, .target = TR_NO_TARGET, .text = "EXIT"};
    struct tr_kernel *k = xcalloc(1, sizeof *k);
    *k = (struct tr_kernel){.name = "end", .file = "", .n = 1, .insns = &end, .regs = 16, .nblocks = 1};
    k->blocks = ARENA_NEW(&k->arena, struct tr_block);
    *k->blocks = (struct tr_block){.n = 1, .ipdom = UINT32_MAX};
    struct tr_info info = {.program = "end", .maker = "fuzz"};
    struct tr_writer *w = tr_create(path, &info, &d);
    if (!w)
        abort();
    tr_add_kernel(w, k);
    struct tr_launch l = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
    tr_begin_launch(w, &l);
    tr_begin_cta(w, 0);
    tr_insn(w, 0, 0, 0, ~0u, SPACE_NONE, NULL, NULL);
    tr_end_cta(w, 0);
    tr_end_launch(w, true);
    if (!tr_close(w, &d))
        abort();
    tr_kernel_free(k);
}

static void put(struct db *db, const char *mechs)
{
    struct diag d = {0};
    struct db_key machine = db_machine_key(&rig.conf);
    struct db_run run = {.point = {"end", "", 0, "volta", mechs, ""},
                         .key = db_run_key(tr_identity(rig.trace), &machine),
                         .trace = rig.trace,
                         .conf = &rig.conf,
                         .result = &rig.result,
                         .version = "0"};
    db_put_run(db, &run, &d);
    static const uint64_t cycles[] = {3, 4};
    static const char *const causes[] = {"issued", "stall_alu"};
    struct db_insn insn = {.text = "EXIT", .source = "ret;", .causes = cycles};
    struct db_profile profile = {.insns = &insn, .n = 1, .causes = causes, .ncauses = 2};
    struct db_claim claim = {.id = "a.b", .paper = "a", .text = "c", .unit = "%", .why = ""};
    db_put_profile(db, &run.key, &profile, &d);
    db_put_claims(db, &claim, 1, &d);
    diag_free(&d);
}

static void read_image(void)
{
    FILE *f = fopen(rig.path, "rb");
    if (!f || fseek(f, 0, SEEK_END) != 0)
        abort();
    rig.n = (size_t)ftell(f);
    rig.image = xmalloc(rig.n);
    rewind(f);
    if (fread(rig.image, 1, rig.n, f) != rig.n)
        abort();
    fclose(f);
}

static void clean(void)
{
    static const char *const ends[] = {"", "-wal", "-shm", "-journal"};
    char path[128];
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        snprintf(path, sizeof path, "%s%s", rig.path, ends[i]);
        unlink(path);
    }
}

static void leave(void)
{
    char trace[128];
    clean();
    snprintf(trace, sizeof trace, "%s/t.bst", rig.dir);
    unlink(trace);
    rmdir(rig.dir);
}

static void start(void)
{
    struct diag d = {0};
    char trace[128];
    strcpy(rig.dir,
           access("/dev/shm", W_OK) == 0 ? "/dev/shm/bankshot-fuzz-XXXXXX" : "/tmp/bankshot-fuzz-XXXXXX");
    if (!mkdtemp(rig.dir))
        abort();
    snprintf(rig.path, sizeof rig.path, "%s/x.db", rig.dir);
    snprintf(trace, sizeof trace, "%s/t.bst", rig.dir);
    write_trace(trace);
    gpu_conf_init(&rig.conf);
    conf_set(&rig.conf.conf, "gpu.sms=1", CONF_USER, &d);
    rig.trace = tr_open(trace, &d);
    struct gpu_opts o = {.threads = 1};
    if (!rig.trace || gpu_run(&rig.conf, rig.trace, &o, &rig.result, &d) != GPU_OK)
        abort();
    struct db *db = db_open(rig.path, DB_WRITE, &d);
    if (!db)
        abort();
    put(db, "base");
    put(db, "twin");
    db_close(db);
    read_image();
    atexit(leave);
}

static void write_input(const uint8_t *data, size_t size)
{
    FILE *f = fopen(rig.path, "wb");
    if (!f)
        abort();
    if (size && data[0] == 1) {
        uint8_t *copy = xmalloc(rig.n);
        memcpy(copy, rig.image, rig.n);
        for (size_t i = 1; i + 4 <= size; i += 4)
            copy[((size_t)data[i] * PAGE_B + (data[i + 1] | (size_t)data[i + 2] << 8) % PAGE_B) % rig.n] =
                data[i + 3];
        fwrite(copy, 1, rig.n, f);
        free(copy);
    } else if (size) {
        fwrite(data, 1, size, f);
    }
    fclose(f);
}

static int enough(void *left) { return --*(int *)left < 0; }

static void read_all(struct db *db)
{
    static const char *const names[] = {"trace",  "trace_kernel", "trace_launch", "trace_fact",    "machine",
                                        "option", "run",          "counter",      "distribution",  "kernel",
                                        "energy", "point",        "result",       "speedup",       "stall",
                                        "wide",   "ratio",        "profile",      "profile_stall", "claim"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[64];
        sqlite3_stmt *s = NULL;
        snprintf(text, sizeof text, "SELECT * FROM %s LIMIT %d", names[i], MAX_ROWS);
        if (sqlite3_prepare_v2(db_sql(db), text, -1, &s, NULL) == SQLITE_OK)
            while (sqlite3_step(s) == SQLITE_ROW)
                for (int c = 0; c < sqlite3_column_count(s); c++)
                    (void)sqlite3_column_text(s, c);
        sqlite3_finalize(s);
    }
}

static void make_page(struct db *db)
{
    struct diag d = {0};
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    if (!f)
        abort();
    bool ok = report_data(db, NULL, f, &d);
    if (fclose(f) != 0 || memchr(text, '<', n) || (!ok && !d.errors))
        __builtin_trap();
    free(text);
    diag_free(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!rig.image)
        start();
    clean();
    write_input(data, size);
    struct diag d = {0};
    struct db *db = db_open(rig.path, size & 1 ? DB_READ : DB_WRITE, &d);
    if (!db && !d.errors)
        __builtin_trap();
    if (db) {
        int left = MAX_STEPS / 1000;
        sqlite3_progress_handler(db_sql(db), 1000, enough, &left);
        read_all(db);
        make_page(db);
        put(db, "again");
        db_close(db);
    }
    diag_free(&d);
    return 0;
}
