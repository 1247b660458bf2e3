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

struct reuse_cache_place {
    uint64_t key; /* age of its warp + 1, and the register in the lowest byte; 0: nobody's */
    uint32_t version;
    uint32_t at; /* instruction that read it */
};

struct reuse_cache {
    struct part *p;
    struct reuse_cache_place *places; /* by bank, then position */
};

/* Of an instruction, in a kernel's note. */
struct reuse_note {
    uint32_t block; /* first instruction of its basic block */
    /* By register that it reads: the place, in a warp slot whose R0 is in bank 0 */
    uint8_t place[MAX_OPERANDS];
};

/* Of a kernel: the places of what its instructions read. free() forgets. */
void *reuse_cache_annotate(struct sm_kernel *k, const struct sm_cfg *cfg);
void reuse_cache_init(struct reuse_cache *r, struct part *p);
void reuse_cache_free(struct reuse_cache *r);
/* Where the registers that an instruction reads come from. */
struct reuse_reads {
    uint32_t found, nfound; /* operands, by bit, that need not be read from their banks; how many */
    uint64_t banks;         /* that the others are read from, by bit */
    uint64_t twice, thrice; /* ... two of them or more, three or more */
};

static inline uint64_t reuse_key(const struct part *p, uint32_t warp, uint8_t reg)
{
    return (p->age[warp] + 1) << 8 | reg;
}

/* --check: operand i of the flight was found there, or not. */
SELDOM void reuse_cache_check(const struct reuse_cache *r, uint32_t flight, uint32_t i, bool found,
                              struct reuse_cache_place *e);

/* Of a flight; it is the last reader now. */
INTO struct reuse_reads reuse_cache_find(const struct reuse_cache *r, uint32_t f)
{
    struct part *p = r->p;
    const struct flight *l = &p->flights[f];
    const struct kinsn *k = l->i.k;
    const struct reuse_note *notes = p->sm->ctas.at[p->warps[l->warp].cta].k->note[SEAM_OPERANDS];
    uint32_t at = k->at, block = notes[at].block, n = k->nread, keeps = k->coded ? k->keeps : UINT32_MAX;
    uint32_t bank0 = l->bank0 * REUSE_POSITIONS, group = p->banks.group * REUSE_POSITIONS;
    uint32_t end = p->banks.end[l->bank0] * REUSE_POSITIONS;
    uint64_t owner = reuse_key(p, l->warp, 0);
    struct reuse_reads reads = {0};
    for (uint32_t i = 0; i < n; i++) {
        uint32_t place = notes[at].place[i] + bank0;
        place -= place < end ? 0 : group;
        struct reuse_cache_place *e = &r->places[place];
        uint64_t key = owner | k->read[i];
        bool same = e->key == key && e->at - block < at - block; /* read before in this block */
        uint64_t bank = (uint64_t)!same << place / REUSE_POSITIONS;
        reads.found |= (uint32_t)same << i;
        reads.nfound += same;
        reads.thrice |= reads.twice & bank;
        reads.twice |= reads.banks & bank;
        reads.banks |= bank;
        e->key = keeps >> place % REUSE_POSITIONS & 1 ? key : 0;
        e->at = at;
        if (RARE(p->check))
            reuse_cache_check(r, f, i, same, e);
    }
    return reads;
}

/* Destination i of a flight is written. */
INTO void reuse_cache_write(const struct reuse_cache *r, uint32_t f, uint32_t i)
{
    const struct flight *l = &r->p->flights[f];
    const struct kinsn *k = l->i.k;
    struct reuse_cache_place *at = &r->places[bank_of(r->p, k->write_bank[i], l->bank0) * REUSE_POSITIONS];
    uint64_t key = reuse_key(r->p, l->warp, k->write[i]);
    for (uint32_t n = 0; n < REUSE_POSITIONS; n++)
        if (at[n].key == key)
            at[n].key = 0;
}

/* operands_ops.past */
void reuse_cache_past(struct reuse_cache *r, uint32_t warp, const struct kinsn *k);

#endif
