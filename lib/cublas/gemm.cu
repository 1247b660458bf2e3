/* Products of matrices in float and double. A block makes a tile of C, each thread 4 x 4 or 8 x 8 of its elements in registers; slices of
 * A and B go through shared memory, the next one on its way while one is used. */
#include "context.h"

enum { THREADS = 256, SIDE = 16, SLICE = 8 };

template <typename T> struct alignas(16) four {
    T x[4];
};

/* A slice of op(X): ROWS along the tile, SLICE along k. In memory the tile's direction has unit stride, or (ALONG_K) that of k. */
template <typename T, int ROWS, bool ALONG_K> struct slice {
    enum { EACH = ROWS * SLICE / THREADS };
    T kept[EACH];

    static __device__ int row(int i) { return ALONG_K ? (threadIdx.x + i * THREADS) / SLICE : (threadIdx.x + i * THREADS) % ROWS; }
    static __device__ int depth(int i) { return ALONG_K ? threadIdx.x % SLICE : (threadIdx.x + i * THREADS) / ROWS; }

    __device__ void load(const T *x, int ld, int row0, int rows, int k0, int k)
    {
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            int r = row0 + row(i), d = k0 + depth(i);
            kept[i] = r < rows && d < k ? x[ALONG_K ? d + (long long)r * ld : r + (long long)d * ld] : T(0);
        }
    }
    __device__ void store(T (&to)[SLICE][ROWS + 4])
    {
#pragma unroll
        for (int i = 0; i < EACH; i++)
            to[depth(i)][row(i)] = kept[i];
    }
};

/* Thread (x, y) has rows 4 y to 4 y + 3 of each 64, and columns likewise: neighbours read neighbours. */
template <typename T, int EACH> __device__ void fetch(T (&to)[EACH], const T *from, int at)
{
#pragma unroll
    for (int g = 0; g < EACH / 4; g++)
        *(four<T> *)&to[g * 4] = *(const four<T> *)&from[g * 4 * SIDE + at * 4];
}

template <typename T, int EACH, bool TA, bool TB>
static __global__ void __launch_bounds__(THREADS) gemm_kernel(int m, int n, int k, scalar<T> alpha, batch<const T> as, batch<const T> bs,
        scalar<T> beta, batch<T> cs)
{
    enum { TILE = SIDE * EACH };
    alignas(16) __shared__ T a_tile[2][SLICE][TILE + 4], b_tile[2][SLICE][TILE + 4];
    const T *a = as.get(blockIdx.z), *b = bs.get(blockIdx.z);
    int row0 = blockIdx.x * TILE, col0 = blockIdx.y * TILE, tx = threadIdx.x % SIDE, ty = threadIdx.x / SIDE, now = 0;
    slice<T, TILE, TA> a_slice;
    slice<T, TILE, !TB> b_slice;
    T sum[EACH][EACH] = {};
    a_slice.load(a, as.ld, row0, m, 0, k);
    b_slice.load(b, bs.ld, col0, n, 0, k);
    a_slice.store(a_tile[0]);
    b_slice.store(b_tile[0]);
    __syncthreads();
    for (int k0 = 0; k0 < k; k0 += SLICE) {
        bool more = k0 + SLICE < k;
        if (more) {
            a_slice.load(a, as.ld, row0, m, k0 + SLICE, k);
            b_slice.load(b, bs.ld, col0, n, k0 + SLICE, k);
        }
#pragma unroll
        for (int d = 0; d < SLICE; d++) {
            alignas(16) T x[EACH], y[EACH];
            fetch(x, a_tile[now][d], tx);
            fetch(y, b_tile[now][d], ty);
#pragma unroll
            for (int j = 0; j < EACH; j++)
#pragma unroll
                for (int i = 0; i < EACH; i++)
                    sum[j][i] += x[i] * y[j];
        }
        if (more) {
            now ^= 1;
            a_slice.store(a_tile[now]);
            b_slice.store(b_tile[now]);
            __syncthreads();
        }
    }
    T *c = cs.get(blockIdx.z), p = alpha.get(), q = beta.get();
#pragma unroll
    for (int j = 0; j < EACH; j++) {
        int col = col0 + j / 4 * 4 * SIDE + ty * 4 + j % 4;
        if (col >= n)
            continue;
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            int row = row0 + i / 4 * 4 * SIDE + tx * 4 + i % 4;
            if (row < m) {
                T *to = &c[row + (long long)col * cs.ld];
                *to = p * sum[j][i] + (q == T(0) ? T(0) : q * *to);
            }
        }
    }
}

template <typename T, int EACH>
static void launch(cublasHandle_t h, const gemm_shape &s, scalar<T> alpha, const batch<const T> &a, const batch<const T> &b,
                   scalar<T> beta, const batch<T> &c)
{
    enum { TILE = SIDE * EACH };
    dim3 grid((s.m + TILE - 1) / TILE, (s.n + TILE - 1) / TILE, s.count);
    if (s.ta && s.tb)
        gemm_kernel<T, EACH, true, true><<<grid, THREADS, 0, h->stream>>>(s.m, s.n, s.k, alpha, a, b, beta, c);
    else if (s.ta)
        gemm_kernel<T, EACH, true, false><<<grid, THREADS, 0, h->stream>>>(s.m, s.n, s.k, alpha, a, b, beta, c);
    else if (s.tb)
        gemm_kernel<T, EACH, false, true><<<grid, THREADS, 0, h->stream>>>(s.m, s.n, s.k, alpha, a, b, beta, c);
    else
        gemm_kernel<T, EACH, false, false><<<grid, THREADS, 0, h->stream>>>(s.m, s.n, s.k, alpha, a, b, beta, c);
}

/* Large tiles where there are enough of them to keep a GPU busy; double's would not fit into registers. */
template <typename T>
cublasStatus_t gemm(cublasHandle_t h, const gemm_shape &s, scalar<T> alpha, batch<const T> a, batch<const T> b, scalar<T> beta, batch<T> c)
{
    enum { LARGE = 128, BUSY = 64 };
    if (s.m == 0 || s.n == 0 || s.count == 0)
        return CUBLAS_STATUS_SUCCESS;
    long long tiles = (long long)((s.m + LARGE - 1) / LARGE) * ((s.n + LARGE - 1) / LARGE) * s.count;
    if constexpr (sizeof(T) == 4) {
        if (tiles >= BUSY) {
            launch<T, 8>(h, s, alpha, a, b, beta, c);
            return launched();
        }
    }
    launch<T, 4>(h, s, alpha, a, b, beta, c);
    return launched();
}
template cublasStatus_t gemm(cublasHandle_t, const gemm_shape &, scalar<float>, batch<const float>, batch<const float>, scalar<float>,
        batch<float>);
template cublasStatus_t gemm(cublasHandle_t, const gemm_shape &, scalar<double>, batch<const double>, batch<const double>,
        scalar<double>, batch<double>);

bool gemm_is_valid(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, int lda, int ldb, int ldc,
                   int count, gemm_shape *s, cublasStatus_t *status)
{
    *s = {ta != CUBLAS_OP_N, tb != CUBLAS_OP_N, m, n, k, count};
    int rows_a = s->ta ? k : m, rows_b = s->tb ? n : k;
    bool ok = (unsigned)ta <= CUBLAS_OP_C && (unsigned)tb <= CUBLAS_OP_C && m >= 0 && n >= 0 && k >= 0 && count >= 0 && count < 65536 &&
              lda >= (rows_a > 1 ? rows_a : 1) && ldb >= (rows_b > 1 ? rows_b : 1) && ldc >= (m > 1 ? m : 1);
    *status = !h ? CUBLAS_STATUS_NOT_INITIALIZED : ok ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
    return h && ok;
}

#define GEMM(T, ONE, BATCHED, STRIDED)                                                                                               \
    cublasStatus_t ONE(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const T *alpha, const T *a, \
                       int lda, const T *b, int ldb, const T *beta, T *c, int ldc)                                                   \
    {                                                                                                                                \
        return STRIDED(h, ta, tb, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, c, ldc, 0, 1);                                         \
    }                                                                                                                                \
    cublasStatus_t BATCHED(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const T *alpha,        \
                           const T *const a[], int lda, const T *const b[], int ldb, const T *beta, T *const c[], int ldc, int count) \
    {                                                                                                                                \
        gemm_shape s;                                                                                                                \
        cublasStatus_t status;                                                                                                       \
        if (!gemm_is_valid(h, ta, tb, m, n, k, lda, ldb, ldc, count, &s, &status))                                                   \
            return status;                                                                                                           \
        return gemm<T>(h, s, scalar_of(h, alpha), {NULL, a, 0, lda}, {NULL, b, 0, ldb}, scalar_of(h, beta), {NULL, c, 0, ldc});      \
    }                                                                                                                                \
    cublasStatus_t STRIDED(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const T *alpha,        \
                           const T *a, int lda, long long stride_a, const T *b, int ldb, long long stride_b, const T *beta, T *c,    \
                           int ldc, long long stride_c, int count)                                                                   \
    {                                                                                                                                \
        gemm_shape s;                                                                                                                \
        cublasStatus_t status;                                                                                                       \
        if (!gemm_is_valid(h, ta, tb, m, n, k, lda, ldb, ldc, count, &s, &status))                                                   \
            return status;                                                                                                           \
        return gemm<T>(h, s, scalar_of(h, alpha), {a, NULL, stride_a, lda}, {b, NULL, stride_b, ldb}, scalar_of(h, beta),            \
                       {c, NULL, stride_c, ldc});                                                                                    \
    }

extern "C" {
GEMM(float, cublasSgemm, cublasSgemmBatched, cublasSgemmStridedBatched)
GEMM(double, cublasDgemm, cublasDgemmBatched, cublasDgemmStridedBatched)
}
// SPDX-License-Identifier: Apache-2.0
