/* Chains of fused multiply-adds in CTAs of 32 warps, of which every fourth works --imbalance times as long as
 * the others (Barnes et al., "Mitigating GPU Core Partitioning Performance Effects", Figure 8). All warps
 * then meet at a barrier. The long warps have the same amount of work at every imbalance; the short ones get
 * less. The warps of a CTA go to the partitions of an SM in turn, which puts all long ones on one partition
 * of four. */
#include "../workload.h"

#define WARP 32
#define WARPS 32
#define THREADS (WARPS * WARP)
#define CHAINS 4
#define UNROLL 16 /* multiply-adds in the loop's body */

__global__ void fma_uneven(const float *in, float *out, float scale, float add, int long_fmas, int short_fmas)
{
    int i = threadIdx.x, warp = i / WARP, fmas = warp % 4 == 0 ? long_fmas : short_fmas;
    float c[CHAINS];
    for (int k = 0; k < CHAINS; k++)
        c[k] = in[k * THREADS + i];
#pragma unroll 1
    for (int done = 0; done < fmas; done += UNROLL) {
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            c[k % CHAINS] = fmaf(c[k % CHAINS], scale, add);
    }
    out[blockIdx.x * THREADS + i] = (c[0] + c[1]) + (c[2] + c[3]);
    __syncthreads();
}

static float expected(const float *in, float scale, float add, int i, int fmas)
{
    float c[CHAINS];
    for (int k = 0; k < CHAINS; k++) {
        c[k] = in[k * THREADS + i];
        for (int done = 0; done < fmas / CHAINS; done++)
            c[k] = fmaf(c[k], scale, add);
    }
    return (c[0] + c[1]) + (c[2] + c[3]);
}

/* The large size has about the same number of instructions at every imbalance, in whole rounds of 160
 * CTAs. */
static int cta_count(int size, int long_fmas, int short_fmas)
{
    static const int ctas[] = {1, 160};
    long per_cta = 8L * long_fmas + 24L * short_fmas;
    return size == LARGE ? (int)(60000000 / per_cta + 160) / 160 * 160 : ctas[size];
}

int main(int argc, char **argv)
{
    static const int fmas_of[] = {2048, 2048, 4096};
    int imbalance = 4;
    const struct choice options[] = {{"imbalance", NULL, &imbalance}};
    int size = parse_args(argc, argv, options, 1);
    if (imbalance > 64 || (imbalance & (imbalance - 1))) {
        fprintf(stderr, "fma_divergence: --imbalance is 1, 2, 4, 8, 16, 32 or 64\n");
        return 2;
    }
    int long_fmas = fmas_of[size], short_fmas = long_fmas / imbalance;
    int ctas = cta_count(size, long_fmas, short_fmas);

    static float in[CHAINS * THREADS];
    float scale = 0.9990234375f, add = 0.0009765625f;
    uint32_t seed = 271828;
    for (int i = 0; i < CHAINS * THREADS; i++)
        in[i] = next_float(&seed);
    size_t bytes = (size_t)ctas * THREADS * sizeof(float);
    float *out = (float *)host_alloc(bytes);
    float *d_in = (float *)device_copy(in, sizeof in), *d_out = (float *)device_copy(out, bytes);
    fma_uneven<<<ctas, THREADS>>>(d_in, d_out, scale, add, long_fmas, short_fmas);
    fetch(out, d_out, bytes);

    long wrong = 0;
    for (int i = 0; i < THREADS; i++) {
        float want = expected(in, scale, add, i, i / WARP % 4 == 0 ? long_fmas : short_fmas);
        for (int cta = 0; cta < ctas; cta++)
            wrong += out[cta * THREADS + i] != want;
    }
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    free(out);
    return verdict("fma_divergence", wrong);
}
// SPDX-License-Identifier: Apache-2.0
