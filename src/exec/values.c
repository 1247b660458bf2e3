/* SPDX-License-Identifier: Apache-2.0 */
#include "exec/values.h"

#include "exec/run.h"

static const char *const names[EV_KINDS] = {"float", "int", "tensor", "shared", "memory", "regs"};

const char *exec_value_name(enum exec_value k) { return names[k]; }

/* Bits of a value's first word that differ at random between two numbers of like size, which is twice the mean of what
 * changes: the mantissa of a float, of two halves; all of an integer and of the low word of a double. Matrices have a
 * sign beside. */
enum { BITS_FLOAT = 23, BITS_HALVES = 20, BITS_WORD = 32, BITS_MATRIX = 22 };

static bool kind_of(const struct ir_insn *i, enum exec_value *kind, uint32_t *random)
{
    *random = BITS_WORD;
    switch (ir_ops[i->op].unit) {
    case UNIT_SFU:
    case UNIT_FP32:
        *random = BITS_FLOAT;
        *kind = EV_FLOAT;
        return true;
    case UNIT_FP64: *kind = EV_FLOAT; return true;
    case UNIT_HALF:
        *random = BITS_HALVES;
        *kind = EV_FLOAT;
        return true;
    case UNIT_INT: *kind = EV_INT; return true;
    case UNIT_TENSOR:
        *random = BITS_MATRIX;
        *kind = EV_TENSOR;
        return true;
    case UNIT_LSU:
    case UNIT_TEX:
        /* Constants come from a cache of their own, what LDGSTS moves is in no register, and barrier objects are not data. */
        *kind = ir_ops[i->op].space == SPACE_SHARED || i->space == SPACE_SHARED ? EV_SHARED : EV_MEMORY;
        return ir_ops[i->op].space != SPACE_CONST && i->op != OP_LDGSTS && i->op != OP_MBAR;
    default: return false;
    }
}

/* A unit executes lanes of many warps in turn, so what a lane's value meets there is a value of another thread: that of the
 * next lane in the kind's instruction before. A constant of all threads does not toggle then; a constant of each thread
 * does. */
static void see_row(struct values *v, enum exec_value kind, uint32_t place, const uint32_t *row,
                    uint32_t mask, uint32_t bits, uint32_t random)
{
    uint32_t *last = v->last[kind][place], first = last[0], n = 0;
    uint64_t flips = 0;
    for (uint32_t l = 0; l < LANES; l++) {
        uint32_t other = l + 1 < LANES ? last[l + 1] : first;
        if (mask >> l & 1) {
            flips += (uint32_t)__builtin_popcount((row[l] ^ other) & bits);
            last[l] = row[l];
            n++;
        }
    }
    v->sum.flips[kind] += 2 * flips;
    v->sum.random[kind] += (uint64_t)n * random;
}

/* All words of what is moved; of a word that has a byte or two only these. */
static void see_words(struct values *v, enum exec_value kind, uint32_t place, const uint32_t *row,
                      uint32_t words, uint32_t mask, uint32_t bits)
{
    for (uint32_t k = 0; k < words; k++)
        see_row(v, kind, place + k % VALUE_WORDS, row + k * LANES, mask, (uint32_t)((1ull << bits) - 1),
                bits);
}

/* What a load brings and what a store takes along go on wires of their own. */
static void see_moved(struct values *v, enum exec_value kind, const struct xop *x, struct xwarp *w,
                      uint32_t mask)
{
    const struct ir_insn *i = x->insn;
    uint32_t access = ir_ops[i->op].access, b = type_bytes(i->type), bits = b && b < 4 ? 8 * b : BITS_WORD;
    uint32_t data = i->op == OP_SUST ? 2 : 1;
    if (access & ACC_LOAD && i->dst[0].kind == OPND_REG)
        see_words(v, kind, 0, x_dst(w, x, 0), i->dst[0].n, mask, bits);
    if (access & ACC_STORE && i->src[data].kind != OPND_NONE) /* a constant as well: zeros stand still */
        see_words(v, kind, VALUE_WORDS, x_row(w, x, data), i->src[data].n, mask, bits);
}

/* Rows of the register file, whoever reads or writes them: two words of an operand each beside what the same word of an operand
 * in its place was. */
static void see_regs(struct values *v, const struct xop *x, struct xwarp *w, uint32_t mask)
{
    const struct ir_insn *i = x->insn;
    for (uint32_t s = 0; s < VALUE_SOURCES && s < ir_ops[i->op].nsrc; s++) {
        for (uint32_t k = 0; i->src[s].kind == OPND_REG && k < i->src[s].n && k < REG_WORDS; k++)
            see_row(v, EV_REGS, s + k * VALUE_WORDS, x_row(w, x, s) + k * LANES, mask, ~0u, BITS_WORD);
    }
    for (uint32_t k = 0; i->dst[0].kind == OPND_REG && k < i->dst[0].n && k < REG_WORDS; k++)
        see_row(v, EV_REGS, VALUE_SOURCES + k * VALUE_WORDS, x_dst(w, x, 0) + k * LANES, mask, ~0u,
                BITS_WORD);
}

void values_see(struct values *v, const struct xop *x, struct xwarp *w, uint32_t mask)
{
    enum exec_value kind;
    uint32_t random;
    const struct ir_insn *i = x->insn;
    see_regs(v, x, w, mask);
    if (!kind_of(i, &kind, &random))
        return;
    if (kind == EV_SHARED || kind == EV_MEMORY) {
        see_moved(v, kind, x, w, mask);
        return;
    }
    for (uint32_t s = 0; s < VALUE_SOURCES && s < ir_ops[i->op].nsrc; s++) {
        if (i->src[s].kind == OPND_REG || i->src[s].kind == OPND_IMM || i->src[s].kind == OPND_CONST)
            see_row(v, kind, s, x_row(w, x, s), mask, ~0u, random);
    }
    if (i->dst[0].kind == OPND_REG && kind != EV_TENSOR)
        see_row(v, kind, VALUE_SOURCES, x_dst(w, x, 0), mask, ~0u, random);
}

void exec_values_start(struct exec_dev *d)
{
    if (!d->values)
        d->values = xcalloc(1, sizeof *d->values);
}

const struct exec_values *exec_values(const struct exec_dev *d) { return d->values ? &d->values->sum : NULL; }
