/* Products of matrices whose types are arguments, and those of half precision. */
#include "context.h"

namespace
{
struct operand {
    const void *at;
    cudaDataType type;
    int ld;
    long long stride;
    const void *list; /* of places; NULL: stride apart */
};
} // namespace

template <typename T> static batch<const T> in(const operand &x) { return {(const T *)x.at, (const T *const *)x.list, x.stride, x.ld}; }
template <typename T> static batch<T> out(const operand &x) { return {(T *)x.at, (T *const *)x.list, x.stride, x.ld}; }

/* alpha and beta of COMPUTE_16F are halves: read here, from wherever they are. */
static scalar<float> half_scalar(cublasHandle_t h, const void *p)
{
    __half value;
    scalar<float> s = {};
    if (h->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
        cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost);
    else
        value = *(const __half *)p;
    s.value = __half2float(value);
    return s;
}

static cublasStatus_t refuse(const operand &a, const operand &b, const operand &c, cublasComputeType_t compute)
{
    fprintf(stderr, "bankshot: cublasGemmEx: types A %d, B %d, C %d with compute type %d are not supported\n", a.type, b.type, c.type,
            compute);
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

static cublasStatus_t gemm_ex(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const void *alpha,
                              const operand &a, const operand &b, const void *beta, const operand &c, int count,
                              cublasComputeType_t compute)
{
    gemm_shape s;
    cublasStatus_t status;
    if (!gemm_is_valid(h, ta, tb, m, n, k, a.ld, b.ld, c.ld, count, &s, &status))
        return status;
    if (a.type != b.type)
        return refuse(a, b, c, compute);
    bool sums_16 = compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC;
    bool sums_64 = compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC;
    bool sums_32i = compute == CUBLAS_COMPUTE_32I || compute == CUBLAS_COMPUTE_32I_PEDANTIC;
    if (a.type == CUDA_R_64F && c.type == CUDA_R_64F && sums_64)
        return gemm<double>(h, s, scalar_of(h, (const double *)alpha), in<double>(a), in<double>(b),
                            scalar_of(h, (const double *)beta), out<double>(c));
    if (sums_64 || sums_32i || (sums_16 && (a.type != CUDA_R_16F || c.type != CUDA_R_16F)))
        return refuse(a, b, c, compute);
    scalar<float> p = sums_16 ? half_scalar(h, alpha) : scalar_of(h, (const float *)alpha);
    scalar<float> q = sums_16 ? half_scalar(h, beta) : scalar_of(h, (const float *)beta);
    if (a.type == CUDA_R_32F && c.type == CUDA_R_32F)
        return gemm<float>(h, s, p, in<float>(a), in<float>(b), q, out<float>(c));
    if (a.type == CUDA_R_16F && c.type == CUDA_R_16F)
        return gemm_half(h, s, p, in<__half>(a), in<__half>(b), q, out<__half>(c));
    if (a.type == CUDA_R_16F && c.type == CUDA_R_32F)
        return gemm_half(h, s, p, in<__half>(a), in<__half>(b), q, out<float>(c));
    if (a.type == CUDA_R_16BF && c.type == CUDA_R_16BF)
        return gemm_half(h, s, p, in<__nv_bfloat16>(a), in<__nv_bfloat16>(b), q, out<__nv_bfloat16>(c));
    if (a.type == CUDA_R_16BF && c.type == CUDA_R_32F)
        return gemm_half(h, s, p, in<__nv_bfloat16>(a), in<__nv_bfloat16>(b), q, out<float>(c));
    return refuse(a, b, c, compute);
}

extern "C" {

cublasStatus_t cublasGemmEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const void *alpha,
                            const void *a, cudaDataType type_a, int lda, const void *b, cudaDataType type_b, int ldb,
                            const void *beta, void *c, cudaDataType type_c, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algo)
{
    (void)algo;
    return gemm_ex(h, ta, tb, m, n, k, alpha, {a, type_a, lda, 0}, {b, type_b, ldb, 0}, beta, {c, type_c, ldc, 0}, 1, compute);
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                                          const void *alpha, const void *a, cudaDataType type_a, int lda, long long stride_a,
                                          const void *b, cudaDataType type_b, int ldb, long long stride_b, const void *beta, void *c,
                                          cudaDataType type_c, int ldc, long long stride_c, int count, cublasComputeType_t compute,
                                          cublasGemmAlgo_t algo)
{
    (void)algo;
    return gemm_ex(h, ta, tb, m, n, k, alpha, {a, type_a, lda, stride_a}, {b, type_b, ldb, stride_b}, beta,
                   {c, type_c, ldc, stride_c}, count, compute);
}

cublasStatus_t cublasGemmBatchedEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                                   const void *alpha, const void *const a[], cudaDataType type_a, int lda, const void *const b[],
                                   cudaDataType type_b, int ldb, const void *beta, void *const c[], cudaDataType type_c, int ldc,
                                   int count, cublasComputeType_t compute, cublasGemmAlgo_t algo)
{
    (void)algo;
    return gemm_ex(h, ta, tb, m, n, k, alpha, {NULL, type_a, lda, 0, a}, {NULL, type_b, ldb, 0, b}, beta, {NULL, type_c, ldc, 0, c},
                   count, compute);
}

cublasStatus_t cublasSgemmEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const float *alpha,
                             const void *a, cudaDataType type_a, int lda, const void *b, cudaDataType type_b, int ldb,
                             const float *beta, void *c, cudaDataType type_c, int ldc)
{
    return gemm_ex(h, ta, tb, m, n, k, alpha, {a, type_a, lda, 0}, {b, type_b, ldb, 0}, beta, {c, type_c, ldc, 0}, 1,
                   CUBLAS_COMPUTE_32F);
}

cublasStatus_t cublasHgemm(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const __half *alpha,
                           const __half *a, int lda, const __half *b, int ldb, const __half *beta, __half *c, int ldc)
{
    return gemm_ex(h, ta, tb, m, n, k, alpha, {a, CUDA_R_16F, lda, 0}, {b, CUDA_R_16F, ldb, 0}, beta, {c, CUDA_R_16F, ldc, 0}, 1,
                   CUBLAS_COMPUTE_16F);
}

cublasStatus_t cublasHgemmBatched(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                                  const __half *alpha, const __half *const a[], int lda, const __half *const b[], int ldb,
                                  const __half *beta, __half *const c[], int ldc, int count)
{
    return gemm_ex(h, ta, tb, m, n, k, alpha, {NULL, CUDA_R_16F, lda, 0, a}, {NULL, CUDA_R_16F, ldb, 0, b}, beta,
                   {NULL, CUDA_R_16F, ldc, 0, c}, count, CUBLAS_COMPUTE_16F);
}

cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                                         const __half *alpha, const __half *a, int lda, long long stride_a, const __half *b, int ldb,
                                         long long stride_b, const __half *beta, __half *c, int ldc, long long stride_c, int count)
{
    return gemm_ex(h, ta, tb, m, n, k, alpha, {a, CUDA_R_16F, lda, stride_a}, {b, CUDA_R_16F, ldb, stride_b}, beta,
                   {c, CUDA_R_16F, ldc, stride_c}, count, CUBLAS_COMPUTE_16F);
}
}
// SPDX-License-Identifier: Apache-2.0
