/* List scheduling inside blocks: the instruction on the longest latency path first, unless it would raise the number of
 * live registers above what the program's own order needs (or above LEAST_TARGET, which is free on every machine). A block
 * whose new order needs more registers than that after all keeps its old one. */
#include "compile/dag.h"

enum {
    LEAST_TARGET = 32, /* words: below this, registers do not limit the number of resident warps */
    SPARE = 6,         /* words left to the allocator's alignment under a tight limit */
    PRED_TARGET = 5,   /* predicates, of seven */
    WINDOW = 96,       /* ready instructions looked at, oldest first: bounds the time in huge blocks */
};

struct state {
    const struct dag *d;
    const struct ir_live *l;
    uint64_t *live; /* what lives now */
    const uint64_t *out;
    uint32_t *uses; /* by bit: reads left in the block */
    int32_t words, preds;
    int32_t target, pred_target;
};

static bool is_word(const struct state *s, uint32_t bit) { return bit < s->l->nwords; }

/* How many words and predicates become live and die with instruction k. */
static void delta(const struct state *s, uint32_t k, int32_t *words, int32_t *preds)
{
    const struct dag_node *n = &s->d->nodes[k];
    *words = *preds = 0;
    for (uint32_t x = 0; x < n->ndefs; x++) {
        uint32_t bit = s->d->bits[n->bits0 + x];
        if (!bit_get(s->live, bit) && (s->uses[bit] || bit_get(s->out, bit)))
            ++*(is_word(s, bit) ? words : preds);
    }
    for (uint32_t x = n->ndefs; x < n->nbits; x++) {
        uint32_t bit = s->d->bits[n->bits0 + x];
        bool redefined = false;
        for (uint32_t y = 0; y < n->ndefs; y++)
            redefined |= s->d->bits[n->bits0 + y] == bit;
        if (s->uses[bit] == 1 && bit_get(s->live, bit) && !bit_get(s->out, bit) && !redefined)
            --*(is_word(s, bit) ? words : preds);
    }
}

static void apply(struct state *s, uint32_t k)
{
    const struct dag_node *n = &s->d->nodes[k];
    for (uint32_t x = n->ndefs; x < n->nbits; x++) {
        uint32_t bit = s->d->bits[n->bits0 + x];
        if (--s->uses[bit] == 0 && bit_get(s->live, bit) && !bit_get(s->out, bit)) {
            bit_clear(s->live, bit);
            --*(is_word(s, bit) ? &s->words : &s->preds);
        }
    }
    for (uint32_t x = 0; x < n->ndefs; x++) {
        uint32_t bit = s->d->bits[n->bits0 + x];
        if (!bit_get(s->live, bit) && (s->uses[bit] || bit_get(s->out, bit))) {
            bit_set(s->live, bit);
            ++*(is_word(s, bit) ? &s->words : &s->preds);
        }
    }
}

static void reset(struct state *s, const uint64_t *in)
{
    memcpy(s->live, in, s->l->set_words * sizeof *s->live);
    s->words = s->preds = 0;
    bits_each (s->live, bit, s->l->nbits)
        ++*(is_word(s, bit) ? &s->words : &s->preds);
    for (uint32_t k = 0; k < s->d->n; k++) {
        const struct dag_node *n = &s->d->nodes[k];
        for (uint32_t x = n->ndefs; x < n->nbits; x++)
            s->uses[s->d->bits[n->bits0 + x]]++;
    }
}

static int32_t replay(struct state *s, const uint64_t *in, const uint32_t *order)
{
    reset(s, in);
    int32_t most = s->words;
    for (uint32_t k = 0; k < s->d->n; k++) {
        apply(s, order ? order[k] : k);
        if (s->words > most)
            most = s->words;
    }
    return most;
}

struct choice {
    uint32_t at; /* position in the ready list */
    bool fits;
    uint32_t start, height, index;
    int32_t words;
};

/* Is a better than b at cycle now? */
static bool better(const struct choice *a, const struct choice *b, uint32_t now)
{
    if (a->fits != b->fits)
        return a->fits;
    if (!a->fits && a->words != b->words)
        return a->words < b->words;
    uint32_t sa = a->start > now ? a->start : now, sb = b->start > now ? b->start : now;
    if (sa != sb)
        return sa < sb;
    if (a->height != b->height)
        return a->height > b->height;
    return a->index < b->index;
}

static uint32_t pick(const struct state *s, const uint32_t *ready, uint32_t nready, uint32_t now)
{
    struct choice best = {0};
    bool have = false;
    for (uint32_t r = 0; r < nready && r < WINDOW; r++) {
        int32_t w, p;
        delta(s, ready[r], &w, &p);
        struct choice c = {.at = r, .index = ready[r], .words = w};
        c.fits = (w <= 0 || s->words + w <= s->target) && (p <= 0 || s->preds + p <= s->pred_target);
        c.start = s->d->nodes[ready[r]].start;
        c.height = s->d->nodes[ready[r]].height;
        if (!have || better(&c, &best, now)) {
            best = c;
            have = true;
        }
    }
    return best.at;
}

static void list_schedule(struct state *s, uint32_t *order, uint32_t *ready)
{
    struct dag *d = (struct dag *)s->d;
    uint32_t nready = 0, now = 0;
    for (uint32_t k = 0; k < d->n; k++)
        if (!d->nodes[k].npred)
            ready[nready++] = k;
    for (uint32_t done = 0; done < d->n; done++) {
        uint32_t at = pick(s, ready, nready, now), k = ready[at];
        memmove(ready + at, ready + at + 1, (nready - at - 1) * sizeof *ready);
        nready--;
        struct dag_node *n = &d->nodes[k];
        now = (n->start > now ? n->start : now) + 1;
        apply(s, k);
        order[done] = k;
        for (uint32_t e = n->succ; e; e = d->edges.at[e].next) {
            struct dag_node *t = &d->nodes[d->edges.at[e].to];
            uint32_t start = now - 1 + d->edges.at[e].lat;
            if (start > t->start)
                t->start = start;
            if (--t->npred)
                continue;
            uint32_t to = d->edges.at[e].to, p = nready++;
            while (p && ready[p - 1] > to) { /* the ready list stays in program order */
                ready[p] = ready[p - 1];
                p--;
            }
            ready[p] = to;
        }
    }
}

static void schedule_block(struct ir_fn *fn, const struct ir_live *l, uint32_t b, int32_t target)
{
    struct arena a = {0};
    struct ir_block *blk = &fn->blocks.at[b];
    struct dag *d = dag_build(fn, l, blk, &a);
    struct state s = {.d = d, .l = l, .out = l->out[b], .target = target, .pred_target = PRED_TARGET};
    s.live = ARENA_ARRAY(&a, uint64_t, l->set_words);
    s.uses = ARENA_ARRAY(&a, uint32_t, l->nbits);
    int32_t before = replay(&s, l->in[b], NULL);
    uint32_t *order = ARENA_ARRAY(&a, uint32_t, d->n), *ready = ARENA_ARRAY(&a, uint32_t, d->n);
    reset(&s, l->in[b]);
    list_schedule(&s, order, ready);
    int32_t after = replay(&s, l->in[b], order);
    if (after <= target || after <= before) {
        struct ir_insn *copy = ARENA_ARRAY(&a, struct ir_insn, d->n);
        for (uint32_t k = 0; k < d->n; k++)
            copy[k] = blk->insns.at[order[k]];
        memcpy(blk->insns.at, copy, sizeof *copy * d->n);
    }
    dag_free(d);
    arena_free(&a);
}

void pass_sched(struct ir_fn *fn, uint32_t limit)
{
    struct arena a = {0};
    struct ir_cfg *c = ir_cfg_build(fn, &a);
    ir_mark_kills(fn, c);
    struct ir_live *l = ir_live_build(fn, c, &a);
    int32_t target = (int32_t)ir_live_pressure(fn, l);
    if (target < LEAST_TARGET)
        target = LEAST_TARGET;
    if (target > (int32_t)limit - SPARE)
        target = (int32_t)limit - SPARE;
    for (uint32_t k = 0; k < c->nrpo; k++)
        if (fn->blocks.at[c->rpo[k]].insns.n > 2)
            schedule_block(fn, l, c->rpo[k], target);
    arena_free(&a);
}
