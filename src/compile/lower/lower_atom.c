/* SPDX-License-Identifier: Apache-2.0 */
/* Atomics, and asynchronous copies of a few bytes. */
#include "compile/lower/lower.h"

/* The address of an instruction that takes no constant or parameter space. */
static bool plain_addr(struct lower *L, const struct ptx_opnd *o, enum ir_space space, struct maddr *a)
{
    if (!mem_addr(L, o, space, a))
        return false;
    if (a->space != SPACE_NONE && a->space != SPACE_GLOBAL && a->space != SPACE_SHARED)
        return lower_fail(L, "'%s' works on global and shared memory", ptx_op_names[L->in->op]);
    return true;
}

/* Which combinations of operation and type exist. */
static bool atom_type_ok(enum ir_aop op, enum ir_type t)
{
    unsigned bits = type_bits(t);
    if (type_is_float(t) && op != AOP_EXCH && op != AOP_CAS)
        return (op == AOP_ADD && t != T_TF32) ||
               ((op == AOP_MIN || op == AOP_MAX) &&
                (t == T_F16 || t == T_F16X2 || t == T_BF16 || t == T_BF16X2));
    switch (op) {
    case AOP_ADD:
    case AOP_MIN:
    case AOP_MAX: return bits == 32 || bits == 64;
    case AOP_INC:
    case AOP_DEC: return bits == 32;
    case AOP_AND:
    case AOP_OR:
    case AOP_XOR:
    case AOP_EXCH: return bits == 32 || bits == 64;
    case AOP_CAS: return bits == 16 || bits == 32 || bits == 64;
    default: return false;
    }
}

static bool red_async(struct lower *L, const struct ptx_insn *i, enum ir_type t)
{
    if (i->aop == AOP_EXCH || i->aop == AOP_CAS || type_is_float(t) ||
        (type_bits(t) == 64 && i->aop != AOP_ADD))
        return lower_fail(L, "'red.async' has no such operation on .%s", ir_types[t].name);
    struct ir_insn n = {.op = OP_REDAS, .type = (uint8_t)t, .aop = i->aop, .space = SPACE_SHARED, .vec = 1};
    n.src[1] = to_reg(L, src(L, &i->ops[1], t));
    return lower_async_store(L, i, n);
}

/* Vectors in global memory: only each element is atomic, so that they are accesses of their own. */
static bool atom_vector(struct lower *L, const struct ptx_insn *i, enum ir_type t, const struct maddr *a,
                        unsigned first)
{
    enum { MOST = 8 };
    const struct ptx_opnd *from = &i->ops[first + 1], *to = &i->ops[0];
    unsigned max = t == T_F32 || type_bits(t) == 32 ? 4 : MOST;
    opnd data[MOST], old[MOST];
    if (!type_is_float(t) || t == T_F64 || i->vec > max || a->space == SPACE_SHARED ||
        i->nops - first != (ptx_has(i, M_L2_CACHE_HINT) ? 3u : 2u))
        return lower_fail(L, "this vector form of '%s' is not supported", ptx_op_names[i->op]);
    if (from->kind != PO_VEC || from->n != i->vec || (first && (to->kind != PO_VEC || to->n != i->vec)))
        return lower_fail(L, "a vector of %u registers is expected", i->vec);
    for (unsigned k = 0; k < i->vec; k++)
        data[k] = to_reg(L, src(L, &from->sub[k], t));
    for (unsigned k = 0; k < i->vec; k++) {
        struct ir_insn n = {.op = first ? OP_ATOM : OP_RED,
                            .type = (uint8_t)t,
                            .aop = i->aop,
                            .space = a->space,
                            .order = i->order ? i->order : ORD_RELAXED,
                            .off = a->off + (int32_t)(k * type_bytes(t)),
                            .src = {a->base, data[k]},
                            .vec = 1};
        if (first)
            n.dst[0] = old[k] = tmp(L, 1);
        emit_insn(L, n);
    }
    for (unsigned k = 0; first && k < i->vec; k++)
        if (to->sub[k].kind != PO_NONE)
            put(L, &to->sub[k], t, old[k]);
    return true;
}

bool lower_atom(struct lower *L, const struct ptx_insn *i)
{
    bool red = i->op == P_red;
    if (!i->aop || i->ntypes < 1)
        return lower_fail(L, "'%s' needs an operation and a type", ptx_op_names[i->op]);
    enum ir_type t = i->type[0];
    if (!atom_type_ok(i->aop, t))
        return lower_fail(L, "'%s' has no such operation on .%s", ptx_op_names[i->op], ir_types[t].name);
    unsigned first = red ? 0 : 1;
    struct maddr a;
    if (ptx_has(i, M_ASYNC))
        return red_async(L, i, t);
    if (!(ptx_has(i, M_SHARED_CLUSTER) ? cluster_addr(L, &i->ops[first], &a)
                                       : plain_addr(L, &i->ops[first], i->space, &a)))
        return false;
    if (i->vec > 1)
        return atom_vector(L, i, t, &a, first);
    if (a.space == SPACE_SHARED && spins_in_shared(i->aop, t)) {
        atom_spin(L, i->aop, t, &a, to_reg(L, src(L, &i->ops[first + 1], t)),
                  red ? NONE_OPND : dst(L, &i->ops[0], t));
        return true;
    }
    struct ir_insn n = {.op = red ? OP_RED : OP_ATOM,
                        .type = (uint8_t)t,
                        .aop = i->aop,
                        .space = a.space,
                        .order = i->order ? i->order : ORD_RELAXED,
                        .off = a.off,
                        .src = {a.base},
                        .vec = 1};
    n.src[1] = to_reg(L, src(L, &i->ops[first + 1], t));
    if (i->aop == AOP_CAS)
        n.src[2] = to_reg(L, src(L, &i->ops[first + 2], t));
    if (!red)
        n.dst[0] = dst(L, &i->ops[0], t);
    emit_insn(L, n);
    return true;
}

static bool cp_async(struct lower *L, const struct ptx_insn *i)
{
    struct maddr s, g;
    if (i->nops < 3 || i->ops[2].kind != PO_IMM)
        return lower_fail(L, "cp.async takes a constant size");
    uint64_t bytes = i->ops[2].imm;
    if (bytes != 4 && bytes != 8 && bytes != 16)
        return lower_fail(L, "cp.async copies 4, 8 or 16 bytes");
    if (!mem_addr(L, &i->ops[0], SPACE_SHARED, &s) || !mem_addr(L, &i->ops[1], SPACE_GLOBAL, &g))
        return false;
    struct ir_insn n = {.op = OP_LDGSTS,
                        .type = T_U32,
                        .vec = (uint8_t)bytes,
                        .src = {s.base, g.base},
                        .off = s.off,
                        .target = (uint32_t)g.off};
    if (i->nops > (ptx_has(i, M_L2_CACHE_HINT) ? 4 : 3)) {
        if (i->ops[3].kind == PO_REG && !L->regs[i->ops[3].reg].words) { /* ignore-src: copy zeros */
            opnd len = tmp(L, 1);
            sel(L, len, src_pred(L, &i->ops[3]), ZERO, imm((uint32_t)bytes));
            n.src[2] = len;
        } else {
            n.src[2] = to_reg(L, src(L, &i->ops[3], T_U32));
        }
    }
    emit_insn(L, n);
    return true;
}

bool lower_cp(struct lower *L, const struct ptx_insn *i)
{
    if (ptx_has(i, M_BULK))
        return lower_bulk(L, i);
    if (!ptx_has(i, M_CA) && !ptx_has(i, M_CG) && !ptx_has(i, M_COMMIT_GROUP) && !ptx_has(i, M_WAIT_GROUP) &&
        !ptx_has(i, M_WAIT_ALL) && !ptx_has(i, M_MBARRIER))
        return lower_fail(L, "cp.async needs '.ca', '.cg' or '.bulk'");
    if (ptx_has(i, M_COMMIT_GROUP)) {
        emit(L, OP_LDGDEPBAR, T_NONE, NONE_OPND, NONE_OPND, NONE_OPND, NONE_OPND);
        return true;
    }
    if (ptx_has(i, M_WAIT_GROUP) || ptx_has(i, M_WAIT_ALL)) {
        struct ir_insn *n = emit(L, OP_DEPBAR, T_NONE, NONE_OPND, NONE_OPND, NONE_OPND, NONE_OPND);
        n->off = ptx_has(i, M_WAIT_GROUP) && i->nops ? (int32_t)i->ops[0].imm : 0;
        return true;
    }
    return ptx_has(i, M_MBARRIER) ? lower_mbar_copied(L, i) : cp_async(L, i);
}
