// Source of the samples here; each line behind "//:" made one. nvcc is release 13.0, clang Debian's.
//: nvcc -ptx -arch=sm_80 -o nvcc.ptx sample.cu
//: nvcc -ptx -arch=sm_75 -G -o nvcc-debug.ptx sample.cu
//: nvcc -ptx -arch=sm_90 -lineinfo -rdc=true -o nvcc-rdc.ptx sample.cu
//: clang-14 -x cuda -nocudainc -nocudalib --cuda-gpu-arch=sm_70 --cuda-device-only -S -O1 -DOWN -o clang14.ptx sample.cu
//: clang-19 -x cuda -nocudainc -nocudalib --cuda-gpu-arch=sm_70 --cuda-device-only -S -O1 -g -DOWN -o clang19-debug.ptx sample.cu
#ifdef OWN
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __noinline__ __attribute__((noinline))
#define TID __nvvm_read_ptx_sreg_tid_x()
#define SYNC() __syncthreads()
extern "C" __device__ int vprintf(const char *, const char *);
#define PRINT(x) vprintf("%d\n", (const char *)&(x))
#else
#include <cstdio>
#define TID threadIdx.x
#define SYNC() __syncthreads()
#define PRINT(x) printf("%d\n", x)
#endif

struct pair {
    int n;
    const char *text;
    double d;
};

__constant__ float weights[4] = {0.5f, 1.0f, -2.0f, 4.0f};
__device__ const char *names[] = {"zero", "one"};
__device__ pair pairs[2] = {{1, "first", 1.5}, {2, "second", -0.0}};
__device__ int grid[2][3] = {{1, 2, 3}, {4}};
extern __shared__ int dynamic[];

__device__ __noinline__ int twice(int x) { return 2 * x; }
__device__ __noinline__ int thrice(int x) { return 3 * x; }
__device__ int (*table[2])(int) = {twice, thrice};

__device__ __noinline__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

__device__ __noinline__ pair make(int n)
{
    pair p = {n, names[n & 1], weights[n & 3]};
    return p;
}

extern "C" __global__ void kernel(int *out, pair arg, long long wide, char c)
{
    __shared__ float tile[32];
    int local[8];
    int t = TID;
    tile[t & 31] = weights[t & 3] * arg.d;
    dynamic[t] = c;
    SYNC();
    for (int i = 0; i < 8; i++)
        local[(i * t) & 7] = grid[i & 1][t % 3] + (int)(wide >> i);
    switch (t) {
    case 0: out[0] = twice(t); break;
    case 1: out[1] = local[t]; break;
    case 2: out[2] = fib(5); break;
    case 3: out[3] = (int)make(t).d; break;
    case 4: out[4] = pairs[t & 1].text[0]; break;
    case 5: out[5] = table[t & 1](t); break;
    default: out[t] = (int)tile[(t + 1) & 31] + local[t & 7] + dynamic[0];
    }
    int asked;
    asm volatile("{\n\t.reg .pred p;\nL1:\n\tsetp.ne.s32 p, %1, 0;\n\t@p bra DONE;\n\tbra DONE;\nDONE:\n\tselp.s32 %0, 1, 2, p;\n\t}" : "=r"(asked) : "r"(t));
    PRINT(asked);
}
// SPDX-License-Identifier: Apache-2.0
