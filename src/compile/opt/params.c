/* SPDX-License-Identifier: Apache-2.0 */
/* Loads of constant memory from an address that is known: structures among a kernel's parameters are read through pointers to
 * them. Each word becomes a move of the constant, which its readers can then take as an operand. */
#include "compile/opt/defs.h"

typedef VEC(struct ir_insn) insn_list;

/* The byte offset in the bank, if it is known. */
static bool address(const struct defs *d, const struct ir_insn *i, uint32_t block, uint32_t at, uint32_t *off)
{
    const struct ir_opnd *base = &i->src[0];
    struct ir_opnd from = ir_imm(0);
    if (base->kind == OPND_REG)
        from = defs_origin(d, ir_reg(base->val, base->sub, 1), block, at);
    *off = from.val + (uint32_t)i->off;
    return from.kind == OPND_IMM && (base->kind != OPND_IMM || opnd_is_zero(base));
}

static bool split(const struct defs *d, const struct ir_insn *i, uint32_t block, uint32_t at, insn_list *out)
{
    uint32_t off;
    if (i->op != OP_LDC || i->dst[0].kind != OPND_REG || type_bytes(i->type) < 4 ||
        !address(d, i, block, at, &off) || off % 4)
        return false;
    for (unsigned w = 0; w < i->dst[0].n; w++) {
        struct ir_insn m = {.op = OP_MOV, .type = T_U32, .guard = i->guard, .line = i->line};
        m.dst[0] = ir_reg(i->dst[0].val, i->dst[0].sub + w, 1);
        m.src[0] = ir_const(i->sub, off + 4 * w, 1);
        vec_push(out, m);
    }
    return true;
}

static bool loads_constants(const struct ir_fn *fn)
{
    vec_each (&fn->blocks, b)
        vec_each (&b->insns, i)
            if (i->op == OP_LDC)
                return true;
    return false;
}

bool pass_params(struct ir_fn *fn)
{
    if (!loads_constants(fn))
        return false;
    struct defs d;
    insn_list out = {0};
    bool any = false;
    defs_build(&d, fn);
    for (uint32_t r = 0; r < d.c->nrpo; r++) {
        uint32_t b = d.c->rpo[r];
        struct ir_block *bl = &fn->blocks.at[b];
        bool here = false;
        vec_clear(&out);
        for (uint32_t k = 0; k < bl->insns.n; k++) {
            bool one = split(&d, &bl->insns.at[k], b, k, &out);
            here |= one;
            if (!one)
                vec_push(&out, bl->insns.at[k]);
        }
        any |= here;
        if (!here)
            continue;
        /* Moves for loads: other blocks keep their positions, and this one is done */
        vec_resize(&bl->insns, out.n);
        for (uint32_t k = 0; k < out.n; k++)
            bl->insns.at[k] = out.at[k];
    }
    vec_free(&out);
    defs_free(&d);
    return any;
}
