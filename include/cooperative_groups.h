/* cooperative_groups: sets of threads that synchronise and exchange values.
 *
 * Groups: grid_group (of a cooperative launch), cluster_group (sm_90 and later), thread_block, thread_block_tile<N> with N up to a
 * warp, coalesced_group, and thread_group, which can be any of them but a cluster. Not here: several devices, tiles larger than a
 * warp. */
#ifndef BANKSHOT_COOPERATIVE_GROUPS_H
#define BANKSHOT_COOPERATIVE_GROUPS_H

#include "host_defines.h"
__BANKSHOT_LINES_OFF

#include <cuda_runtime.h>

#if defined(__cplusplus) && defined(__CUDA__)

#include <cooperative_groups/lanes.h>

namespace cooperative_groups
{

namespace __detail
{

static __CG_FN unsigned block_threads() { return blockDim.x * blockDim.y * blockDim.z; }

static __CG_FN unsigned rank_in_block()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

static __CG_FN unsigned long long grid_blocks()
{
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
}

static __CG_FN unsigned long long block_in_grid()
{
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}

/* What a cooperative launch leaves in environment registers 1 (high word) and 2: the address of the grid's workspace. */
static __CG_FN unsigned long long grid_workspace()
{
    unsigned hi, lo;
    asm("mov.u32 %0, %%envreg1;" : "=r"(hi));
    asm("mov.u32 %0, %%envreg2;" : "=r"(lo));
    return (unsigned long long)hi << 32 | lo;
}

/* The word at byte 4 of the workspace counts arrivals in its low bits; the CTA that comes with the rest of 2^31 flips the
 * top bit once all have come, and that is what they wait for. */
static __CG_FN void grid_sync(unsigned long long workspace)
{
    if (!workspace)
        __builtin_trap(); /* not a cooperative launch */
    __syncthreads();
    if (rank_in_block() == 0) {
        unsigned *arrived = (unsigned *)(workspace + 4);
        unsigned add = block_in_grid() == 0 ? 0x80000000u - ((unsigned)grid_blocks() - 1) : 1, was, now;
        asm volatile("atom.add.release.gpu.u32 %0, [%1], %2;"
                     : "=r"(was)
                     : "l"(arrived), "r"(add)
                     : "memory");
        do
            asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(arrived) : "memory");
        while (!((was ^ now) & 0x80000000u));
    }
    __syncthreads();
}

} // namespace __detail

class grid_group
{
    unsigned long long workspace;
    __CG_FN grid_group() : workspace(__detail::grid_workspace()) {}
    friend __CG_FN grid_group this_grid();

  public:
    struct arrival_token {
    };
    __CG_FN bool is_valid() const { return workspace != 0; }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    static __CG_FN dim3 cluster_index() { return __clusterIdx(); }
    static __CG_FN unsigned long long cluster_rank()
    {
        dim3 i = __clusterIdx(), n = __clusterGridDimInClusters();
        return ((unsigned long long)i.z * n.y + i.y) * n.x + i.x;
    }
    static __CG_FN dim3 dim_clusters() { return __clusterGridDimInClusters(); }
    static __CG_FN unsigned long long num_clusters()
    {
        dim3 n = __clusterGridDimInClusters();
        return (unsigned long long)n.x * n.y * n.z;
    }
#endif
    __CG_FN void sync() const { __detail::grid_sync(workspace); }
    /* Waiting does all of the work; whoever arrives must also wait. */
    __CG_FN arrival_token barrier_arrive() const { return arrival_token(); }
    __CG_FN void barrier_wait(arrival_token &&) const { sync(); }
    static __CG_FN unsigned long long num_threads()
    {
        return __detail::grid_blocks() * __detail::block_threads();
    }
    static __CG_FN unsigned long long size() { return num_threads(); }
    static __CG_FN unsigned long long thread_rank()
    {
        return __detail::block_in_grid() * __detail::block_threads() + __detail::rank_in_block();
    }
    static __CG_FN unsigned long long num_blocks() { return __detail::grid_blocks(); }
    static __CG_FN unsigned long long block_rank() { return __detail::block_in_grid(); }
    static __CG_FN dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    static __CG_FN dim3 group_dim() { return dim_blocks(); }
    static __CG_FN dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
};

__CG_FN grid_group this_grid() { return grid_group(); }

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define _CG_HAS_CLUSTER_GROUP

class cluster_group
{
    __CG_FN cluster_group() {}
    friend __CG_FN cluster_group this_cluster();

  public:
    struct arrival_token {
    };
    static __CG_FN void sync()
    {
        __cluster_barrier_arrive();
        __cluster_barrier_wait();
    }
    static __CG_FN arrival_token barrier_arrive()
    {
        __cluster_barrier_arrive();
        return arrival_token();
    }
    static __CG_FN void barrier_wait() { __cluster_barrier_wait(); }
    static __CG_FN void barrier_wait(arrival_token &&) { __cluster_barrier_wait(); }
    static __CG_FN unsigned query_shared_rank(const void *p) { return __cluster_query_shared_rank(p); }
    template <typename T> static __CG_FN T *map_shared_rank(T *p, int rank)
    {
        return (T *)__cluster_map_shared_rank((const void *)p, (unsigned)rank);
    }
    static __CG_FN dim3 block_index() { return __clusterRelativeBlockIdx(); }
    static __CG_FN unsigned block_rank() { return __clusterRelativeBlockRank(); }
    static __CG_FN dim3 dim_blocks() { return __clusterDim(); }
    static __CG_FN unsigned num_blocks() { return __clusterSizeInBlocks(); }
    static __CG_FN dim3 thread_index()
    {
        dim3 b = __clusterRelativeBlockIdx();
        return dim3(b.x * blockDim.x + threadIdx.x, b.y * blockDim.y + threadIdx.y, b.z * blockDim.z + threadIdx.z);
    }
    static __CG_FN unsigned thread_rank()
    {
        return __clusterRelativeBlockRank() * __detail::block_threads() + __detail::rank_in_block();
    }
    static __CG_FN dim3 dim_threads()
    {
        dim3 n = __clusterDim();
        return dim3(n.x * blockDim.x, n.y * blockDim.y, n.z * blockDim.z);
    }
    static __CG_FN unsigned num_threads() { return __clusterSizeInBlocks() * __detail::block_threads(); }
    static __CG_FN unsigned size() { return num_threads(); }
};

__CG_FN cluster_group this_cluster() { return cluster_group(); }
#endif

class thread_block
{
    __CG_FN thread_block() {}
    friend __CG_FN thread_block this_thread_block();

  public:
    struct arrival_token {
    };
    static __CG_FN void sync() { __syncthreads(); }
    static __CG_FN arrival_token barrier_arrive() { return arrival_token(); }
    static __CG_FN void barrier_wait(arrival_token &&) { sync(); }
    static __CG_FN unsigned num_threads() { return __detail::block_threads(); }
    static __CG_FN unsigned size() { return num_threads(); }
    static __CG_FN unsigned thread_rank() { return __detail::rank_in_block(); }
    static __CG_FN dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    static __CG_FN dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    static __CG_FN dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    static __CG_FN dim3 group_dim() { return dim_threads(); }
};

__CG_FN thread_block this_thread_block() { return thread_block(); }

/* Scratch that tiles larger than a warp would need. */
template <unsigned MaxBlockSize = 1024> struct block_tile_memory {
};

template <unsigned N> __CG_FN thread_block this_thread_block(block_tile_memory<N> &)
{
    return this_thread_block();
}

/* Lanes of one warp that found themselves together. */
class coalesced_group
{
    unsigned mask, n, rank, meta_rank, meta_n;

  public:
    __CG_FN coalesced_group(unsigned lanes, unsigned which, unsigned of)
        : mask(lanes), n(__detail::count(lanes)), rank(__detail::count(lanes & __detail::lanes_below())),
          meta_rank(which), meta_n(of)
    {
    }
    __CG_FN unsigned num_threads() const { return n; }
    __CG_FN unsigned size() const { return n; }
    __CG_FN unsigned thread_rank() const { return rank; }
    __CG_FN unsigned meta_group_rank() const { return meta_rank; }
    __CG_FN unsigned meta_group_size() const { return meta_n; }
    __CG_FN unsigned __lanes() const { return mask; }
    __CG_FN void sync() const { __nvvm_bar_warp_sync(mask); }

    template <typename T> __CG_FN T shfl(const T &v, int from) const
    {
        unsigned lane = n == 32 ? (unsigned)from : __detail::lane_of(mask, (unsigned)from % n);
        return __detail::shuffle_any<__detail::SHFL_IDX>(mask, v, (int)lane, 32);
    }
    /* Past either end a member keeps its own value. */
    template <typename T> __CG_FN T shfl_up(const T &v, int by) const
    {
        if (n == 32)
            return __detail::shuffle_any<__detail::SHFL_UP>(mask, v, by, 32);
        unsigned lane =
            (unsigned)by <= rank ? __detail::lane_of(mask, rank - (unsigned)by) : __detail::lane_id();
        return __detail::shuffle_any<__detail::SHFL_IDX>(mask, v, (int)lane, 32);
    }
    template <typename T> __CG_FN T shfl_down(const T &v, int by) const
    {
        if (n == 32)
            return __detail::shuffle_any<__detail::SHFL_DOWN>(mask, v, by, 32);
        unsigned lane =
            (unsigned)by < n - rank ? __detail::lane_of(mask, rank + (unsigned)by) : __detail::lane_id();
        return __detail::shuffle_any<__detail::SHFL_IDX>(mask, v, (int)lane, 32);
    }
    __CG_FN int any(int p) const { return __nvvm_vote_any_sync(mask, p != 0); }
    __CG_FN int all(int p) const { return __nvvm_vote_all_sync(mask, p != 0); }
    __CG_FN unsigned ballot(int p) const
    {
        return __detail::pack((unsigned)__nvvm_vote_ballot_sync(mask, p != 0), mask);
    }
    template <typename T> __CG_FN unsigned match_any(const T &v) const
    {
        return __detail::pack(__detail::match_any_lanes(mask, v), mask);
    }
    template <typename T> __CG_FN unsigned match_all(const T &v, int &same) const
    {
        return __detail::pack(__detail::match_all_lanes(mask, v, same), mask);
    }
};

static __CG_FN coalesced_group coalesced_threads()
{
    unsigned lanes;
    asm volatile("activemask.b32 %0;" : "=r"(lanes));
    return coalesced_group(lanes, 0, 1);
}

/* N lanes of a warp that lie next to each other, N a power of two. */
template <unsigned N, typename Parent = void> class thread_block_tile
{
    static_assert(N >= 1 && (N & (N - 1)) == 0, "a tile has a power of two of threads");
    static_assert(N <= 32, "tiles of more than a warp are not supported");
    unsigned meta_rank, meta_n;

  public:
    __CG_FN thread_block_tile(unsigned which, unsigned of) : meta_rank(which), meta_n(of) {}
    template <typename P>
    __CG_FN thread_block_tile(const thread_block_tile<N, P> &t)
        : meta_rank(t.meta_group_rank()), meta_n(t.meta_group_size())
    {
    }
    static __CG_FN unsigned num_threads() { return N; }
    static __CG_FN unsigned size() { return N; }
    static __CG_FN unsigned thread_rank() { return __detail::lane_id() & (N - 1); }
    __CG_FN unsigned meta_group_rank() const { return meta_rank; }
    __CG_FN unsigned meta_group_size() const { return meta_n; }
    static __CG_FN unsigned __first() { return __detail::lane_id() & ~(N - 1); }
    static __CG_FN unsigned __lanes() { return N == 32 ? 0xffffffffu : ((1u << (N & 31)) - 1) << __first(); }
    static __CG_FN void sync() { __nvvm_bar_warp_sync(__lanes()); }

    template <typename T> __CG_FN T shfl(const T &v, int from) const
    {
        return __detail::shuffle_any<__detail::SHFL_IDX>(__lanes(), v, from, N);
    }
    template <typename T> __CG_FN T shfl_up(const T &v, int by) const
    {
        return __detail::shuffle_any<__detail::SHFL_UP>(__lanes(), v, by, N);
    }
    template <typename T> __CG_FN T shfl_down(const T &v, int by) const
    {
        return __detail::shuffle_any<__detail::SHFL_DOWN>(__lanes(), v, by, N);
    }
    template <typename T> __CG_FN T shfl_xor(const T &v, int with) const
    {
        return __detail::shuffle_any<__detail::SHFL_XOR>(__lanes(), v, with, N);
    }
    __CG_FN int any(int p) const { return __nvvm_vote_any_sync(__lanes(), p != 0); }
    __CG_FN int all(int p) const { return __nvvm_vote_all_sync(__lanes(), p != 0); }
    __CG_FN unsigned ballot(int p) const
    {
        return to_ranks((unsigned)__nvvm_vote_ballot_sync(__lanes(), p != 0));
    }
    template <typename T> __CG_FN unsigned match_any(const T &v) const
    {
        return to_ranks(__detail::match_any_lanes(__lanes(), v));
    }
    template <typename T> __CG_FN unsigned match_all(const T &v, int &same) const
    {
        return to_ranks(__detail::match_all_lanes(__lanes(), v, same));
    }

  private:
    static __CG_FN unsigned to_ranks(unsigned lanes)
    {
        return N == 32 ? lanes : lanes >> __first() & ((1u << (N & 31)) - 1);
    }
};

/* Any of the above, known only when running. */
class thread_group
{
    enum kind_t { LANES, BLOCK, GRID } kind;
    unsigned mask, meta_rank, meta_n;

  public:
    __CG_FN thread_group(const grid_group &) : kind(GRID), mask(0), meta_rank(0), meta_n(1) {}
    __CG_FN thread_group(const thread_block &) : kind(BLOCK), mask(0), meta_rank(0), meta_n(1) {}
    __CG_FN thread_group(const coalesced_group &g)
        : kind(LANES), mask(g.__lanes()), meta_rank(g.meta_group_rank()), meta_n(g.meta_group_size())
    {
    }
    template <unsigned N, typename P>
    __CG_FN thread_group(const thread_block_tile<N, P> &g)
        : kind(LANES), mask(g.__lanes()), meta_rank(g.meta_group_rank()), meta_n(g.meta_group_size())
    {
    }
    __CG_FN bool __is_block() const { return kind == BLOCK; }
    __CG_FN unsigned __lanes() const { return mask; }
    __CG_FN unsigned meta_group_rank() const { return meta_rank; }
    __CG_FN unsigned meta_group_size() const { return meta_n; }
    __CG_FN unsigned long long num_threads() const
    {
        return kind == LANES   ? __detail::count(mask)
               : kind == BLOCK ? thread_block::size()
                               : grid_group::size();
    }
    __CG_FN unsigned long long size() const { return num_threads(); }
    __CG_FN unsigned long long thread_rank() const
    {
        return kind == LANES   ? __detail::count(mask & __detail::lanes_below())
               : kind == BLOCK ? thread_block::thread_rank()
                               : grid_group::thread_rank();
    }
    __CG_FN void sync() const
    {
        if (kind == LANES)
            __nvvm_bar_warp_sync(mask);
        else if (kind == BLOCK)
            __syncthreads();
        else
            __detail::grid_sync(__detail::grid_workspace());
    }
};

static __CG_FN thread_block_tile<1, void> this_thread() { return thread_block_tile<1, void>(0, 1); }

/* Partitions. Where a CTA's threads are no multiple of n, the last group is smaller. */
template <unsigned N> __CG_FN thread_block_tile<N, thread_block> tiled_partition(const thread_block &b)
{
    return thread_block_tile<N, thread_block>(b.thread_rank() / N, (b.size() + N - 1) / N);
}

template <unsigned N, unsigned Of, typename P>
__CG_FN thread_block_tile<N, thread_block_tile<Of, P>> tiled_partition(const thread_block_tile<Of, P> &g)
{
    static_assert(N <= Of, "a tile is not larger than what it is a part of");
    return thread_block_tile<N, thread_block_tile<Of, P>>(g.thread_rank() / N, Of / N);
}

static __CG_FN coalesced_group tiled_partition(const coalesced_group &g, unsigned n)
{
    unsigned which = g.thread_rank() / n;
    return coalesced_group(__detail::slice(g.__lanes(), which * n, n), which, (g.size() + n - 1) / n);
}

static __CG_FN thread_group tiled_partition(const thread_group &g, unsigned n)
{
    if (n == 0 || n > 32 || (n & (n - 1)))
        __builtin_trap();
    unsigned which = (unsigned)g.thread_rank() / n, of = ((unsigned)g.size() + n - 1) / n;
    if (!g.__is_block())
        return coalesced_group(__detail::slice(g.__lanes(), which * n, n), which, of);
    unsigned left = (unsigned)g.size() - which * n, m = left < n ? left : n;
    unsigned first = __detail::lane_id() & ~(n - 1);
    return coalesced_group((m == 32 ? 0xffffffffu : (1u << m) - 1) << first, which, of);
}

static __CG_FN thread_group tiled_partition(const thread_block &b, unsigned n)
{
    return tiled_partition(thread_group(b), n);
}

template <typename Group> __CG_FN coalesced_group binary_partition(const Group &g, bool p)
{
    unsigned yes = (unsigned)__nvvm_vote_ballot_sync(g.__lanes(), p), lanes = p ? yes : g.__lanes() & ~yes;
    return coalesced_group(lanes, p ? 0 : 1, 2);
}

template <typename Label, typename Group>
__CG_FN coalesced_group labeled_partition(const Group &g, Label label)
{
    unsigned lanes = __detail::match_any_lanes(g.__lanes(), label);
    unsigned leads = (unsigned)__nvvm_vote_ballot_sync(g.__lanes(), !(lanes & __detail::lanes_below()));
    unsigned lead = lanes & -lanes;
    return coalesced_group(lanes, __detail::count(leads & (lead - 1)), __detail::count(leads));
}

template <typename Group> __CG_FN void sync(const Group &g) { g.sync(); }

template <typename Group> __CG_FN auto thread_rank(const Group &g) -> decltype(g.thread_rank())
{
    return g.thread_rank();
}

template <typename Group> __CG_FN auto group_size(const Group &g) -> decltype(g.num_threads())
{
    return g.num_threads();
}

/* One member calls f; which one is not said. */
template <typename Group, typename F, typename... Args>
__CG_FN void invoke_one(const Group &g, F &&f, Args &&...args)
{
    if (g.thread_rank() == 0)
        f(static_cast<Args &&>(args)...);
}

template <typename Group, typename F, typename... Args>
__CG_FN auto invoke_one_broadcast(const Group &g, F &&f, Args &&...args)
    -> decltype(f(static_cast<Args &&>(args)...))
{
    decltype(f(static_cast<Args &&>(args)...)) r = {};
    if (g.thread_rank() == 0)
        r = f(static_cast<Args &&>(args)...);
    return g.shfl(r, 0);
}

} // namespace cooperative_groups

#endif
__BANKSHOT_LINES_ON
#endif
/* SPDX-License-Identifier: Apache-2.0 */
