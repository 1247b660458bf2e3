/* Reading a texture at a coordinate, as the CUDA programming guide's chapter on texture fetching has it: coordinate to
 * texel index (normalised, addressing mode), nearest or linear filtering with weights of 8 fractional bits.
 *
 * Filtered values are sums of exact products in double precision rounded once, so every host gives the same bits. */
#include "exec/texint.h"

#include <math.h>

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
    double u = normalized ? (double)x * n : (double)x;
    if (isnan(u))
        return 0;
    return u > COORD_MAX ? COORD_MAX : u < -COORD_MAX ? -COORD_MAX : u;
}

static bool is_linear(const struct tex_obj *o)
{
    return o->d.filter == TEX_LINEAR && o->d.kind != TEXK_LINEAR;
}

static uint8_t axis_mode(const struct tex_obj *o, unsigned dim, bool normalized)
{
    if (o->d.kind == TEXK_LINEAR)
        return TEX_BORDER;
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
    case TEX_WRAP:
        i %= n;
        return i < 0 ? i + n : i;
    case TEX_MIRROR:
        i %= 2 * n;
        i = i < 0 ? i + 2 * n : i;
        return i < n ? i : 2 * n - 1 - i;
    case TEX_CLAMP:
        return i < 0 ? 0 : n - 1;
    default:
        return -1;
    }
}

static uint32_t f32_bits(float f)
{
    uint32_t b;
    memcpy(&b, &f, 4);
    return b;
}

static float f32_of(uint32_t b)
{
    float f;
    memcpy(&f, &b, 4);
    return f;
}

static float half_value(uint32_t h)
{
    uint32_t e = h >> 10 & 31, m = h & 1023;
    float v;
    if (e == 31)
        v = m ? NAN : INFINITY;
    else
        v = ldexpf(e ? (float)(m | 1024) : (float)m, (int)(e ? e : 1) - 25);
    return h & 0x8000 ? -v : v;
}

static uint32_t channel_word(const struct exec_tex *t, uint32_t raw)
{
    unsigned bits = t->bits[0];
    if (t->chan == TEX_CHAN_FLOAT)
        return bits == 16 ? f32_bits(half_value(raw)) : raw;
    int32_t s = bits == 32 ? (int32_t)raw : (int32_t)(raw << (32 - bits)) >> (32 - bits);
    if (!t->read_normalized)
        return t->chan == TEX_CHAN_SINT ? (uint32_t)s : raw;
    if (t->chan == TEX_CHAN_UINT)
        return f32_bits((float)raw / (float)((1u << bits) - 1));
    float v = (float)s / (float)((1u << (bits - 1)) - 1);
    return f32_bits(v < -1.0f ? -1.0f : v);
}

static bool result_is_float(const struct exec_tex *t)
{
    return t->chan == TEX_CHAN_FLOAT || t->read_normalized;
}

/* Channels a format does not have read as 0, the fourth as 1. */
static struct tex_vec defaults(const struct exec_tex *t)
{
    return (struct tex_vec){{0, 0, 0, result_is_float(t) ? f32_bits(1.0f) : 1}};
}

static struct tex_vec border_texel(const struct tex_obj *o)
{
    const struct exec_tex *t = &o->d;
    struct tex_vec r = defaults(t);
    for (unsigned c = 0; c < o->nchan; c++) {
        float b = t->kind == TEXK_LINEAR || isnan(t->border[c]) ? 0.0f : t->border[c];
        if (result_is_float(t))
            r.v[c] = f32_bits(b);
        else if (t->chan == TEX_CHAN_UINT)
            r.v[c] = b <= 0 ? 0 : b >= 4294967296.0f ? UINT32_MAX : (uint32_t)b;
        else
            r.v[c] = (uint32_t)(b <= -2147483648.0f ? INT32_MIN : b >= 2147483648.0f ? INT32_MAX : (int32_t)b);
    }
    return r;
}

static struct tex_vec read_texel(const struct tex_obj *o, const unsigned char *p)
{
    struct tex_vec r = defaults(&o->d);
    unsigned b = o->d.bits[0] / 8;
    for (unsigned c = 0; c < o->nchan; c++) {
        uint32_t raw = 0;
        for (unsigned k = 0; k < b; k++)
            raw |= (uint32_t)p[c * b + k] << (8 * k);
        r.v[c] = channel_word(&o->d, raw);
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
    *off = ((uint64_t)t[2] + f->slice) * v->o->slice_b + (uint64_t)t[1] * v->o->row_b + (uint64_t)t[0] * v->o->texel_b;
    return true;
}

static uint32_t clamp_layer(uint32_t layer, uint32_t n)
{
    int32_t s = (int32_t)layer;
    return s < 0 ? 0 : layer >= n ? n - 1 : layer;
}

/* Face and coordinates in [0,1] of a direction (programming guide, cubemap textures). */
static uint32_t cube_face(const float d[3], float st[2])
{
    float x = d[0], y = d[1], z = d[2], ax = fabsf(x), ay = fabsf(y), az = fabsf(z), s, t, m;
    uint32_t face;
    if (ax >= ay && ax >= az) {
        face = x < 0;
        s = x < 0 ? z : -z;
        t = -y;
        m = ax;
    } else if (ay >= az) {
        face = 2 + (y < 0);
        s = x;
        t = y < 0 ? -z : z;
        m = ay;
    } else {
        face = 4 + (z < 0);
        s = z < 0 ? -x : x;
        t = -y;
        m = az;
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

static struct axis make_axis(const struct tex_view *v, const struct tex_coord *c, unsigned k, bool linear, bool normalized)
{
    uint32_t n = k == 0 ? v->w : k == 1 ? v->h : v->slices;
    if (c->is_int)
        return (struct axis){.i = c->i[k], .n = n, .mode = axis_mode(v->o, k, false)};
    double u = coord_texels(c->f[k], n, normalized);
    uint8_t mode = axis_mode(v->o, k, normalized);
    return linear ? axis_linear(u, n, mode) : axis_point(u, n, mode);
}

static void make_foot(struct foot *f, const struct tex_view *v, enum ir_texgeom g, const struct tex_coord *c, bool linear)
{
    static const uint8_t axes[] = {[TEX_1D] = 1, [TEX_2D] = 2, [TEX_3D] = 3, [TEX_A1D] = 1, [TEX_A2D] = 2, [TEX_CUBE] = 2, [TEX_ACUBE] = 2};
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

static struct tex_vec filter(const struct tex_view *v, const struct foot *f, uint64_t *at)
{
    double sum[4] = {0, 0, 0, 0};
    bool seen = false;
    for (unsigned corner = 0; corner < 1u << f->naxes; corner++) {
        uint32_t weight = 1; /* in 1 / 256^naxes */
        for (unsigned k = 0; k < f->naxes; k++)
            weight *= corner >> k & 1 ? f->ax[k].frac : 256 - f->ax[k].frac;
        if (!weight)
            continue;
        uint64_t off;
        bool inside = corner_offset(v, f, corner, &off);
        struct tex_vec t = inside ? read_texel(v->o, v->mem + off) : border_texel(v->o);
        if (inside && !seen) {
            *at = off;
            seen = true;
        }
        double part = ldexp(weight, -8 * (int)f->naxes);
        for (unsigned c = 0; c < 4; c++)
            sum[c] += part * f32_of(t.v[c]);
    }
    struct tex_vec r;
    for (unsigned c = 0; c < 4; c++)
        r.v[c] = f32_bits((float)sum[c]);
    return r;
}

struct tex_vec tex_sample(const struct tex_view *v, enum ir_texgeom g, const struct tex_coord *c, uint64_t *at)
{
    bool linear = is_linear(v->o) && (!c->is_int || g == TEX_CUBE || g == TEX_ACUBE);
    struct foot f;
    *at = 0;
    make_foot(&f, v, g, c, linear);
    if (linear)
        return filter(v, &f, at);
    return corner_offset(v, &f, 0, at) ? read_texel(v->o, v->mem + *at) : border_texel(v->o);
}

struct tex_vec tex_gather(const struct tex_view *v, enum ir_texgeom g, const struct tex_coord *c, unsigned comp, uint64_t *at)
{
    static const uint8_t order[4] = {2, 3, 1, 0}; /* (i,j+1) (i+1,j+1) (i+1,j) (i,j) */
    struct foot f;
    struct tex_vec r;
    *at = 0;
    make_foot(&f, v, g, c, true);
    for (unsigned k = 0; k < 4; k++) {
        uint64_t off = 0;
        bool inside = corner_offset(v, &f, order[k], &off);
        struct tex_vec t = inside ? read_texel(v->o, v->mem + off) : border_texel(v->o);
        r.v[k] = t.v[comp & 3];
        if (inside)
            *at = off;
    }
    return r;
}
