// Three kernels, the second between the profiler's switches.
#include <cstdio>
#include <cuda_profiler_api.h>

__global__ void before(float *a) { a[threadIdx.x] += 1; }
__global__ void measured(float *a) { a[threadIdx.x] *= 2; }
__global__ void after(float *a) { a[threadIdx.x] -= 3; }

int main()
{
    float *a;
    cudaMalloc(&a, 4096);
    before<<<4, 256>>>(a);
    cudaProfilerStart();
    measured<<<4, 256>>>(a);
    measured<<<2, 256>>>(a);
    cudaProfilerStop();
    after<<<4, 256>>>(a);
    cudaDeviceSynchronize();
    puts(cudaGetErrorString(cudaGetLastError()));
}
// SPDX-License-Identifier: Apache-2.0
