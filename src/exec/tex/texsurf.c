/* SPDX-License-Identifier: Apache-2.0 */
/* SULD and SUST: unformatted surface accesses. x counts bytes; an access that is not wholly inside its row, or whose
 * other coordinates are outside, traps, is clamped to the nearest place, or reads zero and stores nothing. */
#include "exec/tex/texint.h"
#include "exec/xop.h"

struct place {
    int64_t x, y, z;
};

static struct place lane_place(const struct xop *x, const struct xwarp *w, unsigned lane)
{
    enum ir_texgeom g = x->insn->sub;
    const uint32_t *row = x_row(w, x, 1) + lane;
    unsigned have = x->insn->src[1].n;
    int64_t c[3] = {0, 0, 0};
    for (unsigned k = 0; k < 3 && k < have; k++)
        c[k] = (int32_t)row[k * LANES];
    switch (g) {
    case TEX_1D: return (struct place){c[0], 0, 0};
    case TEX_2D: return (struct place){c[0], c[1], 0};
    case TEX_A1D: return (struct place){c[1], 0, c[0]};
    case TEX_A2D: return (struct place){c[1], c[2], c[0]};
    default: return (struct place){c[0], c[1], c[2]};
    }
}

static int64_t clamped(int64_t i, int64_t last) { return i < 0 ? 0 : i > last ? last : i; }

static bool outside(int64_t i, int64_t last) { return i < 0 || i > last; }

static void move_words(const struct xop *x, struct xwarp *w, unsigned lane, unsigned char *p, unsigned elem_b,
                       unsigned n)
{
    bool store = x->insn->op == OP_SUST;
    unsigned words = elem_b > 4 ? elem_b / 4 : 1, part = elem_b > 4 ? 4 : elem_b;
    const uint32_t *src = store ? x_row(w, x, 2) : NULL;
    uint32_t *dst = !store && x->insn->dst[0].kind == OPND_REG ? x_dst(w, x, 0) : NULL;
    for (unsigned k = 0; k < n * words; k++) {
        uint32_t v = 0;
        if (store) {
            v = src[k * LANES + lane];
            if (p)
                memcpy(p + k * part, &v, part);
            continue;
        }
        if (p)
            memcpy(&v, p + k * part, part);
        if (part == 1 && x->insn->type == T_S8)
            v = (uint32_t)(int8_t)v;
        if (part == 2 && x->insn->type == T_S16)
            v = (uint32_t)(int16_t)v;
        if (dst && k < x->insn->dst[0].n)
            dst[k * LANES + lane] = v;
    }
}

bool surf_lane(const struct xop *x, struct xwarp *w, unsigned lane, const struct tex_view *v, uint64_t *addr,
               const char **why)
{
    const struct ir_insn *i = x->insn;
    unsigned elem_b = type_bytes((enum ir_type)i->type), n = i->vec ? i->vec : 1, size = elem_b * n;
    int64_t row_b = (int64_t)v->w * v->o->texel_b;
    if (!size || size > 16 || (i->sub != TEX_1D && v->o->d.kind == TEXK_LINEAR)) {
        *why = "surface access of this shape is not possible on the bound memory";
        return false;
    }
    struct place c = lane_place(x, w, lane);
    int64_t last_x = row_b - (int64_t)size, last_y = v->h - 1, last_z = v->slices - 1;
    bool out = outside(c.x, last_x) || outside(c.y, last_y) || outside(c.z, last_z);
    *addr = v->o->d.base + (uint64_t)c.z * v->o->slice_b + (uint64_t)c.y * v->o->row_b + (uint64_t)c.x;
    if (out && (i->bop == CLAMP_TRAP || last_x < 0)) {
        *why = "surface access outside the surface";
        return false;
    }
    if (out && i->bop == CLAMP_CLAMP) {
        c = (struct place){clamped(c.x, last_x), clamped(c.y, last_y), clamped(c.z, last_z)};
        c.x -= c.x % (int64_t)size;
        out = false;
    }
    if (!out && c.x % (int64_t)size) {
        *why = "surface access at a byte offset that is not a multiple of its size";
        return false;
    }
    uint64_t off = (uint64_t)c.z * v->o->slice_b + (uint64_t)c.y * v->o->row_b + (uint64_t)c.x;
    *addr = out ? 0 : v->o->d.base + off;
    move_words(x, w, lane, out ? NULL : v->mem + off, elem_b, n);
    return true;
}
