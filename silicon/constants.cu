/* Constants at an index in a register: lanes of a warp read `words` different ones, `apart` words from each other. Prints cycles of a
 * load in a chain of one warp, and cycles per load of an SM with 32 warps. */
#include <cstdio>

__constant__ unsigned table[8192];

__global__ void chain(unsigned *out, unsigned long long *cycles, int words, int apart, int n)
{
    unsigned x = threadIdx.x % words * apart;
    for (int i = 0; i < 32; i++) /* the lines are there */
        x = table[x];
    __syncthreads();
    unsigned long long from = clock64();
#pragma unroll 1
    for (int i = 0; i < n; i += 16) {
#pragma unroll
        for (int k = 0; k < 16; k++)
            x = table[x];
    }
    __syncthreads();
    if (threadIdx.x == 0)
        *cycles = clock64() - from;
    out[threadIdx.x] = x;
}

int main()
{
    static unsigned host[8192];
    unsigned *out;
    unsigned long long *cycles, c;
    for (unsigned i = 0; i < 8192; i++)
        host[i] = i;
    cudaMemcpyToSymbol(table, host, sizeof host);
    cudaMalloc(&out, 4096);
    cudaMalloc(&cycles, 8);
    const int n = 1024;
    printf("words,apart,latency,per_sm\n");
    const int rows[][2] = {{1, 1}, {2, 1}, {4, 1}, {8, 1}, {16, 1}, {32, 1}, {2, 16}, {4, 16}, {8, 16}, {2, 64}, {8, 64}, {32, 8}};
    for (auto &r : rows) {
        double at[2];
        for (int k = 0; k < 2; k++) {
            chain<<<1, k ? 1024 : 32>>>(out, cycles, r[0], r[1], n);
            cudaMemcpy(&c, cycles, 8, cudaMemcpyDeviceToHost);
            at[k] = double(c) / n / (k ? 32 : 1);
        }
        printf("%d,%d,%.2f,%.2f\n", r[0], r[1], at[0], at[1]);
    }
    return cudaGetLastError() != cudaSuccess;
}
// SPDX-License-Identifier: Apache-2.0
