/* SPDX-License-Identifier: Apache-2.0 */
/* Barrier objects in shared memory (mbarrier). */
#include "compile/lower/lower.h"

/* A shared address in a register or none, and an offset. Of a generic address the low word is the shared address. */
static bool mbar_addr(struct lower *L, const struct ptx_opnd *o, struct maddr *a)
{
    enum ir_space space = L->in->space == SPACE_NONE ? SPACE_NONE : SPACE_SHARED;
    if (!mem_addr(L, o, space, a))
        return false;
    if (a->base.kind == OPND_REG && a->base.n == 2)
        a->base = word(a->base, 0);
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

bool lower_mbar_copied(struct lower *L, const struct ptx_insn *i)
{
    struct maddr a;
    if (!mbar_addr(L, &i->ops[0], &a))
        return false;
    struct ir_insn n = mbar(MBAR_CP_ARRIVE, &a);
    n.flags = ptx_has(i, M_NOINC) ? IRF_X : 0;
    emit_insn(L, n);
    return true;
}

/* An arrival at another CTA's object gives no state. */
static bool arrive(struct lower *L, const struct ptx_insn *i)
{
    bool drop = ptx_has(i, M_ARRIVE_DROP), tx = ptx_has(i, M_EXPECT_TX),
         remote = ptx_has(i, M_SHARED_CLUSTER);
    struct maddr a;
    if (i->nops < 2 || i->nops > 3)
        return lower_fail(L, "'mbarrier.arrive' takes a state, an address and a count");
    if (remote && i->ops[0].kind != PO_NONE)
        return lower_fail(L, "'mbarrier.arrive' with '.shared::cluster' gives no state: '_' is expected");
    if (tx && i->nops < 3)
        return lower_fail(L, "'.expect_tx' needs a number of bytes");
    if (!mbar_addr(L, &i->ops[1], &a))
        return false;
    struct ir_insn n = mbar(tx     ? drop ? MBAR_ARRIVE_DROP_TX : MBAR_ARRIVE_TX
                            : drop ? MBAR_ARRIVE_DROP
                                   : MBAR_ARRIVE,
                            &a);
    if (i->ops[0].kind != PO_NONE)
        n.dst[0] = dst(L, &i->ops[0], T_U64);
    if (i->nops > 2)
        n.src[1] = to_reg(L, src(L, &i->ops[2], T_U32));
    emit_insn(L, n);
    return true;
}

static bool wait(struct lower *L, const struct ptx_insn *i)
{
    bool parity = ptx_has(i, M_PARITY), waits = ptx_has(i, M_TRY_WAIT);
    struct maddr a;
    if (ptx_has(i, M_SHARED_CLUSTER))
        return lower_fail(L,
                          "'mbarrier' waits for objects of its own CTA: '.shared::cluster' is not possible");
    if (i->nops < 3 || i->nops > (waits ? 4 : 3))
        return lower_fail(L, "'mbarrier' waits take a predicate, an address and a state or parity%s",
                          waits ? ", and may take a time" : "");
    if (!mbar_addr(L, &i->ops[1], &a))
        return false;
    struct ir_insn n = mbar(waits    ? parity ? MBAR_TRY_PARITY : MBAR_TRY_WAIT
                            : parity ? MBAR_TEST_PARITY
                                     : MBAR_TEST_WAIT,
                            &a);
    n.dst[0] = dst_pred(L, &i->ops[0]);
    n.src[1] = to_reg(L, src(L, &i->ops[2], parity ? T_U32 : T_U64));
    emit_insn(L, n);
    return true;
}

static bool pending_count(struct lower *L, const struct ptx_insn *i)
{
    if (i->nops != 2)
        return lower_fail(L, "'mbarrier.pending_count' takes a register and a state");
    struct ir_insn n = {
        .op = OP_MBAR, .type = T_U64, .sub = MBAR_PENDING, .dst = {dst(L, &i->ops[0], T_U32)}, .vec = 1};
    n.src[1] = to_reg(L, src(L, &i->ops[1], T_U64));
    emit_insn(L, n);
    return true;
}

bool lower_mbarrier(struct lower *L, const struct ptx_insn *i)
{
    if (ptx_has(i, M_ARRIVE) || ptx_has(i, M_ARRIVE_DROP))
        return arrive(L, i);
    if (ptx_has(i, M_PENDING_COUNT))
        return pending_count(L, i);
    if (ptx_has(i, M_TEST_WAIT) || ptx_has(i, M_TRY_WAIT))
        return wait(L, i);
    bool inval = ptx_has(i, M_INVAL), init = ptx_has(i, M_INIT);
    struct maddr a;
    if ((init || inval) && ptx_has(i, M_SHARED_CLUSTER))
        return lower_fail(L, "'mbarrier.%s' has no '.shared::cluster'", init ? "init" : "inval");
    if (i->nops != (inval ? 1 : 2))
        return lower_fail(L, "'mbarrier' takes an address%s here", inval ? "" : " and a number");
    if (!mbar_addr(L, &i->ops[0], &a))
        return false;
    struct ir_insn n = mbar(init                        ? MBAR_INIT
                            : inval                     ? MBAR_INVAL
                            : ptx_has(i, M_COMPLETE_TX) ? MBAR_COMPLETE_TX
                                                        : MBAR_EXPECT_TX,
                            &a);
    if (!inval)
        n.src[1] = to_reg(L, src(L, &i->ops[1], T_U32));
    emit_insn(L, n);
    return true;
}
