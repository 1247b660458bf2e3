/* SPDX-License-Identifier: Apache-2.0 */
/* Drops what is overwritten before anybody reads it. dead.c counts readers of a register wherever they stand; here it matters
 * whether one can be reached: a sum that starts at zero in a block which also adds to it is given that zero for nobody, once its
 * first reader has the constant in its place. What stays would keep the register from becoming one with what is copied to it. */
#include "base/bitset.h"
#include "compile/passes.h"

/* Words or predicates that the operand names, from *bit on. */
static uint32_t bits_of(const struct ir_live *l, const struct ir_opnd *o, uint32_t *bit)
{
    if (o->kind == OPND_REG) {
        *bit = l->first[o->val] + o->sub;
        return o->n;
    }
    if (o->kind != OPND_PRED || o->val < VPRED0)
        return 0;
    *bit = ir_live_pred_bit(l, o->val);
    return 1;
}

static bool is_needed(const struct ir_fn *fn, const struct ir_live *l, struct ir_insn *i,
                      const uint64_t *live)
{
    uint32_t bit = 0, written = 0;
    if (dead_has_effect(fn, i))
        return true;
    ir_each_dst (i, o)
        for (uint32_t n = bits_of(l, o, &bit); n-- > 0; written++)
            if (bit_get(live, bit + n))
                return true;
    return !written;
}

bool pass_unread(struct ir_fn *fn)
{
    struct arena a = {0};
    struct ir_cfg *c = ir_cfg_build(fn, &a);
    struct ir_live *l = ir_live_build(fn, c, &a);
    uint64_t *live = ARENA_ARRAY(&a, uint64_t, l->set_words);
    bool any = false;
    for (uint32_t r = 0; r < c->nrpo; r++) {
        struct ir_block *b = &fn->blocks.at[c->rpo[r]];
        uint32_t keep = b->insns.n;
        memcpy(live, l->out[c->rpo[r]], l->set_words * sizeof *live);
        for (uint32_t k = b->insns.n; k-- > 0;) {
            if (!is_needed(fn, l, &b->insns.at[k], live))
                continue;
            ir_live_step(l, &b->insns.at[k], live);
            b->insns.at[--keep] = b->insns.at[k];
        }
        if (!keep) /* of a block without instructions there is nothing to move, either */
            continue;
        any = true;
        memmove(b->insns.at, b->insns.at + keep, (b->insns.n - keep) * sizeof *b->insns.at);
        b->insns.n -= keep;
    }
    arena_free(&a);
    return any;
}
