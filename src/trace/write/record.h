/* SPDX-License-Identifier: Apache-2.0 */
/* The recorder: launches that leave a trace. It stands between the runtime (or `bankshot exec`) and the executor: the
 * launch is executed by exec_launch, and what the executor's observer sees goes to a trace writer. It never changes what a
 * kernel computes: the same launch with and without a recorder gives the same memory, counts and errors.
 *
 * One recorder serves one process and one thread at a time. In a process that was forked from the one that made it, it
 * executes and records nothing. */
#ifndef TRACE_RECORD_H
#define TRACE_RECORD_H

#include "exec/exec.h"
#include "trace/trace.h"

struct tr_recorder;

/* Creates or truncates the file. NULL after reporting why. The strings of info are copied. */
struct tr_recorder *tr_recorder_new(const char *path, const struct tr_info *info, struct diag *d);

enum { TR_NO_LAUNCH = 0xffffffff };

/* Where a launch stands among the others. */
struct tr_order {
    uint64_t stream;       /* 0: the default one */
    uint32_t priority;     /* 0 to 15: larger ones first */
    bool region;           /* in the part that the program wants to be measured */
    const uint32_t *after; /* numbers of launches that end before this one starts (streams, events) */
    uint32_t nafter;       /* TR_NO_LAUNCH among them is skipped */
};

/* Executes the launch and records it; an observer in l->obs sees it too, before the recorder. r may be NULL: then it is
 * exec_launch and nothing else. o may be NULL: default stream, after nothing. *number: the launch's number in the trace,
 * for later `after` lists; TR_NO_LAUNCH if nothing ran or nothing is recorded. number, counts and err may be NULL. A launch
 * that fails on the way is in the trace with its finished CTAs, marked incomplete; one that is refused before its first
 * instruction is not there at all. A trace that cannot be written any more (disk full) does not stop the program: see
 * tr_recorder_failed. */
enum exec_status tr_record_launch(struct tr_recorder *r, struct exec_dev *dev, const struct exec_launch *l,
                                  const struct tr_order *o, uint32_t *number, struct exec_counts *counts,
                                  struct exec_error *err);

/* A copy or fill of device memory, between the launches before and after it. r may be NULL. addr: device address of the
 * destination, or of the source for TRC_TO_HOST. */
void tr_record_copy(struct tr_recorder *r, enum tr_copy_kind kind, uint64_t stream, uint64_t addr,
                    uint64_t bytes);

/* The program made a launch that could not be tried: its code cannot be compiled, or is not there. The trace says that it lacks
 * one. r may be NULL. */
void tr_recorder_missed(struct tr_recorder *r);

/* The code is about to be freed: kernels are known by its address. Call it before code_free of a code that was launched. */
void tr_recorder_forget(struct tr_recorder *r, const struct code *c);

uint32_t tr_recorder_launches(const struct tr_recorder *r);
const char *tr_recorder_failed(const struct tr_recorder *r); /* NULL, or why the trace has stopped growing */

/* Ends the trace properly and frees r; NULL is fine. False after reporting what could not be written. Without it (the
 * process dies) the file stays readable and says that it is partial. */
bool tr_recorder_close(struct tr_recorder *r, struct diag *d);

#endif
