/* What observers are told by instruction (sm_observer.charged): an SM adds it up in rows, and tells a row when it is wanted for
 * another instruction, or at the end. An instruction has its row by its number; kernels live as long as the run. */
#ifndef SM_TALLY_H
#define SM_TALLY_H

#include "base/hint.h"
#include "sm/kinsn.h"

enum { TALLY_ROWS = 64, TALLY_MOST = 1024 }; /* rows at first, and for long kernels */

struct tally_row {
    const struct kinsn *k; /* NULL: it is nobody's */
    struct sm_place at;
    struct sm_charged sum;
};

struct tally {
    struct tally_row *rows;
    uint32_t n;                /* a power of two */
    struct sm_charged nowhere; /* charged to no instruction */
};

struct tally *tally_new(void);
void tally_free(struct tally *t);
/* CTAs of this kernel come: it wants as many rows as it has instructions. */
void tally_expect(struct tally *t, const struct sm_kernel *k, const struct sm_observer *o);
void tally_tell(struct tally *t, const struct sm_observer *o); /* all rows */
/* The row is told, and is that of another instruction: number `at` of the kernel. */
ASIDE void tally_turn(struct tally_row *r, const struct sm_kernel *kernel, uint32_t at,
                      const struct sm_observer *o);

static inline struct sm_charged *tally_of(struct tally *t, const struct sm_kernel *kernel,
                                          const struct kinsn *k, uint32_t at, const struct sm_observer *o)
{
    struct tally_row *r = &t->rows[at & (t->n - 1)];
    if (r->k != k)
        tally_turn(r, kernel, at, o);
    return &r->sum;
}

#endif
