/* SPDX-License-Identifier: Apache-2.0 */
#include "compile/opt/peep.h"

#include "compile/lower/lower.h"
#include "compile/opt/peep_room.h"

bool peep_stable_src(const struct peep *p, const struct ir_insn *i, const struct ir_opnd *o)
{
    const struct def *x = defs_info(&p->d, &i->dst[0]);
    return defs_stable(&p->d, o, x->block, x->at);
}

bool peep_stable_srcs(const struct peep *p, const struct ir_insn *i)
{
    for (unsigned k = 0; k < 6; k++)
        if (!peep_stable_src(p, i, &i->src[k]))
            return false;
    return true;
}

static bool writes(const struct ir_insn *i, const struct ir_opnd *o)
{
    for (unsigned k = 0; k < 2; k++) {
        const struct ir_opnd *d = &i->dst[k];
        if (d->kind == o->kind && d->val == o->val &&
            (d->kind != OPND_REG || (d->sub < o->sub + o->n && o->sub < d->sub + d->n)))
            return true;
    }
    return false;
}

enum { NEAR = 16 }; /* instructions to look back over */

bool peep_sources_kept(const struct peep *p, const struct ir_block *b, const struct ir_insn *i)
{
    if (peep_stable_srcs(p, i))
        return true;
    const struct def *x = defs_info(&p->d, &i->dst[0]);
    if (x->block != p->block || x->at >= p->at || p->at - x->at > NEAR)
        return false;
    for (uint32_t at = x->at; at < p->at; at++)
        for (unsigned k = 0; k < 6; k++)
            if ((i->src[k].kind == OPND_REG || i->src[k].kind == OPND_PRED) &&
                writes(&b->insns.at[at], &i->src[k]))
                return false;
    return true;
}

/* [a + k] of shared memory: the sum wraps at 32 bits in the instruction as it does in the addition. */
static bool fold_offset(struct peep *p, const struct ir_block *b, struct ir_insn *i)
{
    if (i->op != OP_LDS && i->op != OP_STS && i->op != OP_LDSM && i->op != OP_STSM)
        return false;
    struct ir_opnd base = i->src[0];
    const struct ir_insn *a = base.kind == OPND_REG && base.n == 1 ? peep_def(p, &base) : NULL;
    if (!a || !peep_is_add2(a) || a->src[0].kind != OPND_REG || a->src[1].kind != OPND_IMM ||
        !peep_plain(&a->src[0]) || !peep_plain(&a->src[1]) || !peep_sources_kept(p, b, a))
        return false;
    i->src[0] = a->src[0];
    i->off = (int32_t)((uint32_t)i->off + a->src[1].val);
    return true;
}

/* An address of shared memory that is known needs no register: the instruction has room for an offset from where it begins. */
static bool fold_window(struct peep *p, struct ir_insn *i)
{
    bool shared = i->op == OP_LDS || i->op == OP_STS || i->op == OP_LDSM || i->op == OP_STSM ||
                  ((i->op == OP_ATOM || i->op == OP_RED) && i->space == SPACE_SHARED);
    if (!shared || !p->d.fn->hopper || i->src[0].kind != OPND_REG || i->src[0].n != 1)
        return false;
    struct ir_opnd o = defs_origin(&p->d, i->src[0], p->block, p->at);
    if (o.kind != OPND_CONST || o.sub != BANK_WINDOW)
        return false;
    i->src[0] = ir_none();
    i->off = (int32_t)((uint32_t)i->off + o.val);
    return true;
}

/* What shrinks by itself: carries and high words nobody reads, sums with zero. */
static bool shrink(struct peep *p, struct ir_insn *i)
{
    if (i->op == OP_IADD3 && i->dst[1].kind == OPND_PRED && i->dst[1].val >= VPRED0 &&
        !defs_info(&p->d, &i->dst[1])->nuses) {
        i->dst[1] = ir_none();
        return true;
    }
    if (i->op == OP_IADD3 && !i->flags && !i->dst[1].kind) {
        unsigned k = opnd_is_zero(&i->src[0]) ? 1 : 0;
        bool copy = opnd_is_zero(&i->src[1 - k]) && opnd_is_zero(&i->src[2]) && peep_plain(&i->src[k]);
        if (copy) {
            *i = (struct ir_insn){.op = OP_MOV,
                                  .type = T_U32,
                                  .guard = i->guard,
                                  .dst = {i->dst[0]},
                                  .src = {i->src[k]},
                                  .line = i->line};
            return true;
        }
    }
    if (i->op == OP_IMAD_WIDE && i->dst[0].n == 2 && !defs_info(&p->d, &i->dst[0])[1].nuses) {
        i->op = OP_IMAD;
        i->dst[0].n = 1;
        if (i->src[2].kind != OPND_IMM)
            i->src[2].n = 1;
        return true;
    }
    return false;
}

/* a * 2^k + c is a shift. */
static bool shift_for_mul(struct ir_insn *i)
{
    if (i->op != OP_IMAD || i->flags || i->dst[1].kind || i->src[1].kind != OPND_IMM ||
        i->src[0].kind != OPND_REG || !peep_plain(&i->src[0]) || !peep_plain(&i->src[2]))
        return false;
    uint32_t by = i->src[1].val;
    if (!by || (by & (by - 1)))
        return false;
    struct ir_insn n = {.op = OP_SHL,
                        .type = T_U32,
                        .guard = i->guard,
                        .dst = {i->dst[0]},
                        .src = {i->src[0]},
                        .line = i->line};
    struct ir_opnd k = ir_imm((uint32_t)__builtin_ctz(by));
    if (opnd_is_zero(&i->src[2])) {
        n.src[1] = k;
    } else if (i->src[2].kind == OPND_REG) {
        n.op = OP_LEA;
        n.src[1] = i->src[2];
        n.src[2] = k;
    } else {
        return false;
    }
    *i = n;
    return true;
}

static void visit(struct peep *p, struct ir_block *b)
{
    struct ir_insn *i = &b->insns.at[p->at];
    bool any = shrink(p, i) || shift_for_mul(i) || fold_offset(p, b, i) || fold_window(p, i);
    any |= peep_fold_pred(p, &i->guard);
    for (unsigned k = 0; k < 6; k++)
        any |= peep_fold_pred(p, &i->src[k]) || peep_fold_sign(p, i, k);
    if (!any) /* one rewrite at a time: the use counts are those of the start */
        any = peep_known(p, i) || peep_sum(p, b) || peep_logic(p, b, i);
    p->changed |= any;
}

void peep_drop_nops(struct ir_fn *fn)
{
    vec_each (&fn->blocks, b) {
        uint32_t n = 0;
        for (uint32_t k = 0; k < b->insns.n; k++)
            if (b->insns.at[k].op != OP_NOP)
                b->insns.at[n++] = b->insns.at[k];
        b->insns.n = n;
    }
}

bool peephole(struct ir_fn *fn)
{
    struct peep p = {0};
    defs_build(&p.d, fn);
    p.inverted = ARENA_ARRAY(&p.d.arena, bool, fn->npreds + 1);
    for (uint32_t r = 0; r < p.d.c->nrpo; r++) {
        p.block = p.d.c->rpo[r];
        for (p.at = 0; p.at < fn->blocks.at[p.block].insns.n; p.at++)
            visit(&p, &fn->blocks.at[p.block]);
    }
    peep_tell_readers(&p, fn);
    defs_free(&p.d);
    peep_drop_nops(fn);
    return p.changed;
}
