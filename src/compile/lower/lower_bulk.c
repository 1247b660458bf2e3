/* SPDX-License-Identifier: Apache-2.0 */
/* Bulk copies: cp.async.bulk and cp.reduce.async.bulk, of bytes in a row or of a box of a tensor. */
#include "compile/lower/lower.h"

/* Operands that a form has, in their order in PTX. */
struct form {
    const char *name;
    uint8_t sub;  /* enum ir_bulk */
    uint8_t nops; /* without the mask of CTAs and the cache policy */
    bool arrives; /* completes bytes at a barrier object; else a bulk group */
};

static const struct form *form_of(const struct ptx_insn *i)
{
    static const struct form forms[] = {
        [BULK_LOAD] = {"cp.async.bulk", BULK_LOAD, 4, true},
        [BULK_STORE] = {"cp.async.bulk", BULK_STORE, 3, false},
        [BULK_SHARED] = {"cp.async.bulk", BULK_SHARED, 4, true},
        [BULK_PREFETCH] = {"cp.async.bulk.prefetch", BULK_PREFETCH, 2, false},
        [BULK_RED] = {"cp.reduce.async.bulk", BULK_RED, 3, false},
        [BULK_RED_SHARED] = {"cp.reduce.async.bulk", BULK_RED_SHARED, 4, true},
        [BULK_TENSOR_LOAD] = {"cp.async.bulk.tensor", BULK_TENSOR_LOAD, 3, true},
        [BULK_TENSOR_STORE] = {"cp.async.bulk.tensor", BULK_TENSOR_STORE, 2, false},
        [BULK_TENSOR_PREFETCH] = {"cp.async.bulk.prefetch.tensor", BULK_TENSOR_PREFETCH, 1, false},
        [BULK_TENSOR_RED] = {"cp.reduce.async.bulk.tensor", BULK_TENSOR_RED, 2, false},
    };
    bool tensor = ptx_has(i, M_TENSOR), red = ptx_has(i, M_REDUCE);
    if (ptx_has(i, M_PREFETCH))
        return red || i->space != SPACE_GLOBAL || i->space2
                   ? NULL
                   : &forms[tensor ? BULK_TENSOR_PREFETCH : BULK_PREFETCH];
    if (i->space == SPACE_SHARED && i->space2 == SPACE_GLOBAL)
        return red ? NULL : &forms[tensor ? BULK_TENSOR_LOAD : BULK_LOAD];
    if (i->space == SPACE_GLOBAL && i->space2 == SPACE_SHARED && !ptx_has(i, M_SHARED_CLUSTER))
        return &forms[tensor ? red ? BULK_TENSOR_RED : BULK_TENSOR_STORE : red ? BULK_RED : BULK_STORE];
    if (i->space == SPACE_SHARED && i->space2 == SPACE_SHARED && ptx_has(i, M_SHARED_CLUSTER) && !tensor)
        return &forms[red ? BULK_RED_SHARED : BULK_SHARED];
    return NULL;
}

static bool has_red_op(const struct ptx_insn *i) { return i->aop && i->aop <= AOP_XOR; }

/* PTX ISA, cp.reduce.async.bulk: which operation exists on which type. */
static bool red_type_ok(const struct ptx_insn *i, bool shared)
{
    enum ir_type t = i->type[0];
    bool half = t == T_F16 || t == T_BF16, i32 = t == T_U32 || t == T_S32;
    if (ptx_has(i, M_NOFTZ) != (half && i->aop == AOP_ADD))
        return false;
    switch ((enum ir_aop)i->aop) {
    case AOP_ADD: return i32 || t == T_U64 || (!shared && (half || t == T_F32 || t == T_F64));
    case AOP_MIN:
    case AOP_MAX: return i32 || (!shared && (half || t == T_U64 || t == T_S64));
    case AOP_INC:
    case AOP_DEC: return t == T_U32;
    default: return t == T_B32 || (!shared && t == T_B64);
    }
}

static bool check(struct lower *L, const struct ptx_insn *i, const struct form *f)
{
    bool red = ptx_has(i, M_REDUCE), tensor = ptx_has(i, M_TENSOR);
    if (ptx_has(i, M_PREFETCH) != ptx_has(i, M_L2))
        return lower_fail(L, "'%s' needs '.L2'", f->name);
    if (ptx_has(i, M_COMPLETE_BYTES) != f->arrives)
        return lower_fail(L,
                          f->arrives ? "'%s' to shared memory needs '.mbarrier::complete_tx::bytes'"
                                     : "'%s' has no '.mbarrier::complete_tx::bytes' here",
                          f->name);
    if (ptx_has(i, M_BULK_GROUP) != (!f->arrives && !ptx_has(i, M_PREFETCH)))
        return lower_fail(L, "'%s' %s '.bulk_group' here", f->name,
                          ptx_has(i, M_BULK_GROUP) ? "has no" : "needs");
    if (ptx_has(i, M_MULTICAST) &&
        ((f->sub != BULK_LOAD && f->sub != BULK_TENSOR_LOAD) || !ptx_has(i, M_SHARED_CLUSTER)))
        return lower_fail(L, "'%s' has no '.multicast::cluster' here", f->name);
    if (red != has_red_op(i))
        return lower_fail(L, red ? "'%s' needs an operation such as '.add'" : "'%s' has no operation",
                          f->name);
    if ((red && !tensor) != (i->ntypes == 1))
        return lower_fail(L, red && !tensor ? "'%s' needs a type" : "'%s' has no type here", f->name);
    if (red && !tensor && !red_type_ok(i, f->sub == BULK_RED_SHARED))
        return lower_fail(L, "'%s' has no such operation on .%s", f->name, ir_types[i->type[0]].name);
    unsigned want = f->nops + (unsigned)ptx_has(i, M_MULTICAST) + (unsigned)ptx_has(i, M_L2_CACHE_HINT);
    return i->nops == want ? true
                           : lower_fail(L, "'%s' takes %u operands here, not %u", f->name, want, i->nops);
}

/* A shared address with its offset in one register. */
static bool shared_word(struct lower *L, const struct ptx_opnd *o, opnd *out)
{
    struct maddr a;
    if (!mem_addr(L, o, SPACE_SHARED, &a))
        return false;
    if (a.base.kind == OPND_NONE) {
        *out = to_reg(L, imm((uint32_t)a.off));
    } else if (a.off) {
        *out = tmp(L, 1);
        emit(L, OP_IADD3, T_U32, *out, a.base, imm((uint32_t)a.off), ZERO);
    } else {
        *out = a.base;
    }
    return true;
}

/* A global or generic address with its offset as a pair. */
static bool wide_pair(struct lower *L, const struct ptx_opnd *o, enum ir_space space, opnd *out)
{
    struct maddr a;
    if (!mem_addr(L, o, space, &a))
        return false;
    if (a.base.n != 2)
        return lower_fail(L, "a tensor map is in parameter, constant or global memory");
    *out = a.base;
    if (a.off) {
        *out = tmp(L, 2);
        add64(L, *out, (struct w64){word(a.base, 0), word(a.base, 1)},
              (struct w64){imm((uint32_t)a.off), imm(a.off < 0 ? ~0u : 0)}, false);
    }
    return true;
}

static unsigned rank_of(const struct ptx_insn *i)
{
    static const enum ptx_mod dims[] = {M_TEX_1D, M_TEX_2D, M_TEX_3D, M_DIM_4D, M_DIM_5D};
    for (unsigned k = 0; k < 5; k++)
        if (ptx_has(i, dims[k]))
            return k + 1;
    return 0;
}

/* [map, {coordinates}] */
static bool tensor_operand(struct lower *L, const struct ptx_opnd *o, struct ir_insn *n)
{
    unsigned rank = rank_of(L->in);
    if (!rank)
        return lower_fail(L, "a tensor copy needs its dimensions, '.1d' to '.5d'");
    if (o->kind != PO_TEX || o->n != 2 || o->sub[1].kind != PO_VEC || o->sub[1].n != rank)
        return lower_fail(L, "a tensor map and its %u coordinates are expected in brackets", rank);
    struct ptx_opnd map = {.kind = PO_ADDR, .n = 1, .sub = o->sub, .off = o->off, .col = o->col};
    opnd at[5];
    if (!wide_pair(L, &map, SPACE_NONE, &n->src[1]))
        return false;
    for (unsigned k = 0; k < rank; k++)
        at[k] = src(L, &o->sub[1].sub[k], T_S32);
    n->bop = (uint8_t)rank;
    n->src[3] = tuple(L, at, rank < 4 ? rank : 4);
    if (rank == 5)
        n->src[4] = to_reg(L, at[4]);
    return true;
}

/* Memory and coordinates. */
static bool operands(struct lower *L, const struct ptx_insn *i, const struct form *f, struct ir_insn *n)
{
    const struct ptx_opnd *o = i->ops;
    switch ((enum ir_bulk)f->sub) {
    case BULK_LOAD: return shared_word(L, &o[0], &n->src[0]) && wide_pair(L, &o[1], SPACE_GLOBAL, &n->src[1]);
    case BULK_STORE:
    case BULK_RED: return wide_pair(L, &o[0], SPACE_GLOBAL, &n->src[1]) && shared_word(L, &o[1], &n->src[0]);
    case BULK_SHARED:
    case BULK_RED_SHARED: return shared_word(L, &o[0], &n->src[1]) && shared_word(L, &o[1], &n->src[0]);
    case BULK_PREFETCH: return wide_pair(L, &o[0], SPACE_GLOBAL, &n->src[1]);
    case BULK_TENSOR_LOAD: return shared_word(L, &o[0], &n->src[0]) && tensor_operand(L, &o[1], n);
    case BULK_TENSOR_STORE:
    case BULK_TENSOR_RED: return tensor_operand(L, &o[0], n) && shared_word(L, &o[1], &n->src[0]);
    default: return tensor_operand(L, &o[0], n);
    }
}

static bool group(struct lower *L, const struct ptx_insn *i)
{
    bool commit = ptx_has(i, M_COMMIT_GROUP);
    if (commit ? i->nops != 0 : i->nops != 1 || i->ops[0].kind != PO_IMM)
        return lower_fail(L, commit ? "cp.async.bulk.commit_group takes no operand"
                                    : "cp.async.bulk.wait_group takes a constant");
    struct ir_insn n = {.op = OP_BULKGRP,
                        .sub = commit               ? BULKGRP_COMMIT
                               : ptx_has(i, M_READ) ? BULKGRP_WAIT_READ
                                                    : BULKGRP_WAIT,
                        .off = commit ? 0 : (int32_t)i->ops[0].imm};
    emit_insn(L, n);
    return true;
}

bool lower_bulk(struct lower *L, const struct ptx_insn *i)
{
    if (ptx_has(i, M_COMMIT_GROUP) || ptx_has(i, M_WAIT_GROUP))
        return group(L, i);
    const struct form *f = form_of(i);
    if (!f)
        return lower_fail(L, "'cp.async.bulk' does not copy between these state spaces");
    if (!check(L, i, f))
        return false;
    struct ir_insn n = {.op = OP_BULK, .sub = f->sub, .aop = i->aop, .vec = 1};
    n.type = i->ntypes ? i->type[0] : T_NONE;
    if (!operands(L, i, f, &n))
        return false;
    bool tensor = ptx_has(i, M_TENSOR);
    unsigned at = f->nops - f->arrives;
    if (!tensor)
        n.src[3] = to_reg(L, src(L, &i->ops[f->sub == BULK_PREFETCH ? 1 : 2], T_U32));
    if (f->arrives && !shared_word(L, &i->ops[at], &n.src[2]))
        return false;
    if (ptx_has(i, M_MULTICAST))
        n.src[5] = to_reg(L, src32(L, &i->ops[f->nops], T_U16));
    emit_insn(L, n);
    return true;
}
