/* Code in the instruction caches, and what a fetch needs seldom. */
#include "sm/stages/fetch.h"

#include "sm/async/async.h"
#include "sm/jump.h"

/* The next place of the warp's buffer has instruction `at`. */
static struct ientry *add_entry(struct sm_warp *w, const struct sm_kernel *k, uint32_t at, uint32_t mask)
{
    struct ientry *e = ibuf_at(w, w->decoded++);
    e->k = &k->insns[at];
    e->at = at;
    e->mask = mask;
    e->space = e->k->space;
    e->passes = 0; /* a guard may have switched it off, and it takes its unit all the same (sm.all_collect) */
    e->lines.n = 0;
    return e;
}

/* One step of the stream. NULL: that is at its end. */
static const struct ientry *decode_one(struct part *p, uint32_t i)
{
    struct sm *s = p->sm;
    struct sm_warp *w = &p->warps[i];
    struct sm_cta *c = &s->ctas[w->cta];
    struct tr_step step;
    enum tr_status st = c->jump ? jump_next(p, i, &step) : tr_next(c->stream, w->index, &step);
    if (st != TR_STEP) {
        if (st == TR_BAD && !s->error[0])
            snprintf(s->error, sizeof s->error, "%s", tr_cta_error(c->stream));
        w->read = true;
        return NULL;
    }
    struct ientry *e = add_entry(w, c->k, step.at, step.mask);
    if (c->ahead)
        e->near = ahead_next(c->ahead, w->index);
    if (step.mask && e->k->route == ROUTE_MEMORY)
        lines_of_step(s, p, i, &step, e);
    else if (step.mask && e->k->asks)
        async_fetched(s, &c->k->tr->insns[step.at], &step, e);
    if (s->ops->fetched)
        s->ops->fetched(p->operands, i, (uint32_t)(e - w->ibuf), &step);
    return e;
}

void fetch_decode(struct part *p, uint32_t i)
{
    struct sm_warp *w = &p->warps[i];
    const struct sm_cta *c = &p->sm->ctas[w->cta];
    while (w->decoded < IBUF_MAX && !w->read) {
        uint32_t at, mask,
            n = c->jump ? 0 : tr_next_run(c->stream, w->index, IBUF_MAX - w->decoded, &at, &mask);
        for (uint32_t k = 0; k < n; k++)
            (void)add_entry(w, c->k, at + k, mask);
        if (!n)
            (void)decode_one(p, i);
    }
}

/* The instruction behind the last one of the buffer is there when the metadata before it has been fetched. Returns what is left
 * of the fetch. */
static uint32_t pay_metadata(struct sm_warp *w, uint32_t width)
{
    uint32_t n = w->owed < width ? w->owed : width;
    w->owed -= n;
    w->n += !w->owed;
    return width - n;
}

void fetch_each(struct part *p, uint32_t i)
{
    const struct sm *s = p->sm;
    struct sm_warp *w = &p->warps[i];
    const struct sm_kernel *k = s->ctas[w->cta].k;
    uint32_t width = w->owed ? pay_metadata(w, s->cfg->fetch_width) : s->cfg->fetch_width;
    for (uint32_t n = 0; n < width && w->n < s->cfg->ibuffer && !w->ended; n++) {
        const struct ientry *e = decode_one(p, i);
        w->ended = !e;
        w->n += e != NULL;
        if (e && k->words && (n += sm_kernel_meta(k, e->at)) >= width) {
            w->owed = n + 1 - width;
            w->n--;
        }
    }
}

uint32_t fetch_line(struct part *p, struct sm_warp *w, uint64_t line, uint64_t t)
{
    struct sm *s = p->sm;
    struct cache_line old;
    w->line = line + 1;
    if (s->cfg->l0i_b && cache_find(&p->l0i, line, true)) {
        s->stats[SS_l0i_hits]++;
        return s->cfg->fetch_cyc;
    }
    s->stats[SS_l0i_misses]++;
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

void fetch_arrived(struct part *p, uint32_t i)
{
    p->warps[i].fetching = false;
    fill_buffer(p, &p->warps[i], i, ANY);
    if (p->warps[i].used && fetch_room(p->sm, &p->warps[i]))
        p->want_fetch |= 1ull << i;
}

static void put_code(struct cache *c, uint64_t line)
{
    struct cache_line old;
    if (!cache_find(c, line, true))
        cache_alloc(c, line, &old);
}

void fetch_touch(struct part *p, struct sm_warp *w, const struct kinsn *k)
{
    if (w->line == k->line)
        return;
    w->line = k->line;
    if (p->sm->cfg->l0i_b && cache_find(&p->l0i, k->line - 1, true))
        return;
    if (p->sm->cfg->l0i_b)
        put_code(&p->l0i, k->line - 1);
    put_code(&p->sm->l1i, k->line - 1);
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
