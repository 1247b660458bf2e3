// SPDX-License-Identifier: Apache-2.0
// Run by tests/cudart/test_cubin.c. nvcc 13.0 -O3 -arch=sm_80 -cubin made pack_80.cubin.
/* Two floats as halves: to the nearest, towards zero, and nothing below zero. */
extern "C" __global__ void pack(const float *in, unsigned *out)
{
    float a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
    unsigned *to = out + 6 * threadIdx.x;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(to[0]) : "f"(a), "f"(b));
    asm("cvt.rz.f16x2.f32 %0, %1, %2;" : "=r"(to[1]) : "f"(a), "f"(b));
    asm("cvt.rn.relu.f16x2.f32 %0, %1, %2;" : "=r"(to[2]) : "f"(a), "f"(b));
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(to[3]) : "f"(a), "f"(b));
    asm("cvt.rz.bf16x2.f32 %0, %1, %2;" : "=r"(to[4]) : "f"(a), "f"(b));
    asm("cvt.rz.relu.bf16x2.f32 %0, %1, %2;" : "=r"(to[5]) : "f"(a), "f"(b));
}
