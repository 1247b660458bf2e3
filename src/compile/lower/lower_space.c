/* SPDX-License-Identifier: Apache-2.0 */
/* Which memory a generic pointer refers to, where the code shows it: it was made by cvta from one space, and everything that
 * may reach the register is that pointer plus numbers. An access through it is then an access to that space, as it is in the
 * code of compilers that keep spaces apart (clang hands wmma and inline PTX generic pointers only).
 *
 * Optimistic data flow over PTX registers, without regard to order: a register starts as UNSEEN and can only go down,
 * number or pointer to MIXED. A pointer plus a number is assumed to stay in its object, as C and LLVM assume. */
#include "compile/lower/lower.h"

enum origin { UNSEEN, NUMBER, IN_GLOBAL, IN_SHARED, IN_LOCAL, MIXED };
enum { MAX_ROUNDS = 16 }; /* for code that jumps back and forth; past it nothing is assumed */

static enum origin meet(enum origin a, enum origin b)
{
    return a == b || b == UNSEEN ? a : a == UNSEEN ? b : MIXED;
}

static enum origin sum(enum origin a, enum origin b)
{
    if (a > NUMBER && b > NUMBER)
        return MIXED;
    if (a > NUMBER || b > NUMBER)
        return a > NUMBER ? a : b;
    return a == NUMBER && b == NUMBER ? NUMBER : UNSEEN;
}

static enum origin of(const uint8_t *at, const struct ptx_opnd *o)
{
    return o->kind == PO_REG ? (enum origin)at[o->reg] : NUMBER;
}

static enum origin result(const uint8_t *at, const struct ptx_insn *i)
{
    switch (i->op) {
    case P_cvta:
        if (ptx_has(i, M_TO))
            return NUMBER;
        if (ptx_has(i, M_SHARED_CLUSTER)) /* may be another CTA's */
            return MIXED;
        return i->space == SPACE_SHARED   ? IN_SHARED
               : i->space == SPACE_LOCAL  ? IN_LOCAL
               : i->space == SPACE_GLOBAL ? IN_GLOBAL
                                          : NUMBER;
    case P_mov: return of(at, &i->ops[1]);
    case P_add: return sum(of(at, &i->ops[1]), of(at, &i->ops[2]));
    case P_sub: return of(at, &i->ops[2]) <= NUMBER ? of(at, &i->ops[1]) : MIXED;
    case P_mad: return sum(of(at, &i->ops[3]), NUMBER);
    case P_or: /* an addition to bits that are clear */
        return i->ops[2].kind == PO_IMM ? of(at, &i->ops[1]) : NUMBER;
    case P_selp: return meet(of(at, &i->ops[1]), of(at, &i->ops[2]));
    case P_mapa: return MIXED;
    default: return NUMBER;
    }
}

static bool flow(uint8_t *at, const struct ptx_opnd *o, enum origin v)
{
    bool changed = false;
    if (o->kind == PO_REG) {
        enum origin now = meet((enum origin)at[o->reg], v);
        changed = now != at[o->reg];
        at[o->reg] = (uint8_t)now;
    }
    for (unsigned k = 0; k < o->n && (o->kind == PO_VEC || o->kind == PO_PAIR || o->kind == PO_LIST); k++)
        changed |= flow(at, &o->sub[k], v);
    return changed;
}

void lower_spaces(struct lower *L)
{
    static const uint8_t space[] = {[IN_GLOBAL] = SPACE_GLOBAL,
                                    [IN_SHARED] = SPACE_SHARED,
                                    [IN_LOCAL] = SPACE_LOCAL,
                                    [MIXED] = SPACE_NONE};
    const struct ptx_func *f = L->f;
    uint8_t *at = ARENA_ARRAY(&L->unit->arena, uint8_t, f->regs.n + 1);
    bool more = true;
    for (unsigned round = 0; more && round < MAX_ROUNDS; round++) {
        more = false;
        vec_each (&f->insns, i)
            if (i->nops && i->op != P_st)
                more |= flow(at, &i->ops[0], result(at, i));
    }
    for (uint32_t k = 0; !more && k < f->regs.n; k++)
        if (f->regs.at[k].type != T_PRED && type_bits(f->regs.at[k].type) == 64)
            L->regs[k].space = space[at[k]];
}
