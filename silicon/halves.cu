/* The two halves of L2. Needs a real GPU.
 *   a.out          under a profiler (cycles, lts__t_sectors_srcunit_tex and _ltcfabric, dram__bytes): what lies in L2, read, written,
 *                  changed and copied in 2 and in 6 passes, each block of 4 KiB by another CTA every time (hop 37) or by the same (0)
 *   a.out loads    by itself: single loads of all SMs, one after the other, from four stretches of 4 KiB that SM 5 has written,
 *                  and again: what is far the first time is near then */
#include "../workloads/workload.h"

#define BLOCK 256 /* threads, of 16 bytes each */

__device__ static uint4 more(uint4 v) { return make_uint4(v.x + 1, v.y + 1, v.z + 1, v.w + 1); }

template <bool READS, bool WRITES>
__device__ static void again(const uint4 *x, uint4 *y, unsigned blocks, unsigned passes, unsigned hop)
{
    uint4 v = make_uint4(1, 2, 3, 4);
    unsigned sum = 0;
    for (unsigned p = 0; p < passes; p++)
#pragma unroll 4
        for (unsigned b = blockIdx.x; b < blocks; b += gridDim.x) {
            size_t at = (size_t)((b + p * hop) % blocks) * BLOCK + threadIdx.x;
            if (READS)
                v = more(__ldcg(&x[at]));
            if (WRITES)
                y[at] = v;
            sum += v.x ^ v.y ^ v.z ^ v.w;
        }
    if (!WRITES && sum == 12345)
        y[0].x = sum;
}

__global__ void again_read(uint4 *x, unsigned n, unsigned passes, unsigned hop) { again<true, false>(x, x, n, passes, hop); }
__global__ void again_write(uint4 *x, unsigned n, unsigned passes, unsigned hop) { again<false, true>(x, x, n, passes, hop); }
__global__ void again_update(uint4 *x, unsigned n, unsigned passes, unsigned hop) { again<true, true>(x, x, n, passes, hop); }
__global__ void again_copy(uint4 *x, unsigned n, unsigned passes, unsigned hop)
{
    again<true, true>(x, x + (size_t)n / 2 * BLOCK, n / 2, passes, hop);
}

static void passes(void)
{
    static void (*const kernels[])(uint4 *, unsigned, unsigned, unsigned) = {again_read, again_write, again_update, again_copy};
    static const unsigned sizes[] = {2, 8, 16, 24, 32, 40, 48, 56}, hops[] = {37, 0};
    uint4 *x = (uint4 *)device_alloc(64u << 20);
    CHECK(cudaMemset(x, 0, 64u << 20));
    for (unsigned hop : hops)
        for (unsigned mb : sizes)
            for (auto k : kernels)
                for (unsigned n = 2; n <= 6 && (hop || mb == 16); n += 4)
                    k<<<132 * 8, BLOCK>>>(x, mb << 8, n, hop);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
}

enum { LOADS = 256, STEP = 16 /* words, 64 bytes */ };

__device__ static unsigned this_sm(void)
{
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    return sm;
}

__global__ void put(unsigned *x, unsigned sm)
{
    for (unsigned i = threadIdx.x; i < LOADS && this_sm() == sm; i += 32)
        x[i * STEP] = 0;
}

__global__ void probe(unsigned *x, unsigned sm, unsigned *cycles)
{
    unsigned sum = 0;
    if (this_sm() != sm || threadIdx.x)
        return;
    for (unsigned i = 0; i < 2 * LOADS; i++) {
        long long from = clock64();
        sum += __ldcg(&x[i % LOADS * STEP + (sum & 1)]);
        if (sum == 99)
            x[0] = 1;
        cycles[i] = (unsigned)(clock64() - from);
    }
}

static int by_size(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void loads(void)
{
    unsigned *x = (unsigned *)device_alloc(LOADS * STEP * 4), *cycles = (unsigned *)device_alloc(2 * LOADS * 4), h[2 * LOADS];
    for (unsigned sm = 0; sm < 132; sm++) {
        put<<<132 * 4, 32>>>(x, 5);
        probe<<<132, 32, 40 << 10>>>(x, sm, cycles); /* one CTA on each SM */
        CHECK(cudaMemcpy(h, cycles, sizeof h, cudaMemcpyDeviceToHost));
        printf("%u", sm);
        for (unsigned i = 0; i < 2 * LOADS; i += 64) {
            qsort(h + i, 64, sizeof *h, by_size);
            printf(",%u", h[i + 32]);
        }
        printf("\n");
    }
}

int main(int argc, char **)
{
    argc > 1 ? loads() : passes();
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
