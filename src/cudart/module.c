/* Modules: device code from its image to loaded variables. Registration only remembers the image; the PTX is chosen,
 * unpacked, parsed and loaded when the program first needs something of it, as a program may carry many that it never
 * uses. What is wrong with it is told once, with the PTX line, and comes back as an error code from then on. */
#include "cudart/fatbin.h"
#include "cudart/kernel.h"
#include "cudart/rt.h"
#include "ptx/ptx.h"

#include <assert.h>

struct rt_module *module_new(struct rt *rt, const void *image, size_t image_b)
{
    struct rt_module *m = xcalloc(1, sizeof *m);
    m->image = image;
    m->image_b = image_b;
    snprintf(m->name, sizeof m->name, "module%u.ptx", ++rt->nmodules);
    rt_obj_add(rt, &m->obj, RK_MODULE);
    vec_push(&rt->modules, m);
    return m;
}

/* The wrapper's data, or the image itself. Separate compilation has its parts elsewhere. */
static cudaError_t open_image(struct rt_module *m, const void **image)
{
    struct fatbin_wrapper w;
    *image = m->image;
    if (m->image_b)
        return cudaSuccess;
    memcpy(&w.magic, m->image, sizeof w.magic);
    if (w.magic != FATBIN_SEGMENT_MAGIC)
        return cudaSuccess;
    memcpy(&w, m->image, sizeof w);
    if (w.version != 1 || !w.data) {
        rt_message(
            "device code that was compiled separately and linked (-rdc=true, -dlto) cannot be run; compile "
            "whole programs");
        return cudaErrorNotSupported;
    }
    *image = w.data;
    return cudaSuccess;
}

static cudaError_t read_text(struct rt_module *m)
{
    static const cudaError_t code[] = {
        [FATBIN_BAD] = cudaErrorInvalidKernelImage,
        [FATBIN_NO_PTX] = cudaErrorNoKernelImageForDevice,
        [FATBIN_TOO_NEW] = cudaErrorUnsupportedPtxVersion,
    };
    const void *image;
    struct fatbin_text t;
    cudaError_t e = open_image(m, &image);
    if (e)
        return e;
    enum fatbin_status s = fatbin_read(image, m->image_b ? m->image_b : SIZE_MAX, RT_SM, &t);
    if (s != FATBIN_OK) {
        rt_message("device code: %s%s", t.why,
                   s == FATBIN_NO_PTX
                       ? "; build the program with PTX, e.g. nvcc -gencode arch=compute_80,code=compute_80"
                       : "");
        return code[s];
    }
    m->text = t.text;
    return cudaSuccess;
}

static void report(const struct rt *rt, const struct rt_module *m, struct diag *d)
{
    fflush(stdout);
    diag_print(d, rt->log ? rt->log : stderr);
    rt_message("%s: the device code of the program cannot be used", m->name);
    diag_free(d);
}

/* Managed variables live in memory that the host reaches too. */
static bool place_managed(struct rt *rt, struct rt_module *m)
{
    for (uint32_t i = 0; i < m->vars.n; i++) {
        struct rt_var *v = m->vars.at[i];
        if (v->managed && !exec_module_place(m->exec, v->name, var_memory(rt, v)))
            return false;
    }
    return true;
}

static cudaError_t load(struct rt *rt, struct rt_module *m)
{
    struct diag d = {0};
    cudaError_t e = m->text ? cudaSuccess : read_text(m);
    if (e)
        return e;
    assert(m->text);
    m->ptx = ptx_parse(m->name, m->text, strlen(m->text), &d);
    if (!m->ptx)
        return report(rt, m, &d), cudaErrorInvalidPtx;
    m->exec = exec_module_load(rt->dev, m->ptx, &d);
    if (!m->exec)
        return report(rt, m, &d), cudaErrorMemoryAllocation;
    if (!place_managed(rt, m))
        return cudaErrorInvalidKernelImage;
    return cudaSuccess;
}

cudaError_t rt_module_ready(struct rt *rt, struct rt_module *m)
{
    if (!m->exec && !m->failed)
        m->failed = load(rt, m);
    return m->failed;
}

uint32_t rt_const_size(const struct rt_module *m)
{
    uint64_t n = 0;
    vec_each (&m->ptx->vars, v)
        n += (*v)->space == SPACE_CONST ? (*v)->size_b : 0;
    return (uint32_t)n;
}

cudaError_t rt_module_load(struct rt *rt, const void *image, size_t image_b, struct rt_module **out)
{
    struct rt_module *m = module_new(rt, image, image_b);
    cudaError_t e = rt_module_ready(rt, m);
    if (e) {
        rt_module_free(rt, m);
        return e;
    }
    *out = m;
    return cudaSuccess;
}

void rt_module_free(struct rt *rt, struct rt_module *m)
{
    while (m->kernels.n)
        kernel_retire(rt, m->kernels.at[--m->kernels.n]);
    while (m->vars.n)
        var_retire(rt, m->vars.at[--m->vars.n]);
    vec_free(&m->kernels);
    vec_free(&m->vars);
    exec_module_free(m->exec);
    if (m->ptx)
        ptx_module_free(m->ptx);
    free(m->text);
    rt_obj_remove(rt, &m->obj);
    for (uint32_t i = 0; i < rt->modules.n; i++) {
        if (rt->modules.at[i] == m)
            rt->modules.at[i] = rt->modules.at[--rt->modules.n];
    }
    free(m);
}
