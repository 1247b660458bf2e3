/* SPDX-License-Identifier: Apache-2.0 */
/* What whole runs of points will show, learnt from the whole runs that there are. Of each run (a program with a seed) and goal,
 * the log of whole over estimate is a Gaussian process over the points: alike where estimates are alike, or where
 * coordinates that move estimates little are all that differs (co-kriging; Kennedy and O'Hagan, 2000). */
#ifndef CLI_LAB_EXPLORE_GUESS_H
#define CLI_LAB_EXPLORE_GUESS_H

#include "cli/lab/explore.h"

struct explore_field;

struct explore_guess {
    const struct explore *x;
    const uint32_t *of; /* the points: all have estimates of every program. An entry is a place in here */
    uint32_t n;
    bool asked[EG_COUNT];         /* goals, and those that limits are about; not area, which is known */
    struct explore_field *fields; /* by goal, by unit */
    /* By entry, by goal: log of the ratio to the reference, and its standard deviation; wider where few runs say it */
    double (*mean)[EG_COUNT], (*sd)[EG_COUNT];
};

/* The reference has whole runs of all programs. `of` outlives it. */
struct explore_guess *explore_guess_new(const struct explore *x, const uint32_t *of, uint32_t n);
/* From the whole runs that there are by now. */
void explore_guess_learn(struct explore_guess *g);
/* Covariances of some entries for a unit, n by n: of what is not known after explore_guess_learn. */
void explore_guess_between(const struct explore_guess *g, enum explore_goal goal, uint32_t unit,
                           const uint32_t *entries, uint32_t n, double *out);
void explore_guess_free(struct explore_guess *g);

/* Is it out, or has it whole runs of everything? */
bool explore_settled(const struct explore *x, uint32_t point);

#endif
