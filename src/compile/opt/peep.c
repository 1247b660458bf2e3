/* SPDX-License-Identifier: Apache-2.0 */
#include "compile/opt/peep.h"

#include "compile/lower/lower.h"
#include "compile/opt/defs.h"
#include "compile/opt/legal.h"

struct peep {
    struct defs d;
    uint32_t block, at;
    bool *inverted; /* by virtual predicate: it got the opposite value, its readers are still to be told */
    bool changed;
};

static struct ir_insn *def_of(const struct peep *p, const struct ir_opnd *o)
{
    return defs_of(&p->d, o, p->block, p->at);
}

/* Do the sources of i, the definition of some word or predicate, still have their values wherever it is used? */
static bool stable_src(const struct peep *p, const struct ir_insn *i, const struct ir_opnd *o)
{
    const struct def *x = defs_info(&p->d, &i->dst[0]);
    return defs_stable(&p->d, o, x->block, x->at);
}

static bool stable_srcs(const struct peep *p, const struct ir_insn *i)
{
    for (unsigned k = 0; k < 6; k++)
        if (!stable_src(p, i, &i->src[k]))
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

/* Do the sources of i still have their values here: because they never change, or i stands a little above in this block and
 * nothing between has written them? */
static bool sources_kept(const struct peep *p, const struct ir_block *b, const struct ir_insn *i)
{
    if (stable_srcs(p, i))
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

static bool one_use(const struct peep *p, const struct ir_opnd *o) { return defs_info(&p->d, o)->nuses == 1; }

static bool plain(const struct ir_opnd *o) { return !o->neg && !o->abs; }

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

/* lo = IADD3 x.lo + y.lo, hi = IADD3.X x.hi + y.hi with y = a * b: one IMAD.WIDE x + a * b. */
static bool fuse_wide_add(struct peep *p, struct ir_block *b)
{
    if (p->at + 1 >= b->insns.n)
        return false;
    struct ir_insn *lo = &b->insns.at[p->at], *hi = lo + 1;
    if (lo->op != OP_IADD3 || hi->op != OP_IADD3 || lo->flags || hi->flags != IRF_X || lo->guard.kind ||
        hi->guard.kind || lo->dst[1].kind != OPND_PRED || hi->dst[1].kind || hi->src[3].kind != OPND_PRED ||
        hi->src[3].neg || hi->src[3].val != lo->dst[1].val || !opnd_is_zero(&lo->src[2]) ||
        !opnd_is_zero(&hi->src[2]))
        return false;
    struct ir_opnd d, y, x;
    if (defs_info(&p->d, &lo->dst[1])->nuses != 1 || !pair_of(&lo->dst[0], &hi->dst[0], &d) ||
        d.kind != OPND_REG)
        return false;
    for (unsigned side = 0; side < 2; side++) {
        unsigned o = 1 - side;
        const struct ir_opnd *yl = &lo->src[side];
        if (yl->kind != OPND_REG || !plain(yl) || !plain(&hi->src[0]) || !plain(&hi->src[1]) ||
            !plain(&lo->src[o]))
            continue;
        unsigned hs = side; /* the halves may have been put in either order */
        if (!pair_of(yl, &hi->src[hs], &y)) {
            hs = o;
            if (!pair_of(yl, &hi->src[hs], &y))
                continue;
        }
        const struct ir_insn *m = def_of(p, yl), *m2 = def_of(p, &hi->src[hs]);
        if (!m || m != m2 || m->op != OP_IMAD_WIDE || !opnd_is_zero(&m->src[2]) || !sources_kept(p, b, m) ||
            made_before_loop(p, yl))
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

static bool folds_sign(const struct ir_insn *i, unsigned k)
{
    switch (i->op) {
    case OP_FADD:
    case OP_FMUL:
    case OP_FSETP:
    case OP_FMNMX: return k < 2;
    case OP_FFMA: return k < 3;
    default: return false;
    }
}

/* A sign flipped or cleared by logic becomes a modifier of the floating-point source. */
static bool fold_sign(struct peep *p, struct ir_insn *i, unsigned k)
{
    struct ir_opnd *s = &i->src[k];
    if (!folds_sign(i, k) || s->kind != OPND_REG)
        return false;
    const struct ir_insn *l = def_of(p, s);
    if (!l || l->op != OP_LOP3 || l->src[1].kind != OPND_IMM || !opnd_is_zero(&l->src[2]) ||
        l->src[0].kind != OPND_REG || !stable_src(p, l, &l->src[0]))
        return false;
    bool flip = l->lut == LUT_XOR && l->src[1].val == 0x80000000u,
         clear = l->lut == LUT_AND && l->src[1].val == 0x7fffffffu;
    if (!flip && !clear)
        return false;
    struct ir_opnd x = l->src[0];
    x.neg = s->neg;
    x.abs = s->abs;
    if (flip && !s->abs)
        x.neg ^= 1;
    if (clear)
        x.abs = 1;
    *s = x;
    return true;
}

/* A predicate that is another one, or its inverse. */
static bool fold_pred(struct peep *p, struct ir_opnd *o)
{
    if (o->kind != OPND_PRED || o->val < VPRED0)
        return false;
    const struct ir_insn *l = def_of(p, o);
    if (!l || l->op != OP_PLOP3 || l->dst[1].kind || l->dst[0].val != o->val ||
        (l->lut != LUT_NOT_A && l->lut != 0xf0))
        return false;
    struct ir_opnd x = l->src[0];
    if (x.kind != OPND_PRED || !stable_src(p, l, &x))
        return false;
    x.neg ^= o->neg ^ (l->lut == LUT_NOT_A);
    *o = x;
    return true;
}

/* p = PLOP3 q op r with r the only use of a comparison: the comparison combines with q itself. */
static bool fuse_setp(struct peep *p, struct ir_insn *i)
{
    if (i->op != OP_PLOP3 || i->guard.kind || i->dst[1].kind ||
        (i->lut != LUT_AND && i->lut != LUT_OR && i->lut != LUT_XOR) ||
        defs_info(&p->d, &i->dst[0])->ndefs != 1)
        return false;
    for (unsigned side = 0; side < 2; side++) {
        struct ir_opnd *r = &i->src[side], q = i->src[1 - side];
        if (r->neg || r->kind != OPND_PRED || r->val < VPRED0 || q.val < VPRED0 ||
            defs_info(&p->d, r)->nuses != 1)
            continue;
        struct ir_insn *c = def_of(p, r);
        if (!c || (c->op != OP_ISETP && c->op != OP_FSETP && c->op != OP_DSETP) || c->dst[1].kind ||
            c->src[2].kind || defs_info(&p->d, r)->block != p->block)
            continue;
        const struct ir_insn *qd = defs_of(&p->d, &q, p->block, defs_info(&p->d, r)->at);
        if (!qd)
            continue;
        c->bop = i->lut == LUT_AND ? BOP_AND : i->lut == LUT_OR ? BOP_OR : BOP_XOR;
        c->src[2] = q;
        c->dst[0] = i->dst[0];
        *i = (struct ir_insn){.op = OP_NOP, .line = i->line};
        return true;
    }
    return false;
}

/* A comparison with zero of what logic gives: the logic tells by itself whether it is not zero. */
static bool fuse_test(struct peep *p, const struct ir_block *b, struct ir_insn *i)
{
    if (i->op != OP_ISETP || i->flags || i->guard.kind || i->dst[1].kind || i->src[2].kind ||
        (i->cmp != CMP_EQ && i->cmp != CMP_NE) || !opnd_is_zero(&i->src[1]) || i->src[0].kind != OPND_REG ||
        i->dst[0].val < VPRED0 || defs_info(&p->d, &i->dst[0])->ndefs != 1 || !one_use(p, &i->src[0]))
        return false;
    const struct ir_insn *l = def_of(p, &i->src[0]);
    if (!l || l->op != OP_LOP3 || l->dst[1].kind || !sources_kept(p, b, l))
        return false;
    struct ir_insn n = *l;
    n.line = i->line;
    n.dst[0] = ir_none();
    n.dst[1] = i->dst[0];
    p->inverted[i->dst[0].val - VPRED0] = i->cmp == CMP_EQ;
    *i = n;
    return true;
}

static void tell_inverted(const struct peep *p, struct ir_opnd *o)
{
    if (o->kind == OPND_PRED && o->val >= VPRED0 && p->inverted[o->val - VPRED0])
        o->neg ^= 1;
}

static void tell_readers(const struct peep *p, struct ir_fn *fn)
{
    vec_each (&fn->blocks, b)
        vec_each (&b->insns, i) {
            tell_inverted(p, &i->guard);
            ir_each_src (i, s)
                tell_inverted(p, s);
        }
}

static bool is_add2(const struct ir_insn *i)
{
    return i->op == OP_IADD3 && !i->flags && !i->dst[1].kind && !i->guard.kind && opnd_is_zero(&i->src[2]);
}

/* (a + b) + c, and (a << k) + c. */
static bool fuse_add(struct peep *p, struct ir_insn *i)
{
    if (i->op != OP_IADD3 || i->flags || i->dst[1].kind || !opnd_is_zero(&i->src[2]))
        return false;
    for (unsigned side = 0; side < 2; side++) {
        struct ir_opnd s = i->src[side], c = i->src[1 - side];
        if (s.kind != OPND_REG || !plain(&s) || !one_use(p, &s))
            continue;
        const struct ir_insn *a = def_of(p, &s);
        if (!a || !stable_srcs(p, a) || a->guard.kind)
            continue;
        struct ir_insn n = *i;
        if (is_add2(a)) {
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
            a->src[0].kind == OPND_REG && plain(&c) && c.kind == OPND_REG) {
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

/* (a >> k) + c is the high word of a << (32 - k), and c: LEA.HI. */
static bool fuse_shift_right(struct peep *p, const struct ir_block *b, struct ir_insn *i)
{
    if (!is_add2(i))
        return false;
    for (unsigned side = 0; side < 2; side++) {
        const struct ir_opnd *s = &i->src[side], *c = &i->src[1 - side];
        if (s->kind != OPND_REG || !plain(s) || !plain(c) || c->kind == OPND_IMM || !one_use(p, s))
            continue;
        const struct ir_insn *a = def_of(p, s);
        if (!a || a->op != OP_SHR || a->guard.kind || a->src[1].kind != OPND_IMM || !a->src[1].val ||
            a->src[1].val > 31 || a->src[0].kind != OPND_REG || !sources_kept(p, b, a))
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
        if (s->kind != OPND_REG || !plain(s) || !plain(c) || c->kind == OPND_IMM)
            continue;
        const struct ir_insn *a = def_of(p, s);
        if (!a || a->op != OP_SHR || a->type != T_S32 || a->guard.kind || a->src[1].kind != OPND_IMM ||
            a->src[1].val != 31 || a->src[0].kind != OPND_REG || !sources_kept(p, b, a))
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
    if (!is_add2(i))
        return false;
    for (unsigned side = 0; side < 2; side++) {
        const struct ir_opnd *s = &i->src[side], *c = &i->src[1 - side];
        if (s->kind != OPND_REG || !s->neg || c->kind != OPND_REG || !plain(c) || !one_use(p, s))
            continue;
        const struct ir_insn *m = def_of(p, s);
        if (!m || m->op != OP_IMAD || m->flags || m->guard.kind || m->src[0].kind != OPND_REG ||
            !plain(&m->src[0]) || m->src[1].kind != OPND_IMM || !opnd_is_zero(&m->src[2]) ||
            !sources_kept(p, b, m))
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

/* [a + k] of shared memory: the sum wraps at 32 bits in the instruction as it does in the addition. */
static bool fold_offset(struct peep *p, const struct ir_block *b, struct ir_insn *i)
{
    if (i->op != OP_LDS && i->op != OP_STS && i->op != OP_LDSM && i->op != OP_STSM)
        return false;
    struct ir_opnd base = i->src[0];
    const struct ir_insn *a = base.kind == OPND_REG && base.n == 1 ? def_of(p, &base) : NULL;
    if (!a || !is_add2(a) || a->src[0].kind != OPND_REG || a->src[1].kind != OPND_IMM || !plain(&a->src[0]) ||
        !plain(&a->src[1]) || !sources_kept(p, b, a))
        return false;
    i->src[0] = a->src[0];
    i->off = (int32_t)((uint32_t)i->off + a->src[1].val);
    return true;
}

static bool same_opnd(const struct ir_opnd *a, const struct ir_opnd *b)
{
    return a->kind == b->kind && a->val == b->val && a->sub == b->sub;
}

/* The inputs of two LOP3, one of which reads the other's result as its source `side`, each once. */
struct both {
    struct ir_opnd in[6];
    unsigned n;
    /* Sources by their place in `in`; NO_INPUT: zero, or the result between. */
    unsigned outer[3], inner[3];
};

enum { NO_INPUT = 99 };

static void gather_inputs(struct both *t, const struct ir_insn *i, const struct ir_insn *a, unsigned side)
{
    t->n = 0;
    for (unsigned k = 0; k < 6; k++) {
        const struct ir_opnd *o = k < 3 ? &i->src[k] : &a->src[k - 3];
        unsigned *slot = k < 3 ? &t->outer[k] : &t->inner[k - 3];
        if (k == side || !o->kind || opnd_is_zero(o)) {
            *slot = NO_INPUT;
            continue;
        }
        for (*slot = 0; *slot < t->n && !same_opnd(&t->in[*slot], o); ++*slot)
            ;
        if (*slot == t->n)
            t->in[t->n++] = *o;
    }
}

/* The first source is a register: inputs 0 and k change places. */
static void put_first(struct both *t, unsigned k)
{
    struct ir_opnd o = t->in[0];
    t->in[0] = t->in[k];
    t->in[k] = o;
    for (unsigned s = 0; s < 6; s++) {
        unsigned *slot = s < 3 ? &t->outer[s] : &t->inner[s - 3];
        *slot = *slot == 0 ? k : *slot == k ? 0 : *slot;
    }
}

static uint8_t table_of(const struct both *t, uint8_t outer, uint8_t inner, unsigned side)
{
    uint8_t lut = 0;
    for (unsigned v = 0; v < 8; v++) { /* input 0 is the highest bit of the index */
        unsigned bit[3] = {v >> 2 & 1, v >> 1 & 1, v & 1}, x = 0, y = 0;
        for (unsigned k = 0; k < 3; k++)
            x = x << 1 | (t->inner[k] == NO_INPUT ? 0 : bit[t->inner[k]]);
        unsigned between = inner >> x & 1;
        for (unsigned k = 0; k < 3; k++)
            y = y << 1 | (k == side ? between : t->outer[k] == NO_INPUT ? 0 : bit[t->outer[k]]);
        lut |= (uint8_t)((outer >> y & 1) << v);
    }
    return lut;
}

/* Three inputs, an immediate and a constant among them. Code for sm_90 loads its constants anyway: the instruction between, whose
 * result s nobody reads any more, does that. */
static bool load_constant(struct ir_insn *m, struct ir_insn *a, const struct ir_opnd *s)
{
    for (unsigned k = 1; k < 3; k++)
        if (m->src[k].kind == OPND_CONST && m->src[3 - k].kind == OPND_IMM && !a->dst[1].kind) {
            *a = (struct ir_insn){
                .op = OP_MOV, .type = T_U32, .dst = {a->dst[0]}, .src = {m->src[k]}, .line = a->line};
            m->src[k] = *s;
            return true;
        }
    return false;
}

/* Logic of logic: one table over at most three inputs. */
static bool fuse_lop3(struct peep *p, struct ir_insn *i)
{
    if (i->op != OP_LOP3)
        return false;
    for (unsigned side = 0; side < 3; side++) {
        struct ir_opnd s = i->src[side];
        if (s.kind != OPND_REG || !one_use(p, &s))
            continue;
        struct ir_insn *a = def_of(p, &s);
        if (!a || a->op != OP_LOP3 || a->guard.kind || !stable_srcs(p, a))
            continue;
        struct both t;
        gather_inputs(&t, i, a, side);
        if (t.n > 3)
            continue;
        bool hopper = p->d.fn->hopper;
        for (unsigned k = 1; k < t.n && hopper && t.in[0].kind != OPND_REG; k++)
            if (t.in[k].kind == OPND_REG)
                put_first(&t, k);
        struct ir_insn m = *i;
        for (unsigned k = 0; k < 3; k++)
            m.src[k] = k < t.n ? t.in[k] : ir_imm(0);
        m.lut = table_of(&t, i->lut, a->lut, side);
        if (m.src[0].kind != OPND_REG)
            continue;
        if ((!legal_src(&m, 1, &m.src[1]) || !legal_src(&m, 2, &m.src[2])) &&
            !(hopper && load_constant(&m, a, &s)))
            continue;
        *i = m;
        return true;
    }
    return false;
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
        bool copy = opnd_is_zero(&i->src[1 - k]) && opnd_is_zero(&i->src[2]) && plain(&i->src[k]);
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
        i->src[0].kind != OPND_REG || !plain(&i->src[0]) || !plain(&i->src[2]))
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
    bool any = shrink(p, i) || shift_for_mul(i) || fold_offset(p, b, i);
    any |= fold_pred(p, &i->guard);
    for (unsigned k = 0; k < 6; k++)
        any |= fold_pred(p, &i->src[k]) || fold_sign(p, i, k);
    if (!any) /* one rewrite at a time: the use counts are those of the start */
        any = fuse_wide_add(p, b) || fuse_setp(p, i) || fuse_test(p, b, i) || fuse_remainder(p, b, i) ||
              fuse_add(p, i) || fuse_shift_right(p, b, i) || fuse_sign(p, b, i) || fuse_lop3(p, i);
    p->changed |= any;
}

static void drop_nops(struct ir_fn *fn)
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
    tell_readers(&p, fn);
    defs_free(&p.d);
    drop_nops(fn);
    return p.changed;
}
