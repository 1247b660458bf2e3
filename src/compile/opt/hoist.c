/* SPDX-License-Identifier: Apache-2.0 */
/* The machine reads one constant an instruction, and of a double only its high word: other constants must stand in registers.
 * Inside loops every round would move them there: they move once, in front of the outermost loop, one register (pair) for each
 * value. Sizes of array elements, of addresses base + index * size with a base among the parameters, always do; others as long
 * as they cost no warp: up to the words with which all warps are resident, or up to the next granule of eight. (NVIDIA's
 * assembler keeps the base in a pair there, the size in the instruction, and doubles in uniform registers.) */
#include "compile/opt/defs.h"

enum { ENOUGH = 30, GRANULE = 8 };

struct home {
    uint32_t value[2], n, block, vreg;
};

struct hoist {
    struct defs d;
    VEC(struct home) homes;
    uint32_t room; /* words that constants other than sizes may still take */
};

/* The block in front of all loops around b, or CFG_NONE. */
static uint32_t front_of(const struct ir_cfg *c, uint32_t b)
{
    uint32_t h = c->loop[b];
    if (h == CFG_NONE)
        return CFG_NONE;
    while (c->loop_parent[h] != CFG_NONE)
        h = c->loop_parent[h];
    return c->idom[h] == h || c->loop[c->idom[h]] != CFG_NONE ? CFG_NONE : c->idom[h];
}

/* The register of a constant of n words in front of a loop; CFG_NONE: there is no room for it. */
static uint32_t home_of(struct hoist *x, const uint32_t *value, uint32_t n, uint32_t block, bool always)
{
    vec_each (&x->homes, h)
        if (h->n == n && h->value[0] == value[0] && h->value[1] == value[1] && h->block == block)
            return h->vreg;
    if (!always && x->room < n)
        return CFG_NONE;
    x->room -= always ? 0 : n;
    uint32_t v = ir_vreg(x->d.fn, n, NULL);
    vec_push(&x->homes, (struct home){{value[0], value[1]}, n, block, v});
    return v;
}

static bool has_moved_size(const struct ir_insn *i)
{
    return i->op == OP_IMAD_WIDE && i->src[1].kind == OPND_REG && i->src[1].n == 1 &&
           i->src[2].kind == OPND_CONST;
}

/* Is every word of the operand given an immediate in a loop, and nothing else anywhere? */
static bool is_moved_constant(const struct hoist *x, const struct ir_opnd *o, uint32_t b, uint32_t at,
                              uint32_t *value)
{
    value[1] = 0;
    if (o->kind != OPND_REG || o->n > 2 || x->d.fn->vregs.at[o->val].fixed)
        return false;
    for (unsigned w = 0; w < o->n; w++) {
        struct ir_opnd word = ir_reg(o->val, o->sub + w, 1);
        const struct ir_insn *m = defs_of(&x->d, &word, b, at);
        if (!m || m->op != OP_MOV || m->src[0].kind != OPND_IMM || m->dst[0].n != 1 ||
            x->d.c->loop[defs_info(&x->d, &word)->block] == CFG_NONE)
            return false;
        value[w] = m->src[0].val;
    }
    return true;
}

static bool wants_home(const struct ir_insn *i, unsigned k)
{
    bool size = has_moved_size(i) && k == 1;
    return size || (i->op != OP_MOV && !(ir_ops[i->op].flags & (OPF_CTL | OPF_MEM | OPF_SYNC)) &&
                    ir_ops[i->op].unit != UNIT_TENSOR);
}

static void visit(struct hoist *x, struct ir_insn *i, uint32_t b, uint32_t at, uint32_t front)
{
    for (unsigned k = 0; k < 6; k++) {
        struct ir_opnd *s = &i->src[k];
        uint32_t value[2];
        if (!wants_home(i, k) || !is_moved_constant(x, s, b, at, value))
            continue;
        uint32_t v = home_of(x, value, s->n, front, has_moved_size(i) && k == 1);
        if (v == CFG_NONE)
            continue;
        s->val = v;
        s->sub = 0;
    }
}

static void put(struct ir_fn *fn, const struct home *h)
{
    struct ir_block *b = &fn->blocks.at[h->block];
    uint32_t at = b->insns.n, line = at ? b->insns.at[at - 1].line : b->line;
    while (at && ir_ops[b->insns.at[at - 1].op].flags & OPF_CTL)
        at--;
    for (uint32_t w = h->n; w-- > 0;)
        vec_insert(&b->insns, at,
                   (struct ir_insn){.op = OP_MOV,
                                    .type = T_U32,
                                    .dst = {ir_reg(h->vreg, w, 1)},
                                    .src = {ir_imm(h->value[w])},
                                    .line = line});
}

static uint32_t room_of(struct ir_fn *fn, const struct ir_cfg *c)
{
    struct arena a = {0};
    uint32_t used = ir_live_pressure(fn, ir_live_build(fn, (struct ir_cfg *)c, &a));
    arena_free(&a);
    return used < ENOUGH ? ENOUGH - used : GRANULE - 1 - used % GRANULE;
}

static bool has_loop(const struct ir_cfg *c)
{
    for (uint32_t b = 0; b < c->n; b++)
        if (c->loop[b] != CFG_NONE)
            return true;
    return false;
}

void pass_hoist(struct ir_fn *fn)
{
    struct hoist x = {0};
    defs_build(&x.d, fn);
    x.room = has_loop(x.d.c) ? room_of(fn, x.d.c) : 0;
    for (uint32_t r = 0; r < x.d.c->nrpo; r++) {
        uint32_t b = x.d.c->rpo[r], front = front_of(x.d.c, b);
        for (uint32_t at = 0; front != CFG_NONE && at < fn->blocks.at[b].insns.n; at++)
            visit(&x, &fn->blocks.at[b].insns.at[at], b, at, front);
    }
    vec_each (&x.homes, h)
        put(fn, h);
    if (x.homes.n)
        pass_dead(fn);
    vec_free(&x.homes);
    defs_free(&x.d);
}
