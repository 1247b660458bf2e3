/* SPDX-License-Identifier: Apache-2.0 */
/* Results in an SQLite file: every run with its trace, its full configuration and all its counters, and views over them.
 * schema.sql is the description, docs/results.md its story. Commands write runs and read views; nothing here simulates.
 *
 * A run has a key, a digest over everything that decides its result; a run that is there is not done again. Each process
 * opens its own connection, after the last fork: SQLite's locks do not survive one. Files are not trusted: a foreign, newer or
 * damaged one is refused with the reason. */
#ifndef DB_DB_H
#define DB_DB_H

#include "base/diag.h"

struct db;
struct sqlite3;
struct gpu_conf;
struct gpu_result;
struct tr_reader;

enum db_mode {
    DB_READ,  /* must exist; nothing is changed */
    DB_WRITE, /* created where it is missing */
    DB_AGAIN, /* WRITE of a file that has been opened, so looked at, before */
};
/* NULL after reporting why. */
struct db *db_open(const char *path, enum db_mode mode, struct diag *d);
void db_close(struct db *db);
struct sqlite3 *db_sql(struct db *db); /* for queries */
const char *db_path(const struct db *db);

/* Digest of the sources of this program that decide a result. */
const char *db_model(void);

/* What somebody asks for. */
struct db_point {
    const char *workload, *size; /* "hotspot", "small"; a file's name and "" */
    uint32_t max_regs;           /* 0: no limit */
    const char *gpu, *mechs, *options;
    bool ptx_order;  /* instructions in the order of the PTX, not scheduled */
    bool short_addr; /* global addresses are one register */
    bool sm75;       /* NVIDIA's machine code for sm_75 instead */
};

/* How the database calls the order of its instructions; "" for a file, which does not tell. */
const char *db_code_order(const struct db_point *p);

/* Identity of a run: hex digits. */
struct db_key {
    char text[33];
};
struct db_key db_machine_key(struct gpu_conf *c); /* of the configuration alone */
/* Of traces that have the GPU together, in their order; mostly one. */
struct db_key db_run_key(const uint64_t *traces, uint32_t n, const struct db_key *machine);

enum db_status { DB_OK, DB_REFUSED, DB_DEADLOCK, DB_MISSING };

struct db_answer {
    enum db_status status;
    uint64_t cycles, kernel_cycles, warp_insts, thread_insts;
    double energy_pj; /* 0: not modelled */
    /* Of an estimate: warp instructions that were simulated, and half its interval of kernel cycles; 0: it is none. */
    uint64_t sampled_insts, kernel_cycles_pm;
};
/* MISSING where the run is not there. False after reporting. */
bool db_find(struct db *db, const struct db_key *key, struct db_answer *out, struct diag *d);

/* Why the run, which is there, is not OK, in the arena. False after reporting. */
bool db_find_reason(struct db *db, const struct db_key *key, struct arena *a, const char **out,
                    struct diag *d);

/* Host seconds that runs of the trace on that GPU took, on average; those per warp instruction of all runs on a GPU ("": all)
 * with certain mechanisms ("": any). 0: there are none. False after reporting. */
bool db_seconds(struct db *db, uint64_t trace, const char *gpu, double *out, struct diag *d);
bool db_seconds_per_inst(struct db *db, const char *gpu, const char *mechs, double *out, struct diag *d);

/* One transaction around several calls that have none of their own (db_find, db_put_point). ok == false, or a failure, undoes
 * them. False after reporting. */
bool db_start(struct db *db, struct diag *d);
bool db_finish(struct db *db, bool ok, struct diag *d);

/* Everything about a run that ended, in one transaction: all of it is there afterwards, or nothing. A run that is there
 * already stays as it is. */
/* Advice to the program's author. */
struct db_advice {
    const char *rule, *what, *hint;
    uint32_t kernel, line; /* of the source; 0: of the whole kernel */
    double gain;
};

struct db_run {
    struct db_point point;
    struct db_key key;
    struct tr_reader *trace;
    struct tr_reader *const *others; /* that had the GPU with it */
    uint32_t nothers;
    struct gpu_conf *conf;
    const struct gpu_result *result;
    enum db_status status;
    const char *reason;  /* where it is not OK */
    const char *version; /* of the program */
    const struct db_advice *advice;
    uint32_t nadvice;
};
bool db_put_run(struct db *db, const struct db_run *r, struct diag *d);
/* The point now means the run of that key, which is there. */
bool db_put_point(struct db *db, const struct db_point *p, const struct db_key *key, struct diag *d);

/* An instruction of a profile. */
struct db_insn {
    uint32_t kernel, insn, line;
    const char *text, *source;
    uint64_t lanes, bank_conflicts, read_wait, shared_conflicts;
    const uint64_t *causes; /* ncauses cycles */
};
struct db_profile {
    const struct db_insn *insns;
    uint32_t n;
    const char *const *causes; /* their names */
    uint32_t ncauses;
};
bool db_has_profile(struct db *db, const struct db_key *run, bool *has, struct diag *d);
/* Of a run that is there; an older one is replaced. */
bool db_put_profile(struct db *db, const struct db_key *run, const struct db_profile *p, struct diag *d);

/* What counters grew by over time. */
struct db_intervals {
    uint32_t every_cyc; /* as it was asked for; rows may be longer */
    uint32_t n;
    const uint64_t *ends; /* cycle at which each row ends; the first begins at 0 */
    uint32_t ncounters;
    const char *const *names;
    const int64_t *values; /* all counters of the first row, then of the second, ... */
};
/* Rows of so many cycles? */
bool db_has_intervals(struct db *db, const struct db_key *run, uint32_t every_cyc, bool *has, struct diag *d);
/* Of a run that is there; older ones are replaced. */
bool db_put_intervals(struct db *db, const struct db_key *run, const struct db_intervals *v, struct diag *d);

/* What became of a paper's claim. */
struct db_claim {
    const char *id, *paper, *text;
    const char *size; /* "": of the workloads as the experiment has them */
    const char *unit;
    double value, lo, hi;
    bool has_measured;
    double measured;
    const char *why;
};
/* Others of the file stay. */
bool db_put_claims(struct db *db, const struct db_claim *c, uint32_t n, struct diag *d);

/* Facts of a trace, beyond what its index tells: sums over its streams. */
struct db_fact {
    const char *name;
    uint64_t value;
};
bool db_has_facts(struct db *db, uint64_t trace, bool *has, struct diag *d);
bool db_put_facts(struct db *db, struct tr_reader *trace, const struct db_fact *facts, uint32_t n,
                  struct diag *d);

/* Takes over everything that another database has and this one has not; where both name a point, its run is the other's. */
bool db_merge(struct db *db, const char *path, struct diag *d);

#endif
