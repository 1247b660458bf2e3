/* SPDX-License-Identifier: Apache-2.0 */
/* Caching collectors (Malekeh paper, sections III-C and IV): a collector keeps the registers that pass through it for the next
 * instructions of the same warp. A warp's registers are in one collector only, so a collector must be free for the warp to issue.
 *
 *   allocation     another warp's registers are dropped; sources that are in the table are ready, the others get an entry and are
 *                  read from the banks. All are locked until the instruction leaves.
 *   result         the banks are always written. The warp's collector gets it too if it is near and the one port is not used in
 *                  this cycle; a copy that is not renewed is dropped. No entry is made for a part of the lanes only.
 *   which one      (Fig. 6) the warp's own, or none. Without one: a free one with far values only, at random. If all that are
 *   free
 *                  have near values the warp waits, up to sthld times, and then gets any.
 *
 * Sources beyond the table's size are read like a plain collector's and not kept. Without ccu.reuse distances are not known:
 * least recently used, every result, any free collector if the warp has none. With ccu.any every instruction takes any free one
 * (section II): what one collector has of a warp another does not find, and a result goes to the one that the warp was given
 * last. With ccu.private every warp slot has its own. */
#include "sm/operands/ccu/ccu.h"

#include "sm/operands/kept.h"

#define STAGE_POLICY operands_ccu
#include "sm/stages/tick.h"

CONF_TABLE(ccu_options, "ccu", ccu_cfg, CCU_OPTIONS);

static uint32_t ccu_units(const struct sm_cfg *cfg)
{
    return ccu_cfg_of(cfg)->private ? cfg->warps : cfg->collectors;
}

static void ccu_init(void *st, struct part *p)
{
    const struct sm_cfg *cfg = p->sm->cfg;
    const struct ccu_cfg *own = ccu_cfg_of(cfg);
    struct ccu *u = st;
    uint32_t n = ccu_units(cfg);
    u->p = p;
    u->shared = p->sm->operands.shared;
    u->sthld = own->sthld;
    u->units = xcalloc(n, sizeof *u->units);
    for (uint32_t i = 0; i < n; i++)
        u->units[i].table.n = own->entries;
    u->rng.s = cfg->seed * 0x10001ull + p->sm->id * 64ull + p->id;
    u->by_reuse = own->reuse;
    u->private = own->private;
    u->any = own->any && !own->private;
    u->exact = ccu_near(cfg) != 0;
}

static void ccu_free(void *st)
{
    struct ccu *u = st;
    free(u->units);
}

/* The collector that has the warp's registers; -1: none. */
static int own_unit(const struct ccu *u, uint32_t warp)
{
    uint32_t i = u->unit_of[warp];
    return u->units[i].owner == u->p->age[warp] + 1 ? (int)i : -1;
}

/* Are there values that a warp may read soon? A warp that has ended reads nothing. */
static bool is_near(const struct ccu *u, uint32_t i)
{
    const struct part *p = u->p;
    const struct cached *x = &u->units[i];
    uint64_t running = p->used & ~p->blocked[BLOCK_DRAINED];
    return x->owner == p->age[x->warp] + 1 && running >> x->warp & 1 && table_has_near(&x->table);
}

static uint64_t far_units(const struct ccu *u, uint64_t of)
{
    uint64_t far = 0;
    for (uint64_t m = of; m; m &= m - 1)
        if (!is_near(u, (uint32_t)__builtin_ctzll(m)))
            far |= m & -m;
    return far;
}

/* The free collectors that a warp's scheduler may give. */
static uint64_t free_for(const struct ccu *u, uint32_t warp)
{
    return collect_units_of(&u->p->collect, part_scheduler(u->p, warp), 0); /* it has no sets */
}

INTO uint64_t ccu_may(void *st, uint64_t ready, uint64_t t, uint64_t *holding)
{
    struct ccu *u = st;
    const struct collect *c = &u->p->collect;
    uint64_t free_units = free_for(u, (uint32_t)__builtin_ctzll(ready)), can = 0, rest = 0;
    *holding = 0;
    u->waited = 0;
    if (u->any)
        return free_units ? ready : 0;
    if (u->private) {
        *holding = ready;
        for (uint64_t m = ready; m; m &= m - 1)
            can |= free_units >> collect_unit_of_slot(c, (uint32_t)__builtin_ctzll(m)) & 1 ? m & -m : 0;
        return can;
    }
    for (uint64_t m = free_units; m; m &= m - 1)
        can |= u->units[__builtin_ctzll(m)].holds & ready;
    *holding = ready & u->held;
    rest = ready & ~u->held;
    if (!rest || !free_units)
        return can;
    if (!u->by_reuse || u->shared->waits >= u->sthld || far_units(u, free_units))
        return can | rest;
    if (!can) {
        u->shared->waits++;
        u->waited = t + 1;
    }
    return can;
}

static uint32_t random_bit(struct rng *r, uint64_t of)
{
    for (uint32_t skip = rng_below(r, (uint32_t)__builtin_popcountll(of)); skip; skip--)
        of &= of - 1;
    return (uint32_t)__builtin_ctzll(of);
}

/* The collector for an instruction of the warp, which may be without one. */
static uint32_t choose(struct ccu *u, uint32_t warp)
{
    int own = u->any ? -1 : own_unit(u, warp);
    if (u->private)
        return collect_unit_of_slot(&u->p->collect, warp);
    if (own >= 0)
        return (uint32_t)own;
    uint64_t free_units = free_for(u, warp);
    uint64_t far = u->by_reuse ? far_units(u, free_units) : free_units;
    if (far)
        return random_bit(&u->rng, far);
    u->shared->waits = 0;
    return random_bit(&u->rng, free_units);
}

static void give_to(struct ccu *u, uint32_t i, uint32_t warp)
{
    struct cached *x = &u->units[i];
    uint64_t owner = u->p->age[warp] + 1;
    if (x->owner != owner) {
        u->p->sm->stats[SS_cache_flushes] += x->table.valid != 0;
        table_flush(&x->table);
        x->owner = owner;
        x->warp = (uint8_t)warp;
    }
    u->units[u->unit_of[warp]].holds &= ~(1ull << warp);
    u->unit_of[warp] = (uint8_t)i;
    u->held = (u->held & ~x->holds) | 1ull << warp;
    x->holds = 1ull << warp;
    x->table.locked = 0;
}

/* Whoever was in the slot before has no collector any more. */
static void ccu_warp_begin(void *st, uint32_t warp, bool again)
{
    struct ccu *u = st;
    (void)again;
    u->units[u->unit_of[warp]].holds &= ~(1ull << warp);
    u->held &= ~(1ull << warp);
}

/* Which of the registers that a flight reads or writes are read again soon, by bit. */
static uint32_t near_reads(const struct ccu *u, const struct flight *l)
{
    return u->exact ? l->i.near.read : l->i.k->mark_read;
}

static uint32_t near_writes(const struct ccu *u, const struct flight *l)
{
    return u->exact ? l->i.near.write : l->i.k->mark_write;
}

/* Locks sources that are there; a bit for each. */
static uint32_t tag_check(struct ccu *u, struct cached *x, uint32_t f)
{
    struct part *p = u->p;
    struct table *tb = &x->table;
    const struct kinsn *k = p->flights[f].i.k;
    uint32_t hits = 0, near = near_reads(u, &p->flights[f]);
    for (uint32_t i = 0; i < k->nread; i++) {
        int e = table_find(tb, k->read[i]);
        if (e < 0)
            continue;
        if (p->check)
            check_read(p, f, i, tb->version[e]);
        table_renew(tb, (uint32_t)e, near >> i & 1);
        tb->locked |= 1u << e;
        x->entry[i] = (uint8_t)(e + 1);
        hits |= 1u << i;
    }
    return hits;
}

/* A source that comes from the banks gets an entry; what arrives is checked there, so its version is known now. */
static void fill(struct ccu *u, struct cached *x, uint32_t f, uint32_t i)
{
    struct part *p = u->p;
    struct table *tb = &x->table;
    const struct kinsn *k = p->flights[f].i.k;
    int e = table_victim(tb, u->by_reuse, &u->rng);
    x->entry[i] = (uint8_t)(e + 1);
    if (e < 0)
        return;
    table_put(tb, (uint32_t)e, k->read[i], near_reads(u, &p->flights[f]) >> i & 1,
              p->check ? p->check->reads[f][i] : 0);
    tb->locked |= 1u << e;
}

INTO uint32_t ccu_unit(void *st, uint32_t f)
{
    struct ccu *u = st;
    uint32_t warp = u->p->flights[f].warp, i = choose(u, warp);
    give_to(u, i, warp);
    return i;
}

INTO uint32_t ccu_find(void *st, uint32_t f, uint32_t unit)
{
    struct ccu *u = st;
    struct cached *x = &u->units[unit];
    uint32_t found = tag_check(u, x, f);
    for (uint32_t m = ((1u << u->p->flights[f].i.k->nread) - 1) & ~found; m; m &= m - 1)
        fill(u, x, f, (uint32_t)__builtin_ctz(m));
    return found;
}

/* --check: an instruction leaves with what its entries hold then, and nobody may have taken one of them. */
SELDOM static void check_left(const struct ccu *u, uint32_t f, uint32_t unit)
{
    const struct cached *x = &u->units[unit];
    const struct kinsn *k = u->p->flights[f].i.k;
    for (uint32_t i = 0; i < k->nread; i++) {
        if (!x->entry[i])
            continue;
        uint32_t e = x->entry[i] - 1u;
        bool there = x->table.valid >> e & 1 && table_reg(&x->table, e) == k->read[i];
        check_read(u->p, f, i, there ? x->table.version[e] : CHECK_GONE);
    }
}

/* A result ends the copies of its register in the warp's other collectors. What an instruction in one of them has yet to take
 * along changes under it, as in a bank that is not locked. */
static void end_copies(struct ccu *u, uint32_t f, uint32_t i, uint32_t but)
{
    struct part *p = u->p;
    const struct flight *l = &p->flights[f];
    for (uint32_t k = 0; k < p->collect.n; k++) {
        struct table *tb = &u->units[k].table;
        int e = k != but && u->units[k].owner == p->age[l->warp] + 1 ? table_find(tb, l->i.k->write[i]) : -1;
        if (e < 0)
            continue;
        bool locked = p->collect.used >> k & 1 && tb->locked >> e & 1;
        if (!locked)
            tb->valid &= ~(1u << e);
        else if (p->check)
            tb->version[e] = check_kept_version(p, f, i, &tb->version[e]);
    }
}

INTO void ccu_write(void *st, uint32_t f, uint32_t i, uint64_t t)
{
    struct ccu *u = st;
    struct part *p = u->p;
    const struct flight *l = &p->flights[f];
    int own = own_unit(u, l->warp);
    if (u->any)
        end_copies(u, f, i, own < 0 ? UINT32_MAX : (uint32_t)own);
    if (own < 0)
        return;
    struct cached *x = &u->units[own];
    uint8_t reg = l->i.k->write[i];
    bool near = near_writes(u, l) >> i & 1, whole = sm_warp_is_whole(p, l->warp, l->i.mask);
    int e = table_find(&x->table, reg), to = e;
    bool keep = near || !u->by_reuse;
    if (collect_free_units(&u->p->collect) >> own & 1)
        x->table.locked = 0; /* its instruction has left */
    if (keep && x->wrote == t + 1)
        to = -1;
    else if (keep && e < 0 && whole)
        to = table_victim(&x->table, u->by_reuse, &u->rng);
    if (keep && to >= 0) {
        table_put(&x->table, (uint32_t)to, reg, near,
                  p->check ? check_kept_version(p, f, i, e >= 0 ? &x->table.version[e] : NULL) : 0);
        x->wrote = t + 1;
        p->sm->stats[SS_cache_writes]++;
        return;
    }
    p->sm->stats[keep ? SS_cache_lost : SS_cache_filtered]++;
    if (e >= 0)
        x->table.valid &= ~(1u << e);
}

static void ccu_left(void *st, uint32_t f, uint32_t unit)
{
    const struct ccu *u = st;
    if (RARE(u->p->check))
        check_left(u, f, unit);
}

static unsigned ccu_why(const void *st, uint64_t t)
{
    return ((const struct ccu *)st)->waited == t + 1 ? SS_stall_policy : 0;
}

/* An entry beyond its register: tag, valid, lock, near, and the order of use. An operand has the number of its entry. */
static uint32_t ccu_storage(const struct sm_cfg *cfg, struct storage_row rows[STORAGE_MAX])
{
    uint64_t units = ccu_units(cfg), order = storage_bits(ccu_cfg_of(cfg)->entries);
    uint32_t n = kept_storage(cfg, units, ccu_cfg_of(cfg)->entries, 8 + 3 + order, rows);
    rows[n++] = (struct storage_row){"entries of operands",
                                     (int64_t)(cfg->partitions * units * OPERAND_SLOTS), order};
    return n;
}

static double ccu_price(const struct sm_cfg *cfg, const uint64_t *stats, const struct price *p)
{
    (void)cfg;
    return kept_price(stats, p);
}

static void ccu_set(void *st, uint32_t value) { ((struct ccu *)st)->sthld = value; }

static const struct policy_unread ccu_unread[] = {{"sm.collectors", "ccu.private=true"}, {0}};

static void ccu_past(void *st, uint32_t warp, const struct kinsn *k)
{
    struct ccu *u = st;
    for (uint32_t n = 0; n < u->p->collect.n; n++) {
        struct table *tb = &u->units[n].table;
        for (uint32_t i = 0; u->units[n].owner == u->p->age[warp] + 1 && i < tb->n; i++)
            tb->valid &= ~((uint32_t)kinsn_writes(k, table_reg(tb, i)) << i);
    }
}

STAGES(ccu, F_POLICY | F_CHOICE);

const struct operands_ops operands_ccu = {
    .is = {.name = "ccu",
           .help = "caching collectors: registers stay in the collector for the warp's next instructions",
           .state_b = sizeof(struct ccu),
           .options = {&ccu_options, &reuse_options},
           .draws = true,
           .unread = ccu_unread,
           .profile = ccu_profile,
           .storage = ccu_storage,
           .price = ccu_price},
    .latched = true,
    .caches = true,
    .found = "collector",
    .shared_b = sizeof(struct ccu_shared),
    .near = ccu_near,
    .units = ccu_units,
    .init = ccu_init,
    .free = ccu_free,
    .control = &ccu_control,
    .set = ccu_set,
    .warp_begin = ccu_warp_begin,
    .may = ccu_may,
    .unit = ccu_unit,
    .find = ccu_find,
    .left = ccu_left,
    .write = ccu_write,
    .past = ccu_past,
    .why = ccu_why,
    .stages = &ccu_stages};
