/* Bit operations: counts, reversal, funnel shifts, byte permutation, fields, three-input logic, wide
 * carries. */
extern "C" __global__ void bit_ops(const unsigned *a, const unsigned *b, unsigned *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned x = a[i], y = b[i], f;
    out[i] = __popc(x) + 100u * __clz((int)y) + 10000u * __ffs((int)x);
    out[n + i] = __brev(x);
    out[2 * n + i] = __funnelshift_l(x, y, y);
    out[3 * n + i] = __funnelshift_rc(x, y, y & 63);
    out[4 * n + i] = __byte_perm(x, y, y & 0x7777);
    asm("bfe.s32 %0, %1, %2, %3;" : "=r"(f) : "r"(x), "r"(y & 31), "r"(y >> 8 & 31));
    out[5 * n + i] = f;
    asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(f) : "r"(x), "r"(y), "r"(x & 31), "r"(y >> 8 & 31));
    out[6 * n + i] = f;
    out[7 * n + i] = (x & y) | (~x & 0x0f0f0f0fu) | (y ^ x >> 3);
    out[8 * n + i] =
        (unsigned)__popcll((unsigned long long)x << 32 | y) + (unsigned)__clzll((long long)x * y);
    out[9 * n + i] = __mulhi((int)x, (int)y) + __umulhi(x, y) + __umul24(x, y);
    out[10 * n + i] = __vadd4(x, y) ^ __vmaxu2(x, y);
    out[11 * n + i] = __sad((int)x, (int)y, 3u) + __hadd((int)x, (int)y);
}

/* 256-bit sums with carry chains: 8 words per number. */
extern "C" __global__ void add256(const unsigned *a, const unsigned *b, unsigned *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const unsigned *x = a + 8 * i, *y = b + 8 * i;
    unsigned r[8];
    asm("add.cc.u32 %0, %8, %16;\n addc.cc.u32 %1, %9, %17;\n addc.cc.u32 %2, %10, %18;\n addc.cc.u32 %3, "
        "%11, %19;\n"
        "addc.cc.u32 %4, %12, %20;\n addc.cc.u32 %5, %13, %21;\n addc.cc.u32 %6, %14, %22;\n addc.u32 %7, "
        "%15, %23;"
        : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7])
        : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(x[4]), "r"(x[5]), "r"(x[6]), "r"(x[7]), "r"(y[0]),
          "r"(y[1]), "r"(y[2]), "r"(y[3]), "r"(y[4]), "r"(y[5]), "r"(y[6]), "r"(y[7]));
    for (int w = 0; w < 8; w++)
        out[8 * i + w] = r[w];
}
// SPDX-License-Identifier: Apache-2.0
