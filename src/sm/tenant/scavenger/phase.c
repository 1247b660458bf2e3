/* SPDX-License-Identifier: Apache-2.0 */
/* Phases: instructions that are no longer like those of the profile. What is compared does not depend on the other program. */
#include "sm/tenant/scavenger/scavenger.h"

#include <math.h>

static void push(struct sc_phase *f, const struct sc_count *n)
{
    f->ring.at[f->next] = *n;
    f->next = f->next + 1 < f->ring.n ? f->next + 1 : 0;
    f->n += f->n < f->ring.n;
}

void sc_phase_begin(struct sc_phase *f, const struct share_cfg *c, uint64_t t, const struct sc_count *n,
                    const uint32_t *pcs)
{
    vec_resize(&f->ring, c->window + 1);
    f->n = f->next = 0;
    f->lanes_since = f->lines_since = UINT64_MAX;
    f->pcs_at = t + c->pcs_cyc;
    memcpy(f->pcs, pcs, sizeof f->pcs);
    push(f, n);
}

static double larger(double a, double b) { return a > b ? a : b; }

/* Has a mean been off for long enough? */
static bool is_off(uint64_t *since, const struct share_cfg *c, uint64_t t, double apart, double most)
{
    if (apart <= most)
        *since = UINT64_MAX;
    else if (*since == UINT64_MAX)
        *since = t;
    return *since != UINT64_MAX && t - *since >= c->phase_cyc;
}

static bool other_pcs(struct sc_phase *f, const struct share_cfg *c, const struct sc_profile *p, uint64_t t,
                      const uint32_t *pcs)
{
    uint32_t now[TENANT_PCS], any = 0;
    if (t < f->pcs_at)
        return false;
    for (uint32_t i = 0; i < TENANT_PCS; i++) {
        now[i] = pcs[i] - f->pcs[i];
        any |= now[i];
    }
    memcpy(f->pcs, pcs, sizeof f->pcs);
    f->pcs_at += c->pcs_cyc;
    return any && sc_distance(now, p->pcs) > larger(c->pcs, c->margin * p->pcs_apart);
}

enum sc_cause sc_phase_tick(struct sc_phase *f, const struct share_cfg *c, const struct sc_profile *p,
                            uint64_t t, const struct sc_count *n, const uint32_t *pcs)
{
    push(f, n);
    bool pcs_off = other_pcs(f, c, p, t, pcs);
    if (f->n == f->ring.n) {
        const struct sc_count *then = &f->ring.at[f->next];
        uint64_t insts = n->insts - then->insts, accesses = n->accesses - then->accesses;
        double lanes = insts ? (double)(n->threads - then->threads) / (double)insts : p->lanes;
        double lines = accesses ? (double)(n->lines - then->lines) / (double)accesses : p->lines;
        if (is_off(&f->lanes_since, c, t, fabs(lanes - p->lanes),
                   larger(c->lanes, c->margin * p->lanes_apart)))
            return SC_LANES;
        if (is_off(&f->lines_since, c, t, fabs(lines - p->lines),
                   larger(c->lines, c->margin * p->lines_apart)))
            return SC_LINES;
    }
    return pcs_off ? SC_PCS : SC_NONE;
}
