/* SPDX-License-Identifier: Apache-2.0 */
/* Sums and products: of several instructions one that adds, shifts or multiplies as well. */
#include "compile/opt/legal.h"
#include "compile/opt/peep_room.h"

/* Words lo and hi are the two words of one pair. */
static bool pair_of(const struct ir_opnd *lo, const struct ir_opnd *hi, struct ir_opnd *out)
{
    if (lo->kind != hi->kind)
        return false;
    if (lo->kind == OPND_REG) {
        *out = ir_reg(lo->val, lo->sub, 2);
        return lo->val == hi->val && lo->sub % 2 == 0 && hi->sub == lo->sub + 1;
    }
    *out = ir_const(lo->sub, lo->val, 2);
    return lo->kind == OPND_CONST && lo->sub == hi->sub && hi->val == lo->val + 4 && lo->val % 8 == 0;
}

/* A product that was made outside the loops around here: NVIDIA's assembler adds it in every round and multiplies once; but for
 * sm_90 it multiplies in every round, one instruction instead of two. */
static bool made_before_loop(const struct peep *p, const struct ir_opnd *product)
{
    const struct ir_cfg *c = p->d.c;
    return !p->d.fn->hopper && c->depth[defs_info(&p->d, product)->block] < c->depth[p->block];
}

/* Two words of one sum of two numbers. */
static bool is_long_sum(const struct peep *p, const struct ir_insn *lo, const struct ir_insn *hi)
{
    return lo->op == OP_IADD3 && hi->op == OP_IADD3 && !lo->flags && hi->flags == IRF_X && !lo->guard.kind &&
           !hi->guard.kind && lo->dst[1].kind == OPND_PRED && !hi->dst[1].kind &&
           hi->src[3].kind == OPND_PRED && !hi->src[3].neg && hi->src[3].val == lo->dst[1].val &&
           opnd_is_zero(&lo->src[2]) && opnd_is_zero(&hi->src[2]) &&
           defs_info(&p->d, &lo->dst[1])->nuses == 1;
}

/* lo = IADD3 x.lo + y.lo, hi = IADD3.X x.hi + y.hi with y = a * b: one IMAD.WIDE x + a * b. */
static bool fuse_wide_add(struct peep *p, struct ir_block *b)
{
    if (p->at + 1 >= b->insns.n)
        return false;
    struct ir_insn *lo = &b->insns.at[p->at], *hi = lo + 1;
    struct ir_opnd d, y, x;
    if (!is_long_sum(p, lo, hi) || !pair_of(&lo->dst[0], &hi->dst[0], &d) || d.kind != OPND_REG)
        return false;
    for (unsigned side = 0; side < 2; side++) {
        unsigned o = 1 - side;
        const struct ir_opnd *yl = &lo->src[side];
        if (yl->kind != OPND_REG || !peep_plain(yl) || !peep_plain(&hi->src[0]) || !peep_plain(&hi->src[1]) ||
            !peep_plain(&lo->src[o]))
            continue;
        unsigned hs = side; /* the halves may have been put in either order */
        if (!pair_of(yl, &hi->src[hs], &y)) {
            hs = o;
            if (!pair_of(yl, &hi->src[hs], &y))
                continue;
        }
        const struct ir_insn *m = peep_def(p, yl), *m2 = peep_def(p, &hi->src[hs]);
        if (!m || m != m2 || m->op != OP_IMAD_WIDE || !opnd_is_zero(&m->src[2]) ||
            !peep_sources_kept(p, b, m) || made_before_loop(p, yl))
            continue;
        if (!pair_of(&lo->src[o], &hi->src[1 - hs], &x))
            continue;
        if (x.kind == OPND_REG && d.val == x.val && d.sub != x.sub)
            continue;
        struct ir_insn n = *m;
        n.dst[0] = d;
        n.line = lo->line;
        n.src[2] = x;
        /* Factor and addend are both constants: the factor moves. */
        if (x.kind == OPND_CONST && !legal_src(&n, 2, &x)) {
            uint32_t t = ir_vreg(p->d.fn, 1, NULL);
            struct ir_insn mv = {
                .op = OP_MOV, .type = T_U32, .dst = {ir_reg(t, 0, 1)}, .src = {n.src[1]}, .line = lo->line};
            n.src[1] = ir_reg(t, 0, 1);
            *lo = mv;
            *hi = n;
            return true;
        }
        *lo = n;
        *hi = (struct ir_insn){.op = OP_NOP, .line = lo->line};
        return true;
    }
    return false;
}

/* (a + b) + c, and (a << k) + c. */
static bool fuse_add(struct peep *p, struct ir_insn *i)
{
    if (i->op != OP_IADD3 || i->flags || i->dst[1].kind || !opnd_is_zero(&i->src[2]))
        return false;
    for (unsigned side = 0; side < 2; side++) {
        struct ir_opnd s = i->src[side], c = i->src[1 - side];
        if (s.kind != OPND_REG || !peep_plain(&s))
            continue;
        const struct ir_insn *a = peep_def(p, &s);
        /* A shift of several readers is worth it, too: when all have taken it in, it is gone. */
        if (!peep_one_use(p, &s) && !(a && a->op == OP_SHL && p->d.fn->hopper))
            continue;
        if (!a || !peep_stable_srcs(p, a) || a->guard.kind)
            continue;
        struct ir_insn n = *i;
        if (peep_is_add2(a)) {
            n.src[0] = a->src[0], n.src[1] = a->src[1], n.src[2] = c;
            if (opnd_is_zero(&a->src[0]) || opnd_is_zero(&a->src[1]) || opnd_is_zero(&c) ||
                n.src[0].kind != OPND_REG)
                continue;
            if (legal_src(&n, 1, &n.src[1]) && legal_src(&n, 2, &n.src[2])) {
                *i = n;
                return true;
            }
        }
        if (a->op == OP_SHL && a->src[1].kind == OPND_IMM && a->src[1].val < 32 &&
            a->src[0].kind == OPND_REG && peep_plain(&c) &&
            (c.kind == OPND_REG || (c.kind == OPND_CONST && c.sub == BANK_WINDOW))) {
            n = (struct ir_insn){.op = OP_LEA,
                                 .type = T_U32,
                                 .guard = i->guard,
                                 .dst = {i->dst[0]},
                                 .src = {a->src[0], c, a->src[1]},
                                 .line = i->line};
            *i = n;
            return true;
        }
    }
    return false;
}

/* The two words of a << k, each of which a shift makes of its own: the low word of a; n = 0: they are not that. */
static struct ir_opnd shifted_pair(const struct peep *p, const struct ir_block *b, const struct ir_opnd *low,
                                   const struct ir_opnd *high, struct ir_opnd *a_high, uint32_t *k)
{
    const struct ir_insn *l = peep_def(p, low), *h = peep_def(p, high);
    if (!l || !h || l->op != OP_SHL || h->op != OP_SHF_L || h->sub != SHF_CLAMP64 || l->guard.kind ||
        h->guard.kind || l->src[1].kind != OPND_IMM || h->src[1].kind != OPND_IMM ||
        l->src[1].val != h->src[1].val || !l->src[1].val || l->src[1].val > 31 ||
        l->src[0].kind != OPND_REG || !peep_same(&l->src[0], &h->src[0]) || h->src[2].kind != OPND_REG ||
        !peep_sources_kept(p, b, l) || !peep_sources_kept(p, b, h))
        return (struct ir_opnd){0};
    *a_high = h->src[2];
    *k = l->src[1].val;
    return l->src[0];
}

/* (a << k) + c of 64 bits: LEA and LEA.HI.X. */
static bool fuse_long_shift(struct peep *p, struct ir_block *b)
{
    if (p->at + 1 >= b->insns.n || !p->d.fn->hopper)
        return false;
    struct ir_insn *lo = &b->insns.at[p->at], *hi = lo + 1;
    if (!is_long_sum(p, lo, hi) || lo->src[0].neg || lo->src[1].neg || hi->src[0].neg || hi->src[1].neg)
        return false;
    for (unsigned side = 0; side < 4; side++) { /* which source of the low sum, and which of the high one */
        const struct ir_opnd *s = &lo->src[side & 1], *t = &hi->src[side >> 1];
        const struct ir_opnd *c = &lo->src[1 - (side & 1)], *d = &hi->src[1 - (side >> 1)];
        struct ir_opnd high;
        uint32_t k;
        if (s->kind != OPND_REG || t->kind != OPND_REG || c->kind == OPND_IMM || d->kind == OPND_IMM)
            continue;
        struct ir_opnd low = shifted_pair(p, b, s, t, &high, &k);
        if (!low.n || peep_same(&lo->dst[0], &low) || peep_same(&lo->dst[0], &high))
            continue;
        struct ir_insn l = {.op = OP_LEAX, .type = T_U32, .lut = (uint8_t)k, .line = lo->line}, h = l;
        l.dst[0] = lo->dst[0];
        l.dst[1] = lo->dst[1];
        l.src[0] = low;
        l.src[1] = *c;
        h.sub = 3;
        h.dst[0] = hi->dst[0];
        h.src[0] = low;
        h.src[1] = *d;
        h.src[2] = high;
        h.src[3] = hi->src[3];
        if (!legal_src(&l, 1, c) || !legal_src(&h, 1, d))
            continue;
        *lo = l;
        *hi = h;
        return true;
    }
    return false;
}

/* (a >> k) + c is the high word of a << (32 - k), and c: LEA.HI. */
static bool fuse_shift_right(struct peep *p, const struct ir_block *b, struct ir_insn *i)
{
    if (!peep_is_add2(i))
        return false;
    for (unsigned side = 0; side < 2; side++) {
        const struct ir_opnd *s = &i->src[side], *c = &i->src[1 - side];
        if (!peep_takes_in(s, c) || !peep_one_use(p, s))
            continue;
        const struct ir_insn *a = peep_def(p, s);
        if (!a || a->op != OP_SHR || a->guard.kind || a->src[1].kind != OPND_IMM || !a->src[1].val ||
            a->src[1].val > 31 || a->src[0].kind != OPND_REG || !peep_sources_kept(p, b, a))
            continue;
        *i = (struct ir_insn){.op = OP_LEAX,
                              .type = T_U32,
                              .sub = a->type == T_S32 ? 5 : 1,
                              .lut = (uint8_t)(32 - a->src[1].val),
                              .dst = {i->dst[0]},
                              .src = {a->src[0], *c, ir_imm(0)},
                              .line = i->line};
        return true;
    }
    return false;
}

/* The high word of base + x with x of 32 bits: its sign is taken in the sum. */
static bool fuse_sign(struct peep *p, const struct ir_block *b, struct ir_insn *i)
{
    if (i->op != OP_IADD3 || i->flags != IRF_X || i->dst[1].kind || i->src[3].kind != OPND_PRED ||
        i->src[3].neg || !opnd_is_zero(&i->src[2]))
        return false;
    for (unsigned side = 0; side < 2; side++) {
        const struct ir_opnd *s = &i->src[side], *c = &i->src[1 - side];
        if (!peep_takes_in(s, c))
            continue;
        const struct ir_insn *a = peep_def(p, s);
        if (!a || a->op != OP_SHR || a->type != T_S32 || a->guard.kind || a->src[1].kind != OPND_IMM ||
            a->src[1].val != 31 || a->src[0].kind != OPND_REG || !peep_sources_kept(p, b, a))
            continue;
        struct ir_insn n = {
            .op = OP_LEAX, .type = T_U32, .sub = 7, .lut = 1, .guard = i->guard, .line = i->line};
        n.dst[0] = i->dst[0];
        n.src[0] = a->src[0];
        n.src[1] = *c;
        n.src[2] = ir_imm(0);
        n.src[3] = i->src[3];
        *i = n;
        return true;
    }
    return false;
}

/* c - a * k, the remainder of a division: one multiply-add. */
static bool fuse_remainder(struct peep *p, const struct ir_block *b, struct ir_insn *i)
{
    if (!peep_is_add2(i))
        return false;
    for (unsigned side = 0; side < 2; side++) {
        const struct ir_opnd *s = &i->src[side], *c = &i->src[1 - side];
        if (s->kind != OPND_REG || !s->neg || c->kind != OPND_REG || !peep_plain(c) || !peep_one_use(p, s))
            continue;
        const struct ir_insn *m = peep_def(p, s);
        if (!m || m->op != OP_IMAD || m->flags || m->guard.kind || m->src[0].kind != OPND_REG ||
            !peep_plain(&m->src[0]) || m->src[1].kind != OPND_IMM || !opnd_is_zero(&m->src[2]) ||
            !peep_sources_kept(p, b, m))
            continue;
        struct ir_insn n = *m;
        n.dst[0] = i->dst[0];
        n.line = i->line;
        n.src[1] = ir_imm(-m->src[1].val);
        n.src[2] = *c;
        *i = n;
        return true;
    }
    return false;
}

bool peep_sum(struct peep *p, struct ir_block *b)
{
    struct ir_insn *i = &b->insns.at[p->at];
    return fuse_wide_add(p, b) || fuse_long_shift(p, b) || fuse_remainder(p, b, i) || fuse_add(p, i) ||
           fuse_shift_right(p, b, i) || fuse_sign(p, b, i);
}
