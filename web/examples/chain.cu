/* A chain of multiply-adds, each of which needs the one before it: a warp alone waits after every one of them. */
extern "C" __global__ void chain(int n, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i;
#pragma unroll 8
    for (int k = 0; k < n; k++)
        v = v * 0.5f + 1.0f;
    out[i] = v;
}
// SPDX-License-Identifier: Apache-2.0
