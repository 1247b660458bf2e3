/* SPDX-License-Identifier: Apache-2.0 */
/* A warp's buffer of instructions: runs of its stream, of which the first instruction is the next to issue. */
#ifndef SM_IBUF_H
#define SM_IBUF_H

#include "sm/warps/warp.h"

/* The first of its runs is that of its next instruction. */
static inline void ibuf_enter(struct sm_warp *w)
{
    const struct tr_run *r = &w->runs[w->run_head];
    w->next = (struct inext){w->insns + r->at, r->mask};
    w->lanes = (uint8_t)r->lanes;
    w->left = r->n;
    w->run_head = (w->run_head + 1) % RUNS_MAX;
    w->nruns--;
}
/* Its next instruction is taken; `replaced`: another one has come to the buffer. */
static inline void ibuf_pop(struct sm_warp *w, bool replaced)
{
    if (!replaced)
        w->n--;
    w->next.k++;
    if (!--w->left && w->nruns > w->ahead)
        ibuf_enter(w);
}
/* The place in the code of the one behind the next, where there are two. */
static inline uint32_t ibuf_second(const struct sm_warp *w)
{
    return w->left > 1 ? w->next.k->at + 1 : w->runs[w->run_head].at;
}

#endif
