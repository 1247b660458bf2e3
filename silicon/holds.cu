/* SPDX-License-Identifier: Apache-2.0 */
/* How long an instruction of variable latency holds its sources, and when its result is there: the code of each loop is patched before it is
 * loaded, so that one instruction that needs nothing waits for a barrier that all (`free`, the last: `last`, the first: `first`) or the results
 * (`result`) of those before it count down. A unit is a step of the loop. `stall`: instructions of fixed latency by stall counts, as a chain and
 * side by side.
 *
 *     nvcc -arch=sm_90 -cubin -o holds.cubin holds.cu && nvcc -arch=sm_90 -o holds holds.cu -lcuda
 *     ./holds [GROUP [ROW]]            holds.cubin lies beside it */
#include "rows.h"
#include <cuda.h>
#include <stdint.h>
#include <string>

enum op { LDC, LDG, LDG2, LDG4, STG, STG4, LDS, LDS4, STS, STS4, MUFU, SHFL, ATOMS, RED, ATOMG, F2I, POPC, LDGCG, S2R, OPS, NONE, FFMA, IMAD, WIDE, DADD, HFMA, MULHI };
static const char *const op_name[] = {"LDC", "LDG", "LDG.64", "LDG.128", "STG", "STG.128", "LDS", "LDS.128", "STS", "STS.128", "MUFU", "SHFL", "ATOMS",
                                      "RED", "ATOMG", "F2I", "POPC", "LDG.CG", "S2R", "", "", "FFMA", "IMAD", "IMAD.WIDE", "DADD", "HFMA2", "IMAD.HI"};

__constant__ unsigned table[4096];
enum { FILL = 96, ACC = 4, INDICES = 6 << 20 };

/* Each kind of instruction once, then a loop of FMAs in whose place copies of these are put; all registers stay what they are to the end.
 * Constants of `words` different words, addresses of lanes `step` bytes apart. */
extern "C" __global__ void body(char *data, int words, int step, float one, int n, ull *took, unsigned *out)
{
    __shared__ unsigned shared[4096];
    unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5, c = *(volatile unsigned *)(data + INDICES + words * 128 + lane * 4), r[OPS][4] = {}, all = 0;
    unsigned s = (unsigned)__cvta_generic_to_shared(shared) + lane * (step > 256 ? 4 : step) + warp * 16, v = lane + __float_as_uint(one);
    char *p = data + (size_t)lane * step + warp * 131072;
    float f = one, a[ACC] = {one, one, one, one};
    unsigned two = step % 8 == 0, four = step % 16 == 0; /* or these would be misaligned */
    /* lines are there, those of constants, too */
    for (int i = 0; i < 1024; i += 128)
        v += *(volatile unsigned *)(p + i);
    v += table[(c / 4 + v) & 4095];
    __syncthreads();
    asm volatile("{ .reg .u64 t, u; mov.u64 t, table; cvt.u64.u32 u, %1; add.u64 t, t, u; ld.const.u32 %0, [t+0x40]; }" : "=r"(r[LDC][0]) : "r"(c));
    asm volatile("ld.global.u32 %0, [%1+0x100];" : "=r"(r[LDG][0]) : "l"(p));
    asm volatile("{ .reg .pred q; setp.ne.u32 q, %3, 0; @q ld.global.v2.u32 {%0, %1}, [%2+0x200]; }" : "+r"(r[LDG2][0]), "+r"(r[LDG2][1]) : "l"(p), "r"(two));
    asm volatile("{ .reg .pred q; setp.ne.u32 q, %5, 0; @q ld.global.v4.u32 {%0, %1, %2, %3}, [%4+0x300]; }" : "+r"(r[LDG4][0]), "+r"(r[LDG4][1]), "+r"(r[LDG4][2]), "+r"(r[LDG4][3]) : "l"(p), "r"(four));
    asm volatile("st.global.u32 [%0+0x100], %1;" ::"l"(p), "r"(v));
    asm volatile("{ .reg .pred q; setp.ne.u32 q, %5, 0; @q st.global.v4.u32 [%0+0x300], {%1, %2, %3, %4}; }" ::"l"(p), "r"(r[LDG4][0]), "r"(r[LDG4][1]), "r"(r[LDG4][2]), "r"(r[LDG4][3]), "r"(four));
    asm volatile("ld.shared.u32 %0, [%1+0x10];" : "=r"(r[LDS][0]) : "r"(s));
    asm volatile("{ .reg .pred q; setp.ne.u32 q, %5, 0; @q ld.shared.v4.u32 {%0, %1, %2, %3}, [%4+0x30]; }" : "+r"(r[LDS4][0]), "+r"(r[LDS4][1]), "+r"(r[LDS4][2]), "+r"(r[LDS4][3]) : "r"(s), "r"(four));
    asm volatile("st.shared.u32 [%0+0x10], %1;" ::"r"(s), "r"(v));
    asm volatile("{ .reg .pred q; setp.ne.u32 q, %5, 0; @q st.shared.v4.u32 [%0+0x30], {%1, %2, %3, %4}; }" ::"r"(s), "r"(r[LDS4][0]), "r"(r[LDS4][1]), "r"(r[LDS4][2]), "r"(r[LDS4][3]), "r"(four));
    asm volatile("ex2.approx.ftz.f32 %0, %1;" : "=r"(r[MUFU][0]) : "r"(v));
    asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;" : "=r"(r[SHFL][0]) : "r"(v));
    asm volatile("atom.shared.exch.b32 %0, [%1+0x20], %2;" : "=r"(r[ATOMS][0]) : "r"(s), "r"(v));
    asm volatile("red.global.add.u32 [%0+0x200], %1;" ::"l"(p), "r"(v));
    asm volatile("atom.global.exch.b32 %0, [%1+0x200], %2;" : "=r"(r[ATOMG][0]) : "l"(p), "r"(v));
    asm volatile("{ .reg .f32 t; mov.b32 t, %1; cvt.rzi.s32.f32 %0, t; }" : "=r"(r[F2I][0]) : "r"(v));
    asm volatile("popc.b32 %0, %1;" : "=r"(r[POPC][0]) : "r"(v));
    asm volatile("ld.global.cg.u32 %0, [%1+0x104];" : "=r"(r[LDGCG][0]) : "l"(p));
    BEGIN_CLOCK
#pragma unroll 1
    for (int i = 0; i < n; i++)
#pragma unroll
        for (int k = 0; k < FILL; k++)
            asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(a[k % ACC]) : "f"(f));
    END_CLOCK
    if (n >= 0) /* registers stay what they are to here: what is on its way can spoil none that anything needs */
        return;
    for (int k = 0; k < OPS; k++)
        all += r[k][0] ^ r[k][1] ^ r[k][2] ^ r[k][3];
    all += (unsigned)(size_t)p + (unsigned)((size_t)p >> 32) * 3 + s * 5 + v * 7 + c * 9 + __float_as_uint(f + a[0] + a[1] + a[2] + a[3]);
    *out = all;
}

struct regs {
    unsigned c, v;
    unsigned long long w;
    float f, fb;
    double d, db;
};

/* x: what a chain carries; side by side: eight of them. */
template <int OP> static __device__ __forceinline__ void fixed(regs &g)
{
    if (OP == FFMA)
        asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(g.f) : "f"(g.fb));
    if (OP == IMAD)
        asm volatile("mad.lo.u32 %0, %0, %1, %1;" : "+r"(g.v) : "r"(g.c));
    if (OP == WIDE)
        asm volatile("{ .reg .u32 lo, hi; mov.b64 {lo, hi}, %0; mul.wide.u32 %0, lo, hi; }" : "+l"(g.w));
    if (OP == DADD)
        asm volatile("add.rn.f64 %0, %0, %1;" : "+d"(g.d) : "d"(g.db));
    if (OP == HFMA)
        asm volatile("fma.rn.f16x2 %0, %0, %1, %1;" : "+r"(g.v) : "r"(g.c));
    if (OP == MULHI)
        asm volatile("mul.hi.u32 %0, %0, %1;" : "+r"(g.v) : "r"(g.c));
}

/* A chain of instructions, or eight chains. */
template <int OP, int CHAINS> __global__ void chain(char *data, int words, int step, float one, int n, ull *took, unsigned *out)
{
    regs g[CHAINS];
    unsigned all = 0;
    for (int c = 0; c < CHAINS; c++)
        g[c] = {threadIdx.x + words, threadIdx.x + c + 3, (ull)threadIdx.x * words + c, one + c, one, (double)one + c, (double)one};
    BEGIN_CLOCK
#pragma unroll 1
    for (int i = 0; i < n; i++)
#pragma unroll
        for (int k = 0; k < 64; k++)
            fixed<OP>(g[k % CHAINS]);
    END_CLOCK
    for (int c = 0; c < CHAINS; c++)
        all += g[c].v + (unsigned)g[c].w + (unsigned)g[c].f + (unsigned)g[c].d;
    if (all == 0x12345)
        *out = all;
}

/* ---- the code ---- */

static unsigned char *image, *patched;
static size_t image_b;

static uint64_t word(const unsigned char *at, int bytes)
{
    uint64_t v = 0;
    memcpy(&v, at, bytes);
    return v;
}

static void read_image(std::string path)
{
    path += ".cubin";
    FILE *f = fopen(path.c_str(), "rb");
    if (!f) {
        perror(path.c_str());
        exit(1);
    }
    image = (unsigned char *)malloc(4 << 20);
    patched = (unsigned char *)malloc(4 << 20);
    image_b = fread(image, 1, 4 << 20, f);
    fclose(f);
}

/* A section of a 64-bit ELF file. */
static bool section(const std::string &name, size_t *text, size_t *bytes)
{
    const unsigned char *sections = image + word(image + 0x28, 8);
    unsigned n = word(image + 0x3c, 2), names_at = word(image + 0x3e, 2), each = word(image + 0x3a, 2);
    const unsigned char *names = image + word(sections + names_at * each + 0x18, 8);
    for (unsigned i = 0; i < n; i++) {
        const unsigned char *s = sections + i * each;
        if (name == (const char *)names + word(s, 4)) {
            *text = word(s + 0x18, 8);
            *bytes = word(s + 0x20, 8);
            return true;
        }
    }
    return false;
}

static unsigned opcode(const unsigned char *at) { return word(at, 2) & 0x1ff; }
static unsigned offset_of(const unsigned char *at) { return opcode(at) == 0x182 ? word(at + 4, 4) >> 6 & 0xffff : word(at + 4, 4) >> 8; }

/* Of the 128 bits: stall count from 105, yield 109, write barrier from 110, read barrier from 113, barriers waited for from 116. */
static void control(unsigned char *at, unsigned stall, unsigned writes, unsigned reads, unsigned wait)
{
    uint64_t high = word(at + 8, 8);
    high &= ~(0x7ffull << 41 | 63ull << 52 | 15ull << 58);
    high |= (uint64_t)stall << 41 | 1ull << 45 | (uint64_t)writes << 46 | (uint64_t)reads << 49 | (uint64_t)wait << 52;
    memcpy(at + 8, &high, 8);
}

/* Where each kind is in the code before the loop: opcode, and the offset of its address where that has one. */
static const unsigned kinds[OPS][2] = {{0x182, 0x40}, {0x181, 0x100}, {0x181, 0x200}, {0x181, 0x300}, {0x186, 0x100}, {0x186, 0x300}, {0x184, 0x10},
                                       {0x184, 0x30}, {0x188, 0x10}, {0x188, 0x30}, {0x108, 0}, {0x189, 0}, {0x18c, 0x20}, {0x18e, 0x200},
                                       {0x1a8, 0x200}, {0x105, 0}, {0x109, 0}, {0x181, 0x104}, {0x119, 0}};
static size_t kind_at[OPS];
static std::vector<size_t> fill;

static void find_kinds()
{
    size_t text, bytes;
    if (!section(".text.body", &text, &bytes))
        exit(1);
    for (size_t i = text; i + 16 <= text + bytes; i += 16)
        if (opcode(image + i) == 0x023)
            fill.push_back(i);
    while (fill.size() > FILL)
        fill.pop_back();
    for (int k = 0; k < OPS; k++) {
        for (size_t i = text; i + 16 <= text + bytes && (i < fill[0] || !kind_at[k]); i += 16) {
            bool offset = kinds[k][0] >= 0x180 && kinds[k][0] != 0x189;
            if (opcode(image + i) == kinds[k][0] && (!offset || offset_of(image + i) == kinds[k][1]))
                kind_at[k] = i;
        }
        if (getenv("SHOW"))
            fprintf(stderr, "%-8s at %zx\n", op_name[k], kind_at[k] ? kind_at[k] - text : 0);
        if (!kind_at[k])
            fprintf(stderr, "no %s\n", op_name[k]);
    }
}

/* How a step waits: for sources of all, of the last or first instruction, for results of all, of the last or first, for nothing. */
enum how { FREE, LAST, FIRST, RESULT, RESULT_LAST, RESULT_FIRST, NOTHING };
static const char *const how_name[] = {"free", "free last", "free first", "result", "result last", "result first", "nothing"};

/* Puts steps of k times a (and b) into the loop, as many as go, each with an FMA behind them that waits. Their number. */
static int patch(how h, int k, int a, int b)
{
    unsigned each = k * (b == NONE ? 1 : 2), at = 0;
    int steps = FILL / (each + 1);
    memcpy(patched, image, image_b);
    for (int s = 0; s < steps; s++) {
        for (unsigned i = 0; i < each; i++, at++) {
            unsigned char *to = patched + fill[at];
            int kind = b != NONE && i % 2 ? b : a;
            memcpy(to, image + kind_at[kind], 16);
            bool comes = kind != STG && kind != STG4 && kind != STS && kind != STS4 && kind != RED;
            if (comes) /* what nobody looks at */
                to[2] = image[kind_at[LDS4] + 2] + (kind == LDG4 || kind == LDS4 ? 0 : kind == LDG2 ? at % 2 * 2 : at % 4);
            to[1] |= 0x70;
            to[1] &= 0x7f;
            bool mine = h == FREE || h == RESULT || ((h == LAST || h == RESULT_LAST) && i + 1 == each) ||
                        ((h == FIRST || h == RESULT_FIRST) && i == 0);
            bool reads = h == FREE || h == LAST || h == FIRST;
            bool waits = h != NOTHING && mine;
            bool ends = s + 1 == steps && i + 2 >= each; /* in order: what comes last is waited for behind the loop */
            control(to, i + 1 == each ? 2 : 1, waits && !reads ? 5 : ends && comes ? 4 : 7, waits && reads ? 5 : ends && !comes ? 4 : 7, 0);
        }
        control(patched + fill[at++], 1, 7, 7, h == NOTHING ? 0 : 1 << 5);
    }
    for (; at < FILL; at++)
        control(patched + fill[at], 1, 7, 7, 0);
    size_t end = fill[FILL - 1];
    while (opcode(image + end) != 0x11d)
        end += 16;
    patched[end + 14] |= 0x30 << 4 & 0xff; /* BAR.SYNC */
    patched[end + 15] |= 0x30 >> 4;
    return steps;
}

/* The instructions of a chain get this stall count. */
static void patch_stall(const std::string &kernel, unsigned stall)
{
    size_t text, bytes;
    unsigned count[512] = {}, most = 0;
    if (!section(".text." + kernel, &text, &bytes)) {
        fprintf(stderr, "no %s\n", kernel.c_str());
        exit(1);
    }
    memcpy(patched, image, image_b);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = text; i + 16 <= text + bytes; i += 16)
            if (opcode(image + i) == 0x118 || opcode(image + i) == 0x147)
                continue;
            else if (pass == 0)
                most = ++count[opcode(image + i)] > count[most] ? opcode(image + i) : most;
            else if (opcode(image + i) == most)
                control(patched + i, stall, 7, 7, 0);
}

static void launch(CUfunction f, int threads, char *data, int words, int step, int n)
{
    float one = 1;
    void *args[] = {&data, &words, &step, &one, &n, &took_by, &sink};
    cuLaunchKernel(f, 1, 1, 1, threads, 1, 1, 0, 0, args, NULL);
}

static char *data;

static void rows_of_code(const char *group, const std::string &row_name, const std::string &kernel, int words, int step, const std::vector<int> &warps, int unit)
{
    CUmodule m;
    CUfunction f;
    if (strncmp(group, want_group, strlen(want_group)) != 0 || strncmp(row_name.c_str(), want_row, strlen(want_row)) != 0)
        return;
    if (cuModuleLoadData(&m, patched) || cuModuleGetFunction(&f, m, kernel.c_str())) {
        fprintf(stderr, "%s does not load\n", kernel.c_str());
        exit(1);
    }
    for (int w : warps) {
        char name[96];
        snprintf(name, sizeof name, "%s warps %d", row_name.c_str(), w);
        row_of(group, name, 1, unit, 17 * unit, [&](int n) { launch(f, w * 32, data, words, step, n / unit); });
    }
    cuModuleUnload(m);
}

/* So many units are some 10,000 cycles. */
static void alone(int op, int k, int words, int step, const char *how_far, bool has_result, bool has_sources)
{
    char name[64];
    snprintf(name, sizeof name, "%s%s x %d", op_name[op], how_far, k);
    std::vector<int> warps = {1};
    if (k == 1)
        warps = {1, 2, 4, 8, 16};
    for (how h : {FREE, RESULT, NOTHING})
        if ((h != RESULT || has_result) && (h != FREE || has_sources))
            rows_of_code(how_name[h], name, "body", words, step, warps, patch(h, k, op, NONE));
}

static void both(int a, int b, int words, int step, const char *how_far)
{
    char name[64];
    snprintf(name, sizeof name, "%s then %s%s", op_name[a], op_name[b], how_far);
    for (how h : {LAST, FIRST, RESULT_LAST, RESULT_FIRST})
        if (((h != RESULT_LAST) || (b != STG && b != STS)) && (h != RESULT_FIRST || (a != STG && a != STS)))
            rows_of_code(how_name[h], name, "body", words, step, {1, 4}, patch(h, 1, a, b));
}

/* Instances, which the cubin has by name. */
#define FIXED(op)                                                                                            \
    template __global__ void chain<op, 1>(char *, int, int, float, int, ull *, unsigned *);                  \
    template __global__ void chain<op, 8>(char *, int, int, float, int, ull *, unsigned *);
FIXED(FFMA) FIXED(IMAD) FIXED(WIDE) FIXED(DADD) FIXED(HFMA) FIXED(MULHI)

int main(int argc, char **argv)
{
    rows_begin(argc, argv);
    read_image(argv[0]);
    find_kinds();
    cudaMalloc(&data, 8 << 20);
    cudaMemset(data, 0, 8 << 20);
    for (int words : {1, 2, 8, 32}) {
        unsigned index[32];
        for (int i = 0; i < 32; i++)
            index[i] = i % words * 4;
        cudaMemcpy(data + INDICES + words * 128, index, sizeof index, cudaMemcpyHostToDevice);
    }
    for (int k : {1, 4, 12}) {
        for (int words : {1, 2, 8, 32}) {
            char far[32];
            snprintf(far, sizeof far, " %d words", words);
            alone(LDC, k, words, 4, far, true, true);
        }
        for (int op : {LDG, LDGCG, STG, RED, ATOMG, LDS, STS, ATOMS})
            for (int step : {4, 128, 236, 5100})
                if (step <= 128 || op == LDG || op == STG) {
                    char far[32];
                    snprintf(far, sizeof far, " %d apart", step);
                    alone(op, k, 1, step, far, op != STG && op != STS && op != RED, true);
                }
        alone(LDG2, k, 1, 8, "", true, true);
        alone(LDG4, k, 1, 16, "", true, true);
        alone(STG4, k, 1, 16, "", false, true);
        alone(LDS4, k, 1, 16, "", true, true);
        alone(STS4, k, 1, 16, "", false, true);
        for (int op : {MUFU, SHFL, F2I, POPC})
            alone(op, k, 1, 4, "", true, true);
        alone(S2R, k, 1, 4, "", true, false);
    }
    static const int pairs[][2] = {{LDG, LDC}, {LDC, LDG}, {LDS, LDC}, {LDC, LDS}, {MUFU, LDC}, {LDC, MUFU}, {LDG, LDS}, {LDS, LDG},
                                   {LDG, MUFU}, {LDG, SHFL}, {LDG, STG}, {STG, LDG}, {LDG, LDG}, {LDC, LDC}, {STG, LDC}, {LDG, STS}};
    for (auto &p : pairs)
        for (int step : {4, 128, 236}) {
            char far[32];
            snprintf(far, sizeof far, " %d apart", step);
            both(p[0], p[1], 1, step, far);
        }
    for (int op : {FFMA, IMAD, WIDE, DADD, HFMA, MULHI})
        for (int chains : {1, 8})
            for (unsigned stall = 1; stall <= 12; stall++) {
                char name[64], kernel[128];
                snprintf(kernel, sizeof kernel, "_Z5chainILi%dELi%dEEvPciifiPyPj", op, chains);
                snprintf(name, sizeof name, "%s chains %d stall %u", op_name[op], chains, stall);
                patch_stall(kernel, stall);
                rows_of_code("stall", name, kernel, 1, 4, {1, 8}, 64);
            }
    return 0;
}
