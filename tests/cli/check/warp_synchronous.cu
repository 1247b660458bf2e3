// A reduction by one warp that relies on its lanes being together.
#include <cstdio>
__global__ void total(const int *v, int *out)
{
    __shared__ int s[64];
    unsigned t = threadIdx.x;
    s[t] = v[t];
    s[t + 32] = v[t + 32];
    __syncwarp();
    s[t] += s[t + 32]; // FIRST
    if (t < 16)
        s[t] += s[t + 16]; // SECOND
    __syncwarp();
    if (t == 0)
        *out = s[0];
}
int main()
{
    int *v, *out;
    cudaMalloc(&v, 64 * 4);
    cudaMalloc(&out, 4);
    cudaMemset(v, 0, 64 * 4);
    total<<<1, 32>>>(v, out);
    return cudaDeviceSynchronize() != cudaSuccess;
}
// SPDX-License-Identifier: Apache-2.0
