/* SPDX-License-Identifier: Apache-2.0 */
/* Products that only a sum reads become multiply-adds, where PTX leaves that open: mul, add and sub of floats without a rounding
 * mode. NVIDIA's assembler fuses them (with .rn it may not), and of a sum of two products it fuses the first operand's: in code
 * of nvcc 13 for sm_90, a * b - c * d is the product c * d and a multiply-add. Runs first, on what lowering made; RND_NONE is
 * what nobody prescribed, and is the nearest from here on. */
#include "compile/opt/defs.h"
#include "compile/opt/legal.h"

struct kind {
    enum ir_op mul, add, fma;
};

static bool kind_of(const struct ir_insn *i, struct kind *k)
{
    static const struct kind kinds[] = {{OP_FMUL, OP_FADD, OP_FFMA}, {OP_DMUL, OP_DADD, OP_DFMA}};
    for (unsigned n = 0; n < 2; n++)
        if (i->op == kinds[n].add) {
            *k = kinds[n];
            return true;
        }
    return false;
}

static bool is_open(const struct ir_insn *i)
{
    return i->rnd == RND_NONE && !i->guard.kind && !(i->flags & IRF_SAT);
}

static bool read_once(const struct defs *d, const struct ir_opnd *o)
{
    for (unsigned w = 0; w < o->n; w++)
        if (defs_info(d, o)[w].nuses != 1 || defs_info(d, o)[w].ndefs != 1)
            return false;
    return true;
}

/* The sum i with the product that its operand k is. */
static bool fuse(const struct defs *d, struct ir_insn *i, unsigned k, const struct kind *kind, uint32_t block,
                 uint32_t at)
{
    const struct ir_opnd *p = &i->src[k];
    if (p->kind != OPND_REG || p->abs || !read_once(d, p))
        return false;
    struct ir_opnd word = *p;
    word.n = 1;
    word.neg = 0;
    const struct ir_insn *m = defs_of(d, &word, block, at);
    if (!m || m->op != kind->mul || !is_open(m) || m->dst[0].n != p->n || m->dst[0].val != p->val ||
        m->dst[0].sub != p->sub || (m->flags ^ i->flags) & IRF_FTZ)
        return false;
    struct ir_insn f = *i;
    f.op = kind->fma;
    f.src[0] = m->src[0];
    f.src[1] = m->src[1];
    f.src[2] = i->src[1 - k];
    if (f.src[0].abs || f.src[1].abs || f.src[2].abs)
        return false;
    if (p->neg)
        f.src[0].neg ^= 1;
    for (unsigned s = 0; s < 3; s++)
        if (!legal_src(&f, s, &f.src[s]) || (s < 2 && !defs_stable(d, &f.src[s], block, at)))
            return false;
    *i = f;
    return true;
}

void pass_fuse(struct ir_fn *fn)
{
    struct defs d;
    defs_build(&d, fn);
    for (uint32_t r = 0; r < d.c->nrpo; r++)
        for (uint32_t b = d.c->rpo[r], at = 0; at < fn->blocks.at[b].insns.n; at++) {
            struct ir_insn *i = &fn->blocks.at[b].insns.at[at];
            struct kind k;
            if (kind_of(i, &k) && is_open(i))
                (void)(fuse(&d, i, 0, &k, b, at) || fuse(&d, i, 1, &k, b, at));
        }
    defs_free(&d);
    vec_each (&fn->blocks, b)
        vec_each (&b->insns, i)
            if (i->rnd == RND_NONE && (i->op == OP_FMUL || i->op == OP_FADD || i->op == OP_FFMA ||
                                       i->op == OP_DMUL || i->op == OP_DADD || i->op == OP_DFMA))
                i->rnd = RND_RN;
}
