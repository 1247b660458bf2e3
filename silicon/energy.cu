/* Kernels that separate where a GPU's energy goes: one kind of work each, with values that toggle and with values that do not. On a
 * GPU each runs for a second and a half under NVML's energy counter, and a line of CSV says what it took. Without NVML (Bankshot's
 * own runtime) each is launched twice, the second time for `more` turns more: what the counters of the second launch have over those
 * of the first, over `more`, is what the model prices for a turn.
 *   nvcc -O3 -gencode arch=compute_90a,code=sm_90a energy.cu -o energy; ./energy OUT.csv [SECONDS [NAME...]]
 * Without NVML OUT.csv says which launches were made, for tools/energy-counters.
 * Columns: name, data, fit (1: coefficients come from it; 0: it checks that they add up), SMs, CTAs of an SM, threads, lanes, turns,
 * and those of meter.h. */
#include "meter.h"

#include <cuda_fp16.h>
#include <stdint.h>
#include <unistd.h>

enum { CHAINS = 8, THREADS = 256, SHARED_WORDS = 8192, TEXELS = 64 };

/* What every kernel gets. Of `in` the first words are the chains' first values, a row of THREADS for each, then eight rows of
 * operands; `mask` is that of a byte's place in `big`, of which a launch starts at `base`. */
struct args {
    const uint32_t *in;
    uint32_t *out;
    char *big;
    size_t mask, base;
    uint32_t n, lanes;
    cudaTextureObject_t point, linear; /* `big` as TEXELS x TEXELS numbers */
};
typedef void kernel(struct args);

#define R4(x) x x x x
#define R16(x) R4(R4(x))
#define R64(x) R4(R16(x))
#define R256(x) R4(R64(x))

/* ---- arithmetic: eight chains, operands %1 %2 in one round and %3 %4 in the next, which takes the value back ---- */

#define ROUND(op, C)                                                                                         \
    _Pragma("unroll") for (int j = 0; j < CHAINS; j++)                                                       \
        asm volatile(op : "+" C(x[j]) : C(p[0]), C(p[1]), C(p[2]), C(p[3]))
#define KIND(name, T, C, even, odd)                                                                          \
    __global__ void __launch_bounds__(THREADS, 4) name(struct args a)                                        \
    {                                                                                                        \
        if ((threadIdx.x & 31) >= a.lanes)                                                                   \
            return;                                                                                          \
        T x[CHAINS], p[4];                                                                                   \
        const T *in = (const T *)a.in + threadIdx.x;                                                         \
        for (int j = 0; j < CHAINS; j++)                                                                     \
            x[j] = in[j * THREADS];                                                                          \
        for (int j = 0; j < 4; j++)                                                                          \
            p[j] = in[(CHAINS + j) * THREADS];                                                               \
        _Pragma("unroll 1") for (uint32_t i = 0; i < a.n; i++)                                               \
        {                                                                                                    \
            _Pragma("unroll") for (int k = 0; k < 4; k++)                                                    \
            {                                                                                                \
                ROUND(even, C);                                                                              \
                ROUND(odd, C);                                                                               \
            }                                                                                                \
        }                                                                                                    \
        T sum = x[0];                                                                                        \
        for (int j = 1; j < CHAINS; j++)                                                                     \
            sum += x[j];                                                                                     \
        if (sum == (T)12345.678)                                                                             \
            ((T *)a.out)[threadIdx.x] = sum;                                                                 \
    }

KIND(ffma, float, "f", "fma.rn.f32 %0, %0, %1, %2;", "fma.rn.f32 %0, %0, %3, %4;")
KIND(fmul, float, "f", "mul.rn.f32 %0, %0, %1;", "mul.rn.f32 %0, %0, %3;")
KIND(fadd, float, "f", "add.rn.f32 %0, %0, %2;", "sub.rn.f32 %0, %0, %2;")
KIND(fmin_, float, "f", "min.f32 %0, %0, %2;", "max.f32 %0, %0, %1;")
KIND(iadd, uint32_t, "r", "add.u32 %0, %0, %1;", "xor.b32 %0, %0, %2;")
KIND(rot, uint32_t, "r", "shf.l.wrap.b32 %0, %0, %0, 7;", "shf.r.wrap.b32 %0, %0, %0, 12;")
KIND(lop3, uint32_t, "r", "lop3.b32 %0, %0, %1, %2, 0x96;", "lop3.b32 %0, %0, %3, %4, 0x96;")
KIND(shf, uint32_t, "r", "shf.l.wrap.b32 %0, %0, %1, 7;", "shf.r.wrap.b32 %0, %2, %0, 9;")
KIND(prmt, uint32_t, "r", "prmt.b32 %0, %0, %1, 0x0634;", "prmt.b32 %0, %0, %2, 0x5170;")
KIND(imad, uint32_t, "r", "mad.lo.u32 %0, %0, %1, %2;", "mad.lo.u32 %0, %0, %3, %4;")
KIND(imadhi, uint32_t, "r", "mad.hi.u32 %0, %0, %1, %2;", "mad.hi.u32 %0, %0, %3, %4;")
KIND(imadwide, unsigned long long, "l", "{ .reg .u32 lo, hi; mov.b64 {lo, hi}, %0; mad.wide.u32 %0, lo, hi, %1; }",
     "{ .reg .u32 lo, hi; mov.b64 {lo, hi}, %0; mad.wide.u32 %0, lo, hi, %2; }")
KIND(dp4a, uint32_t, "r", "dp4a.u32.u32 %0, %0, %1, %2;", "dp4a.u32.u32 %0, %0, %3, %4;")
KIND(sel, uint32_t, "r", "{ .reg .pred p; setp.lt.u32 p, %0, %1; selp.u32 %0, %2, %3, p; }",
     "{ .reg .pred p; setp.lt.u32 p, %0, %2; selp.u32 %0, %4, %1, p; }")
KIND(popc, uint32_t, "r", "popc.b32 %0, %0;", "brev.b32 %0, %0;")
KIND(i2f, uint32_t, "r", "{ .reg .f32 f; cvt.rn.f32.s32 f, %0; mov.b32 %0, f; }", "{ .reg .f32 f; cvt.rn.f32.u32 f, %0; mov.b32 %0, f; }")
KIND(f2i, uint32_t, "r", "{ .reg .f32 f; mov.b32 f, %0; cvt.rzi.s32.f32 %0, f; }", "{ .reg .f32 f; cvt.rn.f32.s32 f, %0; mov.b32 %0, f; }")
KIND(f2h, uint32_t, "r", "{ .reg .f32 f; mov.b32 f, %0; cvt.rn.f16x2.f32 %0, f, f; }", "{ .reg .f32 f; mov.b32 f, %0; cvt.rn.bf16x2.f32 %0, f, f; }")
KIND(ex2, float, "f", "ex2.approx.ftz.f32 %0, %0;", "lg2.approx.ftz.f32 %0, %0;")
KIND(rsq, float, "f", "rsqrt.approx.ftz.f32 %0, %0;", "mul.rn.f32 %0, %0, %0;")
KIND(dfma, double, "d", "fma.rn.f64 %0, %0, %1, %2;", "fma.rn.f64 %0, %0, %3, %4;")
KIND(dadd, double, "d", "add.rn.f64 %0, %0, %2;", "sub.rn.f64 %0, %0, %2;")
KIND(dmul, double, "d", "mul.rn.f64 %0, %0, %1;", "mul.rn.f64 %0, %0, %3;")
KIND(hfma2, uint32_t, "r", "fma.rn.f16x2 %0, %0, %1, %2;", "fma.rn.f16x2 %0, %0, %3, %4;")
KIND(hadd2, uint32_t, "r", "add.rn.f16x2 %0, %0, %2;", "sub.rn.f16x2 %0, %0, %2;")
KIND(shfl, uint32_t, "r", "shfl.sync.bfly.b32 %0, %0, 1, 0x1f, 0xffffffff;", "shfl.sync.bfly.b32 %0, %0, 13, 0x1f, 0xffffffff;")
KIND(vote, uint32_t, "r", "{ .reg .pred p; setp.lt.u32 p, %0, %1; vote.sync.ballot.b32 %0, p, 0xffffffff; }",
     "{ .reg .pred p; setp.lt.u32 p, %0, %2; vote.sync.ballot.b32 %0, p, 0xffffffff; }")
KIND(redux, uint32_t, "r", "redux.sync.add.u32 %0, %0, 0xffffffff;", "redux.sync.xor.b32 %0, %0, 0xffffffff;")
KIND(match, uint32_t, "r", "match.any.sync.b32 %0, %0, 0xffffffff;", "xor.b32 %0, %0, %1;")
/* Two kinds in turn: do their energies add up? */
KIND(mix_ffma_lop, uint32_t, "r", "{ .reg .f32 f, b, c; mov.b32 f, %0; mov.b32 b, %1; mov.b32 c, %2; fma.rn.f32 f, f, b, c; mov.b32 %0, f; }",
     "lop3.b32 %0, %0, %3, %4, 0x96;")
KIND(mix_imad_ex2, uint32_t, "r", "mad.lo.u32 %0, %0, %1, %2;",
     "{ .reg .f32 f; mov.b32 f, %0; ex2.approx.ftz.f32 f, f; mov.b32 %0, f; }")

/* Every operand is another register in every instruction: nothing to reuse. */
#define FAR(op) asm volatile(op : "+f"(x[j]) : "f"(b[j]), "f"(c[j]))
__global__ void __launch_bounds__(THREADS, 4) ffma3(struct args a)
{
    if ((threadIdx.x & 31) >= a.lanes)
        return;
    float x[CHAINS], b[CHAINS], c[CHAINS];
    const float *in = (const float *)a.in + threadIdx.x;
    for (int j = 0; j < CHAINS; j++) {
        x[j] = in[j * THREADS];
        b[j] = in[(CHAINS + 2 * (j & 1)) * THREADS];
        c[j] = in[(CHAINS + 1) * THREADS] * 0.0f + in[(CHAINS + 1 + 2 * (j & 1)) * THREADS];
    }
#pragma unroll 1
    for (uint32_t i = 0; i < a.n; i++) {
#pragma unroll
        for (int k = 0; k < 8; k++) {
#pragma unroll
            for (int j = 0; j < CHAINS; j++)
                asm volatile("fma.rn.f32 %0, %1, %2, %3;" : "=f"(x[j]) : "f"(x[(j + 1) % CHAINS]), "f"(b[j]), "f"(c[(j + 3) % CHAINS]));
        }
    }
    float sum = 0;
    for (int j = 0; j < CHAINS; j++)
        sum += x[j];
    if (sum == 12345.678f)
        a.out[threadIdx.x] = 1;
}

/* Guards that are false: fetch, decode and issue, and nothing else. */
__global__ void __launch_bounds__(THREADS, 4) guarded(struct args a)
{
    float x = __uint_as_float(a.in[threadIdx.x]), b = __uint_as_float(a.in[THREADS + threadIdx.x]);
#pragma unroll 1
    for (uint32_t i = 0; i < a.n; i++)
        asm volatile("{ .reg .pred p; setp.eq.u32 p, %2, 77;\n" R64("@p fma.rn.f32 %0, %0, %1, %0;\n") "}" : "+f"(x) : "f"(b), "r"(a.lanes));
    if (x == 12345.678f)
        a.out[threadIdx.x] = 1;
}

/* A branch in every second instruction. */
__global__ void __launch_bounds__(THREADS, 4) branches(struct args a)
{
    uint32_t n = a.n * 32;
    asm volatile("{ .reg .pred p; AGAIN: sub.u32 %0, %0, 1; setp.ne.u32 p, %0, 0; @p bra AGAIN; }" : "+r"(n));
    if (n == 12345)
        a.out[threadIdx.x] = 1;
}

/* Straight code of 64 and of 256 KB. */
__global__ void __launch_bounds__(THREADS, 4) code64(struct args a)
{
    const float *in = (const float *)a.in + threadIdx.x;
    float x = in[0], b = in[CHAINS * THREADS], c = in[(CHAINS + 1) * THREADS], d = in[(CHAINS + 2) * THREADS], e = in[(CHAINS + 3) * THREADS];
#pragma unroll 1
    for (uint32_t i = 0; i < a.n; i++) {
        asm volatile(R256("fma.rn.f32 %0, %0, %1, %2; fma.rn.f32 %0, %0, %3, %4;\n") : "+f"(x) : "f"(b), "f"(c), "f"(d), "f"(e));
        asm volatile(R256("fma.rn.f32 %0, %0, %1, %2; fma.rn.f32 %0, %0, %3, %4;\n") : "+f"(x) : "f"(b), "f"(c), "f"(d), "f"(e));
        asm volatile(R256("fma.rn.f32 %0, %0, %1, %2; fma.rn.f32 %0, %0, %3, %4;\n") : "+f"(x) : "f"(b), "f"(c), "f"(d), "f"(e));
        asm volatile(R256("fma.rn.f32 %0, %0, %1, %2; fma.rn.f32 %0, %0, %3, %4;\n") : "+f"(x) : "f"(b), "f"(c), "f"(d), "f"(e));
        asm volatile(R256("fma.rn.f32 %0, %0, %1, %2; fma.rn.f32 %0, %0, %3, %4;\n") : "+f"(x) : "f"(b), "f"(c), "f"(d), "f"(e));
        asm volatile(R256("fma.rn.f32 %0, %0, %1, %2; fma.rn.f32 %0, %0, %3, %4;\n") : "+f"(x) : "f"(b), "f"(c), "f"(d), "f"(e));
        asm volatile(R256("fma.rn.f32 %0, %0, %1, %2; fma.rn.f32 %0, %0, %3, %4;\n") : "+f"(x) : "f"(b), "f"(c), "f"(d), "f"(e));
        asm volatile(R256("fma.rn.f32 %0, %0, %1, %2; fma.rn.f32 %0, %0, %3, %4;\n") : "+f"(x) : "f"(b), "f"(c), "f"(d), "f"(e));
    }
    if (x == 12345.678f)
        a.out[threadIdx.x] = 1;
}

/* The same value for all lanes, as an assembler puts on the uniform datapath. */
__global__ void __launch_bounds__(THREADS, 4) uniform(struct args a)
{
    uint32_t x = a.lanes, y = (uint32_t)a.mask;
#pragma unroll 1
    for (uint32_t i = 0; i < a.n; i++) {
#pragma unroll
        for (int k = 0; k < 16; k++) {
            x = (x ^ y) + 0x9e3779b9u;
            y = (y << 5) + x;
        }
    }
    if (x + y == 12345)
        a.out[threadIdx.x] = 1;
}

/* Warps that sleep. */
__global__ void sleeping(struct args a)
{
    for (uint32_t i = 0; i < a.n; i++)
        asm volatile("nanosleep.u32 1000000;");
}

__global__ void __launch_bounds__(THREADS, 4) barriers(struct args a)
{
#pragma unroll 1
    for (uint32_t i = 0; i < a.n; i++)
        asm volatile(R16("bar.sync 0;\n"));
}

/* ---- tensor cores: fragments in registers; signs in turn, so that sums stay small ---- */

#define MMA(name, shape, D, C, regs_a, regs_b, ND)                                                           \
    __global__ void __launch_bounds__(THREADS, 2) name(struct args a)                                        \
    {                                                                                                        \
        uint32_t f[2][4], g[2];                                                                              \
        D c[4][ND];                                                                                          \
        for (int j = 0; j < 4; j++) {                                                                        \
            f[0][j] = a.in[j * THREADS + threadIdx.x];                                                       \
            f[1][j] = a.in[(CHAINS + j) * THREADS + threadIdx.x];                                            \
            for (int k = 0; k < ND; k++)                                                                     \
                c[j][k] = 0;                                                                                 \
        }                                                                                                    \
        g[0] = a.in[4 * THREADS + threadIdx.x], g[1] = a.in[5 * THREADS + threadIdx.x];                      \
        _Pragma("unroll 1") for (uint32_t i = 0; i < a.n; i++)                                               \
        {                                                                                                    \
            _Pragma("unroll") for (int k = 0; k < 4; k++)                                                    \
                _Pragma("unroll") for (int j = 0; j < 4; j++) { MMA_##ND(shape, c[j], f[k & 1], g, C, regs_a, regs_b); } \
        }                                                                                                    \
        D sum = 0;                                                                                           \
        for (int j = 0; j < 4; j++)                                                                          \
            for (int k = 0; k < ND; k++)                                                                     \
                sum += c[j][k];                                                                              \
        if (sum == (D)12345)                                                                                 \
            a.out[threadIdx.x] = 1;                                                                          \
    }
#define MMA_4(shape, c, f, g, C, regs_a, regs_b)                                                             \
    asm volatile("mma.sync.aligned." shape " {%0,%1,%2,%3}, " regs_a ", " regs_b ", {%0,%1,%2,%3};"          \
                 : "+" C((c)[0]), "+" C((c)[1]), "+" C((c)[2]), "+" C((c)[3])                                \
                 : "r"((f)[0]), "r"((f)[1]), "r"((f)[2]), "r"((f)[3]), "r"((g)[0]), "r"((g)[1]))
#define MMA_2(shape, c, f, g, C, regs_a, regs_b)                                                             \
    asm volatile("mma.sync.aligned." shape " {%0,%1}, " regs_a ", " regs_b ", {%0,%1};"                      \
                 : "+" C((c)[0]), "+" C((c)[1])                                                              \
                 : "r"((f)[0]), "r"((f)[1]), "r"((f)[2]), "r"((f)[3]), "r"((g)[0]), "r"((g)[1]))
MMA(mma_f16, "m16n8k16.row.col.f32.f16.f16.f32", float, "f", "{%4,%5,%6,%7}", "{%8,%9}", 4)
MMA(mma_f16_k8, "m16n8k8.row.col.f32.f16.f16.f32", float, "f", "{%4,%5}", "{%8}", 4)
MMA(mma_f16_f16, "m16n8k16.row.col.f16.f16.f16.f16", uint32_t, "r", "{%2,%3,%4,%5}", "{%6,%7}", 2)
MMA(mma_bf16, "m16n8k16.row.col.f32.bf16.bf16.f32", float, "f", "{%4,%5,%6,%7}", "{%8,%9}", 4)
MMA(mma_tf32, "m16n8k8.row.col.f32.tf32.tf32.f32", float, "f", "{%4,%5,%6,%7}", "{%8,%9}", 4)
MMA(mma_s8, "m16n8k32.row.col.s32.s8.s8.s32", int, "r", "{%4,%5,%6,%7}", "{%8,%9}", 4)

__global__ void __launch_bounds__(THREADS, 4) mma_f64(struct args a)
{
    const double *in = (const double *)a.in + threadIdx.x;
    double c[4][2] = {}, f[2] = {in[0], -in[0]}, g = in[THREADS];
#pragma unroll 1
    for (uint32_t i = 0; i < a.n; i++) {
#pragma unroll
        for (int k = 0; k < 4; k++)
#pragma unroll
            for (int j = 0; j < 4; j++)
                asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                             : "+d"(c[j][0]), "+d"(c[j][1])
                             : "d"(f[k & 1]), "d"(g));
    }
    if (c[0][0] + c[1][0] + c[2][0] + c[3][1] == 12345.0)
        a.out[threadIdx.x] = 1;
}

#if !defined __CUDA_ARCH__ || defined __CUDA_ARCH_FEAT_SM90_ALL
#define REGS_8 "{d0, d1, d2, d3}"
#define REGS_16 "{d0, d1, d2, d3, d4, d5, d6, d7}"
#define REGS_32 "{d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15}"
#define REGS_64                                                                                              \
    "{d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, "                                \
    "d16, d17, d18, d19, d20, d21, d22, d23, d24, d25, d26, d27, d28, d29, d30, d31}"
#define REGS_128                                                                                             \
    "{d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, "                                \
    "d16, d17, d18, d19, d20, d21, d22, d23, d24, d25, d26, d27, d28, d29, d30, d31, "                       \
    "d32, d33, d34, d35, d36, d37, d38, d39, d40, d41, d42, d43, d44, d45, d46, d47, "                       \
    "d48, d49, d50, d51, d52, d53, d54, d55, d56, d57, d58, d59, d60, d61, d62, d63}"
#define REGS_256                                                                                             \
    "{d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, "                                \
    "d16, d17, d18, d19, d20, d21, d22, d23, d24, d25, d26, d27, d28, d29, d30, d31, "                       \
    "d32, d33, d34, d35, d36, d37, d38, d39, d40, d41, d42, d43, d44, d45, d46, d47, "                       \
    "d48, d49, d50, d51, d52, d53, d54, d55, d56, d57, d58, d59, d60, d61, d62, d63, "                       \
    "d64, d65, d66, d67, d68, d69, d70, d71, d72, d73, d74, d75, d76, d77, d78, d79, "                       \
    "d80, d81, d82, d83, d84, d85, d86, d87, d88, d89, d90, d91, d92, d93, d94, d95, "                       \
    "d96, d97, d98, d99, d100, d101, d102, d103, d104, d105, d106, d107, d108, d109, d110, d111, "           \
    "d112, d113, d114, d115, d116, d117, d118, d119, d120, d121, d122, d123, d124, d125, d126, d127}"
#endif

/* Swizzle of 128 bytes, rows of 128 bytes, groups of eight rows 1,024 bytes apart. */
static __device__ uint64_t desc(uint32_t at) { return (uint64_t)(at >> 4 & 0x3fff) | 1ull << 16 | 64ull << 32 | 1ull << 62; }

/* Eight products of a warp group in a row, then a wait. A (four of k = 16 side by side in rows of 128 bytes) and B come from shared
 * memory, or A from registers. */
#define PRODUCT(name, shape, N, ops)                                                                         \
    __global__ void __launch_bounds__(THREADS) name(struct args a)                                           \
    {                                                                                                        \
        extern __shared__ __align__(1024) uint32_t mem[];                                                    \
        for (uint32_t i = threadIdx.x; i < 4 * SHARED_WORDS; i += THREADS)                                   \
            mem[i] = a.in[i % (16 * THREADS)];                                                               \
        asm volatile("fence.proxy.async;");                                                                  \
        uint32_t at = (uint32_t)__cvta_generic_to_shared(mem);                                               \
        uint64_t d = desc(at + threadIdx.x / 128 * 8192), e = desc(at + 32768);                              \
        uint32_t f = a.in[threadIdx.x];                                                                      \
        __syncthreads();                                                                                     \
        asm volatile("{\n.reg .f32 d<" #N ">;\n.reg .pred p, q;\n.reg .b32 t;\n"                             \
                     "mov.b32 t, 0;\n"                                                                        \
                     "TURN:\nsetp.ne.b32 p, t, 0;\nwgmma.fence.sync.aligned;\n" R4(R4("wgmma.mma_async.sync.aligned." shape " " REGS_##N ops)) \
                     "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n"                  \
                     "add.u32 t, t, 1;\nsetp.lt.u32 q, t, %3;\n@q bra TURN;\n@q st.global.f32 [%4], d0;\n}" ::"l"(d), \
                     "l"(e), "r"(f), "r"(a.n), "l"(a.out)                                                    \
                     : "memory");                                                                            \
    }
PRODUCT(wgmma_n256, "m64n256k16.f32.f16.f16", 256, ", %0, %1, p, 1, 1, 0, 0;\n")
PRODUCT(wgmma_n64, "m64n64k16.f32.f16.f16", 64, ", %0, %1, p, 1, 1, 0, 0;\n")
/* Narrow products, which wait for the 64 rows of A. */
PRODUCT(wgmma_n8, "m64n8k16.f32.f16.f16", 8, ", %0, %1, p, 1, 1, 0, 0;\n")
PRODUCT(wgmma_n16, "m64n16k16.f32.f16.f16", 16, ", %0, %1, p, 1, 1, 0, 0;\n")
PRODUCT(wgmma_n32, "m64n32k16.f32.f16.f16", 32, ", %0, %1, p, 1, 1, 0, 0;\n")
PRODUCT(wgmma_n128, "m64n128k16.f32.f16.f16", 128, ", %0, %1, p, 1, 1, 0, 0;\n")
PRODUCT(wgmma_bf16, "m64n256k16.f32.bf16.bf16", 256, ", %0, %1, p, 1, 1, 0, 0;\n")
PRODUCT(wgmma_regs, "m64n256k16.f32.f16.f16", 256, ", {%2, %2, %2, %2}, %1, p, 1, 1, 0;\n")
PRODUCT(wgmma_tf32, "m64n256k8.f32.tf32.tf32", 256, ", %0, %1, p, 1, 1;\n")
PRODUCT(wgmma_e4m3, "m64n256k32.f32.e4m3.e4m3", 256, ", %0, %1, p, 1, 1;\n")

/* ---- shared memory ---- */

static __device__ uint32_t fill_shared(uint32_t *mem, const uint32_t *in)
{
    for (uint32_t i = threadIdx.x; i < SHARED_WORDS; i += THREADS)
        mem[i] = in[i % (16 * THREADS)];
    __syncthreads();
    return (uint32_t)__cvta_generic_to_shared(mem);
}

/* Sixteen loads a turn; lane l of a warp has the word l * STRIDE, so STRIDE is the ways of the conflict; 0: all lanes have one. An
 * assembler drops loads that nobody uses, volatile ones apart. */
#define LDS(name, STRIDE, W, op, regs, use)                                                                  \
    __global__ void __launch_bounds__(THREADS, 4) name(struct args a)                                        \
    {                                                                                                        \
        __shared__ __align__(16) uint32_t mem[SHARED_WORDS];                                                 \
        if ((threadIdx.x & 31) >= a.lanes)                                                                   \
            return;                                                                                          \
        uint32_t at = fill_shared(mem, a.in) + (threadIdx.x & 31) * STRIDE * 4 * W + (threadIdx.x >> 5 & 3) * 128 * W, x = 0; \
        _Pragma("unroll 1") for (uint32_t i = 0; i < a.n; i++)                                               \
        {                                                                                                    \
            _Pragma("unroll") for (int k = 0; k < 16; k++)                                                   \
                asm volatile("{ .reg .b32 r0, r1, r2, r3;\n" op " " regs ", [%1];\n" use "}"                 \
                             : "+r"(x)                                                                       \
                             : "r"(at + 512 * W * k % (STRIDE > 1 ? 2048 : 16384))                           \
                             : "memory");                                                                    \
        }                                                                                                    \
        if (x == 12345)                                                                                      \
            a.out[threadIdx.x] = x;                                                                          \
    }
#define USE1 "xor.b32 %0, %0, r0;"
#define USE4 "lop3.b32 %0, %0, r0, r1, 0x96; lop3.b32 %0, %0, r2, r3, 0x96;"
LDS(lds, 1, 1, "ld.volatile.shared.u32", "r0", "")
LDS(lds64, 1, 2, "ld.volatile.shared.v2.u32", "{r0, r1}", "")
LDS(lds128, 1, 4, "ld.volatile.shared.v4.u32", "{r0, r1, r2, r3}", "")
LDS(lds_one, 0, 1, "ld.volatile.shared.u32", "r0", "")
LDS(lds_2way, 2, 1, "ld.volatile.shared.u32", "r0", "")
LDS(lds_8way, 8, 1, "ld.volatile.shared.u32", "r0", "")
LDS(lds_32way, 32, 1, "ld.volatile.shared.u32", "r0", "")
LDS(ldsm, 4, 1, "ldmatrix.sync.aligned.m8n8.x4.shared.b16", "{r0, r1, r2, r3}", USE4)

__global__ void __launch_bounds__(THREADS, 4) sts(struct args a)
{
    __shared__ uint32_t mem[SHARED_WORDS];
    uint32_t at = fill_shared(mem, a.in) + threadIdx.x * 4, x[4];
    for (int k = 0; k < 4; k++)
        x[k] = a.in[k * THREADS + threadIdx.x];
#pragma unroll 1
    for (uint32_t i = 0; i < a.n; i++) {
#pragma unroll
        for (int k = 0; k < 16; k++)
            asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(at + 1024 * (k & 7)), "r"(x[k & 3]) : "memory");
    }
}

__global__ void __launch_bounds__(THREADS, 4) atoms(struct args a)
{
    __shared__ uint32_t mem[SHARED_WORDS];
    uint32_t at = fill_shared(mem, a.in) + threadIdx.x * 4, x = a.in[threadIdx.x];
#pragma unroll 1
    for (uint32_t i = 0; i < a.n; i++) {
#pragma unroll
        for (int k = 0; k < 16; k++)
            asm volatile("{ .reg .u32 t; atom.shared.add.u32 t, [%0], %1; }" ::"r"(at + 1024 * (k & 7)), "r"(x) : "memory");
    }
}

__global__ void __launch_bounds__(THREADS, 4) sts128(struct args a)
{
    __shared__ __align__(16) uint32_t mem[SHARED_WORDS];
    uint32_t at = fill_shared(mem, a.in) + threadIdx.x * 16, x[4];
    for (int k = 0; k < 4; k++)
        x[k] = a.in[k * THREADS + threadIdx.x];
#pragma unroll 1
    for (uint32_t i = 0; i < a.n; i++) {
#pragma unroll
        for (int k = 0; k < 16; k++)
            asm volatile("st.volatile.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(at + 4096 * (k & 7)), "r"(x[k & 3]), "r"(x[k + 1 & 3]),
                         "r"(x[k + 2 & 3]), "r"(x[k + 3 & 3])
                         : "memory");
    }
}

/* Another CTA's shared memory. */
__global__ void __cluster_dims__(2) __launch_bounds__(THREADS, 4) far_lds(struct args a)
{
    __shared__ uint32_t mem[SHARED_WORDS];
    uint32_t at = fill_shared(mem, a.in) + threadIdx.x * 4, there;
    asm volatile("{ .reg .u32 r; mov.u32 r, %%cluster_ctarank; xor.b32 r, r, 1; mapa.shared::cluster.u32 %0, %1, r; }" : "=r"(there) : "r"(at));
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
    uint32_t x = 0;
#pragma unroll 1
    for (uint32_t i = 0; i < a.n; i++) {
#pragma unroll
        for (int k = 0; k < 8; k++)
            asm volatile("{ .reg .b32 r0; ld.shared::cluster.u32 r0, [%1];\n" USE1 "}" : "+r"(x) : "r"(there + 1024 * k) : "memory");
    }
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
    if (x == 12345)
        a.out[threadIdx.x] = x;
}

/* ---- L1, constants ---- */

#define LDG(name, B, STEP, op, regs, use)                                                                    \
    __global__ void __launch_bounds__(THREADS, 4) name(struct args a)                                        \
    {                                                                                                        \
        const char *at = (const char *)a.in + threadIdx.x * B;                                               \
        uint32_t x = 0;                                                                                      \
        _Pragma("unroll 1") for (uint32_t i = 0; i < a.n; i++)                                               \
        {                                                                                                    \
            _Pragma("unroll") for (int k = 0; k < 8; k++)                                                    \
                asm volatile("{ .reg .b32 r0, r1, r2, r3;\n" op " " regs ", [%1];\n" use "}"                 \
                             : "+r"(x)                                                                       \
                             : "l"(at + STEP * k)                                                            \
                             : "memory");                                                                    \
        }                                                                                                    \
        if (x == 12345)                                                                                      \
            a.out[threadIdx.x] = x;                                                                          \
    }
LDG(l1, 4, 1024, "ld.global.u32", "r0", USE1)
LDG(l1_128, 16, 4096, "ld.global.v4.u32", "{r0, r1, r2, r3}", USE4)
LDG(l1_lines, 128, 4, "ld.global.u32", "r0", USE1)
LDG(l1_one, 0, 128, "ld.global.u32", "r0", USE1)

/* Loads that hit: 32 KB, elsewhere in every turn, so that no assembler takes them out of the loop. Lanes are B bytes apart. */
#define HIT(name, B, op, regs, use)                                                                          \
    __global__ void __launch_bounds__(THREADS, 4) name(struct args a)                                        \
    {                                                                                                        \
        uint32_t lane = (threadIdx.x & 31) * B + (threadIdx.x >> 5) * 512, x = 0;                            \
        _Pragma("unroll 1") for (uint32_t i = 0; i < a.n; i++)                                               \
        {                                                                                                    \
            _Pragma("unroll") for (int k = 0; k < 8; k++)                                                    \
            {                                                                                                \
                const char *p = (const char *)a.in + ((lane + i * 4096 + k * 512) & 0x7ff0) + (lane & 15);   \
                asm volatile("{ .reg .b32 r0, r1, r2, r3;\n" op " " regs ", [%1];\n" use "}" : "+r"(x) : "l"(p)); \
            }                                                                                                \
        }                                                                                                    \
        if (x == 12345)                                                                                      \
            a.out[threadIdx.x] = x;                                                                          \
    }
HIT(hit, 4, "ld.global.u32", "r0", USE1)
HIT(hit_v4, 16, "ld.global.v4.u32", "{r0, r1, r2, r3}", USE4)
HIT(hit_8lines, 32, "ld.global.u32", "r0", USE1)
HIT(hit_32lines, 132, "ld.global.u32", "r0", USE1)
HIT(hit_column, 128, "ld.global.u32", "r0", USE1)
HIT(hit_one, 0, "ld.global.u32", "r0", USE1)

/* Textures that lie in L1: numbers of 16 KB, nearest and between four. */
#define FETCH(name, which)                                                                                   \
    __global__ void __launch_bounds__(THREADS, 4) name(struct args a)                                        \
    {                                                                                                        \
        float u = (float)(threadIdx.x & 31) + 0.25f, v = (float)(threadIdx.x >> 5) + 0.25f, sum = 0;          \
        _Pragma("unroll 1") for (uint32_t i = 0; i < a.n; i++)                                               \
        {                                                                                                    \
            _Pragma("unroll") for (int k = 0; k < 4; k++) sum += tex2D<float>(a.which, u + (float)k, v + (float)(i & 31)); \
        }                                                                                                    \
        if (sum == 12345)                                                                                    \
            a.out[threadIdx.x] = 1;                                                                          \
    }
FETCH(tex_point, point)
FETCH(tex_linear, linear)

__constant__ uint32_t constants[1024];
__global__ void __launch_bounds__(THREADS, 4) ldc(struct args a)
{
    uint32_t at = threadIdx.x / 32 * 64, x = 0;
#pragma unroll 1
    for (uint32_t i = 0; i < a.n; i++) {
#pragma unroll
        for (int k = 0; k < 16; k++)
            x ^= constants[(at + i & 511) + k * 16];
    }
    if (x == 12345)
        a.out[threadIdx.x] = x;
}

/* ---- L2 and DRAM: 16 bytes a lane, a grid's worth after the other through the mask ---- */

#define STREAM(name, ...)                                                                                   \
    __global__ void __launch_bounds__(THREADS, 4) name(struct args a)                                        \
    {                                                                                                        \
        size_t at = a.base + ((size_t)blockIdx.x * THREADS + threadIdx.x) * 16, step = (size_t)gridDim.x * THREADS * 16; \
        const uint32_t *in = a.in + threadIdx.x;                                                             \
        uint32_t x0 = in[0], x1 = in[CHAINS * THREADS], x2 = in[(CHAINS + 1) * THREADS], x3 = in[(CHAINS + 2) * THREADS]; \
        _Pragma("unroll 1") for (uint32_t i = 0; i < a.n; i++)                                               \
        {                                                                                                    \
            _Pragma("unroll") for (int k = 0; k < 4; k++)                                                    \
            {                                                                                                \
                char *p = a.big + ((at + k * step) & a.mask);                                                \
                __VA_ARGS__                                                                                  \
            }                                                                                                \
            at += 4 * step;                                                                                  \
        }                                                                                                    \
        if (x0 + x1 + x2 + x3 == 12345)                                                                      \
            a.out[threadIdx.x] = 1;                                                                          \
    }
#define LOAD16(cache)                                                                                        \
    uint32_t r0, r1, r2, r3;                                                                                 \
    asm volatile("ld.global." cache ".v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3) : "l"(p) : "memory");
#define STORE16(q, w0, w1, w2, w3) asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(q), "r"(w0), "r"(w1), "r"(w2), "r"(w3) : "memory");
#define USE16 asm volatile("lop3.b32 %0, %0, %1, %2, 0x96; lop3.b32 %0, %0, %3, %4, 0x96;" : "+r"(x0) : "r"(r0), "r"(r1), "r"(r2), "r"(r3));
STREAM(stream_read, LOAD16("cg") USE16)
STREAM(stream_write, STORE16(p, x0, x1, x2, x3))
STREAM(stream_copy, LOAD16("cg") STORE16(p + a.mask + 1, r0, r1, r2, r3))

/* Four bytes of one sector for each lane, anywhere: DRAM opens a row for each. */
STREAM(gather, {
    uint32_t h = (uint32_t)(((size_t)(p - a.big)) >> 4) * 2654435761u;
    h ^= h >> 15;
    h *= 0x85ebca6bu;
    uint32_t r;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(r) : "l"(a.big + ((size_t)h * 32 & a.mask)) : "memory");
    x0 ^= r;
})
STREAM(reds, asm volatile("red.global.add.u32 [%0], %1;" ::"l"(a.big + ((size_t)(p - a.big) / 4 & a.mask)), "r"(x0) : "memory");)
STREAM(atoms_back, {
    uint32_t r;
    asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(r) : "l"(a.big + ((size_t)(p - a.big) / 4 & a.mask)), "r"(x0) : "memory");
    x1 ^= r;
})
STREAM(mix_read_ffma, {
    LOAD16("cg")
    x1 ^= (r0 ^ r1 ^ r2 ^ r3) & 1;
    float f = __uint_as_float(x0);
    asm volatile(R16("fma.rn.f32 %0, %0, %1, %2; sub.rn.f32 %0, %0, %2; mul.rn.f32 %0, %0, %3;\n")
                 : "+f"(f)
                 : "f"(__uint_as_float(x1)), "f"(__uint_as_float(x2)), "f"(__uint_as_float(x3)));
    x0 = __float_as_uint(f);
})

/* A word a lane, B bytes apart: whole lines, a sector or a line for each lane. */
#define SPACED(name, B, ...)                                                                                 \
    __global__ void __launch_bounds__(THREADS, 4) name(struct args a)                                        \
    {                                                                                                        \
        size_t at = ((size_t)blockIdx.x * THREADS + threadIdx.x) * B, step = (size_t)gridDim.x * THREADS * B; \
        uint32_t x0 = a.in[threadIdx.x];                                                                     \
        _Pragma("unroll 1") for (uint32_t i = 0; i < a.n; i++)                                               \
        {                                                                                                    \
            _Pragma("unroll") for (int k = 0; k < 4; k++)                                                    \
            {                                                                                                \
                char *p = a.big + ((at + k * step) & a.mask);                                                \
                __VA_ARGS__                                                                                  \
            }                                                                                                \
            at += 4 * step;                                                                                  \
        }                                                                                                    \
        if (x0 == 12345)                                                                                     \
            a.out[threadIdx.x] = 1;                                                                          \
    }
#define LOAD4(cache)                                                                                         \
    {                                                                                                        \
        uint32_t r;                                                                                          \
        asm volatile("ld.global" cache ".u32 %0, [%1];" : "=r"(r) : "l"(p) : "memory");                      \
        x0 ^= r;                                                                                             \
    }
#define STORE4 asm volatile("st.global.u32 [%0], %1;" ::"l"(p), "r"(x0) : "memory");
SPACED(words, 4, LOAD4(".cg"))
SPACED(words_l1, 4, LOAD4(".ca"))
SPACED(sectors, 32, LOAD4(".cg"))
SPACED(lines, 128, LOAD4(".cg"))
SPACED(words_write, 4, STORE4)
SPACED(sectors_write, 32, STORE4)
SPACED(lines_write, 128, STORE4)

/* Additions that answer nothing and exchanges: a word a lane, numbers, whole lines apart, one for all of a warp. */
#define ADD4(type) asm volatile("red.global.add." type " [%0], %1;" ::"l"(p), "r"(x0) : "memory");
SPACED(adds_lines, 128, ADD4("u32"))
SPACED(adds_float, 4, ADD4("f32"))
SPACED(adds_one, 4, asm volatile("red.global.add.u32 [%0], %1;" ::"l"((size_t)p & ~(size_t)127), "r"(x0) : "memory");)
SPACED(swaps, 4, {
    uint32_t r;
    asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;" : "=r"(r) : "l"(p), "r"(k), "r"(x0) : "memory");
    x0 ^= r & 1;
})

/* Bulk copies of 8 KB into shared memory, one at a time for each CTA. */
__global__ void __launch_bounds__(THREADS, 4) bulk(struct args a)
{
    __shared__ __align__(128) char mem[2][8192];
    __shared__ uint64_t object;
    uint32_t o = (uint32_t)__cvta_generic_to_shared(&object), to = (uint32_t)__cvta_generic_to_shared(mem);
    if (threadIdx.x)
        return;
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\nfence.mbarrier_init.release.cluster;\nfence.proxy.async;" ::"r"(o) : "memory");
    size_t at = a.base + (size_t)blockIdx.x * 8192, step = (size_t)gridDim.x * 8192;
#pragma unroll 1
    for (uint32_t i = 0; i < a.n; i++) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 16384;" ::"r"(o) : "memory");
        for (int k = 0; k < 2; k++) {
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 8192, [%2];" ::"r"(to + 8192 * k),
                         "l"(a.big + (at & a.mask)), "r"(o)
                         : "memory");
            at += step;
        }
        asm volatile("{\n.reg .pred over;\nAGAIN: mbarrier.try_wait.parity.shared::cta.b64 over, [%0], %1;\n"
                     "@over bra.uni OVER;\nbra.uni AGAIN;\nOVER:\n}" ::"r"(o),
                     "r"(i & 1)
                     : "memory");
    }
}

/* 16 bytes a lane from global to shared memory, past the registers. */
__global__ void __launch_bounds__(THREADS, 4) cp_async(struct args a)
{
    __shared__ __align__(16) char mem[4 * THREADS * 16];
    uint32_t to = (uint32_t)__cvta_generic_to_shared(mem) + threadIdx.x * 16;
    size_t at = a.base + ((size_t)blockIdx.x * THREADS + threadIdx.x) * 16, step = (size_t)gridDim.x * THREADS * 16;
#pragma unroll 1
    for (uint32_t i = 0; i < a.n; i++) {
#pragma unroll
        for (int k = 0; k < 4; k++)
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to + k * THREADS * 16), "l"(a.big + ((at + k * step) & a.mask)) : "memory");
        asm volatile("cp.async.commit_group;\ncp.async.wait_group 0;" ::: "memory");
        at += 4 * step;
    }
}

/* ---- do energies add up? Two kinds of work on chains of their own: in turn, in warps of one partition, on SMs beside each other, and
 * each alone. The instructions of all lanes together are as many in each way. ---- */

enum { TURNS, WARPS, SMS, ONE, OTHER };

static __device__ uint32_t mixed(uint32_t h)
{
    h = (h ^ h >> 15) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return h ^ h >> 16;
}
static __device__ void second(float v, uint32_t *y) { *y = mixed(__float_as_uint(v)); }
static __device__ void second(float v, float *y) { *y = v; }

#define BOTH(x, T, p, ops, U, q, more)                                                                       \
    _Pragma("unroll") for (int j = 0; j < CHAINS / 2; j++)                                                   \
    {                                                                                                        \
        asm volatile(ops : "+" T(x[j]) : T(p[0]), T(p[1]), T(p[2]), T(p[3]));                                \
        asm volatile(more : "+" U(y[j]) : U(q[0]), U(q[1]), U(q[2]), U(q[3]));                               \
    }
#define SOLE(x, T, p, ops)                                                                                   \
    _Pragma("unroll") for (int j = 0; j < CHAINS / 2; j++) asm volatile(ops : "+" T(x[j]) : T(p[0]), T(p[1]), T(p[2]), T(p[3]))
#define PAIR(name, T, CT, U, CU, even, odd, even2, odd2)                                                     \
    template <int how> __global__ void __launch_bounds__(THREADS, 4) name(struct args a)                     \
    {                                                                                                        \
        T x[CHAINS / 2], p[4];                                                                               \
        U y[CHAINS / 2], q[4];                                                                               \
        const T *in = (const T *)a.in + threadIdx.x;                                                         \
        for (int j = 0; j < CHAINS / 2; j++)                                                                 \
            x[j] = in[j * THREADS], second((float)in[(CHAINS / 2 + j) * THREADS], &y[j]);                    \
        for (int j = 0; j < 4; j++)                                                                          \
            p[j] = in[(CHAINS + j) * THREADS], second((float)p[j], &q[j]);                                   \
        uint32_t sm;                                                                                         \
        asm("mov.u32 %0, %%smid;" : "=r"(sm));                                                               \
        bool other = how == WARPS ? threadIdx.x >= THREADS / 2 : how == SMS ? sm & 1 : how == OTHER;         \
        if (how == TURNS) {                                                                                  \
            _Pragma("unroll 1") for (uint32_t i = 0; i < a.n; i++)                                           \
                _Pragma("unroll") for (int k = 0; k < 4; k++)                                                \
                {                                                                                            \
                    BOTH(x, CT, p, even, CU, q, even2);                                                      \
                    BOTH(x, CT, p, odd, CU, q, odd2);                                                        \
                }                                                                                            \
        } else if (!other) {                                                                                 \
            _Pragma("unroll 1") for (uint32_t i = 0; i < a.n; i++)                                           \
                _Pragma("unroll") for (int k = 0; k < 8; k++)                                                \
                {                                                                                            \
                    SOLE(x, CT, p, even);                                                                    \
                    SOLE(x, CT, p, odd);                                                                     \
                }                                                                                            \
        } else {                                                                                             \
            _Pragma("unroll 1") for (uint32_t i = 0; i < a.n; i++)                                           \
                _Pragma("unroll") for (int k = 0; k < 8; k++)                                                \
                {                                                                                            \
                    SOLE(y, CU, q, even2);                                                                   \
                    SOLE(y, CU, q, odd2);                                                                    \
                }                                                                                            \
        }                                                                                                    \
        if (x[0] + x[1] + x[2] + x[3] == (T)12345.678 && y[0] + y[1] + y[2] + y[3] == (U)12345.678)          \
            a.out[threadIdx.x] = 1;                                                                          \
    }
PAIR(pair_ffma_lop, float, "f", uint32_t, "r", "fma.rn.f32 %0, %0, %1, %2;", "fma.rn.f32 %0, %0, %3, %4;", "lop3.b32 %0, %0, %1, %2, 0x96;",
     "lop3.b32 %0, %0, %3, %4, 0x96;")
PAIR(pair_ffma_iadd, float, "f", uint32_t, "r", "fma.rn.f32 %0, %0, %1, %2;", "fma.rn.f32 %0, %0, %3, %4;", "add.u32 %0, %0, %1;", "xor.b32 %0, %0, %2;")
PAIR(pair_imad_lop, uint32_t, "r", uint32_t, "r", "mad.lo.u32 %0, %0, %1, %2;", "mad.lo.u32 %0, %0, %3, %4;", "lop3.b32 %0, %0, %1, %2, 0x96;",
     "lop3.b32 %0, %0, %3, %4, 0x96;")
PAIR(pair_ffma_sel, float, "f", uint32_t, "r", "fma.rn.f32 %0, %0, %1, %2;", "fma.rn.f32 %0, %0, %3, %4;",
     "{ .reg .pred p; setp.lt.u32 p, %0, %1; selp.u32 %0, %2, %3, p; }", "{ .reg .pred p; setp.lt.u32 p, %0, %2; selp.u32 %0, %4, %1, p; }")
PAIR(pair_dfma_iadd, double, "d", uint32_t, "r", "fma.rn.f64 %0, %0, %1, %2;", "fma.rn.f64 %0, %0, %3, %4;", "add.u32 %0, %0, %1;", "xor.b32 %0, %0, %2;")
PAIR(pair_fadd_fmul, float, "f", float, "f", "add.rn.f32 %0, %0, %2;", "sub.rn.f32 %0, %0, %2;", "mul.rn.f32 %0, %0, %1;", "mul.rn.f32 %0, %0, %3;")
PAIR(pair_iadd_shf, uint32_t, "r", uint32_t, "r", "add.u32 %0, %0, %1;", "xor.b32 %0, %0, %2;", "shf.l.wrap.b32 %0, %0, %1, 7;",
     "shf.r.wrap.b32 %0, %2, %0, 9;")
PAIR(pair_ffma_ex2, float, "f", float, "f", "fma.rn.f32 %0, %0, %1, %2;", "fma.rn.f32 %0, %0, %3, %4;", "ex2.approx.ftz.f32 %0, %0;",
     "lg2.approx.ftz.f32 %0, %0;")

/* Sums that grow, a number that jumps about, bits of a hash: values as programs have them, not there and back. */
KIND(sum_float, float, "f", "add.rn.f32 %0, %0, %1;", "add.rn.f32 %0, %0, %2;")
KIND(sum_double, double, "d", "add.rn.f64 %0, %0, %1;", "add.rn.f64 %0, %0, %2;")
KIND(sum_int, uint32_t, "r", "add.u32 %0, %0, %1;", "add.u32 %0, %0, %2;")
KIND(jump_float, float, "f", "{ .reg .f32 t; sub.rn.f32 t, 0f40800000, %0; mul.rn.f32 %0, %0, t; }", "fma.rn.f32 %0, %0, 0f3f7fbe77, 0f3a83126f;")
KIND(jump_double, double, "d", "{ .reg .f64 t; sub.rn.f64 t, 0d4010000000000000, %0; mul.rn.f64 %0, %0, t; }",
     "fma.rn.f64 %0, %0, 0d3feff7ced916872b, 0d3f50624dd2f1a9fc;")
KIND(hash, uint32_t, "r", "{ .reg .u32 t; shr.u32 t, %0, 15; xor.b32 %0, %0, t; mul.lo.u32 %0, %0, 0x85ebca6b; }",
     "{ .reg .u32 t; shr.u32 t, %0, 13; xor.b32 %0, %0, t; add.u32 %0, %0, %1; }")

/* A switch that all lanes of a warp go through alike. */
__global__ void __launch_bounds__(THREADS, 4) cases(struct args a)
{
    uint32_t x = a.in[threadIdx.x], s = blockIdx.x * 8 + threadIdx.x / 32;
#pragma unroll 1
    for (uint32_t i = 0; i < 8 * a.n; i++) {
        s = s * 1664525u + 1013904223u;
        switch (__shfl_sync(0xffffffff, s >> 28, 0)) {
        case 0: x += 12345; break;
        case 1: x ^= x >> 3; break;
        case 2: x *= 31; break;
        case 3: x = ~x; break;
        case 4: x = x << 7 | x >> 25; break;
        case 5: x -= i; break;
        case 6: x = x > 1u << 30 ? x >> 1 : x + 77; break;
        case 7: x = __brev(x); break;
        case 8: x = min(x, 0x7fffffffu) + i; break;
        case 9: x = x & 0xffff | i << 16; break;
        default: x += s; break;
        }
    }
    if (x == 12345)
        a.out[threadIdx.x] = 1;
}

/* A load of a line for each warp, when the one before is there. */
__global__ void __launch_bounds__(THREADS, 4) chain(struct args a)
{
    uint32_t h = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
#pragma unroll 1
    for (uint32_t i = 0; i < a.n; i++) {
#pragma unroll
        for (int k = 0; k < 4; k++) {
            uint32_t r;
            asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(r) : "l"(a.big + ((size_t)h * 128 & a.mask) + threadIdx.x % 32 * 4) : "memory");
            h = h * 1664525u + 1013904223u + (r & 1);
        }
    }
    if (h == 12345)
        a.out[threadIdx.x] = 1;
}

/* ---- the list ---- */

enum fill { FLOATS, MILLIONS, DOUBLES, WORDS, HALVES, MATRIX, MATRIX32, BYTES, ANY };
#define KB ((size_t)1 << 10)
#define MB ((size_t)1 << 20)
enum { ONLY_RANDOM = 1, CHECKS = 2, AT_ONE_CLOCK = 4 };

struct test {
    const char *name;
    kernel *k;
    enum fill fill;
    int sms, ctas, threads, lanes;
    uint32_t n;        /* turns of a launch on a GPU */
    uint32_t first, more; /* ... of the first launch without NVML, and what the second has over it */
    size_t shared;     /* dynamic shared memory */
    size_t bytes;      /* that a launch goes around in, a power of two */
    int flags;
};

enum { ALL = 132, N = 2000 };
#define PLAIN(k, fill) {#k, k, fill, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, 0}
#define TENSOR(k, fill) {#k, k, fill, ALL, 2, THREADS, 32, N, 1, 2, 0, 0, 0}
#define GROUP(k, fill) {#k, k, fill, ALL, 1, THREADS, 32, N, 1, 2, 160 * KB, 0, 0}
#define L2(name, k, mb, n) {name, k, WORDS, ALL, 4, THREADS, 32, n, 3, 3, 0, mb * MB, 0}
#define DRAM(name, k, n) {name, k, WORDS, ALL, 4, THREADS, 32, n, 8, 16, 0, 1024 * MB, 0}

static const struct test tests[] = {
    {"idle", NULL, ANY, 0, 0, 0, 0, 0, 0, 0, 0, 0, ONLY_RANDOM},
    {"sleep_1", sleeping, ANY, 1, 1, 32, 32, 8, 1, 1, 0, 0, ONLY_RANDOM},
    {"sleep", sleeping, ANY, ALL, 1, 32, 32, 8, 1, 1, 0, 0, ONLY_RANDOM},
    {"sleep_full", sleeping, ANY, ALL, 8, THREADS, 32, 8, 1, 1, 0, 0, ONLY_RANDOM},
    PLAIN(ffma, FLOATS),
    PLAIN(ffma3, FLOATS),
    {"ffma_1sm", ffma, FLOATS, 1, 1, THREADS, 32, N, 1, 2, 200 * KB, 0, ONLY_RANDOM},
    {"ffma_33sm", ffma, FLOATS, 33, 1, THREADS, 32, 4 * N, 1, 2, 200 * KB, 0, ONLY_RANDOM},
    {"ffma_66sm", ffma, FLOATS, 66, 1, THREADS, 32, 4 * N, 1, 2, 200 * KB, 0, ONLY_RANDOM},
    {"ffma_8warps", ffma, FLOATS, ALL, 1, THREADS, 32, 4 * N, 1, 2, 200 * KB, 0, ONLY_RANDOM},
    {"ffma_1warp", ffma, FLOATS, ALL, 1, 32, 32, 4 * N, 1, 2, 200 * KB, 0, ONLY_RANDOM},
    {"ffma_16lanes", ffma, FLOATS, ALL, 4, THREADS, 16, N, 1, 2, 0, 0, ONLY_RANDOM},
    {"ffma_4lanes", ffma, FLOATS, ALL, 4, THREADS, 4, N, 1, 2, 0, 0, ONLY_RANDOM},
    {"ffma_1lane", ffma, FLOATS, ALL, 4, THREADS, 1, N, 1, 2, 0, 0, ONLY_RANDOM},
    PLAIN(fmul, FLOATS),
    PLAIN(fadd, FLOATS),
    PLAIN(fmin_, FLOATS),
    PLAIN(iadd, WORDS),
    PLAIN(rot, WORDS),
    PLAIN(lop3, WORDS),
    {"lop3_16lanes", lop3, WORDS, ALL, 4, THREADS, 16, N, 1, 2, 0, 0, ONLY_RANDOM},
    PLAIN(shf, WORDS),
    PLAIN(prmt, WORDS),
    PLAIN(imad, WORDS),
    PLAIN(imadhi, WORDS),
    PLAIN(imadwide, WORDS),
    PLAIN(dp4a, WORDS),
    PLAIN(sel, WORDS),
    PLAIN(popc, WORDS),
    PLAIN(i2f, WORDS),
    PLAIN(f2i, MILLIONS),
    PLAIN(f2h, FLOATS),
    PLAIN(ex2, FLOATS),
    PLAIN(rsq, FLOATS),
    PLAIN(dfma, DOUBLES),
    PLAIN(dadd, DOUBLES),
    PLAIN(dmul, DOUBLES),
    PLAIN(hfma2, HALVES),
    PLAIN(hadd2, HALVES),
    PLAIN(shfl, WORDS),
    PLAIN(vote, WORDS),
    PLAIN(redux, WORDS),
    PLAIN(match, WORDS),
    {"guarded", guarded, FLOATS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM},
    {"branches", branches, ANY, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM},
    {"code64", code64, FLOATS, ALL, 4, THREADS, 32, 16, 1, 1, 0, 0, ONLY_RANDOM},
    {"uniform", uniform, ANY, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM},
    {"barriers", barriers, ANY, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM},
    TENSOR(mma_f16, MATRIX),
    TENSOR(mma_f16_k8, MATRIX),
    TENSOR(mma_f16_f16, MATRIX),
    TENSOR(mma_bf16, MATRIX),
    TENSOR(mma_tf32, MATRIX32),
    TENSOR(mma_s8, BYTES),
    TENSOR(mma_f64, DOUBLES),
    GROUP(wgmma_n256, MATRIX),
    GROUP(wgmma_n128, MATRIX),
    GROUP(wgmma_n64, MATRIX),
    GROUP(wgmma_n32, MATRIX),
    GROUP(wgmma_n16, MATRIX),
    GROUP(wgmma_n8, MATRIX),
    GROUP(wgmma_bf16, MATRIX),
    GROUP(wgmma_regs, MATRIX),
    GROUP(wgmma_tf32, MATRIX32),
    GROUP(wgmma_e4m3, BYTES),
    PLAIN(lds, WORDS),
    PLAIN(lds64, WORDS),
    PLAIN(lds128, WORDS),
    PLAIN(lds_one, WORDS),
    PLAIN(lds_2way, WORDS),
    PLAIN(lds_8way, WORDS),
    {"lds_32way", lds_32way, WORDS, ALL, 4, THREADS, 32, N / 4, 1, 2, 0, 0, 0},
    PLAIN(ldsm, WORDS),
    PLAIN(sts, WORDS),
    PLAIN(sts128, WORDS),
    PLAIN(atoms, WORDS),
    PLAIN(far_lds, WORDS),
    PLAIN(l1, WORDS),
    PLAIN(l1_128, WORDS),
    PLAIN(l1_lines, WORDS),
    PLAIN(l1_one, WORDS),
    PLAIN(hit, WORDS),
    PLAIN(hit_v4, WORDS),
    PLAIN(hit_8lines, WORDS),
    PLAIN(hit_32lines, WORDS),
    PLAIN(hit_column, WORDS),
    PLAIN(hit_one, WORDS),
    PLAIN(tex_point, FLOATS),
    PLAIN(tex_linear, FLOATS),
    PLAIN(ldc, WORDS),
    L2("l2_read_4m", stream_read, 4, N),
    L2("l2_read", stream_read, 16, N),
    L2("l2_read_32m", stream_read, 32, N),
    L2("l2_write", stream_write, 16, N),
    L2("l2_copy", stream_copy, 8, N),
    L2("l2_gather", gather, 16, N / 4),
    L2("l2_reds", reds, 8, N),
    L2("l2_atoms", atoms_back, 8, N),
    L2("l2_adds_lines", adds_lines, 16, N / 8),
    {"l2_adds_float", adds_float, FLOATS, ALL, 4, THREADS, 32, N / 8, 3, 3, 0, 4 * MB, 0},
    L2("l2_adds_one", adds_one, 4, N / 8),
    L2("l2_swaps", swaps, 4, N / 8),
    {"l2_read_33sm", stream_read, WORDS, 33, 4, THREADS, 32, N, 3, 3, 0, 16 * MB, 0},
    L2("l2_bulk", bulk, 16, N),
    L2("l2_cp_async", cp_async, 16, N),
    L2("l2_words", words, 4, N),
    L2("l2_words_l1", words_l1, 4, N),
    L2("l2_sectors", sectors, 16, N),
    L2("l2_lines", lines, 16, N / 4),
    L2("l2_words_write", words_write, 4, N),
    L2("l2_sectors_write", sectors_write, 16, N),
    L2("l2_lines_write", lines_write, 16, N / 4),
    DRAM("dram_read", stream_read, 400),
    DRAM("dram_write", stream_write, 400),
    DRAM("dram_copy", stream_copy, 400),
    DRAM("dram_gather", gather, 100),
    DRAM("dram_sectors", sectors, 200),
    DRAM("dram_lines", lines, 100),
    DRAM("dram_words_write", words_write, 800),
    DRAM("dram_sectors_write", sectors_write, 200),
    DRAM("dram_lines_write", lines_write, 100),
    {"dram_read_33sm", stream_read, WORDS, 33, 4, THREADS, 32, 400, 32, 64, 0, 1024 * MB, 0},
    {"mix_ffma_lop", mix_ffma_lop, FLOATS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"mix_imad_ex2", mix_imad_ex2, FLOATS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"mix_l2_ffma", mix_read_ffma, FLOATS, ALL, 4, THREADS, 32, N, 3, 3, 0, 16 * MB, ONLY_RANDOM | CHECKS},
    {"mix_dram_ffma", mix_read_ffma, FLOATS, ALL, 4, THREADS, 32, 400, 8, 16, 0, 1024 * MB, ONLY_RANDOM | CHECKS},
    {"pair_ffma_lop_turns", pair_ffma_lop<TURNS>, FLOATS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"pair_ffma_lop_warps", pair_ffma_lop<WARPS>, FLOATS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"pair_ffma_lop_sms", pair_ffma_lop<SMS>, FLOATS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"pair_ffma_lop_one", pair_ffma_lop<ONE>, FLOATS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"pair_ffma_lop_other", pair_ffma_lop<OTHER>, FLOATS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"pair_ffma_iadd_turns", pair_ffma_iadd<TURNS>, FLOATS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"pair_ffma_iadd_warps", pair_ffma_iadd<WARPS>, FLOATS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"pair_ffma_iadd_sms", pair_ffma_iadd<SMS>, FLOATS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"pair_ffma_iadd_one", pair_ffma_iadd<ONE>, FLOATS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"pair_ffma_iadd_other", pair_ffma_iadd<OTHER>, FLOATS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"pair_imad_lop_turns", pair_imad_lop<TURNS>, WORDS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"pair_imad_lop_warps", pair_imad_lop<WARPS>, WORDS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"pair_imad_lop_one", pair_imad_lop<ONE>, WORDS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"pair_imad_lop_other", pair_imad_lop<OTHER>, WORDS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"pair_ffma_sel_turns", pair_ffma_sel<TURNS>, FLOATS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"pair_ffma_sel_warps", pair_ffma_sel<WARPS>, FLOATS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"pair_ffma_sel_one", pair_ffma_sel<ONE>, FLOATS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"pair_ffma_sel_other", pair_ffma_sel<OTHER>, FLOATS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"pair_dfma_iadd_turns", pair_dfma_iadd<TURNS>, DOUBLES, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"pair_dfma_iadd_warps", pair_dfma_iadd<WARPS>, DOUBLES, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"pair_dfma_iadd_sms", pair_dfma_iadd<SMS>, DOUBLES, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"pair_dfma_iadd_one", pair_dfma_iadd<ONE>, DOUBLES, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"pair_dfma_iadd_other", pair_dfma_iadd<OTHER>, DOUBLES, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"pair_fadd_fmul_turns", pair_fadd_fmul<TURNS>, FLOATS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"pair_fadd_fmul_warps", pair_fadd_fmul<WARPS>, FLOATS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"pair_fadd_fmul_one", pair_fadd_fmul<ONE>, FLOATS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"pair_fadd_fmul_other", pair_fadd_fmul<OTHER>, FLOATS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"pair_iadd_shf_turns", pair_iadd_shf<TURNS>, WORDS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"pair_iadd_shf_warps", pair_iadd_shf<WARPS>, WORDS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"pair_iadd_shf_one", pair_iadd_shf<ONE>, WORDS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"pair_iadd_shf_other", pair_iadd_shf<OTHER>, WORDS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"pair_ffma_ex2_turns", pair_ffma_ex2<TURNS>, FLOATS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"pair_ffma_ex2_warps", pair_ffma_ex2<WARPS>, FLOATS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"pair_ffma_ex2_one", pair_ffma_ex2<ONE>, FLOATS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"pair_ffma_ex2_other", pair_ffma_ex2<OTHER>, FLOATS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"sum_float", sum_float, FLOATS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM},
    {"sum_double", sum_double, DOUBLES, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM},
    {"sum_int", sum_int, WORDS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM},
    {"jump_float", jump_float, FLOATS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"jump_double", jump_double, DOUBLES, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"hash", hash, WORDS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"cases", cases, WORDS, ALL, 4, THREADS, 32, N, 1, 2, 0, 0, ONLY_RANDOM | CHECKS},
    {"chain_l2_1", chain, WORDS, 1, 1, 32, 32, 400, 16, 16, 200 * KB, 16 * MB, ONLY_RANDOM | CHECKS},
    {"chain_l2_16", chain, WORDS, 16, 1, 32, 32, 400, 16, 16, 200 * KB, 16 * MB, ONLY_RANDOM | CHECKS},
    {"chain_l2_132", chain, WORDS, ALL, 1, 32, 32, 400, 16, 16, 200 * KB, 16 * MB, ONLY_RANDOM | CHECKS},
    {"chain_l2_1056", chain, WORDS, ALL, 1, THREADS, 32, 400, 16, 16, 200 * KB, 16 * MB, ONLY_RANDOM | CHECKS},
    {"chain_dram_1", chain, WORDS, 1, 1, 32, 32, 200, 16, 16, 200 * KB, 1024 * MB, ONLY_RANDOM | CHECKS},
    {"chain_dram_16", chain, WORDS, 16, 1, 32, 32, 200, 16, 16, 200 * KB, 1024 * MB, ONLY_RANDOM | CHECKS},
    {"chain_dram_132", chain, WORDS, ALL, 1, 32, 32, 200, 16, 16, 200 * KB, 1024 * MB, ONLY_RANDOM | CHECKS},
    {"chain_dram_1056", chain, WORDS, ALL, 1, THREADS, 32, 200, 16, 16, 200 * KB, 1024 * MB, ONLY_RANDOM | CHECKS},
};
enum { TESTS = sizeof tests / sizeof tests[0], ROWS = 16 };

static uint32_t lcg(uint32_t *s)
{
    *s = *s * 1664525u + 1013904223u;
    return *s >> 8 ^ *s << 16;
}

static double unit(uint32_t *s) { return (lcg(s) >> 8 & 0xffff) / 65536.0; }

/* All 52 bits of a double's fraction, so that a product's low words are not empty: those of programs are not. */
static double fine(uint32_t *s)
{
    uint64_t high = lcg(s) >> 6;
    return (double)(high << 26 | lcg(s) >> 6) / 4503599627370496.0;
}

/* Operands take a chain's value away from where it is and back: x * b + c, then x / b - c / b. Constant: all lanes and chains have
 * one value, and stay there. */
static double chain_value(int row, int t, bool random, uint32_t *s)
{
    uint32_t seed = (uint32_t)t * 2654435761u + 1;
    double b = random ? 1 + fine(&seed) : 1, c = random ? 1 + fine(&seed) : 0;
    if (row < CHAINS || row >= CHAINS + 4)
        return random ? 1 + fine(s) : 1.5;
    return row == CHAINS ? b : row == CHAINS + 1 ? c : row == CHAINS + 2 ? 1 / b : -c / b;
}

/* Fragments of matrices: of either sign, rows from CHAINS on the negative of the first ones; constant: zero. */
static double matrix_value(int row, bool random, uint32_t *s)
{
    double v = random ? (1 + unit(s)) * (lcg(s) & 64 ? 1 : -1) : 0;
    return row < CHAINS ? v : -v;
}

static void fill(uint32_t *to, enum fill kind, bool random)
{
    uint32_t s = 12345;
    for (int i = 0; i < ROWS * THREADS; i++) {
        int row = i / THREADS;
        if (i == CHAINS * THREADS && (kind == MATRIX || kind == MATRIX32))
            s = 12345;
        double v = kind == MATRIX || kind == MATRIX32 ? matrix_value(row, random, &s) : chain_value(row, i % THREADS, random, &s);
        float f = (float)(kind == MILLIONS ? 1e6 * v : v);
        if (kind == DOUBLES) {
            memcpy((double *)to + i, &v, 8);
        } else if (kind == FLOATS || kind == MILLIONS || kind == MATRIX32) {
            memcpy(&to[i], &f, 4);
        } else if (kind == HALVES || kind == MATRIX) {
            double w = kind == MATRIX ? matrix_value(row, random, &s) : v;
            __half h[2] = {__float2half(f), __float2half((float)w)};
            memcpy(&to[i], h, 4);
        } else {
            to[i] = random ? lcg(&s) | 1 : kind == BYTES ? 0 : 0x55555555;
            if (kind == BYTES)
                to[i] &= 0xb7b7b7b7; /* no NaN in eight bits */
        }
    }
    if (kind != DOUBLES)
        memcpy(to + ROWS * THREADS, to, 4 * ROWS * THREADS);
}

struct run {
    const struct test *t;
    struct args a;
};

static void launch(void *of, cudaStream_t s)
{
    struct run *r = (struct run *)of;
    const struct test *t = r->t;
    t->k<<<t->sms * t->ctas, t->threads, t->shared, s>>>(r->a);
    if (t->bytes > 64 * MB) /* on from where the last launch ended */
        r->a.base += (size_t)r->a.n * 4 * 16 * t->threads * t->sms * t->ctas;
}

/* The first numbers of `big` as a texture, nearest or between four. */
static cudaTextureObject_t texture(char *big, cudaTextureFilterMode filter)
{
    cudaTextureObject_t t;
    cudaResourceDesc of = {};
    cudaTextureDesc how = {};
    of.resType = cudaResourceTypePitch2D;
    of.res.pitch2D.devPtr = big;
    of.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    of.res.pitch2D.width = of.res.pitch2D.height = TEXELS;
    of.res.pitch2D.pitchInBytes = TEXELS * 4;
    how.filterMode = filter;
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    CHECK(cudaCreateTextureObject(&t, &of, &how, NULL));
    return t;
}

/* A kernel that fails takes the process's GPU with it: the list goes on in a fresh one. */
static void go_on(char **argv, int from)
{
    char text[16];
    snprintf(text, sizeof text, "%d", from);
    setenv("ENERGY_FROM", text, 1);
    execv("/proc/self/exe", argv);
    exit(1);
}

static bool chosen(const char *name, int argc, char **argv)
{
    for (int i = 3; i < argc; i++)
        if (!strcmp(name, argv[i]))
            return true;
    return argc <= 3;
}

/* Without NVML: two launches. */
static void trace(struct run *r)
{
    r->a.n = r->t->first;
    launch(r, 0);
    CHECK(cudaDeviceSynchronize());
    r->a.n = r->t->first + r->t->more;
    launch(r, 0);
    CHECK(cudaDeviceSynchronize());
}

static cudaError_t measure(struct run *r, const struct meter *m, FILE *f, const char *name, const char *data)
{
    struct reading got;
    const struct test *t = r->t;
    meter_run(m, t->k ? launch : NULL, r, 0, &got);
    cudaError_t e = cudaGetLastError();
    if (e == cudaSuccess)
        e = cudaDeviceSynchronize();
    if (e != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", name, cudaGetErrorString(e));
        return e;
    }
    fprintf(f, "%s,%s,%d,%d,%d,%d,%d,%u,", name, data, !(t->flags & CHECKS), t->sms, t->ctas, t->threads, t->lanes, r->a.n);
    meter_print(f, &got);
    return cudaSuccess;
}

int main(int argc, char **argv)
{
    struct meter m;
    bool metered = meter_open(&m);
    double until = meter_now() + (argc > 2 ? atof(argv[2]) : 1e9);
    int from = getenv("ENERGY_FROM") ? atoi(getenv("ENERGY_FROM")) : 0;
    FILE *f = argc > 1 ? fopen(argv[1], from ? "a" : "w") : stdout;
    if (!f)
        return fprintf(stderr, "%s: cannot be written\n", argv[1]), 2;
    setvbuf(f, NULL, _IOLBF, 0);
    const char *data = getenv("METER_DATA"); /* without NVML: "random", or "constant"; else random, and the large array as it is */
    if (!metered)
        fprintf(f, "name,first,more\n");
    else if (!from)
        fprintf(f, "name,data,fit,sms,ctas,threads,lanes,turns,%s\n", METER_HEAD);
    static uint32_t host[ROWS * THREADS * 2];
    uint32_t *in, *out;
    char *big;
    size_t most = metered ? 2048 * MB : 1024 * MB; /* a copy goes from one half to the other */
    CHECK(cudaMalloc(&in, 16 * sizeof host));
    CHECK(cudaMalloc(&out, 1 << 20));
    CHECK(cudaMalloc(&big, most));
    cudaTextureObject_t point = texture(big, cudaFilterModePoint), linear = texture(big, cudaFilterModeLinear);
    for (int i = from; i < TESTS; i++) {
        const struct test *t = &tests[i];
        if (!chosen(t->name, argc, argv))
            continue;
        if (t->k)
            CHECK(cudaFuncSetAttribute((const void *)t->k, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)t->shared));
        for (int constant = 0; constant < (t->flags & ONLY_RANDOM ? 1 : 2); constant++) {
            if (meter_now() > until)
                return fprintf(stderr, "time is over before %s\n", t->name), 3;
            fill(host, t->fill, !constant);
            for (int k = 0; k < 16; k++)
                CHECK(cudaMemcpy((char *)in + k * sizeof host, host, sizeof host, cudaMemcpyHostToDevice));
            /* The large array has the same words, over and over; zeros where they are constant. */
            size_t bytes = t->bytes;
            if (!metered && bytes > 512 * MB)
                bytes = 512 * MB;
            size_t filled = metered ? most : bytes ? bytes : 4 * TEXELS * TEXELS;
            if ((t->bytes || t->k == tex_point || t->k == tex_linear) && (metered || data)) {
                CHECK(cudaMemset(big, 0, most));
                if (!constant) {
                    CHECK(cudaMemcpy(big, host, sizeof host, cudaMemcpyHostToDevice));
                    for (size_t have = sizeof host; have < filled; have *= 2)
                        CHECK(cudaMemcpy(big + have, big, have < filled - have ? have : filled - have, cudaMemcpyDeviceToDevice));
                }
            }
            struct run r = {t, {in, out, big, bytes - 1, 0, t->n, (uint32_t)t->lanes, point, linear}};
            if (metered) {
                if (measure(&r, &m, f, t->name, constant ? "constant" : "random") != cudaSuccess)
                    go_on(argv, i + 1);
            } else if (t->k && constant == (data && !strcmp(data, "constant"))) {
                trace(&r);
                fprintf(f, "%s,%u,%u\n", t->name, t->first, t->more);
            }
        }
    }
    /* The same at other clocks, where the machine lets them be set. */
    static const char *const again[] = {"idle", "sleep", "ffma", "lop3", "mma_f16", "lds", "l2_read", "dram_read"};
    static const unsigned mhz[] = {1755, 1500, 1200, 900};
    for (unsigned c = 0; metered && m.lock && c < sizeof mhz / sizeof mhz[0]; c++) {
        int refused = m.lock(m.device, mhz[c], mhz[c]);
        if (refused) {
            fprintf(stderr, "clocks cannot be set: NVML says %d\n", refused);
            break;
        }
        for (unsigned k = 0; k < sizeof again / sizeof again[0] && meter_now() < until; k++)
            for (int i = 0; i < TESTS; i++)
                if (!strcmp(tests[i].name, again[k]) && chosen(again[k], argc, argv)) {
                    fill(host, tests[i].fill, true);
                    for (int j = 0; j < 16; j++)
                        CHECK(cudaMemcpy((char *)in + j * sizeof host, host, sizeof host, cudaMemcpyHostToDevice));
                    struct run r = {&tests[i], {in, out, big, tests[i].bytes - 1, 0, tests[i].n, 32, point, linear}};
                    char name[64];
                    snprintf(name, sizeof name, "%s@%u", tests[i].name, mhz[c]);
                    if (measure(&r, &m, f, name, "random") != cudaSuccess)
                        return 1;
                }
    }
    if (metered && m.unlock)
        m.unlock(m.device);
    fclose(f);
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
