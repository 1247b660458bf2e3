/* SPDX-License-Identifier: Apache-2.0 */
/* List scheduling of one block from its start to its end: the instruction on the longest path first, unless it would make more
 * words alive than there are to be. Where registers are short this often needs fewer of them than the way from the end. */
#include "compile/sched/sched.h"

enum { WINDOW = 96 }; /* candidates looked at, oldest first: bounds the time in huge blocks */

struct list {
    const struct dag *d;
    const struct ir_live *l;
    const struct sched_want *want;
    const uint64_t *out;
    uint64_t *live;
    uint32_t *uses; /* by bit: reads left in the block */
    int32_t words, preds;
    struct sched_ready ready; /* all that they wait for is placed */
    uint32_t *open;           /* by node: predecessors that are not placed */
    uint32_t *start;          /* by node: earliest cycle */
    uint32_t *height;         /* by node: cycles from its issue to the end of the block */
    uint32_t tensor;          /* from when on the tensor core may have another one */
    uint32_t now;
    bool tight; /* something did not fit into the words */
};

static int32_t *kind(const struct list *s, uint32_t bit, int32_t *words, int32_t *preds)
{
    return bit < s->l->nwords ? words : preds;
}

static bool redefined(const uint32_t *bits, const struct dag_node *n, uint32_t bit)
{
    for (uint32_t y = 0; y < n->ndefs; y++)
        if (bits[y] == bit)
            return true;
    return false;
}

/* How many words and predicates become live and die with node k. */
static void change_by(const struct list *s, uint32_t k, int32_t *words, int32_t *preds)
{
    const struct dag_node *n = &s->d->nodes[k];
    const uint32_t *bits = s->d->bits + n->bits0;
    *words = *preds = 0;
    for (uint32_t x = 0; x < n->ndefs; x++)
        if (!bit_get(s->live, bits[x]) && (s->uses[bits[x]] || bit_get(s->out, bits[x])))
            ++*kind(s, bits[x], words, preds);
    for (uint32_t x = n->ndefs; x < n->nbits; x++)
        if (s->uses[bits[x]] == 1 && bit_get(s->live, bits[x]) && !bit_get(s->out, bits[x]) &&
            !redefined(bits, n, bits[x]))
            --*kind(s, bits[x], words, preds);
}

static void apply(struct list *s, uint32_t k)
{
    const struct dag_node *n = &s->d->nodes[k];
    const uint32_t *bits = s->d->bits + n->bits0;
    for (uint32_t x = n->ndefs; x < n->nbits; x++)
        if (--s->uses[bits[x]] == 0 && bit_get(s->live, bits[x]) && !bit_get(s->out, bits[x])) {
            bit_clear(s->live, bits[x]);
            --*kind(s, bits[x], &s->words, &s->preds);
        }
    for (uint32_t x = 0; x < n->ndefs; x++)
        if (!bit_get(s->live, bits[x]) && (s->uses[bits[x]] || bit_get(s->out, bits[x]))) {
            bit_set(s->live, bits[x]);
            ++*kind(s, bits[x], &s->words, &s->preds);
        }
}

struct choice {
    uint32_t at, node;
    bool fits;
    uint32_t start, height;
    int32_t words;
};

static bool better(const struct choice *a, const struct choice *b)
{
    if (a->fits != b->fits)
        return a->fits;
    if (!a->fits && a->words != b->words)
        return a->words < b->words;
    if (a->start != b->start)
        return a->start < b->start;
    if (a->height != b->height)
        return a->height > b->height;
    return a->node < b->node;
}

/* The earliest cycle of node k. */
static uint32_t earliest(const struct list *s, uint32_t k)
{
    return s->d->nodes[k].busy && s->tensor > s->start[k] ? s->tensor : s->start[k];
}

static uint32_t pick(struct list *s)
{
    struct choice best = {0};
    for (uint32_t r = 0; r < s->ready.n && r < WINDOW; r++) {
        uint32_t k = s->ready.at[r];
        int32_t w, p;
        change_by(s, k, &w, &p);
        struct choice c = {.at = r, .node = k, .words = w, .height = s->height[k]};
        bool room = w <= 0 || s->words + w <= s->want->words;
        c.fits = room && (p <= 0 || s->preds + p <= s->want->preds);
        s->tight |= !room;
        c.start = earliest(s, k) > s->now ? earliest(s, k) : s->now;
        if (!r || better(&c, &best))
            best = c;
    }
    return best.at;
}

static uint32_t place(struct list *s, uint32_t at)
{
    uint32_t k = sched_ready_take(&s->ready, at);
    if (earliest(s, k) > s->now)
        s->now = earliest(s, k);
    if (s->d->nodes[k].busy)
        s->tensor = s->now + s->d->nodes[k].busy;
    apply(s, k);
    for (uint32_t e = s->d->nodes[k].succ; e; e = s->d->edges.at[e].next_succ) {
        const struct dag_edge *edge = &s->d->edges.at[e];
        uint32_t lat = edge->lat < s->want->far ? edge->lat : s->want->far;
        if (s->now + lat > s->start[edge->to])
            s->start[edge->to] = s->now + lat;
        if (!--s->open[edge->to])
            sched_ready_add(&s->ready, edge->to);
    }
    s->now++;
    return k;
}

static void begin(struct list *s, const uint64_t *in)
{
    const struct dag *d = s->d;
    memcpy(s->live, in, s->l->set_words * sizeof *s->live);
    bits_each (s->live, bit, s->l->nbits)
        ++*kind(s, bit, &s->words, &s->preds);
    for (uint32_t e = 1; e < d->edges.n; e++)
        s->open[d->edges.at[e].to]++;
    for (uint32_t k = d->n; k-- > 0;) {
        const struct dag_node *n = &d->nodes[k];
        for (uint32_t x = n->ndefs; x < n->nbits; x++)
            s->uses[d->bits[n->bits0 + x]]++;
        for (uint32_t e = n->succ; e; e = d->edges.at[e].next_succ) {
            uint32_t lat = d->edges.at[e].lat < s->want->far ? d->edges.at[e].lat : s->want->far;
            if (lat + s->height[d->edges.at[e].to] > s->height[k])
                s->height[k] = lat + s->height[d->edges.at[e].to];
        }
    }
    for (uint32_t k = 0; k < d->n; k++)
        if (!s->open[k])
            sched_ready_add(&s->ready, k);
}

bool sched_down(const struct dag *d, const struct ir_live *l, uint32_t block, const struct sched_want *want,
                uint32_t *order, struct arena *a)
{
    struct list s = {.d = d, .l = l, .want = want, .out = l->out[block]};
    s.live = ARENA_ARRAY(a, uint64_t, l->set_words);
    s.uses = ARENA_ARRAY(a, uint32_t, l->nbits + 1);
    s.ready.at = ARENA_ARRAY(a, uint32_t, d->n);
    s.open = ARENA_ARRAY(a, uint32_t, d->n);
    s.start = ARENA_ARRAY(a, uint32_t, d->n);
    s.height = ARENA_ARRAY(a, uint32_t, d->n);
    begin(&s, l->in[block]);
    for (uint32_t done = 0; done < d->n; done++)
        order[done] = place(&s, pick(&s));
    return !s.tight;
}
