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

INTO uint64_t bow_may(void *st, uint64_t ready, uint64_t t, uint64_t *holding)
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
    if (RARE(w->owner != b->p->age[warp] + 1))
        *w = (struct bow_warp){.owner = b->p->age[warp] + 1, .issued = BOW_WINDOW};
    return w;
}

static bool has(const struct bow *b, const struct bow_warp *w, uint8_t reg)
{
    return w->issued - w->brought[reg] < b->window;
}

INTO uint32_t bow_unit(void *st, uint32_t f)
{
    const struct part *p = ((const struct bow *)st)->p;
    return collect_unit_of_slot(&p->collect, p->flights[f].warp);
}

/* --check: the operands that are forwarded, and the versions of those that come to the window. */
SELDOM static void see_versions(const struct bow *b, struct bow_warp *w, uint32_t f, uint32_t found,
                                uint32_t n)
{
    const struct kinsn *k = b->p->flights[f].i.k;
    for (uint32_t i = 0; i < k->nread; i++) {
        if (found >> i & 1)
            check_read(b->p, f, i, w->version[k->read[i]]);
        if (i < n)
            w->version[k->read[i]] = b->p->check->reads[f][i];
    }
}

INTO uint32_t bow_find(void *st, uint32_t f, uint32_t unit)
{
    struct bow *b = st;
    const struct kinsn *k = b->p->flights[f].i.k;
    struct bow_warp *w = window_of(b, f);
    uint32_t found = 0, n = k->nread < BOW_SRCS ? k->nread : BOW_SRCS;
    (void)unit;
    for (uint32_t i = 0; i < k->nread; i++)
        found |= (uint32_t)has(b, w, k->read[i]) << i;
    if (RARE(b->p->check))
        see_versions(b, w, f, found, n);
    w->issued++;
    w->flight[w->issued % BOW_WINDOW] = f + 1;
    for (uint32_t i = 0; i < n; i++)
        w->brought[k->read[i]] = w->issued;
    return found;
}

/* The number of a flight that has not ended: the newest with its name, as names are used again. 0: it has slid out. */
static uint64_t number_of(const struct bow *b, const struct bow_warp *w, uint32_t f)
{
    for (uint64_t n = w->issued, end = n - b->window; n > end; n--)
        if (w->flight[n % BOW_WINDOW] == f + 1)
            return n;
    return 0;
}

INTO void bow_write(void *st, uint32_t f, uint32_t i, uint64_t t)
{
    struct bow *b = st;
    struct part *p = b->p;
    const struct flight *l = &p->flights[f];
    struct bow_warp *w = window_of(b, f);
    uint64_t number = i < BOW_DSTS ? number_of(b, w, f) : 0;
    uint8_t reg = l->i.k->write[i];
    bool had = has(b, w, reg), keep = number && (had || sm_warp_is_whole(p, l->warp, l->i.mask));
    (void)t;
    if (RARE(p->check))
        w->version[reg] = check_kept_version(p, f, i, had ? &w->version[reg] : NULL);
    w->brought[reg] = keep ? number : 0;
    p->sm->stats[keep ? SS_cache_writes : SS_cache_lost]++;
}

static void bow_past(void *st, uint32_t warp, const struct kinsn *k)
{
    struct bow_warp *w = &((struct bow *)st)->warps[warp];
    for (uint32_t reg = 0; reg < 256; reg++)
        if (kinsn_writes(k, (uint8_t)reg))
            w->brought[reg] = 0;
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
    .any_order = true,
    .past = bow_past,
    .stages = &bow_stages};
