#include "parts.h"
static __global__ void k(int *p, int by) { p[threadIdx.x] += by; }
int shift(int *p, int by)
{
    k<<<1, COUNT>>>(p, by);
    return (int)cudaDeviceSynchronize();
}
// SPDX-License-Identifier: Apache-2.0
