/* What functions of vectors are made of: elements by their place, a kernel over all of them, a reduction. */
#ifndef CUBLAS_VECTOR_H
#define CUBLAS_VECTOR_H

#include "context.h"

#include <cub/device/device_reduce.cuh>

enum { BLOCK = 256, ITEMS = 4 };

template <typename T> struct vector {
    T *x;
    int inc;
    __host__ __device__ T &at(long long i) const { return x[i * inc]; }
};
template <typename T> static vector<T> vector_of(int n, T *x, int inc)
{
    return {inc < 0 ? x - (long long)(n - 1) * inc : x, inc};
}

template <typename F> static __global__ void __launch_bounds__(BLOCK) each_element(int n, F f)
{
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK)
        f(i);
}
template <typename F> static cublasStatus_t each(cublasHandle_t h, int n, F f)
{
    if (!h)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (n > 0)
        each_element<<<(n + BLOCK * ITEMS - 1) / (BLOCK * ITEMS), BLOCK, 0, h->stream>>>(n, f);
    return launched();
}

struct itself {
    template <typename T> __device__ T operator()(const T &x) const { return x; }
};
struct root {
    __device__ float operator()(float x) const { return sqrtf(x); }
    __device__ double operator()(double x) const { return sqrt(x); }
};
template <typename T, typename R, typename F> static __global__ void finish(const T *sum, R *result, F f) { *result = f(*sum); }

/* The result goes to the device or, waited for, to the host. */
template <typename T, typename R, typename Term, typename Op, typename Last>
static cublasStatus_t reduce(cublasHandle_t h, int n, Term term, Op op, T initial, Last last, R *result)
{
    if (!h)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    bool to_host = h->pointer_mode == CUBLAS_POINTER_MODE_HOST;
    typedef cub::CountingInputIterator<int> counter;
    cub::TransformInputIterator<T, Term, counter> terms(counter(0), term);
    size_t bytes = 0;
    enum { HEAD = 512 }; /* the sum and the result */
    cub::DeviceReduce::Reduce(NULL, bytes, terms, (T *)NULL, n < 0 ? 0 : n, op, initial, h->stream);
    char *work = (char *)cublas_work(h, bytes + HEAD);
    if (!work)
        return CUBLAS_STATUS_ALLOC_FAILED;
    T *sum = (T *)work;
    R *to = to_host ? (R *)(work + HEAD / 2) : result;
    cub::DeviceReduce::Reduce(work + HEAD, bytes, terms, sum, n < 0 ? 0 : n, op, initial, h->stream);
    finish<<<1, 1, 0, h->stream>>>(sum, to, last);
    if (to_host && (cudaMemcpyAsync(result, to, sizeof *to, cudaMemcpyDeviceToHost, h->stream) != cudaSuccess ||
                    cudaStreamSynchronize(h->stream) != cudaSuccess))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    return launched();
}

#endif
/* SPDX-License-Identifier: Apache-2.0 */
