/* Laplace's equation on a three-dimensional grid by Jacobi's method. A CTA of 32 x 4 threads owns a column
 * of the grid and walks along z with three planes of its tile, halo included, in shared memory (19 bytes a
 * thread); each step loads one plane more and updates the middle one. Threads at the tile's edge load the
 * halo too: divergence, and uncoalesced loads at its ends. */
#include "../workload.h"

#define BX 32
#define BY 4
#define PITCH (BX + 2)
#define PLANE (PITCH * (BY + 2))

/* Points on the grid's surface are kept. A thread's own point, and for those on the tile's rim a halo
 * point. */
__global__ void laplace(const float *__restrict__ from, float *__restrict__ to, int nx, int ny, int nz)
{
    __shared__ float u[3 * PLANE];
    int t = threadIdx.y * BX + threadIdx.x, x0 = blockIdx.x * BX, y0 = blockIdx.y * BY;
    int x = x0 + threadIdx.x, y = y0 + threadIdx.y, layer = nx * ny;
    int mine = (threadIdx.y + 1) * PITCH + threadIdx.x + 1, inside = x < nx && y < ny;

    /* The first 64 threads take the rows above and below, the next 8 the columns left and right. */
    int hx = x0 + t % BX, hy = t < BX ? y0 - 1 : y0 + BY, has_halo = t < 2 * BX + 2 * BY;
    if (t >= 2 * BX) {
        hx = t & 1 ? x0 - 1 : x0 + BX;
        hy = y0 + (t - 2 * BX) / 2;
    }
    has_halo = has_halo && hx >= 0 && hx < nx && hy >= 0 && hy < ny;
    int halo = (hy - y0 + 1) * PITCH + hx - x0 + 1;
    int surface = x == 0 || x == nx - 1 || y == 0 || y == ny - 1;
    const float *my_from = from + (y * nx + x), *halo_from = from + (hy * nx + hx);
    float *my_to = to + (y * nx + x);

    /* Where this thread's point is in the three planes; its halo point is a fixed distance from there. */
    int below = mine, middle = mine + PLANE, above = mine + 2 * PLANE;
    halo -= mine;
    if (inside)
        u[above] = *my_from;
    if (has_halo)
        u[above + halo] = *halo_from;
#pragma unroll 1
    for (int z = 0; z < nz; z++) {
        int oldest = below;
        below = middle;
        middle = above;
        above = oldest;
        my_from += layer;
        halo_from += layer;
        __syncthreads();
        if (z + 1 < nz) {
            if (inside)
                u[above] = *my_from;
            if (has_halo)
                u[above + halo] = *halo_from;
        }
        __syncthreads();
        if (inside) {
            float next = u[middle];
            if (!surface && z > 0 && z + 1 < nz)
                next = (u[middle - 1] + u[middle + 1] + u[middle - PITCH] + u[middle + PITCH] + u[below] +
                        u[above]) *
                       (1.0f / 6.0f);
            *my_to = next;
        }
        my_to += layer;
    }
}

static void cpu_step(const float *from, float *to, int nx, int ny, int nz)
{
    int layer = nx * ny;
    for (int z = 0; z < nz; z++)
        for (int y = 0; y < ny; y++)
            for (int x = 0; x < nx; x++) {
                const float *m = from + (z * layer + y * nx + x);
                float next = m[0];
                if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1)
                    next = (m[-1] + m[1] + m[-nx] + m[nx] + m[-layer] + m[layer]) * (1.0f / 6.0f);
                to[z * layer + y * nx + x] = next;
            }
}

static void swap(float **a, float **b)
{
    float *t = *a;
    *a = *b;
    *b = t;
}

int main(int argc, char **argv)
{
    static const int sides[] = {33, 100, 160}, steps[] = {2, 2, 12};
    int size = parse_size(argc, argv), nx = sides[size], ny = nx, nz = size == SMALL ? 16 : nx,
        n = nx * ny * nz;
    size_t bytes = sizeof(float) * n;
    float *now = (float *)host_alloc(bytes), *next = (float *)host_alloc(bytes),
          *got = (float *)host_alloc(bytes);
    uint32_t seed = 1780;
    for (int i = 0; i < n; i++)
        now[i] = next_float(&seed);
    float *d_now = (float *)device_copy(now, bytes), *d_next = (float *)device_alloc(bytes);
    dim3 grid((nx + BX - 1) / BX, (ny + BY - 1) / BY), block(BX, BY);
    for (int s = 0; s < steps[size]; s++) {
        laplace<<<grid, block>>>(d_now, d_next, nx, ny, nz);
        cpu_step(now, next, nx, ny, nz);
        swap(&d_now, &d_next);
        swap(&now, &next);
    }
    fetch(got, d_now, bytes);

    /* The sums are in the same order, and the product comes last: equal to the last bit. */
    long wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += got[i] != now[i];
    CHECK(cudaFree(d_now));
    CHECK(cudaFree(d_next));
    free(now), free(next), free(got);
    return verdict("lps", wrong);
}
// SPDX-License-Identifier: Apache-2.0
