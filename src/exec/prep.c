/* SPDX-License-Identifier: Apache-2.0 */
/* What is done around a handler for code of NVIDIA's: sources that are prepared (halves, bytes, inverted), addresses that
 * are sums, results that are uniform, and the moves between a thread's registers and what is beside them. */
#include "exec/run.h"

static uint32_t prepared(enum ir_prep how, uint32_t v)
{
    switch (how) {
    case PREP_H0: return (v & 0xffff) | v << 16;
    case PREP_H1: return (v >> 16) | (v & 0xffff0000);
    case PREP_INV: return ~v;
    case PREP_B1: return v >> 8;
    case PREP_B2:
    case PREP_W1: return v >> 16;
    case PREP_B3: return v >> 24;
    case PREP_NEG: return v ^ 0x80000000;
    case PREP_ABS: return v & 0x7fffffff;
    case PREP_NEGABS: return v | 0x80000000;
    default: return v;
    }
}

static uint32_t *tmp_row(const struct xop *x, struct xwarp *w, unsigned k)
{
    return (uint32_t *)(void *)(w->base[XSEL_REG] + x->tmp + k * ROW_B);
}

/* The operation on prepared sources. */
static void with_prep(const struct xop *x, struct xwarp *w, uint32_t mask)
{
    struct xop t = *x;
    for (unsigned k = 0; k < 4; k++) {
        enum ir_prep how = x->insn->prep >> 4 * k & 15;
        if (how == PREP_NONE)
            continue;
        const uint32_t *from = x_row(w, x, k);
        uint32_t *to = tmp_row(x, w, k);
        for (unsigned l = 0; l < LANES; l++)
            to[l] = prepared(how, from[l]);
        t.src[k].sel = XSEL_REG;
        t.src[k].off = x->tmp + k * ROW_B;
    }
    x->inner(&t, w, mask);
}

/* A comparison whose result is a number. */
static void with_set(const struct xop *x, struct xwarp *w, uint32_t mask)
{
    struct xop t = *x;
    uint32_t *d = x_dst(w, x, 0), low = x->insn->sub ? 0xffff : x->insn->type == T_BF16X2 ? 0x3f80 : 0x3c00;
    bool two = x->insn->type != T_F32;
    t.pdst[0] = XPRED_U0 + PRED_BAR + 1 - PRED_U0;
    t.pdst[1] = XPRED_TRASH;
    if (x->insn->prep) {
        t.fn = x->inner;
        with_prep(&t, w, mask);
    } else {
        x->inner(&t, w, mask);
    }
    uint32_t p0 = w->pred[t.pdst[0]], p1 = w->pred[t.pdst[1]];
    lanes_each (mask, l) {
        uint32_t a = p0 >> l & 1, b = p1 >> l & 1;
        d[l] = two ? a * low | b * low << 16 : a * 0x3f800000;
    }
}

/* An address of 32 bits: register, scaled, and uniform register. */
static bool with_address32(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    const uint32_t *a = x_row(&w->x, &d->x, 0), *u = x_row(&w->x, &d->x, 4);
    uint32_t *t = tmp_row(&d->x, &w->x, 0);
    struct xsrc keep = d->x.src[0];
    unsigned scale = d->x.insn->lut;
    for (unsigned l = 0; l < LANES; l++)
        t[l] = (a[l] << scale) + u[l];
    d->x.src[0] = (struct xsrc){.sel = XSEL_REG, .off = d->x.tmp};
    bool ok = d->inner(r, w, d, mask);
    d->x.src[0] = keep;
    return ok;
}

static bool with_address64(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    const uint32_t *a = x_row(&w->x, &d->x, 0), *u = x_row(&w->x, &d->x, 4);
    uint32_t *t = tmp_row(&d->x, &w->x, 0);
    struct xsrc keep = d->x.src[0];
    for (unsigned l = 0; l < LANES; l++) {
        uint64_t v = row_u64(a, l) + row_u64(u, l);
        t[l] = (uint32_t)v;
        t[LANES + l] = (uint32_t)(v >> 32);
    }
    d->x.src[0] = (struct xsrc){.sel = XSEL_REG, .off = d->x.tmp};
    bool ok = d->inner(r, w, d, mask);
    d->x.src[0] = keep;
    return ok;
}

/* What the first executing lane got becomes everybody's. */
static bool with_uniform(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    if (!d->inner(r, w, d, mask))
        return false;
    uint32_t first = lane_first(mask), *dst = x_dst(&w->x, &d->x, 0);
    unsigned n = d->x.insn->dst[0].n ? d->x.insn->dst[0].n : 1;
    for (unsigned k = 0; k < n; k++, dst += LANES) {
        for (unsigned l = 0; l < LANES; l++)
            dst[l] = dst[first];
    }
    for (unsigned k = 0; k < 2; k++) {
        uint8_t p = d->x.pdst[k];
        if (p >= XPRED_U0)
            w->x.pred[p] = w->x.pred[p] >> first & 1 ? ~0u : 0;
    }
    return true;
}

static bool is_global(const struct ir_insn *i)
{
    return i->op == OP_LDG || i->op == OP_STG || i->op == OP_LD || i->op == OP_ST ||
           ((i->op == OP_ATOM || i->op == OP_RED) && i->space != SPACE_SHARED);
}

static bool is_uniform(const struct ir_opnd *o)
{
    return (o->kind == OPND_REG && o->val >= REG_U0 && o->val < REG_B0) ||
           (o->kind == OPND_PRED && o->val >= PRED_U0 && o->val < PRED_BAR);
}

bool prep_wrap(struct dop *d, const struct ir_insn *i, uint32_t tmp_off)
{
    bool uniform = is_uniform(&i->dst[0]) || is_uniform(&i->dst[1]);
    d->x.tmp = tmp_off;
    if (d->x.fn) {
        d->x.all = uniform ? ~0u : 0;
        if (i->op == OP_FSET || i->prep) {
            d->x.inner = d->x.fn;
            d->x.fn = i->op == OP_FSET ? with_set : with_prep;
        }
        return true;
    }
    if (!d->core)
        return true;
    bool sum = i->src[4].kind == OPND_REG && i->op != OP_BULK;
    bool scaled = i->lut && (i->op == OP_LDS || i->op == OP_STS || i->op == OP_ATOM || i->op == OP_RED);
    if ((sum || scaled) && uniform)
        return false;
    if (sum || scaled) {
        d->inner = d->core;
        d->core = is_global(i) ? with_address64 : with_address32;
    } else if (uniform && i->op != OP_R2UR && i->op != OP_VOTEU) {
        d->inner = d->core;
        d->core = with_uniform;
    }
    return true;
}

bool core_r2ur(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    const uint32_t *a = x_row(&w->x, &d->x, 0);
    uint32_t *dst = x_dst(&w->x, &d->x, 0), v = a[lane_first(mask)];
    /* Lanes with another value; sub 1: added to those there are */
    uint32_t other = d->x.insn->sub ? w->x.pred[d->x.pdst[1]] : 0;
    (void)r;
    lanes_each (mask, k)
        other |= (uint32_t)(a[k] != v) << k;
    for (unsigned l = 0; l < LANES; l++)
        dst[l] = v;
    x_pset(&w->x, d->x.pdst[1], other, mask);
    return true;
}

bool core_voteu(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    uint32_t p = x_psrc(&w->x, &d->x.psrc[0]) & mask, *dst = x_dst(&w->x, &d->x, 0);
    enum ir_vote how = d->x.insn->sub;
    bool yes = how == VOTE_ALL ? p == mask : how == VOTE_ANY ? p != 0 : p == mask || !p;
    (void)r;
    for (unsigned l = 0; l < LANES; l++)
        dst[l] = p;
    w->x.pred[d->x.pdst[1]] = yes ? ~0u : 0;
    return true;
}

bool core_bmov(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    const uint32_t *a = x_row(&w->x, &d->x, 0);
    uint32_t *dst = x_dst(&w->x, &d->x, 0);
    (void)r;
    lanes_each (mask, l)
        dst[l] = a[l];
    if (d->x.insn->sub) {
        uint32_t *from = (uint32_t *)(void *)(w->x.base[XSEL_REG] + d->x.src[0].off);
        lanes_each (mask, k)
            from[k] = 0;
    }
    return true;
}

bool core_lepc(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    uint64_t a = r->code->sass->text_addr + 16 * (uint64_t)d->target;
    uint32_t *dst = x_dst(&w->x, &d->x, 0);
    lanes_each (mask, l) {
        dst[l] = (uint32_t)a;
        dst[LANES + l] = (uint32_t)(a >> 32);
    }
    return true;
}
