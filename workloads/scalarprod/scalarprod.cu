/* Scalar products of many pairs of vectors, one pair after the other a CTA. 256 threads keep 1024 partial
 * sums in shared memory (each the sum of every 1024th product, two at a time), which a tree of halvings
 * adds up with barriers between. Long coalesced streams, then ever fewer active warps. */
#include "../workload.h"

#define BLOCK 256
#define PARTIAL 1024
#define CTAS 128

__global__ void scalar_prod(float *__restrict__ out, const float *__restrict__ a, const float *__restrict__ b,
                            int vectors, int length)
{
    __shared__ float sums[PARTIAL];
#pragma unroll 1
    for (int v = blockIdx.x; v < vectors; v += gridDim.x) {
#pragma unroll 1
        for (int p = threadIdx.x; p < PARTIAL; p += BLOCK) {
            const float *pa = a + (v * length + p), *pb = b + (v * length + p);
            float sum = 0.0f;
#pragma unroll 1
            for (int left = length; left > 0; left -= 2 * PARTIAL, pa += 2 * PARTIAL, pb += 2 * PARTIAL)
                sum += pa[0] * pb[0] + pa[PARTIAL] * pb[PARTIAL];
            sums[p] = sum;
        }
#pragma unroll 1
        for (int half = PARTIAL / 2; half > 0; half >>= 1) {
            __syncthreads();
#pragma unroll 1
            for (int p = threadIdx.x; p < half; p += BLOCK)
                sums[p] += sums[p + half];
        }
        if (threadIdx.x == 0)
            out[v] = sums[0];
        __syncthreads();
    }
}

int main(int argc, char **argv)
{
    static const int counts[] = {32, 1024, 2048}, lengths[] = {2048, 4096, 8192}, repeats[] = {1, 1, 10};
    int size = parse_size(argc, argv), vectors = counts[size], length = lengths[size];
    int ctas = vectors < CTAS ? vectors : CTAS;
    size_t n = (size_t)vectors * length, bytes = sizeof(float) * n;
    float *a = (float *)host_alloc(bytes), *b = (float *)host_alloc(bytes);
    float *got = (float *)host_alloc(sizeof(float) * vectors),
          *want = (float *)host_alloc(sizeof(float) * vectors);
    uint32_t seed = 123;
    for (size_t i = 0; i < n; i++) {
        a[i] = next_float(&seed);
        b[i] = next_float(&seed);
    }
    float *d_a = (float *)device_copy(a, bytes), *d_b = (float *)device_copy(b, bytes);
    float *d_out = (float *)device_alloc(sizeof(float) * vectors);
    for (int r = 0; r < repeats[size]; r++)
        scalar_prod<<<ctas, BLOCK>>>(d_out, d_a, d_b, vectors, length);
    fetch(got, d_out, sizeof(float) * vectors);

    for (int v = 0; v < vectors; v++) {
        double sum = 0.0;
        for (int i = 0; i < length; i++)
            sum += (double)a[(size_t)v * length + i] * b[(size_t)v * length + i];
        want[v] = (float)sum;
    }
    /* Positive terms through at most 8 + 10 additions: 20 roundings of 2^-24. */
    long wrong = count_off(got, want, vectors, 5e-6f);
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_out));
    free(a), free(b), free(got), free(want);
    return verdict("scalarprod", wrong);
}
// SPDX-License-Identifier: Apache-2.0
