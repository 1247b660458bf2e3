/* SPDX-License-Identifier: Apache-2.0 */
/* The last step: operands name physical registers, copies that became nothing go, tuple copies become single ones. */
#include "compile/regs/regalloc.h"

static void place(const struct ra *r, const struct ra_colours *c, struct ir_opnd *o)
{
    uint32_t w;

    if (o->kind == OPND_REG && r->fn->vregs.at[o->val].fixed) {
        o->val = r->fn->vregs.at[o->val].phys + o->sub;
        o->sub = 0;
    } else if (ra_opnd_words(r, o, &w)) {
        o->val = (uint32_t)c->phys[r->root_of[w]] + r->pos_of[w];
        o->sub = 0;
    }
}

/* Word k of a source of a tuple copy. */
static struct ir_opnd word_of(const struct ir_opnd *o, unsigned k)
{
    struct ir_opnd w = *o;

    w.n = 1;
    if (o->kind == OPND_REG)
        w.val += k;
    else if (o->kind == OPND_CONST)
        w.val += 4 * k;
    else if (o->n == 2)
        w.val = k == 1 ? o->val : 0; /* an immediate pair is the high word of a double */
    return w;
}

typedef VEC(struct ir_insn) insn_list;

static void emit_move(const struct ir_insn *i, insn_list *out)
{
    const struct ir_opnd *d = &i->dst[0], *s = &i->src[0];
    bool from_reg = s->kind == OPND_REG;

    if (from_reg && d->val == s->val && !s->neg && !s->abs)
        return;
    /* As if all words were read before any is written: the order that does not step on unread words. */
    bool down = from_reg && d->val > s->val;
    for (unsigned k = 0; k < d->n; k++) {
        unsigned at = down ? d->n - 1u - k : k;
        struct ir_insn one = *i;
        one.dst[0].val += at;
        one.dst[0].n = 1;
        one.src[0] = word_of(s, at);
        vec_push(out, one);
    }
}

static void note_use(struct ir_fn *fn, const struct ir_opnd *o)
{
    if (o->kind == OPND_REG && o->val + o->n > fn->regs_used)
        fn->regs_used = o->val + o->n;
    if (o->kind == OPND_PRED && o->val < MAX_PREDS && o->val + 1 > fn->preds_used)
        fn->preds_used = o->val + 1;
}

static void note_uses(struct ir_fn *fn, struct ir_insn *i)
{
    ir_each_dst (i, d)
        note_use(fn, d);
    ir_each_src (i, s)
        note_use(fn, s);
    note_use(fn, &i->guard);
}

void ra_rewrite(struct ra *r, const struct ra_colours *c)
{
    struct ir_fn *fn = r->fn;
    insn_list out = {0};

    fn->regs_used = REG_SP + 1;
    fn->preds_used = 0;
    for (uint32_t b = 0; b < fn->blocks.n; b++) {
        struct ir_block *bl = &fn->blocks.at[b];
        vec_clear(&out);
        for (uint32_t k = 0; k < bl->insns.n; k++) {
            struct ir_insn i = bl->insns.at[k];
            ir_each_dst (&i, d)
                place(r, c, d);
            ir_each_src (&i, s)
                place(r, c, s);
            place(r, c, &i.guard);
            i.flags &= (uint16_t) ~(IRF_KILL0 | IRF_KILL1);
            if (i.op == OP_MOV && i.dst[0].kind == OPND_REG)
                emit_move(&i, &out);
            else
                vec_push(&out, i);
        }
        ir_block_set(bl, out.at, out.n);
        for (uint32_t k = 0; k < bl->insns.n; k++)
            note_uses(fn, &bl->insns.at[k]);
    }
    vec_free(&out);
    fn->allocated = true;
}
