/* SPDX-License-Identifier: Apache-2.0 */
/* The ports of a pool's banks, cycle by cycle: what registers leave of them, shared memory and L1 may use (unified paper,
 * section 4.3). The load-store unit and the lines that come from memory have their turns after the partition, so what registers
 * took in the cycle is known. */
#include "sm/lsu/steps.h"

static bool arbitrates(const struct sm *s) { return s->onchip.ops->pool && !s->onchip.insn; }

enum { PORT_READ = 1, PORT_WRITE = 2 };

/* Banks whose port registers have in cycle t, or a line that was written in it. */
static uint64_t taken(const struct sm *s, uint32_t ports, uint64_t t)
{
    const struct part *p = s->parts;
    uint64_t m = 0;
    if (p->counted == t + 1) /* else it sleeps */
        m = (ports & PORT_READ ? p->banks.read_now : 0) | (ports & PORT_WRITE ? p->banks.wrote_now : 0);
    if (ports & PORT_WRITE && s->rows.fill_cyc == t + 1)
        m |= 1ull << s->rows.fill_bank;
    return m;
}

/* ---- --check ---- */

/* What the registers did in this cycle, from their counters, not from what decides. */
static void check_cycle(struct sm *s)
{
    struct row_check *c = &s->rows.check;
    struct banks *b = &s->parts->banks;
    banks_count(b);
    memset(c->used, 0, sizeof c->used);
    for (uint32_t i = 0; i < b->n; i++) {
        uint64_t r = b->count[i].reads - c->reads[i], w = b->count[i].writes - c->writes[i];
        if ((r > 1 || w > 1) && !s->error[0])
            snprintf(s->error, sizeof s->error,
                     "cycle %llu: registers have read bank %u %llu times, written it %llu times",
                     (unsigned long long)s->clock.now, i, (unsigned long long)r, (unsigned long long)w);
        for (uint32_t k = 0; k < s->cfg->clusters; k++)
            c->used[k * b->n + i] = (uint8_t)((r ? PORT_READ : 0) | (w ? PORT_WRITE : 0));
        c->reads[i] = b->count[i].reads;
        c->writes[i] = b->count[i].writes;
    }
}

static void check_use(struct sm *s, uint32_t place, uint32_t ports)
{
    uint8_t *used = &s->rows.check.used[place];
    if (*used & ports && !s->error[0])
        snprintf(s->error, sizeof s->error, "cycle %llu: bank %u of cluster %u is accessed twice",
                 (unsigned long long)s->clock.now, place % s->cfg->banks, place / s->cfg->banks);
    *used |= (uint8_t)ports;
}

static void check_line(struct sm *s, uint32_t bank, uint32_t ports)
{
    for (uint32_t k = 0; s->trust.check && k < s->cfg->clusters; k++)
        check_use(s, k * s->cfg->banks + bank, ports);
}

void rows_check_empty(struct sm *s)
{
    for (uint32_t i = 0; i < s->l1.cache.sets * s->l1.cache.ways; i++)
        if (s->l1.cache.lines[i].tag && (s->l1.cache.lines[i].dirty || s->l1.cache.lines[i].pinned) &&
            !s->error[0])
            snprintf(s->error, sizeof s->error,
                     "cycle %llu: L1 is divided anew, and line 0x%llx is dirty or on its way",
                     (unsigned long long)s->clock.now,
                     (unsigned long long)(s->l1.cache.lines[i].tag - 1) * LINE_B);
}

/* ---- lines that have come ---- */

ASIDE void rows_fill(struct sm *s, uint32_t set)
{
    if (arbitrates(s))
        vec_push(&s->rows.fills, (uint8_t)(set % s->cfg->banks));
}

void rows_tick(struct sm *s, uint64_t t)
{
    struct rows *r = &s->rows;
    if (s->trust.check && arbitrates(s))
        check_cycle(s);
    if (!r->fills.n)
        return;
    if (taken(s, PORT_WRITE, t) >> r->fills.at[0] & 1) {
        s->stats[SS_arbitration_wait]++;
        return;
    }
    r->fill_cyc = t + 1;
    r->fill_bank = r->fills.at[0];
    check_line(s, r->fill_bank, PORT_WRITE);
    memmove(r->fills.at, r->fills.at + 1, --r->fills.n);
}

/* ---- the load-store unit ---- */

/* One row of a cluster, or one of each of its banks. True: registers keep it from all that it has left. */
static bool serve_cluster(struct sm *s, struct row_list *r, uint32_t cluster, uint64_t busy, uint32_t ports)
{
    bool any = false, served = false;
    for (uint32_t b = 0; b < s->cfg->banks; b++) {
        uint32_t place = cluster * s->cfg->banks + b;
        if (!r->n[place])
            continue;
        any = true;
        if (busy >> b & 1)
            continue;
        if (s->trust.check)
            check_use(s, place, ports);
        r->n[place]--;
        r->left--;
        served = true;
        if (!s->onchip.ops->many)
            break;
    }
    return any && !served;
}

ASIDE bool rows_shared_waits(struct sm *s, uint32_t who, uint64_t t)
{
    struct flight *l = lsu_at(s, who);
    if (!arbitrates(s) || l->i.space != SPACE_SHARED || l->i.rows == NONE16)
        return false;
    struct row_list *r = &s->rows.lists.at[l->i.rows];
    uint32_t ports = l->i.k->mem & TM_ATOMIC ? PORT_READ | PORT_WRITE
                     : is_load(l->i.k)       ? PORT_READ
                                             : PORT_WRITE;
    uint64_t busy = taken(s, ports, t);
    bool waits = false;
    for (uint32_t k = 0; k < s->cfg->clusters; k++)
        waits |= serve_cluster(s, r, k, busy, ports);
    r->beats -= r->beats > 0;
    s->stats[SS_arbitration_wait] += waits;
    if (r->left || r->beats)
        return true;
    rows_free(&s->rows, &l->i.rows);
    return false;
}

/* A load that hits reads its line, a store writes one that is there. */
ASIDE bool rows_line_waits(struct sm *s, uint32_t who, uint64_t t)
{
    const struct flight *l = lsu_at(s, who);
    const struct kinsn *k = l->i.k;
    if (!arbitrates(s) || !s->onchip.split.cache_b || k->mem & TM_ATOMIC)
        return false;
    uint64_t at = lines_at(s, &l->i.lines)[l->next_line], line = line_addr(at);
    uint32_t bank = cache_set(&s->l1.cache, line / LINE_B) % s->cfg->banks,
             ports = is_load(k) ? PORT_READ : PORT_WRITE;
    bool there = is_load(k) ? l1_holds(s, l, line, line_sectors(at))
                            : cache_find(&s->l1.cache, line / LINE_B, false) != NULL;
    if (!there)
        return false;
    if (taken(s, ports, t) >> bank & 1) {
        s->stats[SS_arbitration_wait]++;
        return true;
    }
    check_line(s, bank, ports);
    return false;
}
