/* SPDX-License-Identifier: Apache-2.0 */
/* Recording: execution, classification, encoding, compression and writing together, into a file that is removed. */
#include "trace/write/record.h"
#include "bench.h"

#include <unistd.h>

static struct tr_recorder *open_recorder(char *path, size_t cap)
{
    const char *dir = getenv("TMPDIR");
    snprintf(path, cap, "%s/bankshot-bench-XXXXXX", dir && *dir ? dir : "/tmp");
    int fd = mkstemp(path);
    if (fd < 0)
        die(NULL, "cannot make a temporary file");
    close(fd);
    struct diag d = {0};
    struct tr_recorder *r =
        tr_recorder_new(path, &(struct tr_info){.program = "bench", .maker = "bench"}, &d);
    if (!r)
        die(&d, path);
    return r;
}

static uint64_t record_once(struct tr_recorder *r, struct job *j)
{
    struct exec_counts c = {0};
    struct exec_error e;
    if (tr_record_launch(r, j->dev, &j->launch, NULL, NULL, &c, &e) != EXEC_OK)
        die(NULL, e.text);
    return c.warp_insts;
}

static void finish(struct tr_recorder *r)
{
    struct diag d = {0};
    if (!tr_recorder_close(r, &d))
        die(&d, "the trace could not be written");
}

uint64_t record_to_file(struct job *j, char *path, size_t cap)
{
    struct tr_recorder *r = open_recorder(path, cap);
    uint64_t insts = record_once(r, j);
    finish(r);
    return insts;
}

/* The kernels in turn, each for the same number of instructions or a little more, into one trace. */
static double record_rate(struct job *jobs)
{
    enum { INSTS = 1 << 20 };
    char path[4096];
    uint64_t insts = 0;
    double start = now_s();
    struct tr_recorder *r = open_recorder(path, sizeof path);
    for (unsigned k = 0; k < BENCH_JOBS; k++) {
        for (uint64_t n = 0; n < INSTS;) {
            uint64_t did = record_once(r, &jobs[k]);
            n += did;
            insts += did;
        }
    }
    finish(r);
    double took = now_s() - start;
    unlink(path);
    return (double)insts / took;
}

void bench_record(const char *name)
{
    struct job jobs[BENCH_JOBS];
    double best = 0;
    for (unsigned k = 0; k < BENCH_JOBS; k++)
        bench_jobs[k].open(&jobs[k]);
    for (int run = 0; run < RUNS; run++) {
        double rate = record_rate(jobs);
        best = rate > best ? rate : best;
    }
    for (unsigned k = 0; k < BENCH_JOBS; k++)
        job_close(&jobs[k]);
    printf("bench %s %.2f Mwinst/s\n", name, best * 1e-6);
    fflush(stdout);
}

/* Every kernel once: no launch can lean on the one before it. */
void bench_trace_bytes(const char *name)
{
    char path[4096];
    uint64_t insts = 0;
    struct tr_recorder *r = open_recorder(path, sizeof path);
    for (unsigned k = 0; k < BENCH_JOBS; k++) {
        struct job j;
        bench_jobs[k].open(&j);
        insts += record_once(r, &j);
        tr_recorder_forget(r, j.code);
        job_close(&j);
    }
    finish(r);
    struct diag d = {0};
    struct tr_reader *t = tr_open(path, &d);
    if (!t)
        die(&d, path);
    printf("bench %s %.3f bytes/winst\n", name, (double)tr_file_bytes(t) / (double)insts);
    tr_free(t);
    unlink(path);
}
