/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/occupancy.h"

#include "gpu/launch.h"
#include "sm/onchip/onchip.h"

#include <math.h>

const struct occupancy_name occupancy_limits[OCC_LIMITS] = {
    [OCC_CTAS] = {"ctas", "places for CTAs (sm.ctas)"},
    [OCC_THREADS] = {"threads", "threads (sm.threads)"},
    [OCC_WARPS] = {"warps", "warp slots (sm.partitions x sm.warps)"},
    [OCC_REGISTERS] = {"registers", "registers (sm.registers, sm.reg_unit)"},
    [OCC_SHARED] = {"shared", "shared memory (sm.shared_kb)"},
};

struct occupancy_of {
    const struct gpu_conf *c;
    struct sm_timing timing;
    struct sm *sm;
};

struct occupancy_of *occupancy_open(const struct gpu_conf *c)
{
    struct occupancy_of *o = xcalloc(1, sizeof *o);
    o->c = c;
    o->timing = (struct sm_timing){.lat = &c->lat, .ii = &c->ii, .unit = &c->unit, .count = &c->count};
    o->sm = sm_new(&c->sm, &o->timing, 0, false);
    return o;
}

void occupancy_close(struct occupancy_of *o)
{
    if (o)
        sm_free(o->sm);
    free(o);
}

static uint32_t at_most(uint64_t have, uint64_t each)
{
    uint64_t n = each ? have / each : UINT32_MAX;
    return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

/* Registers lie in the partition of their warp: what is left of one there is lost. */
static void fill_limits(const struct gpu_conf *c, struct occupancy *o)
{
    const struct sm_cfg *s = &c->sm;
    const struct sm_need *n = &o->need;
    struct onchip_split split = onchip_find(s->onchip)->split(s, n);
    uint64_t warps =
        n->regs ? (uint64_t)(split.registers / s->partitions / n->regs) * s->partitions : UINT32_MAX;
    o->by[OCC_CTAS] = s->ctas;
    o->by[OCC_THREADS] = at_most(s->threads, n->threads);
    o->by[OCC_WARPS] = at_most((uint64_t)s->partitions * s->warps, n->warps);
    o->by[OCC_REGISTERS] = warps == UINT32_MAX ? UINT32_MAX : at_most(warps, n->warps);
    o->by[OCC_SHARED] = at_most(split.shared_b, n->shared_b);
}

static void fill_waves(const struct gpu_conf *c, uint64_t grid, struct occupancy *o)
{
    uint64_t wave = (uint64_t)o->ctas * c->gpu.sms;
    if (!wave || !grid)
        return;
    o->waves = (double)grid / (double)wave;
    o->last = grid % wave ? grid % wave : wave;
    o->idle_sms = grid < c->gpu.sms ? c->gpu.sms - (uint32_t)grid : 0;
}

struct occupancy occupancy_get(const struct occupancy_of *of, const struct occupancy_ask *a)
{
    const struct gpu_conf *c = of->c;
    struct occupancy o = {.slots = c->sm.partitions * c->sm.warps};
    struct arena arena = {0};
    o.need = launch_need(&c->sm, a->threads, a->regs, a->shared_b, a->ctas ? a->ctas : UINT32_MAX);
    const char *why = a->threads ? sm_fits_never(&c->sm, &o.need, &arena) : "a CTA has no threads";
    if (why)
        snprintf(o.why, sizeof o.why, "%s", why);
    else
        o.ctas = sm_room(of->sm, &o.need);
    arena_free(&arena);
    if (a->threads)
        fill_limits(c, &o);
    o.warps = o.ctas * o.need.warps;
    for (uint32_t i = 0; i < OCC_LIMITS; i++)
        o.limits |= (uint32_t)(o.by[i] <= o.ctas) << i;
    fill_waves(c, a->ctas, &o);
    return o;
}

struct occupancy_ask occupancy_of_launch(const struct tr_reader *t, uint32_t launch)
{
    const struct tr_launch_info *i = tr_launch(t, launch);
    const struct tr_kernel *k = tr_kernel(t, i->l.kernel);
    return (struct occupancy_ask){.threads = i->l.block[0] * i->l.block[1] * i->l.block[2],
                                  .regs = k->regs,
                                  .shared_b = k->shared_b + i->l.dyn_shared_b,
                                  .ctas = i->recorded};
}

bool occupancy_same(const struct occupancy_ask *a, const struct occupancy_ask *b)
{
    return a->threads == b->threads && a->regs == b->regs && a->shared_b == b->shared_b && a->ctas == b->ctas;
}

double occupancy_achieved(const struct gpu_conf *c, const struct gpu_kernel_result *k, uint32_t warps)
{
    double room = (double)gpu_kernel_cycles(k) * c->gpu.sms;
    return k->ctas && room > 0 ? (double)(int64_t)k->resident * warps / room : NAN;
}

double occupancy_tail(const struct gpu_kernel_result *k)
{
    uint64_t cycles = gpu_kernel_cycles(k);
    return k->ctas && cycles && k->end > k->last ? (double)(k->end - k->last) / (double)cycles : NAN;
}

uint32_t occupancy_idle(const struct gpu_conf *c, const struct gpu_result *r)
{
    uint32_t idle = 0, n = c->sm.partitions;
    for (uint32_t i = 0; i < c->gpu.sms; i++) {
        uint64_t issued = 0;
        for (uint32_t p = 0; p < n; p++)
            issued += r->arrays[SA_partition_issued][i * n + p];
        idle += !issued;
    }
    return idle;
}
