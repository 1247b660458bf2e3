/* SPDX-License-Identifier: Apache-2.0 */
/* Tensor-core operations as Ampere and later have them (ops.def, HMMA): one instruction of up to 16 rows by 8 columns, its
 * operands tuples of registers. mma.sync fragments have the layout of PTX, which is the instruction's; wmma fragments,
 * whose layout PTX leaves open, use the same one, tile by tile. */
#include "compile/lower/lower_mma.h"
#include "compile/lower/lower.h"

static enum ir_op mma_op(enum ir_type acc, enum ir_type ab)
{
    if (acc == T_F64)
        return OP_DMMA;
    if (acc == T_S32)
        return ab == T_B1 ? OP_BMMA : OP_IMMA;
    return OP_HMMA;
}

/* Elements of one register of A or B. */
unsigned mma_per_reg(enum ir_type ab) { return ab == T_F64 ? 1 : 32 / type_bits(ab); }

/* Doubles: instructions of 8 rows and 4 values of k, a chain along k for each block of rows. */
static void mma_doubles(struct lower *L, const struct mma *m, struct ir_insn n, const opnd *a, const opnd *b,
                        const opnd *c, opnd *d)
{
    for (unsigned r = 0; r < m->rows; r++) {
        opnd acc = tuple(
            L, (opnd[]){word(c[2 * r], 0), word(c[2 * r], 1), word(c[2 * r + 1], 0), word(c[2 * r + 1], 1)},
            4);
        for (unsigned k = 0; k < m->kregs; k++) {
            n.src[0] = a[k * m->rows + r], n.src[1] = b[k], n.src[2] = acc, n.dst[0] = acc = tmp(L, 4);
            emit_insn(L, n);
        }
        d[2 * r] = ir_reg(acc.val, 0, 2);
        d[2 * r + 1] = ir_reg(acc.val, 2, 2);
    }
}

void mma_emit(struct lower *L, const struct mma *m, const opnd *a, const opnd *b, const opnd *c, opnd *d)
{
    struct ir_insn n = {.op = (uint8_t)mma_op(m->acc, m->ab),
                        .type = (uint8_t)m->acc,
                        .stype = (uint8_t)m->ab,
                        .flags = m->sat ? IRF_SAT : 0,
                        .bop = m->signs,
                        .sub = m->and_popc};
    unsigned nacc = m->rows * m->accregs;
    if (m->acc == T_F64) {
        mma_doubles(L, m, n, a, b, c, d);
        return;
    }
    n.src[0] = tuple(L, a, m->rows * m->kregs);
    n.src[1] = tuple(L, b, m->kregs);
    n.src[2] = tuple(L, c, nacc);
    n.dst[0] = tmp(L, nacc);
    emit_insn(L, n);
    for (unsigned k = 0; k < nacc; k++)
        d[k] = word(n.dst[0], k);
}

static bool take(struct lower *L, const struct ptx_opnd *o, unsigned want, enum ir_type t, opnd *out,
                 const char *what)
{
    const struct ptx_opnd *e = o->kind == PO_VEC ? o->sub : o;
    unsigned n = o->kind == PO_VEC ? o->n : 1;
    if (n != want)
        return lower_fail(L, "fragment %s has %u registers here, not %u", what, want, n);
    for (unsigned k = 0; k < n; k++)
        out[k] = to_reg(L, src(L, &e[k], t));
    return true;
}

static bool fp8(enum ir_type t) { return t == T_E4M3 || t == T_E5M2; }

/* Half of the elements of n registers of 8-bit floats, as f16: those in the lower or those in the upper half of each. */
static void unpack_fp8(struct lower *L, enum ir_type t, bool upper, const opnd *from, unsigned n, opnd *to)
{
    for (unsigned k = 0; k < n; k++) {
        to[k] = tmp(L, 1);
        struct ir_insn *u = emit(L, OP_F2FP, T_F16X2, to[k], from[k], NONE_OPND, NONE_OPND);
        u->stype = t == T_E4M3 ? T_E4M3X2 : T_E5M2X2;
        u->rnd = RND_RN;
        u->sub = upper;
    }
}

/* 8-bit floats: Hopper has no such mma, and its assembler makes two of f16 out of one. Which elements along k meet in which of
 * them does not matter as long as A and B are split alike. */
static void mma_fp8(struct lower *L, const struct ptx_insn *i, const struct mma *m, const opnd *a,
                    const opnd *b, const opnd *c, opnd *d)
{
    struct mma half = *m;
    opnd fa[4], fb[2], sum[4];
    half.ab = T_F16;
    for (unsigned upper = 0; upper < 2; upper++) {
        unpack_fp8(L, i->type[1], upper, a, m->rows * m->kregs, fa);
        unpack_fp8(L, i->type[2], upper, b, m->kregs, fb);
        mma_emit(L, &half, fa, fb, upper ? sum : c, upper ? d : sum);
    }
}

static bool mma_types(struct lower *L, const struct ptx_insn *i, struct mma *m)
{
    if (i->ntypes != 4)
        return lower_fail(L, "mma needs the four types of D, A, B and C");
    m->acc = i->type[0];
    m->ab = i->type[1];
    enum ir_type tb = i->type[2];
    bool narrow = fp8(m->ab);
    bool ints = m->ab == T_S8 || m->ab == T_U8 || m->ab == T_S4 || m->ab == T_U4;
    if (type_bits(tb) != type_bits(m->ab) || (!ints && !narrow && tb != m->ab) || narrow != fp8(tb) ||
        i->type[3] != i->type[0])
        return lower_fail(L, "this combination of mma types is not supported");
    bool ok = (m->acc == T_F32 && (m->ab == T_F16 || m->ab == T_BF16 || m->ab == T_TF32 || narrow)) ||
              (m->acc == T_F16 && (m->ab == T_F16 || narrow)) ||
              (m->acc == T_S32 && (ints || m->ab == T_B1)) || (m->acc == T_F64 && m->ab == T_F64);
    if (!ok)
        return lower_fail(L, "mma on .%s with .%s accumulators is not supported", ir_types[m->ab].name,
                          ir_types[m->acc].name);
    m->signs = (type_is_signed(m->ab) ? 1 : 0) | (type_is_signed(tb) ? 2 : 0);
    m->sat = ptx_has(i, M_SATFINITE);
    m->and_popc = m->ab == T_B1 && i->bop == BOP_AND;
    m->accregs = m->acc == T_F16 ? 1 : 2;
    return true;
}

bool lower_mma(struct lower *L, const struct ptx_insn *i)
{
    struct mma m = {0};
    if (!mma_types(L, i, &m))
        return false;
    unsigned per = mma_per_reg(m.ab);
    m.rows = i->m / 8;
    m.kregs = i->k / (4 * per);
    unsigned max_k = m.acc == T_F64 ? 4 : 2;
    if (i->n != 8 || (m.rows != 1 && m.rows != 2) || !m.kregs || m.kregs > max_k ||
        m.kregs * 4 * per != i->k ||
        (m.rows == 1 && (m.kregs != 1 || m.acc == T_F16 || m.ab == T_F16 || fp8(m.ab))))
        return lower_fail(L, "mma shape m%un%uk%u on .%s is not supported", i->m, i->n, i->k,
                          ir_types[m.ab].name);
    if (i->nlayouts == 2 && (i->layout[0] != 0 || i->layout[1] != 1))
        return lower_fail(L, "mma.sync takes A by rows and B by columns");
    enum ir_type frag = m.acc == T_F64 ? T_F64 : T_U32, acc = frag;
    opnd a[8], b[4], c[4], d[4];
    unsigned nacc = m.rows * m.accregs;
    if (!take(L, &i->ops[1], m.rows * m.kregs, frag, a, "A") || !take(L, &i->ops[2], m.kregs, frag, b, "B") ||
        !take(L, &i->ops[3], nacc, acc, c, "C"))
        return false;
    if (fp8(m.ab))
        mma_fp8(L, i, &m, a, b, c, d);
    else
        mma_emit(L, &m, a, b, c, d);
    const struct ptx_opnd *o = &i->ops[0];
    if ((o->kind == PO_VEC ? o->n : 1u) != nacc)
        return lower_fail(L, "fragment D has %u registers here", nacc);
    for (unsigned k = 0; k < nacc; k++)
        put(L, o->kind == PO_VEC ? &o->sub[k] : o, acc, d[k]);
    return true;
}

static bool matrix_addr(struct lower *L, const struct ptx_opnd *o, struct maddr *a)
{
    if (!mem_addr(L, o, L->in->space == SPACE_NONE ? SPACE_NONE : SPACE_SHARED, a))
        return false;
    if (a->base.kind == OPND_REG && a->base.n == 2)
        a->base = word(a->base, 0); /* the low word of a generic shared address is the shared address */
    return true;
}

static bool matrix_form(struct lower *L, const struct ptx_insn *i, unsigned *n)
{
    *n = i->count ? i->count : 1;
    if (i->type[0] != T_B16 || (i->m && i->m != 8))
        return lower_fail(L, "'%s' takes .m8n8 matrices of .b16", ptx_op_names[i->op]);
    return true;
}

bool lower_movmatrix(struct lower *L, const struct ptx_insn *i)
{
    unsigned n;
    if (!matrix_form(L, i, &n))
        return false;
    if (!ptx_has(i, M_TRANS))
        return lower_fail(L, "movmatrix needs '.trans'");
    emit(L, OP_MOVM, T_U16, dst(L, &i->ops[0], T_U32), to_reg(L, src(L, &i->ops[1], T_U32)), NONE_OPND,
         NONE_OPND);
    return true;
}

bool lower_ldmatrix(struct lower *L, const struct ptx_insn *i)
{
    unsigned n;
    struct maddr a;
    if (!matrix_form(L, i, &n) || !matrix_addr(L, &i->ops[1], &a))
        return false;
    const struct ptx_opnd *o = &i->ops[0], *e = o->kind == PO_VEC ? o->sub : o;
    if ((o->kind == PO_VEC ? o->n : 1u) != n)
        return lower_fail(L, "ldmatrix.x%u gives %u registers", n, n);
    opnd d = tmp(L, n);
    emit_insn(L, (struct ir_insn){.op = OP_LDSM,
                                  .type = T_U16,
                                  .vec = (uint8_t)n,
                                  .dst = {d},
                                  .src = {a.base},
                                  .off = a.off,
                                  .flags = ptx_has(i, M_TRANS) ? IRF_TRANS : 0});
    for (unsigned k = 0; k < n; k++)
        put(L, &e[k], T_U32, word(d, k));
    return true;
}

bool lower_stmatrix(struct lower *L, const struct ptx_insn *i)
{
    unsigned n;
    struct maddr a;
    opnd w[4];
    if (!matrix_form(L, i, &n) || !matrix_addr(L, &i->ops[0], &a) ||
        !take(L, &i->ops[1], n, T_U32, w, "data"))
        return false;
    emit_insn(L, (struct ir_insn){.op = OP_STSM,
                                  .type = T_U16,
                                  .vec = (uint8_t)n,
                                  .src = {a.base, tuple(L, w, n)},
                                  .off = a.off,
                                  .flags = ptx_has(i, M_TRANS) ? IRF_TRANS : 0});
    return true;
}
