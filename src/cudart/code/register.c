/* SPDX-License-Identifier: Apache-2.0 */
/* What compilers put into programs: registration of device code and its names from constructors, and the two halves of
 * the launch syntax. Called by code that nvcc (11 to 13) and clang generate, never by people; the names and signatures are
 * those of crt/host_runtime.h.
 *
 * Nothing is read or checked here beyond what is needed to remember it: constructors have no way to report an error. */
#include "cudart/code/register.h"

#include "cudart/code/kernel.h"
#include "cudart/code/launch.h"

#include <dlfcn.h>
#include <sys/auxv.h>

/* Machine code that takes the place of what was compiled into the program; a library that it uses keeps its own. */
static const char *file_for(const struct rt *rt, const void *wrapper)
{
    Dl_info program = {0}, own = {0};
    bool found = rt->cfg.cubin && dladdr((const void *)getauxval(AT_PHDR), &program) && dladdr(wrapper, &own);
    return found && own.dli_fbase == program.dli_fbase ? rt->cfg.cubin : NULL;
}

/* The handle is the module's address; anything else is ignored. */
static struct rt_module *module_of(struct rt *rt, void **handle) { return rt_obj_get(rt, handle, RK_MODULE); }

RT_API void **__cudaRegisterFatBinary(void *wrapper)
{
    struct rt *rt = rt_enter_early();
    struct rt_module *m = wrapper ? module_new(rt, wrapper, 0) : NULL;
    if (m)
        m->file = file_for(rt, wrapper);
    rt_leave_quiet(rt);
    return (void **)m;
}

/* The module whose parts are in the same program or library, unless it is in use: what comes later can only stand for itself. */
static struct rt_module *linked_module(struct rt *rt, const void *wrapper)
{
    Dl_info info = {0};
    dladdr(wrapper, &info);
    vec_each (&rt->modules, m)
        if ((*m)->parts.n && (*m)->owner == info.dli_fbase && !(*m)->exec && !(*m)->failed)
            return *m;
    struct rt_module *m = module_new(rt, NULL, 0);
    m->owner = info.dli_fbase;
    m->file = file_for(rt, wrapper);
    return m;
}

/* A file that bankshot cc compiled with -rdc=true. In objects of clang the name of this function is different for each, for the
 * device linker to define; bankshot cc writes this one there, and the linking is done here, when the code is first used. */
RT_API void __cudaRegisterLinkedBinary_bankshot(void (*names)(void **handle), void *wrapper, void *id,
                                                void *done)
{
    struct rt *rt = rt_enter_early();
    struct rt_module *m = linked_module(rt, wrapper);
    (void)id, (void)done;
    vec_push(&m->parts, wrapper);
    rt_leave_quiet(rt);
    names((void **)m);
}

/* Managed variables in the program's own memory get their initial values here: it may read them before any call. */
RT_API void __cudaRegisterFatBinaryEnd(void **handle)
{
    struct rt *rt = rt_enter_early();
    struct rt_module *m = module_of(rt, handle);
    bool in_place = false;
    if (m) {
        vec_each (&m->vars, v)
            in_place |= (*v)->managed && (*v)->host == (*v)->memory;
    }
    if (in_place)
        rt_module_ready(rt, m);
    rt_leave_quiet(rt);
}

/* Where `bankshot cc` puts managed variables: clang has none for CUDA, so they are device variables whose shadows lie in
 * a section of their own, and the shadow is the variable. Called before the registrations, more than once for a range. */
RT_API void __bankshotManaged(const void *start, const void *stop)
{
    struct rt *rt = rt_enter_early();
    const struct rt_range r = {(uint64_t)(uintptr_t)start, (uint64_t)(uintptr_t)stop};
    bool known = r.start >= r.stop;
    vec_each (&rt->managed, m)
        known |= m->start == r.start && m->stop == r.stop;
    if (!known)
        vec_push(&rt->managed, r);
    rt_leave_quiet(rt);
}

static bool is_managed(struct rt *rt, const void *host)
{
    uint64_t at = (uint64_t)(uintptr_t)host;
    vec_each (&rt->managed, m) {
        if (at >= m->start && at < m->stop)
            return true;
    }
    return false;
}

RT_API void __cudaUnregisterFatBinary(void **handle) { rt_module_gone(handle); }

RT_API void __cudaRegisterFunction(void **handle, const char *stub, char *device_fun, const char *name,
                                   int thread_limit, uint3 *tid, uint3 *bid, dim3 *bdim, dim3 *gdim,
                                   int *wsize)
{
    struct rt *rt = rt_enter_early();
    struct rt_module *m = module_of(rt, handle);
    (void)device_fun, (void)thread_limit, (void)tid, (void)bid, (void)bdim, (void)gdim, (void)wsize;
    if (m && stub && name)
        kernel_add(rt, m, name, stub);
    rt_leave_quiet(rt);
}

RT_API void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int ext, size_t size,
                              int constant, int global)
{
    struct rt *rt = rt_enter_early();
    struct rt_module *m = module_of(rt, handle);
    (void)device, (void)ext, (void)global;
    if (m && host && name) {
        struct rt_var *v = var_add(rt, m, name, host, size);
        v->constant = constant != 0;
        if (is_managed(rt, host) && rt_managed_in_place(rt, host, size)) {
            v->managed = true;
            v->memory = host;
        }
    }
    rt_leave_quiet(rt);
}

/* The program reaches the variable through the pointer at `host`. It is set here already, not in __cudaInitModule: code
 * of clang never calls that. The initial value comes when the module is loaded, at the latest by __cudaInitModule. */
RT_API void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int ext,
                                     size_t size, int constant, int global)
{
    struct rt *rt = rt_enter_early();
    struct rt_module *m = module_of(rt, handle);
    (void)device, (void)ext, (void)constant, (void)global;
    if (m && host && name) {
        struct rt_var *v = var_add(rt, m, name, host, size);
        v->managed = true;
        *host = (void *)(uintptr_t)var_memory(rt, v);
    }
    rt_leave_quiet(rt);
}

static void register_texture(void **handle, const void *host, const char *name, bool normalized_read)
{
    struct rt *rt = rt_enter_early();
    struct rt_module *m = module_of(rt, handle);
    if (m && host && name) {
        struct rt_var *v = var_add(rt, m, name, host, 0);
        v->texture = true;
        v->normalized_read = normalized_read;
    }
    rt_leave_quiet(rt);
}

RT_API void __cudaRegisterTexture(void **handle, const struct textureReference *host, const void **device,
                                  const char *name, int dim, int norm, int ext)
{
    (void)device, (void)dim, (void)ext;
    register_texture(handle, host, name, norm != 0);
}

RT_API void __cudaRegisterSurface(void **handle, const struct surfaceReference *host, const void **device,
                                  const char *name, int dim, int ext)
{
    (void)device, (void)dim, (void)ext;
    register_texture(handle, host, name, false);
}

/* Called before the first use of a managed variable. */
RT_API char __cudaInitModule(void **handle)
{
    struct rt *rt = rt_enter("__cudaInitModule");
    struct rt_module *m = module_of(rt, handle);
    cudaError_t e = m ? rt_module_ready(rt, m) : cudaErrorInvalidResourceHandle;
    rt_leave_quiet(rt);
    return e == cudaSuccess;
}

/* ---- <<<grid, block, shared, stream>>>: pushed before the arguments are evaluated, popped in the stub ---- */

RT_API unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream)
{
    struct rt_thread *t = rt_thread();
    if (t->ncalls == RT_CALLS)
        return 1;
    t->calls[t->ncalls++] =
        (struct rt_call){{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared, stream};
    return 0;
}

RT_API cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
    struct rt_thread *t = rt_thread();
    if (!t->ncalls || !grid || !block || !shared || !stream)
        return rt_leave(rt_enter("__cudaPopCallConfiguration"), cudaErrorMissingConfiguration);
    const struct rt_call *c = &t->calls[--t->ncalls];
    *grid = (dim3){c->grid[0], c->grid[1], c->grid[2]};
    *block = (dim3){c->block[0], c->block[1], c->block[2]};
    *shared = c->shared_b;
    memcpy(stream, &c->stream, sizeof c->stream);
    return cudaSuccess;
}

/* nvcc 13: the stub looks its kernel up once and launches by handle. */
RT_API cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *stub)
{
    struct rt *rt = rt_enter("cudaGetKernel");
    struct rt_kernel *k = rt_map_get(&rt->kernels, (uint64_t)(uintptr_t)stub);
    if (!kernel || !k)
        return rt_leave(rt, kernel ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidValue);
    *kernel = (cudaKernel_t)k;
    return rt_leave(rt, cudaSuccess);
}

RT_API cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args, size_t shared,
                                      cudaStream_t stream)
{
    return cudaLaunchKernel((const void *)kernel, grid, block, args, shared, stream);
}

RT_API cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void **args,
                                           size_t shared, cudaStream_t stream)
{
    return cudaLaunchKernel((const void *)kernel, grid, block, args, shared,
                            stream ? stream : cudaStreamPerThread);
}
