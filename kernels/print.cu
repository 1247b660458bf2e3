/* What a kernel says: formatted output, assertions, a trap. */
#undef NDEBUG
#include <assert.h>
#include <stdio.h>

extern "C" __global__ void print_all(const double *v, int n)
{
    if (threadIdx.x == 0) {
        for (int i = 0; i < n; i++)
            printf("%d: %.3f %s %c 0x%llx %5u|%-4d|\n", i, v[i], i % 2 ? "odd" : "even", 'a' + i,
                   0x123456789abcull * i, 7u * i, i);
        printf("done\n");
    }
}

extern "C" __global__ void check_sorted(const int *v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 < n)
        assert(v[i] <= v[i + 1]);
}

extern "C" __global__ void trap_if(const int *v, int bad)
{
    if (v[threadIdx.x] == bad)
        __trap();
}
// SPDX-License-Identifier: Apache-2.0
