/* SPDX-License-Identifier: Apache-2.0 */
/* Which branches may diverge. Lanes of a warp differ by their thread index, what they load from places of their own, and what a
 * divergent branch made them skip; everything else is the same for all of them. What all lanes load from one place of global or
 * shared memory by one instruction is the same, too: ptxas 13 has no BSSY for a branch on it (volatile or not, written by the
 * kernel or not). Only for sm_90: the stored figures of the suite rest on code for sm_80.
 * Optimistic: all values start uniform, and divergence spreads from its sources until nothing changes. A value written under a
 * divergent branch is divergent. */
#include "base/bitset.h"
#include "compile/passes.h"

struct uniform {
    struct ir_fn *fn;
    const struct ir_cfg *c;
    uint64_t *reg, *pred; /* divergent virtual registers, predicates */
    bool *under;          /* block runs under a divergent branch */
    bool *branch;         /* the block's closing branch diverges */
    bool changed;
};

static bool source_diverges(const struct uniform *u, const struct ir_insn *i)
{
    switch (i->op) {
    case OP_LDG:
    case OP_LDS:
        if (u->fn->hopper)
            return false; /* uniform if the address is */
        break;
    case OP_S2R:
        return !(i->sub >= SR_CTAID_X && i->sub <= SR_CTAID_Z) && i->sub != SR_DYN_SMEM &&
               i->sub != SR_TOTAL_SMEM && i->sub != SR_ZERO;
    case OP_LDC:
    case OP_TXQ: return false; /* uniform if the address is */
    default: break;
    }
    return ir_ops[i->op].flags & (OPF_MEM | OPF_SYNC) || i->op == OP_CALL || i->op == OP_SYSCALL;
}

static bool opnd_diverges(const struct uniform *u, const struct ir_opnd *o)
{
    if (o->kind == OPND_REG)
        return bit_get(u->reg, o->val);
    return o->kind == OPND_PRED && o->val != PRED_PT && bit_get(u->pred, o->val);
}

static void mark(struct uniform *u, const struct ir_opnd *o)
{
    if (o->kind == OPND_NONE || (o->kind == OPND_PRED && o->val == PRED_PT) || opnd_diverges(u, o))
        return;
    bit_set(o->kind == OPND_REG ? u->reg : u->pred, o->val);
    u->changed = true;
}

static void visit_insn(struct uniform *u, uint32_t b, struct ir_insn *i)
{
    bool div = u->under[b] || source_diverges(u, i) || opnd_diverges(u, &i->guard);
    ir_each_src (i, s)
        div |= opnd_diverges(u, s);
    if (!div)
        return;
    ir_each_dst (i, d)
        mark(u, d);
}

/* Everything reachable from the branch before its post-dominator runs with some lanes only. */
static void spread(struct uniform *u, uint32_t from)
{
    uint32_t stop = u->c->ipdom[from];
    VEC(uint32_t) work = {0};
    vec_each (&u->fn->blocks.at[from].succ, s)
        vec_push(&work, *s);
    while (work.n) {
        uint32_t b = work.at[--work.n];
        if (b == stop || u->under[b])
            continue;
        u->under[b] = true;
        u->changed = true;
        vec_each (&u->fn->blocks.at[b].succ, s)
            vec_push(&work, *s);
    }
    vec_free(&work);
}

static void visit_branch(struct uniform *u, uint32_t b)
{
    const struct ir_block *blk = &u->fn->blocks.at[b];
    if (u->branch[b] || blk->succ.n < 2 || !blk->insns.n)
        return;
    const struct ir_insn *i = &blk->insns.at[blk->insns.n - 1];
    bool div =
        i->op == OP_BRX ? opnd_diverges(u, &i->src[0]) : opnd_diverges(u, &i->guard) && !(i->flags & IRF_UNI);
    if (!div)
        return;
    u->branch[b] = true;
    u->changed = true;
    spread(u, b);
}

bool *find_divergent(struct ir_fn *fn, const struct ir_cfg *c, struct arena *a)
{
    struct uniform u = {.fn = fn, .c = c};
    u.reg = ARENA_ARRAY(a, uint64_t, BITSET_WORDS(fn->vregs.n + 1));
    u.pred = ARENA_ARRAY(a, uint64_t, BITSET_WORDS(VPRED0 + fn->npreds));
    u.under = ARENA_ARRAY(a, bool, c->n);
    u.branch = ARENA_ARRAY(a, bool, c->n);
    if (!fn->is_entry) { /* arguments are unknown, and so is who called */
        for (uint32_t b = 0; b < c->n; b++)
            u.under[b] = true;
    }
    do {
        u.changed = false;
        for (uint32_t k = 0; k < c->nrpo; k++) {
            uint32_t b = c->rpo[k];
            vec_each (&fn->blocks.at[b].insns, i)
                visit_insn(&u, b, i);
            visit_branch(&u, b);
        }
    } while (u.changed);
    return u.branch;
}
