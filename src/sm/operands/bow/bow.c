/* SPDX-License-Identifier: Apache-2.0 */
/* BOW, with the window's sizes as in the Malekeh paper, section VI-B: every warp has a collector of its own that keeps the
 * sources and destinations of its last instructions. A source that one of these has is forwarded, the others are read from the
 * banks. A new instruction slides the oldest out with all it has.
 *
 * Results are written through: to the banks always, and to the window if their instruction is still in it. A result of some lanes
 * only does not make a value, and one that is not kept ends the copies of what the register held before. Registers beyond
 * six sources and two destinations are not kept. */
#include "sm/operands/bow/bow.h"

#include "sm/operands/kept.h"

#define STAGE_POLICY operands_bow
#include "sm/stages/tick.h"

CONF_TABLE(bow_options, "bow", bow_cfg, BOW_OPTIONS);

static uint32_t window(const struct sm_cfg *cfg)
{
    return ((const struct bow_cfg *)policy_options(cfg, &bow_options))->window;
}

static uint32_t bow_units(const struct sm_cfg *cfg) { return cfg->warps; }

static void bow_init(void *st, struct part *p)
{
    struct bow *b = st;
    b->p = p;
    b->warps = xcalloc(p->sm->cfg->warps, sizeof *b->warps);
    b->window = window(p->sm->cfg);
}

static void bow_free(void *st)
{
    struct bow *b = st;
    free(b->warps);
}

static uint64_t bow_may(void *st, uint64_t ready, uint64_t t, uint64_t *holding)
{
    const struct bow *b = st;
    const struct collect *c = &b->p->collect;
    uint64_t can = 0;
    (void)t;
    *holding = ready;
    if (!c->front.isolated) /* slots and collectors have the same numbers */
        return ready & ~c->used;
    for (uint64_t m = ready; m; m &= m - 1)
        can |= c->used >> collect_unit_of_slot(c, (uint32_t)__builtin_ctzll(m)) & 1 ? 0 : m & -m;
    return can;
}

/* The window of a flight's warp; one that another warp of the slot has left is empty. */
static struct bow_warp *window_of(struct bow *b, uint32_t f)
{
    uint32_t warp = b->p->flights[f].warp;
    struct bow_warp *w = &b->warps[warp];
    if (w->owner != b->p->age[warp] + 1)
        *w = (struct bow_warp){.owner = b->p->age[warp] + 1};
    return w;
}

/* The version that the window has of a register; NULL: it does not have it. All copies are of one version: a write ends those
 * before it. */
static const uint32_t *find(const struct bow *b, const struct bow_warp *w, uint8_t reg)
{
    for (const struct bow_slot *s = w->slot, *end = s + b->window; s < end; s++) {
        uint32_t at = s->valid ? names_in(s->regs, reg) & s->valid : 0;
        if (at)
            return &s->version[__builtin_ctz(at)];
    }
    return NULL;
}

/* The copies of a register end. Returns their version, as `find` does. */
static const uint32_t *drop(const struct bow *b, struct bow_warp *w, uint8_t reg)
{
    const uint32_t *version = NULL;
    for (struct bow_slot *s = w->slot, *end = s + b->window; s < end; s++) {
        uint32_t at = s->valid ? names_in(s->regs, reg) & s->valid : 0;
        if (at)
            version = &s->version[__builtin_ctz(at)];
        s->valid &= (uint8_t)~at;
    }
    return version;
}

static void put(struct bow_slot *s, uint32_t i, uint8_t reg, uint32_t version)
{
    s->regs = (s->regs & ~(0xffull << 8 * i)) | (uint64_t)reg << 8 * i;
    s->valid |= (uint8_t)(1u << i);
    s->version[i] = version;
}

static uint32_t bow_unit(void *st, uint32_t f)
{
    const struct part *p = ((const struct bow *)st)->p;
    return collect_unit_of_slot(&p->collect, p->flights[f].warp);
}

static uint32_t bow_find(void *st, uint32_t f, uint32_t unit)
{
    struct bow *b = st;
    struct part *p = b->p;
    const struct flight *l = &p->flights[f];
    const struct kinsn *k = l->i.k;
    struct bow_warp *w = window_of(b, f);
    struct bow_slot *now = &w->slot[w->next];
    uint32_t found = 0, n = k->nread < BOW_SRCS ? k->nread : BOW_SRCS;
    uint64_t regs = 0;
    (void)unit;
    for (uint32_t i = 0; i < k->nread; i++) {
        const uint32_t *v = find(b, w, k->read[i]);
        if (v && p->check)
            check_read(p, f, i, *v);
        found |= (uint32_t)(v != NULL) << i;
    }
    for (uint32_t i = 0; i < n; i++) {
        regs |= (uint64_t)k->read[i] << 8 * i;
        if (p->check)
            now->version[i] = p->check->reads[f][i];
    }
    now->flight = f + 1;
    now->regs = regs;
    now->valid = (uint8_t)((1u << n) - 1);
    w->next = w->next + 1 < b->window ? w->next + 1 : 0;
    return found;
}

/* The slot of a flight that has not ended: the newest of its number, as numbers are used again. NULL: it has slid out. */
static struct bow_slot *slot_of(const struct bow *b, struct bow_warp *w, uint32_t f)
{
    for (uint32_t n = 1, s = w->next; n <= b->window; n++) {
        s = s ? s - 1 : b->window - 1;
        if (w->slot[s].flight == f + 1)
            return &w->slot[s];
    }
    return NULL;
}

static void bow_write(void *st, uint32_t f, uint32_t i, uint64_t t)
{
    struct bow *b = st;
    struct part *p = b->p;
    const struct flight *l = &p->flights[f];
    struct bow_warp *w = window_of(b, f);
    struct bow_slot *s = slot_of(b, w, f);
    uint8_t reg = l->i.k->write[i];
    const uint32_t *had = drop(b, w, reg);
    bool whole = sm_warp_is_whole(p, l->warp, l->i.mask);
    uint32_t version = p->check ? check_kept_version(p, f, i, had) : 0;
    (void)t;
    bool keep = s && i < BOW_DSTS && (whole || had);
    p->sm->stats[keep ? SS_cache_writes : SS_cache_lost]++;
    if (keep)
        put(s, BOW_SRCS + i, reg, version);
}

static void bow_past(void *st, uint32_t warp, const struct kinsn *k)
{
    struct bow *b = st;
    struct bow_warp *w = &b->warps[warp];
    for (uint32_t n = 0; n < b->window; n++)
        for (uint32_t j = 0; j < BOW_SRCS + BOW_DSTS; j++)
            if (kinsn_writes(k, (uint8_t)(w->slot[n].regs >> 8 * j)))
                w->slot[n].valid &= (uint8_t) ~(1u << j);
}

/* An entry beyond its register: tag and valid. */
static uint32_t bow_storage(const struct sm_cfg *cfg, struct storage_row rows[STORAGE_MAX])
{
    return kept_storage(cfg, cfg->warps, (uint64_t)window(cfg) * (BOW_SRCS + BOW_DSTS), 8 + 1, rows);
}

/* An operand that is found is copied to the new instruction's place. */
static double bow_price(const struct sm_cfg *cfg, const uint64_t *stats, const struct price *p)
{
    (void)cfg;
    return kept_price(stats, p) + (double)stats[SS_cache_hits] * p->latch_pj;
}

/* Every warp slot has a collector. */
static const struct policy_unread bow_unread[] = {{"sm.collectors", ""}, {0}};

STAGES(bow, F_POLICY);

const struct operands_ops operands_bow = {
    .is = {.name = "bow",
           .help = "a collector for each warp, which forwards the operands of its last instructions",
           .state_b = sizeof(struct bow),
           .options = {&bow_options},
           .unread = bow_unread,
           .storage = bow_storage,
           .price = bow_price},
    .latched = true,
    .caches = true,
    .found = "bypass",
    .units = bow_units,
    .init = bow_init,
    .free = bow_free,
    .may = bow_may,
    .stays = true,
    .each = true,
    .unit = bow_unit,
    .find = bow_find,
    .write = bow_write,
    .past = bow_past,
    .stages = &bow_stages};
