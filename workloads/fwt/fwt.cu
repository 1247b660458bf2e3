/* Dyadic convolution by fast Walsh transforms: transform data and filter, multiply, transform back.
 * Butterflies of four elements: strides beyond 2048 elements in passes over global memory, the rest in one
 * kernel on 2048 elements in shared memory (512 threads, a barrier between passes). Streams all data once a
 * pass: limited by memory. */
#include "../workload.h"

#define LOG2_IN_SHARED 11
#define IN_SHARED (1 << LOG2_IN_SHARED)
#define BLOCK 256
#define TAPS 128

__device__ void butterfly(float *d0, float *d1, float *d2, float *d3)
{
    float a = *d0 + *d2, b = *d1 + *d3, c = *d0 - *d2, d = *d1 - *d3;
    *d0 = a + b;
    *d1 = a - b;
    *d2 = c + d;
    *d3 = c - d;
}

/* Passes of stride 512, 128, 32, 8, 2 and the pairs that are left. */
__global__ void fwt_shared(float *__restrict__ to, const float *__restrict__ from)
{
    __shared__ float s[IN_SHARED];
    int t = threadIdx.x, base = blockIdx.x * IN_SHARED;
    for (int i = t; i < IN_SHARED; i += IN_SHARED / 4)
        s[i] = from[base + i];
#pragma unroll 1
    for (int stride = IN_SHARED / 4; stride > 1; stride >>= 2) {
        int low = t & (stride - 1), i = ((t - low) << 2) + low;
        __syncthreads();
        butterfly(&s[i], &s[i + stride], &s[i + 2 * stride], &s[i + 3 * stride]);
    }
    __syncthreads();
    for (int i = t; i < IN_SHARED / 2; i += IN_SHARED / 4) {
        float a = s[2 * i], b = s[2 * i + 1];
        s[2 * i] = a + b;
        s[2 * i + 1] = a - b;
    }
    __syncthreads();
    for (int i = t; i < IN_SHARED; i += IN_SHARED / 4)
        to[base + i] = s[i];
}

__global__ void fwt_global(float *__restrict__ to, const float *__restrict__ from, int stride)
{
    int t = blockIdx.x * BLOCK + threadIdx.x, low = t & (stride - 1), i = ((t - low) << 2) + low;
    float d0 = from[i], d1 = from[i + stride], d2 = from[i + 2 * stride], d3 = from[i + 3 * stride];
    butterfly(&d0, &d1, &d2, &d3);
    to[i] = d0;
    to[i + stride] = d1;
    to[i + 2 * stride] = d2;
    to[i + 3 * stride] = d3;
}

__global__ void multiply(float *__restrict__ a, const float *__restrict__ b, float scale, int n)
{
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK)
        a[i] *= b[i] * scale;
}

/* In place apart from d's own copy: every thread writes what it alone read. log2n is odd and at least 11.
 * */
static void transform(float *d, float *copy, int log2n)
{
    int n = 1 << log2n;
    float *from = d;
    for (int stride = n >> 2; stride >= IN_SHARED; stride >>= 2) {
        float *to = from == d ? copy : d;
        fwt_global<<<n / 4 / BLOCK, BLOCK>>>(to, from, stride);
        from = to;
    }
    if (from == d) {
        fwt_shared<<<n / IN_SHARED, IN_SHARED / 4>>>(copy, from);
        from = copy;
        CHECK(cudaMemcpy(d, copy, sizeof(float) * n, cudaMemcpyDeviceToDevice));
    } else {
        fwt_shared<<<n / IN_SHARED, IN_SHARED / 4>>>(d, from);
    }
}

static void convolve(float *out, const float *data, const float *filter, int n)
{
    for (int i = 0; i < n; i++) {
        float sum = 0.0f;
        for (int k = 0; k < TAPS; k++)
            sum += filter[k] * data[i ^ k];
        out[i] = sum;
    }
}

int main(int argc, char **argv)
{
    static const int logs[] = {13, 19, 23};
    int size = parse_size(argc, argv), log2n = logs[size], n = 1 << log2n;
    size_t bytes = sizeof(float) * n;
    float *data = (float *)host_alloc(bytes), *filter = (float *)host_alloc(bytes);
    float *got = (float *)host_alloc(bytes), *want = (float *)host_alloc(bytes);
    uint32_t seed = 2007;
    for (int i = 0; i < n; i++)
        data[i] = next_float(&seed) - 0.5f;
    for (int i = 0; i < TAPS; i++)
        filter[i] = next_float(&seed) - 0.5f;

    float *d_data = (float *)device_copy(data, bytes), *d_filter = (float *)device_copy(filter, bytes);
    float *d_copy = (float *)device_alloc(bytes);
    transform(d_data, d_copy, log2n);
    transform(d_filter, d_copy, log2n);
    multiply<<<128, BLOCK>>>(d_data, d_filter, 1.0f / n, n);
    transform(d_data, d_copy, log2n);
    fetch(got, d_data, bytes);

    convolve(want, data, filter, n);
    /* Results are near 1. The transform is orthogonal: each of some 50 roundings adds about 2^-24 of that.
     * */
    long wrong = count_off(got, want, n, 1e-4f);
    CHECK(cudaFree(d_data));
    CHECK(cudaFree(d_filter));
    CHECK(cudaFree(d_copy));
    free(data), free(filter), free(got), free(want);
    return verdict("fwt", wrong);
}
// SPDX-License-Identifier: Apache-2.0
