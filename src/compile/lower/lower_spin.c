/* SPDX-License-Identifier: Apache-2.0 */
/* Atomics that shared memory has no instruction for: 64-bit arithmetic and logic, and sums of floating-point numbers. As in
 * code of NVIDIA's assembler a lane reads the word, computes, and tries to exchange until nobody was faster; lanes of a warp
 * that meet in one word go round one after the other. */
#include "compile/lower/lower.h"

bool spins_in_shared(enum ir_aop op, enum ir_type t)
{
    if (op == AOP_CAS || op == AOP_EXCH || type_bits(t) < 32)
        return false;
    return type_bits(t) == 64 || type_is_float(t);
}

static opnd halves(struct lower *L, opnd a, opnd b, uint8_t lut)
{
    opnd d = tmp(L, 2);
    for (unsigned w = 0; w < 2; w++)
        logic(L, word(d, w), word(a, w), word(b, w), lut);
    return d;
}

static opnd apply(struct lower *L, enum ir_aop op, enum ir_type t, opnd old, opnd v)
{
    struct w64 a = {word(old, 0), word(old, old.n - 1)}, b = {word(v, 0), word(v, v.n - 1)};
    opnd d = tmp(L, old.n), p;
    struct ir_insn *n;
    switch (op) {
    case AOP_AND: return halves(L, old, v, LUT_AND);
    case AOP_OR: return halves(L, old, v, LUT_OR);
    case AOP_XOR: return halves(L, old, v, LUT_XOR);
    case AOP_ADD:
        if (!type_is_float(t)) {
            add64(L, d, a, b, false);
            return d;
        }
        n = emit(L, t == T_F32 ? OP_FADD : t == T_F64 ? OP_DADD : OP_HADD2, t, d, old, v, NONE_OPND);
        n->rnd = RND_RN;
        return d;
    default:
        if (type_is_float(t)) {
            emit(L, OP_HMNMX2, t, d, old, v, NONE_OPND)->sub = op == AOP_MAX;
            return d;
        }
        p = isetp64(L, tmp_pred(L), op == AOP_MAX ? CMP_GT : CMP_LT, type_is_signed(t), a, b);
        sel(L, word(d, 0), p, a.lo, b.lo);
        sel(L, word(d, 1), p, a.hi, b.hi);
        return d;
    }
}

/* Leaves the old value in the result's place. */
void atom_spin(struct lower *L, enum ir_aop op, enum ir_type t, const struct maddr *a, opnd v, opnd result)
{
    opnd guard = L->guard, differs = tmp_pred(L);
    enum ir_type bits = type_bits(t) == 64 ? T_U64 : T_U32;
    uint32_t again = label_new(L), done = label_new(L);
    L->guard = NONE_OPND;
    if (guard.kind)
        branch(L, done, not_pred(guard));
    label_place(L, again);
    opnd old = tmp(L, type_bits(t) / 32), got = tmp(L, old.n);
    struct ir_insn n = {.op = OP_LDS,
                        .type = (uint8_t)bits,
                        .vec = 1,
                        .dst = {old},
                        .src = {a->base},
                        .off = a->off,
                        .flags = a->flags};
    emit_insn(L, n);
    n.op = OP_ATOM;
    n.aop = AOP_CAS;
    n.space = SPACE_SHARED;
    n.order = ORD_RELAXED;
    n.flags = 0;
    n.dst[0] = got;
    n.src[1] = old;
    n.src[2] = apply(L, op, t, old, v);
    emit_insn(L, n);
    if (old.n == 2)
        isetp64(L, differs, CMP_NE, false, (struct w64){word(got, 0), word(got, 1)},
                (struct w64){word(old, 0), word(old, 1)});
    else
        isetp(L, differs, CMP_NE, T_U32, got, old);
    branch(L, again, differs);
    if (result.kind)
        mov(L, result, old);
    label_place(L, done);
    L->guard = guard;
}
