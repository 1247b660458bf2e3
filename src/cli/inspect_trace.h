/* SPDX-License-Identifier: Apache-2.0 */
/* bankshot inspect on a trace: tables, JSON, static code, one warp's stream. */
#ifndef CLI_INSPECT_TRACE_H
#define CLI_INSPECT_TRACE_H

#include "cli/watch/trace_stats.h"

struct inspect_trace_opts {
    bool code, json, interwarp;
    const char *launch; /* number, or NULL: all */
    const char *stream; /* CTA,WARP or NULL */
    bool counts;
    uint32_t launches; /* with counts: the first so many, 0: all */
    bool regions;
    bool reuse;
    const char *share; /* with reuse: percent, or NULL: all */
    uint32_t near;     /* with reuse: 0: 12 */
    bool partial_ok;
};

int cli_inspect_trace(const char *path, const struct inspect_trace_opts *o);

/* inspect_counts.c. launch UINT32_MAX: the first so many launches, 0: all. */
int inspect_counts(struct tr_reader *r, uint32_t launch, uint32_t first);
/* inspect_json.c. launch UINT32_MAX: all. */
int inspect_json(struct tr_reader *r, uint32_t launch, const struct trace_stats *s);
/* inspect_regions.c */
int inspect_regions(struct tr_reader *r, uint32_t launch);
/* inspect_reuse.c */
int inspect_reuse(struct tr_reader *r, uint32_t launch, const char *share, uint32_t near);
/* inspect_stream.c: every instruction of one warp. */
int inspect_stream(struct tr_reader *r, uint32_t launch, uint32_t cta, uint32_t warp);
/* interwarp.c: requests left as the window of merging grows. */
int inspect_interwarp(struct tr_reader *r, uint32_t launch);

#endif
