/* SPDX-License-Identifier: Apache-2.0 */
/* What the first accesses of a launch cost, load by load: pages of 2 MiB that the launch has not touched, by one SM or all, alone or by many
 * warps; stores and fences, atomics. And how far each SM is from each slice: a matrix of single hits. Under a profiler caches are empty before each launch.
 *   nvcc -O3 -arch=sm_90 touch.cu -o touch && ncu --metrics sm__cycles_elapsed.max,sm__cycles_active.max ./touch
 * Rows: number of the launch, kind, pattern, CTAs, warps, lanes' bytes, pages' state, then for each access mean, least and most cycles over CTAs. `touch
 * matrix FILE` writes for 132 SMs and 2,048 lines the least of three hits (16 bits each), then what the first access took, of lines of its own. */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

enum { SMS = 132, MOST = 12, PASSES = 3, LINES = 2048, PAGE_B = 2 << 20 };
enum kind { LOAD, STORE, ATOM };

struct pattern {
    int each;       /* accesses to a page before the next */
    unsigned step;  /* bytes between accesses to a page */
    unsigned own;   /* pages further on for each CTA */
    unsigned apart; /* bytes further on for each warp of the grid */
};

__device__ static unsigned smid()
{
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    return sm;
}

/* Passes over the same places; the first two turns of the loop only bring its code. */
template <int KIND> __global__ void touch(char *base, pattern p, int n, unsigned lane_b, unsigned *took, unsigned *sink)
{
    __shared__ unsigned t[PASSES * MOST], waits;
    unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, sum = 0;
    unsigned gwarp = blockIdx.x * (blockDim.x / 32) + warp;
    bool does = lane_b || lane == 0;
#pragma unroll 1
    for (int i = -2; i < n * PASSES; i++) {
        int k = i < 0 ? 0 : i % n;
        char *at = base + (size_t)(k / p.each) * PAGE_B + (size_t)(k % p.each) * p.step + (size_t)blockIdx.x * p.own * PAGE_B +
                   gwarp * p.apart + lane * lane_b + sum;
        unsigned v = 0;
        unsigned from = clock();
        if (i >= 0 && does) {
            if (KIND == LOAD) {
                if (lane_b == 16) {
                    unsigned a, b, c;
                    asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v), "=r"(a), "=r"(b), "=r"(c) : "l"(at) : "memory");
                    v |= a | b | c;
                } else {
                    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(at) : "memory");
                }
            } else if (KIND == STORE) {
                asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(0) : "memory");
                __threadfence();
            } else {
                v = atomicAdd((unsigned *)at, 0u);
            }
        }
        sum += v;
        sum = __shfl_sync(~0u, sum, 0);
        *(volatile unsigned *)&waits = sum;
        unsigned to = clock();
        if (threadIdx.x == 0 && i >= 0)
            t[i] = to - from;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n * PASSES; i += blockDim.x)
        took[blockIdx.x * PASSES * MOST + i] = t[i];
    if (sum == 0x12345678)
        *sink = 1;
}

__global__ void matrix(const char *base, const char *own, unsigned short *hits, unsigned short *first, unsigned *sink)
{
    extern __shared__ unsigned short least[]; /* and, behind them, of the first accesses */
    __shared__ unsigned waits;
    unsigned sm = smid(), sum = 0;
#pragma unroll 1
    for (int i = 0; i < 5 * LINES; i++) {
        int pass = i / LINES, l = i % LINES;
        unsigned at = (l + (pass ? sm * 61 : 0)) % LINES, v;
        const char *p = (pass ? base : own + (size_t)sm * LINES * 128) + at * 128;
        unsigned from = clock();
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(p + sum) : "memory");
        sum += v;
        *(volatile unsigned *)&waits = sum;
        unsigned took = min((unsigned)(clock() - from), 65535u);
        unsigned short *to = &least[pass ? at : LINES + at];
        *to = pass < 2 ? took : min(took, (unsigned)*to);
    }
    for (int l = 0; l < LINES; l++) {
        hits[sm * LINES + l] = least[l];
        first[sm * LINES + l] = least[LINES + l];
    }
    if (sum == 0x12345678)
        *sink = 1;
}

static unsigned *took, *sink;
static int number;

static void run(kind k, const char *name, pattern p, int n, int ctas, int warps, unsigned lane_b, char *base, const char *state)
{
    auto f = k == LOAD ? touch<LOAD> : k == STORE ? touch<STORE> : touch<ATOM>;
    cudaFuncSetAttribute((void *)f, cudaFuncAttributeMaxDynamicSharedMemorySize, 130 << 10);
    f<<<ctas, warps * 32, 130 << 10>>>(base, p, n, lane_b, took, sink); /* one CTA on an SM */
    cudaError_t e = cudaDeviceSynchronize();
    if (e != cudaSuccess) {
        printf("# %s %s\n", name, cudaGetErrorString(e));
        exit(1);
    }
    static unsigned host[SMS * PASSES * MOST];
    cudaMemcpy(host, took, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d,%s,%s,%d,%d,%u,%s", number++, k == LOAD ? "load" : k == STORE ? "store" : "atom", name, ctas, warps, lane_b, state);
    for (int i = 0; i < n * PASSES; i++) {
        unsigned least = ~0u, most = 0;
        double sum = 0;
        for (int c = 0; c < ctas; c++) {
            unsigned x = host[c * PASSES * MOST + i];
            least = std::min(least, x), most = std::max(most, x), sum += x;
        }
        printf(",%.0f %u %u", sum / ctas, least, most);
    }
    printf("\n");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    cudaMalloc(&took, SMS * PASSES * MOST * sizeof *took);
    cudaMalloc(&sink, 4096);
    if (argc > 2 && !strcmp(argv[1], "matrix")) {
        char *data;
        unsigned short *hits, *first;
        size_t each = (size_t)SMS * LINES * sizeof *hits;
        cudaMalloc(&data, (size_t)(SMS + 1) * LINES * 128);
        cudaMemset(data, 0, (size_t)(SMS + 1) * LINES * 128);
        cudaMalloc(&hits, each);
        cudaMalloc(&first, each);
        cudaFuncSetAttribute((void *)matrix, cudaFuncAttributeMaxDynamicSharedMemorySize, 130 << 10);
        matrix<<<SMS, 1, 130 << 10>>>(data, data + LINES * 128, hits, first, sink);
        std::vector<unsigned short> h(SMS * LINES);
        FILE *f = fopen(argv[2], "wb");
        for (auto *from : {hits, first}) {
            if (cudaMemcpy(h.data(), from, each, cudaMemcpyDeviceToHost) != cudaSuccess)
                printf("# matrix failed\n");
            fwrite(h.data(), each, 1, f);
        }
        fclose(f);
        return 0;
    }
    const int pages = 132 * 12;
    char *used, *fresh;
    cudaMalloc(&used, (size_t)pages * PAGE_B);
    cudaMemset(used, 0, (size_t)pages * PAGE_B);
    for (int turn = 0; turn < 2; turn++) {
        for (int ctas : {1, 2, 18, (int)SMS}) {
            run(LOAD, "one page", {12, 70016, 0, 4224}, 12, ctas, 1, 0, used, "used");
            run(LOAD, "a page each", {1, 0, 0, 4224}, 12, ctas, 1, 0, used, "used");
            run(LOAD, "four of a page", {4, 70016, 0, 4224}, 12, ctas, 1, 0, used, "used");
            if (ctas > 1) {
                run(LOAD, "one page own", {12, 70016, 1, 4224}, 12, ctas, 1, 0, used, "used");
                run(LOAD, "a page each own", {1, 0, 12, 4224}, 12, ctas, 1, 0, used, "used");
            }
        }
        for (unsigned step : {128u, 4096u, 16384u, 65536u, 262144u})
            run(LOAD, step == 128 ? "steps of 128" : step == 4096 ? "steps of 4096" : step == 16384 ? "steps of 16384" : step == 65536 ? "steps of 65536" : "steps of 262144",
                {12, step, 0, 0}, 12, 1, 1, 0, used, "used");
        for (int warps : {4, 16})
            for (unsigned lane_b : {0u, 4u, 16u, 128u}) {
                unsigned apart = lane_b ? lane_b * 32 : 128;
                unsigned all = apart * warps * SMS;
                run(LOAD, "in a row", {12, all, 0, apart}, 12, SMS, warps, lane_b, used, "used");
                run(LOAD, "in a row one cta", {12, apart * warps, 0, apart}, 12, 1, warps, lane_b, used, "used");
            }
        for (int ctas : {1, (int)SMS}) {
            run(STORE, "one page", {12, 70016, 0, 4224}, 12, ctas, 1, 0, used, "used");
            run(STORE, "a page each", {1, 0, 0, 4224}, 12, ctas, 1, 0, used, "used");
            run(ATOM, "one page", {12, 70016, 0, 4224}, 12, ctas, 1, 0, used, "used");
            run(ATOM, "a page each", {1, 0, 0, 4224}, 12, ctas, 1, 0, used, "used");
            cudaMalloc(&fresh, 24 << 20);
            run(LOAD, "one page", {12, 70016, 0, 4224}, 12, ctas, 1, 0, fresh, "fresh");
            cudaMalloc(&fresh, 24 << 20);
            run(LOAD, "a page each", {1, 0, 0, 4224}, 12, ctas, 1, 0, fresh, "fresh");
            cudaMalloc(&fresh, 24 << 20);
            cudaMemset(fresh, 0, 24 << 20);
            run(LOAD, "a page each", {1, 0, 0, 4224}, 12, ctas, 1, 0, fresh, "set");
        }
    }
    return 0;
}
