/* SPDX-License-Identifier: Apache-2.0 */
/* Logic: of logic, of comparisons, and what only changes a sign or a predicate's sense. */
#include "compile/lower/lower.h"
#include "compile/opt/legal.h"
#include "compile/opt/peep_room.h"

static bool folds_sign(const struct peep *p, const struct ir_insn *i, unsigned k)
{
    switch (i->op) {
    case OP_DADD:
    case OP_DMUL:
    case OP_DSETP: return k < 2 && p->d.fn->hopper;
    case OP_DFMA: return k < 3 && p->d.fn->hopper;
    case OP_FADD:
    case OP_FMUL:
    case OP_FSETP:
    case OP_FMNMX: return k < 2;
    case OP_FFMA: return k < 3;
    default: return false;
    }
}

/* The low word under the high word of `high`, if the number's low word is that one: the operand with both; else of no kind. */
static struct ir_opnd pair_under(const struct peep *p, const struct ir_opnd *s, const struct ir_opnd *high)
{
    struct ir_opnd low = defs_origin(&p->d, ir_reg(s->val, s->sub, 1), p->block, p->at);
    if (low.kind != OPND_REG || low.val != high->val || low.sub + 1 != high->sub || low.sub % 2)
        return ir_none();
    return ir_reg(low.val, low.sub, 2);
}

/* A sign flipped or cleared by logic becomes a modifier of the floating-point source. */
bool peep_fold_sign(struct peep *p, struct ir_insn *i, unsigned k)
{
    struct ir_opnd *s = &i->src[k];
    if (!folds_sign(p, i, k) || s->kind != OPND_REG)
        return false;
    struct ir_opnd top = ir_reg(s->val, s->sub + s->n - 1u, 1);
    const struct ir_insn *l = peep_def(p, &top);
    if (!l || l->op != OP_LOP3 || l->src[1].kind != OPND_IMM || !opnd_is_zero(&l->src[2]) ||
        l->src[0].kind != OPND_REG || !peep_stable_src(p, l, &l->src[0]))
        return false;
    bool flip = l->lut == LUT_XOR && l->src[1].val == 0x80000000u,
         clear = l->lut == LUT_AND && l->src[1].val == 0x7fffffffu;
    if (!flip && !clear)
        return false;
    struct ir_opnd x = s->n == 2 ? pair_under(p, s, &l->src[0]) : l->src[0];
    if (!x.kind)
        return false;
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
bool peep_fold_pred(struct peep *p, struct ir_opnd *o)
{
    if (o->kind != OPND_PRED || o->val < VPRED0)
        return false;
    const struct ir_insn *l = peep_def(p, o);
    if (!l || l->op != OP_PLOP3 || l->dst[1].kind || l->dst[0].val != o->val ||
        (l->lut != LUT_NOT_A && l->lut != 0xf0))
        return false;
    struct ir_opnd x = l->src[0];
    if (x.kind != OPND_PRED || !peep_stable_src(p, l, &x))
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
        struct ir_insn *c = peep_def(p, r);
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
        i->dst[0].val < VPRED0 || defs_info(&p->d, &i->dst[0])->ndefs != 1 || !peep_one_use(p, &i->src[0]))
        return false;
    const struct ir_insn *l = peep_def(p, &i->src[0]);
    if (!l || l->op != OP_LOP3 || l->dst[1].kind || !peep_sources_kept(p, b, l))
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

void peep_tell_readers(const struct peep *p, struct ir_fn *fn)
{
    vec_each (&fn->blocks, b)
        vec_each (&b->insns, i) {
            tell_inverted(p, &i->guard);
            ir_each_src (i, s)
                tell_inverted(p, s);
        }
}

/* The inputs of two LOP3, one of which reads the other's result as its source `side`, each once. */
struct both {
    struct ir_opnd in[6];
    unsigned n;
    /* Sources by their place in `in`; NO_INPUT: zero, or the result between. */
    unsigned outer[3], inner[3];
    /* Bit of a source, outer ones first: an immediate that is the complement of the one in its place */
    uint8_t other;
};

enum { NO_INPUT = 99 };

static bool complements(const struct ir_opnd *a, const struct ir_opnd *b)
{
    return a->kind == OPND_IMM && b->kind == OPND_IMM && a->val == ~b->val;
}

/* `complement`: an immediate and its complement are one input, as in the bits of two words by a mask. */
static void gather_inputs(struct both *t, const struct ir_insn *i, const struct ir_insn *a, unsigned side,
                          bool complement)
{
    t->n = 0;
    t->other = 0;
    for (unsigned k = 0; k < 6; k++) {
        const struct ir_opnd *o = k < 3 ? &i->src[k] : &a->src[k - 3];
        unsigned *slot = k < 3 ? &t->outer[k] : &t->inner[k - 3];
        if (k == side || !o->kind || opnd_is_zero(o)) {
            *slot = NO_INPUT;
            continue;
        }
        for (*slot = 0;
             *slot < t->n && !peep_same(&t->in[*slot], o) && !(complement && complements(&t->in[*slot], o));
             ++*slot)
            ;
        if (*slot == t->n)
            t->in[t->n++] = *o;
        else if (complements(&t->in[*slot], o))
            t->other |= (uint8_t)(1u << k);
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
            x = x << 1 | (t->inner[k] == NO_INPUT ? 0 : bit[t->inner[k]] ^ (t->other >> (3 + k) & 1));
        unsigned between = inner >> x & 1;
        for (unsigned k = 0; k < 3; k++)
            y = y << 1 | (k == side                 ? between
                          : t->outer[k] == NO_INPUT ? 0
                                                    : bit[t->outer[k]] ^ (t->other >> k & 1));
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

/* ~x: every reader can read x instead, and then nobody needs it. */
static bool is_not(const struct ir_insn *a)
{
    return a->lut == LUT_NOT_A && a->src[0].kind == OPND_REG && !a->dst[1].kind;
}

/* Logic of logic: one table over at most three inputs. What others read too would be computed twice, but for a complement. */
static bool fuse_lop3(struct peep *p, struct ir_insn *i)
{
    if (i->op != OP_LOP3)
        return false;
    for (unsigned side = 0; side < 3; side++) {
        struct ir_opnd s = i->src[side];
        bool hopper = p->d.fn->hopper, alone = s.kind == OPND_REG && peep_one_use(p, &s);
        if (s.kind != OPND_REG || (!alone && !hopper))
            continue;
        struct ir_insn *a = peep_def(p, &s);
        if (!a || a->op != OP_LOP3 || a->guard.kind || !peep_stable_srcs(p, a) || (!alone && !is_not(a)))
            continue;
        struct both t;
        gather_inputs(&t, i, a, side, hopper);
        if (t.n > 3)
            continue;
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
            !(hopper && alone && load_constant(&m, a, &s)))
            continue;
        *i = m;
        return true;
    }
    return false;
}

bool peep_logic(struct peep *p, const struct ir_block *b, struct ir_insn *i)
{
    return fuse_setp(p, i) || fuse_test(p, b, i) || fuse_lop3(p, i);
}
