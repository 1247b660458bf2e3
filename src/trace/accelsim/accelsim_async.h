/* SPDX-License-Identifier: Apache-2.0 */
/* A CTA of a kernel with barrier objects, between the reading of its lines and the writing of its streams. */
#ifndef TRACE_ACCELSIM_ASYNC_H
#define TRACE_ACCELSIM_ASYNC_H

#include "trace/accelsim/accelsim_in.h"

enum { AS_OFFSET = 0xffffff /* of a shared address: above is the CTA */ };

struct as_step {
    uint32_t at, mask;
    uint32_t block; /* of addresses; UINT32_MAX: none */
    uint8_t space;
    bool gone;
};
struct as_lanes {
    /* value: of a copy the tensor (lane 0); of a wait how many phases are over when it ends */
    uint64_t addr[TR_LANES], value[TR_LANES];
};
typedef VEC(struct as_step) as_steps;

/* An object, by its place in shared memory. */
struct as_object {
    uint32_t at;
    uint32_t arrivals, waits; /* the most that one warp does */
    uint32_t count;           /* arrivals that make a phase */
    bool bytes;
};

struct as_async {
    as_steps warps[TR_WARPS];
    VEC(struct as_lanes) blocks;
    VEC(struct as_object) objects;
    VEC(uint32_t)
    places; /* that copies of all CTAs so far go to, in order: CTAs of a cluster bring pieces of each other's tiles */
    const struct accelsim_import *o;
    /* Tensors, by what they are named by: those that are read in the order of their names (a kernel's parameters), and those
     * that are written; bytes that were copied of each so far. */
    uint64_t read[ACCELSIM_TENSORS], written[ACCELSIM_TENSORS];
    uint32_t nread, nwritten;
    uint64_t copied[2 * ACCELSIM_TENSORS];
    uint64_t released; /* waits that nobody would have ended */
};

static inline bool as_is_object(const struct tr_insn *i) { return i->cls == TC_MBAR && i->naddr == 2; }
static inline bool as_is_copy(const struct tr_insn *i) { return i->cls == TC_TMA && i->nparam; }
static inline bool as_is_wait(const struct tr_insn *i) { return as_is_object(i) && i->imm == TMB_WAIT; }
static inline bool as_is_load(const struct tr_insn *i) { return as_is_copy(i) && i->imm == TT_LOAD; }

/* The object at an address; made if it is not there. */
struct as_object *as_object_at(struct as_async *a, uint64_t addr);
/* Polling becomes waits, and every wait gets its phase (accelsim_waits.c). */
void as_waits(struct as_async *a, const struct tr_kernel *k);

#endif
