// wgmma on matrices in every layout that a descriptor can describe: small integers, so that every sum is exact on any machine, held
// against a host reference. Each line is a product: what, how its matrices lie, the sum and a checksum of D.
#include "check.h"

#include <cmath>
#include <cstdint>
#include <cuda_fp16.h>
#include <vector>

enum { ROWS = 64, COLS = 64, LINE_B = 32, SHARED_B = 64 * 1024 };

#define LIST32                                                                                               \
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, "  \
    "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31}"
#define LIST16 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}"
#define OUT4(c, d, i) c(d[i]), c(d[i + 1]), c(d[i + 2]), c(d[i + 3])
#define OUT16(c, d, i) OUT4(c, d, i), OUT4(c, d, i + 4), OUT4(c, d, i + 8), OUT4(c, d, i + 12)
#define OUT32(c, d) OUT16(c, d, 0), OUT16(c, d, 16)
#define START "{\n.reg .pred p;\nsetp.ne.b32 p, "
#define WGMMA ", 0;\nwgmma.mma_async.sync.aligned."

// D (32 registers) += A B, both in shared memory.
#define IN_MEMORY(name, word, c, form, tail)                                                                 \
    struct name {                                                                                            \
        using acc = word;                                                                                    \
        enum { REGS = 32 };                                                                                  \
        __device__ static void mma(word (&d)[32], uint64_t a, uint64_t b, int add)                           \
        {                                                                                                    \
            asm volatile(START "%34" WGMMA form " " LIST32 ", %32, %33, p" tail ";\n}"                       \
                         : OUT32(c, d)                                                                       \
                         : "l"(a), "l"(b), "r"(add));                                                        \
        }                                                                                                    \
    }
IN_MEMORY(f16_kk, float, "+f", "m64n64k16.f32.f16.f16", ", 1, 1, 0, 0");
IN_MEMORY(f16_km, float, "+f", "m64n64k16.f32.f16.f16", ", 1, 1, 0, 1");
IN_MEMORY(f16_mk, float, "+f", "m64n64k16.f32.f16.f16", ", 1, 1, 1, 0");
IN_MEMORY(f16_mm, float, "+f", "m64n64k16.f32.f16.f16", ", 1, 1, 1, 1");
IN_MEMORY(f16_neg, float, "+f", "m64n64k16.f32.f16.f16", ", -1, 1, 0, 0");
IN_MEMORY(bf16_mm, float, "+f", "m64n64k16.f32.bf16.bf16", ", 1, 1, 1, 1");
IN_MEMORY(tf32_kk, float, "+f", "m64n64k8.f32.tf32.tf32", ", 1, 1");
IN_MEMORY(e4m3_e5m2, float, "+f", "m64n64k32.f32.e4m3.e5m2", ", 1, 1");
IN_MEMORY(e5m2_e4m3, float, "+f", "m64n64k32.f32.e5m2.e4m3", ", 1, -1");
IN_MEMORY(s8_s8, int, "+r", "m64n64k32.s32.s8.s8", "");
IN_MEMORY(u8_s8, int, "+r", "m64n64k32.satfinite.s32.u8.s8", "");
IN_MEMORY(b1_b1, int, "+r", "m64n64k256.s32.b1.b1.and.popc", "");

// D as pairs of halves.
struct half_d {
    using acc = unsigned;
    enum { REGS = 16 };
    __device__ static void mma(unsigned (&d)[16], uint64_t a, uint64_t b, int add)
    {
        asm volatile(START "%18" WGMMA "m64n64k16.f16.f16.f16 " LIST16 ", %16, %17, p, 1, 1, 0, 0;\n}"
                     : OUT16("+r", d, 0)
                     : "l"(a), "l"(b), "r"(add));
    }
};

// A in registers.
struct bf16_regs {
    using acc = float;
    enum { REGS = 32 };
    __device__ static void mma(float (&d)[32], const unsigned (&a)[4], uint64_t b, int add)
    {
        asm volatile(START "%37" WGMMA "m64n64k16.f32.bf16.bf16 " LIST32
                           ", {%32, %33, %34, %35}, %36, p, 1, 1, 0;\n}"
                     : OUT32("+f", d)
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
    }
};

__device__ static void group_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ static void group_done()
{
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
}

extern __shared__ __align__(1024) unsigned char tile[];

__device__ static uint64_t fill(const unsigned *image)
{
    for (unsigned i = threadIdx.x; i < SHARED_B / 4; i += blockDim.x)
        ((unsigned *)tile)[i] = image[i];
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    return (uint64_t)__cvta_generic_to_shared(tile) >> 4;
}

// D = steps times A B, each at the next slice along k: a and b step by so many units of 16 bytes. With more than one warp group all
// do the same.
template <class Form>
__global__ void multiply(const unsigned *image, uint64_t a, uint64_t b, int steps, unsigned step_a,
                         unsigned step_b, typename Form::acc first, typename Form::acc *out)
{
    typename Form::acc d[Form::REGS];
    uint64_t base = fill(image);
    a += base, b += base;
    for (int i = 0; i < Form::REGS; i++)
        d[i] = first;
    group_fence();
    for (int s = 0; s < steps; s++) {
        Form::mma(d, a, b, 1);
        a += step_a, b += step_b;
    }
    group_done();
    for (int i = 0; i < Form::REGS; i++)
        out[threadIdx.x * Form::REGS + i] = d[i];
}

__global__ void multiply_regs(const unsigned *image, const uint4 *a, uint64_t b, int steps, unsigned step_b,
                              float *out)
{
    float d[32];
    unsigned r[4];
    b += fill(image);
    for (int s = 0; s < steps; s++) {
        uint4 v = a[s * 128 + threadIdx.x];
        r[0] = v.x, r[1] = v.y, r[2] = v.z, r[3] = v.w;
        group_fence();
        bf16_regs::mma(d, r, b + s * step_b, s > 0); // the first one does not add to what d held
        group_done();
    }
    for (int i = 0; i < 32; i++)
        out[threadIdx.x * 32 + i] = d[i];
}

// ---- the host's side ----

enum kind { F16, BF16, TF32, E4M3, E5M2, S8, U8, B1 };
static const unsigned kind_bits[] = {16, 16, 32, 8, 8, 8, 8, 1};

static unsigned float_code(double v, int ebits, int mbits)
{
    if (v == 0)
        return 0;
    int e;
    double m = std::frexp(std::fabs(v), &e) * 2 - 1; // |v| = (1 + m) 2^(e - 1)
    return (unsigned)(v < 0) << (ebits + mbits) | (unsigned)(e - 1 + (1 << (ebits - 1)) - 1) << mbits |
           (unsigned)(m * (1 << mbits));
}

static unsigned encode(kind k, int v)
{
    switch (k) {
    case F16: return float_code(v, 5, 10);
    case BF16: return float_code(v, 8, 7);
    case TF32: return float_code(v, 8, 23);
    case E4M3: return float_code(v, 4, 3);
    case E5M2: return float_code(v, 5, 2);
    case B1: return v & 1;
    default: return v & 0xff;
    }
}

// Element (row, k) of a matrix, a small number that repeats nowhere soon. B has other numbers than A.
static int element(kind k, int which, int row, int at)
{
    unsigned h = (unsigned)(row * 7919 + at * 104729 + which * 1299709 + 12345);
    h = (h ^ h >> 7) * 2654435761u >> 20;
    if (k == B1)
        return h & 1;
    return (int)(h % 5) - (k == U8 ? 0 : 2);
}

// How a matrix lies in shared memory: lines of `line_b` bytes, 8 to an atom (16: no swizzle).
struct matrix {
    kind k;
    int which;
    unsigned line_b;
    bool mn;             // lines along the rows, else along k
    unsigned at, shift;  // bytes into the tile; lines that the pattern is off
    unsigned row_step, k_step; // bytes from atom to atom
    unsigned slices;     // along k, 32 bytes each
    uint64_t desc;
    unsigned step; // from slice to slice, in units of 16 bytes
};

static void put(std::vector<unsigned char> &image, const matrix &m, int row, int k, unsigned code)
{
    unsigned bits = kind_bits[m.k], byte = k * bits / 8, line, in_line, o;
    if (m.mn)
        line = k % 8, in_line = row * 2 % m.line_b, o = row * 2 / m.line_b * m.row_step + k / 8 * m.k_step;
    else
        line = row % 8, in_line = byte % m.line_b, o = row / 8 * m.row_step + byte / m.line_b * m.k_step;
    unsigned piece = in_line / 16 ^ line * m.line_b / 128 % (m.line_b / 16);
    o += m.at + 128 * m.shift + line * m.line_b + piece * 16 + in_line % 16;
    if (bits < 8)
        image[o] |= (unsigned char)(code << k % 8);
    else
        for (unsigned b = 0; b < bits / 8; b++)
            image[o + b] = (unsigned char)(code >> 8 * b);
}

static void place(std::vector<unsigned char> &image, matrix &m)
{
    unsigned atom = 8 * m.line_b, across = m.mn ? ROWS * 2 / m.line_b : ROWS / 8, k = 8 * LINE_B / kind_bits[m.k];
    unsigned mode = m.line_b == 128 ? 1 : m.line_b == 64 ? 2 : m.line_b == 32 ? 3 : 0;
    bool rows_lead = m.mn && m.line_b != 16;
    m.row_step = atom;
    m.k_step = across * atom;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < (int)(k * m.slices); j++)
            put(image, m, i, j, encode(m.k, element(m.k, m.which, i, j)));
    uint64_t lead = rows_lead ? m.row_step : m.k_step, stride = rows_lead ? m.k_step : m.row_step;
    m.desc = (m.at + 128 * m.shift) >> 4 | lead >> 4 << 16 | stride >> 4 << 32 | (uint64_t)m.shift << 49 |
             (uint64_t)mode << 62;
    // A slice is 16 elements of k, two atoms, of MN-major matrices; of others it is 32 bytes of a line, or two atoms of 16.
    m.step = m.mn || m.line_b == 16 ? m.k_step * 2 >> 4 : 2;
}

static void reference(const matrix &a, const matrix &b, int times, double first, double *d)
{
    int k = 8 * LINE_B / (int)kind_bits[a.k] * (int)a.slices;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++) {
            d[i * COLS + j] = first;
            for (int x = 0; x < k; x++)
                d[i * COLS + j] += times * element(a.k, 0, i, x) * element(b.k, 1, j, x);
        }
}

// Fragments to a matrix, held against the reference.
static void compare(const char *name, const matrix &a, const matrix &b, const double *got, const double *want)
{
    unsigned wrong = 0, hash = 0;
    double sum = 0;
    for (int i = 0; i < ROWS * COLS; i++) {
        wrong += got[i] != want[i];
        sum += got[i];
        hash = (hash ^ (unsigned)(int)got[i]) * 16777619u;
    }
    std::printf("%s A %s%u B %s%u%s: sum %.0f, checksum %08x, %u wrong\n", name, a.mn ? "mn" : "k", a.line_b,
                b.mn ? "mn" : "k", b.line_b, a.shift || b.shift ? " shifted" : "", sum, hash, wrong);
    CHECK(!wrong);
}

static double value_of(float v, int) { return v; }
static double value_of(int v, int) { return v; }
static double value_of(unsigned v, int half) { return __half2float(__ushort_as_half((unsigned short)(v >> 16 * half))); }

template <class Form>
static void run(const char *name, kind ka, kind kb, bool mn_a, bool mn_b, unsigned line_a, unsigned line_b, int times,
                typename Form::acc first, double first_value, unsigned shift = 0)
{
    std::vector<unsigned char> image(SHARED_B);
    unsigned slices = mn_a || mn_b || line_a == 16 || line_b == 16 ? 2
                      : (line_a < line_b ? line_a : line_b) / LINE_B;
    matrix a = {ka, 0, line_a, mn_a, 0, shift, 0, 0, slices, 0, 0},
           b = {kb, 1, line_b, mn_b, SHARED_B / 2, shift, 0, 0, slices, 0, 0};
    if (line_a == 32 && !mn_a) // a line has one slice
        a.slices = b.slices = slices = 1;
    if (line_b == 32 && !mn_b)
        a.slices = b.slices = slices = 1;
    place(image, a);
    place(image, b);
    using acc = typename Form::acc;
    unsigned *dev_image;
    acc *dev_out;
    std::vector<acc> out(128 * Form::REGS);
    OK(cudaMalloc(&dev_image, SHARED_B));
    OK(cudaMalloc(&dev_out, out.size() * sizeof(acc)));
    OK(cudaMemcpy(dev_image, image.data(), SHARED_B, cudaMemcpyHostToDevice));
    OK(cudaFuncSetAttribute(multiply<Form>, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_B));
    multiply<Form><<<1, 128, SHARED_B>>>(dev_image, a.desc, b.desc, (int)slices, a.step, b.step, first, dev_out);
    RAN();
    OK(cudaMemcpy(out.data(), dev_out, out.size() * sizeof(acc), cudaMemcpyDeviceToHost));
    std::vector<double> got(ROWS * COLS), want(ROWS * COLS);
    int per = 32 / Form::REGS;
    for (int t = 0; t < 128; t++)
        for (int e = 0; e < 32; e++) {
            int row = t / 32 * 16 + t % 32 / 4 + e / 2 % 2 * 8, col = e / 4 * 8 + t % 4 * 2 + e % 2;
            got[row * COLS + col] = value_of(out[t * Form::REGS + e / per], e % per);
        }
    reference(a, b, times, first_value, want.data());
    compare(name, a, b, got.data(), want.data());
    OK(cudaFree(dev_image));
    OK(cudaFree(dev_out));
}

static void run_regs(unsigned line_b)
{
    std::vector<unsigned char> image(SHARED_B);
    unsigned slices = line_b / LINE_B;
    matrix a = {BF16, 0, line_b, false, 0, 0, 0, 0, slices, 0, 0}, b = a;
    b.which = 1;
    place(image, b);
    std::vector<uint4> regs(128 * slices);
    for (unsigned s = 0; s < slices; s++)
        for (int t = 0; t < 128; t++) {
            unsigned w[4];
            for (int r = 0; r < 4; r++) {
                int row = t / 32 * 16 + t % 32 / 4 + r % 2 * 8, k = (int)s * 16 + r / 2 * 8 + t % 4 * 2;
                w[r] = encode(BF16, element(BF16, 0, row, k)) | encode(BF16, element(BF16, 0, row, k + 1)) << 16;
            }
            regs[s * 128 + t] = make_uint4(w[0], w[1], w[2], w[3]);
        }
    unsigned *dev_image;
    uint4 *dev_a;
    float *dev_out, out[128 * 32];
    OK(cudaMalloc(&dev_image, SHARED_B));
    OK(cudaMalloc(&dev_a, regs.size() * sizeof(uint4)));
    OK(cudaMalloc(&dev_out, sizeof out));
    OK(cudaMemcpy(dev_image, image.data(), SHARED_B, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(dev_a, regs.data(), regs.size() * sizeof(uint4), cudaMemcpyHostToDevice));
    OK(cudaFuncSetAttribute(multiply_regs, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_B));
    multiply_regs<<<1, 128, SHARED_B>>>(dev_image, dev_a, b.desc, (int)slices, b.step, dev_out);
    RAN();
    OK(cudaMemcpy(out, dev_out, sizeof out, cudaMemcpyDeviceToHost));
    std::vector<double> got(ROWS * COLS), want(ROWS * COLS);
    for (int t = 0; t < 128; t++)
        for (int e = 0; e < 32; e++) {
            int row = t / 32 * 16 + t % 32 / 4 + e / 2 % 2 * 8, col = e / 4 * 8 + t % 4 * 2 + e % 2;
            got[row * COLS + col] = out[t * 32 + e];
        }
    reference(a, b, 1, 0, want.data());
    compare("bf16 registers", a, b, got.data(), want.data());
    OK(cudaFree(dev_image));
    OK(cudaFree(dev_a));
    OK(cudaFree(dev_out));
}

int main()
{
    for (unsigned line = 16; line <= 128; line *= 2) {
        run<f16_kk>("f16", F16, F16, false, false, line, line, 1, 3.0f, 3);
        run<f16_km>("f16", F16, F16, false, true, line == 16 ? 128 : line, line, 1, 0.0f, 0);
        run<f16_mk>("f16", F16, F16, true, false, line, line == 16 ? 128 : line, 1, -1.0f, -1);
        run<f16_mm>("f16", F16, F16, true, true, line, 144 - line > 64 ? 128 : 64, 1, 0.0f, 0);
        run<bf16_mm>("bf16", BF16, BF16, true, true, line, line, 1, 5.0f, 5);
        run<f16_neg>("-f16", F16, F16, false, false, line, line, -1, 7.0f, 7);
        run<half_d>("f16 to f16", F16, F16, false, false, line, line, 1, 0x3c003c00u, 1);
        run<tf32_kk>("tf32", TF32, TF32, false, false, line, line, 1, 0.0f, 0);
        run<e4m3_e5m2>("e4m3 e5m2", E4M3, E5M2, false, false, line, line, 1, 0.0f, 0);
        run<e5m2_e4m3>("e5m2 -e4m3", E5M2, E4M3, false, false, line, line, -1, 0.0f, 0);
        run<s8_s8>("s8", S8, S8, false, false, line, line, 1, -9, -9);
        run<u8_s8>("u8 s8", U8, S8, false, false, line, line, 1, 100, 100);
        run<b1_b1>("b1", B1, B1, false, false, line, line, 1, 0, 0);
    }
    for (unsigned line = 32; line <= 128; line *= 2)
        run_regs(line);
    // A pattern that does not begin at a multiple of its size: the base offset of the descriptor tells.
    for (unsigned shift = 1; shift < 8; shift++)
        run<f16_kk>("f16", F16, F16, false, false, 128, 128, 1, 0.0f, 0, shift);
    return passed();
}
// SPDX-License-Identifier: Apache-2.0
