/* SPDX-License-Identifier: Apache-2.0 */
/* Bases of addresses on sm_90. A multiply-add has room for one constant: of base + index * size that is the size, and the base, a
 * pair among the parameters, stands in registers (older GPUs have it the other way round: peep.c and hoist.c). It is loaded once,
 * above all blocks that read it and in front of loops, as long as it costs no warp; otherwise each of these blocks loads it. */
#include "compile/opt/defs.h"

enum { ENOUGH = 30, GRANULE = 8 }; /* words, as in hoist.c */

struct base {
    uint32_t bank, off;
    uint32_t block;          /* above all readers; CFG_NONE: each block loads it */
    uint32_t last, nblocks;  /* block of the last reader so far, and how many */
    uint32_t vreg, vreg_for; /* where it is, in which block if each loads it */
};

struct bases {
    struct defs d;
    VEC(struct base) all;
    uint32_t room; /* words that may be alive across blocks */
};

typedef VEC(struct ir_insn) insn_list;

static bool has_base(const struct ir_insn *i)
{
    return i->op == OP_IMAD_WIDE && i->src[2].kind == OPND_CONST && !i->src[2].neg;
}

static struct base *base_of(struct bases *x, const struct ir_opnd *o)
{
    vec_each (&x->all, b)
        if (b->bank == o->sub && b->off == o->val)
            return b;
    vec_push(&x->all, (struct base){.bank = o->sub, .off = o->val, .block = CFG_NONE, .last = CFG_NONE});
    return &x->all.at[x->all.n - 1];
}

static void note(struct bases *x, const struct ir_insn *i, uint32_t block)
{
    const struct ir_cfg *c = x->d.c;
    struct base *b = base_of(x, &i->src[2]);
    b->nblocks += b->last != block;
    b->last = block;
    if (b->block == CFG_NONE)
        b->block = block;
    while (!ir_dominates(c, b->block, block))
        b->block = c->idom[b->block];
}

static void place(struct bases *x, struct base *b)
{
    const struct ir_cfg *c = x->d.c;
    uint32_t front = b->block;
    while (c->loop[front] != CFG_NONE && c->idom[c->loop[front]] != c->loop[front])
        front = c->idom[c->loop[front]];
    bool across = b->nblocks > 1 || front != b->block;
    b->block = across && x->room < 2 ? CFG_NONE : front;
    b->vreg_for = CFG_NONE;
    if (b->block == CFG_NONE)
        return;
    x->room -= across ? 2 : 0;
    b->vreg = ir_vreg(x->d.fn, 2, NULL);
}

/* The factor can be an immediate again. */
static void take_size(const struct bases *x, struct ir_insn *i, uint32_t block, uint32_t at)
{
    struct ir_opnd *s = &i->src[1];
    if (s->kind != OPND_REG || s->n != 1 || s->neg)
        return;
    struct ir_opnd from = defs_origin(&x->d, *s, block, at);
    if (from.kind == OPND_IMM)
        *s = ir_imm(from.val);
}

static void load(const struct base *b, insn_list *out, uint32_t line)
{
    for (uint32_t w = 0; w < 2; w++)
        vec_push(out, (struct ir_insn){.op = OP_MOV,
                                       .type = T_U32,
                                       .sub = 1,
                                       .dst = {ir_reg(b->vreg, w, 1)},
                                       .src = {ir_const(b->bank, b->off + 4 * w, 1)},
                                       .line = line});
}

/* The base's register, loaded in this block if it is the place for it and this is the first reader. */
static uint32_t register_of(struct bases *x, struct base *b, uint32_t block, insn_list *out, uint32_t line)
{
    if (b->block == CFG_NONE && b->vreg_for != block)
        b->vreg = ir_vreg(x->d.fn, 2, NULL);
    if ((b->block == CFG_NONE || b->block == block) && b->vreg_for != block)
        load(b, out, line);
    b->vreg_for = block;
    return b->vreg;
}

static void rewrite(struct bases *x, uint32_t block, insn_list *out)
{
    struct ir_block *bl = &x->d.fn->blocks.at[block];
    uint32_t end = bl->insns.n;
    while (end && ir_ops[bl->insns.at[end - 1].op].flags & OPF_CTL)
        end--;
    vec_clear(out);
    for (uint32_t at = 0; at <= bl->insns.n; at++) {
        if (at == end)
            vec_each (&x->all, b)
                if (b->block == block)
                    register_of(x, b, block, out, end ? bl->insns.at[end - 1].line : bl->line);
        if (at == bl->insns.n)
            break;
        struct ir_insn i = bl->insns.at[at];
        if (has_base(&i))
            i.src[2] = ir_reg(register_of(x, base_of(x, &i.src[2]), block, out, i.line), 0, 2);
        vec_push(out, i);
    }
    ir_block_set(bl, out->at, out->n);
}

static uint32_t room_of(struct ir_fn *fn, struct ir_cfg *c)
{
    struct arena a = {0};
    uint32_t used = ir_live_pressure(fn, ir_live_build(fn, c, &a));
    arena_free(&a);
    return used < ENOUGH ? ENOUGH - used : GRANULE - 1 - used % GRANULE;
}

void pass_bases(struct ir_fn *fn)
{
    struct bases x = {0};
    insn_list out = {0};
    defs_build(&x.d, fn);
    for (uint32_t r = 0; r < x.d.c->nrpo; r++) {
        uint32_t b = x.d.c->rpo[r];
        for (uint32_t at = 0; at < fn->blocks.at[b].insns.n; at++) {
            struct ir_insn *i = &fn->blocks.at[b].insns.at[at];
            if (!has_base(i))
                continue;
            note(&x, i, b);
            take_size(&x, i, b, at);
        }
    }
    x.room = x.all.n ? room_of(fn, x.d.c) : 0;
    vec_each (&x.all, b)
        place(&x, b);
    for (uint32_t r = 0; x.all.n && r < x.d.c->nrpo; r++)
        rewrite(&x, x.d.c->rpo[r], &out);
    if (x.all.n)
        pass_dead(fn);
    vec_free(&out);
    vec_free(&x.all);
    defs_free(&x.d);
}
