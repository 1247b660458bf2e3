// The last CTA to finish adds up what the others have left. With an argument, the fence is left out.
#include <cstdio>
__device__ unsigned ticket;
template <bool fence> __global__ void add(const int *v, int *part, int *out)
{
    __shared__ int s[128];
    __shared__ bool last;
    unsigned t = threadIdx.x;
    s[t] = v[blockIdx.x * 128 + t];
    __syncthreads();
    for (unsigned by = 64; by; by /= 2) {
        if (t < by)
            s[t] += s[t + by];
        __syncthreads();
    }
    if (t == 0) {
        part[blockIdx.x] = s[0]; // PART
        if (fence)
            __threadfence();
        last = atomicAdd(&ticket, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        int sum = 0;
        for (unsigned i = 0; i < gridDim.x; i++)
            sum += part[i]; // SUM
        *out = sum;
    }
}
int main(int argc, char **)
{
    int *v, *part, *out;
    cudaMalloc(&v, 1024 * 4);
    cudaMalloc(&part, 8 * 4);
    cudaMalloc(&out, 4);
    cudaMemset(v, 0, 1024 * 4);
    if (argc > 1)
        add<false><<<8, 128>>>(v, part, out);
    else
        add<true><<<8, 128>>>(v, part, out);
    return cudaDeviceSynchronize() != cudaSuccess;
}
// SPDX-License-Identifier: Apache-2.0
