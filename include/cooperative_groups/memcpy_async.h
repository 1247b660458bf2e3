/* cooperative_groups::memcpy_async: a group copies from global to shared memory without waiting, then waits. Where words of
 * 16, 8 or 4 bytes fit both ends it is cp.async; otherwise a plain copy. */
#ifndef BANKSHOT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define BANKSHOT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include <host_defines.h>
__BANKSHOT_LINES_OFF

#include <cooperative_groups.h>

#if defined(__cplusplus) && defined(__CUDA__)

namespace cooperative_groups
{
namespace __detail
{

template <int N> static __CG_FN void copy_unit(unsigned to, unsigned long long from)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" : : "r"(to), "l"(from), "n"(N) : "memory");
#else
    (void)to, (void)from;
#endif
}

template <int N, typename Group>
static __CG_FN void copy_units(const Group &g, unsigned to, unsigned long long from, unsigned long long size)
{
    for (unsigned long long at = g.thread_rank() * (unsigned long long)N; at < size; at += g.size() * N)
        copy_unit<N>(to + (unsigned)at, from + at);
}

static __CG_FN bool can_copy_async(const void *to, const void *from)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __nvvm_isspacep_shared(to) && __nvvm_isspacep_global(from);
#else
    (void)to, (void)from;
    return false;
#endif
}

static __CG_FN unsigned shared_address(const void *p)
{
    unsigned long long a;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(a) : "l"(p));
    return (unsigned)a;
}

static __CG_FN unsigned long long global_address(const void *p)
{
    unsigned long long a;
    asm("cvta.to.global.u64 %0, %1;" : "=l"(a) : "l"(p));
    return a;
}

} // namespace __detail

/* Bytes. */
template <typename Group, typename T>
__CG_FN void memcpy_async(const Group &g, T *to, const T *from, unsigned long size)
{
    unsigned long long both = (unsigned long long)to | (unsigned long long)from | size;
    if (__detail::can_copy_async(to, from) && both % 4 == 0) {
        unsigned dst = __detail::shared_address(to);
        unsigned long long src = __detail::global_address(from);
        if (both % 16 == 0)
            __detail::copy_units<16>(g, dst, src, size);
        else if (both % 8 == 0)
            __detail::copy_units<8>(g, dst, src, size);
        else
            __detail::copy_units<4>(g, dst, src, size);
    } else {
        for (unsigned long at = g.thread_rank(); at < size; at += g.size())
            ((char *)to)[at] = ((const char *)from)[at];
    }
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" : : : "memory");
#endif
}

/* Elements: as many as both sides have. */
template <typename Group, typename T>
__CG_FN void memcpy_async(const Group &g, T *to, unsigned long room, const T *from, unsigned long n)
{
    memcpy_async(g, to, from, (room < n ? room : n) * sizeof(T));
}

/* Until all but the last Later copies of the group are there. */
template <unsigned Later, typename Group> __CG_FN void wait_prior(const Group &g)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" : : "n"(Later) : "memory");
#endif
    g.sync();
}

template <typename Group> __CG_FN void wait(const Group &g) { wait_prior<0>(g); }

} // namespace cooperative_groups

#endif
__BANKSHOT_LINES_ON
#endif
/* SPDX-License-Identifier: Apache-2.0 */
