/* SPDX-License-Identifier: Apache-2.0 */
/* Texture and surface references (CUDA up to 11): a variable of the module that a host structure of the same name describes.
 * Binding makes a texture of the structure's fields as they are then, and puts its handle into the variable. */
#include "cudart/texture/texture.h"

static struct rt_var *find(struct rt *rt, const void *ref, cudaError_t *e)
{
    struct rt_var *v = rt_var_find(rt, ref);
    *e = cudaErrorInvalidTexture;
    if (!v || !v->texture)
        return NULL;
    *e = rt_module_ready(rt, v->module);
    return *e == cudaSuccess ? v : NULL;
}

static cudaError_t put(struct rt *rt, struct rt_var *v, uint64_t handle)
{
    if (!exec_module_bind_tex(v->module->exec, v->name, handle)) {
        exec_tex_destroy(rt->dev, handle);
        return cudaErrorInvalidTexture;
    }
    exec_tex_destroy(rt->dev, v->bound);
    v->bound = handle;
    return cudaSuccess;
}

static cudaError_t bind(struct rt *rt, const struct textureReference *ref, struct rt_var *v,
                        struct exec_tex *t, size_t offset_b)
{
    const struct tex_mode m = {.address = ref->addressMode,
                               .filter = ref->filterMode,
                               .normalized = ref->normalized != 0,
                               .read_normalized = v->normalized_read,
                               .srgb = ref->sRGB != 0};
    cudaError_t e;
    uint64_t h = tex_make(rt, t, &m, &e);
    if (!h)
        return e;
    v->bound_offset = offset_b;
    return put(rt, v, h);
}

RT_API cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *ref, const void *ptr,
                                   const struct cudaChannelFormatDesc *desc, size_t size)
{
    struct rt *rt = rt_enter(__func__);
    struct exec_tex t;
    size_t off = 0;
    cudaError_t e;
    struct rt_var *v = find(rt, ref, &e);
    if (!v)
        return rt_leave(rt, e);
    if (!desc || !ptr)
        return rt_leave(rt, cudaErrorInvalidValue);
    if (!tex_from_linear(rt, &t, ptr, desc, size, offset ? &off : NULL, &e))
        return rt_leave(rt, e);
    if (offset)
        *offset = off;
    return rt_leave(rt, bind(rt, ref, v, &t, off));
}

RT_API cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *ref, const void *ptr,
                                     const struct cudaChannelFormatDesc *desc, size_t width, size_t height,
                                     size_t pitch)
{
    struct rt *rt = rt_enter(__func__);
    struct exec_tex t;
    size_t off = 0;
    cudaError_t e;
    struct rt_var *v = find(rt, ref, &e);
    if (!v)
        return rt_leave(rt, e);
    if (!desc || !ptr)
        return rt_leave(rt, cudaErrorInvalidValue);
    if (!tex_from_pitch2d(rt, &t, ptr, desc, width, height, pitch, offset ? &off : NULL, &e))
        return rt_leave(rt, e);
    if (offset)
        *offset = off;
    return rt_leave(rt, bind(rt, ref, v, &t, off));
}

RT_API cudaError_t cudaBindTextureToArray(const struct textureReference *ref, cudaArray_const_t array,
                                          const struct cudaChannelFormatDesc *desc)
{
    struct rt *rt = rt_enter(__func__);
    const struct rt_array *a = rt_obj_get(rt, array, RK_ARRAY);
    struct exec_tex t;
    cudaError_t e;
    struct rt_var *v = find(rt, ref, &e);
    if (!v)
        return rt_leave(rt, e);
    if (!a || !desc || memcmp(desc, &a->desc, sizeof *desc) != 0)
        return rt_leave(rt, a && desc ? cudaErrorInvalidChannelDescriptor : cudaErrorInvalidValue);
    if (!tex_from_array(rt, &t, a, &e))
        return rt_leave(rt, e);
    return rt_leave(rt, bind(rt, ref, v, &t, 0));
}

RT_API cudaError_t cudaBindTextureToMipmappedArray(const struct textureReference *ref,
                                                   cudaMipmappedArray_const_t mipmap,
                                                   const struct cudaChannelFormatDesc *desc)
{
    struct rt *rt = rt_enter(__func__);
    (void)ref, (void)mipmap, (void)desc;
    return rt_leave(rt, rt_unsupported(rt, __func__, NULL));
}

RT_API cudaError_t cudaUnbindTexture(const struct textureReference *ref)
{
    struct rt *rt = rt_enter(__func__);
    cudaError_t e;
    struct rt_var *v = find(rt, ref, &e);
    return rt_leave(rt, v ? put(rt, v, 0) : e);
}

RT_API cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *ref)
{
    struct rt *rt = rt_enter(__func__);
    cudaError_t e;
    const struct rt_var *v = find(rt, ref, &e);
    if (!v)
        return rt_leave(rt, e);
    if (!offset || !v->bound)
        return rt_leave(rt, offset ? cudaErrorInvalidTextureBinding : cudaErrorInvalidValue);
    *offset = v->bound_offset;
    return rt_leave(rt, cudaSuccess);
}

RT_API cudaError_t cudaGetTextureReference(const struct textureReference **ref, const void *symbol)
{
    struct rt *rt = rt_enter(__func__);
    cudaError_t e;
    const struct rt_var *v = find(rt, symbol, &e);
    if (v && ref)
        *ref = v->host;
    return rt_leave(rt, !v ? e : ref ? cudaSuccess : cudaErrorInvalidValue);
}

/* ---- surfaces ---- */

RT_API cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *ref, cudaArray_const_t array,
                                          const struct cudaChannelFormatDesc *desc)
{
    static const enum cudaTextureAddressMode clamp[3] = {cudaAddressModeClamp, cudaAddressModeClamp,
                                                         cudaAddressModeClamp};
    struct rt *rt = rt_enter(__func__);
    const struct rt_array *a = rt_obj_get(rt, array, RK_ARRAY);
    struct exec_tex t;
    cudaError_t e;
    struct rt_var *v = find(rt, ref, &e);
    if (!v)
        return rt_leave(rt, cudaErrorInvalidSurface);
    if (!a || !desc || !(a->flags & cudaArraySurfaceLoadStore))
        return rt_leave(rt, cudaErrorInvalidValue);
    if (!tex_from_array(rt, &t, a, &e))
        return rt_leave(rt, e);
    uint64_t h = tex_make(rt, &t, &(struct tex_mode){.address = clamp}, &e);
    return rt_leave(rt, h ? put(rt, v, h) : e);
}

RT_API cudaError_t cudaGetSurfaceReference(const struct surfaceReference **ref, const void *symbol)
{
    struct rt *rt = rt_enter(__func__);
    cudaError_t e;
    const struct rt_var *v = find(rt, symbol, &e);
    if (v && ref)
        *ref = v->host;
    return rt_leave(rt, !v ? cudaErrorInvalidSurface : ref ? cudaSuccess : cudaErrorInvalidValue);
}
