/* Products of matrices in half precision, on tensor cores with sums in float. A block of 8 warps makes a tile of 128 x 128, each warp 64 x 32
 * of it; slices of A and B lie in shared memory as they do in the matrices. */
#include "context.h"

#include <mma.h>

using namespace nvcuda;

enum { THREADS = 256, TILE = 128, SLICE = 32, PAD = 8, WARP_ROWS = 64, WARP_COLS = 32, STEP = 16, CHUNK = 8 };

/* A slice whose direction of unit stride is the tile's (INNER of TILE, OUTER of SLICE) or k's (the other way round). */
template <typename T, int OUTER, int INNER> struct slice {
    enum { EACH = OUTER * INNER / CHUNK / THREADS, PITCH = INNER + PAD };
    uint4 kept[EACH];

    static __device__ int outer(int i) { return (threadIdx.x + i * THREADS) / (INNER / CHUNK); }
    static __device__ int inner(int i) { return (threadIdx.x + i * THREADS) % (INNER / CHUNK) * CHUNK; }

    __device__ void load(const T *x, int ld, int outer0, int outer_n, int inner0, int inner_n)
    {
        bool wide = ((size_t)x % 16 | (size_t)ld % CHUNK) == 0;
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            int o = outer0 + outer(i), in = inner0 + inner(i);
            const T *from = x + in + (long long)o * ld;
            if (o < outer_n && wide && in + CHUNK <= inner_n) {
                kept[i] = *(const uint4 *)from;
                continue;
            }
            alignas(16) T one[CHUNK];
#pragma unroll
            for (int j = 0; j < CHUNK; j++)
                one[j] = o < outer_n && in + j < inner_n ? from[j] : T(0.0f);
            kept[i] = *(uint4 *)one;
        }
    }
    __device__ void store(T *to)
    {
#pragma unroll
        for (int i = 0; i < EACH; i++)
            *(uint4 *)&to[outer(i) * PITCH + inner(i)] = kept[i];
    }
};

static __device__ float widen(__half x) { return __half2float(x); }
static __device__ float widen(__nv_bfloat16 x) { return __bfloat162float(x); }
static __device__ float widen(float x) { return x; }
static __device__ void narrow(float x, __half *to) { *to = __float2half_rn(x); }
static __device__ void narrow(float x, __nv_bfloat16 *to) { *to = __float2bfloat16_rn(x); }
static __device__ void narrow(float x, float *to) { *to = x; }

template <typename T, typename C, bool TA, bool TB>
static __global__ void __launch_bounds__(THREADS) half_kernel(int m, int n, int k, scalar<float> alpha, batch<const T> as, batch<const T> bs,
        scalar<float> beta, batch<C> cs)
{
    typedef slice<T, TA ? TILE : SLICE, TA ? SLICE : TILE> a_slice;
    typedef slice<T, TB ? SLICE : TILE, TB ? TILE : SLICE> b_slice;
    typedef typename std::conditional<TA, wmma::row_major, wmma::col_major>::type a_order;
    typedef typename std::conditional<TB, wmma::row_major, wmma::col_major>::type b_order;
    enum { ROOM = (TILE + PAD) * SLICE + TILE * PAD, UP = WARP_ROWS / STEP, ACROSS = WARP_COLS / STEP };
    alignas(32) __shared__ T a_tile[ROOM], b_tile[ROOM];
    alignas(32) __shared__ float corner[THREADS / 32][STEP * STEP];
    const T *a = as.get(blockIdx.z), *b = bs.get(blockIdx.z);
    int row0 = blockIdx.x * TILE, col0 = blockIdx.y * TILE, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int warp_row = warp % 2 * WARP_ROWS, warp_col = warp / 2 * WARP_COLS;
    wmma::fragment<wmma::accumulator, STEP, STEP, STEP, float> sum[UP][ACROSS];
#pragma unroll
    for (int i = 0; i < UP; i++)
#pragma unroll
        for (int j = 0; j < ACROSS; j++)
            wmma::fill_fragment(sum[i][j], 0.0f);
    a_slice next_a;
    b_slice next_b;
    auto load = [&](int k0) {
        if (TA)
            next_a.load(a, as.ld, row0, m, k0, k);
        else
            next_a.load(a, as.ld, k0, k, row0, m);
        if (TB)
            next_b.load(b, bs.ld, k0, k, col0, n);
        else
            next_b.load(b, bs.ld, col0, n, k0, k);
    };
    load(0);
    for (int k0 = 0; k0 < k; k0 += SLICE) {
        __syncthreads();
        next_a.store(a_tile);
        next_b.store(b_tile);
        __syncthreads();
        if (k0 + SLICE < k)
            load(k0 + SLICE);
#pragma unroll
        for (int d = 0; d < SLICE; d += STEP) {
            wmma::fragment<wmma::matrix_a, STEP, STEP, STEP, T, a_order> x[UP];
            wmma::fragment<wmma::matrix_b, STEP, STEP, STEP, T, b_order> y[ACROSS];
#pragma unroll
            for (int i = 0; i < UP; i++) {
                int r = warp_row + i * STEP;
                wmma::load_matrix_sync(x[i], a_tile + (TA ? r * a_slice::PITCH + d : d * a_slice::PITCH + r), a_slice::PITCH);
            }
#pragma unroll
            for (int j = 0; j < ACROSS; j++) {
                int c = warp_col + j * STEP;
                wmma::load_matrix_sync(y[j], b_tile + (TB ? d * b_slice::PITCH + c : c * b_slice::PITCH + d), b_slice::PITCH);
            }
#pragma unroll
            for (int i = 0; i < UP; i++)
#pragma unroll
                for (int j = 0; j < ACROSS; j++)
                    wmma::mma_sync(sum[i][j], x[i], y[j], sum[i][j]);
        }
    }
    C *c = cs.get(blockIdx.z);
    float p = alpha.get(), q = beta.get();
#pragma unroll
    for (int i = 0; i < UP; i++)
#pragma unroll
        for (int j = 0; j < ACROSS; j++) {
            __syncwarp();
            wmma::store_matrix_sync(corner[warp], sum[i][j], STEP, wmma::mem_col_major);
            __syncwarp();
#pragma unroll
            for (int e = lane; e < STEP * STEP; e += 32) {
                int row = row0 + warp_row + i * STEP + e % STEP, col = col0 + warp_col + j * STEP + e / STEP;
                if (row < m && col < n) {
                    C *to = &c[row + (long long)col * cs.ld];
                    narrow(p * corner[warp][e] + (q == 0.0f ? 0.0f : q * widen(*to)), to);
                }
            }
        }
}

template <typename T, typename C>
cublasStatus_t gemm_half(cublasHandle_t h, const gemm_shape &s, scalar<float> alpha, batch<const T> a, batch<const T> b,
                         scalar<float> beta, batch<C> c)
{
    if (s.m == 0 || s.n == 0 || s.count == 0)
        return CUBLAS_STATUS_SUCCESS;
    dim3 grid((s.m + TILE - 1) / TILE, (s.n + TILE - 1) / TILE, s.count);
    if (s.ta && s.tb)
        half_kernel<T, C, true, true><<<grid, THREADS, 0, h->stream>>>(s.m, s.n, s.k, alpha, a, b, beta, c);
    else if (s.ta)
        half_kernel<T, C, true, false><<<grid, THREADS, 0, h->stream>>>(s.m, s.n, s.k, alpha, a, b, beta, c);
    else if (s.tb)
        half_kernel<T, C, false, true><<<grid, THREADS, 0, h->stream>>>(s.m, s.n, s.k, alpha, a, b, beta, c);
    else
        half_kernel<T, C, false, false><<<grid, THREADS, 0, h->stream>>>(s.m, s.n, s.k, alpha, a, b, beta, c);
    return launched();
}
#define GEMM_HALF(T, C)                                                                                                              \
    template cublasStatus_t gemm_half(cublasHandle_t, const gemm_shape &, scalar<float>, batch<const T>, batch<const T>,             \
                                      scalar<float>, batch<C>);
GEMM_HALF(__half, __half)
GEMM_HALF(__half, float)
GEMM_HALF(__nv_bfloat16, __nv_bfloat16)
GEMM_HALF(__nv_bfloat16, float)
// SPDX-License-Identifier: Apache-2.0
