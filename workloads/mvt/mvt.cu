/* x1 += A y1 and x2 += A^T y2: a thread a row, then a thread a column. The first strides by whole rows (32
 * lines a load, and the lines are used again by the next 31 steps if the cache keeps them), the second is
 * coalesced. Sums in global memory. */
#include "../workload.h"

#define BLOCK 256
#define WHOLE 4096 /* PolyBench has that many rows and columns */

/* A matrix of WIDTH rows and columns, of which a sum takes the first n; 0: of n. */
template <int WIDTH> __global__ void rows(const float *a, float *x1, const float *y1, int n)
{
    const int width = WIDTH ? WIDTH : n;
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= width)
        return;
#pragma unroll 4
    for (int j = 0; j < n; j++)
        x1[i] += a[i * width + j] * y1[j];
}

template <int WIDTH> __global__ void columns(const float *a, float *x2, const float *y2, int n)
{
    const int width = WIDTH ? WIDTH : n;
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= width)
        return;
    const float *column = a + i;
#pragma unroll 4
    for (int j = 0; j < n; j++, column += width)
        x2[i] += *column * y2[j];
}

struct vectors {
    float *x1, *x2, *y1, *y2;
};

/* All terms are positive, so a sum of `terms` is off by at most terms * 2^-24 of itself. */
static long compare(const float *a, const struct vectors *from, const float *x1, const float *x2, int n,
                    int width, int repeats)
{
    double *ay1 = (double *)host_alloc(width * sizeof(double));
    double *aty2 = (double *)host_alloc(width * sizeof(double));
    for (int i = 0; i < width; i++)
        for (int j = 0; j < n; j++) {
            ay1[i] += (double)a[i * width + j] * from->y1[j];
            aty2[i] += (double)a[j * width + i] * from->y2[j];
        }
    long wrong = 0;
    double tolerance = (double)n * repeats * 0x1p-24;
    for (int i = 0; i < width; i++) {
        double want1 = from->x1[i] + repeats * ay1[i], want2 = from->x2[i] + repeats * aty2[i];
        wrong += !(fabs(x1[i] - want1) <= tolerance * want1);
        wrong += !(fabs(x2[i] - want2) <= tolerance * want2);
    }
    free(ay1), free(aty2);
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
    float *a = (float *)host_alloc(matrix), *all = (float *)host_alloc(4 * vector);
    struct vectors v = {all, all + width, all + 2 * width, all + 3 * width};
    uint32_t seed = 6;
    for (int i = 0; i < 4 * width; i++)
        all[i] = next_float(&seed);
    for (int i = 0; i < width * width; i++)
        a[i] = next_float(&seed);
    float *d_a = (float *)device_copy(a, matrix), *d_x1 = (float *)device_copy(v.x1, vector);
    float *d_x2 = (float *)device_copy(v.x2, vector), *d_y1 = (float *)device_copy(v.y1, vector);
    float *d_y2 = (float *)device_copy(v.y2, vector);
    int grid = (width + BLOCK - 1) / BLOCK;
    for (int i = 0; i < repeats[size]; i++) {
        (part ? rows<WHOLE> : rows<0>)<<<grid, BLOCK>>>(d_a, d_x1, d_y1, n);
        (part ? columns<WHOLE> : columns<0>)<<<grid, BLOCK>>>(d_a, d_x2, d_y2, n);
    }
    float *x1 = (float *)host_alloc(vector), *x2 = (float *)host_alloc(vector);
    fetch(x1, d_x1, vector);
    fetch(x2, d_x2, vector);
    long wrong = compare(a, &v, x1, x2, n, width, repeats[size]);
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_x1));
    CHECK(cudaFree(d_x2));
    CHECK(cudaFree(d_y1));
    CHECK(cudaFree(d_y2));
    free(a), free(all), free(x1), free(x2);
    return verdict("mvt", wrong);
}
// SPDX-License-Identifier: Apache-2.0
