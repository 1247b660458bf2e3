#include "parts.h"
#include <cstring>
static __global__ void k(int *p, int by) { p[threadIdx.x] *= by; }
int scale(int *p, int by)
{
    k<<<1, COUNT>>>(p, by);
    return std::strlen(NAME) == 3 ? (int)cudaDeviceSynchronize() : -1;
}
// SPDX-License-Identifier: Apache-2.0
