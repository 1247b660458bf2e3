/* Hopper's asynchronous units in inline PTX (sm_90a): barrier objects in shared memory, bulk copies of boxes that tensor maps describe,
 * products of a warp group. All matrices are halves, in shared memory in rows of 64 (128 bytes) that are swizzled. */
#ifndef HOPPER_H
#define HOPPER_H

#include "tensor.h"
#include <cuda.h>

#define LINE 64            /* halves in a row */
#define LINE_B (LINE * 2)
#define GROUP_THREADS 128  /* of a warp group */
#define ROWS_OF_GROUP 64   /* of a product */

/* ---- barrier objects ---- */

__device__ __forceinline__ void object_init(unsigned object, unsigned arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(object), "r"(arrivals) : "memory");
}

/* What was initialised is seen by the copy engine; a barrier of the CTA must follow. */
__device__ __forceinline__ void objects_ready()
{
    asm volatile("fence.mbarrier_init.release.cluster;\nfence.proxy.async.shared::cta;" ::: "memory");
}

__device__ __forceinline__ void object_arrive(unsigned object)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(object) : "memory");
}

__device__ __forceinline__ void object_expect(unsigned object, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(object), "r"(bytes) : "memory");
}

__device__ __forceinline__ void object_wait(unsigned object, unsigned parity)
{
    asm volatile("{\n.reg .pred over;\n"
                 "AGAIN: mbarrier.try_wait.parity.shared::cta.b64 over, [%0], %1;\n"
                 "@over bra.uni OVER;\nbra.uni AGAIN;\nOVER:\n}" ::"r"(object),
                 "r"(parity)
                 : "memory");
}

/* Stages that are filled and emptied in turn: each has an object that says full and one that says empty, side by side. */
struct turn {
    unsigned stage, parity;
    __device__ __forceinline__ void next(unsigned stages)
    {
        if (++stage == stages)
            stage = 0, parity ^= 1;
    }
};

/* ---- copies ---- */

__device__ __forceinline__ void copy_box(unsigned to, const CUtensorMap *map, int x, int y, unsigned object)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(to),
                 "l"(map), "r"(object), "r"(x), "r"(y)
                 : "memory");
}

__device__ __forceinline__ void copy_box(unsigned to, const CUtensorMap *map, int x, int y, int z, unsigned object)
{
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], [%2];" ::"r"(to),
        "l"(map), "r"(object), "r"(x), "r"(y), "r"(z)
        : "memory");
}

__device__ __forceinline__ void store_box(const CUtensorMap *map, int x, int y, unsigned from)
{
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(map), "r"(from), "r"(x), "r"(y)
                 : "memory");
}

/* Until shared memory has been read: a CTA that ends sooner would take it away. */
__device__ __forceinline__ void stores_read()
{
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;" ::: "memory");
}

/* Stores of the threads before are seen by copies and products after; a barrier must follow. */
__device__ __forceinline__ void shared_written() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

/* ---- products of a warp group ---- */

/* Rows of k's: 64 of them are a line, 8 lines an atom of 1,024 bytes, atoms one after the other. The next 16 are 32 bytes on. */
__device__ __forceinline__ uint64_t along_k(unsigned at)
{
    return (uint64_t)(at >> 4 & 0x3fff) | 1ull << 16 | (uint64_t)(1024 >> 4) << 32 | 1ull << 62;
}

/* Lines of 64 columns, a line for every k; the next 64 columns are `next` bytes on, the next 16 k's 2,048. */
__device__ __forceinline__ uint64_t along_columns(unsigned at, unsigned next)
{
    return (uint64_t)(at >> 4 & 0x3fff) | (uint64_t)(next >> 4) << 16 | (uint64_t)(1024 >> 4) << 32 | 1ull << 62;
}

#define K_STEP (KPIECE * 2 >> 4)         /* to the next 16 k's, in the descriptor of rows of k's */
#define COLUMNS_STEP (KPIECE * LINE_B >> 4) /* in that of lines of columns */

__device__ __forceinline__ void products_begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void products_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int PENDING> __device__ __forceinline__ void products_wait()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(PENDING) : "memory");
}

#define SUM4(s, i) "+f"(s[i]), "+f"(s[i + 1]), "+f"(s[i + 2]), "+f"(s[i + 3])
#define SUM16(s, i) SUM4(s, i), SUM4(s, i + 4), SUM4(s, i + 8), SUM4(s, i + 12)
#define SUM32(s, i) SUM16(s, i), SUM16(s, i + 16)
#define WGMMA(n, add) "{\n.reg .pred add;\nsetp.ne.b32 add, " add ", 0;\nwgmma.mma_async.sync.aligned.m64n" n "k16.f32.f16.f16 "
#define SUMS_32                                                                                              \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15" ", "  \
    "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define SUMS_64 SUMS_32 ", "                                                                                 \
    "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47" ", "  \
    "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define SUMS_128 SUMS_64 ", "                                                                                \
    "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79" ", "  \
    "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95" ", "  \
    "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111" ", "  \
    "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"

/* 64 x 256 += A (rows of k's) times B (lines of columns); not `add`: the sums begin here. */
__device__ __forceinline__ void multiply_64_256(float (&s)[128], uint64_t a, uint64_t b, int add)
{
    asm volatile(WGMMA("256", "%130") "{" SUMS_128 "}, %128, %129, add, 1, 1, 0, 1;\n}"
                 : SUM32(s, 0), SUM32(s, 32), SUM32(s, 64), SUM32(s, 96)
                 : "l"(a), "l"(b), "r"(add));
}

/* 64 x 128 += A times B, both rows of k's. */
__device__ __forceinline__ void multiply_64_128(float (&s)[64], uint64_t a, uint64_t b, int add)
{
    asm volatile(WGMMA("128", "%66") "{" SUMS_64 "}, %64, %65, add, 1, 1, 0, 0;\n}"
                 : SUM32(s, 0), SUM32(s, 32)
                 : "l"(a), "l"(b), "r"(add));
}

/* 64 x 64 += A, a fragment in registers, times B (lines of columns). */
__device__ __forceinline__ void multiply_64_64(float (&s)[32], const unsigned *a, uint64_t b, int add)
{
    asm volatile(WGMMA("64", "%37") "{" SUMS_32 "}, {%32, %33, %34, %35}, %36, add, 1, 1, 1;\n}"
                 : SUM32(s, 0)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
}

/* 64 columns of the sums (8 registers for every 16 columns), times `low` in rows 0 to 7 of the warp's 16 and `high` in the others, to shared
 * memory as halves: the group's 64 rows of a box. */
__device__ __forceinline__ void put_sums(unsigned to, const float *s, float low, float high)
{
    int lane = threadIdx.x % 32, row = threadIdx.x % GROUP_THREADS / 32 * 16 + lane % 16;
#pragma unroll
    for (int j = 0; j < LINE / 16; j++, s += 8) {
        unsigned at = to + row * LINE_B + ((j * 2 + lane / 16) ^ row % 8) * 16;
        asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(at), "r"(pack_halves(s[0] * low, s[1] * low)),
                     "r"(pack_halves(s[2] * high, s[3] * high)), "r"(pack_halves(s[4] * low, s[5] * low)),
                     "r"(pack_halves(s[6] * high, s[7] * high))
                     : "memory");
    }
}

/* ---- warps ---- */

template <int REGISTERS> __device__ __forceinline__ void give_registers()
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(REGISTERS));
}
template <int REGISTERS> __device__ __forceinline__ void take_registers()
{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(REGISTERS));
}

/* Barriers of so many threads of the CTA; 0 is __syncthreads'. */
__device__ __forceinline__ void meet(int barrier, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}
__device__ __forceinline__ void pass(int barrier, int threads)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

/* ---- tensor maps ---- */

/* Of halves, boxes swizzled. stride[i]: bytes to the next in dimension i + 1. */
static inline CUtensorMap tensor_map(void *base, int rank, const cuuint64_t *dim, const cuuint64_t *stride, const cuuint32_t *box)
{
    typedef CUresult encoder(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
                             const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion,
                             CUtensorMapFloatOOBfill);
    static const cuuint32_t one[] = {1, 1, 1, 1, 1};
    encoder *encode;
    cudaDriverEntryPointQueryResult found;
    CUtensorMap map;
    CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void **)&encode, 12000, cudaEnableDefault, &found));
    if (found != cudaDriverEntryPointSuccess ||
        encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, rank, base, dim, stride, box, one, CU_TENSOR_MAP_INTERLEAVE_NONE,
               CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS) {
        fprintf(stderr, "no tensor map could be made\n");
        exit(1);
    }
    return map;
}

/* A matrix of `rows` rows of so many halves, boxes of LINE by box_rows. */
static inline CUtensorMap matrix_map(void *base, int columns, int rows, int box_rows)
{
    const cuuint64_t dim[] = {(cuuint64_t)columns, (cuuint64_t)rows}, stride[] = {(cuuint64_t)columns * 2};
    const cuuint32_t box[] = {LINE, (cuuint32_t)box_rows};
    return tensor_map(base, 2, dim, stride, box);
}

#endif
/* SPDX-License-Identifier: Apache-2.0 */
