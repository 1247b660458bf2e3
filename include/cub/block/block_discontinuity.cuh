/* Flags where an item differs from its neighbour in the block, and differences of neighbours. Items are blocked. */
#ifndef BANKSHOT_CUB_BLOCK_DISCONTINUITY
#define BANKSHOT_CUB_BLOCK_DISCONTINUITY

#include <cub/detail/block.cuh>

__BANKSHOT_LINES_OFF
namespace cub
{
namespace detail
{
template <typename T, int THREADS> struct neighbour_storage {
    Uninitialized<T> first[THREADS], last[THREADS];
};
} // namespace detail

template <typename T, int X, int Y = 1, int Z = 1, int ARCH = 0>
class BlockDiscontinuity : detail::block<X, Y, Z, detail::neighbour_storage<T, X * Y * Z>>
{
    typedef detail::block<X, Y, Z, detail::neighbour_storage<T, X * Y * Z>> base;
    using base::temp;
    using base::tid;

    template <int N, typename Flag, typename Op>
    __CUB_DEVICE void heads(Flag (&flags)[N], T (&in)[N], Op op, const T *before)
    {
        temp.last[tid].Alias() = in[N - 1];
        __syncthreads();
#pragma unroll
        for (int i = 1; i < N; i++)
            flags[i] = op(in[i - 1], in[i]);
        flags[0] = tid ? op(temp.last[tid - 1].Alias(), in[0]) : before ? op(*before, in[0]) : 1;
    }
    template <int N, typename Flag, typename Op>
    __CUB_DEVICE void tails(Flag (&flags)[N], T (&in)[N], Op op, const T *after)
    {
        temp.first[tid].Alias() = in[0];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < N - 1; i++)
            flags[i] = op(in[i], in[i + 1]);
        flags[N - 1] = tid < base::THREADS - 1 ? op(in[N - 1], temp.first[tid + 1].Alias()) : after ? op(in[N - 1], *after) : 1;
    }

  public:
    typedef typename base::TempStorage TempStorage;
    __CUB_DEVICE BlockDiscontinuity(TempStorage &s) : base(s) {}
    __CUB_DEVICE BlockDiscontinuity() : base() {}

    template <int N, typename Flag, typename Op> __CUB_DEVICE void FlagHeads(Flag (&flags)[N], T (&in)[N], Op op)
    {
        heads(flags, in, op, nullptr);
    }
    template <int N, typename Flag, typename Op> __CUB_DEVICE void FlagHeads(Flag (&flags)[N], T (&in)[N], Op op, T before)
    {
        heads(flags, in, op, &before);
    }
    template <int N, typename Flag, typename Op> __CUB_DEVICE void FlagTails(Flag (&flags)[N], T (&in)[N], Op op)
    {
        tails(flags, in, op, nullptr);
    }
    template <int N, typename Flag, typename Op> __CUB_DEVICE void FlagTails(Flag (&flags)[N], T (&in)[N], Op op, T after)
    {
        tails(flags, in, op, &after);
    }
};

template <typename T, int X, int Y = 1, int Z = 1, int ARCH = 0>
class BlockAdjacentDifference : detail::block<X, Y, Z, detail::neighbour_storage<T, X * Y * Z>>
{
    typedef detail::block<X, Y, Z, detail::neighbour_storage<T, X * Y * Z>> base;
    using base::temp;
    using base::tid;

  public:
    typedef typename base::TempStorage TempStorage;
    __CUB_DEVICE BlockAdjacentDifference(TempStorage &s) : base(s) {}
    __CUB_DEVICE BlockAdjacentDifference() : base() {}

    /* The first item of the block, or the last, stays. */
    template <int N, typename Out, typename Op> __CUB_DEVICE void SubtractLeft(T (&in)[N], Out (&out)[N], Op op)
    {
        temp.last[tid].Alias() = in[N - 1];
        __syncthreads();
        T first = in[0];
#pragma unroll
        for (int i = N - 1; i > 0; i--)
            out[i] = op(in[i], in[i - 1]);
        out[0] = tid ? op(first, temp.last[tid - 1].Alias()) : first;
    }
    template <int N, typename Out, typename Op> __CUB_DEVICE void SubtractRight(T (&in)[N], Out (&out)[N], Op op)
    {
        temp.first[tid].Alias() = in[0];
        __syncthreads();
        T last = in[N - 1];
#pragma unroll
        for (int i = 0; i < N - 1; i++)
            out[i] = op(in[i], in[i + 1]);
        out[N - 1] = tid < base::THREADS - 1 ? op(last, temp.first[tid + 1].Alias()) : last;
    }
};
} // namespace cub
__BANKSHOT_LINES_ON

#endif
// SPDX-License-Identifier: Apache-2.0
