/* SPDX-License-Identifier: Apache-2.0 */
/* Lowering of one function: registers and frame first, then instruction by instruction through the table below. */
#include "compile/lower/lower.h"

typedef bool (*lower_fn)(struct lower *, const struct ptx_insn *);

static const lower_fn table[P_COUNT] = {
    [P_add] = lower_add,
    [P_sub] = lower_add,
    [P_addc] = lower_addc,
    [P_subc] = lower_addc,
    [P_mul] = lower_mul,
    [P_mad] = lower_mad,
    [P_madc] = lower_madc,
    [P_mul24] = lower_mul24,
    [P_mad24] = lower_mul24,
    [P_sad] = lower_sad,
    [P_div] = lower_div,
    [P_rem] = lower_div,
    [P_abs] = lower_absneg,
    [P_neg] = lower_absneg,
    [P_min] = lower_minmax,
    [P_max] = lower_minmax,
    [P_dp4a] = lower_dp,
    [P_dp2a] = lower_dp,
    [P_vabsdiff4] = lower_video4,
    [P_and] = lower_logic,
    [P_or] = lower_logic,
    [P_xor] = lower_logic,
    [P_not] = lower_logic,
    [P_cnot] = lower_logic,
    [P_shl] = lower_shift,
    [P_shr] = lower_shift,
    [P_shf] = lower_shf,
    [P_lop3] = lower_lop3,
    [P_bfe] = lower_bfe,
    [P_bfi] = lower_bfi,
    [P_bfind] = lower_bfind,
    [P_clz] = lower_clz,
    [P_popc] = lower_popc,
    [P_brev] = lower_brev,
    [P_prmt] = lower_prmt,
    [P_bmsk] = lower_bmsk,
    [P_szext] = lower_szext,
    [P_fns] = lower_fns,
    [P_setp] = lower_setp,
    [P_set] = lower_set,
    [P_selp] = lower_selp,
    [P_slct] = lower_slct,
    [P_testp] = lower_testp,
    [P_fma] = lower_fma,
    [P_sqrt] = lower_sqrt,
    [P_rcp] = lower_rcp,
    [P_rsqrt] = lower_mufu,
    [P_sin] = lower_mufu,
    [P_cos] = lower_mufu,
    [P_ex2] = lower_mufu,
    [P_lg2] = lower_mufu,
    [P_tanh] = lower_mufu,
    [P_copysign] = lower_copysign,
    [P_mov] = lower_mov,
    [P_cvt] = lower_cvt,
    [P_cvta] = lower_cvta,
    [P_isspacep] = lower_isspacep,
    [P_ld] = lower_ld,
    [P_ldu] = lower_ld,
    [P_st] = lower_st,
    [P_atom] = lower_atom,
    [P_red] = lower_atom,
    [P_prefetch] = lower_prefetch,
    [P_prefetchu] = lower_prefetch,
    [P_discard] = lower_prefetch,
    [P_applypriority] = lower_prefetch,
    [P_createpolicy] = lower_prefetch,
    [P_cp] = lower_cp,
    [P_mbarrier] = lower_mbarrier,
    [P_membar] = lower_fence,
    [P_fence] = lower_fence,
    [P_tex] = lower_tex,
    [P_tld4] = lower_tex,
    [P_suld] = lower_suld,
    [P_sust] = lower_sust,
    [P_txq] = lower_txq,
    [P_suq] = lower_txq,
    [P_shfl] = lower_shfl,
    [P_vote] = lower_vote,
    [P_match] = lower_match,
    [P_redux] = lower_redux,
    [P_activemask] = lower_activemask,
    [P_elect] = lower_elect,
    [P_bar] = lower_bar,
    [P_barrier] = lower_bar,
    [P_nanosleep] = lower_nanosleep,
    [P_setmaxnreg] = lower_setmaxnreg,
    [P_griddepcontrol] = lower_griddepcontrol,
    [P_trap] = lower_trap,
    [P_brkpt] = lower_trap,
    [P_bra] = lower_bra,
    [P_brx] = lower_brx,
    [P_call] = lower_call,
    [P_ret] = lower_ret,
    [P_exit] = lower_exit,
    [P_mma] = lower_mma,
    [P_wmma] = lower_wmma,
    [P_wgmma] = lower_wgmma,
    [P_ldmatrix] = lower_ldmatrix,
    [P_stmatrix] = lower_stmatrix,
    [P_movmatrix] = lower_movmatrix,
    [P_pmevent] = lower_nothing,
    [P_mapa] = lower_mapa,
    [P_getctarank] = lower_getctarank,
};

bool lower_nothing(struct lower *L, const struct ptx_insn *i)
{
    (void)L;
    (void)i;
    return true;
}

static void count_def(struct lower *L, const struct ptx_insn *i, const struct ptx_opnd *o)
{
    if (o->kind == PO_REG && L->regs[o->reg].ndefs < 2) {
        L->regs[o->reg].ndefs++;
        L->regs[o->reg].def = i;
    }
    for (unsigned k = 0; k < o->n && (o->kind == PO_VEC || o->kind == PO_PAIR); k++)
        count_def(L, i, &o->sub[k]);
}

static void declare_registers(struct lower *L)
{
    const struct ptx_func *f = L->f;
    L->regs = ARENA_ARRAY(&L->unit->arena, struct lreg, f->regs.n + 1);
    for (uint32_t k = 0; k < f->regs.n; k++) {
        const struct ptx_reg *r = &f->regs.at[k];
        unsigned words = r->type == T_PRED ? 0 : type_units(r->type);
        L->regs[k].words = (uint8_t)words;
        L->regs[k].v = words ? ir_vreg(L->fn, words, r->name) : ir_vpred(L->fn);
    }
    vec_each (&f->insns, i)
        if (i->nops && i->op != P_st && i->op != P_call)
            count_def(L, i, &i->ops[0]);
    L->sp = ir_vreg_fixed(L->fn, 1, REG_SP);
    L->first_tmp = L->fn->vregs.n;
    L->first_tmp_pred = VPRED0 + L->fn->npreds;
}

enum { FRAME_MAX_B = 512 * 1024 };

/* Outgoing arguments of calls share the bottom of the frame; .local variables follow. */
static bool layout_frame(struct lower *L)
{
    const struct ptx_func *f = L->f;
    uint64_t at = 0;
    L->var_off = ARENA_ARRAY(&L->unit->arena, uint32_t, f->vars.n + 1);
    if (!lower_call_layout(L, &at))
        return false;
    for (uint32_t k = 0; k < f->vars.n; k++) {
        const struct ptx_var *v = f->vars.at[k];
        if (v->space != SPACE_LOCAL)
            continue;
        uint32_t align = v->align_b > 4 ? v->align_b : 4;
        at = (at + align - 1) / align * align;
        L->var_off[k] = (uint32_t)at;
        at += v->size_b;
        if (at > FRAME_MAX_B)
            return lower_fail(L, "local memory of '%s' exceeds %d bytes with '%s'", f->name, FRAME_MAX_B,
                              v->name);
    }
    L->fn->frame_b = (uint32_t)((at + 15) / 16 * 16);
    return true;
}

/* Code from elsewhere (a header's function, without a word where it went) counts to the line before it. */
static void set_line(struct lower *L, const struct ptx_insn *i)
{
    uint32_t line = L->unit->source ? ptx_source_line(L->m, L->unit->entry, i->loc) : i->line;
    if (line)
        L->line = line;
}

static void lower_insn(struct lower *L, const struct ptx_insn *i)
{
    L->in = i;
    set_line(L, i);
    L->guard = NONE_OPND;
    if (i->guard) {
        struct lreg *g = &L->regs[i->guard - 1];
        L->guard = ir_pred(g->v, i->guard_neg);
    }
    if (!table[i->op]) {
        lower_fail(L, "instruction '%s' is not supported", ptx_op_names[i->op]);
        return;
    }
    L->fn->blocks.at[L->cur].keep_rolled |= i->keep_rolled;
    table[i->op](L, i);
}

static void resolve_labels(struct lower *L)
{
    vec_each (&L->fn->blocks, b)
        vec_each (&b->insns, i) {
            if (i->op == OP_BRA)
                i->target = L->label_block.at[i->target];
            if (i->op == OP_BRX) {
                const struct ptx_table *t = &L->f->tables.at[i->target];
                vec_each (&t->labels, l)
                    vec_push(&b->succ, L->label_block.at[*l]);
                i->target = 0;
            }
        }
}

/* Code may run off the end of a PTX function, and a label may stand there: close with a return. */
static void close_function(struct lower *L)
{
    L->in = NULL;
    L->guard = NONE_OPND;
    if (L->f->is_entry) {
        emit(L, OP_EXIT, T_NONE, NONE_OPND, NONE_OPND, NONE_OPND, NONE_OPND);
        return;
    }
    lower_reg_results(L);
    emit(L, OP_RET, T_NONE, NONE_OPND, ir_reg(L->link, 0, 1), NONE_OPND, NONE_OPND);
}

static void lower_body(struct lower *L)
{
    const struct ptx_func *f = L->f;
    uint32_t *order = ARENA_ARRAY(&L->unit->arena, uint32_t, f->labels.n + 1);
    /* labels in order of position (they are declared in that order, except in nested scopes) */
    uint32_t *head = ARENA_ARRAY(&L->unit->arena, uint32_t, f->insns.n + 2);
    for (uint32_t k = f->labels.n; k-- > 0;) {
        order[k] = head[f->labels.at[k].at];
        head[f->labels.at[k].at] = k + 1;
    }
    L->label_at = head;
    for (uint32_t k = 0; k <= f->insns.n; k++) {
        for (uint32_t l = head[k]; l; l = order[l - 1])
            if (f->labels.at[l - 1].used)
                label_place(L, l - 1);
        if (k < f->insns.n)
            lower_insn(L, &f->insns.at[k]);
    }
    close_function(L);
}

bool lower_function(struct reach *u, const struct ptx_func *f, struct ir_fn *fn)
{
    struct lower L = {.unit = u, .m = u->m, .f = f, .d = u->d, .fn = fn};
    fn->is_entry = f->is_entry;
    fn->id = f->index;
    vec_resize(&L.label_block, f->labels.n);
    declare_registers(&L);
    L.line = u->source ? ptx_source_line(u->m, u->entry, f->loc) : f->line;
    L.cur = ir_block_new(fn, NULL, L.line);
    if (!layout_frame(&L)) {
        vec_free(&L.label_block);
        return false;
    }
    if (!f->is_entry) {
        L.params = ARENA_NEW(&u->arena, struct call_layout);
        *L.params = call_layout_of(&u->arena, f->params.at, f->params.n, f->rets.at, f->rets.n);
        L.link = ir_vreg(fn, 1, NULL);
        mov(&L, ir_reg(L.link, 0, 1), ir_reg(ir_vreg_fixed(fn, 1, REG_LINK), 0, 1));
        lower_reg_params(&L);
    }
    lower_spaces(&L);
    lower_wmma_begin(&L);
    lower_body(&L);
    if (!L.failed)
        resolve_labels(&L);
    vec_free(&L.label_block);
    return !L.failed;
}
