/* How often does each value occur? Each CTA counts in shared memory with atomics, which wait for each other where lanes meet in
 * one bin, and adds its counts to the result. `mask` decides how many bins there are. */
extern "C" __global__ void histogram(int n, unsigned mask, const unsigned *in, unsigned *bins)
{
    __shared__ unsigned count[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        count[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&count[in[i] & mask & 255], 1);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        if (count[i])
            atomicAdd(&bins[i], count[i]);
}
// SPDX-License-Identifier: Apache-2.0
