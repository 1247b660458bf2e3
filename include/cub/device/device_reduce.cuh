/* Reductions of arrays: every block over the tiles that are its own, then one block over the blocks. */
#ifndef BANKSHOT_CUB_DEVICE_REDUCE
#define BANKSHOT_CUB_DEVICE_REDUCE

#include <cub/block/block_load.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/detail/by_key.cuh>
#include <cub/detail/temp.cuh>
#include <cub/iterator/arg_index_input_iterator.cuh>
#include <limits>

namespace cub
{
namespace detail
{
enum { REDUCE_THREADS = 256, REDUCE_BLOCKS_PER_SM = 8 };

template <typename T> struct reduce_tile {
    enum { ITEMS = items_of(16, sizeof(T)), TILE = ITEMS * REDUCE_THREADS };
};

template <typename T, int ITEMS, typename In> __CUB_DEVICE void load_tile(In in, T (&items)[ITEMS])
{
    in = in + threadIdx.x;
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        items[i] = in[i * REDUCE_THREADS];
}

/* The sum of the tiles of this block; only thread 0's counts. At least one item is there. */
template <typename T, typename In, typename Op>
__CUB_DEVICE T reduce_tiles(In in, long long n, Op op, long long first, long long step)
{
    enum { ITEMS = reduce_tile<T>::ITEMS, TILE = reduce_tile<T>::TILE };
    __shared__ typename BlockReduce<T, REDUCE_THREADS>::TempStorage temp;
    long long left = n - first;
    T sum;
    if (left >= TILE) {
        T items[ITEMS];
        load_tile(in + first, items);
        sum = items[0];
#pragma unroll
        for (int i = 1; i < ITEMS; i++)
            sum = op(sum, items[i]);
        for (first += step; n - first >= TILE; first += step) {
            load_tile(in + first, items);
#pragma unroll
            for (int i = 0; i < ITEMS; i++)
                sum = op(sum, items[i]);
        }
        first += threadIdx.x;
    } else {
        sum = in[threadIdx.x < left ? first + threadIdx.x : first];
        first += threadIdx.x + REDUCE_THREADS;
    }
    for (; first < n; first += REDUCE_THREADS)
        sum = op(sum, (T)in[first]);
    if (left < REDUCE_THREADS)
        return BlockReduce<T, REDUCE_THREADS>(temp).Reduce(sum, op, (int)left);
    return BlockReduce<T, REDUCE_THREADS>(temp).Reduce(sum, op);
}

template <typename T, typename In, typename Op>
__CUB_KERNEL(REDUCE_THREADS) reduce_kernel(In in, T *partial, long long n, Op op)
{
    enum { TILE = reduce_tile<T>::TILE };
    T sum = reduce_tiles<T>(in, n, op, (long long)blockIdx.x * TILE, (long long)gridDim.x * TILE);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
}

template <bool HAS_INITIAL, typename T, typename In, typename Out, typename Op>
__CUB_KERNEL(REDUCE_THREADS) reduce_last_kernel(In in, Out out, long long n, Op op, Uninitialized<T> initial)
{
    if (n == 0) {
        if (threadIdx.x == 0)
            *out = initial.Alias();
        return;
    }
    T sum = reduce_tiles<T>(in, n, op, 0, reduce_tile<T>::TILE);
    if (threadIdx.x == 0)
        *out = HAS_INITIAL ? op(initial.Alias(), sum) : sum;
}

template <bool HAS_INITIAL, typename T, typename In, typename Out, typename Op>
cudaError_t reduce(void *temp, std::size_t &bytes, In in, Out out, long long n, Op op, T initial, cudaStream_t stream)
{
    unsigned tiles = tiles_of(n, reduce_tile<T>::TILE), most = (unsigned)multiprocessors() * REDUCE_BLOCKS_PER_SM;
    unsigned blocks = tiles < most ? tiles : most;
    temp_space space(temp);
    T *partial = space.take<T>(blocks);
    cudaError_t status;
    if (space.ends(bytes, status))
        return status;
    Uninitialized<T> raw;
    raw.Alias() = initial;
    if (blocks > 1) {
        reduce_kernel<T><<<blocks, REDUCE_THREADS, 0, stream>>>(in, partial, n, op);
        reduce_last_kernel<HAS_INITIAL, T><<<1, REDUCE_THREADS, 0, stream>>>((const T *)partial, out, (long long)blocks, op, raw);
    } else {
        reduce_last_kernel<HAS_INITIAL, T><<<1, REDUCE_THREADS, 0, stream>>>(in, out, n, op, raw);
    }
    return cudaPeekAtLastError();
}
} // namespace detail

struct DeviceReduce {
    template <typename In, typename Out, typename Op, typename T, typename N>
    static cudaError_t Reduce(void *temp, std::size_t &bytes, In in, Out out, N n, Op op, T initial, cudaStream_t stream = 0,
                              bool = false)
    {
        return detail::reduce<true, T>(temp, bytes, in, out, n, op, initial, stream);
    }
    template <typename In, typename Out, typename N>
    static cudaError_t Sum(void *temp, std::size_t &bytes, In in, Out out, N n, cudaStream_t stream = 0, bool = false)
    {
        typedef typename detail::output_or<Out, detail::value_of<In>>::type T;
        return detail::reduce<true, T>(temp, bytes, in, out, n, cub::Sum(), T(), stream);
    }
    template <typename In, typename Out, typename N>
    static cudaError_t Min(void *temp, std::size_t &bytes, In in, Out out, N n, cudaStream_t stream = 0, bool = false)
    {
        typedef detail::value_of<In> T;
        return detail::reduce<true, T>(temp, bytes, in, out, n, cub::Min(), std::numeric_limits<T>::max(), stream);
    }
    template <typename In, typename Out, typename N>
    static cudaError_t Max(void *temp, std::size_t &bytes, In in, Out out, N n, cudaStream_t stream = 0, bool = false)
    {
        typedef detail::value_of<In> T;
        return detail::reduce<true, T>(temp, bytes, in, out, n, cub::Max(), std::numeric_limits<T>::lowest(), stream);
    }
    /* The place is that of the first of equals; of nothing it is 1. */
    template <typename In, typename Out, typename N>
    static cudaError_t ArgMin(void *temp, std::size_t &bytes, In in, Out out, N n, cudaStream_t stream = 0, bool = false)
    {
        typedef KeyValuePair<int, detail::value_of<In>> T;
        return detail::reduce<false, T>(temp, bytes, ArgIndexInputIterator<In, int>(in), out, n, cub::ArgMin(),
                                        T(1, std::numeric_limits<detail::value_of<In>>::max()), stream);
    }
    template <typename In, typename Out, typename N>
    static cudaError_t ArgMax(void *temp, std::size_t &bytes, In in, Out out, N n, cudaStream_t stream = 0, bool = false)
    {
        typedef KeyValuePair<int, detail::value_of<In>> T;
        return detail::reduce<false, T>(temp, bytes, ArgIndexInputIterator<In, int>(in), out, n, cub::ArgMax(),
                                        T(1, std::numeric_limits<detail::value_of<In>>::lowest()), stream);
    }
    template <typename In, typename Out, typename Op, typename Transform, typename T, typename N>
    static cudaError_t TransformReduce(void *temp, std::size_t &bytes, In in, Out out, N n, Op op, Transform f, T initial,
                                       cudaStream_t stream = 0)
    {
        return detail::reduce<true, T>(temp, bytes, TransformInputIterator<T, Transform, In>(in, f), out, n, op, initial, stream);
    }
    template <typename Keys, typename Unique, typename Values, typename Sums, typename Runs, typename Op, typename N>
    static cudaError_t ReduceByKey(void *temp, std::size_t &bytes, Keys keys, Unique unique, Values values, Sums sums, Runs runs,
                                   Op op, N n, cudaStream_t stream = 0, bool = false)
    {
        return detail::reduce_by_key(temp, bytes, keys, unique, values, sums, runs, Equality(), op, n, stream);
    }
};
} // namespace cub

#endif
// SPDX-License-Identifier: Apache-2.0
