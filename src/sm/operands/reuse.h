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

/* --check: operands of the flight that were found there, by bit; and the places of all. */
SELDOM void reuse_cache_check(const struct reuse_cache *r, uint32_t flight, uint32_t found,
                              const uint8_t *places);

/* Which operands of a flight are there, by bit, and the places of all; it is the last reader now. */
INTO uint32_t reuse_cache_look(const struct reuse_cache *r, const struct flight *l, uint8_t *places)
{
    const struct part *p = r->p;
    const struct kinsn *k = l->i.k;
    const struct reuse_note *notes = p->sm->ctas.at[p->warps[l->warp].cta].k->note[SEAM_OPERANDS];
    const struct reuse_note *note = &notes[k->at];
    uint32_t bank0 = l->bank0 * REUSE_POSITIONS, group = p->banks.group * REUSE_POSITIONS;
    uint32_t end = p->banks.end[l->bank0] * REUSE_POSITIONS;
    uint32_t into = k->at - note->block, keeps = k->coded ? k->keeps : UINT32_MAX, found = 0;
    uint64_t owner = reuse_key(p, l->warp, 0);
    for (uint32_t i = 0, n = k->nread; i < n; i++) {
        uint32_t place = note->place[i] + bank0;
        place -= place < end ? 0 : group;
        places[i] = (uint8_t)place;
        struct reuse_cache_place *e = &r->places[place];
        uint64_t key = owner | k->read[i];
        /* read before in this block */
        found |= (uint32_t)(e->key == key && e->at - note->block < into) << i;
        e->key = keeps >> place % REUSE_POSITIONS & 1 ? key : 0;
        e->at = k->at;
    }
    return found;
}

/* As reuse_cache_look, and the banks of the others. */
INTO struct reuse_reads reuse_cache_find(const struct reuse_cache *r, uint32_t f)
{
    const struct flight *l = &r->p->flights[f];
    uint8_t places[MAX_OPERANDS];
    struct reuse_reads reads = {.found = reuse_cache_look(r, l, places), .nfound = l->i.k->nread};
    for (uint32_t m = ((1u << l->i.k->nread) - 1) & ~reads.found; m; m &= m - 1) {
        uint64_t bank = 1ull << places[__builtin_ctz(m)] / REUSE_POSITIONS;
        reads.thrice |= reads.twice & bank;
        reads.twice |= reads.banks & bank;
        reads.banks |= bank;
        reads.nfound--;
    }
    if (RARE(r->p->check))
        reuse_cache_check(r, f, reads.found, places);
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
