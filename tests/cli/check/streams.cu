// Two streams: one kernel writes what the other one reads. With an argument, an event orders them.
#include <cstdio>
__global__ void fill(int *v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        v[i] = i; // FILL
}
__global__ void twice(const int *v, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 2 * v[i]; // TWICE
}
int main(int argc, char **)
{
    int *v, *out;
    cudaStream_t a, b;
    cudaEvent_t e;
    cudaMalloc(&v, 4096);
    cudaMalloc(&out, 4096);
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaEventCreate(&e);
    fill<<<8, 128, 0, a>>>(v, 1024);
    cudaEventRecord(e, a);
    if (argc > 1)
        cudaStreamWaitEvent(b, e, 0);
    twice<<<8, 128, 0, b>>>(v, out, 1024);
    return cudaDeviceSynchronize() != cudaSuccess;
}
// SPDX-License-Identifier: Apache-2.0
