/* Matrix transpose, a tile of 32 x 32 by a CTA of 32 x 8 threads, in three versions. naive: reads columns
 * and writes rows of global memory, so that each load touches 32 lines. shared: coalesced both ways through
 * a tile in shared memory, whose columns all lie in one bank. padded: the same with a column more, free of
 * bank conflicts. Tiles that follow each other lie along a column of the matrix, or along its rows as in M. Harris, An efficient
 * matrix transpose in CUDA C/C++ (naive: along a row of the result, in either case). */
#include "../workload.h"

#define TILE 32
#define ROWS 8

/* Indices are 32 bits: matrices of up to 2^31 elements. */
__global__ void transpose_naive(float *__restrict__ to, const float *__restrict__ from, int width, int height)
{
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    const float *column = from + (x * width + y);
    float *row = to + (y * height + x);
#pragma unroll
    for (int r = 0; r < TILE; r += ROWS, row += ROWS * height)
        *row = column[r];
}

template <int PAD>
__device__ void through_tile(float *__restrict__ to, const float *__restrict__ from, int width, int height, int x0, int y0)
{
    __shared__ float tile[TILE][TILE + PAD];
    int tx = threadIdx.x, ty = threadIdx.y;
    const float *row = from + ((y0 + ty) * width + x0 + tx);
#pragma unroll
    for (int r = 0; r < TILE; r += ROWS, row += ROWS * width)
        tile[ty + r][tx] = *row;
    __syncthreads();
    float *column = to + ((x0 + ty) * height + y0 + tx);
#pragma unroll
    for (int r = 0; r < TILE; r += ROWS, column += ROWS * height)
        *column = tile[tx][ty + r];
}

template <int PAD>
__global__ void transpose_tile(float *__restrict__ to, const float *__restrict__ from, int width, int height)
{
    through_tile<PAD>(to, from, width, height, blockIdx.y * TILE, blockIdx.x * TILE);
}

template <int PAD>
__global__ void transpose_rows(float *__restrict__ to, const float *__restrict__ from, int width, int height)
{
    through_tile<PAD>(to, from, width, height, blockIdx.x * TILE, blockIdx.y * TILE);
}

int main(int argc, char **argv)
{
    static const char *const versions[] = {"naive", "shared", "padded", NULL};
    static const char *const ways[] = {"columns", "rows", NULL};
    static const int repeats[] = {1, 2, 16};
    int widths[] = {256, 2048, 4096}, heights[] = {192, 1536, 4096}, version = 0, along = 0;
    const struct choice options[] = {
        {"version", versions, &version}, {"width", NULL, &widths[DEFAULT]}, {"height", NULL, &heights[DEFAULT]},
        {"along", ways, &along}};
    int size = parse_args(argc, argv, options, 4), w = widths[size] / TILE * TILE, h = heights[size] / TILE * TILE;
    size_t n = (size_t)w * h, bytes = sizeof(float) * n;
    float *a = (float *)host_alloc(bytes), *got = (float *)host_alloc(bytes);
    uint32_t seed = 3232;
    for (size_t i = 0; i < n; i++)
        a[i] = next_float(&seed);
    float *d_a = (float *)device_copy(a, bytes), *d_t = (float *)device_alloc(bytes);
    dim3 grid(h / TILE, w / TILE), rows(w / TILE, h / TILE), block(TILE, ROWS);
    for (int r = 0; r < repeats[size]; r++) {
        if (version == 0)
            transpose_naive<<<grid, block>>>(d_t, d_a, w, h);
        else if (along)
            version == 1 ? transpose_rows<0><<<rows, block>>>(d_t, d_a, w, h)
                         : transpose_rows<1><<<rows, block>>>(d_t, d_a, w, h);
        else if (version == 1)
            transpose_tile<0><<<grid, block>>>(d_t, d_a, w, h);
        else
            transpose_tile<1><<<grid, block>>>(d_t, d_a, w, h);
    }
    fetch(got, d_t, bytes);

    long wrong = 0;
    for (int x = 0; x < w; x++)
        for (int y = 0; y < h; y++)
            wrong += got[(size_t)x * h + y] != a[(size_t)y * w + x];
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_t));
    free(a), free(got);
    return verdict("transpose", wrong);
}
// SPDX-License-Identifier: Apache-2.0
