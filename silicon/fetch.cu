/* Instruction fetch: straight code of so many KB (16 bytes an instruction, four chains of FMAs), gone through `passes` times. On a GPU
 * each pass tells its cycles by `clock64`: the first is cold, from L2 or beyond, the third has what the caches of the SM hold. In a
 * replayed trace they are differences of launches with 1, 2 and 3 passes. One warp, and one for each partition. */
#include "pieces.h"

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t e_ = (call);                                                                             \
        if (e_ != cudaSuccess) {                                                                             \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e_));                                      \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

#define CODE(kb, body)                                                                                       \
    __global__ void code_##kb(long long *took, float *out, int passes, float b, float c)                     \
    {                                                                                                        \
        float x = b, y = b, z = b, w = b;                                                                    \
        _Pragma("unroll 1") for (int i = 0; i < passes; i++)                                                 \
        {                                                                                                    \
            long long begin = clock64();                                                                     \
            body;                                                                                            \
            long long end = clock64();                                                                       \
            if (threadIdx.x % 32 == 0)                                                                       \
                took[threadIdx.x / 32 * 8 + i] = end - begin;                                                \
        }                                                                                                    \
        if (x + y + z + w == 12345.0f)                                                                       \
            out[0] = x;                                                                                      \
    }

CODE(4, K4)
CODE(16, K16)
CODE(32, K16 K16)
CODE(64, K64)
CODE(96, K64 K16 K16)
CODE(128, K64 K64)
CODE(192, K64 K64 K64)
CODE(256, K256)
CODE(512, K256 K256)

typedef void (*code)(long long *, float *, int, float, float);

int main(void)
{
    enum { CODES = 9 };
    static const int kb[CODES] = {4, 16, 32, 64, 96, 128, 192, 256, 512};
    static const code codes[CODES] = {code_4,   code_16,  code_32,  code_64, code_96,
                                      code_128, code_192, code_256, code_512};
    long long *took, t[32];
    float *out;
    CHECK(cudaMalloc(&took, sizeof t));
    CHECK(cudaMalloc(&out, 256));
    puts("kb,warps,launch,first,second,third");
    for (int i = 0; i < CODES; i++)
        for (int warps = 1; warps <= 4; warps += 3)
#ifdef __NVCC__
            for (int launch = 0; launch < 3; launch++) {
                /* Not the first: the SM has gone through other code, L2 has this one. */
                if (launch == 2)
                    codes[i == CODES - 1 ? CODES - 2 : CODES - 1]<<<132, 32>>>(took, out, 1, 1.0f, 0.5f);
                codes[i]<<<1, warps * 32>>>(took, out, 3, 1.0f, 0.5f);
                CHECK(cudaDeviceSynchronize());
                CHECK(cudaMemcpy(t, took, sizeof t, cudaMemcpyDeviceToHost));
                printf("%d,%d,%d,%lld,%lld,%lld\n", kb[i], warps, launch, t[0], t[1], t[2]);
            }
#else
            for (int passes = 0; passes < 4; passes++)
                codes[i]<<<1, warps * 32>>>(took, out, passes, 1.0f, 0.5f);
    CHECK(cudaDeviceSynchronize());
#endif
    puts("PASS");
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
