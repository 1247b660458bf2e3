/* SPDX-License-Identifier: Apache-2.0 */
#include "compile/opt/defs.h"

struct def *defs_info(const struct defs *d, const struct ir_opnd *o)
{
    return o->kind == OPND_REG ? &d->words[d->first[o->val] + o->sub] : &d->preds[o->val - VPRED0];
}

static bool tracked(const struct ir_opnd *o)
{
    return o->kind == OPND_REG || (o->kind == OPND_PRED && o->val >= VPRED0);
}

static void note_uses(struct defs *d, const struct ir_opnd *o)
{
    if (!tracked(o))
        return;
    struct def *x = defs_info(d, o);
    for (unsigned w = 0; w < (o->kind == OPND_REG ? o->n : 1u); w++)
        x[w].nuses++;
}

static void note_def(struct defs *d, const struct ir_opnd *o, const struct ir_insn *i, uint32_t block,
                     uint32_t at)
{
    if (!tracked(o))
        return;
    struct def *x = defs_info(d, o);
    for (unsigned w = 0; w < (o->kind == OPND_REG ? o->n : 1u); w++) {
        x[w].ndefs++;
        x[w].block = block;
        x[w].at = at;
        x[w].guarded |= i->guard.kind != OPND_NONE;
    }
}

void defs_build(struct defs *d, struct ir_fn *fn)
{
    *d = (struct defs){.fn = fn};
    d->c = ir_cfg_build(fn, &d->arena);
    d->first = ARENA_ARRAY(&d->arena, uint32_t, fn->vregs.n + 1);
    uint32_t n = 0;
    for (uint32_t v = 0; v < fn->vregs.n; v++) {
        d->first[v] = n;
        n += fn->vregs.at[v].n;
    }
    d->nwords = n;
    d->words = ARENA_ARRAY(&d->arena, struct def, n + 1);
    d->preds = ARENA_ARRAY(&d->arena, struct def, fn->npreds + 1);
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t k = 0; k < fn->blocks.at[b].insns.n; k++) {
            struct ir_insn *i = &fn->blocks.at[b].insns.at[k];
            ir_each_src (i, s)
                note_uses(d, s);
            note_uses(d, &i->guard);
            ir_each_dst (i, o)
                note_def(d, o, i, b, k);
        }
}

void defs_free(struct defs *d) { arena_free(&d->arena); }

struct ir_insn *defs_of(const struct defs *d, const struct ir_opnd *o, uint32_t block, uint32_t at)
{
    if (!tracked(o) || (o->kind == OPND_REG && d->fn->vregs.at[o->val].fixed))
        return NULL;
    const struct def *x = defs_info(d, o);
    if (x->ndefs != 1 || x->guarded || d->c->rpo_of[x->block] == CFG_NONE)
        return NULL;
    bool dom = x->block == block ? x->at < at : ir_dominates(d->c, x->block, block);
    return dom ? &d->fn->blocks.at[x->block].insns.at[x->at] : NULL;
}

bool defs_stable(const struct defs *d, const struct ir_opnd *o, uint32_t block, uint32_t at)
{
    if (o->kind == OPND_REG && d->fn->vregs.at[o->val].fixed)
        return d->fn->vregs.at[o->val].phys == REG_SP;
    if (!tracked(o))
        return true;
    for (unsigned w = 0; w < (o->kind == OPND_REG ? o->n : 1u); w++) {
        struct ir_opnd one = *o;
        one.sub = (uint8_t)(o->sub + w);
        if (!defs_of(d, &one, block, at))
            return false;
    }
    return true;
}

enum { MAX_CHAIN = 16 };

struct ir_opnd defs_origin(const struct defs *d, struct ir_opnd o, uint32_t block, uint32_t at)
{
    for (int hops = 0; hops < MAX_CHAIN && o.kind == OPND_REG; hops++) {
        const struct ir_insn *i = defs_of(d, &o, block, at);
        if (!i || i->op != OP_MOV)
            break;
        struct ir_opnd s = i->src[0];
        unsigned w = o.sub - i->dst[0].sub;
        if (s.kind == OPND_REG) {
            const struct def *at_mov = defs_info(d, &o);
            s = ir_reg(s.val, s.sub + w, 1);
            if (!defs_stable(d, &s, at_mov->block, at_mov->at))
                break;
        } else if (s.kind == OPND_CONST) {
            s = ir_const(s.sub, s.val + 4 * w, 1);
        } else if (w || s.n != 1) {
            break;
        }
        o = s;
    }
    return o;
}
