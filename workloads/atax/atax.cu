/* y = A^T (A x): the first kernel has a thread a row, so that the lanes of a warp stride through memory by
 * whole rows (32 lines a load), the second a thread a column (one line a load). Sums are kept in global
 * memory: a store every step. */
#include "../workload.h"

#define BLOCK 256

__global__ void multiply(const float *a, const float *x, float *tmp, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n)
        return;
    tmp[i] = 0;
#pragma unroll 4
    for (int j = 0; j < n; j++)
        tmp[i] += a[i * n + j] * x[j];
}

__global__ void multiply_transposed(const float *a, const float *tmp, float *y, int n)
{
    int j = blockIdx.x * BLOCK + threadIdx.x;
    if (j >= n)
        return;
    const float *column = a + j;
    y[j] = 0;
#pragma unroll 4
    for (int i = 0; i < n; i++, column += n)
        y[j] += *column * tmp[i];
}

/* All terms are positive, so a sum of n is off by at most n * 2^-24 of itself, and the second sum adds the
 * same again. */
static long compare(const float *a, const float *x, const float *y, int n)
{
    double *want = (double *)host_alloc(n * sizeof(double));
    for (int i = 0; i < n; i++) {
        double tmp = 0;
        for (int j = 0; j < n; j++)
            tmp += (double)a[i * n + j] * x[j];
        for (int j = 0; j < n; j++)
            want[j] += a[i * n + j] * tmp;
    }
    long wrong = 0;
    for (int j = 0; j < n; j++)
        wrong += !(fabs(y[j] - want[j]) <= 2 * n * 0x1p-24 * want[j]);
    free(want);
    return wrong;
}

int main(int argc, char **argv)
{
    static const int repeats[] = {1, 1, 5};
    int sizes[] = {512, 2560, 6144};
    const struct choice options[] = {{"n", NULL, &sizes[DEFAULT]}}; /* PolyBench has 4096 */
    int size = parse_args(argc, argv, options, 1), n = sizes[size];
    size_t vector = n * sizeof(float), matrix = n * vector;
    float *a = (float *)host_alloc(matrix), *x = (float *)host_alloc(vector),
          *y = (float *)host_alloc(vector);
    uint32_t seed = 4;
    for (int i = 0; i < n; i++) {
        x[i] = next_float(&seed);
        for (int j = 0; j < n; j++)
            a[i * n + j] = next_float(&seed);
    }
    float *d_a = (float *)device_copy(a, matrix), *d_x = (float *)device_copy(x, vector);
    float *d_tmp = (float *)device_alloc(vector), *d_y = (float *)device_alloc(vector);
    int grid = (n + BLOCK - 1) / BLOCK;
    for (int i = 0; i < repeats[size]; i++) {
        multiply<<<grid, BLOCK>>>(d_a, d_x, d_tmp, n);
        multiply_transposed<<<grid, BLOCK>>>(d_a, d_tmp, d_y, n);
    }
    fetch(y, d_y, vector);
    long wrong = compare(a, x, y, n);
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_tmp));
    CHECK(cudaFree(d_y));
    free(a), free(x), free(y);
    return verdict("atax", wrong);
}
