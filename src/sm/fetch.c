/* Instruction fetch: a warp (or `fetches` of them) per partition and cycle, round robin over those with room in their buffers, or
 * with empty ones.
 * What the trace says comes next is what is fetched; there is no wrong path. */
#include "sm/async/async.h"

/* The instruction behind the last one of the buffer is there when the metadata before it has been fetched. Returns what is left
 * of the fetch. */
static uint32_t pay(struct sm_warp *w, uint32_t width)
{
    uint32_t n = w->owed < width ? w->owed : width;
    w->owed -= n;
    w->n += !w->owed;
    return width - n;
}

/* Brings up to fetch_width steps of the stream into the warp's buffer. */
static inline __attribute__((always_inline)) void fill(struct part *p, uint32_t i)
{
    struct sm *s = p->sm;
    struct sm_warp *w = &p->warps[i];
    struct sm_cta *c = &s->ctas[w->cta];
    uint32_t width = w->owed ? pay(w, s->cfg->fetch_width) : s->cfg->fetch_width;
    for (uint32_t n = 0; n < width && w->n < s->cfg->ibuffer && !w->ended; n++) {
        struct tr_step step;
        switch (tr_next(c->stream, w->index, &step)) {
        case TR_STEP: {
            struct ientry *e = ibuf_at(p, w, w->n++);
            e->k = &c->k->insns[step.at];
            e->at = step.at;
            e->mask = step.mask;
            e->space = e->k->space;
            e->lines.n = 0;
            if (c->ahead)
                e->near = ahead_next(c->ahead, w->index);
            if (step.mask && e->k->route == ROUTE_MEMORY)
                lines_of_step(s, p, i, &step, e);
            else if (step.mask && e->k->asks)
                async_fetched(s, &c->k->tr->insns[step.at], &step, e);
            if (s->ops->fetched)
                s->ops->fetched(p->operands, i, (uint32_t)(e - w->ibuf), &step);
            if (c->k->words && (n += sm_kernel_meta(c->k, step.at)) >= width) {
                w->owed = n + 1 - width;
                w->n--;
            }
            break;
        }
        case TR_END: w->ended = true; break;
        case TR_BAD:
            if (!s->error[0])
                snprintf(s->error, sizeof s->error, "%s", tr_cta_error(c->stream));
            w->ended = true;
            break;
        }
    }
    if (!fetch_room(s, w))
        p->want_fetch &= ~(1ull << i);
    if (sm_warp_over(w))
        sm_cta_warp_ended(p, i, s->now);
    else if (w->block == BLOCK_FETCH)
        sm_warp_refresh(p, i);
}

void fetch_arrived(struct part *p, uint32_t i)
{
    p->warps[i].fetching = false;
    fill(p, i);
    if (p->warps[i].used && fetch_room(p->sm, &p->warps[i]))
        p->want_fetch |= 1ull << i;
}

/* Cycles until the line of the warp's next instruction is there. The address is that of the newest instruction it has; the
 * first fetch of a warp is at the kernel's start. */
static inline __attribute__((always_inline)) uint32_t line_wait(struct part *p, struct sm_warp *w, uint64_t t)
{
    struct sm *s = p->sm;
    const struct sm_kernel *k = s->ctas[w->cta].k;
    uint32_t at = w->n ? ibuf_at(p, w, w->n - 1u)->at + 1 : w->last_at;
    uint64_t word = k->words && at ? k->words[at - 1] + 1 : at;
    uint64_t line = (k->code_addr + word * k->insn_b) / LINE_B;
    struct cache_line old;
    /* The line of the warp's last fetch is still at hand. */
    if (w->line == line + 1 || (s->cfg->l0i_b && cache_find(&p->l0i, line, true))) {
        w->line = line + 1;
        s->stats[SS_l0i_hits]++;
        return s->cfg->fetch_cyc;
    }
    s->stats[SS_l0i_misses]++;
    w->line = line + 1;
    if (s->cfg->l0i_b)
        cache_alloc(&p->l0i, line, &old);
    if (cache_find(&s->l1i, line, true)) {
        bool comes = s->cfg->l1i_next_cyc && line == s->code_line && s->code_at > t + s->cfg->l1i_cyc;
        return comes ? (uint32_t)(s->code_at - t) : s->cfg->l1i_cyc;
    }
    cache_alloc(&s->l1i, line, &old);
    s->stats[SS_l1i_misses]++;
    bool next = s->cfg->l1i_next_cyc && line == s->code_line + 1;
    uint32_t wait = next ? s->cfg->l1i_next_cyc : s->cfg->l1i_miss_cyc;
    s->code_line = line;
    s->code_at = t + wait;
    return wait;
}

static void put_code(struct cache *c, uint64_t line)
{
    struct cache_line old;
    if (!cache_find(c, line, true))
        cache_alloc(c, line, &old);
}

static uint64_t code_bytes(const struct sm_kernel *k)
{
    uint32_t n = k->tr->n;
    return (uint64_t)(k->words && n ? k->words[n - 1] + 1 : n) * k->insn_b;
}

void fetch_launch(struct sm *s, const struct sm_kernel *k, uint32_t launch)
{
    uint64_t bytes = code_bytes(k);
    uint64_t most = (uint64_t)s->cfg->code_kb * 1024, first = k->code_addr / LINE_B;
    if (!most || s->code_launch == launch + 1)
        return;
    s->code_launch = launch + 1;
    s->code_begins = s->now + s->cfg->code_cyc + (k->tr->arch ? s->cfg->param_cyc : 0);
    for (uint64_t i = 0; i * LINE_B < (bytes < most ? bytes : most); i++)
        put_code(&s->l1i, first + i);
}

void sm_warm_code(struct sm *s, const struct sm_kernel *k)
{
    uint64_t first = k->code_addr / LINE_B, lines = (code_bytes(k) + LINE_B - 1) / LINE_B;
    for (uint64_t i = 0; i < lines; i++) {
        put_code(&s->l1i, first + i);
        for (uint32_t p = 0; s->cfg->l0i_b && p < s->cfg->partitions; p++)
            put_code(&s->parts[p].l0i, first + i);
    }
}

static inline __attribute__((always_inline)) void fetch(struct part *p, uint32_t i, uint64_t t)
{
    const struct sm *s = p->sm;
    struct sm_warp *w = &p->warps[i];
    bool first = !w->line;
    uint32_t wait = line_wait(p, w, t);
    if (first && s->code_begins > t + wait)
        wait = (uint32_t)(s->code_begins - t);
    if (wait <= 1) {
        fill(p, i);
        return;
    }
    p->want_fetch &= ~(1ull << i);
    w->fetching = true;
    event_at(p->sm, t + wait - 1, EV_FETCHED, p->id, i);
}

void fetch_tick(struct part *p, uint64_t t)
{
    for (uint64_t can = p->want_fetch, left = p->sm->cfg->fetches; can && left; left--) {
        uint64_t after = p->fetch_last == 63 ? 0 : can & ~0ull << (p->fetch_last + 1);
        uint32_t i = (uint32_t)__builtin_ctzll(after ? after : can);
        p->fetch_last = i;
        can &= ~(1ull << i);
        fetch(p, i, t);
    }
}
