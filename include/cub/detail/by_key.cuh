/* Runs of equal keys and the sum of each run's values, in one pass: a prefix sum over pairs of "a run begins" and value. */
#ifndef BANKSHOT_CUB_DETAIL_BY_KEY
#define BANKSHOT_CUB_DETAIL_BY_KEY

#include <cub/block/block_scan.cuh>
#include <cub/detail/lookback.cuh>

namespace cub
{
namespace detail
{
enum { BY_KEY_THREADS = 128 };

template <typename K, typename V> struct by_key_tile {
    enum { ITEMS = items_of(9, sizeof(K) > sizeof(V) ? sizeof(K) : sizeof(V)), TILE = ITEMS * BY_KEY_THREADS };
};

template <typename V, typename Keys, typename Unique, typename Values, typename Sums, typename Runs, typename Equal, typename Op>
__CUB_KERNEL(BY_KEY_THREADS) by_key_kernel(Keys keys, Unique unique, Values values, Sums sums, Runs runs, Equal equal, Op op,
        long long n, tile_states<KeyValuePair<int, V>> states)
{
    typedef value_of<Keys> K;
    typedef KeyValuePair<int, V> pair;
    typedef by_key_tile<K, V> tile;
    typedef BlockScan<pair, BY_KEY_THREADS> scan;
    __shared__ typename scan::TempStorage temp;
    long long first = (long long)blockIdx.x * tile::TILE + threadIdx.x * tile::ITEMS;
    long long last_of_tile = ((long long)blockIdx.x + 1) * tile::TILE;
    pair items[tile::ITEMS];
    ReduceBySegmentOp<Op> segment(op);
#pragma unroll
    for (int i = 0; i < tile::ITEMS; i++) {
        long long at = first + i;
        bool here = at < n;
        items[i].key = here && (at == 0 || !equal(keys[at - 1], keys[at]));
        items[i].value = values[here ? at : n - 1];
    }
    if (blockIdx.x == 0) {
        pair all;
        scan(temp).InclusiveScan(items, items, segment, all);
        if (threadIdx.x == 0 && gridDim.x > 1)
            states.post_inclusive(0, all);
    } else {
        tile_prefix<pair, ReduceBySegmentOp<Op>> prefix(states, segment, blockIdx.x);
        scan(temp).InclusiveScan(items, items, segment, prefix);
    }
#pragma unroll
    for (int i = 0; i < tile::ITEMS; i++) {
        long long at = first + i;
        if (at >= n)
            break;
        int run = items[i].key - 1;
        if (at == 0 || !equal(keys[at - 1], keys[at]))
            unique[run] = keys[at];
        if (at == n - 1 || !equal(keys[at], keys[at + 1]))
            sums[run] = items[i].value;
        if (at == n - 1 && at < last_of_tile)
            *runs = run + 1;
    }
}

template <typename Runs> __CUB_KERNEL(32) no_runs_kernel(Runs runs)
{
    if (threadIdx.x == 0)
        *runs = 0;
}

template <typename Keys, typename Unique, typename Values, typename Sums, typename Runs, typename Equal, typename Op>
cudaError_t reduce_by_key(void *temp, std::size_t &bytes, Keys keys, Unique unique, Values values, Sums sums, Runs runs, Equal equal,
                          Op op, long long n, cudaStream_t stream)
{
    typedef value_of<Values> V;
    unsigned tiles = tiles_of(n, by_key_tile<value_of<Keys>, V>::TILE);
    temp_space space(temp);
    tile_states<KeyValuePair<int, V>> states(space, tiles);
    cudaError_t status;
    if (space.ends(bytes, status))
        return status;
    if (n == 0) {
        no_runs_kernel<<<1, 32, 0, stream>>>(runs);
        return cudaPeekAtLastError();
    }
    if (tiles > 1)
        reset_tiles<<<tiles_of(tiles, 128), 128, 0, stream>>>(states.status, tiles);
    by_key_kernel<V><<<tiles, BY_KEY_THREADS, 0, stream>>>(keys, unique, values, sums, runs, equal, op, n, states);
    return cudaPeekAtLastError();
}
} // namespace detail
} // namespace cub

#endif
// SPDX-License-Identifier: Apache-2.0
