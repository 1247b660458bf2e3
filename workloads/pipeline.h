/* A matrix product as Triton's compiler makes them: C = A B in half precision with sums in single. Copies from global to shared memory
 * run STAGES - 1 steps ahead of the tensor cores (cp.async), rows in shared memory are swizzled instead of padded, fragments come with
 * ldmatrix, tiles are taken in groups of rows that share B in L2, and C goes out through shared memory in accesses of 16 bytes. */
#ifndef PIPELINE_H
#define PIPELINE_H

#include "tensor.h"

__device__ __forceinline__ void copy_async(unsigned to, const void *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}

__device__ __forceinline__ void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }

/* Until at most PENDING groups of this thread's copies are under way. */
template <int PENDING> __device__ __forceinline__ void wait_copies()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
}

/* The place in shared memory of a chunk of 16 bytes in rows of CHUNKS: eight rows at the same column, which is what ldmatrix reads at
 * once, lie in different banks. */
template <int CHUNKS> __device__ __forceinline__ int swizzled(int row, int chunk)
{
    const int rows = CHUNKS < 8 ? 8 / CHUNKS : 1, columns = CHUNKS < 8 ? CHUNKS : 8;
    return row * CHUNKS + (chunk ^ row / rows % columns);
}

/* ROWS rows of CHUNKS chunks, by THREADS threads. */
template <int ROWS, int CHUNKS, int THREADS>
__device__ __forceinline__ void copy_tile(unsigned to, const __half *from, int stride)
{
#pragma unroll
    for (int i = 0; i < ROWS * CHUNKS / THREADS; i++) {
        int at = i * THREADS + threadIdx.x, row = at / CHUNKS, chunk = at % CHUNKS;
        copy_async(to + swizzled<CHUNKS>(row, chunk) * 16, from + (size_t)row * stride + chunk * CHUNK);
    }
}

/* BM x BN of C in a CTA of WM x WN warps, along K in steps of BK. */
template <int BM_, int BN_, int BK_, int WM, int WN, int STAGES_> struct product {
    static const int BM = BM_, BN = BN_, BK = BK_, STAGES = STAGES_, threads = WM * WN * 32;
    static const int MT = BM / WM / 16, NT = BN / WN / 8;
    static const int a_chunks = BK / CHUNK, b_chunks = BN / CHUNK;       /* of a row */
    static const int a_bytes = BM * BK * 2, stage = a_bytes + BK * BN * 2;
    static const int bytes = STAGES * stage;

    static __device__ __forceinline__ void fetch(unsigned to, const __half *a, const __half *b, int n, int k)
    {
        copy_tile<BM, a_chunks, threads>(to, a, k);
        copy_tile<BK, b_chunks, threads>(to + a_bytes, b, n);
    }

    static __device__ __forceinline__ void step(float sum[MT][NT][4], unsigned from)
    {
        int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
        int row = warp / WN * MT * 16 + lane % 16, col = warp % WN * NT + lane / 16; /* col: chunks */
#pragma unroll
        for (int k = 0; k < BK / KPIECE; k++) {
            unsigned fa[MT][4], fb[NT / 2][4];
#pragma unroll
            for (int i = 0; i < MT; i++)
                load_fragment(fa[i], from + swizzled<a_chunks>(row + i * 16, k * 2 + lane / 16) * 16);
#pragma unroll
            for (int j = 0; j < NT / 2; j++)
                load_transposed(fb[j], from + a_bytes +
                                           swizzled<b_chunks>(k * KPIECE + lane % 16, col + j * 2) * 16);
#pragma unroll
            for (int i = 0; i < MT; i++)
#pragma unroll
                for (int j = 0; j < NT; j++)
                    multiply_add(sum[i][j], fa[i], &fb[j / 2][j % 2 * 2]);
        }
    }

    /* Sums to shared memory as halves. */
    static __device__ __forceinline__ void put(unsigned char *s, const float sum[MT][NT][4])
    {
        int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
#pragma unroll
        for (int i = 0; i < MT; i++)
#pragma unroll
            for (int j = 0; j < NT; j++)
#pragma unroll
                for (int h = 0; h < 2; h++) {
                    int row = warp / WN * MT * 16 + i * 16 + h * 8 + lane / 4;
                    int at = swizzled<b_chunks>(row, warp % WN * NT + j) * 16 + lane % 4 * 4;
                    *(unsigned *)(s + at) = pack_halves(sum[i][j][2 * h], sum[i][j][2 * h + 1]);
                }
    }
};

__device__ __forceinline__ uint4 add_halves(uint4 a, uint4 b)
{
    unsigned x[4] = {a.x, a.y, a.z, a.w}, y[4] = {b.x, b.y, b.z, b.w};
#pragma unroll
    for (int i = 0; i < 4; i++) {
        __half2 sum = __hadd2(*(__half2 *)&x[i], *(__half2 *)&y[i]);
        x[i] = *(unsigned *)&sum;
    }
    return make_uint4(x[0], x[1], x[2], x[3]);
}

#define GROUP 8 /* rows of tiles that are taken together */

/* P is a product; c may be `added`. m, n and k are multiples of its tile. */
template <typename P, bool ADD>
__global__ void __launch_bounds__(P::threads)
    gemm_pipelined(const __half *a, const __half *b, const __half *added, __half *c, int m, int n, int k)
{
    extern __shared__ __align__(128) unsigned char shared[];
    int rows = m / P::BM, cols = n / P::BN, in_group = GROUP * cols;
    int first = (int)blockIdx.x / in_group * GROUP, high = min(rows - first, GROUP);
    int tile_m = first + (int)blockIdx.x % in_group % high, tile_n = (int)blockIdx.x % in_group / high;
    a += (size_t)tile_m * P::BM * k;
    b += tile_n * P::BN;

    unsigned base = shared_address(shared);
    float sum[P::MT][P::NT][4] = {};
    int steps = k / P::BK;
#pragma unroll
    for (int s = 0; s < P::STAGES - 1; s++) {
        if (s < steps)
            P::fetch(base + s * P::stage, a + s * P::BK, b + (size_t)s * P::BK * n, n, k);
        commit_copies();
    }
    const __half *next_a = a + (P::STAGES - 1) * P::BK, *next_b = b + (size_t)(P::STAGES - 1) * P::BK * n;
    int from = 0, to = P::STAGES - 1;
#pragma unroll 1
    for (int s = 0; s < steps; s++) {
        wait_copies<P::STAGES - 2>();
        __syncthreads();
        if (s + P::STAGES - 1 < steps)
            P::fetch(base + to * P::stage, next_a, next_b, n, k);
        commit_copies();
        next_a += P::BK;
        next_b += (size_t)P::BK * n;
        P::step(sum, base + from * P::stage);
        from = from + 1 < P::STAGES ? from + 1 : 0;
        to = to + 1 < P::STAGES ? to + 1 : 0;
    }
    wait_copies<0>();
    __syncthreads();
    P::put(shared, sum);
    __syncthreads();

    size_t corner = (size_t)tile_m * P::BM * n + tile_n * P::BN;
#pragma unroll 4
    for (int i = 0; i < P::BM * P::b_chunks / P::threads; i++) {
        int at = i * P::threads + threadIdx.x, row = at / P::b_chunks, chunk = at % P::b_chunks;
        uint4 v = ((const uint4 *)shared)[swizzled<P::b_chunks>(row, chunk)];
        size_t place = corner + (size_t)row * n + chunk * CHUNK;
        if (ADD)
            v = add_halves(v, *(const uint4 *)(added + place));
        *(uint4 *)(c + place) = v;
    }
}

template <typename P, bool ADD>
static void multiply(const __half *a, const __half *b, const __half *added, __half *c, int m, int n, int k)
{
    CHECK(cudaFuncSetAttribute(gemm_pipelined<P, ADD>, cudaFuncAttributeMaxDynamicSharedMemorySize, P::bytes));
    gemm_pipelined<P, ADD>
        <<<m / P::BM * (n / P::BN), P::threads, P::bytes>>>(a, b, added, c, m, n, k);
}

#endif
/* SPDX-License-Identifier: Apache-2.0 */
