/* Reductions: a shared-memory tree, warp shuffles, and atomics across CTAs. Blocks of 256 threads. */
extern "C" __global__ void reduce_sum(const int *in, int *out, int n)
{
    __shared__ int part[256];
    int t = threadIdx.x, sum = 0;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    part[t] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s)
            part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0)
        atomicAdd(out, part[0]);
}

extern "C" __global__ void dot(const float *a, const float *b, float *out, int n)
{
    __shared__ float warp_sum[8];
    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += a[i] * b[i];
    for (int d = 16; d > 0; d >>= 1)
        sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (threadIdx.x % 32 == 0)
        warp_sum[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < 8 ? warp_sum[threadIdx.x] : 0.0f;
        for (int d = 4; d > 0; d >>= 1)
            sum += __shfl_xor_sync(0xffffffffu, sum, d);
        if (threadIdx.x == 0)
            atomicAdd(out, sum);
    }
}

extern "C" __global__ void reduce_max(const unsigned *in, unsigned *out, int n)
{
    unsigned best = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        best = max(best, in[i]);
    best = __reduce_max_sync(0xffffffffu, best);
    if (threadIdx.x % 32 == 0)
        atomicMax(out, best);
}
// SPDX-License-Identifier: Apache-2.0
