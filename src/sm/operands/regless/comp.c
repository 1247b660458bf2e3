/* SPDX-License-Identifier: Apache-2.0 */
/* The compressor (section 4.5.3): registers whose lanes hold one of five patterns are kept as eight bytes, 15 of them in a
 * line, in the order of register and slot. It holds some of these lines itself; the others are in L1. One register passes it in
 * a cycle, on its way in or out; those on their way in go first. */
#include "sm/operands/regless/regless.h"

enum {
    PER_LINE = 15,
    PACKED_CYC = 2 /* beyond the cycle in which it is known that a register is compressed */
};

void comp_init(struct regless *s)
{
    s->packed = xcalloc(s->cfg->comp_lines, sizeof *s->packed);
    s->population = xcalloc(256u * s->p->sm->cfg->warps / PER_LINE + 1, 1);
}

void comp_free(struct regless *s)
{
    free(s->packed);
    free(s->population);
    vec_free(&s->queries);
    vec_free(&s->waiting);
}

uint32_t comp_line_of(const struct regless *s, uint32_t warp, uint32_t reg)
{
    return (reg * s->p->sm->cfg->warps + warp) / PER_LINE;
}

void comp_ask(struct regless *s, uint32_t warp, uint8_t reg, bool single, uint64_t t)
{
    vec_push(&s->queries, (struct rl_query){.warp = (uint8_t)warp,
                                            .reg = reg,
                                            .single = single,
                                            .owner = s->warps[warp].era,
                                            .since = (uint32_t)t});
}

static struct rl_packed *find(const struct regless *s, uint32_t id)
{
    for (uint32_t i = 0; i < s->cfg->comp_lines; i++)
        if (s->packed[i].id == id + 1)
            return &s->packed[i];
    return NULL;
}

/* A place for a line: the one that was not used for longest. NULL: none can leave now. */
static struct rl_packed *replace(struct regless *s, uint32_t id)
{
    struct rl_packed *best = NULL;
    for (uint32_t i = 0; i < s->cfg->comp_lines; i++) {
        struct rl_packed *l = &s->packed[i];
        if (!l->coming && (!best || !l->id || (best->id && l->used < best->used)))
            best = best && !best->id ? best : l;
    }
    if (!best)
        return NULL;
    if (best->id && best->dirty && s->population[best->id - 1]) {
        if (below_crowded(s))
            return NULL;
        below_write_packed(s, best->id - 1);
    }
    *best = (struct rl_packed){.id = id + 1, .used = ++s->uses};
    return best;
}

/* The line, which may be on its way: it is asked for if it must be read. NULL: there is no place for it now. */
static struct rl_packed *line_for(struct regless *s, uint32_t id, bool others)
{
    struct rl_packed *l = find(s, id);
    if (l) {
        l->used = ++s->uses;
        return l;
    }
    l = replace(s, id);
    if (!l)
        return NULL;
    if (below_recall_packed(s, id)) {
        l->dirty = true;
    } else if (others) {
        l->coming = true;
        below_read_packed(s, id);
    }
    return l;
}

static void answer(struct regless *s, const struct rl_query *q, uint64_t t)
{
    below_due(s, &(struct rl_due){.t = t,
                                  .kind = RL_DUE_REGISTER,
                                  .warp = q->warp,
                                  .reg = q->reg,
                                  .single = q->single,
                                  .owner = q->owner});
}

/* False: not in this cycle. */
static bool pass_in(struct regless *s, const struct rl_query *q, uint64_t t)
{
    uint8_t stored = s->stored[q->warp][q->reg];
    if (q->owner != s->warps[q->warp].era)
        return true;
    if (stored == RL_ABSENT) {
        s->count[RL_from_absent]++;
        osu_answer(s, q->warp, q->reg, q->single, q->owner, t);
        return true;
    }
    if (stored == RL_PLAIN) {
        below_read(s, q->warp, q->reg, q->single, q->owner);
        return true;
    }
    uint32_t id = comp_line_of(s, q->warp, q->reg);
    const struct rl_packed *l = line_for(s, id, true);
    if (!l)
        return false;
    if (l->coming) {
        struct rl_query waits = *q;
        waits.id = id;
        vec_push(&s->waiting, waits);
    } else {
        s->count[RL_from_comp]++;
        answer(s, q, t + PACKED_CYC);
    }
    return true;
}

static bool pass_out(struct regless *s, uint32_t entry)
{
    struct rl_out *o = &s->out[entry];
    if (o->cls == TV_OTHER) {
        o->queued = true;
        below_write_out(s, entry);
        return true;
    }
    uint32_t id = comp_line_of(s, o->warp, o->reg);
    bool in = s->stored[o->warp][o->reg] >= RL_PACKED;
    struct rl_packed *l = line_for(s, id, s->population[id] > in);
    if (!l || l->coming)
        return false;
    l->dirty = true;
    s->population[id] = (uint8_t)(s->population[id] + !in);
    s->count[RL_compressed]++;
    osu_moved(s, entry, (uint8_t)(RL_PACKED + o->cls));
    return true;
}

/* The entries have their turns one after the other, so that one which waits for its line does not stop the rest. */
static void tick_out(struct regless *s, bool all)
{
    for (uint32_t k = 0, n = s->cfg->out, first = s->next_out; s->nout && k < n; k++) {
        uint32_t i = (first + k) % n;
        if (!s->out[i].used || s->out[i].queued || !pass_out(s, i))
            continue;
        s->next_out = (i + 1) % n;
        if (!all)
            return;
    }
}

void comp_tick(struct regless *s, uint64_t t)
{
    if (!s->cfg->comp) {
        for (uint32_t i = 0; s->nout && i < s->cfg->out; i++)
            s->out[i].cls = TV_OTHER;
        tick_out(s, true);
        return;
    }
    struct rl_query first = s->queries.n ? s->queries.at[0] : (struct rl_query){0};
    if (s->queries.n && first.since != (uint32_t)t && pass_in(s, &first, t)) {
        memmove(s->queries.at, s->queries.at + 1, (s->queries.n - 1) * sizeof *s->queries.at);
        s->queries.n--;
        return;
    }
    tick_out(s, false);
}

/* Has it nothing to do in the next cycle? */
bool comp_idle(const struct regless *s)
{
    for (uint32_t i = 0; s->nout && i < s->cfg->out; i++)
        if (s->out[i].used && !s->out[i].queued)
            return false;
    return !s->queries.n;
}

void comp_arrived(struct regless *s, uint32_t id, bool hit, uint64_t t)
{
    struct rl_packed *l = find(s, id);
    uint32_t n = 0;
    if (l)
        l->coming = false;
    for (uint32_t i = 0; i < s->waiting.n; i++) {
        struct rl_query q = s->waiting.at[i];
        if (q.id != id) {
            s->waiting.at[n++] = q;
            continue;
        }
        if (q.owner != s->warps[q.warp].era)
            continue;
        s->count[hit ? RL_from_l1 : RL_from_below]++;
        answer(s, &q, t + PACKED_CYC);
    }
    s->waiting.n = n;
}

void comp_forget(struct regless *s, uint32_t warp, uint8_t reg)
{
    s->population[comp_line_of(s, warp, reg)]--;
}
