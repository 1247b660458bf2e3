/* Reductions of the segments of an array, each by one block. */
#ifndef BANKSHOT_CUB_DEVICE_SEGMENTED_REDUCE
#define BANKSHOT_CUB_DEVICE_SEGMENTED_REDUCE

#include <cub/device/device_reduce.cuh>

namespace cub
{
namespace detail
{
template <typename T, typename In, typename Out, typename Begins, typename Ends, typename Op>
__CUB_KERNEL(REDUCE_THREADS) segment_kernel(In in, Out out, Begins begins, Ends ends, Op op, Uninitialized<T> initial)
{
    long long begin = begins[blockIdx.x], n = (long long)ends[blockIdx.x] - begin;
    if (n <= 0) {
        if (threadIdx.x == 0)
            out[blockIdx.x] = initial.Alias();
        return;
    }
    T sum = reduce_tiles<T>(in + begin, n, op, 0, reduce_tile<T>::TILE);
    if (threadIdx.x == 0)
        out[blockIdx.x] = op(initial.Alias(), sum);
}

template <typename T, typename In, typename Out, typename Begins, typename Ends, typename Op>
cudaError_t reduce_segments(void *temp, std::size_t &bytes, In in, Out out, int segments, Begins begins, Ends ends, Op op, T initial,
                            cudaStream_t stream)
{
    temp_space space(temp);
    cudaError_t status;
    if (space.ends(bytes, status) || segments == 0)
        return status;
    Uninitialized<T> raw;
    raw.Alias() = initial;
    segment_kernel<T><<<segments, REDUCE_THREADS, 0, stream>>>(in, out, begins, ends, op, raw);
    return cudaPeekAtLastError();
}
} // namespace detail

struct DeviceSegmentedReduce {
    template <typename In, typename Out, typename Begins, typename Ends, typename Op, typename T>
    static cudaError_t Reduce(void *temp, std::size_t &bytes, In in, Out out, int segments, Begins begins, Ends ends, Op op,
                              T initial, cudaStream_t stream = 0, bool = false)
    {
        return detail::reduce_segments<T>(temp, bytes, in, out, segments, begins, ends, op, initial, stream);
    }
    template <typename In, typename Out, typename Begins, typename Ends>
    static cudaError_t Sum(void *temp, std::size_t &bytes, In in, Out out, int segments, Begins begins, Ends ends,
                           cudaStream_t stream = 0, bool = false)
    {
        typedef typename detail::output_or<Out, detail::value_of<In>>::type T;
        return detail::reduce_segments<T>(temp, bytes, in, out, segments, begins, ends, cub::Sum(), T(), stream);
    }
    template <typename In, typename Out, typename Begins, typename Ends>
    static cudaError_t Min(void *temp, std::size_t &bytes, In in, Out out, int segments, Begins begins, Ends ends,
                           cudaStream_t stream = 0, bool = false)
    {
        typedef detail::value_of<In> T;
        return detail::reduce_segments<T>(temp, bytes, in, out, segments, begins, ends, cub::Min(), std::numeric_limits<T>::max(),
                                          stream);
    }
    template <typename In, typename Out, typename Begins, typename Ends>
    static cudaError_t Max(void *temp, std::size_t &bytes, In in, Out out, int segments, Begins begins, Ends ends,
                           cudaStream_t stream = 0, bool = false)
    {
        typedef detail::value_of<In> T;
        return detail::reduce_segments<T>(temp, bytes, in, out, segments, begins, ends, cub::Max(), std::numeric_limits<T>::lowest(),
                                          stream);
    }
};
} // namespace cub

#endif
// SPDX-License-Identifier: Apache-2.0
