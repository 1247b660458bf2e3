/* SPDX-License-Identifier: Apache-2.0 */
/* The reuse cache of GPUs since Maxwell: for every bank and position of a source the register that was read there last. The next
 * read of that bank for that position replaces it; where that is of the same warp and register, it is no read of the bank.
 * (Huerta et al., "Dissecting and Modeling the Architecture of Modern GPU Cores", 2025: six places of 32 lanes in a partition of
 * two banks. silicon/ports.cu measures it on an H200.)
 *
 * Compilers mark what is to be kept. Where a trace has no marks they are derived from the code: whatever the same warp reads
 * again in the same basic block, with no other read of that bank and position in between, was kept. */
#ifndef SM_OPERANDS_REUSE_H
#define SM_OPERANDS_REUSE_H

#include "sm/core.h"

struct reuse_cache_place;

struct reuse_cache {
    struct part *p;
    struct reuse_cache_place *places; /* by bank, then position */
};

/* Of a kernel: the positions of what its instructions read. free() forgets. */
void *reuse_cache_annotate(struct sm_kernel *k, const struct sm_cfg *cfg);
void reuse_cache_init(struct reuse_cache *r, struct part *p);
void reuse_cache_free(struct reuse_cache *r);
/* Where the registers that an instruction reads come from. */
struct reuse_reads {
    uint32_t found, nfound; /* operands, by bit, that need not be read from their banks; how many */
    uint64_t banks;         /* that the others are read from, by bit */
    uint64_t twice;         /* ... several of them */
};
/* Of a flight; it is the last reader now. */
struct reuse_reads reuse_cache_find(struct reuse_cache *r, uint32_t flight);
/* Destination i of a flight is written. */
void reuse_cache_write(struct reuse_cache *r, uint32_t flight, uint32_t i);
/* operands_ops.past */
void reuse_cache_past(struct reuse_cache *r, uint32_t warp, const struct kinsn *k);

#endif
