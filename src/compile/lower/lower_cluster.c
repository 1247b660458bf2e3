/* SPDX-License-Identifier: Apache-2.0 */
/* Clusters of CTAs: addresses of other CTAs' shared memory, stores to it that announce themselves, the cluster's barrier.
 * Ordinary accesses to it go through generic addresses, as in code of NVIDIA's assembler. */
#include "compile/lower/lower.h"

bool cluster_addr(struct lower *L, const struct ptx_opnd *o, struct maddr *a)
{
    if (!mem_addr(L, o, SPACE_SHARED, a))
        return false;
    if (a->space != SPACE_SHARED)
        return lower_fail(L, "an address in shared memory is expected");
    opnd lo = a->base.kind ? a->base : imm((uint32_t)a->off);
    if (!a->base.kind)
        a->off = 0;
    a->base = pair(L, lo, imm((uint32_t)(WINDOW_SHARED >> 32)));
    a->space = SPACE_NONE;
    return true;
}

static opnd own_rank(struct lower *L)
{
    opnd d = tmp(L, 1);
    emit(L, OP_S2R, T_U32, d, NONE_OPND, NONE_OPND, NONE_OPND)->sub = SR_CLUSTER_RANK;
    return d;
}

static bool cluster_space(struct lower *L, const struct ptx_insn *i)
{
    if (i->space == SPACE_NONE && type_bits(i->type[0]) != 64)
        return lower_fail(L, "generic addresses have 64 bits");
    return i->space == SPACE_NONE || ptx_has(i, M_SHARED_CLUSTER)
               ? true
               : lower_fail(L, "'%s' takes addresses of .shared::cluster and generic ones",
                            ptx_op_names[i->op]);
}

/* The rank goes into the address's top byte, plus 1; one that is too large for that stays one that no cluster has. */
bool lower_mapa(struct lower *L, const struct ptx_insn *i)
{
    enum ir_type t = i->type[0];
    bool wide = type_bits(t) == 64;
    if (!cluster_space(L, i))
        return false;
    opnd lo, hi, rank = src(L, &i->ops[2], T_U32), r = tmp(L, 1), d = tmp(L, 1);
    if (i->ops[1].kind == PO_VAR) {
        opnd v = var_address(L, i->ops[1].var, i->ops[1].off, i->space == SPACE_NONE);
        lo = word(v, 0);
        hi = word(v, 1);
    } else {
        lo = wide ? src_word(L, &i->ops[1], t, 0) : src(L, &i->ops[1], t);
        hi = wide ? src_word(L, &i->ops[1], t, 1) : ZERO;
    }
    emit(L, OP_IMNMX, T_U32, r, rank, imm(SHARED_RANK_MAX), NONE_OPND)->sub = 0;
    emit(L, OP_IADD3, T_U32, r, r, imm(1), ZERO);
    emit(L, OP_PRMT, T_U32, d, lo, r, imm(0x4210));
    put(L, &i->ops[0], t, wide ? pair(L, d, hi) : d);
    return true;
}

bool lower_getctarank(struct lower *L, const struct ptx_insn *i)
{
    enum ir_type t = i->type[0];
    if (!cluster_space(L, i))
        return false;
    opnd lo = type_bits(t) == 64 ? src_word(L, &i->ops[1], t, 0) : src(L, &i->ops[1], t);
    opnd byte = tmp(L, 1), rank = tmp(L, 1), own = own_rank(L);
    emit(L, OP_SHR, T_U32, byte, lo, imm(SHARED_RANK_BIT), NONE_OPND);
    opnd named = isetp(L, tmp_pred(L), CMP_NE, T_U32, byte, ZERO);
    emit(L, OP_IADD3, T_U32, rank, byte, imm(~0u), ZERO);
    sel(L, dst(L, &i->ops[0], T_U32), named, rank, own);
    return true;
}

/* Is the generic address lo, hi one of the executing CTA's own shared memory? */
void lower_own_shared(struct lower *L, opnd d, opnd lo, opnd hi)
{
    opnd byte = tmp(L, 1), own1 = tmp(L, 1), own = own_rank(L), p = tmp_pred(L), q = tmp_pred(L);
    emit(L, OP_SHR, T_U32, byte, lo, imm(SHARED_RANK_BIT), NONE_OPND);
    emit(L, OP_IADD3, T_U32, own1, own, imm(1), ZERO);
    isetp(L, p, CMP_EQ, T_U32, byte, ZERO);
    struct ir_insn n = {
        .op = OP_ISETP, .type = T_U32, .cmp = CMP_EQ, .bop = BOP_OR, .dst = {q}, .src = {byte, own1, p}};
    emit_insn(L, n);
    n.bop = BOP_AND;
    n.dst[0] = d;
    n.src[0] = hi;
    n.src[1] = imm((uint32_t)(WINDOW_SHARED >> 32));
    n.src[2] = q;
    emit_insn(L, n);
}

bool lower_cluster_bar(struct lower *L, const struct ptx_insn *i)
{
    bool wait = ptx_has(i, M_WAIT);
    if (!wait && !ptx_has(i, M_ARRIVE))
        return lower_fail(L, "barrier.cluster is .arrive or .wait");
    if (i->nops)
        return lower_fail(L, "barrier.cluster takes no operands");
    if (wait ? ptx_has(i, M_RELEASE) || ptx_has(i, M_RELAXED) : ptx_has(i, M_ACQUIRE))
        return lower_fail(L, "barrier.cluster has .arrive.release, .arrive.relaxed and .wait.acquire");
    emit(L, OP_CGABAR, T_NONE, NONE_OPND, NONE_OPND, NONE_OPND, NONE_OPND)->sub =
        wait ? CGABAR_WAIT : CGABAR_ARRIVE;
    return true;
}

/* Of a shared address in the cluster the low word: that of the window is the same. */
static bool async_addr(struct lower *L, const struct ptx_opnd *o, struct maddr *a)
{
    if (!mem_addr(L, o, L->in->space == SPACE_NONE ? SPACE_NONE : SPACE_SHARED, a))
        return false;
    if (a->base.kind == OPND_REG && a->base.n == 2)
        a->base = word(a->base, 0);
    return true;
}

/* [address], value, [barrier object]. */
bool lower_async_store(struct lower *L, const struct ptx_insn *i, struct ir_insn n)
{
    struct maddr a, m;
    if (i->space != SPACE_NONE && !ptx_has(i, M_SHARED_CLUSTER))
        return lower_fail(L, "'%s.async' goes to .shared::cluster", ptx_op_names[i->op]);
    if (!ptx_has(i, M_COMPLETE_BYTES) || i->nops != 3)
        return lower_fail(L, "'%s.async' names .mbarrier::complete_tx::bytes and a barrier object",
                          ptx_op_names[i->op]);
    if (!async_addr(L, &i->ops[0], &a) || !async_addr(L, &i->ops[2], &m))
        return false;
    n.src[0] = a.base;
    n.src[2] = m.base;
    n.off = a.off;
    n.target = (uint32_t)m.off;
    n.order = ORD_RELAXED;
    emit_insn(L, n);
    return true;
}
