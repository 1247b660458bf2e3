// A barrier is missing between the two lines of a shared exchange.
#include <cstdio>
__global__ void reverse(const int *in, int *out)
{
    __shared__ int tile[128];
    unsigned t = threadIdx.x;
    tile[t] = in[blockIdx.x * 128 + t]; // WRITE
    out[blockIdx.x * 128 + t] = tile[127 - t]; // READ
}
int main()
{
    int *in, *out, host[512];
    for (int i = 0; i < 512; i++)
        host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    reverse<<<4, 128>>>(in, out);
    return cudaDeviceSynchronize() != cudaSuccess;
}
// SPDX-License-Identifier: Apache-2.0
