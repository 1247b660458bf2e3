/* SPDX-License-Identifier: Apache-2.0 */
/* Copies between arrays and memory, by bytes in a row. */
#include "cudart/memory/copy.h"
#include "cudart/texture/array.h"

static struct rt_end in_array(struct rt_array *a, uint64_t x_b, uint64_t y)
{
    return (struct rt_end){.array = a, .x_b = x_b, .y = y};
}

static struct rt_end in_memory(const void *p, uint64_t pitch_b)
{
    return (struct rt_end){.addr = (uintptr_t)p, .pitch_b = pitch_b};
}

static cudaError_t rows(struct rt *rt, struct rt_end dst, struct rt_end src, size_t width, size_t height,
                        enum cudaMemcpyKind kind, cudaStream_t stream, bool wait)
{
    struct rt_op op = {
        .kind = RO_COPY,
        .copy = {.dst = dst, .src = src, .width_b = width, .height = height, .depth = 1, .dir = kind}};
    return copy_submit(rt, stream, &op, wait);
}

/* An array is the device's. */
static bool kind_ok(enum cudaMemcpyKind kind, bool to_array)
{
    return kind == cudaMemcpyDefault || kind == cudaMemcpyDeviceToDevice ||
           kind == (to_array ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost);
}

/* ---- rectangles ---- */

static cudaError_t to_array(const char *name, cudaArray_t dst, size_t x, size_t y, const void *src,
                            size_t pitch, size_t width, size_t height, enum cudaMemcpyKind kind,
                            cudaStream_t stream, bool wait)
{
    struct rt *rt = rt_enter(name);
    struct rt_array *a = rt_obj_get(rt, dst, RK_ARRAY);
    if (!a)
        return rt_leave(rt, cudaErrorInvalidValue);
    if (pitch < width || !kind_ok(kind, true))
        return rt_leave(rt, pitch < width ? cudaErrorInvalidValue : cudaErrorInvalidMemcpyDirection);
    return rows(rt, in_array(a, x, y), in_memory(src, pitch), width, height, kind, stream, wait);
}

static cudaError_t from_array(const char *name, void *dst, size_t pitch, cudaArray_const_t src, size_t x,
                              size_t y, size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream, bool wait)
{
    struct rt *rt = rt_enter(name);
    struct rt_array *a = rt_obj_get(rt, src, RK_ARRAY);
    if (!a)
        return rt_leave(rt, cudaErrorInvalidValue);
    if (pitch < width || !kind_ok(kind, false))
        return rt_leave(rt, pitch < width ? cudaErrorInvalidValue : cudaErrorInvalidMemcpyDirection);
    return rows(rt, in_memory(dst, pitch), in_array(a, x, y), width, height, kind, stream, wait);
}

RT_API cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t pitch,
                                       size_t width, size_t height, enum cudaMemcpyKind kind)
{
    return to_array(__func__, dst, x, y, src, pitch, width, height, kind, NULL, true);
}

RT_API cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src,
                                            size_t pitch, size_t width, size_t height,
                                            enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return to_array(__func__, dst, x, y, src, pitch, width, height, kind, stream, false);
}

RT_API cudaError_t cudaMemcpy2DFromArray(void *dst, size_t pitch, cudaArray_const_t src, size_t x, size_t y,
                                         size_t width, size_t height, enum cudaMemcpyKind kind)
{
    return from_array(__func__, dst, pitch, src, x, y, width, height, kind, NULL, true);
}

RT_API cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t pitch, cudaArray_const_t src, size_t x,
                                              size_t y, size_t width, size_t height, enum cudaMemcpyKind kind,
                                              cudaStream_t stream)
{
    return from_array(__func__, dst, pitch, src, x, y, width, height, kind, stream, false);
}

RT_API cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t dst_x, size_t dst_y,
                                            cudaArray_const_t src, size_t src_x, size_t src_y, size_t width,
                                            size_t height, enum cudaMemcpyKind kind)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_array *d = rt_obj_get(rt, dst, RK_ARRAY), *s = rt_obj_get(rt, src, RK_ARRAY);
    if (!d || !s)
        return rt_leave(rt, cudaErrorInvalidValue);
    return rows(rt, in_array(d, dst_x, dst_y), in_array(s, src_x, src_y), width, height, kind, NULL, true);
}

/* ---- runs ---- of bytes that start inside a row and go on in the rows below, as the old functions have them */

struct run {
    struct rt_array *a;
    uint64_t x_b, y;
};

/* Bytes to the end of the row, or whole rows from a row's start. */
static uint64_t piece(const struct run *r, uint64_t left, uint64_t *height)
{
    uint64_t row_b = r->a->extent.width * r->a->elem_b;
    *height = 1;
    if (r->x_b == 0 && left >= row_b) {
        *height = left / row_b;
        return row_b;
    }
    return left < row_b - r->x_b ? left : row_b - r->x_b;
}

static void advance(struct run *r, uint64_t width_b, uint64_t height)
{
    r->y += height;
    r->x_b += width_b;
    if (r->x_b < r->a->extent.width * r->a->elem_b)
        r->y -= height;
    else
        r->x_b = 0;
}

static cudaError_t run(const char *name, struct rt *rt, cudaArray_const_t array, size_t x, size_t y,
                       const void *memory, size_t size, bool to, enum cudaMemcpyKind kind,
                       cudaStream_t stream, bool wait)
{
    struct run r = {rt_obj_get(rt, array, RK_ARRAY), x, y};
    cudaError_t e = cudaSuccess;
    if (!r.a || x >= r.a->extent.width * r.a->elem_b)
        return rt_leave(rt, cudaErrorInvalidValue);
    if (!kind_ok(kind, to))
        return rt_leave(rt, cudaErrorInvalidMemcpyDirection);
    for (const char *at = memory; size && e == cudaSuccess;) {
        uint64_t height, width = piece(&r, size, &height);
        struct rt_end a = in_array(r.a, r.x_b, r.y), m = in_memory(at, width);
        rt_enter(name);
        e = rows(rt, to ? a : m, to ? m : a, width, height, kind, stream, wait);
        advance(&r, width, height);
        at += width * height;
        size -= width * height;
    }
    return rt_leave(rt, e);
}

RT_API cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t size,
                                     enum cudaMemcpyKind kind)
{
    return run(__func__, rt_enter(__func__), dst, x, y, src, size, true, kind, NULL, true);
}

RT_API cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src, size_t size,
                                          enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return run(__func__, rt_enter(__func__), dst, x, y, src, size, true, kind, stream, false);
}

RT_API cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t x, size_t y, size_t size,
                                       enum cudaMemcpyKind kind)
{
    return run(__func__, rt_enter(__func__), src, x, y, dst, size, false, kind, NULL, true);
}

RT_API cudaError_t cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src, size_t x, size_t y, size_t size,
                                            enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return run(__func__, rt_enter(__func__), src, x, y, dst, size, false, kind, stream, false);
}

/* Both ends may break their rows at different places: the shorter piece decides. */
RT_API cudaError_t cudaMemcpyArrayToArray(cudaArray_t dst, size_t dst_x, size_t dst_y, cudaArray_const_t src,
                                          size_t src_x, size_t src_y, size_t size, enum cudaMemcpyKind kind)
{
    struct rt *rt = rt_enter(__func__);
    struct run d = {rt_obj_get(rt, dst, RK_ARRAY), dst_x, dst_y},
               s = {rt_obj_get(rt, src, RK_ARRAY), src_x, src_y};
    cudaError_t e = cudaSuccess;
    if (!d.a || !s.a || dst_x >= d.a->extent.width * d.a->elem_b || src_x >= s.a->extent.width * s.a->elem_b)
        return rt_leave(rt, cudaErrorInvalidValue);
    while (size && e == cudaSuccess) {
        uint64_t hd, hs, wd = piece(&d, size, &hd), ws = piece(&s, size, &hs);
        uint64_t width = wd < ws ? wd : ws, height = wd == ws && hd == hs ? hd : 1;
        rt_enter(__func__);
        e = rows(rt, in_array(d.a, d.x_b, d.y), in_array(s.a, s.x_b, s.y), width, height, kind, NULL, true);
        advance(&d, width, height);
        advance(&s, width, height);
        size -= width * height;
    }
    return rt_leave(rt, e);
}
