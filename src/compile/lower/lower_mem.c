/* SPDX-License-Identifier: Apache-2.0 */
/* Loads, stores, addresses. PTX state spaces become machine spaces here: kernel parameters are constant bank 0, .const
 * variables bank 3, arguments of device functions lie on the stack in local memory. */
#include "compile/lower/lower.h"
#include "compile/passes.h"
#include "ptx/layout.h"

/* The low word of an address register: shared, local, const and parameter addresses have 32 bits. */
static opnd low_word(const struct lower *L, const struct ptx_opnd *o)
{
    return ir_reg(L->regs[o->reg].v, 0, 1);
}

static opnd wide_base(struct lower *L, const struct ptx_opnd *o)
{
    const struct lreg *r = &L->regs[o->reg];
    return r->words >= 2 ? ir_reg(r->v, 0, 2) : pair(L, ir_reg(r->v, 0, 1), ZERO);
}

static bool small_offset(struct lower *L, int64_t off)
{
    return off >= INT32_MIN && off <= INT32_MAX
               ? true
               : lower_fail(L, "the address offset %lld does not fit 32 bits", (long long)off);
}

static uint32_t param_index(const struct ptx_func *f, const struct ptx_var *v, bool *is_ret)
{
    for (uint32_t k = 0; k < f->rets.n; k++)
        if (f->rets.at[k] == v) {
            *is_ret = true;
            return k;
        }
    *is_ret = false;
    for (uint32_t k = 0; k < f->params.n; k++)
        if (f->params.at[k] == v)
            return k;
    return UINT32_MAX;
}

/* Where a .param variable lives. */
static bool param_place(struct lower *L, const struct ptx_var *v, struct maddr *a)
{
    bool is_ret;
    uint32_t k = param_index(L->f, v, &is_ret);
    if (k == UINT32_MAX) { /* an argument of a call */
        if (v->owner != L->f)
            return lower_fail(L, "parameter '%s' belongs to another function", v->name);
        a->space = SPACE_LOCAL;
        a->base = ir_reg(L->sp, 0, 1);
        a->off = (int32_t)L->var_off[v->index];
        return true;
    }
    if (L->f->is_entry) {
        a->space = SPACE_CONST;
        a->bank = BANK_LAUNCH;
        a->off = (int32_t)(CB_PARAM + L->unit->param_off[k]);
        return true;
    }
    a->space = SPACE_LOCAL;
    a->base = ir_reg(L->sp, 0, 1);
    a->off = (int32_t)(is_ret ? L->params->ret_off[k] : L->params->param_off[k]);
    a->flags = IRF_ARG;
    return true;
}

static bool var_place(struct lower *L, const struct ptx_var *v, struct maddr *a)
{
    switch (v->space) {
    case SPACE_PARAM: return param_place(L, v, a);
    case SPACE_SHARED:
        a->space = SPACE_SHARED;
        a->off = (int32_t)reach_shared_off(L->unit, v);
        return true;
    case SPACE_LOCAL:
        if (v->owner != L->f)
            return lower_fail(L, "local variable '%s' is not declared in this function", v->name);
        a->space = SPACE_LOCAL;
        a->base = ir_reg(L->sp, 0, 1);
        a->off = (int32_t)L->var_off[v->index];
        return true;
    case SPACE_CONST:
        a->space = SPACE_CONST;
        a->bank = BANK_CONST;
        a->off = (int32_t)ptx_const_off(L->m, v);
        return true;
    default:
        a->space = SPACE_GLOBAL;
        a->base = tmp(L, 2);
        bool tex = v->type == T_TEXREF || v->type == T_SURFREF || v->type == T_SAMPLERREF;
        mov(L, a->base, ir_const(BANK_ADDR, reach_sym(L->unit, tex ? SYM_TEXREF : SYM_GLOBAL, v->index), 2));
        return true;
    }
}

opnd var_address(struct lower *L, const struct ptx_var *v, int64_t off, bool generic)
{
    struct maddr a = {0};
    if (!var_place(L, v, &a) || !small_offset(L, a.off + off))
        return pair(L, ZERO, ZERO);
    opnd lo = tmp(L, 1), hi;
    uint32_t at = (uint32_t)(a.off + off);
    switch (a.space) {
    case SPACE_GLOBAL: {
        if (!at)
            return a.base;
        opnd d = tmp(L, 2);
        add64(L, d, (struct w64){word(a.base, 0), word(a.base, 1)},
              (struct w64){imm(at), imm(off < 0 ? ~0u : 0)}, false);
        return d;
    }
    case SPACE_LOCAL: {
        struct ir_insn *n = emit(L, OP_IADD3, T_U32, lo, a.base, imm(at), ZERO);
        n->flags |= a.flags;
        hi = generic ? imm((uint32_t)(WINDOW_LOCAL >> 32)) : ZERO;
        break;
    }
    case SPACE_SHARED: {
        bool computed = L->unit->windows && L->fn->is_entry && !generic && at % 4 == 0;
        mov(L, lo, computed ? ir_const(BANK_WINDOW, at, 1) : imm(at));
        hi = generic ? imm((uint32_t)(WINDOW_SHARED >> 32)) : ZERO;
        break;
    }
    default:
        if (generic && a.bank == BANK_LAUNCH)
            at += (uint32_t)WINDOW_PARAM;
        mov(L, lo, imm(at));
        hi = generic ? imm((uint32_t)(WINDOW_CONST >> 32)) : ZERO;
    }
    return pair(L, lo, hi);
}

/* The space of an access, made out where the code leaves it open. Instructions that take no local memory see that when they
 * run. */
static enum ir_space space_of(const struct lower *L, const struct ptx_opnd *o, enum ir_space space)
{
    if (space != SPACE_NONE || o->kind != PO_ADDR || !o->n || o->sub[0].kind != PO_REG)
        return space;
    enum ir_space s = (enum ir_space)L->regs[o->sub[0].reg].space;
    return s == SPACE_LOCAL && L->in->op != P_ld && L->in->op != P_st ? SPACE_NONE : s;
}

/* Of an ordinary access: shared memory of the cluster is reached through generic addresses. */
static bool access_addr(struct lower *L, const struct ptx_insn *i, const struct ptx_opnd *o, struct maddr *a)
{
    return ptx_has(i, M_SHARED_CLUSTER) ? cluster_addr(L, o, a) : mem_addr(L, o, i->space, a);
}

bool mem_addr(struct lower *L, const struct ptx_opnd *o, enum ir_space space, struct maddr *a)
{
    space = space_of(L, o, space);
    *a = (struct maddr){.space = (uint8_t)space};
    if (o->kind != PO_ADDR || !o->n)
        return lower_fail(L, "an address in brackets is expected");
    const struct ptx_opnd *b = &o->sub[0];
    int64_t off = o->off;
    if (b->kind == PO_VAR) {
        off += b->off;
        if (space == SPACE_NONE) {
            a->base = var_address(L, b->var, off, true);
            return true;
        }
        if (!var_place(L, b->var, a))
            return false;
        off += a->off;
    } else if (b->kind == PO_REG) {
        if (!L->regs[b->reg].words)
            return lower_fail(L, "a predicate cannot be an address");
        bool wide = space == SPACE_NONE || space == SPACE_GLOBAL;
        a->base = wide ? wide_base(L, b) : low_word(L, b);
        if (space == SPACE_PARAM) {
            a->space = L->f->is_entry ? SPACE_CONST : SPACE_LOCAL;
            a->bank = BANK_LAUNCH;
        } else if (space == SPACE_CONST) {
            a->bank = BANK_CONST;
        }
    } else if (b->kind == PO_IMM) {
        uint64_t at = b->imm + (uint64_t)off;
        if (space == SPACE_NONE || space == SPACE_GLOBAL) {
            a->base = pair(L, imm((uint32_t)at), imm((uint32_t)(at >> 32)));
            return true;
        }
        off = (int64_t)(uint32_t)at;
        a->bank = space == SPACE_CONST ? BANK_CONST : BANK_LAUNCH;
        if (space == SPACE_PARAM)
            a->space = SPACE_CONST;
    } else {
        return lower_fail(L, "an address is a register, a variable or a number, plus an offset");
    }
    if (!small_offset(L, off))
        return false;
    a->off = (int32_t)off;
    return true;
}

static enum ir_op load_op(enum ir_space s)
{
    switch (s) {
    case SPACE_GLOBAL: return OP_LDG;
    case SPACE_SHARED: return OP_LDS;
    case SPACE_LOCAL: return OP_LDL;
    case SPACE_CONST: return OP_LDC;
    default: return OP_LD;
    }
}

static enum ir_op store_op(enum ir_space s)
{
    return s == SPACE_GLOBAL ? OP_STG : s == SPACE_SHARED ? OP_STS : s == SPACE_LOCAL ? OP_STL : OP_ST;
}

static struct ir_insn access(enum ir_op op, enum ir_type t, unsigned vec, const struct maddr *a,
                             unsigned order)
{
    return (struct ir_insn){.op = (uint8_t)op,
                            .type = (uint8_t)t,
                            .vec = (uint8_t)vec,
                            .order = (uint8_t)order,
                            .sub = op == OP_LDC ? a->bank : 0,
                            .src = {a->base},
                            .off = a->off,
                            .flags = a->flags};
}

/* Element type as memory sees it: float and untyped ones are plain bits; narrow ones keep their sign. */
static enum ir_type mem_type(enum ir_type t)
{
    switch (type_bits(t)) {
    case 8: return t == T_S8 ? T_S8 : T_U8;
    case 16: return t == T_S16 ? T_S16 : T_U16;
    case 32: return T_U32;
    case 64: return T_U64;
    default: return T_B128;
    }
}

/* The value of one element moves from the loaded words to its PTX register, which may be wider than the type. */
static void put_element(struct lower *L, const struct ptx_opnd *o, enum ir_type t, opnd v)
{
    if (o->kind == PO_NONE)
        return;
    unsigned words = o->kind == PO_REG ? L->regs[o->reg].words : 1;
    opnd d = dst(L, o, t);
    mov(L, d, v);
    if (words > v.n && words == 2) {
        opnd hi = ir_reg(d.val, 1, 1);
        if (type_is_signed(t))
            emit(L, OP_SHR, T_S32, hi, v, imm(31), NONE_OPND);
        else
            mov(L, hi, ZERO);
    }
    if (type_bits(t) == 8)
        set_ext(L, o, t == T_S8 ? EXT_SIGN8 : EXT_ZERO8);
    else if (type_bits(t) == 16)
        set_ext(L, o, t == T_S16 ? EXT_SIGN16 : EXT_ZERO16);
}

static bool vector_of(struct lower *L, const struct ptx_insn *i, const struct ptx_opnd *o,
                      const struct ptx_opnd **elems, unsigned *n)
{
    *n = i->vec > 1 ? i->vec : 1;
    *elems = o->kind == PO_VEC ? o->sub : o;
    if ((o->kind == PO_VEC ? o->n : 1u) != *n)
        return lower_fail(L, "a .v%u access needs %u registers", *n, *n);
    return true;
}

/* Loads of aligned words from a fixed constant address are moves: the constant bank is an operand. */
static bool load_constant(struct lower *L, const struct maddr *a, enum ir_type t,
                          const struct ptx_opnd *elems, unsigned n)
{
    if (a->space != SPACE_CONST || a->base.kind != OPND_NONE || type_bits(t) < 32 || a->off & 3)
        return false;
    unsigned words = type_units(t);
    for (unsigned k = 0; k < n; k++)
        if (elems[k].kind != PO_NONE)
            put_element(L, &elems[k], t, ir_const(a->bank, (uint32_t)a->off + 4 * words * k, words));
    return true;
}

bool lower_ld(struct lower *L, const struct ptx_insn *i)
{
    enum ir_type t = i->type[0], mt = mem_type(t);
    const struct ptx_opnd *elems;
    unsigned n;
    struct maddr a;
    if (!vector_of(L, i, &i->ops[0], &elems, &n) || !access_addr(L, i, &i->ops[1], &a))
        return false;
    if (load_constant(L, &a, t, elems, n))
        return true;
    unsigned words = type_units(mt), total = words * n;
    unsigned step = total > 4 ? 4 / words : n; /* .v8.f32 and .v4.f64 are two accesses */
    for (unsigned k = 0; k < n; k += step) {
        struct maddr part = a;
        part.off += (int32_t)(k * type_bytes(mt));
        struct ir_insn ld = access(load_op(a.space), mt, step, &part, i->order);
        bool direct = n == 1 && elems[0].kind == PO_REG && L->regs[elems[0].reg].words == words;
        opnd d = direct ? dst(L, &elems[0], t) : tmp(L, words * step);
        ld.dst[0] = d;
        if (ld.op == OP_LDG && ptx_has(i, M_NC))
            ld.flags |= IRF_NC;
        if (ptx_has(i, M_CG) || ptx_has(i, M_CV))
            ld.flags |= IRF_PAST_L1;
        if (ptx_has(i, M_CTA))
            ld.flags |= IRF_CTA;
        emit_insn(L, ld);
        if (direct) {
            put_element(L, &elems[0], t, d);
            continue;
        }
        for (unsigned e = 0; e < step; e++)
            put_element(L, &elems[k + e], t, ir_reg(d.val, e * words, words));
    }
    return true;
}

/* The data of `step` elements from elems[0] on. */
static opnd store_data(struct lower *L, const struct ptx_opnd *elems, enum ir_type t, unsigned step)
{
    unsigned words = type_units(mem_type(t));
    enum ir_type of = type_bits(t) == 8 ? T_U16 : t;
    opnd w[4], d;
    if (step == 1) {
        d = words == 1 ? src(L, &elems[0], of) : to_reg(L, src(L, &elems[0], t));
        return d.kind == OPND_IMM ? to_reg(L, d) : d;
    }
    for (unsigned e = 0; e < step; e++)
        for (unsigned x = 0; x < words; x++)
            w[e * words + x] = words == 1 ? src(L, &elems[e], of) : src_word(L, &elems[e], t, x);
    return tuple(L, w, step * words);
}

static bool st_async(struct lower *L, const struct ptx_insn *i)
{
    enum ir_type t = i->type[0];
    const struct ptx_opnd *elems;
    unsigned n;
    if (!vector_of(L, i, &i->ops[1], &elems, &n))
        return false;
    if (type_bits(t) < 32 || type_bits(t) * n > 128)
        return lower_fail(L, "st.async stores 4 to 16 bytes");
    struct ir_insn st = {.op = OP_STAS, .type = (uint8_t)mem_type(t), .vec = (uint8_t)n};
    st.src[1] = store_data(L, elems, t, n);
    return lower_async_store(L, i, st);
}

bool lower_st(struct lower *L, const struct ptx_insn *i)
{
    enum ir_type t = i->type[0], mt = mem_type(t);
    const struct ptx_opnd *elems;
    unsigned n;
    struct maddr a;
    if (ptx_has(i, M_ASYNC))
        return st_async(L, i);
    if (!vector_of(L, i, &i->ops[1], &elems, &n) || !access_addr(L, i, &i->ops[0], &a))
        return false;
    if (a.space == SPACE_CONST)
        return lower_fail(L, "constant memory and kernel parameters cannot be written");
    unsigned words = type_units(mt), total = words * n;
    unsigned step = total > 4 ? 4 / words : n;
    for (unsigned k = 0; k < n; k += step) {
        struct maddr part = a;
        part.off += (int32_t)(k * type_bytes(mt));
        struct ir_insn st = access(store_op(a.space), mt, step, &part, i->order);
        st.src[1] = store_data(L, elems + k, t, step);
        if (ptx_has(i, M_CTA))
            st.flags |= IRF_CTA;
        emit_insn(L, st);
    }
    return true;
}

bool lower_cvta(struct lower *L, const struct ptx_insn *i)
{
    enum ir_type t = i->type[0];
    if (type_bits(t) != 64)
        return lower_fail(L, "generic addresses have 64 bits");
    const struct ptx_opnd *s = &i->ops[1];
    if (s->kind == PO_VAR) {
        put(L, &i->ops[0], t, var_address(L, s->var, s->off, !ptx_has(i, M_TO)));
        return true;
    }
    opnd d = dst(L, &i->ops[0], t), v = src(L, s, t);
    static const uint64_t window[] = {[SPACE_SHARED] = WINDOW_SHARED,
                                      [SPACE_LOCAL] = WINDOW_LOCAL,
                                      [SPACE_CONST] = WINDOW_CONST,
                                      [SPACE_PARAM] = WINDOW_PARAM};
    if (i->space == SPACE_GLOBAL) {
        mov(L, d, v);
        return true;
    }
    if (i->space == SPACE_NONE || i->space > SPACE_PARAM)
        return lower_fail(L, "cvta needs a state space");
    if (i->space == SPACE_PARAM && L->f->is_entry) {
        opnd lo = tmp(L, 1);
        emit(L, OP_LOP3, T_U32, lo, word(v, 0), imm(0x80000000u), ZERO)->lut =
            ptx_has(i, M_TO) ? LUT_ANDN : LUT_OR;
        mov(L, word(d, 0), lo);
    } else {
        mov(L, word(d, 0), word(v, 0));
    }
    unsigned w = i->space == SPACE_PARAM && !L->f->is_entry ? SPACE_LOCAL : i->space;
    mov(L, word(d, 1), imm(ptx_has(i, M_TO) ? 0 : (uint32_t)(window[w] >> 32)));
    return true;
}

bool lower_isspacep(struct lower *L, const struct ptx_insn *i)
{
    opnd d = dst_pred(L, &i->ops[0]), hi = src_word(L, &i->ops[1], T_U64, 1);
    if (i->space == SPACE_GLOBAL) { /* all that is in no window */
        isetp(L, d, CMP_LT, T_U32, hi, imm((uint32_t)(WINDOW_SHARED >> 32)));
        return true;
    }
    static const uint64_t window[] = {[SPACE_SHARED] = WINDOW_SHARED,
                                      [SPACE_LOCAL] = WINDOW_LOCAL,
                                      [SPACE_CONST] = WINDOW_CONST,
                                      [SPACE_PARAM] = WINDOW_PARAM};
    if (i->space == SPACE_NONE || i->space > SPACE_PARAM)
        return lower_fail(L, "isspacep needs a state space");
    if (i->space == SPACE_CONST || i->space == SPACE_PARAM) { /* the two halves of one window */
        opnd p = isetp(L, tmp_pred(L), CMP_EQ, T_U32, hi, imm((uint32_t)(WINDOW_CONST >> 32)));
        opnd lo = src_word(L, &i->ops[1], T_U64, 0);
        struct ir_insn n = {.op = OP_ISETP,
                            .type = T_S32,
                            .cmp = i->space == SPACE_PARAM ? CMP_LT : CMP_GE,
                            .bop = BOP_AND,
                            .dst = {d},
                            .src = {lo, ZERO, p}};
        emit_insn(L, n);
        return true;
    }
    /* Before sm_90 there are no clusters, and all of the window is the CTA's. */
    if (i->space == SPACE_SHARED && !ptx_has(i, M_SHARED_CLUSTER) && L->m->sm >= 90)
        lower_own_shared(L, d, src_word(L, &i->ops[1], T_U64, 0), hi);
    else
        isetp(L, d, CMP_EQ, T_U32, hi, imm((uint32_t)(window[i->space] >> 32)));
    return true;
}

bool lower_prefetch(struct lower *L, const struct ptx_insn *i)
{
    if (i->op == P_createpolicy) {
        put(L, &i->ops[0], T_U64, pair(L, ZERO, ZERO));
        return true;
    }
    struct maddr a;
    if (!mem_addr(L, &i->ops[0], i->space, &a))
        return false;
    if (a.space == SPACE_NONE || a.space == SPACE_GLOBAL)
        emit(L, OP_CCTL, T_NONE, NONE_OPND, a.base, NONE_OPND, NONE_OPND)->off = a.off;
    return true;
}

bool lower_fence(struct lower *L, const struct ptx_insn *i)
{
    struct ir_insn *o = emit(L, OP_MEMBAR, T_NONE, NONE_OPND, NONE_OPND, NONE_OPND, NONE_OPND);
    o->sub = ptx_has(i, M_SYS) ? FENCE_SYS : ptx_has(i, M_GPU) || ptx_has(i, M_GL) ? FENCE_GPU : FENCE_NEAR;
    return true;
}
