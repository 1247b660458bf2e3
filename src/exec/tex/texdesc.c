/* SPDX-License-Identifier: Apache-2.0 */
/* Texture and surface handles: descriptors checked once when they are made, kept in a table of the device.
 * A handle is the table index plus one and the slot's generation, so a stale or invented one is recognised. */
#include "exec/tex/texint.h"
#include "exec/tex/texop.h"

struct tex_table {
    VEC(struct tex_obj) objs;
};

enum { HANDLE_INDEX_BITS = 24, TEX_MAX_DIM = 1 << 30 };

static uint32_t channels(const struct exec_tex *t)
{
    uint32_t n = 0;
    while (n < 4 && t->bits[n])
        n++;
    for (uint32_t i = n; i < 4; i++)
        if (t->bits[i])
            return 0;
    for (uint32_t i = 1; i < n; i++)
        if (t->bits[i] != t->bits[0])
            return 0;
    return n == 3 ? 0 : n;
}

static bool format_ok(const struct exec_tex *t)
{
    uint32_t b = t->bits[0];
    if (b != 8 && b != 16 && b != 32)
        return false;
    if (t->chan > TEX_CHAN_FLOAT || (t->chan == TEX_CHAN_FLOAT && b == 8))
        return false;
    bool integer = t->chan != TEX_CHAN_FLOAT;
    if (t->read_normalized && integer && b == 32)
        return false;
    /* Only results that are floats can be filtered (CUDA programming guide, texture fetching). */
    return t->filter == TEX_POINT || (t->filter == TEX_LINEAR && (!integer || t->read_normalized));
}

static bool layout_ok(struct tex_obj *o)
{
    const struct exec_tex *t = &o->d;
    if (t->kind > TEXK_ARRAY || t->width < 1 || t->width > TEX_MAX_DIM || t->height > TEX_MAX_DIM ||
        t->depth > TEX_MAX_DIM)
        return false;
    uint64_t row = t->width * o->texel_b;
    uint64_t h = t->height ? t->height : 1, n = t->depth ? t->depth : 1;
    if (t->kind == TEXK_LINEAR) {
        o->row_b = o->slice_b = o->extent_b = row;
        return h == 1 && n == 1;
    }
    o->row_b = t->pitch_b ? t->pitch_b : row;
    if (o->row_b < row || (h > 1 && o->row_b % o->texel_b) || (t->kind == TEXK_PITCH2D && n > 1))
        return false;
    uint64_t last;
    return !__builtin_mul_overflow(o->row_b, h, &o->slice_b) &&
           !__builtin_mul_overflow(o->slice_b, n - 1, &last) &&
           !__builtin_add_overflow(last, o->row_b * (h - 1) + row, &o->extent_b);
}

uint64_t exec_tex_create(struct exec_dev *d, const struct exec_tex *t)
{
    struct tex_obj o = {.d = *t, .nchan = channels(t), .live = true};
    o.texel_b = o.nchan * t->bits[0] / 8;
    for (unsigned i = 0; i < 3; i++)
        if (t->address[i] > TEX_BORDER)
            return 0;
    if (!o.nchan || !format_ok(t) || !layout_ok(&o) || t->base % o.texel_b ||
        !exec_ptr(d, t->base, o.extent_b))
        return 0;
    void **slot = exec_dev_tex_table(d);
    if (!*slot)
        *slot = xcalloc(1, sizeof(struct tex_table));
    struct tex_table *tab = *slot;
    uint32_t i = 0;
    while (i < tab->objs.n && tab->objs.at[i].live)
        i++;
    if (i >= (1u << HANDLE_INDEX_BITS) - 1)
        return 0;
    if (i == tab->objs.n)
        vec_push(&tab->objs, (struct tex_obj){0});
    o.gen = tab->objs.at[i].gen + 1;
    tab->objs.at[i] = o;
    return (uint64_t)o.gen << HANDLE_INDEX_BITS | (i + 1);
}

const struct tex_obj *tex_lookup(struct exec_dev *d, uint64_t handle)
{
    const struct tex_table *tab = *exec_dev_tex_table(d);
    uint64_t i = handle & ((1u << HANDLE_INDEX_BITS) - 1);
    if (!tab || i == 0 || i > tab->objs.n)
        return NULL;
    const struct tex_obj *o = &tab->objs.at[i - 1];
    return o->live && o->gen == handle >> HANDLE_INDEX_BITS ? o : NULL;
}

void exec_tex_destroy(struct exec_dev *d, uint64_t handle)
{
    struct tex_obj *o = (struct tex_obj *)tex_lookup(d, handle);
    if (o)
        o->live = false;
}

void exec_tex_table_free(void *table)
{
    struct tex_table *tab = table;
    if (!tab)
        return;
    vec_free(&tab->objs);
    free(tab);
}

bool tex_view_open(struct exec_dev *d, uint64_t handle, struct tex_view *v, const char **why)
{
    const struct tex_obj *o = tex_lookup(d, handle);
    if (!o) {
        *why = handle ? "not a texture or surface handle" : "texture or surface is not bound";
        return false;
    }
    v->o = o;
    v->mem = exec_ptr(d, o->d.base, o->extent_b);
    v->w = (uint32_t)o->d.width;
    v->h = o->d.height ? (uint32_t)o->d.height : 1;
    v->slices = o->d.depth ? (uint32_t)o->d.depth : 1;
    if (!v->mem) {
        *why = "the memory of this texture or surface was freed";
        return false;
    }
    return true;
}
