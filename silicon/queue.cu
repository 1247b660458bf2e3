/* How many memory instructions wait between issue and L1: loads of 32 lines, or of 32 words in one bank of shared memory, each of which
 * takes 32 cycles, right after each other, with the clock between. Prints the cycles from issue to issue, by warps that do so at a
 * time (the first of each four is in the first partition) and kind. */
#include <cuda_runtime.h>
#include <stdio.h>

enum { LOADS = 40 };

template <int GLOBAL> __global__ void issue(unsigned *when, const unsigned *from, unsigned *out)
{
    extern __shared__ unsigned words[];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        words[i] = i;
    unsigned sum = 0, t[LOADS + 1], v[LOADS], lane = threadIdx.x % 32;
    const unsigned *at = from + lane * 32;
    unsigned base = (unsigned)__cvta_generic_to_shared(words) + lane * 128;
    for (int k = 0; k < 32; k++) /* into L1 */
        sum += at[k];
    __syncthreads();
    asm volatile("mov.u32 %0, %%clock;" : "=r"(t[0])::"memory");
#pragma unroll
    for (int k = 0; k < LOADS; k++) {
        if (GLOBAL)
            asm volatile("ld.global.u32 %0, [%1];" : "=r"(v[k]) : "l"(at + k % 32) : "memory");
        else
            asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(v[k]) : "r"(base + k % 32 * 4) : "memory");
        asm volatile("mov.u32 %0, %%clock;" : "=r"(t[k + 1])::"memory");
    }
    for (int k = 0; k < LOADS; k++)
        sum += v[k];
    if (lane == 0)
        for (int k = 0; k < LOADS; k++)
            when[threadIdx.x / 32 * LOADS + k] = t[k + 1] - t[k];
    out[threadIdx.x] = sum;
}

int main(void)
{
    static unsigned got[32 * LOADS];
    unsigned *when, *from, *out;
    cudaMalloc(&when, sizeof got);
    cudaMalloc(&from, 1 << 20);
    cudaMalloc(&out, 65536);
    cudaMemset(from, 0, 1 << 20);
    printf("kind,warps,load,cycles\n");
    for (int global = 0; global < 2; global++)
        for (int warps = 1; warps <= 16; warps *= 2) {
            for (int k = 0; k < 2; k++)
                if (global)
                    issue<1><<<1, 32 * warps, 4096>>>(when, from, out);
                else
                    issue<0><<<1, 32 * warps, 4096>>>(when, from, out);
            cudaMemcpy(got, when, sizeof got, cudaMemcpyDeviceToHost);
            for (int k = 0; k < LOADS; k++)
                printf("%s,%d,%d,%u\n", global ? "global" : "shared", warps, k, got[k]);
        }
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
