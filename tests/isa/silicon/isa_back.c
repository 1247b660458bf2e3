/* SPDX-License-Identifier: Apache-2.0 */
/* The ISA tests' machine under test, as silicon: the CUDA driver compiles the same PTX for the GPU at hand. It is how the
 * tests' references were checked; it is not part of the build (run.sh compiles it). The driver's library is opened at
 * run time, so no toolkit is needed. Configuration 1 is the driver's compiler without optimisation. */
#include "isa.h"

#include <dlfcn.h>
#include <stdlib.h>

typedef void *handle;
struct isa_back {
    int (*module_load)(handle *, const void *, unsigned, int *, void **);
    int (*module_unload)(handle);
    int (*get_function)(handle *, handle, const char *);
    int (*launch)(handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, handle,
                  void **, void **);
    int (*launch_coop)(handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, handle,
                       void **);
    int (*synchronize)(void);
    int (*alloc)(uint64_t *, size_t);
    int (*release)(uint64_t);
    int (*to_device)(uint64_t, const void *, size_t);
    int (*to_host)(void *, uint64_t, size_t);
    int (*set_attribute)(handle, int, int);
};

enum { JIT_ERROR_LOG_BUFFER = 5, JIT_ERROR_LOG_SIZE = 6, JIT_OPTIMIZATION_LEVEL = 7, MAX_DYNAMIC_SHARED = 8 };

static void *sym(void *lib, const char *name)
{
    void *p = dlsym(lib, name);
    assert_non_null(p);
    return p;
}

struct isa_back *isa_back_new(void)
{
    struct isa_back *b = xcalloc(1, sizeof *b);
    void *lib = dlopen("libcuda.so.1", RTLD_NOW);
    assert_non_null(lib);
    int dev = 0;
    handle ctx;
    assert_int_equal(((int (*)(unsigned))sym(lib, "cuInit"))(0), 0);
    assert_int_equal(((int (*)(int *, int))sym(lib, "cuDeviceGet"))(&dev, 0), 0);
    assert_int_equal(((int (*)(handle *, int))sym(lib, "cuDevicePrimaryCtxRetain"))(&ctx, dev), 0);
    assert_int_equal(((int (*)(handle))sym(lib, "cuCtxSetCurrent"))(ctx), 0);
    b->module_load = sym(lib, "cuModuleLoadDataEx");
    b->module_unload = sym(lib, "cuModuleUnload");
    b->get_function = sym(lib, "cuModuleGetFunction");
    b->launch = sym(lib, "cuLaunchKernel");
    b->launch_coop = sym(lib, "cuLaunchCooperativeKernel");
    b->synchronize = sym(lib, "cuCtxSynchronize");
    b->alloc = sym(lib, "cuMemAlloc_v2");
    b->release = sym(lib, "cuMemFree_v2");
    b->to_device = sym(lib, "cuMemcpyHtoD_v2");
    b->to_host = sym(lib, "cuMemcpyDtoH_v2");
    b->set_attribute = sym(lib, "cuFuncSetAttribute");
    return b;
}

void isa_back_free(struct isa_back *b) { free(b); }

static struct isa_result launch(struct isa_back *b, handle fn, const struct isa_launch *l)
{
    unsigned char params[1024] = {0};
    uint64_t addr[ISA_MAX_BUFS];
    size_t params_b = l->nbufs * sizeof addr[0] + l->extra_b;
    unsigned g[6];
    struct isa_result r = {.status = ISA_OK};
    for (unsigned i = 0; i < l->nbufs; i++) {
        assert_int_equal(b->alloc(&addr[i], l->buf[i].size_b ? l->buf[i].size_b : 1), 0);
        b->to_device(addr[i], l->buf[i].host, l->buf[i].size_b);
    }
    memcpy(params, addr, l->nbufs * sizeof addr[0]);
    if (l->extra_b)
        memcpy(params + l->nbufs * sizeof addr[0], l->extra, l->extra_b);
    for (unsigned i = 0; i < 3; i++) {
        g[i] = l->grid[i] ? l->grid[i] : 1;
        g[3 + i] = l->block[i] ? l->block[i] : 1;
    }
    void *extra[] = {(void *)1, params, (void *)2, &params_b, NULL};
    if (l->dyn_shared_b > 48 * 1024)
        b->set_attribute(fn, MAX_DYNAMIC_SHARED, (int)l->dyn_shared_b);
    int e = b->launch(fn, g[0], g[1], g[2], g[3], g[4], g[5], l->dyn_shared_b, NULL, NULL, extra);
    if (e == 0)
        e = b->synchronize();
    if (e != 0) {
        r.status = ISA_FAILED;
        r.code = e;
        snprintf(r.text, sizeof r.text, "driver error %d", e);
    }
    for (unsigned i = 0; i < l->nbufs; i++) {
        b->to_host(l->buf[i].host, addr[i], l->buf[i].size_b);
        b->release(addr[i]);
    }
    return r;
}

struct isa_result isa_back_run(struct isa_back *b, unsigned config, const struct isa_launch *l)
{
    struct isa_result r = {.status = ISA_REFUSED};
    char log[512] = "";
    int keys[] = {JIT_ERROR_LOG_BUFFER, JIT_ERROR_LOG_SIZE, JIT_OPTIMIZATION_LEVEL};
    void *vals[] = {log, (void *)(uintptr_t)sizeof log, (void *)(uintptr_t)(config ? 0 : 4)};
    handle mod = NULL, fn = NULL;
    int e = b->module_load(&mod, l->ptx, 3, keys, vals);
    if (e == 0)
        e = b->get_function(&fn, mod, l->kernel ? l->kernel : "k");
    if (e == 0)
        r = launch(b, fn, l);
    else
        snprintf(r.text, sizeof r.text, "driver error %d: %.400s", e, log);
    if (mod)
        b->module_unload(mod);
    return r;
}
