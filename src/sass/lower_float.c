/* SPDX-License-Identifier: Apache-2.0 */
/* Floating point: one of the executor's operations for each. */
#include "sass/lower.h"

static const uint8_t roundings[] = {RND_RN, RND_RM, RND_RP, RND_RZ};
static const uint8_t compares[] = {CMP_NONE, CMP_LT,  CMP_EQ,  CMP_LE,  CMP_GT,  CMP_NE,  CMP_GE,  CMP_NUM,
                                   CMP_NAN,  CMP_LTU, CMP_EQU, CMP_LEU, CMP_GTU, CMP_NEU, CMP_GEU, CMP_NONE};
static const uint8_t mufus[] = {MUFU_COS_TURN, MUFU_SIN_TURN, MUFU_EX2,    MUFU_LG2,  MUFU_RCP,
                                MUFU_RSQ,      MUFU_RCP64H,   MUFU_RSQ64H, MUFU_SQRT, MUFU_TANH};

/* d and n sources of so many words, which begin at operand `from`. */
static void arith(struct lower *l, enum ir_op op, unsigned from, unsigned n, unsigned words)
{
    struct ir_insn *o = l->out;
    o->op = (uint8_t)op;
    o->type = words == 2 ? T_F64 : T_F32;
    o->rnd = roundings[lower_mod(l, SM_rnd)];
    o->flags =
        (uint16_t)((lower_mod(l, SM_ftz) ? IRF_FTZ : 0) | (lower_mod(l, SM_sat) ? IRF_SAT : 0) |
                   (lower_mod(l, SM_nan) ? IRF_NAN : 0) | (lower_mod(l, SM_xorsign) ? IRF_XORSIGN : 0) |
                   (lower_mod(l, SM_relu) ? IRF_RELU : 0));
    o->dst[0] = lower_dst(l, 0, words);
    for (unsigned k = 0; k < n; k++)
        o->src[k] = lower_src(l, from + k, words);
}

/* Comparison into predicates: operands d0, d1, a, b, p. */
static bool setp(struct lower *l, enum ir_op op, unsigned cmp, unsigned words)
{
    arith(l, op, 2, 2, words);
    l->out->dst[0] = lower_dst(l, 0, 1);
    l->out->dst[1] = lower_dst(l, 1, 1);
    l->out->cmp = compares[cmp];
    l->out->bop = (uint8_t)(BOP_AND + lower_mod(l, SM_bop));
    l->out->src[2] = lower_src(l, 4, 1);
    return l->out->cmp != CMP_NONE || lower_refuse(l, "comparison that is always true or false");
}

/* The sign of a float that is moved, not computed with. */
static void signs(struct lower *l, unsigned src)
{
    struct ir_opnd *o = &l->out->src[src];
    if (o->neg || o->abs)
        lower_prep(l, src, o->neg && o->abs ? PREP_NEGABS : o->neg ? PREP_NEG : PREP_ABS);
    o->neg = o->abs = 0;
}

static bool half(struct lower *l, enum ir_op op, unsigned from, unsigned n)
{
    struct ir_insn *o = l->out;
    bool bf16 = lower_mod(l, SM_bf16v2);
    arith(l, op, from, n, 1);
    o->type = bf16 ? T_BF16X2 : T_F16X2;
    for (unsigned k = 0; k < n; k++) {
        unsigned sel = l->in->opnd[from + k].sel;
        if (l->in->opnd[from + k].kind == SASS_IMM)
            continue;
        if (sel == 1)
            return lower_refuse(l, "a source of 32 bits");
        if (sel)
            lower_prep(l, k, sel == 2 ? PREP_H0 : PREP_H1);
    }
    return !lower_mod(l, SM_fmz) || lower_refuse(l, ".FMZ");
}

static bool is_minus_zero(const struct sass_opnd *o)
{
    return o->kind == SASS_REG && o->reg == SASS_RZ && o->neg;
}

/* HADD2.F32 d, -RZ, b.H0, on sm_75 the other way round: a half as a float. */
static bool half_to_float(struct lower *l)
{
    unsigned at = is_minus_zero(&l->in->opnd[1]) ? 2 : 1;
    const struct sass_opnd *b = &l->in->opnd[at];
    if (!is_minus_zero(&l->in->opnd[3 - at]) || b->kind != SASS_REG || b->sel < 2)
        return lower_refuse(l, "a sum of 32 bits of halves");
    arith(l, OP_F2F, at, 1, 1);
    l->out->type = T_F32;
    l->out->stype = T_F16;
    if (b->sel == 3)
        lower_prep(l, 0, PREP_W1);
    l->out->rnd = RND_NONE;
    return true;
}

/* The last operand says minimum or maximum. */
static bool min_or_max(struct lower *l, unsigned k)
{
    if (!lower_always(l, k) && !lower_never(l, k))
        return lower_refuse(l, "minimum or maximum by a predicate");
    l->out->sub = lower_never(l, k);
    l->out->rnd = RND_NONE;
    return true;
}

static bool fmul(struct lower *l)
{
    arith(l, OP_FMUL, 1, 2, 1);
    if (lower_mod(l, SM_pdiv) != 4) {
        l->out->op = OP_FMULS;
        l->out->off = (int32_t)lower_mod(l, SM_pdiv) - 4;
    }
    return !lower_mod(l, SM_fmz) || lower_refuse(l, ".FMZ");
}

static bool mufu(struct lower *l)
{
    static const uint8_t types[] = {T_F32, T_F16, T_BF16};
    struct ir_insn *o = l->out;
    unsigned type = lower_mod(l, SM_mufut75) ? 1 : lower_mod(l, SM_mufut);
    arith(l, OP_MUFU, 1, 1, 1);
    o->type = types[type];
    o->flags = IRF_FTZ | IRF_CHOP; /* but for tanh it knows no subnormal numbers (H200) */
    o->sub = mufus[lower_mod(l, SM_mufu)];
    o->rnd = RND_NONE;
    if (!type)
        return true;
    if (l->in->opnd[1].sel == 1)
        lower_prep(l, 0, PREP_W1);
    return o->sub == MUFU_EX2 || o->sub == MUFU_TANH || lower_refuse(l, "a special function of 16 bits");
}

bool lower_float(struct lower *l)
{
    struct ir_insn *o = l->out;
    switch ((enum sass_op)l->in->row->op) {
    case S_FADD:
    case S_UFADD: arith(l, OP_FADD, 1, 2, 1); return true;
    case S_FMUL:
    case S_UFMUL: return fmul(l);
    case S_FFMA:
    case S_UFFMA: arith(l, OP_FFMA, 1, 3, 1); return !lower_mod(l, SM_fmz) || lower_refuse(l, ".FMZ");
    case S_FMNMX: arith(l, OP_FMNMX, 1, 2, 1); return min_or_max(l, 3);
    case S_FSEL:
        arith(l, OP_SEL, 1, 3, 1);
        signs(l, 0);
        signs(l, 1);
        return !lower_mod(l, SM_ftz) || lower_refuse(l, ".FTZ");
    case S_FSET:
        arith(l, OP_FSET, 1, 3, 1);
        o->cmp = compares[lower_mod(l, SM_fcmp)];
        o->bop = (uint8_t)(BOP_AND + lower_mod(l, SM_bop));
        return o->cmp != CMP_NONE;
    case S_FSETP:
    case S_UFSETP: return setp(l, OP_FSETP, lower_mod(l, SM_fcmp), 1);
    case S_DSETP:
        if (lower_mod(l, SM_dcmp) == 0 || lower_mod(l, SM_dcmp) == 15) {
            setp(l, OP_DSEL, 1, 2);
            o->sub = lower_mod(l, SM_dcmp) == 15;
            return true;
        }
        return setp(l, OP_DSETP, lower_mod(l, SM_dcmp), 2);
    case S_FCHK:
        arith(l, OP_FCHK, 1, 2, 1);
        o->sub = 1;
        o->dst[0] = lower_dst(l, 0, 1);
        return true;
    case S_MUFU: return mufu(l);
    case S_DADD: arith(l, OP_DADD, 1, 2, 2); return true;
    case S_DMUL: arith(l, OP_DMUL, 1, 2, 2); return true;
    case S_DFMA: arith(l, OP_DFMA, 1, 3, 2); return true;
    case S_HADD2: return lower_mod(l, SM_hf32) ? half_to_float(l) : half(l, OP_HADD2, 1, 2);
    case S_HMUL2: return half(l, OP_HMUL2, 1, 2);
    case S_HFMA2: return !lower_mod(l, SM_hf32) && half(l, OP_HFMA2, 1, 3);
    case S_HMNMX2: return half(l, OP_HMNMX2, 1, 2) && min_or_max(l, 3);
    case S_HSETP2:
        if (lower_mod(l, SM_hand) || !half(l, OP_HSETP2, 2, 2))
            return false;
        o->dst[0] = lower_dst(l, 0, 1);
        o->dst[1] = lower_dst(l, 1, 1);
        o->cmp = compares[lower_mod(l, SM_fcmp)];
        o->bop = (uint8_t)(BOP_AND + lower_mod(l, SM_bop));
        o->src[2] = lower_src(l, 4, 1);
        return o->cmp != CMP_NONE;
    case S_HSET2:
        if (!half(l, OP_FSET, 1, 2))
            return false;
        o->sub = !lower_mod(l, SM_hbf);
        o->cmp = compares[lower_mod(l, SM_fcmp)];
        o->bop = (uint8_t)(BOP_AND + lower_mod(l, SM_bop));
        o->src[2] = lower_src(l, 3, 1);
        return o->cmp != CMP_NONE;
    default: return false;
    }
}
