/* The sum of an array: each thread adds up its part, a warp its threads by shuffles, a CTA its warps in shared memory, and the
 * CTAs meet in one atomic. */
extern "C" __global__ void reduce(int n, const float *in, float *out)
{
    __shared__ float part[32];
    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    for (int d = 16; d; d /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, d);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x >= 32)
        return;
    sum = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0.0f;
    for (int d = 16; d; d /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, d);
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}
// SPDX-License-Identifier: Apache-2.0
