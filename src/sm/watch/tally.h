/* SPDX-License-Identifier: Apache-2.0 */
/* What observers are told by instruction (sm_observer.charged): an SM adds it up in rows, and tells a row when it is wanted for
 * another instruction, or at the end. An instruction has its row by its number; kernels live as long as the run. */
#ifndef SM_TALLY_H
#define SM_TALLY_H

#include "base/hint.h"
#include "sm/code/kinsn.h"

enum { TALLY_ROWS = 64, TALLY_MOST = 1024 }; /* rows at first, and for long kernels */

struct tally_row {
    _Alignas(HOST_LINE_B) const struct kinsn *k; /* NULL: it is nobody's */
    struct sm_place at;
    struct sm_charged sum;
};

/* What comes with nearly every issue, of all rows close together: two sums in a word, which go to the row before its highest bit
 * is set, or soon after. The lower one never grows out of its part before. */
struct tally_head {
    const struct kinsn *k; /* as in its row */
    uint64_t issues;       /* from TALLY_ISSUE on; below: their lanes, 32 each at most */
    uint64_t late; /* from TALLY_WAIT on, cycles that reads waited; below: those reads, one each at least */
};
#define TALLY_ISSUE (1ull << 35)
#define TALLY_WAIT (1ull << 32)

struct tally {
    struct tally_row *rows;
    struct tally_head *heads;  /* of each row */
    uint32_t last;             /* row: they are a power of two */
    struct sm_charged nowhere; /* charged to no instruction */
};

struct tally *tally_new(void);
void tally_free(struct tally *t);
/* CTAs of this kernel come: it wants as many rows as it has instructions. */
void tally_expect(struct tally *t, const struct sm_kernel *k, const struct sm_observer *o);
void tally_tell(struct tally *t, const struct sm_observer *o); /* all rows */
/* What is in the row of this instruction is told, and it is its own from now on. */
SELDOM void tally_turn(struct tally *t, const struct sm_kernel *kernel, const struct kinsn *k,
                       const struct sm_observer *o);
SELDOM void tally_empty(struct tally *t, uint32_t at); /* its head, into its row */

/* The place for an instruction's row and head, which may have those of another one. */
static inline struct tally_row *tally_row(struct tally *t, uint32_t at) { return &t->rows[at & t->last]; }
static inline struct tally_head *tally_head(struct tally *t, uint32_t at) { return &t->heads[at & t->last]; }

static inline struct sm_charged *tally_of(struct tally *t, const struct sm_kernel *kernel,
                                          const struct kinsn *k, const struct sm_observer *o)
{
    struct tally_row *r = tally_row(t, k->at);
    if (RARE(r->k != k))
        tally_turn(t, kernel, k, o);
    return &r->sum;
}

/* It has issued, with so many lanes. */
static inline void tally_issue(struct tally *t, const struct sm_kernel *kernel, const struct kinsn *k,
                               uint32_t lanes, const struct sm_observer *o)
{
    struct tally_head *h = tally_head(t, k->at);
    if (RARE(h->k != k))
        tally_turn(t, kernel, k, o);
    h->issues += TALLY_ISSUE + lanes;
    if (RARE(h->issues >> 63))
        tally_empty(t, k->at);
}

/* n reads of it have waited, `waited` cycles together. The head is its own. */
static inline void tally_late(struct tally *t, uint32_t at, uint32_t n, uint64_t waited)
{
    struct tally_head *h = tally_head(t, at);
    h->late += waited * TALLY_WAIT + n;
    if (RARE(h->late >> 63))
        tally_empty(t, at);
}

#endif
