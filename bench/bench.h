/* What the files of the benchmark share. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "exec/exec.h"
#include "ptx/ptx.h"

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
void job_close(struct job *j);

/* record.c: launches with a recorder, trace file included. */
void bench_record(const char *name);
void bench_trace_bytes(const char *name);

#endif
