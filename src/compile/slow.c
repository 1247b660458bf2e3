#include "compile/slow.h"

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

bool slow_used(const struct ir_fn *fn, enum slow kind)
{
    vec_each (&fn->blocks, b)
        vec_each (&b->insns, i)
            if (slow_is(i, kind))
                return true;
    return false;
}

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

static void merge(struct names *s, const struct names *more)
{
    for (unsigned w = 0; w < REG_WORDS; w++)
        s->reg[w] |= more->reg[w];
    s->pred |= more->pred;
}

static struct names live_out(const struct ir_fn *fn, uint32_t b, const struct names *in)
{
    struct names s = {0};
    vec_each (&fn->blocks.at[b].succ, n)
        merge(&s, &in[*n]);
    return s;
}

/* What lives before, behind or is read by any of the calls. */
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
            changed |= memcmp(&s, &in[b], sizeof s) != 0;
            in[b] = s;
        }
    }
    for (uint32_t b = 0; b < fn->blocks.n; b++) {
        struct names s = live_out(fn, b, in);
        for (uint32_t k = fn->blocks.at[b].insns.n; k-- > 0;) {
            struct ir_insn *i = &fn->blocks.at[b].insns.at[k];
            bool call = slow_is(i, kind);
            if (call)
                merge(&busy, &s);
            step(&s, i);
            if (call)
                merge(&busy, &s);
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

static bool choose(const struct names *used, const struct names *busy, uint32_t limit, struct map *m)
{
    uint32_t at = 0;
    for (uint32_t r = 0; r < MAX_REGS; r++) {
        if (!bit_get(used->reg, r))
            continue;
        while (at == REG_SP || (at < MAX_REGS && bit_get(busy->reg, at)))
            at++;
        if (at >= limit || r == REG_SP)
            return false;
        m->reg[r] = (uint8_t)at++;
        m->regs = at;
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

/* SLOWF d, a, b: the operands in their places, the call, the result from its place. */
static void call_it(struct ir_block *b, uint32_t at, const struct map *m, uint32_t id)
{
    struct ir_insn slow = b->insns.at[at];
    struct ir_opnd a = ir_reg(m->reg[SLOW_A], 0, 1);
    b->insns.at[at] = (struct ir_insn){
        .op = OP_CALL, .dst = {ir_reg(m->reg[REG_LINK], 0, 1)}, .src = {ir_imm(id)}, .line = slow.line};
    vec_insert(&b->insns, at + 1, copy(slow.dst[0], a, slow.line));
    if (slow.src[1].kind != OPND_NONE)
        vec_insert(&b->insns, at, copy(ir_reg(m->reg[SLOW_B], 0, 1), slow.src[1], slow.line));
    vec_insert(&b->insns, at, copy(a, slow.src[0], slow.line));
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
    if (!words || !choose(&used, &busy, limit, &m))
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
