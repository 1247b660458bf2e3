/* Attention for many heads in single precision, tiled with an online softmax: O = softmax(Q K' / sqrt(64)) V
 * without ever storing the scores. A CTA of 256 threads keeps 64 queries in shared memory and walks over
 * blocks of 32 keys: scores (4 x 2 in each thread), their row maxima and sums through shuffles in 16 lanes,
 * the weights through shared memory, then 4 x 4 sums of O in each thread. Multiply-adds on operands from
 * shared memory, with exponentials, shuffles and barriers in between. */
#include "../workload.h"

#define DIM 64 /* of a head */
#define QUERIES 64
#define KEYS 32
#define BLOCK 256
#define PAD 4 /* rows are 16 bytes longer, which puts eight of them into different banks */

struct buffers {
    float q[QUERIES][DIM + PAD];
    float k[KEYS][DIM + PAD];
    float v[KEYS][DIM + PAD];
    float weight[QUERIES][KEYS + PAD];
};

/* Through a pointer, whose target clang takes to be aligned like a float4; it would not where it sees the
 * array. */
__device__ __forceinline__ float4 load4(const float *from) { return *(const float4 *)from; }
__device__ __forceinline__ void store4(float *to, float4 v) { *(float4 *)to = v; }

template <int ROWS> __device__ __forceinline__ void copy_rows(float (*to)[DIM + PAD], const float *from)
{
#pragma unroll
    for (int i = 0; i < ROWS * DIM / 4 / BLOCK; i++) {
        int at = i * BLOCK + threadIdx.x;
        store4(&to[at / (DIM / 4)][at % (DIM / 4) * 4], __ldg((const float4 *)from + at));
    }
}

/* Of 16 neighbouring lanes. */
__device__ __forceinline__ float row_max(float x)
{
#pragma unroll
    for (int step = 8; step; step /= 2)
        x = fmaxf(x, __shfl_xor_sync(0xffffffff, x, step));
    return x;
}

__device__ __forceinline__ float row_sum(float x)
{
#pragma unroll
    for (int step = 8; step; step /= 2)
        x += __shfl_xor_sync(0xffffffff, x, step);
    return x;
}

__device__ __forceinline__ float dot4(float4 a, float4 b, float sum)
{
    return fmaf(a.w, b.w, fmaf(a.z, b.z, fmaf(a.y, b.y, fmaf(a.x, b.x, sum))));
}

__device__ __forceinline__ void add_scaled(float sum[4], float scale, float4 v)
{
    sum[0] = fmaf(scale, v.x, sum[0]);
    sum[1] = fmaf(scale, v.y, sum[1]);
    sum[2] = fmaf(scale, v.z, sum[2]);
    sum[3] = fmaf(scale, v.w, sum[3]);
}

/* A thread has rows 4 y ... 4 y + 3 and keys x, x + 16. */
__device__ __forceinline__ void score_keys(float score[4][2], const struct buffers *s, int x, int y)
{
#pragma unroll 4
    for (int d = 0; d < DIM; d += 4) {
        float4 k0 = load4(&s->k[x][d]), k1 = load4(&s->k[x + 16][d]);
#pragma unroll
        for (int i = 0; i < 4; i++) {
            float4 q = load4(&s->q[4 * y + i][d]);
            score[i][0] = dot4(q, k0, score[i][0]);
            score[i][1] = dot4(q, k1, score[i][1]);
        }
    }
}

/* ... and columns 4 x ... 4 x + 3 of O. */
__device__ __forceinline__ void add_values(float out[4][4], const struct buffers *s, int x, int y)
{
#pragma unroll 2
    for (int k = 0; k < KEYS; k += 4) {
        float4 v0 = load4(&s->v[k][4 * x]), v1 = load4(&s->v[k + 1][4 * x]);
        float4 v2 = load4(&s->v[k + 2][4 * x]), v3 = load4(&s->v[k + 3][4 * x]);
#pragma unroll
        for (int i = 0; i < 4; i++) {
            float4 w = load4(&s->weight[4 * y + i][k]);
            add_scaled(out[i], w.x, v0);
            add_scaled(out[i], w.y, v1);
            add_scaled(out[i], w.z, v2);
            add_scaled(out[i], w.w, v3);
        }
    }
}

__global__ void __launch_bounds__(BLOCK)
    attention(const float *q, const float *k, const float *v, float *o, int length, float scale)
{
    __shared__ __align__(16) struct buffers s;
    size_t head = (size_t)blockIdx.y * length * DIM, first = head + (size_t)blockIdx.x * QUERIES * DIM;
    int x = threadIdx.x % 16, y = threadIdx.x / 16;
    float out[4][4] = {}, top[4], total[4] = {};
#pragma unroll
    for (int i = 0; i < 4; i++)
        top[i] = -INFINITY;

    copy_rows<QUERIES>(s.q, q + first);
#pragma unroll 1
    for (int key = 0; key < length; key += KEYS) {
        copy_rows<KEYS>(s.k, k + head + (size_t)key * DIM);
        copy_rows<KEYS>(s.v, v + head + (size_t)key * DIM);
        __syncthreads();
        float score[4][2] = {};
        score_keys(score, &s, x, y);
#pragma unroll
        for (int i = 0; i < 4; i++) {
            float s0 = score[i][0] * scale, s1 = score[i][1] * scale;
            float now = fmaxf(top[i], row_max(fmaxf(s0, s1))), shrink = __expf(top[i] - now);
            float w0 = __expf(s0 - now), w1 = __expf(s1 - now);
            s.weight[4 * y + i][x] = w0;
            s.weight[4 * y + i][x + 16] = w1;
            total[i] = total[i] * shrink + row_sum(w0 + w1);
            top[i] = now;
#pragma unroll
            for (int j = 0; j < 4; j++)
                out[i][j] *= shrink;
        }
        __syncthreads();
        add_values(out, &s, x, y);
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < 4; i++) {
        float r = __fdividef(1.0f, total[i]);
        store4(&o[first + (4 * y + i) * DIM + 4 * x],
               make_float4(out[i][0] * r, out[i][1] * r, out[i][2] * r, out[i][3] * r));
    }
}

/* One query in double precision. */
static void attend(double *out, double *weight, const float *q, const float *k, const float *v, int length,
                   float scale)
{
    double top = -INFINITY, total = 0.0;
    for (int i = 0; i < length; i++) {
        double dot = 0.0;
        for (int d = 0; d < DIM; d++)
            dot += (double)q[d] * k[(size_t)i * DIM + d];
        weight[i] = dot * scale;
        top = fmax(top, weight[i]);
    }
    for (int d = 0; d < DIM; d++)
        out[d] = 0.0;
    for (int i = 0; i < length; i++) {
        double w = exp(weight[i] - top);
        total += w;
        for (int d = 0; d < DIM; d++)
            out[d] += w * v[(size_t)i * DIM + d];
    }
    for (int d = 0; d < DIM; d++)
        out[d] /= total;
}

/* Every fifth query. Means of values in [-1, 1] with weights from fast exponentials of arguments below 10 or
 * so: single precision leaves an error of some 1e-6. */
static long check(const float *q, const float *k, const float *v, const float *o, int heads, int length,
                  float scale)
{
    long wrong = 0;
    double out[DIM], *weight = (double *)host_alloc(length * sizeof *weight);
    for (int i = 0; i < heads * length; i += 5) {
        size_t head = (size_t)(i / length) * length * DIM, at = (size_t)i * DIM;
        attend(out, weight, q + at, k + head, v + head, length, scale);
        for (int d = 0; d < DIM; d++)
            wrong += !(fabs(o[at + d] - out[d]) <= 2e-5);
    }
    free(weight);
    return wrong;
}

int main(int argc, char **argv)
{
    static const int heads_of[] = {1, 60, 48}, length_of[] = {128, 128, 512};
    int size = parse_size(argc, argv), heads = heads_of[size], length = length_of[size];
    size_t n = (size_t)heads * length * DIM, bytes = n * sizeof(float);
    float *q = (float *)host_alloc(bytes), *k = (float *)host_alloc(bytes), *v = (float *)host_alloc(bytes);
    float *o = (float *)host_alloc(bytes), scale = 0.125f;
    uint32_t seed = 667430;
    for (size_t i = 0; i < n; i++) {
        q[i] = 4.0f * next_float(&seed) - 2.0f;
        k[i] = 4.0f * next_float(&seed) - 2.0f;
        v[i] = 2.0f * next_float(&seed) - 1.0f;
    }
    float *d_q = (float *)device_copy(q, bytes), *d_k = (float *)device_copy(k, bytes);
    float *d_v = (float *)device_copy(v, bytes), *d_o = (float *)device_alloc(bytes);
    attention<<<dim3(length / QUERIES, heads), BLOCK>>>(d_q, d_k, d_v, d_o, length, scale);
    fetch(o, d_o, bytes);

    long wrong = check(q, k, v, o, heads, length, scale);
    CHECK(cudaFree(d_q));
    CHECK(cudaFree(d_k));
    CHECK(cudaFree(d_v));
    CHECK(cudaFree(d_o));
    free(q), free(k), free(v), free(o);
    return verdict("attention", wrong);
}
// SPDX-License-Identifier: Apache-2.0
