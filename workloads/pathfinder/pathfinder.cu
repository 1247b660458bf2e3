/* The cheapest way through a grid from top to bottom, one row at a time: a step goes straight or one
 * column aside. A CTA of 256 threads keeps a row of partial costs in shared memory and computes 20 rows
 * before it writes: a ghost zone of 20 columns at each side is computed twice, and shrinks row by row.
 * Barrier, two shared arrays and few registers; nothing but the wall comes from memory. */
#include "../workload.h"

#define BLOCK 256
#define HEIGHT 20
#define INNER (BLOCK - 2 * HEIGHT)

/* `rows` (at most HEIGHT) rows of costs from `first` on, on top of the costs `src`. */
__global__ void advance(const int *__restrict__ wall, const int *__restrict__ src, int *__restrict__ dst,
                        int cols, int first, int rows)
{
    __shared__ int prev[BLOCK], next[BLOCK];
    int x = threadIdx.x, col = (int)blockIdx.x * INNER - HEIGHT + x;
    bool inside = col >= 0 && col < cols;
    /* Neighbours that the grid has; what the CTA lacks is masked out by the shrinking zone below. */
    int west = max(x - 1, 0), east = min(x + 1, BLOCK - 1);
    if (col == 0)
        west = x;
    if (col == cols - 1)
        east = x;
    if (inside)
        prev[x] = src[col];
    __syncthreads();
    bool computed = false;
#pragma unroll 1
    for (int i = 0; i < rows; i++) {
        computed = inside && x >= i + 1 && x <= BLOCK - 2 - i;
        if (computed) {
            int least = min(prev[x], min(prev[west], prev[east]));
            next[x] = least + wall[(first + i) * cols + col];
        }
        __syncthreads();
        if (i == rows - 1)
            break;
        if (computed)
            prev[x] = next[x];
        __syncthreads();
    }
    if (computed && x >= HEIGHT && x < HEIGHT + INNER)
        dst[col] = next[x];
}

static void find_on_host(const int *wall, int *cost, int *above, int rows, int cols)
{
    memcpy(cost, wall, cols * sizeof *cost);
    for (int r = 1; r < rows; r++) {
        memcpy(above, cost, cols * sizeof *cost);
        for (int c = 0; c < cols; c++) {
            int least = above[c];
            if (c > 0 && above[c - 1] < least)
                least = above[c - 1];
            if (c < cols - 1 && above[c + 1] < least)
                least = above[c + 1];
            cost[c] = least + wall[(size_t)r * cols + c];
        }
    }
}

int main(int argc, char **argv)
{
    static const int all_cols[] = {2000, 60000, 400000}, all_rows[] = {41, 101, 201};
    int size = parse_size(argc, argv), cols = all_cols[size], rows = all_rows[size];
    size_t bytes = cols * sizeof(int), count = (size_t)rows * cols;
    int *wall = (int *)host_alloc(count * sizeof *wall), *got = (int *)host_alloc(bytes);
    int *want = (int *)host_alloc(bytes), *above = (int *)host_alloc(bytes);
    uint32_t seed = 9;
    for (size_t i = 0; i < count; i++)
        wall[i] = (int)(next_random(&seed) % 10);
    int *d_wall = (int *)device_copy(wall, count * sizeof *wall);
    int *d_cost[2] = {(int *)device_copy(wall, bytes), (int *)device_alloc(bytes)};
    int now = 0;
    for (int r = 1; r < rows; r += HEIGHT, now = !now) {
        int some = rows - r < HEIGHT ? rows - r : HEIGHT;
        advance<<<(cols + INNER - 1) / INNER, BLOCK>>>(d_wall, d_cost[now], d_cost[!now], cols, r, some);
    }
    fetch(got, d_cost[now], bytes);

    find_on_host(wall, want, above, rows, cols);
    long wrong = 0;
    for (int c = 0; c < cols; c++)
        wrong += got[c] != want[c];
    CHECK(cudaFree(d_wall));
    CHECK(cudaFree(d_cost[0]));
    CHECK(cudaFree(d_cost[1]));
    free(wall), free(got), free(want), free(above);
    return verdict("pathfinder", wrong);
}
// SPDX-License-Identifier: Apache-2.0
