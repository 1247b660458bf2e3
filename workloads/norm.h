/* The small kernels of a transformer layer, on vectors of eight halves or bfloat16: root-mean-square normalisation of rows and rotary
 * position embedding. T2 is __half2 or __nv_bfloat162. */
#ifndef NORM_H
#define NORM_H

#include "workload.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define EIGHT 8 /* elements of 16 bytes */

__device__ __forceinline__ float2 to_floats(__half2 v) { return __half22float2(v); }
__device__ __forceinline__ float2 to_floats(__nv_bfloat162 v) { return __bfloat1622float2(v); }
__device__ __forceinline__ void from_floats(__half2 *to, float a, float b) { *to = __floats2half2_rn(a, b); }
__device__ __forceinline__ void from_floats(__nv_bfloat162 *to, float a, float b)
{
    *to = __floats2bfloat162_rn(a, b);
}

/* One access of 16 bytes: as an array of pairs nvcc would read and write it by fours. */
template <typename T2> struct eight {
    uint4 bits;
};

template <typename T2> __device__ __forceinline__ void unpack(float x[EIGHT], const eight<T2> &v)
{
    uint4 bits = v.bits;
    unsigned word[EIGHT / 2] = {bits.x, bits.y, bits.z, bits.w};
#pragma unroll
    for (int i = 0; i < EIGHT / 2; i++) {
        float2 f = to_floats(*(T2 *)&word[i]);
        x[2 * i] = f.x;
        x[2 * i + 1] = f.y;
    }
}

template <typename T2> __device__ __forceinline__ eight<T2> pack(const float x[EIGHT])
{
    unsigned word[EIGHT / 2];
#pragma unroll
    for (int i = 0; i < EIGHT / 2; i++)
        from_floats((T2 *)&word[i], x[2 * i], x[2 * i + 1]);
    return {make_uint4(word[0], word[1], word[2], word[3])};
}

/* Of all threads of the CTA, at most 1024. */
__device__ __forceinline__ float block_sum(float x)
{
    __shared__ float part[32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
#pragma unroll
    for (int step = 16; step; step /= 2)
        x += __shfl_xor_sync(0xffffffff, x, step);
    if (lane == 0)
        part[warp] = x;
    __syncthreads();
    x = lane < (int)blockDim.x / 32 ? part[lane] : 0.0f;
#pragma unroll
    for (int step = 16; step; step /= 2)
        x += __shfl_xor_sync(0xffffffff, x, step);
    return x;
}

/* A CTA a row: out = x / sqrt(mean(x^2) + epsilon) weight. With ADD the row is x + added, and is kept in x. VECS vectors stay in the
 * registers of a thread; width = VECS * 8 * blockDim.x. */
template <typename T2, int VECS, bool ADD>
__global__ void rms_norm(eight<T2> *x, const eight<T2> *added, const eight<T2> *weight, eight<T2> *out, int width,
                         float epsilon)
{
    size_t row = (size_t)blockIdx.x * (width / EIGHT);
    float v[VECS][EIGHT], sum = 0.0f;
#pragma unroll
    for (int i = 0; i < VECS; i++) {
        int at = i * blockDim.x + threadIdx.x;
        unpack(v[i], x[row + at]);
        if (ADD) {
            float more[EIGHT];
            unpack(more, added[row + at]);
#pragma unroll
            for (int e = 0; e < EIGHT; e++)
                v[i][e] += more[e];
            x[row + at] = pack<T2>(v[i]);
        }
#pragma unroll
        for (int e = 0; e < EIGHT; e++)
            sum = fmaf(v[i][e], v[i][e], sum);
    }
    float scale = rsqrtf(block_sum(sum) / width + epsilon);
#pragma unroll
    for (int i = 0; i < VECS; i++) {
        int at = i * blockDim.x + threadIdx.x;
        float w[EIGHT];
        unpack(w, weight[at]);
#pragma unroll
        for (int e = 0; e < EIGHT; e++)
            v[i][e] *= scale * w[e];
        out[row + at] = pack<T2>(v[i]);
    }
}

/* Rotary embedding in place, of the heads of DIMS at the begin of every token's row: elements i and i + DIMS / 2 are
 * turned by the angle of the token's position and i, whose cosine and sine are in the table (rows of DIMS / 2). A CTA a token, eight
 * pairs a thread. */
template <typename T2, int DIMS> __global__ void rope(T2 *x, const float2 *table, int length, int row)
{
    const int per_head = DIMS / 2 / EIGHT;
    int token = blockIdx.x, head = threadIdx.x / per_head, first = threadIdx.x % per_head * EIGHT;
    T2 *low = x + ((size_t)token * row + head * DIMS + first) / 2;
    eight<T2> *to_low = (eight<T2> *)low, *to_high = (eight<T2> *)(low + DIMS / 4);
    const float4 *angle = (const float4 *)(table + (size_t)(token % length) * (DIMS / 2) + first);
    float a[EIGHT], b[EIGHT];
    unpack(a, *to_low);
    unpack(b, *to_high);
#pragma unroll
    for (int i = 0; i < EIGHT; i += 2) {
        float4 t = __ldg(angle + i / 2); /* cosine and sine of two */
        float a0 = a[i] * t.x - b[i] * t.y, a1 = a[i + 1] * t.z - b[i + 1] * t.w;
        b[i] = b[i] * t.x + a[i] * t.y;
        b[i + 1] = b[i + 1] * t.z + a[i + 1] * t.w;
        a[i] = a0;
        a[i + 1] = a1;
    }
    *to_low = pack<T2>(a);
    *to_high = pack<T2>(b);
}

static inline float2 *angles(int length, int dim)
{
    float2 *table = (float2 *)host_alloc((size_t)length * (dim / 2) * sizeof *table);
    for (int p = 0; p < length; p++)
        for (int i = 0; i < dim / 2; i++) {
            double angle = p * pow(10000.0, -2.0 * i / dim);
            table[(size_t)p * (dim / 2) + i] = make_float2((float)cos(angle), (float)sin(angle));
        }
    return table;
}

#endif
/* SPDX-License-Identifier: Apache-2.0 */
