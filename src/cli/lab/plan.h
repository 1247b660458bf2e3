/* SPDX-License-Identifier: Apache-2.0 */
/* A list of things to measure: workloads on machines. compare, sweep and repro make one, have the runs done that are not in the
 * database yet, several at a time, and read the answers. What is printed from it does not depend on how many ran at once. */
#ifndef CLI_LAB_PLAN_H
#define CLI_LAB_PLAN_H

#include "cli/machine.h"
#include "db/db.h"

struct plan_trace {
    const char *name; /* as workload_trace takes it */
    const char *path; /* once prepared; NULL: it could not be made (lenient) */
    uint64_t identity, warp_insts;
    bool partial;
    const char *code; /* whole_code_word */
};

struct plan;
/* Which of its traces hold NVIDIA's machine code; nothing where none does. */
void plan_print_code(const struct plan *p, FILE *to);

struct plan_machine {
    struct machine_opts opts;
    const char *mechs, *options; /* as the database names them */
    const char *energy;          /* what its energies rest on, in words */
    struct db_key key;
    uint32_t capability; /* gpu.capability */
};

enum { PLAN_OTHERS = 7 };
struct plan_job {
    const char *name;             /* as plan_add was given it */
    uint32_t trace, machine;      /* indices */
    uint32_t others[PLAN_OTHERS]; /* traces that have the GPU with it, and begin again until it has ended */
    uint32_t nothers;
    struct db_point point;
    struct db_key key;
    struct db_answer answer;
    const char *reason; /* of an answer that is a refusal or a deadlock; else NULL */
    uint32_t rank;      /* where time is limited jobs of a lower one start first */
    bool left_out;      /* plan_run does not do it, and finds no answer */
};

struct plan {
    struct arena arena;
    VEC(struct plan_trace) traces;
    VEC(struct plan_machine) machines;
    VEC(struct plan_job) jobs;
    struct machine_warnings warned;
    int stopped; /* signal that ended plan_run: the caller cleans up and calls plan_free, which raises it */
    bool late;   /* opts.limit_s ended plan_run: answers are missing */
    uint64_t known;  /* answers that were there before */
    bool quiet;      /* nothing on stderr about how far it is */
    bool partial_ok; /* partial traces are measured, too */
    bool sample;     /* all machines: estimates */
    bool lenient;    /* a trace that cannot be made costs its points, not the plan; they stay MISSING */
};

/* NAME[:SIZE][@REGISTERS][@ptx][@sm1x], NAME[:SIZE]@sm75, or a file, as the database names it: workload, size, registers and
 * order. Of names joined by + these are the first one's, and the workload is the names joined; one whose size is another keeps
 * it. */
struct db_point plan_point(struct arena *a, const char *name);
/* Mechanisms as the database names them: without `base`, and none is "base". */
const char *plan_mechs(struct arena *a, const char *mechs);

/* Reads a machine. What m points to is shared, not copied, and lives as long as the plan. False after reporting. */
bool plan_machine(struct plan *p, const struct machine_opts *m, uint32_t *out, struct diag *d);
void plan_add(struct plan *p, const char *workload, uint32_t machine);
/* Keeps the jobs whose entry is true, and the traces that these need. */
void plan_keep(struct plan *p, const bool *keep);
/* Keeps every of-th job, from part (1 to of) on. */
void plan_part(struct plan *p, uint32_t part, uint32_t of);
/* Can results be kept in the database of that path? Told without making it. False after reporting. */
bool plan_check_db(const char *path, struct diag *d);
/* Could all traces of the job be made? */
bool plan_has_traces(const struct plan *p, const struct plan_job *j);
/* "sgemm volta rba sm.banks=4" */
const char *plan_job_text(struct arena *a, const struct plan_job *j);
void plan_print_job(const struct plan_job *j, FILE *to);
/* Traces are recorded where they are missing, `jobs` at a time (0: as many as processors), and keys made. False after messages:
 * nothing has been simulated yet. */
bool plan_prepare(struct plan *p, uint32_t jobs, struct diag *d);

/* Compiles the programs of its workloads, and no more. False after messages. */
bool plan_compile(const struct plan *p, uint32_t jobs);

struct plan_opts {
    const char *db; /* path */
    uint32_t jobs;  /* at once; 0: as many as processors */
    /* What has not ended after so many seconds is ended, what has stays in the database; 0: no limit */
    double limit_s;
    bool facts;            /* also what the traces add up to */
    bool profile;          /* also a profile of every run */
    uint32_t interval_cyc; /* also its counters in every so many cycles; 0: not */
    /* Not NULL: what the program's author may do about a run, as rows whose texts are in the arena. */
    uint32_t (*advise)(const struct machine_opts *m, struct gpu_conf *c, struct tr_reader *t,
                       const struct gpu_result *r, struct arena *a, const struct db_advice **out);
};
#define PLAN_INTERVAL_OPT(cyc)                                                                               \
    {                                                                                                        \
        "interval", CLI_U32, &(cyc), 1, 1000000000, "N",                                                     \
            "also keep in the database what counters grew by in every N cycles, for the report"              \
    }
#define PLAN_INTERVAL_NO_SAMPLE "--interval has the whole run, --sample does not simulate all of it"

/* Every job's answer is there afterwards; answers may be refusals and deadlocks. False after messages: some are missing. With a
 * limit jobs start by their ranks, the facts of a trace before its runs; p->late says that some are missing, and no message. */
bool plan_run(struct plan *p, const struct plan_opts *o, struct diag *d);
void plan_free(struct plan *p);

/* Path of a database that nobody asked to keep, in the arena; plan_forget removes it. NULL after reporting. */
const char *plan_scratch(struct arena *a, struct diag *d);
void plan_forget(const char *path);

#endif
