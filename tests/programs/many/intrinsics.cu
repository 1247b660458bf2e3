/* Intrinsics and odds: bit operations, byte permutes, saturating and rounding conversions, 128-bit loads, inline PTX, SIMD in a
 * word, half precision, warp votes, clock, printf in kernels. */
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#define EXPECT(x) ((x) ? 0 : (bad |= 1ull << (__COUNTER__ - FIRST)))
enum { FIRST = __COUNTER__ + 1 };

__device__ __forceinline__ unsigned lane()
{
    unsigned l;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(l));
    return l;
}

__device__ int mad24(int a, int b, int c)
{
    int r;
    asm("{\n\t.reg .s32 t;\n\tmul24.lo.s32 t, %1, %2;\n\tadd.s32 %0, t, %3;\n\t}"
        : "=r"(r)
        : "r"(a), "r"(b), "r"(c));
    return r;
}

__global__ void probe(unsigned long long *out, const uint4 *in, float x)
{
    unsigned long long bad = 0;
    int i = threadIdx.x;
    uint4 v = in[i];
    unsigned u = v.x;
    int brute = 0;
    for (int b = 0; b < 32; b++)
        brute += u >> b & 1;
    EXPECT(__popc(u) == brute);
    EXPECT(__popcll((unsigned long long)u << 32 | u) == 2 * brute);
    EXPECT(__clz((int)u) == (u ? 31 - (int)log2f((float)(u & 0xffffff00u ? u & 0xffffff00u : u)) : 32));
    EXPECT(__brev(__brev(u)) == u);
    EXPECT(__ffs((int)u) == (u ? __clz(__brev(u)) + 1 : 0));
    EXPECT(__byte_perm(0x33221100u, 0x77665544u, 0x7531u) == 0x77553311u);
    EXPECT(__funnelshift_l(0x80000001u, 0x40000000u, 4) == 0x00000008u);
    EXPECT(__mulhi((int)u, 5) == (int)(((long long)(int)u * 5) >> 32));
    EXPECT(__umul24(0x1000003u, 7u) == 21u);
    EXPECT(__sad(-5, 10, 2u) == 17u);
    EXPECT(__usad(5u, 10u, 2u) == 7u);
    EXPECT(__hadd(7, 8) == 7 && __rhadd(7, 8) == 8);
    EXPECT(mad24(3, 4, 5) == 17);
    EXPECT(__float2int_rn(2.5f) == 2 && __float2int_ru(2.1f) == 3 && __float2int_rd(-2.1f) == -3);
    EXPECT(__float2int_rz(-2.9f) == -2 && __float2uint_rn(3.5f) == 4u);
    EXPECT(__int_as_float(0x3f800000) == 1.0f && __float_as_uint(2.0f) == 0x40000000u);
    EXPECT(__double2hiint(1.0) == 0x3ff00000 && __hiloint2double(0x40000000, 0) == 2.0);
    EXPECT(__saturatef(x) == 1.0f && __saturatef(-x) == 0.0f);
    EXPECT(__fadd_rn(x, 1.0f) == x + 1.0f && __fmul_rz(x, 2.0f) == 2.0f * x &&
           __fmaf_rn(x, x, 1.0f) == x * x + 1.0f);
    EXPECT(__dadd_rn(x, 0.5) == x + 0.5 && __ddiv_rn(1.0, 4.0) == 0.25);
    EXPECT(fabsf(__expf(1.0f) - 2.7182817f) < 1e-5f && fabsf(__logf(x) - logf(x)) < 1e-5f);
    EXPECT(fabsf(__sinf(0.5f) - sinf(0.5f)) < 1e-5f && fabsf(__powf(x, 3.0f) - x * x * x) < 1e-3f);
    EXPECT(fabsf(rsqrtf(4.0f) - 0.5f) < 1e-6f && fabsf(__fdividef(x, 4.0f) - x / 4) < 1e-6f);
    EXPECT(__vadd4(0x01ff7f80u, 0x01010101u) == 0x02008081u &&
           __vabsdiffu4(0x05020304u, 0x01040304u) == 0x04020000u);
    EXPECT(__dp4a(0x01020304, 0x01010101, 5) == 15);
    EXPECT(min(3, -4) == -4 && max(3u, 4u) == 4u && abs(-7) == 7 && llabs(-7ll) == 7 && umin(3u, 5u) == 3u);
    EXPECT(isnan(NAN) && isinf(INFINITY) && signbit(-1.0f) && !isfinite(INFINITY));
    unsigned l = lane();
    EXPECT(l == (unsigned)(i % 32) && warpSize == 32);
    EXPECT(__ballot_sync(~0u, l & 1) == 0xaaaaaaaau && __any_sync(~0u, l == 5) && !__all_sync(~0u, l == 5));
    EXPECT(__activemask() == ~0u);
    EXPECT(__shfl_xor_sync(~0u, (double)l, 1) == (double)(l ^ 1) &&
           __shfl_up_sync(~0u, (long long)l, 1) == (l ? l - 1 : 0));
    EXPECT(__match_any_sync(~0u, l / 8) == 0xffu << l / 8 * 8);
    EXPECT(__reduce_add_sync(~0u, l) == 496u && __reduce_max_sync(~0u, (int)l) == 31);
    __half h = __float2half(1.5f);
    __half2 hh = __halves2half2(h, __float2half(-2.0f)), sum = __hadd2(hh, __float2half2_rn(1.0f));
    EXPECT(__half2float(__hadd(h, h)) == 3.0f && __low2float(sum) == 2.5f && __high2float(sum) == -1.0f);
    EXPECT(__half2float(__hfma(h, h, h)) == 3.75f && __hlt(h, __float2half(2.0f)) && __half2int_rn(h) == 2);
    EXPECT((float)(h * h + h) == 3.75f);
    long long c0 = clock64();
    __threadfence_block();
    EXPECT(clock64() > c0);
    EXPECT(__isShared(&bad) == 0 && __isGlobal(in));
    float4 f = make_float4(1, 2, 3, 4);
    char4 c = make_char4(1, -2, 3, -4);
    EXPECT(f.x + f.w == 5 && c.y == -2 && sizeof(double2) == 16 && alignof(float4) == 16);
    double s, co;
    sincos(0.25, &s, &co);
    EXPECT(fabs(s * s + co * co - 1) < 1e-15);
    EXPECT(norm3df(1, 2, 2) == 3.0f && fabsf(erff(0.5f) - 0.5204999f) < 1e-5f &&
           fabs(tgamma(5.0) - 24) < 1e-9);
    int e;
    float m = frexpf(12.0f, &e);
    EXPECT(m == 0.75f && e == 4 && ldexpf(0.75f, 4) == 12.0f && fmodf(7.5f, 2.0f) == 1.5f &&
           cbrtf(27.0f) == 3.0f);
    if (i == 0)
        printf("%d %s %.2f %c %5.1f|%-4d|%04x %llu\n", -3, "text", 1.5, 'x', 2.25, 7, 0xab, 1ull << 40);
    out[i] = bad;
}

int main(void)
{
    uint4 in[64], *d_in;
    unsigned long long out[64], *d_out, bad = 0;
    for (unsigned i = 0; i < 64; i++)
        in[i] = make_uint4(i ? 2654435761u * i >> i % 32 : 0, i, i + 1, i + 2);
    cudaMalloc((void **)&d_in, sizeof in);
    cudaMalloc((void **)&d_out, sizeof out);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    probe<<<2, 32>>>(d_out, d_in, 3.0f);
    cudaError_t e = cudaMemcpy(out, d_out, sizeof out / 2, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        bad |= out[i];
    for (int b = 0; b < 64; b++)
        if (bad >> b & 1)
            printf("expectation %d failed\n", b);
    printf("%s\n", bad || e != cudaSuccess ? "FAIL" : "PASS");
    return bad != 0;
}
// SPDX-License-Identifier: Apache-2.0
