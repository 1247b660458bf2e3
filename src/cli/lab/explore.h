/* SPDX-License-Identifier: Apache-2.0 */
/* A search over the machines of a specification for several goals at once: points that no other beats in all of them, from few
 * whole runs. docs/explore.md tells the method and the statistics.
 *
 *   explore_read    the section [explore]: goals, limits, how much may be run
 *   explore_space   the points: machines, what they are made of, area and storage
 *   explore_search  runs, through lab/plan.h into the database: estimates first, whole runs of what may be best
 *   explore_study   what the runs say: means with intervals, effects of options, programs that decide
 *
 * Every value is over that of the first point, the reference. Same specification, seed and database or none: the same answer. */
#ifndef CLI_LAB_EXPLORE_H
#define CLI_LAB_EXPLORE_H

#include "cli/lab/spec.h"

struct sweep_opts;

/* X(name, what it is). Less is better, in all of them. */
#define EXPLORE_GOALS(X)                                                                                     \
    X(cycles, "kernel cycles")                                                                               \
    X(time, "kernel cycles over the core clock")                                                             \
    X(rf_energy,                                                                                             \
      "energy of storing and moving operands: banks, crossbar, collectors, caches, their leakage")           \
    X(energy, "energy of everything modelled")                                                               \
    X(edp, "energy times time")                                                                              \
    X(area, "area of register access of an SM")
enum explore_goal {
#define X(name, what) EG_##name,
    EXPLORE_GOALS(X)
#undef X
        EG_COUNT
};
extern const char *const explore_goal_name[EG_COUNT], *const explore_goal_what[EG_COUNT];

/* At most so much, over the reference's; storage: bits of an SM. */
struct explore_limit {
    int goal; /* enum explore_goal; EG_COUNT: storage */
    double most;
};

struct explore_opts {
    enum explore_goal goals[EG_COUNT];
    uint32_t ngoals;
    VEC(struct explore_limit) limits;
    VEC(const char *) seeds; /* sm.seed of the runs; none: as the preset has it */
    const char *sample;      /* gpu.sample of estimates */
    uint32_t whole;          /* whole runs at most */
    uint32_t screen;         /* points to be estimated at most */
    uint32_t seed;           /* of choices and of intervals */
};

/* One run of a point. */
struct explore_value {
    bool ok;
    bool whole; /* all instructions were simulated */
    double cycles, energy_pj, rf_pj;
    double pm; /* half the 95% interval of cycles, of an estimate */
};

/* What a point is made of, in one coordinate for each kind of word: 0 is all mechanisms together, the others are options. */
struct explore_factor {
    const char *name;
    VEC(const char *) levels; /* "": the block does not set it */
};

/* One change: a mechanism is added, or an option has another value than its first. */
struct explore_step {
    const char *name, *from, *to; /* from NULL: a mechanism */
    uint32_t factor, level_from, level_to;
};

struct explore_point {
    uint32_t machine; /* of the plan */
    uint32_t *level;  /* by factor */
    double area_mm2, mhz;
    int64_t storage_bits;
    const char *out;                  /* why it is not searched: limits, a refusal; NULL: it is */
    struct explore_value *est, *full; /* by unit */
};

struct explore_mean {
    double mean, lo, hi; /* over the reference's; NaN: unknown */
};

struct explore {
    struct arena arena;
    const struct explore_opts *opts;
    struct plan plan; /* machines of the space; its jobs are only read */
    struct spec_notes notes;
    VEC(const char *) programs; /* as plan_add takes them */
    uint32_t nseeds, nunits;    /* units: programs by seeds, the seeds of a program together */
    VEC(struct explore_factor) factors;
    VEC(struct explore_step) steps;
    VEC(struct explore_point) points;
    uint32_t *slot, slot_mask; /* points by their levels, for explore_with */
    uint32_t over_limits;      /* points that are out before anything runs */
    /* What was done. */
    const char *db;
    uint32_t jobs;
    const struct sweep_opts *slurm;   /* how rounds are submitted; NULL: they run here */
    bool quiet, partial_ok, all;      /* all: no search, every point has whole runs */
    uint64_t estimates, whole, known; /* runs; known: of these, in the database before */
    uint64_t whole_estimates;         /* estimates that had to simulate everything: among the whole runs */
    uint64_t est_insts, est_of;       /* instructions that estimates simulated, and those they stand for */
    uint32_t left;             /* points that may be on the front and have no whole runs: the budget ended */
    double spent_s, run_insts; /* for the time left: seconds of rounds, instructions simulated in them */
    int stopped;
};

/* Defaults, then what the file says. False after reporting. */
bool explore_read(const struct spec *s, struct explore_opts *o, struct diag *d);
void explore_opts_free(struct explore_opts *o);

/* Fills points. x->opts, quiet and partial_ok are set. s outlives x. False after reporting. */
bool explore_space(struct explore *x, struct spec *s, const char *size, struct diag *d);
/* The point that differs from i in one coordinate; -1: there is none, or it is out. */
int64_t explore_with(const struct explore *x, uint32_t i, uint32_t factor, uint32_t level);
/* Where a step leads from i: -1 where i is not at its start, or no such point is in the space. */
int64_t explore_step(const struct explore *x, uint32_t i, const struct explore_step *s);
/* "rba sm.banks=4" */
const char *explore_point_text(struct arena *a, const struct explore *x, uint32_t i);
/* "rba"; "sm.banks 2 -> 4" */
const char *explore_step_text(struct arena *a, const struct explore_step *s);
void explore_free(struct explore *x); /* raises a signal that ended it */

/* One run of a point: on a program, with a seed. */
struct explore_run {
    uint32_t point, unit;
};
/* Does these runs, whole or as estimates; points that are refused get out. False after reporting. */
bool explore_measure(struct explore *x, const struct explore_run *runs, uint32_t n, bool whole,
                     struct diag *d);
/* Has a cluster do the runs of a prepared plan that the database lacks. ran: how many of its jobs these are. What a cluster could
 * not do is missing still. False after reporting. */
bool explore_submit(struct explore *x, const struct plan *p, uint32_t *ran, struct diag *d);
/* The whole search. False after reporting. */
bool explore_search(struct explore *x, struct diag *d);

/* ---- numbers ---- */

/* The value of a run in a goal; 0: unknown. */
double explore_of(const struct explore *x, uint32_t point, uint32_t unit, bool whole, enum explore_goal g);
/* log of the ratio to the reference's for a program, over its seeds; NaN: unknown. */
double explore_log(const struct explore *x, uint32_t point, uint32_t program, bool whole,
                   enum explore_goal g);
/* Geometric mean over all programs; NaN where one is missing. */
double explore_geomean(const struct explore *x, uint32_t point, bool whole, enum explore_goal g);
/* With a 95% interval: bootstrap over programs; of estimates also their own intervals. */
struct explore_mean explore_mean(const struct explore *x, uint32_t point, bool whole, enum explore_goal g);
/* Standard deviation of the log of an estimated mean of cycles over the first programs, by the estimates' own intervals. */
double explore_doubt(const struct explore *x, uint32_t point, uint32_t programs);
/* The mean of logs, as a ratio with its interval. */
struct explore_mean explore_bootstrap(const double *logs, const double *sd, uint32_t n, uint32_t seed);
/* Does no interval tell the point from the other in a goal, over pairs of whole runs on a program? */
bool explore_as_good(const struct explore *x, uint32_t point, uint32_t other, enum explore_goal g);
static inline bool explore_same(struct explore_mean m) { return m.lo <= 1 && m.hi >= 1; }

/* How much a point with these values (by goal, over the reference's) is over the limits: 0 is not at all. */
double explore_excess(const struct explore *x, const double *value);
/* a is nowhere worse and somewhere better. */
bool explore_beats(const struct explore_opts *o, const double *a, const double *b);

/* ---- what the runs say ---- */

struct explore_effect {
    uint32_t a, b;                    /* steps; b == a: of one alone */
    uint32_t pairs;                   /* of points, or fours of them */
    struct explore_mean by[EG_COUNT]; /* by goal of the options */
};
struct explore_decider {
    uint32_t program;
    uint32_t comes, goes; /* points of the front, if it were not there */
    /* By goal of the options: the best point without it where that is another; else -1 */
    int64_t best[EG_COUNT];
};
struct explore_study {
    bool whole;          /* effects are from whole runs; else from estimates */
    VEC(uint32_t) front; /* points with whole runs, by the first goal */
    int64_t best[EG_COUNT];
    VEC(struct explore_effect) effects, pairs;
    VEC(struct explore_decider) programs;
};
void explore_study(const struct explore *x, struct explore_study *out);
void explore_study_free(struct explore_study *s);

#endif
