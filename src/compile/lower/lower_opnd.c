/* SPDX-License-Identifier: Apache-2.0 */
#include "base/fbits.h"
#include "compile/lower/lower.h"

static struct lreg *lreg(struct lower *L, const struct ptx_opnd *o) { return &L->regs[o->reg]; }

/* The 64 bits of an immediate as a value of type t: float literals are converted to the instruction's type, and an
 * integer literal where a float is expected denotes its value. */
static bool imm_bits(const struct ptx_opnd *o, enum ir_type t, uint64_t *bits)
{
    bool scalar = t == T_F32 || t == T_TF32 || t == T_F64;
    *bits = o->imm;
    if (o->kind == PO_IMM && scalar)
        *bits = t == T_F64 ? f64_bits((double)(int64_t)o->imm) : f32_bits((float)(int64_t)o->imm);
    else if (o->kind == PO_FIMM && o->is_f32 && t == T_F64)
        *bits = f64_bits(as_f32((uint32_t)o->imm));
    else if (o->kind == PO_FIMM && !o->is_f32 && type_bits(t) == 32)
        *bits = f32_bits((float)as_f64(o->imm));
    return o->kind == PO_IMM || o->kind == PO_FIMM;
}

static opnd imm64(struct lower *L, uint64_t bits, bool is_f64)
{
    if (is_f64 && !(uint32_t)bits) {
        opnd o = imm((uint32_t)(bits >> 32));
        o.n = 2;
        return o;
    }
    return pair(L, imm((uint32_t)bits), imm((uint32_t)(bits >> 32)));
}

/* %ntid, %nctaid, constants and S2R; false: unknown. */
static bool special(struct lower *L, const char *name, opnd *out)
{
    static const struct {
        const char *name;
        uint32_t off;
    } words[] = {{"ntid.x", CB_NTID_X},
                 {"ntid.y", CB_NTID_Y},
                 {"ntid.z", CB_NTID_Z},
                 {"nctaid.x", CB_NCTAID_X},
                 {"nctaid.y", CB_NCTAID_Y},
                 {"nctaid.z", CB_NCTAID_Z},
                 {"nclusterid.x", CB_NCLUSTERID_X},
                 {"nclusterid.y", CB_NCLUSTERID_X + 4},
                 {"nclusterid.z", CB_NCLUSTERID_X + 8},
                 {"cluster_nctaid.x", CB_CLUSTER_NCTAID_X},
                 {"cluster_nctaid.y", CB_CLUSTER_NCTAID_X + 4},
                 {"cluster_nctaid.z", CB_CLUSTER_NCTAID_X + 8},
                 {"cluster_nctarank", CB_CLUSTER_NCTARANK},
                 {"is_explicit_cluster", CB_CLUSTER_GIVEN}};
    for (unsigned k = 0; k < sizeof words / sizeof *words; k++)
        if (!strcmp(name, words[k].name)) {
            *out = ir_const(BANK_LAUNCH, words[k].off, 1);
            return true;
        }
    static const struct {
        const char *name;
        uint8_t lo, hi;
    } wide[] = {{"clock64", SR_CLOCK, SR_CLOCK_HI},
                {"globaltimer", SR_TIMER, SR_TIMER_HI},
                {"gridid", SR_GRIDID, SR_GRIDID_HI}};
    for (unsigned k = 0; k < sizeof wide / sizeof *wide; k++)
        if (!strcmp(name, wide[k].name)) {
            opnd t = tmp(L, 2);
            emit(L, OP_S2R, T_U32, word(t, 0), NONE_OPND, NONE_OPND, NONE_OPND)->sub = wide[k].lo;
            emit(L, OP_S2R, T_U32, word(t, 1), NONE_OPND, NONE_OPND, NONE_OPND)->sub = wide[k].hi;
            *out = t;
            return true;
        }
    for (unsigned r = 0; r < SR_COUNT; r++)
        if (!strcmp(name, ir_sreg_name(r))) {
            *out = tmp(L, 1);
            emit(L, OP_S2R, T_U32, *out, NONE_OPND, NONE_OPND, NONE_OPND)->sub = (uint8_t)r;
            return true;
        }
    static const char *const zero[] = {"tid.w",       "ctaid.w",      "ntid.w",          "nctaid.w",
                                       "clusterid.w", "nclusterid.w", "cluster_ctaid.w", "cluster_nctaid.w"};
    for (unsigned k = 0; k < sizeof zero / sizeof *zero; k++)
        if (!strcmp(name, zero[k])) {
            *out = ZERO;
            return true;
        }
    return false;
}

static opnd special_src(struct lower *L, const struct ptx_opnd *o)
{
    opnd s = ZERO;
    const char *name = *o->sreg == '%' ? o->sreg + 1 : o->sreg;
    if (!special(L, name, &s))
        lower_fail(L, "special register '%%%s' is not supported", name);
    return s;
}

opnd src(struct lower *L, const struct ptx_opnd *o, enum ir_type t)
{
    uint64_t bits;
    unsigned n = type_units(t);
    switch (o->kind) {
    case PO_REG: {
        struct lreg *r = lreg(L, o);
        if (!r->words) {
            lower_fail(L, "a predicate register stands where a .%s is expected", ir_types[t].name);
            return ZERO;
        }
        if (r->words < n) {
            lower_fail(L, "register '%s' is too narrow for .%s", L->f->regs.at[o->reg].name,
                       ir_types[t].name);
            return n == 2 ? pair(L, ZERO, ZERO) : tuple(L, (opnd[]){ZERO, ZERO, ZERO, ZERO}, n);
        }
        opnd v = ir_reg(r->v, 0, n);
        v.neg = o->neg;
        return v;
    }
    case PO_SREG: {
        opnd s = special_src(L, o);
        if (n == 2 && s.n == 1)
            return pair(L, s, ZERO);
        s.n = (uint8_t)(n < s.n ? n : s.n);
        return s;
    }
    case PO_VAR: {
        opnd a = var_address(L, o->var, o->off, false);
        return n == 2 ? a : word(a, 0);
    }
    case PO_FUNC:
        if (n != 2) {
            lower_fail(L, "the address of function '%s' has 64 bits, and a .%s is expected", o->func->name,
                       ir_types[t].name);
            return n == 1 ? ZERO : tuple(L, (opnd[]){ZERO, ZERO, ZERO, ZERO}, n);
        }
        return imm64(L, FUNC_ADDR0 + 16ull * o->func->index, false);
    default:
        if (!imm_bits(o, t, &bits)) {
            lower_fail(L, "this operand cannot be a source of type .%s", ir_types[t].name);
            return ZERO;
        }
        if (n == 2)
            return imm64(L, bits, t == T_F64);
        if (type_bits(t) == 16)
            bits &= 0xffff;
        return imm((uint32_t)bits);
    }
}

struct w64 src64(struct lower *L, const struct ptx_opnd *o)
{
    if (o->kind == PO_IMM)
        return (struct w64){imm((uint32_t)o->imm), imm((uint32_t)(o->imm >> 32))};
    opnd v = src(L, o, T_U64);
    return (struct w64){word(v, 0), word(v, 1)};
}

opnd src_word(struct lower *L, const struct ptx_opnd *o, enum ir_type t, unsigned w)
{
    if (o->kind == PO_IMM && type_bits(t) == 64)
        return imm((uint32_t)(o->imm >> (32 * w)));
    return word(src(L, o, t), w);
}

opnd extend(struct lower *L, opnd o, enum ir_type t)
{
    unsigned bits = type_bits(t);
    bool sx = type_is_signed(t);
    if (bits >= 32)
        return o;
    if (o.kind == OPND_IMM)
        return imm(sx ? (uint32_t)((int32_t)(o.val << (32 - bits)) >> (32 - bits))
                      : o.val & ((1u << bits) - 1));
    opnd d = tmp(L, 1);
    if (sx)
        emit(L, OP_SGXT, T_S32, d, o, imm(bits), NONE_OPND);
    else
        logic(L, d, o, imm((1u << bits) - 1), LUT_AND);
    return d;
}

static bool already_extended(enum ext e, enum ir_type t)
{
    if (type_bits(t) == 16)
        return type_is_signed(t) ? e == EXT_SIGN16 || e == EXT_SIGN8 || e == EXT_ZERO8
                                 : e == EXT_ZERO16 || e == EXT_ZERO8;
    return type_bits(t) == 8 && (type_is_signed(t) ? e == EXT_SIGN8 : e == EXT_ZERO8);
}

bool src_extends(const struct lower *L, const struct ptx_opnd *o, enum ir_type t)
{
    const struct lreg *r = o->kind == PO_REG ? &L->regs[o->reg] : NULL;
    return r && !(r->words == 1 && r->ndefs == 1 && already_extended(r->ext, t));
}

opnd src32(struct lower *L, const struct ptx_opnd *o, enum ir_type t)
{
    opnd v = src(L, o, t);
    if (o->kind == PO_REG) {
        struct lreg *r = lreg(L, o);
        if (r->words == 1 && r->ndefs == 1 && already_extended(r->ext, t))
            return v;
    }
    bool flip = v.neg;
    v.neg = 0;
    v = extend(L, v, t);
    v.neg = flip;
    return v;
}

bool src_known(const struct lower *L, const struct ptx_opnd *o, uint64_t *value)
{
    if (o->kind == PO_REG) {
        const struct lreg *r = &L->regs[o->reg];
        if (r->ndefs != 1 || r->def->op != P_mov || r->def->guard || r->def->ops[0].kind != PO_REG || o->neg)
            return false;
        o = &r->def->ops[1];
    }
    if (o->kind != PO_IMM)
        return false;
    *value = o->imm;
    return true;
}

void set_ext(struct lower *L, const struct ptx_opnd *o, enum ext e)
{
    if (o->kind == PO_REG && L->guard.kind == OPND_NONE)
        lreg(L, o)->ext = (uint8_t)e;
}

opnd src_pred(struct lower *L, const struct ptx_opnd *o)
{
    if (o->kind == PO_REG && !lreg(L, o)->words)
        return ir_pred(lreg(L, o)->v, o->neg);
    if (o->kind == PO_IMM)
        return ir_pred(PRED_PT, (o->imm == 0) != o->neg);
    if (o->kind == PO_SREG && !strcmp(o->sreg, "is_explicit_cluster"))
        return isetp(L, tmp_pred(L), CMP_NE, T_U32, to_reg(L, special_src(L, o)), ZERO);
    lower_fail(L, "a predicate register is expected here");
    return ir_pred(PRED_PT, false);
}

opnd dst(struct lower *L, const struct ptx_opnd *o, enum ir_type t)
{
    unsigned n = type_units(t);
    if (o->kind == PO_NONE)
        return tmp(L, n);
    if (o->kind != PO_REG || !lreg(L, o)->words) {
        lower_fail(L, "a register of type .%s is expected as destination", ir_types[t].name);
        return tmp(L, n);
    }
    struct lreg *r = lreg(L, o);
    if (r->words < n) {
        lower_fail(L, "register '%s' is too narrow for .%s", L->f->regs.at[o->reg].name, ir_types[t].name);
        return tmp(L, n);
    }
    return ir_reg(r->v, 0, n);
}

opnd dst_pred(struct lower *L, const struct ptx_opnd *o)
{
    if (o->kind == PO_NONE)
        return NONE_OPND;
    if (o->kind == PO_REG && !lreg(L, o)->words)
        return ir_pred(lreg(L, o)->v, false);
    lower_fail(L, "a predicate register is expected as destination");
    return NONE_OPND;
}

static bool reads_reg(const struct ptx_opnd *o, uint32_t reg)
{
    if (o->kind == PO_REG && o->reg == reg)
        return true;
    for (unsigned k = 0; k < o->n; k++)
        if (reads_reg(&o->sub[k], reg))
            return true;
    return false;
}

opnd dst_safe(struct lower *L, const struct ptx_opnd *o, enum ir_type t)
{
    if (o->kind == PO_REG)
        for (unsigned k = 0; k < L->in->nops; k++)
            if (&L->in->ops[k] != o && reads_reg(&L->in->ops[k], o->reg))
                return tmp(L, type_units(t));
    return dst(L, o, t);
}

void put(struct lower *L, const struct ptx_opnd *o, enum ir_type t, opnd built)
{
    opnd d = dst(L, o, t);
    if (o->kind == PO_NONE || (built.kind == OPND_REG && built.val == d.val && built.sub == d.sub))
        return;
    mov(L, d, built);
}
