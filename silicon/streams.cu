/* Streams of 16 bytes a thread through an empty L2: read, written, copied, changed in place, and written where another CTA reads. Needs a
 * real GPU under a profiler, which empties the caches: nvcc -O3 -arch=sm_90 streams.cu; ncu --metrics sm__cycles_elapsed.max,... a.out.
 * An argument is the only size in MiB. All four words are changed, one by one, so that every compiler moves 16 bytes at a time. */
#include "../workloads/workload.h"

#define AT (blockIdx.x * blockDim.x + threadIdx.x)

__device__ static uint4 more(uint4 v) { return make_uint4(v.x + 1, v.y + 1, v.z + 1, v.w + 1); }

__global__ void read_only(const uint4 *x, uint4 *y)
{
    uint4 v = x[AT];
    if ((v.x ^ v.y ^ v.z ^ v.w) == 12345)
        y[AT] = v;
}

__global__ void write_only(const uint4 *, uint4 *y) { y[AT] = make_uint4(AT, 1, 2, 3); }

__global__ void copy(const uint4 *x, uint4 *y) { y[AT] = more(x[AT]); }

__global__ void in_place(const uint4 *, uint4 *y) { y[AT] = more(y[AT]); }

__global__ void elsewhere(const uint4 *, uint4 *y)
{
    uint4 v = more(y[AT]);
    y[AT ^ 1 << 14] = v;
}

int main(int argc, char **argv)
{
    static void (*const kernels[])(const uint4 *, uint4 *) = {read_only, write_only, copy, in_place, elsewhere};
    static const int sizes[] = {4, 10, 20, 30, 40, 80, 160, 320};
    for (int mb : sizes) {
        if (argc > 1 && mb != atoi(argv[1]))
            continue;
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
// SPDX-License-Identifier: Apache-2.0
