/* Latency and rate of single instructions. Of each kind there are two kernels: a chain in one warp, and eight chains in each of 16
 * warps, four for every partition of an SM. Each is launched with an empty body and with N instructions a chain; the figure is what the
 * second took more. On a GPU `clock64` says it, and the program prints a row for each; in a replayed trace it is the difference of the
 * launches' cycles, the second and third of three launches a row, in the order of the rows (rates-h200.csv). */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1024, UNROLL = 32 };

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t e_ = (call);                                                                             \
        if (e_ != cudaSuccess) {                                                                             \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e_));                                      \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

/* The first warp tells how long the CTA took. */
#define BEGIN                                                                                                \
    __syncthreads();                                                                                         \
    long long begin = clock64();
#define END                                                                                                  \
    __syncthreads();                                                                                         \
    if (threadIdx.x == 0)                                                                                    \
        *took = clock64() - begin;

/* b, but no compiler knows that all lanes have it. */
#define START(type) (n < 0 ? (type)threadIdx.x : b)

/* x: what the chain carries; b, c: other operands. */
#define KIND(name, type, how, text)                                                                          \
    __global__ void lat_##name(long long *took, type *out, int n, type b, type c)                            \
    {                                                                                                        \
        type x = START(type);                                                                                \
        BEGIN _Pragma("unroll 1") for (int i = 0; i < n; i += UNROLL)                                        \
        {                                                                                                    \
            _Pragma("unroll") for (int k = 0; k < UNROLL; k++) asm volatile(text : "+" how(x) : how(b), how(c)); \
        }                                                                                                    \
        END if (n < 0) out[0] = x;                                                                           \
    }                                                                                                        \
    __global__ void rate_##name(long long *took, type *out, int n, type b, type c)                           \
    {                                                                                                        \
        type x[8];                                                                                           \
        _Pragma("unroll") for (int k = 0; k < 8; k++) x[k] = START(type);                                    \
        BEGIN _Pragma("unroll 1") for (int i = 0; i < n; i += UNROLL / 8)                                    \
        {                                                                                                    \
            _Pragma("unroll") for (int k = 0; k < UNROLL; k++)                                               \
                asm volatile(text : "+" how(x[k % 8]) : how(b), how(c));                                     \
        }                                                                                                    \
        END if (n < 0) for (int k = 0; k < 8; k++) out[k] = x[k];                                            \
    }

KIND(fadd, float, "f", "add.rn.f32 %0, %0, %1;")
KIND(fmul, float, "f", "mul.rn.f32 %0, %0, %1;")
KIND(ffma, float, "f", "fma.rn.f32 %0, %0, %1, %2;")
KIND(fmin, float, "f", "min.f32 %0, %0, %1;")
KIND(lop, unsigned, "r", "lop3.b32 %0, %0, %1, %2, 0x96;")
KIND(shf, unsigned, "r", "shf.l.wrap.b32 %0, %0, %1, %2;")
KIND(prmt, unsigned, "r", "prmt.b32 %0, %0, %1, %2;")
KIND(imad, unsigned, "r", "mad.lo.u32 %0, %0, %1, %2;")
KIND(imadhi, unsigned, "r", "mad.hi.u32 %0, %0, %1, %2;")
KIND(imadwide, unsigned long long, "l", "{ .reg .u32 lo, hi; mov.b64 {lo, hi}, %0; mul.wide.u32 %0, lo, hi; }")
KIND(imin, int, "r", "{ .reg .s32 t; min.s32 t, %0, %1; lop3.b32 %0, t, %1, %2, 0x96; }")
KIND(sel, unsigned, "r", "{ .reg .pred p; setp.lt.u32 p, %0, %1; selp.u32 %0, %1, %2, p; }")
KIND(popc, unsigned, "r", "popc.b32 %0, %0;")
KIND(flo, unsigned, "r", "bfind.u32 %0, %0;")
KIND(brev, unsigned, "r", "brev.b32 %0, %0;")
KIND(i2f, unsigned, "r", "{ .reg .f32 f; cvt.rn.f32.s32 f, %0; mov.b32 %0, f; }")
KIND(f2i, unsigned, "r", "{ .reg .f32 f; mov.b32 f, %0; cvt.rzi.s32.f32 %0, f; }")
KIND(f2h, unsigned, "r", "{ .reg .f32 f; mov.b32 f, %0; cvt.rn.f16x2.f32 %0, f, f; }")
KIND(h2f, unsigned, "r", "{ .reg .b16 h, k; .reg .f32 f; mov.b32 {h, k}, %0; cvt.f32.f16 f, h; mov.b32 %0, f; }")
KIND(f2f64, double, "d", "{ .reg .f32 f; cvt.rn.f32.f64 f, %0; cvt.f64.f32 %0, f; }")
KIND(ex2, float, "f", "ex2.approx.ftz.f32 %0, %0;")
KIND(rcp, float, "f", "{ .reg .f32 f; rcp.approx.ftz.f32 f, %0; add.f32 %0, f, %1; }")
KIND(tanh, float, "f", "tanh.approx.f32 %0, %0;")
KIND(dadd, double, "d", "add.rn.f64 %0, %0, %1;")
KIND(dfma, double, "d", "fma.rn.f64 %0, %0, %1, %2;")
KIND(vote, unsigned, "r", "{ .reg .pred p; setp.ne.u32 p, %0, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }")
KIND(match, unsigned, "r", "match.any.sync.b32 %0, %0, 0xffffffff;")
KIND(redux, unsigned, "r", "redux.sync.add.u32 %0, %0, 0xffffffff;")

/* Memory: a warp's words are neighbours, and always the same. */
__device__ static void load(unsigned at, unsigned &v) { asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(v) : "r"(at) : "memory"); }
__device__ static void load(unsigned at, uint2 &v)
{
    asm volatile("ld.volatile.shared.v2.u32 {%0, %1}, [%2];" : "=r"(v.x), "=r"(v.y) : "r"(at) : "memory");
}
__device__ static void load(unsigned at, uint4 &v)
{
    asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "r"(at) : "memory");
}
/* The distance is part of the instruction, with every compiler. */
template <int B> __device__ static void load(const unsigned *at, unsigned &v)
{
    asm volatile("ld.global.u32 %0, [%1+%2];" : "=r"(v) : "l"(at), "n"(B) : "memory");
}
template <int B> __device__ static void load(const uint2 *at, uint2 &v)
{
    asm volatile("ld.global.v2.u32 {%0, %1}, [%2+%3];" : "=r"(v.x), "=r"(v.y) : "l"(at), "n"(B) : "memory");
}
template <int B> __device__ static void load(const uint4 *at, uint4 &v)
{
    asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4+%5];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(at), "n"(B) : "memory");
}
template <class T, int K, int N_> struct each {
    __device__ static void load_from(const T *at, T *v)
    {
        load<K * 32 * (int)sizeof(T)>(at, v[K]);
        each<T, K + 1, N_>::load_from(at, v);
    }
};
template <class T, int N_> struct each<T, N_, N_> {
    __device__ static void load_from(const T *, T *) {}
};
__device__ static void store(unsigned at, unsigned v) { asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(at), "r"(v) : "memory"); }
__device__ static void store(unsigned at, uint4 v)
{
    asm volatile("st.volatile.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(at), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w) : "memory");
}

__device__ static unsigned word(unsigned v) { return v; }
__device__ static unsigned word(uint2 v) { return v.x ^ v.y; }
__device__ static unsigned word(uint4 v) { return v.x ^ v.y ^ v.z ^ v.w; }

__device__ static unsigned mine(void *words, int width)
{
    return (unsigned)__cvta_generic_to_shared(words) + threadIdx.x % 32 * width;
}

template <class T> __global__ void rate_lds(long long *took, unsigned *out, int n)
{
    __shared__ uint4 words[32];
    unsigned at = mine(words, sizeof(T));
    unsigned sum = 0;
    BEGIN
#pragma unroll 1
    for (int i = 0; i < n; i += UNROLL / 16) {
        T v[UNROLL / 2];
#pragma unroll
        for (int k = 0; k < UNROLL / 2; k++)
            load(at, v[k]);
#pragma unroll
        for (int k = 0; k < UNROLL / 2; k++)
            sum += word(v[k]);
    }
    END if (n < 0) *(unsigned *)out = sum;
}

template <class T> __global__ void rate_sts(long long *took, unsigned *out, int n)
{
    __shared__ uint4 words[32];
    unsigned at = mine(words, sizeof(T));
    T v = {};
    BEGIN
#pragma unroll 1
    for (int i = 0; i < n; i += UNROLL / 8)
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            store(at, v);
    END
}

template <class T> __global__ void rate_ldg(long long *took, T *out, int n)
{
    const T *at = out + threadIdx.x % 32;
    unsigned sum = 0;
    BEGIN
#pragma unroll 1
    for (int i = 0; i < n; i += UNROLL / 16) {
        T v[UNROLL / 2];
        each<T, 0, UNROLL / 2>::load_from(at, v);
#pragma unroll
        for (int k = 0; k < UNROLL / 2; k++)
            sum += word(v[k]);
        at += sum; /* nothing, which no compiler knows */
    }
    END if (n < 0) *(unsigned *)out = sum;
}

/* Lanes `stride` words apart: `stride` sectors in four, at most 32. */
__global__ void rate_ldg_stride(long long *took, unsigned *out, int n, int stride)
{
    const unsigned *at = out + threadIdx.x % 32 * stride;
    unsigned sum = 0;
    BEGIN
#pragma unroll 1
    for (int i = 0; i < n; i += UNROLL / 16) {
        unsigned v[UNROLL / 2];
#pragma unroll
        for (int k = 0; k < UNROLL / 2; k++)
            load<0>(at + 32 * 32 * k, v[k]);
#pragma unroll
        for (int k = 0; k < UNROLL / 2; k++)
            sum += word(v[k]);
        at += sum;
    }
    END if (n < 0) *(unsigned *)out = sum;
}

__global__ void rate_atoms(long long *took, unsigned *out, int n)
{
    __shared__ uint4 words[32];
    unsigned at = mine(words, 4);
    BEGIN
#pragma unroll 1
    for (int i = 0; i < n; i += UNROLL / 8)
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(at), "r"(1) : "memory");
    END
}

__global__ void rate_red(long long *took, unsigned *out, int n)
{
    unsigned *at = out + threadIdx.x;
    BEGIN
#pragma unroll 1
    for (int i = 0; i < n; i += UNROLL / 8)
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            asm volatile("red.global.add.u32 [%0], %1;" ::"l"(at), "r"(1) : "memory");
    END
}

/* A chain through a word that the lane has written. */
__global__ void lat_local(long long *took, unsigned *out, int n, unsigned one)
{
    volatile unsigned words[32];
    for (int i = 0; i < 32; i++)
        words[i] = 0;
    unsigned x = 0;
    BEGIN
#pragma unroll 1
    for (int i = 0; i < n; i++)
        x = words[x & 31 & one];
    END if (n < 0) out[0] = x;
}

__global__ void lat_bar(long long *took, unsigned *out, int n)
{
    BEGIN
#pragma unroll 1
    for (int i = 0; i < n; i += UNROLL)
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            __syncthreads();
    END
}

/* A loop of one FMA, its counter and branch. */
__global__ void lat_loop(long long *took, float *out, int n, float b, float c)
{
    float x = b;
    BEGIN
#pragma unroll 1
    for (int i = 0; i < n; i++)
        asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(b), "f"(c));
    END if (n < 0) out[0] = x;
}

static long long *took;

static long long taken(void)
{
    CHECK(cudaDeviceSynchronize());
    long long t;
    CHECK(cudaMemcpy(&t, took, sizeof t, cudaMemcpyDeviceToHost));
    return t;
}

/* The kernel is launched once before, for its code; then both launches, and the row. */
#define ROW(label, threads, call)                                                                            \
    do {                                                                                                     \
        int n = N;                                                                                           \
        call;                                                                                                \
        taken();                                                                                             \
        n = 0;                                                                                               \
        call;                                                                                                \
        long long none = taken();                                                                            \
        n = N;                                                                                               \
        call;                                                                                                \
        long long all = taken();                                                                             \
        printf("%s,%lld\n", label, all - none);                                                              \
    } while (0)

#define BOTH(name, type, b, c)                                                                               \
    ROW("lat " #name, 32, (lat_##name<<<1, 32>>>(took, (type *)out, n, b, c)));                              \
    ROW("rate " #name, 512, (rate_##name<<<1, 512>>>(took, (type *)out, n, b, c)))

int main(void)
{
    char *out;
    CHECK(cudaMalloc(&out, 4 << 20));
    CHECK(cudaMemset(out, 0, 4 << 20));
    CHECK(cudaMalloc(&took, sizeof *took));
    puts("row,cycles");
    BOTH(fadd, float, 1.0f, 0.5f);
    BOTH(fmul, float, 1.0f, 0.5f);
    BOTH(ffma, float, 1.0f, 0.5f);
    BOTH(fmin, float, 1.0f, 0.5f);
    BOTH(lop, unsigned, 3, 5);
    BOTH(shf, unsigned, 3, 5);
    BOTH(prmt, unsigned, 3, 5);
    BOTH(imad, unsigned, 3, 5);
    BOTH(imadhi, unsigned, 3, 5);
    BOTH(imadwide, unsigned long long, 3, 5);
    BOTH(imin, int, 3, 5);
    BOTH(sel, unsigned, 3, 5);
    BOTH(popc, unsigned, 3, 5);
    BOTH(flo, unsigned, 3, 5);
    BOTH(brev, unsigned, 3, 5);
    BOTH(i2f, unsigned, 3, 5);
    BOTH(f2i, unsigned, 3, 5);
    BOTH(f2h, unsigned, 3, 5);
    BOTH(h2f, unsigned, 3, 5);
    BOTH(f2f64, double, 3, 5);
    BOTH(ex2, float, 1.0f, 0.5f);
    BOTH(rcp, float, 1.0f, 0.5f);
    BOTH(tanh, float, 1.0f, 0.5f);
    BOTH(dadd, double, 1.0, 0.5);
    BOTH(dfma, double, 1.0, 0.5);
    BOTH(vote, unsigned, 3, 5);
    BOTH(match, unsigned, 3, 5);
    BOTH(redux, unsigned, 3, 5);
    ROW("rate lds.32", 512, (rate_lds<unsigned><<<1, 512>>>(took, (unsigned *)out, n)));
    ROW("rate lds.64", 512, (rate_lds<uint2><<<1, 512>>>(took, (unsigned *)out, n)));
    ROW("rate lds.128", 512, (rate_lds<uint4><<<1, 512>>>(took, (unsigned *)out, n)));
    ROW("rate sts.32", 512, (rate_sts<unsigned><<<1, 512>>>(took, (unsigned *)out, n)));
    ROW("rate sts.128", 512, (rate_sts<uint4><<<1, 512>>>(took, (unsigned *)out, n)));
    ROW("rate ldg.32", 512, (rate_ldg<unsigned><<<1, 512>>>(took, (unsigned *)out, n)));
    ROW("rate ldg.64", 512, (rate_ldg<uint2><<<1, 512>>>(took, (uint2 *)out, n)));
    ROW("rate ldg.128", 512, (rate_ldg<uint4><<<1, 512>>>(took, (uint4 *)out, n)));
    for (int stride = 2; stride <= 32; stride *= 2) {
        char label[32];
        snprintf(label, sizeof label, "rate ldg stride %d", stride);
        ROW(label, 512, (rate_ldg_stride<<<1, 512>>>(took, (unsigned *)out, n, stride)));
    }
    ROW("rate red.shared", 512, (rate_atoms<<<1, 512>>>(took, (unsigned *)out, n)));
    ROW("rate red.global", 512, (rate_red<<<1, 512>>>(took, (unsigned *)out, n)));
    ROW("lat local", 32, (lat_local<<<1, 32>>>(took, (unsigned *)out, n, 1)));
    ROW("lat bar 1", 32, (lat_bar<<<1, 32>>>(took, (unsigned *)out, n)));
    ROW("lat bar 4", 128, (lat_bar<<<1, 128>>>(took, (unsigned *)out, n)));
    ROW("lat bar 16", 512, (lat_bar<<<1, 512>>>(took, (unsigned *)out, n)));
    ROW("lat bar 32", 1024, (lat_bar<<<1, 1024>>>(took, (unsigned *)out, n)));
    ROW("lat loop", 32, (lat_loop<<<1, 32>>>(took, (float *)out, n, 1.0f, 0.5f)));
    puts("PASS");
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
