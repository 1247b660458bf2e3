/* SPDX-License-Identifier: Apache-2.0 */
/* The register file cache of Gebhart et al. (ISCA 2011), with the sizes of the Malekeh paper: results of active warps go to a few
 * entries per warp, first in, first out, and not to the banks; sources that are there are not read from the banks, others make no
 * entry. An entry that is pushed out is written to its bank, unless the code has said that the value was read for the last time.
 * A warp that leaves the scheduler's active set leaves its entries in the same way, and what comes for it later goes to the
 * banks.
 *
 * Results of some lanes only change an entry but make none. Under a scheduler without an active set all warps are active. A
 * bank's writes come before its reads, so a read that follows an entry into its bank finds it there. */
#include "sm/operands/rfc/rfc.h"

#include "annotate/last_use.h"
#include "sm/operands/active.h"

#define STAGE_POLICY operands_rfc
#include "sm/stages/tick.h"

CONF_TABLE(rfc_options, "rfc", rfc_cfg, RFC_OPTIONS);

static uint32_t entries(const struct sm_cfg *cfg)
{
    return ((const struct rfc_cfg *)policy_options(cfg, &rfc_options))->entries;
}

/* kinsn.mark_read: nobody reads the value again. A register that two sources name must be dead after both. */
static void *rfc_annotate(struct sm_kernel *k, const struct sm_cfg *cfg)
{
    uint8_t *dead = last_uses(k->tr);
    (void)cfg;
    for (uint32_t n = 0; n < k->tr->n; n++) {
        const struct tr_insn *i = &k->tr->insns[n];
        for (uint32_t j = 0; j < k->insns[n].nread; j++) {
            bool last = true;
            for (uint32_t s = 0; s < i->nsrc; s++)
                last &= !kernel_names(&i->src[s], k->insns[n].read[j]) || dead[n] >> s & 1;
            k->insns[n].mark_read |= (uint16_t)(last << j);
        }
    }
    free(dead);
    return NULL;
}

static void rfc_init(void *st, struct part *p)
{
    struct rfc *r = st;
    r->p = p;
    r->warps = xcalloc(p->sm->cfg->warps, sizeof *r->warps);
    r->n = entries(p->sm->cfg);
    r->active = ~0ull;
}

static void rfc_free(void *st)
{
    struct rfc *r = st;
    free(r->warps);
}

static struct rfc_warp *entries_of(struct rfc *r, uint32_t warp)
{
    struct rfc_warp *w = &r->warps[warp];
    if (w->owner != r->p->age[warp] + 1)
        *w = (struct rfc_warp){.owner = r->p->age[warp] + 1};
    return w;
}

static struct rfc_entry *find(struct rfc_warp *w, uint8_t reg)
{
    return w->at[reg] ? &w->e[w->at[reg] - 1] : NULL;
}

static void push_out(struct rfc *r, uint32_t warp, struct rfc_entry *e)
{
    if (!e->valid)
        return;
    if (!e->dead)
        banks_queue_register(r->p, warp, e->reg, e->version);
    r->p->sm->stats[e->dead ? SS_cache_dead : SS_cache_writebacks]++;
    r->warps[warp].at[e->reg] = 0;
    e->valid = false;
}

INTO uint32_t rfc_find(void *st, uint32_t f, uint32_t unit)
{
    struct rfc *r = st;
    struct part *p = r->p;
    const struct flight *l = &p->flights[f];
    struct rfc_warp *w = entries_of(r, l->warp);
    uint32_t found = 0;
    (void)unit;
    for (uint32_t i = 0; i < l->i.k->nread; i++) {
        struct rfc_entry *e = find(w, l->i.k->read[i]);
        if (!e)
            continue;
        if (p->check)
            check_read(p, f, i, e->version);
        e->dead = (l->i.k->mark_read >> i & 1) && sm_warp_is_whole(p, l->warp, l->i.mask);
        found |= 1u << i;
    }
    return found;
}

INTO bool rfc_result(void *st, uint32_t f, uint32_t i)
{
    struct rfc *r = st;
    struct part *p = r->p;
    const struct flight *l = &p->flights[f];
    struct rfc_warp *w = entries_of(r, l->warp);
    struct rfc_entry *e = find(w, l->i.k->write[i]);
    if (!(r->active >> l->warp & 1) || (!e && !sm_warp_is_whole(p, l->warp, l->i.mask))) {
        p->sm->stats[SS_cache_lost]++;
        return false;
    }
    uint32_t version = p->check ? check_kept_version(p, f, i, e ? &e->version : NULL) : 0;
    if (!e) {
        e = &w->e[w->next];
        w->next = w->next + 1 < r->n ? w->next + 1 : 0;
        push_out(r, l->warp, e);
    }
    *e = (struct rfc_entry){.valid = true, .reg = l->i.k->write[i], .version = version};
    w->at[e->reg] = (uint8_t)(e - w->e + 1);
    p->sm->stats[SS_cache_writes]++;
    return true;
}

/* A warp that is put aside leaves all it has. */
static void put_aside(struct rfc *r, uint32_t warp)
{
    struct rfc_warp *w = entries_of(r, warp);
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->n; i++) {
        n += w->e[i].valid;
        push_out(r, warp, &w->e[i]);
    }
    r->p->sm->stats[SS_cache_flushes] += n != 0;
}

static void rfc_park(void *st, uint32_t warp) { put_aside(st, warp); }

INTO void rfc_active(void *st, uint64_t active, uint64_t mine)
{
    struct rfc *r = st;
    if ((r->active & mine) == active)
        return;
    /* A warp that has ended leaves nothing. */
    uint64_t running = r->p->used & ~r->p->blocked[BLOCK_DRAINED];
    uint64_t leave = r->active & mine & ~active & running;
    r->active = (r->active & ~mine) | active;
    for (; leave; leave &= leave - 1)
        put_aside(r, (uint32_t)__builtin_ctzll(leave));
}

/* For the warps that can be active; the collectors stay. An entry beyond its register: tag, valid, dead. */
static uint32_t rfc_storage(const struct sm_cfg *cfg, struct storage_row rows[STORAGE_MAX])
{
    int64_t n = active_slots(cfg);
    rows[0] = (struct storage_row){"registers kept", n * entries(cfg), STORAGE_REG_BITS};
    rows[1] = (struct storage_row){"tags and state", n * entries(cfg), 8 + 2};
    rows[2] = (struct storage_row){"first in", n, storage_bits(entries(cfg))};
    return 3;
}

static double rfc_price(const struct sm_cfg *cfg, const uint64_t *stats, const struct price *p)
{
    return active_price(cfg, entries(cfg), stats, p);
}

STAGES(rfc, F_POLICY | F_CHOICE);

const struct operands_ops operands_rfc = {
    .is = {.name = "rfc",
           .help = "a small cache of results for each active warp before the banks",
           .state_b = sizeof(struct rfc),
           .options = {&rfc_options, &active_options},
           .fits = active_fits,
           .annotate = rfc_annotate,
           .storage = rfc_storage,
           .price = rfc_price},
    .caches = true,
    .init = rfc_init,
    .free = rfc_free,
    .find = rfc_find,
    .result = rfc_result,
    .park = rfc_park,
    .active = rfc_active,
    .stages = &rfc_stages};
