/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: libraries and kernels (CUDA 12). A CUlibrary is a module and a CUkernel a kernel, so that the functions of modules
 * take them as well. */
#include "cudart/code/fatbin.h"
#include "cudart/code/kernel.h"
#include "cudart/code/library.h"
#include "cudart/driver/driver.h"

/* What a runtime in the program registers is in the program and stays there: it is read when something of it is needed, as a
 * program may carry much that it never uses. */
static bool stays(const void *code, const CUlibraryOption *options, void *const *values, unsigned n)
{
    uint32_t magic;
    memcpy(&magic, code, sizeof magic);
    bool preserved = magic == FATBIN_SEGMENT_MAGIC;
    for (unsigned i = 0; options && values && i < n; i++)
        preserved |= options[i] == CU_LIBRARY_BINARY_IS_PRESERVED && values[i];
    return preserved;
}

static cudaError_t load(CUlibrary *out, const void *code, const CUlibraryOption *options, void *const *values,
                        unsigned n)
{
    struct rt *rt = rt_enter("cuLibraryLoadData");
    struct rt_module *m = NULL;
    cudaError_t e = cudaSuccess;
    if (!out || !code)
        return rt_leave(rt, cudaErrorInvalidValue);
    if (stays(code, options, values, n))
        m = module_new(rt, code, 0);
    else
        e = rt_module_load(rt, code, 0, &m);
    if (e == cudaSuccess)
        *out = (CUlibrary)m;
    return rt_leave(rt, e);
}

/* Without a context: the library belongs to all of them. */
RT_API CUresult cuLibraryLoadData(CUlibrary *out, const void *code, CUjit_option *jit, void **jit_values,
                                  unsigned njit, CUlibraryOption *options, void **values, unsigned n)
{
    (void)jit, (void)jit_values, (void)njit;
    return DRV_CALL(DRV_INIT, load(out, code, options, values, n));
}

RT_API CUresult cuLibraryLoadFromFile(CUlibrary *out, const char *path, CUjit_option *jit, void **jit_values,
                                      unsigned njit, CUlibraryOption *options, void **values, unsigned n)
{
    (void)jit, (void)jit_values, (void)njit, (void)options, (void)values, (void)n;
    return DRV_CALL(DRV_INIT,
                    cudaLibraryLoadFromFile((cudaLibrary_t *)out, path, NULL, NULL, 0, NULL, NULL, 0));
}

RT_API CUresult cuLibraryUnload(CUlibrary h)
{
    return DRV_CALL(DRV_INIT, cudaLibraryUnload((cudaLibrary_t)h));
}

RT_API CUresult cuLibraryGetKernel(CUkernel *out, CUlibrary h, const char *name)
{
    return DRV_CALL(DRV_INIT, cudaLibraryGetKernel((cudaKernel_t *)out, (cudaLibrary_t)h, name));
}

RT_API CUresult cuLibraryGetKernelCount(unsigned *count, CUlibrary h)
{
    return DRV_CALL(DRV_INIT, cudaLibraryGetKernelCount(count, (cudaLibrary_t)h));
}

RT_API CUresult cuLibraryEnumerateKernels(CUkernel *out, unsigned n, CUlibrary h)
{
    return DRV_CALL(DRV_INIT, cudaLibraryEnumerateKernels((cudaKernel_t *)out, n, (cudaLibrary_t)h));
}

static cudaError_t same_module(const char *name, void **out, CUlibrary h)
{
    struct rt *rt = rt_enter(name);
    void *m = rt_obj_get(rt, h, RK_MODULE);
    if (out && m)
        *out = m;
    return rt_leave(rt, !out ? cudaErrorInvalidValue : m ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

RT_API CUresult cuLibraryGetModule(CUmodule *out, CUlibrary h)
{
    return DRV(same_module("cuLibraryGetModule", (void **)out, h));
}

RT_API CUresult cuLibraryGetGlobal(CUdeviceptr *ptr, size_t *size, CUlibrary h, const char *name)
{
    return cuModuleGetGlobal(ptr, size, (CUmodule)h, name);
}

static cudaError_t managed(CUdeviceptr *ptr, size_t *size, CUlibrary h, const char *name)
{
    struct rt *rt = rt_enter("cuLibraryGetManaged");
    struct rt_module *m = rt_obj_get(rt, h, RK_MODULE);
    struct rt_var *v = m && name ? module_managed(rt, m, name) : NULL;
    uint64_t addr = 0, size_b = 0;
    cudaError_t e = v ? rt_var_address(rt, v, &addr, &size_b, NULL) : cudaErrorSymbolNotFound;
    if (e == cudaSuccess && ptr)
        *ptr = addr;
    if (e == cudaSuccess && size)
        *size = size_b;
    return rt_leave(rt, e);
}

RT_API CUresult cuLibraryGetManaged(CUdeviceptr *ptr, size_t *size, CUlibrary h, const char *name)
{
    return DRV_CALL(DRV_INIT, managed(ptr, size, h, name));
}

static cudaError_t refuse(const char *name)
{
    struct rt *rt = rt_enter(name);
    return rt_leave(rt, rt_unsupported(rt, name, NULL));
}

RT_API CUresult cuLibraryGetUnifiedFunction(void **fn, CUlibrary h, const char *name)
{
    (void)fn, (void)h, (void)name;
    return DRV_CALL(DRV_INIT, refuse("cuLibraryGetUnifiedFunction"));
}

/* ---- kernels ---- */

static cudaError_t same_kernel(const char *name, CUfunction *out, CUkernel h)
{
    struct rt *rt = rt_enter(name);
    struct rt_kernel *k = rt_obj_get(rt, h, RK_KERNEL);
    if (!out || !k)
        return rt_leave(rt, out ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
    cudaError_t e = rt_kernel_compile(rt, k);
    if (e == cudaSuccess)
        *out = (CUfunction)k;
    return rt_leave(rt, e);
}

RT_API CUresult cuKernelGetFunction(CUfunction *out, CUkernel k)
{
    return DRV(same_kernel("cuKernelGetFunction", out, k));
}

RT_API CUresult cuKernelGetLibrary(CUlibrary *out, CUkernel k)
{
    return cuFuncGetModule((CUmodule *)out, (CUfunction)k);
}

RT_API CUresult cuKernelGetAttribute(int *value, CUfunction_attribute attr, CUkernel k, CUdevice device)
{
    return device ? CUDA_ERROR_INVALID_DEVICE : cuFuncGetAttribute(value, attr, (CUfunction)k);
}

RT_API CUresult cuKernelSetAttribute(CUfunction_attribute attr, int value, CUkernel k, CUdevice device)
{
    return device ? CUDA_ERROR_INVALID_DEVICE : cuFuncSetAttribute((CUfunction)k, attr, value);
}

RT_API CUresult cuKernelSetCacheConfig(CUkernel k, CUfunc_cache config, CUdevice device)
{
    return device ? CUDA_ERROR_INVALID_DEVICE : cuFuncSetCacheConfig((CUfunction)k, config);
}

RT_API CUresult cuKernelGetName(const char **name, CUkernel k) { return cuFuncGetName(name, (CUfunction)k); }

static cudaError_t param_info(const void *h, size_t i, size_t *offset, size_t *size)
{
    struct rt *rt = rt_enter("cuFuncGetParamInfo");
    struct rt_kernel *k = rt_obj_get(rt, h, RK_KERNEL);
    if (!k || !offset)
        return rt_leave(rt, k ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    cudaError_t e = rt_kernel_compile(rt, k);
    if (e == cudaSuccess && i >= k->code->nparams)
        e = cudaErrorInvalidValue;
    if (e == cudaSuccess) {
        *offset = k->code->params[i].off_b;
        if (size)
            *size = k->code->params[i].size_b;
    }
    return rt_leave(rt, e);
}

RT_API CUresult cuKernelGetParamInfo(CUkernel k, size_t i, size_t *offset, size_t *size)
{
    return DRV(param_info(k, i, offset, size));
}

RT_API CUresult cuFuncGetParamInfo(CUfunction f, size_t i, size_t *offset, size_t *size)
{
    return DRV(param_info(f, i, offset, size));
}

RT_API CUresult cuFuncLoad(CUfunction f)
{
    CUfunction same;
    return DRV(same_kernel("cuFuncLoad", &same, (CUkernel)f));
}

RT_API CUresult cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction f)
{
    CUresult r = cuFuncLoad(f);
    if (r == CUDA_SUCCESS && !state)
        return CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS)
        *state = CU_FUNCTION_LOADING_STATE_LOADED;
    return r;
}

RT_API CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode)
{
    if (!mode)
        return CUDA_ERROR_INVALID_VALUE;
    *mode = CU_MODULE_LAZY_LOADING;
    return CUDA_SUCCESS;
}

RT_API CUresult cuModuleGetFunctionCount(unsigned *count, CUmodule h)
{
    return cuLibraryGetKernelCount(count, (CUlibrary)h);
}

RT_API CUresult cuModuleEnumerateFunctions(CUfunction *out, unsigned n, CUmodule h)
{
    return cuLibraryEnumerateKernels((CUkernel *)out, n, (CUlibrary)h);
}
