/* Functions of the driver API by name. */
#include "cudart/driver.h"

typedef void (*proc)(void);

/* A name without its suffix stands for the function that cuda.h maps it to, the newest. */
static const struct {
    const char *name;
    proc fn;
} procs[] = {
#define P(name) {#name, (proc)name},
#include "cudart/driver_procs.def"
#undef P
};

static proc find(const char *name)
{
    size_t n = strlen(name);
    if (n > 3 && (strcmp(name + n - 3, "_v2") == 0 || strcmp(name + n - 3, "_v3") == 0))
        n -= 3;
    for (size_t i = 0; i < sizeof procs / sizeof procs[0]; i++) {
        if (strncmp(procs[i].name, name, n) == 0 && !procs[i].name[n])
            return procs[i].fn;
    }
    return NULL;
}

enum { PROC_FLAGS = CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM };

/* NVIDIA's own runtime, linked into a program, asks for all of the driver and dies of what is missing. Told once. */
static void tell_missing(void)
{
    struct rt *rt = rt_enter_early();
    if (!rt->driver_told)
        rt_message(
            "cuGetProcAddress: the program asks for driver functions that are not here; if it has NVIDIA's "
            "runtime linked in (nvcc's default), build it with -cudart shared");
    rt->driver_told = true;
    rt_leave_quiet(rt);
}

RT_API CUresult cuGetProcAddress(const char *symbol, void **fn, int version, cuuint64_t flags,
                                 CUdriverProcAddressQueryResult *status)
{
    if (!symbol || !fn || version < 0 || flags & ~(cuuint64_t)PROC_FLAGS)
        return CUDA_ERROR_INVALID_VALUE;
    proc f = find(symbol);
    memcpy(fn, &f, sizeof f);
    if (!f)
        tell_missing();
    if (status)
        *status = f ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    /* A caller that passes no status learns it from the result. */
    return f || status ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

static cudaError_t entry_point(struct rt *rt, const char *symbol, void **fn, unsigned version,
                               unsigned long long flags, enum cudaDriverEntryPointQueryResult *status)
{
    CUdriverProcAddressQueryResult s = CU_GET_PROC_ADDRESS_SUCCESS;
    CUresult r = cuGetProcAddress(symbol, fn, (int)version, flags, &s);
    if (r != CUDA_SUCCESS)
        return rt_leave(rt, cudaErrorInvalidValue);
    if (status)
        *status = (enum cudaDriverEntryPointQueryResult)s;
    return rt_leave(rt, s == CU_GET_PROC_ADDRESS_SUCCESS || status ? cudaSuccess : cudaErrorSymbolNotFound);
}

RT_API cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **fn, unsigned long long flags,
                                           enum cudaDriverEntryPointQueryResult *status)
{
    return entry_point(rt_enter(__func__), symbol, fn, CUDA_VERSION, flags, status);
}

RT_API cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **fn, unsigned int version,
                                                    unsigned long long flags,
                                                    enum cudaDriverEntryPointQueryResult *status)
{
    return entry_point(rt_enter(__func__), symbol, fn, version, flags, status);
}
