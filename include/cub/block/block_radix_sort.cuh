/* Sorts of a block's keys, with or without values: digit by digit from the lowest, stable. Each thread counts its digits in its own
 * column of counters of 16 bits, two digits in a word; the prefix sums over them, digit by digit, are the ranks. */
#ifndef BANKSHOT_CUB_BLOCK_RADIX_SORT
#define BANKSHOT_CUB_BLOCK_RADIX_SORT

#include <cub/block/block_exchange.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/detail/radix.cuh>

__BANKSHOT_LINES_OFF
namespace cub
{
namespace detail
{
template <typename K, typename V, int X, int Y, int Z, int N, int RADIX_BITS> struct block_sort_storage {
    enum { THREADS = X * Y * Z, ROWS = 1 << (RADIX_BITS - 1) };
    typedef BlockScan<unsigned, X, BLOCK_SCAN_WARP_SCANS, Y, Z> scan;
    typedef BlockExchange<typename radix_key<K>::bits, X, N, false, Y, Z> key_exchange;
    typedef BlockExchange<V, X, N, false, Y, Z> value_exchange;
    union {
        struct {
            unsigned count[ROWS][THREADS];
            typename scan::TempStorage scan_temp;
        } rank;
        typename key_exchange::TempStorage keys;
        typename value_exchange::TempStorage values;
    };
};
} // namespace detail

template <typename K, int X, int N, typename V = NullType, int RADIX_BITS = 4, bool MEMOIZE_OUTER_SCAN = true,
          BlockScanAlgorithm SCAN = BLOCK_SCAN_WARP_SCANS, int SMEM_CONFIG = 0, int Y = 1, int Z = 1, int ARCH = 0>
class BlockRadixSort : detail::block<X, Y, Z, detail::block_sort_storage<K, V, X, Y, Z, N, RADIX_BITS>>
{
    typedef detail::block_sort_storage<K, V, X, Y, Z, N, RADIX_BITS> storage;
    typedef detail::block<X, Y, Z, storage> base;
    typedef detail::radix_key<K> key;
    typedef typename key::bits bits;
    using base::temp;
    using base::tid;
    enum { ROWS = storage::ROWS, THREADS = storage::THREADS, PAIRS = !std::is_same<V, NullType>::value };
    static_assert(THREADS * N < 65536, "the counters have 16 bits");

    /* Words of a column belong to digits of the lower and of the upper half. */
    template <bool DESCENDING> __CUB_DEVICE void rank(const bits (&keys)[N], int (&ranks)[N], int shift, int width)
    {
        unsigned digit[N];
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            temp.rank.count[r][tid] = 0;
#pragma unroll
        for (int i = 0; i < N; i++) {
            digit[i] = key::template digit<DESCENDING>(keys[i], shift, (1u << width) - 1);
            unsigned &word = temp.rank.count[digit[i] % ROWS][tid], half = digit[i] / ROWS * 16;
            ranks[i] = word >> half & 0xffff;
            word += 1u << half;
        }
        __syncthreads();
        /* Thread t sums the words t * ROWS ..., in the order of digits. */
        unsigned sum = 0, prefix, total, mine[ROWS], *row = &temp.rank.count[0][0] + tid * ROWS;
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            mine[r] = row[r];
            sum += mine[r];
        }
        typename storage::scan(temp.rank.scan_temp).ExclusiveSum(sum, prefix, total);
        prefix += total << 16; /* the upper half of the digits comes after all of the lower */
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            row[r] = prefix;
            prefix += mine[r];
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < N; i++)
            ranks[i] += temp.rank.count[digit[i] % ROWS][tid] >> digit[i] / ROWS * 16 & 0xffff;
        __syncthreads();
    }

    template <bool DESCENDING, bool STRIPED> __CUB_DEVICE void sort(K (&keys)[N], V (&values)[N], int begin, int end)
    {
        bits b[N];
        int ranks[N];
#pragma unroll
        for (int i = 0; i < N; i++)
            b[i] = key::template in<DESCENDING>(keys[i]);
        for (int shift = begin; shift < end; shift += RADIX_BITS) {
            bool striped = STRIPED && shift + RADIX_BITS >= end;
            rank<DESCENDING>(b, ranks, shift, end - shift < RADIX_BITS ? end - shift : RADIX_BITS);
            if (striped)
                typename storage::key_exchange(temp.keys).ScatterToStriped(b, ranks);
            else
                typename storage::key_exchange(temp.keys).ScatterToBlocked(b, ranks);
            __syncthreads();
            if constexpr (PAIRS) {
                if (striped)
                    typename storage::value_exchange(temp.values).ScatterToStriped(values, ranks);
                else
                    typename storage::value_exchange(temp.values).ScatterToBlocked(values, ranks);
                __syncthreads();
            }
        }
#pragma unroll
        for (int i = 0; i < N; i++)
            keys[i] = key::template out<DESCENDING>(b[i]);
    }
    template <bool DESCENDING, bool STRIPED> __CUB_DEVICE void sort(K (&keys)[N], int begin, int end)
    {
        V none[N];
        sort<DESCENDING, STRIPED>(keys, none, begin, end);
    }

  public:
    typedef typename base::TempStorage TempStorage;
    __CUB_DEVICE BlockRadixSort(TempStorage &s) : base(s) {}
    __CUB_DEVICE BlockRadixSort() : base() {}

    __CUB_DEVICE void Sort(K (&k)[N], int begin = 0, int end = key::BITS) { sort<false, false>(k, begin, end); }
    __CUB_DEVICE void Sort(K (&k)[N], V (&v)[N], int begin = 0, int end = key::BITS) { sort<false, false>(k, v, begin, end); }
    __CUB_DEVICE void SortDescending(K (&k)[N], int begin = 0, int end = key::BITS) { sort<true, false>(k, begin, end); }
    __CUB_DEVICE void SortDescending(K (&k)[N], V (&v)[N], int begin = 0, int end = key::BITS)
    {
        sort<true, false>(k, v, begin, end);
    }
    __CUB_DEVICE void SortBlockedToStriped(K (&k)[N], int begin = 0, int end = key::BITS) { sort<false, true>(k, begin, end); }
    __CUB_DEVICE void SortBlockedToStriped(K (&k)[N], V (&v)[N], int begin = 0, int end = key::BITS)
    {
        sort<false, true>(k, v, begin, end);
    }
    __CUB_DEVICE void SortDescendingBlockedToStriped(K (&k)[N], int begin = 0, int end = key::BITS)
    {
        sort<true, true>(k, begin, end);
    }
    __CUB_DEVICE void SortDescendingBlockedToStriped(K (&k)[N], V (&v)[N], int begin = 0, int end = key::BITS)
    {
        sort<true, true>(k, v, begin, end);
    }
};
} // namespace cub
__BANKSHOT_LINES_ON

#endif
// SPDX-License-Identifier: Apache-2.0
