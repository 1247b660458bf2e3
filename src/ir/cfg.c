/* SPDX-License-Identifier: Apache-2.0 */
/* Order, dominators (Cooper, Harvey, Kennedy: "A Simple, Fast Dominance Algorithm"), natural loops.
 *
 * Post-dominators are dominators of the reversed graph, rooted in a virtual exit. A block from which no exit can be
 * reached (an endless loop) gets an edge to the virtual exit where the reverse walk would otherwise miss it: from the
 * last such block in reverse post-order, usually the loop's latch. So every reachable block has a post-dominator
 * chain that ends in the virtual exit, and branches inside endless loops still reconverge.
 * Nothing here recurses: the depth of a graph is the user's choice. */
#include "ir/cfg.h"

static void edge(struct ir_fn *fn, uint32_t from, uint32_t to)
{
    struct ir_block *t = &fn->blocks.at[to];

    /* A branch table may name one block often; its edges come one after the other. */
    if (t->pred.n == 0 || t->pred.at[t->pred.n - 1] != from)
        vec_push(&t->pred, from);
}

void ir_cfg_link(struct ir_fn *fn)
{
    uint32_t n = fn->blocks.n;

    for (uint32_t b = 0; b < n; b++)
        vec_clear(&fn->blocks.at[b].pred);
    for (uint32_t b = 0; b < n; b++) {
        struct ir_block *bl = &fn->blocks.at[b];
        const struct ir_insn *last = bl->insns.n ? &bl->insns.at[bl->insns.n - 1] : NULL;

        if (!last || last->op != OP_BRX) {
            vec_clear(&bl->succ);
            if (last && last->op == OP_BRA && last->target < n)
                vec_push(&bl->succ, last->target);
            if (!(last && ir_is_terminator(last)) && b + 1 < n &&
                !(bl->succ.n == 1 && bl->succ.at[0] == b + 1))
                vec_push(&bl->succ, b + 1);
        }
        for (uint32_t k = 0; k < bl->succ.n; k++)
            edge(fn, b, bl->succ.at[k]);
    }
}

/* Adjacency in either direction. */
struct graph {
    uint32_t n;
    uint32_t *off, *to; /* edges of node i: to[off[i] .. off[i+1]) */
};

static struct graph graph_of(const struct ir_fn *fn, bool reverse, struct arena *a)
{
    struct graph g = {.n = fn->blocks.n};
    uint32_t k = 0;

    g.off = ARENA_ARRAY(a, uint32_t, g.n + 1);
    for (uint32_t b = 0; b < g.n; b++)
        g.off[b + 1] = g.off[b] + (reverse ? fn->blocks.at[b].pred.n : fn->blocks.at[b].succ.n);
    g.to = ARENA_ARRAY(a, uint32_t, g.off[g.n] + 1);
    for (uint32_t b = 0; b < g.n; b++) {
        const struct ir_block *bl = &fn->blocks.at[b];
        uint32_t m = g.off[b + 1] - g.off[b];
        const uint32_t *from = reverse ? bl->pred.at : bl->succ.at;
        for (uint32_t i = 0; i < m; i++)
            g.to[k++] = from[i];
    }
    return g;
}

/* Post-order from `root`, appended to `order`; seen[] marks visited nodes. Returns the new length of order. */
static uint32_t post_order(const struct graph *g, uint32_t root, uint8_t *seen, uint32_t *order, uint32_t len,
                           uint32_t *stack, uint32_t *next)
{
    uint32_t sp = 0;

    seen[root] = 1;
    stack[sp] = root;
    next[sp++] = g->off[root];
    while (sp) {
        uint32_t b = stack[sp - 1];
        if (next[sp - 1] == g->off[b + 1]) {
            order[len++] = b;
            sp--;
            continue;
        }
        uint32_t t = g->to[next[sp - 1]++];
        if (!seen[t]) {
            seen[t] = 1;
            stack[sp] = t;
            next[sp++] = g->off[t];
        }
    }
    return len;
}

/* Immediate dominators. Nodes are named by their position in the reverse post-order `rpo` plus one; 0 is a virtual
 * root before every node of is_root. pred: the graph against the order's direction. */
static void solve_dom(const struct graph *pred, const uint32_t *rpo, uint32_t len, const uint32_t *pos,
                      const uint8_t *is_root, uint32_t *idom)
{
    bool changed = true;

    for (uint32_t i = 0; i <= len; i++)
        idom[i] = CFG_NONE;
    idom[0] = 0;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < len; i++) {
            uint32_t b = rpo[i], best = is_root[b] ? 0 : CFG_NONE;
            for (uint32_t k = pred->off[b]; k < pred->off[b + 1]; k++) {
                uint32_t p = pos[pred->to[k]];
                if (p == CFG_NONE || idom[p + 1] == CFG_NONE)
                    continue;
                uint32_t x = p + 1, y = best;
                while (y != CFG_NONE && x != y) {
                    while (x > y)
                        x = idom[x];
                    while (y > x)
                        y = idom[y];
                }
                best = x;
            }
            if (best != idom[i + 1]) {
                idom[i + 1] = best;
                changed = true;
            }
        }
    }
}

static void post_dominators(struct ir_fn *fn, struct ir_cfg *c, struct arena *a)
{
    struct graph rev = graph_of(fn, true, a), fwd = graph_of(fn, false, a);
    uint8_t *seen = ARENA_ARRAY(a, uint8_t, c->n), *root = ARENA_ARRAY(a, uint8_t, c->n);
    uint32_t *order = ARENA_ARRAY(a, uint32_t, c->n), *stack = ARENA_ARRAY(a, uint32_t, c->n);
    uint32_t *next = ARENA_ARRAY(a, uint32_t, c->n), *pos = ARENA_ARRAY(a, uint32_t, c->n);
    uint32_t *idom = ARENA_ARRAY(a, uint32_t, c->n + 1), len = 0;

    for (uint32_t b = 0; b < c->n; b++) {
        pos[b] = CFG_NONE;
        seen[b] = c->rpo_of[b] == CFG_NONE; /* unreachable blocks take no part */
    }
    for (uint32_t i = 0; i < c->nrpo; i++) {
        uint32_t b = c->rpo[i];
        const struct ir_block *bl = &fn->blocks.at[b];
        bool leaves = bl->insns.n && bl->insns.at[bl->insns.n - 1].op == OP_RET;
        root[b] = bl->succ.n == 0 || leaves;
    }
    for (uint32_t i = 0; i < c->nrpo; i++)
        if (root[c->rpo[i]] && !seen[c->rpo[i]])
            len = post_order(&rev, c->rpo[i], seen, order, len, stack, next);
    for (uint32_t i = c->nrpo; i-- > 0;)
        if (!seen[c->rpo[i]]) {
            root[c->rpo[i]] = 1;
            len = post_order(&rev, c->rpo[i], seen, order, len, stack, next);
        }
    for (uint32_t i = 0; i < len / 2; i++) {
        uint32_t t = order[i];
        order[i] = order[len - 1 - i];
        order[len - 1 - i] = t;
    }
    for (uint32_t i = 0; i < len; i++)
        pos[order[i]] = i;
    solve_dom(&fwd, order, len, pos, root, idom);
    for (uint32_t i = 0; i < len; i++)
        c->ipdom[order[i]] = idom[i + 1] ? order[idom[i + 1] - 1] : CFG_NONE;
}

static uint32_t outermost(uint32_t *top, uint32_t h)
{
    while (top[h] != h) {
        top[h] = top[top[h]];
        h = top[h];
    }
    return h;
}

/* Headers from the innermost outwards; an inner loop found in a body is entered as a whole, through its header. */
static void find_loops(const struct ir_fn *fn, struct ir_cfg *c, struct arena *a)
{
    uint32_t *top = ARENA_ARRAY(a, uint32_t, c->n);
    VEC(uint32_t) work = {0};

    for (uint32_t b = 0; b < c->n; b++)
        top[b] = b;
    for (uint32_t i = c->nrpo; i-- > 0;) {
        uint32_t h = c->rpo[i];
        const struct ir_block *hb = &fn->blocks.at[h];
        vec_clear(&work);
        for (uint32_t k = 0; k < hb->pred.n; k++)
            if (c->rpo_of[hb->pred.at[k]] != CFG_NONE && ir_dominates(c, h, hb->pred.at[k]))
                vec_push(&work, hb->pred.at[k]);
        if (!work.n)
            continue;
        c->loop[h] = h;
        while (work.n) {
            uint32_t x = work.at[--work.n];
            uint32_t o = c->loop[x] == CFG_NONE ? CFG_NONE : outermost(top, c->loop[x]);
            if (o == h)
                continue;
            if (o == CFG_NONE) {
                c->loop[x] = h;
            } else {
                c->loop_parent[o] = h;
                top[o] = h;
                x = o;
            }
            for (uint32_t k = 0; k < fn->blocks.at[x].pred.n; k++)
                if (c->rpo_of[fn->blocks.at[x].pred.at[k]] != CFG_NONE)
                    vec_push(&work, fn->blocks.at[x].pred.at[k]);
        }
    }
    vec_free(&work);
    for (uint32_t i = 0; i < c->nrpo; i++) {
        uint32_t b = c->rpo[i], h = c->loop[b];
        if (h == b)
            c->depth[b] = c->loop_parent[b] == CFG_NONE ? 1 : c->depth[c->loop_parent[b]] + 1;
        else if (h != CFG_NONE)
            c->depth[b] = c->depth[h];
    }
}

static uint32_t *none_array(struct arena *a, uint32_t n)
{
    uint32_t *p = ARENA_ARRAY(a, uint32_t, n + 1);
    for (uint32_t i = 0; i < n; i++)
        p[i] = CFG_NONE;
    return p;
}

/* Pre-order numbers and subtree sizes of the dominator tree, so that a query costs one comparison. A dominator comes
 * before what it dominates in reverse post-order: sizes add up backwards, numbers are handed out forwards. */
static void number_tree(struct ir_cfg *c, struct arena *a, struct arena *tmp)
{
    uint32_t *next = ARENA_ARRAY(tmp, uint32_t, c->n + 1); /* of a node: its next child's number */

    c->dom_pre = ARENA_ARRAY(a, uint32_t, c->n + 1);
    c->dom_size = ARENA_ARRAY(a, uint32_t, c->n + 1);
    for (uint32_t i = c->nrpo; i-- > 0;) {
        uint32_t b = c->rpo[i];
        c->dom_size[b]++;
        if (i)
            c->dom_size[c->idom[b]] += c->dom_size[b];
    }
    for (uint32_t i = 0; i < c->nrpo; i++) {
        uint32_t b = c->rpo[i], up = c->idom[b];
        if (i) {
            c->dom_pre[b] = next[up];
            next[up] += c->dom_size[b];
        }
        next[b] = c->dom_pre[b] + 1;
    }
}

struct ir_cfg *ir_cfg_build(struct ir_fn *fn, struct arena *a)
{
    struct ir_cfg *c = ARENA_NEW(a, struct ir_cfg);
    struct arena tmp = {0};
    uint32_t n = fn->blocks.n;

    ir_cfg_link(fn);
    c->n = n;
    c->rpo = none_array(a, n);
    c->rpo_of = none_array(a, n);
    c->idom = none_array(a, n);
    c->ipdom = none_array(a, n);
    c->loop = none_array(a, n);
    c->loop_parent = none_array(a, n);
    c->depth = ARENA_ARRAY(a, uint32_t, n + 1);
    if (!n)
        return c;

    struct graph fwd = graph_of(fn, false, &tmp), rev = graph_of(fn, true, &tmp);
    uint8_t *seen = ARENA_ARRAY(&tmp, uint8_t, n), *root = ARENA_ARRAY(&tmp, uint8_t, n);
    uint32_t *stack = ARENA_ARRAY(&tmp, uint32_t, n), *next = ARENA_ARRAY(&tmp, uint32_t, n);
    uint32_t *order = ARENA_ARRAY(&tmp, uint32_t, n), *idom = ARENA_ARRAY(&tmp, uint32_t, n + 1);

    c->nrpo = post_order(&fwd, 0, seen, order, 0, stack, next);
    for (uint32_t i = 0; i < c->nrpo; i++) {
        c->rpo[i] = order[c->nrpo - 1 - i];
        c->rpo_of[c->rpo[i]] = i;
    }
    root[0] = 1;
    solve_dom(&rev, c->rpo, c->nrpo, c->rpo_of, root, idom);
    for (uint32_t i = 0; i < c->nrpo; i++)
        c->idom[c->rpo[i]] = idom[i + 1] ? c->rpo[idom[i + 1] - 1] : c->rpo[i];
    number_tree(c, a, &tmp);
    post_dominators(fn, c, &tmp);
    find_loops(fn, c, &tmp);
    arena_free(&tmp);
    return c;
}

bool ir_dominates(const struct ir_cfg *c, uint32_t a, uint32_t b)
{
    if (c->rpo_of[a] == CFG_NONE || c->rpo_of[b] == CFG_NONE)
        return false;
    return c->dom_pre[b] - c->dom_pre[a] < c->dom_size[a];
}

bool ir_postdominates(const struct ir_cfg *c, uint32_t a, uint32_t b)
{
    while (b != CFG_NONE && b != a)
        b = c->ipdom[b];
    return b == a;
}

static void print_ref(FILE *to, const char *what, uint32_t b)
{
    if (b == CFG_NONE)
        fprintf(to, " %s -", what);
    else
        fprintf(to, " %s B%u", what, b);
}

void ir_cfg_print(FILE *to, const struct ir_fn *fn, const struct ir_cfg *c)
{
    fprintf(to, "cfg %s: %u blocks, %u reachable\n", fn->name, c->n, c->nrpo);
    for (uint32_t b = 0; b < c->n; b++) {
        const struct ir_block *bl = &fn->blocks.at[b];
        fprintf(to, "  B%u%s%s: %u insns ->", b, bl->label ? " " : "", bl->label ? bl->label : "",
                bl->insns.n);
        for (uint32_t k = 0; k < bl->succ.n; k++)
            fprintf(to, " B%u", bl->succ.at[k]);
        fprintf(to, "%s;", bl->succ.n ? "" : " exit");
        if (c->rpo_of[b] == CFG_NONE) {
            fprintf(to, " unreachable\n");
            continue;
        }
        print_ref(to, "idom", c->idom[b]);
        print_ref(to, "ipdom", c->ipdom[b]);
        print_ref(to, "loop", c->loop[b]);
        fprintf(to, " depth %u\n", c->depth[b]);
    }
}
