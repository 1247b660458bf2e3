/* Opcode classes: the table, and the class of our own instructions. */
#include "trace/class.h"

#define UNIT(u) UNIT_##u
const struct tr_class_info tr_classes[TC_COUNT] = {
#define CLASS(name, unit, what) [TC_##name] = {#name, what, UNIT(unit)},
#include "trace/class.def"
#undef CLASS
};

static const uint8_t by_op[OP_COUNT] = {
    [OP_NOP] = TC_NOP,
    [OP_MOV] = TC_INT,
    [OP_SEL] = TC_INT,
    [OP_S2R] = TC_SREG,
    [OP_P2R] = TC_PRED,
    [OP_R2P] = TC_PRED,
    [OP_IADD3] = TC_INT,
    [OP_IMAD] = TC_IMUL,
    [OP_IMAD_HI] = TC_MULHI,
    [OP_IMAD_WIDE] = TC_WIDE,
    [OP_LEA] = TC_INT,
    [OP_IABS] = TC_INT,
    [OP_IMNMX] = TC_INT,
    [OP_LOP3] = TC_INT,
    [OP_SHL] = TC_INT,
    [OP_SHR] = TC_INT,
    [OP_SHF_L] = TC_INT,
    [OP_SHF_R] = TC_INT,
    [OP_SGXT] = TC_INT,
    [OP_BMSK] = TC_INT,
    [OP_PRMT] = TC_INT,
    [OP_POPC] = TC_BITS,
    [OP_FLO] = TC_BITS,
    [OP_BREV] = TC_BITS,
    [OP_IDP] = TC_IMUL,
    [OP_VABSDIFF4] = TC_INT,
    [OP_VIADD2] = TC_INT,
    [OP_ISETP] = TC_INT,
    [OP_PLOP3] = TC_PRED,
    [OP_FADD] = TC_FP32,
    [OP_FMUL] = TC_FP32,
    [OP_FFMA] = TC_FP32,
    [OP_FMNMX] = TC_FCMP,
    [OP_FSETP] = TC_FCMP,
    [OP_FCHK] = TC_FCMP,
    [OP_MUFU] = TC_SFU,
    [OP_FRND] = TC_CONV,
    [OP_DADD] = TC_FP64,
    [OP_DMUL] = TC_FP64,
    [OP_DFMA] = TC_FP64,
    [OP_DMNMX] = TC_FP64,
    [OP_DSETP] = TC_FP64,
    [OP_SLOWF] = TC_FP64,
    [OP_HADD2] = TC_HALF,
    [OP_HMUL2] = TC_HALF,
    [OP_HFMA2] = TC_HALF,
    [OP_HMNMX2] = TC_HALF,
    [OP_HSETP2] = TC_HALF,
    [OP_F2F] = TC_CONV,
    [OP_F2FP] = TC_PACK,
    [OP_F2I] = TC_CONV,
    [OP_I2F] = TC_CONV,
    [OP_I2I] = TC_INT,
    [OP_LDG] = TC_LDG,
    [OP_LD] = TC_LDG,
    [OP_LDS] = TC_LDS,
    [OP_LDL] = TC_LDL,
    [OP_LDC] = TC_LDC,
    [OP_STG] = TC_STG,
    [OP_ST] = TC_STG,
    [OP_STS] = TC_STS,
    [OP_STL] = TC_STL,
    [OP_ATOM] = TC_ATOMG,
    [OP_RED] = TC_REDG,
    [OP_LDGSTS] = TC_LDGSTS,
    [OP_LDGDEPBAR] = TC_ASYNC,
    [OP_DEPBAR] = TC_ASYNC,
    [OP_LDSM] = TC_LDSM,
    [OP_STSM] = TC_STSM,
    [OP_STAS] = TC_STS,
    [OP_REDAS] = TC_ATOMS,
    [OP_MBAR] = TC_MBAR,
    [OP_BULK] = TC_TMA,
    [OP_BULKGRP] = TC_TMA,
    [OP_MEMBAR] = TC_MEMBAR,
    [OP_CCTL] = TC_CCTL,
    [OP_TEX] = TC_TEX,
    [OP_SULD] = TC_SURF,
    [OP_SUST] = TC_SURF,
    [OP_TXQ] = TC_TEX,
    [OP_HMMA] = TC_HMMA,
    [OP_IMMA] = TC_IMMA,
    [OP_BMMA] = TC_BMMA,
    [OP_DMMA] = TC_DMMA,
    [OP_HGMMA] = TC_GMMA,
    [OP_WARPGROUP] = TC_WARPSYNC,
    [OP_SHFL] = TC_SHFL,
    [OP_VOTE] = TC_VOTE,
    [OP_MATCH] = TC_MATCH,
    [OP_REDUX] = TC_REDUX,
    [OP_WARPSYNC] = TC_WARPSYNC,
    [OP_MOVM] = TC_INT,
    [OP_ELECT] = TC_VOTE,
    [OP_BAR] = TC_BAR,
    [OP_CGABAR] = TC_BAR,
    [OP_BRA] = TC_BRANCH,
    [OP_BRX] = TC_BRANCH,
    [OP_CALL] = TC_BRANCH,
    [OP_RET] = TC_BRANCH,
    [OP_EXIT] = TC_EXIT,
    [OP_BSSY] = TC_CONVERGE,
    [OP_BSYNC] = TC_CONVERGE,
    [OP_BREAK] = TC_CONVERGE,
    [OP_NANOSLEEP] = TC_WARPSYNC,
    [OP_USETMAXREG] = TC_WARPSYNC,
    [OP_ACQBULK] = TC_MEMBAR,
    [OP_PREEXIT] = TC_MEMBAR,
    [OP_TRAP] = TC_EXIT,
    [OP_SYSCALL] = TC_SYSCALL,
};

/* Conversions that GPUs since Ampere do at the rate of integers. */
static bool quick(const struct ir_insn *i)
{
    bool half = i->type == T_F16 || i->stype == T_F16, single = i->type == T_F32 || i->stype == T_F32;
    bool from = i->stype == T_S32 || i->stype == T_U32;
    return (i->op == OP_I2F && i->type == T_F32 && from) || (i->op == OP_F2F && half && single);
}

enum tr_class tr_class_of(const struct ir_insn *i)
{
    if (i->op >= OP_COUNT)
        return TC_NOP;
    if ((i->op == OP_ATOM || i->op == OP_RED) && i->space == SPACE_SHARED)
        return TC_ATOMS;
    return quick(i) ? TC_QCONV : by_op[i->op];
}
