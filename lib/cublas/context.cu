/* Handles, their modes, and copies of vectors and matrices. */
#include "context.h"

#include <stdlib.h>

void *cublas_work(cublasHandle_t h, size_t bytes)
{
    if (bytes > h->work_b) {
        cudaFree(h->work);
        h->work_b = 0;
        if (cudaMalloc(&h->work, bytes) != cudaSuccess)
            h->work = NULL;
        else
            h->work_b = bytes;
    }
    return h->work;
}

/* Columns of `rows` elements; a vector is a matrix of one row. */
static cublasStatus_t copy(int rows, int cols, int size, const void *from, int from_ld, void *to, int to_ld, cudaStream_t stream,
                           bool async)
{
    if (rows < 0 || cols < 0 || size <= 0 || from_ld <= 0 || to_ld <= 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (rows == 0 || cols == 0)
        return CUBLAS_STATUS_SUCCESS;
    size_t width = (size_t)rows * size, from_pitch = (size_t)from_ld * size, to_pitch = (size_t)to_ld * size;
    cudaError_t e = async ? cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, cols, cudaMemcpyDefault, stream)
                          : cudaMemcpy2D(to, to_pitch, from, from_pitch, width, cols, cudaMemcpyDefault);
    return e == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

extern "C" {

cublasStatus_t cublasCreate(cublasHandle_t *handle)
{
    *handle = (cublasHandle_t)calloc(1, sizeof **handle);
    return *handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

cublasStatus_t cublasDestroy(cublasHandle_t h)
{
    if (!h)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    cudaFree(h->work);
    free(h);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion(cublasHandle_t h, int *version)
{
    (void)h;
    *version = CUBLAS_VERSION;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value)
{
    static const int of[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
    if ((unsigned)type > PATCH_LEVEL)
        return CUBLAS_STATUS_INVALID_VALUE;
    *value = of[type];
    return CUBLAS_STATUS_SUCCESS;
}

/* Modes: kept, and given back. Only the pointers' has an effect. */
#define MODE(SET, GET, TYPE, FIELD)                                                                                                  \
    cublasStatus_t SET(cublasHandle_t h, TYPE mode)                                                                                  \
    {                                                                                                                                \
        if (!h)                                                                                                                      \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                                                    \
        h->FIELD = mode;                                                                                                             \
        return CUBLAS_STATUS_SUCCESS;                                                                                                \
    }                                                                                                                                \
    cublasStatus_t GET(cublasHandle_t h, TYPE *mode)                                                                                 \
    {                                                                                                                                \
        if (!h)                                                                                                                      \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                                                    \
        *mode = h->FIELD;                                                                                                            \
        return CUBLAS_STATUS_SUCCESS;                                                                                                \
    }
MODE(cublasSetStream, cublasGetStream, cudaStream_t, stream)
MODE(cublasSetPointerMode, cublasGetPointerMode, cublasPointerMode_t, pointer_mode)
MODE(cublasSetMathMode, cublasGetMathMode, cublasMath_t, math)
MODE(cublasSetAtomicsMode, cublasGetAtomicsMode, cublasAtomicsMode_t, atomics)

/* Products need none here. */
cublasStatus_t cublasSetWorkspace(cublasHandle_t h, void *workspace, size_t bytes)
{
    (void)workspace, (void)bytes;
    return h ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

const char *cublasGetStatusName(cublasStatus_t status)
{
    switch (status) {
    case CUBLAS_STATUS_SUCCESS: return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_NOT_INITIALIZED: return "CUBLAS_STATUS_NOT_INITIALIZED";
    case CUBLAS_STATUS_ALLOC_FAILED: return "CUBLAS_STATUS_ALLOC_FAILED";
    case CUBLAS_STATUS_INVALID_VALUE: return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_ARCH_MISMATCH: return "CUBLAS_STATUS_ARCH_MISMATCH";
    case CUBLAS_STATUS_MAPPING_ERROR: return "CUBLAS_STATUS_MAPPING_ERROR";
    case CUBLAS_STATUS_EXECUTION_FAILED: return "CUBLAS_STATUS_EXECUTION_FAILED";
    case CUBLAS_STATUS_INTERNAL_ERROR: return "CUBLAS_STATUS_INTERNAL_ERROR";
    case CUBLAS_STATUS_NOT_SUPPORTED: return "CUBLAS_STATUS_NOT_SUPPORTED";
    case CUBLAS_STATUS_LICENSE_ERROR: return "CUBLAS_STATUS_LICENSE_ERROR";
    }
    return "unknown";
}

const char *cublasGetStatusString(cublasStatus_t status) { return cublasGetStatusName(status); }

cublasStatus_t cublasSetVector(int n, int size, const void *x, int incx, void *device, int incy)
{
    return copy(1, n, size, x, incx, device, incy, 0, false);
}
cublasStatus_t cublasGetVector(int n, int size, const void *device, int incx, void *y, int incy)
{
    return copy(1, n, size, device, incx, y, incy, 0, false);
}
cublasStatus_t cublasSetMatrix(int rows, int cols, int size, const void *a, int lda, void *device, int ldb)
{
    return copy(rows, cols, size, a, lda, device, ldb, 0, false);
}
cublasStatus_t cublasGetMatrix(int rows, int cols, int size, const void *device, int lda, void *b, int ldb)
{
    return copy(rows, cols, size, device, lda, b, ldb, 0, false);
}
cublasStatus_t cublasSetVectorAsync(int n, int size, const void *x, int incx, void *device, int incy, cudaStream_t stream)
{
    return copy(1, n, size, x, incx, device, incy, stream, true);
}
cublasStatus_t cublasGetVectorAsync(int n, int size, const void *device, int incx, void *y, int incy, cudaStream_t stream)
{
    return copy(1, n, size, device, incx, y, incy, stream, true);
}
cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int size, const void *a, int lda, void *device, int ldb, cudaStream_t stream)
{
    return copy(rows, cols, size, a, lda, device, ldb, stream, true);
}
cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int size, const void *device, int lda, void *b, int ldb, cudaStream_t stream)
{
    return copy(rows, cols, size, device, lda, b, ldb, stream, true);
}
}
// SPDX-License-Identifier: Apache-2.0
