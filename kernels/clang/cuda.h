/* The little of CUDA's language that the bundled kernels use, for clang without a CUDA toolkit. */
#ifndef CLANG_CUDA_H
#define CLANG_CUDA_H

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))

struct uint3 {
    unsigned x, y, z;
};
struct dim3 {
    unsigned x, y, z;
};
struct __align__(8) float2 { float x, y; };
struct __align__(16) float4 { float x, y, z, w; };
struct __align__(16) uint4 { unsigned x, y, z, w; };
struct __align__(4) uchar4 { unsigned char x, y, z, w; };

#include <__clang_cuda_builtin_vars.h>

#define DEV static inline __device__ __attribute__((always_inline))

DEV float2 make_float2(float x, float y)
{
    float2 v = {x, y};
    return v;
}
DEV float4 make_float4(float x, float y, float z, float w)
{
    float4 v = {x, y, z, w};
    return v;
}

DEV int max(int a, int b) { return a > b ? a : b; }
DEV unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }
DEV float rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }
DEV unsigned __popc(unsigned x) { return (unsigned)__builtin_popcount(x); }
DEV unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return __nvvm_mulhi_ull(a, b);
}

DEV int atomicAdd(int *p, int v) { return __nvvm_atom_add_gen_i(p, v); }
DEV unsigned atomicAdd(unsigned *p, unsigned v) { return (unsigned)__nvvm_atom_add_gen_i((int *)p, (int)v); }
DEV float atomicAdd(float *p, float v) { return __nvvm_atom_add_gen_f(p, v); }
DEV double atomicAdd(double *p, double v) { return __nvvm_atom_add_gen_d(p, v); }
DEV int atomicMax(int *p, int v) { return __nvvm_atom_max_gen_i(p, v); }
DEV unsigned atomicMax(unsigned *p, unsigned v) { return __nvvm_atom_max_gen_ui(p, v); }
DEV int atomicCAS(int *p, int was, int v) { return __nvvm_atom_cas_gen_i(p, was, v); }
DEV int atomicExch(int *p, int v) { return __nvvm_atom_xchg_gen_i(p, v); }
DEV void __threadfence(void) { __nvvm_membar_gl(); }

DEV int __shfl_sync(unsigned m, int v, int lane) { return __nvvm_shfl_sync_idx_i32(m, v, lane, 31); }
DEV int __shfl_up_sync(unsigned m, int v, int d) { return __nvvm_shfl_sync_up_i32(m, v, d, 0); }
DEV float __shfl_down_sync(unsigned m, float v, int d) { return __nvvm_shfl_sync_down_f32(m, v, d, 31); }
DEV float __shfl_xor_sync(unsigned m, float v, int d) { return __nvvm_shfl_sync_bfly_f32(m, v, d, 31); }
DEV unsigned __ballot_sync(unsigned m, bool p) { return __nvvm_vote_ballot_sync(m, p); }
DEV unsigned __reduce_max_sync(unsigned m, unsigned v)
{
    unsigned r;
    asm volatile("redux.sync.max.u32 %0, %1, %2;" : "=r"(r) : "r"(v), "r"(m));
    return r;
}

#endif
/* SPDX-License-Identifier: Apache-2.0 */
