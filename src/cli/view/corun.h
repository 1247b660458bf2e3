/* SPDX-License-Identifier: Apache-2.0 */
/* What bankshot corun tells of programs that had a GPU together: how fast each was beside its speed alone. */
#ifndef CLI_VIEW_CORUN_H
#define CLI_VIEW_CORUN_H

#include "cli/machine.h"

enum { CORUN_MOST = GPU_TENANTS }; /* programs */

/* One of them. */
struct corun_program {
    const char *name;
    struct tr_reader *trace;
    struct profile *profile;       /* NULL: none was asked for */
    uint64_t cycles, thread_insts; /* together with the others */
    /* By itself: the first up to the same instruction, the others once */
    uint64_t alone_cycles, alone_thread_insts;
};

struct corun_story {
    const char *gpu, *mechs, *share;
    double target;
    struct gpu_conf *conf;
    const struct gpu_result *result; /* of all together */
    const struct corun_program *programs;
    uint32_t n;
    bool checked;
};

/* Instructions per cycle over those alone; 0: it has none. */
double corun_speed(const struct corun_program *p);
struct corun_sums {
    double stp;  /* system throughput: the sum of the speeds */
    double antt; /* normalised turnaround: the mean of their inverses; infinite where one has done nothing */
    double fairness; /* the least over the greatest */
    bool met;        /* the first has its target, to within a hundredth of its speed alone */
};
struct corun_sums corun_sums(const struct corun_story *s);

void corun_print(const struct corun_story *s, FILE *to);
/* "-": standard output. False after printing why. */
bool corun_json(const struct corun_story *s, const char *path);

#endif
