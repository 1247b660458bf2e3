/* The machine reads one constant an instruction, so an address base + index * size with a base among the parameters needs its
 * size in a register. Inside loops every round would move it there: it moves once, in front of the outermost loop, one
 * register for each size. (NVIDIA's assembler keeps the base in a pair there and the size in the instruction.) */
#include "compile/opt/defs.h"

struct home {
    uint32_t value, block, vreg;
};

struct hoist {
    struct defs d;
    VEC(struct home) homes;
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

static uint32_t home_of(struct hoist *x, uint32_t value, uint32_t block)
{
    vec_each (&x->homes, h)
        if (h->value == value && h->block == block)
            return h->vreg;
    uint32_t v = ir_vreg(x->d.fn, 1, NULL);
    vec_push(&x->homes, (struct home){value, block, v});
    return v;
}

static bool has_moved_size(const struct ir_insn *i)
{
    return i->op == OP_IMAD_WIDE && i->src[1].kind == OPND_REG && i->src[1].n == 1 &&
           i->src[2].kind == OPND_CONST;
}

static void visit(struct hoist *x, struct ir_insn *i, uint32_t b, uint32_t at, uint32_t front)
{
    struct ir_opnd *size = &i->src[1];
    if (!has_moved_size(i))
        return;
    const struct ir_insn *m = defs_of(&x->d, size, b, at);
    if (m && m->op == OP_MOV && m->src[0].kind == OPND_IMM && m->dst[0].n == 1 &&
        x->d.c->loop[defs_info(&x->d, size)->block] != CFG_NONE)
        *size = ir_reg(home_of(x, m->src[0].val, front), 0, 1);
}

static void put(struct ir_fn *fn, const struct home *h)
{
    struct ir_block *b = &fn->blocks.at[h->block];
    uint32_t at = b->insns.n, line = at ? b->insns.at[at - 1].line : b->line;
    while (at && ir_ops[b->insns.at[at - 1].op].flags & OPF_CTL)
        at--;
    vec_insert(&b->insns, at,
               (struct ir_insn){.op = OP_MOV,
                                .type = T_U32,
                                .dst = {ir_reg(h->vreg, 0, 1)},
                                .src = {ir_imm(h->value)},
                                .line = line});
}

static bool has_any(const struct ir_fn *fn)
{
    vec_each (&fn->blocks, b)
        vec_each (&b->insns, i)
            if (has_moved_size(i))
                return true;
    return false;
}

void pass_hoist(struct ir_fn *fn)
{
    struct hoist x = {0};
    if (!has_any(fn))
        return;
    defs_build(&x.d, fn);
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
