/* Three matrix products, G = (A B) (C D), without tiles: a thread an element, both operands from global
 * memory at every step, the sum in global memory: two loads and a store a step, three launches. */
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

static void host_product(const double *a, const double *b, double *c, int n)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
}

/* All terms are positive, so a sum of n is off by at most n * 2^-24 of itself; the last product has three
 * such sums in it. */
static long compare(float *const m[4], const float *got, int n)
{
    size_t count = (size_t)n * n;
    double *wide[7];
    for (int i = 0; i < 7; i++)
        wide[i] = (double *)host_alloc(count * sizeof(double));
    for (int k = 0; k < 4; k++)
        for (size_t i = 0; i < count; i++)
            wide[k][i] = m[k][i];
    host_product(wide[0], wide[1], wide[4], n);
    host_product(wide[2], wide[3], wide[5], n);
    host_product(wide[4], wide[5], wide[6], n);
    long wrong = 0;
    for (size_t i = 0; i < count; i++)
        wrong += !(fabs(got[i] - wide[6][i]) <= 3 * n * 0x1p-24 * wide[6][i]);
    for (int i = 0; i < 7; i++)
        free(wide[i]);
    return wrong;
}

int main(int argc, char **argv)
{
    int sizes[] = {48, 192, 512};
    const struct choice options[] = {{"n", NULL, &sizes[DEFAULT]}};
    int n = sizes[parse_args(argc, argv, options, 1)];
    size_t bytes = (size_t)n * n * sizeof(float);
    float *in[4], *d_in[4], *d_out[3], *got = (float *)host_alloc(bytes);
    uint32_t seed = 9;
    for (int k = 0; k < 4; k++) {
        in[k] = (float *)host_alloc(bytes);
        for (int i = 0; i < n * n; i++)
            in[k][i] = next_float(&seed);
        d_in[k] = (float *)device_copy(in[k], bytes);
    }
    for (int k = 0; k < 3; k++)
        d_out[k] = (float *)device_alloc(bytes);
    dim3 block(BLOCK_X, BLOCK_Y), grid((n + BLOCK_X - 1) / BLOCK_X, (n + BLOCK_Y - 1) / BLOCK_Y);
    product<<<grid, block>>>(d_in[0], d_in[1], d_out[0], n);
    product<<<grid, block>>>(d_in[2], d_in[3], d_out[1], n);
    product<<<grid, block>>>(d_out[0], d_out[1], d_out[2], n);
    fetch(got, d_out[2], bytes);
    long wrong = compare(in, got, n);
    for (int k = 0; k < 4; k++) {
        CHECK(cudaFree(d_in[k]));
        free(in[k]);
    }
    for (int k = 0; k < 3; k++)
        CHECK(cudaFree(d_out[k]));
    free(got);
    return verdict("mm3", wrong);
}
// SPDX-License-Identifier: Apache-2.0
