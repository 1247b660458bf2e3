/* SPDX-License-Identifier: Apache-2.0 */
/* The controllers of warps and requests: one error, weighted by how much of its resource each has to spare. The more slack, the
 * larger the step that takes away, and the smaller the one that gives. */
#include "sm/tenant/scavenger/scavenger.h"

#include <math.h>

double sc_step(double x, double gain, double slack, double e, double lo, double hi)
{
    x += gain * (e < 0 ? slack : 1 - slack) * e;
    return x < lo ? lo : x > hi ? hi : x;
}

static uint32_t steps_of(const struct share_cfg *c, uint32_t cyc)
{
    uint32_t n = (cyc + c->control_cyc / 2) / c->control_cyc;
    return n ? n : 1;
}

static void push(struct sc_control *k, uint64_t t, uint64_t insts)
{
    k->ring.at[k->next] = (struct sc_at){t, insts};
    k->next = k->next + 1 < k->ring.n ? k->next + 1 : 0;
    k->n += k->n < k->ring.n;
}

void sc_control_begin(struct sc_control *k, const struct share_cfg *c, uint64_t t, uint32_t first_warps,
                      const struct sc_sums *sums)
{
    uint32_t a = steps_of(c, c->short_cyc), b = steps_of(c, c->long_cyc);
    vec_resize(&k->ring, (a > b ? a : b) + 1);
    k->n = k->next = 0;
    k->warps = first_warps; /* all of both may issue */
    k->requests = c->first_requests * c->requests;
    k->active = first_warps;
    k->most = c->requests;
    k->at = t;
    k->before = *sums;
    push(k, t, sums->insts);
}

/* Instructions per cycle over the last steps, as far as there are any. */
static double ipc_over(const struct sc_control *k, const struct share_cfg *c, uint32_t cyc)
{
    uint32_t n = steps_of(c, cyc), last = (k->next ? k->next : k->ring.n) - 1;
    n = n < k->n ? n : k->n - 1;
    uint32_t first = last >= n ? last - n : last + k->ring.n - n;
    const struct sc_at *a = &k->ring.at[first], *b = &k->ring.at[last];
    return b->cyc > a->cyc ? (double)(b->insts - a->insts) / (double)(b->cyc - a->cyc) : 0;
}

static double within(double v) { return v < 0 ? 0 : v > 1 ? 1 : v; }

static double warp_slack(const struct sc_control *k, uint64_t cycles, const struct sc_sums *s)
{
    double ready = cycles ? (double)(s->ready_cyc - k->before.ready_cyc) / (double)cycles : 0;
    return k->active ? within(ready / k->active) : 0;
}

/* What was outstanding when the load-store unit was stalled stays the most that the pair can have until it is stalled again. */
static double request_slack(struct sc_control *k, uint64_t cycles, const struct sc_sums *s)
{
    uint64_t stalled = s->stalled_cyc - k->before.stalled_cyc;
    if (stalled)
        k->most = (double)(s->stalled_request - k->before.stalled_request) / (double)stalled;
    double mean = cycles ? (double)(s->request_cyc - k->before.request_cyc) / (double)cycles : 0;
    return k->most > 0 ? within(1 - mean / k->most) : 1;
}

void sc_control_stand(struct sc_control *k, const struct sc_sums *sums) { k->before = *sums; }

void sc_control_step(struct sc_control *k, const struct share_cfg *c, double goal, uint64_t t,
                     const uint32_t warps[BOTH], const struct sc_sums *sums)
{
    uint64_t cycles = t - k->at;
    push(k, t, sums->insts);
    double e = c->gain_short * (goal - ipc_over(k, c, c->short_cyc)) +
               c->gain_long * (goal - ipc_over(k, c, c->long_cyc));
    uint32_t all = warps[FIRST] + warps[SECOND];
    k->warps = sc_step(k->warps, c->warp_gain, warp_slack(k, cycles, sums), e, 1, all > 1 ? all : 1);
    k->requests = sc_step(k->requests, c->request_gain, request_slack(k, cycles, sums), e, 1, c->requests);
    k->at = t;
    k->before = *sums;
    uint32_t x = (uint32_t)lround(k->warps);
    k->active = x < warps[FIRST] ? x : warps[FIRST];
}

void sc_limits(const struct sc_control *k, const struct share_cfg *c, const uint32_t warps[BOTH],
               struct tenant_limit *limits)
{
    uint32_t all = warps[FIRST] + warps[SECOND], x = (uint32_t)lround(k->warps), y;
    uint32_t requests = (uint32_t)lround(k->requests);
    x = x < all ? x : all;
    y = all - x;
    limits[FIRST].warps = x < warps[FIRST] ? x : TENANT_ALL;
    limits[SECOND].warps = y < warps[SECOND] ? y : TENANT_ALL;
    limits[FIRST].requests = TENANT_ALL;
    limits[FIRST].together = c->requests;
    limits[SECOND].requests = c->requests - requests;
}
