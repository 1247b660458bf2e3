/* Byte histogram: one private histogram per CTA in shared memory, merged with global atomics. */
extern "C" __global__ void histogram(const unsigned *words, unsigned *bins, int nwords)
{
    __shared__ unsigned part[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        part[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < nwords; i += gridDim.x * blockDim.x) {
        unsigned w = words[i];
        atomicAdd(&part[w & 255], 1u);
        atomicAdd(&part[w >> 8 & 255], 1u);
        atomicAdd(&part[w >> 16 & 255], 1u);
        atomicAdd(&part[w >> 24], 1u);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        if (part[i])
            atomicAdd(&bins[i], part[i]);
}
// SPDX-License-Identifier: Apache-2.0
