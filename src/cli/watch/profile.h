/* SPDX-License-Identifier: Apache-2.0 */
/* Where the cycles went, by static instruction: every scheduler cycle of a run is charged to the instruction that issued or
 * waited (src/sm/watch/blame.c), and register-bank and shared-memory conflicts to the instruction that had them. The causes of
 * all instructions, with those of no instruction (schedulers without a warp), add up to the run's counters. */
#ifndef CLI_WATCH_PROFILE_H
#define CLI_WATCH_PROFILE_H

#include "cli/watch/watch.h"

struct profile;
/* Of the tenant with this trace, which must outlive it; what others are charged is not in it. */
struct profile *profile_new(struct tr_reader *trace, uint32_t tenant);
void profile_free(struct profile *p);
const struct gpu_observer *profile_observer(const struct profile *p);
/* The run has ended with this result. */
void profile_end(struct profile *p, const struct gpu_result *r);

struct tr_reader *profile_trace(const struct profile *p);
const struct sm_charged *profile_at(const struct profile *p, uint32_t kernel, uint32_t insn);
const struct sm_charged *profile_nowhere(const struct profile *p);
uint64_t profile_cycles(const struct sm_charged *r);                      /* all causes */
uint64_t profile_kernel_cycles(const struct profile *p, uint32_t kernel); /* all instructions */
/* Guard, mnemonic and operands of an instruction; until the next call. */
const char *profile_text(struct profile *p, uint32_t kernel, uint32_t insn);
/* The line of the source, where the trace tells a number and the file (src/cli/source.h) is there; else "". */
const char *profile_source(struct profile *p, uint32_t kernel, uint32_t line);

/* profile_lines.c: the lines of sources (not of PTX) that had cycles, those with the most first. vec_free(&rows). */
struct profile_line {
    uint32_t kernel; /* one that has it: its file is the line's */
    uint32_t file;   /* a number; equal: the same file */
    uint32_t line;
    uint64_t cycles;
    struct sm_charged sum;
};
struct profile_lines {
    VEC(struct profile_line) rows;
    uint32_t files;
};
struct profile_lines profile_by_line(const struct profile *p);

/* profile_print.c */
void profile_print(struct profile *p, FILE *to);
/* profile_file.c. Of programs with these names; a single one is not named. "-": standard output. False after printing why. */
bool profile_csv(struct profile *const *all, const struct watched *programs, uint32_t n, const char *path);

/* profile_db.c: stores it with a run that the database has. False after reporting. */
struct db;
struct db_key;
bool profile_put(struct profile *p, struct db *db, const struct db_key *run, struct diag *d);

struct json_t;
struct json_t *profile_json(struct profile *p);
extern const struct json_shape profile_shape; /* of its rows */

#endif
