/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels: found by stub, handle or name, compiled at their first use. */
#include "cudart/code/kernel.h"

#include "compile/compile.h"
#include "trace/write/record.h"

struct rt_kernel *kernel_add(struct rt *rt, struct rt_module *m, const char *name, const void *stub)
{
    struct rt_kernel *k = xcalloc(1, sizeof *k);
    k->module = m;
    k->name = xstrdup(name);
    k->stub = stub;
    k->carveout = -1;
    rt_obj_add(rt, &k->obj, RK_KERNEL);
    vec_push(&m->kernels, k);
    if (stub)
        rt_map_put(&rt->kernels, (uint64_t)(uintptr_t)stub, k);
    return k;
}

/* The struct stays: nodes of graphs may still point at it, and find that it cannot be launched any more. */
void kernel_retire(struct rt *rt, struct rt_kernel *k)
{
    if (k->stub && rt_map_get(&rt->kernels, (uint64_t)(uintptr_t)k->stub) == k)
        rt_map_remove(&rt->kernels, (uint64_t)(uintptr_t)k->stub);
    rt_obj_remove(rt, &k->obj);
    if (k->code) {
        if (rt->rec)
            tr_recorder_forget(rt->rec, k->code);
        code_free(k->code);
    }
    k->code = NULL;
    k->module = NULL;
    k->failed = cudaErrorInvalidDeviceFunction;
    vec_push(&rt->retired, k);
}

static cudaError_t compile_ptx(struct rt *rt, struct rt_kernel *k)
{
    struct diag d = {0};
    cudaError_t e = cudaSuccess;
    const struct ptx_func *f = ptx_find_func(k->module->ptx, k->name);
    if (!f || !f->is_entry || !f->has_body) {
        rt_message("%s has no kernel '%s'", k->module->name, k->name);
        return cudaErrorInvalidDeviceFunction;
    }
    const struct compile_opts o = {
        .max_regs = rt->cfg.max_regs, .no_schedule = rt->cfg.no_schedule, .short_addr = rt->cfg.short_addr};
    k->code = compile_kernel(k->module->ptx, f, &o, &d);
    if (!k->code) {
        fflush(stdout);
        diag_print(&d, stderr);
        rt_message("kernel '%s' cannot be compiled", k->name);
        e = cudaErrorInvalidPtx;
    }
    diag_free(&d);
    return e;
}

static cudaError_t translate(struct rt_kernel *k)
{
    char why[500];
    k->code = exec_module_translate(k->module->exec, k->name, why, sizeof why);
    if (!k->code)
        rt_message("kernel '%s' cannot be run from its machine code: %s", k->name, why);
    return k->code ? cudaSuccess : cudaErrorNoKernelImageForDevice;
}

static cudaError_t compile(struct rt *rt, struct rt_kernel *k)
{
    cudaError_t e = rt_module_ready(rt, k->module);
    if (!e)
        e = k->module->cubin ? translate(k) : compile_ptx(rt, k);
    k->param_b = k->code ? k->code->param_b : 0;
    return e;
}

cudaError_t rt_kernel_compile(struct rt *rt, struct rt_kernel *k)
{
    if (!k->code && !k->failed)
        k->failed = compile(rt, k);
    return k->failed;
}

struct rt_kernel *rt_kernel_find(struct rt *rt, const void *stub, cudaError_t *e)
{
    struct rt_kernel *k = rt_map_get(&rt->kernels, (uint64_t)(uintptr_t)stub);
    if (!k)
        k = rt_obj_get(rt, stub, RK_KERNEL);
    *e = k ? rt_kernel_compile(rt, k) : cudaErrorInvalidDeviceFunction;
    return *e ? NULL : k;
}

struct rt_kernel *rt_kernel_named(struct rt *rt, struct rt_module *m, const char *name, cudaError_t *e)
{
    vec_each (&m->kernels, k) {
        if (strcmp((*k)->name, name) == 0)
            return *k;
    }
    *e = rt_module_ready(rt, m);
    const char *has = NULL;
    for (uint32_t i = 0; !*e && (has = module_kernel_name(m, i)) && strcmp(has, name) != 0; i++)
        ;
    if (!*e && !has)
        *e = cudaErrorSymbolNotFound;
    return *e ? NULL : kernel_add(rt, m, name, NULL);
}
