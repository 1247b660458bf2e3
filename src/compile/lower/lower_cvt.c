/* SPDX-License-Identifier: Apache-2.0 */
/* Moves, packing, and conversions between types. */
#include "compile/lower/lower.h"

static unsigned reg_bits(const struct lower *L, const struct ptx_opnd *o)
{
    return o->kind == PO_REG ? type_bits(L->f->regs.at[o->reg].type) : 32;
}

/* ---- mov ---- */

/* Packs n parts of `bits` each (8 or 16) into words. */
static opnd pack_narrow(struct lower *L, const struct ptx_opnd *v, unsigned bits, unsigned words)
{
    opnd r = tmp(L, words);
    unsigned per = 32 / bits;
    for (unsigned w = 0; w < words; w++) {
        opnd acc = NONE_OPND;
        for (unsigned k = 0; k < per && w * per + k < v->n; k++) {
            enum ir_type t = bits == 16 ? T_U16 : T_U8;
            opnd part = src(L, &v->sub[w * per + k], T_U16);
            if (k == 0) {
                acc = per == 2 ? part : extend(L, part, t);
                continue;
            }
            opnd next = tmp(L, 1);
            if (bits == 16) {
                emit(L, OP_PRMT, T_U32, next, to_reg(L, acc), to_reg(L, part), imm(0x5410));
            } else {
                opnd sh = tmp(L, 1);
                emit(L, OP_SHL, T_U32, sh, to_reg(L, extend(L, part, t)), imm(8 * k), NONE_OPND);
                logic(L, next, to_reg(L, acc), sh, LUT_OR);
            }
            acc = next;
        }
        mov(L, word(r, w), acc);
    }
    return r;
}

static bool mov_pack(struct lower *L, const struct ptx_insn *i, enum ir_type t)
{
    const struct ptx_opnd *v = &i->ops[1];
    unsigned bits = type_bits(t) / v->n, words = type_units(t);
    if (bits * v->n != type_bits(t) || (bits != 8 && bits != 16 && bits != 32 && bits != 64))
        return lower_fail(L, "%u elements do not make a .%s", v->n, ir_types[t].name);
    if (bits < 32) {
        put(L, &i->ops[0], t, pack_narrow(L, v, bits, words));
        return true;
    }
    opnd r = tmp(L, words);
    for (unsigned k = 0; k < v->n; k++)
        for (unsigned w = 0; w < bits / 32; w++)
            mov(L, word(r, k * (bits / 32) + w), src_word(L, &v->sub[k], bits == 64 ? T_U64 : T_U32, w));
    put(L, &i->ops[0], t, r);
    return true;
}

static bool mov_unpack(struct lower *L, const struct ptx_insn *i, enum ir_type t)
{
    const struct ptx_opnd *v = &i->ops[0];
    unsigned bits = type_bits(t) / v->n;
    if (bits * v->n != type_bits(t) || (bits != 8 && bits != 16 && bits != 32 && bits != 64))
        return lower_fail(L, "a .%s does not divide into %u elements", ir_types[t].name, v->n);
    opnd s = mov_tmp(L, src(L, &i->ops[1], t)); /* parts may overwrite the source */
    for (unsigned k = 0; k < v->n; k++) {
        const struct ptx_opnd *e = &v->sub[k];
        if (e->kind == PO_NONE)
            continue;
        if (bits >= 32) {
            opnd d = dst(L, e, bits == 64 ? T_U64 : T_U32);
            mov(L, d, ir_reg(s.val, s.sub + k * (bits / 32), bits / 32));
            continue;
        }
        unsigned at = k * bits;
        opnd w = word(s, at / 32), d = dst(L, e, T_U16);
        if (at % 32 == 0) {
            mov(L, d, w);
        } else {
            emit(L, OP_SHR, T_U32, d, w, imm(at % 32), NONE_OPND);
            if (at % 32 + bits == 32)
                set_ext(L, e, bits == 8 ? EXT_ZERO8 : EXT_ZERO16);
        }
    }
    return true;
}

bool lower_mov(struct lower *L, const struct ptx_insn *i)
{
    enum ir_type t = i->type[0];
    if (t == T_PRED) {
        opnd pt = ir_pred(PRED_PT, false);
        emit(L, OP_PLOP3, T_PRED, dst_pred(L, &i->ops[0]), src_pred(L, &i->ops[1]), pt, pt)->lut = 0xf0;
        return true;
    }
    if (i->ops[0].kind == PO_VEC)
        return mov_unpack(L, i, t);
    if (i->ops[1].kind == PO_VEC)
        return mov_pack(L, i, t);
    opnd d = dst(L, &i->ops[0], t);
    if (i->ops[1].kind == PO_IMM && type_bits(t) == 64) {
        mov(L, word(d, 0), imm((uint32_t)i->ops[1].imm));
        mov(L, word(d, 1), imm((uint32_t)(i->ops[1].imm >> 32)));
        return true;
    }
    opnd s = src(L, &i->ops[1], t);
    mov(L, d, s);
    if (type_bits(t) == 16 && s.kind == OPND_IMM)
        set_ext(L, &i->ops[0], EXT_ZERO16);
    return true;
}

/* ---- cvt ---- */

static enum ext ext_of(enum ir_type t)
{
    bool sx = type_is_signed(t);
    return type_bits(t) == 8    ? (sx ? EXT_SIGN8 : EXT_ZERO8)
           : type_bits(t) == 16 ? (sx ? EXT_SIGN16 : EXT_ZERO16)
                                : EXT_UNKNOWN;
}

/* The source of a conversion from an integer type, which may sit in a wider register. */
static opnd int_src(struct lower *L, const struct ptx_opnd *o, enum ir_type t)
{
    return type_bits(t) == 64 ? src(L, o, t) : src32(L, o, t);
}

/* Writes a word that holds a value of type t, to a destination register that may be wider. */
static void put_word(struct lower *L, const struct ptx_opnd *o, enum ir_type t, opnd v)
{
    unsigned rb = reg_bits(L, o);
    if (rb == 64) {
        opnd d = dst(L, o, T_U64);
        if (v.kind == OPND_REG && v.val == d.val)
            v = mov_tmp(L, v);
        mov(L, word(d, 0), v);
        if (type_is_signed(t))
            emit(L, OP_SHR, T_S32, word(d, 1), to_reg(L, v), imm(31), NONE_OPND);
        else
            mov(L, word(d, 1), ZERO);
        return;
    }
    mov(L, dst(L, o, rb == 16 ? T_U16 : T_U32), v);
    if (rb == 16)
        set_ext(L, o, ext_of(t));
}

static bool int_to_int(struct lower *L, const struct ptx_insn *i, enum ir_type dt, enum ir_type st)
{
    const struct ptx_opnd *d = &i->ops[0], *s = &i->ops[1];
    unsigned db = type_bits(dt), sb = type_bits(st);
    if (ptx_has(i, M_SAT)) {
        opnd r = tmp(L, type_units(dt));
        struct ir_insn *n = emit(L, OP_I2I, dt, r, int_src(L, s, st), NONE_OPND, NONE_OPND);
        n->stype = (uint8_t)st;
        n->flags = IRF_SAT;
        if (db == 64)
            put(L, d, dt, r);
        else
            put_word(L, d, dt, r);
        return true;
    }
    if (db == 64) {
        opnd r = dst(L, d, T_U64);
        if (sb == 64) {
            mov(L, r, src(L, s, st));
            return true;
        }
        opnd lo = int_src(L, s, st);
        mov(L, word(r, 0), lo);
        if (type_is_signed(st))
            emit(L, OP_SHR, T_S32, word(r, 1), to_reg(L, lo), imm(31), NONE_OPND);
        else
            mov(L, word(r, 1), ZERO);
        return true;
    }
    /* dt has at most 32 bits: the low word of the source, extended from the narrower of both types */
    opnd v;
    if (sb < db) {
        v = int_src(L, s, st);
        /* a sign extended into an unsigned type stops at that type's width */
        bool stop = reg_bits(L, d) > db && type_is_signed(st) && !type_is_signed(dt) && db < 32;
        put_word(L, d, dt, stop ? extend(L, v, dt) : v);
        if (reg_bits(L, d) == 16)
            set_ext(L, d, ext_of(st));
        return true;
    }
    v = sb == 64 ? src_word(L, s, st, 0) : src(L, s, st);
    if (reg_bits(L, d) == db) { /* upper bits do not matter */
        mov(L, dst(L, d, db == 16 ? T_U16 : T_U32), v);
        return true;
    }
    put_word(L, d, dt, db < 32 ? extend(L, v, dt) : v);
    return true;
}

static struct ir_insn *convert(struct lower *L, const struct ptx_insn *i, enum ir_op op, enum ir_type dt,
                               enum ir_type st, opnd d, opnd s)
{
    struct ir_insn *n = emit(L, op, dt, d, s, NONE_OPND, NONE_OPND);
    n->stype = (uint8_t)st;
    n->rnd = i->rnd;
    n->flags = (ptx_has(i, M_FTZ) ? IRF_FTZ : 0) | (ptx_has(i, M_SAT) ? IRF_SAT : 0) |
               (ptx_has(i, M_RELU) ? IRF_RELU : 0) | (ptx_has(i, M_SATFINITE) ? IRF_FINITE : 0);
    return n;
}

static bool float_to_float(struct lower *L, const struct ptx_insn *i, enum ir_type dt, enum ir_type st)
{
    opnd d = dst(L, &i->ops[0], dt == T_TF32 ? T_B32 : dt), s = src(L, &i->ops[1], st);
    if (dt == st && i->rnd >= RND_RNI) {
        convert(L, i, OP_FRND, dt, st, d, s);
        return true;
    }
    struct ir_insn *n = convert(L, i, OP_F2F, dt, st, d, s);
    if (n->rnd == RND_NONE)
        n->rnd = RND_RN; /* widening is exact */
    return true;
}

/* A pair from two .f32, or from another kind of pair. */
static bool to_pair(struct lower *L, const struct ptx_insn *i, enum ir_type dt, enum ir_type st)
{
    bool two = st == T_F32, narrow = type_bits(dt) == 16;
    if (i->nops != (two ? 3 : 2))
        return lower_fail(L, "cvt to .%s takes %s", ir_types[dt].name, two ? "two .f32" : "one pair");
    if (narrow && !ptx_has(i, M_SATFINITE))
        return lower_fail(L, "cvt to .%s needs '.satfinite'", ir_types[dt].name);
    opnd a = to_reg(L, src(L, &i->ops[1], type_bits(st) == 16 ? T_U16 : st));
    opnd b = two ? to_reg(L, src(L, &i->ops[2], st)) : NONE_OPND;
    struct ir_insn *n = convert(L, i, OP_F2FP, dt, st, dst(L, &i->ops[0], narrow ? T_B16 : T_B32), a);
    n->src[1] = b;
    n->rnd = i->rnd ? i->rnd : RND_RN;
    if (narrow)
        set_ext(L, &i->ops[0], EXT_ZERO16);
    return true;
}

/* cvt.pack.sat: a and b clamped to 16 bits make a word, b low; clamped to 8 bits they make the low half, under the low
 * half of c. */
static bool pack_ints(struct lower *L, const struct ptx_insn *i)
{
    enum ir_type dt = i->type[0], st = i->type[1];
    bool bytes = type_bits(dt) == 8;
    if (type_bits(st) != 32 || !ptx_has(i, M_SAT) || i->nops != (bytes ? 4 : 3) ||
        (!bytes && type_bits(dt) != 16))
        return lower_fail(L, "this form of cvt.pack is not supported");
    opnd clamped[2], c = bytes ? to_reg(L, src(L, &i->ops[3], T_B32)) : NONE_OPND, low;
    for (unsigned k = 0; k < 2; k++) {
        clamped[k] = tmp(L, 1);
        struct ir_insn *n = emit(L, OP_I2I, dt, clamped[k], src(L, &i->ops[1 + k], st), NONE_OPND, NONE_OPND);
        n->stype = (uint8_t)st;
        n->flags = IRF_SAT;
    }
    opnd d = dst(L, &i->ops[0], T_B32);
    low = bytes ? tmp(L, 1) : d;
    emit(L, OP_PRMT, T_U32, low, clamped[1], clamped[0], imm(bytes ? 0x0040 : 0x5410));
    if (bytes)
        emit(L, OP_PRMT, T_U32, d, low, c, imm(0x5410));
    return true;
}

/* cvt.pack.sat to 4 bits: a and b clamped make the lowest byte, b low, under the low bytes of c. */
static bool pack_nibbles(struct lower *L, const struct ptx_insn *i)
{
    bool sx = i->type[0] == T_S4;
    opnd part[2], c = to_reg(L, src(L, &i->ops[3], T_B32)), up = tmp(L, 1), low = tmp(L, 1);
    for (unsigned k = 0; k < 2; k++) {
        opnd least = tmp(L, 1), most = tmp(L, 1);
        part[k] = tmp(L, 1);
        emit(L, OP_IMNMX, T_S32, least, to_reg(L, src(L, &i->ops[1 + k], T_S32)), imm(sx ? ~7u : 0),
             NONE_OPND)
            ->sub = 1;
        emit(L, OP_IMNMX, T_S32, most, least, imm(sx ? 7 : 15), NONE_OPND);
        logic(L, part[k], most, imm(15), LUT_AND);
    }
    emit(L, OP_SHL, T_U32, up, part[0], imm(4), NONE_OPND);
    logic(L, low, up, part[1], LUT_OR);
    emit(L, OP_PRMT, T_U32, dst(L, &i->ops[0], T_B32), low, c, imm(0x6540));
    return true;
}

bool lower_cvt(struct lower *L, const struct ptx_insn *i)
{
    if (ptx_has(i, M_PACK))
        return type_bits(i->type[0]) == 4 ? pack_nibbles(L, i) : pack_ints(L, i);
    if (i->ntypes != 2 || i->type[0] == T_B32 || i->type[1] == T_B32)
        return lower_fail(L, "cvt needs a destination and a source type");
    enum ir_type dt = i->type[0], st = i->type[1];
    if (dt == T_F16X2 || dt == T_BF16X2 || dt == T_E4M3X2 || dt == T_E5M2X2)
        return to_pair(L, i, dt, st);
    bool df = type_is_float(dt), sf = type_is_float(st);
    if (df && sf)
        return float_to_float(L, i, dt, st);
    if (!df && !sf)
        return int_to_int(L, i, dt, st);
    if (df) {
        opnd d = dst(L, &i->ops[0], dt),
             s = type_bits(st) == 64 ? src(L, &i->ops[1], st) : src32(L, &i->ops[1], st);
        enum ir_type from = type_bits(st) < 32 ? (type_is_signed(st) ? T_S32 : T_U32) : st;
        struct ir_insn *n = convert(L, i, OP_I2F, dt, from, d, s);
        if (n->rnd == RND_NONE)
            n->rnd = RND_RN;
        return true;
    }
    opnd r = tmp(L, type_units(dt));
    struct ir_insn *n = convert(L, i, OP_F2I, dt, st, r, src(L, &i->ops[1], st));
    if (n->rnd < RND_RNI)
        n->rnd = RND_RZI;
    if (type_bits(dt) == 64)
        put(L, &i->ops[0], dt, r);
    else
        put_word(L, &i->ops[0], dt, r);
    return true;
}
