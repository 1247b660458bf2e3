/* Histograms of samples, of one or several channels: counted in shared memory where the bins have room there, then added up. */
#ifndef BANKSHOT_CUB_DEVICE_HISTOGRAM
#define BANKSHOT_CUB_DEVICE_HISTOGRAM

#include <cub/detail/temp.cuh>

namespace cub
{
namespace detail
{
enum { HISTOGRAM_THREADS = 256, HISTOGRAM_ITEMS = 8, HISTOGRAM_SHARED_BINS = 2048 };

/* The bin of a sample, -1 for none. */
template <typename Level> struct even_bins {
    Level lower, upper;
    int bins;
    template <typename Sample> __CUB_DEVICE int operator()(Sample s) const
    {
        if (!(s >= lower && s < upper))
            return -1;
        if (std::is_floating_point<Level>::value) {
            Level scale = (Level)bins / (upper - lower);
            int b = (int)((s - lower) * scale);
            return b < bins ? b : bins - 1;
        }
        return (int)((unsigned long long)(s - lower) * (unsigned)bins / (unsigned long long)(upper - lower));
    }
};
template <typename Level> struct range_bins {
    const Level *levels;
    int bins;
    template <typename Sample> __CUB_DEVICE int operator()(Sample s) const
    {
        int from = 0, to = bins + 1; /* the first level above the sample is among them */
        while (from < to) {
            int middle = (from + to) / 2;
            if (s < levels[middle])
                to = middle;
            else
                from = middle + 1;
        }
        return from > bins ? -1 : from - 1;
    }
};

template <int ACTIVE, typename Counter, typename Bins> struct histogram_channels {
    Counter *out[ACTIVE];
    Bins bins[ACTIVE];
};

template <typename Counter> __CUB_KERNEL(HISTOGRAM_THREADS) clear_bins(Counter *out, int bins)
{
    int i = blockIdx.x * HISTOGRAM_THREADS + threadIdx.x;
    if (i < bins)
        out[i] = 0;
}

template <bool IN_SHARED, int CHANNELS, int ACTIVE, typename In, typename Counter, typename Bins>
__CUB_KERNEL(HISTOGRAM_THREADS) histogram_kernel(In in, histogram_channels<ACTIVE, Counter, Bins> to, long long row_pixels,
        long long rows, long long row_stride)
{
    __shared__ unsigned counts[IN_SHARED ? HISTOGRAM_SHARED_BINS : 1];
    enum { ROOM = HISTOGRAM_SHARED_BINS / ACTIVE };
    if (IN_SHARED) {
        for (int i = threadIdx.x; i < ACTIVE * ROOM; i += HISTOGRAM_THREADS)
            counts[i] = 0;
        __syncthreads();
    }
    long long step = (long long)gridDim.x * HISTOGRAM_THREADS, pixels = row_pixels * rows;
    for (long long p = (long long)blockIdx.x * HISTOGRAM_THREADS + threadIdx.x; p < pixels; p += step) {
        long long at = rows == 1 ? p * CHANNELS : p / row_pixels * row_stride + p % row_pixels * CHANNELS;
#pragma unroll
        for (int c = 0; c < ACTIVE; c++) {
            int b = to.bins[c](in[at + c]);
            if (b < 0)
                continue;
            if (IN_SHARED)
                atomicAdd(&counts[c * ROOM + b], 1u);
            else
                atomicAdd(&to.out[c][b], (Counter)1);
        }
    }
    if (IN_SHARED) {
        __syncthreads();
#pragma unroll
        for (int c = 0; c < ACTIVE; c++)
            for (int b = threadIdx.x; b < to.bins[c].bins; b += HISTOGRAM_THREADS)
                if (counts[c * ROOM + b])
                    atomicAdd(&to.out[c][b], (Counter)counts[c * ROOM + b]);
    }
}

template <int CHANNELS, int ACTIVE, typename In, typename Counter, typename Bins>
cudaError_t histogram(void *temp, std::size_t &bytes, In in, const histogram_channels<ACTIVE, Counter, Bins> &to, long long pixels,
                      long long rows, long long row_stride, cudaStream_t stream)
{
    temp_space space(temp);
    cudaError_t status;
    if (space.ends(bytes, status))
        return status;
    int most = 0;
    for (int c = 0; c < ACTIVE; c++) {
        most = to.bins[c].bins > most ? to.bins[c].bins : most;
        clear_bins<<<tiles_of(to.bins[c].bins, HISTOGRAM_THREADS), HISTOGRAM_THREADS, 0, stream>>>(to.out[c], to.bins[c].bins);
    }
    if (pixels * rows) {
        unsigned tiles = tiles_of(pixels * rows, HISTOGRAM_THREADS * HISTOGRAM_ITEMS), blocks = multiprocessors() * 8;
        blocks = tiles < blocks ? tiles : blocks;
        if (most <= HISTOGRAM_SHARED_BINS / ACTIVE)
            histogram_kernel<true, CHANNELS><<<blocks, HISTOGRAM_THREADS, 0, stream>>>(in, to, pixels, rows, row_stride);
        else
            histogram_kernel<false, CHANNELS><<<blocks, HISTOGRAM_THREADS, 0, stream>>>(in, to, pixels, rows, row_stride);
    }
    return cudaPeekAtLastError();
}
} // namespace detail

struct DeviceHistogram {
    template <typename In, typename Counter, typename Level, typename N>
    static cudaError_t HistogramEven(void *temp, std::size_t &bytes, In in, Counter *out, int levels, Level lower, Level upper, N n,
                                     cudaStream_t stream = 0, bool = false)
    {
        detail::histogram_channels<1, Counter, detail::even_bins<Level>> to = {{out}, {{lower, upper, levels - 1}}};
        return detail::histogram<1>(temp, bytes, in, to, n, 1, 0, stream);
    }
    template <typename In, typename Counter, typename Level, typename N>
    static cudaError_t HistogramEven(void *temp, std::size_t &bytes, In in, Counter *out, int levels, Level lower, Level upper,
                                     N row_samples, N rows, std::size_t row_stride_bytes, cudaStream_t stream = 0, bool = false)
    {
        detail::histogram_channels<1, Counter, detail::even_bins<Level>> to = {{out}, {{lower, upper, levels - 1}}};
        return detail::histogram<1>(temp, bytes, in, to, row_samples, rows, row_stride_bytes / sizeof(detail::value_of<In>), stream);
    }
    template <int CHANNELS, int ACTIVE, typename In, typename Counter, typename Level, typename N>
    static cudaError_t MultiHistogramEven(void *temp, std::size_t &bytes, In in, Counter *out[ACTIVE], const int levels[ACTIVE],
                                          const Level lower[ACTIVE], const Level upper[ACTIVE], N pixels, cudaStream_t stream = 0,
                                          bool = false)
    {
        detail::histogram_channels<ACTIVE, Counter, detail::even_bins<Level>> to;
        for (int c = 0; c < ACTIVE; c++) {
            to.out[c] = out[c];
            to.bins[c] = {lower[c], upper[c], levels[c] - 1};
        }
        return detail::histogram<CHANNELS>(temp, bytes, in, to, pixels, 1, 0, stream);
    }
    template <typename In, typename Counter, typename Level, typename N>
    static cudaError_t HistogramRange(void *temp, std::size_t &bytes, In in, Counter *out, int levels, const Level *edges, N n,
                                      cudaStream_t stream = 0, bool = false)
    {
        detail::histogram_channels<1, Counter, detail::range_bins<Level>> to = {{out}, {{edges, levels - 1}}};
        return detail::histogram<1>(temp, bytes, in, to, n, 1, 0, stream);
    }
    template <int CHANNELS, int ACTIVE, typename In, typename Counter, typename Level, typename N>
    static cudaError_t MultiHistogramRange(void *temp, std::size_t &bytes, In in, Counter *out[ACTIVE], const int levels[ACTIVE],
                                           const Level *const edges[ACTIVE], N pixels, cudaStream_t stream = 0, bool = false)
    {
        detail::histogram_channels<ACTIVE, Counter, detail::range_bins<Level>> to;
        for (int c = 0; c < ACTIVE; c++) {
            to.out[c] = out[c];
            to.bins[c] = {edges[c], levels[c] - 1};
        }
        return detail::histogram<CHANNELS>(temp, bytes, in, to, pixels, 1, 0, stream);
    }
};
} // namespace cub

#endif
// SPDX-License-Identifier: Apache-2.0
