/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of a warp that are on their way, by the groups that it has committed: those of cp.async, and bulk stores. */
#ifndef SM_GROUPS_H
#define SM_GROUPS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { COPY_GROUPS = 8 }; /* that are told apart */

struct groups {
    uint8_t n;
    uint8_t wait;               /* 1 + groups that the warp may leave pending; 0: it does not wait */
    uint32_t base;              /* number of the oldest group */
    uint32_t left[COPY_GROUPS]; /* outstanding by group, oldest first; the last one is not committed yet */
};

static inline uint32_t groups_pending(const struct groups *g)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i + 1 < g->n; i++)
        n += g->left[i] != 0;
    return n;
}

static inline void groups_drop(struct groups *g)
{
    memmove(g->left, g->left + 1, sizeof g->left - sizeof g->left[0]);
    g->n--;
    g->base++;
}

/* One more copy; returns the number of its group. */
static inline uint32_t groups_add(struct groups *g)
{
    if (!g->n)
        g->left[g->n++] = 0;
    g->left[g->n - 1u]++;
    return g->base + g->n - 1u;
}

static inline void groups_commit(struct groups *g)
{
    if (!g->n)
        return;
    if (g->n == COPY_GROUPS) { /* more than are told apart: the two oldest become one */
        g->left[1] += g->left[0];
        groups_drop(g);
    }
    g->left[g->n++] = 0;
}

/* False: no more than `stay` are pending, there is nothing to wait for. */
static inline bool groups_wait(struct groups *g, uint32_t stay)
{
    if (groups_pending(g) <= stay)
        return false;
    g->wait = (uint8_t)(stay + 1);
    return true;
}

/* A copy of that group is done. True: that ends the warp's wait. */
static inline bool groups_done(struct groups *g, uint32_t group)
{
    g->left[group > g->base ? group - g->base : 0]--;
    while (g->n > 1 && !g->left[0])
        groups_drop(g);
    if (!g->wait || groups_pending(g) >= g->wait)
        return false;
    g->wait = 0;
    return true;
}

#endif
