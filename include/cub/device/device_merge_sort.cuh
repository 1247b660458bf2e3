/* Sorts of arrays by comparison, stable: tiles by one block each, then merges of two by two. */
#ifndef BANKSHOT_CUB_DEVICE_MERGE_SORT
#define BANKSHOT_CUB_DEVICE_MERGE_SORT

#include <cub/detail/merge.cuh>
#include <cub/detail/temp.cuh>

namespace cub
{
namespace detail
{
template <bool PAIRS, typename Keys, typename Values, typename KeysOut, typename ValuesOut, typename Less>
cudaError_t merge_sort(void *temp, std::size_t &bytes, Keys keys_in, Values values_in, KeysOut keys, ValuesOut values, long long n,
                       Less less, cudaStream_t stream)
{
    typedef value_of<KeysOut> K;
    typedef value_of<ValuesOut> V;
    unsigned tiles = tiles_of(n, merge_tile<K, V>::TILE);
    int passes = 0;
    while ((1ull << passes) < tiles)
        passes++;
    temp_space space(temp);
    K *spare = space.take<K>(passes ? n : 0);
    V *spare_values = space.take<V>(passes && PAIRS ? n : 0);
    cudaError_t status;
    if (space.ends(bytes, status) || n == 0)
        return status;
    bool in_spare = passes % 2;
    if (in_spare)
        merge_block_kernel<PAIRS><<<tiles, MERGE_THREADS, 0, stream>>>(keys_in, values_in, spare, spare_values, n, less);
    else
        merge_block_kernel<PAIRS><<<tiles, MERGE_THREADS, 0, stream>>>(keys_in, values_in, keys, values, n, less);
    long long width = merge_tile<K, V>::TILE;
    for (int p = 0; p < passes; p++, width *= 2, in_spare = !in_spare) {
        if (in_spare)
            merge_pass_kernel<PAIRS>
                <<<tiles, MERGE_THREADS, 0, stream>>>(spare, spare_values, keys, values, n, width, less);
        else
            merge_pass_kernel<PAIRS>
                <<<tiles, MERGE_THREADS, 0, stream>>>(keys, values, spare, spare_values, n, width, less);
    }
    return cudaPeekAtLastError();
}
} // namespace detail

struct DeviceMergeSort {
    template <typename Keys, typename N, typename Less>
    static cudaError_t SortKeys(void *temp, std::size_t &bytes, Keys keys, N n, Less less, cudaStream_t stream = 0, bool = false)
    {
        NullType *none = nullptr;
        return detail::merge_sort<false>(temp, bytes, keys, none, keys, none, n, less, stream);
    }
    template <typename KeysIn, typename Keys, typename N, typename Less>
    static cudaError_t SortKeysCopy(void *temp, std::size_t &bytes, KeysIn in, Keys keys, N n, Less less, cudaStream_t stream = 0,
                                    bool = false)
    {
        NullType *none = nullptr;
        return detail::merge_sort<false>(temp, bytes, in, none, keys, none, n, less, stream);
    }
    template <typename Keys, typename Values, typename N, typename Less>
    static cudaError_t SortPairs(void *temp, std::size_t &bytes, Keys keys, Values values, N n, Less less, cudaStream_t stream = 0,
                                 bool = false)
    {
        return detail::merge_sort<true>(temp, bytes, keys, values, keys, values, n, less, stream);
    }
    template <typename Keys, typename N, typename Less>
    static cudaError_t StableSortKeys(void *temp, std::size_t &bytes, Keys keys, N n, Less less, cudaStream_t stream = 0,
                                      bool = false)
    {
        return SortKeys(temp, bytes, keys, n, less, stream);
    }
    template <typename Keys, typename Values, typename N, typename Less>
    static cudaError_t StableSortPairs(void *temp, std::size_t &bytes, Keys keys, Values values, N n, Less less,
                                       cudaStream_t stream = 0, bool = false)
    {
        return SortPairs(temp, bytes, keys, values, n, less, stream);
    }
};
} // namespace cub

#endif
// SPDX-License-Identifier: Apache-2.0
