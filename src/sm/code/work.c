/* SPDX-License-Identifier: Apache-2.0 */
/* What an instruction's lanes do, as a counter: energy is counted by it. */
#include "sm/core.h"
#include "trace/code/facts.h"

_Static_assert(SS_COUNT <= UINT8_MAX, "a counter must fit kinsn.work");

static const uint8_t rows[TC_COUNT] = {
    [TC_FP32] = SS_lanes_fp32,    [TC_FCMP] = SS_lanes_int,      [TC_INT] = SS_lanes_int,
    [TC_PRED] = SS_lanes_int,     [TC_IMUL] = SS_lanes_imul,     [TC_MULHI] = SS_lanes_wide,
    [TC_WIDE] = SS_lanes_wide,    [TC_BITS] = SS_lanes_bits,     [TC_UNIFORM] = SS_lanes_uniform,
    [TC_SFU] = SS_lanes_sfu,      [TC_CONV] = SS_lanes_conv,     [TC_QCONV] = SS_lanes_qconv,
    [TC_PACK] = SS_lanes_qconv,   [TC_FP64] = SS_lanes_fp64,     [TC_HALF] = SS_lanes_half,
    [TC_HMMA] = SS_lanes_hmma,    [TC_IMMA] = SS_lanes_imma,     [TC_BMMA] = SS_lanes_imma,
    [TC_DMMA] = SS_lanes_dmma,    [TC_LDG] = SS_lanes_memory,    [TC_STG] = SS_lanes_memory,
    [TC_ATOMG] = SS_lanes_atomic, [TC_REDG] = SS_lanes_atomic,   [TC_LDS] = SS_lanes_shared,
    [TC_STS] = SS_lanes_shared,   [TC_ATOMS] = SS_lanes_atomic,  [TC_LDSM] = SS_lanes_shared,
    [TC_STSM] = SS_lanes_shared,  [TC_LDL] = SS_lanes_memory,    [TC_STL] = SS_lanes_memory,
    [TC_LDC] = SS_lanes_memory,   [TC_LDGSTS] = SS_lanes_memory, [TC_TEX] = SS_lanes_texture,
    [TC_SURF] = SS_lanes_memory,  [TC_SHFL] = SS_lanes_shuffle,  [TC_VOTE] = SS_lanes_across,
    [TC_MATCH] = SS_lanes_across, [TC_REDUX] = SS_lanes_across,
};

uint8_t sm_work_of(const struct tr_insn *i, uint32_t facts)
{
    if (i->cls == TC_FP32 && facts & TF_ADDS)
        return SS_lanes_fadd;
    if (i->cls == TC_FP64 && facts & (TF_ADDS | TF_COMPARES))
        return SS_lanes_dadd;
    return i->cls < TC_COUNT && rows[i->cls] ? rows[i->cls] : SS_lanes_other;
}

uint16_t sm_work_weight(const struct tr_insn *i, uint8_t row, uint32_t tensor_cyc)
{
    enum { WORD_B = 4 };
    if (row == SS_lanes_hmma || row == SS_lanes_imma || row == SS_lanes_dmma)
        return (uint16_t)tensor_cyc;
    if (row == SS_lanes_shared || row == SS_lanes_memory)
        return i->width_b > WORD_B ? i->width_b / WORD_B : 1;
    return 1;
}
