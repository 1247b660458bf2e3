/* SPDX-License-Identifier: Apache-2.0 */
/* Memory. */
#include "sass/lower.h"

/* The address at operand k as s0 (or another source), with its offset; a uniform register that is added becomes s4. */
static bool address(struct lower *l, unsigned k, bool global)
{
    const struct sass_opnd *p = &l->in->opnd[k];
    struct ir_insn *o = l->out;
    unsigned n = global ? 2 : 1;
    bool reg = p->reg != SASS_RZ, ureg = p->ureg != SASS_RZ;
    o->off = (int32_t)p->imm;
    o->src[0] = reg ? ir_reg(p->reg, 0, n) : ureg ? ir_reg(REG_U0 + p->ureg, 0, n) : ir_none();
    if (reg && ureg)
        o->src[4] = ir_reg(REG_U0 + p->ureg, 0, n);
    if (p->sel) { /* scaled by 4, 8, 16 */
        o->lut = (uint8_t)(1 + p->sel);
        if (!reg)
            return lower_refuse(l, "a scaled address without a register");
    }
    return true;
}

static void ordering(struct lower *l)
{
    unsigned order = lower_mod(l, SM_order), order75 = lower_mod(l, SM_order75);
    bool turing = l->k->arch < 80;
    if (turing ? order75 == 2 : order >= 5)
        l->out->order = ORD_RELAXED;
    if (turing ? order75 == 2 && lower_mod(l, SM_scope75) < 2 : order == 5)
        l->out->flags |= IRF_CTA;
    if (turing ? order75 == 0 : order == 4)
        l->out->flags |= IRF_NC;
}

/* Element and number of a plain access. */
static unsigned shape(struct lower *l)
{
    static const uint8_t types[] = {T_U8, T_S8, T_U16, T_S16, T_B32, T_B32, T_B32};
    static const uint8_t counts[] = {1, 1, 1, 1, 1, 2, 4};
    unsigned size = lower_mod(l, SM_msize);
    l->out->type = types[size];
    l->out->vec = counts[size];
    return counts[size];
}

static bool load(struct lower *l, enum ir_op op, unsigned addr, bool global)
{
    l->out->op = (uint8_t)op;
    l->out->dst[0] = lower_dst(l, 0, shape(l));
    ordering(l);
    if (op == OP_LDG && l->in->opnd[1].kind == SASS_PRED && l->in->opnd[1].reg != SASS_PT)
        return lower_refuse(l, "a predicate as result");
    return address(l, addr, global);
}

static bool store(struct lower *l, enum ir_op op, bool global)
{
    unsigned n = shape(l);
    l->out->op = (uint8_t)op;
    ordering(l);
    if (!address(l, 0, global))
        return false;
    l->out->src[1] = lower_src(l, 1, n);
    return true;
}

static bool ldc(struct lower *l)
{
    const struct sass_opnd *c = &l->in->opnd[1];
    struct ir_insn *o = l->out;
    unsigned n = shape(l);
    o->op = OP_LDC;
    o->dst[0] = lower_dst(l, 0, n);
    o->sub = c->bank;
    o->off = (int32_t)c->imm;
    o->src[0] = c->reg != SASS_RZ    ? ir_reg(c->reg, 0, 1)
                : c->ureg != SASS_RZ ? ir_reg(REG_U0 + c->ureg, 0, 1)
                                     : ir_none();
    if (lower_mod(l, SM_ldcm))
        return lower_refuse(l, "an index that is taken apart");
    if (l->in->row->flags & SF_U && o->src[0].kind == OPND_NONE && o->type == T_B32) {
        o->op = OP_MOV;
        o->vec = 0;
        o->sub = 0;
        o->off = 0;
        o->src[0] = ir_const(c->bank, (uint32_t)c->imm, n);
    }
    return true;
}

static const uint8_t aops[] = {AOP_ADD, AOP_MIN, AOP_MAX, AOP_INC, AOP_DEC,
                               AOP_AND, AOP_OR,  AOP_XOR, AOP_EXCH};
static const uint8_t atypes[] = {T_U32, T_S32, T_U64, T_F32, T_F16X2, T_S64, T_F64, T_NONE};
static const uint8_t aftypes[] = {T_F16X2, T_NONE, T_NONE, T_BF16X2, T_NONE, T_NONE, T_NONE, T_NONE,
                                  T_NONE,  T_F32,  T_F32,  T_F32,    T_F32,  T_F32,  T_F32,  T_F64};

static bool has_kind(const struct lower *l, enum sass_modkind kind)
{
    for (unsigned k = 0; k < l->in->nmods; k++) {
        if (l->in->mod[k].kind == kind)
            return true;
    }
    return false;
}

static uint8_t atomic_type(const struct lower *l)
{
    static const uint8_t shared[] = {T_U32, T_S32, T_U64, T_S64};
    if (has_kind(l, SM_aftype))
        return aftypes[lower_mod(l, SM_aftype)];
    if (has_kind(l, SM_castype))
        return lower_mod(l, SM_castype) == 4 ? T_B128 : lower_mod(l, SM_castype) ? T_U64 : T_U32;
    if (has_kind(l, SM_astype))
        return shared[lower_mod(l, SM_astype) & 3];
    return atypes[lower_mod(l, SM_atype) & 7];
}

/* Does the address lie in the window of a memory? */
static bool which_space(struct lower *l)
{
    struct ir_insn *o = l->out;
    unsigned kind = lower_mod(l, SM_qspc), at = l->in->opnd[2].reg;
    if (kind == 0 || l->in->opnd[2].imm || at >= SASS_RZ - 1)
        return false;
    o->op = OP_ISETP;
    o->type = T_U32;
    o->cmp = CMP_EQ;
    o->dst[0] = lower_dst(l, 0, 1);
    o->src[0] = ir_reg(at + 1, 0, 1);
    o->src[1] = ir_imm((uint32_t)((kind == 1 ? WINDOW_LOCAL : WINDOW_SHARED) >> 32));
    return true;
}

/* d at operand `dst` (none: SASS_MAX_OPNDS), then address and data. */
static bool atomic(struct lower *l, unsigned dst, unsigned addr, enum ir_space space, bool cas)
{
    struct ir_insn *o = l->out;
    o->type = atomic_type(l);
    o->vec =
        has_kind(l, SM_aftype) && o->type == T_F32 ? (uint8_t)(1u << (lower_mod(l, SM_aftype) - 9) % 3) : 1;
    o->space = (uint8_t)space;
    if (cas && lower_mod(l, SM_cas))
        o->flags = IRF_X;
    o->aop = cas ? AOP_CAS : aops[lower_mod(l, SM_aop)];
    o->order = ORD_RELAXED;
    o->op = dst < SASS_MAX_OPNDS ? OP_ATOM : OP_RED;
    if (o->type == T_NONE)
        return lower_refuse(l, "the type of this atomic operation");
    unsigned n = type_units(o->type) * o->vec;
    if (dst < SASS_MAX_OPNDS)
        o->dst[0] = lower_dst(l, dst, n);
    /* s5: a destination, as IADD3C's, whether it was done. The read barrier counts it, since the address decides. */
    if (dst == 1)
        o->src[5] = lower_dst(l, 0, 1);
    if (!address(l, addr, space != SPACE_SHARED))
        return false;
    o->src[1] = lower_src(l, addr + 1, n);
    if (cas)
        o->src[2] = lower_src(l, addr + 2, n);
    return true;
}

static bool atoms(struct lower *l)
{
    unsigned code = l->in->row->code;
    if (code == 0x38d || code == 0x58d) { /* d, address, compare, new */
        struct ir_insn *o = l->out;
        o->op = OP_ATOM;
        o->aop = AOP_CAS;
        o->space = SPACE_SHARED;
        o->order = ORD_RELAXED;
        o->vec = 1;
        o->type = lower_mod(l, SM_w64) ? T_U64 : T_U32;
        unsigned n = type_units(o->type);
        /* CAST: tells whether it was the same */
        o->flags = code == 0x58d || lower_mod(l, SM_cas) ? IRF_X : 0;
        o->dst[0] = lower_dst(l, 0, code == 0x58d ? 1 : n);
        o->src[1] = lower_src(l, 2, n);
        o->src[2] = lower_src(l, 3, n);
        return address(l, 1, false);
    }
    if (code == 0xf8c) { /* adds one for each lane */
        struct ir_insn *o = l->out;
        o->op = OP_ATOM;
        o->aop = AOP_ADD;
        o->space = SPACE_SHARED;
        o->order = ORD_RELAXED;
        o->vec = 1;
        o->type = T_U32;
        o->dst[0] = lower_dst(l, 0, 1);
        o->src[1] = ir_imm(1);
        return address(l, 1, false);
    }
    return atomic(l, 0, 1, SPACE_SHARED, false);
}

static bool matrix(struct lower *l, enum ir_op op)
{
    static const uint8_t counts[] = {1, 2, 4};
    struct ir_insn *o = l->out;
    bool is_load = op == OP_LDSM;
    o->op = (uint8_t)op;
    o->type = T_B16;
    o->vec = counts[lower_mod(l, SM_ldsmn)];
    o->flags = lower_mod(l, SM_ldsm) ? IRF_TRANS : 0;
    if (is_load)
        o->dst[0] = lower_dst(l, 0, o->vec);
    else
        o->src[1] = lower_src(l, 1, o->vec);
    return address(l, is_load ? 1 : 0, false);
}

static bool ldgsts(struct lower *l)
{
    static const uint8_t bytes[] = {0, 0, 0, 0, 4, 8, 16};
    struct ir_insn *o = l->out;
    const struct sass_opnd *to = &l->in->opnd[0], *from = &l->in->opnd[1];
    o->op = OP_LDGSTS;
    o->vec = bytes[lower_mod(l, SM_msize)];
    o->src[0] = to->reg == SASS_RZ ? ir_imm(0) : ir_reg(to->reg, 0, 1);
    o->off = (int32_t)to->imm;
    o->src[1] = from->reg == SASS_RZ ? ir_imm(0) : ir_reg(from->reg, 0, 2);
    o->target = (uint32_t)from->imm;
    if (l->in->nopnds > 2 && !lower_always(l, 2)) /* zeros where it is false */
        o->src[2] = lower_src(l, 2, 1);
    return o->vec != 0;
}

/* An arrival (A1: one, A0: none) with transactions (T0: none, T1: one, TR and without a mark: as many as a
 * register says, TX: so many have come; AR: arrivals as a register says). */
static bool arrival(struct lower *l, unsigned dst, unsigned count)
{
    struct ir_insn *o = l->out;
    bool drop = lower_mod(l, SM_optout);
    switch (lower_mod(l, SM_a1t0)) {
    case 0:
        o->sub = drop ? MBAR_ARRIVE_DROP_TX : MBAR_ARRIVE_TX;
        o->src[1] = lower_src(l, count, 1);
        break;
    case 1: o->sub = drop ? MBAR_ARRIVE_DROP : MBAR_ARRIVE; break;
    case 4:
        o->sub = MBAR_COMPLETE_TX;
        o->src[1] = lower_src(l, count, 1);
        return true;
    case 5:
        o->sub = drop ? MBAR_ARRIVE_DROP : MBAR_ARRIVE;
        o->src[1] = lower_src(l, count, 1);
        break;
    case 2:
        o->sub = MBAR_EXPECT_TX;
        o->src[1] = ir_imm(1);
        break;
    default: o->sub = MBAR_EXPECT_TX; o->src[1] = lower_src(l, count, 1);
    }
    if (o->sub != MBAR_EXPECT_TX) /* the object as it was before */
        o->dst[0] = lower_dst(l, dst, 2);
    return true;
}

/* Barrier objects. */
static bool syncs(struct lower *l)
{
    struct ir_insn *o = l->out;
    o->op = OP_MBAR;
    switch (l->in->row->code) {
    case 0x5b2: /* -, [UR + offset], UR pair: the word of a new object */
        o->sub = MBAR_INIT;
        o->flags = IRF_X;
        o->src[1] = lower_src(l, 2, 1);
        return address(l, 1, false);
    case 0x9b1: o->sub = MBAR_INVAL; return address(l, 0, false) && o->src[4].kind == OPND_NONE;
    case 0x5a7: /* predicate, address, register whose top bit is the parity */
        o->sub = lower_mod(l, SM_trywait) ? MBAR_TRY_PARITY : MBAR_TEST_PARITY;
        o->flags = IRF_X;
        o->dst[0] = lower_dst(l, 0, 1);
        o->src[1] = lower_src(l, 2, 1);
        return address(l, 1, false) && o->src[4].kind == OPND_NONE;
    default: /* d, address, bytes */
        return arrival(l, 0, 2) && address(l, 1, false) && o->src[4].kind == OPND_NONE;
    }
}

/* Copies of a warp's lane before it have come: a transaction or an arrival less. They have, as soon as they are issued. */
static bool arrives(struct lower *l)
{
    struct ir_insn *o = l->out;
    o->op = OP_MBAR;
    if (lower_mod(l, SM_transcnt) == 2) {
        o->sub = MBAR_COMPLETE_TX;
        o->src[1] = ir_imm(1);
    } else {
        o->sub = MBAR_CP_ARRIVE;
        o->flags = IRF_X;
    }
    return address(l, 0, false) && o->src[4].kind == OPND_NONE;
}

/* To shared memory of a CTA of the cluster: a pair of addresses, the data's and the barrier object's. */
static bool send(struct lower *l)
{
    struct ir_insn *o = l->out;
    unsigned n = shape(l), at = l->in->opnd[0].reg;
    o->op = OP_STAS;
    o->space = SPACE_SHARED;
    o->src[0] = ir_reg(at, 0, 1);
    o->src[1] = lower_src(l, 1, n);
    o->src[2] = ir_reg(at + 1, 0, 1);
    return at < SASS_RZ - 1;
}

/* Copies of pieces of memory: [shared address, barrier object], [global address], pieces of 16 bytes; all of it uniform. */
static bool block_copy(struct lower *l)
{
    struct ir_insn *o = l->out;
    unsigned kind = lower_mod(l, SM_blkcp), to = l->in->opnd[0].reg, from = l->in->opnd[1].reg;
    if (to > 61 || from > 61 || (lower_mod(l, SM_mcast) && kind != 1))
        return lower_refuse(l, "a copy of this form");
    o->op = OP_BULK;
    o->flags = IRF_X;
    o->sub = kind == 1 ? BULK_LOAD : kind == 2 ? BULK_STORE : BULK_SHARED;
    o->src[0] = ir_reg(REG_U0 + (kind == 1 ? to : from), 0, 1);
    o->src[1] = ir_reg(REG_U0 + (kind == 1 ? from : to), 0, kind == 3 ? 1 : 2);
    if (kind != 2)
        o->src[2] = ir_reg(REG_U0 + to + 1, 0, 1);
    o->src[3] = lower_src(l, 2, 1);
    if (lower_mod(l, SM_mcast))
        o->src[5] = o->src[3];
    return true;
}

/* Copies of boxes of tensors: [shared address, barrier object (loads), coordinates], [tensor map], in uniform registers. */
static bool tensor_copy(struct lower *l, bool store)
{
    struct ir_insn *o = l->out;
    unsigned n = lower_mod(l, SM_tmadim) + 1, at = l->in->opnd[0].reg;
    o->op = OP_BULK;
    o->sub = store ? BULK_TENSOR_STORE : BULK_TENSOR_LOAD;
    o->bop = (uint8_t)n;
    if (at + n + 2 >= 63 || l->in->opnd[1].reg >= 62 || n > 5 || lower_mod(l, SM_im2col))
        return lower_refuse(l, "a copy of this form");
    o->src[0] = ir_reg(REG_U0 + at, 0, 1);
    o->src[1] = ir_reg(REG_U0 + l->in->opnd[1].reg, 0, 2);
    if (!store)
        o->src[2] = ir_reg(REG_U0 + at + 1, 0, 1);
    at += store ? 1 : 2;
    o->src[3] = ir_reg(REG_U0 + at, 0, n > 4 ? 4 : n);
    if (n > 4)
        o->src[4] = ir_reg(REG_U0 + at + 4, 0, 1);
    if (lower_mod(l, SM_mcast))
        o->src[5] = lower_src(l, 2, 1);
    return true;
}

/* More results, d, coordinates, level, handle, -, dimensions, components. The first two components go to d. The handle is in
 * uniform registers; before sm_90 in a constant bank, by bank and place in words. */
static bool texture(struct lower *l)
{
    static const uint8_t count[16] = {0, 1, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 4};
    static const uint8_t geoms[] = {TEX_1D, TEX_2D, TEX_3D};
    struct ir_insn *o = l->out;
    unsigned n = count[l->in->opnd[7].imm & 15], dim = (unsigned)l->in->opnd[6].imm, first = n < 2 ? n : 2;
    if (l->k->arch >= 100 || !n || dim > 2)
        return lower_refuse(l, "a texture access of this form");
    o->op = OP_TEX;
    o->type = T_F32;
    o->stype = l->in->row->op == S_TLD ? T_S32 : T_F32;
    o->sub = geoms[dim];
    o->dst[0] = lower_dst(l, 1, first);
    o->dst[1] = n > 2 ? lower_dst(l, 0, n - 2) : ir_none();
    o->src[0] = l->k->arch >= 90
                    ? lower_src(l, 4, 2)
                    : ir_const((unsigned)l->in->opnd[4].imm, (uint32_t)l->in->opnd[5].imm * 4, 2);
    o->src[1] = lower_src(l, 2, dim + 1);
    if (o->dst[0].kind != OPND_REG || (n > 2 && o->dst[1].kind != OPND_REG))
        return lower_refuse(l, "a texture access without a result");
    return true;
}

bool lower_memory(struct lower *l)
{
    unsigned code = l->in->row->code;
    switch ((enum sass_op)l->in->row->op) {
    case S_LDG: return load(l, OP_LDG, 2, true);
    case S_LD: return load(l, OP_LD, 1, true);
    case S_LDS: return load(l, OP_LDS, 1, false);
    case S_LDL: return load(l, OP_LDL, 1, false);
    case S_STG: return store(l, OP_STG, true);
    case S_ST: return store(l, OP_ST, true);
    case S_STS: return store(l, OP_STS, false);
    case S_STL: return store(l, OP_STL, false);
    case S_LDC:
    case S_ULDC:
    case S_LDCU: return ldc(l);
    case S_ATOMG: return atomic(l, 1, 2, SPACE_GLOBAL, code == 0x3a9);
    case S_ATOM: return atomic(l, 1, 2, SPACE_NONE, code == 0x38b);
    case S_RED:
    case S_REDG: return atomic(l, SASS_MAX_OPNDS, 0, SPACE_GLOBAL, false);
    case S_ATOMS: return atoms(l);
    case S_SYNCS: return syncs(l);
    case S_ARRIVES: return arrives(l);
    case S_UBLKCP: return block_copy(l);
    case S_STAS: return send(l);
    case S_UBLKPF:
        l->out->op = OP_BULK;
        l->out->sub = BULK_PREFETCH;
        l->out->flags = IRF_X;
        l->out->src[1] = ir_reg(REG_U0 + l->in->opnd[0].reg, 0, 2);
        l->out->src[3] = lower_src(l, 1, 1);
        return l->in->opnd[0].reg < 62;
    case S_UTMALDG: return tensor_copy(l, false);
    case S_UTMASTG: return tensor_copy(l, true);
    case S_UTMACCTL: l->out->op = OP_CCTL; return true;
    case S_QSPC: return which_space(l);
    case S_UTMACMDFLUSH:
        l->out->op = OP_BULKGRP;
        l->out->sub = BULKGRP_COMMIT;
        return true;
    case S_TEX:
    case S_TLD: return texture(l);
    case S_LDSM: return matrix(l, OP_LDSM);
    case S_STSM: return matrix(l, OP_STSM);
    case S_LDGSTS: return ldgsts(l);
    case S_MEMBAR:
    case S_FENCE: l->out->op = OP_MEMBAR; return true;
    case S_LDGDEPBAR: l->out->op = OP_LDGDEPBAR; return true;
    default: return false;
    }
}
