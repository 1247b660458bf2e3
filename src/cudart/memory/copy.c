/* SPDX-License-Identifier: Apache-2.0 */
/* Copies and fills. Each end is resolved to host memory first, with every row of a device end inside one allocation; then
 * rows are moved. What the program calls a host pointer cannot be checked, except that device memory is none. */
#include "cudart/memory/copy.h"

#include "exec/sanitize/sanitize.h"
#include "trace/write/record.h"

/* The executor's own addresses (exec/memory/memory.c): never memory of the host. */
#define DEVICE_ONLY_BASE 0x200000000000ull
#define DEVICE_ONLY_END RT_HOST_BASE

/* An end as the rows are moved. */
struct side {
    struct rt_array *array; /* NULL: rows at `at` */
    char *at;
    uint64_t pitch_b, slice_b;
    uint64_t x_b, y, z;
    bool device;
    uint64_t addr; /* device: as in the trace */
};

static bool host_address(uint64_t addr)
{
    return addr && (addr < DEVICE_ONLY_BASE || addr >= DEVICE_ONLY_END) && addr < WINDOW_SHARED;
}

static bool is_device(struct rt *rt, const struct rt_end *e)
{
    return e->array || e->var || rt_device_ptr(rt, e->addr, 1) || !host_address(e->addr);
}

/* Bytes from the first to behind the last one; false: overflow. */
static bool span_of(uint64_t pitch, uint64_t slice, uint64_t width, uint64_t height, uint64_t depth,
                    uint64_t *span)
{
    uint64_t rows, slices;
    return !__builtin_mul_overflow(pitch, height - 1, &rows) &&
           !__builtin_mul_overflow(slice, depth - 1, &slices) &&
           !__builtin_add_overflow(rows, slices, span) && !__builtin_add_overflow(*span, width, span);
}

static cudaError_t resolve_var(struct rt *rt, const struct rt_end *e, uint64_t offset, uint64_t span,
                               struct side *s)
{
    uint64_t base, size_b;
    void *host;
    cudaError_t err = rt_var_address(rt, e->var, &base, &size_b, &host);
    if (err)
        return err;
    uint64_t at = e->addr - base + offset;
    if (e->addr < base || at > size_b || span > size_b - at)
        return cudaErrorInvalidValue;
    s->at = (char *)host + at;
    return cudaSuccess;
}

static cudaError_t resolve(struct rt *rt, const struct rt_op *op, const struct rt_end *e, bool device,
                           struct side *s)
{
    uint64_t width = op->copy.width_b, height = op->copy.height, depth = op->copy.depth, span, off;
    *s = (struct side){
        .array = e->array, .x_b = e->x_b, .y = e->y, .z = e->z, .device = device, .addr = e->addr};
    if (e->array && !rt_obj_get(rt, e->array, RK_ARRAY))
        return cudaErrorInvalidValue; /* freed since the copy was captured */
    if (e->array) {
        s->addr = rt_array_address(e->array);
        bool inside = rt_array_row(rt, e->array, e->x_b, e->y + height - 1, e->z + depth - 1, width) != NULL;
        return device && inside ? cudaSuccess : cudaErrorInvalidValue;
    }
    s->pitch_b = e->pitch_b ? e->pitch_b : width;
    s->slice_b = e->slice_b ? e->slice_b : s->pitch_b * height;
    if (height > 1 && (s->pitch_b < width || e->x_b > s->pitch_b - width))
        return cudaErrorInvalidPitchValue;
    if (!span_of(s->pitch_b, s->slice_b, width, height, depth, &span) ||
        !span_of(s->pitch_b, s->slice_b, e->x_b, e->y + 1, e->z + 1, &off) || span >> 48 || off >> 48)
        return cudaErrorInvalidValue;
    if (e->var)
        return device ? resolve_var(rt, e, off, span, s) : cudaErrorInvalidValue;
    s->addr = e->addr + off;
    if (device)
        s->at = rt_device_ptr(rt, s->addr, span);
    else if (host_address(e->addr) && host_address(s->addr))
        s->at = (char *)(uintptr_t)s->addr;
    return s->at ? cudaSuccess : cudaErrorInvalidValue;
}

/* What the kind calls device memory must be that; for what it calls host memory the address decides, as addresses are
 * unified (measured on an H200: a device source with HostToDevice, a device target with HostToHost work). */
static cudaError_t resolve_both(struct rt *rt, const struct rt_op *op, struct side *dst, struct side *src)
{
    enum cudaMemcpyKind k = op->copy.dir;
    bool to = k == cudaMemcpyHostToDevice || k == cudaMemcpyDeviceToDevice;
    bool from = k == cudaMemcpyDeviceToHost || k == cudaMemcpyDeviceToDevice;
    if ((unsigned)k > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    to |= is_device(rt, &op->copy.dst);
    from |= is_device(rt, &op->copy.src);
    cudaError_t e = resolve(rt, op, &op->copy.dst, to, dst);
    return e ? e : resolve(rt, op, &op->copy.src, from, src);
}

static bool is_empty(const struct rt_op *op)
{
    return !op->copy.width_b || !op->copy.height || !op->copy.depth;
}

cudaError_t copy_check(struct rt *rt, const struct rt_op *op)
{
    struct side dst, src;
    return is_empty(op) ? cudaSuccess : resolve_both(rt, op, &dst, &src);
}

static char *row(struct rt *rt, const struct side *s, uint64_t y, uint64_t z, uint64_t width)
{
    if (s->array)
        return rt_array_row(rt, s->array, s->x_b, s->y + y, s->z + z, width);
    return s->at + y * s->pitch_b + z * s->slice_b;
}

static void record(struct rt *rt, struct rt_stream *s, const struct side *dst, const struct side *src,
                   uint64_t bytes)
{
    if (dst->device)
        tr_record_copy(rt->rec, src->device ? TRC_ON_DEVICE : TRC_TO_DEVICE, s->id, dst->addr, bytes);
    else if (src->device)
        tr_record_copy(rt->rec, TRC_TO_HOST, s->id, src->addr, bytes);
}

cudaError_t copy_execute(struct rt *rt, struct rt_stream *s, const struct rt_op *op)
{
    struct side dst, src;
    uint64_t width = op->copy.width_b, height = op->copy.height, depth = op->copy.depth;
    if (is_empty(op))
        return cudaSuccess;
    cudaError_t e = resolve_both(rt, op, &dst, &src);
    if (e)
        return e;
    bool dense = !dst.array && !src.array && dst.pitch_b == width && src.pitch_b == width;
    if (dense && (depth == 1 || (dst.slice_b == width * height && src.slice_b == width * height))) {
        memmove(dst.at, src.at, width * height * depth);
    } else {
        for (uint64_t z = 0; z < depth; z++) {
            for (uint64_t y = 0; y < height; y++)
                memmove(row(rt, &dst, y, z, width), row(rt, &src, y, z, width), width);
        }
    }
    record(rt, s, &dst, &src, width * height * depth);
    for (uint64_t z = 0; rt->cfg.check && dst.device && !dst.array && z < depth; z++)
        for (uint64_t y = 0; y < height; y++)
            exec_check_wrote(rt->dev, dst.addr + y * dst.pitch_b + z * dst.slice_b, width);
    return cudaSuccess;
}

/* ---- fills ---- */

static cudaError_t set_target(struct rt *rt, const struct rt_op *op, char **at)
{
    uint64_t width, pitch = op->set.pitch_b, span;
    if (op->set.elem_b != 1 && op->set.elem_b != 2 && op->set.elem_b != 4)
        return cudaErrorInvalidValue;
    if (__builtin_mul_overflow(op->set.width, (uint64_t)op->set.elem_b, &width) ||
        op->set.addr % op->set.elem_b)
        return cudaErrorInvalidValue;
    pitch = pitch ? pitch : width;
    if (op->set.height > 1 && pitch < width)
        return cudaErrorInvalidValue;
    uint64_t slice = op->set.slice_b ? op->set.slice_b : pitch * op->set.height;
    if (!span_of(pitch, slice, width, op->set.height, op->set.depth, &span))
        return cudaErrorInvalidValue;
    *at = rt_device_ptr(rt, op->set.addr, span);
    return *at ? cudaSuccess : cudaErrorInvalidValue;
}

static bool set_is_empty(const struct rt_op *op)
{
    return !op->set.width || !op->set.height || !op->set.depth;
}

cudaError_t set_check(struct rt *rt, const struct rt_op *op)
{
    char *at;
    return set_is_empty(op) ? cudaSuccess : set_target(rt, op, &at);
}

static void fill(char *at, uint32_t value, uint32_t elem_b, uint64_t n)
{
    if (elem_b == 1) {
        memset(at, (int)value, n);
        return;
    }
    for (uint64_t i = 0; i < n; i++)
        memcpy(at + i * elem_b, &value, elem_b); /* both sides little-endian */
}

cudaError_t set_execute(struct rt *rt, struct rt_stream *s, const struct rt_op *op)
{
    char *at;
    uint64_t width = op->set.width, height = op->set.height, depth = op->set.depth;
    if (set_is_empty(op))
        return cudaSuccess;
    cudaError_t e = set_target(rt, op, &at);
    if (e)
        return e;
    uint64_t pitch = op->set.pitch_b ? op->set.pitch_b : width * op->set.elem_b;
    uint64_t slice = op->set.slice_b ? op->set.slice_b : pitch * height;
    for (uint64_t z = 0; z < depth; z++) {
        for (uint64_t y = 0; y < height; y++) {
            fill(at + y * pitch + z * slice, op->set.value, op->set.elem_b, width);
            exec_check_wrote(rt->dev, op->set.addr + y * pitch + z * slice, width * op->set.elem_b);
        }
    }
    tr_record_copy(rt->rec, TRC_SET, s->id, op->set.addr, width * op->set.elem_b * height * depth);
    return cudaSuccess;
}
