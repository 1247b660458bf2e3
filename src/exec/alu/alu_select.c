/* SPDX-License-Identifier: Apache-2.0 */
/* The one entry of a variant: asks the families in turn. Called once per static instruction. */
#include "exec/alu/alu.h"

xfn ALU_NAME(alu_select)(const struct ir_insn *i)
{
    static xfn (*const family[])(const struct ir_insn *) = {
        ALU_NAME(alu_move), ALU_NAME(alu_int),    ALU_NAME(alu_bits), ALU_NAME(alu_setp), ALU_NAME(alu_float),
        ALU_NAME(alu_fenv), ALU_NAME(alu_double), ALU_NAME(alu_half), ALU_NAME(alu_sfu),  ALU_NAME(alu_mufu),
        ALU_NAME(alu_cvt),  ALU_NAME(alu_mma),    ALU_NAME(alu_sass),
    };
    for (size_t k = 0; k < sizeof family / sizeof *family; k++) {
        xfn f = family[k](i);
        if (f)
            return f;
    }
    return NULL;
}
