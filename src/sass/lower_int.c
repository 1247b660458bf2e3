/* SPDX-License-Identifier: Apache-2.0 */
/* Integers, bits, predicates, moves; in the uniform datapath too, whose registers are rows like others. */
#include "sass/lower.h"

static bool simple(struct lower *l, enum ir_op op, unsigned n)
{
    l->out->op = (uint8_t)op;
    l->out->type = T_U32;
    l->out->dst[0] = lower_dst(l, 0, 1);
    for (unsigned k = 0; k < n; k++)
        l->out->src[k] = lower_src(l, 1 + k, 1);
    return true;
}

/* d, carry, carry, a, b, c, carry in, carry in. */
static bool iadd3(struct lower *l)
{
    struct ir_insn *o = l->out;
    bool x = lower_mod(l, SM_xcarry);
    struct ir_opnd second = lower_dst(l, 2, 1);
    simple(l, OP_IADD3, 0);
    o->dst[1] = lower_dst(l, 1, 1);
    for (unsigned k = 0; k < 3; k++)
        o->src[k] = lower_src(l, 3 + k, 1);
    if (x) {
        o->flags |= IRF_X;
        o->src[3] = lower_src(l, 6, 1);
    }
    if ((x && !lower_never(l, 7)) || second.kind != OPND_NONE ||
        (o->dst[1].kind != OPND_NONE && o->src[0].kind != OPND_IMM && o->src[1].kind != OPND_IMM &&
         o->src[2].kind != OPND_IMM)) {
        o->op = OP_IADD3C;
        if (x)
            o->src[4] = lower_src(l, 7, 1);
        o->src[5] = second;
    }
    return true;
}

/* d, carry, a, b, c, carry in. The sum of .HI is one of 64 bits too: c is a pair of which the low word may carry. */
static bool imad(struct lower *l, enum ir_op op, unsigned sub)
{
    struct ir_insn *o = l->out;
    unsigned words = sub == 1 ? 2 : 1, addend = sub ? 2 : 1;
    simple(l, op, 0);
    o->type = lower_mod(l, SM_su32) ? T_S32 : T_U32;
    o->dst[0] = lower_dst(l, 0, words);
    o->dst[1] = lower_dst(l, 1, 1);
    for (unsigned k = 0; k < 3; k++)
        o->src[k] = lower_src(l, 2 + k, k == 2 ? addend : 1);
    bool x = sass_bits(l->in, 74, 1);
    if (x) {
        o->flags |= IRF_X;
        o->src[3] = lower_src(l, 5, 1);
    }
    bool high = sub == 2 && !opnd_is_zero(&o->src[2]); /* the addend has 64 bits there too */
    if (x || high || o->dst[1].kind != OPND_NONE ||
        (sub && (o->src[0].neg || o->src[1].neg || o->src[2].neg))) {
        o->op = OP_IMADX;
        o->sub = (uint8_t)sub;
    }
    return true;
}

/* d, carry, a, b, c, shift, carry in. */
static bool lea(struct lower *l)
{
    struct ir_insn *o = l->out;
    bool hi = lower_mod(l, SM_hi), x = lower_mod(l, SM_xcarry), sx = lower_mod(l, SM_sx32);
    simple(l, OP_LEAX, 0);
    o->dst[1] = lower_dst(l, 1, 1);
    o->src[0] = lower_src(l, 2, 1);
    o->src[1] = lower_src(l, 3, 1);
    o->lut = (uint8_t)l->in->opnd[5].imm;
    o->sub = (uint8_t)(hi | x << 1 | sx << 2);
    if (hi && !sx)
        o->src[2] = lower_src(l, 4, 1);
    if (x)
        o->src[3] = lower_src(l, 6, 1);
    if (!o->sub && o->dst[1].kind == OPND_NONE && !o->src[0].neg && !o->src[1].neg) {
        o->op = OP_LEA;
        o->src[2] = ir_imm(o->lut);
        o->lut = 0;
    }
    return true;
}

/* predicate, d, a, b, c, table, predicate. */
static bool lop3(struct lower *l)
{
    struct ir_insn *o = l->out;
    simple(l, OP_LOP3, 0);
    o->dst[0] = lower_dst(l, 1, 1);
    o->dst[1] = lower_dst(l, 0, 1);
    for (unsigned k = 0; k < 3; k++)
        o->src[k] = lower_src(l, 2 + k, 1);
    o->lut = (uint8_t)l->in->opnd[5].imm;
    if (o->dst[1].kind != OPND_NONE && (lower_mod(l, SM_pand) || !lower_never(l, 6))) {
        o->op = OP_LOP3P;
        o->src[3] = lower_src(l, 6, 1);
        o->sub = (uint8_t)lower_mod(l, SM_pand);
    }
    return true;
}

/* Shifts of one word are the executor's own; all others its general one. */
static bool shf(struct lower *l)
{
    struct ir_insn *o = l->out;
    unsigned type = lower_mod(l, SM_shtype);
    bool right = lower_mod(l, SM_shdir), wraps = lower_mod(l, SM_shw), hi = lower_mod(l, SM_hi);
    bool is_signed = type == 0 || type == 2, wide = type <= 1;
    simple(l, OP_SHFX, 3);
    o->type = is_signed ? T_S32 : T_U32;
    o->sub = (uint8_t)(right | wraps << 1 | hi << 2 | wide << 3);
    if (wraps || wide)
        return true;
    if (!right && !hi) {
        o->op = OP_SHL;
        o->src[2] = ir_none();
    } else if (right && hi) {
        o->op = OP_SHR;
        o->src[0] = o->src[2];
        o->src[2] = ir_none();
    }
    o->sub = o->op == OP_SHFX ? o->sub : 0;
    return true;
}

/* d0, d1, a, b, p, low result. */
static bool isetp(struct lower *l)
{
    static const uint8_t compares[] = {CMP_NONE, CMP_LT, CMP_EQ, CMP_LE, CMP_GT, CMP_NE, CMP_GE, CMP_NONE};
    struct ir_insn *o = l->out;
    unsigned type = lower_mod(l, SM_su32x);
    simple(l, OP_ISETP, 0);
    o->dst[0] = lower_dst(l, 0, 1);
    o->dst[1] = lower_dst(l, 1, 1);
    o->type = type & 1 ? T_S32 : T_U32;
    o->cmp = compares[lower_mod(l, SM_icmp)];
    o->bop = (uint8_t)(BOP_AND + lower_mod(l, SM_bop));
    o->src[0] = lower_src(l, 2, 1);
    o->src[1] = lower_src(l, 3, 1);
    o->src[2] = lower_src(l, 4, 1);
    if (lower_mod(l, SM_ex)) {
        o->flags |= IRF_X;
        o->src[3] = lower_src(l, 5, 1);
    }
    if (type > 1)
        return lower_refuse(l, "comparison of 64 bits");
    return o->cmp != CMP_NONE || lower_refuse(l, "comparison that is always true or false");
}

static bool plop3(struct lower *l)
{
    struct ir_insn *o = l->out;
    simple(l, OP_PLOP3X, 0);
    o->dst[0] = lower_dst(l, 0, 1);
    o->dst[1] = lower_dst(l, 1, 1);
    for (unsigned k = 0; k < 3; k++)
        o->src[k] = lower_src(l, 2 + k, 1);
    o->lut = (uint8_t)l->in->opnd[5].imm;
    o->off = (int32_t)l->in->opnd[6].imm;
    return true;
}

/* Minima and maxima of integers: d, sources, predicate at operand p. */
static bool vmnmx(struct lower *l, unsigned how, unsigned from, unsigned n, unsigned p)
{
    static const uint8_t types[] = {T_U32, T_S32, T_U16X2, T_S16X2};
    struct ir_insn *o = l->out;
    simple(l, OP_VMNMX, 0);
    for (unsigned k = 0; k < n; k++)
        o->src[k] = lower_src(l, from + k, 1);
    o->type = types[sass_bits(l->in, 72, 2)];
    if (!lower_always(l, p) && !lower_never(l, p))
        return lower_refuse(l, "minimum or maximum by a predicate");
    o->sub = (uint8_t)(lower_never(l, p) | how << 1);
    o->flags = lower_mod(l, SM_relu) ? IRF_RELU : 0;
    if (how == 0 && !o->src[1].neg && (!o->flags || o->type == T_S32 || o->type == T_S16X2)) {
        o->op = OP_IMNMX;
        o->sub = lower_never(l, p);
    }
    return true;
}

/* One source that can be inverted. */
static bool count(struct lower *l, enum ir_op op, unsigned k)
{
    simple(l, op, 0);
    l->out->src[0] = lower_src(l, k, 1);
    if (l->out->src[0].neg)
        lower_prep(l, 0, PREP_INV);
    l->out->src[0].neg = 0;
    return true;
}

static bool viadd(struct lower *l)
{
    struct ir_insn *o = l->out;
    if (lower_mod(l, SM_v16)) {
        simple(l, OP_VIADD2, 2);
        o->type = T_U16X2;
    } else {
        simple(l, OP_IADD3, 2);
    }
    return true;
}

static bool mov(struct lower *l)
{
    unsigned n = lower_mod(l, SM_w64) ? 2 : 1;
    if (l->in->opnd[1].kind == SASS_IMM && l->in->row->code == 0x402)
        return lower_refuse(l, "an immediate of 64 bits");
    simple(l, OP_MOV, 0);
    l->out->dst[0] = lower_dst(l, 0, n);
    l->out->src[0] = lower_src(l, 1, n);
    l->out->type = T_B32;
    return true;
}

static bool uniform_add64(struct lower *l)
{
    struct ir_insn *o = l->out;
    const struct sass_opnd *c = &l->in->opnd[5];
    if (l->in->opnd[1].reg != SASS_PT || l->in->opnd[2].reg != SASS_PT)
        return lower_refuse(l, "carries out of 64 bits");
    simple(l, OP_IADD64, 0);
    o->dst[0] = lower_dst(l, 0, 2);
    o->src[0] = lower_src(l, 3, 2);
    o->src[1] = lower_src(l, 4, 2);
    if (o->src[1].kind == OPND_IMM) /* 32 bits, its sign extended */
        o->src[1].sub = 1;
    if (c->kind != SASS_UREG || c->reg != SASS_RZ)
        o->src[2] = lower_src(l, 5, 2);
    return true;
}

bool lower_int(struct lower *l)
{
    struct ir_insn *o = l->out;
    switch ((enum sass_op)l->in->row->op) {
    case S_MOV:
    case S_UMOV: return mov(l);
    case S_SEL:
    case S_USEL: return l->in->row->text[0] != '.' && simple(l, OP_SEL, 3);
    case S_IADD3: return iadd3(l);
    case S_UIADD3: return l->in->nopnds == 8 ? iadd3(l) : uniform_add64(l);
    case S_IMAD:
    case S_UIMAD: return imad(l, OP_IMAD, 0);
    case S_IMAD__WIDE:
    case S_UIMAD__WIDE: return imad(l, OP_IMAD_WIDE, 1);
    case S_IMAD__HI: return imad(l, OP_IMAD_HI, 2);
    case S_IDP: {
        static const uint8_t kind[] = {0, 1, 0, 2};
        simple(l, OP_IDP, 3);
        o->sub = kind[lower_mod(l, SM_idpk)];
        o->type = lower_mod(l, SM_u8a) || lower_mod(l, SM_u16a) ? T_S32 : T_U32;
        o->stype = lower_mod(l, SM_u8b) ? T_S32 : T_U32;
        return true;
    }
    case S_ISETP:
    case S_UISETP: return isetp(l);
    case S_IMNMX:
        simple(l, OP_IMNMX, 2);
        o->type = lower_mod(l, SM_su32) ? T_S32 : T_U32;
        o->sub = lower_never(l, 3);
        return lower_never(l, 3) || lower_always(l, 3) ||
               lower_refuse(l, "minimum or maximum by a predicate");
    case S_IABS: simple(l, OP_IABS, 1); return true;
    case S_LEA:
    case S_ULEA: return lea(l);
    case S_LOP3:
    case S_ULOP3: return lop3(l);
    case S_PLOP3:
    case S_UPLOP3: return plop3(l);
    case S_SHF:
    case S_USHF: return shf(l);
    case S_SGXT:
    case S_USGXT:
        simple(l, OP_SGXT, 2);
        o->type = lower_mod(l, SM_su32) ? T_S32 : T_U32;
        return !lower_mod(l, SM_shw) || lower_refuse(l, ".W");
    case S_BMSK:
    case S_UBMSK:
        simple(l, OP_BMSK, 2);
        o->sub = (uint8_t)lower_mod(l, SM_shw);
        return true;
    case S_PRMT:
    case S_UPRMT:
        simple(l, OP_PRMT, 3);
        o->src[1] = lower_src(l, 3, 1);
        o->src[2] = lower_src(l, 2, 1);
        o->sub = (uint8_t)lower_mod(l, SM_prmt);
        return true;
    case S_POPC:
    case S_UPOPC: return count(l, OP_POPC, 1);
    case S_BREV:
    case S_UBREV: return count(l, OP_BREV, 1);
    case S_FLO:
    case S_UFLO:
        count(l, OP_FLO, 2);
        o->type = lower_mod(l, SM_su32) ? T_S32 : T_U32;
        o->sub = (uint8_t)lower_mod(l, SM_sh);
        return l->in->opnd[1].reg == SASS_PT || lower_refuse(l, "a predicate as result");
    case S_VABSDIFF:
        simple(l, OP_VABSDIFF4, 3);
        o->stype = lower_mod(l, SM_su32) ? T_S32 : T_U32;
        o->sub = 1;
        return true;
    case S_VABSDIFF4:
        simple(l, OP_VABSDIFF4, 3);
        o->stype = lower_mod(l, SM_vad) ? T_S32 : T_U32;
        o->flags = lower_mod(l, SM_acc) ? IRF_ACC : 0;
        return true;
    case S_VIADD: return viadd(l);
    case S_VIADDMNMX: return vmnmx(l, 1, 1, 3, 4);
    case S_VIMNMX: return l->in->nopnds == 4 ? vmnmx(l, 0, 1, 2, 3) : vmnmx(l, 0, 3, 2, 5);
    case S_UVIMNMX: return vmnmx(l, 0, 1, 2, 3);
    case S_VIMNMX3: return vmnmx(l, 2, 1, 3, 4);
    case S_P2R:
        simple(l, OP_P2RX, 0);
        o->src[0] = lower_src(l, 2, 1);
        o->sub = l->in->opnd[2].sel;
        o->lut = (uint8_t)l->in->opnd[3].imm;
        return l->in->opnd[3].imm <= 0x7f;
    case S_R2P:
        simple(l, OP_R2PX, 0);
        o->dst[0] = ir_none();
        o->src[0] = lower_src(l, 1, 1);
        o->sub = l->in->opnd[1].sel;
        o->lut = (uint8_t)l->in->opnd[2].imm;
        return l->in->opnd[2].imm <= 0x7f;
    case S_IADD:
        simple(l, OP_IADD64, 2);
        o->dst[0] = lower_dst(l, 0, 2);
        o->src[0] = lower_src(l, 1, 2);
        o->src[1] = lower_src(l, 2, 2);
        if (o->src[1].kind == OPND_IMM)
            o->src[1].sub = 1;
        return true;
    default: return false;
    }
}
