/* SPDX-License-Identifier: Apache-2.0 */
/* Lanes together: shuffles, votes, barriers, special registers, and the ways between registers and uniform ones. */
#include "sass/lower.h"

/* Special registers that are constants here are moved; -1: not known. */
static int sreg(unsigned n)
{
    switch (n) {
    case 0: return SR_LANEID;
    case 2: return SR_VIRTCFG;
    case 3: return SR_VIRTID;
    case 33: return SR_TID_X;
    case 34: return SR_TID_Y;
    case 35: return SR_TID_Z;
    case 37: return SR_CTAID_X;
    case 38: return SR_CTAID_Y;
    case 39: return SR_CTAID_Z;
    case 50: return SR_TOTAL_SMEM;
    case 56: return SR_LM_EQ;
    case 57: return SR_LM_LT;
    case 58: return SR_LM_LE;
    case 59: return SR_LM_GT;
    case 60: return SR_LM_GE;
    case 67: return SR_SMID;
    case 80: return SR_CLOCK;
    case 81: return SR_CLOCK_HI;
    case 82: return SR_TIMER;
    case 83: return SR_TIMER_HI;
    case 136: return SR_CLUSTER_RANK;
    case 255: return SR_ZERO;
    default: return -1;
    }
}

static bool s2r(struct lower *l, unsigned words)
{
    struct ir_insn *o = l->out;
    unsigned n = l->in->opnd[1].reg;
    int s = sreg(n);
    o->dst[0] = lower_dst(l, 0, words);
    if (n == 47) { /* the high word of shared memory's window in generic addresses */
        o->op = OP_MOV;
        o->type = T_B32;
        o->src[0] = ir_imm((uint32_t)(WINDOW_SHARED >> 32));
        return true;
    }
    if (s == SR_ZERO) {
        o->op = OP_MOV;
        o->type = T_B32;
        o->src[0] = ir_imm(0);
        o->src[0].n = (uint8_t)words;
        return true;
    }
    o->op = OP_S2R;
    o->sub = (uint8_t)s;
    if (words == 2 && s != SR_CLOCK && s != SR_TIMER)
        return lower_refuse(l, "this special register of 64 bits");
    return s >= 0 || lower_refuse(l, "this special register");
}

static bool shfl(struct lower *l)
{
    static const uint8_t kinds[] = {SHFL_IDX, SHFL_UP, SHFL_DOWN, SHFL_BFLY};
    struct ir_insn *o = l->out;
    o->op = OP_SHFL;
    o->sub = kinds[lower_mod(l, SM_shfl)];
    o->dst[0] = lower_dst(l, 1, 1);
    o->dst[1] = lower_dst(l, 0, 1);
    for (unsigned k = 0; k < 3; k++)
        o->src[k] = lower_src(l, 2 + k, 1);
    return true;
}

static bool vote(struct lower *l, enum ir_op op)
{
    static const uint8_t kinds[] = {VOTE_ALL, VOTE_ANY, VOTE_UNI};
    struct ir_insn *o = l->out;
    o->op = (uint8_t)op;
    o->sub = kinds[lower_mod(l, SM_vote)];
    o->dst[0] = lower_dst(l, 0, 1);
    o->dst[1] = lower_dst(l, 1, 1);
    o->src[0] = lower_src(l, 2, 1);
    return true;
}

static bool redux(struct lower *l)
{
    static const uint8_t ops[] = {AOP_AND, AOP_OR, AOP_XOR, AOP_ADD, AOP_MIN, AOP_MAX};
    struct ir_insn *o = l->out;
    o->op = OP_REDUX;
    o->aop = ops[lower_mod(l, SM_redux)];
    o->type = lower_mod(l, SM_s32) ? T_S32 : T_U32;
    o->dst[0] = lower_dst(l, 0, 1);
    o->src[0] = lower_src(l, 1, 1);
    return true;
}

static bool bar(struct lower *l)
{
    static const uint8_t reds[] = {BAR_RED_POPC, BAR_RED_AND, BAR_RED_OR};
    struct ir_insn *o = l->out;
    unsigned op = lower_mod(l, SM_barop);
    const struct sass_opnd *n = &l->in->opnd[1];
    o->op = OP_BAR;
    o->src[0] = lower_src(l, 0, 1);
    if (n->kind == SASS_REG || n->imm)
        o->src[1] = lower_src(l, 1, 1);
    if (l->in->row->code == 0x31d) /* one register has both */
        o->flags = IRF_X;
    if (op == 3)
        return lower_refuse(l, "BAR.SCAN");
    o->sub = op == 0 ? BAR_SYNC : op == 1 ? BAR_ARRIVE : reds[lower_mod(l, SM_barred)];
    if (op == 2) {
        o->src[2] = lower_src(l, 2, 1);
        o->dst[0] = ir_reg(REG_BAR, 0, 1);
        o->dst[1] = ir_pred(PRED_BAR, false);
    }
    return true;
}

/* What the last reduction at a barrier gave. */
static bool b2r(struct lower *l)
{
    struct ir_insn *o = l->out;
    struct ir_opnd d = lower_dst(l, 0, 1), p = lower_dst(l, 1, 1);
    if (d.kind != OPND_NONE && p.kind != OPND_NONE)
        return lower_refuse(l, "two results");
    o->dst[0] = d.kind != OPND_NONE ? d : p;
    if (d.kind != OPND_NONE) {
        o->op = OP_MOV;
        o->type = T_B32;
        o->src[0] = ir_reg(REG_BAR, 0, 1);
    } else {
        o->op = OP_PLOP3X;
        o->lut = 0xf0;
        o->src[0] = ir_pred(PRED_BAR, false);
    }
    return true;
}

static bool warpsync(struct lower *l)
{
    struct ir_insn *o = l->out;
    o->op = OP_WARPSYNC;
    if (!lower_always(l, 0))
        return lower_refuse(l, "a predicate");
    o->src[0] =
        l->in->opnd[1].kind == SASS_REG || l->in->opnd[1].kind == SASS_IMM ? lower_src(l, 1, 1) : ir_imm(~0u);
    return true;
}

bool lower_warp(struct lower *l)
{
    struct ir_insn *o = l->out;
    switch ((enum sass_op)l->in->row->op) {
    case S_S2R:
    case S_S2UR: return s2r(l, 1);
    case S_CS2R: return s2r(l, sass_bits(l->in, 80, 1) ? 2 : 1);
    case S_SHFL: return shfl(l);
    case S_VOTE: return vote(l, OP_VOTE);
    case S_VOTEU: return vote(l, OP_VOTEU);
    case S_REDUX: return redux(l);
    case S_MATCH:
        o->op = OP_MATCH;
        o->sub = lower_mod(l, SM_match) == 0;
        o->dst[0] = lower_dst(l, 1, 1);
        o->dst[1] = lower_dst(l, 0, 1);
        o->src[0] = lower_src(l, 2, lower_mod(l, SM_u64) ? 2 : 1);
        return true;
    case S_R2UR:
        o->op = OP_R2UR;
        o->dst[0] = lower_dst(l, 1, 1);
        o->src[0] = lower_src(l, 2, 1);
        o->dst[1] = lower_dst(l, 0, 1);
        o->sub = (uint8_t)lower_mod(l, SM_r2uror);
        return true;
    case S_ELECT:
        o->op = OP_ELECT;
        o->dst[0] = lower_dst(l, 1, 1);
        o->dst[1] = lower_dst(l, 0, 1);
        return lower_always(l, 2) || lower_refuse(l, "a predicate");
    case S_WARPGROUP:
        o->op = OP_WARPGROUP;
        o->sub = lower_mod(l, SM_wgop) ? WG_WAIT : WG_ARRIVE;
        o->off = (int32_t)l->in->opnd[1].imm;
        return true;
    case S_USETMAXREG:
        if (lower_mod(l, SM_maxreg) == 3) { /* the registers are there: it succeeds */
            o->op = OP_PLOP3X;
            o->dst[0] = lower_dst(l, 0, 1);
            o->lut = 0xff;
            return true;
        }
        o->op = OP_USETMAXREG;
        o->src[0] = ir_imm((uint32_t)l->in->opnd[1].imm);
        return lower_mod(l, SM_maxreg) == 2 || lower_refuse(l, "USETMAXREG of this form");
    case S_BAR: return bar(l);
    case S_B2R: return b2r(l);
    case S_WARPSYNC: return warpsync(l);
    case S_MOVM:
        o->op = OP_MOVM;
        o->type = T_B16;
        o->dst[0] = lower_dst(l, 0, 1);
        o->src[0] = lower_src(l, 1, 1);
        return true;
    case S_DEPBAR: /* copies report to scoreboard 0 (LDGDEPBAR); waits for others change nothing here */
        o->op = l->in->nopnds > 1 && l->in->opnd[0].imm == 0 ? OP_DEPBAR : OP_NOP;
        o->off = (int32_t)l->in->opnd[1].imm;
        if (l->in->nopnds == 1 && l->in->opnd[0].imm & 1)
            o->op = OP_DEPBAR; /* all copies */
        return true;
    case S_ENDCOLLECTIVE:
        o->op = OP_NOP;
        return true; /* the lanes that WARPSYNC.COLLECTIVE brought together go on together */
    case S_ACQBULK: o->op = OP_ACQBULK; return true;
    case S_PREEXIT: o->op = OP_PREEXIT; return true;
    case S_ERRBAR:
    case S_CGAERRBAR: o->op = OP_MEMBAR; return true;
    case S_UCGABAR_ARV:
    case S_UCGABAR_WAIT:
        o->op = OP_CGABAR;
        o->sub = l->in->row->op == S_UCGABAR_ARV ? CGABAR_ARRIVE : CGABAR_WAIT;
        return true;
    default: return false;
    }
}
