/* SPDX-License-Identifier: Apache-2.0 */
/* wgmma: one HGMMA each (ops.def). Its accumulators are registers next to each other, more than any other instruction has; PTX
 * names them one by one. They are moved together before it and apart behind it, and wide.c makes both one, so that no move is
 * left. */
#include "compile/lower/lower.h"

struct wgmma {
    enum ir_type acc, a, b;
    unsigned regs; /* of the accumulators */
    bool a_in_regs;
    unsigned nimms; /* immediates behind scale-d: signs, transpositions */
    uint8_t sub;    /* enum ir_gmma */
};

static bool is_int8(enum ir_type t) { return t == T_S8 || t == T_U8; }
static bool is_fp8(enum ir_type t) { return t == T_E4M3 || t == T_E5M2; }
static bool is_half(enum ir_type t) { return t == T_F16 || t == T_BF16; }

static bool types_exist(const struct wgmma *g)
{
    switch (g->acc) {
    case T_F32: return (g->a == g->b && (is_half(g->a) || g->a == T_TF32)) || (is_fp8(g->a) && is_fp8(g->b));
    case T_F16: return (g->a == T_F16 && g->b == T_F16) || (is_fp8(g->a) && is_fp8(g->b));
    case T_S32: return (is_int8(g->a) && is_int8(g->b)) || (g->a == T_B1 && g->b == T_B1);
    default: return false;
    }
}

/* Integers and bits have fewer widths: multiples of 16 beyond 32. */
static bool shape_exists(const struct ptx_insn *i, const struct wgmma *g)
{
    bool ints = g->acc == T_S32;
    return i->m == 64 && i->n >= 8 && i->n <= 256 && i->n % (ints && i->n > 32 ? 16 : 8) == 0 &&
           i->k == 256 / type_bits(g->a);
}

static bool read_form(struct lower *L, const struct ptx_insn *i, struct wgmma *g)
{
    if (i->ntypes != 3)
        return lower_fail(L, "wgmma.mma_async needs the three types of D, A and B");
    g->acc = i->type[0], g->a = i->type[1], g->b = i->type[2];
    if (!types_exist(g))
        return lower_fail(L, "wgmma of .%s and .%s with .%s accumulators does not exist", ir_types[g->a].name,
                          ir_types[g->b].name, ir_types[g->acc].name);
    if (!shape_exists(i, g))
        return lower_fail(L, "wgmma shape m%un%uk%u on .%s does not exist", i->m, i->n, i->k,
                          ir_types[g->a].name);
    bool bits = ptx_has(i, M_AND) && ptx_has(i, M_POPC);
    if (bits != (g->a == T_B1) || ptx_has(i, M_AND) != ptx_has(i, M_POPC))
        return lower_fail(L, "'.and.popc' goes with wgmma on .b1");
    if (ptx_has(i, M_SATFINITE) && !is_int8(g->a))
        return lower_fail(L, "'.satfinite' goes with wgmma on .s8 and .u8");
    if (i->nops < 4)
        return lower_fail(L, "wgmma.mma_async takes D, A, B and scale-d at least");
    g->regs = i->n / (g->acc == T_F16 ? 4 : 2);
    g->a_in_regs = i->ops[1].kind == PO_VEC;
    g->nimms = g->acc == T_S32 ? 0 : !is_half(g->a) ? 2 : g->a_in_regs ? 3 : 4;
    if (i->nops != 4 + g->nimms)
        return lower_fail(L, "wgmma on .%s with A %s takes %u operands, not %u", ir_types[g->a].name,
                          g->a_in_regs ? "in registers" : "in shared memory", 4 + g->nimms, i->nops);
    return true;
}

/* The immediates behind scale-d: signs of A and B (-1 or 1), transpositions (0 or 1) of A, if it lies in memory, and B. */
static bool read_imms(struct lower *L, const struct ptx_insn *i, struct wgmma *g)
{
    static const uint8_t in_memory[] = {GMMA_NEG_A, GMMA_NEG_B, GMMA_TRANS_A, GMMA_TRANS_B},
                         in_regs[] = {GMMA_NEG_A, GMMA_NEG_B, GMMA_TRANS_B};
    for (unsigned k = 0; k < g->nimms; k++) {
        const struct ptx_opnd *o = &i->ops[4 + k];
        bool sign = k < 2;
        if (o->kind != PO_IMM || (sign ? o->imm != 1 && o->imm != UINT64_MAX : o->imm > 1))
            return lower_fail(L, "operand %u of wgmma is %s", 5 + k,
                              sign ? "a sign: 1 or -1" : "a transposition: 0 or 1");
        if (sign ? o->imm != 1 : o->imm == 1)
            g->sub |= (g->a_in_regs ? in_regs : in_memory)[k];
    }
    return true;
}

/* Is scale-d known: an immediate, or a comparison of constants (which is how the macros of C headers spell one)? */
static bool scale_known(const struct lower *L, const struct ptx_opnd *o, bool *value)
{
    if (o->kind == PO_IMM) {
        *value = o->imm != 0;
        return true;
    }
    const struct lreg *r = o->kind == PO_REG ? &L->regs[o->reg] : NULL;
    const struct ptx_insn *d = r && !r->words && r->ndefs == 1 ? r->def : NULL;
    uint64_t a, b;
    if (!d || d->op != P_setp || d->guard || d->nops != 3 || d->ops[0].kind != PO_REG ||
        (d->cmp != CMP_NE && d->cmp != CMP_EQ) || !src_known(L, &d->ops[1], &a) ||
        !src_known(L, &d->ops[2], &b))
        return false;
    *value = (((uint32_t)a != (uint32_t)b) == (d->cmp == CMP_NE)) != o->neg;
    return type_bits(d->type[0]) == 32;
}

/* What stands where a descriptor should is refused here: src would take a constant for one. */
static bool descriptor(struct lower *L, const struct ptx_opnd *o, const char *what, opnd *out)
{
    if (o->kind != PO_REG && o->kind != PO_IMM)
        return lower_fail(L, "matrix %s of wgmma is a descriptor of 64 bits%s", what,
                          *what == 'A' ? " or four registers" : "");
    *out = to_reg(L, src(L, o, T_U64));
    return true;
}

static bool matrix_a(struct lower *L, const struct ptx_opnd *o, opnd *out)
{
    opnd w[4];
    if (o->kind != PO_VEC)
        return descriptor(L, o, "A", out);
    if (o->n != 4)
        return lower_fail(L, "matrix A of wgmma has 4 registers, not %u", o->n);
    for (unsigned k = 0; k < 4; k++)
        w[k] = src(L, &o->sub[k], T_U32);
    *out = tuple(L, w, 4);
    return true;
}

static bool mma_async(struct lower *L, const struct ptx_insn *i)
{
    struct wgmma g = {0};
    struct ir_insn n = {.op = OP_HGMMA};
    bool scale;
    if (!read_form(L, i, &g) || !read_imms(L, i, &g))
        return false;
    const struct ptx_opnd *d = &i->ops[0];
    if (d->kind != PO_VEC || d->n != g.regs)
        return lower_fail(L, "D of wgmma m64n%u with .%s has %u registers, not %u", i->n,
                          ir_types[g.acc].name, g.regs, d->kind == PO_VEC ? d->n : 1u);
    if (!matrix_a(L, &i->ops[1], &n.src[0]) || !descriptor(L, &i->ops[2], "B", &n.src[1]))
        return false;
    n.type = (uint8_t)g.acc, n.stype = (uint8_t)g.a, n.lut = (uint8_t)g.b;
    n.sub = g.sub;
    n.flags = ptx_has(i, M_SATFINITE) ? IRF_SAT : 0;
    n.dst[0] = tmp(L, g.regs);
    L->fn->vregs.at[n.dst[0].val].acc = 1;
    bool known = scale_known(L, &i->ops[3], &scale);
    n.src[2] = known && !scale ? ZERO : n.dst[0];
    if (!known)
        n.src[3] = src_pred(L, &i->ops[3]);
    for (unsigned k = 0; k < g.regs && (n.src[2].kind == OPND_REG || L->guard.kind); k++)
        mov(L, word(n.dst[0], k), src(L, &d->sub[k], T_U32));
    emit_insn(L, n);
    L->guard = NONE_OPND; /* where the guard does not hold, this puts back what was there */
    for (unsigned k = 0; k < g.regs; k++)
        put(L, &d->sub[k], T_U32, word(n.dst[0], k));
    return !L->failed;
}

bool lower_wgmma(struct lower *L, const struct ptx_insn *i)
{
    if (ptx_has(i, M_MMA_ASYNC))
        return mma_async(L, i);
    bool wait = ptx_has(i, M_WAIT_GROUP);
    if (i->ntypes || i->m || ptx_has(i, M_SATFINITE) || ptx_has(i, M_AND) || ptx_has(i, M_POPC))
        return lower_fail(L, "types, shapes and operations go with wgmma.mma_async");
    if (i->nops != (wait ? 1 : 0) || (wait && (i->ops[0].kind != PO_IMM || i->ops[0].imm > 7)))
        return lower_fail(L, wait ? "wgmma.wait_group takes a number of groups: 0 to 7"
                                  : "this form of wgmma takes no operands");
    emit_insn(L, (struct ir_insn){.op = OP_WARPGROUP,
                                  .sub = ptx_has(i, M_FENCE) ? WG_ARRIVE
                                         : wait              ? WG_WAIT
                                                             : WG_COMMIT,
                                  .off = wait ? (int32_t)i->ops[0].imm : 0});
    return true;
}
