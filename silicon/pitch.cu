/* Tiles of matrices, by the pitch of their rows: each warp reads rows of 128 bytes (four rows an instruction, 16 bytes a lane), `along`: the
 * next 128 bytes of the same rows in its next step, as a product along k does; `down`: the next rows. What is read was never read before, or
 * lies in L2. `copy`: the same by cp.async, two steps on their way; `box`: by tensor copies of 64 rows, so many on their way.
 * Units are steps (8 KiB for a CTA). Usage: pitch [GROUP [ROW]] */
#include "rows.h"
#include <cuda.h>
#include <cstdint>

enum { ROW_B = 128, TILE_ROWS = 64, TILE_B = ROW_B * TILE_ROWS, THREADS = 128 };

static constexpr size_t DATA_B = (size_t)4 << 30;

/* Where step i of a CTA begins: blocks of rows go round the matrix, then on to its next columns. All sizes are powers of two. */
static __device__ void place(unsigned pitch, unsigned i, bool along, unsigned block, unsigned blocks, unsigned *x, unsigned *y)
{
    unsigned across = 31 - __clz(pitch / ROW_B), high = 31 - __clz((unsigned)(DATA_B / TILE_B)) - across;
    unsigned b = along ? block + (i >> across) * blocks : block + i * blocks;
    *x = (along ? i : b >> high) & ((1u << across) - 1);
    *y = (b & ((1u << high) - 1)) * TILE_ROWS;
}

__global__ void tiles(const char *base, unsigned pitch, bool along, unsigned first, int n, ull *took, unsigned *out)
{
    unsigned sum = 0;
    BEGIN_CLOCK
#pragma unroll 2
    for (int i = 0; i < n; i++) {
        unsigned x, y;
        uint4 v[4];
        place(pitch, i, along, first + blockIdx.x, gridDim.x, &x, &y);
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const char *p = base + (size_t)(y + k * 16 + threadIdx.x / 8) * pitch + x * ROW_B + threadIdx.x % 8 * 16;
            asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v[k].x), "=r"(v[k].y), "=r"(v[k].z), "=r"(v[k].w) : "l"(p) : "memory");
        }
#pragma unroll
        for (int k = 0; k < 4; k++)
            sum += v[k].x + v[k].y + v[k].z + v[k].w;
    }
    END_CLOCK
    if (sum == 0x12345678)
        *out = 1;
}

__global__ void copied(const char *base, unsigned pitch, bool along, unsigned first, int n, ull *took)
{
    extern __shared__ __align__(1024) char room[];
    unsigned to = (unsigned)__cvta_generic_to_shared(room);
    BEGIN_CLOCK
    for (int i = 0; i < n; i++) {
        unsigned x, y;
        place(pitch, i, along, first + blockIdx.x, gridDim.x, &x, &y);
        for (int k = 0; k < 4; k++) {
            const char *p = base + (size_t)(y + k * 16 + threadIdx.x / 8) * pitch + x * ROW_B + threadIdx.x % 8 * 16;
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to + i % 3 * TILE_B + k * 2048 + threadIdx.x * 16), "l"(p) : "memory");
        }
        asm volatile("cp.async.commit_group;\ncp.async.wait_group 2;" ::: "memory");
        __syncthreads();
    }
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    END_CLOCK
}

static __device__ void wait(unsigned bar, unsigned parity)
{
    asm volatile("{\n.reg .pred p;\nAGAIN:\nmbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n@p bra DONE;\nbra AGAIN;\nDONE:\n}" ::"r"(bar), "r"(parity) : "memory");
}

__global__ void boxes(const __grid_constant__ CUtensorMap map, unsigned pitch, bool along, unsigned first, unsigned stages, int n, ull *took)
{
    extern __shared__ __align__(1024) char room[];
    __shared__ uint64_t full[16];
    unsigned to = (unsigned)__cvta_generic_to_shared(room), bars = (unsigned)__cvta_generic_to_shared(full);
    if (threadIdx.x == 0)
        for (unsigned s = 0; s < stages; s++)
            asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(bars + 8 * s));
    asm volatile("fence.mbarrier_init.release.cluster;\nfence.proxy.async;");
    BEGIN_CLOCK
    if (threadIdx.x == 0)
        for (int i = 0; i < n + (int)stages; i++) {
            unsigned s = i & (stages - 1), x, y;
            if (i >= (int)stages)
                wait(bars + 8 * s, ((i & stages) == 0));
            if (i >= n)
                continue;
            place(pitch, i, along, first + blockIdx.x, gridDim.x, &x, &y);
            asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(bars + 8 * s), "r"(TILE_B) : "memory");
            asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(to + s * TILE_B),
                         "l"(&map), "r"(x * 64), "r"(y), "r"(bars + 8 * s)
                         : "memory");
        }
    END_CLOCK
}

typedef CUresult (*encode)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *, const cuuint32_t *,
                           const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

static CUtensorMap map_of(encode make, void *data, unsigned pitch, unsigned rows)
{
    CUtensorMap map;
    cuuint64_t sizes[2] = {pitch / 2, rows}, strides[1] = {pitch};
    cuuint32_t box[2] = {ROW_B / 2, TILE_ROWS}, step[2] = {1, 1};
    CUresult r = make(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, data, sizes, strides, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                      CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (r != CUDA_SUCCESS) {
        printf("# no map: %d\n", (int)r);
        exit(1);
    }
    return map;
}

int main(int argc, char **argv)
{
    char *data, name[64];
    rows_begin(argc, argv);
    if (cudaMalloc(&data, DATA_B) != cudaSuccess)
        return 1;
    cudaMemset(data, 0, DATA_B);
    void *f = nullptr;
    cudaDriverEntryPointQueryResult how;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &f, 12000, cudaEnableDefault, &how);
    cudaFuncSetAttribute((void *)boxes, cudaFuncAttributeMaxDynamicSharedMemorySize, 16 * TILE_B);
    cudaFuncSetAttribute((void *)copied, cudaFuncAttributeMaxDynamicSharedMemorySize, 3 * TILE_B);
    for (bool l2 : {false, true})
        for (unsigned pitch : {128u, 256u, 512u, 1024u, 2048u, 4096u, 8192u, 16384u}) {
            unsigned rows = (unsigned)(DATA_B / pitch);
            CUtensorMap map = {};
            if (f)
                map = map_of((encode)f, data, pitch, rows);
            for (bool along : {true, false}) {
                if (!along && (pitch == 128 || pitch > 4096))
                    continue;
                for (int ctas : {16, 64, (int)SMS}) {
                    unsigned next = 0, across = along ? pitch / ROW_B : 1;
                    auto of = [&](const char *what, auto launch) {
                        snprintf(name, sizeof name, "%s %s %s pitch %u ctas %d", what, l2 ? "l2" : "dram", along ? "along" : "down", pitch, ctas);
                        row(what, name + strlen(what) + 1, ctas, 32, [&](int n) {
                            launch(n);
                            if (!l2)
                                next += ctas * ((n + across - 1) / across);
                        });
                    };
                    if (l2 && ((size_t)ctas * 96 * TILE_B > (size_t)16 << 20))
                        continue;
                    of("load", [&](int n) { tiles<<<ctas, THREADS>>>(data, pitch, along, next, n, took_by, sink); });
                    of("copy", [&](int n) { copied<<<ctas, THREADS, 3 * TILE_B>>>(data, pitch, along, next, n, took_by); });
                    for (unsigned stages : {1u, 4u, 16u}) {
                        char what[16];
                        snprintf(what, sizeof what, "box%u", stages);
                        of(what, [&](int n) { boxes<<<ctas, 32, stages * TILE_B>>>(map, pitch, along, next, stages, n, took_by); });
                    }
                }
            }
        }
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
