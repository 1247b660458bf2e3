/* SPDX-License-Identifier: Apache-2.0 */
/* Integer arithmetic: 16 bits in words whose upper half nobody relies on, 32 bits, 64 bits as two words with carry. */
#include "compile/lower/lower.h"

#define T0(i) ((enum ir_type)(i)->type[0])

static opnd carry_flag(struct lower *L)
{
    if (!L->cc)
        L->cc = ir_vpred(L->fn);
    return ir_pred(L->cc, false);
}

/* d = a + b (or a - b) with carry in from and out to predicates; NONE: no carry. */
static void add_carry(struct lower *L, opnd d, opnd a, opnd b, bool sub, opnd cin, opnd cout)
{
    struct ir_insn i = {.op = OP_IADD3, .type = T_U32, .dst = {d, cout}, .src = {a, sub ? neg(b) : b, ZERO}};
    if (cin.kind) {
        i.flags = IRF_X;
        i.src[3] = cin;
    }
    /* an immediate is negated here, so that no zero or constant carries a sign: the carry rule is about words */
    if (sub && i.src[1].kind == OPND_IMM && (cin.kind || !cout.kind)) {
        i.src[1].neg = 0;
        i.src[1].val = cin.kind ? ~i.src[1].val : 0u - i.src[1].val;
    } else if (i.src[1].kind == OPND_IMM && sub) {
        i.src[1].neg = 0;
        i.src[1] = neg(mov_tmp(L, i.src[1]));
    }
    emit_insn(L, i);
}

void add64(struct lower *L, opnd d, struct w64 a, struct w64 b, bool sub)
{
    opnd c = tmp_pred(L);
    add_carry(L, word(d, 0), a.lo, b.lo, sub, NONE_OPND, c);
    add_carry(L, word(d, 1), a.hi, b.hi, sub, c, NONE_OPND);
}

/* d = a + b (or a - b), clamped: overflow iff the operands' signs allow it and the sum's sign differs from a's. */
static bool add_sat_s32(struct lower *L, opnd d, opnd a, opnd b, bool sub)
{
    a = to_reg(L, a);
    b = to_reg(L, b);
    opnd s = tmp(L, 1), v = tmp(L, 1), lim = tmp(L, 1), p = tmp_pred(L);
    add_carry(L, s, a, b, sub, NONE_OPND, NONE_OPND);
    /* v's sign: sum: (a ^ s) & (b ^ s); difference: (a ^ b) & (a ^ s), with a = f0, b = cc, s = aa */
    emit(L, OP_LOP3, T_U32, v, a, b, s)->lut =
        sub ? ((0xf0 ^ 0xcc) & (0xf0 ^ 0xaa)) : ((0xf0 ^ 0xaa) & (0xcc ^ 0xaa));
    isetp(L, p, CMP_LT, T_S32, v, ZERO);
    emit(L, OP_SHR, T_S32, lim, a, imm(31), NONE_OPND);
    lim = logic(L, tmp(L, 1), lim, imm(0x7fffffff), LUT_XOR);
    sel(L, d, p, lim, s);
    return true;
}

static bool add_float(struct lower *L, const struct ptx_insn *i, bool sub);

/* How far "shl.b64 a, x, k; shr.b64 b, x, 64 - k; add.u64 d, a, b" turns x, as clang writes a rotation; 0: it is something
 * else. */
static uint32_t rotation(const struct lower *L, const struct ptx_insn *i)
{
    uint32_t at = (uint32_t)(i - L->f->insns.at);
    if (!L->fn->hopper || at < 2 || L->label_at[at] || L->label_at[at - 1] || i->op != P_add ||
        ptx_has(i, M_CC) || i->guard || i[-1].guard || i[-2].guard)
        return 0;
    const struct ptx_insn *up = i - 2, *down = i - 1;
    const struct ptx_opnd *x = &up->ops[1], *a = &up->ops[0], *b = &down->ops[0];
    if (up->op != P_shl || down->op != P_shr || type_bits(T0(up)) != 64 || type_bits(T0(down)) != 64 ||
        type_is_signed(T0(down)) || x->kind != PO_REG || down->ops[1].kind != PO_REG ||
        down->ops[1].reg != x->reg || a->reg == x->reg || b->reg == x->reg || a->reg == b->reg ||
        i->ops[1].kind != PO_REG || i->ops[2].kind != PO_REG || i->ops[1].reg != a->reg ||
        i->ops[2].reg != b->reg)
        return 0;
    if (up->ops[2].kind != PO_IMM || down->ops[2].kind != PO_IMM || up->ops[2].imm >= 64 ||
        up->ops[2].imm + down->ops[2].imm != 64)
        return 0;
    return (uint32_t)up->ops[2].imm;
}

/* Two funnel shifts. */
static void rotate(struct lower *L, opnd d, struct w64 x, uint32_t k)
{
    opnd lo = to_reg(L, k < 32 ? x.lo : x.hi), hi = to_reg(L, k < 32 ? x.hi : x.lo);
    k %= 32;
    if (!k) {
        mov(L, word(d, 0), lo);
        mov(L, word(d, 1), hi);
        return;
    }
    emit(L, OP_SHF_L, T_U32, word(d, 0), hi, imm(k), lo)->sub = SHF_WRAP32;
    emit(L, OP_SHF_L, T_U32, word(d, 1), lo, imm(k), hi)->sub = SHF_WRAP32;
}

bool lower_add(struct lower *L, const struct ptx_insn *i)
{
    enum ir_type t = T0(i);
    bool sub = i->op == P_sub;
    if (type_is_float(t))
        return add_float(L, i, sub);
    if (t == T_U16X2 || t == T_S16X2) {
        opnd b = to_reg(L, src(L, &i->ops[2], t));
        emit(L, OP_VIADD2, t, dst(L, &i->ops[0], t), to_reg(L, src(L, &i->ops[1], t)), sub ? neg(b) : b,
             NONE_OPND);
        return true;
    }
    if (ptx_has(i, M_SAT) && t == T_S32)
        return add_sat_s32(L, dst(L, &i->ops[0], t), src(L, &i->ops[1], t), src(L, &i->ops[2], t), sub);
    opnd cout = ptx_has(i, M_CC) ? carry_flag(L) : NONE_OPND;
    if (type_bits(t) == 64) {
        opnd d = dst_safe(L, &i->ops[0], t);
        uint32_t turn = rotation(L, i);
        if (turn) {
            rotate(L, d, src64(L, &i[-2].ops[1]), turn);
            put(L, &i->ops[0], t, d);
            return true;
        }
        struct w64 a = src64(L, &i->ops[1]), b = src64(L, &i->ops[2]);
        opnd c = tmp_pred(L);
        add_carry(L, word(d, 0), a.lo, b.lo, sub, NONE_OPND, c);
        add_carry(L, word(d, 1), a.hi, b.hi, sub, c, cout);
        put(L, &i->ops[0], t, d);
        return true;
    }
    add_carry(L, dst(L, &i->ops[0], t), src(L, &i->ops[1], t), src(L, &i->ops[2], t), sub, NONE_OPND, cout);
    return true;
}

bool lower_addc(struct lower *L, const struct ptx_insn *i)
{
    enum ir_type t = T0(i);
    bool sub = i->op == P_subc;
    opnd cc = carry_flag(L);
    opnd cout = ptx_has(i, M_CC) ? cc : NONE_OPND;
    if (type_bits(t) == 64) {
        opnd d = dst_safe(L, &i->ops[0], t), c = tmp_pred(L);
        struct w64 a = src64(L, &i->ops[1]), b = src64(L, &i->ops[2]);
        add_carry(L, word(d, 0), a.lo, b.lo, sub, cc, c);
        add_carry(L, word(d, 1), a.hi, b.hi, sub, c, cout);
        put(L, &i->ops[0], t, d);
        return true;
    }
    add_carry(L, dst(L, &i->ops[0], t), src(L, &i->ops[1], t), src(L, &i->ops[2], t), sub, cc, cout);
    return true;
}

static bool add_float(struct lower *L, const struct ptx_insn *i, bool sub)
{
    enum ir_type t = T0(i);
    enum ir_op op = t == T_F32 ? OP_FADD : t == T_F64 ? OP_DADD : OP_HADD2;
    opnd b = src(L, &i->ops[2], t);
    struct ir_insn *n =
        emit(L, op, t, dst(L, &i->ops[0], t), src(L, &i->ops[1], t), sub ? neg(b) : b, NONE_OPND);
    n->rnd = i->rnd || t == T_F32 || t == T_F64 ? i->rnd : RND_RN; /* none: fuse.c */
    n->flags = (ptx_has(i, M_FTZ) ? IRF_FTZ : 0) | (ptx_has(i, M_SAT) ? IRF_SAT : 0);
    return true;
}

void mul64_lo(struct lower *L, opnd d, struct w64 a, struct w64 b)
{
    opnd t = tmp(L, 2), h = tmp(L, 1), h2 = tmp(L, 1);
    emit(L, OP_IMAD_WIDE, T_U32, t, a.lo, b.lo, ZERO);
    emit(L, OP_IMAD, T_U32, h, a.hi, b.lo, word(t, 1));
    emit(L, OP_IMAD, T_U32, h2, a.lo, b.hi, h);
    mov(L, word(d, 0), word(t, 0));
    mov(L, word(d, 1), h2);
}

/* a * b + c with a carry out, or a carry in. */
static void mul_carry(struct lower *L, opnd d, opnd a, opnd b, opnd c, opnd in, opnd out)
{
    struct ir_insn *n = emit(L, OP_IMADX, T_U32, d, a, b, c);
    n->sub = 1;
    n->dst[1] = out;
    n->src[3] = in;
    n->flags = in.kind == OPND_PRED ? IRF_X : 0;
}

/* Schoolbook on words: both cross products, whose sum may carry, what their low word and the high word of lo * lo carry, and
 * hi * hi. */
void mul64_hi(struct lower *L, opnd d, struct w64 a, struct w64 b, opnd low_half)
{
    opnd t = tmp(L, 2), x = tmp(L, 2), y = tmp(L, 2), z = tmp(L, 2), s = tmp(L, 2), low = tmp_pred(L),
         cross = tmp_pred(L);
    emit(L, OP_IMAD_WIDE, T_U32, x, a.lo, b.hi, ZERO);
    mul_carry(L, y, a.hi, b.lo, x, NONE_OPND, cross);
    emit(L, OP_IMAD_WIDE, T_U32, t, a.lo, b.lo, ZERO);
    add_carry(L, word(low_half, 1), word(t, 1), word(y, 0), false, NONE_OPND, low);
    mov(L, word(low_half, 0), word(t, 0));
    mov(L, word(s, 0), word(y, 1));
    add_carry(L, word(s, 1), ZERO, ZERO, false, cross, NONE_OPND);
    mul_carry(L, z, a.hi, b.hi, s, low, NONE_OPND);
    mov(L, d, z);
}

/* The high half of a signed product: unsigned, minus b where a < 0, minus a where b < 0. */
static void mul64_hi_signed(struct lower *L, opnd d, struct w64 a, struct w64 b)
{
    opnd u = tmp(L, 2), v = tmp(L, 2);
    mul64_hi(L, u, a, b, tmp(L, 2));
    for (int side = 0; side < 2; side++) {
        struct w64 s = side ? b : a, o = side ? a : b;
        opnd m = tmp(L, 1), from = side ? v : u, to = side ? d : v;
        emit(L, OP_SHR, T_S32, m, to_reg(L, s.hi), imm(31), NONE_OPND);
        struct w64 x = {logic(L, tmp(L, 1), to_reg(L, o.lo), m, LUT_AND),
                        logic(L, tmp(L, 1), to_reg(L, o.hi), m, LUT_AND)};
        add64(L, to, (struct w64){word(from, 0), word(from, 1)}, x, true);
    }
}

static bool mul_float(struct lower *L, const struct ptx_insn *i)
{
    enum ir_type t = T0(i);
    enum ir_op op = t == T_F32 ? OP_FMUL : t == T_F64 ? OP_DMUL : OP_HMUL2;
    struct ir_insn *n =
        emit(L, op, t, dst(L, &i->ops[0], t), src(L, &i->ops[1], t), src(L, &i->ops[2], t), NONE_OPND);
    n->rnd = i->rnd || t == T_F32 || t == T_F64 ? i->rnd : RND_RN; /* none: fuse.c */
    n->flags = (ptx_has(i, M_FTZ) ? IRF_FTZ : 0) | (ptx_has(i, M_SAT) ? IRF_SAT : 0);
    return true;
}

enum { NEAR_HALF = 64 }; /* PTX instructions between the two halves of a product, at most */

static bool same_source(const struct ptx_opnd *a, const struct ptx_opnd *b)
{
    return a->kind == b->kind &&
           (a->kind == PO_REG ? a->reg == b->reg : a->kind == PO_IMM && a->imm == b->imm);
}

static bool is_half(const struct ptx_insn *i, bool hi)
{
    return (i->op == P_mul || i->op == P_mad) && type_bits(T0(i)) == 64 && !type_is_float(T0(i)) &&
           !i->guard && ptx_has(i, M_HI) == hi && !(hi && type_is_signed(T0(i))) && !ptx_has(i, M_WIDE) &&
           !ptx_has(i, M_CC);
}

static bool names_reg(const struct ptx_opnd *o, uint32_t reg)
{
    for (unsigned k = 0; k < o->n; k++)
        if (names_reg(&o->sub[k], reg))
            return true;
    return o->kind == PO_REG && o->reg == reg;
}

/* May the instruction write a factor of i? */
static bool writes_factor(const struct ptx_insn *k, const struct ptx_insn *i)
{
    for (unsigned o = 1; o < 3; o++)
        if (k->nops && i->ops[o].kind == PO_REG && names_reg(&k->ops[0], i->ops[o].reg))
            return true;
    return false;
}

/* The instruction behind i, in its block, that asks for the other half of i's product: what gives one half needs few
 * instructions more for both. NULL: none. */
static const struct ptx_insn *other_half(const struct lower *L, const struct ptx_insn *i)
{
    bool hi = ptx_has(i, M_HI);
    const struct ptx_insn *end = L->f->insns.at + L->f->insns.n;
    if (!L->fn->hopper || L->guard.kind || !is_half(i, hi) || writes_factor(i, i))
        return NULL;
    for (const struct ptx_insn *k = i + 1; k < end && k <= i + NEAR_HALF && !L->label_at[k - L->f->insns.at];
         k++) {
        if (is_half(k, !hi) &&
            ((same_source(&k->ops[1], &i->ops[1]) && same_source(&k->ops[2], &i->ops[2])) ||
             (same_source(&k->ops[1], &i->ops[2]) && same_source(&k->ops[2], &i->ops[1]))))
            return k;
        if (writes_factor(k, i) || k->op == P_bra || k->op == P_brx || k->op == P_ret || k->op == P_exit ||
            k->op == P_call)
            return NULL;
    }
    return NULL;
}

/* A product of 64 bits, its low or high half. */
static opnd half_of_product(struct lower *L, const struct ptx_insn *i)
{
    unsigned room = 0, most = sizeof L->halves / sizeof *L->halves;
    for (unsigned k = 0; k < most; k++)
        if (L->halves[k].of == i) {
            L->halves[k].of = NULL;
            return L->halves[k].half;
        }
    while (room < most && L->halves[room].of)
        room++;
    opnd r = tmp(L, 2), low = tmp(L, 2);
    struct w64 x = src64(L, &i->ops[1]), y = src64(L, &i->ops[2]);
    bool hi = ptx_has(i, M_HI);
    const struct ptx_insn *other = room < most ? other_half(L, i) : NULL;
    if (other) {
        mul64_hi(L, r, x, y, low);
        L->halves[room].of = other;
        L->halves[room].half = hi ? low : r;
        return hi ? r : low;
    }
    if (!hi)
        mul64_lo(L, r, x, y);
    else if (type_is_signed(T0(i)))
        mul64_hi_signed(L, r, x, y);
    else
        mul64_hi(L, r, x, y, low);
    return r;
}

/* mul and mad in one: c is the addend, NONE for mul. */
static bool mul_add(struct lower *L, const struct ptx_insn *i, const struct ptx_opnd *c)
{
    enum ir_type t = T0(i);
    bool sx = type_is_signed(t);
    const struct ptx_opnd *d = &i->ops[0], *a = &i->ops[1], *b = &i->ops[2];
    if (ptx_has(i, M_WIDE)) {
        if (type_bits(t) == 16) {
            emit(L, OP_IMAD, T_U32, dst(L, d, T_U32), src32(L, a, t), src32(L, b, t),
                 c ? src(L, c, T_U32) : ZERO);
            return true;
        }
        if (type_bits(t) != 32)
            return lower_fail(L, "%s.wide takes 16- and 32-bit types", ptx_op_names[i->op]);
        opnd r = dst_safe(L, d, T_U64);
        emit(L, OP_IMAD_WIDE, t, r, src(L, a, t), src(L, b, t), c ? src(L, c, T_U64) : ZERO);
        put(L, d, T_U64, r);
        return true;
    }
    if (type_bits(t) == 64) {
        opnd r = half_of_product(L, i);
        if (c) {
            opnd s = tmp(L, 2);
            add64(L, s, (struct w64){word(r, 0), word(r, 1)}, src64(L, c), false);
            r = s;
        }
        put(L, d, T_U64, r);
        return true;
    }
    if (type_bits(t) == 16 && ptx_has(i, M_HI)) {
        opnd p = tmp(L, 1), h = tmp(L, 1);
        emit(L, OP_IMAD, T_U32, p, src32(L, a, t), src32(L, b, t), ZERO);
        emit(L, OP_SHR, sx ? T_S32 : T_U32, h, p, imm(16), NONE_OPND);
        emit(L, OP_IADD3, T_U32, dst(L, d, t), h, c ? src(L, c, t) : ZERO, ZERO);
        return true;
    }
    enum ir_op op = ptx_has(i, M_HI) ? OP_IMAD_HI : OP_IMAD;
    emit(L, op, sx ? T_S32 : T_U32, dst(L, d, t), src(L, a, t), src(L, b, t), c ? src(L, c, t) : ZERO);
    return true;
}

bool lower_mul(struct lower *L, const struct ptx_insn *i)
{
    return type_is_float(T0(i)) ? mul_float(L, i) : mul_add(L, i, NULL);
}

/* mad.hi.sat.s32: the saturated sum of a high half and c. */
static bool mad_hi_sat(struct lower *L, const struct ptx_insn *i)
{
    opnd h = tmp(L, 1);
    emit(L, OP_IMAD_HI, T_S32, h, src(L, &i->ops[1], T_S32), src(L, &i->ops[2], T_S32), ZERO);
    return add_sat_s32(L, dst(L, &i->ops[0], T_S32), h, src(L, &i->ops[3], T_S32), false);
}

/* mad.{lo,hi}.cc and madc: the product's half, then an addition with carry. */
static bool mad_carry(struct lower *L, const struct ptx_insn *i, opnd cin)
{
    enum ir_type t = T0(i);
    opnd cout = ptx_has(i, M_CC) ? carry_flag(L) : NONE_OPND;
    bool hi = ptx_has(i, M_HI), sx = type_is_signed(t);
    if (type_bits(t) == 64) {
        opnd p = tmp(L, 2), r = tmp(L, 2), c = tmp_pred(L);
        struct w64 a = src64(L, &i->ops[1]), b = src64(L, &i->ops[2]), add = src64(L, &i->ops[3]);
        if (!hi)
            mul64_lo(L, p, a, b);
        else if (sx)
            mul64_hi_signed(L, p, a, b);
        else
            mul64_hi(L, p, a, b, tmp(L, 2));
        add_carry(L, word(r, 0), word(p, 0), add.lo, false, cin, c);
        add_carry(L, word(r, 1), word(p, 1), add.hi, false, c, cout);
        put(L, &i->ops[0], t, r);
        return true;
    }
    opnd p = tmp(L, 1);
    emit(L, hi ? OP_IMAD_HI : OP_IMAD, sx ? T_S32 : T_U32, p, src(L, &i->ops[1], t), src(L, &i->ops[2], t),
         ZERO);
    add_carry(L, dst(L, &i->ops[0], t), p, src(L, &i->ops[3], t), false, cin, cout);
    return true;
}

bool lower_mad(struct lower *L, const struct ptx_insn *i)
{
    if (type_is_float(T0(i)))
        return lower_fma(L, i);
    if (ptx_has(i, M_CC))
        return mad_carry(L, i, NONE_OPND);
    if (ptx_has(i, M_SAT))
        return mad_hi_sat(L, i);
    return mul_add(L, i, &i->ops[3]);
}

bool lower_madc(struct lower *L, const struct ptx_insn *i) { return mad_carry(L, i, carry_flag(L)); }

bool lower_mul24(struct lower *L, const struct ptx_insn *i)
{
    enum ir_type t = T0(i);
    bool sx = type_is_signed(t), mad = i->op == P_mad24;
    opnd a = tmp(L, 1), b = tmp(L, 1), p = tmp(L, 2);
    emit(L, OP_SGXT, sx ? T_S32 : T_U32, a, src(L, &i->ops[1], t), imm(24), NONE_OPND);
    emit(L, OP_SGXT, sx ? T_S32 : T_U32, b, src(L, &i->ops[2], t), imm(24), NONE_OPND);
    opnd d = dst(L, &i->ops[0], t), c = mad ? src(L, &i->ops[3], t) : ZERO;
    if (!ptx_has(i, M_HI)) {
        emit(L, OP_IMAD, t, d, a, b, c);
        return true;
    }
    /* .hi: bits 47..16 of the 48-bit product */
    opnd h = mad ? tmp(L, 1) : d;
    emit(L, OP_IMAD_WIDE, sx ? T_S32 : T_U32, p, a, b, ZERO);
    emit(L, OP_SHF_R, T_U32, h, word(p, 0), imm(16), word(p, 1))->sub = SHF_CLAMP32;
    if (mad && ptx_has(i, M_SAT))
        return add_sat_s32(L, d, h, c, false);
    if (mad)
        add_carry(L, d, h, c, false, NONE_OPND, NONE_OPND);
    return true;
}

bool lower_sad(struct lower *L, const struct ptx_insn *i)
{
    enum ir_type t = T0(i);
    bool sx = type_is_signed(t);
    if (type_bits(t) == 64) {
        struct w64 a = src64(L, &i->ops[1]), b = src64(L, &i->ops[2]);
        opnd p = isetp64(L, tmp_pred(L), CMP_LT, sx, a, b), x = tmp(L, 2), y = tmp(L, 2), r = tmp(L, 2),
             s = tmp(L, 2);
        add64(L, x, a, b, true);
        add64(L, y, b, a, true);
        for (unsigned w = 0; w < 2; w++)
            sel(L, word(r, w), p, word(y, w), word(x, w));
        add64(L, s, (struct w64){word(r, 0), word(r, 1)}, src64(L, &i->ops[3]), false);
        put(L, &i->ops[0], t, s);
        return true;
    }
    opnd a = to_reg(L, src32(L, &i->ops[1], t)), b = to_reg(L, src32(L, &i->ops[2], t)), lo = tmp(L, 1),
         hi = tmp(L, 1);
    enum ir_type wt = sx ? T_S32 : T_U32;
    if (L->fn->hopper) { /* SASS: VABSDIFF */
        struct ir_insn *n =
            emit(L, OP_VABSDIFF4, T_U32, dst(L, &i->ops[0], t), a, b, to_reg(L, src(L, &i->ops[3], t)));
        n->stype = (uint8_t)wt;
        n->sub = 1;
        return true;
    }
    emit(L, OP_IMNMX, wt, lo, a, b, NONE_OPND);
    emit(L, OP_IMNMX, wt, hi, a, b, NONE_OPND)->sub = 1;
    emit(L, OP_IADD3, T_U32, dst(L, &i->ops[0], t), hi, neg(lo), src(L, &i->ops[3], t));
    return true;
}

bool lower_dp(struct lower *L, const struct ptx_insn *i)
{
    enum ir_type ta = T0(i), tb = i->ntypes > 1 ? i->type[1] : T0(i);
    struct ir_insn *n = emit(L, OP_IDP, ta, dst(L, &i->ops[0], T_U32), src(L, &i->ops[1], T_U32),
                             src(L, &i->ops[2], T_U32), src(L, &i->ops[3], T_U32));
    n->stype = tb;
    n->sub = i->op == P_dp4a ? 0 : ptx_has(i, M_HI) ? 2 : 1;
    return true;
}

bool lower_video4(struct lower *L, const struct ptx_insn *i)
{
    if (i->nops != 4)
        return lower_fail(L, "this form of '%s' is not supported", ptx_op_names[i->op]);
    bool acc = ptx_has(i, M_ADD);
    enum ir_type ts = i->ntypes > 1 ? i->type[1] : T_U32;
    if (ptx_has(i, M_SAT))
        return lower_fail(L, "'%s' with .sat is not supported", ptx_op_names[i->op]);
    struct ir_insn *n = emit(L, OP_VABSDIFF4, T_U32, dst(L, &i->ops[0], T_U32), src(L, &i->ops[1], T_U32),
                             src(L, &i->ops[2], T_U32), acc ? src(L, &i->ops[3], T_U32) : ZERO);
    n->stype = ts;
    n->flags = acc ? IRF_ACC : 0;
    return true;
}
