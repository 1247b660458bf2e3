/* C = alpha A B^T + beta C, column-major: a CTA of 128 threads makes a tile of 128 x 16, a thread one row of
 * it in 16 registers. A tile of B of 8 x 16 goes through shared memory, where all lanes read the same word; A
 * comes straight from global memory, coalesced. Nearly all instructions are multiply-adds of three registers. */
#include "../workload.h"

#define TILE_N 16
#define TILE_K 8
#define TILE_M (TILE_N * TILE_K)

/* a[m + k * lda], b[n + k * ldb], c[m + n * ldc]; m a multiple of TILE_M, n of TILE_N, k of TILE_K. */
__global__ void sgemm_nt(const float *a, int lda, const float *b, int ldb, float *c, int ldc, int k,
                         float alpha, float beta)
{
    __shared__ __align__(16) float tile[TILE_K][TILE_N];
    float sum[TILE_N];
    int row = blockIdx.x * TILE_M + threadIdx.y * TILE_N + threadIdx.x;
    const float *a_at = a + row;
    const float *b_at = b + blockIdx.y * TILE_N + threadIdx.x + threadIdx.y * ldb;
#pragma unroll
    for (int n = 0; n < TILE_N; n++)
        sum[n] = 0;
#pragma unroll 1
    for (int from = 0; from < k; from += TILE_K) {
        tile[threadIdx.y][threadIdx.x] = *b_at;
        b_at += TILE_K * ldb;
        __syncthreads();
#pragma unroll
        for (int j = 0; j < TILE_K; j++) {
            float x = *a_at;
            a_at += lda;
            const float4 *four = (const float4 *)tile[j];
#pragma unroll
            for (int n = 0; n < TILE_N; n += 4) {
                float4 y = four[n / 4];
                sum[n] += x * y.x;
                sum[n + 1] += x * y.y;
                sum[n + 2] += x * y.z;
                sum[n + 3] += x * y.w;
            }
        }
        __syncthreads();
    }
    float *out = c + blockIdx.y * TILE_N * ldc + row;
#pragma unroll
    for (int n = 0; n < TILE_N; n++)
        out[n * ldc] = beta * out[n * ldc] + alpha * sum[n];
}

struct problem {
    int m, n, k;
    float alpha, beta;
};

/* All terms are positive, so a sum of k is off by at most k * 2^-24 of itself; the end rounds three times
 * more. */
static long compare(const struct problem *p, const float *a, const float *b, const float *c, const float *got)
{
    double *want = (double *)host_alloc(p->m * sizeof(double));
    long wrong = 0;
    for (int n = 0; n < p->n; n++) {
        memset(want, 0, p->m * sizeof(double));
        for (int k = 0; k < p->k; k++)
            for (int m = 0; m < p->m; m++)
                want[m] += (double)a[m + k * p->m] * b[n + k * p->n];
        for (int m = 0; m < p->m; m++) {
            double w = p->alpha * want[m] + (double)p->beta * c[m + n * p->m];
            wrong += !(fabs(got[m + n * p->m] - w) <= (p->k + 3) * 0x1p-24 * w);
        }
    }
    free(want);
    return wrong;
}

static float *random_matrix(int count, uint32_t *seed)
{
    float *m = (float *)host_alloc(count * sizeof(float));
    for (int i = 0; i < count; i++)
        m[i] = next_float(seed);
    return m;
}

int main(int argc, char **argv)
{
    static const struct problem problems[] = {
        {256, 64, 64, 1.25f, 0.5f}, {1024, 528, 128, 1.25f, 0.5f}, {1024, 1056, 1152, 1.25f, 0.5f}};
    const struct problem *p = &problems[parse_size(argc, argv)];
    uint32_t seed = 13;
    float *a = random_matrix(p->m * p->k, &seed), *b = random_matrix(p->n * p->k, &seed);
    float *c = random_matrix(p->m * p->n, &seed);
    size_t c_bytes = (size_t)p->m * p->n * sizeof(float);
    float *d_a = (float *)device_copy(a, (size_t)p->m * p->k * sizeof(float));
    float *d_b = (float *)device_copy(b, (size_t)p->n * p->k * sizeof(float));
    float *d_c = (float *)device_copy(c, c_bytes), *got = (float *)host_alloc(c_bytes);
    dim3 block(TILE_N, TILE_K), grid(p->m / TILE_M, p->n / TILE_N);
    sgemm_nt<<<grid, block>>>(d_a, p->m, d_b, p->n, d_c, p->m, p->k, p->alpha, p->beta);
    fetch(got, d_c, c_bytes);
    long wrong = compare(p, a, b, c, got);
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_c));
    free(a), free(b), free(c), free(got);
    return verdict("sgemm", wrong);
}
// SPDX-License-Identifier: Apache-2.0
