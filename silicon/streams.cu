/* Streams of 16 bytes a thread through an empty L2: read, written, copied, changed in place, and written where another CTA reads. Needs a
 * real GPU under a profiler, which empties the caches: nvcc -O3 -arch=sm_90 streams.cu; ncu --metrics sm__cycles_elapsed.max,... a.out. */
#include "../workloads/workload.h"

#define AT (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void read_only(const uint4 *x, uint4 *y)
{
    uint4 v = x[AT];
    if (v.x == 12345)
        y[AT] = v;
}

__global__ void write_only(const uint4 *, uint4 *y) { y[AT] = make_uint4(AT, 1, 2, 3); }

__global__ void copy(const uint4 *x, uint4 *y)
{
    uint4 v = x[AT];
    v.x++;
    y[AT] = v;
}

__global__ void in_place(const uint4 *, uint4 *y)
{
    uint4 v = y[AT];
    v.x++;
    y[AT] = v;
}

__global__ void elsewhere(const uint4 *, uint4 *y)
{
    uint4 v = y[AT];
    v.x++;
    y[AT ^ 1 << 14] = v;
}

int main()
{
    static void (*const kernels[])(const uint4 *, uint4 *) = {read_only, write_only, copy, in_place, elsewhere};
    for (int mb = 4; mb <= 40; mb += mb == 4 ? 16 : 20) {
        size_t bytes = (size_t)mb << 20;
        uint4 *x = (uint4 *)device_alloc(bytes), *y = (uint4 *)device_alloc(bytes);
        CHECK(cudaMemset(x, 0, bytes));
        CHECK(cudaMemset(y, 0, bytes));
        for (auto k : kernels)
            k<<<bytes / 16 / 256, 256>>>(x, y);
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaFree(x));
        CHECK(cudaFree(y));
    }
    return 0;
}
