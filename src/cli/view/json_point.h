/* SPDX-License-Identifier: Apache-2.0 */
/* What was run on what, and how it ended: the members that answers of run, compare and sweep share. */
#ifndef CLI_VIEW_JSON_POINT_H
#define CLI_VIEW_JSON_POINT_H

#include "cli/json.h"
#include "cli/lab/plan.h"

/* clang-format off */
#define JSON_POINT(X, T)                                                                                     \
    X(T, TEXT, OPEN, workload, "the program's name, or the trace file's without its folder")                 \
    X(T, TEXT, NULLABLE, size, "of a bundled program (null: a trace file)", .words = "small default large")   \
    X(T, COUNT, NULLABLE, max_regs, "limit of registers per thread at recording; null: none")                \
    X(T, TEXT, NULLABLE, code_order, "of instructions: as the compiler schedules them, as the PTX has "       \
                                     "them, or either with 32-bit addresses; or NVIDIA's machine code for "   \
                                     "sm_75 (null: a trace file)",                                            \
      .words = "scheduled ptx sm1x ptx-sm1x sm75")                                                                              \
    X(T, TEXT, OPEN, code, "what was executed: compiled here from PTX, NVIDIA's machine code, or kernels of both", \
      .words = "ptx sass both")                                                                              \
    X(T, TEXT, OPEN, gpu, "preset, or the file, as it was given")                                            \
    X(T, TEXTS, OPEN, mechs, "mechanisms; empty: none (base)")                                               \
    X(T, VALUES, OPEN, set, "options that differ from the preset and mechanisms by --set, or in a "          \
                            "specification", .keys = &json_option_keys, .some = true)                         \
    X(T, TEXT, OPEN, trace, "identity of the trace: 16 hexadecimal digits")                                  \
    X(T, FLAG, OPEN, partial, "the trace is not whole: its recording did not come to the end")               \
    X(T, TEXT, OPEN, key, "of the run in a results database: trace, all options and model")                  \
    X(T, TEXT, OPEN, status, "how it ended", .words = "ok refused deadlock")                                 \
    X(T, TEXT, NULLABLE, reason, "why it is not ok; null: it is")                                            \
    X(T, COUNT, NULLABLE, cycles, "core cycles, with the latency of launches; this and all below are null "  \
                                  "where status is not ok")                                                  \
    X(T, COUNT, NULLABLE, kernel_cycles, "of these: in which a kernel ran")                                  \
    X(T, COUNT, NULLABLE, warp_insts, "warp instructions issued")                                            \
    X(T, COUNT, NULLABLE, thread_insts, "thread instructions")                                               \
    X(T, REAL, NULLABLE, ipc, "warp instructions per kernel cycle, of the whole GPU")                        \
    X(T, REAL, NULLABLE, energy_pj, "energy of everything modelled, in picojoules; null also: none is")       \
    X(T, COUNT, NULLABLE, sampled_insts, "of an estimate: warp instructions that were simulated; null also: " \
                                         "it is none")                                                       \
    X(T, COUNT, NULLABLE, kernel_cycles_pm, "... and half the 95% interval of kernel_cycles")
/* clang-format on */
struct json_point {
    JSON_POINT(JSON_FIELD, )
};
extern const struct json_member json_point_members[];
enum { JSON_POINT_N = 21 };
#define JSON_POINT_PART(at_)                                                                                 \
    {                                                                                                        \
        .members = json_point_members, .n = JSON_POINT_N, .at = (at_)                                        \
    }

/* All but `partial`, `code` and `reason`. `set` is taken over; the texts stay the caller's. */
struct json_point json_point(struct arena *a, const struct db_point *of, json_t *set, uint64_t trace,
                             const struct db_key *key, const struct db_answer *answer);
/* The same of a job of a plan that has its answer, complete. */
struct json_point json_job(struct arena *a, const struct plan *p, const struct plan_job *j);

/* Options that are set in this layer or a later one. */
json_t *json_options(struct conf *c, enum conf_layer from);
/* The same of words as a plan has them, "sm.banks=4 gpu.sms=2": in the types of their rows. */
json_t *json_set_words(struct arena *a, const char *words);
extern const struct json_keys json_option_keys; /* all options */

#endif
