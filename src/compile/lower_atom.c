/* Atomics, asynchronous copies and mbarriers. */
#include "compile/lower.h"

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

static bool red_async(struct lower *L, const struct ptx_insn *i, enum ir_type t)
{
    if (i->aop == AOP_EXCH || i->aop == AOP_CAS || type_is_float(t) ||
        (type_bits(t) == 64 && i->aop != AOP_ADD))
        return lower_fail(L, "'red.async' has no such operation on .%s", ir_types[t].name);
    struct ir_insn n = {.op = OP_REDAS, .type = (uint8_t)t, .aop = i->aop, .space = SPACE_SHARED, .vec = 1};
    n.src[1] = to_reg(L, src(L, &i->ops[1], t));
    return lower_async_store(L, i, n);
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

static bool mbar_addr(struct lower *L, const struct ptx_opnd *o, struct maddr *a)
{
    enum ir_space space = L->in->space == SPACE_NONE ? SPACE_NONE : SPACE_SHARED;
    if (!mem_addr(L, o, space, a))
        return false;
    if (a->base.kind == OPND_REG && a->base.n == 2)
        a->base = word(a->base, 0); /* generic: the shared window's low word is the shared address */
    return true;
}

static struct ir_insn mbar(enum ir_mbar what, const struct maddr *a)
{
    return (struct ir_insn){.op = OP_MBAR,
                            .type = T_U64,
                            .sub = (uint8_t)what,
                            .src = {a->base},
                            .off = a->off,
                            .vec = 1,
                            .order = ORD_RELAXED};
}

bool lower_cp(struct lower *L, const struct ptx_insn *i)
{
    if (!ptx_has(i, M_ASYNC) || ptx_has(i, M_BULK))
        return lower_fail(L, "this form of 'cp' (bulk and tensor copies) is not supported");
    if (ptx_has(i, M_COMMIT_GROUP)) {
        emit(L, OP_LDGDEPBAR, T_NONE, NONE_OPND, NONE_OPND, NONE_OPND, NONE_OPND);
        return true;
    }
    if (ptx_has(i, M_WAIT_GROUP) || ptx_has(i, M_WAIT_ALL)) {
        struct ir_insn *n = emit(L, OP_DEPBAR, T_NONE, NONE_OPND, NONE_OPND, NONE_OPND, NONE_OPND);
        n->off = ptx_has(i, M_WAIT_GROUP) && i->nops ? (int32_t)i->ops[0].imm : 0;
        return true;
    }
    if (ptx_has(i, M_MBARRIER)) {
        struct maddr a;
        if (!mbar_addr(L, &i->ops[0], &a))
            return false;
        struct ir_insn n = mbar(MBAR_CP_ARRIVE, &a);
        n.flags = ptx_has(i, M_NOINC) ? IRF_X : 0;
        emit_insn(L, n);
        return true;
    }
    return cp_async(L, i);
}

static bool mbar_arrive(struct lower *L, const struct ptx_insn *i)
{
    struct maddr a;
    if (!mbar_addr(L, &i->ops[1], &a))
        return false;
    if (ptx_has(i, M_EXPECT_TX)) {
        struct ir_insn x = mbar(MBAR_EXPECT_TX, &a);
        if (i->nops < 3)
            return lower_fail(L, "expect_tx needs a byte count");
        x.src[1] = to_reg(L, src(L, &i->ops[2], T_U32));
        emit_insn(L, x);
    }
    struct ir_insn n = mbar(ptx_has(i, M_ARRIVE_DROP) ? MBAR_ARRIVE_DROP : MBAR_ARRIVE, &a);
    n.dst[0] = dst(L, &i->ops[0], T_U64);
    if (i->nops > 2 && !ptx_has(i, M_EXPECT_TX))
        n.src[1] = to_reg(L, src(L, &i->ops[2], T_U32));
    emit_insn(L, n);
    return true;
}

bool lower_mbarrier(struct lower *L, const struct ptx_insn *i)
{
    struct maddr a;
    if (ptx_has(i, M_ARRIVE) || ptx_has(i, M_ARRIVE_DROP))
        return mbar_arrive(L, i);
    if (ptx_has(i, M_PENDING_COUNT)) {
        struct ir_insn n = {
            .op = OP_MBAR, .type = T_U64, .sub = MBAR_PENDING, .dst = {dst(L, &i->ops[0], T_U32)}, .vec = 1};
        n.src[1] = to_reg(L, src(L, &i->ops[1], T_U64));
        emit_insn(L, n);
        return true;
    }
    if (ptx_has(i, M_INIT) || ptx_has(i, M_INVAL) || ptx_has(i, M_EXPECT_TX)) {
        if (!mbar_addr(L, &i->ops[0], &a))
            return false;
        struct ir_insn n = mbar(ptx_has(i, M_INIT)    ? MBAR_INIT
                                : ptx_has(i, M_INVAL) ? MBAR_INVAL
                                                      : MBAR_EXPECT_TX,
                                &a);
        if (i->nops > 1)
            n.src[1] = to_reg(L, src(L, &i->ops[1], T_U32));
        emit_insn(L, n);
        return true;
    }
    if (ptx_has(i, M_TEST_WAIT) || ptx_has(i, M_TRY_WAIT)) {
        if (!mbar_addr(L, &i->ops[1], &a))
            return false;
        bool parity = ptx_has(i, M_PARITY);
        struct ir_insn n = mbar(parity ? MBAR_TEST_PARITY : MBAR_TEST_WAIT, &a);
        n.dst[0] = dst_pred(L, &i->ops[0]);
        n.src[1] = to_reg(L, src(L, &i->ops[2], parity ? T_U32 : T_U64));
        emit_insn(L, n);
        return true;
    }
    return lower_fail(L, "this form of 'mbarrier' is not supported");
}
