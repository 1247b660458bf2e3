/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for a phase of an mbarrier object (try_wait). A split waits as one until the phases of all its lanes are over: what
 * the trace keeps is one instruction that succeeded. A lane whose phase was over once need not find it so again, the object may
 * be a phase further by then. PTX lets a wait end without success after a time; here it does when nothing else in the CTA
 * gets on, which is what code that does something else meanwhile needs. */
#include "exec/run.h"

/* Are the phases over that the lanes wait for? False: error. */
static bool look(struct run *r, struct warp *w, const struct dop *d, uint32_t mask, uint32_t *over)
{
    bool top = d->x.insn->flags & IRF_X; /* the parity is the top bit */
    const uint32_t *addr = x_row(&w->x, &d->x, 0), *arg = x_row(&w->x, &d->x, 1);
    bool state = d->x.insn->sub == MBAR_TRY_WAIT;
    *over = 0;
    lanes_each (mask, l) {
        uint32_t a = addr[l] + (uint32_t)d->off;
        struct cta *c;
        const unsigned char *at = a % 8 ? NULL : shared_host(r, w, a, 8, &c);
        if (!at)
            return fail_access(r, w, l, SPACE_SHARED, "mbarrier", 8, a);
        struct mbar b = mbar_get(at);
        if (!b.valid || c != w->cta)
            return fail(r, w, EXEC_BAD_CODE, l, a, "%s",
                        b.valid ? "mbarrier: only threads of its CTA can wait for it"
                                : "mbarrier: the object is not initialised");
        /* A state is a copy of the object: its top bit is the parity. */
        uint32_t parity = state ? arg[LANES + l] >> 31 : top ? arg[l] >> 31 : arg[l] & 1;
        *over |= (uint32_t)(parity != b.phase) << l;
    }
    return true;
}

/* The first set for the trace; where the wait gave up the second one says so. */
static void note(struct run *r, const struct warp *w, const struct dop *d, uint32_t late)
{
    mbar_note(r, w, d);
    lanes_each (late, l)
        r->addr2[l] = MBAR_GAVE_UP;
}

bool mbar_step(struct run *r, struct warp *w, struct dop *d, uint32_t mask, uint32_t *ran)
{
    struct split *s = &w->split[w->cur];
    uint32_t over;
    *ran = 0;
    if (!look(r, w, d, mask, &over))
        return false;
    over |= s->over & mask;
    if (over != mask && !s->expired) {
        s->state = SPLIT_MBAR;
        s->over = over | (s->mask & ~mask);
        return true;
    }
    if (r->obs)
        note(r, w, d, mask & ~over);
    x_pset(&w->x, d->x.pdst[0], over, mask);
    if (over == mask)
        run_progress(r, w);
    s->pc++;
    s->over = s->expired = 0;
    *ran = mask;
    return true;
}

static void wake(struct warp *w, struct split *s)
{
    s->state = SPLIT_RUN;
    if (w->state == WARP_WAITS)
        w->state = WARP_READY;
}

void mbar_phase_over(struct run *r, struct cta *c, uint32_t at)
{
    for (uint32_t k = 0; k < r->nwarps; k++) {
        struct warp *w = &c->warps[k];
        for (uint32_t i = 0; i < w->nsplit; i++) {
            struct split *s = &w->split[i];
            if (s->state != SPLIT_MBAR)
                continue;
            const struct dop *d = &r->ops[s->pc];
            const uint32_t *addr = x_row(&w->x, &d->x, 0);
            lanes_each (s->mask & ~s->over, l)
                s->over |= (uint32_t)(((addr[l] + (uint32_t)d->off) & SHARED_OFFSET) == at) << l;
            if (s->over == s->mask)
                wake(w, s);
        }
    }
}

bool mbar_part(struct warp *w)
{
    bool any = false;
    for (uint32_t i = 0, n = w->nsplit; i < n; i++) {
        struct split *s = &w->split[i];
        if (s->state != SPLIT_MBAR || !s->over)
            continue;
        split_add(w, s->pc, s->mask & ~s->over, SPLIT_MBAR, 0);
        s->mask = s->over;
        wake(w, s);
        any = true;
    }
    return any;
}

static bool expire(struct warp *w)
{
    bool any = false;
    for (uint32_t i = 0; i < w->nsplit; i++) {
        if (w->split[i].state != SPLIT_MBAR)
            continue;
        w->split[i].expired = 1;
        wake(w, &w->split[i]);
        any = true;
    }
    return any;
}

bool mbar_give_up(struct run *r, struct cluster *k)
{
    bool any = false;
    if (r->gave_up == r->progress + 1)
        return false;
    for (uint32_t i = 0; i < k->n; i++)
        for (uint32_t w = 0; w < r->nwarps; w++)
            any |= expire(&k->ctas[i]->warps[w]);
    if (any) {
        r->gave_up = r->progress + 1;
        r->fruitless = 0;
    }
    return any;
}
