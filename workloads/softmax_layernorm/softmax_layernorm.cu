/* The two row-wise kernels of a transformer beside its products: softmax of every row, and layer
 * normalisation of the row plus a residual. A CTA of 256 threads has a row of 1024 in registers, four values
 * in each thread, and reduces it with shuffles and one word of shared memory for each warp: two reductions,
 * four barriers a row. Streams through memory once; short dependent chains. */
#include "../workload.h"

#define COLS 1024
#define BLOCK 256
#define WARPS (BLOCK / 32)
#define EPSILON 1e-5f

template <bool MAX> __device__ __forceinline__ float combine(float a, float b)
{
    return MAX ? fmaxf(a, b) : a + b;
}

/* Over the CTA, for every thread. */
template <bool MAX> __device__ __forceinline__ float reduce(float x, float *of_warp)
{
#pragma unroll
    for (int step = 16; step; step /= 2)
        x = combine<MAX>(x, __shfl_xor_sync(0xffffffff, x, step));
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = x;
    __syncthreads();
    x = of_warp[threadIdx.x % WARPS];
#pragma unroll
    for (int step = WARPS / 2; step; step /= 2)
        x = combine<MAX>(x, __shfl_xor_sync(0xffffffff, x, step));
    return x;
}

__global__ void softmax(const float *in, float *out)
{
    __shared__ float maxima[WARPS], sums[WARPS];
    size_t at = (size_t)blockIdx.x * COLS / 4 + threadIdx.x;
    float4 v = __ldg((const float4 *)in + at);
    float top = reduce<true>(fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)), maxima);
    v = make_float4(__expf(v.x - top), __expf(v.y - top), __expf(v.z - top), __expf(v.w - top));
    float r = 1.0f / reduce<false>((v.x + v.y) + (v.z + v.w), sums);
    ((float4 *)out)[at] = make_float4(v.x * r, v.y * r, v.z * r, v.w * r);
}

__global__ void layernorm(const float *in, const float *residual, const float *gain, const float *bias,
                          float *out)
{
    __shared__ float sums[WARPS], squares[WARPS];
    size_t at = (size_t)blockIdx.x * COLS / 4 + threadIdx.x;
    float4 v = __ldg((const float4 *)in + at), w = __ldg((const float4 *)residual + at);
    v = make_float4(v.x + w.x, v.y + w.y, v.z + w.z, v.w + w.w);
    float mean = reduce<false>((v.x + v.y) + (v.z + v.w), sums) * (1.0f / COLS);
    v = make_float4(v.x - mean, v.y - mean, v.z - mean, v.w - mean);
    float variance =
        reduce<false>((v.x * v.x + v.y * v.y) + (v.z * v.z + v.w * v.w), squares) * (1.0f / COLS);
    float r = rsqrtf(variance + EPSILON);
    float4 g = __ldg((const float4 *)gain + threadIdx.x), b = __ldg((const float4 *)bias + threadIdx.x);
    ((float4 *)out)[at] =
        make_float4(v.x * r * g.x + b.x, v.y * r * g.y + b.y, v.z * r * g.z + b.z, v.w * r * g.w + b.w);
}

static void softmax_row(float *to, const float *x)
{
    float top = x[0];
    double sum = 0.0;
    for (int i = 0; i < COLS; i++)
        top = fmaxf(top, x[i]);
    for (int i = 0; i < COLS; i++)
        sum += to[i] = expf(x[i] - top);
    for (int i = 0; i < COLS; i++)
        to[i] = (float)(to[i] / sum);
}

static void layernorm_row(float *to, const float *x, const float *residual, const float *gain,
                          const float *bias)
{
    double mean = 0.0, variance = 0.0;
    for (int i = 0; i < COLS; i++)
        mean += to[i] = x[i] + residual[i];
    mean /= COLS;
    for (int i = 0; i < COLS; i++)
        variance += (to[i] - mean) * (to[i] - mean);
    double r = 1.0 / sqrt(variance / COLS + EPSILON);
    for (int i = 0; i < COLS; i++)
        to[i] = (float)((to[i] - mean) * r * gain[i] + bias[i]);
}

static float *random_floats(size_t n, float scale, uint32_t *seed)
{
    float *f = (float *)host_alloc(n * sizeof *f);
    for (size_t i = 0; i < n; i++)
        f[i] = scale * (2.0f * next_float(seed) - 1.0f);
    return f;
}

int main(int argc, char **argv)
{
    static const int rows_of[] = {32, 2048, 16384}, repeats_of[] = {1, 1, 3};
    int size = parse_size(argc, argv), rows = rows_of[size];
    size_t n = (size_t)rows * COLS, bytes = n * sizeof(float), row_bytes = COLS * sizeof(float);
    uint32_t seed = 885418;
    float *x = random_floats(n, 6.0f, &seed), *residual = random_floats(n, 2.0f, &seed);
    float *gain = random_floats(COLS, 1.5f, &seed), *bias = random_floats(COLS, 0.5f, &seed);
    float *probability = (float *)host_alloc(bytes), *normal = (float *)host_alloc(bytes);
    float *d_x = (float *)device_copy(x, bytes), *d_residual = (float *)device_copy(residual, bytes);
    float *d_gain = (float *)device_copy(gain, row_bytes), *d_bias = (float *)device_copy(bias, row_bytes);
    float *d_probability = (float *)device_alloc(bytes), *d_normal = (float *)device_alloc(bytes);
    for (int i = 0; i < repeats_of[size]; i++) {
        softmax<<<rows, BLOCK>>>(d_x, d_probability);
        layernorm<<<rows, BLOCK>>>(d_x, d_residual, d_gain, d_bias, d_normal);
    }
    fetch(probability, d_probability, bytes);
    fetch(normal, d_normal, bytes);

    /* Probabilities are some 1/1024, so that their error is looked at in units of that. */
    long wrong = 0;
    float want[COLS];
    for (int row = 0; row < rows; row++) {
        size_t at = (size_t)row * COLS;
        softmax_row(want, x + at);
        for (int i = 0; i < COLS; i++)
            wrong += !(fabsf(probability[at + i] - want[i]) <= 2e-5f * (want[i] + 1.0f / COLS));
        layernorm_row(want, x + at, residual + at, gain, bias);
        wrong += count_off(normal + at, want, COLS, 2e-5f);
    }
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_residual));
    CHECK(cudaFree(d_gain));
    CHECK(cudaFree(d_bias));
    CHECK(cudaFree(d_probability));
    CHECK(cudaFree(d_normal));
    free(x), free(residual), free(gain), free(bias), free(probability), free(normal);
    return verdict("softmax_layernorm", wrong);
}
// SPDX-License-Identifier: Apache-2.0
