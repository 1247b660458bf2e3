/* cuBLAS, for C, C++ and CUDA, with the names of its version 2. The functions are in libcublas (lib/cublas): their kernels run like
 * any other. Real types only. */
#ifndef BANKSHOT_CUBLAS_API_H
#define BANKSHOT_CUBLAS_API_H

#include <cuComplex.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>
#include <library_types.h>
#include <stdint.h>

#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VER_MINOR 8
#define CUBLAS_VER_PATCH 4
#define CUBLAS_VERSION (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)
#define CUBLASWINAPI
#define CUBLASAPI

typedef struct cublasContext *cublasHandle_t;

typedef enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;

typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2, CUBLAS_OP_HERMITAN = 2, CUBLAS_OP_CONJG = 3 } cublasOperation_t;
typedef enum { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1, CUBLAS_FILL_MODE_FULL = 2 } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_ALGO0 = 0,
    CUBLAS_GEMM_ALGO1 = 1,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
    CUBLAS_GEMM_ALGO0_TENSOR_OP = 100
} cublasGemmAlgo_t;
typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef cudaDataType cublasDataType_t;

#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasGetVersion cublasGetVersion_v2
#define cublasSetStream cublasSetStream_v2
#define cublasGetStream cublasGetStream_v2
#define cublasSetWorkspace cublasSetWorkspace_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasGetPointerMode cublasGetPointerMode_v2

BANKSHOT_C_BEGIN

cublasStatus_t CUBLASWINAPI cublasCreate(cublasHandle_t *handle);
cublasStatus_t CUBLASWINAPI cublasDestroy(cublasHandle_t handle);
cublasStatus_t CUBLASWINAPI cublasGetVersion(cublasHandle_t handle, int *version);
cublasStatus_t CUBLASWINAPI cublasGetProperty(libraryPropertyType type, int *value);
cublasStatus_t CUBLASWINAPI cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t CUBLASWINAPI cublasGetStream(cublasHandle_t handle, cudaStream_t *stream);
cublasStatus_t CUBLASWINAPI cublasSetWorkspace(cublasHandle_t handle, void *workspace, size_t bytes);
cublasStatus_t CUBLASWINAPI cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t CUBLASWINAPI cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode);
cublasStatus_t CUBLASWINAPI cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t CUBLASWINAPI cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
cublasStatus_t CUBLASWINAPI cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t CUBLASWINAPI cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t *mode);
const char *CUBLASWINAPI cublasGetStatusName(cublasStatus_t status);
const char *CUBLASWINAPI cublasGetStatusString(cublasStatus_t status);

cublasStatus_t CUBLASWINAPI cublasSetVector(int n, int size, const void *x, int incx, void *device, int incy);
cublasStatus_t CUBLASWINAPI cublasGetVector(int n, int size, const void *device, int incx, void *y, int incy);
cublasStatus_t CUBLASWINAPI cublasSetMatrix(int rows, int cols, int size, const void *a, int lda, void *device, int ldb);
cublasStatus_t CUBLASWINAPI cublasGetMatrix(int rows, int cols, int size, const void *device, int lda, void *b, int ldb);
cublasStatus_t CUBLASWINAPI cublasSetVectorAsync(int n, int size, const void *x, int incx, void *device, int incy,
        cudaStream_t stream);
cublasStatus_t CUBLASWINAPI cublasGetVectorAsync(int n, int size, const void *device, int incx, void *y, int incy,
        cudaStream_t stream);
cublasStatus_t CUBLASWINAPI cublasSetMatrixAsync(int rows, int cols, int size, const void *a, int lda, void *device, int ldb,
        cudaStream_t stream);
cublasStatus_t CUBLASWINAPI cublasGetMatrixAsync(int rows, int cols, int size, const void *device, int lda, void *b, int ldb,
        cudaStream_t stream);

/* Levels 1 to 3, for S and D alike. */
#define __CUBLAS_REAL(T, AXPY, SCAL, COPY, SWAP, DOT, NRM2, ASUM, AMAX, AMIN, ROT, GEMV, GER, GEMM, BATCHED, STRIDED, GEAM)          \
    cublasStatus_t CUBLASWINAPI AXPY(cublasHandle_t handle, int n, const T *alpha, const T *x, int incx, T *y, int incy);            \
    cublasStatus_t CUBLASWINAPI SCAL(cublasHandle_t handle, int n, const T *alpha, T *x, int incx);                                  \
    cublasStatus_t CUBLASWINAPI COPY(cublasHandle_t handle, int n, const T *x, int incx, T *y, int incy);                            \
    cublasStatus_t CUBLASWINAPI SWAP(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy);                                  \
    cublasStatus_t CUBLASWINAPI DOT(cublasHandle_t handle, int n, const T *x, int incx, const T *y, int incy, T *result);            \
    cublasStatus_t CUBLASWINAPI NRM2(cublasHandle_t handle, int n, const T *x, int incx, T *result);                                 \
    cublasStatus_t CUBLASWINAPI ASUM(cublasHandle_t handle, int n, const T *x, int incx, T *result);                                 \
    cublasStatus_t CUBLASWINAPI AMAX(cublasHandle_t handle, int n, const T *x, int incx, int *result);                               \
    cublasStatus_t CUBLASWINAPI AMIN(cublasHandle_t handle, int n, const T *x, int incx, int *result);                               \
    cublasStatus_t CUBLASWINAPI ROT(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy, const T *c, const T *s);           \
    cublasStatus_t CUBLASWINAPI GEMV(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const T *alpha, const T *a,       \
                                     int lda, const T *x, int incx, const T *beta, T *y, int incy);                                  \
    cublasStatus_t CUBLASWINAPI GER(cublasHandle_t handle, int m, int n, const T *alpha, const T *x, int incx, const T *y, int incy, \
                                    T *a, int lda);                                                                                  \
    cublasStatus_t CUBLASWINAPI GEMM(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, \
                                     const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, T *c, int ldc);        \
    cublasStatus_t CUBLASWINAPI BATCHED(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,     \
                                        int k, const T *alpha, const T *const a[], int lda, const T *const b[], int ldb,             \
                                        const T *beta, T *const c[], int ldc, int count);                                            \
    cublasStatus_t CUBLASWINAPI STRIDED(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,     \
                                        int k, const T *alpha, const T *a, int lda, long long stride_a, const T *b, int ldb,         \
                                        long long stride_b, const T *beta, T *c, int ldc, long long stride_c, int count);            \
    cublasStatus_t CUBLASWINAPI GEAM(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,        \
                                     const T *alpha, const T *a, int lda, const T *beta, const T *b, int ldb, T *c, int ldc);
__CUBLAS_REAL(float, cublasSaxpy_v2, cublasSscal_v2, cublasScopy_v2, cublasSswap_v2, cublasSdot_v2, cublasSnrm2_v2, cublasSasum_v2,
              cublasIsamax_v2, cublasIsamin_v2, cublasSrot_v2, cublasSgemv_v2, cublasSger_v2, cublasSgemm_v2, cublasSgemmBatched,
              cublasSgemmStridedBatched, cublasSgeam)
__CUBLAS_REAL(double, cublasDaxpy_v2, cublasDscal_v2, cublasDcopy_v2, cublasDswap_v2, cublasDdot_v2, cublasDnrm2_v2, cublasDasum_v2,
              cublasIdamax_v2, cublasIdamin_v2, cublasDrot_v2, cublasDgemv_v2, cublasDger_v2, cublasDgemm_v2, cublasDgemmBatched,
              cublasDgemmStridedBatched, cublasDgeam)
#undef __CUBLAS_REAL

#ifdef __cplusplus /* C has no type for it */
cublasStatus_t CUBLASWINAPI cublasHgemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
        int k, const __half *alpha, const __half *a, int lda, const __half *b, int ldb, const __half *beta, __half *c, int ldc);
cublasStatus_t CUBLASWINAPI cublasHgemmBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
        int m, int n, int k, const __half *alpha, const __half *const a[], int lda, const __half *const b[], int ldb,
        const __half *beta, __half *const c[], int ldc, int count);
cublasStatus_t CUBLASWINAPI cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
        int m, int n, int k, const __half *alpha, const __half *a, int lda, long long stride_a, const __half *b, int ldb,
        long long stride_b, const __half *beta, __half *c, int ldc, long long stride_c, int count);
#endif
cublasStatus_t CUBLASWINAPI cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
        int k, const void *alpha, const void *a, cudaDataType type_a, int lda, const void *b, cudaDataType type_b, int ldb,
        const void *beta, void *c, cudaDataType type_c, int ldc, cublasComputeType_t compute, cublasGemmAlgo_t algo);
cublasStatus_t CUBLASWINAPI cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
        int m, int n, int k, const void *alpha, const void *const a[], cudaDataType type_a, int lda, const void *const b[],
        cudaDataType type_b, int ldb, const void *beta, void *const c[], cudaDataType type_c, int ldc, int count,
        cublasComputeType_t compute, cublasGemmAlgo_t algo);
cublasStatus_t CUBLASWINAPI cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
        int m, int n, int k, const void *alpha, const void *a, cudaDataType type_a, int lda, long long stride_a, const void *b,
        cudaDataType type_b, int ldb, long long stride_b, const void *beta, void *c, cudaDataType type_c, int ldc,
        long long stride_c, int count, cublasComputeType_t compute, cublasGemmAlgo_t algo);
cublasStatus_t CUBLASWINAPI cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
        int k, const float *alpha, const void *a, cudaDataType type_a, int lda, const void *b, cudaDataType type_b, int ldb,
        const float *beta, void *c, cudaDataType type_c, int ldc);

/* Types are arguments: double, or float, half and bfloat16 computed with in float; all operands and the result of one type. */
cublasStatus_t CUBLASWINAPI cublasDotEx(cublasHandle_t handle, int n, const void *x, cudaDataType x_type, int incx, const void *y,
        cudaDataType y_type, int incy, void *result, cudaDataType result_type, cudaDataType execution_type);
cublasStatus_t CUBLASWINAPI cublasNrm2Ex(cublasHandle_t handle, int n, const void *x, cudaDataType x_type, int incx, void *result,
        cudaDataType result_type, cudaDataType execution_type);
cublasStatus_t CUBLASWINAPI cublasAxpyEx(cublasHandle_t handle, int n, const void *alpha, cudaDataType alpha_type, const void *x,
        cudaDataType x_type, int incx, void *y, cudaDataType y_type, int incy, cudaDataType execution_type);
cublasStatus_t CUBLASWINAPI cublasScalEx(cublasHandle_t handle, int n, const void *alpha, cudaDataType alpha_type, void *x,
        cudaDataType x_type, int incx, cudaDataType execution_type);

BANKSHOT_C_END

#endif
/* SPDX-License-Identifier: Apache-2.0 */
