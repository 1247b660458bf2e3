/* Code that jumps, the first time: the pieces of jumps.cu (8 FMAs, a branch over 16 or 64 instructions that nobody executes), gone through three
 * times by each warp, each time with its cycles. `launch` 0: nobody has run this code; 1: again; 2: after other code of 380 KB, so that L2 has
 * it and no SM; 3: after that and 256 MB of data, so that only DRAM has it. In a replayed trace the passes are differences of launches with 1, 2
 * and 3 of them. Prints code, CTAs, warps, launch, cycles of the three passes (the slowest CTA's first warp). */
#include "pieces.h"

#include <cuda_runtime.h>
#include <algorithm>
#include <stdio.h>
#include <stdlib.h>

enum { SMS = 132, PASSES = 3 };

#define CODE(name, body)                                                                                     \
    __global__ void name(float b, float c, float bad, int n, long long *took, float *out)                     \
    {                                                                                                        \
        float x = b, y = b, z = b, w = b;                                                                    \
        _Pragma("unroll 1") for (int i = 0; i < n; i++)                                                      \
        {                                                                                                    \
            long long began = clock64();                                                                     \
            body long long end = clock64();                                                                  \
            if (threadIdx.x == 0)                                                                            \
                took[blockIdx.x * PASSES + i] = end - began;                                                 \
        }                                                                                                    \
        if (x + y + z + w == 12345.0f)                                                                       \
            *out = 1;                                                                                        \
    }

CODE(none_64, P64())
CODE(short_16, P16(I16))
CODE(short_64, P64(I16))
CODE(short_128, P64(I16) P64(I16))
CODE(short_192, P64(I16) P64(I16) P64(I16))
CODE(short_256, P256(I16))
CODE(long_16, P16(I64))
CODE(long_32, P16(I64) P16(I64))
CODE(long_64, P64(I64))
CODE(long_96, P64(I64) P16(I64) P16(I64))

CODE(straight_64, P64() P64())
CODE(other, P256(I64) P64(I64))

typedef void (*code)(float, float, float, int, long long *, float *);

int main(void)
{
    static const struct {
        const char *name;
        code k;
    } codes[] = {{"none 64", none_64},     {"none 128", straight_64}, {"short 16", short_16}, {"short 64", short_64}, {"short 128", short_128}, {"short 192", short_192},
                 {"short 256", short_256}, {"long 16", long_16},   {"long 32", long_32},   {"long 64", long_64},     {"long 96", long_96}};
    long long *took, host[SMS * PASSES];
    float *out;
    char *data;
    enum { DATA_B = 256 << 20 };
    cudaMalloc(&took, sizeof host);
    cudaMalloc(&out, 4);
    cudaMalloc(&data, DATA_B);
    puts("code,ctas,warps,launch,first,second,third");
    for (auto &c : codes)
        for (int ctas : {1, (int)SMS})
            for (int warps : {1, 4, 8})
                for (int launch = 0; launch < 4; launch++) {
                    if (launch >= 2)
                        other<<<SMS, 32>>>(1.0f, 0.5f, -7.0f, 1, took, out);
                    if (launch == 3)
                        cudaMemset(data, launch, DATA_B);
#ifdef REPLAY
                    for (int passes = 0; passes < PASSES; passes++)
                        c.k<<<ctas, warps * 32>>>(1.0f, 0.5f, -7.0f, passes, took, out);
#endif
                    c.k<<<ctas, warps * 32>>>(1.0f, 0.5f, -7.0f, PASSES, took, out);
                    if (cudaMemcpy(host, took, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess)
                        return 1;
                    long long most[PASSES] = {0};
                    for (int i = 0; i < ctas * PASSES; i++)
                        most[i % PASSES] = std::max(most[i % PASSES], host[i]);
                    printf("%s,%d,%d,%d,%lld,%lld,%lld\n", c.name, ctas, warps, launch, most[0], most[1], most[2]);
                }
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
