/* A step of text generation: one query a head against a cache of keys and values in half precision, after FlashDecoding. One sequence
 * has too few heads to fill a GPU, so that the cache is split along its length: a CTA of four warps takes a part of it for the eight
 * heads of queries that share a head of keys and values, and writes sums that are not yet divided; a second kernel puts the parts
 * together. Loads of 16 bytes that are used once, dot products through shuffles in 16 lanes, exponentials. */
#include "../norm.h"

#define DIM 128
#define SHARE 8 /* heads of queries for one of keys and values */
#define WARPS 4
#define LANES (DIM / EIGHT)       /* that have one key */
#define GROUPS (WARPS * 32 / LANES) /* of such lanes in a CTA */

/* What a part of the cache gives for one query: weights relative to 2^top. */
struct part {
    float top, total, sum[DIM];
};

__device__ __forceinline__ float dot(const float a[EIGHT], const float b[EIGHT])
{
    float sum = 0.0f;
#pragma unroll
    for (int e = 0; e < EIGHT; e++)
        sum = fmaf(a[e], b[e], sum);
#pragma unroll
    for (int step = LANES / 2; step; step /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, step);
    return sum;
}

/* The groups' results for one query into one, in shared memory. */
__device__ __forceinline__ void join_groups(struct part *to, float top, float total, const float sum[EIGHT])
{
    __shared__ float tops[GROUPS], totals[GROUPS], sums[GROUPS][DIM];
    int group = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    if (lane == 0) {
        tops[group] = top;
        totals[group] = total;
    }
#pragma unroll
    for (int e = 0; e < EIGHT; e++)
        sums[group][lane * EIGHT + e] = sum[e];
    __syncthreads();
    float most = tops[0], all = 0.0f, x = 0.0f;
#pragma unroll
    for (int g = 1; g < GROUPS; g++)
        most = fmaxf(most, tops[g]);
#pragma unroll
    for (int g = 0; g < GROUPS; g++) {
        float scale = exp2f(tops[g] - most);
        all = fmaf(totals[g], scale, all);
        x = fmaf(sums[g][threadIdx.x], scale, x);
    }
    to->sum[threadIdx.x] = x;
    if (threadIdx.x == 0) {
        to->top = most;
        to->total = all;
    }
    __syncthreads();
}

/* Grid: parts of the cache, heads of keys and values, sequences. Keys and values: [sequence][head][position][DIM]. */
__global__ void __launch_bounds__(WARPS * 32)
    decode_split(const __half *q, const __half *k, const __half *v, struct part *parts, int length, float scale)
{
    int group = threadIdx.x / LANES, lane = threadIdx.x % LANES, heads = gridDim.y, each = length / gridDim.x;
    size_t cache = ((size_t)blockIdx.z * heads + blockIdx.y) * length * DIM;
    const eight<__half2> *keys = (const eight<__half2> *)(k + cache), *values = (const eight<__half2> *)(v + cache);
    const eight<__half2> *queries =
        (const eight<__half2> *)(q + ((size_t)blockIdx.z * heads + blockIdx.y) * SHARE * DIM);
    float query[SHARE][EIGHT], sum[SHARE][EIGHT] = {}, top[SHARE], total[SHARE] = {};
#pragma unroll
    for (int h = 0; h < SHARE; h++) {
        unpack(query[h], queries[h * LANES + lane]);
        top[h] = -INFINITY;
#pragma unroll
        for (int e = 0; e < EIGHT; e++)
            query[h][e] *= scale;
    }
    int first = blockIdx.x * each + group, end = blockIdx.x * each + each;
    eight<__half2> next_k = keys[(size_t)first * LANES + lane], next_v = values[(size_t)first * LANES + lane];
#pragma unroll 1
    for (int i = first; i < end; i += GROUPS) {
        float key[EIGHT], value[EIGHT];
        unpack(key, next_k);
        unpack(value, next_v);
        if (i + GROUPS < end) {
            next_k = keys[(size_t)(i + GROUPS) * LANES + lane];
            next_v = values[(size_t)(i + GROUPS) * LANES + lane];
        }
#pragma unroll
        for (int h = 0; h < SHARE; h++) {
            float s = dot(query[h], key), now = fmaxf(top[h], s);
            float shrink = exp2f(top[h] - now), w = exp2f(s - now);
            total[h] = fmaf(total[h], shrink, w);
            top[h] = now;
#pragma unroll
            for (int e = 0; e < EIGHT; e++)
                sum[h][e] = fmaf(sum[h][e], shrink, w * value[e]);
        }
    }
#pragma unroll
    for (int h = 0; h < SHARE; h++) {
        size_t head = ((size_t)blockIdx.z * heads + blockIdx.y) * SHARE + h;
        join_groups(parts + head * gridDim.x + blockIdx.x, top[h], total[h], sum[h]);
    }
}

/* A CTA a head, a thread an element. */
__global__ void __launch_bounds__(DIM) decode_join(const struct part *parts, __half *out, int count)
{
    parts += (size_t)blockIdx.x * count;
    float most = -INFINITY, total = 0.0f, sum = 0.0f;
    for (int i = 0; i < count; i++)
        most = fmaxf(most, parts[i].top);
    for (int i = 0; i < count; i++) {
        float scale = exp2f(parts[i].top - most);
        total = fmaf(parts[i].total, scale, total);
        sum = fmaf(parts[i].sum[threadIdx.x], scale, sum);
    }
    out[(size_t)blockIdx.x * DIM + threadIdx.x] = __float2half(sum / total);
}

static __half *random_halves(float **values, size_t n, float range, uint32_t *seed)
{
    float *f = *values = (float *)host_alloc(n * sizeof *f);
    __half *h = (__half *)host_alloc(n * sizeof *h);
    for (size_t i = 0; i < n; i++)
        f[i] = __half2float(h[i] = __float2half(range * (2.0f * next_float(seed) - 1.0f)));
    return h;
}

static long check(const float *q, const float *k, const float *v, const __half *o, int queries, int length)
{
    long wrong = 0;
    double *weight = (double *)host_alloc(length * sizeof *weight);
    for (int h = 0; h < queries; h++) {
        const float *keys = k + (size_t)(h / SHARE) * length * DIM, *values = v + (size_t)(h / SHARE) * length * DIM;
        double top = -INFINITY, total = 0.0, out[DIM] = {};
        for (int i = 0; i < length; i++) {
            double s = 0.0;
            for (int d = 0; d < DIM; d++)
                s += (double)q[(size_t)h * DIM + d] * keys[(size_t)i * DIM + d];
            weight[i] = s / sqrt((double)DIM);
            top = fmax(top, weight[i]);
        }
        for (int i = 0; i < length; i++) {
            double w = exp(weight[i] - top);
            total += w;
            for (int d = 0; d < DIM; d++)
                out[d] += w * values[(size_t)i * DIM + d];
        }
        for (int d = 0; d < DIM; d++)
            wrong += !(fabs(__half2float(o[(size_t)h * DIM + d]) - out[d] / total) <= 1e-3);
    }
    free(weight);
    return wrong;
}

int main(int argc, char **argv)
{
    static const int sequences_of[] = {1, 4, 16}, heads_of[] = {1, 4, 8}, length_of[] = {256, 4096, 16384};
    static const int parts_of[] = {4, 16, 16};
    int size = parse_size(argc, argv), n = sequences_of[size], heads = heads_of[size], length = length_of[size];
    int parts = parts_of[size], queries = n * heads * SHARE;
    size_t nq = (size_t)queries * DIM, nk = (size_t)n * heads * length * DIM;
    float *q, *k, *v;
    uint32_t seed = 314159;
    __half *half_q = random_halves(&q, nq, 2.0f, &seed), *half_k = random_halves(&k, nk, 2.0f, &seed);
    __half *half_v = random_halves(&v, nk, 1.0f, &seed), *o = (__half *)host_alloc(nq * 2);
    __half *d_q = (__half *)device_copy(half_q, nq * 2), *d_k = (__half *)device_copy(half_k, nk * 2);
    __half *d_v = (__half *)device_copy(half_v, nk * 2), *d_o = (__half *)device_alloc(nq * 2);
    struct part *d_parts = (struct part *)device_alloc((size_t)queries * parts * sizeof *d_parts);
    float scale = 1.44269504f / sqrtf(DIM);
    decode_split<<<dim3(parts, heads, n), WARPS * 32>>>(d_q, d_k, d_v, d_parts, length, scale);
    decode_join<<<queries, DIM>>>(d_parts, d_o, parts);
    fetch(o, d_o, nq * 2);

    long wrong = check(q, k, v, o, queries, length);
    CHECK(cudaFree(d_q));
    CHECK(cudaFree(d_k));
    CHECK(cudaFree(d_v));
    CHECK(cudaFree(d_o));
    CHECK(cudaFree(d_parts));
    free(q), free(k), free(v), free(o), free(half_q), free(half_k), free(half_v);
    return verdict("decode_attention", wrong);
}
// SPDX-License-Identifier: Apache-2.0
