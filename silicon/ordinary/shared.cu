// SPDX-License-Identifier: Apache-2.0
// CTAs that work together: tiles, reductions, scans, sorting networks, histograms, warps' shuffles, cooperative groups.
#include "ordinary.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void block_max_arg(const float *in, float *best, int *where, int n)
{
    __shared__ float value[THREADS];
    __shared__ int index[THREADS];
    float v = -1e30f;
    int at = -1;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        if (in[i] > v) {
            v = in[i];
            at = i;
        }
    value[threadIdx.x] = v;
    index[threadIdx.x] = at;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s && value[threadIdx.x + s] > value[threadIdx.x]) {
            value[threadIdx.x] = value[threadIdx.x + s];
            index[threadIdx.x] = index[threadIdx.x + s];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        best[blockIdx.x] = value[0];
        where[blockIdx.x] = index[0];
    }
}

__global__ void hillis_scan(const int *in, int *out)
{
    __shared__ int s[2][THREADS];
    int t = threadIdx.x, side = 0;
    s[0][t] = in[blockIdx.x * THREADS + t];
    __syncthreads();
    for (int d = 1; d < THREADS; d *= 2) {
        s[1 - side][t] = s[side][t] + (t >= d ? s[side][t - d] : 0);
        side = 1 - side;
        __syncthreads();
    }
    out[blockIdx.x * THREADS + t] = s[side][t];
}

__global__ void odd_even_sort(int *data)
{
    __shared__ int s[2 * THREADS];
    int t = threadIdx.x;
    s[t] = data[blockIdx.x * 2 * THREADS + t];
    s[t + THREADS] = data[blockIdx.x * 2 * THREADS + t + THREADS];
    __syncthreads();
    for (int k = 0; k < 32; k++) {
        int i = 2 * t + (k & 1);
        if (i + 1 < 2 * THREADS && s[i] > s[i + 1]) {
            int x = s[i];
            s[i] = s[i + 1];
            s[i + 1] = x;
        }
        __syncthreads();
    }
    data[blockIdx.x * 2 * THREADS + t] = s[t];
    data[blockIdx.x * 2 * THREADS + t + THREADS] = s[t + THREADS];
}

template <int TILE> __global__ void matmul_tile(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0;
    for (int t = 0; t < n / TILE; t++) {
        as[ty][tx] = a[row * n + t * TILE + tx];
        bs[ty][tx] = b[(t * TILE + ty) * n + col];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += as[ty][k] * bs[k][tx];
        __syncthreads();
    }
    c[row * n + col] = sum;
}

__global__ void byte_histogram(const uint32_t *in, uint32_t *bins, int n)
{
    __shared__ uint32_t s[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        s[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uint32_t v = in[i];
        atomicAdd(&s[v & 255], 1);
        atomicAdd(&s[v >> 8 & 255], 1);
        atomicAdd(&s[v >> 16 & 255], 1);
        atomicAdd(&s[v >> 24], 1);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        if (s[i])
            atomicAdd(&bins[i], s[i]);
}

__global__ void warp_row_norm(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    float sum = 0, sq = 0;
    for (int c = lane; c < cols; c += 32) {
        float v = in[row * cols + c];
        sum += v;
        sq += v * v;
    }
    for (int d = 16; d > 0; d /= 2) {
        sum += __shfl_xor_sync(0xffffffff, sum, d);
        sq += __shfl_xor_sync(0xffffffff, sq, d);
    }
    float mean = sum / cols, inv = rsqrtf(sq / cols - mean * mean + 1e-5f);
    for (int c = lane; c < cols; c += 32)
        out[row * cols + c] = (in[row * cols + c] - mean) * inv;
}

__global__ void group_sum(const int *in, int *out, int n)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = i < n ? in[i] : 0;
    for (int d = tile.size() / 2; d > 0; d /= 2)
        v += tile.shfl_down(v, d);
    if (tile.thread_rank() == 0)
        atomicAdd(&out[i / 1024], v);
    block.sync();
}

__global__ void compact(const float *in, float *out, int *count, float limit, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    float v = i < n ? in[i] : 0;
    unsigned votes = __ballot_sync(0xffffffff, v > limit);
    int base = 0;
    if (lane == 0)
        base = atomicAdd(count, __popc(votes));
    base = __shfl_sync(0xffffffff, base, 0);
    if (v > limit)
        out[base + __popc(votes & ((1u << lane) - 1))] = v;
}

__global__ void blur_rows(const float *in, float *out, int width, int height)
{
    __shared__ float s[THREADS + 8];
    int x = blockIdx.x * THREADS + threadIdx.x, y = blockIdx.y;
    s[threadIdx.x + 4] = in[y * width + x];
    if (threadIdx.x < 4) {
        s[threadIdx.x] = in[y * width + max(x - 4, 0)];
        s[threadIdx.x + THREADS + 4] = in[y * width + min(x + THREADS, width - 1)];
    }
    __syncthreads();
    const float w[9] = {0.02f, 0.06f, 0.12f, 0.19f, 0.22f, 0.19f, 0.12f, 0.06f, 0.02f};
    float sum = 0;
    for (int k = 0; k < 9; k++)
        sum += w[k] * s[threadIdx.x + k];
    out[y * width + x] = sum;
}

__global__ void radix_count(const uint32_t *keys, uint32_t *counts, int shift, int n)
{
    __shared__ uint32_t local[16][THREADS / 32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x < 16)
        for (int w = 0; w < THREADS / 32; w++)
            local[threadIdx.x][w] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uint32_t digit = keys[i] >> shift & 15;
        uint32_t peers = __match_any_sync(__activemask(), digit);
        if (lane == __ffs(peers) - 1)
            local[digit][warp] += __popc(peers);
        __syncwarp();
    }
    __syncthreads();
    if (threadIdx.x < 16) {
        uint32_t sum = 0;
        for (int w = 0; w < THREADS / 32; w++)
            sum += local[threadIdx.x][w];
        counts[threadIdx.x * gridDim.x + blockIdx.x] = sum;
    }
}

int main()
{
    float *x = reals<float>(N * 8), *y = zeros<float>(N * 8);
    int *where = zeros<int>(N), *v = ints<int>(N * 8, 1 << 24);
    block_max_arg<<<CTAS, THREADS>>>(x, y, where, N * 8);
    tell("block_max_arg", where, CTAS);
    hillis_scan<<<CTAS, THREADS>>>(v, where);
    tell("hillis_scan", where, N);
    odd_even_sort<<<CTAS, THREADS>>>(v);
    tell("odd_even_sort", v, 2 * N);
    matmul_tile<16><<<dim3(12, 12), dim3(16, 16)>>>(x, x + N, y, 192);
    tell("matmul_tile", y, 192 * 192);
    uint32_t *bins = zeros<uint32_t>(256);
    byte_histogram<<<CTAS, THREADS>>>((uint32_t *)v, bins, N * 4);
    tell("byte_histogram", bins, 256);
    warp_row_norm<<<CTAS, THREADS>>>(x, y, CTAS * 4, 200);
    tell("warp_row_norm", (unsigned char *)y, 1);
    group_sum<<<CTAS, THREADS>>>(v, where, N);
    tell("group_sum", where, N / 1024);
    int *count = zeros<int>(1);
    compact<<<CTAS, THREADS>>>(x, y, count, 0.9f, N);
    tell("compact", count, 1);
    blur_rows<<<dim3(8, 32), THREADS>>>(x, y, 1024, 32);
    tell("blur_rows", y, 1024 * 32);
    uint32_t *counts = zeros<uint32_t>(16 * CTAS);
    radix_count<<<CTAS, THREADS>>>((uint32_t *)v, counts, 8, N * 4);
    tell("radix_count", counts, 16 * CTAS);
}
