/* A cooperative launch: phases over the whole grid, separated by grid-wide barriers. */
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern "C" __global__ void grid_rotate(int *a, int *b, int n, int phases)
{
    cg::grid_group grid = cg::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int p = 0; p < phases; p++) {
        if (i < n)
            b[i] = a[(i + 1) % n] + p;
        grid.sync();
        int *t = a;
        a = b;
        b = t;
    }
}
// SPDX-License-Identifier: Apache-2.0
