/* SPDX-License-Identifier: Apache-2.0 */
/* The table of allocations: device memory, and memory that host and device share (managed, pinned, registered).
 *
 * Shared memory lies at the same address for both. It is placed from RT_HOST_BASE on in order of allocation and never
 * reused, so that a program's addresses, and with them its trace, are the same in every run. Where the host's system has
 * that range in use or no such addresses (39-bit kernels, thread sanitizer), it lies where the system puts it. */
#include "cudart/rt.h"

#include <sys/mman.h>

enum { PAGE_B = 65536 }; /* the largest page of AArch64 Linux; the last one of an allocation is a gap */

/* Index of the first allocation whose base is above addr. */
static uint32_t above(const struct rt *rt, uint64_t addr)
{
    uint32_t lo = 0, hi = rt->allocs.n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (rt->allocs.at[mid].base <= addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

const struct rt_alloc *rt_alloc_at(struct rt *rt, uint64_t addr)
{
    uint32_t i = above(rt, addr);
    if (!i || addr - rt->allocs.at[i - 1].base >= rt->allocs.at[i - 1].size_b)
        return NULL;
    return &rt->allocs.at[i - 1];
}

static void remember(struct rt *rt, struct rt_alloc a)
{
    a.id = ++rt->next_alloc_id;
    vec_insert(&rt->allocs, above(rt, a.base), a);
}

static uint64_t map_host(struct rt *rt, uint64_t mapped_b)
{
    if (mapped_b > RT_HOST_END - rt->next_host)
        return 0;
    void *want = (void *)(uintptr_t)rt->next_host;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *p = mmap(want, mapped_b, PROT_READ | PROT_WRITE, flags | MAP_FIXED_NOREPLACE, -1, 0);
    if (p == MAP_FAILED)
        p = mmap(NULL, mapped_b, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (p == MAP_FAILED)
        return 0;
    if (p == want)
        rt->next_host += mapped_b;
    return (uint64_t)(uintptr_t)p;
}

static uint64_t alloc_host(struct rt *rt, uint64_t size_b, enum rt_mem_kind kind, unsigned flags)
{
    if (size_b > RT_HOST_END - RT_HOST_BASE)
        return 0;
    uint64_t mapped_b = (size_b + PAGE_B - 1) / PAGE_B * PAGE_B + PAGE_B;
    uint64_t base = map_host(rt, mapped_b);
    if (!base)
        return 0;
    if (!exec_map(rt->dev, (void *)(uintptr_t)base, size_b)) {
        munmap((void *)(uintptr_t)base, mapped_b);
        return 0;
    }
    remember(
        rt, (struct rt_alloc){
                .base = base, .size_b = size_b, .kind = (uint8_t)kind, .flags = flags, .mapped_b = mapped_b});
    return base;
}

uint64_t rt_alloc(struct rt *rt, uint64_t size_b, enum rt_mem_kind kind, unsigned flags)
{
    if (!size_b)
        return 0;
    if (kind != RM_DEVICE)
        return alloc_host(rt, size_b, kind, flags);
    uint64_t base = exec_alloc(rt->dev, size_b);
    if (base)
        remember(rt, (struct rt_alloc){.base = base, .size_b = size_b, .kind = RM_DEVICE, .flags = flags});
    return base;
}

static bool map_own(struct rt *rt, void *host, uint64_t size_b, enum rt_mem_kind kind, unsigned flags)
{
    if (!exec_map(rt->dev, host, size_b))
        return false;
    const struct rt_alloc a = {
        .base = (uint64_t)(uintptr_t)host, .size_b = size_b, .kind = (uint8_t)kind, .flags = flags};
    remember(rt, a);
    return true;
}

bool rt_register_host(struct rt *rt, void *host, uint64_t size_b, unsigned flags)
{
    return map_own(rt, host, size_b, RM_REGISTERED, flags);
}

bool rt_managed_in_place(struct rt *rt, void *host, uint64_t size_b)
{
    return map_own(rt, host, size_b, RM_MANAGED, cudaMemAttachGlobal);
}

static void release(struct rt *rt, const struct rt_alloc *a)
{
    void *host = (void *)(uintptr_t)a->base;
    if (a->kind == RM_DEVICE) {
        exec_free(rt->dev, a->base);
        return;
    }
    exec_unmap(rt->dev, host);
    if (a->mapped_b)
        munmap(host, a->mapped_b);
}

bool rt_alloc_free(struct rt *rt, uint64_t base)
{
    uint32_t i = above(rt, base);
    if (!i || rt->allocs.at[i - 1].base != base)
        return false;
    release(rt, &rt->allocs.at[--i]);
    memmove(rt->allocs.at + i, rt->allocs.at + i + 1, sizeof *rt->allocs.at * (rt->allocs.n - i - 1));
    rt->allocs.n--;
    return true;
}

void *rt_device_ptr(struct rt *rt, uint64_t addr, uint64_t size_b)
{
    void *p = exec_ptr(rt->dev, addr, size_b);
    struct rt_var *v = rt->const_taken;
    if (p || !v || addr < WINDOW_CONST || addr >= WINDOW_PARAM)
        return p;
    uint64_t at, var_b;
    void *host;
    if (rt_var_address(rt, v, &at, &var_b, &host) || addr < at || addr - at > var_b ||
        size_b > var_b - (addr - at))
        return NULL;
    return (char *)host + (addr - at);
}

void rt_memory_info(struct rt *rt, uint64_t *free_b, uint64_t *total_b)
{
    uint64_t used = 0;
    vec_each (&rt->allocs, a)
        used += a->kind == RM_DEVICE ? a->size_b : 0;
    *total_b = rt->cfg.mem_b;
    *free_b = used < rt->cfg.mem_b ? rt->cfg.mem_b - used : 0;
}
