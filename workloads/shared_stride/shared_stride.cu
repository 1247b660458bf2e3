/* Reads of shared memory in which neighbouring threads are --stride words apart: of the 32 banks only 32 /
 * gcd(stride, 32) are hit, and a read takes as many passes as threads meet in one bank. The loop is nothing
 * but reads and integer adds. */
#include "../workload.h"

#define BLOCK 256
#define WORDS 1024 /* 32 threads, 32 apart */
#define UNROLL 16

__global__ void stride_reads(const uint32_t *in, uint32_t *out, int stride, int rounds)
{
    __shared__ uint32_t
        words[WORDS + UNROLL]; /* the last ones repeat the first, so that only the base wraps */
    for (int i = threadIdx.x; i < WORDS + UNROLL; i += BLOCK)
        words[i] = in[i % WORDS];
    __syncthreads();

    int at = (threadIdx.x % 32 * stride + threadIdx.x / 32) % WORDS;
    uint32_t sum = 0;
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            sum += words[at + k];
        at = (at + UNROLL) % WORDS;
    }
    out[blockIdx.x * BLOCK + threadIdx.x] = sum * (blockIdx.x + 1);
}

static uint32_t expected(const uint32_t *in, int thread, int stride, int rounds)
{
    int at = (thread % 32 * stride + thread / 32) % WORDS;
    uint32_t sum = 0;
    for (int k = 0; k < rounds * UNROLL; k++)
        sum += in[(at + k) % WORDS];
    return sum;
}

int main(int argc, char **argv)
{
    static const int ctas_of[] = {2, 160, 1600}, rounds_of[] = {96, 96, 144};
    int stride = 1;
    const struct choice options[] = {{"stride", NULL, &stride}};
    int size = parse_args(argc, argv, options, 1), ctas = ctas_of[size], rounds = rounds_of[size];
    if (stride > 32) {
        fprintf(stderr, "shared_stride: --stride is 1 to 32\n");
        return 2;
    }

    uint32_t in[WORDS], seed = 141421;
    for (int i = 0; i < WORDS; i++)
        in[i] = next_random(&seed);
    size_t bytes = (size_t)ctas * BLOCK * sizeof(uint32_t);
    uint32_t *out = (uint32_t *)host_alloc(bytes);
    uint32_t *d_in = (uint32_t *)device_copy(in, sizeof in), *d_out = (uint32_t *)device_alloc(bytes);
    stride_reads<<<ctas, BLOCK>>>(d_in, d_out, stride, rounds);
    fetch(out, d_out, bytes);

    long wrong = 0;
    for (int i = 0; i < BLOCK; i++) {
        uint32_t want = expected(in, i, stride, rounds);
        for (int cta = 0; cta < ctas; cta++)
            wrong += out[cta * BLOCK + i] != want * (cta + 1);
    }
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    free(out);
    return verdict("shared_stride", wrong);
}
// SPDX-License-Identifier: Apache-2.0
