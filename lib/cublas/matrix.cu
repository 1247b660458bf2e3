/* Level 2, and sums of matrices. Matrices lie column by column. */
#include "context.h"

enum { LANES = 32, WARPS = 8, BLOCK = LANES * WARPS };

/* y = alpha A x + beta y: lanes are rows, warps share the columns. */
template <typename T>
static __global__ void __launch_bounds__(BLOCK) gemv_rows(int m, int n, scalar<T> alpha, const T *a, int lda, const T *x, int incx,
        scalar<T> beta, T *y, int incy)
{
    __shared__ T part[WARPS][LANES];
    int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES, row = blockIdx.x * LANES + lane;
    T sum = 0;
    if (row < m)
        for (int j = warp; j < n; j += WARPS)
            sum += a[row + (long long)j * lda] * x[(long long)j * incx];
    part[warp][lane] = sum;
    __syncthreads();
    if (warp == 0 && row < m) {
#pragma unroll
        for (int w = 1; w < WARPS; w++)
            sum += part[w][lane];
        T *to = &y[(long long)row * incy], b = beta.get();
        *to = alpha.get() * sum + (b == T(0) ? T(0) : b * *to);
    }
}

/* y = alpha A^T x + beta y: a warp for each column. */
template <typename T>
static __global__ void __launch_bounds__(BLOCK) gemv_cols(int m, int n, scalar<T> alpha, const T *a, int lda, const T *x, int incx,
        scalar<T> beta, T *y, int incy)
{
    int lane = threadIdx.x % LANES, col = blockIdx.x * WARPS + threadIdx.x / LANES;
    if (col >= n)
        return;
    T sum = 0;
    for (int i = lane; i < m; i += LANES)
        sum += a[i + (long long)col * lda] * x[(long long)i * incx];
#pragma unroll
    for (int by = LANES / 2; by > 0; by /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, by);
    if (lane == 0) {
        T *to = &y[(long long)col * incy], b = beta.get();
        *to = alpha.get() * sum + (b == T(0) ? T(0) : b * *to);
    }
}

template <typename T> static T *begin(int n, T *x, int inc) { return inc < 0 ? x - (long long)(n - 1) * inc : x; }

template <typename T>
static cublasStatus_t gemv(cublasHandle_t h, cublasOperation_t trans, int m, int n, const T *alpha, const T *a, int lda, const T *x,
                           int incx, const T *beta, T *y, int incy)
{
    if (!h)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (m < 0 || n < 0 || lda < (m > 1 ? m : 1) || incx == 0 || incy == 0 || (unsigned)trans > CUBLAS_OP_C)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (m == 0 || n == 0)
        return CUBLAS_STATUS_SUCCESS;
    bool plain = trans == CUBLAS_OP_N;
    x = begin(plain ? n : m, x, incx);
    y = begin(plain ? m : n, y, incy);
    if (plain)
        gemv_rows<<<(m + LANES - 1) / LANES, BLOCK, 0, h->stream>>>(m, n, scalar_of(h, alpha), a, lda, x, incx, scalar_of(h, beta), y,
                                                                   incy);
    else
        gemv_cols<<<(n + WARPS - 1) / WARPS, BLOCK, 0, h->stream>>>(m, n, scalar_of(h, alpha), a, lda, x, incx, scalar_of(h, beta), y,
                                                                   incy);
    return launched();
}

template <typename T>
static __global__ void __launch_bounds__(BLOCK) ger_kernel(int m, int n, scalar<T> alpha, const T *x, int incx, const T *y, int incy, T *a,
        int lda)
{
    int row = blockIdx.x * LANES + threadIdx.x % LANES, col = blockIdx.y * WARPS + threadIdx.x / LANES;
    if (row < m && col < n)
        a[row + (long long)col * lda] += alpha.get() * x[(long long)row * incx] * y[(long long)col * incy];
}

template <typename T>
static cublasStatus_t ger(cublasHandle_t h, int m, int n, const T *alpha, const T *x, int incx, const T *y, int incy, T *a, int lda)
{
    if (!h)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (m < 0 || n < 0 || lda < (m > 1 ? m : 1) || incx == 0 || incy == 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (m == 0 || n == 0)
        return CUBLAS_STATUS_SUCCESS;
    dim3 grid((m + LANES - 1) / LANES, (n + WARPS - 1) / WARPS);
    ger_kernel<<<grid, BLOCK, 0, h->stream>>>(m, n, scalar_of(h, alpha), begin(m, x, incx), incx, begin(n, y, incy), incy, a, lda);
    return launched();
}

/* C = alpha op(A) + beta op(B); through shared memory, so that a transposed operand is read along its columns too. */
template <typename T>
static __global__ void __launch_bounds__(BLOCK) geam_kernel(bool ta, bool tb, int m, int n, scalar<T> alpha, const T *a, int lda,
        scalar<T> beta, const T *b, int ldb, T *c, int ldc)
{
    __shared__ T tile[2][LANES][LANES + 1]; /* [operand][column][row] */
    int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES, row0 = blockIdx.x * LANES, col0 = blockIdx.y * LANES;
    T x = alpha.get(), y = beta.get();
    for (int k = 0; k < 2; k++) {
        const T *from = k ? b : a;
        int ld = k ? ldb : lda;
        bool t = k ? tb : ta;
        if ((k ? y : x) == T(0))
            continue;
        for (int j = warp; j < LANES; j += WARPS) {
            int r = row0 + (t ? j : lane), s = col0 + (t ? lane : j);
            if (r < m && s < n)
                tile[k][t ? lane : j][t ? j : lane] = from[t ? s + (long long)r * ld : r + (long long)s * ld];
        }
    }
    __syncthreads();
    for (int j = warp; j < LANES; j += WARPS)
        if (row0 + lane < m && col0 + j < n)
            c[row0 + lane + (long long)(col0 + j) * ldc] =
                (x == T(0) ? T(0) : x * tile[0][j][lane]) + (y == T(0) ? T(0) : y * tile[1][j][lane]);
}

template <typename T>
static cublasStatus_t geam(cublasHandle_t h, cublasOperation_t transa, cublasOperation_t transb, int m, int n, const T *alpha,
                           const T *a, int lda, const T *beta, const T *b, int ldb, T *c, int ldc)
{
    if (!h)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (m < 0 || n < 0 || ldc < (m > 1 ? m : 1) || (unsigned)transa > CUBLAS_OP_C || (unsigned)transb > CUBLAS_OP_C)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (m == 0 || n == 0)
        return CUBLAS_STATUS_SUCCESS;
    dim3 grid((m + LANES - 1) / LANES, (n + LANES - 1) / LANES);
    geam_kernel<<<grid, BLOCK, 0, h->stream>>>(transa != CUBLAS_OP_N, transb != CUBLAS_OP_N, m, n, scalar_of(h, alpha), a, lda,
                                               scalar_of(h, beta), b, ldb, c, ldc);
    return launched();
}

#define LEVEL2(T, GEMV, GER, GEAM)                                                                                                   \
    cublasStatus_t GEMV(cublasHandle_t h, cublasOperation_t trans, int m, int n, const T *alpha, const T *a, int lda, const T *x,    \
                        int incx, const T *beta, T *y, int incy)                                                                     \
    {                                                                                                                                \
        return gemv(h, trans, m, n, alpha, a, lda, x, incx, beta, y, incy);                                                          \
    }                                                                                                                                \
    cublasStatus_t GER(cublasHandle_t h, int m, int n, const T *alpha, const T *x, int incx, const T *y, int incy, T *a, int lda)    \
    {                                                                                                                                \
        return ger(h, m, n, alpha, x, incx, y, incy, a, lda);                                                                        \
    }                                                                                                                                \
    cublasStatus_t GEAM(cublasHandle_t h, cublasOperation_t transa, cublasOperation_t transb, int m, int n, const T *alpha,          \
                        const T *a, int lda, const T *beta, const T *b, int ldb, T *c, int ldc)                                      \
    {                                                                                                                                \
        return geam(h, transa, transb, m, n, alpha, a, lda, beta, b, ldb, c, ldc);                                                   \
    }

extern "C" {
LEVEL2(float, cublasSgemv, cublasSger, cublasSgeam)
LEVEL2(double, cublasDgemv, cublasDger, cublasDgeam)
}
// SPDX-License-Identifier: Apache-2.0
