/* SPDX-License-Identifier: Apache-2.0 */
/* What bankshot run tells of a result. */
#ifndef CLI_VIEW_RUN_PRINT_H
#define CLI_VIEW_RUN_PRINT_H

#include "cli/machine.h"

struct census;
struct profile;

struct run_story {
    const char *trace, *gpu, *mechs;
    struct tr_reader *reader;
    struct gpu_conf *conf;
    const struct gpu_result *result;
    struct profile *profile;     /* NULL: none */
    const struct census *census; /* of the trace; NULL: not counted */
    uint32_t threads;
    bool checked; /* --check */
};

void run_print(const struct run_story *s, FILE *to);
void run_print_occupancy(const struct run_story *s, FILE *to);
void run_print_energy(const struct run_story *s, FILE *to);
/* Area of register access, and of a synthesised partition. `result` may be NULL. */
void run_print_area(const struct gpu_conf *c, const struct gpu_result *result, FILE *to);
/* "-": standard output. False after printing why. */
bool run_json(const struct run_story *s, const char *path);
double run_peak_rss_mb(void);
struct json_t;
struct json_t *run_answer(const struct run_story *s); /* the same, not written */
/* Every counter, by name. */
struct json_t *run_json_stats(const struct gpu_result *r);
extern const struct json_keys run_stat_keys;

#endif
