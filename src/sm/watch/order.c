/* SPDX-License-Identifier: Apache-2.0 */
/* --check: what a warp asks of memory reaches L1 once, line by line, and no access overtakes an earlier one of the same warp to
 * the same line; data that a policy hands out itself comes back once for every line. */
#include "sm/core.h"

/* An instruction between issue and result. */
struct owed {
    uint64_t sent, back;   /* by line */
    uint32_t older, newer; /* 1 + flight, of its warp: issued before it and after it; 0: none */
    uint8_t n;             /* 0: it has no lines, or is not between these */
    uint64_t line[MAX_LINES];
};

struct order {
    struct owed *owed; /* by flight */
    uint32_t nowed;
    struct order_warp {
        uint32_t newest; /* 1 + flight */
        uint32_t asking; /* of those between issue and result: L1 was not asked for all lines yet */
    } warps[64];
};

struct order *order_new(void) { return xcalloc(1, sizeof(struct order)); }

void order_free(struct order *o)
{
    free(o->owed);
    free(o);
}

static void tell(struct part *p, uint32_t f, const char *what, uint64_t line)
{
    struct sm *s = p->sm;
    const struct flight *l = &p->flights[f];
    const struct tr_insn *i = &s->ctas.at[p->warps[l->warp].cta].k->tr->insns[l->i.k->at];
    if (!s->error[0])
        snprintf(
            s->error, sizeof s->error, "cycle %llu, partition %u, warp %u, pc 0x%x (%s): %s, line 0x%llx",
            (unsigned long long)s->clock.now, p->id, l->warp, i->pc, i->text, what, (unsigned long long)line);
}

static struct owed *find(struct part *p, uint32_t f)
{
    struct order *o = p->check->order;
    return f < o->nowed && o->owed[f].n ? &o->owed[f] : NULL;
}

static uint64_t all_of(const struct owed *w) { return ~0ull >> (64 - w->n); }

/* The first line that was not asked for, if there is one. They mostly are in their order. */
static uint32_t next_of(const struct owed *w) { return (uint32_t)__builtin_ctzll(~w->sent | 1ull << 63); }

static uint64_t bit_of(const struct owed *w, uint64_t line)
{
    uint32_t next = next_of(w);
    if (next < w->n && w->line[next] == line)
        return 1ull << next;
    for (uint32_t i = 0; i < w->n; i++)
        if (w->line[i] == line)
            return 1ull << i;
    return 0;
}

SELDOM static void expect_flights(struct order *o, uint32_t n)
{
    o->owed = xrealloc(o->owed, n * sizeof *o->owed);
    for (uint32_t f = o->nowed; f < n; f++)
        o->owed[f].n = 0;
    o->nowed = n;
}

void order_issue(struct part *p, uint32_t f)
{
    const struct flight *l = &p->flights[f];
    struct order *o = p->check->order;
    const uint64_t *at = lines_at(p->sm, &l->i.lines);
    if (!ientry_has_lines(&l->i))
        return;
    if (RARE(o->nowed < p->nflights))
        expect_flights(o, p->nflights);
    struct order_warp *all = &o->warps[l->warp];
    struct owed *w = &o->owed[f];
    w->sent = w->back = 0;
    w->older = all->newest;
    w->newer = 0;
    w->n = l->i.lines.n;
    for (uint32_t i = 0; i < w->n; i++)
        w->line[i] = line_addr(at[i]);
    if (w->older)
        o->owed[w->older - 1].newer = f + 1;
    all->newest = f + 1;
    all->asking++;
}

ASIDE void order_line(struct part *p, uint32_t f, uint64_t line)
{
    struct order *o = p->check->order;
    struct order_warp *all = &o->warps[p->flights[f].warp];
    struct owed *w = find(p, f);
    uint64_t bit = w ? bit_of(w, line) : 0;
    p->check->n.lines++;
    if (!bit || w->sent & bit) {
        tell(p, f, bit ? "asked L1 twice" : "asked L1 for what it does not access", line);
        return;
    }
    w->sent |= bit;
    bool asks = w->sent != all_of(w);
    all->asking -= !asks;
    for (uint32_t i = all->asking > asks ? w->older : 0; i; i = o->owed[i - 1].older)
        if (bit_of(&o->owed[i - 1], line) & ~o->owed[i - 1].sent)
            tell(p, f, "overtook an earlier access of its warp", line);
}

/* How many of these n lines it has to ask for next, where no other instruction of its warp has yet to ask for any. */
static uint32_t in_order(const struct owed *w, const struct order_warp *all, const uint64_t *at, uint32_t n)
{
    uint32_t i = 0, next = next_of(w), most = w->n - next < n ? w->n - next : n;
    if (all->asking > 1 || w->sent & (w->sent + 1) || w->sent == all_of(w))
        return 0;
    while (i < most && w->line[next + i] == line_addr(at[i]))
        i++;
    return i;
}

ASIDE void order_lines(struct part *p, uint32_t f, const uint64_t *at, uint32_t n)
{
    struct order_warp *all = &p->check->order->warps[p->flights[f].warp];
    struct owed *w = find(p, f);
    uint32_t i = w ? in_order(w, all, at, n) : 0;
    if (i) {
        w->sent |= ~0ull >> (64 - i) << next_of(w);
        all->asking -= w->sent == all_of(w);
        p->check->n.lines += i;
    }
    for (; i < n; i++)
        order_line(p, f, line_addr(at[i]));
}

void order_back(struct part *p, uint32_t f, uint64_t line)
{
    struct owed *w = find(p, f);
    uint64_t bit = w ? bit_of(w, line) : 0;
    if (!bit || !(w->sent & bit) || w->back & bit)
        tell(p, f, "got data that it did not wait for", line);
    else
        w->back |= bit;
}

void order_done(struct part *p, uint32_t f)
{
    struct order *o = p->check->order;
    struct order_warp *all = &o->warps[p->flights[f].warp];
    struct owed *w = find(p, f);
    if (!w)
        return;
    bool asks = w->sent != all_of(w);
    if (asks || (w->back && w->back != all_of(w)))
        tell(p, f, asks ? "ended before L1 was asked" : "ended without its data",
             w->line[__builtin_ctzll(~(asks ? w->sent : w->back))]);
    all->asking -= asks;
    if (w->older)
        o->owed[w->older - 1].newer = w->newer;
    if (w->newer)
        o->owed[w->newer - 1].older = w->older;
    else
        all->newest = w->older;
    w->n = 0;
}
