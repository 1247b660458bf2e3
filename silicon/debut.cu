/* What the first launch of a kernel costs beyond later ones: kernels of 1, 16 and 64 KB of straight code, six of each size. Each is launched
 * three times without data, once with words of a page that the host has set, twice with those of a fresh allocation. Prints nothing: a profiler
 * counts, which empties the caches before each launch, or does not. */
#include "pieces.h"

#include <cuda_runtime.h>

template <int KB, int NUMBER> __global__ void code(const float *data, float *out, float b)
{
    float c = NUMBER, x = b, y = b, z = b, w = b;
    if (data)
        x += data[threadIdx.x + blockIdx.x * 32];
    if (KB == 1) {
        I64
    } else if (KB == 16) {
        K16
    } else {
        K64
    }
    if (x + y + z + w == 12345.0f)
        *out = x;
}

template <int KB, int NUMBER> static void thrice(int ctas, const float *data)
{
    float *fresh = nullptr;
    static float *out;
    if (!out)
        cudaMalloc(&out, 256);
    for (int i = 0; i < 3; i++)
        code<KB, NUMBER><<<ctas, 32>>>(nullptr, out, 1.0f);
    code<KB, NUMBER><<<ctas, 32>>>(data, out, 1.0f);
    cudaMalloc(&fresh, 4 << 20);
    for (int i = 0; i < 2; i++)
        code<KB, NUMBER><<<ctas, 32>>>(fresh, out, 1.0f);
    cudaDeviceSynchronize();
}

template <int KB> static void all(const float *data)
{
    thrice<KB, 1>(1, data);
    thrice<KB, 2>(132, data);
    thrice<KB, 3>(1, data);
    thrice<KB, 4>(132, data);
    thrice<KB, 5>(132, data);
    thrice<KB, 6>(132, data);
}

int main(void)
{
    float *data;
    cudaMalloc(&data, 4 << 20);
    cudaMemset(data, 0, 4 << 20);
    code<1, 0><<<132, 32>>>(data, data, 1.0f);
    all<1>(data);
    all<16>(data);
    all<64>(data);
    return cudaDeviceSynchronize() != cudaSuccess;
}
// SPDX-License-Identifier: Apache-2.0
