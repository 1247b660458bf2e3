/* SPDX-License-Identifier: Apache-2.0 */
/* What a user may want to see of a run beside its result, and those who watch the run for that: a timeline, counters over time, a
 * profile of each program. */
#ifndef CLI_WATCH_WISHES_H
#define CLI_WATCH_WISHES_H

#include "cli/watch/pipeline.h"
#include "cli/watch/profile.h"
#include "cli/watch/timeline.h"
#include "cli/watch/watch.h"

enum { WISHES_EVERY = 500 };

struct wishes {
    struct timeline_opts line;
    uint32_t interval_cyc; /* 0: none */
    const char *interval_csv;
    bool profile;
    const char *profile_csv;
    struct pipeline_opts pipe;
};

#define WISHES_DEFAULT                                                                                       \
    {                                                                                                        \
        .line = {.sms = 4, .to = UINT64_MAX, .every = WISHES_EVERY}, .pipe = {                               \
            .launch = PIPELINE_ANY,                                                                          \
            .warps = PIPELINE_WARPS,                                                                         \
            .to = UINT64_MAX,                                                                                \
            .most = PIPELINE_MOST                                                                            \
        }                                                                                                    \
    }
#define WISHES_OPTS(u)                                                                                        \
    {"timeline",                                                                                              \
     CLI_OUT,                                                                                                 \
     &(u).line.path,                                                                                          \
     FILE_TIMELINE,                                                                                           \
     0,                                                                                                       \
     "FILE",                                                                                                  \
     "write what happened when, for Perfetto or chrome://tracing"},                                           \
        {"timeline-sms", CLI_U32, &(u).line.sms, 0, 512, "N", "SMs that it shows (default 4)"},               \
        {"timeline-from", CLI_U64, &(u).line.from, 0, 0, "CYCLE", "... from this cycle on"},                  \
        {"timeline-to", CLI_U64, &(u).line.to, 0, 0, "CYCLE", "... up to this cycle"},                        \
        {"timeline-every",                                                                                    \
         CLI_U32,                                                                                             \
         &(u).line.every,                                                                                     \
         1,                                                                                                   \
         1000000,                                                                                             \
         "N",                                                                                                 \
         "cycles between two samples of its counters (default 500)"},                                         \
        {"interval",                                                                                          \
         CLI_U32,                                                                                             \
         &(u).interval_cyc,                                                                                   \
         1,                                                                                                   \
         1000000000,                                                                                          \
         "N",                                                                                                 \
         "write what the counters grew by in every N cycles; the timeline's are the same"},                   \
        {"interval-csv",                                                                                      \
         CLI_OUT,                                                                                             \
         &(u).interval_csv,                                                                                   \
         FILE_INTERVAL_CSV,                                                                                   \
         0,                                                                                                   \
         "FILE",                                                                                              \
         "... to this file (default NAME.intervals.csv); - for standard output"},                             \
        {"profile",                                                                                           \
         CLI_FLAG,                                                                                            \
         &(u).profile,                                                                                        \
         0,                                                                                                   \
         0,                                                                                                   \
         NULL,                                                                                                \
         "print the code with issues, causes of waiting and conflicts beside it; --json has them too"},       \
        {"pipeline",                                                                                          \
         CLI_OUT,                                                                                             \
         &(u).pipe.path,                                                                                      \
         FILE_PIPELINE,                                                                                       \
         0,                                                                                                   \
         "FILE",                                                                                              \
         "write the stages and operands of single instructions: a log for Konata, or JSON (FILE.json)"},      \
        {"pipeline-sm", CLI_U32, &(u).pipe.sm, 0, 4095, "N", "... of this SM (default 0)"},                   \
        {"pipeline-launch", CLI_U32, &(u).pipe.launch, 0, 0, "N", "... of this launch only, counted from 0"}, \
        {"pipeline-warps",                                                                                    \
         CLI_U32,                                                                                             \
         &(u).pipe.warps,                                                                                     \
         1,                                                                                                   \
         65536,                                                                                               \
         "N",                                                                                                 \
         "... of the first N warps that issue (default 64)"},                                                 \
        {"pipeline-from", CLI_U64, &(u).pipe.from, 0, 0, "CYCLE", "... that issue from this cycle on"},       \
        {"pipeline-to",                                                                                       \
         CLI_U64,                                                                                             \
         &(u).pipe.to,                                                                                        \
         0,                                                                                                   \
         0,                                                                                                   \
         "CYCLE",                                                                                             \
         "... and before this one (default 2000 cycles after the first)"},                                    \
        {"pipeline-most", CLI_U32, &(u).pipe.most, 1, 1000000, "N", "... N at most (default 20000)"},         \
    {                                                                                                         \
        "profile-csv", CLI_OUT, &(u).profile_csv, FILE_PROFILE_CSV, 0, "FILE",                                \
            "write that, a row for each instruction; - for standard output"                                   \
    }

/* Do they agree with each other? Without --interval-csv the file of intervals gets this name. False after printing why not. */
struct cli_spec;
bool wishes_check(struct wishes *u, const char *interval_name, const struct cli_spec *s);
/* Is standard output taken by one of them? */
bool wishes_take_stdout(const struct wishes *u);

struct watchers {
    struct watch *all;
    struct timeline *line;
    struct interval_csv *interval;
    struct pipeline *pipe;
    struct profile *profiles[GPU_TENANTS]; /* by program; NULL: none is wanted */
};

/* Of n programs, which must outlive them. False after printing why; closed in any case. */
bool watchers_open(struct watchers *w, const struct wishes *u, const struct pipeline_head *h,
                   const struct gpu_conf *c, const struct watched *programs, uint32_t n);
const struct gpu_observer *watchers_observer(const struct watchers *w);
/* Completes what they write; r is NULL for a run without a result. The profiles stay. False after printing what could not be
 * written. */
bool watchers_close(struct watchers *w, const struct gpu_result *r);
void watchers_free(struct watchers *w);

#endif
