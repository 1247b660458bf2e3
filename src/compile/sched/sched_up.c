/* SPDX-License-Identifier: Apache-2.0 */
/* List scheduling of one block, from its end to its start. Going upwards, a value becomes live at its last use and dies at its
 * definition, so that a definition moves up as far as its latency wants it away from the use, and stops where registers run out:
 * loads gather at the top of the block in the order of their uses, and what is quick to make stays next to its use. */
#include "compile/sched/sched.h"

enum { WINDOW = 96 }; /* candidates looked at, latest of the program first: bounds the time in huge blocks */

struct list {
    const struct dag *d;
    const struct ir_live *l;
    const struct sched_want *want;
    uint64_t *live;
    int32_t words, preds;
    struct sched_ready ready; /* all that follows is placed */
    uint32_t *open;           /* by node: successors that are not placed */
    uint32_t *away;           /* by node: cycles from the end of the block at which it may stand */
    uint32_t tensor;          /* cycles from the end at which the tensor core may have another one */
    uint32_t now, left;
    bool tight; /* something did not fit into the words */
};

struct change {
    int32_t words, preds;
};

static int32_t *kind(const struct list *s, struct change *c, uint32_t bit)
{
    return bit < s->l->nwords ? &c->words : &c->preds;
}

/* How many words and predicates more are live before node k than behind it. */
static struct change change_by(const struct list *s, uint32_t k)
{
    const struct dag_node *n = &s->d->nodes[k];
    const uint32_t *bits = s->d->bits + n->bits0;
    struct change c = {0};
    for (uint32_t x = 0; x < n->nkills; x++)
        if (bit_get(s->live, bits[x]))
            --*kind(s, &c, bits[x]);
    for (uint32_t x = n->ndefs; x < n->nbits; x++)
        if (x < n->nagain || !bit_get(s->live, bits[x]))
            ++*kind(s, &c, bits[x]);
    return c;
}

static void apply(struct list *s, uint32_t k)
{
    const struct dag_node *n = &s->d->nodes[k];
    const uint32_t *bits = s->d->bits + n->bits0;
    struct change c = change_by(s, k);
    for (uint32_t x = 0; x < n->nkills; x++)
        bit_clear(s->live, bits[x]);
    for (uint32_t x = n->ndefs; x < n->nbits; x++)
        bit_set(s->live, bits[x]);
    s->words += c.words;
    s->preds += c.preds;
}

/* Cycles from the end of the block at which node k may stand. */
static uint32_t away(const struct list *s, uint32_t k)
{
    return s->d->nodes[k].busy && s->tensor > s->away[k] ? s->tensor : s->away[k];
}

static uint32_t capped(const struct list *s, uint32_t lat) { return lat < s->want->far ? lat : s->want->far; }

struct choice {
    uint32_t at, node; /* position in the ready list */
    bool fits, urgent;
    uint32_t wait, depth;
    int32_t words;
};

static bool better(const struct choice *a, const struct choice *b)
{
    if (a->fits != b->fits)
        return a->fits;
    if (!a->fits && a->words != b->words)
        return a->words < b->words;
    if (a->wait != b->wait)
        return a->wait < b->wait;
    if (a->urgent != b->urgent)
        return a->urgent;
    if (a->urgent && a->depth != b->depth)
        return a->depth > b->depth;
    if (a->words != b->words)
        return a->words < b->words;
    return a->node > b->node;
}

static uint32_t pick(struct list *s)
{
    struct choice best = {0};
    for (uint32_t r = s->ready.n, seen = 0; r-- > 0 && seen < WINDOW; seen++) {
        uint32_t k = s->ready.at[r];
        struct change c = change_by(s, k);
        struct choice now = {.at = r, .node = k, .words = c.words, .depth = s->d->nodes[k].depth};
        bool room = c.words <= 0 || s->words + c.words <= s->want->words;
        now.fits = room && (c.preds <= 0 || s->preds + c.preds <= s->want->preds);
        s->tight |= !room;
        now.wait = away(s, k) > s->now ? away(s, k) - s->now : 0;
        now.urgent = now.depth > s->left; /* the instructions that are left do not fill the way to it */
        if (!seen || better(&now, &best))
            best = now;
    }
    return best.at;
}

static void place(struct list *s, uint32_t at)
{
    uint32_t k = sched_ready_take(&s->ready, at);
    if (away(s, k) > s->now)
        s->now = away(s, k);
    if (s->d->nodes[k].busy)
        s->tensor = s->now + s->d->nodes[k].busy;
    apply(s, k);
    for (uint32_t e = s->d->nodes[k].pred; e; e = s->d->edges.at[e].next_pred) {
        const struct dag_edge *edge = &s->d->edges.at[e];
        uint32_t then = s->now + capped(s, edge->lat);
        if (then > s->away[edge->from])
            s->away[edge->from] = then;
        if (!--s->open[edge->from])
            sched_ready_add(&s->ready, edge->from);
    }
    s->now++;
}

static void start(struct list *s, const uint64_t *out)
{
    memcpy(s->live, out, s->l->set_words * sizeof *s->live);
    s->words = s->preds = 0;
    bits_each (s->live, bit, s->l->nbits)
        ++*(bit < s->l->nwords ? &s->words : &s->preds);
}

int32_t sched_pressure(const struct dag *d, const struct ir_live *l, const uint64_t *out,
                       const uint32_t *order, struct arena *a)
{
    struct list s = {.d = d, .l = l, .live = ARENA_ARRAY(a, uint64_t, l->set_words)};
    start(&s, out);
    int32_t most = s.words;
    for (uint32_t k = d->n; k-- > 0;) {
        apply(&s, order ? order[k] : k);
        if (s.words > most)
            most = s.words;
    }
    return most;
}

uint32_t sched_length(const struct dag *d, const uint32_t *order, struct arena *a)
{
    uint32_t *at = ARENA_ARRAY(a, uint32_t, d->n), now = 0, tensor = 0;
    for (uint32_t x = 0; x < d->n; x++) {
        uint32_t k = order ? order[x] : x;
        if (d->nodes[k].busy && tensor > now)
            now = tensor;
        for (uint32_t e = d->nodes[k].pred; e; e = d->edges.at[e].next_pred) {
            uint32_t then = at[d->edges.at[e].from] + d->edges.at[e].lat;
            if (then > now)
                now = then;
        }
        if (d->nodes[k].busy)
            tensor = now + d->nodes[k].busy;
        at[k] = now++;
    }
    return now;
}

bool sched_up(const struct dag *d, const struct ir_live *l, uint32_t block, const struct sched_want *want,
              uint32_t *order, struct arena *a)
{
    struct list s = {.d = d, .l = l, .want = want, .left = d->n};
    s.live = ARENA_ARRAY(a, uint64_t, l->set_words);
    s.ready.at = ARENA_ARRAY(a, uint32_t, d->n);
    s.open = ARENA_ARRAY(a, uint32_t, d->n);
    s.away = ARENA_ARRAY(a, uint32_t, d->n);
    start(&s, l->out[block]);
    for (uint32_t k = 0; k < d->n; k++) {
        s.open[k] = d->nodes[k].nsucc;
        if (!s.open[k])
            sched_ready_add(&s.ready, k);
    }
    while (s.left) {
        uint32_t at = pick(&s);
        order[--s.left] = s.ready.at[at];
        place(&s, at);
    }
    return !s.tight;
}
