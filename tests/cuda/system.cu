// What device code asks of the system and of the C library: printf, assert that holds, malloc, new, memcpy, memset,
// spaces of addresses, clocks, barriers that count, structures by value, virtual functions, statics, C++ of the library.
#include "check.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <new>

__device__ int results[64];
__constant__ int table[4] = {4, 3, 2, 1};

struct shape {
    __device__ virtual int area() const = 0;
    __device__ virtual ~shape() {}
};
struct box : shape {
    int a, b;
    __device__ box(int x, int y) : a(x), b(y) {}
    __device__ int area() const override { return a * b; }
};
struct disc : shape {
    int r;
    __device__ explicit disc(int x) : r(x) {}
    __device__ int area() const override { return 3 * r * r; }
};

static __global__ void memory()
{
    int i = threadIdx.x;
    int *p = (int *)malloc(16 * sizeof(int));
    assert(p != NULL);
    for (int k = 0; k < 16; k++)
        p[k] = i * 100 + k;
    int q[16];
    memcpy(q, p, sizeof q);
    memset(p, 0, 8 * sizeof(int));
    results[i] = q[0] + q[2] + q[15] + p[7] + p[8];
    free(p);
    shape *s[2] = {new box(i, 3), new disc(i)};
    results[32 + i] = s[0]->area() + s[1]->area();
    delete s[0];
    delete s[1];
}

static __global__ void spaces(int *global, unsigned *out)
{
    __shared__ int shared[2];
    int local[2] = {1, 2};
    int *volatile l = local;
    out[0] = __isGlobal(global) && !__isShared(global) && !__isLocal(global);
    out[1] = __isShared(shared) && !__isGlobal(shared);
    out[2] = __isLocal(l) && !__isGlobal(l);
    out[3] = __isConstant(table) && !__isGlobal(table);
    shared[1] = 77;
    size_t at = __cvta_generic_to_shared(&shared[1]);
    unsigned v;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"((unsigned)at) : "memory");
    out[4] = v;
    out[5] = *(int *)__cvta_shared_to_generic(at);
    out[6] = __cvta_generic_to_global(global) == (size_t)global;
}

static __global__ void counting(int *out)
{
    int i = threadIdx.x;
    out[i] = __syncthreads_count(i % 3 == 0);
    out[64 + i] = __syncthreads_and(i < 64);
    out[128 + i] = __syncthreads_or(i == 70) * 2 + (__syncthreads_and(i != 5) == 0);
}

static __global__ void timing(long long *out)
{
    long long a = clock64();
    clock_t c = clock();
    __nanosleep(10);
    __threadfence_block();
    __threadfence();
    __threadfence_system();
    out[0] = clock64() - a;
    out[1] = c != 0 || a >= 0;
}

struct big {
    int v[20];
    double d;
};
static __device__ __noinline__ big change(big b)
{
    b.v[threadIdx.x % 20] += 1;
    b.d *= 2;
    return b;
}
static __global__ void __launch_bounds__(64, 2) by_value(const __grid_constant__ big b, double *out)
{
    big c = change(b);
    out[threadIdx.x] = c.v[threadIdx.x % 20] + c.d + max(b.v[0], 3) + min(2, b.v[1]);
}

template <class F> static __global__ void each(int *v, F f) { v[threadIdx.x] = f(threadIdx.x); }

// nvcc wants options for lambdas and for the library's functions in device code; clang takes both.
#if defined(__clang__)
static void lambdas(int *d, int *h)
{
    int scale = 3;
    each<<<1, 32>>>(d, [=] __device__(int i) { return std::max(i, 5) * scale + table[i % 4]; });
    RAN();
    OK(cudaMemcpy(h, d, 32 * sizeof(int), cudaMemcpyDeviceToHost));
    static const int t[4] = {4, 3, 2, 1};
    for (int i = 0; i < 32; i++)
        CHECK(h[i] == std::max(i, 5) * 3 + t[i % 4]);
}
#else
static void lambdas(int *, int *) {}
#endif

static __global__ void say(int n) { printf("line %d of %s, %.2f, %c %5lld\n", n, "text", n * 0.5, 'x', 1ll << 40); }

int main()
{
    int h[192], *d;
    OK(cudaMalloc((void **)&d, 2 * sizeof h));
    memory<<<1, 32>>>();
    RAN();
    OK(cudaMemcpyFromSymbol(h, results, 64 * sizeof(int)));
    for (int i = 0; i < 32; i++) {
        CHECK(h[i] == i * 100 + (i * 100 + 2) + (i * 100 + 15) + 0 + (i * 100 + 8));
        CHECK(h[32 + i] == i * 3 + 3 * i * i);
    }
    spaces<<<1, 1>>>(d, (unsigned *)d + 100);
    RAN();
    OK(cudaMemcpy(h, d + 100, 7 * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 7; i++)
        CHECK(h[i] == (i == 4 || i == 5 ? 77 : 1));
    counting<<<1, 64>>>(d);
    RAN();
    OK(cudaMemcpy(h, d, 192 * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++)
        CHECK(h[i] == 22 && h[64 + i] != 0 && h[128 + i] == 1);
    timing<<<1, 1>>>((long long *)d);
    RAN();
    OK(cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost));
    CHECK(h[0] > 0 && h[2] == 1);
    big b;
    for (int i = 0; i < 20; i++)
        b.v[i] = i;
    b.d = 1.25;
    by_value<<<1, 40>>>(b, (double *)d);
    RAN();
    double r[40];
    OK(cudaMemcpy(r, d, sizeof r, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 40; i++)
        CHECK(r[i] == i % 20 + 1 + 2.5 + 3 + 1);
    lambdas(d, h);
    say<<<1, 1>>>(3);
    RAN();
    OK(cudaFree(d));
    fflush(stdout);
    return passed();
}
// SPDX-License-Identifier: Apache-2.0
