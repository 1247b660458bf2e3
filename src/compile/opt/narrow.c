/* SPDX-License-Identifier: Apache-2.0 */
/* Global addresses of 32 bits, as machine code had them until sm_1x, and sm_2x in 32-bit programs. PTX of today computes them in
 * 64. All of device memory lies in one span of 4 GiB then (exec_cfg.short_addr), so an access needs the low word of its address
 * alone; what only made the upper one is dead, and products of 64 bits of which the low word is left are products of 32.
 * Generic addresses, those of atomics and those that are compared keep both words. */
#include "compile/passes.h"

/* Which words of which virtual registers anybody reads. */
struct words {
    uint8_t *read; /* by virtual register: a bit for each of its first eight words */
};

static void find_reads(const struct ir_fn *fn, struct words *w)
{
    memset(w->read, 0, fn->vregs.n);
    vec_each (&fn->blocks, b)
        vec_each (&b->insns, i)
            for (unsigned k = 0; k < 6; k++)
                if (i->src[k].kind == OPND_REG)
                    w->read[i->src[k].val] |= (uint8_t)(((1u << i->src[k].n) - 1) << i->src[k].sub);
}

static bool upper_is_read(const struct ir_fn *fn, const struct words *w, const struct ir_opnd *d)
{
    return fn->vregs.at[d->val].fixed || d->sub > 6 || (w->read[d->val] >> (d->sub + 1) & 1);
}

static struct ir_opnd low(struct ir_opnd o)
{
    if (o.kind == OPND_REG || o.kind == OPND_CONST)
        o.n = 1;
    return o;
}

static bool narrow_access(struct ir_insn *i)
{
    if ((i->op != OP_LDG && i->op != OP_STG) || i->src[0].kind != OPND_REG || i->src[0].n != 2)
        return false;
    i->src[0] = low(i->src[0]);
    return true;
}

/* A product or a constant of two words, of which the upper one is read by nobody. */
static bool narrow_value(const struct ir_fn *fn, const struct words *w, struct ir_insn *i)
{
    const struct ir_opnd *d = &i->dst[0];
    bool product = i->op == OP_IMAD_WIDE, constant = i->op == OP_MOV && i->src[0].kind == OPND_CONST;
    if ((!product && !constant) || d->kind != OPND_REG || d->n != 2 || upper_is_read(fn, w, d))
        return false;
    i->dst[0] = low(i->dst[0]);
    if (product) {
        i->op = OP_IMAD;
        i->type = T_U32;
        i->src[2] = low(i->src[2]);
    } else {
        i->src[0] = low(i->src[0]);
    }
    return true;
}

void pass_narrow(struct ir_fn *fn)
{
    struct arena a = {0};
    struct words w = {ARENA_ARRAY(&a, uint8_t, fn->vregs.n + 1)};
    bool any = false;
    vec_each (&fn->blocks, b)
        vec_each (&b->insns, i)
            any |= narrow_access(i);
    while (any) {
        any = pass_dead(fn);
        find_reads(fn, &w);
        vec_each (&fn->blocks, b)
            vec_each (&b->insns, i)
                any |= narrow_value(fn, &w, i);
    }
    arena_free(&a);
}
