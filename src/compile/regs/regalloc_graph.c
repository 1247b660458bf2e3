/* SPDX-License-Identifier: Apache-2.0 */
/* From a function to words, interference, copies, costs and rematerialisable values. */
#include "compile/regs/regalloc.h"

#include "base/bitset.h"

/* Words alive at one point, and edges, beyond which the graph is not worth its memory: first some must be spilled. */
enum { GRAPH_PRESSURE = 2048, GRAPH_EDGES = 48 << 20 };

uint32_t ra_opnd_words(const struct ra *r, const struct ir_opnd *o, uint32_t *word)
{
    if (o->kind == OPND_REG) {
        const struct ir_vreg *v = &r->fn->vregs.at[o->val];
        if (v->fixed && v->phys == REG_SP)
            return 0;
        *word = r->live->first[o->val] + o->sub;
        return o->n;
    }
    if (o->kind == OPND_PRED && o->val >= VPRED0) {
        *word = r->nwords + o->val - VPRED0;
        return 1;
    }
    return 0;
}

bool ra_is_copy(const struct ir_insn *i)
{
    const struct ir_opnd *s = &i->src[0];

    return i->op == OP_MOV && i->dst[0].kind == OPND_REG && s->kind == OPND_REG && !s->neg && !s->abs &&
           s->n == i->dst[0].n;
}

double ra_block_weight(const struct ra *r, uint32_t block)
{
    static const double pow10[] = {1, 10, 100, 1e3, 1e4, 1e5, 1e6};
    uint32_t d = r->cfg->depth[block];

    return pow10[d < 6 ? d : 6];
}

static void build_entities(struct ra *r)
{
    const struct ir_fn *fn = r->fn;

    r->nvregs = fn->vregs.n;
    r->nents = r->nvregs + fn->npreds;
    r->nwords = r->live->nwords;
    r->nbits = r->live->nbits;
    vec_resize(&r->pred_nospill, fn->npreds);
    r->ent = ARENA_ARRAY(&r->mem, struct ra_ent, r->nents + 1);
    r->ent_of = ARENA_ARRAY(&r->mem, uint32_t, r->nbits + 1);
    for (uint32_t e = 0; e < r->nents; e++) {
        struct ra_ent *n = &r->ent[e];
        n->parent = n->tail = e;
        n->next = RA_NONE;
        n->first = UINT32_MAX;
        n->pred = e >= r->nvregs;
        n->n = n->pred ? 1 : fn->vregs.at[e].n;
        n->width = n->n;
        n->align = n->n > 4 ? 8 : n->n > 2 ? 4 : n->n;
        n->acc = !n->pred && fn->vregs.at[e].acc;
        n->fixed = !n->pred && fn->vregs.at[e].fixed;
        n->phys = n->fixed ? fn->vregs.at[e].phys : 0;
        n->spillable =
            !n->fixed && !n->acc && !(n->pred ? r->pred_nospill.at[e - r->nvregs] : fn->vregs.at[e].nospill);
        for (uint32_t w = 0; w < n->n; w++)
            r->ent_of[ra_first_word(r, e) + w] = e;
    }
}

/* Edges as they are found; turned into adjacency arrays at the end. */
typedef VEC(uint64_t) edge_list;

/* The words that live at a point, as lists: registers, predicates. */
struct alive {
    uint32_t *word[2], n[2];
    uint32_t *place; /* by word: index in its list plus one, 0: not alive */
};

static void alive_add(const struct ra *r, struct alive *l, uint32_t w)
{
    int pred = w >= r->nwords;

    if (l->place[w])
        return;
    l->word[pred][l->n[pred]++] = w;
    l->place[w] = l->n[pred];
}

static void alive_drop(const struct ra *r, struct alive *l, uint32_t w)
{
    int pred = w >= r->nwords;

    if (!l->place[w])
        return;
    uint32_t last = l->word[pred][--l->n[pred]];
    l->word[pred][l->place[w] - 1] = last;
    l->place[last] = l->place[w];
    l->place[w] = 0;
}

static void alive_start(const struct ra *r, struct alive *l, const uint64_t *set)
{
    for (int pred = 0; pred < 2; pred++)
        while (l->n[pred])
            alive_drop(r, l, l->word[pred][l->n[pred] - 1]);
    bits_each (set, w, r->nbits) {
        const struct ra_ent *e = &r->ent[r->ent_of[w]];
        if (!(e->fixed && e->phys == REG_SP))
            alive_add(r, l, w);
    }
}

static void alive_step(const struct ra *r, struct alive *l, const struct ir_insn *i)
{
    uint32_t w, n;

    for (int d = 0; d < 2; d++)
        for (n = ir_kills(i, d) ? ra_opnd_words(r, &i->dst[d], &w) : 0; n--;)
            alive_drop(r, l, w + n);
    for (int s = 0; s < 7; s++)
        for (n = ra_opnd_words(r, s < 6 ? &i->src[s] : &i->guard, &w); n--;)
            alive_add(r, l, w + n);
}

static void add_edge(edge_list *edges, uint32_t a, uint32_t b) { vec_push(edges, (uint64_t)a << 32 | b); }

/* The definitions of one instruction interfere with everything that lives after it, and with each other. */
static void edges_of_insn(struct ra *r, const struct ir_insn *i, const struct alive *l, edge_list *edges)
{
    uint32_t word, other, m, src = RA_NONE, from = RA_NONE;
    bool copy = ra_is_copy(i) && ra_opnd_words(r, &i->src[0], &from);

    for (int d = 0; d < 2; d++) {
        uint32_t n = ra_opnd_words(r, &i->dst[d], &word);
        for (uint32_t k = 0; k < n; k++) {
            uint32_t w = word + k, e = r->ent_of[w];
            int pred = w >= r->nwords;
            if (copy)
                src = from + k;
            for (uint32_t a = 0; a < l->n[pred]; a++) {
                uint32_t u = l->word[pred][a];
                if (u != src && r->ent_of[u] != e)
                    add_edge(edges, w, u);
            }
            for (m = d == 0 ? ra_opnd_words(r, &i->dst[1], &other) : 0; m--;)
                if ((other + m >= r->nwords) == pred && r->ent_of[other + m] != e)
                    add_edge(edges, w, other + m);
        }
    }
}

static void mark_call(struct ra *r, const struct alive *l)
{
    for (int pred = 0; pred < 2; pred++)
        for (uint32_t a = 0; a < l->n[pred]; a++) {
            struct ra_ent *e = &r->ent[r->ent_of[l->word[pred][a]]];
            if (!(e->fixed && e->phys == REG_SP))
                e->call = true;
        }
}

static void note_copy(struct ra *r, const struct ir_insn *i, float weight)
{
    uint32_t d, s, n = ra_opnd_words(r, &i->dst[0], &d);

    if (n && ra_opnd_words(r, &i->src[0], &s))
        for (uint32_t k = 0; k < n; k++)
            vec_push(&r->copies, (struct ra_copy){d + k, s + k, weight});
}

static void note_costs(struct ra *r, const struct ir_insn *i, float weight, uint32_t at)
{
    for (int k = 0; k < 9; k++) {
        const struct ir_opnd *o = k < 2 ? &i->dst[k] : k < 8 ? &i->src[k - 2] : &i->guard;
        uint32_t w;
        if (!ra_opnd_words(r, o, &w))
            continue;
        struct ra_ent *e = &r->ent[r->ent_of[w]];
        e->cost += weight;
        if (k < 2 && at < e->first)
            e->first = at;
    }
}

static bool can_repeat(const struct ra *r, const struct ir_insn *i)
{
    if (i->guard.kind != OPND_NONE || i->dst[0].n > 2 || i->dst[1].kind != OPND_NONE)
        return false;
    const struct ir_opnd *s = &i->src[0];
    bool on_stack =
        s->kind == OPND_REG && r->fn->vregs.at[s->val].fixed && r->fn->vregs.at[s->val].phys == REG_SP;
    switch (i->op) {
    case OP_MOV: return s->kind == OPND_CONST || s->kind == OPND_IMM;
    case OP_S2R:
        return i->sub != SR_CLOCK && i->sub != SR_CLOCK_HI && i->sub != SR_TIMER && i->sub != SR_TIMER_HI;
    case OP_IADD3:
        return on_stack && i->src[1].kind == OPND_IMM && i->src[2].kind != OPND_REG &&
               i->src[3].kind == OPND_NONE;
    case OP_LDL: return on_stack && (i->flags & IRF_SPILL);
    default: return false;
    }
}

static void note_remat(struct ra *r, const struct ir_insn *i)
{
    bool ok = can_repeat(r, i);

    for (int d = 0; d < 2; d++) {
        uint32_t w, n = i->dst[d].kind == OPND_REG ? ra_opnd_words(r, &i->dst[d], &w) : 0;
        for (uint32_t k = 0; k < n; k++) {
            struct ra_remat *m = &r->remat[w + k];
            m->defs++;
            m->ok = ok && m->defs == 1;
            if (m->ok && !m->insn) {
                m->insn = ARENA_NEW(&r->mem, struct ir_insn);
                *m->insn = *i;
            }
        }
    }
}

static void build_adjacency(struct ra *r, edge_list *edges)
{
    uint32_t *off = ARENA_ARRAY(&r->mem, uint32_t, r->nbits + 2);

    for (uint32_t k = 0; k < edges->n; k++) {
        off[(edges->at[k] >> 32) + 1]++;
        off[(uint32_t)edges->at[k] + 1]++;
    }
    for (uint32_t w = 0; w < r->nbits; w++)
        off[w + 1] += off[w];
    r->adj = ARENA_ARRAY(&r->mem, uint32_t, (size_t)edges->n * 2 + 1);
    uint32_t *fill = ARENA_ARRAY(&r->mem, uint32_t, r->nbits + 1);
    memcpy(fill, off, sizeof *fill * r->nbits);
    for (uint32_t k = 0; k < edges->n; k++) {
        uint32_t a = (uint32_t)(edges->at[k] >> 32), b = (uint32_t)edges->at[k];
        r->adj[fill[a]++] = b;
        r->adj[fill[b]++] = a;
    }
    r->adj_off = off;
    for (uint32_t e = 0; e < r->nents; e++) {
        uint32_t w = ra_first_word(r, e);
        r->ent[e].degree = off[w + r->ent[e].n] - off[w];
    }
}

static int by_weight(const void *pa, const void *pb)
{
    const struct ra_copy *a = pa, *b = pb;

    if (a->weight != b->weight)
        return a->weight > b->weight ? -1 : 1;
    if (a->dst != b->dst)
        return a->dst < b->dst ? -1 : 1;
    return a->src < b->src ? -1 : a->src > b->src;
}

void ra_build(struct ra *r)
{
    struct ir_fn *fn = r->fn;
    edge_list edges = {0};
    uint32_t at = 0;

    r->cfg = ir_cfg_build(fn, &r->mem);
    if (!r->marked) /* spill code keeps the marks right */
        ir_mark_kills(fn, r->cfg);
    r->marked = true;
    r->live = ir_live_build(fn, r->cfg, &r->mem);
    r->no_graph = ir_live_pressure(fn, r->live) > GRAPH_PRESSURE;
    build_entities(r);
    r->remat = ARENA_ARRAY(&r->mem, struct ra_remat, r->nwords + 1);
    vec_clear(&r->copies);
    struct alive l = {.word = {ARENA_ARRAY(&r->mem, uint32_t, r->nwords + 1),
                               ARENA_ARRAY(&r->mem, uint32_t, r->nbits - r->nwords + 1)},
                      .place = ARENA_ARRAY(&r->mem, uint32_t, r->nbits + 1)};
    for (uint32_t p = 0; p < r->cfg->nrpo; p++) {
        uint32_t b = r->cfg->rpo[p];
        const struct ir_block *bl = &fn->blocks.at[b];
        float weight = (float)ra_block_weight(r, b);
        alive_start(r, &l, r->live->out[b]);
        for (uint32_t k = bl->insns.n; k-- > 0;) {
            const struct ir_insn *i = &bl->insns.at[k];
            if (!r->no_graph)
                edges_of_insn(r, i, &l, &edges);
            if (edges.n > GRAPH_EDGES) {
                r->no_graph = true;
                vec_clear(&edges);
                vec_clear(&r->copies);
            }
            note_costs(r, i, weight, at + k);
            note_remat(r, i);
            if (i->op == OP_CALL)
                mark_call(r, &l);
            if (!r->no_graph && ra_is_copy(i))
                note_copy(r, i, weight);
            alive_step(r, &l, i);
        }
        at += bl->insns.n;
    }
    build_adjacency(r, &edges);
    vec_free(&edges);
    if (r->copies.n)
        qsort(r->copies.at, r->copies.n, sizeof *r->copies.at, by_weight);
}
