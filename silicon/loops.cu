/* What the end of a loop costs by its length and by warps: a body of FFMAs in four chains and a branch back. Prints the cycles of an
 * iteration of all warps of a partition; needs a real GPU (clock64). */
#include <cstdio>
#include <initializer_list>

enum { TURNS = 512 };

template <int LENGTH> __global__ void loop(long long *took, float *out, int n, float b, float c)
{
    float x[4] = {b, b, b, b};
    __syncthreads();
    long long begin = clock64();
#pragma unroll 1
    for (int i = 0; i < n; i++) {
#pragma unroll
        for (int k = 0; k < LENGTH; k++)
            asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x[k % 4]) : "f"(b), "f"(c));
    }
    __syncthreads();
    if (threadIdx.x == 0)
        *took = clock64() - begin;
    if (n < 0)
        for (int k = 0; k < 4; k++)
            out[k] = x[k];
}

template <int LENGTH> void measure(long long *took, float *out)
{
    for (int warps : {1, 2, 3, 4, 6, 8}) {
        long long got[3];
        for (int n = 0; n < 3; n++) {
            loop<LENGTH><<<1, warps * 128>>>(took, out, n * TURNS, 1.0f, 0.5f);
            cudaMemcpy(&got[n], took, 8, cudaMemcpyDeviceToHost);
        }
        printf("%d,%d,%.2f\n", LENGTH, warps, (double)(got[2] - got[1]) / TURNS);
    }
}

int main()
{
    long long *took;
    float *out;
    cudaMalloc(&took, 8);
    cudaMalloc(&out, 64);
    printf("length,warps,cycles\n");
    measure<4>(took, out);
    measure<8>(took, out);
    measure<12>(took, out);
    measure<16>(took, out);
    measure<24>(took, out);
    measure<32>(took, out);
    measure<64>(took, out);
    measure<128>(took, out);
    measure<256>(took, out);
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
