/* Handles and descriptions. */
#include "context.h"

#include <stdlib.h>

static cusparseStatus_t make_matrix(cusparseSpMatDescr_t *out, const cusparseSpMatDescr &m)
{
    if (!out || m.rows < 0 || m.cols < 0 || m.nnz < 0)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *out = (cusparseSpMatDescr_t)malloc(sizeof **out);
    if (!*out)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    **out = m;
    return CUSPARSE_STATUS_SUCCESS;
}

extern "C" {

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle)
{
    *handle = (cusparseHandle_t)calloc(1, sizeof **handle);
    return *handle ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}

cusparseStatus_t cusparseDestroy(cusparseHandle_t h)
{
    free(h);
    return h ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_INITIALIZED;
}

cusparseStatus_t cusparseGetVersion(cusparseHandle_t h, int *version)
{
    (void)h;
    *version = CUSPARSE_VERSION;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSetStream(cusparseHandle_t h, cudaStream_t stream)
{
    if (!h)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    h->stream = stream;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGetStream(cusparseHandle_t h, cudaStream_t *stream)
{
    if (!h)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    *stream = h->stream;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t h, cusparsePointerMode_t mode)
{
    if (!h)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    h->pointer_mode = mode;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t h, cusparsePointerMode_t *mode)
{
    if (!h)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    *mode = h->pointer_mode;
    return CUSPARSE_STATUS_SUCCESS;
}

const char *cusparseGetErrorName(cusparseStatus_t status)
{
    static const char *const names[] = {
        "CUSPARSE_STATUS_SUCCESS", "CUSPARSE_STATUS_NOT_INITIALIZED", "CUSPARSE_STATUS_ALLOC_FAILED",
        "CUSPARSE_STATUS_INVALID_VALUE", "CUSPARSE_STATUS_ARCH_MISMATCH", "CUSPARSE_STATUS_MAPPING_ERROR",
        "CUSPARSE_STATUS_EXECUTION_FAILED", "CUSPARSE_STATUS_INTERNAL_ERROR", "CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED",
        "CUSPARSE_STATUS_ZERO_PIVOT", "CUSPARSE_STATUS_NOT_SUPPORTED", "CUSPARSE_STATUS_INSUFFICIENT_RESOURCES"};
    return (unsigned)status < sizeof names / sizeof *names ? names[status] : "unknown";
}

const char *cusparseGetErrorString(cusparseStatus_t status) { return cusparseGetErrorName(status); }

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t cols, int64_t nnz, void *offsets, void *columns,
                                   void *values, cusparseIndexType_t offset_type, cusparseIndexType_t column_type,
                                   cusparseIndexBase_t base, cudaDataType type)
{
    return make_matrix(matrix, {false, rows, cols, nnz, offsets, columns, values, offset_type, column_type, base, type});
}

cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t cols, int64_t nnz, void *row_indices,
                                   void *columns, void *values, cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                   cudaDataType type)
{
    return make_matrix(matrix, {true, rows, cols, nnz, row_indices, columns, values, index_type, index_type, base, type});
}

cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix)
{
    free((void *)matrix);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t *rows, int64_t *cols, int64_t *nnz)
{
    *rows = matrix->rows;
    *cols = matrix->cols;
    *nnz = matrix->nnz;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *vector, int64_t size, void *values, cudaDataType type)
{
    if (!vector || size < 0)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *vector = (cusparseDnVecDescr_t)malloc(sizeof **vector);
    if (!*vector)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    **vector = {size, values, type};
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector)
{
    free((void *)vector);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void *values)
{
    vector->values = values;
    return CUSPARSE_STATUS_SUCCESS;
}
}
// SPDX-License-Identifier: Apache-2.0
