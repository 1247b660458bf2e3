// cuBLAS and cuSPARSE against plain loops. Numbers are small integers, so that sums are exact in any order.
#include "check.h"

#include <cmath>
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cusparse.h>
#include <vector>

#define BLAS(call) CHECK((call) == CUBLAS_STATUS_SUCCESS)
#define SPARSE(call) CHECK((call) == CUSPARSE_STATUS_SUCCESS)

template <typename T> struct array {
    T *at;
    explicit array(size_t n) { OK(cudaMallocManaged((void **)&at, n * sizeof(T))); }
    array(size_t n, unsigned seed) : array(n)
    {
        for (size_t i = 0; i < n; i++)
            at[i] = (T)(float)((int)(((unsigned)i + seed) * 2654435761u >> 9) % 7 - 3);
    }
    ~array() { cudaFree(at); }
    T &operator[](size_t i) const { return at[i]; }
};

static double real(float x) { return x; }
static double real(double x) { return x; }
static double real(__half x) { return __half2float(x); }

static cublasHandle_t h;

template <typename T> struct names;
template <> struct names<float> {
    static constexpr auto gemm = cublasSgemm;
    static constexpr auto strided = cublasSgemmStridedBatched;
    static constexpr auto gemv = cublasSgemv;
};
template <> struct names<double> {
    static constexpr auto gemm = cublasDgemm;
    static constexpr auto strided = cublasDgemmStridedBatched;
    static constexpr auto gemv = cublasDgemv;
};

static void vectors()
{
    enum { N = 3000 };
    array<float> x(2 * N, 1), y(N, 2), result(2);
    float alpha = 2, r;
    double sum = 0, norm = 0, dot = 0;
    std::vector<float> want(N);
    int most = 0;
    for (int i = 0; i < N; i++) {
        want[i] = alpha * x[2 * i] + y[i];
        sum += std::fabs(x[2 * i]);
        norm += x[2 * i] * x[2 * i];
        dot += x[2 * i] * y[i];
        if (std::fabs(x[2 * i]) > std::fabs(x[2 * most]))
            most = i;
    }
    BLAS(cublasSdot(h, N, x.at, 2, y.at, 1, &r));
    CHECK(r == dot);
    BLAS(cublasSasum(h, N, x.at, 2, &r));
    CHECK(r == sum);
    BLAS(cublasSnrm2(h, N, x.at, 2, &r));
    CHECK(std::fabs(r - std::sqrt(norm)) < 1e-3);
    int at;
    BLAS(cublasIsamax(h, N, x.at, 2, &at));
    CHECK(at == most + 1);
    BLAS(cublasIsamin(h, N, x.at, 2, &at));
    CHECK(x[2 * (at - 1)] == 0);
    BLAS(cublasSaxpy(h, N, &alpha, x.at, 2, y.at, 1));
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < N; i++)
        CHECK(y[i] == want[i]);
    // Scalars on the device.
    BLAS(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE));
    BLAS(cublasSdot(h, N, x.at, 2, x.at, 2, result.at));
    result[1] = 3;
    BLAS(cublasSscal(h, N, result.at + 1, y.at, 1));
    BLAS(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST));
    OK(cudaDeviceSynchronize());
    CHECK(result[0] == norm && y[5] == 3 * want[5]);
    array<double> a(10, 3), b(10, 4);
    double a0 = a[0], b9 = b[9];
    BLAS(cublasDswap(h, 10, a.at, 1, b.at, -1));
    OK(cudaDeviceSynchronize());
    CHECK(b[9] == a0 && a[0] == b9);
    BLAS(cublasDcopy(h, 10, a.at, 1, b.at, 1));
    OK(cudaDeviceSynchronize());
    CHECK(b[9] == a[9]);
    CHECK(cublasSdot(NULL, 1, x.at, 1, y.at, 1, &r) == CUBLAS_STATUS_NOT_INITIALIZED);
}

static double real(__nv_bfloat16 x) { return __bfloat162float(x); }

/* Functions whose types are arguments, on the host's results and the device's. */
template <typename T, typename W> static void typed_vectors(cudaDataType type, cudaDataType wide)
{
    enum { N = 20 };
    array<T> x(2 * N, 1), y(N, 2), result(1);
    T r;
    W alpha = 2;
    double dot = 0, norm = 0;
    std::vector<double> want(N);
    for (int i = 0; i < N; i++) {
        dot += real(x[2 * i]) * real(y[i]);
        norm += real(x[2 * i]) * real(x[2 * i]);
        want[i] = 2 * (2 * real(x[2 * i]) + real(y[i]));
    }
    BLAS(cublasDotEx(h, N, x.at, type, 2, y.at, type, 1, &r, type, wide));
    CHECK(real(r) == dot);
    BLAS(cublasNrm2Ex(h, N, x.at, type, 2, &r, type, wide));
    CHECK(std::fabs(real(r) - std::sqrt(norm)) < norm / 256);
    BLAS(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE));
    BLAS(cublasDotEx(h, N, x.at, type, 2, y.at, type, 1, result.at, type, wide));
    BLAS(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST));
    BLAS(cublasAxpyEx(h, N, &alpha, wide, x.at, type, 2, y.at, type, 1, wide));
    BLAS(cublasScalEx(h, N, &alpha, wide, y.at, type, 1, wide));
    OK(cudaDeviceSynchronize());
    CHECK(real(result[0]) == dot);
    for (int i = 0; i < N; i++)
        CHECK(real(y[i]) == want[i]);
    CHECK(cublasDotEx(h, N, x.at, type, 2, y.at, type, 1, &r, CUDA_R_8I, wide) == CUBLAS_STATUS_NOT_SUPPORTED);
}

/* Each matrix at a place of its own. */
static void listed_products()
{
    enum { M = 9, COUNT = 3 };
    array<__half> all(3 * COUNT * M * M, 4);
    array<__half *> a(COUNT), b(COUNT), c(COUNT);
    __half one = __float2half(1), zero = __float2half(0);
    float wide_one = 1, wide_zero = 0;
    for (int i = 0; i < COUNT; i++) {
        a[i] = all.at + (COUNT - 1 - i) * M * M;
        b[i] = all.at + (COUNT + i) * M * M;
        c[i] = all.at + (2 * COUNT + (i + 1) % COUNT) * M * M;
    }
    for (int ex = 0; ex < 2; ex++) {
        if (ex)
            BLAS(cublasGemmBatchedEx(h, CUBLAS_OP_N, CUBLAS_OP_N, M, M, M, &wide_one, (const void *const *)a.at, CUDA_R_16F, M,
                                     (const void *const *)b.at, CUDA_R_16F, M, &wide_zero, (void *const *)c.at, CUDA_R_16F, M, COUNT,
                                     CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
        else
            BLAS(cublasHgemmBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, M, M, M, &one, a.at, M, b.at, M, &zero, c.at, M, COUNT));
        OK(cudaDeviceSynchronize());
        for (int z = 0; z < COUNT; z++)
            for (int i = 0; i < M * M; i++) {
                double s = 0;
                for (int k = 0; k < M; k++)
                    s += real(a[z][i % M + k * M]) * real(b[z][k + i / M * M]);
                CHECK(real(c[z][i]) == s);
                c[z][i] = one;
            }
    }
}

template <typename T> static void matrix_vector(int m, int n)
{
    int ld = m + 3;
    array<T> a((size_t)ld * n, 5), x(m + n, 6), y(m + n, 7);
    for (int t = 0; t < 2; t++) {
        int out = t ? n : m, in = t ? m : n;
        std::vector<double> want(out);
        for (int i = 0; i < out; i++) {
            double s = 0;
            for (int j = 0; j < in; j++)
                s += (double)a[t ? j + (size_t)i * ld : i + (size_t)j * ld] * x[j];
            want[i] = 2 * s - y[i];
        }
        T alpha = 2, beta = -1;
        BLAS(names<T>::gemv(h, t ? CUBLAS_OP_T : CUBLAS_OP_N, m, n, &alpha, a.at, ld, x.at, 1, &beta, y.at, 1));
        OK(cudaDeviceSynchronize());
        for (int i = 0; i < out; i++)
            CHECK(y[i] == want[i]);
    }
    T alpha = 3, before = a[1 + (size_t)ld];
    BLAS((sizeof(T) == 4 ? cublasSger(h, m, n, (float *)&alpha, (float *)x.at, 1, (float *)x.at, 1, (float *)a.at, ld)
                         : cublasDger(h, m, n, (double *)&alpha, (double *)x.at, 1, (double *)x.at, 1, (double *)a.at, ld)));
    OK(cudaDeviceSynchronize());
    CHECK(a[1 + (size_t)ld] == before + 3 * x[1] * x[1]);
}

template <typename A, typename C, typename Call> static void products(int m, int n, int k, int count, Call call)
{
    for (int t = 0; t < 4; t++) {
        bool ta = t & 1, tb = t & 2;
        int lda = (ta ? k : m) + 5, ldb = (tb ? n : k) + 8 - ((tb ? n : k) % 8), ldc = m + 1;
        size_t sa = (size_t)lda * (ta ? m : k), sb = (size_t)ldb * (tb ? k : n), sc = (size_t)ldc * n;
        array<A> a(sa * count, 8 + t), b(sb * count, 9);
        array<C> c(sc * count, 10);
        std::vector<double> want(sc * count);
        for (int z = 0; z < count; z++)
            for (int j = 0; j < n; j++)
                for (int i = 0; i < m; i++) {
                    double s = 0;
                    for (int d = 0; d < k; d++)
                        s += real(a[z * sa + (ta ? d + (size_t)i * lda : i + (size_t)d * lda)]) *
                             real(b[z * sb + (tb ? j + (size_t)d * ldb : d + (size_t)j * ldb)]);
                    want[z * sc + i + (size_t)j * ldc] = s + 2 * real(c[z * sc + i + (size_t)j * ldc]);
                }
        call(ta ? CUBLAS_OP_T : CUBLAS_OP_N, tb ? CUBLAS_OP_T : CUBLAS_OP_N, a.at, lda, sa, b.at, ldb, sb, c.at, ldc, sc);
        OK(cudaDeviceSynchronize());
        for (int z = 0; z < count; z++)
            for (int j = 0; j < n; j++)
                for (int i = 0; i < m; i++)
                    CHECK(real(c[z * sc + i + (size_t)j * ldc]) == want[z * sc + i + (size_t)j * ldc]);
    }
}

template <typename T> static void plain_products(int m, int n, int k, int count)
{
    T alpha = 1, beta = 2;
    products<T, T>(m, n, k, count, [&](cublasOperation_t ta, cublasOperation_t tb, T *a, int lda, size_t sa, T *b, int ldb, size_t sb,
                                       T *c, int ldc, size_t sc) {
        if (count == 1)
            BLAS(names<T>::gemm(h, ta, tb, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc));
        else
            BLAS(names<T>::strided(h, ta, tb, m, n, k, &alpha, a, lda, sa, b, ldb, sb, &beta, c, ldc, sc, count));
    });
}

template <typename C> static void half_products(int m, int n, int k, int count, cublasComputeType_t compute)
{
    float alpha = 1, beta = 2;
    __half half_alpha = __float2half(1), half_beta = __float2half(2);
    bool sums_16 = compute == CUBLAS_COMPUTE_16F;
    products<__half, C>(m, n, k, count, [&](cublasOperation_t ta, cublasOperation_t tb, __half *a, int lda, size_t sa, __half *b, int ldb,
                                            size_t sb, C *c, int ldc, size_t sc) {
        BLAS(cublasGemmStridedBatchedEx(h, ta, tb, m, n, k, sums_16 ? (void *)&half_alpha : (void *)&alpha, a, CUDA_R_16F, lda, sa, b,
                                        CUDA_R_16F, ldb, sb, sums_16 ? (void *)&half_beta : (void *)&beta, c,
                                        sizeof(C) == 2 ? CUDA_R_16F : CUDA_R_32F, ldc, sc, count, compute, CUBLAS_GEMM_DEFAULT));
    });
}

static void transposes()
{
    enum { M = 50, N = 41 };
    array<float> a(M * N, 11), c(M * N);
    float one = 1, zero = 0;
    BLAS(cublasSgeam(h, CUBLAS_OP_T, CUBLAS_OP_N, M, N, &one, a.at, N, &zero, NULL, M, c.at, M));
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            CHECK(c[i + j * M] == a[j + i * N]);
    float host[6] = {1, 2, 3, 4, 5, 6}, back[6];
    BLAS(cublasSetMatrix(2, 3, sizeof(float), host, 2, c.at, 4));
    BLAS(cublasGetMatrix(2, 3, sizeof(float), c.at, 4, back, 2));
    CHECK(memcmp(host, back, sizeof host) == 0 && c[4] == 3);
    CHECK(cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a.at, 3, a.at, 4, &zero, c.at, 4) == CUBLAS_STATUS_INVALID_VALUE);
}

template <typename T, typename Index> static void sparse(int rows, int cols, bool coo, cusparseOperation_t op)
{
    std::vector<Index> offset(1, 1), row, column; // counted from one
    for (int i = 0; i < rows; i++) {
        for (int j = i * 7 % 11; j < cols; j += 3 + i % 40) {
            row.push_back(i + 1);
            column.push_back(j + 1);
        }
        offset.push_back((Index)column.size() + 1);
    }
    bool t = op == CUSPARSE_OPERATION_TRANSPOSE;
    size_t nnz = column.size();
    array<Index> r(coo ? nnz : rows + 1), c(nnz);
    std::copy(column.begin(), column.end(), c.at);
    std::copy((coo ? row : offset).begin(), (coo ? row : offset).end(), r.at);
    array<T> v(nnz, 12), x(rows + cols, 13), y(rows + cols, 14);
    std::vector<T> want(t ? cols : rows);
    for (size_t i = 0; i < want.size(); i++)
        want[i] = 3 * y[i];
    for (size_t i = 0; i < nnz; i++)
        want[(t ? column : row)[i] - 1] += 2 * v[i] * x[(t ? row : column)[i] - 1];
    cusparseHandle_t s;
    cusparseSpMatDescr_t m;
    cusparseDnVecDescr_t dx, dy;
    cudaDataType type = sizeof(T) == 4 ? CUDA_R_32F : CUDA_R_64F;
    cusparseIndexType_t index = sizeof(Index) == 4 ? CUSPARSE_INDEX_32I : CUSPARSE_INDEX_64I;
    T alpha = 2, beta = 3;
    size_t bytes;
    void *buffer;
    SPARSE(cusparseCreate(&s));
    if (coo)
        SPARSE(cusparseCreateCoo(&m, rows, cols, nnz, r.at, c.at, v.at, index, CUSPARSE_INDEX_BASE_ONE, type));
    else
        SPARSE(cusparseCreateCsr(&m, rows, cols, nnz, r.at, c.at, v.at, index, index, CUSPARSE_INDEX_BASE_ONE, type));
    SPARSE(cusparseCreateDnVec(&dx, t ? rows : cols, x.at, type));
    SPARSE(cusparseCreateDnVec(&dy, t ? cols : rows, y.at, type));
    SPARSE(cusparseSpMV_bufferSize(s, op, &alpha, m, dx, &beta, dy, type, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
    OK(cudaMalloc(&buffer, bytes));
    SPARSE(cusparseSpMV(s, op, &alpha, m, dx, &beta, dy, type, CUSPARSE_SPMV_ALG_DEFAULT, buffer));
    OK(cudaDeviceSynchronize());
    for (size_t i = 0; i < want.size(); i++)
        CHECK(y[i] == want[i]);
    SPARSE(cusparseDestroySpMat(m));
    SPARSE(cusparseDestroyDnVec(dx));
    SPARSE(cusparseDestroyDnVec(dy));
    SPARSE(cusparseDestroy(s));
    OK(cudaFree(buffer));
}

int main()
{
    BLAS(cublasCreate(&h));
    vectors();
    typed_vectors<__half, float>(CUDA_R_16F, CUDA_R_32F);
    typed_vectors<__nv_bfloat16, float>(CUDA_R_16BF, CUDA_R_32F);
    typed_vectors<float, float>(CUDA_R_32F, CUDA_R_32F);
    typed_vectors<double, double>(CUDA_R_64F, CUDA_R_64F);
    listed_products();
    matrix_vector<float>(100, 37);
    matrix_vector<double>(33, 70);
    plain_products<float>(65, 40, 33, 1);
    plain_products<float>(130, 129, 20, 20);
    plain_products<double>(70, 30, 9, 2);
    half_products<float>(130, 40, 50, 2, CUBLAS_COMPUTE_32F);
    half_products<__half>(64, 136, 32, 1, CUBLAS_COMPUTE_16F);
    transposes();
    BLAS(cublasDestroy(h));
    sparse<float, int>(300, 200, false, CUSPARSE_OPERATION_NON_TRANSPOSE);
    sparse<double, long long>(50, 300, false, CUSPARSE_OPERATION_NON_TRANSPOSE);
    sparse<float, int>(100, 200, false, CUSPARSE_OPERATION_TRANSPOSE);
    sparse<float, int>(100, 200, true, CUSPARSE_OPERATION_NON_TRANSPOSE);
    return passed();
}
// SPDX-License-Identifier: Apache-2.0
