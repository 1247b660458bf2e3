/* Prints what cuRAND's generators draw for many seeds, subsequences and offsets. Lines that begin with u are exact; the
 * numbers of lines that begin with f depend on the math library. curand_stream.txt is the output on an H200 with NVIDIA's
 * library (CUDA 13.0). */
#include <cuda_runtime.h>
#include <curand_kernel.h>
#include <stdio.h>

typedef unsigned long long u64;

struct place {
    u64 seed, subsequence, offset;
};

#define PLACES 24
#define WORDS 12
#define REALS 12

template <typename State> __global__ void draw(const place *at, unsigned *words, double *reals)
{
    int t = threadIdx.x;
    State s;
    curand_init(at[t].seed, at[t].subsequence, at[t].offset, &s);
    unsigned *w = words + t * WORDS;
    double *r = reals + t * REALS;
    for (int i = 0; i < 6; i++)
        w[i] = curand(&s);
    skipahead(1000 * t + 1, &s);
    for (int i = 6; i < 9; i++)
        w[i] = curand(&s);
    skipahead_sequence(t * t, &s);
    for (int i = 9; i < WORDS; i++)
        w[i] = curand(&s);
    r[0] = curand_uniform(&s);
    r[1] = curand_uniform_double(&s);
    r[2] = curand_normal(&s);
    r[3] = curand_normal(&s);
    r[4] = curand_normal(&s);
    r[5] = curand_log_normal(&s, 0.5f, 0.25f);
    r[6] = curand_log_normal(&s, 0.5f, 0.25f);
    float2 two = curand_normal2(&s);
    r[7] = two.x;
    r[8] = two.y;
    r[9] = curand_normal_double(&s);
    r[10] = curand_normal_double(&s);
    r[11] = curand_uniform(&s);
}

__global__ void draw4(const place *at, unsigned *words, double *reals)
{
    int t = threadIdx.x;
    curandStatePhilox4_32_10_t s;
    curand_init(at[t].seed, at[t].subsequence, at[t].offset, &s);
    uint4 a = curand4(&s), b = curand4(&s);
    float4 u = curand_uniform4(&s), n = curand_normal4(&s);
    unsigned w[WORDS] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w, curand(&s), curand(&s), curand(&s), 0};
    w[11] = curand4(&s).z;
    double r[REALS] = {u.x, u.y, u.z, u.w, n.x, n.y, n.z, n.w, curand_uniform(&s), curand_uniform_double(&s),
                       0,   0};
    for (int i = 0; i < WORDS; i++)
        words[t * WORDS + i] = w[i];
    for (int i = 0; i < REALS; i++)
        reals[t * REALS + i] = r[i];
}

static void show(const char *name, void (*kernel)(const place *, unsigned *, double *), const place *at)
{
    place *d_at;
    unsigned *d_words, words[PLACES * WORDS];
    double *d_reals, reals[PLACES * REALS];
    cudaMalloc((void **)&d_at, PLACES * sizeof *at);
    cudaMalloc((void **)&d_words, sizeof words);
    cudaMalloc((void **)&d_reals, sizeof reals);
    cudaMemcpy(d_at, at, PLACES * sizeof *at, cudaMemcpyHostToDevice);
    kernel<<<1, PLACES>>>(d_at, d_words, d_reals);
    cudaMemcpy(words, d_words, sizeof words, cudaMemcpyDeviceToHost);
    cudaMemcpy(reals, d_reals, sizeof reals, cudaMemcpyDeviceToHost);
    printf("%s: %s\n", name, cudaGetErrorString(cudaGetLastError()));
    for (int i = 0; i < PLACES; i++) {
        printf("u %llu %llu %llu:", at[i].seed, at[i].subsequence, at[i].offset);
        for (int k = 0; k < WORDS; k++)
            printf(" %u", words[i * WORDS + k]);
        printf("\nf");
        for (int k = 0; k < REALS; k++)
            printf(" %.9g", reals[i * REALS + k]);
        printf("\n");
    }
    cudaFree(d_at);
    cudaFree(d_words);
    cudaFree(d_reals);
}

int main(void)
{
    static const u64 seed[] = {0, 42, 0x123456789abcdefull, ~0ull},
                     sub[] = {0, 1, 77777, 1ull << 40, ~0ull, 5},
                     off[] = {0, 1, 3, 4096, 1ull << 45, ~0ull, 0};
    place at[PLACES];
    for (int i = 0; i < PLACES; i++) {
        at[i].seed = seed[i / 6];
        at[i].subsequence = sub[i % 6];
        at[i].offset = off[i % 7];
    }
    show("XORWOW", draw<curandStateXORWOW_t>, at);
    show("Philox4_32_10", draw<curandStatePhilox4_32_10_t>, at);
    show("Philox4_32_10 by four", draw4, at);
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
