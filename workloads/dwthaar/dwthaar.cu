/* Haar wavelet transform of a signal, ten levels a launch. A CTA of 512 threads takes 1024 samples; at
 * every level half as many threads as before halve what is left in shared memory (skewed against bank
 * conflicts) and store the details. Barriers, and warps that run out of work early. */
#include "../workload.h"

#define BLOCK 512
#define INV_SQRT2 0.70710678118654752f
#define SKEW(i) ((i) + ((i) >> 5))

/* Of a signal of n samples: the details of level k at out[n >> k], k from 1 on, and what is left of each
 * CTA's part. */
__global__ void haar(const float2 *__restrict__ in, float *__restrict__ out, float *__restrict__ left, int n)
{
    __shared__ float s[SKEW(BLOCK)];
    int t = threadIdx.x, active = blockDim.x, half = n / 2;
    float2 pair = in[blockIdx.x * active + t];
    out[half + blockIdx.x * active + t] = (pair.x - pair.y) * INV_SQRT2;
    s[SKEW(t)] = (pair.x + pair.y) * INV_SQRT2;
    __syncthreads();

#pragma unroll 1
    while (active > 1) {
        float a = 0.0f, b = 0.0f;
        active >>= 1;
        half >>= 1;
        if (t < active) {
            a = s[SKEW(2 * t)];
            b = s[SKEW(2 * t + 1)];
        }
        __syncthreads();
        if (t < active) {
            out[half + blockIdx.x * active + t] = (a - b) * INV_SQRT2;
            s[SKEW(t)] = (a + b) * INV_SQRT2;
        }
        __syncthreads();
    }
    if (t == 0)
        left[blockIdx.x] = s[0];
}

static void transform(float *d_out, const float *d_signal, float *d_left[2], int n)
{
    const float *from = d_signal;
    for (int turn = 0; n > 1; turn ^= 1) {
        int threads = n < 2 * BLOCK ? n / 2 : BLOCK;
        haar<<<n / 2 / threads, threads>>>((const float2 *)from, d_out, d_left[turn], n);
        n /= 2 * threads;
        from = d_left[turn];
    }
    CHECK(cudaMemcpy(d_out, from, sizeof(float), cudaMemcpyDeviceToDevice));
}

static void cpu_transform(float *out, float *work, int n)
{
    for (; n > 1; n /= 2)
        for (int i = 0; i < n / 2; i++) {
            float a = work[2 * i], b = work[2 * i + 1];
            out[n / 2 + i] = (a - b) * INV_SQRT2;
            work[i] = (a + b) * INV_SQRT2;
        }
    out[0] = work[0];
}

int main(int argc, char **argv)
{
    static const int logs[] = {15, 21, 23}, repeats[] = {1, 1, 4};
    int size = parse_size(argc, argv), n = 1 << logs[size];
    size_t bytes = sizeof(float) * n;
    float *signal = (float *)host_alloc(bytes), *got = (float *)host_alloc(bytes),
          *want = (float *)host_alloc(bytes);
    uint32_t seed = 1910;
    for (int i = 0; i < n; i++)
        signal[i] = next_float(&seed);
    float *d_signal = (float *)device_copy(signal, bytes), *d_out = (float *)device_alloc(bytes);
    float *d_left[2] = {(float *)device_alloc(bytes / BLOCK), (float *)device_alloc(bytes / BLOCK)};
    for (int r = 0; r < repeats[size]; r++)
        transform(d_out, d_signal, d_left, n);
    fetch(got, d_out, bytes);

    /* Sums and products in the same order, and no product is added to: equal to the last bit. */
    cpu_transform(want, signal, n);
    long wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += got[i] != want[i];
    CHECK(cudaFree(d_signal));
    CHECK(cudaFree(d_out));
    CHECK(cudaFree(d_left[0]));
    CHECK(cudaFree(d_left[1]));
    free(signal), free(got), free(want);
    return verdict("dwthaar", wrong);
}
// SPDX-License-Identifier: Apache-2.0
