/* SPDX-License-Identifier: Apache-2.0 */
/* The timeline of random traces: nothing under its name before the end, slices of a track that do not overlap, the same file
 * on any number of threads, and cycles that agree with the counters. */
#include "cli/watch/timeline.h"
#include "gpu/wild.c" /* the random traces of the timing tests */

#include <fcntl.h>
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "play.h"

struct slice {
    json_int_t pid, tid, from, to;
};

static int by_track(const void *x, const void *y)
{
    const struct slice *a = x, *b = y;
    if (a->pid != b->pid)
        return a->pid < b->pid ? -1 : 1;
    if (a->tid != b->tid)
        return a->tid < b->tid ? -1 : 1;
    return a->from < b->from ? -1 : a->from > b->from;
}

static json_int_t whole(const json_t *e, const char *key)
{
    json_t *v = json_object_get(e, key);
    assert_true(json_is_integer(v));
    return json_integer_value(v);
}

static json_t *load(const char *path)
{
    json_error_t error;
    json_t *j = json_load_file(path, 0, &error);
    if (!j)
        fail_msg("%s:%d: %s", path, error.line, error.text);
    assert_true(json_is_array(json_object_get(j, "traceEvents")));
    return j;
}

/* Checks every track; returns the cycles of scheduler slices by name "issued", and the slices of CTAs. */
static void check_tracks(const json_t *j, uint64_t *issued, uint64_t *ctas, json_int_t from, json_int_t to)
{
    VEC(struct slice) all = {0};
    size_t i;
    json_t *e;
    *issued = *ctas = 0;
    json_array_foreach (json_object_get(j, "traceEvents"), i, e) {
        if (strcmp(json_string_value(json_object_get(e, "ph")), "X") != 0)
            continue;
        struct slice s = {.pid = whole(e, "pid"), .tid = whole(e, "tid"), .from = whole(e, "ts")};
        s.to = s.from + whole(e, "dur");
        assert_true(s.from < s.to && s.from >= from && s.to <= to);
        if (strcmp(json_string_value(json_object_get(e, "name")), "issued") == 0)
            *issued += (uint64_t)(s.to - s.from);
        *ctas += strncmp(json_string_value(json_object_get(e, "name")), "CTA ", 4) == 0;
        vec_push(&all, s);
    }
    assert_true(all.n != 0);
    qsort(all.at, all.n, sizeof *all.at, by_track);
    for (uint32_t k = 1; k < all.n; k++) {
        const struct slice *a = &all.at[k - 1], *b = &all.at[k];
        if (a->pid == b->pid && a->tid == b->tid && b->from < a->to)
            fail_msg("process %d track %d: a slice begins at %d, the one before it ends at %d", (int)a->pid,
                     (int)a->tid, (int)b->from, (int)a->to);
    }
    vec_free(&all);
}

/* The GPU's slices: launch latencies, and kernels that are their kernel cycles long. */
static void check_kernels(const json_t *j, const struct gpu_result *r)
{
    uint64_t latency = 0, kernels = 0;
    size_t i;
    json_t *e;
    json_array_foreach (json_object_get(j, "traceEvents"), i, e) {
        if (strcmp(json_string_value(json_object_get(e, "ph")), "X") != 0 || whole(e, "pid") != 1)
            continue;
        bool wait = strcmp(json_string_value(json_object_get(e, "name")), "launch latency") == 0;
        *(wait ? &latency : &kernels) += (uint64_t)whole(e, "dur");
    }
    assert_true(latency != 0);
    vec_each (&r->kernels, k) {
        latency -= k->begin - k->start;
        kernels -= gpu_kernel_cycles(k);
    }
    assert_int_equal(latency, 0);
    assert_int_equal(kernels, 0);
}

struct peek {
    const char *path;
    off_t size; /* before the run */
    uint32_t n, whole;
};

/* Between windows: a run that ended here would leave this file, which is the one from before. */
static void peek(void *ctx, uint64_t done, uint64_t of)
{
    struct peek *p = ctx;
    (void)done;
    (void)of;
    if (p->n++ % 64)
        return;
    struct stat st;
    assert_int_equal(stat(p->path, &st), 0);
    assert_int_equal(st.st_size, p->size);
    p->whole++;
}

static struct gpu_result draw(const char *trace, const char *to, struct timeline_opts o, uint32_t threads)
{
    struct diag d = {0};
    struct gpu_conf c;
    struct gpu_result r;
    struct stat before;
    assert_int_equal(stat(to, &before), 0);
    struct peek p = {.path = to, .size = before.st_size};
    const struct play_machine m = {"", "volta", {"gpu.sms=4", "mem.slices=8", "mem.channels=4"}};
    struct tr_reader *t = tr_open(trace, &d);
    assert_true(t && play_load(&c, &m, "gto", &d));
    o.path = to;
    const struct watched program = {"random", t};
    struct timeline *line = timeline_open(&o, &c, &program, 1);
    assert_non_null(line);
    struct gpu_opts g = {.threads = threads, .progress = peek, .ctx = &p, .watch = timeline_observer(line)};
    assert_int_equal(gpu_run(&c, t, &g, &r, &d), GPU_OK);
    assert_true(p.whole != 0);
    assert_true(timeline_close(line));
    tr_free(t);
    conf_free(&c.conf);
    diag_free(&d);
    return r;
}

static bool equal(const char *a, const char *b)
{
    FILE *x = fopen(a, "r"), *y = fopen(b, "r");
    int c, k;
    do {
        c = fgetc(x);
        k = fgetc(y);
    } while (c == k && c != EOF);
    fclose(x);
    fclose(y);
    return c == k;
}

static void wild(enum wild_kind kind, uint64_t seed)
{
    char trace[256], a[256], b[256];
    uint64_t issued, ctas;
    play_path(trace);
    play_path(a);
    play_path(b);
    wild_write(trace, seed, kind);
    struct timeline_opts o = {.sms = 4, .to = UINT64_MAX, .every = 100};
    struct gpu_result r = draw(trace, a, o, 1), s = draw(trace, b, o, 3);
    json_t *j = load(a);
    check_tracks(j, &issued, &ctas, 0, (json_int_t)r.cycles);
    check_kernels(j, &r);
    assert_int_equal(issued, r.sm[SS_issued]);
    assert_int_equal(ctas, r.sm[SS_ctas]);
    assert_int_equal(s.cycles, r.cycles);
    assert_true(equal(a, b));
    json_decref(j);
    gpu_result_free(&s);

    /* A part of it. */
    o = (struct timeline_opts){.sms = 1, .from = r.cycles / 4, .to = r.cycles / 2, .every = 100};
    s = draw(trace, b, o, 1);
    assert_int_equal(s.cycles, r.cycles);
    j = load(b);
    check_tracks(j, &issued, &ctas, (json_int_t)o.from, (json_int_t)o.to);
    json_decref(j);
    gpu_result_free(&s);
    gpu_result_free(&r);
    unlink(trace);
    unlink(a);
    unlink(b);
}

static void anything(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 3; seed++)
        wild(WILD_ANY, seed);
}

static void memory(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 3; seed++)
        wild(WILD_MEMORY, seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(anything), cmocka_unit_test(memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
