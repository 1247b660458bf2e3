/* C = relu(A B + bias) on tensor cores: A and B in half precision, sums in single precision.
 *
 * A CTA of four warps makes a 64 x 64 tile of C. It walks along K in steps of 32: all threads copy a 64 x 32 piece of A and
 * a 32 x 64 piece of B into shared memory, then each warp multiplies its quarter as 2 x 2 fragments of 16 x 16. M and N are
 * multiples of 64, K of 32. */
#include "../../workloads/workload.h"
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

#define TILE 64     /* of C, both ways */
#define STEP 32     /* along K */
#define FRAGMENT 16 /* side of what one tensor operation makes */
#define BLOCK 128

/* Rows in shared memory get 8 halves more, which puts them in different banks; 8 halves are also one 16-byte access. */
#define PAD 8
#define CHUNK 8

struct tiles {
    __half a[TILE][STEP + PAD];
    __half b[STEP][TILE + PAD];
};

/* rows x cols halves from a matrix whose rows have `stride` elements. */
template <int ROWS, int COLS>
__device__ inline void copy_tile(__half (*to)[COLS + PAD], const __half *from, int stride)
{
    const int per_row = COLS / CHUNK;
#pragma unroll
    for (int k = 0; k < ROWS * per_row / BLOCK; k++) {
        int i = k * BLOCK + threadIdx.x, row = i / per_row, col = i % per_row * CHUNK;
        *(uint4 *)&to[row][col] = __ldg((const uint4 *)&from[row * stride + col]);
    }
}

__global__ void gemm_bias_relu(const __half *a, const __half *b, const float *bias, float *c, int n, int k)
{
    __shared__ __align__(16) union {
        struct tiles in;
        float out[TILE][TILE + 4];
    } s;
    int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE, warp = threadIdx.x / 32;
    int warp_row = warp / 2 * 32, warp_col = warp % 2 * 32;

    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[2][2];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            wmma::fill_fragment(sum[i][j], 0.0f);

    a += row0 * k;
    b += col0;
    for (int k0 = 0; k0 < k; k0 += STEP) {
        copy_tile<TILE, STEP>(s.in.a, a, k);
        copy_tile<STEP, TILE>(s.in.b, b, n);
        a += STEP;
        b += STEP * n;
        __syncthreads();
        for (int kk = 0; kk < STEP; kk += FRAGMENT) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa[2];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb[2];
            for (int i = 0; i < 2; i++) {
                wmma::load_matrix_sync(fa[i], &s.in.a[warp_row + i * FRAGMENT][kk], STEP + PAD);
                wmma::load_matrix_sync(fb[i], &s.in.b[kk][warp_col + i * FRAGMENT], TILE + PAD);
            }
            for (int i = 0; i < 2; i++)
                for (int j = 0; j < 2; j++)
                    wmma::mma_sync(sum[i][j], fa[i], fb[j], sum[i][j]);
        }
        __syncthreads();
    }

    /* Which element of C a thread holds in a fragment is not defined, so the bias is added on the way through shared memory. */
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            wmma::store_matrix_sync(&s.out[warp_row + i * FRAGMENT][warp_col + j * FRAGMENT], sum[i][j],
                                    TILE + 4, wmma::mem_row_major);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE * TILE / 4 / BLOCK; k++) {
        int i = k * BLOCK + threadIdx.x, row = i / (TILE / 4), col = i % (TILE / 4) * 4;
        float4 v = *(float4 *)&s.out[row][col], w = *(const float4 *)&bias[col0 + col];
        v.x = fmaxf(v.x + w.x, 0.0f);
        v.y = fmaxf(v.y + w.y, 0.0f);
        v.z = fmaxf(v.z + w.z, 0.0f);
        v.w = fmaxf(v.w + w.w, 0.0f);
        *(float4 *)&c[(row0 + row) * n + col0 + col] = v;
    }
}

/* Multiples of 1/16 in [-1, 1]: products are multiples of 1/256, and sums of up to 65536 of them are exact in single
 * precision, so that the check may ask for equality. */
static float sixteenths(uint32_t *random) { return (float)((int)(next_random(random) % 33) - 16) / 16.0f; }

/* 64 rows, spread over C, see every warp's and every thread's part of a tile. */
static long check(const float *a, const float *b, const float *bias, const float *c, int m, int n, int k)
{
    long wrong = 0;
    float *sum = (float *)malloc(n * sizeof *sum);
    for (int i = 0; i < 64; i++) {
        int row = i * 37 % m;
        memcpy(sum, bias, n * sizeof *sum);
        for (int j = 0; j < k; j++)
            for (int col = 0; col < n; col++)
                sum[col] += a[(size_t)row * k + j] * b[(size_t)j * n + col];
        for (int col = 0; col < n; col++)
            wrong += c[(size_t)row * n + col] != (sum[col] > 0.0f ? sum[col] : 0.0f);
    }
    free(sum);
    return wrong;
}

int main(int argc, char **argv)
{
    static const struct {
        int m, n, k;
    } sizes[] = {{128, 128, 128}, {512, 512, 1024}, {2048, 2048, 3072}};
    int size = parse_size(argc, argv), m = sizes[size].m, n = sizes[size].n, k = sizes[size].k;
    size_t na = (size_t)m * k, nb = (size_t)k * n, nc = (size_t)m * n;

    float *a = (float *)malloc(na * sizeof *a), *b = (float *)malloc(nb * sizeof *b);
    float *bias = (float *)malloc(n * sizeof *bias), *c = (float *)malloc(nc * sizeof *c);
    __half *ha = (__half *)malloc(na * sizeof *ha), *hb = (__half *)malloc(nb * sizeof *hb);
    uint32_t random = 1729;
    for (size_t i = 0; i < na; i++)
        ha[i] = __float2half(a[i] = sixteenths(&random));
    for (size_t i = 0; i < nb; i++)
        hb[i] = __float2half(b[i] = sixteenths(&random));
    for (int i = 0; i < n; i++)
        bias[i] = sixteenths(&random);

    __half *d_a, *d_b;
    float *d_bias, *d_c;
    CHECK(cudaMalloc((void **)&d_a, na * sizeof *d_a));
    CHECK(cudaMalloc((void **)&d_b, nb * sizeof *d_b));
    CHECK(cudaMalloc((void **)&d_bias, n * sizeof *d_bias));
    CHECK(cudaMalloc((void **)&d_c, nc * sizeof *d_c));
    CHECK(cudaMemcpy(d_a, ha, na * sizeof *ha, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, hb, nb * sizeof *hb, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_bias, bias, n * sizeof *bias, cudaMemcpyHostToDevice));
    gemm_bias_relu<<<dim3(n / TILE, m / TILE), BLOCK>>>(d_a, d_b, d_bias, d_c, n, k);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(c, d_c, nc * sizeof *c, cudaMemcpyDeviceToHost));

    long wrong = check(a, b, bias, c, m, n, k);
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_bias));
    CHECK(cudaFree(d_c));
    free(a), free(b), free(bias), free(c), free(ha), free(hb);
    return verdict("tcgemm", wrong);
}
// SPDX-License-Identifier: Apache-2.0
