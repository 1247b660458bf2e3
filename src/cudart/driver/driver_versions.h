/* Driver API: functions that include/cuda.h does not declare: forms of another version of CUDA. */
#ifndef CUDART_DRIVER_VERSIONS_H
#define CUDART_DRIVER_VERSIONS_H

#include "cudart/driver/driver.h"

CUresult cuCtxCreate_v3(CUcontext *out, void *affinity, int n, unsigned int flags, CUdevice device);
CUresult cuCtxCreate_v4(CUcontext *out, void *params, unsigned int flags, CUdevice device);
CUresult cuMemAdvise_v2(CUdeviceptr p, size_t size, CUmem_advise advice, struct cudaMemLocation location);
CUresult cuMemPrefetchAsync_v2(CUdeviceptr p, size_t size, struct cudaMemLocation location,
                               unsigned int flags, CUstream stream);
CUresult cuMemcpyHtoAAsync_v2(CUarray dst, size_t at, const void *src, size_t n, CUstream s);
CUresult cuMemcpyAtoHAsync_v2(void *dst, CUarray src, size_t at, size_t n, CUstream s);

#endif
