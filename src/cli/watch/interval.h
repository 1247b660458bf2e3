/* SPDX-License-Identifier: Apache-2.0 */
/* Counters over time: a row for every so many cycles, with what each counter grew by. The rows of a run add up to its counters.
 * Samples are taken between windows, so a row ends at the first window's end at or after its time. interval.c makes the rows;
 * interval_csv.c writes them to a file, interval_db.c keeps them for a results database. */
#ifndef CLI_WATCH_INTERVAL_H
#define CLI_WATCH_INTERVAL_H

#include "gpu/gpu.h"

typedef void interval_fn(void *ctx, const struct gpu_sample *from, const struct gpu_sample *to);

struct interval;
struct interval *interval_new(uint32_t every_cyc, interval_fn *row, void *ctx);
const struct gpu_observer *interval_observer(const struct interval *v);
/* The last row, up to the run's end (NULL: it has none). Frees. */
void interval_end(struct interval *v, const struct gpu_result *r);

/* The counters of a row, by number: "sm.issued", and how much it grew. That may be negative by a few cycles that a partition was
 * charged beyond a sample's time. */
uint32_t interval_counters(void);
const char *interval_counter_name(uint32_t i, char *out, size_t n);
int64_t interval_growth(uint32_t i, const struct gpu_sample *from, const struct gpu_sample *to);

/* One line of CSV for each row; with several programs each has a column for its thread instructions. Behind the counters are the
 * watts, all and by part. NULL after printing why. */
struct interval_csv;
struct interval_csv *interval_csv_open(const char *path, uint32_t every_cyc, uint32_t programs,
                                       const struct gpu_conf *c);
const struct gpu_observer *interval_csv_observer(const struct interval_csv *v);
/* Frees. False after printing why it could not be written. */
bool interval_csv_close(struct interval_csv *v, const struct gpu_result *r);

struct db;
struct db_key;
struct interval_db;
/* Beside the counters, under the names energy.PART and time.ps, picojoules by part and the picoseconds that they took. The
 * configuration is the caller's, until it is freed. */
struct interval_db *interval_db_new(uint32_t every_cyc, const struct gpu_conf *c);
const struct gpu_observer *interval_db_observer(const struct interval_db *v);
/* The run has ended with this result, and the database has it. False after reporting. */
bool interval_db_put(struct interval_db *v, const struct gpu_result *r, struct db *db,
                     const struct db_key *run, struct diag *d);
void interval_db_free(struct interval_db *v);

#endif
