/* What one partition of an SM can send to memory: loads of 16 warps of which only those of some partitions take part. Prints
 * cycles of a load and SM by partitions, warps of each and kind: shared memory, and global memory that is in L1. */
#include <cuda_runtime.h>
#include <stdio.h>

enum { N = 1024, UNROLL = 16 };

template <int GLOBAL> __global__ void loads(long long *took, const unsigned *from, unsigned *out, int n, int parts, int warps)
{
    __shared__ unsigned words[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        words[i] = i;
    int warp = threadIdx.x / 32;
    bool mine = warp % 4 < parts && warp / 4 < warps;
    unsigned sum = 0, base = (unsigned)__cvta_generic_to_shared(words) + threadIdx.x % 32 * 4;
    const unsigned *at = from + threadIdx.x % 32;
    if (GLOBAL)
        for (int k = 0; k < UNROLL; k++)
            sum += at[32 * k];
    __syncthreads();
    long long begin = clock64();
    if (mine)
#pragma unroll 1
        for (int i = 0; i < n; i += UNROLL) {
            unsigned v[UNROLL];
#pragma unroll
            for (int k = 0; k < UNROLL; k++) {
                if (GLOBAL)
                    asm volatile("ld.global.u32 %0, [%1];" : "=r"(v[k]) : "l"(at + 32 * k));
                else
                    asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(v[k]) : "r"(base + 128 * k));
            }
#pragma unroll
            for (int k = 0; k < UNROLL; k += 2)
                sum += v[k] + v[k + 1];
        }
    __syncthreads();
    long long end = clock64();
    if (threadIdx.x == 0)
        *took = end - begin;
    if (n < 0)
        out[threadIdx.x] = sum;
}

int main(void)
{
    long long *took, t[2];
    unsigned *from, *out;
    cudaMallocManaged(&took, sizeof *took);
    cudaMalloc(&from, 65536);
    cudaMalloc(&out, 65536);
    cudaMemset(from, 0, 65536);
    printf("kind,partitions,warps,cycles\n");
    for (int global = 0; global < 2; global++)
        for (int parts = 1; parts <= 4; parts *= 2)
            for (int warps = 1; warps <= 4; warps *= 2) {
                for (int k = 0; k < 2; k++) {
                    if (global)
                        loads<1><<<1, 512>>>(took, from, out, (k + 1) * N, parts, warps);
                    else
                        loads<0><<<1, 512>>>(took, from, out, (k + 1) * N, parts, warps);
                    cudaDeviceSynchronize();
                    t[k] = *took;
                }
                printf("%s,%d,%d,%.3f\n", global ? "global" : "shared", parts, warps,
                       (double)(t[1] - t[0]) / N / warps / parts);
            }
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
