/* C++ overloads of math functions, std:: and global: the right type comes out, and host and device agree. (nvcc needs
 * --expt-relaxed-constexpr for those of libstdc++.) */
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include <math_functions.h>
#include <type_traits>

enum { VALUES = 128 };

/* Every expression once, with the type it must have. */
#define IS(want, expr)                                                                                       \
    do {                                                                                                     \
        static_assert(std::is_same<typename std::decay<decltype(expr)>::type, want>::value, #expr);          \
        out[n++] = (double)(expr);                                                                           \
    } while (0)

__host__ __device__ static int evaluate(float f, float g, double d, int i, unsigned u, long long l, size_t z,
                                        double *out)
{
    int n = 0, e;
    float s, c;
    double ds, dc;
    typedef unsigned long ulong_;
    typedef unsigned long long ull;
    IS(float, min(f, g));
    IS(double, max(f, d));
    IS(double, min(d, f));
    IS(unsigned, min(i, u));
    IS(unsigned, max(u, i));
    IS(int, max(i, 3));
    IS(long long, min(l, 5LL));
    IS(ulong_, max(z, (size_t)7));
    IS(ull, max((ull)3, l));
    IS(long, min(4L, 5L));
    IS(float, rsqrt(f));
    IS(double, rsqrt(d));
    IS(float, rcbrt(f));
    IS(float, exp10(f));
    IS(float, sinpi(f));
    IS(float, cospi(f));
    IS(float, normcdf(f));
    IS(double, normcdf(d));
    IS(float, normcdfinv(f));
    IS(float, erfinv(f));
    IS(float, erfcinv(f));
    IS(float, erfcx(f));
    IS(float, rsqrtf(f));
    IS(double, rcbrt(d));
    IS(double, sinpi(d));
    IS(double, erfcinv(d));
    IS(float, std::sqrt(f));
    IS(float, sqrt(f));
    IS(double, sqrt(i));
    IS(float, std::abs(f));
    IS(float, abs(f));
    IS(int, abs(i));
    IS(long long, abs(l));
    IS(float, fabs(f));
    IS(float, pow(f, g));
    IS(double, pow(d, d));
    IS(double, pow(i, 2));
    IS(double, pow(2, d));
    IS(double, pow(f, d));
    IS(float, exp(f));
    IS(float, std::exp(f));
    IS(double, exp(i));
    IS(double, fmax(f, d));
    IS(double, fmin(1, d));
    IS(float, fmin(f, g));
    IS(double, atan2(f, d));
    IS(float, atan2(f, g));
    IS(float, hypot(f, g));
    IS(float, log2(f));
    IS(float, std::log2(f));
    IS(float, log1p(f));
    IS(float, expm1(f));
    IS(float, cbrt(f));
    IS(float, tgamma(f));
    IS(float, lgamma(f));
    IS(float, erf(f));
    IS(float, erfc(f));
    IS(float, asinh(f));
    IS(float, acosh(g + 2));
    IS(float, atanh(f));
    IS(double, floor(i));
    IS(float, floor(f));
    IS(float, round(f));
    IS(float, trunc(f));
    IS(float, rint(f));
    IS(float, nearbyint(f));
    IS(long, lrint(f));
    IS(long, lround(f));
    IS(long long, llrint(f));
    IS(long long, llround(d));
    IS(int, ilogb(f));
    IS(float, logb(f));
    IS(float, ldexp(f, 2));
    IS(float, scalbn(f, 3));
    IS(float, frexp(f, &e));
    IS(float, fma(f, g, f));
    IS(float, copysign(f, g));
    IS(float, nextafter(f, g));
    IS(float, remainder(f, g));
    IS(float, fmod(f, g));
    IS(float, fdim(f, g));
    IS(float, std::fmod(f, g));
    sincosf(f, &s, &c);
    IS(float, s + c);
    sincospi(f, &s, &c);
    IS(float, s + c);
    sincospi(d, &ds, &dc);
    IS(double, ds + dc);
    IS(bool, (bool)std::isnan(f));
    IS(bool, (bool)std::isinf(d));
    IS(bool, (bool)std::isfinite(f));
    IS(bool, (bool)std::signbit(d));
    IS(unsigned, umin(u, 3u));
    IS(ull, ullmax(5, 6));
    return n;
}

__global__ void kernel(float f, float g, double d, int i, unsigned u, long long l, size_t z, double *out,
                       int *n)
{
    *n = evaluate(f, g, d, i, u, l, z, out);
}

int main()
{
    double host[VALUES], device[VALUES], *out;
    int n, m, *count, bad = 0;
    if (cudaMalloc((void **)&out, sizeof device) != cudaSuccess ||
        cudaMalloc((void **)&count, sizeof m) != cudaSuccess)
        return 2;
    kernel<<<1, 1>>>(0.375f, 0.625f, 0.3125, -7, 9u, -12345678901LL, 5, out, count);
    if (cudaMemcpy(device, out, sizeof device, cudaMemcpyDeviceToHost) != cudaSuccess ||
        cudaMemcpy(&m, count, sizeof m, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 2;
    n = evaluate(0.375f, 0.625f, 0.3125, -7, 9u, -12345678901LL, 5, host);
    for (int k = 0; k < n; k++) {
        bool nan = host[k] != host[k] && device[k] != device[k];
        if (!nan && !(std::fabs(host[k] - device[k]) <= 1e-6 * std::fabs(host[k])) && ++bad)
            printf("expression %d: device %.9g, host %.9g\n", k, device[k], host[k]);
    }
    bool pass = n == m && n > 90 && !bad;
    printf(pass ? "PASS\n" : "FAIL\n");
    return !pass;
}
// SPDX-License-Identifier: Apache-2.0
