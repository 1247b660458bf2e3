/* SPDX-License-Identifier: Apache-2.0 */
/* Inside textures: the handle table and the sampler, shared by texdesc.c, texsample.c, texsurf.c and texop.c.
 * A texture's memory is looked up per instruction (the allocation may be gone), and every texel index that reaches
 * the sampler is inside the descriptor, so the sampler itself never checks addresses. */
#ifndef EXEC_TEXINT_H
#define EXEC_TEXINT_H

#include "exec/exec.h"
#include "exec/tex/tex.h"

struct tex_obj {
    struct exec_tex d;
    uint32_t nchan, texel_b;
    uint64_t row_b, slice_b, extent_b; /* bytes of a row's stride, of a layer or slice, of everything */
    uint32_t gen;
    bool live;
};

/* A texture with its memory, for the length of one instruction. */
struct tex_view {
    const struct tex_obj *o;
    unsigned char *mem;
    uint32_t w, h, slices; /* at least 1 each */
};

struct tex_vec {
    uint32_t v[4];
};

/* texdesc.c */
const struct tex_obj *tex_lookup(struct exec_dev *d, uint64_t handle);
/* False with *why if the handle is unknown or its memory is gone. */
bool tex_view_open(struct exec_dev *d, uint64_t handle, struct tex_view *v, const char **why);

/* texsample.c */
struct tex_coord {
    bool is_int;
    union {
        float f[3];
        int32_t i[3];
    };
    uint32_t layer; /* layer index as the kernel gave it; clamped here */
};
/* NULL, or why this geometry cannot be read from this texture. */
const char *tex_geom_check(const struct tex_view *v, enum ir_texgeom g);
/* at: offset from the texture's base of the first texel that takes part, or TEX_NOWHERE where all are outside. */
#define TEX_NOWHERE UINT64_MAX
struct tex_vec tex_sample(const struct tex_view *v, enum ir_texgeom g, const struct tex_coord *c,
                          uint64_t *at);
/* The four texels of a bilinear footprint, one component each, counter-clockwise from the lower left. */
struct tex_vec tex_gather(const struct tex_view *v, enum ir_texgeom g, const struct tex_coord *c,
                          unsigned comp, uint64_t *at);

/* A channel's bits as the 32-bit word a fetch returns. */
uint32_t tex_channel_word(const struct exec_tex *t, uint32_t raw);

/* texfilter.c: weights of the eight corners in 1/256, bit k of the index set for the upper texel of axis k, from the
 * fractions of x, y, z; and the weighted sum as the format is filtered. */
void tex_weights(uint32_t x, uint32_t y, uint32_t z, uint32_t w[8]);
struct tex_vec tex_weighted(const struct exec_tex *t, const struct tex_vec *corner, const uint32_t *w,
                            unsigned n);

/* texsurf.c: SULD and SUST of one lane. False with *why; *addr is the address meant. */
struct xop;
struct xwarp;
bool surf_lane(const struct xop *x, struct xwarp *w, unsigned lane, const struct tex_view *v, uint64_t *addr,
               const char **why);

#endif
