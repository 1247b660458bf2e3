// SPDX-License-Identifier: Apache-2.0
// What every file of silicon/ordinary needs around its kernels: arrays with numbers in them, and a sum of what a kernel left.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

enum { CTAS = 264, THREADS = 128, N = CTAS * THREADS };

template <class T> T *zeros(size_t n)
{
    T *d;
    if (cudaMalloc(&d, n * sizeof(T)) != cudaSuccess)
        exit(1);
    cudaMemset(d, 0, n * sizeof(T));
    return d;
}

inline uint32_t next_random(uint32_t &s)
{
    s ^= s << 13, s ^= s >> 17, s ^= s << 5;
    return s;
}

template <class T> T *upload(const std::vector<T> &h)
{
    T *d = zeros<T>(h.size());
    cudaMemcpy(d, h.data(), h.size() * sizeof(T), cudaMemcpyHostToDevice);
    return d;
}

// n floats (or doubles) from 0.25 to 1.25
template <class T> T *reals(size_t n, uint32_t seed = 1)
{
    std::vector<T> h(n);
    for (auto &x : h)
        x = T(0.25 + (next_random(seed) >> 8) / 16777216.0);
    return upload(h);
}

// n integers below limit
template <class T> T *ints(size_t n, uint32_t limit, uint32_t seed = 1)
{
    std::vector<T> h(n);
    for (auto &x : h)
        x = T((next_random(seed) >> 4) % limit);
    return upload(h);
}

// prints a kernel's name and the sum of the n words it wrote: the same from every compiler but for rounding
template <class T> void tell(const char *name, const T *d, size_t n)
{
    std::vector<T> h(n);
    if (cudaDeviceSynchronize() != cudaSuccess || cudaMemcpy(h.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost) != cudaSuccess) {
        printf("%s: %s\n", name, cudaGetErrorString(cudaGetLastError()));
        exit(1);
    }
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)h[i] * (1 + i % 7);
    printf("%s %.3e\n", name, sum);
}
