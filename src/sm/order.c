/* --check: what a warp asks of memory reaches L1 once, line by line, and no access overtakes an earlier one of the same warp to
 * the same line; data that a policy hands out itself comes back once for every line. */
#include "sm/core.h"

/* An instruction between issue and result. */
struct owed {
    uint32_t flight;
    uint8_t n;
    uint64_t sent, back; /* by line */
    uint64_t line[MAX_LINES];
};

struct order {
    VEC(struct owed) owed; /* in the order of issue */
};

struct order *order_new(uint32_t warps) { return xcalloc(warps, sizeof(struct order)); }

void order_free(struct order *o, uint32_t warps)
{
    for (uint32_t i = 0; o && i < warps; i++)
        vec_free(&o[i].owed);
    free(o);
}

static void tell(struct part *p, uint32_t f, const char *what, uint64_t line)
{
    struct sm *s = p->sm;
    const struct flight *l = &p->flights[f];
    const struct tr_insn *i = &s->ctas[p->warps[l->warp].cta].k->tr->insns[l->i.k->at];
    if (!s->error[0])
        snprintf(s->error, sizeof s->error,
                 "cycle %llu, partition %u, warp %u, pc 0x%x (%s): %s, line 0x%llx",
                 (unsigned long long)s->now, p->id, l->warp, i->pc, i->text, what, (unsigned long long)line);
}

static struct owed *find(struct part *p, uint32_t f)
{
    struct order *o = &p->check->order[p->flights[f].warp];
    for (uint32_t i = 0; i < o->owed.n; i++)
        if (o->owed.at[i].flight == f)
            return &o->owed.at[i];
    return NULL;
}

static uint64_t bit_of(const struct owed *w, uint64_t line)
{
    for (uint32_t i = 0; i < w->n; i++)
        if (w->line[i] == line)
            return 1ull << i;
    return 0;
}

void order_issue(struct part *p, uint32_t f)
{
    const struct flight *l = &p->flights[f];
    const uint64_t *at = lines_at(p->sm, &l->i.lines);
    if (!ientry_has_lines(&l->i))
        return;
    struct owed w = {.flight = f, .n = l->i.lines.n};
    for (uint32_t i = 0; i < w.n; i++)
        w.line[i] = line_addr(at[i]);
    vec_push(&p->check->order[l->warp].owed, w);
}

void order_line(struct part *p, uint32_t f, uint64_t line)
{
    struct owed *w = find(p, f);
    uint64_t bit = w ? bit_of(w, line) : 0;
    p->check->n.lines++;
    if (!bit || w->sent & bit) {
        tell(p, f, bit ? "asked L1 twice" : "asked L1 for what it does not access", line);
        return;
    }
    w->sent |= bit;
    for (const struct owed *o = p->check->order[p->flights[f].warp].owed.at; o < w; o++)
        if (bit_of(o, line) & ~o->sent)
            tell(p, f, "overtook an earlier access of its warp", line);
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
    struct owed *w = find(p, f);
    if (!w)
        return;
    uint64_t all = w->n == 64 ? ~0ull : (1ull << w->n) - 1;
    if (w->sent != all || (w->back && w->back != all))
        tell(p, f, w->sent != all ? "ended before L1 was asked" : "ended without its data",
             w->line[__builtin_ctzll(~(w->sent == all ? w->back : w->sent))]);
    struct order *o = &p->check->order[p->flights[f].warp];
    uint32_t i = (uint32_t)(w - o->owed.at);
    memmove(w, w + 1, sizeof *w * (o->owed.n - i - 1));
    o->owed.n--;
}
