/* SPDX-License-Identifier: Apache-2.0 */
/* Variables of modules, by shadow variable or name: where they are, copies to and from them, their addresses. */
#include "cudart/code/kernel.h"
#include "cudart/memory/copy.h"

struct rt_var *var_add(struct rt *rt, struct rt_module *m, const char *name, const void *host,
                       uint64_t size_b)
{
    struct rt_var *v = xcalloc(1, sizeof *v);
    v->module = m;
    v->name = xstrdup(name);
    v->host = host;
    v->size_b = size_b;
    vec_push(&m->vars, v);
    if (host)
        rt_map_put(&rt->vars, (uint64_t)(uintptr_t)host, v);
    return v;
}

/* The struct stays, as for kernels: captured copies may name it. */
void var_retire(struct rt *rt, struct rt_var *v)
{
    if (v->host && rt_map_get(&rt->vars, (uint64_t)(uintptr_t)v->host) == v)
        rt_map_remove(&rt->vars, (uint64_t)(uintptr_t)v->host);
    if (rt->const_taken == v)
        rt->const_taken = NULL;
    if (v->managed && v->memory == v->host)
        rt_alloc_free(rt, (uint64_t)(uintptr_t)v->memory);
    v->module = NULL;
    vec_push(&rt->retired_vars, v);
}

/* Stays for the life of the process: the program may use it until its very end. */
uint64_t var_memory(struct rt *rt, struct rt_var *v)
{
    if (!v->memory)
        v->memory = (void *)(uintptr_t)rt_alloc(rt, v->size_b, RM_MANAGED, cudaMemAttachGlobal);
    return (uint64_t)(uintptr_t)v->memory;
}

static struct rt_var *managed_at(struct rt *rt, const void *memory)
{
    vec_each (&rt->modules, m) {
        vec_each (&(*m)->vars, v) {
            if ((*v)->managed && (*v)->memory && (*v)->memory == memory)
                return *v;
        }
    }
    return NULL;
}

bool rt_is_variable(struct rt *rt, uint64_t addr)
{
    return managed_at(rt, (const void *)(uintptr_t)addr) != NULL;
}

/* A managed variable is named by the address of its memory as well: that is what its name means on the host. */
struct rt_var *rt_var_find(struct rt *rt, const void *host)
{
    struct rt_var *v = rt_map_get(&rt->vars, (uint64_t)(uintptr_t)host);
    return v ? v : managed_at(rt, host);
}

struct rt_var *rt_var_named(struct rt *rt, struct rt_module *m, const char *name)
{
    vec_each (&m->vars, v) {
        if (strcmp((*v)->name, name) == 0)
            return *v;
    }
    if (rt_module_ready(rt, m))
        return NULL;
    uint64_t size_b = 0;
    bool constant = false, texture = false;
    if (exec_module_has(m->exec, name, &size_b, &constant, &texture)) {
        struct rt_var *v = var_add(rt, m, name, NULL, size_b);
        v->constant = constant;
        v->texture = texture;
        return v;
    }
    return NULL;
}

cudaError_t rt_var_address(struct rt *rt, struct rt_var *v, uint64_t *addr, uint64_t *size_b, void **host)
{
    uint64_t size = 0;
    cudaError_t e = v->module ? rt_module_ready(rt, v->module) : cudaErrorInvalidSymbol;
    if (e)
        return e;
    uint64_t at = exec_module_var(v->module->exec, v->name, &size);
    if (!at)
        return cudaErrorInvalidSymbol;
    if (addr)
        *addr = at;
    if (size_b)
        *size_b = size;
    if (host)
        *host = exec_module_host(v->module->exec, v->name);
    return cudaSuccess;
}

static cudaError_t symbol_address(struct rt *rt, const void *symbol, uint64_t *addr, uint64_t *size_b)
{
    struct rt_var *v = rt_var_find(rt, symbol);
    cudaError_t e = v && !v->texture ? rt_var_address(rt, v, addr, size_b, NULL) : cudaErrorInvalidSymbol;
    if (!e && v->constant && addr)
        rt->const_taken = v;
    return e;
}

RT_API cudaError_t cudaGetSymbolAddress(void **ptr, const void *symbol)
{
    struct rt *rt = rt_enter("cudaGetSymbolAddress");
    uint64_t addr = 0;
    cudaError_t e = ptr ? symbol_address(rt, symbol, &addr, NULL) : cudaErrorInvalidValue;
    if (!e)
        *ptr = (void *)(uintptr_t)addr;
    return rt_leave(rt, e);
}

RT_API cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)
{
    struct rt *rt = rt_enter("cudaGetSymbolSize");
    uint64_t size_b = 0;
    cudaError_t e = size ? symbol_address(rt, symbol, NULL, &size_b) : cudaErrorInvalidValue;
    if (!e)
        *size = size_b;
    return rt_leave(rt, e);
}

cudaError_t copy_op_symbol(struct rt *rt, struct rt_op *op, const void *symbol, const void *ptr, size_t size,
                           size_t offset, enum cudaMemcpyKind kind, bool to)
{
    struct rt_var *v = rt_var_find(rt, symbol);
    uint64_t addr, size_b;
    cudaError_t e = v && !v->texture ? rt_var_address(rt, v, &addr, &size_b, NULL) : cudaErrorInvalidSymbol;
    if (e)
        return e;
    if (offset > size_b || size > size_b - offset)
        return cudaErrorInvalidValue;
    if (kind == (to ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice) || kind == cudaMemcpyHostToHost)
        return cudaErrorInvalidMemcpyDirection;
    const struct rt_end var = {.var = v, .addr = addr + offset}, mem = {.addr = (uint64_t)(uintptr_t)ptr};
    *op = (struct rt_op){.kind = RO_COPY,
                         .copy = {.dst = to ? var : mem,
                                  .src = to ? mem : var,
                                  .width_b = size,
                                  .height = 1,
                                  .depth = 1,
                                  .dir = kind}};
    return cudaSuccess;
}

static cudaError_t symbol_copy(const char *name, const void *symbol, const void *ptr, size_t size,
                               size_t offset, enum cudaMemcpyKind kind, bool to, cudaStream_t stream,
                               bool wait)
{
    struct rt *rt = rt_enter(name);
    struct rt_op op;
    cudaError_t e = copy_op_symbol(rt, &op, symbol, ptr, size, offset, kind, to);
    return e ? rt_leave(rt, e) : copy_submit(rt, stream, &op, wait);
}

RT_API cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t size, size_t offset,
                                      enum cudaMemcpyKind kind)
{
    return symbol_copy("cudaMemcpyToSymbol", symbol, src, size, offset, kind, true, NULL, true);
}

RT_API cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t size, size_t offset,
                                           enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return symbol_copy("cudaMemcpyToSymbolAsync", symbol, src, size, offset, kind, true, stream, false);
}

RT_API cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t size, size_t offset,
                                        enum cudaMemcpyKind kind)
{
    return symbol_copy("cudaMemcpyFromSymbol", symbol, dst, size, offset, kind, false, NULL, true);
}

RT_API cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t size, size_t offset,
                                             enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return symbol_copy("cudaMemcpyFromSymbolAsync", symbol, dst, size, offset, kind, false, stream, false);
}
