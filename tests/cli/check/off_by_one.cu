// The last thread reads its right neighbour, which is not there.
#include <cstdio>
__global__ void differences(const int *v, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = v[i + 1] - v[i]; // BEYOND
}
int main()
{
    int *v, *out;
    cudaMalloc(&v, 256 * 4);
    cudaMalloc(&out, 256 * 4);
    cudaMemset(v, 1, 256 * 4);
    differences<<<2, 128>>>(v, out, 256);
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
