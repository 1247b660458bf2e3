/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: the tables of functions without names that NVIDIA's own runtime asks its driver for. Programs that have that
 * runtime linked in and are stripped ask, and NVIDIA's libraries (cuBLAS), which all have it.
 *
 * What is in a table is known from ZLUDA's description (github.com/vosen/ZLUDA, dark_api): a table is found by 16 bytes, begins
 * with its size in bytes (all but one), and has functions at fixed places. An entry that is called by nobody, as far as is known,
 * tells its place and fails. One is left out on purpose: see proof(). */
#include "cudart/driver/driver.h"

typedef void (*entry)(void);

/* ---- places that are not known ---- */

static CUresult unknown_entry(unsigned at)
{
    rt_message("entry %u of a private table of NVIDIA's driver is called, which is not supported", at);
    return CUDA_ERROR_NOT_SUPPORTED;
}
#define U(at)                                                                                                \
    static CUresult unknown_##at(void) { return unknown_entry(at); }
#define EACH(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12)
EACH(U)
/* The rows of a table come after, and replace, what stands there by default. */
#pragma GCC diagnostic ignored "-Woverride-init"
#define AT(at) [at] = (entry)unknown_##at,
/* So many entries say how many there are; others follow that can be called, too. */
#define SIZE(n) [0] = (entry)(uintptr_t)((n) * sizeof(entry)), EACH(AT)

/* ---- modules and the primary context ---- */

static CUresult module_of_wrapper(CUmodule *module, const void *wrapper)
{
    return cuModuleLoadData(module, wrapper);
}

static CUresult primary_context(CUcontext *context, CUdevice device)
{
    CUresult r = DRV_CALL(DRV_INIT, cudaSuccess);
    if (r != CUDA_SUCCESS)
        return r;
    if (!context)
        return CUDA_ERROR_INVALID_VALUE;
    if (device != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    struct rt *rt = rt_enter_early();
    *context = (CUcontext)&rt->driver->primary;
    rt_leave_quiet(rt);
    return CUDA_SUCCESS;
}

/* The parameters that follow have not been seen with another value than 0. */
static CUresult module_of_wrapper_ex(CUmodule *module, const void *wrapper, void *a, void *b, unsigned c)
{
    return a || b || c ? unknown_entry(6) : cuModuleLoadData(module, wrapper);
}

static CUresult module_of_data(const void *data, CUmodule *module, void *a, void *b, unsigned c)
{
    return a || b || c ? unknown_entry(8) : cuModuleLoadData(module, data);
}

static void nothing(size_t x) { (void)x; }
static CUresult success(void) { return CUDA_SUCCESS; }

static const entry modules[] = {
    SIZE(13)[1] = (entry)module_of_wrapper,
    [2] = (entry)primary_context,
    [6] = (entry)module_of_wrapper_ex,
    [7] = (entry)nothing,
    [8] = (entry)module_of_data,
    [12] = (entry)success, /* loads the compilers */
};

/* ---- hooks of tools: buffers that the runtime looks into for callbacks ---- */

struct hook_room {
    uint32_t one[1024], two[14];
};
static struct hook_room hook_room; /* always 0: there are no tools */

static void hooks_one(void **p, size_t *n) { *p = hook_room.one, *n = 1024; }
static void hooks_two(void **p, size_t *n) { *p = hook_room.two, *n = 14; }
static const entry hooks[] = {
    SIZE(7)[2] = (entry)hooks_one,
    [6] = (entry)hooks_two,
};

static CUresult current_context(CUcontext *context) { return cuCtxGetCurrent(context); }

static const entry current[] = {
    SIZE(4)[2] = (entry)current_context,
};

/* ---- values that the runtime keeps with a context ---- */

static struct rt_context *context_of(struct rt *rt, CUcontext h)
{
    return h ? rt_obj_get(rt, h, RK_CONTEXT) : drv_current(rt);
}

static struct drv_kept *find_kept(struct rt_context *c, const void *key)
{
    for (size_t i = 0; i < c->kept.n; i++) {
        if (c->kept.at[i].key == key)
            return &c->kept.at[i];
    }
    return NULL;
}

static CUresult keep(CUcontext h, void *key, void *value, void (*gone)(CUcontext, void *, void *))
{
    struct rt *rt = rt_enter_early();
    struct rt_context *c = context_of(rt, h);
    struct drv_kept *k = c ? find_kept(c, key) : NULL, new = {key, value, gone};
    if (k)
        *k = new;
    else if (c)
        vec_push(&c->kept, new);
    rt_leave_quiet(rt);
    return c ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

static CUresult drop(CUcontext h, void *key)
{
    struct rt *rt = rt_enter_early();
    struct rt_context *c = context_of(rt, h);
    struct drv_kept *k = c ? find_kept(c, key) : NULL;
    if (k)
        *k = c->kept.at[--c->kept.n];
    rt_leave_quiet(rt);
    return k ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

static CUresult look_up(void **value, CUcontext h, void *key)
{
    struct rt *rt = rt_enter_early();
    struct rt_context *c = context_of(rt, h);
    struct drv_kept *k = c ? find_kept(c, key) : NULL;
    if (k && value)
        *value = k->value;
    rt_leave_quiet(rt);
    return k && value ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/* Called without the runtime's lock: the callbacks are the program's. */
void drv_forget(struct rt_context *c)
{
    while (c->kept.n) {
        struct drv_kept k = c->kept.at[--c->kept.n];
        if (k.gone)
            k.gone((CUcontext)c, k.key, k.value);
    }
    vec_free(&c->kept);
}

static const entry storage[] = {(entry)keep, (entry)drop, (entry)look_up, NULL};

/* ---- whether a context is as others are: nobody has seen one that is not ---- */

static CUresult check_context(CUcontext h, uint32_t *other, const void **what)
{
    (void)h, (void)what;
    *other = 0;
    return CUDA_SUCCESS;
}

static const entry checks[] = {
    SIZE(4)[2] = (entry)check_context,
    [3] = (entry)success,
};

/* ---- whether the driver is NVIDIA's ---- */

/* The runtime wants a proof here. Bankshot is not NVIDIA's driver and does not say that it is. Told once. */
static CUresult proof(uint32_t version, uint64_t asked, uint64_t *told)
{
    (void)version, (void)asked, (void)told;
    struct rt *rt = rt_enter_early();
    if (!rt->driver_told)
        rt_message(
            "NVIDIA's runtime, linked into the program or into one of its libraries (cuBLAS has it), asks "
            "for "
            "a proof that the driver is NVIDIA's, which Bankshot does not imitate. What works: a program "
            "linked with the shared runtime (nvcc -cudart shared), or one whose names are not stripped, "
            "started by "
            "bankshot record");
    rt->driver_told = true;
    rt_leave_quiet(rt);
    return CUDA_ERROR_NOT_SUPPORTED;
}

static const entry question[] = {
    SIZE(3)[1] = (entry)proof,
};

/* ---- the tables ---- */

static const struct {
    const char *name;
    unsigned char id[16];
    const entry *entries;
} tables[] = {
    {"modules",
     {0x6b, 0xd5, 0xfb, 0x6c, 0x5b, 0xf4, 0xe7, 0x4a, 0x89, 0x87, 0xd9, 0x39, 0x12, 0xfd, 0x9d, 0xf9},
     modules},
    {"hooks",
     {0xa0, 0x94, 0x79, 0x8c, 0x2e, 0x74, 0x2e, 0x74, 0x93, 0xf2, 0x08, 0x00, 0x20, 0x0c, 0x0a, 0x66},
     hooks},
    {"current",
     {0x42, 0xd8, 0x5a, 0x81, 0x23, 0xf6, 0xcb, 0x47, 0x82, 0x98, 0xf6, 0xe7, 0x8a, 0x3a, 0xec, 0xdc},
     current},
    {"storage",
     {0xc6, 0x93, 0x33, 0x6e, 0x11, 0x21, 0xdf, 0x11, 0xa8, 0xc3, 0x68, 0xf3, 0x55, 0xd8, 0x95, 0x93},
     storage},
    {"checks",
     {0x26, 0x3e, 0x88, 0x60, 0x7c, 0xd2, 0x61, 0x43, 0x92, 0xf6, 0xbb, 0xd5, 0x00, 0x6d, 0xfa, 0x7e},
     checks},
    {"question",
     {0xd4, 0x08, 0x20, 0x55, 0xbd, 0xe6, 0x70, 0x4b, 0x8d, 0x34, 0xba, 0x12, 0x3c, 0x66, 0xe1, 0xf2},
     question},
};

static void tell_missing(const CUuuid *id)
{
    struct rt *rt = rt_enter_early();
    char text[33];
    for (unsigned i = 0; i < 16; i++)
        snprintf(text + 2 * i, 3, "%02x", (unsigned char)id->bytes[i]);
    if (rt->cfg.verbose)
        rt_message("cuGetExportTable: there is no private table %s", text);
    rt_leave_quiet(rt);
}

RT_API CUresult cuGetExportTable(const void **table, const CUuuid *id)
{
    if (!table || !id)
        return CUDA_ERROR_INVALID_VALUE;
    *table = NULL;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        if (memcmp(tables[i].id, id->bytes, 16) == 0)
            *table = (const void *)tables[i].entries;
    }
    if (!*table)
        tell_missing(id);
    return *table ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
