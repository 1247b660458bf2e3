// Devices, errors, versions, profiling.
#ifndef BANKSHOT_API_DEVICE_H
#define BANKSHOT_API_DEVICE_H

#include "../builtin_types.h"

// CUDA 12 gave the function a new name when the structure grew.
#define cudaGetDeviceProperties cudaGetDeviceProperties_v2

BANKSHOT_C_BEGIN

extern __host__ cudaError_t CUDARTAPI cudaGetLastError(void);
extern __host__ cudaError_t CUDARTAPI cudaPeekAtLastError(void);
extern __host__ const char *CUDARTAPI cudaGetErrorName(cudaError_t error);
extern __host__ const char *CUDARTAPI cudaGetErrorString(cudaError_t error);

extern __host__ cudaError_t CUDARTAPI cudaDriverGetVersion(int *version);
extern __host__ cudaError_t CUDARTAPI cudaRuntimeGetVersion(int *version);

extern __host__ cudaError_t CUDARTAPI cudaGetDeviceCount(int *count);
extern __host__ cudaError_t CUDARTAPI cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device);
extern __host__ cudaError_t CUDARTAPI cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr,
        int device);
extern __host__ cudaError_t CUDARTAPI cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr,
        int src, int dst);
extern __host__ cudaError_t CUDARTAPI cudaDeviceGetTexture1DLinearMaxWidth(size_t *elements,
        const struct cudaChannelFormatDesc *desc, int device);
extern __host__ cudaError_t CUDARTAPI cudaDeviceGetNvSciSyncAttributes(void *list, int device, int flags);
extern __host__ cudaError_t CUDARTAPI cudaDeviceGetByPCIBusId(int *device, const char *id);
extern __host__ cudaError_t CUDARTAPI cudaDeviceGetPCIBusId(char *id, int len, int device);
extern __host__ cudaError_t CUDARTAPI cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted);
extern __host__ cudaError_t CUDARTAPI cudaSetDevice(int device);
extern __host__ cudaError_t CUDARTAPI cudaGetDevice(int *device);
extern __host__ cudaError_t CUDARTAPI cudaInitDevice(int device, unsigned int device_flags,
        unsigned int flags);
extern __host__ cudaError_t CUDARTAPI cudaSetValidDevices(int *devices, int count);
extern __host__ cudaError_t CUDARTAPI cudaSetDeviceFlags(unsigned int flags);
extern __host__ cudaError_t CUDARTAPI cudaGetDeviceFlags(unsigned int *flags);

extern __host__ cudaError_t CUDARTAPI cudaDeviceReset(void);
extern __host__ cudaError_t CUDARTAPI cudaDeviceSynchronize(void);
extern __host__ cudaError_t CUDARTAPI cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
extern __host__ cudaError_t CUDARTAPI cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
extern __host__ cudaError_t CUDARTAPI cudaDeviceSetCacheConfig(enum cudaFuncCache config);
extern __host__ cudaError_t CUDARTAPI cudaDeviceGetCacheConfig(enum cudaFuncCache *config);
extern __host__ cudaError_t CUDARTAPI cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
extern __host__ cudaError_t CUDARTAPI cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config);
extern __host__ cudaError_t CUDARTAPI cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
extern __host__ cudaError_t CUDARTAPI cudaDeviceFlushGPUDirectRDMAWrites(
        enum cudaFlushGPUDirectRDMAWritesTarget target, enum cudaFlushGPUDirectRDMAWritesScope scope);
extern __host__ cudaError_t CUDARTAPI cudaCtxResetPersistingL2Cache(void);

extern __host__ cudaError_t CUDARTAPI cudaDeviceCanAccessPeer(int *can, int device, int peer);
extern __host__ cudaError_t CUDARTAPI cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
extern __host__ cudaError_t CUDARTAPI cudaDeviceDisablePeerAccess(int peer);

extern __host__ cudaError_t CUDARTAPI cudaGetExportTable(const void **table, const cudaUUID_t *id);
extern __host__ cudaError_t CUDARTAPI cudaGetDriverEntryPoint(const char *symbol, void **fn,
        unsigned long long flags, enum cudaDriverEntryPointQueryResult *status CUDART_DEFAULT(NULL));
extern __host__ cudaError_t CUDARTAPI cudaGetDriverEntryPointByVersion(const char *symbol, void **fn,
        unsigned int version, unsigned long long flags,
        enum cudaDriverEntryPointQueryResult *status CUDART_DEFAULT(NULL));

BANKSHOT_C_END

#endif
/* SPDX-License-Identifier: Apache-2.0 */
