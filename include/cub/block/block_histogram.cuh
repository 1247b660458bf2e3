/* Histograms of a block's samples by atomic additions; samples are numbers of bins. */
#ifndef BANKSHOT_CUB_BLOCK_HISTOGRAM
#define BANKSHOT_CUB_BLOCK_HISTOGRAM

#include <cub/detail/block.cuh>

__BANKSHOT_LINES_OFF
namespace cub
{
/* Both have the same code here. */
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

template <typename T, int X, int N, int BINS, BlockHistogramAlgorithm HOW = BLOCK_HISTO_SORT, int Y = 1, int Z = 1, int ARCH = 0>
class BlockHistogram
{
  public:
    struct TempStorage {};
    __CUB_DEVICE BlockHistogram(TempStorage &) {}
    __CUB_DEVICE BlockHistogram() {}

    template <typename Counter> __CUB_DEVICE void InitHistogram(Counter histogram[BINS])
    {
        for (int i = RowMajorTid(X, Y, Z); i < BINS; i += X * Y * Z)
            histogram[i] = 0;
    }
    template <typename Counter> __CUB_DEVICE void Composite(T (&items)[N], Counter histogram[BINS])
    {
#pragma unroll
        for (int i = 0; i < N; i++)
            atomicAdd(histogram + items[i], (Counter)1);
    }
    template <typename Counter> __CUB_DEVICE void Histogram(T (&items)[N], Counter histogram[BINS])
    {
        InitHistogram(histogram);
        __syncthreads();
        Composite(items, histogram);
    }
};
} // namespace cub
__BANKSHOT_LINES_ON

#endif
// SPDX-License-Identifier: Apache-2.0
