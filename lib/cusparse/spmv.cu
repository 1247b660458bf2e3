/* Products of a sparse matrix and a vector. CSR: as many lanes for a row as rows have elements on average, up to a warp. COO, and
 * transposed matrices: an atomic addition for each element. */
#include "context.h"

#include <stdio.h>

enum { BLOCK = 256 };

template <typename T> struct product {
    T value_alpha, value_beta;
    const T *alpha_at, *beta_at; /* on the device; NULL: the values */
    const T *values, *x;
    T *y;
    long long rows, nnz, outputs;
    int base;
    __device__ T alpha() const { return alpha_at ? *alpha_at : value_alpha; }
    __device__ T beta() const { return beta_at ? *beta_at : value_beta; }
};

template <typename T, typename Offset, typename Index>
static __global__ void __launch_bounds__(BLOCK) csr_rows(product<T> p, const Offset *offsets, const Index *columns, int log_lanes)
{
    long long row = (long long)blockIdx.x * (BLOCK >> log_lanes) + (threadIdx.x >> log_lanes);
    int lanes = 1 << log_lanes, lane = threadIdx.x & (lanes - 1);
    const T *x = p.x - p.base;
    T sum = 0;
    if (row < p.rows) {
        Offset end = offsets[row + 1] - (Offset)p.base;
        for (Offset i = offsets[row] - (Offset)p.base + lane; i < end; i += lanes)
            sum += p.values[i] * x[columns[i]];
    }
    for (int by = lanes / 2; by > 0; by /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, by, lanes);
    if (row < p.rows && lane == 0) {
        T b = p.beta();
        p.y[row] = p.alpha() * sum + (b == T(0) ? T(0) : b * p.y[row]);
    }
}

template <typename T> static __global__ void __launch_bounds__(BLOCK) scale(product<T> p)
{
    long long i = (long long)blockIdx.x * BLOCK + threadIdx.x;
    T b = p.beta();
    if (i < p.outputs)
        p.y[i] = b == T(0) ? T(0) : b * p.y[i];
}

template <typename T, typename Offset, typename Index>
static __global__ void __launch_bounds__(BLOCK) csr_transposed(product<T> p, const Offset *offsets, const Index *columns)
{
    long long row = ((long long)blockIdx.x * BLOCK + threadIdx.x) / 32;
    if (row < p.rows)
        for (long long i = offsets[row] - p.base + threadIdx.x % 32; i < offsets[row + 1] - p.base; i += 32)
            atomicAdd(&p.y[columns[i] - p.base], p.alpha() * p.values[i] * p.x[row]);
}

template <typename T, typename Index>
static __global__ void __launch_bounds__(BLOCK) coo_elements(product<T> p, const Index *to, const Index *from)
{
    long long i = (long long)blockIdx.x * BLOCK + threadIdx.x;
    if (i < p.nnz)
        atomicAdd(&p.y[to[i] - p.base], p.alpha() * p.values[i] * p.x[from[i] - p.base]);
}

static unsigned blocks(long long threads) { return (unsigned)((threads + BLOCK - 1) / BLOCK); }

template <typename T, typename Offset, typename Index>
static void launch(cudaStream_t stream, bool transposed, cusparseConstSpMatDescr_t m, const product<T> &p)
{
    if (m->is_coo || transposed)
        scale<<<blocks(p.outputs), BLOCK, 0, stream>>>(p);
    if (m->is_coo && m->nnz) {
        const Index *row = (const Index *)m->row, *column = (const Index *)m->column;
        coo_elements<<<blocks(m->nnz), BLOCK, 0, stream>>>(p, transposed ? column : row, transposed ? row : column);
    } else if (!m->is_coo && transposed) {
        csr_transposed<<<blocks(m->rows * 32), BLOCK, 0, stream>>>(p, (const Offset *)m->row, (const Index *)m->column);
    } else if (!m->is_coo) {
        int log_lanes = 1;
        while (log_lanes < 5 && (2 << log_lanes) <= m->nnz / m->rows)
            log_lanes++;
        csr_rows<<<blocks(m->rows << log_lanes), BLOCK, 0, stream>>>(p, (const Offset *)m->row, (const Index *)m->column, log_lanes);
    }
}

template <typename T>
static cusparseStatus_t spmv(cusparseHandle_t h, bool transposed, const void *alpha, cusparseConstSpMatDescr_t m, const void *x,
                             const void *beta, void *y)
{
    bool there = h->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE;
    product<T> p = {};
    p.alpha_at = there ? (const T *)alpha : NULL;
    p.beta_at = there ? (const T *)beta : NULL;
    p.value_alpha = there ? T(0) : *(const T *)alpha;
    p.value_beta = there ? T(0) : *(const T *)beta;
    p.values = (const T *)m->values;
    p.x = (const T *)x;
    p.y = (T *)y;
    p.rows = m->rows;
    p.nnz = m->nnz;
    p.outputs = transposed ? m->cols : m->rows;
    p.base = m->base;
    if (p.outputs == 0 || m->rows == 0)
        return CUSPARSE_STATUS_SUCCESS;
    if (m->row_type == CUSPARSE_INDEX_32I && m->column_type == CUSPARSE_INDEX_32I)
        launch<T, int32_t, int32_t>(h->stream, transposed, m, p);
    else if (m->row_type == CUSPARSE_INDEX_64I && m->column_type == CUSPARSE_INDEX_32I)
        launch<T, int64_t, int32_t>(h->stream, transposed, m, p);
    else if (m->row_type == CUSPARSE_INDEX_64I && m->column_type == CUSPARSE_INDEX_64I)
        launch<T, int64_t, int64_t>(h->stream, transposed, m, p);
    else
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    return cudaPeekAtLastError() == cudaSuccess ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
}

extern "C" {

/* Products need no memory of their own; programs must get some to hand over. */
cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t h, cusparseOperation_t op, const void *alpha, cusparseConstSpMatDescr_t m,
                                         cusparseConstDnVecDescr_t x, const void *beta, cusparseDnVecDescr_t y, cudaDataType compute,
                                         cusparseSpMVAlg_t alg, size_t *bytes)
{
    (void)op, (void)alpha, (void)m, (void)x, (void)beta, (void)y, (void)compute, (void)alg;
    *bytes = 8;
    return h ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_INITIALIZED;
}

cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t h, cusparseOperation_t op, const void *alpha, cusparseConstSpMatDescr_t m,
                                         cusparseConstDnVecDescr_t x, const void *beta, cusparseDnVecDescr_t y, cudaDataType compute,
                                         cusparseSpMVAlg_t alg, void *buffer)
{
    (void)op, (void)alpha, (void)m, (void)x, (void)beta, (void)y, (void)compute, (void)alg, (void)buffer;
    return h ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_INITIALIZED;
}

cusparseStatus_t cusparseSpMV(cusparseHandle_t h, cusparseOperation_t op, const void *alpha, cusparseConstSpMatDescr_t m,
                              cusparseConstDnVecDescr_t x, const void *beta, cusparseDnVecDescr_t y, cudaDataType compute,
                              cusparseSpMVAlg_t alg, void *buffer)
{
    (void)alg, (void)buffer;
    bool transposed = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
    if (!h)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!m || !x || !y || x->size != (transposed ? m->rows : m->cols) || y->size != (transposed ? m->cols : m->rows))
        return CUSPARSE_STATUS_INVALID_VALUE;
    if (m->type == CUDA_R_32F && x->type == m->type && y->type == m->type && compute == m->type)
        return spmv<float>(h, transposed, alpha, m, x->values, beta, y->values);
    if (m->type == CUDA_R_64F && x->type == m->type && y->type == m->type && compute == m->type)
        return spmv<double>(h, transposed, alpha, m, x->values, beta, y->values);
    fprintf(stderr, "bankshot: cusparseSpMV: types A %d, x %d, y %d, compute %d are not supported\n", m->type, x->type, y->type, compute);
    return CUSPARSE_STATUS_NOT_SUPPORTED;
}
}
// SPDX-License-Identifier: Apache-2.0
