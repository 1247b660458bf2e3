/* Selection and partition of arrays in one pass: the prefix sum of flags says where each item goes. */
#ifndef BANKSHOT_CUB_DEVICE_SELECT
#define BANKSHOT_CUB_DEVICE_SELECT

#include <cub/detail/by_key.cuh>

namespace cub
{
namespace detail
{
enum { SELECT_THREADS = 128 };

template <typename T> struct select_tile {
    enum { ITEMS = items_of(10, sizeof(T)), TILE = ITEMS * SELECT_THREADS };
};

/* Whether item number i is selected. */
template <typename Op> struct chosen_if {
    Op op;
    template <typename In> __CUB_DEVICE bool operator()(In in, long long i) { return op(in[i]); }
};
template <typename Flags> struct chosen_flagged {
    Flags flags;
    template <typename In> __CUB_DEVICE bool operator()(In, long long i) { return (bool)flags[i]; }
};
template <typename Flags, typename Op> struct chosen_flagged_if {
    Flags flags;
    Op op;
    template <typename In> __CUB_DEVICE bool operator()(In, long long i) { return (bool)op(flags[i]); }
};
template <typename Equal> struct chosen_unique {
    Equal equal;
    template <typename In> __CUB_DEVICE bool operator()(In in, long long i) { return i == 0 || !equal(in[i - 1], in[i]); }
};

/* PARTITION: the others go to the end of the output, last one first. */
template <bool PARTITION, typename In, typename Out, typename Count, typename Chosen>
__CUB_KERNEL(SELECT_THREADS) select_kernel(In in, Out out, Count count, Chosen chosen, long long n, tile_states<int> states)
{
    typedef value_of<In> T;
    enum { ITEMS = select_tile<T>::ITEMS, TILE = select_tile<T>::TILE };
    typedef BlockScan<int, SELECT_THREADS> scan;
    __shared__ typename scan::TempStorage temp;
    __shared__ int total;
    long long first = (long long)blockIdx.x * TILE + threadIdx.x * ITEMS;
    int flag[ITEMS], place[ITEMS];
    T items[ITEMS];
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        bool here = first + i < n;
        flag[i] = here && chosen(in, first + i);
        items[i] = in[here ? first + i : n - 1];
    }
    if (blockIdx.x == 0) {
        int sum;
        scan(temp).ExclusiveSum(flag, place, sum);
        if (threadIdx.x == 0) {
            total = sum;
            if (gridDim.x > 1)
                states.post_inclusive(0, sum);
        }
    } else {
        tile_prefix<int, Sum> prefix(states, Sum(), blockIdx.x);
        scan(temp).ExclusiveSum(flag, place, prefix);
        if (threadIdx.x == 0)
            total = prefix.inclusive;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        if (flag[i])
            out[place[i]] = items[i];
        else if (PARTITION && first + i < n)
            out[n - 1 - (first + i - place[i])] = items[i];
    }
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0)
        *count = total;
}

template <bool PARTITION, typename In, typename Out, typename Count, typename Chosen>
cudaError_t select(void *temp, std::size_t &bytes, In in, Out out, Count count, Chosen chosen, long long n, cudaStream_t stream)
{
    unsigned tiles = tiles_of(n, select_tile<value_of<In>>::TILE);
    temp_space space(temp);
    tile_states<int> states(space, tiles);
    cudaError_t status;
    if (space.ends(bytes, status))
        return status;
    if (n == 0) {
        no_runs_kernel<<<1, 32, 0, stream>>>(count);
        return cudaPeekAtLastError();
    }
    if (tiles > 1)
        reset_tiles<<<tiles_of(tiles, 128), 128, 0, stream>>>(states.status, tiles);
    select_kernel<PARTITION><<<tiles, SELECT_THREADS, 0, stream>>>(in, out, count, chosen, n, states);
    return cudaPeekAtLastError();
}
} // namespace detail

struct DeviceSelect {
    template <typename In, typename Flags, typename Out, typename Count, typename N>
    static cudaError_t Flagged(void *temp, std::size_t &bytes, In in, Flags flags, Out out, Count count, N n, cudaStream_t stream = 0,
                               bool = false)
    {
        return detail::select<false>(temp, bytes, in, out, count, detail::chosen_flagged<Flags>{flags}, n, stream);
    }
    template <typename In, typename Out, typename Count, typename Op, typename N>
    static cudaError_t If(void *temp, std::size_t &bytes, In in, Out out, Count count, N n, Op op, cudaStream_t stream = 0,
                          bool = false)
    {
        return detail::select<false>(temp, bytes, in, out, count, detail::chosen_if<Op>{op}, n, stream);
    }
    template <typename In, typename Flags, typename Out, typename Count, typename Op, typename N>
    static cudaError_t FlaggedIf(void *temp, std::size_t &bytes, In in, Flags flags, Out out, Count count, N n, Op op,
                                 cudaStream_t stream = 0)
    {
        return detail::select<false>(temp, bytes, in, out, count, detail::chosen_flagged_if<Flags, Op>{flags, op}, n, stream);
    }
    template <typename In, typename Out, typename Count, typename N>
    static cudaError_t Unique(void *temp, std::size_t &bytes, In in, Out out, Count count, N n, cudaStream_t stream = 0, bool = false)
    {
        return detail::select<false>(temp, bytes, in, out, count, detail::chosen_unique<Equality>{Equality()}, n, stream);
    }
    template <typename Keys, typename Values, typename KeysOut, typename ValuesOut, typename Count, typename N>
    static cudaError_t UniqueByKey(void *temp, std::size_t &bytes, Keys keys, Values values, KeysOut keys_out, ValuesOut values_out,
                                   Count count, N n, cudaStream_t stream = 0, bool = false)
    {
        struct first {
            __CUB_BOTH detail::value_of<Values> operator()(const detail::value_of<Values> &a, const detail::value_of<Values> &) const
            {
                return a;
            }
        };
        return detail::reduce_by_key(temp, bytes, keys, keys_out, values, values_out, count, Equality(), first(), n, stream);
    }
};

struct DevicePartition {
    template <typename In, typename Flags, typename Out, typename Count, typename N>
    static cudaError_t Flagged(void *temp, std::size_t &bytes, In in, Flags flags, Out out, Count count, N n, cudaStream_t stream = 0,
                               bool = false)
    {
        return detail::select<true>(temp, bytes, in, out, count, detail::chosen_flagged<Flags>{flags}, n, stream);
    }
    template <typename In, typename Out, typename Count, typename Op, typename N>
    static cudaError_t If(void *temp, std::size_t &bytes, In in, Out out, Count count, N n, Op op, cudaStream_t stream = 0,
                          bool = false)
    {
        return detail::select<true>(temp, bytes, in, out, count, detail::chosen_if<Op>{op}, n, stream);
    }
};
} // namespace cub

#endif
// SPDX-License-Identifier: Apache-2.0
