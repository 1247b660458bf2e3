/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the benchmark share. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "exec/exec.h"
#include "ptx/ptx.h"
#include "trace/trace.h"

enum { RUNS = 5, BENCH_JOBS = 5 };
#define MIN_RUN_S 0.5 /* a run repeats its work until it took this long */

double now_s(void); /* of this thread's processor time */
void die(struct diag *d, const char *what) __attribute__((noreturn));

/* One kernel ready to be launched again and again. */
struct job {
    struct diag diag;
    struct ptx_module *ptx;
    struct exec_dev *dev;
    struct exec_module *mod;
    struct code *code;
    struct exec_launch launch;
    unsigned char params[64];
};

struct bench_job {
    const char *name;
    void (*open)(struct job *j);
};
extern const struct bench_job bench_jobs[BENCH_JOBS];
/* A kernel of kernels/FILE.ptx and its grid; parameters as the kernel declares them, laid out like a struct. */
void job_open(struct job *j, const char *file, const char *kernel, uint32_t gx, uint32_t gy, uint32_t bx,
              uint32_t by);
/* A module's text */
void job_open_text(struct job *j, const char *ptx, const char *kernel, uint32_t gx, uint32_t bx);
void job_params(struct job *j, const void *params, size_t n);
uint64_t job_floats(struct job *j, size_t n); /* device memory holding small floats */
void job_close(struct job *j);

/* record.c: launches with a recorder, trace file included. */
void bench_record(const char *name);
void bench_trace_bytes(const char *name);
/* The trace of one launch in a temporary file, whose name goes to `path`; returns warp instructions. */
uint64_t record_to_file(struct job *j, char *path, size_t cap);

/* import.c: Accel-Sim's text into a trace. */
void bench_import(const char *name);
void bench_import_text(const char *name);

/* timing.c: traces on the timing model. */
struct trace {
    char path[4096];
    struct tr_reader *reader;
    uint64_t insts;
};
struct trace *trace_of(struct job *j); /* closes the job */
void trace_free(struct trace *t);
void trace_replay(struct tr_reader *t, uint32_t sms, uint32_t threads); /* on volta */
struct trace *trace_vectoradd(uint32_t n);
struct trace *trace_gather(uint32_t per_row); /* a sparse matrix of 320 rows */
void bench_time_compute(const char *name);
void bench_time_memory(const char *name);
void bench_time_gather(const char *name);
void bench_threads2(const char *name);
void bench_time_sms(const char *name);
void bench_time_length(const char *name);

/* race.c: host instructions per warp instruction. */
void bench_race(const char *name);
void race_replay(const char *path); /* what is counted, in a process of its own */
/* The five traces, longer, as DIR/fma.bst and so on: tools/race */
void race_traces(const char *dir, bool raced);

#endif
