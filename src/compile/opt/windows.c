/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses in shared memory on sm_90, x + c[BANK_WINDOW]. Compilers put the sum into each block that accesses shared memory:
 * older targets have room for it in the access; here it is an instruction. Equal ones in several blocks become one, in the block
 * above all of them and in front of loops that not all of them are in. */
#include "compile/opt/defs.h"

struct sum {
    struct ir_insn insn;
    uint32_t block, nblocks; /* above all of them; how many there are */
    uint32_t vreg;           /* its value there; CFG_NONE: they stay */
};

struct windows {
    struct defs d;
    VEC(struct sum) sums;
};

/* A sum whose register nothing else writes: a counter that begins with it is not one. */
static bool is_plain(const struct windows *x, const struct ir_insn *i)
{
    return (i->op == OP_IADD3 || i->op == OP_LEA) && !i->guard.kind && !i->flags && !i->dst[1].kind &&
           i->dst[0].kind == OPND_REG && x->d.fn->vregs.at[i->dst[0].val].n == 1 &&
           !x->d.fn->vregs.at[i->dst[0].val].fixed && defs_info(&x->d, &i->dst[0])->ndefs == 1;
}

static bool is_sum(const struct windows *x, const struct ir_insn *i, uint32_t block, uint32_t at)
{
    bool window = false;
    if (!is_plain(x, i))
        return false;
    for (unsigned k = 0; k < 6; k++) {
        window |= i->src[k].kind == OPND_CONST && i->src[k].sub == BANK_WINDOW;
        if (i->src[k].kind != OPND_NONE && !defs_stable(&x->d, &i->src[k], block, at))
            return false;
    }
    return window;
}

static bool same(const struct ir_insn *a, const struct ir_insn *b)
{
    bool equal = a->op == b->op;
    for (unsigned k = 0; equal && k < 3; k++) {
        const struct ir_opnd *x = &a->src[k], *y = &b->src[k];
        equal = x->kind == y->kind && (x->kind == OPND_NONE || (x->val == y->val && x->sub == y->sub &&
                                                                x->neg == y->neg && x->n == y->n));
    }
    return equal;
}

static struct sum *sum_of(struct windows *x, const struct ir_insn *i)
{
    vec_each (&x->sums, s)
        if (same(&s->insn, i))
            return s;
    return NULL;
}

static void note(struct windows *x, const struct ir_insn *i, uint32_t block)
{
    const struct ir_cfg *c = x->d.c;
    struct sum *s = sum_of(x, i);
    if (!s) {
        vec_push(&x->sums, (struct sum){.insn = *i, .block = block, .nblocks = 1, .vreg = CFG_NONE});
        return;
    }
    s->nblocks++;
    while (!ir_dominates(c, s->block, block))
        s->block = c->idom[s->block];
}

/* In front of the loops around the block above them that one of them is not in. */
static void leave_loops(const struct windows *x, struct sum *s, uint32_t user)
{
    const struct ir_cfg *c = x->d.c;
    while (c->depth[s->block] > c->depth[user] && c->idom[c->loop[s->block]] != c->loop[s->block])
        s->block = c->idom[c->loop[s->block]];
}

static void put(struct windows *x, struct sum *s)
{
    struct ir_block *b = &x->d.fn->blocks.at[s->block];
    uint32_t at = b->insns.n;
    while (at && ir_ops[b->insns.at[at - 1].op].flags & OPF_CTL)
        at--;
    vec_each (&b->insns, i)
        if (same(&s->insn, i) && is_plain(x, i))
            return; /* cse.c has seen to that */
    for (unsigned k = 0; k < 6; k++)
        if (s->insn.src[k].kind != OPND_NONE && !defs_stable(&x->d, &s->insn.src[k], s->block, at))
            return;
    s->vreg = ir_vreg(x->d.fn, 1, NULL);
    s->insn.dst[0] = ir_reg(s->vreg, 0, 1);
    vec_insert(&b->insns, at, s->insn);
}

typedef void visit_fn(struct windows *x, struct ir_insn *i, uint32_t block);

static void visit_note(struct windows *x, struct ir_insn *i, uint32_t block) { note(x, i, block); }

static void visit_leave(struct windows *x, struct ir_insn *i, uint32_t block)
{
    leave_loops(x, sum_of(x, i), block);
}

static void each_sum(struct windows *x, visit_fn *visit)
{
    for (uint32_t r = 0; r < x->d.c->nrpo; r++)
        for (uint32_t b = x->d.c->rpo[r], at = 0; at < x->d.fn->blocks.at[b].insns.n; at++) {
            struct ir_insn *i = &x->d.fn->blocks.at[b].insns.at[at];
            if (is_sum(x, i, b, at))
                visit(x, i, b);
        }
}

bool pass_windows(struct ir_fn *fn)
{
    struct windows x = {0};
    bool any = false;
    defs_build(&x.d, fn);
    each_sum(&x, visit_note);
    each_sum(&x, visit_leave);
    uint32_t known = fn->vregs.n;
    vec_each (&x.sums, s)
        if (s->nblocks > 1)
            put(&x, s);
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        vec_each (&fn->blocks.at[b].insns, i) {
            struct sum *s = i->dst[0].kind == OPND_REG && i->dst[0].val < known ? sum_of(&x, i) : NULL;
            if (!s || s->vreg == CFG_NONE || !is_plain(&x, i) || !ir_dominates(x.d.c, s->block, b))
                continue;
            any = true;
            *i = (struct ir_insn){.op = OP_MOV,
                                  .type = T_U32,
                                  .dst = {i->dst[0]},
                                  .src = {ir_reg(s->vreg, 0, 1)},
                                  .line = i->line};
        }
    vec_free(&x.sums);
    defs_free(&x.d);
    return any;
}
