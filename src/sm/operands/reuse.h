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

enum { REUSE_POSITIONS = 4 };

/* Of an instruction, in a kernel's note. */
struct reuse_note {
    uint32_t block; /* first instruction of its basic block */
    uint16_t keeps; /* registers that it reads, by bit, which stay in their places */
    /* By register that it reads: the place, in a warp slot whose R0 is in bank 0 */
    uint8_t place[MAX_OPERANDS];
};

struct reuse_cache {
    struct part *p;
    /* By bank, then position: the register that was read there (reuse_key), and in the low half which instruction read it; 0:
     * none. A new warp in a slot finds nothing of the one before it. */
    uint64_t *places;
    const struct reuse_note *notes[64]; /* by warp slot: of its kernel */
    uint8_t *moved;                     /* by bank of R0 and place for R0 in bank 0: the place */
    uint32_t nplaces;
    uint32_t *versions; /* by place; --check */
};

/* Of a kernel: the places of what its instructions read. free() forgets. */
void *reuse_cache_annotate(struct sm_kernel *k, const struct sm_cfg *cfg);
void reuse_cache_init(struct reuse_cache *r, struct part *p);
void reuse_cache_free(struct reuse_cache *r);
void reuse_cache_begin(struct reuse_cache *r, uint32_t warp); /* operands_ops.warp_begin */

/* Where the registers that an instruction reads come from. */
struct reuse_reads {
    uint32_t found, nfound; /* operands, by bit, that need not be read from their banks; how many */
    uint64_t banks;         /* that the others are read from, by bit */
    uint64_t twice, thrice; /* ... two of them or more, three or more */
};

/* A warp's register, in the upper half. */
static inline uint64_t reuse_key(uint32_t warp, uint8_t reg)
{
    return (uint64_t)((warp + 1) << 8 | reg) << 32;
}

/* By register that an instruction reads: its place. */
static inline const uint8_t *reuse_moved(const struct reuse_cache *r, const struct flight *l)
{
    return &r->moved[l->bank0 * r->nplaces];
}

/* --check: operands of the flight that were found there, by bit. */
SELDOM void reuse_cache_check(const struct reuse_cache *r, uint32_t flight, uint32_t found);

/* Which operands of a flight are there, and the banks of the others; it is the last reader now. A register is there if the same
 * warp has read it before in this basic block. */
INTO struct reuse_reads reuse_cache_find(const struct reuse_cache *r, uint32_t f)
{
    const struct flight *l = &r->p->flights[f];
    const struct kinsn *k = l->i.k;
    const struct reuse_note *note = &r->notes[l->warp][k->at];
    const uint8_t *moved = reuse_moved(r, l);
    struct reuse_reads reads = {0};
    uint64_t *places = r->places, first = reuse_key(l->warp, 0) | note->block;
    uint32_t into = k->at - note->block, keeps = note->keeps;
    for (uint32_t i = 0, n = k->nread; i < n; i++, keeps >>= 1) {
        uint32_t place = moved[note->place[i]];
        uint64_t block = first + ((uint64_t)k->read[i] << 32), bank = 1ull << place / REUSE_POSITIONS;
        bool there = places[place] - block < into;
        places[place] = keeps & 1 ? block + into : 0;
        if (there) {
            reads.found |= 1u << i;
            reads.nfound++;
            continue;
        }
        reads.thrice |= reads.twice & bank;
        reads.twice |= reads.banks & bank;
        reads.banks |= bank;
    }
    if (RARE(r->p->check))
        reuse_cache_check(r, f, reads.found);
    return reads;
}

/* Destination i of a flight is written. */
INTO void reuse_cache_write(const struct reuse_cache *r, uint32_t f, uint32_t i)
{
    const struct flight *l = &r->p->flights[f];
    const struct kinsn *k = l->i.k;
    uint64_t *at = &r->places[bank_of(r->p, k->write_bank[i], l->bank0) * REUSE_POSITIONS];
    uint64_t key = reuse_key(l->warp, k->write[i]);
    for (uint32_t n = 0; n < REUSE_POSITIONS; n++)
        if (at[n] >> 32 == key >> 32)
            at[n] = 0;
}

/* operands_ops.past */
void reuse_cache_past(struct reuse_cache *r, uint32_t warp, const struct kinsn *k);

#endif
