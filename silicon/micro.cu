/* Microbenchmarks that were run on an H200 (h200.csv), as kernels for the timing model. Each measures as a difference: a
 * kernel is launched once with its body empty or half as long, once in full, and the figure is what the longer one took
 * more. The order of the launches is that of the rows of h200.csv, two launches a row (warm_up apart). */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

enum { FMAS = 4096, UNROLL = 16, CHASE = 20000, LDS_READS = 2048 };

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t e_ = (call);                                                                             \
        if (e_ != cudaSuccess) {                                                                             \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e_));                                      \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

/* One fused multiply-add that no compiler folds or moves. */
#define FMA(x) asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(b), "f"(c))

__device__ static float chain(int n, float b, float c)
{
    float x = b;
#pragma unroll 1
    for (int i = 0; i < n; i += UNROLL) {
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            FMA(x);
    }
    return x;
}

__device__ static float ilp4(int n, float b, float c)
{
    float x = b, y = b, z = b, w = b;
#pragma unroll 1
    for (int i = 0; i < n; i += UNROLL) {
#pragma unroll
        for (int k = 0; k < UNROLL / 4; k++) {
            FMA(x);
            FMA(y);
            FMA(z);
            FMA(w);
        }
    }
    return x + y + z + w;
}

/* Of the warps of the CTA those with warp % every == 0 compute, at most eight; all meet at the barrier (partition paper, Fig. 3
 * and 4). */
__global__ void imbalance(float *out, int n, int every, int chained, float b, float c)
{
    int warp = threadIdx.x / 32;
    float x = 0;
    if (warp % every == 0 && warp / every < 8)
        x = chained ? chain(n, b, c) : ilp4(n, b, c);
    __syncthreads();
    if (x == 12345.0f)
        out[0] = x;
}

__global__ void throughput(float *out, int n, float b, float c)
{
    float x = ilp4(n, b, c);
    if (x == 12345.0f)
        out[0] = x;
}

__global__ void lat_ffma(float *out, int n, float b, float c)
{
    float x = chain(n, b, c);
    if (x == 12345.0f)
        out[0] = x;
}

__global__ void lat_imad(int *out, int n, int b, int c)
{
    int x = b;
#pragma unroll 1
    for (int i = 0; i < n; i += UNROLL) {
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            asm volatile("mad.lo.s32 %0, %0, %1, %2;" : "+r"(x) : "r"(b), "r"(c));
    }
    if (x == 12345)
        out[0] = x;
}

__global__ void lat_rsqrt(float *out, int n, float b)
{
    float x = b;
#pragma unroll 1
    for (int i = 0; i < n; i += UNROLL) {
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(x));
    }
    if (x == 12345.0f)
        out[0] = x;
}

__global__ void lat_dfma(double *out, int n, double b, double c)
{
    double x = b;
#pragma unroll 1
    for (int i = 0; i < n; i += UNROLL) {
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            asm volatile("fma.rn.f64 %0, %0, %1, %2;" : "+d"(x) : "d"(b), "d"(c));
    }
    if (x == 12345.0)
        out[0] = x;
}

/* A chain of loads from shared memory, where every word holds its own address. */
__global__ void lat_lds(unsigned *out, int n)
{
    __shared__ unsigned words[32];
    unsigned base;
    asm volatile("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(base) : "l"(words));
    words[threadIdx.x] = base + threadIdx.x * 4;
    __syncwarp();
    unsigned x = base + threadIdx.x * 4;
#pragma unroll 1
    for (int i = 0; i < n; i += UNROLL) {
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            asm volatile("ld.shared.u32 %0, [%0];" : "+r"(x)::"memory");
    }
    if (x == 12345)
        out[0] = x;
}

__global__ void lat_hmma(float *out, int n)
{
    float c0 = 0, c1 = 0, c2 = 0, c3 = 0;
    unsigned a = threadIdx.x, b = threadIdx.x;
#pragma unroll 1
    for (int i = 0; i < n; i += UNROLL) {
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%5,%5}, "
                         "{%0,%1,%2,%3};"
                         : "+f"(c0), "+f"(c1), "+f"(c2), "+f"(c3)
                         : "r"(a), "r"(b));
    }
    if (c0 + c1 + c2 + c3 == 12345.0f)
        out[0] = c0;
}

/* One thread follows pointers. */
__device__ static void follow(const unsigned long long *start, unsigned long long *out, int n)
{
    unsigned long long x = (unsigned long long)start;
#pragma unroll 1
    for (int i = 0; i < n; i++)
        asm volatile("ld.global.u64 %0, [%0];" : "+l"(x)::"memory");
    if (x == 12345)
        out[0] = x;
}

__global__ void chase(const unsigned long long *start, unsigned long long *out, int n) { follow(start, out, n); }
__global__ void warm_up(const unsigned long long *start, unsigned long long *out, int n) { follow(start, out, n); }

/* Eight warps read shared memory, lane l the word l * stride. */
__global__ void lds_stride(unsigned *out, int n, int stride)
{
    __shared__ unsigned words[32 * 33];
    for (int i = threadIdx.x; i < 32 * 33; i += blockDim.x)
        words[i] = 0;
    __syncthreads();
    unsigned base, sum = 0;
    asm volatile("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(base) : "l"(words));
    base += (threadIdx.x % 32) * stride * 4;
#pragma unroll 1
    for (int i = 0; i < n; i += UNROLL) {
        unsigned v[UNROLL];
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(v[k]) : "r"(base) : "memory");
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            sum += v[k];
    }
    if (sum == 12345)
        out[0] = sum;
}

__global__ void copy(const float4 *from, float4 *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = make_float4(from[i].x, from[i].y, from[i].z, from[i].w);
}

/* A ring of `lines` lines in random order, spread over `bytes`; returns a device buffer whose first word is on it. */
static unsigned long long *ring(size_t bytes, int lines)
{
    char *dev;
    CHECK(cudaMalloc(&dev, bytes));
    size_t places = bytes / 128;
    size_t *at = (size_t *)malloc(sizeof *at * (size_t)lines);
    unsigned long long seed = 1;
    for (int i = 0; i < lines; i++)
        at[i] = (size_t)lines == places ? (size_t)i : (size_t)((double)i * (double)places / lines);
    for (int i = lines - 1; i > 1; i--) { /* the first stays */
        seed = seed * 6364136223846793005ull + 1442695040888963407ull;
        int j = 1 + (int)((seed >> 33) % (unsigned long long)i);
        size_t t = at[i];
        at[i] = at[j];
        at[j] = t;
    }
    for (int i = 0; i < lines; i++) {
        unsigned long long next = (unsigned long long)(dev + at[(i + 1) % lines] * 128);
        CHECK(cudaMemcpy(dev + at[i] * 128, &next, sizeof next, cudaMemcpyHostToDevice));
    }
    free(at);
    return (unsigned long long *)dev;
}

/* Four times what L2 holds, so that nothing else remains there: making a ring leaves its lines. */
static void fill_l2(void)
{
    size_t bytes = 256 << 20;
    char *other;
    CHECK(cudaMalloc(&other, bytes));
    CHECK(cudaMemset(other, 0, bytes));
    CHECK(cudaFree(other));
}

static void chases(unsigned long long *out)
{
    static const struct {
        size_t bytes;
        int lines, loads;
    } rows[] = {{16 << 10, 128, 512}, {128 << 10, 1024, 4096}, {16 << 20, CHASE, CHASE}, {1 << 30, CHASE, CHASE}};
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        unsigned long long *r = ring(rows[i].bytes, rows[i].lines);
        /* Four times round, so that L2 has what it can hold, each half for itself: in the model the CTA of the next launch is on the next
         * SM. In the measured launches again for L1; then as many loads more as are measured. DRAM: lines that no cache holds. */
        int warm = i == 3 ? 0 : rows[i].lines;
        for (int k = 0; warm && k < 4; k++)
            warm_up<<<1, 1>>>(r, out, warm);
        if (!warm)
            fill_l2();
        chase<<<1, 1>>>(r, out, warm);
        chase<<<1, 1>>>(r, out, warm + rows[i].loads);
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaFree(r));
    }
}

int main(void)
{
    float *out;
    CHECK(cudaMalloc(&out, 256));
    for (int chained = 0; chained < 2; chained++) {
        static const int threads[3] = {256, 1024, 1024}, every[3] = {1, 1, 4};
        for (int k = 0; k < 3; k++)
            for (int n = 0; n <= FMAS; n += FMAS)
                imbalance<<<1, threads[k]>>>(out, n, every[k], chained, 1.0f, 0.5f);
    }
    for (int w = 1; w <= 32; w *= 2)
        for (int n = 0; n <= FMAS; n += FMAS)
            throughput<<<1, w * 32>>>(out, n, 1.0f, 0.5f);
    for (int n = 0; n <= FMAS; n += FMAS)
        lat_ffma<<<1, 32>>>(out, n, 1.0f, 0.5f);
    for (int n = 0; n <= FMAS; n += FMAS)
        lat_imad<<<1, 32>>>((int *)out, n, 3, 5);
    for (int n = 0; n <= FMAS; n += FMAS)
        lat_rsqrt<<<1, 32>>>(out, n, 2.0f);
    for (int n = 0; n <= FMAS; n += FMAS)
        lat_dfma<<<1, 32>>>((double *)out, n, 1.0, 0.5);
    for (int n = 0; n <= FMAS; n += FMAS)
        lat_lds<<<1, 32>>>((unsigned *)out, n);
    for (int n = 0; n <= FMAS; n += FMAS)
        lat_hmma<<<1, 32>>>(out, n);
    chases((unsigned long long *)out);
    static const int strides[] = {1, 2, 4, 8, 16, 32, 33};
    for (unsigned s = 0; s < sizeof strides / sizeof strides[0]; s++)
        for (int n = 0; n <= LDS_READS; n += LDS_READS)
            lds_stride<<<1, 256>>>((unsigned *)out, n, strides[s]);
    float4 *from, *to;
    int n = 8 << 20; /* 128 MiB each way: twice what L2 holds */
    CHECK(cudaMalloc(&from, sizeof *from * n));
    CHECK(cudaMalloc(&to, sizeof *to * n));
    copy<<<1, 256>>>(from, to, 0);
    copy<<<(n + 255) / 256, 256>>>(from, to, n);
    CHECK(cudaDeviceSynchronize());
    puts("PASS");
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
