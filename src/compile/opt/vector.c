/* SPDX-License-Identifier: Apache-2.0 */
/* Neighbours in shared memory travel together: loads (stores) of adjacent words through one base register become one access of 8
 * or 16 bytes where the address is known to be aligned so, as NVIDIA's assembler does. Inside a block; a group never reaches over
 * what may write (read) shared memory or orders it. */
#include "compile/opt/known.h"

enum { OPEN_MAX = 64, WORDS_MAX = 4 };

struct piece {
    uint32_t at;
    struct ir_opnd base;
    int32_t off;
    uint8_t words;
    bool taken;
};

struct open {
    struct piece p[OPEN_MAX];
    uint32_t n;
};

struct renamed {
    uint32_t vreg, sub; /* vreg 0 and sub 0xff: not renamed */
};

struct insertion {
    uint32_t at;
    struct ir_insn insn;
};

struct vector {
    struct defs d;
    const uint32_t *bits;
    struct renamed *to; /* by virtual register */
    uint32_t nto;
    struct ir_block *b;
    struct open loads, stores;
    VEC(struct insertion) insertions; /* of this block, behind what stands at `at` */
    bool any;
};

static bool same_base(const struct ir_opnd *a, const struct ir_opnd *b)
{
    return a->kind == b->kind && (a->kind != OPND_REG || (a->val == b->val && a->sub == b->sub));
}

/* Words that the access moves as they are; 0: it is not one of those that can be joined. */
static unsigned words_of(const struct vector *v, const struct ir_insn *i)
{
    const struct ir_opnd *x = i->op == OP_LDS ? &i->dst[0] : &i->src[1];
    if ((i->op != OP_LDS && i->op != OP_STS) || i->guard.kind || i->order != ORD_WEAK ||
        x->kind != OPND_REG || x->n > 2 || type_bits(i->type) < 32 || i->off % 4)
        return 0;
    const struct ir_vreg *r = &v->d.fn->vregs.at[x->val];
    if (i->op == OP_STS)
        return r->fixed ? 0 : x->n;
    /* The register gets another name: all of it comes from here. */
    if (r->fixed || r->n != x->n || v->to[x->val].sub != 0xff)
        return 0;
    for (unsigned w = 0; w < x->n; w++)
        if (defs_info(&v->d, x)[w].ndefs != 1)
            return 0;
    return x->n;
}

static bool is_aligned(const struct vector *v, const struct ir_opnd *base, uint32_t bytes)
{
    return base->kind == OPND_NONE || !(known_of(&v->d, v->bits, base) & (bytes - 1));
}

/* The pieces that make up the `words` words from `off` on, in g by word; false: some are missing. */
static bool collect(struct open *o, const struct piece *like, int32_t off, unsigned words, struct piece **g)
{
    unsigned have = 0;
    for (unsigned w = 0; w < words; w++)
        g[w] = NULL;
    for (uint32_t k = 0; k < o->n; k++) {
        struct piece *p = &o->p[k];
        if (p->taken || !same_base(&p->base, &like->base) || p->off < off ||
            p->off + 4 * p->words > off + 4 * (int32_t)words)
            continue;
        unsigned w = (unsigned)(p->off - off) / 4;
        if (w % p->words || g[w] || (p->words == 2 && g[w + 1]))
            continue;
        for (unsigned j = 0; j < p->words; j++, have++)
            g[w + j] = p;
    }
    return have == words;
}

static bool reads(const struct ir_insn *i, const struct ir_opnd *o)
{
    for (unsigned k = 0; k < 6; k++)
        if (i->src[k].kind == OPND_REG && i->src[k].val == o->val)
            return true;
    return false;
}

/* All loads move up to the first one: nobody in between may want what their registers had before. */
static bool can_rise(const struct vector *v, struct piece **g, unsigned words, uint32_t first)
{
    for (unsigned w = 0; w < words; w++)
        for (uint32_t at = first; at < g[w]->at; at++)
            if (reads(&v->b->insns.at[at], &v->b->insns.at[g[w]->at].dst[0]))
                return false;
    return true;
}

static bool join_loads(struct vector *v, struct piece **g, unsigned words, int32_t off)
{
    uint32_t first = UINT32_MAX;
    for (unsigned w = 0; w < words; w++)
        first = g[w]->at < first ? g[w]->at : first;
    if (!can_rise(v, g, words, first))
        return false;
    uint32_t wide = ir_vreg(v->d.fn, words, NULL);
    struct ir_insn n = v->b->insns.at[first];
    for (unsigned w = 0; w < words; w += g[w]->words) {
        struct ir_insn *i = &v->b->insns.at[g[w]->at];
        v->to[i->dst[0].val] = (struct renamed){wide, w};
        *i = (struct ir_insn){.op = OP_NOP, .line = i->line};
    }
    n.type = T_B32;
    n.vec = (uint8_t)words;
    n.off = off;
    n.dst[0] = ir_reg(wide, 0, words);
    v->b->insns.at[first] = n;
    return true;
}

/* The words gather in a tuple, each where it was stored, and the last of them stores it. */
static bool join_stores(struct vector *v, struct piece **g, unsigned words, int32_t off)
{
    uint32_t last = 0, wide = ir_vreg(v->d.fn, words, NULL);
    for (unsigned w = 0; w < words; w++)
        last = g[w]->at > last ? g[w]->at : last;
    struct ir_insn n = v->b->insns.at[last];
    n.type = T_B32;
    n.vec = (uint8_t)words;
    n.off = off;
    n.src[1] = ir_reg(wide, 0, words);
    vec_push(&v->insertions, (struct insertion){last, n});
    for (unsigned w = 0; w < words; w += g[w]->words) {
        struct ir_insn *i = &v->b->insns.at[g[w]->at];
        *i = (struct ir_insn){.op = OP_MOV,
                              .type = T_B32,
                              .dst = {ir_reg(wide, w, g[w]->words)},
                              .src = {i->src[1]},
                              .line = i->line};
    }
    return true;
}

static bool join(struct vector *v, struct open *o, const struct piece *p, unsigned words)
{
    struct piece *g[WORDS_MAX];
    int32_t bytes = 4 * (int32_t)words, off = p->off & ~(bytes - 1);
    if (p->taken || p->words >= words || !is_aligned(v, &p->base, (uint32_t)bytes) ||
        !collect(o, p, off, words, g) ||
        !(o == &v->loads ? join_loads(v, g, words, off) : join_stores(v, g, words, off)))
        return false;
    for (unsigned w = 0; w < words; w++)
        g[w]->taken = true;
    return true;
}

static void close_open(struct vector *v, struct open *o)
{
    for (unsigned words = WORDS_MAX; words >= 2; words /= 2)
        for (uint32_t k = 0; k < o->n; k++)
            v->any |= join(v, o, &o->p[k], words);
    o->n = 0;
}

static void add(struct vector *v, struct open *o, uint32_t at, unsigned words)
{
    const struct ir_insn *i = &v->b->insns.at[at];
    if (o->n == OPEN_MAX)
        close_open(v, o);
    o->p[o->n++] = (struct piece){.at = at, .base = i->src[0], .off = i->off, .words = (uint8_t)words};
}

/* May it write shared memory, or order accesses to it? */
static bool is_fence(const struct ir_insn *i)
{
    return i->order != ORD_WEAK ||
           (ir_ops[i->op].flags & OPF_SIDE && i->op != OP_STG && i->op != OP_STL && i->op != OP_STS);
}

static bool may_read(const struct ir_insn *i)
{
    return i->op == OP_LDS || i->op == OP_LD || i->op == OP_LDSM;
}

static bool is_base(const struct open *o, const struct ir_opnd *d)
{
    for (uint32_t k = 0; k < o->n; k++)
        if (o->p[k].base.kind == OPND_REG && o->p[k].base.val == d->val)
            return true;
    return false;
}

static void visit(struct vector *v, uint32_t at)
{
    const struct ir_insn *i = &v->b->insns.at[at];
    unsigned words = words_of(v, i);
    if (is_fence(i) || i->op == OP_STS)
        close_open(v, &v->loads);
    if (is_fence(i) || may_read(i) || (i->op == OP_STS && !words))
        close_open(v, &v->stores);
    if (words)
        add(v, i->op == OP_LDS ? &v->loads : &v->stores, at, words);
    struct ir_insn copy = *i; /* a group that is closed below may change it */
    ir_each_dst (&copy, d) {
        if (d->kind != OPND_REG)
            continue;
        if (is_base(&v->loads, d))
            close_open(v, &v->loads);
        if (is_base(&v->stores, d))
            close_open(v, &v->stores);
    }
}

/* Insertions are in the order of groups, not of places. */
static void insert_all(struct vector *v)
{
    while (v->insertions.n) {
        uint32_t best = 0;
        for (uint32_t k = 1; k < v->insertions.n; k++)
            if (v->insertions.at[k].at > v->insertions.at[best].at)
                best = k;
        vec_insert(&v->b->insns, v->insertions.at[best].at + 1, v->insertions.at[best].insn);
        v->insertions.at[best] = v->insertions.at[--v->insertions.n];
    }
}

static void rename_uses(struct vector *v)
{
    vec_each (&v->d.fn->blocks, b)
        vec_each (&b->insns, i)
            ir_each_src (i, s)
                if (s->kind == OPND_REG && s->val < v->nto && v->to[s->val].sub != 0xff) {
                    struct renamed r = v->to[s->val];
                    s->val = r.vreg;
                    s->sub = (uint8_t)(s->sub + r.sub);
                }
}

static bool has_shared(const struct ir_fn *fn)
{
    uint32_t n = 0;
    vec_each (&fn->blocks, b)
        vec_each (&b->insns, i)
            n += i->op == OP_LDS || i->op == OP_STS;
    return n > 1;
}

bool pass_vector(struct ir_fn *fn)
{
    struct vector v = {0};
    if (!has_shared(fn))
        return false;
    defs_build(&v.d, fn);
    v.bits = known_bits(&v.d);
    v.nto = fn->vregs.n;
    v.to = ARENA_ARRAY(&v.d.arena, struct renamed, v.nto + 1);
    for (uint32_t k = 0; k < v.nto; k++)
        v.to[k].sub = 0xff;
    for (uint32_t r = 0; r < v.d.c->nrpo; r++) {
        v.b = &fn->blocks.at[v.d.c->rpo[r]];
        for (uint32_t at = 0; at < v.b->insns.n; at++)
            visit(&v, at);
        close_open(&v, &v.loads);
        close_open(&v, &v.stores);
        insert_all(&v);
    }
    if (v.any)
        rename_uses(&v);
    vec_free(&v.insertions);
    defs_free(&v.d);
    return v.any;
}
