/* SPDX-License-Identifier: Apache-2.0 */
/* Atomics: lane after lane, in lane order. One that leaves memory as it was counts as a poll (a lock that is taken), one
 * that changes it as progress. */
#include "exec/memory/lanes.h"

/* Integer operations on T; U is its unsigned form. */
#define INT_OPS(name, T, U)                                                                                  \
    static uint64_t add_##name(uint64_t o, uint64_t a, uint64_t b) { return (void)b, (U)(o + a); }           \
    static uint64_t min_##name(uint64_t o, uint64_t a, uint64_t b)                                           \
    {                                                                                                        \
        return (void)b, (U)((T)o < (T)a ? o : a);                                                            \
    }                                                                                                        \
    static uint64_t max_##name(uint64_t o, uint64_t a, uint64_t b)                                           \
    {                                                                                                        \
        return (void)b, (U)((T)o > (T)a ? o : a);                                                            \
    }
INT_OPS(u32, uint32_t, uint32_t)
INT_OPS(s32, int32_t, uint32_t)
INT_OPS(u64, uint64_t, uint64_t)
INT_OPS(s64, int64_t, uint64_t)

static uint64_t inc(uint64_t o, uint64_t a, uint64_t b)
{
    return (void)b, (uint32_t)o >= (uint32_t)a ? 0 : (uint32_t)(o + 1);
}
static uint64_t dec(uint64_t o, uint64_t a, uint64_t b)
{
    (void)b;
    return (uint32_t)o == 0 || (uint32_t)o > (uint32_t)a ? (uint32_t)a : (uint32_t)(o - 1);
}
static uint64_t and_(uint64_t o, uint64_t a, uint64_t b) { return (void)b, o & a; }
static uint64_t or_(uint64_t o, uint64_t a, uint64_t b) { return (void)b, o | a; }
static uint64_t xor_(uint64_t o, uint64_t a, uint64_t b) { return (void)b, o ^ a; }
static uint64_t exch(uint64_t o, uint64_t a, uint64_t b) { return (void)o, (void)b, a; }
static uint64_t cas(uint64_t o, uint64_t a, uint64_t b) { return o == a ? b : o; }

static atom_fn int_op(enum ir_aop op, enum ir_type t)
{
    switch (t) {
    case T_S32: return op == AOP_ADD ? add_s32 : op == AOP_MIN ? min_s32 : max_s32;
    case T_U64:
    case T_B64: return op == AOP_ADD ? add_u64 : op == AOP_MIN ? min_u64 : max_u64;
    case T_S64: return op == AOP_ADD ? add_s64 : op == AOP_MIN ? min_s64 : max_s64;
    default: return op == AOP_ADD ? add_u32 : op == AOP_MIN ? min_u32 : max_u32;
    }
}

atom_fn atom_op(enum ir_aop op, enum ir_type t, bool shared)
{
    unsigned bits = type_bits(t);
    bool arith = op == AOP_ADD || op == AOP_MIN || op == AOP_MAX;
    if (type_is_float(t) && arith)
        return atom_float_op(op, t, shared);
    switch (op) {
    case AOP_ADD:
    case AOP_MIN:
    case AOP_MAX: return bits == 32 || bits == 64 ? int_op(op, t) : NULL;
    case AOP_INC: return bits == 32 && !type_is_float(t) ? inc : NULL;
    case AOP_DEC: return bits == 32 && !type_is_float(t) ? dec : NULL;
    case AOP_AND: return bits >= 32 && bits <= 64 ? and_ : NULL;
    case AOP_OR: return bits >= 32 && bits <= 64 ? or_ : NULL;
    case AOP_XOR: return bits >= 32 && bits <= 64 ? xor_ : NULL;
    case AOP_EXCH: return bits >= 16 && bits <= 64 ? exch : NULL;
    case AOP_CAS: return bits >= 16 && bits <= 64 ? cas : NULL;
    default: return NULL;
    }
}

static bool is_shared(const struct dop *d, uint64_t addr)
{
    return d->x.insn->space == SPACE_SHARED ||
           (d->x.insn->space == SPACE_NONE && addr >> 32 == WINDOW_SHARED >> 32);
}

/* Where the lane's value lives, or NULL after an error. */
static unsigned char *target(struct run *r, struct warp *w, struct dop *d, uint32_t lane, bool *shared)
{
    const uint32_t *row = x_row(&w->x, &d->x, 0);
    bool wide = d->x.insn->space != SPACE_SHARED;
    uint64_t a =
        wide ? row_u64(row, lane) + (uint64_t)(int64_t)d->off : (uint32_t)(row[lane] + (uint32_t)d->off);
    uint32_t n = d->access_b;
    enum ir_space space = is_shared(d, a) ? SPACE_SHARED : SPACE_GLOBAL;
    *shared = space == SPACE_SHARED;
    if (*shared)
        a = (uint32_t)a;
    if (r->obs) {
        /* Generic lanes in different spaces: SPACE_NONE and the addresses as they are. */
        r->addr[lane] = *shared ? shared_name(r, w, (uint32_t)a) : a;
        r->space = r->naddr && r->space != space ? SPACE_NONE : space;
        r->naddr = 1;
    }
    unsigned char *p = NULL;
    if ((a & (n - 1)) == 0) {
        if (space == SPACE_SHARED)
            p = wide ? shared_host(r, w, (uint32_t)a, n, NULL) : shared_own(r, w, (uint32_t)a, n);
        else if (mem_hit_has(&r->dev->mem, &d->hit, a, n) || mem_hit_fill(&r->dev->mem, &d->hit, a, n))
            p = d->hit.host + (a - d->hit.base);
    }
    if (!p)
        fail_access(r, w, lane, space, "atomic", n, a);
    return p;
}

static uint64_t operand(const struct dop *d, const uint32_t *row, uint32_t lane, unsigned e)
{
    return d->elem_b == 8 ? row_u64(row + e * 2 * LANES, lane) : row[e * LANES + lane];
}

/* Lanes in different spaces: their addresses as they are. Before the result is written, which may replace them. */
static void note_mixed(struct run *r, const struct warp *w, const struct dop *d)
{
    if (r->naddr && r->space == SPACE_NONE)
        note64(r, x_row(&w->x, &d->x, 0), d->off, SPACE_NONE);
}

static void finish(struct run *r, struct warp *w, uint32_t mask, bool changed, uint64_t hash)
{
    if (changed)
        run_progress(r, w);
    else
        warp_poll(r, w, mask, hash);
}

static bool core_atom(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    const struct ir_insn *i = d->x.insn;
    const atom_fn fn[2] = {atom_op(i->aop, i->type, false), atom_op(i->aop, i->type, true)};
    const uint32_t *ra = x_row(&w->x, &d->x, 1), *rb = x_row(&w->x, &d->x, 2);
    uint32_t *dst = x_dst(&w->x, &d->x, 0), n = d->elem_b;
    uint64_t seen = 0, out[LANES][4];
    bool changed = false, shared, result = d->op == OP_ATOM, tells = i->flags & IRF_X;
    bool asks = i->src[5].kind == OPND_PRED;
    uint32_t done = 0, took = mask;
    lanes_each (mask, l) {
        unsigned char *p = target(r, w, d, l, &shared);
        if (!p)
            return false;
        /* Code that asks (NVIDIA's, of generic addresses) does it by compare-and-swap where the CTA's own memory cannot. */
        if (asks && shared && p >= w->cta->shared && p < w->cta->shared + r->shared_b) {
            took &= ~(1u << l);
            continue;
        }
        for (unsigned e = 0; e < d->nelem; e++) {
            uint64_t old = 0;
            memcpy(&old, p + e * n, n);
            uint64_t v = fn[shared](old, operand(d, ra, l, e), operand(d, rb, l, e));
            memcpy(p + e * n, &v, n);
            changed = changed || memcmp(&old, &v, n) != 0;
            done |= (uint32_t)(old == operand(d, ra, l, e)) << l;
            out[l][e] = tells ? done >> l & 1 : old;
            seen = (seen ^ old) * 0x9e3779b97f4a7c15ull;
        }
    }
    note_mixed(r, w, d);
    if (tells && i->dst[0].kind == OPND_PRED)
        x_pset(&w->x, d->x.pdst[0], done, mask);
    else if (result) {
        lanes_each (took, k) {
            for (unsigned e = 0; e < d->nelem; e++) {
                dst[e * (n == 8 ? 2 : 1) * LANES + k] = (uint32_t)out[k][e];
                if (n == 8)
                    dst[(2 * e + 1) * LANES + k] = (uint32_t)(out[k][e] >> 32);
            }
        }
    }
    if (asks)
        x_pset(&w->x, d->x.psrc[5].p, took, mask);
    finish(r, w, mask, changed, seen);
    return true;
}

/* b128: exch and cas only. */
static bool core_atom128(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    const uint32_t *ra = x_row(&w->x, &d->x, 1), *rb = x_row(&w->x, &d->x, 2);
    uint32_t *dst = x_dst(&w->x, &d->x, 0), out[LANES][4];
    uint64_t seen = 0;
    bool changed = false, shared;
    lanes_each (mask, l) {
        unsigned char *p = target(r, w, d, l, &shared);
        if (!p)
            return false;
        uint32_t a[4], b[4];
        for (unsigned k = 0; k < 4; k++)
            a[k] = ra[k * LANES + l], b[k] = rb[k * LANES + l];
        memcpy(out[l], p, 16);
        if (d->x.insn->aop == AOP_EXCH)
            memcpy(p, a, 16);
        else if (memcmp(out[l], a, 16) == 0)
            memcpy(p, b, 16);
        changed = changed || memcmp(out[l], p, 16) != 0;
        for (unsigned k = 0; k < 4; k++)
            seen = (seen ^ out[l][k]) * 0x9e3779b97f4a7c15ull;
    }
    note_mixed(r, w, d);
    lanes_each (mask, m) {
        for (unsigned k = 0; d->op == OP_ATOM && k < 4; k++)
            dst[k * LANES + m] = out[m][k];
    }
    if (d->x.insn->src[5].kind == OPND_PRED)
        x_pset(&w->x, d->x.psrc[5].p, mask, mask);
    finish(r, w, mask, changed, seen);
    return true;
}

core_fn atom_handler(const struct ir_insn *i)
{
    if (i->space != SPACE_NONE && i->space != SPACE_GLOBAL && i->space != SPACE_SHARED)
        return NULL;
    if (i->type == T_B128)
        return i->aop == AOP_EXCH || i->aop == AOP_CAS ? core_atom128 : NULL;
    return i->type < T_COUNT && atom_op(i->aop, i->type, false) ? core_atom : NULL;
}
