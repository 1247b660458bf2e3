/* What warp groups of one CTA cost one another on Hopper: products whose A is in registers, tokens by barrier object and by named barrier, stores
 * of fragments. Prints name, parameter and SM cycles for each. Needs a real GPU (clock64):
 * nvcc -gencode arch=compute_90a,code=sm_90a groups.cu -lcuda. */
#include "../workloads/hopper.h"
#include <initializer_list>

enum { TURNS = 256 };

/* `row` products of 64 columns with fragments of their own, then a wait; or of 128 columns with A in shared memory. */
template <bool REGS> __global__ void __launch_bounds__(512, 1) products(long long *took, int turns, float *sink)
{
    extern __shared__ __align__(1024) unsigned char shared[];
    for (int i = threadIdx.x; i < 96 * 1024 / 4; i += blockDim.x)
        ((unsigned *)shared)[i] = 0;
    shared_written();
    unsigned base = shared_address(shared);
    float s[32] = {}, t[64] = {};
    unsigned a[32];
    for (int i = 0; i < 32; i++)
        a[i] = turns * i;
    uint64_t b = along_columns(base + 65536, 0), k = along_k(base + 65536), q = along_k(base + threadIdx.x / 128 * 8192);
    __syncthreads();
    long long begin = clock64();
#pragma unroll 1
    for (int i = 0; i < turns; i++) {
        products_begin();
        if (REGS)
#pragma unroll
            for (int j = 0; j < 8; j++)
                multiply_64_64(s, a + j * 4, b + j * COLUMNS_STEP, 1);
        else
#pragma unroll
            for (int j = 0; j < 4; j++)
                multiply_64_128(t, q + j * K_STEP, k + j * K_STEP, 1);
        products_commit();
        products_wait<0>();
    }
    long long end = clock64();
    if (threadIdx.x == 0)
        *took = end - begin;
    for (int i = 0; i < 32; i++)
        sink[threadIdx.x] += s[i] + t[i] + t[32 + i];
}

/* Two warps (`groups`: warp groups) hand a token to and fro. */
__global__ void tokens(long long *took, int turns)
{
    __shared__ uint64_t objects[2];
    unsigned mine = shared_address(objects + threadIdx.x / 32), other = shared_address(objects + 1 - threadIdx.x / 32);
    if (threadIdx.x == 0) {
        object_init(shared_address(objects), 1);
        object_init(shared_address(objects + 1), 1);
        objects_ready();
    }
    __syncthreads();
    if (threadIdx.x == 32)
        object_arrive(other);
    long long begin = clock64();
    if (threadIdx.x % 32 == 0)
#pragma unroll 1
        for (int i = 0; i < turns; i++) {
            object_wait(mine, i & 1);
            object_arrive(other);
        }
    if (threadIdx.x == 0)
        *took = clock64() - begin;
}

__global__ void turns_at_barriers(long long *took, int turns)
{
    int group = threadIdx.x / 128;
    __syncthreads();
    if (group == 1)
        pass(1, 256);
    long long begin = clock64();
#pragma unroll 1
    for (int i = 0; i < turns; i++) {
        meet(1 + group, 256);
        pass(2 - group, 256);
    }
    if (threadIdx.x == 0)
        *took = clock64() - begin;
    if (group == 0)
        meet(1, 256);
}

/* The same with barriers that the code names, and all at one barrier. */
template <int GROUP> __device__ void named(int turns)
{
#pragma unroll 1
    for (int i = 0; i < turns; i++) {
        asm volatile("bar.sync %0, 256;" ::"n"(1 + GROUP) : "memory");
        asm volatile("bar.arrive %0, 256;" ::"n"(2 - GROUP) : "memory");
    }
}

__global__ void turns_at_named(long long *took, int turns)
{
    __syncthreads();
    long long begin = clock64();
    if (threadIdx.x < 128) {
        named<0>(turns);
        if (threadIdx.x == 0)
            *took = clock64() - begin;
        meet(1, 256);
    } else {
        pass(1, 256);
        named<1>(turns);
    }
}

__global__ void all_meet(long long *took, int turns, int barrier)
{
    __syncthreads();
    long long begin = clock64();
#pragma unroll 1
    for (int i = 0; i < turns; i++)
        meet(barrier, 256);
    if (threadIdx.x == 0)
        *took = clock64() - begin;
}

/* A wait for a phase that is over; an arrival; both without anyone else. */
__global__ void alone(long long *took, int turns)
{
    __shared__ uint64_t object;
    unsigned at = shared_address(&object);
    if (threadIdx.x == 0) {
        object_init(at, 1);
        objects_ready();
        object_arrive(at);
        long long begin = clock64();
#pragma unroll 1
        for (int i = 0; i < turns; i++)
            object_wait(at, 0);
        took[0] = clock64() - begin;
        begin = clock64();
#pragma unroll 1
        for (int i = 0; i < turns; i++)
            object_arrive(at);
        took[1] = clock64() - begin;
        object_init(at, 1);
        begin = clock64();
#pragma unroll 1
        for (int i = 0; i < turns; i++) {
            object_arrive(at);
            object_wait(at, i & 1);
        }
        took[2] = clock64() - begin;
    }
}

/* A group's 64 x 64 sums to shared memory, as halves. */
__global__ void __launch_bounds__(256) sums_out(long long *took, int turns)
{
    __shared__ __align__(1024) unsigned char shared[2 * 8192];
    float s[32];
    for (int i = 0; i < 32; i++)
        s[i] = threadIdx.x * i;
    unsigned to = shared_address(shared) + threadIdx.x / 128 * 8192;
    __syncthreads();
    long long begin = clock64();
#pragma unroll 1
    for (int i = 0; i < turns; i++) {
        put_sums(to, s, 1.0f + i, 1.0f);
        shared_written();
    }
    __syncthreads();
    if (threadIdx.x == 0)
        *took = clock64() - begin;
}

/* ex2 of 64 registers, with and without another group that multiplies. */
__global__ void __launch_bounds__(384, 1) powers(long long *took, int turns, int multiply, float *sink)
{
    extern __shared__ __align__(1024) unsigned char shared[];
    unsigned base = shared_address(shared);
    float t[64];
    for (int i = 0; i < 64; i++)
        t[i] = threadIdx.x + i;
    __syncthreads();
    long long begin = clock64();
    if (threadIdx.x < 128) {
#pragma unroll 1
        for (int i = 0; i < turns; i++)
#pragma unroll
            for (int j = 0; j < 64; j++)
                asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(t[j]));
        if (threadIdx.x == 0)
            *took = clock64() - begin;
    } else if (multiply) {
        uint64_t k = along_k(base + 65536), q = along_k(base + threadIdx.x / 128 * 8192);
#pragma unroll 1
        for (int i = 0; i < turns; i++) {
            products_begin();
#pragma unroll
            for (int j = 0; j < 4; j++)
                multiply_64_128(t, q + j * K_STEP, k + j * K_STEP, 1);
            products_commit();
            products_wait<0>();
        }
    }
    for (int i = 0; i < 64; i++)
        sink[threadIdx.x] += t[i];
}

int main()
{
    long long *took = (long long *)device_alloc(4096), got[2][3];
    float *sink = (float *)device_alloc(1 << 20);
    CHECK(cudaFuncSetAttribute(products<true>, cudaFuncAttributeMaxDynamicSharedMemorySize, 98304));
    CHECK(cudaFuncSetAttribute(products<false>, cudaFuncAttributeMaxDynamicSharedMemorySize, 98304));
    CHECK(cudaFuncSetAttribute(powers, cudaFuncAttributeMaxDynamicSharedMemorySize, 98304));
#define MEASURE(values, launch, ...)                                                                         \
    do {                                                                                                     \
        for (int n = 1; n <= 2; n++) {                                                                       \
            launch;                                                                                          \
            fetch(got[n - 1], took, sizeof got[0]);                                                          \
        }                                                                                                    \
        printf(__VA_ARGS__);                                                                                 \
        for (int i = 0; i < values; i++)                                                                     \
            printf(",%.2f", (double)(got[1][i] - got[0][i]) / TURNS);                                        \
        printf("\n");                                                                                        \
    } while (0)
    for (int groups : {1, 2, 4}) {
        MEASURE(1, (products<true><<<1, groups * 128, 98304>>>(took, n * TURNS, sink)),
                "8 products of 64 columns with A in registers,groups %d", groups);
        MEASURE(1, (products<false><<<1, groups * 128, 98304>>>(took, n * TURNS, sink)),
                "4 products of 128 columns out of shared memory,groups %d", groups);
    }
    MEASURE(1, (tokens<<<1, 64>>>(took, n * TURNS)), "token to and fro by barrier object,one lane of two warps");
    MEASURE(1, (turns_at_barriers<<<1, 256>>>(took, n * TURNS)), "token to and fro by named barrier,two warp groups");
    MEASURE(1, (turns_at_named<<<1, 256>>>(took, n * TURNS)), "the same,barriers that the code names");
    MEASURE(1, (all_meet<<<1, 256>>>(took, n * TURNS, 3)), "named barrier,all of two warp groups");
    MEASURE(3, (alone<<<1, 32>>>(took, n * TURNS)), "barrier object alone,wait that is over; arrival; both");
    for (int groups : {1, 2})
        MEASURE(1, (sums_out<<<1, groups * 128>>>(took, n * TURNS)), "64 x 64 sums to shared memory,groups %d", groups);
    for (int multiply : {0, 1})
        for (int groups : {2, 3})
            MEASURE(1, (powers<<<1, groups * 128, 98304>>>(took, n * TURNS, multiply, sink)), "64 powers of two,groups %d %s",
                    groups, multiply ? "others multiply" : "alone");
    CHECK(cudaFree(took));
    CHECK(cudaFree(sink));
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
