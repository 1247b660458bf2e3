/* What the files of libcusparse share: the handle and what describes matrices and vectors. */
#ifndef CUSPARSE_CONTEXT_H
#define CUSPARSE_CONTEXT_H

#include <cusparse.h>

struct cusparseContext {
    cudaStream_t stream;
    cusparsePointerMode_t pointer_mode;
};

struct cusparseSpMatDescr {
    bool is_coo; /* else CSR: rows are offsets */
    int64_t rows, cols, nnz;
    void *row, *column, *values;
    cusparseIndexType_t row_type, column_type;
    cusparseIndexBase_t base;
    cudaDataType type;
};

struct cusparseDnVecDescr {
    int64_t size;
    void *values;
    cudaDataType type;
};

#endif
/* SPDX-License-Identifier: Apache-2.0 */
