/* A copy whose neighbouring threads read words that lie `stride` apart. A warp's load asks for as many lines as it touches. */
extern "C" __global__ void stride(int n, int stride, const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[(long long)i * stride % n];
}
// SPDX-License-Identifier: Apache-2.0
