/* SPDX-License-Identifier: Apache-2.0 */
/* Masks that take nothing away: "and 0xffff" of what has eight bits. Languages promote narrow numbers and cut them again; of the
 * bits that a word can have (known.c) the mask leaves all. */
#include "compile/lower/lower.h"
#include "compile/opt/known.h"

static bool is_mask(const struct ir_insn *i)
{
    return i->op == OP_LOP3 && i->lut == LUT_AND && !i->dst[1].kind && i->dst[0].kind == OPND_REG &&
           i->src[0].kind == OPND_REG && !i->src[0].neg && i->src[1].kind == OPND_IMM &&
           opnd_is_zero(&i->src[2]);
}

static bool has_mask(const struct ir_fn *fn)
{
    vec_each (&fn->blocks, b)
        vec_each (&b->insns, i)
            if (is_mask(i))
                return true;
    return false;
}

bool pass_masks(struct ir_fn *fn)
{
    bool any = false;
    struct defs d;
    if (!has_mask(fn))
        return false;
    defs_build(&d, fn);
    const uint32_t *bits = known_bits(&d);
    vec_each (&fn->blocks, b)
        vec_each (&b->insns, i) {
            if (!is_mask(i) || known_of(&d, bits, &i->src[0]) & ~i->src[1].val)
                continue;
            i->op = OP_MOV;
            i->type = T_U32;
            i->lut = 0;
            i->src[1] = i->src[2] = ir_none();
            any = true;
        }
    defs_free(&d);
    return any;
}
