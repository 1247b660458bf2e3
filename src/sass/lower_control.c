/* SPDX-License-Identifier: Apache-2.0 */
/* Control: branches, calls, convergence. Targets are indices of instructions. */
#include "sass/lower.h"

static bool target(struct lower *l, unsigned k)
{
    int64_t to = (int64_t)l->at * 16 + 16 + l->in->opnd[k].imm;
    if (to < 0 || to % 16 || to / 16 >= l->k->n)
        return lower_refuse(l, "it goes outside of the code");
    l->out->target = (uint32_t)(to / 16);
    return true;
}

static bool bra(struct lower *l)
{
    struct ir_insn *o = l->out;
    unsigned kind = lower_mod(l, SM_brakind), any = lower_mod(l, SM_braany);
    o->op = OP_BRA;
    if (l->in->row->code == 0x547) { /* a uniform predicate */
        o->src[0] = lower_src(l, 0, 1);
        return target(l, 1);
    }
    if (kind == 2 || kind == 3) {
        const struct sass_opnd *u = &l->in->opnd[1];
        bool given = sass_bits(l->in, 91, 1);
        o->sub = (uint8_t)kind;
        o->src[0] = ir_imm(0);
        o->src[1] = given ? lower_src(l, 1, 1) : ir_imm(~0u);
        o->src[1].neg = given && u->inv;
    } else if (kind == 1 && any == 1) {
        o->sub = 1;
        o->src[0] = ir_imm(0);
    } else if (any || kind > 1) { /* .U: all lanes go the same way */
        return false;
    } else if (!lower_always(l, 0)) {
        o->src[0] = lower_src(l, 0, 1);
    }
    return target(l, 2);
}

/* To the byte address register + offset of the code, or to an address. */
static bool jump(struct lower *l, bool absolute)
{
    struct ir_insn *o = l->out;
    o->op = OP_JMP;
    o->src[0] = lower_src(l, 0, 2);
    o->sub = absolute;
    if (!absolute)
        o->target = (uint32_t)((int64_t)l->at * 16 + 16 + l->in->opnd[1].imm);
    return true;
}

static bool barrier(struct lower *l, enum ir_op op, unsigned k, unsigned pred)
{
    l->out->op = (uint8_t)op;
    l->out->src[0] = ir_imm(l->in->opnd[k].reg);
    if (pred < SASS_MAX_OPNDS)
        l->out->src[1] = lower_src(l, pred, 1);
    return true;
}

static bool bmov(struct lower *l)
{
    struct ir_insn *o = l->out;
    o->op = OP_BMOV;
    if (l->in->row->code == 0x355) {
        o->dst[0] = lower_dst(l, 0, 1);
        o->src[0] = ir_reg(REG_B0 + l->in->opnd[1].reg, 0, 1);
        o->sub = (uint8_t)lower_mod(l, SM_bclear);
    } else {
        o->dst[0] = ir_reg(REG_B0 + l->in->opnd[0].reg, 0, 1);
        o->src[0] = lower_src(l, 1, 1);
    }
    return true;
}

bool lower_control(struct lower *l)
{
    struct ir_insn *o = l->out;
    switch ((enum sass_op)l->in->row->op) {
    case S_BRA: return bra(l);
    case S_CALL:
        if (l->in->row->code == 0x343)
            return jump(l, true);
        if (l->in->row->code == 0x344)
            return jump(l, false);
        o->op = OP_BRA;
        return lower_always(l, 0) && target(l, 1);
    case S_RET:
    case S_BRX: return jump(l, false);
    case S_BSSY: return barrier(l, OP_BSSY, 0, SASS_MAX_OPNDS);
    case S_BSYNC: return barrier(l, OP_BSYNC, 1, 0);
    case S_BREAK: return barrier(l, OP_BREAK, 1, 0);
    case S_BMOV: return bmov(l);
    case S_EXIT:
        o->op = OP_EXIT;
        if (!lower_always(l, 0))
            o->src[0] = lower_src(l, 0, 1);
        return true;
    case S_LEPC:
        o->op = OP_LEPC;
        o->dst[0] = lower_dst(l, 0, 2);
        return target(l, 1);
    case S_BPT: o->op = OP_TRAP; return true;
    case S_NOP: o->op = OP_NOP; return true;
    case S_YIELD:
        o->op = OP_NOP;
        o->sub = NOP_YIELD;
        return true;
    case S_PMTRIG: o->op = OP_NOP; return true;
    case S_CCTL: /* caches are not seen by programs */ o->op = OP_CCTL; return true;
    case S_NANOSLEEP:
        o->op = OP_NANOSLEEP;
        o->src[0] = lower_src(l, 0, 1);
        return true;
    default: return false;
    }
}
