/* SPDX-License-Identifier: Apache-2.0 */
/* Values that are computed twice are computed once. Compilers leave none of these in PTX, but lowering makes them: each division
 * by one integer begins with its reciprocal, each pair of 64-bit sums with the same low words. An instruction without effects, of
 * values that are written once, gives way to an equal one that dominates it: its readers read that one's results. */
#include "compile/opt/defs.h"

struct seen {
    uint32_t hash, block, at, next; /* next in the chain: 1 + index, 0: none */
};

struct cse {
    struct defs d;
    VEC(struct seen) seen;
    uint32_t *chain; /* by hash: 1 + index into seen */
    uint32_t mask;
    uint32_t *reg_for, *pred_for; /* 1 + the one that is read instead, 0: itself */
    bool any;
};

/* Does the instruction write whole registers and predicates that nothing else writes? */
static bool owns_results(const struct cse *x, const struct ir_insn *i)
{
    for (unsigned k = 0; k < 2; k++) {
        const struct ir_opnd *o = &i->dst[k];
        if (o->kind == OPND_NONE)
            continue;
        if (o->kind == OPND_PRED) {
            if (o->val < VPRED0 || defs_info(&x->d, o)->ndefs != 1)
                return false;
            continue;
        }
        const struct ir_vreg *v = &x->d.fn->vregs.at[o->val];
        if (v->fixed || v->acc || o->sub || o->n != v->n)
            return false;
        for (unsigned w = 0; w < o->n; w++)
            if (defs_info(&x->d, o)[w].ndefs != 1)
                return false;
    }
    return i->dst[0].kind != OPND_NONE;
}

static bool takes_part(const struct cse *x, const struct ir_insn *i, uint32_t block, uint32_t at)
{
    if (i->guard.kind || ir_ops[i->op].flags || i->op == OP_MOV || i->op == OP_S2R || i->op == OP_NOP ||
        (i->op == OP_MUFU && i->flags & IRF_OWN) || ir_ops[i->op].unit == UNIT_TENSOR ||
        dead_has_effect(x->d.fn, i) || !owns_results(x, i))
        return false;
    for (unsigned k = 0; k < 6; k++)
        if (i->src[k].kind != OPND_NONE && !defs_stable(&x->d, &i->src[k], block, at))
            return false;
    return true;
}

static struct ir_insn key_of(const struct cse *x, struct ir_insn i)
{
    for (unsigned k = 0; k < 6; k++) {
        struct ir_opnd *s = &i.src[k];
        uint32_t other = s->kind == OPND_REG                        ? x->reg_for[s->val]
                         : s->kind == OPND_PRED && s->val >= VPRED0 ? x->pred_for[s->val - VPRED0]
                                                                    : 0;
        s->val = other ? other - 1 : s->val;
    }
    i.line = 0;
    i.dst[0].val = i.dst[1].val = 0;
    return i;
}

static bool same_operand(const struct ir_opnd *a, const struct ir_opnd *b)
{
    return a->kind == b->kind &&
           (a->kind == OPND_NONE ||
            (a->n == b->n && a->sub == b->sub && a->neg == b->neg && a->abs == b->abs && a->val == b->val));
}

static bool same(const struct ir_insn *a, const struct ir_insn *b)
{
    bool equal = a->op == b->op && a->type == b->type && a->stype == b->stype && a->rnd == b->rnd &&
                 a->cmp == b->cmp && a->bop == b->bop && a->sub == b->sub && a->lut == b->lut &&
                 a->space == b->space && a->vec == b->vec && a->flags == b->flags && a->off == b->off;
    for (unsigned k = 0; equal && k < 6; k++)
        equal = same_operand(&a->src[k], &b->src[k]);
    for (unsigned k = 0; equal && k < 2; k++)
        equal = same_operand(&a->dst[k], &b->dst[k]);
    return equal;
}

static uint32_t hash_of(const struct ir_insn *i)
{
    uint32_t h = i->op * 31u + i->type;
    for (unsigned k = 0; k < 6; k++)
        h = (h ^ (i->src[k].val + i->src[k].kind * 7u + i->src[k].sub)) * 0x9e3779b1u;
    return h ^ h >> 15;
}

/* The readers of the instruction's results read the other's. */
static void replace(struct cse *x, const struct ir_insn *i, const struct ir_insn *by)
{
    for (unsigned k = 0; k < 2; k++) {
        const struct ir_opnd *o = &i->dst[k];
        if (o->kind == OPND_REG)
            x->reg_for[o->val] = by->dst[k].val + 1;
        else if (o->kind == OPND_PRED)
            x->pred_for[o->val - VPRED0] = by->dst[k].val + 1;
    }
    x->any = true;
}

static void visit(struct cse *x, uint32_t block, uint32_t at)
{
    const struct ir_insn *i = &x->d.fn->blocks.at[block].insns.at[at];
    if (!takes_part(x, i, block, at))
        return;
    struct ir_insn key = key_of(x, *i);
    uint32_t h = hash_of(&key), *first = &x->chain[h & x->mask];
    for (uint32_t s = *first; s; s = x->seen.at[s - 1].next) {
        const struct seen *e = &x->seen.at[s - 1];
        if (e->hash != h || !(e->block == block ? e->at < at : ir_dominates(x->d.c, e->block, block)))
            continue;
        const struct ir_insn *by = &x->d.fn->blocks.at[e->block].insns.at[e->at];
        struct ir_insn other = key_of(x, *by);
        if (same(&key, &other)) {
            replace(x, i, by);
            return;
        }
    }
    vec_push(&x->seen, (struct seen){h, block, at, *first});
    *first = x->seen.n;
}

static void rename_operand(const struct cse *x, struct ir_opnd *o)
{
    uint32_t other = o->kind == OPND_REG                        ? x->reg_for[o->val]
                     : o->kind == OPND_PRED && o->val >= VPRED0 ? x->pred_for[o->val - VPRED0]
                                                                : 0;
    if (other)
        o->val = other - 1;
}

bool pass_cse(struct ir_fn *fn)
{
    struct cse x = {0};
    uint32_t n = 0, size = 64;
    vec_each (&fn->blocks, b)
        n += b->insns.n;
    while (size < n)
        size *= 2;
    defs_build(&x.d, fn);
    x.mask = size - 1;
    x.chain = ARENA_ARRAY(&x.d.arena, uint32_t, size);
    x.reg_for = ARENA_ARRAY(&x.d.arena, uint32_t, fn->vregs.n + 1);
    x.pred_for = ARENA_ARRAY(&x.d.arena, uint32_t, fn->npreds + 1);
    for (uint32_t r = 0; r < x.d.c->nrpo; r++)
        for (uint32_t b = x.d.c->rpo[r], at = 0; at < fn->blocks.at[b].insns.n; at++)
            visit(&x, b, at);
    if (x.any)
        vec_each (&fn->blocks, b)
            vec_each (&b->insns, i) {
                ir_each_src (i, s)
                    rename_operand(&x, s);
                rename_operand(&x, &i->guard);
            }
    bool any = x.any;
    vec_free(&x.seen);
    defs_free(&x.d);
    return any;
}
