/* SPDX-License-Identifier: Apache-2.0 */
/* Modules: device code from its image to loaded variables. Registration only remembers the image; the PTX is chosen,
 * unpacked, parsed and loaded when the program first needs something of it, as a program may carry many that it never
 * uses. What is wrong with it is told once, with the PTX line, and comes back as an error code from then on. */
#include "base/file.h"
#include "cudart/code/fatbin.h"
#include "cudart/code/kernel.h"
#include "cudart/code/link.h"
#include "cudart/rt.h"
#include "ptx/ptx.h"
#include "sass/cubin.h"
#include "sass/sass.h"

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

/* The wrapper's data, or the image itself. nvcc's separate compilation has its parts elsewhere. */
static cudaError_t open_image(const void **image)
{
    struct fatbin_wrapper w;
    memcpy(&w.magic, *image, sizeof w.magic);
    if (w.magic != FATBIN_SEGMENT_MAGIC)
        return cudaSuccess;
    memcpy(&w, *image, sizeof w);
    if (w.version != 1 || !w.data) {
        rt_message(
            "device code that nvcc compiled separately and linked (-rdc=true, -dlto) cannot be run; compile "
            "whole programs, or with bankshot cc");
        return cudaErrorNotSupported;
    }
    *image = w.data;
    return cudaSuccess;
}

static cudaError_t refused(enum fatbin_status s, const struct fatbin_text *t)
{
    static const cudaError_t code[] = {
        [FATBIN_BAD] = cudaErrorInvalidKernelImage,
        [FATBIN_NONE] = cudaErrorNoKernelImageForDevice,
        [FATBIN_TOO_NEW] = cudaErrorUnsupportedPtxVersion,
    };
    rt_message("device code: %s", t->why);
    return code[s];
}

static cudaError_t read_text(const void *image, size_t image_b, char **text)
{
    struct fatbin_text t;
    cudaError_t e = image_b ? cudaSuccess : open_image(&image);
    if (e)
        return e;
    enum fatbin_status s = fatbin_read(image, image_b ? image_b : SIZE_MAX, RT_SM, &t);
    if (s != FATBIN_OK)
        return refused(s, &t);
    *text = t.text;
    return cudaSuccess;
}

static cudaError_t read_cubin(const void *image, size_t size, struct cubin **out)
{
    struct fatbin_text t;
    char why[300] = "";
    enum fatbin_status s = fatbin_read_cubin(image, size, RT_SM, &t);
    if (s != FATBIN_OK)
        return refused(s, &t);
    *out = cubin_read(t.text, t.n, why, sizeof why);
    free(t.text);
    if (!*out)
        rt_message("device code: a cubin: %s", why);
    return *out ? cudaSuccess : cudaErrorInvalidKernelImage;
}

static cudaError_t read_file(struct rt_module *m)
{
    struct diag d = {0};
    struct file_text f;
    cudaError_t e = cudaErrorInvalidKernelImage;
    if (file_read(m->file, FATBIN_TEXT_MAX, &f, &d)) {
        e = read_cubin(f.at, f.n, &m->cubin);
        file_free(&f);
    }
    if (e)
        rt_message("%s, which is to take the place of the program's device code, cannot be used", m->file);
    diag_print(&d, stderr);
    diag_free(&d);
    return e;
}

static bool executes_all(const struct cubin *c)
{
    vec_each (&c->symbols, s) {
        if (s->type == CUBIN_FUNC && !s->section) /* a function of the driver's: printf, malloc */
            return false;
    }
    vec_each (&c->sections, s) {
        if (!s->data || strncmp(s->name, ".text.", 6) != 0)
            continue;
        for (uint64_t at = 0; at + 16 <= s->size_b; at += 16) {
            uint64_t word[2];
            struct sass_insn i;
            char why[SASS_TEXT_B];
            memcpy(word, s->data + at, sizeof word);
            if (!sass_decode(c->sm, word[0], word[1], &i, why, sizeof why) ||
                !sass_executes(&i, why, sizeof why))
                return false;
        }
    }
    return true;
}

/* Machine code of the device's own architecture, if all of it is executed here; else NULL, and nobody is told. */
static struct cubin *read_native(const void *image, size_t size)
{
    struct fatbin_text t;
    char why[300];
    if (fatbin_read_cubin(image, size, RT_SM, &t) != FATBIN_OK)
        return NULL;
    struct cubin *c = cubin_read(t.text, t.n, why, sizeof why);
    free(t.text);
    if (c && (c->sm / 10 != RT_SM / 10 || !executes_all(c))) {
        cubin_free(c);
        c = NULL;
    }
    return c;
}

/* The code that runs: as the user has chosen; else what the device's own GPU would take: machine code made for it, and PTX
 * where there is none, or none that all of it can be executed of. */
static cudaError_t read_code(const struct rt *rt, struct rt_module *m)
{
    const void *image = m->image;
    cudaError_t e = m->image_b ? cudaSuccess : open_image(&image);
    size_t size = m->image_b ? m->image_b : SIZE_MAX;
    struct fatbin_text t;
    if (e)
        return e;
    if (rt->cfg.code == RT_CODE_SASS)
        return read_cubin(image, size, &m->cubin);
    if (rt->cfg.code == RT_CODE_AUTO && (m->cubin = read_native(image, size)))
        return cudaSuccess;
    enum fatbin_status s = fatbin_read(image, size, RT_SM, &t);
    if (s == FATBIN_NONE && rt->cfg.code == RT_CODE_AUTO)
        return read_cubin(image, size, &m->cubin);
    if (s != FATBIN_OK)
        return refused(s, &t);
    m->text = t.text;
    return cudaSuccess;
}

/* The texts of all parts as one. */
static cudaError_t link_parts(struct rt_module *m)
{
    char **texts = xcalloc(m->parts.n, sizeof *texts);
    cudaError_t e = cudaSuccess;
    for (uint32_t i = 0; i < m->parts.n && !e; i++)
        e = read_text(m->parts.at[i], 0, &texts[i]);
    if (!e)
        m->text = link_texts((const char *const *)texts, m->parts.n);
    for (uint32_t i = 0; i < m->parts.n; i++)
        free(texts[i]);
    free(texts);
    return e;
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

struct rt_var *module_managed(struct rt *rt, struct rt_module *m, const char *name)
{
    struct rt_var *v = rt_var_named(rt, m, name);
    if (!v || v->constant || v->texture || v->managed)
        return v && v->managed ? v : NULL;
    v->managed = true;
    return exec_module_place(m->exec, v->name, var_memory(rt, v)) ? v : NULL;
}

/* Are the variables that files expect of one another there? (Functions are missed where they are called.) */
static bool vars_are_defined(const struct rt_module *m, struct diag *d)
{
    uint32_t before = d->errors;
    vec_each (&m->ptx->vars, v)
        if (m->parts.n && (*v)->is_extern && (*v)->space != SPACE_SHARED)
            ptx_error(m->ptx, d, (*v)->line, 1, "variable '%s' is declared but not defined", (*v)->name);
    return d->errors == before;
}

static cudaError_t load_cubin(struct rt *rt, struct rt_module *m)
{
    struct diag d = {0};
    m->exec = exec_module_load_cubin(rt->dev, m->cubin, &d);
    if (!m->exec)
        return report(rt, m, &d), cudaErrorInvalidKernelImage;
    return place_managed(rt, m) ? cudaSuccess : cudaErrorInvalidKernelImage;
}

static cudaError_t load(struct rt *rt, struct rt_module *m)
{
    struct diag d = {0};
    cudaError_t e = m->text      ? cudaSuccess
                    : m->file    ? read_file(m)
                    : m->parts.n ? link_parts(m)
                                 : read_code(rt, m);
    if (e)
        return e;
    if (m->cubin)
        return load_cubin(rt, m);
    assert(m->text);
    m->ptx = ptx_parse(m->name, m->text, strlen(m->text), &d);
    if (!m->ptx || !vars_are_defined(m, &d))
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

const char *module_kernel_name(const struct rt_module *m, uint32_t i)
{
    if (m->cubin)
        return i < m->cubin->kernels.n ? m->cubin->kernels.at[i].name : NULL;
    for (uint32_t k = 0; k < m->ptx->funcs.n; k++) {
        if (m->ptx->funcs.at[k]->is_entry && i-- == 0)
            return m->ptx->funcs.at[k]->name;
    }
    return NULL;
}

uint32_t rt_const_size(const struct rt_module *m) { return exec_module_const_b(m->exec); }

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
    vec_free(&m->parts);
    exec_module_free(m->exec);
    if (m->ptx)
        ptx_module_free(m->ptx);
    cubin_free(m->cubin);
    free(m->text);
    rt_obj_remove(rt, &m->obj);
    for (uint32_t i = 0; i < rt->modules.n; i++) {
        if (rt->modules.at[i] == m)
            rt->modules.at[i] = rt->modules.at[--rt->modules.n];
    }
    free(m);
}
