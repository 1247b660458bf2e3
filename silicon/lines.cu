/* What an L1 hit costs when a warp's lanes lie in several lines: cycles per warp load, by lines per load and warps per SM. Prints
 * CSV; needs a real GPU (clock64). The footprint stays in L1. */
#include <cuda_runtime.h>
#include <stdio.h>

#define LOADS 32
#define ROUNDS 32

/* One that compilers neither drop nor join. */
__device__ int load(const int *p)
{
    int v;
    asm volatile("ld.global.ca.s32 %0, [%1];" : "=r"(v) : "l"(p));
    return v;
}

__global__ void lines(const int *data, int lanes_per_line, int rounds, int step, long long *times, int *sink)
{
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, sum = 0;
    /* Lane i reads word i % lanes_per_line of line i / lanes_per_line; warps start at different lines. */
    const int *p = data + ((lane / lanes_per_line) * 32 + lane % lanes_per_line + warp * 96);
    for (int i = threadIdx.x; i < 24576; i += blockDim.x)
        sum += data[i];
    __syncthreads();
    long long start = clock64();
    for (int r = 0; r < rounds; r++, p += step) /* by 0, which the compiler does not know */
#pragma unroll
        for (int i = 0; i < LOADS; i++)
            sum += load(p + i * 128);
    sink[threadIdx.x] = sum; /* all loads are back */
    __threadfence_block();
    long long end = clock64();
    if (lane == 0) {
        times[2 * warp] = start;
        times[2 * warp + 1] = end;
    }
}

int main(void)
{
    int *data, *sink;
    long long *times, t[64];
    cudaMalloc(&data, 1 << 20);
    cudaMemset(data, 0, 1 << 20);
    cudaMalloc(&sink, 4096);
    cudaMalloc(&times, sizeof t);
    printf("lines,warps,cycles_per_load\n");
    for (int lanes = 32; lanes >= 1; lanes /= 2)
        for (int warps = 1; warps <= 16; warps *= 2) {
            for (int k = 0; k < 3; k++)
                lines<<<1, warps * 32>>>(data, lanes, ROUNDS, 0, times, sink);
            cudaMemcpy(t, times, sizeof t, cudaMemcpyDeviceToHost);
            long long first = t[0], last = t[1];
            for (int w = 1; w < warps; w++) {
                first = t[2 * w] < first ? t[2 * w] : first;
                last = t[2 * w + 1] > last ? t[2 * w + 1] : last;
            }
            printf("%d,%d,%.2f\n", 32 / lanes, warps, (double)(last - first) / (ROUNDS * LOADS * warps));
        }
    return 0;
}
