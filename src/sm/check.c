/* Trust: every operand that reaches an instruction is the one that the program's order says. */
#include "sm/core.h"

struct check *check_new(uint32_t warps)
{
    struct check *c = xcalloc(1, sizeof *c);
    c->issued = xcalloc(warps, sizeof *c->issued);
    c->banks = xcalloc(warps, sizeof *c->banks);
    c->order = order_new(warps);
    return c;
}

void check_free(struct check *c, uint32_t warps)
{
    if (!c)
        return;
    free(c->issued);
    free(c->banks);
    free(c->reads);
    free(c->writes);
    order_free(c->order, warps);
    free(c);
}

void check_start(struct part *p, uint32_t w)
{
    memset(p->check->issued[w], 0, sizeof p->check->issued[w]);
    memset(p->check->banks[w], 0, sizeof p->check->banks[w]);
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
    p->check->banks[l->warp][l->i.k->write[i]] = p->check->writes[f][i];
}

void check_read(struct part *p, uint32_t f, uint32_t i, uint32_t version)
{
    const struct flight *l = &p->flights[f];
    struct sm *s = p->sm;
    uint32_t want = p->check->reads[f][i];
    if (version == want || s->error[0])
        return;
    const struct sm_kernel *k = s->ctas[p->warps[l->warp].cta].k;
    snprintf(
        s->error, sizeof s->error,
        "cycle %llu, partition %u, warp %u, pc 0x%x (%s): R%u arrived with version %u, the program's is %u",
        (unsigned long long)s->now, p->id, l->warp, k->tr->insns[l->i.at].pc, k->tr->insns[l->i.at].text,
        l->i.k->read[i], version, want);
}
