// SPDX-License-Identifier: Apache-2.0
// A table of functions as tiny kernels: a file that includes this one defines TABLE(ROW), a list of ROW(name, T, R, x0, x1, y0, y1, expression),
// each of which becomes a kernel that computes o[i] = expression of x, y and z, where x is a number from x0 to x1, y and z from y0 to y1. Launched
// by main with one warp in each of 64 CTAs: what a kernel executes is what one warp executes, 64 times with other arguments.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <vector>

enum { LANES = 32, WARPS = 64, COUNT = LANES * WARPS };
typedef long long ll;
typedef unsigned long long ull;
typedef unsigned uint;

template <class T> T number(double v) { return T(v); }
template <> inline __half number(double v) { return __float2half((float)v); }
template <> inline __half2 number(double v) { return __floats2half2_rn((float)v, (float)v + 0.5f); }
template <> inline __nv_bfloat16 number(double v) { return __float2bfloat16((float)v); }
template <> inline __nv_bfloat162 number(double v) { return __floats2bfloat162_rn((float)v, (float)v + 0.5f); }

template <class T> T *numbers(double low, double high, uint32_t seed)
{
    std::vector<T> h(COUNT);
    for (auto &x : h) {
        seed ^= seed << 13, seed ^= seed >> 17, seed ^= seed << 5;
        x = number<T>(low + (high - low) * (seed / 4294967296.0));
    }
    T *d;
    if (cudaMalloc(&d, COUNT * sizeof(T)) != cudaSuccess)
        exit(1);
    cudaMemcpy(d, h.data(), COUNT * sizeof(T), cudaMemcpyHostToDevice);
    return d;
}

template <class T, class R> void launch(const char *name, void (*kernel)(const T *, const T *, const T *, R *), double x0, double x1, double y0, double y1)
{
    T *x = numbers<T>(x0, x1, 1), *y = numbers<T>(y0, y1, 2), *z = numbers<T>(y0, y1, 3);
    R *o;
    cudaMalloc(&o, COUNT * sizeof(R));
    cudaMemset(o, 0, COUNT * sizeof(R));
    kernel<<<WARPS, LANES>>>(x, y, z, o);
    if (cudaDeviceSynchronize() != cudaSuccess) {
        printf("%s: %s\n", name, cudaGetErrorString(cudaGetLastError()));
        exit(1);
    }
    cudaFree(x), cudaFree(y), cudaFree(z), cudaFree(o);
}

#ifndef NAMED
#define NAMED(name) name
#endif
#define KERNEL(name, T, R, x0, x1, y0, y1, ...)                                                                    \
    __global__ void NAMED(name)(const T *a, const T *b, const T *c, R *o)                                          \
    {                                                                                                              \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                                             \
        T x = a[i], y = b[i], z = c[i];                                                                            \
        (void)y, (void)z;                                                                                          \
        o[i] = __VA_ARGS__;                                                                                        \
    }
#define LAUNCH(name, T, R, x0, x1, y0, y1, ...) launch<T, R>(#name, NAMED(name), x0, x1, y0, y1);

// The expression of two results, given to a function by pointers
#define BOTH(T, call) [&] { T p, q; call; return p + q; }()

TABLE(KERNEL)

int main()
{
    TABLE(LAUNCH)
}
