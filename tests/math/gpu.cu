/* One kernel for each measured function, and a launcher that finds it by name. Compiles with nvcc too. */
#include "gpu.h"
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL(kernel, type, call)                                                                           \
    extern "C" __global__ void kernel(const type *a, const type *b, const type *c, const type *d, type *out, \
                                      unsigned n)                                                            \
    {                                                                                                        \
        unsigned i = blockIdx.x * blockDim.x + threadIdx.x;                                                  \
        if (i < n)                                                                                           \
            out[i] = call;                                                                                   \
    }
#define BOTH(name, fcall, dcall) KERNEL(k_##name##f, float, fcall) KERNEL(k_##name, double, dcall)
#define MATH1(name, fb, db, lo, hi) BOTH(name, name##f(a[i]), name(a[i]))
#define MATH2(name, fb, db, lo, hi, lo2, hi2) BOTH(name, name##f(a[i], b[i]), name(a[i], b[i]))
#define MATH3(name, fb, db) BOTH(name, name##f(a[i], b[i], c[i]), name(a[i], b[i], c[i]))
#define MATH4(name, fb, db) BOTH(name, name##f(a[i], b[i], c[i], d[i]), name(a[i], b[i], c[i], d[i]))
#include "functions.def"
/* Each intrinsic once, though functions.def has a row for each range. */
#define INTRINSICS(X)                                                                                        \
    X(__expf)                                                                                                \
    X(__exp10f) X(__logf) X(__log2f) X(__log10f) X(__sinf) X(__cosf) X(__frsqrt_rn) X(__fsqrt_rn)            \
        X(__frcp_rn)
#define ONCE(name) KERNEL(k_##name, float, name(a[i]))
INTRINSICS(ONCE)

struct entry {
    const char *name;
    const void *kernel;
};
static const struct entry entries[] = {
#define MATH1(name, ...) {#name "f", (const void *)k_##name##f}, {#name, (const void *)k_##name},
#define MATH2 MATH1
#define MATH3 MATH1
#define MATH4 MATH1
#include "functions.def"
#define ENTRY(name) {#name, (const void *)k_##name},
    INTRINSICS(ENTRY)};

static void check(cudaError_t e, const char *name)
{
    if (e != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", name, cudaGetErrorString(e));
        exit(2);
    }
}

extern "C" void gpu_run(const char *name, const void *const in[4], void *out, unsigned n, unsigned size_b)
{
    const void *kernel = NULL;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        if (!strcmp(entries[i].name, name))
            kernel = entries[i].kernel;
    if (!kernel) {
        fprintf(stderr, "%s: no such kernel\n", name);
        exit(2);
    }
    void *mem[5];
    for (int i = 0; i < 5; i++) {
        check(cudaMalloc(&mem[i], (size_t)n * size_b), name);
        if (i < 4)
            check(cudaMemcpy(mem[i], in[i], (size_t)n * size_b, cudaMemcpyHostToDevice), name);
    }
    void *args[] = {&mem[0], &mem[1], &mem[2], &mem[3], &mem[4], &n};
    check(cudaLaunchKernel(kernel, dim3((n + 255) / 256), dim3(256), args, 0, 0), name);
    check(cudaMemcpy(out, mem[4], (size_t)n * size_b, cudaMemcpyDeviceToHost), name);
    for (int i = 0; i < 5; i++)
        check(cudaFree(mem[i]), name);
}
// SPDX-License-Identifier: Apache-2.0
