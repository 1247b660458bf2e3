/* Trust: every operand that reaches an instruction is the one that the program's order says, for all lanes that read it. */
#include "sm/core.h"

#define SOME_LANES (1u << 31) /* of a kept version: not of all lanes */

struct check *check_new(uint32_t warps)
{
    struct check *c = xcalloc(1, sizeof *c);
    c->regs = xcalloc(warps, sizeof *c->regs);
    c->order = order_new(warps);
    return c;
}

void check_free(struct check *c, uint32_t warps)
{
    if (!c)
        return;
    free(c->regs);
    free(c->reads);
    free(c->writes);
    order_free(c->order, warps);
    free(c);
}

void check_start(struct part *p, uint32_t w)
{
    for (uint32_t i = 0; i < 256; i++)
        p->check->regs[w][i] = (struct check_reg){.lanes = ~0u};
}

struct check_regs *check_save(const struct part *p, uint32_t w)
{
    struct check_regs *r = xcalloc(1, sizeof *r);
    memcpy(r->of, p->check->regs[w], sizeof r->of);
    return r;
}

void check_restore(struct part *p, uint32_t w, const struct check_regs *r)
{
    memcpy(p->check->regs[w], r->of, sizeof r->of);
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
        c->reads[f][i] = c->regs[l->warp][l->i.k->read[i]].issued;
    for (uint32_t i = 0; i < l->i.k->nwrite; i++)
        c->writes[f][i] = ++c->regs[l->warp][l->i.k->write[i]].issued;
    if (l->i.k->route == ROUTE_MEMORY)
        order_issue(p, f);
}

void check_write(struct part *p, uint32_t f, uint32_t i)
{
    const struct flight *l = &p->flights[f];
    struct check_reg *r = &p->check->regs[l->warp][l->i.k->write[i]];
    uint32_t version = p->check->writes[f][i];
    /* If versions before it have not come here, their lanes are missing. */
    r->lanes = l->i.mask | (r->bank + 1 == version ? r->lanes : 0);
    r->bank = version;
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
    const struct sm_kernel *k = s->ctas[p->warps[l->warp].cta].k;
    snprintf(s->error, sizeof s->error, "cycle %llu, partition %u, warp %u, pc 0x%x (%s): R%u arrived %s",
             (unsigned long long)s->now, p->id, l->warp, k->tr->insns[l->i.k->at].pc,
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

/* The operands of a bank are read in their order; seldom any is wrong. */
void check_read_banks(struct part *p, const struct unit *u, uint64_t banks)
{
    const struct flight *l = &p->flights[u->flight];
    const struct kinsn *k = l->i.k;
    struct check *c = p->check;
    const uint32_t *want = c->reads[u->flight];
    const struct check_reg *regs = c->regs[l->warp];
    uint64_t before = k->need[l->bank0] - u->need;
    uint32_t wrong = 0, group = p->banks.group, mask = l->i.mask, bank0 = l->bank0;
    c->n.operands += (uint32_t)__builtin_popcountll(banks);
    for (; banks; banks &= banks - 1) {
        uint32_t b = (uint32_t)__builtin_ctzll(banks) / 8, skip = before >> 8 * b & 255;
        uint32_t i = k->read_of[b < bank0 ? b + group - bank0 : b - bank0] >> 4 * skip & 15;
        const struct check_reg *r = &regs[k->read[i]];
        wrong |= (uint32_t)(((r->bank ^ want[i]) | (mask & ~r->lanes)) != 0) << i;
    }
    for (; RARE(wrong); wrong &= wrong - 1)
        compare_bank(p, u->flight, (uint32_t)__builtin_ctz(wrong));
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
        struct check_reg *is = &c->regs[w][r];
        c->n.operands++;
        if ((is->bank != is->issued || is->lanes != ~0u) && !s->error[0])
            snprintf(
                s->error, sizeof s->error,
                "cycle %llu, partition %u, warp %u: a product needs R%u, whose bank has version %u of lanes "
                "%08x, the program's is %u",
                (unsigned long long)s->now, p->id, w, r, is->bank, is->lanes, is->issued);
        if (writes) {
            is->bank = ++is->issued;
            is->lanes = ~0u;
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
