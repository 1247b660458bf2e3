/* Prefix sums of arrays, each tile by one block, in one pass. */
#ifndef BANKSHOT_CUB_DEVICE_SCAN
#define BANKSHOT_CUB_DEVICE_SCAN

#include <cub/block/block_load.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/detail/lookback.cuh>

namespace cub
{
namespace detail
{
enum { SCAN_THREADS = 128 };

template <typename T> struct scan_tile {
    enum { ITEMS = items_of(15, sizeof(T)), TILE = ITEMS * SCAN_THREADS };
    typedef BlockLoad<T, SCAN_THREADS, ITEMS, BLOCK_LOAD_WARP_TRANSPOSE> load;
    typedef BlockStore<T, SCAN_THREADS, ITEMS, BLOCK_STORE_WARP_TRANSPOSE> store;
    typedef BlockScan<T, SCAN_THREADS> scan;
    union storage {
        typename load::TempStorage load_temp;
        typename store::TempStorage store_temp;
        typename scan::TempStorage scan_temp;
    };
};

template <bool INCLUSIVE, bool HAS_INITIAL, typename T, typename In, typename Out, typename Op>
__CUB_KERNEL(SCAN_THREADS) scan_kernel(In in, Out out, long long n, Op op, Uninitialized<T> initial, tile_states<T> states)
{
    typedef scan_tile<T> tile;
    __shared__ typename tile::storage temp;
    long long base = (long long)blockIdx.x * tile::TILE;
    int valid = n - base < tile::TILE ? (int)(n - base) : (int)tile::TILE;
    T items[tile::ITEMS];
    if (valid == tile::TILE)
        typename tile::load(temp.load_temp).Load(in + base, items);
    else
        typename tile::load(temp.load_temp).Load(in + base, items, valid, (T)in[base]);
    __syncthreads();
    typename tile::scan scan(temp.scan_temp);
    if (blockIdx.x == 0) {
        T sum;
        if constexpr (HAS_INITIAL && INCLUSIVE)
            scan.InclusiveScan(items, items, initial.Alias(), op, sum);
        else if constexpr (INCLUSIVE)
            scan.InclusiveScan(items, items, op, sum);
        else
            scan.ExclusiveScan(items, items, initial.Alias(), op, sum);
        if (threadIdx.x == 0 && gridDim.x > 1)
            states.post_inclusive(0, HAS_INITIAL ? op(initial.Alias(), sum) : sum);
    } else {
        tile_prefix<T, Op> prefix(states, op, blockIdx.x);
        if constexpr (INCLUSIVE)
            scan.InclusiveScan(items, items, op, prefix);
        else
            scan.ExclusiveScan(items, items, op, prefix);
    }
    __syncthreads();
    if (valid == tile::TILE)
        typename tile::store(temp.store_temp).Store(out + base, items);
    else
        typename tile::store(temp.store_temp).Store(out + base, items, valid);
}

template <bool INCLUSIVE, bool HAS_INITIAL, typename T, typename In, typename Out, typename Op>
cudaError_t scan(void *temp, std::size_t &bytes, In in, Out out, Op op, T initial, long long n, cudaStream_t stream)
{
    unsigned tiles = tiles_of(n, scan_tile<T>::TILE);
    temp_space space(temp);
    tile_states<T> states(space, tiles);
    cudaError_t status;
    if (space.ends(bytes, status) || n == 0)
        return status;
    Uninitialized<T> raw;
    raw.Alias() = initial;
    if (tiles > 1)
        reset_tiles<<<tiles_of(tiles, 128), 128, 0, stream>>>(states.status, tiles);
    scan_kernel<INCLUSIVE, HAS_INITIAL, T><<<tiles, SCAN_THREADS, 0, stream>>>(in, out, n, op, raw, states);
    return cudaPeekAtLastError();
}
} // namespace detail

struct DeviceScan {
    template <typename In, typename Out, typename N>
    static cudaError_t ExclusiveSum(void *temp, std::size_t &bytes, In in, Out out, N n, cudaStream_t stream = 0, bool = false)
    {
        typedef detail::value_of<In> T;
        return detail::scan<false, true, T>(temp, bytes, in, out, Sum(), T(), n, stream);
    }
    template <typename In, typename Out, typename N>
    static cudaError_t InclusiveSum(void *temp, std::size_t &bytes, In in, Out out, N n, cudaStream_t stream = 0, bool = false)
    {
        typedef detail::value_of<In> T;
        return detail::scan<true, false, T>(temp, bytes, in, out, Sum(), T(), n, stream);
    }
    template <typename In, typename Out, typename Op, typename Initial, typename N>
    static cudaError_t ExclusiveScan(void *temp, std::size_t &bytes, In in, Out out, Op op, Initial initial, N n,
                                     cudaStream_t stream = 0, bool = false)
    {
        return detail::scan<false, true, Initial>(temp, bytes, in, out, op, initial, n, stream);
    }
    template <typename In, typename Out, typename Op, typename N>
    static cudaError_t InclusiveScan(void *temp, std::size_t &bytes, In in, Out out, Op op, N n, cudaStream_t stream = 0,
                                     bool = false)
    {
        typedef detail::value_of<In> T;
        return detail::scan<true, false, T>(temp, bytes, in, out, op, T(), n, stream);
    }
    template <typename In, typename Out, typename Op, typename Initial, typename N>
    static cudaError_t InclusiveScanInit(void *temp, std::size_t &bytes, In in, Out out, Op op, Initial initial, N n,
                                         cudaStream_t stream = 0)
    {
        return detail::scan<true, true, Initial>(temp, bytes, in, out, op, initial, n, stream);
    }
    /* In place. */
    template <typename It, typename N>
    static cudaError_t ExclusiveSum(void *temp, std::size_t &bytes, It data, N n, cudaStream_t stream = 0)
    {
        return ExclusiveSum(temp, bytes, data, data, n, stream);
    }
    template <typename It, typename N>
    static cudaError_t InclusiveSum(void *temp, std::size_t &bytes, It data, N n, cudaStream_t stream = 0)
    {
        return InclusiveSum(temp, bytes, data, data, n, stream);
    }
};
} // namespace cub

#endif
// SPDX-License-Identifier: Apache-2.0
