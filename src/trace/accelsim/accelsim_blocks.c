/* SPDX-License-Identifier: Apache-2.0 */
/* Basic blocks of code whose control flow was observed, and their immediate post-dominators. */
#include "trace/accelsim/accelsim_in.h"

/* Marks the first instructions of blocks and numbers the blocks; of[i]: the block of instruction i. */
static uint32_t number(const struct tr_kernel *k, const bool *ends, const struct as_edge *e, uint32_t ne,
                       uint32_t *of)
{
    bool *first = xcalloc(k->n + 1, sizeof *first);
    for (uint32_t i = 0; i < ne; i++)
        first[e[i].to] = true;
    uint32_t b = 0;
    for (uint32_t i = 0; i < k->n; i++) {
        b += i && (first[i] || ends[i - 1]);
        of[i] = b;
    }
    free(first);
    return b + 1;
}

static int by_block(const void *x, const void *y)
{
    const struct as_edge *a = x, *b = y;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return a->to < b->to ? -1 : a->to > b->to;
}

/* Edges between blocks, sorted, each once. Returns how many. */
static uint32_t block_edges(const struct tr_kernel *k, const uint32_t *of, const bool *falls,
                            const struct as_edge *e, uint32_t ne, struct as_edge *out)
{
    uint32_t n = 0, kept = 0;
    for (uint32_t i = 0; i < ne; i++)
        out[n++] = (struct as_edge){of[e[i].from], of[e[i].to]};
    for (uint32_t i = 0; i + 1 < k->n; i++)
        if (of[i] != of[i + 1] && falls[i])
            out[n++] = (struct as_edge){of[i], of[i + 1]};
    qsort(out, n, sizeof *out, by_block);
    for (uint32_t i = 0; i < n; i++)
        if (!kept || by_block(&out[kept - 1], &out[i]))
            out[kept++] = out[i];
    return kept;
}

/* Post-dominators by the method of Cooper, Harvey and Kennedy, on the reversed graph. Node n is the common exit. */
struct pdom {
    uint32_t n;
    const struct tr_block *blocks;
    uint32_t *pred, *pred_at; /* predecessors of block b: pred[pred_at[b] ...] */
    /* Each block's number in post-order from the exit backwards, UINT32_MAX where that does not reach it; and the blocks in that
     * order. */
    uint32_t *post, *order, norder;
    uint32_t *ipdom;
};

static void reversed(struct pdom *p)
{
    p->pred_at = xcalloc(p->n + 2, sizeof *p->pred_at);
    for (uint32_t b = 0; b < p->n; b++) {
        for (uint32_t s = 0; s < p->blocks[b].nsucc; s++)
            p->pred_at[p->blocks[b].succ[s] + 1]++;
        p->pred_at[p->n + 1] += p->blocks[b].nsucc == 0;
    }
    for (uint32_t b = 0; b <= p->n; b++)
        p->pred_at[b + 1] += p->pred_at[b];
    uint32_t *to = xmalloc(sizeof *to * (p->n + 1));
    memcpy(to, p->pred_at, sizeof *to * (p->n + 1));
    p->pred = xcalloc(p->pred_at[p->n + 1] + 1, sizeof *p->pred);
    for (uint32_t b = 0; b < p->n; b++) {
        for (uint32_t s = 0; s < p->blocks[b].nsucc; s++)
            p->pred[to[p->blocks[b].succ[s]]++] = b;
        if (!p->blocks[b].nsucc)
            p->pred[to[p->n]++] = b;
    }
    free(to);
}

/* Without recursion: a stack of nodes with the next predecessor to visit. */
static void post_order(struct pdom *p)
{
    struct {
        uint32_t node, at;
    } *stack = xcalloc(p->n + 2, sizeof *stack);
    bool *seen = xcalloc(p->n + 1, sizeof *seen);
    uint32_t depth = 1;
    stack[0].node = p->n;
    stack[0].at = p->pred_at[p->n];
    seen[p->n] = true;
    while (depth) {
        uint32_t node = stack[depth - 1].node;
        if (stack[depth - 1].at == p->pred_at[node + 1]) {
            p->post[node] = p->norder;
            p->order[p->norder++] = node;
            depth--;
            continue;
        }
        uint32_t next = p->pred[stack[depth - 1].at++];
        if (seen[next])
            continue;
        seen[next] = true;
        stack[depth].node = next;
        stack[depth++].at = p->pred_at[next];
    }
    free(seen);
    free(stack);
}

static uint32_t meet(const struct pdom *p, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (p->post[a] < p->post[b])
            a = p->ipdom[a];
        while (p->post[b] < p->post[a])
            b = p->ipdom[b];
    }
    return a;
}

static uint32_t join(const struct pdom *p, uint32_t b)
{
    uint32_t d = UINT32_MAX;
    for (uint32_t s = 0; s < p->blocks[b].nsucc; s++) {
        uint32_t to = p->blocks[b].succ[s];
        if (p->ipdom[to] != UINT32_MAX)
            d = d == UINT32_MAX ? to : meet(p, d, to);
    }
    return p->blocks[b].nsucc ? d : p->n;
}

static void post_dominators(struct tr_kernel *k)
{
    struct pdom p = {.n = k->nblocks, .blocks = k->blocks};
    p.post = xmalloc(sizeof *p.post * (p.n + 1));
    p.ipdom = xmalloc(sizeof *p.ipdom * (p.n + 1));
    p.order = xmalloc(sizeof *p.order * (p.n + 1));
    memset(p.post, 0xff, sizeof *p.post * (p.n + 1));
    memset(p.ipdom, 0xff, sizeof *p.ipdom * (p.n + 1));
    reversed(&p);
    post_order(&p);
    p.ipdom[p.n] = p.n;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = p.norder; i-- > 0;) {
            uint32_t b = p.order[i], d = b == p.n ? p.n : join(&p, b);
            changed |= d != p.ipdom[b];
            p.ipdom[b] = d;
        }
    }
    for (uint32_t b = 0; b < p.n; b++)
        k->blocks[b].ipdom = p.ipdom[b] == p.n ? UINT32_MAX : p.ipdom[b];
    free(p.post);
    free(p.ipdom);
    free(p.order);
    free(p.pred);
    free(p.pred_at);
}

void as_blocks(struct tr_kernel *k, const bool *ends, const bool *falls, const struct as_edge *edges,
               uint32_t n)
{
    uint32_t *of = xcalloc(k->n + 1, sizeof *of);
    struct as_edge *e = xcalloc((size_t)n + k->n + 1, sizeof *e);
    k->nblocks = number(k, ends, edges, n, of);
    k->blocks = ARENA_ARRAY(&k->arena, struct tr_block, k->nblocks);
    uint32_t ne = block_edges(k, of, falls, edges, n, e);
    for (uint32_t i = 0; i < k->n; i++) {
        struct tr_block *b = &k->blocks[of[i]];
        b->start = b->n ? b->start : i;
        b->n++;
    }
    for (uint32_t i = 0; i < ne;) {
        uint32_t from = e[i].from, m = i;
        while (m < ne && e[m].from == from)
            m++;
        struct tr_block *b = &k->blocks[from];
        b->succ = ARENA_ARRAY(&k->arena, uint32_t, m - i);
        for (; i < m; i++)
            b->succ[b->nsucc++] = e[i].to;
    }
    post_dominators(k);
    free(of);
    free(e);
}
