/* SPDX-License-Identifier: Apache-2.0 */
/* Bulk copies of boxes of tensors: a row of the innermost dimension after the other, its 16-byte chunks where the swizzle puts
 * them. What a box has outside of the tensor is read as zero (or NaN), and not written but for the rest of a piece of 16
 * bytes. */
#include "exec/memory/bulk.h"
#include "exec/memory/tensormap.h"

struct box {
    struct bulk *b;
    struct tmap m;
    int64_t at[TMAP_DIMS];                     /* coordinates of its first element */
    uint32_t n[TMAP_DIMS];                     /* elements in shared memory */
    uint32_t first[TMAP_DIMS], end[TMAP_DIMS]; /* which of them are inside the tensor */
    uint32_t row_b, total_b;
    uint32_t pitch_b; /* from row to row in shared memory: no less than what the swizzle turns */
};

static bool no_map(const struct bulk *b, const char *why)
{
    return fail(b->r, b->w, EXEC_BAD_CODE, b->lane, b->far, "tensor copy with the map at 0x%llx: %s",
                (unsigned long long)b->far, why);
}

static bool read_map(const struct bulk *b, struct tmap *m)
{
    unsigned char bytes[TMAP_B];
    /* Parameters and stacks begin where they do here. */
    bool placed =
        b->far >> 32 != WINDOW_LOCAL >> 32 && (b->far < WINDOW_PARAM || b->far >> 32 != WINDOW_PARAM >> 32);
    if (placed && b->far % 64)
        return no_map(b, "its address is not a multiple of 64");
    if (!lane_peek(b->r, b->w, b->lane, b->far, bytes, TMAP_B))
        return no_map(b, "the address is outside every allocation");
    if (!tmap_unpack(bytes, m))
        return no_map(b, "there is none that cuTensorMapEncodeTiled has made");
    if (m->rank != b->d->x.insn->bop)
        return fail(b->r, b->w, EXEC_BAD_CODE, b->lane, b->far,
                    "tensor copy of %u dimensions: the tensor map has %u", b->d->x.insn->bop, m->rank);
    return true;
}

static int64_t coordinate(const struct bulk *b, unsigned d)
{
    const uint32_t *row =
        d < 4 ? x_row(&b->w->x, &b->d->x, 3) + (size_t)d * LANES : x_row(&b->w->x, &b->d->x, 4);
    return (int32_t)row[b->lane];
}

static bool writes(const struct bulk *b)
{
    return b->d->x.insn->sub == BULK_TENSOR_STORE || b->d->x.insn->sub == BULK_TENSOR_RED;
}

/* Boxes that an H200 refuses as an illegal instruction (measured; the manuals do not say): those that begin between two
 * multiples of 16 bytes, and stores that begin before the tensor. */
static bool may_begin(const struct bulk *b, const struct tmap *m)
{
    uint32_t size = tmap_types[m->type].bytes;
    if (coordinate(b, 0) * (int64_t)size % 16)
        return fail(
            b->r, b->w, EXEC_ILLEGAL, b->lane, b->far,
            "tensor copy: element %d of %u bytes is not at a multiple of 16 bytes, where a box may begin",
            (int)coordinate(b, 0), size);
    for (unsigned d = 0; d < m->rank && writes(b); d++)
        if (coordinate(b, d) < 0)
            return fail(b->r, b->w, EXEC_ILLEGAL, b->lane, b->far,
                        "tensor copy: a store at coordinate %d of dimension %u, before the tensor",
                        (int)coordinate(b, d), d);
    return true;
}

/* Stores write whole pieces of 16 bytes, also the one that the tensor ends in (measured). */
static int64_t size_of(const struct bulk *b, const struct tmap *m, unsigned d)
{
    uint32_t piece = 16 / tmap_types[m->type].bytes;
    return d == 0 && writes(b) ? (int64_t)((m->size[d] + piece - 1) / piece * piece) : (int64_t)m->size[d];
}

static bool make_box(struct bulk *b, struct box *x)
{
    *x = (struct box){.b = b};
    if (!read_map(b, &x->m))
        return false;
    x->total_b = tmap_types[x->m.type].bytes;
    if (!may_begin(b, &x->m))
        return false;
    for (unsigned d = 0; d < TMAP_DIMS; d++) {
        int64_t step = x->m.step[d], size = size_of(b, &x->m, d);
        x->at[d] = d < x->m.rank ? coordinate(b, d) : 0;
        x->n[d] = (x->m.box[d] + x->m.step[d] - 1) / x->m.step[d];
        x->total_b *= x->n[d];
        int64_t first = x->at[d] < 0 ? (-x->at[d] + step - 1) / step : 0;
        int64_t end = x->at[d] < size ? (size - x->at[d] + step - 1) / step : 0;
        x->end[d] = end < x->n[d] ? (uint32_t)end : x->n[d];
        x->first[d] = first < x->end[d] ? (uint32_t)first : x->end[d];
    }
    x->row_b = x->n[0] * tmap_types[x->m.type].bytes;
    uint32_t span = x->m.swizzle ? 16u << x->m.swizzle : 0;
    x->pitch_b = x->row_b > span ? x->row_b : span;
    return true;
}

/* Address of the row's first element inside the tensor. */
static uint64_t global_at(const struct box *x, const uint32_t i[TMAP_DIMS])
{
    uint64_t a = x->m.base;
    for (unsigned d = 0; d < TMAP_DIMS; d++)
        a += (uint64_t)(x->at[d] + (int64_t)i[d] * x->m.step[d]) * x->m.stride_b[d];
    return a;
}

static bool inside(const struct box *x, const uint32_t i[TMAP_DIMS])
{
    bool in = x->first[0] < x->end[0];
    for (unsigned d = 1; d < TMAP_DIMS; d++)
        in = in && i[d] >= x->first[d] && i[d] < x->end[d];
    return in;
}

static void fill(const struct box *x, unsigned char *row)
{
    uint32_t size = tmap_types[x->m.type].bytes;
    for (uint32_t k = 0; x->m.nan_fill && k < x->row_b; k += size)
        memcpy(row + k, &tmap_types[x->m.type].nan, size);
    if (!x->m.nan_fill)
        memset(row, 0, x->row_b);
}

/* To the 19 bits of TF32, to nearest and ties to even; a NaN is the largest number with all bits set. */
static void round_tf32(unsigned char *row, uint32_t n)
{
    for (uint32_t k = 0; k < n; k += 4) {
        uint32_t v;
        memcpy(&v, row + k, 4);
        if ((v & 0x7fffffffu) > 0x7f800000u)
            v = 0x7fffe000u;
        else
            v = (v + 0xfff + (v >> 13 & 1)) & ~0x1fffu;
        memcpy(row + k, &v, 4);
    }
}

/* What is outside is in row already. */
static bool read_row(const struct box *x, const uint32_t i[TMAP_DIMS], unsigned char *row)
{
    uint32_t size = tmap_types[x->m.type].bytes, n = (x->end[0] - x->first[0]) * size;
    const unsigned char *from = bulk_global(x->b, global_at(x, i), n);
    if (!from)
        return false;
    row += x->first[0] * size;
    memcpy(row, from, n);
    if (x->m.type == TMAP_TFLOAT32 || x->m.type == TMAP_TFLOAT32_FTZ)
        round_tf32(row, n);
    return true;
}

static bool write_row(const struct box *x, const uint32_t i[TMAP_DIMS], const unsigned char *row)
{
    const struct tmap_type_info *t = &tmap_types[x->m.type];
    uint32_t n = (x->end[0] - x->first[0]) * t->bytes;
    unsigned char *to = bulk_global(x->b, global_at(x, i), n);
    if (!to)
        return false;
    row += x->first[0] * t->bytes;
    if (x->b->d->x.insn->sub == BULK_TENSOR_RED)
        return bulk_reduce(x->b, t->type, false, to, row, n);
    memcpy(to, row, n);
    return true;
}

/* The chunks of row number `k` of the box, to or from shared memory of the CTA. */
static void move_row(const struct box *x, struct cta *c, uint32_t k, unsigned char *row, bool to_shared)
{
    uint32_t at = (x->b->shared & SHARED_OFFSET) + k * x->pitch_b;
    for (uint32_t j = 0; j < x->row_b; j += 16) {
        unsigned char *p = c->shared + tmap_place(x->m.swizzle, at + j);
        memcpy(to_shared ? p : row + j, to_shared ? row + j : p, 16);
    }
}

/* The CTAs that take part, checked: chunks change places in lines of 128 bytes, all of which must be there. */
static bool owners(const struct box *x, struct cta *c[MAX_CLUSTER], uint32_t *n)
{
    uint32_t all_b = x->total_b / x->row_b * x->pitch_b,
             span = x->m.swizzle ? (all_b + 127) / 128 * 128 : all_b;
    *n = 0;
    if (!x->b->ctas)
        return bulk_shared(x->b, x->b->shared, span, 128, &c[(*n)++]);
    lanes_each (x->b->ctas, rank) {
        if (!bulk_shared(x->b, bulk_in_cta(x->b, x->b->shared, rank), span, 128, &c[(*n)++]))
            return false;
    }
    return true;
}

/* Rows in their order in shared memory; i: the row's place in the box. */
static bool next_row(const struct box *x, uint32_t i[TMAP_DIMS])
{
    for (unsigned d = 1; d < TMAP_DIMS; d++) {
        if (++i[d] < x->n[d])
            return true;
        i[d] = 0;
    }
    return false;
}

static bool copy(const struct box *x, bool load)
{
    unsigned char row[TMAP_BOX * 8];
    struct cta *c[MAX_CLUSTER];
    uint32_t n, i[TMAP_DIMS] = {x->first[0]}, k = 0;
    if (!owners(x, c, &n))
        return false;
    do {
        bool in = inside(x, i);
        if (load) {
            fill(x, row);
            if (in && !read_row(x, i, row))
                return false;
        } else {
            move_row(x, c[0], k, row, false);
            if (in && !write_row(x, i, row))
                return false;
        }
        for (uint32_t o = 0; load && o < n; o++)
            move_row(x, c[o], k, row, true);
        k++;
    } while (next_row(x, i));
    return true;
}

static bool arrive(const struct box *x)
{
    if (!x->b->ctas)
        return bulk_arrive(x->b, x->b->mbar, x->total_b);
    lanes_each (x->b->ctas, rank) {
        if (!bulk_arrive(x->b, bulk_in_cta(x->b, x->b->mbar, rank), x->total_b))
            return false;
    }
    return true;
}

/* Only what is inside the tensor is read or written. */
static void note(const struct box *x)
{
    uint64_t *p = x->b->r->addr;
    bool any = true;
    for (unsigned d = 0; d < TMAP_DIMS; d++)
        any = any && x->first[d] < x->end[d];
    p[BP_GLOBAL] = any ? global_at(x, x->first) : x->m.base;
    p[BP_SHARED] = shared_name(x->b->r, x->b->w, x->b->shared);
    p[BP_BYTES] = x->total_b;
    p[BP_ROW_B] = any ? (uint64_t)(x->end[0] - x->first[0]) * x->m.stride_b[0] : 0;
    for (unsigned d = 1; d < TMAP_DIMS; d++) {
        uint32_t n = any ? x->end[d] - x->first[d] : 0;
        p[BP_ROWS + 2 * (d - 1)] = n;
        p[BP_ROWS + 2 * (d - 1) + 1] = n > 1 ? x->m.stride_b[d] * x->m.step[d] : 0;
    }
}

bool bulk_tensor(struct bulk *b)
{
    enum ir_bulk sub = b->d->x.insn->sub;
    struct box x;
    if (!make_box(b, &x))
        return false;
    note(&x);
    if (sub == BULK_TENSOR_PREFETCH)
        return true;
    return copy(&x, sub == BULK_TENSOR_LOAD) && (sub != BULK_TENSOR_LOAD || arrive(&x));
}
