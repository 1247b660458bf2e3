/* Run lengths: what ReduceByKey gives for ones. */
#ifndef BANKSHOT_CUB_DEVICE_RUN_LENGTH_ENCODE
#define BANKSHOT_CUB_DEVICE_RUN_LENGTH_ENCODE

#include <cub/detail/by_key.cuh>
#include <cub/iterator/arg_index_input_iterator.cuh>

namespace cub
{
struct DeviceRunLengthEncode {
    template <typename In, typename Unique, typename Lengths, typename Runs, typename N>
    static cudaError_t Encode(void *temp, std::size_t &bytes, In in, Unique unique, Lengths lengths, Runs runs, N n,
                              cudaStream_t stream = 0, bool = false)
    {
        typedef typename detail::output_or<Lengths, int>::type length;
        return detail::reduce_by_key(temp, bytes, in, unique, ConstantInputIterator<length>(1), lengths, runs, Equality(), Sum(), n,
                                     stream);
    }
};
} // namespace cub

#endif
// SPDX-License-Identifier: Apache-2.0
