/* What the attention programs on tensor cores share: heads of 64, the small steps of a softmax, random input, a check in double precision. */
#ifndef ATTEND_H
#define ATTEND_H

#include "workload.h"
#include <cuda_fp16.h>

#define DIM 64 /* of a head */
#define LOG2_E 1.44269504f

__device__ __forceinline__ float power_of_two(float x)
{
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/* Of the four lanes that have a row. */
__device__ __forceinline__ float quad_max(float x)
{
    x = fmaxf(x, __shfl_xor_sync(0xffffffff, x, 1));
    return fmaxf(x, __shfl_xor_sync(0xffffffff, x, 2));
}

__device__ __forceinline__ float quad_sum(float x)
{
    x += __shfl_xor_sync(0xffffffff, x, 1);
    return x + __shfl_xor_sync(0xffffffff, x, 2);
}

/* One query over keys 0 ... count - 1, in double precision. */
static inline void attend(double *out, double *weight, const float *q, const float *k, const float *v, int count,
                          size_t row, double scale)
{
    double top = -INFINITY, total = 0.0;
    for (int i = 0; i < count; i++) {
        double dot = 0.0;
        for (int d = 0; d < DIM; d++)
            dot += (double)q[d] * k[i * row + d];
        weight[i] = dot * scale;
        top = fmax(top, weight[i]);
    }
    for (int d = 0; d < DIM; d++)
        out[d] = 0.0;
    for (int i = 0; i < count; i++) {
        double w = exp(weight[i] - top);
        total += w;
        for (int d = 0; d < DIM; d++)
            out[d] += w * v[i * row + d];
    }
    for (int d = 0; d < DIM; d++)
        out[d] /= total;
}

/* Causal attention of several sequences: tokens in rows, heads side by side, `share` heads of q for one of k and v. */
struct causal {
    int sequences, heads, length, share;
    float *q, *k, *v;
    __half *d_q, *d_k, *d_v, *d_o; /* on the device */
};

static inline __half *causal_input(float **values, size_t n, float range, uint32_t *seed)
{
    float *f = *values = (float *)host_alloc(n * sizeof *f);
    __half *h = (__half *)host_alloc(n * sizeof *h);
    for (size_t i = 0; i < n; i++) {
        h[i] = __float2half(range * (2.0f * next_float(seed) - 1.0f));
        f[i] = __half2float(h[i]);
    }
    __half *d = (__half *)device_copy(h, n * sizeof *h);
    free(h);
    return d;
}

static inline struct causal causal(int sequences, int heads, int length, int share)
{
    struct causal c = {sequences, heads, length, share};
    size_t nq = (size_t)sequences * length * heads * DIM, nk = nq / share;
    uint32_t seed = 271828;
    c.d_q = causal_input(&c.q, nq, 2.0f, &seed);
    c.d_k = causal_input(&c.k, nk, 2.0f, &seed);
    c.d_v = causal_input(&c.v, nk, 1.0f, &seed);
    c.d_o = (__half *)device_alloc(nq * 2);
    return c;
}

/* How many results are wrong of every 61st query, in all heads. Weights and results are rounded to halves. Frees everything. */
static inline long causal_check(struct causal *c)
{
    long wrong = 0;
    int q_row = c->heads * DIM, kv_row = c->heads / c->share * DIM;
    size_t count = (size_t)c->sequences * c->length * q_row;
    double out[DIM], *weight = (double *)host_alloc(c->length * sizeof *weight);
    __half *o = (__half *)host_alloc(count * sizeof *o);
    fetch(o, c->d_o, count * sizeof *o);
    for (int i = 0; i < c->sequences * c->length; i += 61)
        for (int h = 0; h < c->heads; h++) {
            size_t first = (size_t)(i / c->length * c->length) * kv_row + h / c->share * DIM;
            size_t at = (size_t)i * q_row + h * DIM;
            attend(out, weight, c->q + at, c->k + first, c->v + first, i % c->length + 1, kv_row, 0.125);
            for (int d = 0; d < DIM; d++)
                wrong += !(fabs(__half2float(o[at + d]) - out[d]) <= 2e-3);
        }
    CHECK(cudaFree(c->d_q));
    CHECK(cudaFree(c->d_k));
    CHECK(cudaFree(c->d_v));
    CHECK(cudaFree(c->d_o));
    free(c->q), free(c->k), free(c->v), free(o), free(weight);
    return wrong;
}

#endif
/* SPDX-License-Identifier: Apache-2.0 */
