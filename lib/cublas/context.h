/* What the files of libcublas share: the handle, scalars that lie on the host or the device, operands of one or many products. */
#ifndef CUBLAS_CONTEXT_H
#define CUBLAS_CONTEXT_H

#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <stdio.h>

struct cublasContext {
    cudaStream_t stream;
    cublasPointerMode_t pointer_mode;
    cublasMath_t math;
    cublasAtomicsMode_t atomics;
    void *work; /* for reductions */
    size_t work_b;
};

/* A number that a kernel reads: known now, or then. */
template <typename T> struct scalar {
    T value;
    const T *at; /* on the device; NULL: value */
    __device__ T get() const { return at ? *at : value; }
};
template <typename T> static inline scalar<T> scalar_of(cublasHandle_t h, const T *p)
{
    scalar<T> s = {};
    if (h && h->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
        s.at = p;
    else if (h)
        s.value = *p;
    return s;
}

/* Matrices of a batch: side by side, or each at its own place. */
template <typename T> struct batch {
    T *first;
    T *const *list;
    long long stride;
    int ld;
    __device__ T *get(unsigned z) const { return list ? list[z] : first + z * stride; }
};

static inline cublasStatus_t launched(void)
{
    return cudaPeekAtLastError() == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

/* At least this much memory of the handle's own; NULL: there is none. */
void *cublas_work(cublasHandle_t h, size_t bytes);

/* A product as the caller wrote it. */
struct gemm_shape {
    bool ta, tb;
    int m, n, k, count;
};
/* C = alpha op(A) op(B) + beta C; for float, double (gemm.cu), __half and __nv_bfloat16 (half.cu). */
template <typename T> cublasStatus_t gemm(cublasHandle_t h, const gemm_shape &s, scalar<T> alpha, batch<const T> a, batch<const T> b,
        scalar<T> beta, batch<T> c);
template <typename T, typename C> cublasStatus_t gemm_half(cublasHandle_t h, const gemm_shape &s, scalar<float> alpha,
        batch<const T> a, batch<const T> b, scalar<float> beta, batch<C> c);
/* Is it one? Then 0 is in *status, else why not. */
bool gemm_is_valid(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, int lda, int ldb, int ldc,
        int count, gemm_shape *s, cublasStatus_t *status);

#endif
/* SPDX-License-Identifier: Apache-2.0 */
