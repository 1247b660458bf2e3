/* SPDX-License-Identifier: Apache-2.0 */
/* A run as a picture: trace events in JSON, as Perfetto and Chrome's tracing page read them. One microsecond there is one core
 * cycle here.
 *
 * The GPU is a process with kernels and sampled counters, apart for each program where several run; each watched SM is one with a
 * track per scheduler (what its cycles were charged to, equal neighbours merged), per CTA slot, and a few for loads from issue to
 * last data. The file is written as the run goes and is complete JSON after every write, so a run that is killed leaves one that
 * opens. */
#ifndef CLI_WATCH_TIMELINE_H
#define CLI_WATCH_TIMELINE_H

#include "cli/watch/watch.h"

struct timeline_opts {
    const char *path;
    uint32_t sms;      /* the first so many are watched */
    uint64_t from, to; /* cycles that are shown */
    uint32_t every;    /* cycles between two samples of the counters */
};

struct timeline;
/* NULL after printing why. The configuration and the programs must outlive it. */
struct timeline *timeline_open(const struct timeline_opts *o, const struct gpu_conf *c,
                               const struct watched *programs, uint32_t n);
const struct gpu_observer *timeline_observer(const struct timeline *t);
/* Completes the file and frees. False after printing why it could not be written. */
bool timeline_close(struct timeline *t);

#endif
