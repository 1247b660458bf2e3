/* Parts of bankshot sweep: what it is asked for, and its way beyond this machine. */
#ifndef CLI_LAB_SWEEP_H
#define CLI_LAB_SWEEP_H

#include "cli/cli.h"
#include "cli/lab/plan.h"

struct sweep_opts {
    const char *spec, *db, *size;
    const char *json; /* NULL: not asked for */
    uint32_t jobs;
    uint32_t part, of; /* 0: all */
    const char *parts; /* folder of a submission (parts.h): which part is which, or what to merge */
    bool quiet, partial_ok, sample;
    uint32_t tasks; /* of Slurm; 0: here */
    const char *partition, *time, *memory;
    struct cli_list sbatch; /* more of its arguments */
};

enum sweep_submitted { SWEEP_FAILED, SWEEP_SUBMITTED, SWEEP_NOTHING_LEFT };
/* Hands what is missing to Slurm: an array of tasks, each with a database of its own, then a job that merges them. First takes
 * over what an earlier submission has left. FAILED after reporting. */
enum sweep_submitted sweep_submit(const struct sweep_opts *o, const struct plan *p, struct diag *d);

#endif
