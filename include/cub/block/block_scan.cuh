/* Prefix sums over a block: each thread over its items, each warp by shuffles, then every thread over the warps before it. */
#ifndef BANKSHOT_CUB_BLOCK_SCAN
#define BANKSHOT_CUB_BLOCK_SCAN

#include <cub/detail/block.cuh>

__BANKSHOT_LINES_OFF
namespace cub
{
/* All have the same code here. */
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

namespace detail
{
template <typename T, int WARPS> struct block_scan_storage {
    Uninitialized<T> warp[WARPS], prefix;
};
} // namespace detail

template <typename T, int X, BlockScanAlgorithm ALGORITHM = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int ARCH = 0>
class BlockScan : detail::block<X, Y, Z, detail::block_scan_storage<T, (X * Y * Z + 31) / 32>>
{
    typedef detail::block<X, Y, Z, detail::block_scan_storage<T, (X * Y * Z + 31) / 32>> base;
    using base::lane;
    using base::tid;
    using base::warp;

    /* What comes before this thread's x, if anything does (`has`), and the sum of all. */
    template <typename Op> __CUB_DEVICE void before(T x, Op op, T &prefix, bool &has, T &aggregate)
    {
        T sum = x;
#pragma unroll
        for (int by = 1; by < 32; by *= 2) {
            T other = ShuffleUp<32>(sum, by, 0, this->mask());
            if (lane >= by)
                sum = op(other, sum);
        }
        if (lane == base::lanes(warp) - 1)
            this->temp.warp[warp].Alias() = sum;
        prefix = ShuffleUp<32>(sum, 1, 0, this->mask());
        has = lane > 0;
        __syncthreads();
        aggregate = this->temp.warp[0].Alias();
        T warps_before = aggregate;
#pragma unroll
        for (int w = 1; w < base::WARPS; w++) {
            if (warp == w)
                warps_before = aggregate;
            aggregate = op(aggregate, this->temp.warp[w].Alias());
        }
        if (warp > 0) {
            prefix = has ? op(warps_before, prefix) : warps_before;
            has = true;
        }
    }

    /* The callback is called by the first warp; its first lane's result counts. */
    template <typename Callback> __CUB_DEVICE T ask(T aggregate, Callback &callback)
    {
        if (warp == 0) {
            T p = callback(aggregate);
            if (lane == 0)
                this->temp.prefix.Alias() = p;
        }
        __syncthreads();
        return this->temp.prefix.Alias();
    }

    template <bool INCLUSIVE, int ITEMS, typename Op>
    __CUB_DEVICE void spread(T (&in)[ITEMS], T (&out)[ITEMS], Op op, T prefix, bool has)
    {
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            T x = in[i], sum = has ? op(prefix, x) : x;
            out[i] = INCLUSIVE ? sum : prefix;
            prefix = sum;
            has = true;
        }
    }

    template <bool INCLUSIVE, int ITEMS, typename Op>
    __CUB_DEVICE void scan(T (&in)[ITEMS], T (&out)[ITEMS], Op op, T &aggregate, const T *initial)
    {
        T sum = in[0], prefix;
        bool has;
#pragma unroll
        for (int i = 1; i < ITEMS; i++)
            sum = op(sum, in[i]);
        before(sum, op, prefix, has, aggregate);
        if (initial) {
            prefix = has ? op(*initial, prefix) : *initial;
            has = true;
        }
        spread<INCLUSIVE>(in, out, op, prefix, has);
    }

    template <bool INCLUSIVE, int ITEMS, typename Op, typename Callback>
    __CUB_DEVICE void scan_after(T (&in)[ITEMS], T (&out)[ITEMS], Op op, Callback &callback)
    {
        T sum = in[0], prefix, aggregate;
        bool has;
#pragma unroll
        for (int i = 1; i < ITEMS; i++)
            sum = op(sum, in[i]);
        before(sum, op, prefix, has, aggregate);
        T block_prefix = ask(aggregate, callback);
        prefix = has ? op(block_prefix, prefix) : block_prefix;
        spread<INCLUSIVE>(in, out, op, prefix, true);
    }

    template <typename U> static __CUB_DEVICE U (&one(U &x))[1] { return reinterpret_cast<U(&)[1]>(x); }

  public:
    typedef typename base::TempStorage TempStorage;
    __CUB_DEVICE BlockScan(TempStorage &storage) : base(storage) {}
    __CUB_DEVICE BlockScan() : base() {}

    /* Items of a thread. */
    template <int N, typename Op> __CUB_DEVICE void InclusiveScan(T (&in)[N], T (&out)[N], Op op)
    {
        T aggregate;
        scan<true>(in, out, op, aggregate, nullptr);
    }
    template <int N, typename Op> __CUB_DEVICE void InclusiveScan(T (&in)[N], T (&out)[N], Op op, T &aggregate)
    {
        scan<true>(in, out, op, aggregate, nullptr);
    }
    template <int N, typename Op>
    __CUB_DEVICE void InclusiveScan(T (&in)[N], T (&out)[N], T initial, Op op, T &aggregate)
    {
        scan<true>(in, out, op, aggregate, &initial);
    }
    template <int N, typename Op, typename Callback>
    __CUB_DEVICE typename std::enable_if<!std::is_same<Callback, T>::value>::type InclusiveScan(T (&in)[N], T (&out)[N], Op op,
            Callback &callback)
    {
        scan_after<true>(in, out, op, callback);
    }
    template <int N, typename Op> __CUB_DEVICE void ExclusiveScan(T (&in)[N], T (&out)[N], Op op)
    {
        T aggregate;
        scan<false>(in, out, op, aggregate, nullptr);
    }
    template <int N, typename Op> __CUB_DEVICE void ExclusiveScan(T (&in)[N], T (&out)[N], Op op, T &aggregate)
    {
        scan<false>(in, out, op, aggregate, nullptr);
    }
    template <int N, typename Op> __CUB_DEVICE void ExclusiveScan(T (&in)[N], T (&out)[N], T initial, Op op)
    {
        T aggregate;
        scan<false>(in, out, op, aggregate, &initial);
    }
    template <int N, typename Op>
    __CUB_DEVICE void ExclusiveScan(T (&in)[N], T (&out)[N], T initial, Op op, T &aggregate)
    {
        scan<false>(in, out, op, aggregate, &initial);
    }
    template <int N, typename Op, typename Callback>
    __CUB_DEVICE typename std::enable_if<!std::is_same<Callback, T>::value && !std::is_convertible<Op, T>::value>::type
    ExclusiveScan(T (&in)[N], T (&out)[N], Op op, Callback &callback)
    {
        scan_after<false>(in, out, op, callback);
    }
    template <int N> __CUB_DEVICE void InclusiveSum(T (&in)[N], T (&out)[N]) { InclusiveScan(in, out, cub::Sum()); }
    template <int N> __CUB_DEVICE void InclusiveSum(T (&in)[N], T (&out)[N], T &aggregate)
    {
        InclusiveScan(in, out, cub::Sum(), aggregate);
    }
    template <int N, typename Callback>
    __CUB_DEVICE typename std::enable_if<!std::is_same<Callback, T>::value>::type InclusiveSum(T (&in)[N], T (&out)[N],
            Callback &callback)
    {
        scan_after<true>(in, out, cub::Sum(), callback);
    }
    template <int N> __CUB_DEVICE void ExclusiveSum(T (&in)[N], T (&out)[N])
    {
        T zero = T(), aggregate;
        scan<false>(in, out, cub::Sum(), aggregate, &zero);
    }
    template <int N> __CUB_DEVICE void ExclusiveSum(T (&in)[N], T (&out)[N], T &aggregate)
    {
        T zero = T();
        scan<false>(in, out, cub::Sum(), aggregate, &zero);
    }
    template <int N, typename Callback>
    __CUB_DEVICE typename std::enable_if<!std::is_same<Callback, T>::value>::type ExclusiveSum(T (&in)[N], T (&out)[N],
            Callback &callback)
    {
        scan_after<false>(in, out, cub::Sum(), callback);
    }

    /* One item of a thread. */
    __CUB_DEVICE void InclusiveSum(T in, T &out) { InclusiveSum(one(in), one(out)); }
    template <typename Other> __CUB_DEVICE void InclusiveSum(T in, T &out, Other &other) { InclusiveSum(one(in), one(out), other); }
    __CUB_DEVICE void ExclusiveSum(T in, T &out) { ExclusiveSum(one(in), one(out)); }
    template <typename Other> __CUB_DEVICE void ExclusiveSum(T in, T &out, Other &other) { ExclusiveSum(one(in), one(out), other); }
    template <typename Op> __CUB_DEVICE void InclusiveScan(T in, T &out, Op op) { InclusiveScan(one(in), one(out), op); }
    template <typename Op, typename Other> __CUB_DEVICE void InclusiveScan(T in, T &out, Op op, Other &other)
    {
        InclusiveScan(one(in), one(out), op, other);
    }
    template <typename Op> __CUB_DEVICE void ExclusiveScan(T in, T &out, Op op) { ExclusiveScan(one(in), one(out), op); }
    template <typename Op> __CUB_DEVICE void ExclusiveScan(T in, T &out, T initial, Op op)
    {
        ExclusiveScan(one(in), one(out), initial, op);
    }
    template <typename Op> __CUB_DEVICE void ExclusiveScan(T in, T &out, T initial, Op op, T &aggregate)
    {
        ExclusiveScan(one(in), one(out), initial, op, aggregate);
    }
    template <typename Op, typename Other>
    __CUB_DEVICE typename std::enable_if<!std::is_convertible<Op, T>::value>::type ExclusiveScan(T in, T &out, Op op, Other &other)
    {
        ExclusiveScan(one(in), one(out), op, other);
    }
};
} // namespace cub
__BANKSHOT_LINES_ON

#endif
// SPDX-License-Identifier: Apache-2.0
