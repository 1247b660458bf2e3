/* Counters over time: one row of CSV for every so many cycles, with what each counter grew by. The rows of a run add up to its
 * counters; with several programs each has a column for its thread instructions. Samples are taken between windows, so a row ends at the first window's end at or after its time. */
#ifndef CLI_WATCH_INTERVAL_H
#define CLI_WATCH_INTERVAL_H

#include "gpu/gpu.h"

struct interval;
/* NULL after printing why. */
struct interval *interval_open(const char *path, uint32_t every_cyc, uint32_t programs);
const struct gpu_observer *interval_observer(const struct interval *v);
/* The last row, up to the run's end (NULL: it has none), and the file's. Frees. False after printing why it could not be
 * written. */
bool interval_close(struct interval *v, const struct gpu_result *r);

#endif
