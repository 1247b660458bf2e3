/* Instructions of different units beside each other, as softmax and its like have them: a pattern of operations goes round 4 or 8 or 16 independent
 * values, 128 operations a turn, by warps of each partition of one SM. F: FFMA, A: FADD, M: FMNMX, L: LOP3, I: IMAD, E: MUFU.EX2, C: F2FP of
 * two values, S: SHFL, P: a shared load, G: FSETP and FSEL. Units are turns. Usage: mix [GROUP [ROW]] */
#include "rows.h"

template <char OP> static __device__ __forceinline__ void apply(float &x, float b, float c, unsigned shared)
{
    unsigned &u = reinterpret_cast<unsigned &>(x);
    if (OP == 'F')
        asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(b), "f"(c));
    if (OP == 'A')
        asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(b));
    if (OP == 'M')
        asm volatile("max.f32 %0, %0, %1;" : "+f"(x) : "f"(b));
    if (OP == 'L')
        asm volatile("lop3.b32 %0, %0, %1, %2, 0x96;" : "+r"(u) : "r"(__float_as_uint(b)), "r"(__float_as_uint(c)));
    if (OP == 'I')
        asm volatile("mad.lo.u32 %0, %0, %1, %2;" : "+r"(u) : "r"(__float_as_uint(b)), "r"(__float_as_uint(c)));
    if (OP == 'E')
        asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
    if (OP == 'C')
        asm volatile("cvt.rn.f16x2.f32 %0, %1, %2;" : "+r"(u) : "f"(x), "f"(b));
    if (OP == 'S')
        asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 31, -1;" : "+r"(u));
    if (OP == 'P')
        asm volatile("ld.shared.u32 %0, [%1];" : "=r"(u) : "r"(shared));
    if (OP == 'G')
        asm volatile("{\n.reg .pred p;\nsetp.gt.f32 p, %0, %1;\nselp.f32 %0, %0, %2, p;\n}" : "+f"(x) : "f"(b), "f"(c));
}

template <int VALUES, char... OPS> __global__ void mixed(float b, float c, int n, ull *took, unsigned *out)
{
    __shared__ float room[1024];
    constexpr int many = sizeof...(OPS), turn = 128 / many * many;
    float x[VALUES];
    unsigned at = (unsigned)__cvta_generic_to_shared(room) + threadIdx.x * 4;
    for (int i = 0; i < VALUES; i++)
        x[i] = b + i;
    BEGIN_CLOCK
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        int k = 0;
#pragma unroll
        for (int r = 0; r < turn / many; r++)
            (apply<OPS>(x[k++ % VALUES], b, c, at), ...);
    }
    END_CLOCK
    float sum = 0;
    for (int i = 0; i < VALUES; i++)
        sum += x[i];
    if (sum == 12345.0f)
        *out = 1;
}

template <int VALUES, char... OPS> static void rows_of()
{
    const char pattern[] = {OPS..., 0};
    char name[64];
    for (int warps : {1, 2, 3, 4, 8}) {
        snprintf(name, sizeof name, "%s values %d warps %d", pattern, VALUES, warps);
        row("mix", name, 1, 32, [&](int n) { mixed<VALUES, OPS...><<<1, 128 * warps>>>(1.0f, 0.5f, n, took_by, sink); });
    }
}

template <char... OPS> static void both()
{
    rows_of<4, OPS...>();
    rows_of<8, OPS...>();
    rows_of<16, OPS...>();
}

int main(int argc, char **argv)
{
    rows_begin(argc, argv);
    both<'F'>();
    both<'A'>();
    both<'M'>();
    both<'L'>();
    both<'I'>();
    both<'E'>();
    both<'C'>();
    both<'S'>();
    both<'P'>();
    both<'G'>();
    both<'F', 'A'>();
    both<'F', 'M'>();
    both<'F', 'L'>();
    both<'F', 'I'>();
    both<'F', 'C'>();
    both<'M', 'L'>();
    both<'M', 'C'>();
    both<'M', 'E'>();
    both<'L', 'C'>();
    both<'F', 'E'>();
    both<'F', 'F', 'F', 'E'>();
    both<'F', 'F', 'F', 'F', 'F', 'F', 'F', 'E'>();
    both<'E', 'C'>();
    both<'F', 'E', 'F', 'E', 'C'>();
    both<'F', 'E', 'A', 'M'>();
    both<'F', 'P'>();
    both<'F', 'F', 'F', 'P'>();
    both<'F', 'S'>();
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
