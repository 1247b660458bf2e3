/* Reductions over a block: each warp by shuffles, then the first warp over the warps' results. Thread 0 has the result. */
#ifndef BANKSHOT_CUB_BLOCK_REDUCE
#define BANKSHOT_CUB_BLOCK_REDUCE

#include <cub/detail/block.cuh>

__BANKSHOT_LINES_OFF
namespace cub
{
/* All have the same code here. */
enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS
};

namespace detail
{
template <typename T, int WARPS> struct block_reduce_storage {
    Uninitialized<T> warp[WARPS];
};
} // namespace detail

template <typename T, int X, BlockReduceAlgorithm ALGORITHM = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int ARCH = 0>
class BlockReduce : detail::block<X, Y, Z, detail::block_reduce_storage<T, (X * Y * Z + 31) / 32>>
{
    typedef detail::block<X, Y, Z, detail::block_reduce_storage<T, (X * Y * Z + 31) / 32>> base;
    using base::lane;
    using base::tid;
    using base::warp;

    template <typename Op> static __CUB_DEVICE T row(T x, Op op, int lane, unsigned mask, int n)
    {
#pragma unroll
        for (int by = 1; by < 32; by *= 2) {
            T other = ShuffleDown<32>(x, by, 0, mask);
            if (lane + by < n)
                x = op(x, other);
        }
        return x;
    }

    template <typename Op> __CUB_DEVICE T all(T x, Op op, int valid)
    {
        int here = valid - warp * 32;
        x = row(x, op, lane, this->mask(), here < 32 ? here : 32);
        if (base::WARPS == 1)
            return x;
        if (lane == 0)
            this->temp.warp[warp].Alias() = x;
        __syncthreads();
        if (tid == 0) {
            int warps = (valid + 31) / 32;
#pragma unroll
            for (int w = 1; w < base::WARPS; w++)
                if (w < warps)
                    x = op(x, this->temp.warp[w].Alias());
        }
        return x;
    }

  public:
    typedef typename base::TempStorage TempStorage;
    __CUB_DEVICE BlockReduce(TempStorage &storage) : base(storage) {}
    __CUB_DEVICE BlockReduce() : base() {}

    template <typename Op> __CUB_DEVICE T Reduce(T x, Op op) { return all(x, op, base::THREADS); }
    template <typename Op> __CUB_DEVICE T Reduce(T x, Op op, int valid) { return all(x, op, valid); }
    template <int ITEMS, typename Op> __CUB_DEVICE T Reduce(T (&x)[ITEMS], Op op)
    {
        T sum = x[0];
#pragma unroll
        for (int i = 1; i < ITEMS; i++)
            sum = op(sum, x[i]);
        return Reduce(sum, op);
    }
    __CUB_DEVICE T Sum(T x) { return Reduce(x, cub::Sum()); }
    __CUB_DEVICE T Sum(T x, int valid) { return Reduce(x, cub::Sum(), valid); }
    template <int ITEMS> __CUB_DEVICE T Sum(T (&x)[ITEMS]) { return Reduce(x, cub::Sum()); }
};
} // namespace cub
__BANKSHOT_LINES_ON

#endif
// SPDX-License-Identifier: Apache-2.0
