/* C = beta C + alpha A B without tiles: a thread an element of C, its row of A broadcast and its column of B
 * coalesced from global memory at every step, the sum in global memory: two loads and a store a step. Bound
 * by L1 bandwidth. */
#include "../workload.h"

#define BLOCK_X 32
#define BLOCK_Y 8
#define ALPHA 1.5f
#define BETA 0.75f

__global__ void gemm(const float *a, const float *b, float *c, int n)
{
    int j = blockIdx.x * BLOCK_X + threadIdx.x;
    int i = blockIdx.y * BLOCK_Y + threadIdx.y;
    if (i >= n || j >= n)
        return;
    const float *row = a + i * n, *column = b + j;
    c[i * n + j] *= BETA;
#pragma unroll 4
    for (int k = 0; k < n; k++, column += n)
        c[i * n + j] += ALPHA * row[k] * *column;
}

/* All terms are positive; a step rounds three times, so a sum of n is off by at most n * 2^-23 of itself. */
static long compare(const float *a, const float *b, const float *from, const float *got, int n, int rows)
{
    double *want = (double *)host_alloc(n * sizeof(double));
    long wrong = 0;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < n; j++)
            want[j] = (double)BETA * from[i * n + j];
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                want[j] += (double)ALPHA * a[i * n + k] * b[k * n + j];
        for (int j = 0; j < n; j++)
            wrong += !(fabs(got[i * n + j] - want[j]) <= n * 0x1p-23 * want[j]);
    }
    free(want);
    return wrong;
}

int main(int argc, char **argv)
{
    /* PolyBench has n = 512; the first rows of the result are a part of it that can be waited for. */
    int sizes[] = {64, 256, 704}, rows = 0;
    const struct choice options[] = {{"n", NULL, &sizes[DEFAULT]}, {"rows", NULL, &rows}};
    int size = parse_args(argc, argv, options, 2), n = sizes[size];
    rows = size == DEFAULT && rows && rows < n ? rows : n;
    size_t bytes = (size_t)n * n * sizeof(float);
    float *a = (float *)host_alloc(bytes), *b = (float *)host_alloc(bytes), *c = (float *)host_alloc(bytes);
    float *got = (float *)host_alloc(bytes);
    uint32_t seed = 7;
    for (int i = 0; i < n * n; i++) {
        a[i] = next_float(&seed);
        b[i] = next_float(&seed);
        c[i] = next_float(&seed);
    }
    float *d_a = (float *)device_copy(a, bytes), *d_b = (float *)device_copy(b, bytes);
    float *d_c = (float *)device_copy(c, bytes);
    dim3 block(BLOCK_X, BLOCK_Y), grid((n + BLOCK_X - 1) / BLOCK_X, (rows + BLOCK_Y - 1) / BLOCK_Y);
    gemm<<<grid, block>>>(d_a, d_b, d_c, n);
    fetch(got, d_c, bytes);
    long wrong = compare(a, b, c, got, n, rows);
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_c));
    free(a), free(b), free(c), free(got);
    return verdict("gemm", wrong);
}
// SPDX-License-Identifier: Apache-2.0
