/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the driver API by name. */
#include "cudart/driver/driver_versions.h"

#undef cuGraphInstantiate

typedef void (*proc)(void);

/* A name has several functions where its parameters changed: the one of the version that is asked for is the newest that is not
 * later. Those without a version are older than any that asks. */
static const struct {
    const char *name;
    int since;
    proc fn;
} procs[] = {
#define P(name) {#name, 0, (proc)name},
#define SINCE(name, version, fn) {#name, version, (proc)fn},
#include "cudart/driver/driver_procs.def"
#undef P
#undef SINCE
};

/* A name may have the suffix that cuda.h gives it. */
static proc find(const char *name, int version)
{
    size_t n = strlen(name), best = SIZE_MAX;
    if (n > 3 && (strcmp(name + n - 3, "_v2") == 0 || strcmp(name + n - 3, "_v3") == 0))
        n -= 3;
    for (size_t i = 0; i < sizeof procs / sizeof procs[0]; i++) {
        if (strncmp(procs[i].name, name, n) == 0 && !procs[i].name[n] && procs[i].since <= version &&
            (best == SIZE_MAX || procs[i].since >= procs[best].since))
            best = i;
    }
    return best == SIZE_MAX ? NULL : procs[best].fn;
}

enum { PROC_FLAGS = CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM };

static void tell_missing(const char *symbol, int version)
{
    struct rt *rt = rt_enter_early();
    if (rt->cfg.verbose)
        rt_message("cuGetProcAddress: there is no %s of CUDA %d.%d", symbol, version / 1000,
                   version % 1000 / 10);
    rt_leave_quiet(rt);
}

RT_API CUresult cuGetProcAddress(const char *symbol, void **fn, int version, cuuint64_t flags,
                                 CUdriverProcAddressQueryResult *status)
{
    if (!symbol || !fn || version < 0 || flags & ~(cuuint64_t)PROC_FLAGS)
        return CUDA_ERROR_INVALID_VALUE;
    proc f = find(symbol, version);
    memcpy(fn, &f, sizeof f);
    if (!f)
        tell_missing(symbol, version);
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
