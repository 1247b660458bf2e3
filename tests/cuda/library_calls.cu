// Twelve calls of CUDA's libraries, one by one (library_calls N) or all: what each gives, in a line. library_calls.txt is the output
// with NVIDIA's libraries (CUDA 13.0) on an H200; docs/cuda-libraries.md has the instructions that each takes there and here. Numbers are
// such that sums are exact in any order. No operator of CUB's own is named: CUDA 13 has none.
#include "check.h"

#include <cub/cub.cuh>
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <curand.h>
#include <curand_kernel.h>
#include <cusparse.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <vector>

enum { N = 1 << 18 };

struct maximum {
    template <typename T> __host__ __device__ T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
struct third {
    __host__ __device__ bool operator()(unsigned x) const { return x % 3 == 0; }
};

template <typename T> struct array {
    T *at;
    explicit array(size_t n) { OK(cudaMalloc((void **)&at, n * sizeof(T))); }
    explicit array(const std::vector<T> &v) : array(v.size())
    {
        OK(cudaMemcpy(at, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~array() { cudaFree(at); }
    std::vector<T> get(size_t n) const
    {
        std::vector<T> v(n);
        OK(cudaMemcpy(v.data(), at, n * sizeof(T), cudaMemcpyDeviceToHost));
        return v;
    }
};

static std::vector<unsigned> words(size_t n)
{
    std::vector<unsigned> v(n);
    for (size_t i = 0; i < n; i++)
        v[i] = (unsigned)i * 2654435761u ^ (unsigned)i >> 5;
    return v;
}
template <typename T> static std::vector<T> small(size_t n, unsigned seed)
{
    std::vector<T> v(n);
    for (size_t i = 0; i < n; i++)
        v[i] = (T)(float)((int)(((unsigned)i + seed) * 2654435761u >> 9) % 7 - 3);
    return v;
}

// FNV-1a over all bytes: any difference shows.
template <typename T> static unsigned long long sum_of(const std::vector<T> &v)
{
    unsigned long long h = 14695981039346656037ull;
    const unsigned char *p = (const unsigned char *)v.data();
    for (size_t i = 0; i < v.size() * sizeof(T); i++)
        h = (h ^ p[i]) * 1099511628211ull;
    return h;
}

template <typename Call> static void twice(Call call)
{
    size_t bytes = 0;
    OK(call(nullptr, bytes));
    array<char> temp(bytes);
    OK(call(temp.at, bytes));
    OK(cudaDeviceSynchronize());
}
#define TWICE(...) twice([&](void *temp, size_t &bytes) { return __VA_ARGS__; })

static void device_reduce()
{
    array<unsigned> in(words(N)), out(2);
    TWICE(cub::DeviceReduce::Sum(temp, bytes, in.at, out.at, (int)N));
    std::printf("cub::DeviceReduce::Sum: %u\n", out.get(1)[0]);
}

static void device_scan()
{
    array<unsigned> in(words(N)), out(N);
    TWICE(cub::DeviceScan::ExclusiveSum(temp, bytes, in.at, out.at, (int)N));
    std::printf("cub::DeviceScan::ExclusiveSum: %016llx\n", sum_of(out.get(N)));
}

static void sort_pairs()
{
    array<unsigned> keys(words(N)), keys_out(N), values(words(N)), values_out(N);
    TWICE(cub::DeviceRadixSort::SortPairs(temp, bytes, keys.at, keys_out.at, values.at, values_out.at, (int)N));
    std::printf("cub::DeviceRadixSort::SortPairs: %016llx %016llx\n", sum_of(keys_out.get(N)), sum_of(values_out.get(N)));
}

static void select_if()
{
    array<unsigned> in(words(N)), out(N);
    array<int> count(1);
    TWICE(cub::DeviceSelect::If(temp, bytes, in.at, out.at, count.at, (int)N, third()));
    int n = count.get(1)[0];
    std::printf("cub::DeviceSelect::If: %d %016llx\n", n, sum_of(out.get(n)));
}

static void thrust_sort()
{
    std::vector<unsigned> h = words(N);
    std::vector<float> f(h.begin(), h.end());
    array<float> d(f);
    thrust::sort(thrust::device, d.at, d.at + N);
    std::printf("thrust::sort of float: %016llx\n", sum_of(d.get(N)));
}

static void reduce_by_key()
{
    std::vector<unsigned> k = words(N);
    for (unsigned &x : k)
        x = x % 3;
    array<unsigned> keys(k), values(words(N)), keys_out(N), sums(N);
    auto end = thrust::reduce_by_key(thrust::device, keys.at, keys.at + N, values.at, keys_out.at, sums.at);
    size_t n = end.first - keys_out.at;
    std::printf("thrust::reduce_by_key: %zu %016llx %016llx\n", n, sum_of(keys_out.get(n)), sum_of(sums.get(n)));
}

static void curand_words(curandRngType_t type, const char *name)
{
    curandGenerator_t g;
    array<unsigned> d(N);
    CHECK(curandCreateGenerator(&g, type) == CURAND_STATUS_SUCCESS);
    CHECK(curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_LEGACY) == CURAND_STATUS_SUCCESS);
    CHECK(curandSetPseudoRandomGeneratorSeed(g, 1234) == CURAND_STATUS_SUCCESS);
    CHECK(curandGenerate(g, d.at, N) == CURAND_STATUS_SUCCESS);
    OK(cudaDeviceSynchronize());
    std::printf("curandGenerate, %s: %016llx\n", name, sum_of(d.get(N)));
    CHECK(curandDestroyGenerator(g) == CURAND_STATUS_SUCCESS);
}
static void xorwow() { curand_words(CURAND_RNG_PSEUDO_XORWOW, "XORWOW"); }
static void philox() { curand_words(CURAND_RNG_PSEUDO_PHILOX4_32_10, "Philox4_32_10"); }

static cublasHandle_t blas()
{
    cublasHandle_t h;
    CHECK(cublasCreate(&h) == CUBLAS_STATUS_SUCCESS);
    return h;
}

static void sdot()
{
    cublasHandle_t h = blas();
    array<float> x(small<float>(N, 1)), y(small<float>(N, 2));
    float r;
    CHECK(cublasSdot(h, N, x.at, 1, y.at, 1, &r) == CUBLAS_STATUS_SUCCESS);
    std::printf("cublasSdot: %.1f\n", r);
}

static void sgemm()
{
    enum { M = 256 };
    cublasHandle_t h = blas();
    array<float> a(small<float>(M * M, 3)), b(small<float>(M * M, 4)), c(small<float>(M * M, 5));
    float alpha = 2, beta = 1;
    CHECK(cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_T, M, M, M, &alpha, a.at, M, b.at, M, &beta, c.at, M) == CUBLAS_STATUS_SUCCESS);
    OK(cudaDeviceSynchronize());
    std::printf("cublasSgemm: %016llx\n", sum_of(c.get(M * M)));
}

static void gemm_ex()
{
    enum { M = 256 };
    cublasHandle_t h = blas();
    array<__half> a(small<__half>(M * M, 6)), b(small<__half>(M * M, 7));
    array<float> c(small<float>(M * M, 8));
    float alpha = 1, beta = 3;
    CHECK(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, M, M, M, &alpha, a.at, CUDA_R_16F, M, b.at, CUDA_R_16F, M, &beta, c.at,
                       CUDA_R_32F, M, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS);
    OK(cudaDeviceSynchronize());
    std::printf("cublasGemmEx, half: %016llx\n", sum_of(c.get(M * M)));
}

static void spmv()
{
    enum { ROWS = 20000 };
    std::vector<int> offset(1, 0), column;
    for (int i = 0; i < ROWS; i++) {
        for (int k = 0; k < 3 + i % 20; k++)
            column.push_back((i * 37 + k * 991) % ROWS);
        offset.push_back((int)column.size());
    }
    array<int> o(offset), c(column);
    array<float> v(small<float>(column.size(), 9)), x(small<float>(ROWS, 10)), y(small<float>(ROWS, 11));
    cusparseHandle_t h;
    cusparseSpMatDescr_t m;
    cusparseDnVecDescr_t dx, dy;
    float alpha = 1, beta = 2;
    size_t bytes;
    CHECK(cusparseCreate(&h) == CUSPARSE_STATUS_SUCCESS);
    CHECK(cusparseCreateCsr(&m, ROWS, ROWS, column.size(), o.at, c.at, v.at, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                            CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F) == CUSPARSE_STATUS_SUCCESS);
    CHECK(cusparseCreateDnVec(&dx, ROWS, x.at, CUDA_R_32F) == CUSPARSE_STATUS_SUCCESS);
    CHECK(cusparseCreateDnVec(&dy, ROWS, y.at, CUDA_R_32F) == CUSPARSE_STATUS_SUCCESS);
    CHECK(cusparseSpMV_bufferSize(h, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, m, dx, &beta, dy, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT,
                                  &bytes) == CUSPARSE_STATUS_SUCCESS);
    array<char> buffer(bytes ? bytes : 1);
    CHECK(cusparseSpMV(h, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, m, dx, &beta, dy, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT,
                       buffer.at) == CUSPARSE_STATUS_SUCCESS);
    OK(cudaDeviceSynchronize());
    std::printf("cusparseSpMV: %016llx\n", sum_of(y.get(ROWS)));
}

int main(int argc, char **argv)
{
    void (*const calls[])() = {device_reduce, device_scan, sort_pairs, select_if, thrust_sort, reduce_by_key,
                               xorwow,        philox,      sdot,       sgemm,     gemm_ex,     spmv};
    int only = argc > 1 ? std::atoi(argv[1]) : 0;
    for (int i = 0; i < 12; i++)
        if (!only || only == i + 1)
            calls[i]();
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
