/* SPDX-License-Identifier: Apache-2.0 */
/* Texture and surface objects. The handle is the executor's; the structures it was made from are kept for who asks. */
#include "cudart/texture/texture.h"

struct object {
    struct cudaResourceDesc res;
    struct cudaTextureDesc desc;
    bool surface;
};

struct rt_textures {
    struct rt_map objects; /* struct object by handle */
};

bool tex_from_array(struct rt *rt, struct exec_tex *t, const struct rt_array *a, cudaError_t *e)
{
    uint32_t elem_b;
    *t = (struct exec_tex){.kind = TEXK_ARRAY};
    if (!array_format(rt, &a->desc, &elem_b, t, e))
        return false;
    t->base = a->addr;
    t->width = a->extent.width;
    t->height = a->extent.height;
    t->depth = a->extent.depth;
    t->pitch_b = a->pitch_b;
    return true;
}

static bool align_base(uint64_t addr, struct exec_tex *t, uint32_t elem_b, size_t *offset_b, cudaError_t *e)
{
    uint64_t off = addr % TEXTURE_ALIGN_B;
    *e = cudaErrorInvalidValue;
    if (off % elem_b || (off && !offset_b))
        return false;
    t->base = addr - off;
    if (offset_b)
        *offset_b = off;
    *e = cudaSuccess;
    return true;
}

bool tex_from_linear(struct rt *rt, struct exec_tex *t, const void *ptr,
                     const struct cudaChannelFormatDesc *d, uint64_t size_b, size_t *offset_b, cudaError_t *e)
{
    uint32_t elem_b;
    uint64_t addr = (uintptr_t)ptr;
    const struct rt_alloc *a = rt_alloc_at(rt, addr);
    *t = (struct exec_tex){.kind = TEXK_LINEAR};
    if (!array_format(rt, d, &elem_b, t, e) || !align_base(addr, t, elem_b, offset_b, e))
        return false;
    *e = cudaErrorInvalidValue;
    if (a) {
        uint64_t room = a->base + a->size_b - addr;
        size_b = size_b < room ? size_b : room;
    } else if (!rt_device_ptr(rt, addr, size_b)) { /* a variable of a module, perhaps */
        return false;
    }
    t->width = (size_b + (addr - t->base)) / elem_b;
    if (!t->width || size_b / elem_b > TEXTURE_1D_LINEAR_MAX)
        return false;
    *e = cudaSuccess;
    return true;
}

bool tex_from_pitch2d(struct rt *rt, struct exec_tex *t, const void *ptr,
                      const struct cudaChannelFormatDesc *d, uint64_t width, uint64_t height,
                      uint64_t pitch_b, size_t *offset_b, cudaError_t *e)
{
    uint32_t elem_b;
    *t = (struct exec_tex){.kind = TEXK_PITCH2D};
    if (!array_format(rt, d, &elem_b, t, e) || !align_base((uintptr_t)ptr, t, elem_b, offset_b, e))
        return false;
    *e = cudaErrorInvalidValue;
    if (!width || !height || width > 131072 || height > 65000 || pitch_b > 2097120 ||
        pitch_b % TEXTURE_PITCH_ALIGN_B || pitch_b < width * elem_b)
        return false;
    t->width = width;
    t->height = height;
    t->pitch_b = pitch_b;
    *e = cudaSuccess;
    return true;
}

uint64_t tex_make(struct rt *rt, struct exec_tex *t, const struct tex_mode *m, cudaError_t *e)
{
    *e = cudaErrorInvalidValue;
    if (m->srgb) {
        *e = rt_unsupported(rt, rt->call, "sRGB textures");
        return 0;
    }
    for (int i = 0; i < 3; i++) {
        if ((unsigned)m->address[i] > cudaAddressModeBorder)
            return 0;
        t->address[i] = (uint8_t)m->address[i];
    }
    if ((unsigned)m->filter > cudaFilterModeLinear)
        return 0;
    t->filter = m->filter == cudaFilterModeLinear ? TEX_LINEAR : TEX_POINT;
    t->normalized = m->normalized;
    t->read_normalized = m->read_normalized && t->chan != TEX_CHAN_FLOAT;
    if (t->chan != TEX_CHAN_FLOAT && t->filter == TEX_LINEAR && (!t->read_normalized || t->bits[0] == 32)) {
        *e = cudaErrorInvalidFilterSetting; /* only fractions can be filtered */
        return 0;
    }
    if (t->read_normalized && t->bits[0] == 32) {
        *e = cudaErrorInvalidNormSetting;
        return 0;
    }
    for (int i = 0; i < 4; i++)
        t->border[i] = m->border ? m->border[i] : 0;
    uint64_t h = exec_tex_create(rt->dev, t);
    if (h)
        *e = cudaSuccess;
    return h;
}

static bool place(struct rt *rt, struct exec_tex *t, const struct cudaResourceDesc *r, cudaError_t *e)
{
    *e = cudaErrorInvalidValue;
    switch ((int)r->resType) {
    case cudaResourceTypeArray: {
        const struct rt_array *a = rt_obj_get(rt, r->res.array.array, RK_ARRAY);
        if (!a)
            *e = cudaErrorInvalidResourceHandle;
        return a && tex_from_array(rt, t, a, e);
    }
    case cudaResourceTypeLinear:
        return tex_from_linear(rt, t, r->res.linear.devPtr, &r->res.linear.desc, r->res.linear.sizeInBytes,
                               NULL, e);
    case cudaResourceTypePitch2D:
        return tex_from_pitch2d(rt, t, r->res.pitch2D.devPtr, &r->res.pitch2D.desc, r->res.pitch2D.width,
                                r->res.pitch2D.height, r->res.pitch2D.pitchInBytes, NULL, e);
    case cudaResourceTypeMipmappedArray: *e = rt_unsupported(rt, rt->call, "mipmapped arrays"); return false;
    default: return false;
    }
}

static void remember(struct rt *rt, uint64_t handle, struct object o)
{
    if (!rt->textures)
        rt->textures = xcalloc(1, sizeof *rt->textures);
    struct object *kept = xmalloc(sizeof *kept);
    *kept = o;
    rt_map_put(&rt->textures->objects, handle, kept);
}

static struct object *find(struct rt *rt, uint64_t handle, bool surface)
{
    struct object *o = rt->textures ? rt_map_get(&rt->textures->objects, handle) : NULL;
    return o && o->surface == surface ? o : NULL;
}

/* ---- API ---- */

RT_API cudaError_t cudaCreateTextureObject(cudaTextureObject_t *out, const struct cudaResourceDesc *res,
                                           const struct cudaTextureDesc *desc,
                                           const struct cudaResourceViewDesc *view)
{
    struct rt *rt = rt_enter(__func__);
    struct exec_tex t;
    cudaError_t e = cudaErrorInvalidValue;
    if (!out || !res || !desc)
        return rt_leave(rt, out && res ? cudaErrorInvalidResourceHandle : e);
    if (view)
        return rt_leave(rt, rt_unsupported(rt, __func__, "resource views"));
    if (desc->seamlessCubemap)
        return rt_leave(rt, rt_unsupported(rt, __func__, "seamless cubemaps"));
    if (!place(rt, &t, res, &e))
        return rt_leave(rt, e);
    const struct tex_mode m = {.address = desc->addressMode,
                               .filter = desc->filterMode,
                               .normalized = desc->normalizedCoords != 0,
                               .read_normalized = desc->readMode == cudaReadModeNormalizedFloat,
                               .srgb = desc->sRGB != 0,
                               .border = desc->borderColor};
    uint64_t h = tex_make(rt, &t, &m, &e);
    if (h) {
        remember(rt, h, (struct object){.res = *res, .desc = *desc});
        *out = h;
    }
    return rt_leave(rt, e);
}

static cudaError_t destroy(struct rt *rt, uint64_t h, bool surface)
{
    struct object *o = find(rt, h, surface);
    if (!h)
        return cudaSuccess;
    if (!o)
        return cudaErrorInvalidValue;
    exec_tex_destroy(rt->dev, h);
    rt_map_remove(&rt->textures->objects, h);
    free(o);
    return cudaSuccess;
}

RT_API cudaError_t cudaDestroyTextureObject(cudaTextureObject_t h)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, destroy(rt, h, false));
}

RT_API cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *res, cudaTextureObject_t h)
{
    struct rt *rt = rt_enter(__func__);
    const struct object *o = find(rt, h, false);
    if (o && res)
        *res = o->res;
    return rt_leave(rt, o && res ? cudaSuccess : cudaErrorInvalidValue);
}

RT_API cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *desc, cudaTextureObject_t h)
{
    struct rt *rt = rt_enter(__func__);
    const struct object *o = find(rt, h, false);
    if (o && desc)
        *desc = o->desc;
    return rt_leave(rt, o && desc ? cudaSuccess : cudaErrorInvalidValue);
}

/* No texture has one: views are refused. */
RT_API cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *view,
                                                        cudaTextureObject_t h)
{
    struct rt *rt = rt_enter(__func__);
    (void)view, (void)h;
    return rt_leave(rt, cudaErrorInvalidValue);
}

RT_API cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *out, const struct cudaResourceDesc *res)
{
    struct rt *rt = rt_enter(__func__);
    static const enum cudaTextureAddressMode clamp[3] = {cudaAddressModeClamp, cudaAddressModeClamp,
                                                         cudaAddressModeClamp};
    struct exec_tex t;
    cudaError_t e = cudaErrorInvalidValue;
    if (!out || !res || res->resType != cudaResourceTypeArray) {
        uint32_t elem_b;
        if (out && res && res->resType == cudaResourceTypeLinear &&
            array_format(rt, &res->res.linear.desc, &elem_b, NULL, &e))
            e = cudaErrorInvalidValue; /* the descriptor is looked at first */
        return rt_leave(rt, e);
    }
    const struct rt_array *a = rt_obj_get(rt, res->res.array.array, RK_ARRAY);
    if (!a) /* cudaArraySurfaceLoadStore is not asked for: a GPU does not, either */
        return rt_leave(rt, cudaErrorInvalidResourceHandle);
    if (!tex_from_array(rt, &t, a, &e))
        return rt_leave(rt, e);
    uint64_t h = tex_make(rt, &t, &(struct tex_mode){.address = clamp}, &e);
    if (h) {
        remember(rt, h, (struct object){.res = *res, .surface = true});
        *out = h;
    }
    return rt_leave(rt, e);
}

RT_API cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t h)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, destroy(rt, h, true));
}

RT_API cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *res, cudaSurfaceObject_t h)
{
    struct rt *rt = rt_enter(__func__);
    const struct object *o = find(rt, h, true);
    if (o && res)
        *res = o->res;
    return rt_leave(rt, o && res ? cudaSuccess : cudaErrorInvalidValue);
}
