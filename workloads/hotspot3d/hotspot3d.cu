/* Temperature of a stack of chips, a 7-point scheme in three dimensions, after Rodinia's hotspot3D: a thread
 * owns a column of cells and walks through the layers with the values below, here and above in registers; the
 * four neighbours of a layer come from memory (and mostly from the cache). CTAs of 64x4, no shared memory,
 * multiply-adds with all operands in registers. */
#include "../workload.h"

#define BLOCK_X 64
#define BLOCK_Y 4
#define AMBIENT 80.0f

struct stencil {
    int nx, ny, nz;
    float west, east, north, south, below, above, here, heat;
};

__global__ void hotspot3d(const float *__restrict__ power, const float *__restrict__ from,
                          float *__restrict__ to, int nx, int ny, int nz, float c_west, float c_east,
                          float c_north, float c_south, float c_below, float c_above, float c_here,
                          float c_heat)
{
    int x = blockIdx.x * BLOCK_X + threadIdx.x, y = blockIdx.y * BLOCK_Y + threadIdx.y;
    int at = y * nx + x, layer = nx * ny;
    int west = x == 0 ? at : at - 1, east = x == nx - 1 ? at : at + 1;
    int north = y == 0 ? at : at - nx, south = y == ny - 1 ? at : at + nx;
    float below = from[at], here = below, above = from[at + layer];

#pragma unroll 1
    for (int z = 0; z < nz; z++) {
        to[at] = c_here * here + c_west * from[west] + c_east * from[east] + c_south * from[south] +
                 c_north * from[north] + c_below * below + c_above * above + c_heat * power[at] +
                 AMBIENT * c_heat;
        at += layer, west += layer, east += layer, north += layer, south += layer;
        below = here;
        here = above;
        if (z < nz - 2)
            above = from[at + layer];
    }
}

static void step_reference(const float *power, const float *from, float *to, const struct stencil *s)
{
    size_t at = 0, layer = (size_t)s->nx * s->ny;
    for (int z = 0; z < s->nz; z++)
        for (int y = 0; y < s->ny; y++)
            for (int x = 0; x < s->nx; x++, at++) {
                double west = from[x ? at - 1 : at], east = from[x < s->nx - 1 ? at + 1 : at];
                double north = from[y ? at - s->nx : at], south = from[y < s->ny - 1 ? at + s->nx : at];
                double below = from[z ? at - layer : at], above = from[z < s->nz - 1 ? at + layer : at];
                to[at] = (float)(s->here * from[at] + s->west * west + s->east * east + s->south * south +
                                 s->north * north + s->below * below + s->above * above +
                                 s->heat * (power[at] + AMBIENT));
            }
}

int main(int argc, char **argv)
{
    static const int sides[] = {64, 256, 512}, all_steps[] = {2, 6, 30};
    int size = parse_size(argc, argv), steps = all_steps[size];
    struct stencil s = {sides[size], sides[size], 8, 0.08f, 0.07f, 0.09f, 0.1f, 0.12f, 0.11f, 0.0f, 0.002f};
    s.here = 1.0f - s.west - s.east - s.north - s.south - s.below - s.above - s.heat;
    size_t n = (size_t)s.nx * s.ny * s.nz, bytes = n * sizeof(float);
    float *power = (float *)host_alloc(bytes), *got = (float *)host_alloc(bytes);
    float *want[2] = {(float *)host_alloc(bytes), (float *)host_alloc(bytes)};
    uint32_t seed = 36;
    for (size_t i = 0; i < n; i++) {
        power[i] = 500.0f * next_float(&seed);
        want[0][i] = 323.0f + 20.0f * next_float(&seed);
    }
    float *d_power = (float *)device_copy(power, bytes);
    float *d_from = (float *)device_copy(want[0], bytes), *d_to = (float *)device_alloc(bytes);

    dim3 grid(s.nx / BLOCK_X, s.ny / BLOCK_Y), block(BLOCK_X, BLOCK_Y);
    for (int i = 0; i < steps; i++) {
        hotspot3d<<<grid, block>>>(d_power, d_from, d_to, s.nx, s.ny, s.nz, s.west, s.east, s.north, s.south,
                                   s.below, s.above, s.here, s.heat);
        float *swap = d_from;
        d_from = d_to, d_to = swap;
    }
    fetch(got, d_from, bytes);
    for (int i = 0; i < steps; i++)
        step_reference(power, want[i % 2], want[(i + 1) % 2], &s);
    /* A step moves a cell by degrees; eight terms are rounded to 3e-5 degrees each. */
    long wrong = count_off(got, want[steps % 2], n, 5e-6f);
    CHECK(cudaFree(d_power));
    CHECK(cudaFree(d_from));
    CHECK(cudaFree(d_to));
    free(power), free(got), free(want[0]), free(want[1]);
    return verdict("hotspot3d", wrong);
}
// SPDX-License-Identifier: Apache-2.0
