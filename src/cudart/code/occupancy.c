/* SPDX-License-Identifier: Apache-2.0 */
/* Occupancy: the least of what warp slots, CTA slots, registers and shared memory allow. Limits and units of allocation are
 * those of compute capability 9.0 (CUDA programming guide, technical specifications; the occupancy calculator of Nsight
 * Compute): registers go to warps in units of 256 and lie in the partition of the warp, shared memory goes to CTAs in units
 * of 128 bytes with 1 KiB on top for the system. */
#include "cudart/code/occupancy.h"

#include "cudart/code/launch.h"

enum {
    SM_COUNT = 132,
    SM_WARPS = 64,
    SM_CTAS = 32,
    SM_PARTITIONS = 4,
    SM_REGS = 65536,
    REG_UNIT = 256,
    SM_SHARED_B = 228 << 10,
    SHARED_UNIT_B = 128,
    SHARED_SYSTEM_B = 1 << 10,
    CTA_THREADS = 1024
};

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

static uint32_t by_registers(const struct code *c, uint32_t warps)
{
    uint32_t per_warp = (c->regs * 32 + REG_UNIT - 1) / REG_UNIT * REG_UNIT;
    if (!per_warp)
        return SM_CTAS;
    /* A CTA is checked as if it had warps in all partitions. */
    uint32_t rounded = (warps + SM_PARTITIONS - 1) / SM_PARTITIONS * SM_PARTITIONS;
    if (per_warp * rounded > SM_REGS)
        return 0;
    return SM_REGS / SM_PARTITIONS / per_warp * SM_PARTITIONS / warps;
}

static uint64_t dynamic_limit(const struct code *c, uint32_t max_dyn_b)
{
    uint64_t usual = c->shared_b < SHARED_DEFAULT_B ? SHARED_DEFAULT_B - c->shared_b : 0;
    return max_dyn_b > usual ? max_dyn_b : usual;
}

static uint32_t by_shared(const struct code *c, uint32_t max_dyn_b, uint64_t dyn_b)
{
    if (dyn_b > dynamic_limit(c, max_dyn_b) || c->shared_b + dyn_b > SHARED_OPTIN_B)
        return 0;
    uint64_t per_cta = c->shared_b + dyn_b + SHARED_SYSTEM_B;
    per_cta = (per_cta + SHARED_UNIT_B - 1) / SHARED_UNIT_B * SHARED_UNIT_B;
    return (uint32_t)(SM_SHARED_B / per_cta);
}

uint32_t occupancy_ctas(const struct code *c, uint32_t max_dyn_b, uint32_t threads, uint64_t dyn_shared_b)
{
    if (!threads || threads > CTA_THREADS || (c->maxntid && threads > c->maxntid))
        return 0;
    uint32_t warps = (threads + 31) / 32;
    uint32_t n = least(SM_CTAS, SM_WARPS / warps);
    n = least(n, by_registers(c, warps));
    return least(n, by_shared(c, max_dyn_b, dyn_shared_b));
}

uint64_t occupancy_device(const struct code *c, uint32_t max_dyn_b, uint32_t threads, uint64_t dyn_shared_b)
{
    return (uint64_t)occupancy_ctas(c, max_dyn_b, threads, dyn_shared_b) * SM_COUNT;
}

/* ---- API ---- */

static cudaError_t active(const char *name, int *out, const void *func, int threads, size_t shared,
                          unsigned flags)
{
    struct rt *rt = rt_enter(name);
    cudaError_t e = cudaErrorInvalidValue;
    struct rt_kernel *k = out && threads > 0 && !(flags & ~(unsigned)cudaOccupancyDisableCachingOverride)
                              ? rt_kernel_find(rt, func, &e)
                              : NULL;
    if (k)
        *out = (int)occupancy_ctas(k->code, k->max_dyn_shared_b, (uint32_t)threads, shared);
    return rt_leave(rt, k ? cudaSuccess : e);
}

RT_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *out, const void *func, int threads,
                                                                 size_t shared)
{
    return active(__func__, out, func, threads, shared, cudaOccupancyDefault);
}

RT_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *out, const void *func,
                                                                          int threads, size_t shared,
                                                                          unsigned int flags)
{
    return active(__func__, out, func, threads, shared, flags);
}

/* The most that leaves room for so many CTAs. */
RT_API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *out, const void *func, int ctas,
                                                             int threads)
{
    struct rt *rt = rt_enter(__func__);
    cudaError_t e = cudaErrorInvalidValue;
    struct rt_kernel *k = out && ctas > 0 && threads > 0 ? rt_kernel_find(rt, func, &e) : NULL;
    if (!k)
        return rt_leave(rt, e);
    if (occupancy_ctas(k->code, k->max_dyn_shared_b, (uint32_t)threads, 0) < (uint32_t)ctas)
        return rt_leave(rt, cudaErrorInvalidValue);
    uint64_t each = SM_SHARED_B / (uint32_t)ctas / SHARED_UNIT_B * SHARED_UNIT_B - SHARED_SYSTEM_B;
    uint64_t room = each > k->code->shared_b ? each - k->code->shared_b : 0;
    uint64_t limit = dynamic_limit(k->code, k->max_dyn_shared_b);
    *out = room < limit ? room : limit;
    return rt_leave(rt, cudaSuccess);
}

/* ---- clusters ---- */

/* The kernel of a question, with the wishes of its launch; NULL: *e says why. */
static struct rt_kernel *asked(struct rt *rt, const int *out, const void *func, const cudaLaunchConfig_t *c,
                               struct rt_wish *w, cudaError_t *e)
{
    *e = cudaErrorInvalidValue;
    if (!out || !c || (c->numAttrs && !c->attrs))
        return NULL;
    const char *missing = launch_attributes(c->attrs, c->numAttrs, w, e);
    if (missing)
        *e = rt_unsupported(rt, rt->call, missing);
    return *e ? NULL : rt_kernel_find(rt, func, e);
}

static uint32_t ctas_of(const struct rt_kernel *k, const cudaLaunchConfig_t *c)
{
    uint64_t threads = (uint64_t)c->blockDim.x * c->blockDim.y * c->blockDim.z;
    return occupancy_ctas(k->code, k->max_dyn_shared_b, threads > UINT32_MAX ? 0 : (uint32_t)threads,
                          c->dynamicSmemBytes);
}

/* A CTA of a cluster needs an SM with room, as any other: if one fits, so do as many as a cluster may have. */
RT_API cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, const void *func,
                                                        const cudaLaunchConfig_t *config)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_wish w = {0};
    cudaError_t e;
    struct rt_kernel *k = asked(rt, size, func, config, &w, &e);
    if (!k)
        return rt_leave(rt, e);
    uint32_t most = k->non_portable ? CLUSTER_MAX : CLUSTER_PORTABLE;
    *size = ctas_of(k, config) ? (int)most : 0;
    return rt_leave(rt, cudaSuccess);
}

/* SMs are not grouped here, so that all of them count. */
RT_API cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *func,
                                                  const cudaLaunchConfig_t *config)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_wish w = {0};
    cudaError_t e;
    struct rt_kernel *k = asked(rt, clusters, func, config, &w, &e);
    if (!k)
        return rt_leave(rt, e);
    const uint32_t *size = w.cluster[0] ? w.cluster : k->code->cluster;
    uint64_t n = size[0] ? (uint64_t)size[0] * size[1] * size[2] : 1;
    if (n > CLUSTER_PORTABLE && !k->non_portable)
        return rt_leave(rt, cudaErrorInvalidClusterSize);
    *clusters = n > CLUSTER_MAX ? 0 : (int)((uint64_t)ctas_of(k, config) * SM_COUNT / n);
    return rt_leave(rt, cudaSuccess);
}
