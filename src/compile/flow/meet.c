/* SPDX-License-Identifier: Apache-2.0 */
#include "compile/flow/meet.h"

enum { BLOCKS_MAX = 256 }; /* between branch and loop's end: beyond it the lanes meet behind the loop */

bool meet_inside(const struct ir_cfg *c, uint32_t header, uint32_t b)
{
    uint32_t l = c->loop[b];
    while (l != CFG_NONE && l != header)
        l = c->loop_parent[l];
    return l == header;
}

bool meet_avoided(struct meet *w, uint32_t x, uint32_t m)
{
    uint32_t h = w->c->loop[x], work[BLOCKS_MAX], n = 0, left = BLOCKS_MAX;
    w->walk++;
    work[n++] = x;
    while (n) {
        uint32_t b = work[--n];
        vec_each (&w->fn->blocks.at[b].succ, s) {
            if (*s == m || w->seen[*s] == w->walk || !meet_inside(w->c, h, *s))
                continue;
            if (*s == h || !left--)
                return true;
            w->seen[*s] = w->walk;
            work[n++] = *s;
        }
    }
    return false;
}

bool meet_is_late(struct meet *w, uint32_t x, uint32_t y)
{
    uint32_t h = w->c->loop[x];
    return w->c->loop[y] == h && y != h && meet_avoided(w, x, y);
}

uint32_t meet_in_loop(struct meet *w, uint32_t x)
{
    const struct ir_cfg *c = w->c;
    uint32_t h = c->loop[x], tries = BLOCKS_MAX;
    vec_each (&w->fn->blocks.at[x].succ, s)
        if (*s == h || !meet_inside(c, h, *s))
            return CFG_NONE; /* x itself leaves the loop, or closes it */
    for (uint32_t k = c->rpo_of[x] + 1; k < c->nrpo && tries; k++) {
        uint32_t m = c->rpo[k];
        if (c->loop[m] != h)
            continue;
        tries--;
        if (!meet_avoided(w, x, m))
            return m;
    }
    return CFG_NONE;
}
