/* Chains of fused multiply-adds in eight warps of a CTA (Barnes et al., "Mitigating GPU Core Partitioning
 * Performance Effects", Figures 3 and 4). In the layout baseline the CTA has no other warps; in balanced and
 * unbalanced 24 more only wait at the barrier, and the computing ones are the first eight or every fourth.
 * Warps go to the partitions of an SM in turn, so that the last layout computes on one partition of four. No
 * memory traffic, and a multiply-add reads two registers and a constant, which leaves banks time to spare:
 * only the place of the warps matters. */
#include "../workload.h"

#define WARP 32
#define WARPS 8   /* that compute */
#define CHAINS 4  /* independent, so that two warps keep a partition busy */
#define UNROLL 64 /* multiply-adds in the loop's body */

enum { BASELINE, BALANCED, UNBALANCED };

__global__ void fma_warps(const float *in, float *out, float scale, float add, int every, int fmas)
{
    int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    if (warp % every == 0 && warp / every < WARPS) {
        int i = warp / every * WARP + lane;
        float c[CHAINS];
        for (int k = 0; k < CHAINS; k++)
            c[k] = in[k * WARPS * WARP + i];
#pragma unroll 1
        for (int done = 0; done < fmas; done += UNROLL) {
#pragma unroll
            for (int k = 0; k < UNROLL; k++)
                c[k % CHAINS] = fmaf(c[k % CHAINS], scale, add);
        }
        out[blockIdx.x * WARPS * WARP + i] = (c[0] + c[1]) + (c[2] + c[3]);
    }
    __syncthreads();
}

static float expected(const float *in, float scale, float add, int i, int fmas)
{
    float c[CHAINS];
    for (int k = 0; k < CHAINS; k++) {
        c[k] = in[k * WARPS * WARP + i];
        for (int done = 0; done < fmas / CHAINS; done++)
            c[k] = fmaf(c[k], scale, add);
    }
    return (c[0] + c[1]) + (c[2] + c[3]);
}

int main(int argc, char **argv)
{
    static const int ctas_of[] = {3, 480, 1920}; /* default: launching takes little of the time */
    static const char *const layouts[] = {"baseline", "balanced", "unbalanced", NULL};
    int layout = BASELINE;
    const struct choice options[] = {{"layout", layouts, &layout}};
    int size = parse_args(argc, argv, options, 1), ctas = ctas_of[size], fmas = 4096;
    int threads = (layout == BASELINE ? WARPS : 4 * WARPS) * WARP, every = layout == UNBALANCED ? 4 : 1;

    float in[CHAINS * WARPS * WARP];
    float scale = 0.9990234375f, add = 0.0009765625f;
    uint32_t seed = 314159;
    for (int i = 0; i < CHAINS * WARPS * WARP; i++)
        in[i] = next_float(&seed);
    size_t bytes = (size_t)ctas * WARPS * WARP * sizeof(float);
    float *out = (float *)host_alloc(bytes);
    float *d_in = (float *)device_copy(in, sizeof in), *d_out = (float *)device_copy(out, bytes);
    fma_warps<<<ctas, threads>>>(d_in, d_out, scale, add, every, fmas);
    fetch(out, d_out, bytes);

    long wrong = 0;
    for (int i = 0; i < WARPS * WARP; i++) {
        float want = expected(in, scale, add, i, fmas);
        for (int cta = 0; cta < ctas; cta++)
            wrong += out[cta * WARPS * WARP + i] != want;
    }
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    free(out);
    return verdict("fma_imbalance", wrong);
}
// SPDX-License-Identifier: Apache-2.0
