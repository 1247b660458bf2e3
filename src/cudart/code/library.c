/* SPDX-License-Identifier: Apache-2.0 */
/* Libraries: modules that a program loads itself (cudaLibraryLoadData), under the runtime's names. A cudaLibrary_t is a module,
 * a cudaKernel_t a kernel. */
#include "cudart/code/library.h"
#include "cudart/code/kernel.h"

#include "base/file.h"

static struct rt_module *get(struct rt *rt, cudaLibrary_t h) { return rt_obj_get(rt, h, RK_MODULE); }

enum { LIBRARY_MAX_B = 1 << 30 };

cudaError_t library_load_file(struct rt *rt, const char *path, struct rt_module **out)
{
    struct file_text text;
    struct diag d = {0};
    if (!path)
        return cudaErrorInvalidValue;
    bool read = file_read(path, LIBRARY_MAX_B, &text, &d);
    if (!read)
        diag_print(&d, stderr);
    diag_free(&d);
    if (!read)
        return cudaErrorFileNotFound;
    cudaError_t e = rt_module_load(rt, text.at, text.n, out);
    file_free(&text);
    return e;
}

RT_API cudaError_t cudaLibraryLoadData(cudaLibrary_t *out, const void *code, enum cudaJitOption *jit_options,
                                       void **jit_values, unsigned int njit, enum cudaLibraryOption *options,
                                       void **values, unsigned int n)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_module *m = NULL;
    (void)jit_options, (void)jit_values, (void)njit, (void)options, (void)values, (void)n;
    cudaError_t e = out && code ? rt_module_load(rt, code, 0, &m) : cudaErrorInvalidValue;
    if (e == cudaSuccess)
        *out = (cudaLibrary_t)m;
    return rt_leave(rt, e);
}

RT_API cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *out, const char *path,
                                           enum cudaJitOption *jit_options, void **jit_values,
                                           unsigned int njit, enum cudaLibraryOption *options, void **values,
                                           unsigned int n)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_module *m = NULL;
    (void)jit_options, (void)jit_values, (void)njit, (void)options, (void)values, (void)n;
    cudaError_t e = out ? library_load_file(rt, path, &m) : cudaErrorInvalidValue;
    if (e == cudaSuccess)
        *out = (cudaLibrary_t)m;
    return rt_leave(rt, e);
}

RT_API cudaError_t cudaLibraryUnload(cudaLibrary_t h)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_module *m = get(rt, h);
    if (m)
        rt_module_free(rt, m);
    return rt_leave(rt, m ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

RT_API cudaError_t cudaLibraryGetKernel(cudaKernel_t *out, cudaLibrary_t h, const char *name)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_module *m = get(rt, h);
    cudaError_t e = m ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
    struct rt_kernel *k = m && out && name ? rt_kernel_named(rt, m, name, &e) : NULL;
    if (k)
        *out = (cudaKernel_t)k;
    return rt_leave(rt, k ? cudaSuccess : e);
}

cudaError_t library_variable(struct rt *rt, struct rt_module *m, const char *name, uint64_t *addr,
                             uint64_t *size_b)
{
    struct rt_var *v = rt_var_named(rt, m, name);
    if (!v || v->texture)
        return cudaErrorSymbolNotFound;
    cudaError_t e = rt_var_address(rt, v, addr, size_b, NULL);
    if (e == cudaSuccess && v->constant)
        rt->const_taken = v;
    return e;
}

static cudaError_t variable(struct rt *rt, void **ptr, size_t *size, cudaLibrary_t h, const char *name)
{
    struct rt_module *m = get(rt, h);
    uint64_t addr, size_b;
    if (!m || !name)
        return m ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
    cudaError_t e = library_variable(rt, m, name, &addr, &size_b);
    if (e != cudaSuccess)
        return e;
    if (ptr)
        *ptr = (void *)(uintptr_t)addr;
    if (size)
        *size = size_b;
    return cudaSuccess;
}

RT_API cudaError_t cudaLibraryGetGlobal(void **ptr, size_t *size, cudaLibrary_t h, const char *name)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, variable(rt, ptr, size, h, name));
}

RT_API cudaError_t cudaLibraryGetManaged(void **ptr, size_t *size, cudaLibrary_t h, const char *name)
{
    struct rt *rt = rt_enter(__func__);
    (void)ptr, (void)size, (void)h, (void)name;
    return rt_leave(rt, rt_unsupported(rt, __func__, NULL));
}

/* The module's kernels, in the order of its code. */
static cudaError_t kernels(struct rt *rt, cudaLibrary_t h, cudaKernel_t *out, unsigned room, unsigned *count)
{
    struct rt_module *m = get(rt, h);
    unsigned n = 0;
    if (!m)
        return cudaErrorInvalidResourceHandle;
    cudaError_t e = rt_module_ready(rt, m);
    for (const char *name; e == cudaSuccess && (name = module_kernel_name(m, n)); n++) {
        if (out && n < room)
            out[n] = (cudaKernel_t)rt_kernel_named(rt, m, name, &e);
    }
    if (count)
        *count = n;
    return e;
}

RT_API cudaError_t cudaLibraryGetKernelCount(unsigned int *count, cudaLibrary_t h)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, count ? kernels(rt, h, NULL, 0, count) : cudaErrorInvalidValue);
}

RT_API cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *out, unsigned int room, cudaLibrary_t h)
{
    struct rt *rt = rt_enter(__func__);
    return rt_leave(rt, out ? kernels(rt, h, out, room, NULL) : cudaErrorInvalidValue);
}

RT_API cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t h, enum cudaFuncAttribute attr, int value,
                                                   int device)
{
    struct rt *rt = rt_enter(__func__);
    cudaError_t e = cudaErrorInvalidDevice;
    struct rt_kernel *k = device == 0 ? rt_kernel_find(rt, h, &e) : NULL;
    return rt_leave(rt, k ? rt_kernel_set(rt, k, (int)attr, value) : e);
}
