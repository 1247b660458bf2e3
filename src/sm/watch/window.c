/* SPDX-License-Identifier: Apache-2.0 */
/* Registers that an SM's warps touch in a window of cycles (sm.reg_window): how many different ones, window by window, while
 * the SM has a CTA. */
#include "sm/core.h"

void window_init(struct sm *s)
{
    struct reg_window *w = &s->operands.window;
    w->cyc = s->cfg->reg_window;
    w->n = s->cfg->partitions * s->cfg->warps;
    w->touched = w->cyc ? xcalloc(w->n, sizeof *w->touched) : NULL;
}

/* The window that was open is over, and those after it up to this cycle's. */
static void move_on(struct sm *s, uint64_t t)
{
    struct reg_window *w = &s->operands.window;
    if (t / w->cyc == w->index)
        return;
    for (uint32_t i = 0; i < w->n; i++)
        s->stats[SS_window_regs] += regset_count(&w->touched[i]);
    memset(w->touched, 0, w->n * sizeof *w->touched);
    s->stats[SS_windows] += t / w->cyc - w->index;
    w->index = t / w->cyc;
}

void window_begin(struct sm *s)
{
    if (!s->operands.window.busy)
        s->operands.window.index = s->clock.now / s->operands.window.cyc;
    s->operands.window.busy = true;
}

void window_end(struct sm *s)
{
    move_on(s, s->clock.now + s->operands.window.cyc);
    s->operands.window.busy = false;
}

void window_touch(struct part *p, uint32_t warp, const struct kinsn *k)
{
    struct sm *s = p->sm;
    move_on(s, s->clock.now);
    regset *to = &s->operands.window.touched[p->id * s->cfg->warps + warp];
    for (uint32_t i = 0; i < 4; i++)
        to->w[i] |= k->def[i] | k->use[i];
}
