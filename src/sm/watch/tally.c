/* SPDX-License-Identifier: Apache-2.0 */
#include "sm/watch/tally.h"

#include "base/arena.h"

static void make_rows(struct tally *t, uint32_t n)
{
    t->last = n - 1;
    t->rows = xlines(n, sizeof *t->rows);
    t->heads = xlines(n, sizeof *t->heads);
}

static void free_rows(struct tally *t)
{
    free(t->rows);
    free(t->heads);
}

struct tally *tally_new(void)
{
    struct tally *t = xcalloc(1, sizeof *t);
    make_rows(t, TALLY_ROWS);
    return t;
}

void tally_free(struct tally *t)
{
    if (t)
        free_rows(t);
    free(t);
}

void tally_empty(struct tally *t, uint32_t at)
{
    struct tally_head *h = tally_head(t, at);
    struct sm_charged *sum = &tally_row(t, at)->sum;
    sum->causes[0] += h->issues / TALLY_ISSUE;
    sum->lanes += h->issues % TALLY_ISSUE;
    sum->read_wait += h->late / TALLY_WAIT;
    sum->bank_conflicts += h->late % TALLY_WAIT;
    h->issues = h->late = 0;
}

static void tell(struct tally *t, uint32_t i, const struct sm_observer *o)
{
    struct tally_row *r = &t->rows[i];
    tally_empty(t, i);
    if (r->k)
        o->charged(o->ctx, &r->sum, &r->at);
    *r = (struct tally_row){0};
    t->heads[i].k = NULL;
}

void tally_turn(struct tally *t, const struct sm_kernel *kernel, const struct kinsn *k,
                const struct sm_observer *o)
{
    uint32_t i = k->at & t->last;
    tell(t, i, o);
    t->rows[i].k = t->heads[i].k = k;
    t->rows[i].at = (struct sm_place){kernel->id.tenant, kernel->id.index, k->at};
}

static void tell_rows(struct tally *t, const struct sm_observer *o)
{
    for (uint32_t i = 0; i <= t->last; i++)
        tell(t, i, o);
}

void tally_expect(struct tally *t, const struct sm_kernel *k, const struct sm_observer *o)
{
    uint32_t n = t->last + 1;
    while (n < k->tr->n && n < TALLY_MOST)
        n *= 2;
    if (n == t->last + 1)
        return;
    tell_rows(t, o);
    free_rows(t);
    make_rows(t, n);
}

void tally_tell(struct tally *t, const struct sm_observer *o)
{
    tell_rows(t, o);
    o->charged(o->ctx, &t->nowhere, &(struct sm_place){.kernel = SM_NOWHERE});
    t->nowhere = (struct sm_charged){0};
}
