/* What a fence costs: cycles of one turn of a loop with a store, an atomic or nothing before a fence of CTA, GPU or system scope, by warps of
 * an SM and by SMs. clock64 around the loop, the slowest CTA; needs a real GPU. Prints before, fence, ctas, warps, cycles. */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

enum { TURNS = 64, SMS = 132 };

template <int BEFORE, int FENCE> __global__ void turns(unsigned *data, unsigned long long *took)
{
    unsigned *mine = data + (blockIdx.x * blockDim.x + threadIdx.x) * 32;
    __syncthreads();
    unsigned long long began = clock64();
#pragma unroll 1
    for (int i = 0; i < TURNS; i++) {
        if (BEFORE == 1)
            *(volatile unsigned *)(mine + i % 32) = i;
        if (BEFORE == 2)
            asm volatile("red.global.add.u32 [%0], %1;" ::"l"(mine), "r"(i) : "memory");
        if (BEFORE == 3 && threadIdx.x % 32 == 0)
            *(volatile unsigned *)mine = i;
        if (FENCE == 0)
            asm volatile("fence.acq_rel.cta;" ::: "memory");
        if (FENCE == 1)
            asm volatile("fence.acq_rel.gpu;" ::: "memory");
        if (FENCE == 2)
            asm volatile("fence.sc.gpu;" ::: "memory");
        if (FENCE == 3)
            asm volatile("fence.sc.sys;" ::: "memory");
    }
    unsigned long long t = clock64() - began;
    __syncthreads();
    if (threadIdx.x == 0)
        took[blockIdx.x] = t;
}

static unsigned *data;
static unsigned long long *took;

template <int BEFORE, int FENCE> static void row()
{
    static const char *const before[] = {"nothing", "store", "red", "one lane's store"}, *const fence[] = {"cta", "gpu", "sc gpu", "sc sys", "none"};
    for (int ctas : {1, (int)SMS})
        for (int warps : {1, 4, 16, 32}) {
            std::vector<double> all;
            for (int k = 0; k < 5; k++) {
                std::vector<unsigned long long> host(ctas);
                turns<BEFORE, FENCE><<<ctas, warps * 32>>>(data, took);
                cudaMemcpy(host.data(), took, ctas * 8, cudaMemcpyDeviceToHost);
                all.push_back((double)*std::max_element(host.begin(), host.end()) / TURNS);
            }
            std::sort(all.begin(), all.end());
            printf("%s,%s,%d,%d,%.1f\n", before[BEFORE], fence[FENCE], ctas, warps, all[2]);
        }
}

template <int BEFORE> static void rows()
{
    row<BEFORE, 4>();
    row<BEFORE, 0>();
    row<BEFORE, 1>();
    row<BEFORE, 2>();
    row<BEFORE, 3>();
}

int main()
{
    cudaMalloc(&data, (size_t)SMS * 1024 * 128);
    cudaMalloc(&took, SMS * 8);
    cudaMemset(data, 0, (size_t)SMS * 1024 * 128);
    printf("before,fence,ctas,warps,cycles\n");
    rows<0>();
    rows<1>();
    rows<2>();
    rows<3>();
    return cudaDeviceSynchronize() != cudaSuccess;
}
// SPDX-License-Identifier: Apache-2.0
