/* cuda::ptx: instructions of compute capability 9.0 as functions. What an instruction wants to be told, its order, scope and memories, are
 * types. Here are barrier objects, bulk copies, clusters, fences and special registers. */
#ifndef BANKSHOT_CUDA_PTX_H
#define BANKSHOT_CUDA_PTX_H

#include <host_defines.h>
__BANKSHOT_LINES_OFF

#include <cuda.h>
#include <cuda/detail/scope.h>

namespace cuda
{
namespace ptx
{

#define __BANKSHOT_TAG(name)                                                                                 \
    struct name##_t {                                                                                        \
    };                                                                                                       \
    static constexpr name##_t name{};
__BANKSHOT_TAG(sem_relaxed)
__BANKSHOT_TAG(sem_acquire)
__BANKSHOT_TAG(sem_release)
__BANKSHOT_TAG(sem_acq_rel)
__BANKSHOT_TAG(sem_sc)
__BANKSHOT_TAG(scope_cta)
__BANKSHOT_TAG(scope_cluster)
__BANKSHOT_TAG(scope_gpu)
__BANKSHOT_TAG(scope_sys)
__BANKSHOT_TAG(space_global)
__BANKSHOT_TAG(space_shared)
__BANKSHOT_TAG(space_cluster)
__BANKSHOT_TAG(op_add)
__BANKSHOT_TAG(op_min)
__BANKSHOT_TAG(op_max)
__BANKSHOT_TAG(op_inc)
__BANKSHOT_TAG(op_dec)
__BANKSHOT_TAG(op_and_op)
__BANKSHOT_TAG(op_or_op)
__BANKSHOT_TAG(op_xor_op)
#undef __BANKSHOT_TAG

template <int N> using n32_t = ::std::integral_constant<int, N>;
template <int N> static constexpr n32_t<N> n32{};

/* Special registers of 32 and of 64 bits. */
#define __BANKSHOT_SREG(T, c, move, name, reg)                                                               \
    __BANKSHOT_DEV T get_sreg_##name()                                                                       \
    {                                                                                                        \
        T v;                                                                                                 \
        asm volatile("mov." move " %0, %%" reg ";" : "=" c(v));                                              \
        return v;                                                                                            \
    }
#define __BANKSHOT_SREG3(name, reg)                                                                          \
    __BANKSHOT_SREG(::std::uint32_t, "r", "u32", name##_x, reg ".x")                                         \
    __BANKSHOT_SREG(::std::uint32_t, "r", "u32", name##_y, reg ".y")                                         \
    __BANKSHOT_SREG(::std::uint32_t, "r", "u32", name##_z, reg ".z")
#define __BANKSHOT_SREG1(name) __BANKSHOT_SREG(::std::uint32_t, "r", "u32", name, #name)
#define __BANKSHOT_SREG64(name) __BANKSHOT_SREG(::std::uint64_t, "l", "u64", name, #name)
__BANKSHOT_SREG3(tid, "tid")
__BANKSHOT_SREG3(ntid, "ntid")
__BANKSHOT_SREG3(ctaid, "ctaid")
__BANKSHOT_SREG3(nctaid, "nctaid")
__BANKSHOT_SREG1(laneid)
__BANKSHOT_SREG1(warpid)
__BANKSHOT_SREG1(nwarpid)
__BANKSHOT_SREG1(smid)
__BANKSHOT_SREG1(nsmid)
__BANKSHOT_SREG1(lanemask_eq)
__BANKSHOT_SREG1(lanemask_le)
__BANKSHOT_SREG1(lanemask_lt)
__BANKSHOT_SREG1(lanemask_ge)
__BANKSHOT_SREG1(lanemask_gt)
__BANKSHOT_SREG1(clock)
__BANKSHOT_SREG1(clock_hi)
__BANKSHOT_SREG1(dynamic_smem_size)
__BANKSHOT_SREG1(total_smem_size)
__BANKSHOT_SREG64(gridid)
__BANKSHOT_SREG64(clock64)
__BANKSHOT_SREG64(globaltimer)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
__BANKSHOT_SREG3(clusterid, "clusterid")
__BANKSHOT_SREG3(nclusterid, "nclusterid")
__BANKSHOT_SREG3(cluster_ctaid, "cluster_ctaid")
__BANKSHOT_SREG3(cluster_nctaid, "cluster_nctaid")
__BANKSHOT_SREG1(cluster_ctarank)
__BANKSHOT_SREG1(cluster_nctarank)
#endif
#undef __BANKSHOT_SREG64
#undef __BANKSHOT_SREG1
#undef __BANKSHOT_SREG3
#undef __BANKSHOT_SREG

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

namespace __detail
{
using cuda::__detail::shared_address;
__BANKSHOT_DEV unsigned long long global_address(const void *p) { return (unsigned long long)__cvta_generic_to_global(p); }
} // namespace __detail

#define __BANKSHOT_AT(p) "r"(__detail::shared_address(p))
#define __BANKSHOT_GLOBAL(p) "l"(__detail::global_address(p))

/* ---- fences ---- */

#define __BANKSHOT_FENCE(sem, scope, scope_text)                                                             \
    __BANKSHOT_DEV void fence(sem_##sem##_t, scope_##scope##_t)                                              \
    {                                                                                                        \
        asm volatile("fence." #sem "." scope_text ";" : : : "memory");                                       \
    }
__BANKSHOT_FENCE(sc, cta, "cta")
__BANKSHOT_FENCE(sc, cluster, "cluster")
__BANKSHOT_FENCE(sc, gpu, "gpu")
__BANKSHOT_FENCE(sc, sys, "sys")
__BANKSHOT_FENCE(acq_rel, cta, "cta")
__BANKSHOT_FENCE(acq_rel, cluster, "cluster")
__BANKSHOT_FENCE(acq_rel, gpu, "gpu")
__BANKSHOT_FENCE(acq_rel, sys, "sys")
#undef __BANKSHOT_FENCE

__BANKSHOT_DEV void fence_mbarrier_init(sem_release_t, scope_cluster_t)
{
    asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
}
__BANKSHOT_DEV void fence_proxy_alias() { asm volatile("fence.proxy.alias;" : : : "memory"); }
__BANKSHOT_DEV void fence_proxy_async() { asm volatile("fence.proxy.async;" : : : "memory"); }
__BANKSHOT_DEV void fence_proxy_async(space_global_t) { asm volatile("fence.proxy.async.global;" : : : "memory"); }
__BANKSHOT_DEV void fence_proxy_async(space_cluster_t)
{
    asm volatile("fence.proxy.async.shared::cluster;" : : : "memory");
}
__BANKSHOT_DEV void fence_proxy_async(space_shared_t) { asm volatile("fence.proxy.async.shared::cta;" : : : "memory"); }

/* ---- barrier objects ---- */

__BANKSHOT_DEV void mbarrier_init(::std::uint64_t *b, ::std::uint32_t n)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" : : __BANKSHOT_AT(b), "r"(n) : "memory");
}
__BANKSHOT_DEV void mbarrier_inval(::std::uint64_t *b)
{
    asm volatile("mbarrier.inval.shared.b64 [%0];" : : __BANKSHOT_AT(b) : "memory");
}

__BANKSHOT_DEV ::std::uint64_t mbarrier_arrive(::std::uint64_t *b)
{
    ::std::uint64_t state;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : __BANKSHOT_AT(b) : "memory");
    return state;
}
__BANKSHOT_DEV ::std::uint64_t mbarrier_arrive(::std::uint64_t *b, ::std::uint32_t n)
{
    ::std::uint64_t state;
    asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1], %2;" : "=l"(state) : __BANKSHOT_AT(b), "r"(n) : "memory");
    return state;
}
__BANKSHOT_DEV ::std::uint64_t mbarrier_arrive_no_complete(::std::uint64_t *b, ::std::uint32_t n)
{
    ::std::uint64_t state;
    asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], %2;"
                 : "=l"(state)
                 : __BANKSHOT_AT(b), "r"(n)
                 : "memory");
    return state;
}

#define __BANKSHOT_ARRIVE(scope)                                                                             \
    __BANKSHOT_DEV ::std::uint64_t mbarrier_arrive(sem_release_t, scope_##scope##_t, space_shared_t,         \
                                                   ::std::uint64_t *b, ::std::uint32_t n = 1)                \
    {                                                                                                        \
        ::std::uint64_t state;                                                                               \
        asm volatile("mbarrier.arrive.release." #scope ".shared::cta.b64 %0, [%1], %2;"                      \
                     : "=l"(state)                                                                           \
                     : __BANKSHOT_AT(b), "r"(n)                                                              \
                     : "memory");                                                                            \
        return state;                                                                                        \
    }                                                                                                        \
    __BANKSHOT_DEV ::std::uint64_t mbarrier_arrive_expect_tx(sem_release_t, scope_##scope##_t, space_shared_t, \
                                                             ::std::uint64_t *b, ::std::uint32_t bytes)      \
    {                                                                                                        \
        ::std::uint64_t state;                                                                               \
        asm volatile("mbarrier.arrive.expect_tx.release." #scope ".shared::cta.b64 %0, [%1], %2;"            \
                     : "=l"(state)                                                                           \
                     : __BANKSHOT_AT(b), "r"(bytes)                                                          \
                     : "memory");                                                                            \
        return state;                                                                                        \
    }                                                                                                        \
    __BANKSHOT_DEV void mbarrier_expect_tx(sem_relaxed_t, scope_##scope##_t, space_shared_t, ::std::uint64_t *b, \
                                           ::std::uint32_t bytes)                                            \
    {                                                                                                        \
        asm volatile("mbarrier.expect_tx.relaxed." #scope ".shared::cta.b64 [%0], %1;"                       \
                     :                                                                                       \
                     : __BANKSHOT_AT(b), "r"(bytes)                                                          \
                     : "memory");                                                                            \
    }
__BANKSHOT_ARRIVE(cta)
__BANKSHOT_ARRIVE(cluster)
#undef __BANKSHOT_ARRIVE

/* At the barrier of another CTA of the cluster. */
__BANKSHOT_DEV void mbarrier_arrive(sem_release_t, scope_cluster_t, space_cluster_t, ::std::uint64_t *b,
                                    ::std::uint32_t n = 1)
{
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0], %1;"
                 :
                 : __BANKSHOT_AT(b), "r"(n)
                 : "memory");
}
__BANKSHOT_DEV void mbarrier_arrive_expect_tx(sem_release_t, scope_cluster_t, space_cluster_t, ::std::uint64_t *b,
                                              ::std::uint32_t bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%0], %1;"
                 :
                 : __BANKSHOT_AT(b), "r"(bytes)
                 : "memory");
}

#define __BANKSHOT_WAIT(name, insn, sem, parameters, T, c)                                                   \
    __BANKSHOT_DEV bool name parameters                                                                      \
    {                                                                                                        \
        int is;                                                                                              \
        asm volatile("{\n\t.reg .pred p;\n\tmbarrier." insn sem ".shared::cta.b64 p, [%1], %2;\n\t"          \
                     "selp.b32 %0, 1, 0, p;\n\t}"                                                            \
                     : "=r"(is)                                                                              \
                     : __BANKSHOT_AT(b), c(state)                                                            \
                     : "memory");                                                                            \
        return is;                                                                                           \
    }
#define __BANKSHOT_WAITS(name, insn, T, c)                                                                   \
    __BANKSHOT_WAIT(name, insn, "", (::std::uint64_t * b, T state), T, c)                                    \
    __BANKSHOT_WAIT(name, insn, ".acquire.cta", (sem_acquire_t, scope_cta_t, ::std::uint64_t * b, T state), T, c) \
    __BANKSHOT_WAIT(name, insn, ".acquire.cluster", (sem_acquire_t, scope_cluster_t, ::std::uint64_t * b, T state), T, c)
__BANKSHOT_WAITS(mbarrier_test_wait, "test_wait", ::std::uint64_t, "l")
__BANKSHOT_WAITS(mbarrier_test_wait_parity, "test_wait.parity", ::std::uint32_t, "r")
__BANKSHOT_WAITS(mbarrier_try_wait, "try_wait", ::std::uint64_t, "l")
__BANKSHOT_WAITS(mbarrier_try_wait_parity, "try_wait.parity", ::std::uint32_t, "r")
#undef __BANKSHOT_WAITS
#undef __BANKSHOT_WAIT

/* ---- bulk copies ---- */

__BANKSHOT_DEV void cp_async_bulk(space_cluster_t, space_global_t, void *to, const void *from, ::std::uint32_t bytes,
                                  ::std::uint64_t *b)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 :
                 : __BANKSHOT_AT(to), __BANKSHOT_GLOBAL(from), "r"(bytes), __BANKSHOT_AT(b)
                 : "memory");
}
__BANKSHOT_DEV void cp_async_bulk(space_shared_t, space_global_t, void *to, const void *from, ::std::uint32_t bytes,
                                  ::std::uint64_t *b)
{
    cp_async_bulk(space_cluster, space_global, to, from, bytes, b);
}
__BANKSHOT_DEV void cp_async_bulk(space_cluster_t, space_global_t, void *to, const void *from, ::std::uint32_t bytes,
                                  ::std::uint64_t *b, ::std::uint16_t ctas)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, "
                 "[%3], %4;"
                 :
                 : __BANKSHOT_AT(to), __BANKSHOT_GLOBAL(from), "r"(bytes), __BANKSHOT_AT(b), "h"(ctas)
                 : "memory");
}
__BANKSHOT_DEV void cp_async_bulk(space_cluster_t, space_shared_t, void *to, const void *from, ::std::uint32_t bytes,
                                  ::std::uint64_t *b)
{
    asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 :
                 : __BANKSHOT_AT(to), __BANKSHOT_AT(from), "r"(bytes), __BANKSHOT_AT(b)
                 : "memory");
}
__BANKSHOT_DEV void cp_async_bulk(space_global_t, space_shared_t, void *to, const void *from, ::std::uint32_t bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
                 :
                 : __BANKSHOT_GLOBAL(to), __BANKSHOT_AT(from), "r"(bytes)
                 : "memory");
}

__BANKSHOT_DEV void cp_async_bulk_commit_group() { asm volatile("cp.async.bulk.commit_group;" : : : "memory"); }
template <int N> __BANKSHOT_DEV void cp_async_bulk_wait_group(n32_t<N>)
{
    asm volatile("cp.async.bulk.wait_group %0;" : : "n"(N) : "memory");
}
template <int N> __BANKSHOT_DEV void cp_async_bulk_wait_group_read(n32_t<N>)
{
    asm volatile("cp.async.bulk.wait_group.read %0;" : : "n"(N) : "memory");
}

#define __BANKSHOT_TENSOR(rank, dims, place, ...)                                                            \
    __BANKSHOT_DEV void cp_async_bulk_tensor(space_cluster_t, space_global_t, void *to, const void *map,     \
                                             const ::std::int32_t (&c)[rank], ::std::uint64_t *b)            \
    {                                                                                                        \
        asm volatile("cp.async.bulk.tensor." dims                                                            \
                     ".shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {" place "}], [%2];" \
                     :                                                                                       \
                     : __BANKSHOT_AT(to), "l"(map), __BANKSHOT_AT(b), "n"(0), __VA_ARGS__                  \
                     : "memory");                                                                            \
    }                                                                                                        \
    __BANKSHOT_DEV void cp_async_bulk_tensor(space_cluster_t, space_global_t, void *to, const void *map,     \
                                             const ::std::int32_t (&c)[rank], ::std::uint64_t *b,            \
                                             ::std::uint16_t ctas)                                           \
    {                                                                                                        \
        asm volatile("cp.async.bulk.tensor." dims                                                            \
                     ".shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {" place \
                     "}], [%2], %3;"                                                                         \
                     :                                                                                       \
                     : __BANKSHOT_AT(to), "l"(map), __BANKSHOT_AT(b), "h"(ctas), __VA_ARGS__                 \
                     : "memory");                                                                            \
    }                                                                                                        \
    __BANKSHOT_DEV void cp_async_bulk_tensor(space_global_t, space_shared_t, const void *map,                \
                                             const ::std::int32_t (&c)[rank], const void *from)              \
    {                                                                                                        \
        asm volatile("cp.async.bulk.tensor." dims ".global.shared::cta.tile.bulk_group [%1, {" place "}], [%0];" \
                     :                                                                                       \
                     : __BANKSHOT_AT(from), "l"(map), "n"(0), "n"(0), __VA_ARGS__                            \
                     : "memory");                                                                            \
    }                                                                                                        \
    __BANKSHOT_REDUCE(add, rank, dims, place, __VA_ARGS__)                                                   \
    __BANKSHOT_REDUCE(min, rank, dims, place, __VA_ARGS__)                                                   \
    __BANKSHOT_REDUCE(max, rank, dims, place, __VA_ARGS__)
#define __BANKSHOT_REDUCE(op, rank, dims, place, ...)                                                        \
    __BANKSHOT_DEV void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_##op##_t, const void *map, \
                                                    const ::std::int32_t (&c)[rank], const void *from)       \
    {                                                                                                        \
        asm volatile("cp.reduce.async.bulk.tensor." dims ".global.shared::cta." #op ".tile.bulk_group [%1, {" place \
                     "}], [%0];"                                                                             \
                     :                                                                                       \
                     : __BANKSHOT_AT(from), "l"(map), "n"(0), "n"(0), __VA_ARGS__                            \
                     : "memory");                                                                            \
    }
__BANKSHOT_TENSOR(1, "1d", "%4", "r"(c[0]))
__BANKSHOT_TENSOR(2, "2d", "%4, %5", "r"(c[0]), "r"(c[1]))
__BANKSHOT_TENSOR(3, "3d", "%4, %5, %6", "r"(c[0]), "r"(c[1]), "r"(c[2]))
__BANKSHOT_TENSOR(4, "4d", "%4, %5, %6, %7", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]))
__BANKSHOT_TENSOR(5, "5d", "%4, %5, %6, %7, %8", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]))
#undef __BANKSHOT_REDUCE
#undef __BANKSHOT_TENSOR

#define __BANKSHOT_REDUCE(op, T, type)                                                                       \
    __BANKSHOT_DEV void cp_reduce_async_bulk(space_global_t, space_shared_t, op_##op##_t, T *to, const T *from, \
                                             ::std::uint32_t bytes)                                          \
    {                                                                                                        \
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." #op "." type " [%0], [%1], %2;"   \
                     :                                                                                       \
                     : __BANKSHOT_GLOBAL(to), __BANKSHOT_AT(from), "r"(bytes)                                \
                     : "memory");                                                                            \
    }
__BANKSHOT_REDUCE(add, ::std::int32_t, "s32")
__BANKSHOT_REDUCE(add, ::std::uint32_t, "u32")
__BANKSHOT_REDUCE(add, ::std::uint64_t, "u64")
__BANKSHOT_REDUCE(add, float, "f32")
__BANKSHOT_REDUCE(add, double, "f64")
__BANKSHOT_REDUCE(min, ::std::int32_t, "s32")
__BANKSHOT_REDUCE(min, ::std::uint32_t, "u32")
__BANKSHOT_REDUCE(max, ::std::int32_t, "s32")
__BANKSHOT_REDUCE(max, ::std::uint32_t, "u32")
#undef __BANKSHOT_REDUCE

/* ---- clusters ---- */

__BANKSHOT_DEV void barrier_cluster_arrive() { asm volatile("barrier.cluster.arrive;" : : : "memory"); }
__BANKSHOT_DEV void barrier_cluster_arrive(sem_release_t) { asm volatile("barrier.cluster.arrive.release;" : : : "memory"); }
__BANKSHOT_DEV void barrier_cluster_arrive(sem_relaxed_t) { asm volatile("barrier.cluster.arrive.relaxed;" : : : "memory"); }
__BANKSHOT_DEV void barrier_cluster_wait() { asm volatile("barrier.cluster.wait;" : : : "memory"); }
__BANKSHOT_DEV void barrier_cluster_wait(sem_acquire_t) { asm volatile("barrier.cluster.wait.acquire;" : : : "memory"); }

template <class T> __BANKSHOT_DEV T *mapa(space_cluster_t, const T *p, ::std::uint32_t cta)
{
    unsigned at;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(at) : __BANKSHOT_AT(p), "r"(cta));
    return (T *)__cvta_shared_to_generic(at);
}
__BANKSHOT_DEV ::std::uint32_t getctarank(space_cluster_t, const void *p)
{
    ::std::uint32_t rank;
    asm("getctarank.shared::cluster.u32 %0, %1;" : "=r"(rank) : __BANKSHOT_AT(p));
    return rank;
}
__BANKSHOT_DEV bool elect_sync(::std::uint32_t mask)
{
    int is;
    asm volatile("{\n\t.reg .pred p;\n\telect.sync _|p, %1;\n\tselp.b32 %0, 1, 0, p;\n\t}" : "=r"(is) : "r"(mask) : "memory");
    return is;
}

#undef __BANKSHOT_AT
#undef __BANKSHOT_GLOBAL
#endif

} // namespace ptx
} // namespace cuda

__BANKSHOT_LINES_ON
#endif
/* SPDX-License-Identifier: Apache-2.0 */
