/* Latency of L2 and of DRAM while others load as well: warps chase pointers, a line of 128 bytes a step and all lanes in it, each in a
 * region of its own. Prints cycles of a step by SMs that take part and warps of each; the regions together fit L2 (and are there), or not. */
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void chase(const unsigned *next, unsigned long long *cycles, unsigned *out, unsigned lines, int steps)
{
    unsigned warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    const unsigned *mine = next + (size_t)warp * lines * 32;
    unsigned at = 0;
    unsigned long long from = clock64();
#pragma unroll 1
    for (int i = 0; i < steps; i++)
        at = __ldcg(mine + (size_t)at * 32 + threadIdx.x % 32);
    unsigned long long took = clock64() - from;
    if (threadIdx.x % 32 == 0)
        cycles[warp] = took;
    out[threadIdx.x] = at;
}

int main()
{
    const int all = 132 * 8;
    unsigned *next, *out;
    unsigned long long *cycles;
    std::vector<unsigned long long> got(all);
    cudaMalloc(&out, 4096);
    cudaMalloc(&cycles, all * 8);
    printf("where,sms,warps,cycles\n");
    for (int dram = 0; dram < 2; dram++) {
        for (int sms : {1, 16, 66, 132}) {
            for (int warps : {1, 4, 8}) {
                unsigned lines = dram ? 8192 : 16u * 1024 * 1024 / 128 / (132 * 8);
                int steps = dram ? 2000 : 1000;
                std::vector<unsigned> order(lines), host((size_t)lines * 32);
                for (unsigned i = 0; i < lines; i++)
                    order[i] = i;
                srand(1);
                for (unsigned i = lines - 1; i; i--)
                    std::swap(order[i], order[rand() % i]);
                for (unsigned i = 0; i < lines; i++)
                    for (int k = 0; k < 32; k++)
                        host[(size_t)order[i] * 32 + k] = order[(i + 1) % lines];
                size_t bytes = (size_t)lines * 128;
                cudaMalloc(&next, bytes * sms * warps);
                for (int w = 0; w < sms * warps; w++)
                    cudaMemcpy(next + (size_t)w * lines * 32, host.data(), bytes, cudaMemcpyHostToDevice);
                unsigned *flush; /* L2 is emptied of them */
                cudaMalloc(&flush, 256 << 20);
                if (dram)
                    cudaMemset(flush, 0, 256 << 20);
                if (!dram)
                    chase<<<sms, warps * 32>>>(next, cycles, out, lines, steps);
                chase<<<sms, warps * 32>>>(next, cycles, out, lines, steps);
                cudaMemcpy(got.data(), cycles, sms * warps * 8, cudaMemcpyDeviceToHost);
                double sum = 0;
                for (int w = 0; w < sms * warps; w++)
                    sum += double(got[w]) / steps;
                printf("%s,%d,%d,%.1f\n", dram ? "dram" : "l2", sms, warps, sum / (sms * warps));
                cudaFree(next);
                cudaFree(flush);
            }
        }
    }
    return cudaGetLastError() != cudaSuccess;
}
// SPDX-License-Identifier: Apache-2.0
