/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions. */
#include "sass/lower.h"

static const uint8_t floats[] = {T_NONE, T_F16, T_F32, T_F64, T_BF16};
static const uint8_t ints[] = {T_U8, T_S8, T_U16, T_S16, T_U32, T_S32, T_U64, T_S64};
static const uint8_t roundings[] = {RND_RN, RND_RM, RND_RP, RND_RZ};
static const uint8_t integral[] = {RND_RNI, RND_RMI, RND_RPI, RND_RZI};

static void convert(struct lower *l, enum ir_op op, uint8_t to, uint8_t from, uint8_t rnd)
{
    struct ir_insn *o = l->out;
    unsigned sel = l->in->opnd[1].sel;
    o->op = (uint8_t)op;
    o->type = to;
    o->stype = from;
    o->rnd = rnd;
    o->flags = lower_mod(l, SM_ftz) ? IRF_FTZ : 0;
    o->dst[0] = lower_dst(l, 0, type_units(to));
    o->src[0] = lower_src(l, 1, type_units(from));
    if (sel && l->in->opnd[1].kind == SASS_REG)
        lower_prep(l, 0, type_bits(from) == 16 ? PREP_W1 : sel == 1 ? PREP_B1 : sel == 2 ? PREP_B2 : PREP_B3);
}

/* Two floats of 8 bits, in the low half, as halves. */
static bool unpack(struct lower *l)
{
    struct ir_insn *o = l->out;
    o->op = OP_F2FP;
    o->type = T_F16X2;
    o->stype = lower_mod(l, SM_fpsrc) == 3 ? T_E4M3X2 : T_E5M2X2;
    o->sub = l->in->opnd[1].sel;
    o->rnd = RND_RN;
    o->dst[0] = lower_dst(l, 0, 1);
    o->src[0] = lower_src(l, 1, 1);
    return lower_mod(l, SM_fpdst) == 0;
}

/* Two halves as floats of 8 bits, in the low half. */
static bool narrow(struct lower *l)
{
    struct ir_insn *o = l->out;
    unsigned to = lower_mod(l, SM_fpdst8);
    o->op = OP_F2FP;
    o->type = to == 3 ? T_E4M3X2 : T_E5M2X2;
    o->stype = T_F16X2;
    o->rnd = RND_RN;
    o->flags = lower_mod(l, SM_satfin) ? IRF_FINITE : 0;
    o->dst[0] = lower_dst(l, 0, 1);
    o->src[0] = lower_src(l, 1, 1);
    return to > 1 && l->in->opnd[2].reg == SASS_RZ;
}

static bool f2fp(struct lower *l)
{
    static const uint8_t types[] = {T_F16X2, T_BF16X2, T_E5M2X2, T_E4M3X2};
    struct ir_insn *o = l->out;
    unsigned to = l->in->nopnds == 3 ? lower_mod(l, SM_fpbf) : lower_mod(l, SM_fpdst);
    o->op = OP_F2FP;
    o->type = types[to];
    o->stype = T_F32;
    o->rnd = roundings[lower_mod(l, SM_rnd)];
    o->flags =
        (uint16_t)((lower_mod(l, SM_satfin) ? IRF_FINITE : 0) | (lower_mod(l, SM_relu) ? IRF_RELU : 0));
    o->dst[0] = lower_dst(l, 0, 1);
    o->src[0] = lower_src(l, 1, 1);
    o->src[1] = lower_src(l, 2, 1);
    if (lower_mod(l, SM_packc) && !(l->in->opnd[3].kind == SASS_REG && l->in->opnd[3].reg == SASS_RZ))
        return lower_refuse(l, "merging with a third source");
    return true;
}

bool lower_convert(struct lower *l)
{
    switch ((enum sass_op)l->in->row->op) {
    case S_F2F:
        convert(l, OP_F2F, floats[lower_mod(l, SM_fdst)], floats[lower_mod(l, SM_fsrc)],
                roundings[lower_mod(l, SM_rnd)]);
        return true;
    case S_F2I:
        convert(l, OP_F2I, ints[lower_mod(l, SM_idst)], floats[lower_mod(l, SM_fsrc_)],
                integral[lower_mod(l, SM_rndi)]);
        return true;
    case S_I2F:
    case S_UI2F:
        convert(l, OP_I2F, floats[lower_mod(l, SM_fdst_)], ints[lower_mod(l, SM_isrc)],
                roundings[lower_mod(l, SM_rnd)]);
        return true;
    case S_I2FP:
    case S_UI2FP:
        convert(l, OP_I2F, floats[lower_mod(l, SM_fdst)], ints[lower_mod(l, SM_isrcs)],
                roundings[lower_mod(l, SM_rnd)]);
        return true;
    case S_FRND:
    case S_UFRND:
        convert(l, OP_FRND, floats[lower_mod(l, SM_fdst_)], T_NONE, integral[lower_mod(l, SM_rndi)]);
        l->out->src[0] = lower_src(l, 1, type_units(l->out->type));
        return true;
    case S_F2FP: return lower_mod(l, SM_unpackb) ? unpack(l) : lower_mod(l, SM_fpdst8) ? narrow(l) : f2fp(l);
    default: return false;
    }
}
