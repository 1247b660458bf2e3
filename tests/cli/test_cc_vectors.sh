#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What becomes of vectors, structures, pairs of halves and loops: accesses as wide as nvcc's, no local memory, loops unrolled by four.
# Usage: test_cc_vectors.sh BANKSHOT
. "$(dirname "$0")/cc_frame.sh"

cat >v.cu <<'END'
#include <cuda_bf16.h>
#include <cuda_fp16.h>
struct __align__(16) mixed { float a; int b; double c; };
struct pairs { float2 a, b; };
union four { float4 v; float f[4]; };
struct particle { float3 p, v; float m; int id; };
__global__ void change(const float4 *a, float4 *b) { float4 v = a[threadIdx.x]; v.x += 1; b[threadIdx.x] = v; }
__global__ void some(const float4 *a, float *b) { b[threadIdx.x] = a[threadIdx.x].x + a[threadIdx.x].z; }
__global__ void cast(const float *a, float *b) { float4 v = *(const float4 *)(a + 4 * threadIdx.x); v.y = 0; *(float4 *)(b + 4 * threadIdx.x) = v; }
__global__ void both(const four *a, four *b) { four u; u.v = a[threadIdx.x].v; for (int k = 0; k < 4; k++) u.f[k] += k; b[threadIdx.x].v = u.v; }
__global__ void nested(const pairs *a, pairs *b) { pairs v = a[threadIdx.x]; v.a.x += 2; b[threadIdx.x] = v; }
__global__ void mix(const mixed *a, mixed *b) { mixed v = a[threadIdx.x]; v.b += 2; b[threadIdx.x] = v; }
__global__ void bytes(const uchar4 *a, uchar4 *b) { uchar4 v = a[threadIdx.x]; v.x += 2; b[threadIdx.x] = v; }
__global__ void move(particle *p, float dt) { particle q = p[threadIdx.x]; q.p.x += q.v.x * dt; p[threadIdx.x] = q; }
__global__ void halves(const uint4 *a, uint4 *b) { uint4 v = a[threadIdx.x]; half *h = (half *)&v; for (int j = 0; j < 8; j++) h[j] = __float2half(2 * __half2float(h[j])); b[threadIdx.x] = v; }
__global__ void pair(const half2 *a, half2 *b, int n) { half2 x = a[threadIdx.x], s = x; for (int k = 0; k < n; k++) s = __hfma2(s, x, x); b[threadIdx.x] = s; }
__global__ void bpair(const __nv_bfloat162 *a, __nv_bfloat162 *b, int n) { __nv_bfloat162 s = a[threadIdx.x]; for (int k = 0; k < n; k++) s = __hfma2(s, s, a[k]); b[threadIdx.x] = s; }
__global__ void stride(const float *a, float *b, int n) { int st = gridDim.x * blockDim.x; float s = 0; for (int i = threadIdx.x; i < n; i += st) s += a[i]; b[threadIdx.x] = s; }
// nvcc leaves these behind their branch, counts no rounds where an index may overflow, and knows no bounds of threadIdx.
__global__ void root(const float *a, float *b) { float d = a[threadIdx.x]; b[threadIdx.x] = d > 0 ? sqrtf(d) : 0; }
__global__ void droot(const double *a, double *b) { double d = a[threadIdx.x]; b[threadIdx.x] = d > 0 ? sqrt(d) : 0; }
__global__ void over(const float *a, float *b) { float d = a[threadIdx.x]; b[threadIdx.x] = d != 0 ? 1 / d : 0; }
__global__ void folded(const float *a, float *b) { b[threadIdx.x] = a[threadIdx.x] * sqrtf(2.0f); for (int k = 1; k < 4; k++) b[threadIdx.x] += 1.0f / k; }
__global__ void strided(int *a) { for (int i = threadIdx.x; i < 1024; i += blockDim.x) a[i] = 0; }
// The pointer goes from row to row, but for two arrays one index is less.
__global__ void rows(const float *a, float *b, int n, int w) { int x = threadIdx.x; float s = 0; for (int k = 0; k < n; k++) s += a[k * w + x]; b[x] = s; }
__global__ void tworows(const float *a, const float *c, float *b, int n, int w) { int x = threadIdx.x; float s = 0; for (int k = 0; k < n; k++) s += a[k * w + x] * c[k * w + x]; b[x] = s; }
__global__ void signs(int *a) { a[threadIdx.x] = (int)threadIdx.x / 4; }
END
check "compiled" 0 '' -arch=sm_90 -ptx v.cu -o v.ptx

# has KERNEL COUNT PATTERN: so many lines of the kernel's PTX have the pattern.
has() {
    n=$(awk -v name="$1" '/\.entry/ { inside = index($0, length(name) name) } inside' v.ptx | grep -Ec -- "$3")
    if [ "$n" = "$2" ]; then
        passed=$((passed + 1))
    else
        awk -v name="$1" '/\.entry/ { inside = index($0, length(name) name) } inside' v.ptx | grep -E 'ld\.|st\.|local' >out
        fail "$1 has $n of $3, not $2"
    fi
}
for k in change cast both halves; do
    has $k 1 'ld\.global\.v4'
    has $k 1 'st\.global\.v4'
done
has some 1 'ld\.global'
has some 1 'ld\.global\.v4'
has nested 2 'ld\.global\.v2'
has nested 2 'st\.global\.v2'
has mix 1 'ld\.global\.v2'
has mix 2 'ld\.global'
has bytes 1 'ld\.global\.u32'
has pair 5 'fma\.rn\.f16x2'
has pair 0 'mov\.b32.*\{|shl\.b32|prmt'
has bpair 5 'fma\.rn\.bf16x2'
has stride 5 'ld\.global\.f32'
for k in root droot over; do
    has $k 1 'sqrt\.rn|rcp\.rn'
    has $k 1 'bra'
    has $k 0 'selp'
done
has folded 0 'sqrt|rcp|div'
has strided 1 'st\.global'
has signs 3 'shr\.'
has rows 5 'ld\.global'
has rows 2 'add\.s32'
has tworows 7 'add\.s32'
# Where they are approximate they are cheap, and code for sm_80 is as it was.
check "compiled fast" 0 '' -use_fast_math -arch=sm_90 -ptx v.cu -o v.ptx
has root 1 'sqrt\.approx\.ftz'
has over 1 'rcp\.approx\.ftz'
has over 1 'selp'
check "compiled for sm_80" 0 '' -arch=sm_80 -ptx v.cu -o v.ptx
has rows 7 'add\.s32'
has root 1 'selp'
has strided 5 'st\.global'
check "compiled" 0 '' -arch=sm_90 -ptx v.cu -o v.ptx
for k in change some cast both nested mix bytes move halves pair bpair; do
    has $k 0 '__local_depot'
done

echo "test_cc_vectors: $passed passed, $failed failed"
[ $failed = 0 ]
