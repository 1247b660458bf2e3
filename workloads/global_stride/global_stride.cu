/* Reads of global memory in which neighbouring threads are --stride words apart: with 1 a warp reads 4
 * sectors of 32 bytes, from 8 on 32 of them. Every thread sums a column of words that are a whole grid apart,
 * so that nothing is read twice until the array wraps. A few integer instructions for each load: coalescing
 * and memory bandwidth are what it shows. */
#include "../workload.h"

#define BLOCK 256
#define UNROLL 4

__global__ void stride_loads(const uint32_t *in, uint32_t *out, unsigned mask, unsigned stride, int loads)
{
    unsigned i = blockIdx.x * BLOCK + threadIdx.x, at = i * stride, step = gridDim.x * BLOCK * stride;
    uint32_t sum = 0;
#pragma unroll 1
    for (int done = 0; done < loads; done += UNROLL) {
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            sum += in[(at + k * step) & mask];
        at += UNROLL * step;
    }
    out[i] = sum;
}

int main(int argc, char **argv)
{
    static const int ctas_of[] = {8, 160, 960}, loads_of[] = {64, 120, 1024}, logs[] = {19, 23, 24};
    int stride = 1;
    const struct choice options[] = {{"stride", NULL, &stride}};
    int size = parse_args(argc, argv, options, 1), ctas = ctas_of[size], loads = loads_of[size];
    if (stride > 1024) {
        fprintf(stderr, "global_stride: --stride is 1 to 1024\n");
        return 2;
    }

    unsigned words = 1u << logs[size], mask = words - 1, threads = ctas * BLOCK;
    uint32_t *in = (uint32_t *)host_alloc(words * sizeof *in);
    uint32_t *out = (uint32_t *)host_alloc(threads * sizeof *out), seed = 662607;
    for (unsigned i = 0; i < words; i++)
        in[i] = next_random(&seed);
    uint32_t *d_in = (uint32_t *)device_copy(in, words * sizeof *in);
    uint32_t *d_out = (uint32_t *)device_alloc(threads * sizeof *out);
    stride_loads<<<ctas, BLOCK>>>(d_in, d_out, mask, stride, loads);
    fetch(out, d_out, threads * sizeof *out);

    /* Row by row, as the GPU goes: column by column would miss the CPU's caches. */
    uint32_t *want = (uint32_t *)host_alloc(threads * sizeof *want);
    for (unsigned k = 0; k < (unsigned)loads; k++)
        for (unsigned i = 0; i < threads; i++)
            want[i] += in[(i + k * threads) * stride & mask];
    long wrong = 0;
    for (unsigned i = 0; i < threads; i++)
        wrong += out[i] != want[i];
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    free(in), free(out), free(want);
    return verdict("global_stride", wrong);
}
// SPDX-License-Identifier: Apache-2.0
