// The host fills 900 of 1000 elements; a sum in shared memory starts with what is there; a local array has a hole.
#include <cstdio>
__global__ void sum(const float *v, int n, float *out)
{
    __shared__ float total[2];
    if (threadIdx.x == 0)
        total[0] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicAdd(&total[0], v[i]); // GLOBAL
    __syncthreads();
    if (threadIdx.x == 0)
        *out = total[0] + total[1]; // SHARED
}
__global__ void pick(const int *which, float *out)
{
    float kept[16];
    for (int i = 0; i < 8; i++)
        kept[which[i]] = i * threadIdx.x;
    out[threadIdx.x] = kept[which[8]]; // LOCAL
}
int main()
{
    float *v, *out, host[900] = {0};
    int *which, order[9] = {0, 2, 4, 6, 8, 10, 12, 14, 3};
    cudaMalloc(&v, 4000);
    cudaMalloc(&out, 4 * 32);
    cudaMalloc(&which, sizeof order);
    cudaMemcpy(v, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(which, order, sizeof order, cudaMemcpyHostToDevice);
    sum<<<1, 128>>>(v, 1000, out);
    pick<<<1, 32>>>(which, out);
    return cudaDeviceSynchronize() != cudaSuccess;
}
// SPDX-License-Identifier: Apache-2.0
