/* SPDX-License-Identifier: Apache-2.0 */
/* HGMMA: collects the matrices of a warp out of shared memory; alu_gmma.c multiplies them. It multiplies at once: what a kernel
 * may see only after a wait is there a little earlier. */
#include "exec/warp/gmma.h"
#include "exec/memory/lanes.h"

struct desc {
    uint32_t start, leading, stride, base;
    unsigned bits; /* of the swizzle: 0 to 3 */
};

static struct desc desc_of(uint64_t v)
{
    static const uint8_t bits[4] = {0, 3, 2, 1};
    return (struct desc){.start = (uint32_t)(v & 0x3fff) << 4,
                         .leading = (uint32_t)(v >> 16 & 0x3fff) << 4,
                         .stride = (uint32_t)(v >> 32 & 0x3fff) << 4,
                         .base = (uint32_t)(v >> 49 & 7),
                         .bits = bits[v >> 62]};
}

static uint32_t place(const struct desc *d, uint32_t off)
{
    uint32_t a = (d->start + off) & 0x3ffff, row = (a >> 7) - d->base;
    return a ^ (row & ((1u << d->bits) - 1)) << 4;
}

static const unsigned char *line_at(struct run *r, struct warp *w, const struct desc *d, uint32_t off)
{
    uint32_t a = place(d, off);
    if (a + 16 <= r->shared_b)
        return w->cta->shared + a;
    fail_access(r, w, 0, SPACE_SHARED, "load (wgmma)", 16, a);
    return NULL;
}

/* Rows (of A; columns of B) from `first` on. */
static bool collect_k(struct run *r, struct warp *w, const struct desc *d, unsigned first, unsigned n,
                      unsigned char (*to)[GMMA_LINE_B])
{
    uint32_t row_b = 16u << d->bits, line_b = d->bits ? 16 : d->leading;
    for (unsigned i = 0; i < n; i++) {
        uint32_t at = (first + i) % 8 * row_b + (first + i) / 8 * d->stride;
        for (unsigned c = 0; c < 2; c++) {
            const unsigned char *p = line_at(r, w, d, at + c * line_b);
            if (!p)
                return false;
            memcpy(to[i] + 16 * c, p, 16);
        }
    }
    return true;
}

static bool collect_mn(struct run *r, struct warp *w, const struct desc *d, unsigned first, unsigned n,
                       unsigned char (*to)[GMMA_LINE_B])
{
    uint32_t row_b = 16u << d->bits, repeat = row_b / 2;
    uint32_t far = d->bits ? d->leading : d->stride, deep = d->bits ? d->stride : d->leading;
    for (unsigned i = 0; i < n; i += 8)
        for (unsigned k = 0; k < 16; k++) {
            unsigned row = first + i;
            const unsigned char *p =
                line_at(r, w, d, row % repeat * 2 + k % 8 * row_b + row / repeat * far + k / 8 * deep);
            if (!p)
                return false;
            for (unsigned e = 0; e < 8; e++)
                memcpy(to[i + e] + 2 * k, p + 2 * e, 2);
        }
    return true;
}

static bool collect(struct run *r, struct warp *w, uint64_t v, bool mn, unsigned first, unsigned n,
                    unsigned char (*to)[GMMA_LINE_B])
{
    struct desc d = desc_of(v);
    return (mn ? collect_mn : collect_k)(r, w, &d, first, n, to);
}

/* Register i of A holds 4 bytes of row g + 8 (i mod 2), from byte 16 (i div 2) + 4t on. */
static void collect_regs(const uint32_t *row, unsigned char (*to)[GMMA_LINE_B])
{
    for (unsigned i = 0; i < 4; i++)
        for (unsigned l = 0; l < LANES; l++)
            memcpy(to[l / 4 + i % 2 * 8] + i / 2 * 16 + l % 4 * 4, &row[i * LANES + l], 4);
}

/* All lanes of all four warps are there. */
static bool in_group(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    const char *name = ir_ops[d->op].name;
    if (mask != ~0u)
        return fail(r, w, EXEC_BAD_CODE, lane_first(~mask), 0, "%s: all lanes of a warp execute it together",
                    name);
    if ((w->id | 3) * LANES + LANES > r->nthreads)
        return fail(r, w, EXEC_BAD_CODE, NO_LANE, 0,
                    "%s: warp %u is not in a group of four whole warps (the CTA has %u threads)", name, w->id,
                    r->nthreads);
    return true;
}

/* The value that all lanes have. */
static bool same(struct run *r, struct warp *w, const uint32_t *row, const char *what, uint64_t *v)
{
    *v = row_u64(row, 0);
    for (unsigned l = 1; l < LANES; l++)
        if (row_u64(row, l) != *v)
            return fail(r, w, EXEC_BAD_CODE, l, row_u64(row, l),
                        "HGMMA: the %s differs between lanes: 0x%llx, not 0x%llx", what,
                        (unsigned long long)row_u64(row, l), (unsigned long long)*v);
    return true;
}

bool core_warpgroup(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    return in_group(r, w, d, mask);
}

bool core_hgmma(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    const struct ir_insn *i = d->x.insn;
    uint32_t add = x_psrc(&w->x, &d->x.psrc[3]);
    uint64_t a = 0, b;
    struct gmma g;
    bool in_regs = i->src[0].n == 4;
    if (!in_group(r, w, d, mask) || !same(r, w, x_row(&w->x, &d->x, 1), "descriptor of B", &b) ||
        (!in_regs && !same(r, w, x_row(&w->x, &d->x, 0), "descriptor of A", &a)))
        return false;
    if (add && ~add)
        return fail(r, w, EXEC_BAD_CODE, lane_first(~add), 0, "HGMMA: scale-d differs between lanes");
    if (in_regs)
        collect_regs(x_row(&w->x, &d->x, 0), g.a);
    else if (!collect(r, w, a, i->sub & GMMA_TRANS_A, w->id % 4 * GMMA_ROWS, GMMA_ROWS, g.a))
        return false;
    if (!collect(r, w, b, i->sub & GMMA_TRANS_B, 0, ir_gmma_cols(i), g.b))
        return false;
    if (r->obs) {
        r->naddr = 1;
        r->space = SPACE_SHARED;
        r->addr[0] = in_regs ? 0 : desc_of(a).start;
        r->addr[1] = desc_of(b).start;
    }
    g.add_c = add && i->src[2].kind == OPND_REG;
    r->dev->alu->gmma(&d->x, &w->x, &g);
    return true;
}

static bool is_fp8(uint8_t t) { return t == T_E4M3 || t == T_E5M2; }
static bool is_int8(uint8_t t) { return t == T_S8 || t == T_U8; }

bool gmma_known(const struct ir_insn *i)
{
    uint8_t a = i->stype, b = i->lut;
    unsigned cols = ir_gmma_cols(i);
    bool half = a == b && (a == T_F16 || a == T_BF16), fp8 = is_fp8(a) && is_fp8(b);
    bool types = i->type == T_F32   ? half || fp8 || (a == T_TF32 && b == T_TF32)
                 : i->type == T_F16 ? (half && a == T_F16) || fp8
                 : i->type == T_S32 ? (is_int8(a) && is_int8(b)) || (a == T_B1 && b == T_B1)
                                    : false;
    bool widths = i->dst[0].kind == OPND_REG && cols >= 8 && cols <= GMMA_COLS && cols % 8 == 0 &&
                  i->src[1].kind == OPND_REG && i->src[1].n == 2 && i->src[0].kind == OPND_REG &&
                  (i->src[0].n == 2 || i->src[0].n == 4) &&
                  (i->src[2].kind == OPND_REG ? i->src[2].n == i->dst[0].n : opnd_is_zero(&i->src[2]));
    return types && widths && (half || !(i->sub & (GMMA_TRANS_A | GMMA_TRANS_B)));
}
