/* Gaussian elimination of a dense system, after Rodinia's gaussian: for every pivot one kernel makes the
 * multipliers of the rows below, a second one subtracts the pivot row from them, with CTAs of only 4x4
 * threads over the whole matrix: warps are half empty and those left or above the pivot leave at once. Many
 * small launches, short-lived CTAs, loads in every instruction's way. */
#include "../workload.h"

#define BLOCK 512
#define SIDE 4

__global__ void multipliers(const float *a, float *m, int n, int pivot)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n - 1 - pivot)
        return;
    m[n * (pivot + 1 + i) + pivot] = a[n * (pivot + 1 + i) + pivot] / a[n * pivot + pivot];
}

__global__ void eliminate(float *a, float *b, const float *m, int n, int pivot)
{
    int i = blockIdx.x * SIDE + threadIdx.x, j = blockIdx.y * SIDE + threadIdx.y;
    if (i >= n - 1 - pivot || j >= n - pivot)
        return;
    int row = pivot + 1 + i;
    float factor = m[n * row + pivot];
    a[n * row + pivot + j] -= factor * a[n * pivot + pivot + j];
    if (j == 0)
        b[row] -= factor * b[pivot];
}

static void solve_reference(double *a, double *b, int n)
{
    for (int pivot = 0; pivot < n - 1; pivot++)
        for (int i = pivot + 1; i < n; i++) {
            double factor = a[n * i + pivot] / a[n * pivot + pivot];
            for (int j = pivot; j < n; j++)
                a[n * i + j] -= factor * a[n * pivot + j];
            b[i] -= factor * b[pivot];
        }
}

/* An entry has up to n roundings of terms of its own size at most, and those of the pivots they were divided
 * by. */
static long compare(const float *got, const double *want, int n)
{
    long wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += !(fabs(got[i] - want[i]) <= 2e-4 * fmax(1.0, fabs(want[i])));
    return wrong;
}

int main(int argc, char **argv)
{
    static const int sizes[] = {28, 160, 384};
    int size = parse_size(argc, argv), n = sizes[size];
    size_t bytes = (size_t)n * n * sizeof(float);
    float *a = (float *)host_alloc(bytes), *b = (float *)host_alloc(n * sizeof(float));
    double *want_a = (double *)host_alloc(2 * bytes), *want_b = (double *)host_alloc(n * sizeof(double));
    uint32_t seed = 77;
    /* The diagonal outweighs the norm of the random rest, 2 sqrt(n / 3), so that no pivot is small. */
    float diagonal = 2.0f * sqrtf((float)n);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            a[n * i + j] = i == j ? diagonal : 2.0f * next_float(&seed) - 1.0f;
            want_a[n * i + j] = a[n * i + j];
        }
        want_b[i] = b[i] = 10.0f * next_float(&seed);
    }
    float *d_a = (float *)device_copy(a, bytes), *d_b = (float *)device_copy(b, n * sizeof(float));
    float *d_m = (float *)device_alloc(bytes);
    CHECK(cudaMemset(d_m, 0, bytes));

    dim3 grid((n + SIDE - 1) / SIDE, (n + SIDE - 1) / SIDE), block(SIDE, SIDE);
    for (int pivot = 0; pivot < n - 1; pivot++) {
        multipliers<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_a, d_m, n, pivot);
        eliminate<<<grid, block>>>(d_a, d_b, d_m, n, pivot);
    }
    fetch(a, d_a, bytes);
    fetch(b, d_b, n * sizeof(float));
    solve_reference(want_a, want_b, n);
    long wrong = compare(b, want_b, n);
    for (int i = 0; i < n; i++)
        wrong += compare(a + (size_t)n * i, want_a + (size_t)n * i, n);
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_m));
    free(a), free(b), free(want_a), free(want_b);
    return verdict("gaussian", wrong);
}
// SPDX-License-Identifier: Apache-2.0
