/* The two products of the BiCG solver: s = A^T r with a thread a column (coalesced), then q = A p with a
 * thread a row (32 lines a load). Sums are kept in global memory: a store every step. */
#include "../workload.h"

#define BLOCK 256
#define WHOLE 4096 /* PolyBench has that many rows and columns */

/* A matrix of WIDTH rows and columns, of which a sum takes the first n; 0: of n. */
template <int WIDTH> __global__ void columns(const float *a, const float *r, float *s, int n)
{
    const int width = WIDTH ? WIDTH : n;
    int j = blockIdx.x * BLOCK + threadIdx.x;
    if (j >= width)
        return;
    const float *column = a + j;
    s[j] = 0;
#pragma unroll 4
    for (int i = 0; i < n; i++, column += width)
        s[j] += r[i] * *column;
}

template <int WIDTH> __global__ void rows(const float *a, const float *p, float *q, int n)
{
    const int width = WIDTH ? WIDTH : n;
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= width)
        return;
    q[i] = 0;
#pragma unroll 4
    for (int j = 0; j < n; j++)
        q[i] += a[i * width + j] * p[j];
}

/* All terms are positive, so a sum of n is off by at most n * 2^-24 of itself. */
static long off(const float *got, const double *want, int n, int width)
{
    long wrong = 0;
    for (int i = 0; i < width; i++)
        wrong += !(fabs(got[i] - want[i]) <= n * 0x1p-24 * want[i]);
    return wrong;
}

static long compare(const float *a, const float *r, const float *p, const float *s, const float *q, int n,
                    int width)
{
    double *want_s = (double *)host_alloc(width * sizeof(double)),
           *want_q = (double *)host_alloc(width * sizeof(double));
    for (int i = 0; i < width; i++)
        for (int j = 0; j < n; j++) {
            want_s[i] += (double)r[j] * a[j * width + i];
            want_q[i] += (double)a[i * width + j] * p[j];
        }
    long wrong = off(s, want_s, n, width) + off(q, want_q, n, width);
    free(want_s), free(want_q);
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
    float *a = (float *)host_alloc(matrix), *r = (float *)host_alloc(vector),
          *p = (float *)host_alloc(vector);
    float *s = (float *)host_alloc(vector), *q = (float *)host_alloc(vector);
    uint32_t seed = 5;
    for (int i = 0; i < width; i++) {
        r[i] = next_float(&seed);
        p[i] = next_float(&seed);
        for (int j = 0; j < width; j++)
            a[i * width + j] = next_float(&seed);
    }
    float *d_a = (float *)device_copy(a, matrix), *d_r = (float *)device_copy(r, vector);
    float *d_p = (float *)device_copy(p, vector);
    float *d_s = (float *)device_alloc(vector), *d_q = (float *)device_alloc(vector);
    int grid = (width + BLOCK - 1) / BLOCK;
    for (int i = 0; i < repeats[size]; i++) {
        (part ? columns<WHOLE> : columns<0>)<<<grid, BLOCK>>>(d_a, d_r, d_s, n);
        (part ? rows<WHOLE> : rows<0>)<<<grid, BLOCK>>>(d_a, d_p, d_q, n);
    }
    fetch(s, d_s, vector);
    fetch(q, d_q, vector);
    long wrong = compare(a, r, p, s, q, n, width);
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_r));
    CHECK(cudaFree(d_p));
    CHECK(cudaFree(d_s));
    CHECK(cudaFree(d_q));
    free(a), free(r), free(p), free(s), free(q);
    return verdict("bicg", wrong);
}
// SPDX-License-Identifier: Apache-2.0
