/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of bankshot sweep: what it is asked for, and its way beyond this machine, which rounds of explore go, too. */
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
    FILE *say;              /* what was submitted; NULL: nobody is told */
};

/* Rows for a command's option table, and what is wrong with them; NULL: nothing. */
#define SWEEP_SLURM_OPTS(s)                                                                                    \
    {                                                                                                          \
        "slurm",                                                                                               \
        CLI_U32,                                                                                               \
        &(s).tasks,                                                                                            \
        1,                                                                                                     \
        10000,                                                                                                 \
        "N",                                                                                                   \
        "submit what is missing to Slurm, as N tasks and a merge"},                                            \
        {"partition", CLI_STR, &(s).partition, 0, 0, "NAME", "of the cluster, for --slurm"},                   \
        {"time", CLI_STR, &(s).time, 0, 0, "TIME", "limit of a task, for --slurm, as sbatch has it: 2:00:00"}, \
        {"memory", CLI_STR, &(s).memory, 0, 0, "SIZE", "of a task, for --slurm, as sbatch has it: 4G"},        \
    {                                                                                                          \
        "sbatch", CLI_LIST, &(s).sbatch, 0, 0, "ARG",                                                          \
            "another argument of sbatch, for --slurm: --sbatch=--account=x"                                    \
    }
#define SWEEP_SLURM_USAGE "[--slurm N [--partition NAME] [--time TIME] [--memory SIZE] [--sbatch ARG]...]"
const char *sweep_slurm_wrong(const struct sweep_opts *s);

enum sweep_submitted { SWEEP_FAILED, SWEEP_SUBMITTED, SWEEP_NOTHING_LEFT };
/* Hands what is missing to Slurm: an array of tasks, each with a database of its own, then a job that merges them. First takes
 * over what an earlier submission has left. FAILED after reporting. */
enum sweep_submitted sweep_submit(const struct sweep_opts *o, const struct plan *p, struct diag *d);
/* Waits until no job of an earlier submission for o->db is in the queue, and takes over what they have left. False after
 * reporting. */
bool sweep_wait(const struct sweep_opts *o, struct diag *d);

#endif
