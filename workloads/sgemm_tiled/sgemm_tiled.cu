/* C = alpha A B + beta C in single precision, tiled like CUTLASS's SIMT kernels: a CTA of 256 threads makes
 * 128 x 128 of C, a thread 8 x 8 as four pieces of 4 x 4. Steps of 8 along K go through a double buffer in
 * shared memory (A transposed), the next step waits in registers, and the operands of the next multiply-adds
 * are loaded before those of the current ones are used. About 120 registers: 64 sums that live all the time,
 * operands that are used eight times and forgotten. */
#include "../workload.h"

#define TILE 128
#define STEP 8
#define BLOCK 256
#define PAD 4 /* rows of the transposed A then start in other banks */

struct buffers {
    float a[2][STEP][TILE + PAD];
    float b[2][STEP][TILE];
};

/* Through a pointer, whose target clang takes to be aligned like a float4; it would not where it sees the
 * array. */
__device__ __forceinline__ void store4(float *to, float4 v) { *(float4 *)to = v; }

/* 4 values here and 4 half a tile further: 16-byte loads without bank conflicts. */
__device__ __forceinline__ void load_operands(float to[8], const float *from)
{
    *(float4 *)&to[0] = *(const float4 *)&from[0];
    *(float4 *)&to[4] = *(const float4 *)&from[TILE / 2];
}

__device__ __forceinline__ void put(struct buffers *s, int half, float4 a, float4 b)
{
    int row = threadIdx.x / 2, col = threadIdx.x % 2 * 4;
    s->a[half][col][row] = a.x;
    s->a[half][col + 1][row] = a.y;
    s->a[half][col + 2][row] = a.z;
    s->a[half][col + 3][row] = a.w;
    store4(&s->b[half][threadIdx.x / 32][threadIdx.x % 32 * 4], b);
}

__device__ __forceinline__ void multiply_step(float sum[8][8], const float *a, const float *b)
{
    float fa[2][8], fb[2][8];
    load_operands(fa[0], a);
    load_operands(fb[0], b);
#pragma unroll
    for (int k = 0; k < STEP; k++) {
        if (k + 1 < STEP) {
            load_operands(fa[(k + 1) % 2], a + (k + 1) * (TILE + PAD));
            load_operands(fb[(k + 1) % 2], b + (k + 1) * TILE);
        }
#pragma unroll
        for (int i = 0; i < 8; i++)
#pragma unroll
            for (int j = 0; j < 8; j++)
                sum[i][j] = fmaf(fa[k % 2][i], fb[k % 2][j], sum[i][j]);
    }
}

__global__ void __launch_bounds__(BLOCK, 2)
    sgemm(const float *a, const float *b, float *c, int n, int k, float alpha, float beta)
{
    __shared__ __align__(16) struct buffers s;
    int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE, x = threadIdx.x % 16 * 4,
        y = threadIdx.x / 16 * 4;
    float sum[8][8] = {};

    const float *a_next = a + (size_t)(row0 + threadIdx.x / 2) * k + threadIdx.x % 2 * 4;
    const float *b_next = b + (size_t)(threadIdx.x / 32) * n + col0 + threadIdx.x % 32 * 4;
    put(&s, 0, __ldg((const float4 *)a_next), __ldg((const float4 *)b_next));
    __syncthreads();
    int half = 0;
#pragma unroll 1
    for (k -= STEP; k > 0; k -= STEP) {
        a_next += STEP;
        b_next += (size_t)STEP * n;
        float4 a_flight = __ldg((const float4 *)a_next), b_flight = __ldg((const float4 *)b_next);
        multiply_step(sum, &s.a[half][0][y], &s.b[half][0][x]);
        half ^= 1;
        put(&s, half, a_flight, b_flight);
        __syncthreads();
    }
    multiply_step(sum, &s.a[half][0][y], &s.b[half][0][x]);

#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j += 4) {
            int row = row0 + y + i % 4 + i / 4 * (TILE / 2), col = col0 + x + j / 4 * (TILE / 2);
            float4 *to = (float4 *)&c[(size_t)row * n + col], v = *to;
            v.x = alpha * sum[i][j] + beta * v.x;
            v.y = alpha * sum[i][j + 1] + beta * v.y;
            v.z = alpha * sum[i][j + 2] + beta * v.z;
            v.w = alpha * sum[i][j + 3] + beta * v.w;
            *to = v;
        }
}

/* Multiples of 1/16 in [-1, 1]: sums of products are exact in single precision, and stay so with alpha and
 * beta below. */
static float *new_matrix(int rows, int cols, uint32_t *seed)
{
    float *m = (float *)host_alloc((size_t)rows * cols * sizeof *m);
    for (size_t i = 0; i < (size_t)rows * cols; i++)
        m[i] = (float)((int)(next_random(seed) % 33) - 16) / 16.0f;
    return m;
}

/* 128 rows, spread over C, see every thread's place in a tile. */
static long check(const float *a, const float *b, const float *before, const float *c, int m, int n, int k,
                  float alpha, float beta)
{
    long wrong = 0;
    float *sum = (float *)host_alloc(n * sizeof *sum);
    for (int i = 0; i < 128; i++) {
        int row = i * 41 % m;
        memset(sum, 0, n * sizeof *sum);
        for (int j = 0; j < k; j++)
            for (int col = 0; col < n; col++)
                sum[col] += a[(size_t)row * k + j] * b[(size_t)j * n + col];
        for (int col = 0; col < n; col++)
            wrong += c[(size_t)row * n + col] != alpha * sum[col] + beta * before[(size_t)row * n + col];
    }
    free(sum);
    return wrong;
}

int main(int argc, char **argv)
{
    static const struct {
        int m, n, k;
    } sizes[] = {{128, 128, 96}, {1024, 1280, 256}, {2048, 2048, 448}};
    int size = parse_size(argc, argv), m = sizes[size].m, n = sizes[size].n, k = sizes[size].k;
    float alpha = 0.5f, beta = 2.0f;
    uint32_t seed = 602214;
    float *a = new_matrix(m, k, &seed), *b = new_matrix(k, n, &seed), *before = new_matrix(m, n, &seed);
    size_t bytes = (size_t)m * n * sizeof(float);
    float *c = (float *)host_alloc(bytes);
    float *d_a = (float *)device_copy(a, (size_t)m * k * sizeof *a);
    float *d_b = (float *)device_copy(b, (size_t)k * n * sizeof *b);
    float *d_c = (float *)device_copy(before, bytes);
    sgemm<<<dim3(n / TILE, m / TILE), BLOCK>>>(d_a, d_b, d_c, n, k, alpha, beta);
    fetch(c, d_c, bytes);

    long wrong = check(a, b, before, c, m, n, k, alpha, beta);
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_c));
    free(a), free(b), free(before), free(c);
    return verdict("sgemm_tiled", wrong);
}
// SPDX-License-Identifier: Apache-2.0
