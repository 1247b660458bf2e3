// Half of each warp waits at a barrier of its own.
#include <cstdio>
__global__ void halves(int *out)
{
    __shared__ int s[64];
    unsigned t = threadIdx.x;
    s[t] = t;
    if (t % 32 < 16) {
        s[t] *= 2;
        __syncthreads(); // INNER
        s[t] += 1;
    }
    __syncthreads(); // OUTER
    out[t] = s[63 - t];
}
int main()
{
    int *out;
    cudaMalloc(&out, 64 * 4);
    halves<<<1, 64>>>(out);
    return cudaDeviceSynchronize() != cudaSuccess;
}
// SPDX-License-Identifier: Apache-2.0
