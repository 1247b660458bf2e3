/* SPDX-License-Identifier: Apache-2.0 */
/* Trust: every operand that reaches an instruction is the one that the program's order says, for all lanes that read it.
 *
 * A machine without features (features.h) is proved right with less than that. As long as a register never has two writes on
 * their way, its bank holds the newest version, of all lanes, but for the one that may be on its way: one bit. And an operand is
 * right if there was none when its instruction issued, and none came to its bank before it was read. Where one of these does not
 * hold, something may be wrong: from there on the partition keeps the books of all others (check.exact), and those tell. */
#include "sm/core.h"

#define SOME_LANES (1u << 31) /* of a kept version: not of all lanes */

struct check *check_new(uint32_t warps)
{
    struct check *c = xcalloc(1, sizeof *c);
    c->nwarps = warps;
    c->warps = xlines(warps, sizeof *c->warps);
    c->regs = xcalloc(warps, sizeof *c->regs);
    c->order = order_new();
    c->exact = true;
    return c;
}

void check_free(struct check *c)
{
    if (!c)
        return;
    free(c->warps);
    free(c->regs);
    free(c->reads);
    free(c->writes);
    order_free(c->order);
    free(c);
}

/* ---- between the two ---- */

static struct check_reg reg_of(const struct check *c, uint32_t w, uint32_t reg)
{
    const struct check_warp *x = &c->warps[w];
    if (c->exact)
        return c->regs[w][reg];
    uint32_t coming = x->coming[reg / 64] >> reg % 64 & 1;
    return (struct check_reg){.issued = x->issued[reg], .bank = x->issued[reg] - coming, .lanes = ~0u};
}

/* What a flight has to read and to write. What it has read before may be another version since. */
static void see_flight(struct check *c, const struct flight *l, uint32_t f)
{
    for (uint32_t i = 0; i < l->i.k->nread; i++)
        c->reads[f][i] = c->regs[l->warp][l->i.k->read[i]].bank;
    for (uint32_t i = 0; i < l->i.k->nwrite; i++)
        c->writes[f][i] = c->regs[l->warp][l->i.k->write[i]].issued;
}

static void see_flights(struct part *p)
{
    bool *unused = xcalloc(p->nflights + 1, sizeof *unused);
    for (uint32_t f = p->free_flight; f != UINT32_MAX; f = p->flights[f].next)
        unused[f] = true;
    for (uint32_t f = 0; f < p->nflights; f++)
        if (!unused[f])
            see_flight(p->check, &p->flights[f], f);
    free(unused);
}

static void expect_flights(struct part *p)
{
    struct check *c = p->check;
    if (c->nflights >= p->nflights)
        return;
    c->reads = xrealloc(c->reads, sizeof *c->reads * p->nflights);
    c->writes = xrealloc(c->writes, sizeof *c->writes * p->nflights);
    c->nflights = p->nflights;
}

SELDOM static void look_closely(struct part *p)
{
    struct check *c = p->check;
    for (uint32_t w = 0; w < c->nwarps; w++)
        for (uint32_t r = 0; r < 256; r++)
            c->regs[w][r] = reg_of(c, w, r);
    c->exact = true;
    expect_flights(p);
    see_flights(p);
}

/* ---- warps ---- */

void check_start(struct part *p, uint32_t w)
{
    if (!p->check->exact)
        p->check->warps[w] = (struct check_warp){0};
    for (uint32_t i = 0; i < 256 && p->check->exact; i++)
        p->check->regs[w][i] = (struct check_reg){.lanes = ~0u};
}

struct check_regs *check_save(const struct part *p, uint32_t w)
{
    struct check_regs *r = xcalloc(1, sizeof *r);
    for (uint32_t i = 0; i < 256; i++)
        r->of[i] = reg_of(p->check, w, i);
    return r;
}

void check_restore(struct part *p, uint32_t w, const struct check_regs *r)
{
    struct check *c = p->check;
    bool newest = true;
    for (uint32_t i = 0; i < 256; i++)
        newest = newest && r->of[i].bank == r->of[i].issued && r->of[i].lanes == ~0u;
    if (!newest && !c->exact)
        look_closely(p);
    check_start(p, w);
    for (uint32_t i = 0; i < 256; i++)
        c->warps[w].issued[i] = r->of[i].issued;
    memcpy(c->regs[w], r->of, sizeof r->of);
}

/* ---- issue and results ---- */

static void issue_exactly(struct part *p, uint32_t f)
{
    struct check *c = p->check;
    const struct flight *l = &p->flights[f];
    expect_flights(p);
    for (uint32_t i = 0; i < l->i.k->nread; i++)
        c->reads[f][i] = c->regs[l->warp][l->i.k->read[i]].issued;
    for (uint32_t i = 0; i < l->i.k->nwrite; i++)
        c->writes[f][i] = ++c->regs[l->warp][l->i.k->write[i]].issued;
    if (l->i.k->route == ROUTE_MEMORY)
        order_issue(p, f);
}

/* Is one of its registers to be written? (Asked of the registers themselves, not as the scoreboard has them.) */
static inline bool awaits(const struct check_warp *x, const struct kinsn *k)
{
    uint64_t met = 0;
    for (uint32_t i = 0; i < 4; i++)
        met |= (k->use[i] | k->def[i]) & x->coming[i];
    return met;
}

void check_issue(struct part *p, uint32_t f)
{
    struct check *c = p->check;
    const struct flight *l = &p->flights[f];
    const struct kinsn *k = l->i.k;
    struct check_warp *x = &c->warps[l->warp];
    if (!c->exact && RARE(awaits(x, k)))
        look_closely(p);
    if (RARE(c->exact)) {
        issue_exactly(p, f);
        return;
    }
    for (uint32_t i = 0; i < k->nwrite; i++) {
        uint32_t reg = k->write[i];
        x->issued[reg]++;
        x->coming[reg / 64] |= 1ull << reg % 64;
    }
    if (k->route == ROUTE_MEMORY)
        order_issue(p, f);
}

static void write_exactly(struct part *p, uint32_t f, uint32_t i)
{
    const struct flight *l = &p->flights[f];
    struct check_reg *r = &p->check->regs[l->warp][l->i.k->write[i]];
    uint32_t version = p->check->writes[f][i];
    /* If versions before it have not come here, their lanes are missing. */
    r->lanes = l->i.mask | (r->bank + 1 == version ? r->lanes : 0);
    r->bank = version;
}

/* Does an instruction of the warp wait for this register, or for others, and has it in its operands? (Without the
 * lock it may have been overtaken.) */
static bool is_read(const struct part *p, uint32_t w, uint32_t reg)
{
    const struct collect *c = &p->collect;
    for (uint32_t i = p->sm->cfg->read_lock ? c->nreading : 0; i--;) {
        const struct flight *l = &p->flights[c->units[c->order[i]].flight];
        if (l->warp == w && l->i.k->use[reg / 64] >> reg % 64 & 1)
            return true;
    }
    return false;
}

void check_write(struct part *p, uint32_t f, uint32_t i)
{
    struct check *c = p->check;
    const struct flight *l = &p->flights[f];
    uint32_t reg = l->i.k->write[i];
    uint64_t *coming = &c->warps[l->warp].coming[reg / 64], bit = 1ull << reg % 64;
    if (!c->exact && RARE(!(*coming & bit) || is_read(p, l->warp, reg)))
        look_closely(p);
    if (RARE(c->exact))
        write_exactly(p, f, i);
    else
        *coming ^= bit;
}

void check_write_kept(struct part *p, uint32_t w, uint8_t reg, uint32_t version)
{
    struct check_reg *r = &p->check->regs[w][reg];
    r->bank = version;
    r->lanes = ~0u;
}

uint32_t check_kept_version(const struct part *p, uint32_t f, uint32_t i, const uint32_t *old)
{
    const struct flight *l = &p->flights[f];
    uint32_t version = p->check->writes[f][i];
    bool whole = sm_warp_is_whole(p, l->warp, l->i.mask);
    return whole || (old && *old + 1 == version) ? version : version | SOME_LANES;
}

static void complain(struct part *p, uint32_t f, uint32_t i, const char *what)
{
    const struct flight *l = &p->flights[f];
    struct sm *s = p->sm;
    const struct sm_kernel *k = s->ctas.at[p->warps[l->warp].cta].k;
    snprintf(s->error, sizeof s->error, "cycle %llu, partition %u, warp %u, pc 0x%x (%s): R%u arrived %s",
             (unsigned long long)s->clock.now, p->id, l->warp, k->tr->insns[l->i.k->at].pc,
             k->tr->insns[l->i.k->at].text, l->i.k->read[i], what);
}

SELDOM static void wrong_version(struct part *p, uint32_t f, uint32_t i, uint32_t version, uint32_t want)
{
    char what[96];
    /* Without the lock a later result may come before the read; what it has overwritten is not told. */
    bool overtaken = !p->sm->cfg->read_lock && version > want && !(version & SOME_LANES);
    if (overtaken || p->sm->error[0])
        return;
    if (version == CHECK_GONE)
        snprintf(what, sizeof what, "from an entry that was taken from it");
    else if (version & SOME_LANES)
        snprintf(what, sizeof what, "with version %u of some lanes only", version & ~SOME_LANES);
    else
        snprintf(what, sizeof what, "with version %u, the program's is %u", version, want);
    complain(p, f, i, what);
}

void check_read(struct part *p, uint32_t f, uint32_t i, uint32_t version)
{
    uint32_t want = p->check->reads[f][i];
    p->check->n.operands++;
    if (version != want)
        wrong_version(p, f, i, version, want);
}

SELDOM static void lanes_missing(struct part *p, uint32_t f, uint32_t i, uint32_t missing)
{
    char what[96];
    if (!p->sm->cfg->read_lock || p->sm->error[0])
        return;
    snprintf(what, sizeof what, "from its bank without the lanes %08x", missing);
    complain(p, f, i, what);
}

/* Source i with what its bank has of it. */
static void compare_bank(struct part *p, uint32_t f, uint32_t i)
{
    const struct flight *l = &p->flights[f];
    const struct check_reg *r = &p->check->regs[l->warp][l->i.k->read[i]];
    uint32_t want = p->check->reads[f][i], missing = l->i.mask & ~r->lanes;
    if (r->bank != want)
        wrong_version(p, f, i, r->bank, want);
    if (missing)
        lanes_missing(p, f, i, missing);
}

void check_read_bank(struct part *p, uint32_t f, uint32_t i)
{
    p->check->n.operands++;
    compare_bank(p, f, i);
}

/* Seldom any is wrong. */
void check_read_banks(struct part *p, uint32_t unit, const uint64_t *got)
{
    for (uint32_t m = collect_operands(p, unit, got); m; m &= m - 1) {
        p->check->n.operands += p->check->always;
        compare_bank(p, p->collect.units[unit].flight, (uint32_t)__builtin_ctz(m));
    }
}

/* Is what a product reads in its bank, and what it writes read by nobody? */
static bool past_is_right(const struct part *p, uint32_t w, const struct kinsn *k)
{
    bool right = !awaits(&p->check->warps[w], k);
    for (uint32_t r = 0; right && r < 256; r++)
        right = !kinsn_writes(k, (uint8_t)r) || !is_read(p, w, r);
    return right;
}

/* The program waits for the product before it looks at a result, so that it may count from its issue on. */
void check_past(struct part *p, uint32_t w, const struct kinsn *k)
{
    struct check *c = p->check;
    struct sm *s = p->sm;
    if (!c->exact && !past_is_right(p, w, k))
        look_closely(p);
    for (uint32_t r = 0; r < 256; r++) {
        bool writes = kinsn_writes(k, (uint8_t)r);
        if (!writes && !(k->use[r / 64] >> r % 64 & 1))
            continue;
        struct check_reg is = reg_of(c, w, r);
        c->n.operands++;
        if ((is.bank != is.issued || is.lanes != ~0u) && !s->error[0])
            snprintf(
                s->error, sizeof s->error,
                "cycle %llu, partition %u, warp %u: a product needs R%u, whose bank has version %u of lanes "
                "%08x, the program's is %u",
                (unsigned long long)s->clock.now, p->id, w, r, is.bank, is.lanes, is.issued);
        if (writes && c->exact)
            c->regs[w][r] = (struct check_reg){is.issued + 1, is.issued + 1, ~0u};
        else if (writes)
            c->warps[w].issued[r]++;
    }
}

static uint64_t reads_of(const struct part *p)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < p->banks.n; i++)
        sum += p->banks.count[i].reads;
    return sum;
}

void sm_count_checked(const struct sm *s, struct sm_checked *sum)
{
    for (uint32_t i = 0; s->trust.check && i < s->cfg->partitions; i++) {
        const struct part *p = &s->parts[i];
        sum->operands += p->check->n.operands + (p->check->always ? 0 : reads_of(p));
        sum->lines += p->check->n.lines;
    }
}
