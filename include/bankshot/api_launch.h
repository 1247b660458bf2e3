// Launches, functions and their attributes, occupancy, libraries of device code.
#ifndef BANKSHOT_API_LAUNCH_H
#define BANKSHOT_API_LAUNCH_H

#include "../builtin_types.h"

BANKSHOT_C_BEGIN

extern __host__ cudaError_t CUDARTAPI cudaLaunchKernel(const void *func, dim3 grid, dim3 block, void **args,
        size_t shared, cudaStream_t stream);
extern __host__ cudaError_t CUDARTAPI cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func,
        void **args);
extern __host__ cudaError_t CUDARTAPI cudaLaunchCooperativeKernel(const void *func, dim3 grid, dim3 block,
        void **args, size_t shared, cudaStream_t stream);
extern __host__ cudaError_t CUDARTAPI cudaLaunchCooperativeKernelMultiDevice(struct cudaLaunchParams *list,
        unsigned int num_devices, unsigned int flags CUDART_DEFAULT(0));

extern __host__ cudaError_t CUDARTAPI cudaFuncGetAttributes(struct cudaFuncAttributes *attr,
        const void *func);
extern __host__ cudaError_t CUDARTAPI cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr,
        int value);
extern __host__ cudaError_t CUDARTAPI cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache config);
extern __host__ cudaError_t CUDARTAPI cudaFuncSetSharedMemConfig(const void *func,
        enum cudaSharedMemConfig config);
extern __host__ cudaError_t CUDARTAPI cudaFuncGetName(const char **name, const void *func);
extern __host__ cudaError_t CUDARTAPI cudaFuncGetParamInfo(const void *func, size_t index, size_t *offset,
        size_t *size);
extern __host__ cudaError_t CUDARTAPI cudaGetFuncBySymbol(cudaFunction_t *func, const void *symbol);
extern __host__ cudaError_t CUDARTAPI cudaGetKernel(cudaKernel_t *kernel, const void *func);

extern __host__ cudaError_t CUDARTAPI cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
        const void *func, int block_size, size_t shared);
extern __host__ cudaError_t CUDARTAPI cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks,
        const void *func, int block_size, size_t shared, unsigned int flags);
extern __host__ cudaError_t CUDARTAPI cudaOccupancyAvailableDynamicSMemPerBlock(size_t *shared,
        const void *func, int blocks, int block_size);
extern __host__ cudaError_t CUDARTAPI cudaOccupancyMaxPotentialClusterSize(int *size, const void *func,
        const cudaLaunchConfig_t *config);
extern __host__ cudaError_t CUDARTAPI cudaOccupancyMaxActiveClusters(int *clusters, const void *func,
        const cudaLaunchConfig_t *config);

extern __host__ cudaError_t CUDARTAPI cudaLibraryLoadData(cudaLibrary_t *library, const void *code,
        enum cudaJitOption *jit_options, void **jit_values, unsigned int num_jit,
        enum cudaLibraryOption *lib_options, void **lib_values, unsigned int num_lib);
extern __host__ cudaError_t CUDARTAPI cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *file,
        enum cudaJitOption *jit_options, void **jit_values, unsigned int num_jit,
        enum cudaLibraryOption *lib_options, void **lib_values, unsigned int num_lib);
extern __host__ cudaError_t CUDARTAPI cudaLibraryUnload(cudaLibrary_t library);
extern __host__ cudaError_t CUDARTAPI cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library,
        const char *name);
extern __host__ cudaError_t CUDARTAPI cudaLibraryGetGlobal(void **ptr, size_t *size, cudaLibrary_t library,
        const char *name);
extern __host__ cudaError_t CUDARTAPI cudaLibraryGetManaged(void **ptr, size_t *size, cudaLibrary_t library,
        const char *name);
extern __host__ cudaError_t CUDARTAPI cudaLibraryGetKernelCount(unsigned int *count, cudaLibrary_t library);
extern __host__ cudaError_t CUDARTAPI cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned int num,
        cudaLibrary_t library);
extern __host__ cudaError_t CUDARTAPI cudaKernelSetAttributeForDevice(cudaKernel_t kernel,
        enum cudaFuncAttribute attr, int value, int device);

#ifndef __CUDA__
// What compilers make of a launch; for clang they are declared with the launch syntax.
extern unsigned int CUDARTAPI __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream);
extern cudaError_t CUDARTAPI __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
#endif

BANKSHOT_C_END

#endif
/* SPDX-License-Identifier: Apache-2.0 */
