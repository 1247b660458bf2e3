/* LU decomposition without pivoting, blocked 16 x 16 and in place. Each step factors the diagonal tile (16
 * threads), solves the tiles right of and below it (half a warp each), and subtracts their products from
 * the rest (256 threads a tile, both factors in shared memory). The grid shrinks with every step: many
 * small launches, few warps at the end. Small CTAs that hold 1 to 3 KB of shared memory make it limited by
 * shared memory and barriers. */
#include "../workload.h"

#define TILE 16

/* Tile (d, d) becomes L\U: column by column below the diagonal, then the row right of it. */
__global__ void diagonal(float *m, int n, int d)
{
    __shared__ float t[TILE][TILE];
    int x = threadIdx.x;
    float *at = m + d * TILE * (size_t)n + d * TILE;
#pragma unroll 1
    for (int i = 0; i < TILE; i++)
        t[i][x] = at[i * n + x];
    __syncthreads();
#pragma unroll 1
    for (int i = 0; i < TILE - 1; i++) {
        if (x > i) {
#pragma unroll 1
            for (int k = 0; k < i; k++)
                t[x][i] -= t[x][k] * t[k][i];
            t[x][i] /= t[i][i];
        }
        __syncthreads();
        if (x > i) {
#pragma unroll 1
            for (int k = 0; k <= i; k++)
                t[i + 1][x] -= t[i + 1][k] * t[k][x];
        }
        __syncthreads();
    }
#pragma unroll 1
    for (int i = 1; i < TILE; i++)
        at[i * n + x] = t[i][x];
}

/* CTA b takes the tile b + 1 right of the diagonal one (lanes 0 to 15, one column each) and the tile b + 1
 * below it (lanes 16 to 31, one row each). */
__global__ void perimeter(float *m, int n, int d)
{
    __shared__ float diag[TILE][TILE], row[TILE][TILE], col[TILE][TILE];
    int x = threadIdx.x % TILE, first = d * TILE, other = first + (blockIdx.x + 1) * TILE;
    float *at_diag = m + first * (size_t)n + first, *at_row = m + first * (size_t)n + other;
    float *at_col = m + other * (size_t)n + first;
    bool of_row = threadIdx.x < TILE;
    if (of_row) {
#pragma unroll 1
        for (int i = 0; i < TILE / 2; i++)
            diag[i][x] = at_diag[i * n + x];
#pragma unroll 1
        for (int i = 0; i < TILE; i++)
            row[i][x] = at_row[i * n + x];
    } else {
#pragma unroll 1
        for (int i = TILE / 2; i < TILE; i++)
            diag[i][x] = at_diag[i * n + x];
#pragma unroll 1
        for (int i = 0; i < TILE; i++)
            col[i][x] = at_col[i * n + x];
    }
    __syncthreads();
    if (of_row) {
#pragma unroll 1
        for (int i = 1; i < TILE; i++)
#pragma unroll 1
            for (int k = 0; k < i; k++)
                row[i][x] -= diag[i][k] * row[k][x];
    } else {
#pragma unroll 1
        for (int i = 0; i < TILE; i++) {
#pragma unroll 1
            for (int k = 0; k < i; k++)
                col[x][i] -= col[x][k] * diag[k][i];
            col[x][i] /= diag[i][i];
        }
    }
    __syncthreads();
    if (of_row) {
#pragma unroll 1
        for (int i = 1; i < TILE; i++)
            at_row[i * n + x] = row[i][x];
    } else {
#pragma unroll 1
        for (int i = 0; i < TILE; i++)
            at_col[i * n + x] = col[i][x];
    }
}

__global__ void internal(float *m, int n, int d)
{
    __shared__ float row[TILE][TILE], col[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, first = d * TILE;
    int i = first + (blockIdx.y + 1) * TILE + y, j = first + (blockIdx.x + 1) * TILE + x;
    row[y][x] = m[(first + y) * (size_t)n + j];
    col[y][x] = m[i * (size_t)n + first + x];
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int k = 0; k < TILE; k++)
        sum += col[y][k] * row[k][x];
    m[i * (size_t)n + j] -= sum;
}

static void decompose(float *d_m, int n)
{
    int tiles = n / TILE;
    for (int d = 0; d < tiles; d++) {
        int rest = tiles - d - 1;
        diagonal<<<1, TILE>>>(d_m, n, d);
        if (!rest)
            break;
        perimeter<<<rest, 2 * TILE>>>(d_m, n, d);
        internal<<<dim3(rest, rest), dim3(TILE, TILE)>>>(d_m, n, d);
    }
}

static void decompose_on_host(float *m, int n)
{
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            float f = m[(size_t)i * n + k] /= m[(size_t)k * n + k];
            for (int j = k + 1; j < n; j++)
                m[(size_t)i * n + j] -= f * m[(size_t)k * n + j];
        }
}

int main(int argc, char **argv)
{
    static const int sizes[] = {96, 512, 1152};
    int size = parse_size(argc, argv), n = sizes[size];
    size_t count = (size_t)n * n, bytes = count * sizeof(float);
    float *m = (float *)host_alloc(bytes), *got = (float *)host_alloc(bytes);
    uint32_t seed = 512;
    for (size_t i = 0; i < count; i++)
        m[i] = next_float(&seed) - 0.5f;
    for (int i = 0; i < n; i++)
        m[(size_t)i * n + i] = 0.5f * n;
    float *d_m = (float *)device_copy(m, bytes);
    decompose(d_m, n);
    fetch(got, d_m, bytes);

    /* The diagonal dominates, so nothing is amplified: an entry is a sum of n products of at most 1/4 in
     * magnitude, and the order of summation moves it by some n ulp of 1 at the very most. */
    decompose_on_host(m, n);
    long wrong = count_off(got, m, count, 1e-4f);
    CHECK(cudaFree(d_m));
    free(m), free(got);
    return verdict("lud", wrong);
}
// SPDX-License-Identifier: Apache-2.0
