/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and stores of wmma fragments. Shared memory is read by rows of 16 bytes (LDSM) where a register's elements lie next to
 * each other or have 16 bits, everything else by ordinary accesses of each lane, as NVIDIA's assembler does it.
 *
 * A fragment of A is, per tile of 16 rows (8 in the shapes that have no more), the registers of an instruction's A (ops.def,
 * HMMA); B the same per 8 columns, an accumulator per tile of 16 rows and 8 columns. Fragments that PTX makes larger (f16)
 * repeat the registers. */
#include "compile/lower/lower_mma.h"

/* Where lane (g, t) of the warp finds its first element, and how it walks. */
struct walk {
    struct maddr base; /* of this lane */
    opnd ld;           /* leading dimension in bytes, a word */
    bool ld_known;
    int32_t ld_b;
};

/* base + a * b (both words, b may be an immediate) */
static struct maddr advance(struct lower *L, struct maddr at, opnd a, opnd b)
{
    bool wide = at.space == SPACE_NONE || at.space == SPACE_GLOBAL;
    opnd d = tmp(L, wide ? 2 : 1);
    if (wide)
        emit(L, OP_IMAD_WIDE, T_U32, d, a, b, at.base);
    else
        emit(L, OP_IMAD, T_U32, d, a, b, at.base.kind == OPND_NONE ? ZERO : at.base);
    at.base = d;
    return at;
}

/* The fragment's address, and its leading dimension: the stride, or `dense` elements. */
static bool place(struct lower *L, const struct ptx_opnd *addr, const struct ptx_opnd *stride, unsigned bits,
                  uint32_t dense, struct walk *w)
{
    if (!mem_addr(L, addr, L->in->space, &w->base))
        return false;
    if (w->base.space != SPACE_NONE && w->base.space != SPACE_GLOBAL && w->base.space != SPACE_SHARED)
        return lower_fail(L, "wmma works on global and shared memory");
    uint64_t ld = dense;
    if (!stride || src_known(L, stride, &ld)) {
        if (ld > 1u << 20)
            return lower_fail(L, "a wmma stride of %llu is too large", (unsigned long long)ld);
        w->ld_known = true;
        w->ld_b = (int32_t)(ld * bits / 8);
        w->ld = imm((uint32_t)w->ld_b);
    } else {
        w->ld = tmp(L, 1);
        opnd elems = src(L, stride, T_U32);
        if (bits >= 8)
            emit(L, OP_IMAD, T_U32, w->ld, elems, imm(bits / 8), ZERO);
        else
            emit(L, OP_SHR, T_U32, w->ld, elems, imm(bits == 4 ? 1 : 3), NONE_OPND);
    }
    return true;
}

/* Lane (g, t) at its first element. */
static void start(struct lower *L, opnd g_step, opnd t_step, bool g_by_ld, struct walk *w)
{
    /* one index moves by whole lines (ld), the other inside a line */
    opnd gs = g_step, ts = t_step;
    if (g_by_ld) {
        gs = w->ld;
    } else if (w->ld_known) {
        ts = imm((uint32_t)w->ld_b * t_step.val);
    } else if (t_step.val > 1) {
        ts = tmp(L, 1);
        emit(L, OP_IMAD, T_U32, ts, to_reg(L, w->ld), t_step, ZERO);
    } else {
        ts = w->ld;
    }
    w->base = advance(L, w->base, L->lane_group, gs);
    w->base = advance(L, w->base, L->lane_in_group, ts);
}

/* The address `lines` whole lines and `bytes` further on. */
static struct maddr at_line(struct lower *L, const struct walk *w, unsigned lines, int32_t bytes)
{
    struct maddr a = w->base;
    if (w->ld_known)
        a.off += (int32_t)lines * w->ld_b;
    else if (lines)
        a = advance(L, a, w->ld, imm(lines));
    a.off += bytes;
    return a;
}

static opnd load(struct lower *L, const struct maddr *a, enum ir_type t, unsigned vec)
{
    enum ir_op op = a->space == SPACE_GLOBAL ? OP_LDG : a->space == SPACE_SHARED ? OP_LDS : OP_LD;
    opnd d = tmp(L, type_units(t) * vec);
    emit_insn(L, (struct ir_insn){.op = (uint8_t)op,
                                  .type = (uint8_t)t,
                                  .vec = (uint8_t)vec,
                                  .dst = {d},
                                  .src = {a->base},
                                  .off = a->off});
    return d;
}

static void store(struct lower *L, const struct maddr *a, enum ir_type t, unsigned vec, opnd v)
{
    enum ir_op op = a->space == SPACE_GLOBAL ? OP_STG : a->space == SPACE_SHARED ? OP_STS : OP_ST;
    emit_insn(
        L,
        (struct ir_insn){
            .op = (uint8_t)op, .type = (uint8_t)t, .vec = (uint8_t)vec, .src = {a->base, v}, .off = a->off});
}

/* One register of A or B whose elements do not lie next to each other: gathered one by one. */
static opnd load_strided(struct lower *L, const struct walk *w, unsigned line0, int32_t bytes, unsigned per,
                         unsigned size_b)
{
    /* PRMT selectors that put the second source's low byte or half at place 1, 2, 3 of the first */
    static const uint16_t put_byte[] = {0, 0x3240, 0x3410, 0x4210}, put_half[] = {0, 0x5410};
    opnd acc = NONE_OPND;
    for (unsigned e = 0; e < per; e++) {
        struct maddr a = at_line(L, w, line0 + e, bytes);
        opnd v = load(L, &a, size_b == 2 ? T_U16 : size_b == 1 ? T_U8 : T_U32, 1), next = tmp(L, 1);
        if (e == 0) {
            acc = v;
            continue;
        }
        emit(L, OP_PRMT, T_U32, next, acc, v, imm(size_b == 2 ? put_half[e] : put_byte[e]));
        acc = next;
    }
    return acc;
}

/* A fragment of A or B: of `blocks` times 8 rows (or columns), `tile` of them in an instruction. */
struct side {
    enum ir_type t;
    unsigned blocks, tile, kregs;
    bool k_inside; /* k runs along a line of memory */
    bool is_b;     /* in the instruction */
};

static unsigned place_of(const struct side *s, unsigned block, unsigned j)
{
    return block / s->tile * s->tile * s->kregs + j * s->tile + block % s->tile;
}

/* Each lane its own elements. */
static void load_lanes(struct lower *L, const struct side *s, struct walk *w, opnd *reg)
{
    unsigned per = mma_per_reg(s->t), bits = type_bits(s->t), size_b = type_bytes(s->t);
    start(L, imm(size_b), imm(s->k_inside ? per * bits / 8 : per), s->k_inside, w);
    for (unsigned b = 0; b < s->blocks; b++)
        for (unsigned j = 0; j < s->kregs; j++) {
            opnd *r = &reg[place_of(s, b, j)];
            if (s->k_inside) {
                struct maddr a = at_line(L, w, 8 * b, (int32_t)(4 * per * j * bits / 8));
                *r = load(L, &a, s->t == T_F64 ? T_U64 : T_U32, 1);
            } else if (s->t == T_F64) {
                struct maddr a = at_line(L, w, 4 * per * j, (int32_t)(8 * b * size_b));
                *r = load(L, &a, T_U64, 1);
            } else {
                *r = load_strided(L, w, 4 * per * j, (int32_t)(8 * b * size_b), per, size_b);
            }
        }
}

static bool has_rows(const struct side *s, const struct walk *w)
{
    return w->base.space == SPACE_SHARED && s->t != T_F64 && (s->k_inside || type_bits(s->t) == 16);
}

/* Matrices of 8 rows of 16 bytes: a register each, two or four registers at a time. B's registers of 8 columns lie one behind
 * the other along k, A's of 16 rows go down first. */
static void load_rows(struct lower *L, const struct side *s, struct walk *w, opnd *reg)
{
    unsigned n = s->blocks * s->kregs, at_once = s->kregs == 1 ? 2 : 4;
    bool by_rows = s->kregs > 1 && s->is_b == s->k_inside;
    w->base = advance(L, w->base, L->matrix_line[by_rows], w->ld);
    if (s->kregs > 1)
        w->base = advance(L, w->base, L->matrix_half[by_rows], imm(16));
    for (unsigned k = 0; k < n; k += at_once) {
        unsigned m = n - k < at_once ? n - k : at_once, lines = 8 * (k / s->kregs);
        struct maddr a =
            s->k_inside ? at_line(L, w, lines, 0) : at_line(L, w, 0, (int32_t)(lines * type_bytes(s->t)));
        opnd d = tmp(L, m);
        emit_insn(L, (struct ir_insn){.op = OP_LDSM,
                                      .type = T_U16,
                                      .vec = (uint8_t)m,
                                      .dst = {d},
                                      .src = {a.base},
                                      .off = a.off,
                                      .flags = s->k_inside ? 0 : IRF_TRANS});
        for (unsigned i = 0; i < m; i++)
            reg[k + i] = word(d, i);
    }
}

bool lower_wmma_load(struct lower *L, const struct ptx_insn *i, bool is_b)
{
    enum ir_type t = i->type[0];
    if (i->ntypes != 1 || i->nlayouts != 1 || !wmma_shape_ok(L, i, t))
        return L->failed ? false : lower_fail(L, "this form of wmma.load is not supported");
    /* k runs inside a line when A is stored by rows or B by columns */
    bool swap = wmma_swapped(i);
    struct side s = {.t = t,
                     .blocks = (is_b ? i->n : i->m) / 8,
                     .kregs = i->k / (4 * mma_per_reg(t)),
                     .k_inside = is_b ? i->layout[0] == 1 : i->layout[0] == 0,
                     .is_b = is_b != swap};
    s.tile = s.is_b || s.blocks == 1 ? 1 : 2;
    if (type_bits(t) < 8 && !s.k_inside)
        return lower_fail(L, "elements of less than a byte are stored along k");
    struct walk w = {0};
    uint32_t dense = s.k_inside ? i->k : is_b ? i->n : i->m;
    if (!place(L, &i->ops[1], i->nops > 2 ? &i->ops[2] : NULL, type_bits(t), dense, &w))
        return false;
    opnd reg[8];
    (has_rows(&s, &w) ? load_rows : load_lanes)(L, &s, &w, reg);
    const struct ptx_opnd *o = &i->ops[0], *e = o->kind == PO_VEC ? o->sub : o;
    unsigned have = s.blocks * s.kregs, n = o->kind == PO_VEC ? o->n : 1;
    if (n < have || n % have)
        return lower_fail(L, "this wmma fragment has %u registers, not %u", have, n);
    for (unsigned k = 0; k < n; k++)
        put(L, &e[k], t == T_F64 ? T_F64 : T_U32, reg[k % have]);
    return true;
}

/* Accumulators: of each tile of 8 rows and 8 columns the pair of columns 2t and 2t + 1 of row g. Which memory line and byte of
 * it tile (rb, cb) begins at, and whether a pair lies in one line. */
struct acc_walk {
    struct walk w;
    enum ir_type t;
    bool pairs, is_store;
};

static opnd pair_of(struct lower *L, const struct ptx_opnd *f, enum ir_type t)
{
    unsigned units = type_units(t);
    opnd x[4];
    for (unsigned k = 0; k < 2 * units; k++)
        x[k] = word(src(L, &f[k / units], t), k % units);
    return tuple(L, x, 2 * units);
}

/* Both elements with one access. */
static void move_pair(struct lower *L, const struct acc_walk *c, unsigned line, int32_t bytes,
                      const struct ptx_opnd *f)
{
    struct maddr a = at_line(L, &c->w, line, bytes);
    bool half = c->t == T_F16;
    enum ir_type et = c->t == T_F64 ? T_U64 : T_U32;
    unsigned units = type_units(c->t);
    if (c->is_store) {
        opnd v = half ? to_reg(L, src(L, &f[0], T_U32)) : pair_of(L, f, c->t);
        store(L, &a, et, half ? 1 : 2, v);
        return;
    }
    opnd v = load(L, &a, et, half ? 1 : 2);
    if (half)
        put(L, &f[0], T_U32, v);
    for (unsigned k = 0; k < 2 && !half; k++)
        put(L, &f[k], c->t, ir_reg(v.val, k * units, units));
}

/* The two lie on lines of their own. */
static void move_apart(struct lower *L, const struct acc_walk *c, unsigned line, int32_t bytes,
                       const struct ptx_opnd *f)
{
    bool half = c->t == T_F16;
    enum ir_type et = c->t == T_F64 ? T_U64 : half ? T_U16 : T_U32;
    opnd packed = NONE_OPND;
    for (unsigned col = 0; col < 2; col++) {
        struct maddr a = at_line(L, &c->w, line + col, bytes);
        if (c->is_store) {
            opnd v = to_reg(L, src(L, half ? &f[0] : &f[col], half ? T_U32 : c->t));
            if (half && col) {
                opnd hi = tmp(L, 1);
                emit(L, OP_SHR, T_U32, hi, v, imm(16), NONE_OPND);
                v = hi;
            }
            store(L, &a, et, 1, v);
            continue;
        }
        opnd v = load(L, &a, et, 1);
        if (!half) {
            put(L, &f[col], c->t, v);
        } else if (!col) {
            packed = v;
        } else {
            opnd both = tmp(L, 1);
            emit(L, OP_PRMT, T_U32, both, packed, v, imm(0x5410));
            put(L, &f[0], T_U32, both);
        }
    }
}

bool lower_wmma_acc(struct lower *L, const struct ptx_insn *i, const struct ptx_opnd *frag,
                    const struct ptx_opnd *addr, const struct ptx_opnd *stride, bool is_store)
{
    enum ir_type t = i->type[0];
    if (i->ntypes != 1 || i->nlayouts != 1 || (t != T_F32 && t != T_F16 && t != T_S32 && t != T_F64) ||
        i->m % 8 || i->n % 8)
        return lower_fail(L, "this form of wmma is not supported");
    bool rows = i->layout[0] == 0, swap = wmma_swapped(i);
    unsigned rbs = (swap ? i->n : i->m) / 8, cbs = (swap ? i->m : i->n) / 8, per_tile = t == T_F16 ? 1 : 2;
    if (frag->kind != PO_VEC || frag->n != rbs * cbs * per_tile || rbs * cbs > 4)
        return lower_fail(L, "this wmma fragment has %u registers", rbs * cbs * per_tile);
    struct acc_walk c = {.t = t, .pairs = rows != swap, .is_store = is_store};
    unsigned size_b = type_bytes(t), tall = rbs > 1 ? 2 : 1;
    if (!place(L, addr, stride, 8 * size_b, rows ? i->n : i->m, &c.w))
        return false;
    start(L, imm(size_b), imm(c.pairs ? 2 * size_b : 2), c.pairs, &c.w);
    for (unsigned rb = 0; rb < rbs; rb++)
        for (unsigned cb = 0; cb < cbs; cb++) {
            unsigned at = (rb / tall * cbs + cb) * tall + rb % tall;
            (c.pairs ? move_pair : move_apart)(L, &c, 8 * (c.pairs ? rb : cb),
                                               (int32_t)(8 * (c.pairs ? cb : rb) * size_b),
                                               &frag->sub[at * per_tile]);
        }
    return true;
}
