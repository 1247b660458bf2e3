/* SPDX-License-Identifier: Apache-2.0 */
/* Accumulators of warp groups. PTX names them one by one, HGMMA takes them as one operand, and lowering copies between the two.
 * Here every register that is a copy of one, as far as both never hold different values at once, becomes that word of the
 * accumulators: a chain of wgmma, or a loop of them, is then as NVIDIA's, without a move. It is done before scheduling, which
 * must know what belongs to accumulators (dag.c).
 *
 * A copy that stays is kept off the multiplication: before the fence in front of it, or behind the wait. */
#include "base/bitset.h"
#include "compile/regs/regalloc.h"

static bool has_acc(const struct ir_fn *fn)
{
    for (uint32_t v = 0; v < fn->vregs.n; v++)
        if (fn->vregs.at[v].acc)
            return true;
    return false;
}

static void rename_opnd(struct ra *r, struct ir_opnd *o)
{
    uint32_t w, n = o->kind == OPND_REG ? ra_opnd_words(r, o, &w) : 0;
    if (!n || !r->ent[r->root_of[w]].acc)
        return;
    o->val = r->root_of[w];
    o->sub = r->pos_of[w];
    r->fn->vregs.at[o->val].acc = 1;
}

static bool is_nothing(const struct ir_insn *i)
{
    const struct ir_opnd *d = &i->dst[0], *s = &i->src[0];
    return ra_is_copy(i) && d->val == s->val && d->sub == s->sub;
}

static void merge(struct ir_fn *fn)
{
    struct ra r = {.fn = fn, .limit = MAX_REGS};
    ra_build(&r);
    if (!r.no_graph) {
        ra_coalesce(&r, COALESCE_ACC);
        vec_each (&fn->blocks, b) {
            uint32_t n = 0;
            vec_each (&b->insns, i) {
                ir_each_dst (i, d)
                    rename_opnd(&r, d);
                ir_each_src (i, s)
                    rename_opnd(&r, s);
                if (!is_nothing(i))
                    b->insns.at[n++] = *i;
            }
            b->insns.n = n;
        }
    }
    arena_free(&r.mem);
    vec_free(&r.copies);
    vec_free(&r.pred_nospill);
}

static bool is_acc(const struct ir_fn *fn, const struct ir_opnd *o)
{
    return o->kind == OPND_REG && fn->vregs.at[o->val].acc;
}

static bool is_unread(const struct ir_live *l, const uint64_t *after, const struct ir_opnd *o)
{
    bool read = false;
    for (unsigned w = 0; w < o->n; w++)
        read |= bit_get(after, l->first[o->val] + o->sub + w);
    return !read;
}

/* Accumulators that were set for a product that does not add to them: pass_dead looks at registers, not at moments. */
static void drop_unread(struct ir_fn *fn)
{
    struct arena tmp = {0};
    struct ir_cfg *c = ir_cfg_build(fn, &tmp);
    ir_mark_kills(fn, c);
    struct ir_live *l = ir_live_build(fn, c, &tmp);
    for (uint32_t b = 0; b < fn->blocks.n; b++) {
        struct ir_block *bl = &fn->blocks.at[b];
        uint32_t to = bl->insns.n;
        for (uint32_t k = bl->insns.n; k-- > 0;) {
            struct ir_insn i = bl->insns.at[k];
            if (i.op == OP_MOV && is_acc(fn, &i.dst[0]) && is_unread(l, l->out[b], &i.dst[0]))
                continue;
            ir_live_step(l, &i, l->out[b]);
            bl->insns.at[--to] = i;
        }
        memmove(bl->insns.at, bl->insns.at + to, (bl->insns.n - to) * sizeof *bl->insns.at);
        bl->insns.n -= to;
    }
    arena_free(&tmp);
}

static bool overlap(const struct ir_opnd *a, const struct ir_opnd *b)
{
    return a->kind == OPND_REG && b->kind == OPND_REG && a->val == b->val && a->sub < b->sub + b->n &&
           b->sub < a->sub + a->n;
}

/* May the copy change places with this instruction? */
static bool passes(const struct ir_insn *mov, struct ir_insn *i)
{
    bool free = true;
    ir_each_dst (i, d)
        free &= !overlap(d, &mov->dst[0]) && !overlap(d, &mov->src[0]);
    ir_each_src (i, s)
        free &= !overlap(s, &mov->dst[0]);
    return free;
}

static bool is_group(const struct ir_insn *i, enum ir_warpgroup sub)
{
    return i->op == OP_WARPGROUP && i->sub == sub;
}

/* Instruction `from` goes to the place `to`, others make room. */
static void carry(struct ir_block *b, uint32_t from, uint32_t to)
{
    struct ir_insn i = b->insns.at[from], *at = b->insns.at;
    if (from > to)
        memmove(at + to + 1, at + to, (from - to) * sizeof *at);
    else
        memmove(at + from, at + from + 1, (to - from) * sizeof *at);
    at[to] = i;
}

/* Copies to accumulators between the fence at `fence` and the next of its kind rise above it. */
static void raise(const struct ir_fn *fn, struct ir_block *b, uint32_t fence)
{
    for (uint32_t k = fence + 1; k < b->insns.n && b->insns.at[k].op != OP_WARPGROUP; k++) {
        const struct ir_insn *i = &b->insns.at[k];
        bool can = i->op == OP_MOV && !i->guard.kind && is_acc(fn, &i->dst[0]);
        for (uint32_t x = fence; can && x < k; x++)
            can = passes(i, &b->insns.at[x]);
        if (can)
            carry(b, k, fence++);
    }
}

/* Copies from accumulators before the wait at `wait`, behind the last one before it, sink below it. */
static void sink(const struct ir_fn *fn, struct ir_block *b, uint32_t wait)
{
    for (uint32_t k = wait; k-- > 0 && !is_group(&b->insns.at[k], WG_WAIT) && b->insns.at[k].op != OP_BAR;) {
        const struct ir_insn *i = &b->insns.at[k];
        bool can = i->op == OP_MOV && !i->guard.kind && is_acc(fn, &i->src[0]);
        for (uint32_t x = k + 1; can && x <= wait; x++)
            can = passes(i, &b->insns.at[x]);
        if (can)
            carry(b, k, wait--);
    }
}

/* A group ends with its last product, as in SASS; only where that may not execute, or stands elsewhere, COMMIT stays. */
static void fold_commits(struct ir_block *b)
{
    struct ir_insn *last = NULL;
    uint32_t n = 0;
    for (uint32_t k = 0; k < b->insns.n; k++) {
        struct ir_insn *i = &b->insns.at[k];
        if (is_group(i, WG_COMMIT) && last && !last->guard.kind && !i->guard.kind) {
            last->flags |= IRF_X;
            last = NULL;
            continue;
        }
        b->insns.at[n] = *i;
        last = i->op == OP_HGMMA ? &b->insns.at[n] : i->op == OP_WARPGROUP ? NULL : last;
        n++;
    }
    b->insns.n = n;
}

void pass_wide(struct ir_fn *fn)
{
    if (!has_acc(fn))
        return;
    merge(fn);
    drop_unread(fn);
    vec_each (&fn->blocks, b) {
        for (uint32_t k = 0; k < b->insns.n; k++) {
            if (is_group(&b->insns.at[k], WG_ARRIVE))
                raise(fn, b, k);
            else if (is_group(&b->insns.at[k], WG_WAIT))
                sink(fn, b, k);
        }
        fold_commits(b);
    }
}
