/* SPDX-License-Identifier: Apache-2.0 */
/* wmma: the product as tensor instructions, tile by tile (16 rows by 8 columns); loads and stores are lower_wmma_mem.c's. */
#include "compile/lower/lower_mma.h"

/* What each lane contributes to addresses is the same for every fragment of a function: computed once, at its beginning. */
void lower_wmma_begin(struct lower *L)
{
    bool any = false;
    vec_each (&L->f->insns, i)
        any |= i->op == P_wmma;
    if (!any)
        return;
    opnd lane = tmp(L, 1);
    L->lane_group = tmp(L, 1);
    L->lane_in_group = tmp(L, 1);
    emit(L, OP_S2R, T_U32, lane, NONE_OPND, NONE_OPND, NONE_OPND)->sub = SR_LANEID;
    emit(L, OP_SHR, T_U32, L->lane_group, lane, imm(2), NONE_OPND);
    logic(L, L->lane_in_group, lane, imm(3), LUT_AND);
    /* LDSM: lane 8i + r holds the address of row r of matrix i. Matrices 0 1 2 3 lie over and beside each other by columns, [0]
     * = lines 16, then 16 bytes on; or by rows, [1]. */
    for (unsigned by_rows = 0; by_rows < 2; by_rows++) {
        opnd low = tmp(L, 1), high = tmp(L, 1);
        L->matrix_line[by_rows] = tmp(L, 1);
        L->matrix_half[by_rows] = tmp(L, 1);
        emit(L, OP_SHR, T_U32, high, lane, imm(by_rows ? 3 : 4), NONE_OPND);
        logic(L, L->matrix_half[by_rows], high, imm(1), LUT_AND);
        if (!by_rows) {
            logic(L, L->matrix_line[0], lane, imm(15), LUT_AND);
            continue;
        }
        logic(L, low, lane, imm(7), LUT_AND);
        emit(L, OP_IMAD, T_U32, L->matrix_line[1], L->matrix_half[0], imm(8), low);
    }
}

bool wmma_shape_ok(struct lower *L, const struct ptx_insn *i, enum ir_type ab)
{
    unsigned m = i->m, n = i->n, k = i->k;
    bool square = m == 16 && n == 16, tall = m == 32 && n == 8, wide = m == 8 && n == 32;
    bool ok = false;
    if (ab == T_F16 || ab == T_BF16 || ab == T_S8 || ab == T_U8)
        ok = k == 16 && (square || tall || wide);
    else if (ab == T_TF32)
        ok = k == 8 && square;
    else if (ab == T_F64)
        ok = m == 8 && n == 8 && k == 4;
    else if (ab == T_S4 || ab == T_U4)
        ok = m == 8 && n == 8 && k == 32;
    else if (ab == T_B1)
        ok = m == 8 && n == 8 && k == 128;
    return ok ? true
              : lower_fail(L, "wmma shape m%un%uk%u on .%s is not supported", m, n, k, ir_types[ab].name);
}

/* Instructions have 16 rows and 8 columns, so m8n32 is computed as its transpose, B' A' + C'. */
bool wmma_swapped(const struct ptx_insn *i) { return i->m == 8 && i->n == 32; }

static bool frag_in(struct lower *L, const struct ptx_opnd *o, unsigned want, enum ir_type t, opnd *out)
{
    const struct ptx_opnd *e = o->kind == PO_VEC ? o->sub : o;
    unsigned n = o->kind == PO_VEC ? o->n : 1;
    if (n < want || n % want)
        return lower_fail(L, "this wmma fragment has %u registers, not %u", want, n);
    for (unsigned k = 0; k < want; k++)
        out[k] = to_reg(L, src(L, &e[k], t));
    return true;
}

/* .f32.f16 and the like name D and C with f16 inputs (the products are summed in f32 where either is), or all four
 * types D A B C are named. */
static bool product_types(struct lower *L, const struct ptx_insn *i, struct mma *m, bool *c_half,
                          bool *d_half)
{
    enum ir_type tb;
    *c_half = *d_half = false;
    if (i->ntypes == 2) {
        bool mixed = i->type[0] != i->type[1];
        m->acc = mixed ? T_F32 : i->type[0];
        m->ab = tb = T_F16;
        *d_half = mixed && i->type[0] == T_F16;
        *c_half = mixed && i->type[1] == T_F16;
    } else if (i->ntypes == 4 && i->type[0] == i->type[3]) {
        m->acc = i->type[0];
        m->ab = i->type[1];
        tb = i->type[2];
    } else {
        return lower_fail(L, "this form of wmma.mma is not supported");
    }
    m->signs = (type_is_signed(m->ab) ? 1 : 0) | (type_is_signed(tb) ? 2 : 0);
    m->sat = ptx_has(i, M_SATFINITE);
    m->and_popc = m->ab == T_B1 && i->bop == BOP_AND;
    m->accregs = m->acc == T_F16 ? 1 : 2;
    return true;
}

/* Accumulators of half precision as two words each, and back. */
static void widen(struct lower *L, opnd *c, unsigned tiles)
{
    for (unsigned k = tiles; k-- > 0;) {
        opnd packed = c[k], hi = tmp(L, 1);
        emit(L, OP_SHR, T_U32, hi, packed, imm(16), NONE_OPND);
        for (unsigned h = 0; h < 2; h++) {
            c[2 * k + h] = tmp(L, 1);
            struct ir_insn *n = emit(L, OP_F2F, T_F32, c[2 * k + h], h ? hi : packed, NONE_OPND, NONE_OPND);
            n->stype = T_F16;
            n->rnd = RND_RN;
        }
    }
}

static void narrow(struct lower *L, opnd *d, unsigned tiles)
{
    for (unsigned k = 0; k < tiles; k++) {
        opnd packed = tmp(L, 1);
        struct ir_insn *n = emit(L, OP_F2FP, T_F16X2, packed, d[2 * k + 1], d[2 * k], NONE_OPND);
        n->stype = T_F32;
        n->rnd = RND_RN;
        d[k] = packed;
    }
}

static bool product(struct lower *L, const struct ptx_insn *i)
{
    struct mma m = {0};
    bool c_half, d_half;
    if (!product_types(L, i, &m, &c_half, &d_half) || !wmma_shape_ok(L, i, m.ab))
        return false;
    m.kregs = i->k / (4 * mma_per_reg(m.ab));
    bool swap = wmma_swapped(i);
    unsigned rbs = (swap ? i->n : i->m) / 8, cbs = (swap ? i->m : i->n) / 8, tiles = rbs * cbs;
    unsigned nd = tiles * (d_half ? 1 : m.accregs);
    m.rows = rbs > 1 ? 2 : 1;
    if (swap)
        m.signs = (uint8_t)(m.signs >> 1 | (m.signs & 1) << 1);
    enum ir_type t = m.acc == T_F64 ? T_F64 : T_U32;
    opnd a[8], b[8], c[8], d[8];
    if (!frag_in(L, &i->ops[swap ? 2 : 1], rbs * m.kregs, t, a) ||
        !frag_in(L, &i->ops[swap ? 1 : 2], cbs * m.kregs, t, b) ||
        !frag_in(L, &i->ops[3], tiles * (c_half ? 1 : m.accregs), t, c))
        return false;
    if (c_half)
        widen(L, c, tiles);
    for (unsigned rb = 0; rb < rbs; rb += m.rows)
        for (unsigned cb = 0; cb < cbs; cb++) {
            unsigned at = (rb * cbs + cb * m.rows) * m.accregs;
            mma_emit(L, &m, a + rb * m.kregs, b + cb * m.kregs, c + at, d + at);
        }
    if (d_half)
        narrow(L, d, tiles);
    const struct ptx_opnd *o = &i->ops[0];
    if (o->kind != PO_VEC || o->n != nd)
        return lower_fail(L, "this wmma fragment has %u registers", nd);
    for (unsigned k = 0; k < nd; k++)
        put(L, &o->sub[k], t, d[k]);
    return true;
}

bool lower_wmma(struct lower *L, const struct ptx_insn *i)
{
    const struct ptx_opnd *stride = i->nops > 2 ? &i->ops[2] : NULL;
    if (ptx_has(i, M_MMA))
        return product(L, i);
    if (ptx_has(i, M_STORE))
        return lower_wmma_acc(L, i, &i->ops[1], &i->ops[0], stride, true);
    if (!ptx_has(i, M_LOAD))
        return lower_fail(L, "this form of wmma is not supported");
    if (ptx_has(i, M_C))
        return lower_wmma_acc(L, i, &i->ops[0], &i->ops[1], stride, false);
    return lower_wmma_load(L, i, ptx_has(i, M_B));
}
