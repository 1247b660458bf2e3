/* SPDX-License-Identifier: Apache-2.0 */
/* Which rows of the SRAM banks an access touches, and what that costs (unified paper, sections 4.2, 4.3 and 6.1). Followed where
 * the policy of the seam has one pool for registers, shared memory and L1, or where conflicts are counted by instruction;
 * elsewhere nobody calls anything here (onchip.follows).
 *
 * Layout of a pool: a register lies in one bank of every cluster, as without a pool. Byte a of shared memory lies in cluster a /
 * row mod clusters, bank a / 128 mod banks; a line of L1 in the same clusters, and in the bank of its set.
 *
 * sm.conflicts = insn: n is the most accesses of an instruction to one bank: operands that it reads there, in a pool with the
 * rows of memory that it touches there; at least the cycles that its lanes take (ientry.passes). Its result comes n - 1 cycles
 * later, and nobody else waits. The load-store unit is busy for 128 bytes a cycle, or a line.
 *
 * sm.conflicts = cycle: a bank of the pool has one read and one write port. Registers go first, memory waits for what they have
 * left in a cycle; lines that come from memory are written through a buffer of their own, from which loads can be served. */
#ifndef SM_ONCHIP_ROWS_H
#define SM_ONCHIP_ROWS_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

struct flight;
struct ientry;
struct part;
struct sm;
struct sm_cfg;
struct tr_step;

enum { ROWS_BANKS = 32, ROWS_MAX = 5 };

/* Rows that an access has yet to touch, by cluster * banks + bank; cycles that their bytes take to leave their clusters. */
struct row_list {
    uint8_t n[ROWS_BANKS];
    uint8_t left, beats;
    uint16_t next; /* free list */
};

/* --check: what each bank's registers have done up to this cycle, and who has used its ports in it. */
struct row_check {
    uint64_t reads[ROWS_BANKS], writes[ROWS_BANKS];
    uint8_t used[ROWS_BANKS];
};

struct rows {
    VEC(struct row_list) lists;
    uint16_t free;          /* 1 + list; 0: none */
    uint64_t max[ROWS_MAX]; /* instructions by n: [0] is what the others leave */
    VEC(uint8_t) fills;     /* banks of lines that are to be written, oldest first */
    uint64_t fill_cyc;      /* 1 + cycle of the last one that was, and its bank */
    uint32_t fill_bank;
    struct row_check check;
};

/* Of addresses: the row's place among the banks of a pool. `set`: of the line in L1, for an address outside of shared memory. */
uint32_t rows_cluster(const struct sm_cfg *cfg, uint64_t addr);
uint32_t rows_bank(const struct sm_cfg *cfg, uint64_t addr);
/* What lanes touch. Returns passes: for a pool the most rows in one cluster (many: in one bank, or bytes that leave a cluster),
 * without one the most words in one of 32 banks. `same`: accesses to one row are one. list NULL: only passes. */
struct rows_of {
    const uint64_t *addr; /* by lane */
    uint32_t mask, width_b;
    const uint32_t *set; /* by lane; NULL: shared memory */
    bool same;
};
uint8_t rows_passes(const struct sm_cfg *cfg, bool pool, bool many, const struct rows_of *a,
                    struct row_list *list);

void rows_of_step(struct sm *s, const struct part *p, uint32_t w, const struct tr_step *step,
                  struct ientry *e);
void rows_free(struct rows *r, uint16_t *list);
/* A flight has a collector; `found`: operands that are not read from banks. */
void rows_issued(struct part *p, uint32_t flight, uint32_t found);
/* An access to shared memory: cycles that the unit is busy, and until all lanes are served. */
void rows_shared(const struct sm *s, const struct flight *l, uint32_t *busy, uint32_t *until);
/* In cycle t rows of a shared access are served, if they can; true: some are left for the next cycle. The same for the next line
 * of an access to L1. */
bool rows_shared_waits(struct sm *s, uint32_t who, uint64_t t);
bool rows_line_waits(struct sm *s, uint32_t who, uint64_t t);
void rows_fill(struct sm *s, uint32_t set); /* a line has come */
void rows_tick(struct sm *s, uint64_t t);   /* lines are written */
void rows_count(const struct sm *s, uint64_t *sum);
void rows_check_empty(struct sm *s); /* --check: the SM is about to be divided anew */
void rows_done(struct rows *r);

#endif
