/* SPDX-License-Identifier: Apache-2.0 */
/* Parking: a CTA gives back its registers, warp slots and shared memory, and keeps its place in the trace; later it comes back,
 * perhaps to other partitions and slots of the SM.
 *
 *   asked to leave   its warps issue nothing more (LIMIT_LEAVES); what they have begun goes on to its end
 *   drained          nothing is in flight or fetched, and no event will come for one of them. Then the operands' policy is told,
 *                    once, and what it had kept is written to the banks
 *   parked           warps are copied out of their slots with their instruction buffers, barriers and versions (--check). The
 *                    lists of lines in the buffers stay in the SM's pool
 *   asked back       it is placed as a new CTA would be as soon as there is room, and goes on. Its warps have new ages: whatever
 *                    was noted under the old ones is nobody's
 *
 * All of this happens between windows (sm_settle). A CTA that is drained has its registers and shared memory written to memory
 * before it gives back its place, and one that comes back has them read before it goes on (switch.c); share.switch_b = 0: at
 * once. */
#include "sm/warps/park.h"
#include "sm/stages/probe.h"

struct parked_warp {
    struct sm_warp w;
    struct check_regs *check; /* NULL: off */
};

struct parked {
    struct sm_cta c;
    bool returns;
    struct parked_warp *warps;
};

/* Blocks of line lists have 16-bit numbers; parked warps hold eight each at most, and leave half of them to others. */
enum { PARKED_WARPS = 4096 };

static struct part *part_of(const struct sm *s, const struct sm_cta *c, uint32_t i)
{
    return &s->parts[c->warps[i] >> 8];
}

static uint32_t slot_of(const struct sm_cta *c, uint32_t i) { return c->warps[i] & 255; }

static bool is_cta(const struct sm_cta *c, const struct sm_cta_id *id)
{
    return c->k->id.tenant == id->tenant && c->launch == id->launch && c->cta == id->cta;
}

static struct sm_cta *find_resident(struct sm *s, const struct sm_cta_id *id)
{
    for (uint32_t i = 0; i < s->cfg->ctas; i++)
        if (s->ctas.at[i].used && is_cta(&s->ctas.at[i], id))
            return &s->ctas.at[i];
    return NULL;
}

/* ---- requests ---- */

static void set_leaving(struct sm *s, struct sm_cta *c, bool leaves)
{
    c->leaves = leaves;
    c->told = false;
    s->ctas.leaving = leaves ? s->ctas.leaving + 1 : s->ctas.leaving - 1;
    for (uint32_t i = 0; i < c->need.warps; i++) {
        struct part *p = part_of(s, c, i);
        uint32_t n = slot_of(c, i);
        struct sm_warp *w = &p->warps[n];
        w->limits = (uint8_t)(leaves ? w->limits | LIMIT_LEAVES : w->limits & ~LIMIT_LEAVES);
        if (w->block != BLOCK_DRAINED)
            sm_warp_refresh(p, n);
        part_wake(p, s->clock.now);
    }
}

static void set_clock(struct sm *s, uint64_t now) { s->clock.now = now > s->clock.now ? now : s->clock.now; }

bool sm_park(struct sm *s, uint64_t now, struct sm_cta_id id)
{
    struct sm_cta *c = find_resident(s, &id);
    set_clock(s, now);
    if (!c || !c->begun || c->leaves || c->way || s->ctas.parked_warps + c->need.warps > PARKED_WARPS)
        return false;
    s->ctas.parked_warps += c->need.warps;
    set_leaving(s, c, true);
    return true;
}

bool sm_resume(struct sm *s, uint64_t now, struct sm_cta_id id)
{
    struct sm_cta *c = find_resident(s, &id);
    set_clock(s, now);
    if (c && c->leaves) {
        s->ctas.parked_warps -= c->need.warps;
        if (c->way)
            switch_cancel(s, (uint32_t)(c - s->ctas.at));
        set_leaving(s, c, false);
        return true;
    }
    vec_each (&s->ctas.parked, k) {
        if (!is_cta(&(*k)->c, &id))
            continue;
        (*k)->returns = true;
        return true;
    }
    return false;
}

void park_ended(struct sm *s, struct sm_cta *c)
{
    if (c->leaves) {
        s->ctas.leaving--;
        s->ctas.parked_warps -= c->need.warps;
    }
    for (uint32_t i = 0; c->moved && i < c->need.warps; i++)
        local_release(s, part_of(s, c, i)->warps[slot_of(c, i)].local);
}

/* ---- leaving ---- */

static bool is_drained(const struct sm *s, const struct sm_cta *c)
{
    for (uint32_t i = 0; i < c->need.warps; i++) {
        const struct sm_warp *w = &part_of(s, c, i)->warps[slot_of(c, i)];
        if (w->in_flight || w->held || w->fetching || w->late)
            return false;
    }
    return !c->releases;
}

/* What the operands' policy has kept is on its way to the banks. */
static bool is_written(const struct sm *s, const struct sm_cta *c)
{
    for (uint32_t i = 0; i < c->need.warps; i++)
        if (banks_expect(part_of(s, c, i), slot_of(c, i)))
            return false;
    return true;
}

static void tell_policy(struct sm *s, struct sm_cta *c)
{
    for (uint32_t i = 0; s->operands.ops->park && i < c->need.warps; i++) {
        struct part *p = part_of(s, c, i);
        if (p->warps[slot_of(c, i)].block != BLOCK_DRAINED)
            s->operands.ops->park(p->operands, slot_of(c, i));
        part_wake(p, s->clock.now);
    }
    c->told = true;
}

static void copy_out(struct sm *s, const struct sm_cta *c, uint32_t i, struct parked_warp *to)
{
    struct part *p = part_of(s, c, i);
    uint32_t n = slot_of(c, i);
    uint64_t bit = 1ull << n;
    to->w = p->warps[n];
    if (p->check)
        to->check = check_save(p, n);
    local_keep(s, to->w.local);
    p->blocked[to->w.block] &= ~bit;
    p->used &= ~bit;
    p->want_fetch &= ~bit;
    p->warps[n].used = false;
    part_wake(p, s->clock.now);
}

static void take_away(struct sm *s, uint32_t slot)
{
    struct sm_cta *c = &s->ctas.at[slot];
    struct parked *k = xcalloc(1, sizeof *k);
    k->warps = xcalloc(c->need.warps, sizeof *k->warps);
    c->moved = true;
    c->leaves = false;
    c->way = SWITCH_NONE;
    k->c = *c;
    for (uint32_t i = 0; i < c->need.warps; i++)
        copy_out(s, c, i, &k->warps[i]);
    vec_push(&s->ctas.parked, k);
    s->ctas.leaving--;
    s->stats[SS_ctas_parked]++;
    if (s->tenants.stats)
        s->tenants.stats[c->k->id.tenant][SS_ctas_parked]++;
    onchip_give(&s->onchip, &c->need, c->warps);
    s->ctas.n--;
    c->used = false;
    probe_cta_left(s, slot, s->clock.now);
}

/* ---- coming back ---- */

static void copy_in(struct sm *s, uint32_t slot, uint32_t i, struct parked_warp *from)
{
    struct sm_cta *c = &s->ctas.at[slot];
    struct part *p = part_of(s, c, i);
    uint32_t n = slot_of(c, i);
    struct sm_warp *w = &p->warps[n];
    bool over = from->w.block == BLOCK_DRAINED;
    *w = from->w;
    w->cta = (uint16_t)slot;
    w->bank0 = banks_first(s->cfg, n);
    w->line = w->konst = 0; /* what it had at hand of code and constants it has no more */
    w->limits = tenant_limits(s, c->k->id.tenant);
    if (from->check)
        check_restore(p, n, from->check);
    if (s->operands.ops->warp_begin && !over)
        s->operands.ops->warp_begin(p->operands, n, true);
    part_take_slot(p, n, c->k->id.tenant);
    p->used |= 1ull << n;
    part_block(p, n, over ? BLOCK_DRAINED : BLOCK_NOT);
    p->want_fetch |= (uint64_t)fetch_room(s, w) << n;
    if (!over)
        sm_warp_refresh(p, n);
    part_wake(p, s->clock.now);
}

static bool bring_back(struct sm *s, struct parked *k)
{
    const struct sm_need *n = &k->c.need;
    uint32_t slot = 0;
    if (!sm_has_room(s, n))
        return false;
    /* Not where the release of a barrier is on its way to a CTA that has ended. */
    while (slot < s->cfg->ctas && (s->ctas.at[slot].used || s->ctas.at[slot].releases))
        slot++;
    if (slot == s->cfg->ctas)
        return false;
    s->ctas.at[slot] = k->c; /* no release was on its way when it left, either */
    sm_cta_take(s, slot);
    for (uint32_t i = 0; i < n->warps; i++)
        copy_in(s, slot, i, &k->warps[i]);
    s->ctas.parked_warps -= n->warps;
    switch_begin(s, slot, SWITCH_IN);
    probe_cta_came(s, slot);
    return true;
}

static void parked_free(struct parked *k)
{
    for (uint32_t i = 0; i < k->c.need.warps; i++)
        free(k->warps[i].check);
    free(k->warps);
    free(k);
}

void sm_settle(struct sm *s, uint64_t now)
{
    uint32_t left = 0;
    if (!s->ctas.leaving && !s->ctas.parked.n)
        return;
    set_clock(s, now);
    for (uint32_t i = 0; s->ctas.leaving && i < s->cfg->ctas; i++) {
        struct sm_cta *c = &s->ctas.at[i];
        if (!c->used || !c->leaves || !is_drained(s, c))
            continue;
        if (!c->told)
            tell_policy(s, c);
        if (!is_written(s, c) || (!c->way && switch_begin(s, i, SWITCH_OUT)))
            continue;
        if (c->way != SWITCH_OUT)
            take_away(s, i);
    }
    vec_each (&s->ctas.parked, k) {
        if ((*k)->returns && bring_back(s, *k))
            parked_free(*k);
        else
            s->ctas.parked.at[left++] = *k;
    }
    s->ctas.parked.n = left;
}

bool sm_awaits(const struct sm *s)
{
    vec_each (&s->ctas.parked, k)
        if ((*k)->returns)
            return true;
    return false;
}

void park_free(struct sm *s)
{
    switch_free(s);
    vec_each (&s->ctas.parked, k) {
        tr_close_cta((*k)->c.stream);
        ahead_free((*k)->c.ahead);
        free((*k)->c.jump);
        parked_free(*k);
    }
    vec_free(&s->ctas.parked);
}

/* ---- who is where ---- */

static struct sm_cta_info info(const struct sm_cta *c, enum sm_cta_state state)
{
    return (struct sm_cta_info){.id = {c->k->id.tenant, c->launch, c->cta}, .state = state, .need = c->need};
}

static struct sm_cta_info info_here(const struct sm *s, const struct sm_cta *c)
{
    struct sm_cta_info i = info(c, c->leaves             ? SM_CTA_LEAVES
                                   : c->way == SWITCH_IN ? SM_CTA_LOADS
                                                         : SM_CTA_RUNS);
    i.age = 1 + part_of(s, c, 0)->age[slot_of(c, 0)];
    return i;
}

uint32_t sm_ctas(const struct sm *s, struct sm_cta_info *to, uint32_t most)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->cfg->ctas && n < most; i++)
        if (s->ctas.at[i].used)
            to[n++] = info_here(s, &s->ctas.at[i]);
    for (uint32_t i = 0; i < s->ctas.parked.n && n < most; i++)
        to[n++] =
            info(&s->ctas.parked.at[i]->c, s->ctas.parked.at[i]->returns ? SM_CTA_RETURNS : SM_CTA_PARKED);
    return n;
}

void park_print(const struct sm *s, FILE *to)
{
    vec_each (&s->ctas.parked, k)
        fprintf(to, "  SM %u  launch %u CTA %u  is parked%s\n", s->id, (*k)->c.launch, (*k)->c.cta,
                (*k)->returns ? " and waits for room" : "");
}
