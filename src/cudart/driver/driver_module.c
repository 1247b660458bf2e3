/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: modules, and linking of what is a single PTX text. */
#include "cudart/code/library.h"
#include "cudart/driver/driver.h"

/* Where a JIT's messages go, and what it is asked that changes the code. */
struct jit {
    char *info, *error;
    size_t info_b, error_b;
    void **info_used, **error_used; /* the option's value: bytes written come back in it */
    const char *refused;
};

static void read_option(struct jit *j, CUjit_option o, void **value)
{
    switch ((int)o) {
    case CU_JIT_INFO_LOG_BUFFER: j->info = *value; break;
    case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
        j->info_b = (uintptr_t)*value;
        j->info_used = value;
        break;
    case CU_JIT_ERROR_LOG_BUFFER: j->error = *value; break;
    case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
        j->error_b = (uintptr_t)*value;
        j->error_used = value;
        break;
    case CU_JIT_WALL_TIME: { /* a float of milliseconds; this JIT works when a kernel is first needed */
        float none = 0;
        *value = NULL;
        memcpy(value, &none, sizeof none);
        break;
    }
    case CU_JIT_GLOBAL_SYMBOL_NAMES:
    case CU_JIT_GLOBAL_SYMBOL_ADDRESSES:
    case CU_JIT_GLOBAL_SYMBOL_COUNT: j->refused = "CU_JIT_GLOBAL_SYMBOL options"; break;
    case CU_JIT_LTO: j->refused = "CU_JIT_LTO"; break;
    default: break; /* how well, for which GPU, with which debug information: the code does the same */
    }
}

static bool read_options(struct jit *j, unsigned n, CUjit_option *options, void **values)
{
    *j = (struct jit){0};
    if (n && (!options || !values))
        return false;
    for (unsigned i = 0; i < n; i++)
        read_option(j, options[i], &values[i]);
    return true;
}

static void put(char *to, size_t room, void **used, const char *text, size_t n)
{
    size_t m = room ? (n < room - 1 ? n : room - 1) : 0;
    if (to && room) {
        memcpy(to, text, m);
        to[m] = 0;
    }
    if (used)
        *used = (void *)(uintptr_t)m;
}

static cudaError_t load(CUmodule *out, const void *image, struct jit *j)
{
    struct rt *rt = rt_enter("cuModuleLoadDataEx");
    struct rt_module *m = NULL;
    char *text = NULL;
    size_t n = 0;
    if (!out || !image)
        return rt_leave(rt, cudaErrorInvalidValue);
    if (j->refused)
        return rt_leave(rt, rt_unsupported(rt, "cuModuleLoadDataEx", j->refused));
    if (j->error)
        rt->log = open_memstream(&text, &n);
    cudaError_t e = rt_module_load(rt, image, 0, &m);
    if (rt->log) {
        fclose(rt->log);
        rt->log = NULL;
    }
    put(j->error, j->error_b, j->error_used, text ? text : "", n);
    put(j->info, j->info_b, j->info_used, "", 0);
    free(text);
    if (e == cudaSuccess)
        *out = (CUmodule)m;
    return rt_leave(rt, e);
}

RT_API CUresult cuModuleLoadData(CUmodule *out, const void *image)
{
    struct jit j = {0};
    return DRV(load(out, image, &j));
}

RT_API CUresult cuModuleLoadDataEx(CUmodule *out, const void *image, unsigned int n, CUjit_option *options,
                                   void **values)
{
    struct jit j;
    return DRV(read_options(&j, n, options, values) ? load(out, image, &j) : cudaErrorInvalidValue);
}

RT_API CUresult cuModuleLoadFatBinary(CUmodule *out, const void *image)
{
    return cuModuleLoadData(out, image);
}

RT_API CUresult cuModuleLoad(CUmodule *out, const char *path)
{
    return DRV(cudaLibraryLoadFromFile((cudaLibrary_t *)out, path, NULL, NULL, 0, NULL, NULL, 0));
}

RT_API CUresult cuModuleUnload(CUmodule h) { return DRV(cudaLibraryUnload((cudaLibrary_t)h)); }

/* Compiled at once, so that what is wrong with it is told here. */
static cudaError_t function(CUfunction *out, CUmodule h, const char *name)
{
    cudaKernel_t k;
    struct rt *rt = rt_enter("cuModuleGetFunction");
    cudaError_t e = out ? cudaLibraryGetKernel(&k, (cudaLibrary_t)h, name) : cudaErrorInvalidValue;
    if (e == cudaSuccess)
        e = rt_kernel_compile(rt, (struct rt_kernel *)k);
    if (e == cudaSuccess)
        *out = (CUfunction)k;
    return rt_leave(rt, e);
}

RT_API CUresult cuModuleGetFunction(CUfunction *out, CUmodule h, const char *name)
{
    return DRV(function(out, h, name));
}

RT_API CUresult cuModuleGetGlobal(CUdeviceptr *ptr, size_t *size, CUmodule h, const char *name)
{
    void *at = NULL;
    CUresult r = DRV(cudaLibraryGetGlobal(&at, size, (cudaLibrary_t)h, name));
    if (r == CUDA_SUCCESS && ptr)
        *ptr = (uintptr_t)at;
    return r;
}

static cudaError_t refuse(const char *name)
{
    struct rt *rt = rt_enter(name);
    return rt_leave(rt, rt_unsupported(rt, name, NULL));
}

RT_API CUresult cuModuleGetTexRef(CUtexref *ref, CUmodule h, const char *name)
{
    (void)ref, (void)h, (void)name;
    return DRV(refuse("cuModuleGetTexRef"));
}

/* ---- linking ---- one PTX text comes out as it went in */

struct link {
    struct rt_obj obj;
    char *text;
};

static struct link *get_link(struct rt *rt, CUlinkState h) { return rt_obj_get(rt, h, RK_LINK); }

static cudaError_t link_new(CUlinkState *out)
{
    struct rt *rt = rt_enter("cuLinkCreate");
    if (!out)
        return rt_leave(rt, cudaErrorInvalidValue);
    struct link *l = xcalloc(1, sizeof *l);
    rt_obj_add(rt, &l->obj, RK_LINK);
    *out = (CUlinkState)l;
    return rt_leave(rt, cudaSuccess);
}

RT_API CUresult cuLinkCreate(unsigned int n, CUjit_option *options, void **values, CUlinkState *out)
{
    (void)n, (void)options, (void)values;
    return DRV(link_new(out));
}

static cudaError_t link_add(CUlinkState h, CUjitInputType type, const void *data, size_t size)
{
    struct rt *rt = rt_enter("cuLinkAddData");
    struct link *l = get_link(rt, h);
    if (!l || !data || !size)
        return rt_leave(rt, l ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    if (type != CU_JIT_INPUT_PTX)
        return rt_leave(rt, rt_unsupported(rt, "cuLinkAddData", "input that is not PTX"));
    if (l->text)
        return rt_leave(rt, rt_unsupported(rt, "cuLinkAddData", "more than one input"));
    l->text = xcalloc(1, size + 1);
    memcpy(l->text, data, size);
    return rt_leave(rt, cudaSuccess);
}

RT_API CUresult cuLinkAddData(CUlinkState h, CUjitInputType type, void *data, size_t size, const char *name,
                              unsigned int n, CUjit_option *options, void **values)
{
    (void)name, (void)n, (void)options, (void)values;
    return DRV(link_add(h, type, data, size));
}

RT_API CUresult cuLinkAddFile(CUlinkState h, CUjitInputType type, const char *path, unsigned int n,
                              CUjit_option *options, void **values)
{
    (void)h, (void)type, (void)path, (void)n, (void)options, (void)values;
    return DRV(refuse("cuLinkAddFile"));
}

static cudaError_t link_complete(CUlinkState h, void **image, size_t *size)
{
    struct rt *rt = rt_enter("cuLinkComplete");
    struct link *l = get_link(rt, h);
    if (!l || !l->text || !image)
        return rt_leave(rt, l ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *image = l->text;
    if (size)
        *size = strlen(l->text) + 1;
    return rt_leave(rt, cudaSuccess);
}

RT_API CUresult cuLinkComplete(CUlinkState h, void **image, size_t *size)
{
    return DRV(link_complete(h, image, size));
}

static cudaError_t link_free(CUlinkState h)
{
    struct rt *rt = rt_enter("cuLinkDestroy");
    struct link *l = get_link(rt, h);
    if (!l)
        return rt_leave(rt, cudaErrorInvalidResourceHandle);
    rt_obj_remove(rt, &l->obj);
    free(l->text);
    free(l);
    return rt_leave(rt, cudaSuccess);
}

RT_API CUresult cuLinkDestroy(CUlinkState h) { return DRV(link_free(h)); }
