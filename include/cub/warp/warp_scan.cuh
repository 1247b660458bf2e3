/* Prefix sums over a warp, or over equal parts of it, by shuffles. */
#ifndef BANKSHOT_CUB_WARP_SCAN
#define BANKSHOT_CUB_WARP_SCAN

#include <cub/thread/thread_operators.cuh>
#include <cub/util_ptx.cuh>

__BANKSHOT_LINES_OFF
namespace cub
{
template <typename T, int LOGICAL_WARP_THREADS = 32, int PTX_ARCH = 0> class WarpScan
{
    enum { LANES = LOGICAL_WARP_THREADS, POWER = !(LANES & (LANES - 1)), WIDTH = POWER ? LANES : 32 };
    unsigned mask;
    int lane;

    template <typename Op> __CUB_DEVICE T inclusive(T x, Op op)
    {
#pragma unroll
        for (int by = 1; by < LANES; by *= 2) {
            T other = ShuffleUp<WIDTH>(x, by, 0, mask);
            if (lane >= by)
                x = op(other, x);
        }
        return x;
    }
    __CUB_DEVICE T last(const T &x) { return ShuffleIndex<WIDTH>(x, LANES - 1, mask); }

  public:
    struct TempStorage {};

    __CUB_DEVICE WarpScan(TempStorage &) : mask(WarpMask<LANES>()), lane(POWER ? LaneId() % LANES : LaneId()) {}

    template <typename Op> __CUB_DEVICE void InclusiveScan(T in, T &out, Op op) { out = inclusive(in, op); }
    template <typename Op> __CUB_DEVICE void InclusiveScan(T in, T &out, Op op, T &aggregate)
    {
        out = inclusive(in, op);
        aggregate = last(out);
    }
    /* Without an initial value the first lane's result means nothing. */
    template <typename Op> __CUB_DEVICE void ExclusiveScan(T in, T &out, Op op)
    {
        out = ShuffleUp<WIDTH>(inclusive(in, op), 1, 0, mask);
    }
    template <typename Op> __CUB_DEVICE void ExclusiveScan(T in, T &out, T initial, Op op)
    {
        T unused;
        Scan(in, unused, out, initial, op);
    }
    template <typename Op> __CUB_DEVICE void ExclusiveScan(T in, T &out, Op op, T &aggregate)
    {
        T sum = inclusive(in, op);
        out = ShuffleUp<WIDTH>(sum, 1, 0, mask);
        aggregate = last(sum);
    }
    /* The aggregate is that of the inputs alone. */
    template <typename Op> __CUB_DEVICE void ExclusiveScan(T in, T &out, T initial, Op op, T &aggregate)
    {
        T sum = inclusive(in, op);
        aggregate = last(sum);
        out = ShuffleUp<WIDTH>(sum, 1, 0, mask);
        out = lane == 0 ? initial : op(initial, out);
    }
    template <typename Op> __CUB_DEVICE void Scan(T in, T &inclusive_out, T &exclusive_out, Op op)
    {
        inclusive_out = inclusive(in, op);
        exclusive_out = ShuffleUp<WIDTH>(inclusive_out, 1, 0, mask);
    }
    template <typename Op> __CUB_DEVICE void Scan(T in, T &inclusive_out, T &exclusive_out, T initial, Op op)
    {
        T sum = inclusive(in, op);
        inclusive_out = op(initial, sum);
        exclusive_out = ShuffleUp<WIDTH>(inclusive_out, 1, 0, mask);
        if (lane == 0)
            exclusive_out = initial;
    }
    __CUB_DEVICE void InclusiveSum(T in, T &out) { InclusiveScan(in, out, cub::Sum()); }
    __CUB_DEVICE void InclusiveSum(T in, T &out, T &aggregate) { InclusiveScan(in, out, cub::Sum(), aggregate); }
    __CUB_DEVICE void ExclusiveSum(T in, T &out)
    {
        T unused;
        ExclusiveScan(in, out, T(0), cub::Sum(), unused);
    }
    __CUB_DEVICE void ExclusiveSum(T in, T &out, T &aggregate) { ExclusiveScan(in, out, T(0), cub::Sum(), aggregate); }
    __CUB_DEVICE void Sum(T in, T &inclusive_out, T &exclusive_out)
    {
        Scan(in, inclusive_out, exclusive_out, T(0), cub::Sum());
    }
    __CUB_DEVICE T Broadcast(T in, unsigned src) { return ShuffleIndex<WIDTH>(in, (int)src, mask); }
};
} // namespace cub
__BANKSHOT_LINES_ON

#endif
// SPDX-License-Identifier: Apache-2.0
