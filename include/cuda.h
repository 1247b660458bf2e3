// The part of the CUDA driver interface that programs use: devices, contexts, modules, memory, streams, events,
// launches. Level of CUDA 12.8; names that NVIDIA's header maps to a _v2 are mapped here the same way.
#ifndef __cuda_cuda_h__
#define __cuda_cuda_h__

#define CUDA_VERSION 12080

#include "bankshot/type_driver.h"
#include "bankshot/type_tensormap.h"
#include "host_defines.h"
#include <stdlib.h>

#define cuDeviceTotalMem cuDeviceTotalMem_v2
#define cuCtxCreate cuCtxCreate_v2
#define cuCtxDestroy cuCtxDestroy_v2
#define cuCtxPopCurrent cuCtxPopCurrent_v2
#define cuCtxPushCurrent cuCtxPushCurrent_v2
#define cuDevicePrimaryCtxRelease cuDevicePrimaryCtxRelease_v2
#define cuDevicePrimaryCtxReset cuDevicePrimaryCtxReset_v2
#define cuDevicePrimaryCtxSetFlags cuDevicePrimaryCtxSetFlags_v2
#define cuModuleGetGlobal cuModuleGetGlobal_v2
#define cuLinkCreate cuLinkCreate_v2
#define cuLinkAddData cuLinkAddData_v2
#define cuLinkAddFile cuLinkAddFile_v2
#define cuMemGetInfo cuMemGetInfo_v2
#define cuMemAlloc cuMemAlloc_v2
#define cuMemAllocPitch cuMemAllocPitch_v2
#define cuMemFree cuMemFree_v2
#define cuMemGetAddressRange cuMemGetAddressRange_v2
#define cuMemAllocHost cuMemAllocHost_v2
#define cuMemHostGetDevicePointer cuMemHostGetDevicePointer_v2
#define cuMemHostRegister cuMemHostRegister_v2
#define cuMemcpyHtoD cuMemcpyHtoD_v2
#define cuMemcpyDtoH cuMemcpyDtoH_v2
#define cuMemcpyDtoD cuMemcpyDtoD_v2
#define cuMemcpyDtoA cuMemcpyDtoA_v2
#define cuMemcpyAtoD cuMemcpyAtoD_v2
#define cuMemcpyHtoA cuMemcpyHtoA_v2
#define cuMemcpyAtoH cuMemcpyAtoH_v2
#define cuMemcpyAtoA cuMemcpyAtoA_v2
#define cuMemcpy2D cuMemcpy2D_v2
#define cuMemcpy2DUnaligned cuMemcpy2DUnaligned_v2
#define cuMemcpy3D cuMemcpy3D_v2
#define cuMemcpyHtoDAsync cuMemcpyHtoDAsync_v2
#define cuMemcpyDtoHAsync cuMemcpyDtoHAsync_v2
#define cuMemcpyDtoDAsync cuMemcpyDtoDAsync_v2
#define cuMemcpy2DAsync cuMemcpy2DAsync_v2
#define cuMemcpy3DAsync cuMemcpy3DAsync_v2
#define cuMemsetD8 cuMemsetD8_v2
#define cuMemsetD16 cuMemsetD16_v2
#define cuMemsetD32 cuMemsetD32_v2
#define cuMemsetD2D8 cuMemsetD2D8_v2
#define cuMemsetD2D16 cuMemsetD2D16_v2
#define cuMemsetD2D32 cuMemsetD2D32_v2
#define cuArrayCreate cuArrayCreate_v2
#define cuArrayGetDescriptor cuArrayGetDescriptor_v2
#define cuArray3DCreate cuArray3DCreate_v2
#define cuArray3DGetDescriptor cuArray3DGetDescriptor_v2
#define cuStreamDestroy cuStreamDestroy_v2
#define cuStreamBeginCapture cuStreamBeginCapture_v2
#define cuEventDestroy cuEventDestroy_v2
#define cuEventElapsedTime cuEventElapsedTime_v2
#define cuGetProcAddress cuGetProcAddress_v2

BANKSHOT_C_BEGIN

extern CUresult CUDAAPI cuInit(unsigned int flags);
extern CUresult CUDAAPI cuDriverGetVersion(int *version);
extern CUresult CUDAAPI cuGetErrorString(CUresult error, const char **text);
extern CUresult CUDAAPI cuGetErrorName(CUresult error, const char **name);
extern CUresult CUDAAPI cuGetProcAddress(const char *symbol, void **fn, int version, cuuint64_t flags,
                                         CUdriverProcAddressQueryResult *status);

extern CUresult CUDAAPI cuGetExportTable(const void **table, const CUuuid *id);

extern CUresult CUDAAPI cuDeviceGet(CUdevice *device, int ordinal);
extern CUresult CUDAAPI cuDeviceGetCount(int *count);
extern CUresult CUDAAPI cuDeviceGetName(char *name, int len, CUdevice device);
extern CUresult CUDAAPI cuDeviceGetUuid(CUuuid *uuid, CUdevice device);
extern CUresult CUDAAPI cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device);
extern CUresult CUDAAPI cuDeviceTotalMem(size_t *size, CUdevice device);
extern CUresult CUDAAPI cuDeviceGetAttribute(int *value, CUdevice_attribute attr, CUdevice device);
extern CUresult CUDAAPI cuDeviceGetProperties(CUdevprop *prop, CUdevice device);
extern CUresult CUDAAPI cuDeviceComputeCapability(int *major, int *minor, CUdevice device);
extern CUresult CUDAAPI cuDeviceGetByPCIBusId(CUdevice *device, const char *id);
extern CUresult CUDAAPI cuDeviceGetPCIBusId(char *id, int len, CUdevice device);
extern CUresult CUDAAPI cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer);
extern CUresult CUDAAPI cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attr, CUdevice src,
                                                CUdevice dst);

extern CUresult CUDAAPI cuDevicePrimaryCtxRetain(CUcontext *ctx, CUdevice device);
extern CUresult CUDAAPI cuDevicePrimaryCtxRelease(CUdevice device);
extern CUresult CUDAAPI cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags);
extern CUresult CUDAAPI cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *active);
extern CUresult CUDAAPI cuDevicePrimaryCtxReset(CUdevice device);
extern CUresult CUDAAPI cuCtxCreate(CUcontext *ctx, unsigned int flags, CUdevice device);
extern CUresult CUDAAPI cuCtxDestroy(CUcontext ctx);
extern CUresult CUDAAPI cuCtxAttach(CUcontext *ctx, unsigned int flags);
extern CUresult CUDAAPI cuCtxDetach(CUcontext ctx);
extern CUresult CUDAAPI cuCtxPushCurrent(CUcontext ctx);
extern CUresult CUDAAPI cuCtxPopCurrent(CUcontext *ctx);
extern CUresult CUDAAPI cuCtxSetCurrent(CUcontext ctx);
extern CUresult CUDAAPI cuCtxGetCurrent(CUcontext *ctx);
extern CUresult CUDAAPI cuCtxGetDevice(CUdevice *device);
extern CUresult CUDAAPI cuCtxGetFlags(unsigned int *flags);
extern CUresult CUDAAPI cuCtxGetApiVersion(CUcontext ctx, unsigned int *version);
extern CUresult CUDAAPI cuCtxSynchronize(void);
extern CUresult CUDAAPI cuCtxSetLimit(CUlimit limit, size_t value);
extern CUresult CUDAAPI cuCtxGetLimit(size_t *value, CUlimit limit);
extern CUresult CUDAAPI cuCtxGetCacheConfig(CUfunc_cache *config);
extern CUresult CUDAAPI cuCtxSetCacheConfig(CUfunc_cache config);
extern CUresult CUDAAPI cuCtxGetSharedMemConfig(CUsharedconfig *config);
extern CUresult CUDAAPI cuCtxSetSharedMemConfig(CUsharedconfig config);
extern CUresult CUDAAPI cuCtxGetStreamPriorityRange(int *least, int *greatest);
extern CUresult CUDAAPI cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags);
extern CUresult CUDAAPI cuCtxDisablePeerAccess(CUcontext peer);

extern CUresult CUDAAPI cuModuleLoad(CUmodule *module, const char *file);
extern CUresult CUDAAPI cuModuleLoadData(CUmodule *module, const void *image);
extern CUresult CUDAAPI cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int num_options,
                                           CUjit_option *options, void **values);
extern CUresult CUDAAPI cuModuleLoadFatBinary(CUmodule *module, const void *image);
extern CUresult CUDAAPI cuModuleUnload(CUmodule module);
extern CUresult CUDAAPI cuModuleGetFunction(CUfunction *func, CUmodule module, const char *name);
extern CUresult CUDAAPI cuModuleGetGlobal(CUdeviceptr *ptr, size_t *size, CUmodule module, const char *name);
extern CUresult CUDAAPI cuModuleGetTexRef(CUtexref *ref, CUmodule module, const char *name);
extern CUresult CUDAAPI cuLinkCreate(unsigned int num_options, CUjit_option *options, void **values,
                                     CUlinkState *state);
extern CUresult CUDAAPI cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size,
                                      const char *name, unsigned int num_options, CUjit_option *options,
                                      void **values);
extern CUresult CUDAAPI cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path,
                                      unsigned int num_options, CUjit_option *options, void **values);
extern CUresult CUDAAPI cuLinkComplete(CUlinkState state, void **image, size_t *size);
extern CUresult CUDAAPI cuLinkDestroy(CUlinkState state);

extern CUresult CUDAAPI cuModuleGetLoadingMode(CUmoduleLoadingMode *mode);
extern CUresult CUDAAPI cuModuleGetFunctionCount(unsigned int *count, CUmodule module);
extern CUresult CUDAAPI cuModuleEnumerateFunctions(CUfunction *functions, unsigned int count, CUmodule module);

extern CUresult CUDAAPI cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *jit_options,
        void **jit_values, unsigned int num_jit_options, CUlibraryOption *options, void **values,
        unsigned int num_options);
extern CUresult CUDAAPI cuLibraryLoadFromFile(CUlibrary *library, const char *file, CUjit_option *jit_options,
        void **jit_values, unsigned int num_jit_options, CUlibraryOption *options, void **values,
        unsigned int num_options);
extern CUresult CUDAAPI cuLibraryUnload(CUlibrary library);
extern CUresult CUDAAPI cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name);
extern CUresult CUDAAPI cuLibraryGetKernelCount(unsigned int *count, CUlibrary library);
extern CUresult CUDAAPI cuLibraryEnumerateKernels(CUkernel *kernels, unsigned int count, CUlibrary library);
extern CUresult CUDAAPI cuLibraryGetModule(CUmodule *module, CUlibrary library);
extern CUresult CUDAAPI cuLibraryGetGlobal(CUdeviceptr *ptr, size_t *size, CUlibrary library, const char *name);
extern CUresult CUDAAPI cuLibraryGetManaged(CUdeviceptr *ptr, size_t *size, CUlibrary library, const char *name);
extern CUresult CUDAAPI cuLibraryGetUnifiedFunction(void **function, CUlibrary library, const char *name);
extern CUresult CUDAAPI cuKernelGetFunction(CUfunction *func, CUkernel kernel);
extern CUresult CUDAAPI cuKernelGetLibrary(CUlibrary *library, CUkernel kernel);
extern CUresult CUDAAPI cuKernelGetAttribute(int *value, CUfunction_attribute attr, CUkernel kernel,
        CUdevice device);
extern CUresult CUDAAPI cuKernelSetAttribute(CUfunction_attribute attr, int value, CUkernel kernel,
        CUdevice device);
extern CUresult CUDAAPI cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice device);
extern CUresult CUDAAPI cuKernelGetName(const char **name, CUkernel kernel);
extern CUresult CUDAAPI cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset, size_t *size);

extern CUresult CUDAAPI cuFuncGetParamInfo(CUfunction func, size_t index, size_t *offset, size_t *size);
extern CUresult CUDAAPI cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction func);
extern CUresult CUDAAPI cuFuncLoad(CUfunction func);
extern CUresult CUDAAPI cuFuncGetAttribute(int *value, CUfunction_attribute attr, CUfunction func);
extern CUresult CUDAAPI cuFuncSetAttribute(CUfunction func, CUfunction_attribute attr, int value);
extern CUresult CUDAAPI cuFuncSetCacheConfig(CUfunction func, CUfunc_cache config);
extern CUresult CUDAAPI cuFuncSetSharedMemConfig(CUfunction func, CUsharedconfig config);
extern CUresult CUDAAPI cuFuncGetModule(CUmodule *module, CUfunction func);
extern CUresult CUDAAPI cuFuncGetName(const char **name, CUfunction func);
extern CUresult CUDAAPI cuLaunchKernel(CUfunction func, unsigned int grid_x, unsigned int grid_y,
                                       unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                       unsigned int block_z, unsigned int shared, CUstream stream,
                                       void **params, void **extra);
extern CUresult CUDAAPI cuLaunchCooperativeKernel(CUfunction func, unsigned int grid_x, unsigned int grid_y,
                                                  unsigned int grid_z, unsigned int block_x,
                                                  unsigned int block_y, unsigned int block_z,
                                                  unsigned int shared, CUstream stream, void **params);
extern CUresult CUDAAPI cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction func, void **params,
                                         void **extra);
extern CUresult CUDAAPI cuLaunchHostFunc(CUstream stream, CUhostFn fn, void *data);
extern CUresult CUDAAPI cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction func,
                                                                    int block_size, size_t shared);
extern CUresult CUDAAPI cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction func,
                                                                             int block_size, size_t shared,
                                                                             unsigned int flags);
extern CUresult CUDAAPI cuOccupancyMaxPotentialBlockSize(int *min_grid, int *block_size, CUfunction func,
                                                         CUoccupancyB2DSize shared_of, size_t shared,
                                                         int limit);
extern CUresult CUDAAPI cuOccupancyMaxPotentialBlockSizeWithFlags(int *min_grid, int *block_size,
                                                                  CUfunction func,
                                                                  CUoccupancyB2DSize shared_of, size_t shared,
                                                                  int limit, unsigned int flags);
extern CUresult CUDAAPI cuOccupancyAvailableDynamicSMemPerBlock(size_t *shared, CUfunction func, int blocks,
                                                                int block_size);
extern CUresult CUDAAPI cuOccupancyMaxPotentialClusterSize(int *size, CUfunction func,
                                                           const CUlaunchConfig *config);
extern CUresult CUDAAPI cuOccupancyMaxActiveClusters(int *clusters, CUfunction func,
                                                     const CUlaunchConfig *config);

extern CUresult CUDAAPI cuMemGetInfo(size_t *free, size_t *total);
extern CUresult CUDAAPI cuMemAlloc(CUdeviceptr *ptr, size_t size);
extern CUresult CUDAAPI cuMemAllocPitch(CUdeviceptr *ptr, size_t *pitch, size_t width, size_t height,
                                        unsigned int element_size);
extern CUresult CUDAAPI cuMemAllocManaged(CUdeviceptr *ptr, size_t size, unsigned int flags);
extern CUresult CUDAAPI cuMemAllocAsync(CUdeviceptr *ptr, size_t size, CUstream stream);
extern CUresult CUDAAPI cuMemFree(CUdeviceptr ptr);
extern CUresult CUDAAPI cuMemFreeAsync(CUdeviceptr ptr, CUstream stream);
extern CUresult CUDAAPI cuMemGetAddressRange(CUdeviceptr *base, size_t *size, CUdeviceptr ptr);
extern CUresult CUDAAPI cuMemAllocHost(void **ptr, size_t size);
extern CUresult CUDAAPI cuMemFreeHost(void *ptr);
extern CUresult CUDAAPI cuMemHostAlloc(void **ptr, size_t size, unsigned int flags);
extern CUresult CUDAAPI cuMemHostGetDevicePointer(CUdeviceptr *device, void *host, unsigned int flags);
extern CUresult CUDAAPI cuMemHostGetFlags(unsigned int *flags, void *host);
extern CUresult CUDAAPI cuMemHostRegister(void *ptr, size_t size, unsigned int flags);
extern CUresult CUDAAPI cuMemHostUnregister(void *ptr);
extern CUresult CUDAAPI cuPointerGetAttribute(void *data, CUpointer_attribute attr, CUdeviceptr ptr);
extern CUresult CUDAAPI cuMemAdvise(CUdeviceptr ptr, size_t size, CUmem_advise advice, CUdevice device);
extern CUresult CUDAAPI cuMemPrefetchAsync(CUdeviceptr ptr, size_t size, CUdevice device, CUstream stream);

extern CUresult CUDAAPI cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t size);
extern CUresult CUDAAPI cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t size, CUstream stream);
extern CUresult CUDAAPI cuMemcpyPeer(CUdeviceptr dst, CUcontext dst_ctx, CUdeviceptr src, CUcontext src_ctx,
                                     size_t size);
extern CUresult CUDAAPI cuMemcpyHtoD(CUdeviceptr dst, const void *src, size_t size);
extern CUresult CUDAAPI cuMemcpyDtoH(void *dst, CUdeviceptr src, size_t size);
extern CUresult CUDAAPI cuMemcpyDtoD(CUdeviceptr dst, CUdeviceptr src, size_t size);
extern CUresult CUDAAPI cuMemcpyHtoDAsync(CUdeviceptr dst, const void *src, size_t size, CUstream stream);
extern CUresult CUDAAPI cuMemcpyDtoHAsync(void *dst, CUdeviceptr src, size_t size, CUstream stream);
extern CUresult CUDAAPI cuMemcpyDtoDAsync(CUdeviceptr dst, CUdeviceptr src, size_t size, CUstream stream);
extern CUresult CUDAAPI cuMemcpyDtoA(CUarray dst, size_t dst_offset, CUdeviceptr src, size_t size);
extern CUresult CUDAAPI cuMemcpyAtoD(CUdeviceptr dst, CUarray src, size_t src_offset, size_t size);
extern CUresult CUDAAPI cuMemcpyHtoA(CUarray dst, size_t dst_offset, const void *src, size_t size);
extern CUresult CUDAAPI cuMemcpyAtoH(void *dst, CUarray src, size_t src_offset, size_t size);
extern CUresult CUDAAPI cuMemcpyAtoA(CUarray dst, size_t dst_offset, CUarray src, size_t src_offset,
                                     size_t size);
extern CUresult CUDAAPI cuMemcpy2D(const CUDA_MEMCPY2D *copy);
extern CUresult CUDAAPI cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *copy);
extern CUresult CUDAAPI cuMemcpy2DAsync(const CUDA_MEMCPY2D *copy, CUstream stream);
extern CUresult CUDAAPI cuMemcpy3D(const CUDA_MEMCPY3D *copy);
extern CUresult CUDAAPI cuMemcpy3DAsync(const CUDA_MEMCPY3D *copy, CUstream stream);
extern CUresult CUDAAPI cuMemsetD8(CUdeviceptr ptr, unsigned char value, size_t count);
extern CUresult CUDAAPI cuMemsetD16(CUdeviceptr ptr, unsigned short value, size_t count);
extern CUresult CUDAAPI cuMemsetD32(CUdeviceptr ptr, unsigned int value, size_t count);
extern CUresult CUDAAPI cuMemsetD2D8(CUdeviceptr ptr, size_t pitch, unsigned char value, size_t width,
                                     size_t height);
extern CUresult CUDAAPI cuMemsetD2D16(CUdeviceptr ptr, size_t pitch, unsigned short value, size_t width,
                                      size_t height);
extern CUresult CUDAAPI cuMemsetD2D32(CUdeviceptr ptr, size_t pitch, unsigned int value, size_t width,
                                      size_t height);
extern CUresult CUDAAPI cuMemsetD8Async(CUdeviceptr ptr, unsigned char value, size_t count, CUstream stream);
extern CUresult CUDAAPI cuMemsetD16Async(CUdeviceptr ptr, unsigned short value, size_t count,
                                         CUstream stream);
extern CUresult CUDAAPI cuMemsetD32Async(CUdeviceptr ptr, unsigned int value, size_t count, CUstream stream);

extern CUresult CUDAAPI cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *desc);
extern CUresult CUDAAPI cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *desc, CUarray array);
extern CUresult CUDAAPI cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *desc);
extern CUresult CUDAAPI cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *desc, CUarray array);
extern CUresult CUDAAPI cuArrayDestroy(CUarray array);
extern CUresult CUDAAPI cuTexObjectCreate(CUtexObject *tex, const CUDA_RESOURCE_DESC *res,
                                          const CUDA_TEXTURE_DESC *desc, const CUDA_RESOURCE_VIEW_DESC *view);
extern CUresult CUDAAPI cuTexObjectDestroy(CUtexObject tex);
extern CUresult CUDAAPI cuSurfObjectCreate(CUsurfObject *surf, const CUDA_RESOURCE_DESC *res);
extern CUresult CUDAAPI cuSurfObjectDestroy(CUsurfObject surf);

extern CUresult CUDAAPI cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank,
                                               void *address, const cuuint64_t *dim,
                                               const cuuint64_t *strides, const cuuint32_t *box,
                                               const cuuint32_t *elementStrides,
                                               CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                               CUtensorMapL2promotion promotion,
                                               CUtensorMapFloatOOBfill fill);
extern CUresult CUDAAPI cuTensorMapEncodeIm2col(
    CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address, const cuuint64_t *dim,
    const cuuint64_t *strides, const int *lower, const int *upper, cuuint32_t channels, cuuint32_t pixels,
    const cuuint32_t *elementStrides, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
    CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill);
extern CUresult CUDAAPI cuTensorMapEncodeIm2colWide(
    CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address, const cuuint64_t *dim,
    const cuuint64_t *strides, int lower, int upper, cuuint32_t channels, cuuint32_t pixels,
    const cuuint32_t *elementStrides, CUtensorMapInterleave interleave, CUtensorMapIm2ColWideMode mode,
    CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill);
extern CUresult CUDAAPI cuTensorMapReplaceAddress(CUtensorMap *map, void *address);

extern CUresult CUDAAPI cuStreamCreate(CUstream *stream, unsigned int flags);
extern CUresult CUDAAPI cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority);
extern CUresult CUDAAPI cuStreamGetPriority(CUstream stream, int *priority);
extern CUresult CUDAAPI cuStreamGetFlags(CUstream stream, unsigned int *flags);
extern CUresult CUDAAPI cuStreamGetCtx(CUstream stream, CUcontext *ctx);
extern CUresult CUDAAPI cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags);
extern CUresult CUDAAPI cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *data,
                                            unsigned int flags);
extern CUresult CUDAAPI cuStreamAttachMemAsync(CUstream stream, CUdeviceptr ptr, size_t size,
                                               unsigned int flags);
extern CUresult CUDAAPI cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode);
extern CUresult CUDAAPI cuStreamEndCapture(CUstream stream, CUgraph *graph);
extern CUresult CUDAAPI cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status);
extern CUresult CUDAAPI cuStreamQuery(CUstream stream);
extern CUresult CUDAAPI cuStreamSynchronize(CUstream stream);
extern CUresult CUDAAPI cuStreamDestroy(CUstream stream);
extern CUresult CUDAAPI cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph,
                                                    unsigned long long flags);
extern CUresult CUDAAPI cuGraphLaunch(CUgraphExec exec, CUstream stream);
extern CUresult CUDAAPI cuGraphExecDestroy(CUgraphExec exec);
extern CUresult CUDAAPI cuGraphDestroy(CUgraph graph);

extern CUresult CUDAAPI cuEventCreate(CUevent *event, unsigned int flags);
extern CUresult CUDAAPI cuEventRecord(CUevent event, CUstream stream);
extern CUresult CUDAAPI cuEventQuery(CUevent event);
extern CUresult CUDAAPI cuEventSynchronize(CUevent event);
extern CUresult CUDAAPI cuEventDestroy(CUevent event);
extern CUresult CUDAAPI cuEventElapsedTime(float *ms, CUevent start, CUevent end);

extern CUresult CUDAAPI cuProfilerStart(void);
extern CUresult CUDAAPI cuProfilerStop(void);

BANKSHOT_C_END

#define cuGraphInstantiate cuGraphInstantiateWithFlags

#endif
/* SPDX-License-Identifier: Apache-2.0 */
