/* SPDX-License-Identifier: Apache-2.0 */
#include "compile/opt/legal.h"

bool legal_commutes(const struct ir_insn *insn)
{
    switch (insn->op) {
    case OP_IADD3:
    case OP_IMAD:
    case OP_IMAD_HI:
    case OP_IMAD_WIDE:
    case OP_IMNMX:
    case OP_FADD:
    case OP_FMUL:
    case OP_FFMA:
    case OP_FMNMX:
    case OP_DADD:
    case OP_DMUL:
    case OP_DFMA:
    case OP_DMNMX:
    case OP_HADD2:
    case OP_HMUL2:
    case OP_HFMA2:
    case OP_HMNMX2: return true;
    case OP_LOP3: { /* the table must read the same with its first two inputs exchanged */
        uint8_t l = insn->lut;
        return (l >> 2 & 3) == (l >> 4 & 3);
    }
    default: return false;
    }
}

/* Sources that only registers can feed, whatever stands beside them. */
static bool register_only(const struct ir_insn *insn, unsigned i)
{
    switch (insn->op) {
    case OP_MOV:
    case OP_MUFU:
    case OP_FRND:
    case OP_F2F:
    case OP_F2I:
    case OP_I2F:
    case OP_I2I:
    case OP_POPC:
    case OP_FLO:
    case OP_BREV:
    case OP_IABS: return false; /* the only source may be anything */
    case OP_SHFL: return i == 0;
    case OP_TEX:
    case OP_SULD:
    case OP_SUST:
    case OP_TXQ: return i != 0; /* the handle may be a parameter */
    case OP_BAR:
    case OP_VOTE:
    case OP_WARPSYNC:
    case OP_BSSY:
    case OP_BSYNC:
    case OP_BREAK:
    case OP_CALL:
    case OP_NANOSLEEP:
    case OP_USETMAXREG:
    case OP_ELECT: return false;
    case OP_REDUX:
    case OP_MATCH: return i == 0;
    case OP_F2FP:
    case OP_SLOWF:
    case OP_VIADD2:
    case OP_VABSDIFF4:
    case OP_R2P:
    case OP_RET:
    case OP_BRX:
    case OP_SYSCALL: return true;
    default: return i == 0 || ir_ops[insn->op].flags & OPF_MEM || ir_ops[insn->op].unit == UNIT_TENSOR;
    }
}

/* One more in a word of shared memory needs no register for the one: ATOMS.POPC.INC. */
static bool is_increment(const struct ir_insn *insn, unsigned i, const struct ir_opnd *o)
{
    return (insn->op == OP_RED || insn->op == OP_ATOM) && i == 1 && insn->space == SPACE_SHARED &&
           insn->aop == AOP_ADD && (insn->type == T_U32 || insn->type == T_S32) && o->kind == OPND_IMM &&
           o->val == 1;
}

bool legal_src(const struct ir_insn *insn, unsigned i, const struct ir_opnd *o)
{
    if (o->kind == OPND_REG || o->kind == OPND_NONE || o->kind == OPND_PRED || (opnd_is_zero(o) && o->n == 1))
        return true;
    if (is_increment(insn, i, o))
        return true;
    if (register_only(insn, i))
        return false;
    if (insn->op == OP_SHFL || insn->op == OP_BAR || insn->op == OP_VOTE || insn->op == OP_LEA)
        return true;
    for (unsigned k = 0; k < 6; k++) {
        const struct ir_opnd *s = &insn->src[k];
        if (k != i && (s->kind == OPND_CONST || (s->kind == OPND_IMM && s->val)))
            return false;
    }
    return true;
}
