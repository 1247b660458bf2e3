/* SPDX-License-Identifier: Apache-2.0 */
/* Moves, sums and shifts that either of two pipes can take. Integer multiply-adds run in the FMA pipe, all other integer
 * instructions in the ALU, and each takes a warp instruction of integers every other cycle: code that has all its sums in one of
 * them runs at half the rate that it could. So a copy can be RZ * RZ + a (NVIDIA's IMAD.MOV), a sum a * 1 + b (IMAD.IADD), a
 * shift a * 2^k (IMAD.SHL), a shift with a sum a * 2^k + b. Each goes to the pipe that has less to do so far in its block. After
 * register allocation: copies that vanish are gone. Only for sm_90: code for older targets is also replayed on machines whose
 * multipliers are elsewhere. */
#include "compile/passes.h"

/* Cycles that an instruction takes in a pipe: measured (docs/machine.md, conf/gpus/hopper.ini). */
struct load {
    uint32_t alu, fma;
};

static struct load load_of(const struct ir_insn *i)
{
    switch (i->op) {
    case OP_FADD:
    case OP_FMUL:
    case OP_FFMA: return (struct load){.fma = 1};
    case OP_IMAD:
    case OP_IDP: return (struct load){.fma = 2};
    case OP_IMAD_HI:
    case OP_IMAD_WIDE: return (struct load){.fma = 4};
    default: break;
    }
    switch (ir_ops[i->op].unit) {
    case UNIT_HALF: return (struct load){.fma = 1};
    case UNIT_FP32:
    case UNIT_INT: return (struct load){.alu = 2};
    default: return (struct load){0};
    }
}

static bool is_plain_word(const struct ir_opnd *o)
{
    return o->kind == OPND_REG && o->n == 1 && !o->neg && !o->abs;
}

/* a * factor + b */
static bool to_imad(struct ir_insn *i, struct ir_opnd a, uint32_t factor, struct ir_opnd b)
{
    i->op = OP_IMAD;
    i->type = T_U32;
    i->sub = 0;
    i->src[0] = a;
    i->src[1] = ir_imm(factor);
    i->src[2] = b;
    return true;
}

static bool convert(struct ir_insn *i)
{
    struct ir_opnd *s = i->src, zero = ir_imm(0);
    if (i->dst[0].kind != OPND_REG || i->dst[0].n != 1 || i->dst[1].kind ||
        i->flags & (IRF_X | IRF_ARG | IRF_SAT))
        return false;
    switch (i->op) {
    case OP_MOV:
        if (s[0].n != 1 || s[0].neg || s[0].abs ||
            (s[0].kind != OPND_REG && s[0].kind != OPND_IMM)) /* constants are loaded (constants.c) */
            return false;
        return to_imad(i, zero, 0, s[0]);
    case OP_IADD3: {
        unsigned none = opnd_is_zero(&s[2]) ? 2 : opnd_is_zero(&s[1]) ? 1 : 3;
        struct ir_opnd *b = &s[none == 2 ? 1 : 2];
        return none < 3 && is_plain_word(&s[0]) && is_plain_word(b) && to_imad(i, s[0], 1, *b);
    }
    case OP_SHL:
        return is_plain_word(&s[0]) && s[1].kind == OPND_IMM && s[1].val < 32 &&
               to_imad(i, s[0], 1u << s[1].val, zero);
    case OP_LEA:
        return is_plain_word(&s[0]) && is_plain_word(&s[1]) && s[2].kind == OPND_IMM && s[2].val < 32 &&
               to_imad(i, s[0], 1u << s[2].val, s[1]);
    default: return false;
    }
}

void pass_balance(struct ir_fn *fn)
{
    vec_each (&fn->blocks, b) {
        struct load sum = {0};
        vec_each (&b->insns, i) {
            if (sum.alu > sum.fma)
                convert(i);
            struct load l = load_of(i);
            sum.alu += l.alu;
            sum.fma += l.fma;
        }
    }
}
