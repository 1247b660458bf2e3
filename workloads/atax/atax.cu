/* y = A^T (A x): the first kernel has a thread a row, so that the lanes of a warp stride through memory by
 * whole rows (32 lines a load), the second a thread a column (one line a load). Sums are kept in global
 * memory: a store every step. */
#include "../workload.h"

#define BLOCK 256
#define WHOLE 4096 /* PolyBench has that many rows and columns */

/* A matrix of WIDTH rows and columns, of which a sum takes the first n; 0: of n. */
template <int WIDTH> __global__ void multiply(const float *a, const float *x, float *tmp, int n)
{
    const int width = WIDTH ? WIDTH : n;
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= width)
        return;
    tmp[i] = 0;
#pragma unroll 4
    for (int j = 0; j < n; j++)
        tmp[i] += a[i * width + j] * x[j];
}

template <int WIDTH> __global__ void multiply_transposed(const float *a, const float *tmp, float *y, int n)
{
    const int width = WIDTH ? WIDTH : n;
    int j = blockIdx.x * BLOCK + threadIdx.x;
    if (j >= width)
        return;
    const float *column = a + j;
    y[j] = 0;
#pragma unroll 4
    for (int i = 0; i < n; i++, column += width)
        y[j] += *column * tmp[i];
}

/* All terms are positive, so a sum of n is off by at most n * 2^-24 of itself, and the second sum adds the
 * same again. */
static long compare(const float *a, const float *x, const float *y, int n, int width)
{
    double *want = (double *)host_alloc(width * sizeof(double));
    for (int i = 0; i < n; i++) {
        double tmp = 0;
        for (int j = 0; j < n; j++)
            tmp += (double)a[i * width + j] * x[j];
        for (int j = 0; j < width; j++)
            want[j] += a[i * width + j] * tmp;
    }
    long wrong = 0;
    for (int j = 0; j < width; j++)
        wrong += !(fabs(y[j] - want[j]) <= 2 * n * 0x1p-24 * want[j]);
    free(want);
    return wrong;
}

int main(int argc, char **argv)
{
    static const int repeats[] = {1, 1, 5};
    static const int sizes[] = {512, 2560, 6144};
    int steps = 0; /* of PolyBench's 4096: a part of it that can be waited for */
    const struct choice options[] = {{"steps", NULL, &steps}};
    int size = parse_args(argc, argv, options, 1), part = size == DEFAULT && steps && steps <= WHOLE;
    int width = part ? WHOLE : sizes[size], n = part ? steps : width;
    size_t vector = width * sizeof(float), matrix = width * vector;
    float *a = (float *)host_alloc(matrix), *x = (float *)host_alloc(vector),
          *y = (float *)host_alloc(vector);
    uint32_t seed = 4;
    for (int i = 0; i < width; i++) {
        x[i] = next_float(&seed);
        for (int j = 0; j < width; j++)
            a[i * width + j] = next_float(&seed);
    }
    float *d_a = (float *)device_copy(a, matrix), *d_x = (float *)device_copy(x, vector);
    float *d_tmp = (float *)device_alloc(vector), *d_y = (float *)device_alloc(vector);
    int grid = (width + BLOCK - 1) / BLOCK;
    for (int i = 0; i < repeats[size]; i++) {
        (part ? multiply<WHOLE> : multiply<0>)<<<grid, BLOCK>>>(d_a, d_x, d_tmp, n);
        (part ? multiply_transposed<WHOLE> : multiply_transposed<0>)<<<grid, BLOCK>>>(d_a, d_tmp, d_y, n);
    }
    fetch(y, d_y, vector);
    long wrong = compare(a, x, y, n, width);
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_tmp));
    CHECK(cudaFree(d_y));
    free(a), free(x), free(y);
    return verdict("atax", wrong);
}
// SPDX-License-Identifier: Apache-2.0
