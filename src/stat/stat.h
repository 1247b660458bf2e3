/* SPDX-License-Identifier: Apache-2.0 */
/* Counters: declared once, in a table row of the module that counts them; counting is one array add, and reading names,
 * units and meaning comes from the same row. Ratios are derived where results are read.
 *
 *   STAT(bank_conflict, "request", "operand reads that waited for their bank") */
#ifndef STAT_STAT_H
#define STAT_STAT_H

#include <stdbool.h>
#include <stdint.h>

struct stat_info {
    const char *name, *unit, *help;
};

/* Counters of one module; blocks of different SMs or slices are added up. */
struct stat_table {
    const char *section;
    const struct stat_info *rows;
    uint32_t n;
};

/* Distributions of one module: counters by bank, partition, ... with lengths that the configuration sets. */
struct stat_array {
    const char *name, *unit;
    bool by_sm; /* one row for each SM; else rows are added up */
    const char *help;
};
struct stat_arrays {
    const char *section;
    const struct stat_array *rows;
    uint32_t n;
};

/* A table written as a list, `#define LTRF_STATS(STAT) STAT(LTRF, sets, "operation", "...")`: an enum of LTRF_sets, ..., and the
 * rows. */
#define STAT_ID(prefix, name, unit, help) prefix##_##name,
#define STAT_LINE(prefix, name, unit, help) {#name, unit, help},
#define STAT_TABLE(table, section, LIST)                                                                     \
    static const struct stat_info table##_rows[] = {LIST(STAT_LINE)};                                        \
    const struct stat_table table = {section, table##_rows, sizeof table##_rows / sizeof table##_rows[0]}

static inline void stat_add(uint64_t *sum, const uint64_t *part, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        sum[i] += part[i];
}

#endif
