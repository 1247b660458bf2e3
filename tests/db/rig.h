/* SPDX-License-Identifier: Apache-2.0 */
/* A folder, a small trace and its run, for tests of the results database. */
#ifndef TESTS_DB_RIG_H
#define TESTS_DB_RIG_H

#include "db/db.h"
#include "gpu/gpu.h"

struct rig {
    char dir[64], db[96], trace[96];
    struct gpu_conf conf;
    struct tr_reader *reader;
    struct gpu_result result;
};

void rig_start(struct rig *r); /* has a trace and its run, and no database yet */
void rig_stop(struct rig *r);

/* The run under other names and options; `set`: an assignment or NULL. */
void rig_put(struct rig *r, struct db *db, const char *workload, const char *mechs, const char *set);

/* Of the run; `other`: of another trace. */
struct db_key rig_key(struct rig *r, uint64_t other);

struct db *rig_open(struct rig *r);
/* The first column of the first row, as a number; -1 where there is none. */
double rig_ask(struct db *db, const char *sql);
/* Opens for reading: the message of the refusal, or "". In a buffer of the caller's. */
const char *rig_refusal(const char *path, char *buf, size_t cap);

#endif
