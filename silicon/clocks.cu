/* What of the memory side follows the SMs' clock: the same work at several locked clocks of the SMs. Needs a real GPU.
 *   a.out OUT.csv     each piece of work by its own cycles (clock64) and by the time that a launch takes
 *   a.out profiled    under a profiler (lts__cycles_elapsed.avg.per_second and the like): one launch of two milliseconds for each clock,
 *                     `long_read` in L2 and `long_dram`; a launch of `spin` before them brings the clock up
 * Columns: MHz asked for (0: not locked), MHz of SMs and of memory by NVML meanwhile, what, units (loads of a chain, bytes or sectors),
 * cycles of the slowest CTA a unit, nanoseconds a unit. */
#include "meter.h"

#include <algorithm>
#include <vector>

enum { SMS = 132, BLOCK = 256, CTAS = SMS * 8, MB = 1 << 20, WAYS = 256 };
typedef unsigned long long ull;

static ull *took; /* on the GPU, by CTA */
static uint4 *x;  /* 2 GB */

__device__ static void over(ull *took, ull began)
{
    __syncthreads();
    if (threadIdx.x == 0)
        took[blockIdx.x] = clock64() - began;
}

/* ---- chains of loads ---- */

__global__ void link_up(unsigned *next, unsigned n, unsigned step_words, unsigned hop)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        next[(size_t)i * step_words] = (i + hop) % n * step_words;
}

__global__ void chase(const unsigned *next, ull *took, unsigned steps)
{
    unsigned at = 0;
    ull began = clock64();
#pragma unroll 1
    for (unsigned i = 0; i < steps; i++)
        at = __ldcg(next + at);
    if (at == 12345)
        took[1] = 0;
    took[0] = clock64() - began;
}

/* A chain in L1, in shared memory and of sums: do these keep their cycles? */
__global__ void chase_l1(const unsigned *next, ull *took, unsigned steps)
{
    unsigned at = 0;
    for (unsigned i = 0; i < 128; i++)
        at = next[at];
    ull began = clock64();
#pragma unroll 1
    for (unsigned i = 0; i < steps; i++)
        at = next[at];
    if (at == 12345)
        took[1] = 0;
    took[0] = clock64() - began;
}

__device__ static unsigned this_sm(void)
{
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    return sm;
}

/* One word of each block of 4 KB, written by SM 5; then SM `sm` loads each twice: what is far the first time is near then. */
__global__ void put(unsigned *y, unsigned sm)
{
    for (unsigned i = threadIdx.x; i < WAYS && this_sm() == sm; i += 32)
        y[i * 1024] = 0;
}

__global__ void probe(unsigned *y, unsigned sm, unsigned *cycles)
{
    unsigned sum = 0;
    if (this_sm() != sm || threadIdx.x)
        return;
    for (unsigned i = 0; i < 2 * WAYS; i++) {
        ull from = clock64();
        sum += __ldcg(&y[i % WAYS * 1024 + (sum & 1)]);
        if (sum == 99)
            y[0] = 1;
        cycles[i] = (unsigned)(clock64() - from);
    }
}

/* ---- rates ---- */

/* Sixteen bytes a lane; each block of 4 KB by another CTA every time (hop 37) or by the same (0). */
template <bool READS, bool WRITES>
__device__ static void again(const uint4 *from, uint4 *to, unsigned blocks, unsigned passes, unsigned hop, ull *took)
{
    uint4 v = make_uint4(1, 2, 3, 4);
    unsigned sum = 0;
    ull began = clock64();
    for (unsigned p = 0; p < passes; p++)
#pragma unroll 4
        for (unsigned b = blockIdx.x; b < blocks; b += gridDim.x) {
            size_t at = (size_t)((b + p * hop) % blocks) * BLOCK + threadIdx.x;
            if (READS)
                v = __ldcg(&from[at]);
            if (WRITES)
                to[at] = v;
            sum += v.x ^ v.y ^ v.z ^ v.w;
        }
    if (!WRITES && sum == 12345)
        to[0].x = sum;
    over(took, began);
}

__global__ void read_(uint4 *x, unsigned n, unsigned passes, unsigned hop, ull *t) { again<true, false>(x, x, n, passes, hop, t); }
__global__ void write_(uint4 *x, unsigned n, unsigned passes, unsigned hop, ull *t) { again<false, true>(x, x, n, passes, hop, t); }
__global__ void copy_(uint4 *x, unsigned n, unsigned passes, unsigned hop, ull *t)
{
    again<true, true>(x, x + (size_t)n / 2 * BLOCK, n / 2, passes, hop, t);
}
__global__ void long_read(uint4 *x, unsigned n, unsigned passes, ull *t) { again<true, false>(x, x, n, passes, 0, t); }
__global__ void long_dram(uint4 *x, unsigned n, unsigned passes, ull *t) { again<true, false>(x, x, n, passes, 0, t); }

/* A word a lane, STEP bytes apart: reads, writes, additions that answer nothing. */
enum what { READ, WRITE, ADD };
template <int STEP, what W> __global__ void words(uint4 *x, unsigned n, unsigned passes, unsigned, ull *took)
{
    unsigned sum = 0;
    size_t bytes = (size_t)n * BLOCK * 16;
    ull began = clock64();
    for (unsigned p = 0; p < passes; p++)
#pragma unroll 4
        for (size_t at = ((size_t)blockIdx.x * BLOCK + threadIdx.x) * STEP; at < bytes; at += (size_t)gridDim.x * BLOCK * STEP) {
            unsigned *q = (unsigned *)((char *)x + at);
            if (W == READ)
                sum += __ldcg(q);
            else if (W == WRITE)
                *(volatile unsigned *)q = p;
            else
                atomicAdd(q, 1u);
        }
    if (sum == 12345)
        x[0].x = sum;
    over(took, began);
}

__global__ void one_word(uint4 *x, unsigned, unsigned passes, unsigned, ull *took)
{
    ull began = clock64();
    for (unsigned p = 0; p < passes; p++)
        atomicAdd(&x[0].x, threadIdx.x);
    over(took, began);
}

__global__ void spin(unsigned turns, unsigned *out)
{
    float f = 1.0f + (float)threadIdx.x;
    for (unsigned i = 0; i < turns; i++)
        f = f * 1.0001f + 0.5f;
    if (f == 12345.0f)
        *out = 1;
}

/* ---- the table ---- */

struct place {
    FILE *f;
    const struct meter *m;
    unsigned asked;
};

static void line(const struct place *p, const char *what, double units, double cycles, double ns)
{
    unsigned sm = 0, mem = 0;
    p->m->clock(p->m->device, 1, &sm);
    p->m->clock(p->m->device, 2, &mem);
    fprintf(p->f, "%u,%u,%u,%s,%.0f,%.8f,%.8f\n", p->asked, sm, mem, what, units, cycles / units, ns / units);
    fflush(p->f);
}

static double slowest(int ctas)
{
    static ull host[4096];
    CHECK(cudaMemcpy(host, took, ctas * sizeof *host, cudaMemcpyDeviceToHost));
    return (double)*std::max_element(host, host + ctas);
}

/* The least of five launches. */
template <class F> static void best(const struct place *p, const char *what, double units, int ctas, F launch)
{
    cudaEvent_t from, to;
    CHECK(cudaEventCreate(&from));
    CHECK(cudaEventCreate(&to));
    double cycles = 1e30, ns = 1e30;
    for (int i = 0; i < 5; i++) {
        float ms;
        CHECK(cudaEventRecord(from));
        launch();
        CHECK(cudaEventRecord(to));
        CHECK(cudaEventSynchronize(to));
        CHECK(cudaEventElapsedTime(&ms, from, to));
        cycles = std::min(cycles, slowest(ctas));
        ns = std::min(ns, 1e6 * ms);
    }
    line(p, what, units, cycles, ns);
    CHECK(cudaEventDestroy(from));
    CHECK(cudaEventDestroy(to));
}

static void chains(const struct place *p)
{
    unsigned *y = (unsigned *)x;
    struct {
        const char *name;
        unsigned n, step, hop, steps;
    } const list[] = {{"chain in L2: 64 KB", 512, 32, 37, 4096}, {"chain in L2: 16 MB", 131072, 32, 4099, 20000}, {"chain in DRAM: 2 GB", 1u << 19, 1024, 99991, 4000}};
    for (const auto &c : list) {
        link_up<<<256, 256>>>(y, c.n, c.step, c.hop);
        if (c.n < 1u << 19)
            chase<<<1, 1>>>(y, took, c.n);
        else
            CHECK(cudaMemset((char *)x + 1024 * (size_t)MB, 0, 512 * (size_t)MB)); /* another half of it is in L2 then */
        cudaEvent_t from, to;
        CHECK(cudaEventCreate(&from));
        CHECK(cudaEventCreate(&to));
        CHECK(cudaEventRecord(from));
        chase<<<1, 1>>>(y, took, c.steps);
        CHECK(cudaEventRecord(to));
        CHECK(cudaEventSynchronize(to));
        float ms;
        CHECK(cudaEventElapsedTime(&ms, from, to));
        line(p, c.name, c.steps, slowest(1), 1e6 * ms);
    }
    link_up<<<256, 256>>>(y, 128, 32, 37);
    best(p, "chain in L1", 4096, 1, [&] { chase_l1<<<1, 1>>>(y, took, 4096); });
}

static void halves(const struct place *p)
{
    unsigned *cycles = (unsigned *)x + (64u << 20), h[2 * WAYS];
    for (unsigned sm : {0u, 40u, 91u}) {
        put<<<SMS * 4, 32>>>((unsigned *)x, 5);
        probe<<<SMS, 32, 40 << 10>>>((unsigned *)x, sm, cycles);
        CHECK(cudaMemcpy(h, cycles, sizeof h, cudaMemcpyDeviceToHost));
        std::sort(h, h + WAYS);
        std::sort(h + WAYS, h + 2 * WAYS);
        char name[64];
        snprintf(name, sizeof name, "SM %u: load near", sm);
        line(p, name, 1, h[WAYS / 4], 0);
        snprintf(name, sizeof name, "SM %u: load far", sm);
        line(p, name, 1, h[3 * WAYS / 4], 0);
        snprintf(name, sizeof name, "SM %u: load again", sm);
        line(p, name, 1, h[WAYS + WAYS / 2], 0);
    }
}

typedef void rate(uint4 *, unsigned, unsigned, unsigned, ull *);

static void rates(const struct place *p)
{
    struct {
        const char *name;
        rate *k;
        unsigned kb, passes, hop;
        int ctas, unit;
    } const list[] = {
        {"one SM reads 128 KB: bytes", read_, 128, 64, 0, 1, 1},
        {"one SM writes 128 KB: bytes", write_, 128, 64, 0, 1, 1},
        {"reads 4 MB: bytes", read_, 4096, 48, 37, CTAS, 1},
        {"reads 16 MB: bytes", read_, 16384, 16, 37, CTAS, 1},
        {"reads 24 MB: bytes", read_, 24576, 12, 37, CTAS, 1},
        {"reads 24 MB by the same SMs: bytes", read_, 24576, 12, 0, CTAS, 1},
        {"writes 8 MB: bytes", write_, 8192, 24, 37, CTAS, 1},
        {"copies 8 MB: bytes", copy_, 8192, 24, 37, CTAS, 1},
        {"words 16 B apart of 8 MB: sectors", words<16, READ>, 8192, 12, 0, CTAS, 32},
        {"words 32 B apart of 8 MB: sectors", words<32, READ>, 8192, 12, 0, CTAS, 32},
        {"words 128 B apart of 8 MB: sectors", words<128, READ>, 8192, 24, 0, CTAS, 128},
        {"writes words 4 B apart of 8 MB: sectors", words<4, WRITE>, 8192, 6, 0, CTAS, 32},
        {"writes words 32 B apart of 8 MB: sectors", words<32, WRITE>, 8192, 12, 0, CTAS, 32},
        {"writes words 128 B apart of 8 MB: sectors", words<128, WRITE>, 8192, 24, 0, CTAS, 128},
        {"adds to words 4 B apart of 8 MB: sectors", words<4, ADD>, 8192, 2, 0, CTAS, 32},
        {"adds to words 128 B apart of 8 MB: sectors", words<128, ADD>, 8192, 12, 0, CTAS, 128},
        {"reads 1 GB: bytes", read_, 1 << 20, 1, 0, CTAS, 1},
        {"writes 1 GB: bytes", write_, 1 << 20, 1, 0, CTAS, 1},
        {"copies 1 GB: bytes", copy_, 1 << 20, 1, 0, CTAS, 1},
    };
    for (const auto &r : list)
        best(p, r.name, 1024.0 * r.kb * r.passes / r.unit, r.ctas, [&] { r.k<<<r.ctas, BLOCK>>>(x, r.kb / 4, r.passes, r.hop, took); });
    best(p, "all SMs add to one word: warps", CTAS * 8.0 * 16, CTAS, [&] { one_word<<<CTAS, BLOCK>>>(x, 0, 16, 0, took); });
}

static const unsigned clocks[] = {0, 1980, 1830, 1755, 1620, 1500, 1350, 1200, 900, 600};

/* Half a millisecond of work at a time for a fifth of a second: the clock is where it was asked to be. */
static void warm(double seconds)
{
    double until = meter_now() + seconds;
    while (meter_now() < until) {
        spin<<<SMS * 4, 256>>>(30000, (unsigned *)took);
        CHECK(cudaDeviceSynchronize());
    }
}

int main(int argc, char **argv)
{
    struct meter m;
    bool profiled = argc > 1 && !strcmp(argv[1], "profiled");
    if (!meter_open(&m) || !m.lock)
        return fprintf(stderr, "there is no NVML that sets clocks\n"), 2;
    FILE *f = argc > 1 && !profiled ? fopen(argv[1], "w") : stdout;
    if (!f)
        return fprintf(stderr, "%s: cannot be written\n", argv[1]), 2;
    CHECK(cudaMalloc(&took, 4096 * sizeof *took));
    CHECK(cudaMalloc(&x, (size_t)2048 * MB));
    CHECK(cudaMemset(x, 0, (size_t)2048 * MB));
    if (!profiled)
        fprintf(f, "asked,sm_mhz,mem_mhz,what,units,cycles,ns\n");
    for (unsigned mhz : clocks) {
        int refused = mhz ? m.lock(m.device, mhz, mhz) : 0;
        if (refused) {
            fprintf(stderr, "%u MHz: NVML says %d\n", mhz, refused);
            continue;
        }
        struct place p = {f, &m, mhz};
        warm(0.2);
        if (profiled) {
            long_read<<<CTAS, BLOCK>>>(x, 2048, 1000, took);
            long_dram<<<CTAS, BLOCK>>>(x, 1 << 18, 4, took);
            CHECK(cudaDeviceSynchronize());
            continue;
        }
        chains(&p);
        halves(&p);
        rates(&p);
    }
    m.unlock(m.device);
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
