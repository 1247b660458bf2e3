/* SPDX-License-Identifier: Apache-2.0 */
/* Starts from nothing and adds what each definition can add, until nothing is new. Words of sums in loops would grow a bit a
 * round: after a few rounds whatever still grows gets all bits above its lowest one. */
#include "compile/opt/known.h"

enum { WIDEN_AFTER = 3 };

struct known {
    const struct defs *d;
    uint32_t *bits;
    uint32_t round;
    bool more;
};

uint32_t known_of(const struct defs *d, const uint32_t *bits, const struct ir_opnd *o)
{
    if (o->kind == OPND_IMM && o->n == 1)
        return o->val;
    if (o->kind == OPND_NONE)
        return 0;
    if (o->kind == OPND_CONST && o->n == 1 && o->sub == BANK_WINDOW)
        return o->val | ~(uint32_t)(ALIGN_WINDOW - 1);
    if (o->kind != OPND_REG || o->neg || o->abs || d->fn->vregs.at[o->val].fixed)
        return UINT32_MAX;
    return bits[d->first[o->val] + o->sub];
}

static unsigned width(uint32_t bits) { return bits ? 32 - (unsigned)__builtin_clz(bits) : 0; }
static unsigned zeros(uint32_t bits) { return bits ? (unsigned)__builtin_ctz(bits) : 32; }
static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }
static unsigned most(unsigned a, unsigned b) { return a > b ? a : b; }

/* Bits from `lo` on, below `hi`. */
static uint32_t span(unsigned lo, unsigned hi)
{
    uint32_t below = hi >= 32 ? UINT32_MAX : (1u << hi) - 1;
    return lo >= 32 ? 0 : below & ~((1u << lo) - 1);
}

static uint32_t sum(uint32_t a, uint32_t b)
{
    if (!a || !b)
        return a | b;
    return span(least(zeros(a), zeros(b)), most(width(a), width(b)) + 1);
}

static uint32_t product(uint32_t a, uint32_t b)
{
    return a && b ? span(zeros(a) + zeros(b), width(a) + width(b)) : 0;
}

/* Every row of the table that gives one, with the inputs that can be so. */
static uint32_t logic(const struct ir_insn *i, const uint32_t in[3])
{
    uint32_t out = 0;
    for (unsigned row = 0; row < 8; row++) {
        uint32_t can = i->lut >> row & 1 ? UINT32_MAX : 0;
        for (unsigned k = 0; k < 3; k++) {
            bool one = row >> (2 - k) & 1, exact = i->src[k].kind == OPND_IMM || !i->src[k].kind;
            can &= one ? in[k] : exact ? ~in[k] : UINT32_MAX;
        }
        out |= can;
    }
    return out;
}

static uint32_t extension(const struct ir_insn *i, uint32_t a)
{
    uint32_t n = i->src[1].val, low = span(0, n);
    if (i->src[1].kind != OPND_IMM || !n || n >= 32)
        return UINT32_MAX;
    return (a & low) | (i->type == T_S32 && a >> (n - 1) & 1 ? ~low : 0);
}

static uint32_t shifted(const struct ir_insn *i, uint32_t a)
{
    if (i->src[1].kind != OPND_IMM)
        return i->op == OP_SHL ? span(zeros(a), 32) : UINT32_MAX;
    uint32_t k = i->src[1].val;
    if (i->op == OP_SHL)
        return k < 32 ? a << k : 0;
    if (i->type == T_S32 && a >> 31)
        return UINT32_MAX;
    return k < 32 ? a >> k : 0;
}

static uint32_t loaded(const struct ir_insn *i)
{
    bool narrow = type_bits(i->type) < 32 && i->vec <= 1 && !type_is_signed(i->type);
    return narrow ? span(0, type_bits(i->type)) : UINT32_MAX;
}

/* What word w of the first result can be. */
static uint32_t result(const struct known *x, const struct ir_insn *i, unsigned w)
{
    uint32_t in[3];
    for (unsigned k = 0; k < 3; k++)
        in[k] = known_of(x->d, x->bits, &i->src[k]);
    switch (i->op) {
    case OP_MOV: {
        struct ir_opnd s = i->src[0];
        s.sub = (uint8_t)(s.sub + w);
        return known_of(x->d, x->bits, &s);
    }
    case OP_SEL: return in[0] | in[1];
    case OP_P2R: return 1;
    case OP_IADD3: return i->flags & IRF_X ? UINT32_MAX : sum(sum(in[0], in[1]), in[2]);
    case OP_IMAD: return sum(product(in[0], in[1]), in[2]);
    case OP_IMAD_WIDE: return w ? UINT32_MAX : span(zeros(sum(product(in[0], in[1]), in[2])), 32);
    case OP_LEA: return sum(i->src[2].val < 32 ? in[0] << i->src[2].val : 0, in[1]);
    case OP_LOP3: return logic(i, in);
    case OP_SHL:
    case OP_SHR: return shifted(i, in[0]);
    case OP_SGXT: return extension(i, in[0]);
    case OP_POPC: return span(0, 6);
    case OP_LDG:
    case OP_LD:
    case OP_LDS:
    case OP_LDL:
    case OP_LDC: return loaded(i);
    default: return UINT32_MAX;
    }
}

static void add(struct known *x, uint32_t word, uint32_t can)
{
    uint32_t old = x->bits[word], now = old | can;
    if (now == old)
        return;
    if (x->round >= WIDEN_AFTER)
        now = span(zeros(now), 32);
    x->bits[word] = now;
    x->more = true;
}

static void visit(struct known *x, const struct ir_insn *i)
{
    for (unsigned k = 0; k < 2; k++)
        for (unsigned w = 0; i->dst[k].kind == OPND_REG && w < i->dst[k].n; w++)
            add(x, x->d->first[i->dst[k].val] + i->dst[k].sub + w, k ? UINT32_MAX : result(x, i, w));
}

uint32_t *known_bits(struct defs *d)
{
    struct known x = {.d = d};
    x.bits = ARENA_ARRAY(&d->arena, uint32_t, d->nwords + 1);
    for (uint32_t w = 0; w < d->nwords; w++)
        x.bits[w] = d->words[w].ndefs ? 0 : UINT32_MAX; /* what nobody writes comes from a caller */
    do {
        x.more = false;
        for (uint32_t r = 0; r < d->c->nrpo; r++)
            vec_each (&d->fn->blocks.at[d->c->rpo[r]].insns, i)
                visit(&x, i);
        x.round++;
    } while (x.more);
    return x.bits;
}
