/* SPDX-License-Identifier: Apache-2.0 */
/* One partition with caching collectors, whose policy a test calls by hand, with instructions of warps that exist only there. */
#ifndef TESTS_GPU_CCU_SCENE_H
#define TESTS_GPU_CCU_SCENE_H

#include "collected.h"
#include "gpu/gpu.h"
#include "sm/operands/ccu/ccu.h"
#include "sm/stages/latched.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct scene {
    struct gpu_conf c;
    struct sm_timing tm;
    struct sm *s;
    struct part *p;
    struct ccu *u;
    struct kinsn insn[32];
    uint32_t n;
    uint64_t t;
};

static inline void open_scene(struct scene *x, const char *const *sets)
{
    static const char *const plain[] = {
        "sm.operands=ccu", "sm.banks=2", "sm.collectors=2", "sm.warps=8", "sm.bank_swizzle=false",
        "interval.FP32=1", NULL};
    struct diag d = {0};
    memset(x, 0, sizeof *x);
    gpu_conf_init(&x->c);
    for (uint32_t i = 0; plain[i]; i++)
        assert_true(conf_set(&x->c.conf, plain[i], CONF_USER, &d));
    for (uint32_t i = 0; sets && sets[i]; i++)
        assert_true(conf_set(&x->c.conf, sets[i], CONF_USER, &d));
    x->tm = (struct sm_timing){.lat = &x->c.lat, .ii = &x->c.ii, .unit = &x->c.unit, .count = &x->c.count};
    x->s = sm_new(&x->c.sm, &x->tm, 0, true);
    x->p = &x->s->parts[0];
    x->u = x->p->operands;
    for (uint32_t w = 0; w < 8; w++) {
        x->p->age[w] = w;
        x->p->used |= 1ull << w;
        x->p->warps[w] = (struct sm_warp){.used = true, .live = ~0u};
        check_start(x->p, w);
    }
    x->t = 100;
}

static inline void close_scene(struct scene *x)
{
    sm_free(x->s);
    conf_free(&x->c.conf);
}

/* An instruction that reads and writes registers; a minus sign: the next read is far. 99: none. */
static inline const struct kinsn *insn(struct scene *x, int write, int a, int b, int c)
{
    struct kinsn *k = &x->insn[x->n++];
    int read[3] = {a, b, c};
    *k = (struct kinsn){.unit = UNIT_FP32, .route = ROUTE_UNIT, .exec_cyc = 2, .ii = 1};
    for (uint32_t i = 0; i < 3 && read[i] != 99; i++) {
        int r = read[i] < 0 ? -read[i] : read[i];
        k->read[k->nread] = (uint8_t)r;
        k->read_bank[k->nread] = (uint8_t)(r % 2);
        for (uint32_t bank0 = 0; bank0 < 2; bank0++)
            k->need[bank0] += 1ull << (r + bank0) % 2 * 8;
        k->mark_read |= (uint16_t)((read[i] > 0) << k->nread++);
    }
    if (write != 99) {
        k->write[k->nwrite] = (uint8_t)(write < 0 ? -write : write);
        k->mark_write = write > 0;
        k->nwrite = 1;
    }
    return k;
}

static inline uint32_t issue(struct scene *x, uint32_t warp, const struct kinsn *k)
{
    uint32_t f = flight_new(x->p);
    struct flight *l = &x->p->flights[f];
    memset(l, 0, sizeof *l);
    l->i = (struct ientry){.k = k, .mask = ~0u, .lines = {.block = NONE16}};
    l->warp = (uint8_t)warp;
    struct sm_warp *w = &x->p->warps[warp];
    w->in_flight++;
    l->collected = w->collected;
    w->collected = f + 1;
    check_issue(x->p, f);
    to_collector(x->p, l, f, x->t, false, FEATURES_ALL);
    return f;
}

/* Cycles until the flight leaves its collector. */
static inline uint32_t leaves_after(struct scene *x, uint32_t f)
{
    uint64_t from = x->t;
    while (in_collector(x->p, f) && x->t < from + 50) {
        x->t++;
        dispatch_units(x->p, x->t, FEATURES_ALL);
        read_banks(x->p, x->t, FEATURES_ALL);
    }
    return (uint32_t)(x->t - from);
}

static inline void result(struct scene *x, uint32_t f)
{
    if (x->p->flights[f].i.k->nwrite) {
        check_write(x->p, f, 0);
        operands_ccu.write(x->u, f, 0, x->t);
    }
}

static inline void clean(const struct scene *x)
{
    if (sm_error(x->s)[0])
        fail_msg("%s", sm_error(x->s));
}

static inline uint64_t may(struct scene *x, uint64_t ready)
{
    uint64_t holding;
    return operands_ccu.may(x->u, ready, x->t, &holding);
}

static inline const struct table *table_of_warp(const struct scene *x, uint32_t warp)
{
    return &x->u->units[x->u->unit_of[warp]].table;
}

#endif
