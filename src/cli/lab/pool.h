/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs in processes of their own, a few at a time. If stderr is a terminal one line there tells how far they are; if not, there
 * is a line for each job that has ended: "[12/288] sgemm volta rba". A job that crashes takes nothing else with it. When this
 * process dies, by whatever signal, its jobs die too. */
#ifndef CLI_LAB_POOL_H
#define CLI_LAB_POOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct pool {
    uint32_t n;       /* jobs */
    uint32_t at_once; /* 0: as many as there are processors */
    bool quiet;       /* no such lines */
    const char *what; /* "runs" */
    void (*name)(void *ctx, uint32_t job, FILE *to);
    const uint64_t *weight; /* by job: how much work; the heaviest start first. NULL: all alike */
    /* By job: those of a lower rank start first, whatever their weight. NULL: all alike */
    const uint32_t *rank;
    /* Jobs that have not ended after so many seconds are ended, and the others not begun; 0: no limit */
    double limit_s;
    /* In the child; returns its exit status. It may tell how much of its weight is done. */
    int (*work)(void *ctx, uint32_t job, _Atomic uint64_t *done);
    /* In this process, as jobs end: the status as a shell has it, 128 + signal for one that was killed. */
    void (*ended)(void *ctx, uint32_t job, int status);
    void *ctx;
};

/* How it ended. */
struct pool_end {
    int stopped; /* by that signal, else 0 */
    bool late;   /* by limit_s: some jobs were ended, or not begun */
};

/* False after a message: no job could be started. Sent a signal that would end this process (interrupt, hang-up, terminate), it
 * ends the jobs and returns false with the signal in end->stopped, for the caller to clean up and raise it. */
bool pool_run(const struct pool *p, struct pool_end *end);
double pool_now_s(void);        /* of a clock that only goes on */
uint32_t pool_processors(void); /* that this process may use */

#endif
