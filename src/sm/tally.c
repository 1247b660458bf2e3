#include "sm/tally.h"

#include "base/arena.h"

struct tally *tally_new(void)
{
    struct tally *t = xcalloc(1, sizeof *t);
    t->n = TALLY_ROWS;
    t->rows = xcalloc(t->n, sizeof *t->rows);
    return t;
}

void tally_free(struct tally *t)
{
    if (t)
        free(t->rows);
    free(t);
}

static void tell(struct tally_row *r, const struct sm_observer *o)
{
    if (r->k)
        o->charged(o->ctx, &r->sum, &r->at);
    *r = (struct tally_row){0};
}

void tally_turn(struct tally_row *r, const struct sm_kernel *kernel, uint32_t at, const struct sm_observer *o)
{
    tell(r, o);
    r->k = &kernel->insns[at];
    r->at = (struct sm_place){kernel->id.tenant, kernel->id.index, at};
}

static void tell_rows(struct tally *t, const struct sm_observer *o)
{
    for (uint32_t i = 0; i < t->n; i++)
        tell(&t->rows[i], o);
}

void tally_expect(struct tally *t, const struct sm_kernel *k, const struct sm_observer *o)
{
    uint32_t n = t->n;
    while (n < k->tr->n && n < TALLY_MOST)
        n *= 2;
    if (n == t->n)
        return;
    tell_rows(t, o);
    free(t->rows);
    t->rows = xcalloc(n, sizeof *t->rows);
    t->n = n;
}

void tally_tell(struct tally *t, const struct sm_observer *o)
{
    tell_rows(t, o);
    o->charged(o->ctx, &t->nowhere, &(struct sm_place){.kernel = SM_NOWHERE});
    t->nowhere = (struct sm_charged){0};
}
