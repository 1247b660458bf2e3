// Types of pointers to functions of the driver interface, for what programs ask cudaGetDriverEntryPoint for.
#ifndef BANKSHOT_CUDA_TYPEDEFS_H
#define BANKSHOT_CUDA_TYPEDEFS_H

#include "cuda.h"

typedef CUresult(CUDAAPI *PFN_cuTensorMapEncodeTiled_v12000)(CUtensorMap *map, CUtensorMapDataType type,
        cuuint32_t rank, void *address, const cuuint64_t *dim, const cuuint64_t *strides,
        const cuuint32_t *box, const cuuint32_t *elementStrides, CUtensorMapInterleave interleave,
        CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill);
typedef CUresult(CUDAAPI *PFN_cuTensorMapReplaceAddress_v12000)(CUtensorMap *map, void *address);
typedef PFN_cuTensorMapEncodeTiled_v12000 PFN_cuTensorMapEncodeTiled;
typedef PFN_cuTensorMapReplaceAddress_v12000 PFN_cuTensorMapReplaceAddress;

#endif
/* SPDX-License-Identifier: Apache-2.0 */
