/* Heat flow on a 3-D grid, seven points a step, Jacobi sweeps between two grids. A thread owns two columns 32
 * points apart and walks up the planes: below, own and above stay in registers, the own plane of the CTA's
 * tile lies in shared memory, and only a tile's rim loads its outer neighbours from global memory
 * (divergent). Bound by memory bandwidth. */
#include "../workload.h"

#define BLOCK_X 32
#define BLOCK_Y 4
#define TILE_X (2 * BLOCK_X)
#define C0 (1.0f / 6.0f)
#define C1 (1.0f / 36.0f)

/* The sum of the four neighbours in the plane of point (x, y); p is the point in global memory. */
__device__ static inline float around(const float (*tile)[TILE_X], const float *p, int x, int y, int nx)
{
    float west = tile[y][max(x - 1, 0)], east = tile[y][min(x + 1, TILE_X - 1)];
    float north = tile[max(y - 1, 0)][x], south = tile[min(y + 1, BLOCK_Y - 1)][x];
    if (x == 0)
        west = __ldg(p - 1);
    if (x == TILE_X - 1)
        east = __ldg(p + 1);
    if (y == 0)
        north = __ldg(p - nx);
    if (y == BLOCK_Y - 1)
        south = __ldg(p + nx);
    return west + east + north + south;
}

__global__ void sweep(const float *in, float *out, int nx, int ny, int nz)
{
    __shared__ float tile[BLOCK_Y][TILE_X];
    int x = threadIdx.x, x2 = x + BLOCK_X, y = threadIdx.y;
    int i = blockIdx.x * TILE_X + x, j = blockIdx.y * BLOCK_Y + y;
    bool inner_y = j > 0 && j < ny - 1;
    bool inner = inner_y && i > 0, inner2 = inner_y && i + BLOCK_X < nx - 1;
    int plane = nx * ny;
    const float *p = in + plane + j * nx + i;
    float *q = out + plane + j * nx + i;
    float below = p[-plane], below2 = p[BLOCK_X - plane];
    float own = p[0], own2 = p[BLOCK_X];
#pragma unroll 1
    for (int k = 1; k < nz - 1; k++) {
        float above = p[plane], above2 = p[plane + BLOCK_X];
        tile[y][x] = own;
        tile[y][x2] = own2;
        __syncthreads();
        if (inner)
            q[0] = (above + below + around(tile, p, x, y, nx)) * C1 - own * C0;
        if (inner2)
            q[BLOCK_X] = (above2 + below2 + around(tile, p + BLOCK_X, x2, y, nx)) * C1 - own2 * C0;
        __syncthreads();
        below = own, below2 = own2;
        own = above, own2 = above2;
        p += plane, q += plane;
    }
}

static void host_sweep(const float *in, float *out, int nx, int ny, int nz)
{
    int plane = nx * ny;
    for (int k = 1; k < nz - 1; k++)
        for (int j = 1; j < ny - 1; j++)
            for (int i = 1; i < nx - 1; i++) {
                const float *p = in + k * plane + j * nx + i;
                float sum = p[plane] + p[-plane] + (p[-1] + p[1] + p[-nx] + p[nx]);
                out[p - in] = sum * C1 - p[0] * C0;
            }
}

struct problem {
    int nx, ny, nz, sweeps;
};

int main(int argc, char **argv)
{
    static const struct problem problems[] = {{64, 32, 12, 2}, {256, 256, 32, 2}, {512, 512, 64, 3}};
    const struct problem *p = &problems[parse_size(argc, argv)];
    size_t points = (size_t)p->nx * p->ny * p->nz, bytes = points * sizeof(float);
    float *from = (float *)host_alloc(bytes), *to = (float *)host_alloc(bytes),
          *got = (float *)host_alloc(bytes);
    uint32_t seed = 15;
    for (size_t i = 0; i < points; i++)
        from[i] = to[i] = next_float(&seed);
    float *d_from = (float *)device_copy(from, bytes), *d_to = (float *)device_copy(to, bytes);
    dim3 block(BLOCK_X, BLOCK_Y), grid(p->nx / TILE_X, p->ny / BLOCK_Y);
    for (int i = 0; i < p->sweeps; i++) {
        sweep<<<grid, block>>>(d_from, d_to, p->nx, p->ny, p->nz);
        host_sweep(from, to, p->nx, p->ny, p->nz);
        float *t = d_from;
        d_from = d_to, d_to = t;
        t = from, from = to, to = t;
    }
    fetch(got, d_from, bytes);
    /* Values stay below 1 and a sweep shrinks errors; only rounding differs. */
    long wrong = count_off(got, from, points, 1e-6f);
    CHECK(cudaFree(d_from));
    CHECK(cudaFree(d_to));
    free(from), free(to), free(got);
    return verdict("stencil", wrong);
}
// SPDX-License-Identifier: Apache-2.0
