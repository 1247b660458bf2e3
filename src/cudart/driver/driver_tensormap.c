/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: tensor maps. CUtensorMap is opaque to programs; exec/memory/tensormap.h says what is in it here. What CUDA refuses
 * is refused with its code, what only this stand-in cannot do with CUDA_ERROR_NOT_SUPPORTED and a message. */
#include "cudart/driver/driver.h"
#include "exec/memory/tensormap.h"

_Static_assert(sizeof(CUtensorMap) == TMAP_B && _Alignof(CUtensorMap) == 128, "as CUDA has it");
_Static_assert((int)CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ == TMAP_TFLOAT32_FTZ, "types are numbered alike");
_Static_assert((int)CU_TENSOR_MAP_SWIZZLE_128B == TMAP_SWIZZLE_128, "swizzles too");

/* The arguments of cuTensorMapEncodeTiled. */
struct tiled {
    CUtensorMap *map;
    CUtensorMapDataType type;
    uint32_t rank;
    void *base;
    const cuuint64_t *size, *stride_b;
    const cuuint32_t *box, *step;
    CUtensorMapInterleave interleave;
    CUtensorMapSwizzle swizzle;
    CUtensorMapL2promotion promotion;
    CUtensorMapFloatOOBfill fill;
};

static bool in_range(const struct tiled *a)
{
    return (unsigned)a->type <= CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B &&
           (unsigned)a->interleave <= CU_TENSOR_MAP_INTERLEAVE_32B &&
           (unsigned)a->swizzle <= CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B &&
           (unsigned)a->promotion <= CU_TENSOR_MAP_L2_PROMOTION_L2_256B &&
           (unsigned)a->fill <= CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
}

/* NULL, or what CUDA has and the executor has not. */
static const char *missing(const struct tiled *a)
{
    if (a->type > CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ)
        return "packed types of 4 and 6 bits";
    if (a->interleave != CU_TENSOR_MAP_INTERLEAVE_NONE)
        return a->interleave == CU_TENSOR_MAP_INTERLEAVE_16B ? "CU_TENSOR_MAP_INTERLEAVE_16B"
                                                             : "CU_TENSOR_MAP_INTERLEAVE_32B";
    return a->swizzle > CU_TENSOR_MAP_SWIZZLE_128B ? "swizzles with atoms of 32 and 64 bytes" : NULL;
}

static bool aligned(const void *p, unsigned n) { return (uintptr_t)p % n == 0; }

/* What each dimension asks: CUDA driver API, cuTensorMapEncodeTiled. */
static bool dims_ok(const struct tiled *a)
{
    const uint64_t max_size = 1ull << 32, max_stride = 1ull << 40;
    for (uint32_t d = 0; d < a->rank; d++) {
        if (!a->size[d] || a->size[d] > max_size || !a->box[d] || a->box[d] > TMAP_BOX || !a->step[d] ||
            a->step[d] > TMAP_STEP)
            return false;
        if (d && (a->stride_b[d - 1] % 16 || a->stride_b[d - 1] >= max_stride))
            return false;
    }
    return true;
}

static bool box_ok(const struct tiled *a)
{
    static const uint32_t spans[] = {UINT32_MAX, 32, 64, 128};
    uint32_t row_b = a->box[0] * tmap_types[a->type].bytes;
    bool nan = a->fill == CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
    return row_b % 16 == 0 && row_b <= spans[a->swizzle] && (!nan || tmap_types[a->type].nan);
}

static cudaError_t encode(const struct tiled *a)
{
    struct rt *rt = rt_enter("cuTensorMapEncodeTiled");
    if (!a->map || !aligned(a->map, 32) || !in_range(a) || !a->rank || a->rank > TMAP_DIMS ||
        !aligned(a->base, 16) || !a->size || (a->rank > 1 && !a->stride_b) || !a->box || !a->step)
        return rt_leave(rt, cudaErrorInvalidValue);
    const char *what = missing(a);
    if (what)
        return rt_leave(rt, rt_unsupported(rt, rt->call, what));
    if (!dims_ok(a) || !box_ok(a))
        return rt_leave(rt, cudaErrorInvalidValue);
    struct tmap m = {.base = (uintptr_t)a->base,
                     .type = (uint8_t)a->type,
                     .rank = (uint8_t)a->rank,
                     .swizzle = (uint8_t)a->swizzle,
                     .nan_fill = a->fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE};
    for (uint32_t d = 0; d < TMAP_DIMS; d++) {
        bool has = d < a->rank;
        m.size[d] = has ? a->size[d] : 1;
        m.box[d] = has ? a->box[d] : 1;
        m.step[d] = has && d ? a->step[d] : 1; /* CUDA: that of the innermost dimension is ignored */
        m.stride_b[d] = has && d ? a->stride_b[d - 1] : 0;
    }
    tmap_pack(&m, a->map);
    return rt_leave(rt, cudaSuccess);
}

RT_API CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank,
                                       void *base, const cuuint64_t *size, const cuuint64_t *stride_b,
                                       const cuuint32_t *box, const cuuint32_t *step,
                                       CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                       CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill)
{
    const struct tiled a = {map, type, rank,       base,    size,      stride_b,
                            box, step, interleave, swizzle, promotion, fill};
    return DRV_CALL(DRV_INIT, encode(&a));
}

static cudaError_t replace(CUtensorMap *map, void *base)
{
    struct rt *rt = rt_enter("cuTensorMapReplaceAddress");
    struct tmap m;
    if (!map || !base || !aligned(base, 16) || !tmap_unpack(map, &m))
        return rt_leave(rt, cudaErrorInvalidValue);
    m.base = (uintptr_t)base;
    tmap_pack(&m, map);
    return rt_leave(rt, cudaSuccess);
}

RT_API CUresult cuTensorMapReplaceAddress(CUtensorMap *map, void *base)
{
    return DRV_CALL(DRV_INIT, replace(map, base));
}

static cudaError_t refuse(const char *name)
{
    struct rt *rt = rt_enter(name);
    return rt_leave(rt, rt_unsupported(rt, name, NULL));
}

RT_API CUresult cuTensorMapEncodeIm2col(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank,
                                        void *base, const cuuint64_t *size, const cuuint64_t *stride_b,
                                        const int *lower, const int *upper, cuuint32_t channels,
                                        cuuint32_t pixels, const cuuint32_t *step,
                                        CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                        CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill)
{
    (void)map, (void)type, (void)rank, (void)base, (void)size, (void)stride_b, (void)lower, (void)upper;
    (void)channels, (void)pixels, (void)step, (void)interleave, (void)swizzle, (void)promotion, (void)fill;
    return DRV_CALL(DRV_INIT, refuse("cuTensorMapEncodeIm2col"));
}

RT_API CUresult cuTensorMapEncodeIm2colWide(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank,
                                            void *base, const cuuint64_t *size, const cuuint64_t *stride_b,
                                            int lower, int upper, cuuint32_t channels, cuuint32_t pixels,
                                            const cuuint32_t *step, CUtensorMapInterleave interleave,
                                            CUtensorMapIm2ColWideMode mode, CUtensorMapSwizzle swizzle,
                                            CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill)
{
    (void)map, (void)type, (void)rank, (void)base, (void)size, (void)stride_b, (void)lower, (void)upper;
    (void)channels, (void)pixels, (void)step, (void)interleave, (void)mode, (void)swizzle, (void)promotion,
        (void)fill;
    return DRV_CALL(DRV_INIT, refuse("cuTensorMapEncodeIm2colWide"));
}
