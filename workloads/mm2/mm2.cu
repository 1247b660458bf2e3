/* Two matrix products in a row, E = (A B) C, without tiles: a thread an element, both operands from global
 * memory at every step, the sum in global memory. Every input line is loaded by many warps of a CTA at about
 * the same time. */
#include "../workload.h"

#define BLOCK_X 32
#define BLOCK_Y 8

__global__ void product(const float *a, const float *b, float *c, int n)
{
    int j = blockIdx.x * BLOCK_X + threadIdx.x;
    int i = blockIdx.y * BLOCK_Y + threadIdx.y;
    if (i >= n || j >= n)
        return;
    const float *row = a + i * n, *column = b + j;
    c[i * n + j] = 0;
#pragma unroll 4
    for (int k = 0; k < n; k++, column += n)
        c[i * n + j] += row[k] * *column;
}

static void row_product(const double *row, const float *b, double *out, int n)
{
    memset(out, 0, n * sizeof(*out));
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            out[j] += row[k] * b[k * n + j];
}

/* All terms are positive, so a sum of n is off by at most n * 2^-24 of itself, twice over for a product of
 * products. */
static long compare(const float *a, const float *b, const float *c, const float *got, int n, int rows)
{
    double *row = (double *)host_alloc(3 * n * sizeof(double)), *ab = row + n, *want = ab + n;
    long wrong = 0;
    for (int i = 0; i < rows; i++) {
        for (int k = 0; k < n; k++)
            row[k] = a[i * n + k];
        row_product(row, b, ab, n);
        row_product(ab, c, want, n);
        for (int j = 0; j < n; j++)
            wrong += !(fabs(got[i * n + j] - want[j]) <= n * 0x1p-23 * want[j]);
    }
    free(row);
    return wrong;
}

int main(int argc, char **argv)
{
    /* PolyBench has n = 2048; the first rows of the result are a part of it that can be waited for. */
    int sizes[] = {64, 224, 576}, rows = 0;
    const struct choice options[] = {{"n", NULL, &sizes[DEFAULT]}, {"rows", NULL, &rows}};
    int size = parse_args(argc, argv, options, 2), n = sizes[size];
    rows = size == DEFAULT && rows && rows < n ? rows : n;
    size_t bytes = (size_t)n * n * sizeof(float);
    float *a = (float *)host_alloc(bytes), *b = (float *)host_alloc(bytes), *c = (float *)host_alloc(bytes);
    float *e = (float *)host_alloc(bytes);
    uint32_t seed = 8;
    for (int i = 0; i < n * n; i++) {
        a[i] = next_float(&seed);
        b[i] = next_float(&seed);
        c[i] = next_float(&seed);
    }
    float *d_a = (float *)device_copy(a, bytes), *d_b = (float *)device_copy(b, bytes);
    float *d_c = (float *)device_copy(c, bytes), *d_ab = (float *)device_alloc(bytes);
    float *d_e = (float *)device_alloc(bytes);
    dim3 block(BLOCK_X, BLOCK_Y), grid((n + BLOCK_X - 1) / BLOCK_X, (rows + BLOCK_Y - 1) / BLOCK_Y);
    product<<<grid, block>>>(d_a, d_b, d_ab, n);
    product<<<grid, block>>>(d_ab, d_c, d_e, n);
    fetch(e, d_e, bytes);
    long wrong = compare(a, b, c, e, n, rows);
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_c));
    CHECK(cudaFree(d_ab));
    CHECK(cudaFree(d_e));
    free(a), free(b), free(c), free(e);
    return verdict("mm2", wrong);
}
// SPDX-License-Identifier: Apache-2.0
