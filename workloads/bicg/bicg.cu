/* The two products of the BiCG solver: s = A^T r with a thread a column (coalesced), then q = A p with a
 * thread a row (32 lines a load). Sums are kept in global memory: a store every step. */
#include "../workload.h"

#define BLOCK 256

__global__ void columns(const float *a, const float *r, float *s, int n)
{
    int j = blockIdx.x * BLOCK + threadIdx.x;
    if (j >= n)
        return;
    const float *column = a + j;
    s[j] = 0;
#pragma unroll 4
    for (int i = 0; i < n; i++, column += n)
        s[j] += r[i] * *column;
}

__global__ void rows(const float *a, const float *p, float *q, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n)
        return;
    q[i] = 0;
#pragma unroll 4
    for (int j = 0; j < n; j++)
        q[i] += a[i * n + j] * p[j];
}

/* All terms are positive, so a sum of n is off by at most n * 2^-24 of itself. */
static long off(const float *got, const double *want, int n)
{
    long wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += !(fabs(got[i] - want[i]) <= n * 0x1p-24 * want[i]);
    return wrong;
}

static long compare(const float *a, const float *r, const float *p, const float *s, const float *q, int n)
{
    double *want_s = (double *)host_alloc(n * sizeof(double)),
           *want_q = (double *)host_alloc(n * sizeof(double));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            want_s[j] += (double)r[i] * a[i * n + j];
            want_q[i] += (double)a[i * n + j] * p[j];
        }
    long wrong = off(s, want_s, n) + off(q, want_q, n);
    free(want_s), free(want_q);
    return wrong;
}

int main(int argc, char **argv)
{
    static const int repeats[] = {1, 1, 5};
    int sizes[] = {512, 2560, 6144};
    const struct choice options[] = {{"n", NULL, &sizes[DEFAULT]}}; /* PolyBench has 4096 */
    int size = parse_args(argc, argv, options, 1), n = sizes[size];
    size_t vector = n * sizeof(float), matrix = n * vector;
    float *a = (float *)host_alloc(matrix), *r = (float *)host_alloc(vector),
          *p = (float *)host_alloc(vector);
    float *s = (float *)host_alloc(vector), *q = (float *)host_alloc(vector);
    uint32_t seed = 5;
    for (int i = 0; i < n; i++) {
        r[i] = next_float(&seed);
        p[i] = next_float(&seed);
        for (int j = 0; j < n; j++)
            a[i * n + j] = next_float(&seed);
    }
    float *d_a = (float *)device_copy(a, matrix), *d_r = (float *)device_copy(r, vector);
    float *d_p = (float *)device_copy(p, vector);
    float *d_s = (float *)device_alloc(vector), *d_q = (float *)device_alloc(vector);
    int grid = (n + BLOCK - 1) / BLOCK;
    for (int i = 0; i < repeats[size]; i++) {
        columns<<<grid, BLOCK>>>(d_a, d_r, d_s, n);
        rows<<<grid, BLOCK>>>(d_a, d_p, d_q, n);
    }
    fetch(s, d_s, vector);
    fetch(q, d_q, vector);
    long wrong = compare(a, r, p, s, q, n);
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_r));
    CHECK(cudaFree(d_p));
    CHECK(cudaFree(d_s));
    CHECK(cudaFree(d_q));
    free(a), free(r), free(p), free(s), free(q);
    return verdict("bicg", wrong);
}
