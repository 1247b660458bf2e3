/* SPDX-License-Identifier: Apache-2.0 */
/* Prototypes of what compilers call (no header of the CUDA API declares them all). */
#ifndef CUDART_REGISTER_H
#define CUDART_REGISTER_H

#include "cudart/rt.h"

void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterLinkedBinary_bankshot(void (*names)(void **handle), void *wrapper, void *id, void *done);
void __bankshotManaged(const void *start, const void *stop);
void __cudaRegisterFunction(void **handle, const char *stub, char *device_fun, const char *name,
                            int thread_limit, uint3 *tid, uint3 *bid, dim3 *bdim, dim3 *gdim, int *wsize);
void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int ext, size_t size,
                       int constant, int global);
void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int ext,
                              size_t size, int constant, int global);
struct textureReference;
struct surfaceReference;
void __cudaRegisterTexture(void **handle, const struct textureReference *host, const void **device,
                           const char *name, int dim, int norm, int ext);
void __cudaRegisterSurface(void **handle, const struct surfaceReference *host, const void **device,
                           const char *name, int dim, int ext);
char __cudaInitModule(void **handle);
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *stub);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args, size_t shared,
                               cudaStream_t stream);
cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void **args, size_t shared,
                                    cudaStream_t stream);

#endif
