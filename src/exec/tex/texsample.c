/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a texture at a coordinate, as the CUDA programming guide's chapter on texture fetching has it: coordinate to
 * texel index (normalised, addressing mode), nearest or linear filtering with weights of 8 fractional bits.
 *
 * What the guide leaves open follows an H200, probed with point impulses and values next to every rounding boundary:
 * the resolution of normalised coordinates, how weights are split between corners, absent channels, integer coordinates
 * out of range, borders of integer formats, ties between cube faces. texfilter.c has the arithmetic of filtering. */
#include "exec/tex/texint.h"

#include <math.h>

/* Beside the addressing modes: outside reads as zero, whatever the border. Integer coordinates behave so. */
enum { AXIS_ZERO = TEX_BORDER + 1 };

/* One axis of a footprint: the lower texel, the weight of the upper one in 1/256, and how indices outside [0,n) behave. */
struct axis {
    int64_t i;
    uint32_t frac;
    uint32_t n;
    uint8_t mode;
};

/* Beyond any texture, within which 256 times the coordinate is exact. */
#define COORD_MAX 1099511627776.0

static double coord_texels(float x, uint32_t n, bool normalized)
{
    double u = x;
    if (isnan(u))
        return 0;
    /* Normalised coordinates are fixed-point numbers of 21 fractional bits, rounded down (measured). */
    if (normalized)
        u = ldexp(floor(ldexp(u, 21)), -21) * n;
    return u > COORD_MAX ? COORD_MAX : u < -COORD_MAX ? -COORD_MAX : u;
}

static bool is_linear(const struct tex_obj *o)
{
    return o->d.filter == TEX_LINEAR && o->d.kind != TEXK_LINEAR;
}

static uint8_t axis_mode(const struct tex_obj *o, unsigned dim, bool normalized)
{
    if (o->d.kind == TEXK_LINEAR)
        return AXIS_ZERO;
    uint8_t m = o->d.address[dim];
    /* Wrap and mirror exist for normalised coordinates only. */
    return !normalized && m != TEX_BORDER ? TEX_CLAMP : m;
}

static struct axis axis_point(double u, uint32_t n, uint8_t mode)
{
    return (struct axis){.i = (int64_t)floor(u), .n = n, .mode = mode};
}

static struct axis axis_linear(double u, uint32_t n, uint8_t mode)
{
    int64_t fixed = (int64_t)floor(u * 256.0 + 0.5) - 128;
    return (struct axis){.i = fixed >> 8, .frac = (uint32_t)(fixed & 255), .n = n, .mode = mode};
}

/* The texel an index means, or -1 for the border. */
static int64_t axis_texel(const struct axis *a, unsigned upper)
{
    int64_t i = a->i + upper, n = a->n;
    if (i >= 0 && i < n)
        return i;
    switch (a->mode) {
    case TEX_WRAP: i %= n; return i < 0 ? i + n : i;
    case TEX_MIRROR:
        i %= 2 * n;
        i = i < 0 ? i + 2 * n : i;
        return i < n ? i : 2 * n - 1 - i;
    case TEX_CLAMP: return i < 0 ? 0 : n - 1;
    default: return -1;
    }
}

static uint32_t f32_bits(float f)
{
    uint32_t b;
    memcpy(&b, &f, 4);
    return b;
}

static uint32_t half_bits(uint32_t h)
{
    uint32_t sign = (h & 0x8000) << 16, e = h >> 10 & 31, m = h & 1023;
    if (e == 31)
        return sign | 0x7f800000 | m << 13; /* a NaN keeps its payload */
    return sign | f32_bits(ldexpf((float)(e ? m | 1024 : m), (int)(e ? e : 1) - 25));
}

uint32_t tex_channel_word(const struct exec_tex *t, uint32_t raw)
{
    unsigned bits = t->bits[0];
    if (t->chan == TEX_CHAN_FLOAT)
        return bits == 16 ? half_bits(raw) : raw;
    int32_t s = bits == 32 ? (int32_t)raw : (int32_t)(raw << (32 - bits)) >> (32 - bits);
    if (!t->read_normalized)
        return t->chan == TEX_CHAN_SINT ? (uint32_t)s : raw;
    if (t->chan == TEX_CHAN_UINT)
        return f32_bits((float)raw / (float)((1u << bits) - 1));
    float v = (float)s / (float)((1u << (bits - 1)) - 1);
    return f32_bits(v < -1.0f ? -1.0f : v);
}

/* Channels that a format does not have read as 0. The border of an integer format is the bits of the descriptor's
 * float, cut to the channel; that of a normalised one is clamped to its range. */
static struct tex_vec border_texel(const struct tex_obj *o)
{
    const struct exec_tex *t = &o->d;
    struct tex_vec r = {{0, 0, 0, 0}};
    for (unsigned c = 0; c < o->nchan; c++) {
        uint32_t raw = f32_bits(t->border[c]), mask = t->bits[0] == 32 ? UINT32_MAX : (1u << t->bits[0]) - 1;
        float low = t->chan == TEX_CHAN_SINT ? -1.0f : 0.0f, b = t->border[c];
        if (t->chan == TEX_CHAN_FLOAT)
            r.v[c] = raw;
        else if (t->read_normalized)
            r.v[c] = f32_bits(b > 1.0f ? 1.0f : b >= low ? b : low);
        else
            r.v[c] = tex_channel_word(t, raw & mask);
    }
    return r;
}

static struct tex_vec read_texel(const struct tex_obj *o, const unsigned char *p)
{
    struct tex_vec r = {{0, 0, 0, 0}};
    unsigned b = o->d.bits[0] / 8;
    for (unsigned c = 0; c < o->nchan; c++) {
        uint32_t raw = 0;
        for (unsigned k = 0; k < b; k++)
            raw |= (uint32_t)p[c * b + k] << (8 * k);
        r.v[c] = tex_channel_word(&o->d, raw);
    }
    return r;
}

/* The footprint of one fetch: up to three axes and a slice. */
struct foot {
    struct axis ax[3];
    unsigned naxes;
    uint32_t slice; /* added to the third axis, which is absent for layers and faces */
    bool normalized;
};

/* corner: bit k set takes the upper texel of axis k. False: border. */
static bool corner_offset(const struct tex_view *v, const struct foot *f, unsigned corner, uint64_t *off)
{
    int64_t t[3] = {0, 0, 0};
    for (unsigned k = 0; k < f->naxes; k++) {
        t[k] = axis_texel(&f->ax[k], corner >> k & 1);
        if (t[k] < 0)
            return false;
    }
    *off = ((uint64_t)t[2] + f->slice) * v->o->slice_b + (uint64_t)t[1] * v->o->row_b +
           (uint64_t)t[0] * v->o->texel_b;
    return true;
}

static uint32_t clamp_layer(uint32_t layer, uint32_t n) { return layer >= n ? n - 1 : layer; }

/* Face and coordinates in [0,1] of a direction (programming guide, cubemap textures). Between equal magnitudes z comes
 * before y before x; NaN counts as 0. */
static uint32_t cube_face(const float d[3], float st[2])
{
    float x = isnan(d[0]) ? 0 : d[0], y = isnan(d[1]) ? 0 : d[1], z = isnan(d[2]) ? 0 : d[2], s, t, m;
    float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
    uint32_t face;
    if (az >= ax && az >= ay) {
        face = 4 + (z < 0);
        s = z < 0 ? -x : x;
        t = -y;
        m = az;
    } else if (ay >= ax) {
        face = 2 + (y < 0);
        s = x;
        t = y < 0 ? -z : z;
        m = ay;
    } else {
        face = x < 0;
        s = x < 0 ? z : -z;
        t = -y;
        m = ax;
    }
    st[0] = m > 0 ? (s / m + 1.0f) / 2.0f : 0.5f;
    st[1] = m > 0 ? (t / m + 1.0f) / 2.0f : 0.5f;
    return face;
}

const char *tex_geom_check(const struct tex_view *v, enum ir_texgeom g)
{
    if (v->o->d.kind == TEXK_LINEAR && g != TEX_1D)
        return "linear memory is bound to a texture of more than one dimension";
    if ((g == TEX_CUBE || g == TEX_ACUBE) && (v->slices < 6 || v->slices % 6 || v->w != v->h))
        return "the texture bound to a cubemap does not have six square faces";
    if (g > TEX_ACUBE)
        return "unknown texture geometry";
    return NULL;
}

static struct axis make_axis(const struct tex_view *v, const struct tex_coord *c, unsigned k, bool linear,
                             bool normalized)
{
    uint32_t n = k == 0 ? v->w : k == 1 ? v->h : v->slices;
    if (c->is_int)
        return (struct axis){.i = c->i[k], .n = n, .mode = AXIS_ZERO};
    double u = coord_texels(c->f[k], n, normalized);
    uint8_t mode = axis_mode(v->o, k, normalized);
    return linear ? axis_linear(u, n, mode) : axis_point(u, n, mode);
}

static void make_foot(struct foot *f, const struct tex_view *v, enum ir_texgeom g, const struct tex_coord *c,
                      bool linear)
{
    static const uint8_t axes[] = {[TEX_1D] = 1,  [TEX_2D] = 2,   [TEX_3D] = 3,   [TEX_A1D] = 1,
                                   [TEX_A2D] = 2, [TEX_CUBE] = 2, [TEX_ACUBE] = 2};
    struct tex_coord face = *c;
    bool cube = g == TEX_CUBE || g == TEX_ACUBE;
    *f = (struct foot){.naxes = axes[g], .normalized = cube || v->o->d.normalized};
    if (cube) {
        float dir[3];
        for (unsigned k = 0; k < 3; k++)
            dir[k] = c->is_int ? (float)c->i[k] : c->f[k];
        face.is_int = false;
        f->slice = cube_face(dir, face.f);
        if (g == TEX_ACUBE)
            f->slice += 6 * clamp_layer(c->layer, v->slices / 6);
    } else if (g == TEX_A1D || g == TEX_A2D) {
        f->slice = clamp_layer(c->layer, v->slices);
    }
    for (unsigned k = 0; k < f->naxes; k++) {
        f->ax[k] = make_axis(v, &face, k, linear, f->normalized);
        if (cube)
            f->ax[k].mode = TEX_CLAMP;
    }
}

static struct tex_vec outside_texel(const struct tex_view *v, const struct foot *f)
{
    return f->ax[0].mode == AXIS_ZERO ? (struct tex_vec){{0, 0, 0, 0}} : border_texel(v->o);
}

static struct tex_vec filter(const struct tex_view *v, const struct foot *f, uint64_t *at)
{
    struct tex_vec corner[8];
    uint32_t weight[8];
    bool seen = false;
    tex_weights(f->ax[0].frac, f->naxes > 1 ? f->ax[1].frac : 0, f->naxes > 2 ? f->ax[2].frac : 0, weight);
    for (unsigned k = 0; k < 1u << f->naxes; k++) {
        uint64_t off;
        bool inside = corner_offset(v, f, k, &off);
        corner[k] = inside ? read_texel(v->o, v->mem + off) : outside_texel(v, f);
        if (inside && !seen && weight[k]) {
            *at = off;
            seen = true;
        }
    }
    return tex_weighted(&v->o->d, corner, weight, 1u << f->naxes);
}

struct tex_vec tex_sample(const struct tex_view *v, enum ir_texgeom g, const struct tex_coord *c,
                          uint64_t *at)
{
    bool linear = is_linear(v->o) && (!c->is_int || g == TEX_CUBE || g == TEX_ACUBE);
    struct foot f;
    *at = TEX_NOWHERE;
    make_foot(&f, v, g, c, linear);
    if (linear)
        return filter(v, &f, at);
    return corner_offset(v, &f, 0, at) ? read_texel(v->o, v->mem + *at) : outside_texel(v, &f);
}

struct tex_vec tex_gather(const struct tex_view *v, enum ir_texgeom g, const struct tex_coord *c,
                          unsigned comp, uint64_t *at)
{
    static const uint8_t order[4] = {2, 3, 1, 0}; /* (i,j+1) (i+1,j+1) (i+1,j) (i,j) */
    struct foot f;
    struct tex_vec r;
    *at = TEX_NOWHERE;
    make_foot(&f, v, g, c, true);
    for (unsigned k = 0; k < 4; k++) {
        uint64_t off = 0;
        bool inside = corner_offset(v, &f, order[k], &off);
        struct tex_vec t = inside ? read_texel(v->o, v->mem + off) : outside_texel(v, &f);
        r.v[k] = t.v[comp & 3];
        if (inside)
            *at = off;
    }
    return r;
}
