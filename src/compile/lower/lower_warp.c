/* SPDX-License-Identifier: Apache-2.0 */
/* Control flow, barriers, and what lanes of a warp do together. */
#include "compile/lower/lower.h"

bool lower_bra(struct lower *L, const struct ptx_insn *i)
{
    if (i->ops[0].kind != PO_LABEL)
        return lower_fail(L, "a label is expected");
    opnd g = L->guard;
    bool uni = ptx_has(i, M_UNI);
    branch(L, i->ops[0].label, g);
    if (uni) {
        struct ir_block *b = &L->fn->blocks.at[L->cur - 1];
        b->insns.at[b->insns.n - 1].flags |= IRF_UNI;
    }
    return true;
}

/* Guarded instructions that end a block are branched around. */
static uint32_t skip_if_guarded(struct lower *L)
{
    if (L->guard.kind == OPND_NONE)
        return UINT32_MAX;
    uint32_t skip = label_new(L);
    opnd g = L->guard;
    L->guard = NONE_OPND;
    branch(L, skip, not_pred(g));
    return skip;
}

static void new_block(struct lower *L, uint32_t skip)
{
    L->cur = ir_block_new(L->fn, NULL, L->line);
    if (skip != UINT32_MAX)
        label_place(L, skip);
}

bool lower_brx(struct lower *L, const struct ptx_insn *i)
{
    if (i->nops < 2 || i->ops[1].kind != PO_TABLE ||
        L->f->tables.at[i->ops[1].table].kind != PT_BRANCHTARGETS)
        return lower_fail(L, "brx.idx needs an index and a .branchtargets list");
    if (!L->f->tables.at[i->ops[1].table].labels.n)
        return lower_fail(L, "the .branchtargets list is empty");
    uint32_t skip = skip_if_guarded(L);
    emit(L, OP_BRX, T_U32, NONE_OPND, to_reg(L, src(L, &i->ops[0], T_U32)), NONE_OPND, NONE_OPND)->target =
        i->ops[1].table;
    new_block(L, skip);
    return true;
}

bool lower_exit(struct lower *L, const struct ptx_insn *i)
{
    (void)i;
    bool guarded = L->guard.kind != OPND_NONE;
    emit(L, OP_EXIT, T_NONE, NONE_OPND, NONE_OPND, NONE_OPND, NONE_OPND);
    if (!guarded)
        new_block(L, UINT32_MAX);
    return true;
}

bool lower_ret(struct lower *L, const struct ptx_insn *i)
{
    if (L->f->is_entry)
        return lower_exit(L, i);
    uint32_t skip = skip_if_guarded(L);
    lower_reg_results(L);
    emit(L, OP_RET, T_NONE, NONE_OPND, ir_reg(L->link, 0, 1), NONE_OPND, NONE_OPND);
    new_block(L, skip);
    return true;
}

bool lower_trap(struct lower *L, const struct ptx_insn *i)
{
    emit(L, OP_TRAP, T_NONE, NONE_OPND, NONE_OPND, NONE_OPND, NONE_OPND)->sub = i->op == P_brkpt;
    return true;
}

bool lower_nanosleep(struct lower *L, const struct ptx_insn *i)
{
    emit(L, OP_NANOSLEEP, T_U32, NONE_OPND, src(L, &i->ops[0], T_U32), NONE_OPND, NONE_OPND);
    return true;
}

bool lower_setmaxnreg(struct lower *L, const struct ptx_insn *i)
{
    const struct ptx_opnd *n = &i->ops[0];
    if (n->kind != PO_IMM || n->imm < 24 || n->imm > 256 || n->imm % 8)
        return lower_fail(L, "setmaxnreg takes a multiple of 8 from 24 to 256");
    if (L->unit->regs_later) /* else the assembler leaves it out */
        emit(L, OP_USETMAXREG, T_U32, NONE_OPND, imm((uint32_t)n->imm), NONE_OPND, NONE_OPND)->sub =
            i->aop == AOP_INC;
    return true;
}

bool lower_griddepcontrol(struct lower *L, const struct ptx_insn *i)
{
    emit(L, ptx_has(i, M_WAIT) ? OP_ACQBULK : OP_PREEXIT, T_NONE, NONE_OPND, NONE_OPND, NONE_OPND, NONE_OPND);
    return true;
}

/* bar.warp.sync, bar.sync/arrive/red, barrier.*: id, then the thread count. */
bool lower_bar(struct lower *L, const struct ptx_insn *i)
{
    if (ptx_has(i, M_WARP)) {
        emit(L, OP_WARPSYNC, T_NONE, NONE_OPND, src(L, &i->ops[0], T_U32), NONE_OPND, NONE_OPND);
        return true;
    }
    if (ptx_has(i, M_CLUSTER))
        return lower_cluster_bar(L, i);
    if (ptx_has(i, M_WAIT) || ptx_has(i, M_RELEASE) || ptx_has(i, M_RELAXED) || ptx_has(i, M_ACQUIRE))
        return lower_fail(L, "only barrier.cluster has these modifiers");
    struct ir_insn n = {.op = OP_BAR, .type = T_U32};
    bool red = ptx_has(i, M_RED);
    unsigned first = red ? 1 : 0, count_at = first + 1, ops = i->nops;
    if (red) {
        if (ops < 3)
            return lower_fail(L, "bar.red needs a destination, a barrier and a predicate");
        n.sub = ptx_has(i, M_POPC) ? BAR_RED_POPC : i->bop == BOP_AND ? BAR_RED_AND : BAR_RED_OR;
        n.src[2] = src_pred(L, &i->ops[ops - 1]);
        if (n.sub == BAR_RED_POPC)
            n.dst[0] = dst(L, &i->ops[0], T_U32);
        else
            n.dst[1] = dst_pred(L, &i->ops[0]);
        ops--;
    } else {
        n.sub = ptx_has(i, M_ARRIVE) ? BAR_ARRIVE : BAR_SYNC;
    }
    if (ops <= first)
        return lower_fail(L, "a barrier number is expected");
    n.src[0] = src(L, &i->ops[first], T_U32);
    if (ops > count_at)
        n.src[1] = src(L, &i->ops[count_at], T_U32);
    else if (n.sub == BAR_ARRIVE)
        return lower_fail(L, "bar.arrive needs a thread count");
    emit_insn(L, n);
    return true;
}

bool lower_shfl(struct lower *L, const struct ptx_insn *i)
{
    static const enum ptx_mod modes[] = {M_UP, M_DOWN, M_BFLY, M_IDX};
    struct ir_insn n = {.op = OP_SHFL, .type = T_U32, .sub = 4};
    for (unsigned k = 0; k < 4; k++)
        if (ptx_has(i, modes[k]))
            n.sub = (uint8_t)k;
    if (n.sub == 4)
        return lower_fail(L, "shfl needs .up, .down, .bfly or .idx");
    const struct ptx_opnd *d = &i->ops[0];
    n.dst[0] = dst(L, d->kind == PO_PAIR ? &d->sub[0] : d, T_U32);
    if (d->kind == PO_PAIR)
        n.dst[1] = dst_pred(L, &d->sub[1]);
    n.src[0] = to_reg(L, src(L, &i->ops[1], T_U32));
    n.src[1] = src(L, &i->ops[2], T_U32);
    n.src[2] = src(L, &i->ops[3], T_U32);
    if (ptx_has(i, M_SYNC)) {
        if (i->nops < 5)
            return lower_fail(L, "shfl.sync needs a member mask");
        n.src[3] = src(L, &i->ops[4], T_U32);
    }
    emit_insn(L, n);
    return true;
}

bool lower_vote(struct lower *L, const struct ptx_insn *i)
{
    struct ir_insn n = {.op = OP_VOTE, .type = T_U32};
    n.sub = ptx_has(i, M_BALLOT) ? VOTE_BALLOT
            : ptx_has(i, M_ALL)  ? VOTE_ALL
            : ptx_has(i, M_ANY)  ? VOTE_ANY
                                 : VOTE_UNI;
    n.src[0] = src_pred(L, &i->ops[1]);
    if (n.sub == VOTE_BALLOT)
        n.dst[0] = dst(L, &i->ops[0], T_U32);
    else
        n.dst[1] = dst_pred(L, &i->ops[0]);
    if (ptx_has(i, M_SYNC)) {
        if (i->nops < 3)
            return lower_fail(L, "vote.sync needs a member mask");
        n.src[1] = src(L, &i->ops[2], T_U32);
    }
    emit_insn(L, n);
    return true;
}

bool lower_activemask(struct lower *L, const struct ptx_insn *i)
{
    emit(L, OP_VOTE, T_U32, dst(L, &i->ops[0], T_U32), ir_pred(PRED_PT, false), NONE_OPND, NONE_OPND)->sub =
        VOTE_ACTIVE;
    return true;
}

bool lower_match(struct lower *L, const struct ptx_insn *i)
{
    bool all = ptx_has(i, M_ALL);
    enum ir_type t = i->type[0];
    struct ir_insn n = {.op = OP_MATCH, .type = (uint8_t)t, .sub = all};
    const struct ptx_opnd *d = &i->ops[0];
    n.dst[0] = dst(L, d->kind == PO_PAIR ? &d->sub[0] : d, T_U32);
    if (d->kind == PO_PAIR)
        n.dst[1] = dst_pred(L, &d->sub[1]);
    n.src[0] = to_reg(L, src(L, &i->ops[1], t));
    n.src[1] = src(L, &i->ops[2], T_U32);
    emit_insn(L, n);
    return true;
}

bool lower_redux(struct lower *L, const struct ptx_insn *i)
{
    if (i->type[0] == T_F32 || !i->aop)
        return lower_fail(L, "this form of 'redux' is not supported");
    struct ir_insn n = {
        .op = OP_REDUX, .type = i->type[0], .aop = i->aop, .dst = {dst(L, &i->ops[0], T_U32)}};
    n.src[0] = to_reg(L, src(L, &i->ops[1], T_U32));
    n.src[1] = src(L, &i->ops[2], T_U32);
    emit_insn(L, n);
    return true;
}

bool lower_elect(struct lower *L, const struct ptx_insn *i)
{
    struct ir_insn n = {.op = OP_ELECT, .type = T_U32};
    const struct ptx_opnd *d = &i->ops[0];
    if (d->kind != PO_PAIR)
        return lower_fail(L, "elect.sync gives a lane and a predicate");
    n.dst[0] = dst(L, &d->sub[0], T_U32);
    n.dst[1] = dst_pred(L, &d->sub[1]);
    n.src[0] = src(L, &i->ops[1], T_U32);
    emit_insn(L, n);
    return true;
}
