/* Reductions over a warp, or over equal parts of it, by shuffles. The first lane has the result. */
#ifndef BANKSHOT_CUB_WARP_REDUCE
#define BANKSHOT_CUB_WARP_REDUCE

#include <cub/thread/thread_operators.cuh>
#include <cub/util_ptx.cuh>

__BANKSHOT_LINES_OFF
namespace cub
{
template <typename T, int LOGICAL_WARP_THREADS = 32, int PTX_ARCH = 0> class WarpReduce
{
    enum { LANES = LOGICAL_WARP_THREADS, POWER = !(LANES & (LANES - 1)), WIDTH = POWER ? LANES : 32 };
    unsigned mask;
    int lane;

    /* Lanes at or past `last` + 1 take no part. */
    template <typename Op> __CUB_DEVICE T until(T x, Op op, int last)
    {
#pragma unroll
        for (int by = 1; by < LANES; by *= 2) {
            T other = ShuffleDown<WIDTH>(x, by, 0, mask);
            if (lane + by <= last)
                x = op(x, other);
        }
        return x;
    }

    /* The lane before the next one with the flag, or the last: where this lane's segment ends. */
    template <bool HEADS, typename Flag> __CUB_DEVICE int segment_end(Flag flag)
    {
        unsigned flags = __ballot_sync(mask, flag) >> (POWER ? LaneId() / LANES * LANES : 0);
        if (HEADS)
            flags >>= 1;
        flags &= ~((1u << lane) - 1);
        flags |= 1u << (LANES - 1);
        return __ffs((int)flags) - 1;
    }

  public:
    struct TempStorage {};

    __CUB_DEVICE WarpReduce(TempStorage &) : mask(WarpMask<LANES>()), lane(POWER ? LaneId() % LANES : LaneId()) {}

    template <typename Op> __CUB_DEVICE T Reduce(T x, Op op) { return until(x, op, LANES - 1); }
    template <typename Op> __CUB_DEVICE T Reduce(T x, Op op, int valid) { return until(x, op, valid - 1); }
    __CUB_DEVICE T Sum(T x) { return Reduce(x, cub::Sum()); }
    __CUB_DEVICE T Sum(T x, int valid) { return Reduce(x, cub::Sum(), valid); }
    __CUB_DEVICE T Max(T x) { return Reduce(x, cub::Max()); }
    __CUB_DEVICE T Min(T x) { return Reduce(x, cub::Min()); }

    template <typename Flag, typename Op> __CUB_DEVICE T HeadSegmentedReduce(T x, Flag head, Op op)
    {
        return until(x, op, segment_end<true>(head));
    }
    template <typename Flag, typename Op> __CUB_DEVICE T TailSegmentedReduce(T x, Flag tail, Op op)
    {
        return until(x, op, segment_end<false>(tail));
    }
    template <typename Flag> __CUB_DEVICE T HeadSegmentedSum(T x, Flag head)
    {
        return HeadSegmentedReduce(x, head, cub::Sum());
    }
    template <typename Flag> __CUB_DEVICE T TailSegmentedSum(T x, Flag tail)
    {
        return TailSegmentedReduce(x, tail, cub::Sum());
    }
};
} // namespace cub
__BANKSHOT_LINES_ON

#endif
// SPDX-License-Identifier: Apache-2.0
