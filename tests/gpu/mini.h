/* SPDX-License-Identifier: Apache-2.0 */
/* Micro-kernels for timing tests: a straight line of instructions that every warp of one CTA executes, written as a trace
 * and replayed on a machine of one SM. */
#ifndef TESTS_GPU_MINI_H
#define TESTS_GPU_MINI_H

#include "gpu/gpu.h"

enum { MINI_MAX = 4096 };

struct mini {
    struct tr_insn insns[MINI_MAX];
    uint64_t base[MINI_MAX]; /* memory: address of lane 0 */
    int64_t stride[MINI_MAX];
    uint32_t mask[MINI_MAX];        /* lanes; 0: a guard switched it off */
    uint32_t warps_mask[MINI_MAX];  /* warps that execute it */
    uint32_t ctas_mask[MINI_MAX];   /* CTAs whose warps do; those beyond 32 always */
    uint8_t value[MINI_MAX];        /* enum tr_value of its results; 0: TV_OTHER */
    uint64_t second[MINI_MAX];      /* what all lanes have in the second address set */
    uint64_t params[32][TR_PARAMS]; /* of instructions that have some: base is the row */
    uint32_t nparams;
    uint32_t n;
    uint32_t warps, ctas, launches; /* default 1 */
    uint32_t cluster;               /* CTAs of one; default 1 */
    bool together;                  /* launches do not wait for each other */
    uint32_t last_flags;            /* enum tr_launch_flags of the last launch */
    uint32_t regs;                  /* per thread; default 32 */
    uint32_t shared_b;
    uint64_t copy, copy_b; /* what the host has copied to the device before the first launch */
    bool no_exit;          /* the stream ends without */
    bool coded;            /* instructions have control codes */
    uint32_t arch;         /* of a SASS trace; 0: none */
    struct gpu_conf conf;
};

/* An empty kernel on one SM of a plain machine: volta's structure, caches and latencies of round numbers (mini.c). */
void mini_init(struct mini *m);
void mini_free(struct mini *m);
void mini_set(struct mini *m, const char *assignment); /* section.option=value */

enum { MINI_NONE = -1 };
/* d = op(a, b, c), each a register or MINI_NONE. Returns its index. */
uint32_t mini_op(struct mini *m, enum tr_class cls, int d, int a, int b, int c);
/* A load or store of `width_b` bytes per lane, lane i at base + i * stride; d and data may be MINI_NONE. */
uint32_t mini_mem(struct mini *m, enum tr_class cls, int d, int addr, uint32_t width_b, uint64_t base,
                  int64_t stride);
uint32_t mini_bar(struct mini *m);
/* The barrier of the cluster: arrival and wait. Returns the index of the first. */
uint32_t mini_cluster_bar(struct mini *m);
/* A shared address of the CTA of a rank of the cluster. */
static inline uint64_t mini_far(uint32_t rank, uint64_t addr) { return (1ull + rank) << 24 | addr; }
/* One lane operates on the barrier object at an address of shared memory. */
uint32_t mini_object(struct mini *m, enum tr_mbar op, uint64_t addr, uint64_t value);
/* A copy of `bytes` from global memory to shared memory, whose bytes count at an object. */
uint32_t mini_copy(struct mini *m, uint64_t from, uint64_t bytes, uint64_t object);
/* The same for the CTAs of a mask of ranks. */
uint32_t mini_cast(struct mini *m, uint64_t from, uint64_t bytes, uint64_t object, uint32_t ranks);

/* Writes the trace. */
void mini_write(struct mini *m, const char *path);
/* Cycles from start to end of the launch. */
uint64_t mini_cycles(struct mini *m);
/* What MINI_STEPS more instructions of `warps` warps cost on a partition with these options: two lengths compared. */
enum { MINI_SHORT = 80, MINI_LONG = 240, MINI_STEPS = MINI_LONG - MINI_SHORT };
typedef void mini_filler(struct mini *m, uint32_t i); /* adds instruction i */
uint64_t mini_cost(mini_filler *f, const char *const *sets, uint32_t warps);
/* The same on all partitions. sets may be NULL. */
uint64_t mini_cost_of_all(mini_filler *f, const char *const *sets, uint32_t warps);
uint64_t mini_run(struct mini *m, struct gpu_result *r, uint32_t threads);
/* The same for what may be refused. */
enum gpu_status mini_try(struct mini *m, struct gpu_result *r, uint32_t threads, struct diag *d);

/* Does a policy take these options, together? */
bool mini_fits(const struct policy *p, const struct sm_cfg *c);

#endif
