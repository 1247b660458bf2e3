/* Trust: every operand that reaches an instruction is the one that the program's order says, for all lanes that read it. */
#include "sm/core.h"

#define SOME_LANES (1u << 31) /* of a kept version: not of all lanes */

struct check *check_new(uint32_t warps)
{
    struct check *c = xcalloc(1, sizeof *c);
    c->issued = xcalloc(warps, sizeof *c->issued);
    c->banks = xcalloc(warps, sizeof *c->banks);
    c->lanes = xcalloc(warps, sizeof *c->lanes);
    c->order = order_new(warps);
    return c;
}

void check_free(struct check *c, uint32_t warps)
{
    if (!c)
        return;
    free(c->issued);
    free(c->banks);
    free(c->lanes);
    free(c->reads);
    free(c->writes);
    order_free(c->order, warps);
    free(c);
}

void check_start(struct part *p, uint32_t w)
{
    memset(p->check->issued[w], 0, sizeof p->check->issued[w]);
    memset(p->check->banks[w], 0, sizeof p->check->banks[w]);
    memset(p->check->lanes[w], 0xff, sizeof p->check->lanes[w]);
}

struct check_regs *check_save(const struct part *p, uint32_t w)
{
    struct check_regs *r = xcalloc(1, sizeof *r);
    memcpy(r->issued, p->check->issued[w], sizeof r->issued);
    memcpy(r->banks, p->check->banks[w], sizeof r->banks);
    memcpy(r->lanes, p->check->lanes[w], sizeof r->lanes);
    return r;
}

void check_restore(struct part *p, uint32_t w, const struct check_regs *r)
{
    memcpy(p->check->issued[w], r->issued, sizeof r->issued);
    memcpy(p->check->banks[w], r->banks, sizeof r->banks);
    memcpy(p->check->lanes[w], r->lanes, sizeof r->lanes);
}

void check_issue(struct part *p, uint32_t f)
{
    struct check *c = p->check;
    if (c->nflights < p->nflights) {
        c->reads = xrealloc(c->reads, sizeof *c->reads * p->nflights);
        c->writes = xrealloc(c->writes, sizeof *c->writes * p->nflights);
        c->nflights = p->nflights;
    }
    const struct flight *l = &p->flights[f];
    for (uint32_t i = 0; i < l->i.k->nread; i++)
        c->reads[f][i] = c->issued[l->warp][l->i.k->read[i]];
    for (uint32_t i = 0; i < l->i.k->nwrite; i++)
        c->writes[f][i] = ++c->issued[l->warp][l->i.k->write[i]];
    if (l->i.k->route == ROUTE_MEMORY)
        order_issue(p, f);
}

void check_write(struct part *p, uint32_t f, uint32_t i)
{
    const struct flight *l = &p->flights[f];
    uint32_t *bank = &p->check->banks[l->warp][l->i.k->write[i]], version = p->check->writes[f][i];
    uint32_t *lanes = &p->check->lanes[l->warp][l->i.k->write[i]];
    /* If versions before it have not come here, their lanes are missing. */
    *lanes = l->i.mask | (*bank + 1 == version ? *lanes : 0);
    *bank = version;
}

void check_write_kept(struct part *p, uint32_t w, uint8_t reg, uint32_t version)
{
    p->check->banks[w][reg] = version;
    p->check->lanes[w][reg] = ~0u;
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
    const struct sm_kernel *k = s->ctas[p->warps[l->warp].cta].k;
    snprintf(s->error, sizeof s->error, "cycle %llu, partition %u, warp %u, pc 0x%x (%s): R%u arrived %s",
             (unsigned long long)s->now, p->id, l->warp, k->tr->insns[l->i.at].pc, k->tr->insns[l->i.at].text,
             l->i.k->read[i], what);
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

static inline void read_version(struct part *p, uint32_t f, uint32_t i, uint32_t version)
{
    uint32_t want = p->check->reads[f][i];
    p->check->n.operands++;
    if (version != want)
        wrong_version(p, f, i, version, want);
}

void check_read(struct part *p, uint32_t f, uint32_t i, uint32_t version) { read_version(p, f, i, version); }

SELDOM static void lanes_missing(struct part *p, uint32_t f, uint32_t i, uint32_t missing)
{
    char what[96];
    if (!p->sm->cfg->read_lock || p->sm->error[0])
        return;
    snprintf(what, sizeof what, "from its bank without the lanes %08x", missing);
    complain(p, f, i, what);
}

void check_read_bank(struct part *p, uint32_t f, uint32_t i)
{
    const struct flight *l = &p->flights[f];
    uint8_t reg = l->i.k->read[i];
    uint32_t missing = l->i.mask & ~p->check->lanes[l->warp][reg];
    read_version(p, f, i, check_bank(p, l->warp, reg));
    if (missing)
        lanes_missing(p, f, i, missing);
}

/* The operands of a bank are read in their order. */
void check_read_banks(struct part *p, const struct unit *u, uint64_t banks)
{
    const struct flight *l = &p->flights[u->flight];
    const struct kinsn *k = l->i.k;
    struct check *c = p->check;
    const uint32_t *want = c->reads[u->flight], *version = c->banks[l->warp], *lanes = c->lanes[l->warp];
    uint64_t before = k->need[l->bank0] - u->need;
    for (; banks; banks &= banks - 1) {
        uint32_t b = (uint32_t)__builtin_ctzll(banks) / 8, skip = before >> 8 * b & 255, i = 0;
        uint32_t bank = b < l->bank0 ? b + p->banks.group - l->bank0 : b - l->bank0; /* if R0's were 0 */
        while (k->read_bank[i] != bank || skip--)
            i++;
        uint8_t reg = k->read[i];
        c->n.operands++;
        if (version[reg] != want[i])
            wrong_version(p, u->flight, i, version[reg], want[i]);
        if (l->i.mask & ~lanes[reg])
            lanes_missing(p, u->flight, i, l->i.mask & ~lanes[reg]);
    }
}

/* The program waits for the product before it looks at a result, so that it may count from its issue on. */
void check_past(struct part *p, uint32_t w, const struct kinsn *k)
{
    struct check *c = p->check;
    struct sm *s = p->sm;
    for (uint32_t r = 0; r < 256; r++) {
        bool writes = kinsn_writes(k, (uint8_t)r);
        if (!writes && !(k->use[r / 64] >> r % 64 & 1))
            continue;
        c->n.operands++;
        if ((c->banks[w][r] != c->issued[w][r] || c->lanes[w][r] != ~0u) && !s->error[0])
            snprintf(
                s->error, sizeof s->error,
                "cycle %llu, partition %u, warp %u: a product needs R%u, whose bank has version %u of lanes "
                "%08x, the program's is %u",
                (unsigned long long)s->now, p->id, w, r, c->banks[w][r], c->lanes[w][r], c->issued[w][r]);
        if (writes) {
            c->banks[w][r] = ++c->issued[w][r];
            c->lanes[w][r] = ~0u;
        }
    }
}

void sm_count_checked(const struct sm *s, struct sm_checked *sum)
{
    for (uint32_t i = 0; s->check && i < s->cfg->partitions; i++) {
        sum->operands += s->parts[i].check->n.operands;
        sum->lines += s->parts[i].check->n.lines;
    }
}
