/* SPDX-License-Identifier: Apache-2.0 */
/* A profile: how long it must be, and what it says. Training is the first half of the cycles so far, validation the second. */
#include "sm/tenant/scavenger/scavenger.h"

#include <math.h>

static double ratio(uint64_t a, uint64_t b) { return b ? (double)a / (double)b : 0; }

/* ---- histograms ---- */

uint32_t sc_distance(const uint32_t a[TENANT_PCS], const uint32_t b[TENANT_PCS])
{
    uint64_t ta = 0, tb = 0, sum = 0;
    uint32_t shift = 0;
    for (uint32_t i = 0; i < TENANT_PCS; i++) {
        ta += a[i];
        tb += b[i];
    }
    if (ta > tb)
        return sc_distance(b, a);
    if (!ta)
        return tb ? 65536 : 0;
    while ((double)(ta << shift) * M_SQRT2 < (double)tb)
        shift++;
    for (uint32_t i = 0; i < TENANT_PCS; i++) {
        uint64_t x = (uint64_t)a[i] << shift, y = b[i];
        sum += x > y ? x - y : y - x;
    }
    return (uint32_t)(sum * 65536 / ((ta << shift) + tb));
}

/* One for each tick, then for every second one, and so on: halves are found to a part in SC_SNAPS. */
static void keep_snap(struct sc_profile *p, const uint32_t *pcs)
{
    uint32_t tick = p->at.n - 1;
    if (tick % p->snap_ticks)
        return;
    if (p->snaps == SC_SNAPS) {
        for (uint32_t i = 0; i < SC_SNAPS / 2; i++)
            memcpy(p->snap[i], p->snap[2 * i], sizeof p->snap[i]);
        p->snaps = SC_SNAPS / 2;
        p->snap_ticks *= 2;
        if (tick % p->snap_ticks)
            return;
    }
    memcpy(p->snap[p->snaps++], pcs, sizeof p->snap[0]);
}

/* ---- from its beginning to its end ---- */

static void keep(struct sc_profile *p, uint64_t t, const struct sc_count *n)
{
    struct sc_count at = *n;
    at.cyc = t;
    vec_push(&p->at, at);
}

void sc_profile_begin(struct sc_profile *p, uint64_t t, const struct sc_count *n, const uint32_t *pcs)
{
    p->from = t;
    p->since = UINT64_MAX;
    p->snaps = 0;
    p->snap_ticks = 1;
    vec_clear(&p->at);
    keep(p, t, n);
    keep_snap(p, pcs);
}

static struct sc_count minus(const struct sc_count *a, const struct sc_count *b)
{
    return (struct sc_count){a->cyc - b->cyc, a->insts - b->insts, a->threads - b->threads,
                             a->accesses - b->accesses, a->lines - b->lines};
}

static void conclude(struct sc_profile *p, uint64_t t, const uint32_t *pcs)
{
    uint32_t last = p->at.n - 1, half = last / 2, snap = (half + p->snap_ticks / 2) / p->snap_ticks;
    struct sc_count all = minus(&p->at.at[last], &p->at.at[0]), a = minus(&p->at.at[half], &p->at.at[0]),
                    b = minus(&p->at.at[last], &p->at.at[half]);
    uint32_t train[TENANT_PCS], valid[TENANT_PCS];
    snap = snap < p->snaps ? snap : p->snaps - 1;
    for (uint32_t i = 0; i < TENANT_PCS; i++) {
        train[i] = p->snap[snap][i] - p->snap[0][i];
        valid[i] = pcs[i] - p->snap[snap][i];
        p->pcs[i] = pcs[i] - p->snap[0][i];
    }
    p->cyc = t - p->from;
    p->ipc = ratio(all.threads, p->cyc);
    p->lanes = ratio(all.threads, all.insts);
    p->lines = ratio(all.lines, all.accesses);
    p->lanes_apart = fabs(ratio(a.threads, a.insts) - ratio(b.threads, b.insts));
    /* Where one half has no access there is nothing to compare. */
    p->lines_apart =
        a.accesses && b.accesses ? fabs(ratio(a.lines, a.accesses) - ratio(b.lines, b.accesses)) : 0;
    p->pcs_apart = sc_distance(train, valid);
}

bool sc_profile_tick(struct sc_profile *p, const struct share_cfg *c, uint64_t t, const struct sc_count *n,
                     const uint32_t *pcs)
{
    keep(p, t, n);
    keep_snap(p, pcs);
    uint32_t last = p->at.n - 1, half = last / 2;
    const struct sc_count *at = p->at.at;
    double train = ratio(at[half].threads - at[0].threads, at[half].cyc - at[0].cyc),
           valid = ratio(at[last].threads - at[half].threads, at[last].cyc - at[half].cyc);
    if (train <= 0 || fabs(train - valid) > c->tolerance * train)
        p->since = UINT64_MAX;
    else if (p->since == UINT64_MAX)
        p->since = t;
    if (t - p->from < c->profile_cyc || p->since == UINT64_MAX || t - p->since < c->settled_cyc)
        return false;
    conclude(p, t, pcs);
    return true;
}
