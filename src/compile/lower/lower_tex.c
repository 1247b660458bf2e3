/* SPDX-License-Identifier: Apache-2.0 */
/* Textures and surfaces. */
#include "compile/lower/lower.h"

static opnd handle(struct lower *L, const struct ptx_opnd *o)
{
    return to_reg(L, src(L, o, T_U64)); /* a register, or a .texref whose bound handle lies in bank 4 */
}

/* Coordinates next to each other. Layered geometry names the layer first, as an integer. */
static bool coordinates(struct lower *L, const struct ptx_opnd *o, enum ir_type t, unsigned want, opnd *out)
{
    const struct ptx_opnd *e = o->kind == PO_VEC ? o->sub : o;
    unsigned n = o->kind == PO_VEC ? o->n : 1;
    if (n < want)
        return lower_fail(L, "this geometry takes %u coordinates, not %u", want, n);
    opnd w[4];
    for (unsigned k = 0; k < want; k++)
        w[k] = src(L, &e[k], t);
    *out = want == 1 ? to_reg(L, w[0]) : tuple(L, w, want);
    return true;
}

static unsigned words_of(enum ir_texgeom g)
{
    static const uint8_t n[] = {[TEX_1D] = 1,  [TEX_2D] = 2,   [TEX_3D] = 3,   [TEX_A1D] = 2,
                                [TEX_A2D] = 3, [TEX_CUBE] = 3, [TEX_ACUBE] = 4};
    return n[g];
}

static void put_vector(struct lower *L, const struct ptx_opnd *o, enum ir_type t, opnd v)
{
    const struct ptx_opnd *e = o->kind == PO_VEC ? o->sub : o;
    unsigned n = o->kind == PO_VEC ? o->n : 1;
    for (unsigned k = 0; k < n && k < 4; k++)
        if (e[k].kind != PO_NONE)
            mov(L, dst(L, &e[k], t), word(v, k));
}

bool lower_tex(struct lower *L, const struct ptx_insn *i)
{
    const struct ptx_opnd *p = &i->ops[1];
    if (p->kind != PO_TEX || p->n < 2 || i->ntypes < 2)
        return lower_fail(L, "this form of '%s' is not supported", ptx_op_names[i->op]);
    if (ptx_has(i, M_GRAD))
        return lower_fail(L, "tex.grad is not supported");
    enum ir_type dt = i->type[0], ct = i->type[1];
    if (type_bits(dt) != 32 || type_bits(ct) != 32)
        return lower_fail(L, "texture results and coordinates have 32 bits");
    struct ir_insn n = {.op = OP_TEX, .type = (uint8_t)dt, .stype = (uint8_t)ct, .sub = i->geom, .vec = 4};
    n.src[0] = handle(L, &p->sub[0]);
    if (!coordinates(L, &p->sub[p->n - 1], ct, words_of(i->geom), &n.src[1]))
        return false;
    if (i->op == P_tld4) {
        n.flags = IRF_FETCH4;
        n.vec = ptx_has(i, M_R) ? 0 : ptx_has(i, M_G) ? 1 : ptx_has(i, M_B) ? 2 : 3;
    } else if (ptx_has(i, M_LEVEL) && i->nops > 2) {
        n.src[2] = to_reg(L, src(L, &i->ops[2], ct));
    }
    opnd d = tmp(L, 4);
    n.dst[0] = d;
    emit_insn(L, n);
    put_vector(L, i->ops[0].kind == PO_PAIR ? &i->ops[0].sub[0] : &i->ops[0], dt, d);
    return true;
}

static unsigned clamp_of(const struct ptx_insn *i)
{
    return ptx_has(i, M_CLAMP) ? CLAMP_CLAMP : ptx_has(i, M_ZERO) ? CLAMP_ZERO : CLAMP_TRAP;
}

static bool surface(struct lower *L, const struct ptx_insn *i, const struct ptx_opnd *p, struct ir_insn *n)
{
    if (!ptx_has(i, M_B))
        return lower_fail(L, "only unformatted surface accesses (%s.b) are supported", ptx_op_names[i->op]);
    if (p->kind != PO_TEX || p->n < 2)
        return lower_fail(L, "a surface and coordinates are expected");
    n->type = i->type[0];
    n->vec = i->vec > 1 ? i->vec : 1;
    n->sub = i->geom;
    n->bop = (uint8_t)clamp_of(i);
    n->src[0] = handle(L, &p->sub[0]);
    return coordinates(L, &p->sub[p->n - 1], T_S32, words_of(i->geom), &n->src[1]);
}

bool lower_suld(struct lower *L, const struct ptx_insn *i)
{
    struct ir_insn n = {.op = OP_SULD};
    if (!surface(L, i, &i->ops[1], &n))
        return false;
    unsigned words = type_units(i->type[0]) * n.vec;
    if (words > 4)
        return lower_fail(L, "surface accesses have at most 16 bytes");
    opnd d = tmp(L, words);
    n.dst[0] = d;
    emit_insn(L, n);
    const struct ptx_opnd *e = i->ops[0].kind == PO_VEC ? i->ops[0].sub : &i->ops[0];
    unsigned per = type_units(i->type[0]);
    for (unsigned k = 0; k < n.vec; k++)
        if (e[k].kind != PO_NONE)
            mov(L, dst(L, &e[k], i->type[0]), ir_reg(d.val, k * per, per));
    return true;
}

bool lower_sust(struct lower *L, const struct ptx_insn *i)
{
    struct ir_insn n = {.op = OP_SUST};
    if (!surface(L, i, &i->ops[0], &n))
        return false;
    const struct ptx_opnd *v = &i->ops[1], *e = v->kind == PO_VEC ? v->sub : v;
    unsigned per = type_units(i->type[0]);
    if (per * n.vec > 4 || (v->kind == PO_VEC ? v->n : 1u) != n.vec)
        return lower_fail(L, "surface accesses have at most 16 bytes, one register per element");
    opnd w[4];
    for (unsigned k = 0; k < n.vec; k++)
        for (unsigned x = 0; x < per; x++)
            w[k * per + x] = per == 1 ? src(L, &e[k], i->type[0]) : src_word(L, &e[k], i->type[0], x);
    n.src[2] = tuple(L, w, per * n.vec);
    emit_insn(L, n);
    return true;
}

bool lower_txq(struct lower *L, const struct ptx_insn *i)
{
    unsigned what = ptx_has(i, M_WIDTH)    ? TXQ_WIDTH
                    : ptx_has(i, M_HEIGHT) ? TXQ_HEIGHT
                    : ptx_has(i, M_DEPTH)  ? TXQ_DEPTH
                                           : 4;
    if (what == 4 || i->ops[1].kind != PO_ADDR)
        return lower_fail(L, "this query is not supported: width, height and depth are");
    emit(L, OP_TXQ, T_U32, dst(L, &i->ops[0], T_U32), handle(L, &i->ops[1].sub[0]), NONE_OPND, NONE_OPND)
        ->sub = (uint8_t)what;
    return true;
}
