/* SPDX-License-Identifier: Apache-2.0 */
/* What a trace's streams add up to: one pass over them, in bounded memory. */
#ifndef CLI_WATCH_TRACE_STATS_H
#define CLI_WATCH_TRACE_STATS_H

#include "cli/watch/distinct.h"
#include "gpu/light.h"
#include "mem/mem.h"
#include "trace/trace.h"

enum { STAT_SPACES = SPACE_CONST + 1 /* NONE: lanes in different spaces */ };

struct space_stats {
    uint64_t requests;               /* warp accesses with a lane */
    uint64_t loads, stores, atomics; /* of them; an atomic is neither load nor store */
    uint64_t lanes;                  /* thread accesses */
    uint64_t bytes;                  /* of thread accesses */
    /* Global and local: different sectors of each request, summed. Local memory counts as interleaved by words. */
    uint64_t sectors;
    uint64_t passes; /* shared: most words in one bank of each request (32 banks of 4 bytes) */
    /* Different lines. Shared and constant: by their offsets, over all CTAs; local: of a warp's interleaved memory. */
    struct distinct lines;
};

/* Executions of one instruction of the code. */
struct insn_stats {
    uint64_t issues, lanes; /* those with a lane, and all their lanes */
    uint64_t requests;      /* accesses with a lane; the rest is of the first address set of each */
    uint64_t bytes;         /* of thread accesses */
    uint64_t sectors;       /* global, local: as above */
    uint64_t needed;        /* ... that would do if the lanes' bytes lay side by side */
    uint64_t passes;        /* shared: as above */
    uint64_t passes_needed; /* ... that would do if no two words shared a bank */
};

struct trace_stats {
    uint64_t warp_insts, thread_insts;
    uint64_t by_class[TC_COUNT];
    uint64_t threads_by_class[TC_COUNT];
    uint64_t by_active[4];     /* active lanes: none, 1 to 16, 17 to 31, all 32 */
    uint64_t branches, split;  /* conditional branches and exits; those that only a part of the lanes took */
    uint64_t values[TV_COUNT]; /* register words written */
    struct space_stats space[STAT_SPACES];
    double flops[LIGHT_KINDS];
    struct insn_stats *insns; /* of the launch's kernel, and nothing else is wanted; NULL: nobody asks */
    bool sums_only;           /* different lines are not counted */
};

/* launch UINT32_MAX: all. False after reporting what is damaged. */
bool trace_stats_get(struct trace_stats *s, struct tr_reader *r, uint32_t launch, struct diag *d);
/* One launch, by instruction: `rows`, all 0, one more than its kernel has instructions. False after reporting. */
bool trace_stats_insns(struct insn_stats *rows, struct tr_reader *r, uint32_t launch, struct diag *d);
void trace_stats_free(struct trace_stats *s);

const char *trace_space_name(unsigned space);
extern const char *const trace_value_names[TV_COUNT];

#endif
