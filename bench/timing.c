/* SPDX-License-Identifier: Apache-2.0 */
/* The timing model: traces on volta, per core. Rates are of processor time, since other work on the machine would show in
 * anything else; threads2 compares times on the clock and means something on an idle machine only. */
#include "base/rng.h"
#include "bench.h"
#include "gpu/gpu.h"

#include <time.h>
#include <unistd.h>

enum { TIME_RUNS = 3 };

static double clock_s(clockid_t which)
{
    struct timespec t;
    clock_gettime(which, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct trace *trace_of(struct job *j)
{
    struct trace *t = xcalloc(1, sizeof *t);
    struct diag d = {0};
    t->insts = record_to_file(j, t->path, sizeof t->path);
    job_close(j);
    t->reader = tr_open(t->path, &d);
    if (!t->reader)
        die(&d, t->path);
    return t;
}

void trace_free(struct trace *t)
{
    tr_free(t->reader);
    unlink(t->path);
    free(t);
}

/* All-pairs forces, compute-bound: CTAs of four warps, each over `bodies` bodies. */
static struct trace *compute(uint32_t ctas, uint32_t bodies)
{
    struct job j;
    job_open(&j, "nbody", "nbody", ctas, 1, 128, 1);
    size_t n = 4 * (size_t)(ctas * 128 > bodies ? ctas * 128 : bodies);
    struct {
        uint64_t pos, acc;
        int n;
        float eps2;
    } p = {job_floats(&j, n), job_floats(&j, n), (int)bodies, 0.01f};
    job_params(&j, &p, sizeof p);
    return trace_of(&j);
}

/* Streams through three arrays that no cache holds. */
struct trace *trace_vectoradd(uint32_t n)
{
    struct job j;
    job_open(&j, "vectoradd", "vectoradd", n / 256, 1, 256, 1);
    struct {
        uint64_t a, b, c;
        int n;
    } p = {job_floats(&j, n), job_floats(&j, n), job_floats(&j, n), (int)n};
    job_params(&j, &p, sizeof p);
    return trace_of(&j);
}

/* A sparse matrix, a warp per row, with columns all over a vector that no cache holds: 32 loads from as many lines, and few
 * warps to hide what they wait for. */
struct trace *trace_gather(uint32_t per_row)
{
    enum { ROWS = 320, COLS = 1 << 24 };
    const uint32_t n = ROWS * per_row;
    struct job j;
    job_open(&j, "spmv", "spmv_vector", ROWS / 4, 1, 128, 1);
    struct {
        uint64_t start, col, val, x, y;
        int rows;
    } p = {exec_alloc(j.dev, 4 * (ROWS + 1)),
           exec_alloc(j.dev, 4 * (size_t)n),
           job_floats(&j, n),
           job_floats(&j, COLS),
           job_floats(&j, ROWS),
           ROWS};
    uint32_t *start = exec_ptr(j.dev, p.start, 4 * (ROWS + 1)), *col = exec_ptr(j.dev, p.col, 4 * (size_t)n);
    if (!start || !col)
        die(NULL, "no device memory");
    for (uint32_t r = 0; r <= ROWS; r++)
        start[r] = r * per_row;
    struct rng rng = {1};
    for (uint32_t i = 0; i < n; i++)
        col[i] = rng_below(&rng, COLS);
    job_params(&j, &p, sizeof p);
    return trace_of(&j);
}

void trace_replay(struct tr_reader *t, uint32_t sms, uint32_t threads)
{
    struct diag d = {0};
    struct gpu_conf c;
    struct gpu_result r;
    char set[32];
    gpu_conf_init(&c);
    snprintf(set, sizeof set, "gpu.sms=%u", sms);
    if (!conf_read(&c.conf, CONF_DIR "/gpus/volta.ini", CONF_PRESET, &d) ||
        !conf_set(&c.conf, set, CONF_USER, &d))
        die(&d, "volta");
    if (gpu_run(&c, t, &(struct gpu_opts){.threads = threads}, &r, &d) != GPU_OK)
        die(&d, "the trace could not be replayed");
    gpu_result_free(&r);
    conf_free(&c.conf);
    diag_free(&d);
}

/* Seconds of one clock. */
static double once(const struct trace *t, uint32_t sms, uint32_t threads, clockid_t clock)
{
    double start = clock_s(clock);
    trace_replay(t->reader, sms, threads);
    return clock_s(clock) - start;
}

/* Processor time per warp instruction, in nanoseconds: the best of several runs. */
static double cost(const struct trace *t, uint32_t sms, uint32_t runs)
{
    double best = 1e9;
    for (uint32_t i = 0; i < runs; i++) {
        double took = once(t, sms, 1, CLOCK_PROCESS_CPUTIME_ID);
        best = took < best ? took : best;
    }
    return best * 1e9 / (double)t->insts;
}

static void rate(const char *name, struct trace *t)
{
    printf("bench %s %.2f Mwinst/s\n", name, 1e3 / cost(t, 80, TIME_RUNS));
    fflush(stdout);
    trace_free(t);
}

void bench_time_compute(const char *name) { rate(name, compute(640, 128)); }
void bench_time_memory(const char *name) { rate(name, trace_vectoradd(1 << 22)); }
void bench_time_gather(const char *name) { rate(name, trace_gather(2048)); }

void bench_threads2(const char *name)
{
    struct trace *t = compute(640, 128);
    double best[2] = {1e9, 1e9};
    for (uint32_t i = 0; i < 2 * TIME_RUNS; i++) {
        double took = once(t, 80, 1 + i % 2, CLOCK_MONOTONIC);
        best[i % 2] = took < best[i % 2] ? took : best[i % 2];
    }
    printf("bench %s %.2f times\n", name, best[0] / best[1]);
    fflush(stdout);
    trace_free(t);
}

/* Cost of an instruction on 80 SMs against one, with the same work for every SM. */
void bench_time_sms(const char *name)
{
    struct trace *one = compute(8, 1024), *all = compute(640, 128);
    double base = cost(one, 1, TIME_RUNS);
    printf("bench %s %.2f times\n", name, cost(all, 80, TIME_RUNS) / base);
    fflush(stdout);
    trace_free(one);
    trace_free(all);
}

/* Cost of an instruction in a long run against a short one. */
void bench_time_length(const char *name)
{
    struct trace *brief = compute(160, 128), *lengthy = compute(640, 512);
    double base = cost(brief, 80, TIME_RUNS);
    printf("bench %s %.2f times\n", name, cost(lengthy, 80, 1) / base);
    fflush(stdout);
    trace_free(brief);
    trace_free(lengthy);
}
