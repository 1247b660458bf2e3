/* SPDX-License-Identifier: Apache-2.0 */
/* Issue-to-dependent-issue latencies for scheduling: measured on an H200 (FFMA, IMAD 4; DFMA 8; MUFU about 17; LDS 29;
 * HMMA 24; a predicate 13 cycles to what it guards), others from the public Volta and Ampere figures. A load of memory may hit L1
 * (39 cycles), L2 (about 260) or neither: it is taken for a hit in L2. Only the order of magnitude matters here: the timing model
 * has its own tables. */
#include "compile/passes.h"

/* Of LDSM. One alone takes what LDS takes; but the warps of an SM read their fragments together, many at a time, and each
 * that has four matrices takes shared memory four cycles. Chosen: of 29, 64 and 120 the one with which two products of matrices
 * were fastest on hopper; nobody has measured how long they wait. */
enum { FRAGMENTS = 120 };

unsigned sched_latency(const struct ir_insn *i)
{
    switch (i->op) {
    case OP_LDG:
    case OP_LD:
    case OP_LDL:
    case OP_ATOM:
    case OP_TEX:
    case OP_SULD:
    case OP_LDGSTS: return SCHED_FAR;
    case OP_LDSM: return FRAGMENTS;
    case OP_MOV:
        if (!i->sub)
            break;
        return 29; /* what is LDC later */
    case OP_LDS:
    case OP_LDC:
    case OP_SHFL:
    case OP_MBAR: return 29;
    case OP_S2R: return 20;
    default: break;
    }
    switch (ir_ops[i->op].unit) {
    case UNIT_SFU: return 17;
    case UNIT_FP64: return 8;
    case UNIT_TENSOR: return 24;
    case UNIT_MISC: return 12;
    default: return i->dst[0].kind == OPND_PRED ? 13 : 4;
    }
}

/* Measured on an H200: a step of eight values of k in three cycles, doubles in sixteen. */
unsigned sched_busy(const struct ir_insn *i)
{
    switch (i->op) {
    case OP_HMMA:
    case OP_IMMA:
    case OP_BMMA: return i->src[0].n > 2 ? 6 : 3;
    case OP_DMMA: return 16;
    default: return 0;
    }
}
