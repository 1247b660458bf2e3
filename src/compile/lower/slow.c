/* SPDX-License-Identifier: Apache-2.0 */
#include "compile/lower/slow.h"

#include "base/bitset.h"
#include "ir/cfg.h"

enum { REG_WORDS = 4 };

/* Physical registers and predicates. */
struct names {
    uint64_t reg[REG_WORDS];
    uint8_t pred;
};

bool slow_is(const struct ir_insn *i, enum slow kind)
{
    bool plain = !i->src[0].neg && !i->src[0].abs && !i->src[1].neg && !i->src[1].abs;
    return i->op == OP_SLOWF && i->type == T_F32 && i->rnd == RND_RN && !(i->flags & IRF_FTZ) &&
           i->guard.kind == OPND_NONE && i->sub == (uint8_t)kind && plain;
}

static const struct ir_insn *first_use(const struct ir_fn *fn, enum slow kind)
{
    vec_each (&fn->blocks, b)
        vec_each (&b->insns, i)
            if (slow_is(i, kind))
                return i;
    return NULL;
}

bool slow_used(const struct ir_fn *fn, enum slow kind) { return first_use(fn, kind) != NULL; }

static void set(struct names *s, const struct ir_opnd *o, bool on)
{
    for (uint32_t w = 0; o->kind == OPND_REG && w < o->n; w++)
        on ? bit_set(s->reg, o->val + w) : bit_clear(s->reg, o->val + w);
    if (o->kind == OPND_PRED && o->val < MAX_PREDS)
        s->pred = (uint8_t)(on ? s->pred | 1u << o->val : s->pred & ~(1u << o->val));
}

/* From what lives after an instruction to what lives before it. A guarded write leaves the old value to some lanes; a call of a
 * device function keeps what its convention keeps, which then lives anyway. */
static void step(struct names *s, struct ir_insn *i)
{
    if (i->guard.kind == OPND_NONE)
        ir_each_dst (i, d)
            set(s, d, false);
    ir_each_src (i, o)
        set(s, o, true);
    set(s, &i->guard, true);
}

/* Whether `s` got anything that it did not have. */
static bool merge(struct names *s, const struct names *more)
{
    struct names had = *s;
    for (unsigned w = 0; w < REG_WORDS; w++)
        s->reg[w] |= more->reg[w];
    s->pred |= more->pred;
    return s->pred != had.pred || memcmp(s->reg, had.reg, sizeof had.reg) != 0;
}

static struct names live_out(const struct ir_fn *fn, uint32_t b, const struct names *in)
{
    struct names s = {0};
    vec_each (&fn->blocks.at[b].succ, n)
        merge(&s, &in[*n]);
    return s;
}

/* What lives behind any of the calls. The operands need not: they are in other places by then. */
static struct names busy_at_calls(struct ir_fn *fn, enum slow kind)
{
    struct names busy = {0}, *in = xcalloc(fn->blocks.n, sizeof *in);
    ir_cfg_link(fn);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = fn->blocks.n; b-- > 0;) {
            struct names s = live_out(fn, b, in);
            for (uint32_t k = fn->blocks.at[b].insns.n; k-- > 0;)
                step(&s, &fn->blocks.at[b].insns.at[k]);
            changed |= merge(&in[b], &s);
        }
    }
    for (uint32_t b = 0; b < fn->blocks.n; b++) {
        struct names s = live_out(fn, b, in);
        for (uint32_t k = fn->blocks.at[b].insns.n; k-- > 0;) {
            struct ir_insn *i = &fn->blocks.at[b].insns.at[k];
            if (slow_is(i, kind)) {
                set(&s, &i->dst[0], false);
                merge(&busy, &s);
            }
            step(&s, i);
        }
    }
    free(in);
    return busy;
}

/* What the subroutine names becomes what the kernel leaves free. */
struct map {
    uint8_t reg[MAX_REGS], pred[MAX_PREDS];
    uint32_t regs, preds; /* highest + 1 */
};

/* Operand `place` of the subroutine stays where the first call has it, if it may. */
static void keep(const struct ir_opnd *o, uint32_t place, struct names *used, struct names *busy,
                 struct map *m)
{
    if (o->kind != OPND_REG || !bit_get(used->reg, place) || bit_get(busy->reg, o->val) || o->val == REG_SP)
        return;
    m->reg[place] = (uint8_t)o->val;
    m->regs = o->val + 1 > m->regs ? o->val + 1 : m->regs;
    bit_set(busy->reg, o->val);
    bit_clear(used->reg, place);
}

static bool choose(const struct ir_insn *first, struct names *used, struct names *busy, uint32_t limit,
                   struct map *m)
{
    uint32_t at = 0;
    keep(&first->src[0], SLOW_A, used, busy, m);
    keep(&first->src[1], SLOW_B, used, busy, m);
    for (uint32_t r = 0; r < MAX_REGS; r++) {
        if (!bit_get(used->reg, r))
            continue;
        while (at == REG_SP || (at < MAX_REGS && bit_get(busy->reg, at)))
            at++;
        if (at >= limit || r == REG_SP)
            return false;
        m->reg[r] = (uint8_t)at++;
        m->regs = at > m->regs ? at : m->regs;
    }
    at = 0;
    for (uint32_t p = 0; p < MAX_PREDS; p++) {
        if (!(used->pred >> p & 1))
            continue;
        while (busy->pred >> at & 1)
            at++;
        if (at >= MAX_PREDS)
            return false;
        m->pred[p] = (uint8_t)at++;
        m->preds = at;
    }
    return true;
}

static void rename_opnd(const struct map *m, struct ir_opnd *o)
{
    if (o->kind == OPND_REG)
        o->val = m->reg[o->val];
    else if (o->kind == OPND_PRED && o->val < MAX_PREDS)
        o->val = m->pred[o->val];
}

static struct ir_insn copy(struct ir_opnd d, struct ir_opnd s, uint32_t line)
{
    return (struct ir_insn){.op = OP_MOV, .type = T_U32, .dst = {d}, .src = {s}, .line = line};
}

static bool same_reg(const struct ir_opnd *a, const struct ir_opnd *b)
{
    return a->kind == OPND_REG && b->kind == OPND_REG && a->val == b->val;
}

/* SLOWF d, s0, s1: the operands to their places, the call, the result from its place. Where s1 lies in the first place it moves
 * first; where both lie in each other's, the first waits in the register that the call will put the return address into. */
static void call_it(struct ir_block *bl, uint32_t at, const struct map *m, uint32_t id)
{
    struct ir_insn slow = bl->insns.at[at], out[5];
    struct ir_opnd a = ir_reg(m->reg[SLOW_A], 0, 1), b = ir_reg(m->reg[SLOW_B], 0, 1),
                   link = ir_reg(m->reg[REG_LINK], 0, 1), *s0 = &slow.src[0], *s1 = &slow.src[1];
    bool two = s1->kind != OPND_NONE, b_first = two && same_reg(s1, &a);
    uint32_t n = 0;
    if (b_first && same_reg(s0, &b)) {
        out[n++] = copy(link, *s0, slow.line);
        *s0 = link;
    }
    if (b_first)
        out[n++] = copy(b, *s1, slow.line);
    if (!same_reg(s0, &a))
        out[n++] = copy(a, *s0, slow.line);
    if (two && !b_first && !same_reg(s1, &b))
        out[n++] = copy(b, *s1, slow.line);
    out[n++] = (struct ir_insn){.op = OP_CALL, .dst = {link}, .src = {ir_imm(id)}, .line = slow.line};
    bl->insns.at[at] = copy(slow.dst[0], a, slow.line);
    if (same_reg(&slow.dst[0], &a))
        bl->insns.at[at] = out[--n];
    while (n-- > 0)
        vec_insert(&bl->insns, at, out[n]);
}

bool slow_bind(struct ir_fn *kernel, struct ir_fn *sub, enum slow kind, uint32_t limit)
{
    struct names used = {0}, busy = busy_at_calls(kernel, kind);
    struct map m = {0};
    bool words = sub->frame_b == 0;
    vec_each (&sub->blocks, b)
        vec_each (&b->insns, i) {
            if (i->op == OP_RET)
                i->src[1] = ir_none();
            ir_each_dst (i, d)
                set(&used, d, true), words &= d->kind != OPND_REG || d->n == 1;
            ir_each_src (i, s)
                set(&used, s, true), words &= s->kind != OPND_REG || s->n == 1;
        }
    if (!words || !choose(first_use(kernel, kind), &used, &busy, limit, &m))
        return false;
    uint32_t line = 0;
    vec_each (&kernel->blocks, b)
        for (uint32_t k = 0; k < b->insns.n; k++)
            if (slow_is(&b->insns.at[k], kind)) {
                line = line ? line : b->insns.at[k].line;
                call_it(b, k, &m, sub->id);
            }
    vec_each (&sub->blocks, b)
        vec_each (&b->insns, i) {
            i->line = line;
            rename_opnd(&m, &i->guard);
            ir_each_dst (i, d)
                rename_opnd(&m, d);
            ir_each_src (i, s)
                rename_opnd(&m, s);
        }
    sub->regs_used = m.regs;
    if (m.regs > kernel->regs_used)
        kernel->regs_used = m.regs;
    if (m.preds > kernel->preds_used)
        kernel->preds_used = m.preds;
    return true;
}
