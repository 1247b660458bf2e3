/* SPDX-License-Identifier: Apache-2.0 */
/* The table of bankshot compare, in its three forms. */
#ifndef CLI_VIEW_COMPARE_H
#define CLI_VIEW_COMPARE_H

#include "cli/lab/plan.h"

struct compare_table {
    const struct plan *plan; /* jobs: for each workload, each mechanism */
    const char *gpu;
    uint32_t nmechs;
    bool program; /* cycles are those of the program, with its launches' latency; else kernel cycles */
};
uint64_t compare_cycles(const struct compare_table *t, const struct db_answer *a);
const char *compare_by(const struct compare_table *t); /* the name of these cycles in CSV and JSON */
double compare_ipc(const struct compare_table *t, const struct db_answer *a);

/* Of a mechanism over the first one, over the workloads that ran with both. */
struct compare_sum {
    uint32_t n;
    double geomean, mean, lowest, highest; /* of speedups; 0 where n is 0 */
    const char *lowest_of, *highest_of;
    /* Geomeans over the first one's, 0: not modelled. Energy times time; and work for a joule, which is performance per watt. */
    double energy, edp, per_watt;
};
struct compare_sum compare_sum(const struct compare_table *t, uint32_t mech);
/* Over the first mechanism on the same workload; 0 where one of them has no result. */
double compare_speedup(const struct compare_table *t, uint32_t job);

void compare_print(const struct compare_table *t, FILE *to);
void compare_reasons(const struct compare_table *t); /* why jobs have no result, on stderr */
/* False after a message. */
bool compare_csv(const struct compare_table *t, const char *path);
bool compare_json(const struct compare_table *t, const char *path);

#endif
