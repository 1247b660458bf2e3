/* SPDX-License-Identifier: Apache-2.0 */
/* How long a load takes by the SM that makes it: a chase of one lane through a ring in random order, past L1, by each SM alone and by all of
 * them together. Needs a real GPU.
 *   nvcc -O3 -arch=sm_90 reach.cu -o reach && ./reach >reach-h200.csv
 * An argument leaves out what takes a launch for each SM.
 * Columns: ring in KB, who (alone, all; l1: all, through L1), SM, cycles of a hop in 4,096 hops behind a warm-up of as many. reach-h200.csv has a
 * row for each SM and a column for each ring, who, and run. */
#include "../workloads/workload.h"

struct node {
    struct node *next;
    char rest[120];
};
enum { HOPS = 4096, SMS = 132 };

template <bool l1> __device__ static struct node *hop(struct node *p)
{
    struct node *q;
    if (l1)
        asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(q) : "l"(p) : "memory");
    else
        asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(q) : "l"(p) : "memory");
    return q;
}

template <bool l1>
__global__ void chase(struct node *const *start, unsigned only, float *took, struct node **end)
{
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    if (only < SMS && sm != only)
        return;
    struct node *p = start[sm];
#pragma unroll 1
    for (int i = 0; i < HOPS; i++)
        p = hop<l1>(p);
    long long from = clock64();
#pragma unroll 1
    for (int i = 0; i < HOPS; i++)
        p = hop<l1>(p);
    end[sm] = p;
    took[sm] = (float)(clock64() - from) / HOPS;
}

int main(int argc, char **)
{
    static const int kbs[] = {512, 4096, 16384, 65536};
    struct node *ring, **start, **end;
    float *took, out[SMS];
    CHECK(cudaMalloc(&ring, (size_t)65536 << 10));
    CHECK(cudaMalloc(&start, SMS * sizeof *start));
    CHECK(cudaMalloc(&end, SMS * sizeof *end));
    CHECK(cudaMalloc(&took, sizeof out));
    printf("kb,who,sm,cycles\n");
    for (int kb : kbs) {
        int n = kb * 8;
        int *order = (int *)host_alloc(n * sizeof *order);
        struct node *host = (struct node *)host_alloc((size_t)n * sizeof *host), *first[SMS];
        uint32_t seed = 1;
        for (int i = 0; i < n; i++)
            order[i] = i;
        for (int i = n - 1; i > 0; i--) {
            int k = next_random(&seed) % (i + 1), t = order[i];
            order[i] = order[k], order[k] = t;
        }
        for (int i = 0; i < n; i++)
            host[order[i]].next = &ring[order[(i + 1) % n]];
        CHECK(cudaMemcpy(ring, host, (size_t)n * sizeof *host, cudaMemcpyHostToDevice));
        for (int i = 0; i < SMS; i++)
            first[i] = &ring[order[(size_t)i * n / SMS]];
        CHECK(cudaMemcpy(start, first, sizeof first, cudaMemcpyHostToDevice));
        for (int who = argc > 1; who < 3; who++)
            for (int sm = 0; sm < (who ? 1 : SMS); sm++) {
                if (who == 0 && kb > 16384 && sm % 8)
                    continue;
                /* 200 KB of shared memory: one CTA on an SM */
                auto k = who == 2 ? chase<true> : chase<false>;
                CHECK(cudaFuncSetAttribute((const void *)k, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           who == 2 ? 0 : 200 << 10));
                k<<<SMS, 1, who == 2 ? 0 : 200 << 10>>>(start, who ? SMS : sm, took, end);
                CHECK(cudaMemcpy(out, took, sizeof out, cudaMemcpyDeviceToHost));
                for (int i = who ? 0 : sm; i < (who ? SMS : sm + 1); i++)
                    printf("%d,%s,%d,%.2f\n", kb, who == 0 ? "alone" : who == 1 ? "all" : "l1", i, out[i]);
            }
        free(order);
        free(host);
    }
    return 0;
}
