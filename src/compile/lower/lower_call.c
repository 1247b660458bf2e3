/* SPDX-License-Identifier: Apache-2.0 */
/* Calls. Arguments and results lie at the bottom of the caller's frame, so a .param variable of a call is a place there
 * and st.param/ld.param are local stores and loads. Functions the simulator provides (vprintf, malloc, free, assertion)
 * become SYSCALL. */
#include "compile/lower/lower.h"

static const struct {
    const char *name;
    enum ir_syscall sys;
} syscalls[] = {
    {"vprintf", SYS_PRINTF}, {"__assertfail", SYS_ASSERT}, {"malloc", SYS_MALLOC}, {"free", SYS_FREE}};

static int find_syscall(const struct ptx_func *f)
{
    for (unsigned k = 0; !f->has_body && k < sizeof syscalls / sizeof *syscalls; k++)
        if (!strcmp(f->name, syscalls[k].name))
            return (int)syscalls[k].sys;
    return -1;
}

static const struct ptx_opnd *list_of(const struct ptx_opnd *o, unsigned *n)
{
    *n = o->kind == PO_LIST ? o->n : 0;
    return o->sub;
}

/* Parameters of the callee of a call: the function's own, or the prototype's. */
static bool signature(struct lower *L, const struct ptx_insn *i, struct call_layout *out, unsigned *nparams,
                      unsigned *nrets)
{
    struct ptx_var *const *params, *const *rets;
    if (i->ops[1].kind == PO_FUNC) {
        const struct ptx_func *f = i->ops[1].func;
        params = f->params.at, *nparams = f->params.n, rets = f->rets.at, *nrets = f->rets.n;
    } else {
        const struct ptx_table *t =
            i->nops > 3 && i->ops[3].kind == PO_TABLE ? &L->f->tables.at[i->ops[3].table] : NULL;
        if (!t)
            return lower_fail(L, "an indirect call needs a prototype");
        if (t->kind == PT_CALLTARGETS && t->funcs.n) {
            const struct ptx_func *f = t->funcs.at[0];
            params = f->params.at, *nparams = f->params.n, rets = f->rets.at, *nrets = f->rets.n;
        } else if (t->kind == PT_CALLPROTOTYPE) {
            params = t->params.at, *nparams = t->params.n, rets = t->rets.at, *nrets = t->rets.n;
        } else {
            return lower_fail(L, "an indirect call needs a prototype");
        }
    }
    for (unsigned k = 0; k < *nparams + *nrets; k++) {
        const struct ptx_var *v = k < *nparams ? params[k] : rets[k - *nparams];
        if (v->size_b > 4096)
            return lower_fail(L, "argument '%s' is larger than 4096 bytes", v->name ? v->name : "");
    }
    *out = call_layout_of(&L->unit->arena, params, *nparams, rets, *nrets);
    return true;
}

static bool place_list(struct lower *L, const struct ptx_opnd *o, unsigned n, const uint32_t *off,
                       uint8_t *placed)
{
    for (unsigned k = 0; k < n; k++) {
        const struct ptx_var *v = o[k].kind == PO_VAR ? o[k].var : NULL;
        if (!v || v->owner != L->f || v->space != SPACE_PARAM)
            continue; /* registers and constants are stored at the call */
        if (v->index >= L->f->vars.n || L->f->vars.at[v->index] != v)
            return lower_fail(L, "handing on the parameter '%s' to a call is not supported", v->name);
        if (placed[v->index] && L->var_off[v->index] != off[k])
            return lower_fail(L, "'%s' is an argument of several calls", v->name);
        placed[v->index] = 1;
        L->var_off[v->index] = off[k];
    }
    return true;
}

bool lower_call_layout(struct lower *L, uint64_t *at)
{
    uint8_t *placed = ARENA_ARRAY(&L->unit->arena, uint8_t, L->f->vars.n + 1);
    uint64_t most = 0;
    vec_each (&L->f->insns, i) {
        if (i->op != P_call)
            continue;
        L->in = i;
        struct call_layout l;
        unsigned np, nr, na, nret;
        if (i->nops < 3 || (i->ops[1].kind != PO_FUNC && i->ops[1].kind != PO_REG))
            return lower_fail(L, "a call names a function, or a register that holds its address");
        if (!signature(L, i, &l, &np, &nr))
            return false;
        const struct ptx_opnd *rets = list_of(&i->ops[0], &nret), *args = list_of(&i->ops[2], &na);
        if (na != np || nret != nr)
            return lower_fail(L, "the callee takes %u arguments and gives %u results; the call has %u and %u",
                              np, nr, na, nret);
        if (!place_list(L, args, na, l.param_off, placed) || !place_list(L, rets, nret, l.ret_off, placed))
            return false;
        if (l.size_b > most)
            most = l.size_b;
    }
    *at += most;
    for (uint32_t k = 0; k < L->f->vars.n; k++) { /* .param variables that no call uses still need a place */
        const struct ptx_var *v = L->f->vars.at[k];
        if (v->space != SPACE_PARAM || placed[k])
            continue;
        if (v->size_b > 4096)
            return lower_fail(L, "'%s' is larger than 4096 bytes", v->name);
        *at = (*at + 15) / 16 * 16;
        L->var_off[k] = (uint32_t)*at;
        *at += v->size_b;
    }
    L->in = NULL;
    return true;
}

/* The words of a syscall's argument: already stored by st.param, so loaded back from the frame. */
static opnd stored_arg(struct lower *L, const struct ptx_opnd *o, enum ir_type t)
{
    if (o->kind != PO_VAR)
        return to_reg(L, src(L, o, t));
    opnd d = tmp(L, type_units(t));
    struct ir_insn n = {.op = OP_LDL,
                        .type = type_bits(t) == 64 ? T_U64 : T_U32,
                        .vec = 1,
                        .dst = {d},
                        .src = {ir_reg(L->sp, 0, 1)},
                        .off = (int32_t)L->var_off[o->var->index]};
    emit_insn(L, n);
    return d;
}

static void store_result(struct lower *L, const struct ptx_opnd *o, opnd v)
{
    if (o->kind == PO_REG) {
        mov(L, dst(L, o, v.n == 2 ? T_U64 : T_U32), v);
        return;
    }
    struct ir_insn n = {.op = OP_STL,
                        .type = v.n == 2 ? T_U64 : T_U32,
                        .vec = 1,
                        .src = {ir_reg(L->sp, 0, 1), v},
                        .off = (int32_t)L->var_off[o->var->index]};
    emit_insn(L, n);
}

static bool lower_syscall(struct lower *L, const struct ptx_insn *i, enum ir_syscall sys)
{
    unsigned na, nr;
    const struct ptx_opnd *rets = list_of(&i->ops[0], &nr), *args = list_of(&i->ops[2], &na);
    static const uint8_t want[] = {[SYS_PRINTF] = 2, [SYS_ASSERT] = 4, [SYS_MALLOC] = 1, [SYS_FREE] = 1};
    if (na < want[sys])
        return lower_fail(L, "'%s' takes %u arguments", syscalls[sys].name, want[sys]);
    struct ir_insn n = {.op = OP_SYSCALL, .type = T_U32, .sub = (uint8_t)sys};
    for (unsigned k = 0; k < want[sys]; k++)
        n.src[k] = stored_arg(L, &args[k], sys == SYS_ASSERT && k == 2 ? T_U32 : T_U64);
    opnd d = sys == SYS_PRINTF ? tmp(L, 1) : sys == SYS_MALLOC ? tmp(L, 2) : NONE_OPND;
    n.dst[0] = d;
    emit_insn(L, n);
    if (d.kind && nr)
        store_result(L, &rets[0], d);
    L->unit->uses_printf |= sys == SYS_PRINTF;
    L->unit->uses_malloc |= sys == SYS_MALLOC;
    return true;
}

/* Arguments given as registers or constants are stored, results given as registers are loaded. */
static void move_args(struct lower *L, const struct ptx_opnd *o, unsigned n, const uint32_t *off, bool load)
{
    for (unsigned k = 0; k < n; k++) {
        if (o[k].kind == PO_VAR)
            continue;
        enum ir_type t = o[k].kind == PO_REG && L->regs[o[k].reg].words == 2 ? T_U64 : T_U32;
        struct ir_insn m = {.op = load ? OP_LDL : OP_STL,
                            .type = (uint8_t)t,
                            .vec = 1,
                            .src = {ir_reg(L->sp, 0, 1)},
                            .off = (int32_t)off[k]};
        if (load)
            m.dst[0] = dst(L, &o[k], t);
        else
            m.src[1] = to_reg(L, src(L, &o[k], t));
        emit_insn(L, m);
    }
}

bool lower_call(struct lower *L, const struct ptx_insn *i)
{
    const struct ptx_opnd *callee = &i->ops[1];
    if (callee->kind == PO_FUNC) {
        int sys = find_syscall(callee->func);
        if (sys >= 0)
            return lower_syscall(L, i, (enum ir_syscall)sys);
        if (!callee->func->has_body)
            return lower_fail(L, "function '%s' is declared but not defined", callee->func->name);
        if (callee->func->is_entry)
            return lower_fail(L, "'%s' is a kernel and cannot be called", callee->func->name);
    }
    struct call_layout l;
    unsigned np, nr, na, nret;
    if (!signature(L, i, &l, &np, &nr))
        return false;
    const struct ptx_opnd *rets = list_of(&i->ops[0], &nret), *args = list_of(&i->ops[2], &na);
    uint32_t skip = UINT32_MAX;
    if (L->guard.kind) { /* a guarded call is branched around, so that its clobbers are not conditional */
        skip = label_new(L);
        opnd g = L->guard;
        L->guard = NONE_OPND;
        branch(L, skip, not_pred(g));
    }
    move_args(L, args, na, l.param_off, false);
    opnd to = callee->kind == PO_FUNC ? imm(callee->func->index) : to_reg(L, src(L, callee, T_U64));
    emit(L, OP_CALL, T_NONE, NONE_OPND, to, NONE_OPND, NONE_OPND);
    L->fn->has_calls = true;
    move_args(L, rets, nret, l.ret_off, true);
    if (skip != UINT32_MAX)
        label_place(L, skip);
    return true;
}

/* Parameters and results declared as .reg travel through the stack like the others: read at entry, written before RET. */
static bool move_reg_vars(struct lower *L, struct ptx_var *const *vars, uint32_t n, const uint32_t *off,
                          bool load)
{
    for (uint32_t k = 0; k < n; k++) {
        if (vars[k]->space != SPACE_REG)
            continue;
        uint32_t r = 0;
        while (r < L->f->regs.n && strcmp(L->f->regs.at[r].name, vars[k]->name) != 0)
            r++;
        if (r == L->f->regs.n)
            continue; /* never mentioned in the body */
        if (!L->regs[r].words)
            return lower_fail(L, "predicate parameter '%s' is not supported", vars[k]->name);
        opnd v = ir_reg(L->regs[r].v, 0, L->regs[r].words);
        struct ir_insn i = {.op = load ? OP_LDL : OP_STL,
                            .type = v.n == 2   ? T_U64
                                    : v.n == 4 ? T_B128
                                               : T_U32,
                            .vec = 1,
                            .src = {ir_reg(L->sp, 0, 1)},
                            .off = (int32_t)off[k],
                            .flags = IRF_ARG};
        if (load)
            i.dst[0] = v;
        else
            i.src[1] = v;
        emit_insn(L, i);
    }
    return true;
}

bool lower_reg_params(struct lower *L)
{
    return move_reg_vars(L, L->f->params.at, L->f->params.n, L->params->param_off, true);
}

bool lower_reg_results(struct lower *L)
{
    return move_reg_vars(L, L->f->rets.at, L->f->rets.n, L->params->ret_off, false);
}
