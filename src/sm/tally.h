/* What observers are told by instruction (sm_observer.charged): an SM adds it up in rows, and tells a row when it is wanted for
 * another instruction, or at the end. An instruction has its row by its number; kernels live as long as the run. */
#ifndef SM_TALLY_H
#define SM_TALLY_H

#include "base/hint.h"
#include "sm/kinsn.h"

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
static inline bool tally_is_full(uint64_t word) { return RARE(word >> 63); }

struct tally {
    struct tally_row *rows;
    struct tally_head *heads;  /* of each row */
    uint32_t n;                /* a power of two */
    struct sm_charged nowhere; /* charged to no instruction */
};

struct tally *tally_new(void);
void tally_free(struct tally *t);
/* CTAs of this kernel come: it wants as many rows as it has instructions. */
void tally_expect(struct tally *t, const struct sm_kernel *k, const struct sm_observer *o);
void tally_tell(struct tally *t, const struct sm_observer *o); /* all rows */
/* The row of this instruction, number `at` of its kernel, is told, and is that one's from now on. */
SELDOM void tally_turn(struct tally *t, const struct sm_kernel *kernel, uint32_t at,
                       const struct sm_observer *o);
SELDOM void tally_empty(struct tally *t, uint32_t at); /* its head, into its row */

static inline struct sm_charged *tally_of(struct tally *t, const struct sm_kernel *kernel,
                                          const struct kinsn *k, uint32_t at, const struct sm_observer *o)
{
    struct tally_row *r = &t->rows[at & (t->n - 1)];
    if (RARE(r->k != k))
        tally_turn(t, kernel, at, o);
    return &r->sum;
}

static inline struct tally_head *tally_head(struct tally *t, const struct sm_kernel *kernel,
                                            const struct kinsn *k, uint32_t at, const struct sm_observer *o)
{
    struct tally_head *h = &t->heads[at & (t->n - 1)];
    if (RARE(h->k != k))
        tally_turn(t, kernel, at, o);
    return h;
}

/* It has issued, with so many lanes. */
static inline void tally_issue(struct tally *t, struct tally_head *h, uint32_t at, uint64_t lanes)
{
    h->issues += TALLY_ISSUE + lanes;
    if (tally_is_full(h->issues))
        tally_empty(t, at);
}

/* n reads of it have waited, `waited` cycles together. */
static inline void tally_late(struct tally *t, struct tally_head *h, uint32_t at, uint32_t n, uint64_t waited)
{
    h->late += waited * TALLY_WAIT + n;
    if (tally_is_full(h->late))
        tally_empty(t, at);
}

#endif
