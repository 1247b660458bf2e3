/* Temperature of a chip from its power, by an explicit 5-point scheme in two dimensions, after Rodinia's
 * hotspot: a CTA of 16x16 threads loads a tile with a border of two cells into shared memory, makes two time
 * steps there (less of the tile is valid after each) and writes the 12x12 cells left. Border lanes idle,
 * clamped neighbour indices, about 22 registers, 12 bytes of shared memory a thread. */
#include "../workload.h"

#define SIDE 16
#define STEPS 2 /* time steps of one launch, and cells of border */
#define INNER (SIDE - 2 * STEPS)
#define AMBIENT 80.0f

/* What flows per step: heat of the power, and along x, y and to the environment. */
struct chip {
    int width, height;
    float step, along_x, along_y, out;
};

__global__ void hotspot(int steps, const float *power, const float *from, float *to, int width, int height,
                        float step, float along_x, float along_y, float out)
{
    __shared__ float old[SIDE][SIDE], heat[SIDE][SIDE], fresh[SIDE][SIDE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int left = INNER * blockIdx.x - STEPS, top = INNER * blockIdx.y - STEPS;
    int x = left + tx, y = top + ty, at = width * y + x;

    if (x >= 0 && x < width && y >= 0 && y < height) {
        old[ty][tx] = from[at];
        heat[ty][tx] = power[at];
    }
    __syncthreads();

    /* The part of the tile that lies on the chip; a neighbour beyond it is the cell itself. */
    int x_min = left < 0 ? -left : 0, y_min = top < 0 ? -top : 0;
    int x_max = left + SIDE > width ? width - left - 1 : SIDE - 1;
    int y_max = top + SIDE > height ? height - top - 1 : SIDE - 1;
    int north = max(ty - 1, y_min), south = min(ty + 1, y_max), west = max(tx - 1, x_min),
        east = min(tx + 1, x_max);
    bool valid = false;
#pragma unroll 1
    for (int i = 0; i < steps; i++) {
        valid = (tx > i) & (tx < SIDE - 1 - i) & (ty > i) & (ty < SIDE - 1 - i) & (tx >= x_min) &
                (tx <= x_max) & (ty >= y_min) & (ty <= y_max);
        if (valid) {
            float here = old[ty][tx];
            fresh[ty][tx] =
                here +
                step * (heat[ty][tx] + (old[south][tx] + old[north][tx] - 2.0f * here) * along_y +
                        (old[ty][east] + old[ty][west] - 2.0f * here) * along_x + (AMBIENT - here) * out);
        }
        __syncthreads();
        if (i == steps - 1)
            break;
        if (valid)
            old[ty][tx] = fresh[ty][tx];
        __syncthreads();
    }
    if (valid)
        to[at] = fresh[ty][tx];
}

static void step_reference(const float *power, const float *from, float *to, const struct chip *c)
{
    for (int y = 0; y < c->height; y++)
        for (int x = 0; x < c->width; x++) {
            size_t at = (size_t)y * c->width + x;
            double here = from[at], north = from[y ? at - c->width : at], west = from[x ? at - 1 : at];
            double south = from[y < c->height - 1 ? at + c->width : at],
                   east = from[x < c->width - 1 ? at + 1 : at];
            to[at] =
                (float)(here + c->step * (power[at] + (south + north - 2 * here) * c->along_y +
                                          (east + west - 2 * here) * c->along_x + (AMBIENT - here) * c->out));
        }
}

int main(int argc, char **argv)
{
    static const int sides[] = {64, 512, 1024}, all_steps[] = {4, 4, 16};
    int size = parse_size(argc, argv), side = sides[size], steps = all_steps[size], n = side * side;
    struct chip chip = {side, side, 0.2f, 0.6f, 0.5f, 0.02f};
    size_t bytes = n * sizeof(float);
    float *power = (float *)host_alloc(bytes), *got = (float *)host_alloc(bytes);
    float *want[2] = {(float *)host_alloc(bytes), (float *)host_alloc(bytes)};
    uint32_t seed = 16;
    for (int i = 0; i < n; i++) {
        power[i] = 10.0f * next_float(&seed);
        want[0][i] = 323.0f + 20.0f * next_float(&seed);
    }
    float *d_power = (float *)device_copy(power, bytes);
    float *d_from = (float *)device_copy(want[0], bytes), *d_to = (float *)device_alloc(bytes);

    int tiles = (side + INNER - 1) / INNER;
    dim3 grid(tiles, tiles), block(SIDE, SIDE);
    for (int done = 0; done < steps; done += STEPS) {
        hotspot<<<grid, block>>>(steps - done < STEPS ? steps - done : STEPS, d_power, d_from, d_to,
                                 chip.width, chip.height, chip.step, chip.along_x, chip.along_y, chip.out);
        float *swap = d_from;
        d_from = d_to, d_to = swap;
    }
    fetch(got, d_from, bytes);
    for (int i = 0; i < steps; i++)
        step_reference(power, want[i % 2], want[(i + 1) % 2], &chip);
    /* A step moves a cell by degrees; a rounding is 3e-5 of 330 degrees. */
    long wrong = count_off(got, want[steps % 2], n, 3e-6f);
    CHECK(cudaFree(d_power));
    CHECK(cudaFree(d_from));
    CHECK(cudaFree(d_to));
    free(power), free(got), free(want[0]), free(want[1]);
    return verdict("hotspot", wrong);
}
// SPDX-License-Identifier: Apache-2.0
