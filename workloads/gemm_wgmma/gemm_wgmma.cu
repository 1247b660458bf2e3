/* C = A B in half precision as Hopper's libraries make it: warps of a CTA have different work. One warp group copies tiles into shared
 * memory (bulk tensor copies, three stages), two multiply them (wgmma, 64 x 256 sums each) and know by barrier objects which stage is
 * full; the copying group gives its registers to the others. C goes out through shared memory in bulk as well. */
#include "../hopper.h"
#include "../exact.h"

#define BM 128
#define BN 256
#define BK 64
#define STAGES 3
#define GROUPS 2 /* that multiply */
#define THREADS ((1 + GROUPS) * GROUP_THREADS)
#define A_B (BM * BK * 2)
#define STAGE_B (A_B + BK * BN * 2)
#define C_B (ROWS_OF_GROUP * LINE_B) /* of a box of C */
#define SHARED_B (STAGES * STAGE_B + BM * BN * 2)

/* Objects: full and empty, for each stage. */
__device__ __forceinline__ void fill(unsigned base, unsigned full, unsigned empty, const CUtensorMap *a,
                                     const CUtensorMap *b, int row, int col, int steps)
{
    struct turn t = {0, 1}; /* all are empty to begin with */
#pragma unroll 1
    for (int s = 0; s < steps; s++, t.next(STAGES)) {
        unsigned to = base + t.stage * STAGE_B, object = full + t.stage * 8;
        object_wait(empty + t.stage * 8, t.parity);
        object_expect(object, STAGE_B);
        copy_box(to, a, s * BK, row, object);
        copy_box(to + A_B, b, 0, s * BK, col / LINE, object);
    }
}

/* One stage behind the products that are under way, stages are given back. */
__device__ __forceinline__ void multiply(float (&sum)[128], unsigned base, unsigned full, unsigned empty, int group,
                                         int steps)
{
    struct turn t = {0, 0}, done = t;
    bool first = threadIdx.x % GROUP_THREADS == 0;
#pragma unroll 1
    for (int s = 0; s < steps; s++, t.next(STAGES)) {
        unsigned from = base + t.stage * STAGE_B;
        uint64_t a = along_k(from + group * ROWS_OF_GROUP * LINE_B);
        uint64_t b = along_columns(from + A_B, BK * LINE_B);
        object_wait(full + t.stage * 8, t.parity);
        products_begin();
#pragma unroll
        for (int k = 0; k < BK / KPIECE; k++)
            multiply_64_256(sum, a + k * K_STEP, b + k * COLUMNS_STEP, s > 0 || k > 0);
        products_commit();
        products_wait<1>();
        if (s > 0) {
            if (first)
                object_arrive(empty + done.stage * 8);
            done.next(STAGES);
        }
    }
    products_wait<0>();
}

/* The grid is tiles of C, those of a column one after the other. */
__global__ void __launch_bounds__(THREADS, 1)
    gemm_wgmma(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
               const __grid_constant__ CUtensorMap c, int rows, int steps)
{
    extern __shared__ __align__(1024) unsigned char shared[];
    __shared__ uint64_t objects[2 * STAGES];
    unsigned base = shared_address(shared), full = shared_address(objects), empty = full + STAGES * 8;
    int row = (int)blockIdx.x % rows * BM, col = (int)blockIdx.x / rows * BN;
    int group = (int)threadIdx.x / GROUP_THREADS - 1;
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            object_init(full + s * 8, 1);
            object_init(empty + s * 8, GROUPS);
        }
        objects_ready();
    }
    __syncthreads();
    if (group < 0) {
        give_registers<40>();
        if (threadIdx.x == 0)
            fill(base, full, empty, &a, &b, row, col, steps);
    } else {
        take_registers<232>();
        float sum[128];
        multiply(sum, base, full, empty, group, steps);
        unsigned to = base + STAGES * STAGE_B + group * BN / LINE * C_B;
#pragma unroll
        for (int j = 0; j < BN / LINE; j++)
            put_sums(to + j * C_B, sum + j * 32, 1.0f, 1.0f);
        shared_written();
        meet(1 + group, GROUP_THREADS);
        if (threadIdx.x % GROUP_THREADS == 0) {
            for (int j = 0; j < BN / LINE; j++)
                store_box(&c, col + j * LINE, row + group * ROWS_OF_GROUP, to + j * C_B);
            stores_read();
        }
    }
}

int main(int argc, char **argv)
{
    static const int m_of[] = {256, 2048, 4096}, n_of[] = {256, 2048, 4096}, k_of[] = {256, 1024, 4096};
    int size = parse_size(argc, argv), m = m_of[size], n = n_of[size], k = k_of[size];
    struct exact_product p = exact_product(m, n, k, 20260);
    /* B in boxes of 256 columns: four lines of 64 behind each other. */
    const cuuint64_t dim[] = {LINE, (cuuint64_t)k, (cuuint64_t)n / LINE}, stride[] = {(cuuint64_t)n * 2, LINE_B};
    const cuuint32_t box[] = {LINE, BK, BN / LINE};
    CUtensorMap a = matrix_map(p.d_a, k, m, BM), b = tensor_map(p.d_b, 3, dim, stride, box);
    CUtensorMap c = matrix_map(p.d_c, n, m, ROWS_OF_GROUP);
    CHECK(cudaFuncSetAttribute(gemm_wgmma, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_B));
    gemm_wgmma<<<m / BM * (n / BN), THREADS, SHARED_B>>>(a, b, c, m / BM, k / BK);
    return verdict("gemm_wgmma", exact_check(&p));
}
// SPDX-License-Identifier: Apache-2.0
