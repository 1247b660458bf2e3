/* What an access costs when a warp's lanes lie in several lines: cycles per warp access, by lines, by how many words the lanes of
 * one line lie behind those of the one before (within their line), and by warps per SM, of loads that hit L1,
 * of loads from L2, and of stores. Prints CSV; needs a real GPU (clock64). The footprint stays in L1. */
#include <cuda_runtime.h>
#include <stdio.h>

#define LOADS 32
#define ROUNDS 32

enum kind { HIT, PAST, STORE };

/* One that compilers neither drop nor join. */
template <int KIND> __device__ int touch(int *p)
{
    int v = 0;
    if (KIND == HIT)
        asm volatile("ld.global.ca.s32 %0, [%1];" : "=r"(v) : "l"(p));
    else if (KIND == PAST)
        asm volatile("ld.global.cg.s32 %0, [%1];" : "=r"(v) : "l"(p));
    else
        asm volatile("st.global.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
    return v;
}

template <int KIND> __global__ void lines(int *data, int lanes_per_line, int behind, int rounds, int step, long long *times, int *sink)
{
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, sum = 0;
    /* Lane i touches a word of line i / lanes_per_line; warps start at different lines. */
    int line = lane / lanes_per_line;
    int *p = data + line * 32 + (lane % lanes_per_line + line * behind) % 32 + warp * 96;
    for (int i = threadIdx.x; i < 24576; i += blockDim.x)
        sum += data[i];
    __syncthreads();
    long long start = clock64();
    for (int r = 0; r < rounds; r++, p += step) /* by 0, which the compiler does not know */
#pragma unroll
        for (int i = 0; i < LOADS; i++)
            sum += touch<KIND>(p + i * 128);
    sink[threadIdx.x] = sum; /* all loads are back */
    __threadfence_block();
    long long end = clock64();
    if (lane == 0) {
        times[2 * warp] = start;
        times[2 * warp + 1] = end;
    }
}

template <int KIND> void measure(const char *name, int *data, long long *times, int *sink)
{
    long long t[64];
    for (int i = 0; i < 36; i++)
        for (int warps = 1; warps <= 16; warps *= 2) {
            static const int behinds[] = {0, 1, 2, 4, 8, 16};
            int lanes = 32 >> i / 6, behind = behinds[i % 6];
            for (int k = 0; k < 3; k++)
                lines<KIND><<<1, warps * 32>>>(data, lanes, behind, ROUNDS, 0, times, sink);
            cudaMemcpy(t, times, sizeof t, cudaMemcpyDeviceToHost);
            long long first = t[0], last = t[1];
            for (int w = 1; w < warps; w++) {
                first = t[2 * w] < first ? t[2 * w] : first;
                last = t[2 * w + 1] > last ? t[2 * w + 1] : last;
            }
            printf("%s,%d,%d,%d,%.2f\n", name, 32 / lanes, behind, warps, (double)(last - first) / (ROUNDS * LOADS * warps));
        }
}

int main(void)
{
    int *data, *sink;
    long long *times;
    cudaMalloc(&data, 1 << 20);
    cudaMemset(data, 0, 1 << 20);
    cudaMalloc(&sink, 4096);
    cudaMalloc(&times, 64 * sizeof *times);
    printf("kind,lines,behind,warps,cycles\n");
    measure<HIT>("hit", data, times, sink);
    measure<PAST>("l2", data, times, sink);
    measure<STORE>("store", data, times, sink);
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
