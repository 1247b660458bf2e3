/* Parts of bankshot sweep: what it is asked for, and its way beyond this machine. */
#ifndef CLI_LAB_SWEEP_H
#define CLI_LAB_SWEEP_H

#include "cli/lab/plan.h"

struct sweep_opts {
    const char *spec, *db, *size;
    const char *json; /* NULL: not asked for */
    uint32_t jobs;
    uint32_t tasks;    /* of Slurm; 0: here */
    uint32_t part, of; /* 0: all */
    bool quiet, partial_ok, sample;
};

/* Hands the sweep to Slurm: an array of tasks, each with a database of its own, then one that merges them. The exit status. */
int sweep_submit(const struct sweep_opts *o);

#endif
