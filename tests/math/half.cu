/* Half precision and bfloat16, one template for both: all 65536 values through the conversions, device against host, and both against
 * arithmetic in double. */
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <vector>

static int failures;

static uint64_t random_bits()
{
    static uint64_t s = 7;
    uint64_t z = s += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

__host__ __device__ static unsigned short bits(__half h) { return __half_as_ushort(h); }
__host__ __device__ static unsigned short bits(__nv_bfloat16 h) { return __bfloat16_as_ushort(h); }
template <class H> __host__ __device__ static H make(unsigned short);
template <> __host__ __device__ __half make<__half>(unsigned short u) { return __ushort_as_half(u); }
template <> __host__ __device__ __nv_bfloat16 make<__nv_bfloat16>(unsigned short u)
{
    return __ushort_as_bfloat16(u);
}
__host__ __device__ static float to_float(__half h) { return __half2float(h); }
__host__ __device__ static float to_float(__nv_bfloat16 h) { return __bfloat162float(h); }
__host__ __device__ static __half near(float f, __half) { return __float2half_rn(f); }
__host__ __device__ static __nv_bfloat16 near(float f, __nv_bfloat16) { return __float2bfloat16_rn(f); }
__host__ __device__ static __half toward(float f, __half) { return __float2half_rz(f); }
__host__ __device__ static __nv_bfloat16 toward(float f, __nv_bfloat16) { return __float2bfloat16_rz(f); }
__host__ __device__ static __half down(float f, __half) { return __float2half_rd(f); }
__host__ __device__ static __nv_bfloat16 down(float f, __nv_bfloat16) { return __float2bfloat16_rd(f); }
__host__ __device__ static __half up(float f, __half) { return __float2half_ru(f); }
__host__ __device__ static __nv_bfloat16 up(float f, __nv_bfloat16) { return __float2bfloat16_ru(f); }
__host__ __device__ static int whole(__half h) { return __half2int_rz(h); }
__host__ __device__ static int whole(__nv_bfloat16 h) { return __bfloat162int_rz(h); }
__host__ __device__ static __half from_int(int i, __half) { return __int2half_rn(i); }
__host__ __device__ static __nv_bfloat16 from_int(int i, __nv_bfloat16) { return __int2bfloat16_rn(i); }
__host__ __device__ static __half2 pair(__half a, __half b) { return __halves2half2(a, b); }
__host__ __device__ static __nv_bfloat162 pair(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return __halves2bfloat162(a, b);
}

#if defined(__clang__) /* not on the host of nvcc */
#define BOTH(name, R, call_h, call_b)                                                                        \
    __host__ __device__ static R name(__half x) { return call_h(x); }                                        \
    __host__ __device__ static R name(__nv_bfloat16 x) { return call_b(x); }
BOTH(to_short, short, __half2short_rn, __bfloat162short_rn)
BOTH(to_ushort, unsigned short, __half2ushort_ru, __bfloat162ushort_ru)
BOTH(to_uint, unsigned, __half2uint_rd, __bfloat162uint_rd)
__host__ __device__ static __half from_short(int i, __half) { return __short2half_rz((short)i); }
__host__ __device__ static __nv_bfloat16 from_short(int i, __nv_bfloat16)
{
    return __short2bfloat16_rz((short)i);
}
__host__ __device__ static __half from_uint(int i, __half) { return __uint2half_ru((unsigned)i); }
__host__ __device__ static __nv_bfloat16 from_uint(int i, __nv_bfloat16)
{
    return __uint2bfloat16_ru((unsigned)i);
}
__host__ __device__ static __half from_ll(int i, __half) { return __ll2half_rd((long long)i << 7); }
__host__ __device__ static __nv_bfloat16 from_ll(int i, __nv_bfloat16)
{
    return __ll2bfloat16_rd((long long)i << 7);
}
#endif

enum { RESULTS = 56 };

/* Everything that one pair of values and one float give, as 16-bit results. */
template <class H> __host__ __device__ static void compute(H a, H b, H c, float f, int i, unsigned short *r)
{
    int k = 0;
    r[k++] = bits(a + b);
    r[k++] = bits(a - b);
    r[k++] = bits(a * b);
    r[k++] = bits(a / b);
    r[k++] = bits(-a);
    r[k++] = bits(__habs(a));
    r[k++] = bits(__hmin(a, b));
    r[k++] = bits(__hmax(a, b));
    r[k++] = bits(__hmin_nan(a, b));
    r[k++] = bits(near(f, a));
    r[k++] = bits(toward(f, a));
    r[k++] = bits(down(f, a));
    r[k++] = bits(up(f, a));
    r[k++] = bits(from_int(i, a));
    r[k++] = (unsigned short)(whole(a) & 0xffff);
    r[k++] = (unsigned short)((a == b) | (a != b) << 1 | (a < b) << 2 | (a <= b) << 3 | (a > b) << 4 |
                              (a >= b) << 5 | __hltu(a, b) << 6 | __hequ(a, b) << 7 | __hne(a, b) << 8 |
                              __hisnan(a) << 9);
    auto p = pair(a, b), q = pair(b, c);
    auto s = p + q, u = p * q, e = __hlt2(p, q), m = __hmax2(p, q);
    r[k++] = bits(s.x);
    r[k++] = bits(s.y);
    r[k++] = bits(u.y);
    r[k++] = bits(e.x);
    r[k++] = bits(e.y);
    r[k++] = bits(m.x);
    r[k++] = (unsigned short)(__hbge2(p, q) | __hbneu2(p, q) << 1);
    r[k++] = bits(__hadd_sat(a, b));
    H step = a;
    ++step;
    step += b;
    r[k++] = bits(step);
    r[k++] = bits(H((double)f));
#if defined(__clang__) /* not on the host of nvcc */
    auto t = __hfma2(p, q, p);
    r[k++] = bits(__hfma(a, b, c));
    r[k++] = bits(t.x);
    r[k++] = bits(t.y);
    r[k++] = bits(__hfma_relu(a, b, c));
    r[k++] = bits(hfloor(a));
    r[k++] = bits(hrint(a));
    r[k++] = bits(hsqrt(a));
    r[k++] = bits(hrcp(a));
#endif
    while (k < 40)
        r[k++] = 0;
#if defined(__clang__)
    const int w = (int)((unsigned)bits(a) << 16 | bits(b)) >> (bits(c) & 31);
    r[k++] = (unsigned short)to_short(a);
    r[k++] = to_ushort(a);
    r[k++] = (unsigned short)to_uint(a);
    r[k++] = bits(from_short(w, a));
    r[k++] = bits(from_uint(w, a));
    r[k++] = bits(from_ll(w, a));
#endif
    unsigned mask = __hgt2_mask(p, q), some = __hneu2_mask(q, p);
    r[k++] = (unsigned short)mask;
    r[k++] = (unsigned short)(mask >> 16);
    r[k++] = (unsigned short)(some >> 8);
    auto none = __hisnan2(pair(a, c));
    r[k++] = bits(none.x);
    r[k++] = bits(none.y);
    r[k++] = (unsigned short)(__hblt2(p, q) | __hbequ2(p, q) << 1 | __hbleu2(q, p) << 2);
    while (k < RESULTS)
        r[k++] = 0;
}
template <class H>
__global__ void kernel(const unsigned short *in, const float *f, unsigned short *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        compute<H>(make<H>(in[3 * i]), make<H>(in[3 * i + 1]), make<H>(in[3 * i + 2]), f[i], (int)(f[i] * 3),
                   out + (size_t)i * RESULTS);
}
template <class H> __global__ void functions(const unsigned short *in, float *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    H x = make<H>(in[i]);
    float *r = out + 12 * i;
    r[0] = to_float(hexp(x)), r[1] = to_float(hexp2(x)), r[2] = to_float(hexp10(x)), r[3] = to_float(hlog(x)),
    r[4] = to_float(hlog2(x));
    r[5] = to_float(hlog10(x)), r[6] = to_float(hsin(x)), r[7] = to_float(hcos(x)), r[8] = to_float(htanh(x)),
    r[9] = to_float(hrsqrt(x));
    r[10] = to_float(x), r[11] = to_float(__shfl_xor_sync(0xffffffffu, x, 1));
}
template <class H2> __global__ void add_up(H2 *sum, H2 v) { atomicAdd(sum, v); }

static void must(cudaError_t e)
{
    if (e != cudaSuccess) {
        printf("CUDA: %s\n", cudaGetErrorString(e));
        exit(2);
    }
}
template <class T> static T *on_device(const std::vector<T> &v)
{
    T *p;
    must(cudaMalloc((void **)&p, v.size() * sizeof(T)));
    must(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
    return p;
}
static void wrong(const char *what, const char *type, unsigned at, unsigned got, unsigned want)
{
    if (failures++ < 20)
        printf("%s %s %u: %04x, correct %04x\n", type, what, at, got, want);
}

/* The nearest value of the format, found among its neighbours: slow and plain. */
template <class H> static unsigned short nearest(double x)
{
    if (x != x)
        return 0x7fff;
    unsigned lo = 0, hi = sizeof(H) && bits(make<H>(0)) == 0 ? 0x7fff : 0;
    while (hi - lo > 1) { /* largest value <= |x|; NaN counts as larger */
        unsigned mid = (lo + hi) / 2;
        float f = to_float(make<H>((unsigned short)mid));
        if (f == f && (double)f <= fabs(x))
            lo = mid;
        else
            hi = mid;
    }
    float a = to_float(make<H>((unsigned short)lo)), b = to_float(make<H>((unsigned short)(lo + 1)));
    unsigned r = lo;
    if (b == b && !std::isinf(a)) {
        /* The place of infinity is one step beyond the largest. */
        double top =
            std::isinf(b) ? (double)a + ((double)a - to_float(make<H>((unsigned short)(lo - 1)))) : b;
        double below = fabs(x) - a, above = top - fabs(x);
        r = below > above || (below == above && lo & 1) ? lo + 1 : lo;
    }
    return (unsigned short)(r | (std::signbit(x) ? 0x8000 : 0));
}

/* x y + z with a sticky last bit: a double is too short for a sum of numbers of very different size. */
static double sticky_fma(double x, double y, double z)
{
    double p = x * y, s = fma(x, y, z);
    double big = fabs(p) > fabs(z) ? p : z, small = fabs(p) > fabs(z) ? z : p, lost = small - (s - big);
    if (!std::isfinite(s) || lost == 0)
        return s;
    uint64_t u;
    memcpy(&u, &s, 8);
    return u & 1 ? s : nextafter(s, lost > 0 ? INFINITY : -INFINITY); /* odd: never a tie */
}
template <class H> static void check_arithmetic(const char *type)
{
    const unsigned n = 1 << 14;
    std::vector<unsigned short> in(3 * n), out((size_t)n * RESULTS), want(RESULTS);
    std::vector<float> f(n);
    for (unsigned i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) {
            in[3 * i + k] = (unsigned short)random_bits();
            if (i & 1) /* of one size, so that sums and products stay in range */
                in[3 * i + k] = bits(near((float)((int)(random_bits() % 4096) - 2048) / 64.0f, H()));
        }
        uint32_t u = (uint32_t)random_bits();
        memcpy(&f[i], &u, 4);
        if (i & 2)
            f[i] = (float)ldexp((double)(int)(random_bits() & 0xffffff) - 0x800000,
                                (int)(random_bits() % 50) - 48);
        if (!(fabsf(f[i]) < 1e8f) && i & 4)
            f[i] = (float)i;
    }
    unsigned short *din = on_device(in), *dout = on_device(out);
    float *df = on_device(f);
    kernel<H><<<n / 128, 128>>>(din, df, dout, n);
    must(cudaGetLastError());
    must(cudaMemcpy(out.data(), dout, out.size() * 2, cudaMemcpyDeviceToHost));
    for (unsigned i = 0; i < n; i++) {
        H a = make<H>(in[3 * i]), b = make<H>(in[3 * i + 1]), c = make<H>(in[3 * i + 2]);
        double x = to_float(a), y = to_float(b), z = to_float(c);
        if (!(fabs((double)f[i] * 3) < 2e9))
            f[i] = 1; /* the conversion to int is not defined: only compare the rest */
        compute<H>(a, b, c, f[i], (int)(f[i] * 3), want.data());
        const unsigned short *got = &out[(size_t)i * RESULTS];
        const double exact[] = {x + y, x - y, x * y, x / y, sticky_fma(x, y, z)};
        const int place[] = {0, 1, 2, 3, 26};
#if defined(__clang__)
        const int count = 5;
#else
        const int count = 4;
#endif
        for (int k = 0; k < count; k++)
            if (nearest<H>(exact[k]) != want[place[k]])
                wrong("arithmetic on the host", type, i * 100 + k, want[place[k]], nearest<H>(exact[k]));
        for (int k = 0; k < RESULTS; k++) {
            bool on_float = (k >= 9 && k <= 13) || k == 25;
            bool nan = k != 14 && k != 15 && k != 22 && make<H>(got[k]) != make<H>(got[k]) &&
                       make<H>(want[k]) != make<H>(want[k]);
            if (got[k] != want[k] && !nan && !(on_float && f[i] == 1))
                wrong("device and host", type, i * 100 + k, got[k], want[k]);
        }
    }
    cudaFree(din), cudaFree(dout), cudaFree(df);
}

template <class H> static void check_functions(const char *type, double ulp)
{
    std::vector<unsigned short> in(65536);
    std::vector<float> out(12 * 65536);
    for (unsigned i = 0; i < 65536; i++)
        in[i] = (unsigned short)i;
    unsigned short *din = on_device(in);
    float *dout = on_device(out);
    functions<H><<<256, 256>>>(din, dout);
    must(cudaMemcpy(out.data(), dout, out.size() * 4, cudaMemcpyDeviceToHost));
    for (unsigned i = 0; i < 65536; i++) {
        H h = make<H>((unsigned short)i);
        double x = to_float(h);
        if (x == x && bits(near((float)x, H())) != i)
            wrong("to float and back", type, i, bits(near((float)x, H())), i);
        const double exact[] = {exp(x),  exp2(x),     pow(10, x), log(x),
                                log2(x), log10(x),    sin(x),     cos(x),
                                tanh(x), 1 / sqrt(x), x,          to_float(make<H>((unsigned short)(i ^ 1)))};
        for (int k = 0; k < 12; k++) {
            unsigned short g = nearest<H>(out[12 * i + k]), w = nearest<H>(exact[k]);
            int dist = abs((int)(g & 0x7fff) - (int)(w & 0x7fff));
            bool bad = (g & 0x7fff) > bits(near(INFINITY, H())) ? !(exact[k] != exact[k])
                                                                : dist > ulp || ((g ^ w) & 0x8000 && dist);
            if (bad && !(exact[k] != exact[k]))
                wrong("function", type, i * 100 + k, g, w);
        }
    }
    cudaFree(din), cudaFree(dout);
}
template <class H2> static void check_atomic(const char *type, H2 zero, H2 v, float want)
{
    H2 *sum;
    must(cudaMalloc((void **)&sum, sizeof *sum));
    must(cudaMemcpy(sum, &zero, sizeof zero, cudaMemcpyHostToDevice));
    add_up<<<2, 64>>>(sum, v);
    must(cudaMemcpy(&zero, sum, sizeof zero, cudaMemcpyDeviceToHost));
    if (__low2float(zero) != want || __high2float(zero) != -want)
        wrong("atomicAdd", type, 0, (unsigned)__low2float(zero), (unsigned)want);
    cudaFree(sum);
}

int main()
{
    check_arithmetic<__half>("half");
    check_arithmetic<__nv_bfloat16>("bfloat16");
    check_functions<__half>("half", 1);
    check_functions<__nv_bfloat16>("bfloat16", 1);
    check_atomic<__half2>("half", __floats2half2_rn(0, 0), __floats2half2_rn(1, -1), 128);
    check_atomic<__nv_bfloat162>("bfloat16", __floats2bfloat162_rn(0, 0), __floats2bfloat162_rn(1, -1), 128);
    printf(failures ? "FAIL\n" : "PASS\n");
    return failures != 0;
}
// SPDX-License-Identifier: Apache-2.0
