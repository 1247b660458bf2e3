/* wmma: loads and stores of fragments as ordinary memory instructions, and the product tile by tile.
 *
 * A fragment of A is, per block of 8 rows, kregs registers; lane l = 4g + t holds of register j the elements
 * A[8 rb + g][4 E j + E t ...], E = elements per register. B the same by columns. An accumulator is, per 8x8 tile,
 * the two elements [8 rb + g][8 cb + 2t], [..][.. + 1]. Fragments that PTX makes larger (f16) repeat the registers. */
#include "compile/lower.h"
#include "compile/lower_mma.h"

/* Where lane (g, t) of the warp finds its first element, and how it walks. */
struct walk {
    struct maddr base; /* of this lane */
    opnd ld;           /* leading dimension in bytes, a word */
    bool ld_known;
    int32_t ld_b;
};

/* g and t are the same for every fragment of a function: computed once, at its beginning. */
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
}

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

static bool start(struct lower *L, const struct ptx_opnd *addr, const struct ptx_opnd *stride, unsigned bits,
                  uint32_t dense, opnd g_step, opnd t_step, bool g_by_ld, struct walk *w)
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
    return true;
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

static bool shape_ok(struct lower *L, const struct ptx_insn *i, enum ir_type ab)
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

static bool load_ab(struct lower *L, const struct ptx_insn *i, bool is_b)
{
    enum ir_type t = i->type[0];
    if (i->ntypes != 1 || i->nlayouts != 1 || !shape_ok(L, i, t))
        return L->failed ? false : lower_fail(L, "this form of wmma.load is not supported");
    unsigned per = mma_per_reg(t), bits = type_bits(t), size_b = type_bytes(t), kregs = i->k / (4 * per);
    unsigned blocks = (is_b ? i->n : i->m) / 8, units = t == T_F64 ? 2 : 1;
    /* k runs inside a line when A is stored by rows or B by columns */
    bool k_inside = is_b ? i->layout[0] == 1 : i->layout[0] == 0;
    if (bits < 8 && !k_inside)
        return lower_fail(L, "elements of less than a byte are stored along k");
    struct walk w = {0};
    uint32_t dense = k_inside ? i->k : is_b ? i->n : i->m;
    if (!start(L, &i->ops[1], i->nops > 2 ? &i->ops[2] : NULL, bits, dense, imm(size_b),
               imm(k_inside ? per * bits / 8 : per), k_inside, &w))
        return false;
    opnd reg[8];
    for (unsigned b = 0; b < blocks; b++)
        for (unsigned j = 0; j < kregs; j++) {
            if (k_inside) {
                struct maddr a = at_line(L, &w, 8 * b, (int32_t)(4 * per * j * bits / 8));
                reg[b * kregs + j] = load(L, &a, t == T_F64 ? T_U64 : T_U32, 1);
            } else if (t == T_F64) {
                struct maddr a = at_line(L, &w, 4 * per * j, (int32_t)(8 * b * size_b));
                reg[b * kregs + j] = load(L, &a, T_U64, 1);
            } else {
                reg[b * kregs + j] = load_strided(L, &w, 4 * per * j, (int32_t)(8 * b * size_b), per, size_b);
            }
        }
    const struct ptx_opnd *o = &i->ops[0], *e = o->kind == PO_VEC ? o->sub : o;
    unsigned have = blocks * kregs, n = o->kind == PO_VEC ? o->n : 1;
    if (n < have || n % have)
        return lower_fail(L, "this wmma fragment has %u registers, not %u", have, n);
    for (unsigned k = 0; k < n; k++)
        put(L, &e[k], units == 2 ? T_F64 : T_U32, reg[k % have]);
    return true;
}

/* Accumulators: pairs of columns. Either direction; `v` in or out. */
static bool move_acc(struct lower *L, const struct ptx_insn *i, const struct ptx_opnd *frag,
                     const struct ptx_opnd *addr, const struct ptx_opnd *stride, bool is_store)
{
    enum ir_type t = i->type[0];
    if (i->ntypes != 1 || i->nlayouts != 1 || (t != T_F32 && t != T_F16 && t != T_S32 && t != T_F64) ||
        i->m % 8 || i->n % 8)
        return lower_fail(L, "this form of wmma is not supported");
    unsigned size_b = type_bytes(t), tiles_n = i->n / 8, tiles = i->m / 8 * tiles_n;
    bool rows = i->layout[0] == 0;
    unsigned per_tile = t == T_F16 ? 1 : 2, units = type_units(t);
    const struct ptx_opnd *e = frag->kind == PO_VEC ? frag->sub : frag;
    if (frag->kind != PO_VEC || frag->n != tiles * per_tile || tiles > 4)
        return lower_fail(L, "this wmma fragment has %u registers", tiles * per_tile);
    struct walk w = {0};
    if (!start(L, addr, stride, 8 * size_b, rows ? i->n : i->m, imm(size_b), imm(rows ? 2 * size_b : 2), rows,
               &w))
        return false;
    enum ir_type et = t == T_F64 ? T_U64 : t == T_F16 ? T_U16 : T_U32;
    for (unsigned tile = 0; tile < tiles; tile++) {
        unsigned rb = tile / tiles_n, cb = tile % tiles_n;
        unsigned line = rows ? 8 * rb : 8 * cb;
        int32_t bytes = (int32_t)((rows ? 8 * cb : 8 * rb) * size_b);
        const struct ptx_opnd *f = &e[tile * per_tile];
        if (rows) {
            struct maddr a = at_line(L, &w, line, bytes);
            bool half = t == T_F16;
            if (is_store) {
                opnd v = half ? to_reg(L, src(L, &f[0], T_U32)) : NONE_OPND;
                if (!half) {
                    opnd x[4];
                    for (unsigned k = 0; k < 2 * units; k++)
                        x[k] = word(src(L, &f[k / units], t), k % units);
                    v = tuple(L, x, 2 * units);
                }
                store(L, &a, half ? T_U32 : et, half ? 1 : 2, v);
            } else {
                opnd v = load(L, &a, half ? T_U32 : et, half ? 1 : 2);
                for (unsigned k = 0; k < per_tile; k++)
                    put(L, &f[k], half ? T_U32 : t, ir_reg(v.val, k * units, half ? 1 : units));
            }
            continue;
        }
        opnd packed = NONE_OPND;
        for (unsigned col = 0; col < 2; col++) {
            struct maddr a = at_line(L, &w, line + col, bytes);
            if (is_store) {
                opnd v = to_reg(L, src(L, t == T_F16 ? &f[0] : &f[col], t == T_F16 ? T_U32 : t));
                if (t == T_F16 && col) {
                    opnd hi = tmp(L, 1);
                    emit(L, OP_SHR, T_U32, hi, v, imm(16), NONE_OPND);
                    v = hi;
                }
                store(L, &a, et, 1, v);
                continue;
            }
            opnd v = load(L, &a, et, 1);
            if (t != T_F16) {
                put(L, &f[col], t, v);
            } else if (!col) {
                packed = v;
            } else {
                opnd both = tmp(L, 1);
                emit(L, OP_PRMT, T_U32, both, packed, v, imm(0x5410));
                put(L, &f[0], T_U32, both);
            }
        }
    }
    return true;
}

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
    if (!product_types(L, i, &m, &c_half, &d_half) || !shape_ok(L, i, m.ab))
        return false;
    m.kregs = i->k / (4 * mma_per_reg(m.ab));
    unsigned rbs = i->m / 8, cbs = i->n / 8, tiles = rbs * cbs, nd = tiles * (d_half ? 1 : m.accregs);
    enum ir_type t = m.acc == T_F64 ? T_F64 : T_U32;
    opnd a[8], b[8], c[8], d[8];
    if (!frag_in(L, &i->ops[1], rbs * m.kregs, t, a) || !frag_in(L, &i->ops[2], cbs * m.kregs, t, b) ||
        !frag_in(L, &i->ops[3], tiles * (c_half ? 1 : m.accregs), t, c))
        return false;
    if (c_half)
        widen(L, c, tiles);
    for (unsigned rb = 0; rb < rbs; rb++)
        for (unsigned cb = 0; cb < cbs; cb++) {
            unsigned at = (rb * cbs + cb) * m.accregs;
            mma_step(L, &m, a + rb * m.kregs, b + cb * m.kregs, c + at, d + at);
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
    if (ptx_has(i, M_MMA))
        return product(L, i);
    if (ptx_has(i, M_STORE))
        return move_acc(L, i, &i->ops[1], &i->ops[0], i->nops > 2 ? &i->ops[2] : NULL, true);
    if (!ptx_has(i, M_LOAD))
        return lower_fail(L, "this form of wmma is not supported");
    if (ptx_has(i, M_C))
        return move_acc(L, i, &i->ops[0], &i->ops[1], i->nops > 2 ? &i->ops[2] : NULL, false);
    return load_ab(L, i, ptx_has(i, M_B));
}
