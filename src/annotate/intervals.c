/* SPDX-License-Identifier: Apache-2.0 */
#include "annotate/intervals.h"

#include "annotate/live.h"
#include "base/vec.h"

#include <assert.h>

enum {
    NOWHERE = 0xffffffff,
    ROUNDS = 64, /* of the second pass: a loop nest takes about one for each level */
};

/* A piece of a block, or in the second pass an interval of the first. */
struct node {
    uint32_t start, n; /* its first instruction; how many, of a piece */
    uint32_t rest;     /* the piece behind it, where its block was cut; else NOWHERE */
    const uint32_t *succ;
    uint32_t nsucc, npred; /* edges */
    uint32_t inside;       /* of npred: those from the interval that grows */
    uint32_t grows;        /* 1 + that interval */
    uint32_t in;           /* its interval */
    bool begins;           /* something leads there that is no edge: it begins an interval */
    regset regs;
};

typedef VEC(uint32_t) list;

struct graph {
    const struct tr_kernel *k; /* nodes are pieces of its blocks; NULL: whole intervals */
    uint32_t limit;
    VEC(struct node) nodes;
    VEC(struct interval) made;
    list starts; /* nodes that begin an interval, perhaps */
    list touched, ready;
    list edges; /* of whole intervals */
};

static regset regs_of(const struct tr_insn *i)
{
    regset s = {{0}};
    live_use(&s, i);
    for (uint32_t j = 0; j < i->ndst; j++)
        regset_set(&s, &i->dst[j], true);
    return s;
}

/* As many as fit. */
static regset trimmed(const struct tr_insn *i, uint32_t limit)
{
    regset all = regs_of(i), src = {{0}}, out = {{0}};
    live_use(&src, i);
    regset rest = regset_without(&all, &src);
    for (; limit && !regset_empty(&src); limit--)
        regset_add(&out, regset_take(&src));
    for (; limit && !regset_empty(&rest); limit--)
        regset_add(&out, regset_take(&rest));
    return out;
}

/* Cuts piece i after its first n instructions. A branch there is a call, which comes back. */
static void cut(struct graph *g, uint32_t i, uint32_t n)
{
    struct node rest = g->nodes.at[i];
    rest.start += n;
    rest.n -= n;
    rest.npred = 1;
    rest.inside = rest.grows = 0;
    rest.in = NOWHERE;
    rest.begins = g->k->insns[rest.start - 1].cls == TC_BRANCH;
    vec_push(&g->nodes, rest);
    g->nodes.at[i].n = n;
    g->nodes.at[i].rest = g->nodes.n - 1;
}

/* Adds the instructions of a piece to the set as far as they fit, and cuts it there. False: not even the first one. */
static bool take_piece(struct graph *g, uint32_t i, regset *set, bool first)
{
    const struct tr_insn *insns = &g->k->insns[g->nodes.at[i].start];
    uint32_t n = 0, most = g->nodes.at[i].n;
    for (; n < most; n++) {
        regset more = regs_of(&insns[n]), all = regset_or(set, &more);
        if (regset_count(&all) > g->limit)
            break;
        *set = all;
        if (insns[n].cls == TC_BRANCH) {
            n++;
            break;
        }
    }
    if (!n && most && first) {
        *set = trimmed(insns, g->limit);
        n = 1;
    }
    if (n && n < most)
        cut(g, i, n);
    return n || !most;
}

static bool take_interval(struct graph *g, uint32_t i, regset *set, bool first)
{
    regset all = regset_or(set, &g->nodes.at[i].regs);
    if (!first && regset_count(&all) > g->limit)
        return false;
    *set = all;
    return true;
}

/* The edge to `to` comes from the interval that grows. */
static void reach(struct graph *g, uint32_t to, uint32_t interval)
{
    struct node *m = &g->nodes.at[to];
    if (m->in != NOWHERE)
        return;
    if (m->grows != interval + 1) {
        m->grows = interval + 1;
        m->inside = 0;
        vec_push(&g->touched, to);
    }
    if (++m->inside == m->npred && !m->begins)
        vec_push(&g->ready, to);
}

static void grow(struct graph *g, uint32_t start)
{
    uint32_t interval = g->made.n;
    struct interval v = {.entry = g->nodes.at[start].start};
    vec_clear(&g->ready);
    vec_clear(&g->touched);
    vec_push(&g->ready, start);
    for (uint32_t n = 0; n < g->ready.n; n++) {
        uint32_t i = g->ready.at[n];
        if (!(g->k ? take_piece : take_interval)(g, i, &v.regs, n == 0))
            continue;
        const struct node *p = &g->nodes.at[i];
        g->nodes.at[i].in = interval;
        if (p->rest != NOWHERE)
            vec_push(&g->touched, p->rest); /* what comes next does not fit */
        for (uint32_t s = 0; p->rest == NOWHERE && s < p->nsucc; s++)
            reach(g, p->succ[s], interval);
    }
    for (uint32_t n = 0; n < g->touched.n; n++)
        if (g->nodes.at[g->touched.at[n]].in == NOWHERE)
            vec_push(&g->starts, g->touched.at[n]);
    vec_push(&g->made, v);
}

/* Every node gets an interval. */
static void divide(struct graph *g)
{
    uint32_t first = g->nodes.n;
    for (uint32_t root = 0; root < first; root++) {
        vec_clear(&g->starts);
        vec_push(&g->starts, root);
        for (uint32_t n = 0; n < g->starts.n; n++)
            if (g->nodes.at[g->starts.at[n]].in == NOWHERE)
                grow(g, g->starts.at[n]);
    }
}

static void graph_free(struct graph *g)
{
    vec_free(&g->nodes);
    vec_free(&g->made);
    vec_free(&g->starts);
    vec_free(&g->touched);
    vec_free(&g->ready);
    vec_free(&g->edges);
}

static void from_blocks(struct graph *g)
{
    const struct tr_kernel *k = g->k;
    for (uint32_t b = 0; b < k->nblocks; b++)
        vec_push(&g->nodes, (struct node){.start = k->blocks[b].start,
                                          .n = k->blocks[b].n,
                                          .rest = NOWHERE,
                                          .succ = k->blocks[b].succ,
                                          .nsucc = k->blocks[b].nsucc,
                                          .in = NOWHERE});
    for (uint32_t b = 0; b < k->nblocks; b++)
        for (uint32_t s = 0; s < k->blocks[b].nsucc; s++)
            g->nodes.at[k->blocks[b].succ[s]].npred++;
    if (k->nblocks)
        g->nodes.at[0].begins = true; /* the kernel is entered there */
}

/* The graph of the intervals of `g`, with edges between different ones only. */
static struct graph shrunk(const struct graph *g)
{
    struct graph out = {.limit = g->limit};
    uint32_t *at = xcalloc(g->made.n + 1u, sizeof *at), sum = 0;
    for (uint32_t i = 0; i < g->made.n; i++)
        vec_push(&out.nodes, (struct node){.start = g->made.at[i].entry,
                                           .rest = NOWHERE,
                                           .in = NOWHERE,
                                           .regs = g->made.at[i].regs});
    assert(out.nodes.at || !g->nodes.n);        /* what a node is in was made */
    for (uint32_t pass = 0; pass < 2; pass++) { /* counts, then fills */
        for (uint32_t i = 0; i < g->nodes.n; i++) {
            const struct node *p = &g->nodes.at[i];
            out.nodes.at[p->in].begins |= p->begins;
            const uint32_t *succ = p->rest != NOWHERE ? &p->rest : p->succ;
            for (uint32_t s = 0, n = p->rest != NOWHERE ? 1 : p->nsucc; s < n; s++) {
                uint32_t to = g->nodes.at[succ[s]].in;
                if (to == p->in)
                    continue;
                if (pass)
                    out.edges.at[at[p->in]++] = to;
                else
                    out.nodes.at[p->in].nsucc++;
                out.nodes.at[to].npred += pass;
            }
        }
        for (uint32_t i = 0; !pass && i < g->made.n; i++) {
            at[i] = sum;
            sum += out.nodes.at[i].nsucc;
        }
        if (!pass)
            vec_resize(&out.edges, sum + 1);
    }
    for (uint32_t i = 0; i < g->made.n; i++)
        out.nodes.at[i].succ = out.edges.at + at[i] - out.nodes.at[i].nsucc;
    free(at);
    return out;
}

static void number(const struct tr_kernel *k, const struct graph *pieces, const uint32_t *group,
                   const struct interval *made, struct intervals *v)
{
    assert(made || !k->n);
    uint32_t *first = xcalloc(k->n + 1u, sizeof *first); /* by group: 1 + its number */
    for (uint32_t i = 0; i < pieces->nodes.n; i++) {
        const struct node *p = &pieces->nodes.at[i];
        for (uint32_t n = 0; n < p->n; n++)
            v->of[p->start + n] = group[p->in];
    }
    for (uint32_t i = 0; i < k->n; i++) {
        uint32_t of = v->of[i];
        if (!first[of]) {
            first[of] = ++v->n;
            v->at[v->n - 1] = made[of];
        }
        v->of[i] = first[of] - 1;
    }
    free(first);
}

static void find_live(const struct tr_kernel *k, struct intervals *v)
{
    v->live = live_after(k);
    for (uint32_t i = 0; i < k->n; i++) {
        live_overwrite(&v->live[i], &k->insns[i]);
        live_use(&v->live[i], &k->insns[i]);
    }
}

struct intervals *intervals_new(const struct tr_kernel *k, uint32_t limit)
{
    struct intervals *v = xcalloc(1, sizeof *v);
    struct graph pieces = {.k = k, .limit = limit};
    from_blocks(&pieces);
    divide(&pieces);
    struct graph now = pieces;
    uint32_t *group = xcalloc(pieces.made.n + 1u, sizeof *group);
    for (uint32_t i = 0; i < pieces.made.n; i++)
        group[i] = i;
    for (uint32_t round = 0, before = NOWHERE; round < ROUNDS && now.made.n < before; round++) {
        before = now.made.n;
        struct graph next = shrunk(&now);
        divide(&next);
        for (uint32_t i = 0; i < pieces.made.n; i++)
            group[i] = next.nodes.at[group[i]].in;
        if (round)
            graph_free(&now);
        now = next;
    }
    v->of = xcalloc(k->n ? k->n : 1, sizeof *v->of);
    v->at = xcalloc(now.made.n ? now.made.n : 1, sizeof *v->at);
    number(k, &pieces, group, now.made.at, v);
    graph_free(&now);
    graph_free(&pieces);
    free(group);
    find_live(k, v);
    return v;
}

void intervals_free(struct intervals *v)
{
    if (v) {
        free(v->at);
        free(v->of);
        free(v->live);
    }
    free(v);
}
